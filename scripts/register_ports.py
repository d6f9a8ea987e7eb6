#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the main loops of FFMA kernels ask of the register file's ports (sm_70 and newer).

    scripts/register_ports.py --nvdisasm PATH CUBIN [--kernel sgemm_tma] [--lines]

Registers lie in two banks, even and odd. The model: a bank gives one register of a warp a clock, a
second one waits for the next clock, and for a third the warp waits. A source with .reuse is kept
for the same place of the next FFMA and need not be read. So an FFMA that shares a factor with the
one before it is free where its other factor and its sum are in different banks:

    reads    of registers in one pass of the loop; two an instruction is all there is
    same     FFMA whose two reads are of one bank
    three    FFMA with no factor kept
    stalls   clocks that a warp alone would wait, by the model

In a profile they are `stall_dispatch` some five instructions later. Of sgemm_tma_128x64x16 (since then of 32 k) on an
H200 the model had 47 of 1170, the profile 94: warps that alternate lose what .reuse kept.
"""
import argparse
import collections
import re
import subprocess

BUFFERED = 1  # reads that a bank may owe
LEAST_FFMA = 256  # of a main loop


def functions_of(nvdisasm, path):
    """(name, instructions' text, label -> index) of each kernel."""
    text = subprocess.run([nvdisasm, path], capture_output=True, text=True, check=True).stdout
    for found in re.finditer(r"\.text\.(\w+):(.*?)(?=\n//-----|\Z)", text, re.S):
        labels, instructions = {}, []
        for line in found[2].split("\n"):
            label = re.match(r"(\.L_x_\d+):", line)
            if label:
                labels[label[1]] = len(instructions)
            instruction = re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;", line)
            if instruction:
                instructions.append(re.sub(r"^@!?U?P\w+\s+", "", instruction[1]))
        yield found[1], instructions, labels


def main_loops(instructions, labels):
    """The innermost loops with enough FFMA, one for each way of copying, in the code's order."""
    found = []
    for last, text in enumerate(instructions):
        branch = re.match(r"BRA.*`\((\.L_x_\d+)\)", text)
        first = labels.get(branch[1], last + 1) if branch else last + 1
        ffma = sum(i.startswith("FFMA") for i in instructions[first : last + 1])
        if ffma >= LEAST_FFMA and all(last < at or end < first for at, end in found):
            found.append((first, last))
    return [instructions[first : last + 1] for first, last in found]


def sources_of(text):
    """(register, whether it is kept) of each source."""
    operation, _, operands = text.partition(" ")
    registers = [
        (int(r[1]), r[2] is not None)
        for r in re.finditer(r"(?<![UP\w])R(\d+)(\.reuse)?", operands)
    ]
    stores = operation.startswith(("ST", "RED", "SYNCS", "BRA"))
    return registers if stores or not operands.startswith("R") else registers[1:]


def ports_of(loop, show=False):
    count = collections.Counter()
    owed, kept = [0, 0], [None] * 3
    for is_steady in (False, True):  # the second pass begins with what the first one left
        for text in loop:
            sources = sources_of(text)[:3]
            is_ffma = text.startswith("FFMA")
            reads = [0, 0]
            for place, (register, _) in enumerate(sources):
                if not (is_ffma and kept[place] == register):
                    reads[register % 2] += 1
            if is_ffma:
                kept = [register if keeps else None for register, keeps in sources]
                kept += [None] * (3 - len(kept))  # RZ is no register
            owed = [max(0, old + new - 1) for old, new in zip(owed, reads)]
            stalls = 0
            while max(owed) > BUFFERED:
                stalls += 1
                owed = [max(0, reads_left - 1) for reads_left in owed]
            if not is_steady:
                continue
            count["reads"] += sum(reads)
            count["ffma"] += is_ffma
            count["same"] += is_ffma and max(reads) == 2 == sum(reads)
            count["three"] += is_ffma and sum(reads) == 3
            count["stalls"] += stalls
            if show:
                print(f"{'*' * sum(reads):4}{'stall' if stalls else '':6}{text}")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cubin")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--kernel", default="", help="part of the kernels' names")
    parser.add_argument("--lines", action="store_true", help="the loop, with its reads")
    options = parser.parse_args()
    print(f"{'kernel':40}{'loop':>6}{'ffma':>6}{'reads':>7}{'same':>6}{'three':>7}{'stalls':>8}")
    for name, instructions, labels in functions_of(options.nvdisasm, options.cubin):
        if options.kernel not in name:
            continue
        for loop in main_loops(instructions, labels):
            count = ports_of(loop, options.lines)
            print(
                f"{name:40}{len(loop):6}{count['ffma']:6}{count['reads']:7}{count['same']:6}"
                f"{count['three']:7}{count['stalls']:8}"
            )


if __name__ == "__main__":
    main()
