#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/performance.md, "Predicted on other chips".

    scripts/chip_table.py --predict build/bin/myblas-predict                  # print them
    scripts/chip_table.py --predict build/bin/myblas-predict --write docs/performance.md
    scripts/chip_table.py --predict build/bin/myblas-predict --check docs/performance.md   # 1 if stale

Run it again after the rows of a table or the cost model have changed.
"""
import argparse
import pathlib
import subprocess
import sys

BEGIN = "<!-- chips: begin. scripts/chip_table.py writes this part. -->"
END = "<!-- chips: end -->"

TITLES = {
    "f32": "fp32 (FFMA)",
    "tf32": "fp32 with TF32 allowed (tensor cores)",
    "f16": "fp16, fp32 sums (tensor cores)",
    "f16sum": "fp16, COMPUTE_16F where sums in fp16 have twice the rate (tensor cores)",
    "bf16": "bf16, fp32 sums (tensor cores)",
    "s8": "int8 to int32 (tensor cores), TN",
    "f64": "fp64 (tensor cores)",
}

# What others showed, as shares of the same peak. "seed": the four write-ups that myblas started
# from; sources: the projects named.
PUBLISHED = {
    "f32": {
        "T4": "seed v05 41 %, its fp32 best 49 %; cuBLAS 55 %",
        "RTX 3090": "salykova 79 % at a pinned clock, cuBLAS 74 %; seed (RTX 3080, 1024) 21 %",
        "A10": "CUTLASS 64 %",
        "RTX 4090": "4070 Ti S: cuBLAS 73 %",
        "L4": "a register-blocked kernel 24 %",
        "H200": "cuBLAS 77 %",
        "RTX 5070 Ti": "seed K08 69 %; cuBLAS 72 %",
        "RTX 5090": "cuBLAS 73 %",
        "RTX PRO 6000": "cuBLAS 73 %",
    },
    "f16": {
        "T4": "seed v11 26 %; alexarmbr (fp16 sums) 66 % at 4096, 72 % at 8192; cuBLAS 76 %",
        "A100": "CUTLASS 87 %, cuBLAS 78 to 84 %",
        "RTX 3090": "Bruce-Lee-LY 95 to 100 % of cuBLAS",
        "RTX 4090": "seed K3b 93.5 % = cuBLAS",
        "L40S": "L20 (half the rate): 96 to 98 %",
        "H200": "cuBLAS 72 %",
        "B200": "ThunderKittens 68 %, Modular 79 % (tcgen05)",
        "RTX 5070 Ti": "seed K15 103 %, cuBLAS 101 % (clocks above 2.45 GHz)",
        "RTX 5090": "gau-nernst 83 % at 4096, 96 % at 8192; cuBLAS 82 %",
        "RTX PRO 6000": "waynehacking8 85 % of the pipe's busy time",
    },
    "f16sum": {
        "RTX 4090": "75 % at 4096, 80 % at 8192, cuBLAS 81 % (sums of all of k in fp16)",
    },
    "f64": {"H200": "cuBLAS 93 %"},
}
PUBLISHED["bf16"] = {k: v for k, v in PUBLISHED["f16"].items() if k != "T4"}


def predictions(program):
    """type -> chip -> size -> line of myblas-predict, in its order."""
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    head, *lines = [line.split("\t") for line in text.splitlines()]
    kinds = {}
    for line in lines:
        cell = dict(zip(head, line))
        kinds.setdefault(cell["type"], {}).setdefault(cell["chip"], {})[int(cell["n"])] = cell
    return kinds


def table_of(kind, chips):
    sizes = sorted(next(iter(chips.values())))
    lines = [
        f"**{TITLES[kind]}**: % of the data sheet's peak",
        "",
        "| | TFLOP/s | "
        + " | ".join(map(str, sizes))
        + f" | {sizes[-1]}, power | row, waves and bound at 4096 | others |",
        "|---|---|" + "---|" * (len(sizes) + 3),
    ]
    for chip, by_size in chips.items():
        cell, last = by_size[4096], by_size[sizes[-1]]
        percents = " | ".join(f"{float(by_size[n]['percent']):.0f}" for n in sizes)
        sustained = min(float(last["percent"]), 100 * float(last["power"]))
        parts = "" if cell["parts"] == "1" else f" in {cell['parts']} parts"
        lines.append(
            f"| {chip} | {float(cell['peak']):.1f} | {percents} | {sustained:.0f}"
            f" | `{cell['row']}`{parts}, {cell['waves']} %, {cell['bound']}"
            f" | {PUBLISHED.get(kind, {}).get(chip, '')} |"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--predict", required=True, help="the program myblas-predict")
    parser.add_argument("--write", type=pathlib.Path, help="document whose part is replaced")
    parser.add_argument("--check", type=pathlib.Path, help="document whose part must be this")
    args = parser.parse_args()
    text = "\n\n".join(table_of(kind, chips) for kind, chips in predictions(args.predict).items())
    page = args.write or args.check
    if page is None:
        print(text)
        return 0
    before, rest = page.read_text().split(BEGIN)
    _, after = rest.split(END)
    fresh = f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
    if args.write:
        page.write_text(fresh)
    elif page.read_text() != fresh:
        print(f"{page}: its table of chips is stale; run again with --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
