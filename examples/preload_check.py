# SPDX-License-Identifier: BSD-3-Clause
"""Run a GPU program twice, plain and under myblas, and compare what it computed.

An example script defines compute() -> {name: (result, reference, floor)}: numpy arrays, with the
reference in double from the CPU, and the relative error that is always allowed. It calls
main(compute, ...), which starts the script again in two child processes and judges:

  - every result is finite and its error against the reference is at most twice the plain run's
    (or the floor);
  - in the second run, matrix products were served by our kernels.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

# What to preload, below the folder of the libraries. The second is also for programs that dlopen
# cuBLAS: both versions, since a wheel does not say here which one it needs.
NEUTRAL = ("libmyblas_cublas.so.1",)
SAME_SONAME = ("myblas/libcublas.so.13", "myblas/libcublas.so.12")
# For programs that dlopen cublasLt too.
SAME_SONAME_LT = SAME_SONAME + ("myblas/libcublasLt.so.13", "myblas/libcublasLt.so.12")
ALLOWED_GROWTH = 2.0


def find_libraries(names, build):
    """The preload libraries in a build tree or an installation; build may be either."""
    root = pathlib.Path(__file__).resolve().parent.parent
    places = [pathlib.Path(build)] if build else [root / "build", pathlib.Path("/usr"),
                                                 pathlib.Path("/usr/local")]
    for place in places:
        for folder in (place / "lib", place / "lib64", *sorted(place.glob("lib/*-linux-gnu"))):
            if all((folder / name).is_file() for name in names):
                return [(folder / name).absolute() for name in names]
    sys.exit(f"preload_check: no {names[0]} under {', '.join(map(str, places))}; "
             "give --build or --lib")


def run_child(arguments, environment, out, label):
    """The script once more, in a process of its own; its results, or None if it failed."""
    command = [sys.executable, sys.argv[0], *arguments, "--child", str(out)]
    print(f"-- {label}", flush=True)
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout[-4000:] + done.stderr[-8000:])
        print(f"-- {label}: exit status {done.returncode}")
        return None, done.stderr
    if done.stdout.strip():
        print(done.stdout.rstrip())
    with np.load(out) as data:
        return {key: data[key] for key in data.files}, done.stderr


def relative_error(result, reference):
    """|result - reference| / |reference| in the Frobenius norm; infinite if not finite."""
    if result.shape != reference.shape or not np.all(np.isfinite(result)):
        return float("inf")
    scale = np.linalg.norm(reference)
    return float(np.linalg.norm(result - reference) / (scale if scale > 0 else 1.0))


def judge(plain, preloaded):
    """Print one line a result; the number of wrong ones."""
    wrong = 0
    names = sorted(key[len("result/"):] for key in plain if key.startswith("result/"))
    if sorted(preloaded) != sorted(plain):
        print("the two runs computed different things")
        return 1
    print(f"{'result':44} {'plain':>9} {'preload':>9}  same bits")
    for name in names:
        reference, floor = plain["reference/" + name], float(plain["floor/" + name])
        a, b = plain["result/" + name], preloaded["result/" + name]
        errors = relative_error(a, reference), relative_error(b, reference)
        # not <=: a comparison that NaN fails
        good = errors[1] <= max(floor, ALLOWED_GROWTH * errors[0])
        wrong += not good
        print(f"{name:44} {errors[0]:9.2e} {errors[1]:9.2e}  {np.mean(a == b):6.1%}"
              f"{'' if good else '  WRONG'}")
    return wrong


def summarize(log):
    """Print how the calls were served; how many by our kernels."""
    served, forwarded = collections.Counter(), collections.Counter()
    for line in log.splitlines():
        match = re.match(r"myblas: (\S+).* -> (.+)$", line)
        if not match:
            continue
        routine, outcome = match.groups()
        if outcome.startswith("forwarded"):
            forwarded[f"{routine}: {outcome}"] += 1
        elif outcome != "none":
            served[f"{routine} by {outcome}"] += 1
    total = sum(served.values())
    print(f"served by myblas: {total} calls")
    for text, count in served.most_common():
        print(f"  {count:6} {text}")
    print(f"forwarded to cuBLAS: {sum(forwarded.values())} log lines")
    for text, count in forwarded.most_common(20):
        print(f"  {count:6} {text}")
    for line in log.splitlines():
        if line.startswith("myblas:") and " -> " not in line:
            print(f"  {line}")
    return total


def mapped(library):
    """Whether this process has the library in memory."""
    maps = pathlib.Path("/proc/self/maps").read_text()
    return str(library) in maps or str(pathlib.Path(library).resolve()) in maps


def child(compute, options):
    if options.expect_library and not mapped(options.expect_library):
        sys.exit(f"preload_check: {options.expect_library} is not in this process")
    arrays = {}
    for name, (result, reference, floor) in compute(options).items():
        kind = complex if np.iscomplexobj(reference) else float
        arrays["result/" + name] = np.asarray(result, dtype=kind)
        arrays["reference/" + name] = np.asarray(reference, dtype=kind)
        arrays["floor/" + name] = np.asarray(floor)
    np.savez(options.child, **arrays)
    return 0


def without_unknown_flags(environment, stderr):
    """JAX's compiler stops at flags that it does not know: leave those out. None: not that."""
    unknown = set(re.findall(r"(--xla_\w+)", "".join(
        line for line in stderr.splitlines() if "nknown flag" in line)))
    flags = environment.get("XLA_FLAGS", "").split()
    kept = [flag for flag in flags if flag.split("=")[0] not in unknown]
    if kept == flags:
        return None
    return dict(environment, XLA_FLAGS=" ".join(kept))


