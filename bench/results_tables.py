# SPDX-License-Identifier: BSD-3-Clause
"""The CSV files of myblas-bench as tables: each group of cases, and the lowest ratios.

    results_tables.py bench/results/h200/*.csv                             # print them
    results_tables.py bench/results/h200/*.csv --write docs/performance.md # or --check: are they there?
    results_tables.py public.csv --lists public.csv random.csv             # ahead of them, a line a file

Files of --ceilings are passed over. The functions that read a file are plot_results.py's too.
"""

import argparse
import csv
import math
import pathlib
import sys
import textwrap

BEGIN = "<!-- groups: begin. bench/results_tables.py writes this part. -->"
END = "<!-- groups: end -->"
KINDS = {"bf16": "16 bits", "f16": "16 bits", "f32": "fp32", "x9": "fp32", "tf32": "TF32", "f64": "fp64",
         "c64": "complex fp32", "c128": "complex fp64", "s8": "int8"}


def read_csv(path):
    header, lines = {}, []
    with open(path, newline="", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# "):
                key, _, value = line[2:].strip().partition(": ")
                header[key] = value
            else:
                lines.append(line)
    return header, list(csv.DictReader(lines))


def number(row, column):
    """NaN where there is none: files of earlier versions have fewer columns."""
    try:
        return float(row[column])
    except (KeyError, ValueError):
        return math.nan


def group_of(row):
    return row.get("group") or row["case"].split("_")[0]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def known(rows, column):
    values = [number(row, column) for row in rows]
    return [value for value in values if value > 0]


def mean_text(rows, column, digits):
    values = known(rows, column)
    return f"{geometric_mean(values):.{digits}f}" if values else "-"


def by_ratio(rows):
    """Those that have a ratio, the lowest first."""
    return sorted((row for row in rows if number(row, "ratio") > 0),
                  key=lambda row: number(row, "ratio"))


def group_table(rows):
    groups = {}
    for row in rows:
        groups.setdefault(group_of(row), []).append(row)
    with_lt = bool(known(rows, "ratio_cublaslt"))
    columns = ["group", "cases", "geomean", "lowest"] + ["by cublasLt's best"] * with_lt
    columns += ["TFLOP/s", "lowest case", "its kernel"]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for name, members in groups.items():
        ranked = by_ratio(members)
        lowest = ranked[0] if ranked else None
        cells = [name, str(len(members)), mean_text(members, "ratio", 3),
                 f"{number(lowest, 'ratio'):.3f}" if lowest else "-"]
        if with_lt:
            cells.append(mean_text(members, "ratio_cublaslt", 3))
        cells += [mean_text(members, "tflops_myblas", 1), lowest["case"] if lowest else "-",
                  f"`{lowest['kernel']}`" if lowest else "-"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def worst_table(rows, count):
    lines = ["| ratio | case | op | trans | m | n | k | batch | kernel |", "|" + "---|" * 9]
    for row in by_ratio(rows)[:count]:
        cells = [f"{number(row, 'ratio'):.3f}"]
        cells += [row[column] for column in ("case", "op", "trans", "m", "n", "k", "batch")]
        lines.append("| " + " | ".join([*cells, f"`{row['kernel']}`"]) + " |")
    return lines


def kind_of(row):
    """What is multiplied: the types of A and B, and whether products are complex."""
    op = row["op"].removeprefix("sb_").removeprefix("pb_").removeprefix("gv_")
    for name, kind in KINDS.items():
        if op in (name, f"{name}_3m", f"{name}f32", f"{name}f16"):
            return kind
    return "others"


def lists_table(paths):
    """A line a file: the geometric means by what is multiplied, and the lowest ratio."""
    kinds = list(dict.fromkeys(KINDS.values()))
    columns = ["list", "commit, date", "all", *kinds, "lowest"]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for path in paths:
        header, rows = read_csv(path)
        compared = by_ratio(rows)
        if not compared:
            continue
        cells = [f"`{path.stem}`", f"{header['myblas'].split()[-1]}, {header['date'][:10]}"]
        for members in (compared, *([row for row in compared if kind_of(row) == kind]
                                    for kind in kinds)):
            cells.append(f"{mean_text(members, 'ratio', 2)} ({len(members)})" if members else "")
        low = compared[0]
        shape = " x ".join(low[side] for side in ("m", "n", "k"))
        batch = f" by {low['batch']}" if low["batch"] != "1" else ""
        cells.append(f"{number(low, 'ratio'):.2f}: {low['op']} {low['trans']} {shape}{batch}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def tables_of(path, worst):
    header, rows = read_csv(path)
    if not rows or "case" not in rows[0]:
        return []
    about = [header.get("device", ""), f"myblas {header.get('myblas', '')}",
             f"beside {header.get('rival', '')}", header.get("date", "")[:10]]
    compared = by_ratio(rows)
    ahead = sum(number(row, "ratio") >= 1 for row in compared)
    title = (f"**{path.name}**: {len(rows)} cases, geometric mean {mean_text(rows, 'ratio', 3)}, "
             f"{ahead} of {len(compared)} at 1 or more.")
    return ["", *textwrap.wrap(f"{title} {', '.join(about)}.", 120), "", *group_table(rows), "",
            f"The {min(worst, len(compared))} lowest:", "", *worst_table(rows, worst)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+")
    parser.add_argument("--lists", type=pathlib.Path, nargs="+", default=[],
                        help="a table ahead of the others, a line a file")
    parser.add_argument("--worst", type=int, default=5)
    parser.add_argument("--write", type=pathlib.Path, help="a page that has the marks")
    parser.add_argument("--check", type=pathlib.Path, help="fails where --write would change it")
    options = parser.parse_args()

    lines = lists_table(options.lists) if options.lists else []
    lines += [line for path in options.results for line in tables_of(path, options.worst)]
    text = "\n".join(lines).strip() + "\n"
    path = options.write or options.check
    if path is None:
        print(text, end="")
        return
    page = path.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        sys.exit(f"{path}: no lines '{BEGIN}' and '{END}'")
    before, after = page[:page.index(BEGIN)], page[page.index(END):]
    written = f"{before}{BEGIN}\n\n{text}\n{after}"
    if options.write is not None:
        path.write_text(written, encoding="utf-8")
    elif written != page:
        sys.exit(f"{path}: its tables are of other results; results_tables.py --write makes them anew")


if __name__ == "__main__":
    main()
