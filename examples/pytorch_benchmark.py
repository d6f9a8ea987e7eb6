# SPDX-License-Identifier: BSD-3-Clause
"""pytorch_preload.py --benchmark: transformers end to end, plain and under LD_PRELOAD, in turn.

Three processes hold the same model: one plain, one with the preload, one with the preload and its
log. The first two are timed turn by turn, prefill, decoding (as a CUDA graph) and a training step;
the last one, whose log costs time, computes the results that are compared and is profiled.
"""

import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import preload_check

MARK = "@reply "
# bf16 through many layers: the error against fp32 that is allowed whatever the plain run's is.
FLOOR = 2e-2
PRODUCT = re.compile(r"gemm|gemv|nvjet|xmma|splitk|cutlass::kernel|cutlass_\d", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Run:
    """What is timed of one model: (kind, batch, length) each."""
    model: str
    layers: int
    scenarios: tuple
    check_length: int = 128


FULL = (
    Run("gpt2-medium", 24, (("prefill", 1, 1024), ("prefill", 8, 1024), ("decode", 1, 1024),
                            ("decode", 16, 1024), ("train", 8, 1024))),
    # A quarter of the 32 layers, so that three processes and a training step fit and load quickly:
    # a layer's products are the same, the head and the loss weigh four times as much.
    Run("llama3-8b", 8, (("prefill", 1, 512), ("prefill", 1, 4096), ("decode", 1, 2048),
                         ("decode", 32, 2048), ("train", 2, 2048))),
)
QUICK = (
    Run("gpt2-medium", 4, (("prefill", 8, 1024), ("decode", 16, 512), ("train", 4, 1024)), 32),
    Run("llama3-8b", 1, (("prefill", 1, 2048), ("decode", 16, 512), ("train", 1, 1024)), 32),
)


# ---- a worker: one process, requests from stdin ------------------------------------------------

def load(request, device):
    import torch
    import pytorch_models
    torch.backends.cuda.matmul.allow_tf32 = False
    shape = pytorch_models.SHAPES[request["model"]]
    return pytorch_models.Model(shape, request["layers"], device, torch.bfloat16)


def save_results(model, request):
    """In preload_check's form. Only one of the two files needs the reference."""
    import pytorch_models
    arrays = {}
    results = pytorch_models.results_of(model, request["length"])
    reference = (pytorch_models.reference_of(model, request["length"]) if request["reference"]
                 else dict.fromkeys(results, 0.0))
    for name, array in results.items():
        arrays["result/" + name] = array
        arrays["reference/" + name] = reference[name]
        arrays["floor/" + name] = FLOOR
    np.savez(request["path"], **arrays)


def work(device, library):
    if library and not preload_check.mapped(library):
        sys.exit(f"pytorch_benchmark: {library} is not in this process")
    import torch
    import pytorch_models
    if device == "cuda" and not torch.cuda.is_available():
        sys.exit("pytorch_benchmark: torch finds no GPU")
    device_name = torch.cuda.get_device_name() if device == "cuda" else device
    model = None
    for line in sys.stdin:
        request = json.loads(line)
        kind, reply = request.pop("do"), None
        if kind == "load":
            model = None
            model = load(request, device)
            shape = model.shape
            reply = (f"{shape.title}'s shape, {len(model.blocks)} of its {shape.layers} layers, bf16; "
                     f"torch {torch.__version__} on {device_name}")
        elif kind == "time":
            reply = pytorch_models.time_scenario(model, **request)
        elif kind == "profile":
            reply = pytorch_models.kernel_times(model, **request)
        elif kind == "check":
            save_results(model, request)
        print(MARK + json.dumps(reply), flush=True)


class Worker:
    def __init__(self, name, environment, device, library, folder):
        self.name, self.errors = name, pathlib.Path(folder, name + ".stderr")
        command = [sys.executable, __file__, device, str(library or "")]
        with open(self.errors, "w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors, text=True)

    def send(self, do, **request):
        try:
            self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: receive() says how

    def receive(self):
        for line in self.process.stdout:
            if line.startswith(MARK):
                return json.loads(line[len(MARK):])
        status = self.process.wait()
        text = self.errors.read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"{self.name}: exit status {status}\n{text[-4000:]}")

    def ask(self, do, **request):
        self.send(do, **request)
        return self.receive()

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# ---- the driver ----------------------------------------------------------------------------------

def served_kernels(log):
    names = set(re.findall(r"^myblas: .* -> (\S+)$", log, re.MULTILINE))
    return {name.split("@")[0] for name in names} - {"none", "forwarded"}


def share(times, is_product):
    """Percent of the device's time that went into the kernels that is_product names."""
    total = sum(times.values())
    if total == 0.0:
        return float("nan")
    return 100.0 * sum(us for name, us in times.items() if is_product(name)) / total


def is_library_product(name):
    return PRODUCT.search(name.split("<")[0]) is not None  # template arguments name CUTLASS too


def time_run(run, plain, preloaded, rounds, seconds):
    """Medians in turn: {scenario: (tokens per second plain, preloaded)}."""
    speeds = {}
    for scenario in run.scenarios:
        kind, batch, length = scenario
        rates = {plain: [], preloaded: []}
        for i in range(rounds):
            for worker in (plain, preloaded) if i % 2 == 0 else (preloaded, plain):
                reply = worker.ask("time", kind=kind, batch=batch, length=length, seconds=seconds)
                rates[worker].append(reply["tokens"] / reply["seconds"])
        speeds[scenario] = tuple(statistics.median(rates[worker]) for worker in (plain, preloaded))
    return speeds


def check_run(run, plain, logged, folder):
    """How many results are wrong."""
    data = []
    for worker in (plain, logged):
        path = pathlib.Path(folder, f"{worker.name}.npz")
        worker.ask("check", path=str(path), length=run.check_length, reference=worker is plain)
        with np.load(path) as file:
            data.append({key: file[key] for key in file.files})
    return preload_check.judge(*data)


def print_run(run, speeds, shares):
    print(f"{'':24} {'tokens/s plain':>15} {'preload':>12} {'ratio':>6} | share of device time in "
          "products: plain, served by myblas")
    for scenario in run.scenarios:
        kind, batch, length = scenario
        plain, preloaded = speeds[scenario]
        ours, theirs = shares[scenario]
        print(f"{kind + f' {batch} x {length}':24} {plain:15.0f} {preloaded:12.0f} "
              f"{preloaded / plain:6.3f} | {theirs:5.1f} % {ours:5.1f} %", flush=True)


def run_model(run, workers, log, options, folder):
    """Everything of one model: whether its results are right, and the ratios of speed."""
    for worker in workers:
        worker.send("load", model=run.model, layers=run.layers)
    for worker in workers:
        about = worker.receive()
    print(f"\n-- {about}", flush=True)
    plain, preloaded, logged = workers
    rounds, seconds = (2, 0.1) if options.quick else (5, 0.5)
    speeds = time_run(run, plain, preloaded, rounds, seconds)
    wrong = check_run(run, plain, logged, folder)
    shares = {}
    for scenario in run.scenarios:
        request = dict(zip(("kind", "batch", "length"), scenario))
        times, plain_times = logged.ask("profile", **request), plain.ask("profile", **request)
        served = served_kernels(log.read_text(errors="replace") if log.exists() else "")
        shares[scenario] = (share(times, served.__contains__),
                            share(plain_times, is_library_product))
    print_run(run, speeds, shares)
    return wrong == 0, [second / first for first, second in speeds.values()]


def main(libraries, options, settings):
    """Exit status 0 where every result is right and products were served; speed is only told."""
    preload = ":".join(map(str, libraries))
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log.txt")
        environment = dict(os.environ, **settings)
        for name in ("LD_PRELOAD", "MYBLAS_LOG"):
            environment.pop(name, None)
        loaded = dict(environment, LD_PRELOAD=preload)
        workers, good, ratios = [], True, []
        try:
            for name, env, library in (("plain", environment, None),
                                       ("preload", loaded, libraries[0]),
                                       ("logged", dict(loaded, MYBLAS_LOG=str(log)), libraries[0])):
                workers.append(Worker(name, env, "cuda", library, folder))
            for run in QUICK if options.quick else FULL:
                right, more = run_model(run, workers, log, options, folder)
                good, ratios = good and right, ratios + more
        except RuntimeError as error:
            print(error)
            good = False
        finally:
            for worker in workers:
                worker.end()
        text = log.read_text(errors="replace") if log.exists() else ""
        if options.keep_log:
            pathlib.Path(options.keep_log).write_text(text)
        print()
        served = preload_check.summarize(text)
    if ratios:
        print(f"benchmark: {len(ratios)} scenarios, lowest ratio {min(ratios):.3f}, geometric mean "
              f"{statistics.geometric_mean(ratios):.3f}")
    if served == 0:
        print("no call was served by myblas")
    return good and served > 0


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2])