def run(options, arguments, libraries, settings):
    preload = ":".join(map(str, libraries))
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, **settings)
        environment.pop("LD_PRELOAD", None)
        first, log = pathlib.Path(folder, "plain.npz"), pathlib.Path(folder, "log.txt")
        plain, stderr = run_child(arguments, environment, first, "plain")
        reduced = without_unknown_flags(environment, stderr) if plain is None else None
        if reduced is not None:
            environment = reduced
            plain, stderr = run_child(arguments, environment, first, "plain, fewer XLA flags")
        if plain is None:
            return False
        environment.update(LD_PRELOAD=preload, MYBLAS_LOG=str(log))
        preloaded, _ = run_child([*arguments, "--expect-library", str(libraries[0])], environment,
                                 pathlib.Path(folder, "preload.npz"), f"LD_PRELOAD={preload}")
        text = log.read_text(errors="replace") if log.exists() else ""
        if options.keep_log:
            pathlib.Path(options.keep_log).write_text(text)
        if preloaded is None:
            summarize(text)
            return False
        wrong = judge(plain, preloaded)
    total = summarize(text)
    if total == 0:
        print("no call was served by myblas")
    return wrong == 0 and total > 0


def parse_options(configure=None):
    """configure adds the script's own arguments to the parser."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lib", help="the library to preload (default: that of --build)")
    parser.add_argument("--build", help="build tree or installation prefix (default: ../build)")
    parser.add_argument("--keep-log", metavar="FILE", help="keep the log of the second run")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--expect-library", help=argparse.SUPPRESS)
    if configure is not None:
        configure(parser)
    return parser.parse_args()


def libraries_to_preload(library, options):
    libraries = ([pathlib.Path(options.lib).absolute()] if options.lib
                 else find_libraries(library, options.build))
    for path in libraries:
        if re.search("[ :]", str(path)):
            sys.exit(f"preload_check: LD_PRELOAD takes no path with a space or a colon: {path}")
    return libraries


def main(compute, library=NEUTRAL, settings=None, configure=None):
    """library: NEUTRAL or another of the tuples above, to preload. settings: environment of both runs."""
    options = parse_options(configure)
    if options.child:
        sys.exit(child(compute, options))
    libraries = libraries_to_preload(library, options)
    good = run(options, sys.argv[1:], libraries, settings or {})
    print("PASS" if good else "FAIL")
    sys.exit(0 if good else 1)
