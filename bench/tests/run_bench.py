# SPDX-License-Identifier: BSD-3-Clause
"""Runs myblas-bench on tiny shapes on the CPU and judges the files it wrote and its summary.

usage: run_bench.py PATH_OF_MYBLAS_BENCH
"""

import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ERROR_LIMITS = {"tiny_f32": 1e-6, "tiny_bf16": 8e-3, "other_f64": 1e-14}
TEXT_COLUMNS = {"case", "group", "op", "trans", "kernel", "note"}
GPU_ONLY_COLUMNS = {"host_us_cublas", "host_us_myblas", "us_cublaslt", "ratio_cublaslt"}


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


def check_summary(output, rows):
    """Each group's line and the worst case against the ratios in the CSV."""
    ratios = {}
    for row in rows:
        assert row["group"] == row["case"].split("_")[0], row
        ratios.setdefault(row["group"], []).append((float(row["ratio"]), row["case"]))
    summary = output[output.index("\ngroup "):]
    for group, members in ratios.items():
        mean = math.exp(sum(math.log(ratio) for ratio, _ in members) / len(members))
        line = re.search(rf"^{group} +(\d+) +(\S+) +(\S+) .*\| (\w+), ", summary, re.MULTILINE)
        assert line, f"no line of group {group} in: {summary}"
        lowest, case = min(members)
        assert int(line[1]) == len(members), line[0]
        assert abs(float(line[2]) - mean) < 2e-3, (line[0], mean)
        assert abs(float(line[3]) - lowest) < 2e-3 and line[4] == case, (line[0], lowest, case)
    worst = summary[summary.index("lowest ratios"):].splitlines()[1:-2]
    expected = sorted(member for members in ratios.values() for member in members)
    assert len(worst) == 1 and worst[0].split()[1] == expected[0][1], (worst, expected)


def check_tables(csv_path, rows):
    """The tables for a page say of each group what the CSV says."""
    script = pathlib.Path(__file__).parent.parent / "results_tables.py"
    page = csv_path.with_suffix(".md")
    page.write_text("above\n<!-- groups: begin. bench/results_tables.py writes this part. -->\n"
                    "old\n<!-- groups: end -->\nbelow\n")
    subprocess.run([sys.executable, script, csv_path, "--worst", "2", "--write", page], check=True)
    text = page.read_text()
    assert text.startswith("above\n") and text.endswith("\nbelow\n") and "old" not in text, text
    lowest = min(rows, key=lambda row: float(row["ratio"]))
    first = text[text.index("The 2 lowest:"):].splitlines()[4]
    assert first.split(" | ")[1] == lowest["case"], (first, lowest)
    tiny = [row for row in rows if row["group"] == "tiny"]
    mean = math.sqrt(math.prod(float(row["ratio"]) for row in tiny))
    line = next(line for line in text.splitlines() if line.startswith("| tiny | 2 | "))
    assert abs(float(line.split(" | ")[2]) - mean) < 2e-3, (line, mean)


def check_random(program, folder):
    """Named OPs alone, each a group, and the same list for the same seed."""
    path = folder / "random.csv"
    command = [program, "--random", "8", "--ops", "f32,sb_bf16", "--sizes", "4", "40", "--seed",
               "3", "--repeat", "1", "--no-cublas", "--cublaslt", "--csv", path]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "--cublaslt: it needs a GPU" in run.stderr, run.stderr
    rows = read_csv(path)
    assert len(rows) == 8
    assert {row["group"] for row in rows} == {"random-f32", "random-bf16"}, rows
    assert all(4 <= int(row[size]) <= 40 for row in rows for size in "mnk"), rows
    refused = subprocess.run([program, "--random", "1", "--ops", "f31"], capture_output=True,
                             text=True, check=False)
    assert refused.returncode == 2 and "f31" in refused.stderr, refused


def check_beta(program, shapes, folder):
    """C that is added to: both libraries' results are right, and the header says what beta was."""
    path = folder / "beta.csv"
    run = subprocess.run([program, "--shapes", shapes, "--repeat", "1", "--beta", "-1", "--csv", path],
                         check=True, capture_output=True, text=True)
    assert "# beta: -1" in path.read_text(), run.stdout
    for row in read_csv(path):
        check_row(row)


def check_apart(program, shapes, folder):
    """A foreign kernel between calls, of which a CPU has none: times are numbers, and the header says it."""
    path = folder / "apart.csv"
    run = subprocess.run([program, "--shapes", shapes, "--repeat", "1", "--apart", "--csv", path],
                         text=True, capture_output=True, check=True)
    assert "# calls: apart" in path.read_text(), run.stdout
    for row in read_csv(path):
        check_row(row)


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
        command = [program, "--shapes", shapes, "--repeat", "3", "--worst", "1", "--csv", csv_path,
                   "--json", json_path]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        print(run.stdout)
        rows = read_csv(csv_path)
        assert {row["case"] for row in rows} == set(ERROR_LIMITS), rows
        for row in rows:
            check_row(row)
        check_summary(run.stdout, rows)
        root = json.loads(json_path.read_text())
        assert [case["case"] for case in root["cases"]] == [row["case"] for row in rows]
        assert {"date", "device", "myblas", "rival"} <= set(root["header"]), root["header"]
        check_tables(csv_path, rows)
        check_random(program, folder)
        check_beta(program, shapes, folder)
        check_apart(program, shapes, folder)
        check_malformed_list(program, folder)


if __name__ == "__main__":
    main()
