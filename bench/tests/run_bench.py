# SPDX-License-Identifier: BSD-3-Clause
"""Runs myblas-bench on two tiny shapes on the CPU and judges the files it wrote.

usage: run_bench.py PATH_OF_MYBLAS_BENCH
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ERROR_LIMITS = {"tiny_f32": 1e-6, "tiny_bf16": 8e-3}
TEXT_COLUMNS = {"case", "op", "trans", "kernel", "note"}
GPU_ONLY_COLUMNS = {"host_us_cublas", "host_us_myblas"}


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def check_row(row):
    for column, text in row.items():
        if column in TEXT_COLUMNS or column in GPU_ONLY_COLUMNS:
            continue
        assert math.isfinite(float(text)), f"{row['case']}: {column} = {text}"
    limit = ERROR_LIMITS[row["case"]]
    for column in ("err_cublas", "err_myblas"):
        assert 0 <= float(row[column]) < limit, f"{row['case']}: {column} = {row[column]}"
    expected = float(row["us_cublas"]) / float(row["us_myblas"])
    assert abs(float(row["ratio"]) / expected - 1) < 1e-4, f"{row['case']}: ratio"
    assert row["kernel"], f"{row['case']}: no kernel name"
    assert row["note"] == "", f"{row['case']}: {row['note']}"


def check_malformed_list(program, folder):
    bad = folder / "bad.txt"
    bad.write_text("# fine\nbad_case f32 NN 64 64\n")
    run = subprocess.run([program, "--shapes", bad], capture_output=True, text=True, check=False)
    assert run.returncode == 2, f"a malformed list gave exit status {run.returncode}"
    assert "bad.txt:2:" in run.stderr, f"no line number in: {run.stderr}"


def main():
    program = sys.argv[1]
    shapes = pathlib.Path(__file__).with_name("tiny.txt")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        csv_path, json_path = folder / "out.csv", folder / "out.json"
        command = [program, "--shapes", shapes, "--repeat", "3", "--csv", csv_path, "--json", json_path]
        subprocess.run(command, check=True)
        rows = read_csv(csv_path)
        assert {row["case"] for row in rows} == set(ERROR_LIMITS), rows
        for row in rows:
            check_row(row)
        root = json.loads(json_path.read_text())
        assert [case["case"] for case in root["cases"]] == [row["case"] for row in rows]
        assert {"date", "device", "myblas", "rival"} <= set(root["header"]), root["header"]
        check_malformed_list(program, folder)


if __name__ == "__main__":
    main()
