#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each row of a GPU's table, forced, under a tool of compute-sanitizer. On a machine with the GPU.

    scripts/sanitize_rows.py --programs build-gpu/bin --tool synccheck
    scripts/sanitize_rows.py --programs build-gpu/bin --tool racecheck --rows 'wgmma_tf32|sgemm'

A process a row: one product in each of the four layouts, tiles in several rounds, with the check of
its result by myblas-bench. A row that served none of them counts as not reached. Rows of int8 with
an fp32 C have no OP in the bench, and are left out. Ends with a count; exit status 1 where a row
failed or none was clean.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys

from table_rows import read_rows

TOOLS = ("memcheck", "initcheck", "synccheck", "racecheck")

# OP of the bench (bench/op.h) for the types of a row's a, b and of its c.
OPS = {
    ("f32", "f32"): "f32", ("f64", "f64"): "f64", ("c32", "c32"): "c64", ("c64", "c64"): "c128",
    ("bf16", "bf16"): "bf16", ("bf16", "f32"): "bf16f32", ("f16", "f16"): "f16",
    ("f16", "f32"): "f16f32", ("s8", "s32"): "s8",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True, help="where myblas-bench and myblas-info are")
    parser.add_argument("--tool", choices=TOOLS, default="synccheck")
    parser.add_argument("--target", type=int, default=90, help="table: 80, 90, ... (default: 90)")
    parser.add_argument("--rows", default=".", help="only rows whose name this regular expression finds")
    parser.add_argument("--size", default="832 704 320", help="M N K (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=8, help="processes at a time")
    parser.add_argument("--seconds", type=int, default=300, help="most for a row")
    return parser.parse_args()


def read_products(arguments):
    """[(name, op)] of the table's rows that the expression finds."""
    rows = []
    for name, ab, c in read_rows(arguments.programs, arguments.target, arguments.rows):
        op = OPS.get((ab, c))
        if op is None:
            continue
        if "tf32" in name:
            op = "tf32"
        if "f16sum" in name:
            op = "f16f16"
        if "pointers" in name:
            op = "pb_" + op
        elif "batch" in name or "warp" in name:
            op = "sb_" + op
        rows.append((name, op))
    return rows


def command_for(arguments, name, op):
    batch = 3 if op[:3] in ("pb_", "sb_") else 1
    cases = []
    for layout in ("TN", "NN", "NT", "TT"):
        cases += ["--case", f"{op} {layout} {arguments.size} {batch}"]
    return ["timeout", str(arguments.seconds), "compute-sanitizer", "--tool", arguments.tool,
            "--error-exitcode", "9", f"{arguments.programs}/myblas-bench", "--no-cublas", *cases,
            "--kernel", name, "--repeat", "1", "--case-seconds", "0.001"]


def run_row(arguments, name, op):
    """What became of it: clean, not reached, or what went wrong."""
    forced = {"MYBLAS_TARGET": f"sm_{arguments.target}", "MYBLAS_BACKEND": "cuda"}
    done = subprocess.run(command_for(arguments, name, op), capture_output=True, text=True,
                          env={**os.environ, **forced})
    text = done.stdout + done.stderr
    if done.returncode == 124:
        return f"longer than {arguments.seconds} s"
    if done.returncode != 0:
        complaints = [line for line in text.splitlines() if line.startswith("=========")]
        if len(complaints) > 2:  # the first one, and the count; else the bench itself failed
            said = complaints[1:4] + complaints[4:][-1:]
        else:
            said = text.splitlines()[-3:]
        return f"status {done.returncode}: " + " ".join(said)
    served = any(word.split("@")[0] == name for word in text.split())
    return "clean" if served else "not reached"


def main():
    arguments = parse_arguments()
    rows = read_products(arguments)
    counts = {"clean": 0, "not reached": 0, "failed": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda row: run_row(arguments, *row), rows)
        for (name, _), result in zip(rows, results):
            counts[result if result in counts else "failed"] += 1
            if result != "clean":
                print(f"{name}: {result}", flush=True)
    print(f"{arguments.tool}: {counts['clean']} clean, {counts['not reached']} not reached, "
          f"{counts['failed']} failed")
    sys.exit(1 if counts["failed"] or not counts["clean"] else 0)


if __name__ == "__main__":
    main()
