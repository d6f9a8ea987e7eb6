#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the compiler made of every kernel for every target, from the images of a build.

    scripts/kernel_report.py --build build                      # all of it, a line a kernel
    scripts/kernel_report.py --build build --target 90 --kernel sgemm
    scripts/kernel_report.py --build build --check              # fails where a gate does not hold
    scripts/kernel_report.py --build build --nvdisasm PATH      # is it decoded right?

No GPU and no disassembler needed (cubin.py). Columns:

    regs      registers a thread        local   bytes that a thread's code moves to and from local
    smem      static + dynamic bytes            memory (spills, arrays), and the stack frame
    blocks    an SM: what this chip can hold / what the row says
    loop      instructions of the main loop: the innermost one with the most math, one pass in its
              steady state with well aligned operands; (all) what every way through it has
    %         shares of those instructions; math is the named class, address counts IMAD

The gates are BARS below. A kernel under a bar must stand in BELOW_BAR with the level it has, and
may not fall below that. From sm_90 on a kernel may start while the one ahead of it still runs: its
code has no access to global memory ahead of griddepcontrol.wait (docs/adr/0014).
"""
import argparse
import collections
import fnmatch
import pathlib
import re
import subprocess
import sys

import cubin

SKIPPED = 77  # ctest's SKIP_RETURN_CODE

# Of an SM: shared memory, threads, blocks, and what the driver keeps of each block's shared memory.
Chip = collections.namedtuple("Chip", "smem_kb threads blocks reserve")
CHIPS = {
    75: Chip(64, 1024, 16, 0),
    80: Chip(164, 2048, 32, 1024),
    86: Chip(100, 1536, 16, 1024),
    89: Chip(100, 1536, 24, 1024),
    90: Chip(228, 2048, 32, 1024),
    100: Chip(228, 2048, 32, 1024),
    120: Chip(100, 1536, 24, 1024),
}

# Least share of math in the main loop, percent, and what it is for.
Bar = collections.namedtuple("Bar", "percent why")
# Kernels that do not reach their bar, with the level they have instead. `fnmatch` patterns.
BELOW_BAR = {
    "sgemm_cp_async_128x128x8": 88,
    "sgemm_closed_128x128x8": 88,  # these copy rows one by one: TMA's kernels have what is aligned
    "sgemm_closed_128x64x16": 86,
    "sgemm_closed_64x128x16": 86,
    "sgemm_closed_sliced_64x64x32": 83,  # k-tiles of 8 k a slice
    "sgemm_narrow_*": 88,
    # 8 and 16 of 32 k a pass: of the rest, most is run once in four passes, or two
    "sgemm_tma_128x128x32": 87,
    "sgemm_tma_128x64x32": 86,
    "cgemm_tma_64x64x32": 87,
    "ampere_batch_*": 3,  # the way to the next tile of little k, and its store, are in the loop
    "ampere_warp_*": 4,  # loads of fragments, and their shifts, are in the loop
    "sgemm_registers_128x128x8": 88,
    "sgemm_registers_128x64x8": 82,
    "sgemm_registers_64x128x8": 82,
    "turing_f16_f*_128x128x32": 58,
    "ampere_*_by4_*_128x128x32": 22,  # 32 copies of 4 bytes a thread and k-tile; the first match counts
    "ampere_*_by4_*_64x64x64": 12,
    "ampere_*_any_*_128x128x64": 20,  # shifts of misaligned chunks
    "ampere_*_any_*_64x64x64": 11,
    "ampere_f16_f16sum_*": 12,  # for GeForce, whose bar that is: sm_80 and sm_90 do not choose them
    "ampere_*_128x128x32": 33,
    "ampere_*_64x32x64": 15,  # on sm_100
    "ampere_*_128x256x64": 36,  # ten instructions of the split barrier
    # On sm_120, with the NOPs that ptxas puts between its HMMA. No branch hides its loads from the count.
    "blackwell_*_128x128x64": 38,
    "blackwell_*_128x256x64": 38,
}
# Instructions that touch global memory and that a way through the code reaches without a wait for the
# grid ahead: gemv loads alpha and pointers behind a condition, and waits ahead of them behind it.
AHEAD_OF_WAIT = {"gemv_outer_*": 6, "gemv_tall_c*": 6, "gemv_*": 5}
# Kernels that keep things in the thread's own memory on purpose: totals of closed sums, and what a
# block is at (common/blocked_sum.cuh, simt/gemm_simt.cuh). Spills are errors of the build itself.
OWN_MEMORY = ("sgemm_*", "cgemm_*", "gemm_reference_*")


def bar_of(row, arch, math):
    """The bar of a main loop, or None. What share of the tile a thread or a warp has decides."""
    sums = row["tile_m"] * row["tile_n"]
    if row["c"] == "c32":  # two of an element in planes; by TMA each real product has its own
        sums *= 4 if "_tma_" in row["name"] else 2
    if math in ("FFMA", "FFMA2") and row["pipe"] == "plain" and row["c"] in ("f32", "c32"):
        if "reference" in row["name"]:
            return None  # obvious first
        # Slices of k a block, each of which has sums for the whole tile: four of small tiles.
        slices = 1 if "_sliced_" not in row["name"] else 4 if sums <= 64 * 64 else 2
        return {128: Bar(92, "16x8 a thread"), 64: Bar(87, "8x8 a thread")}.get(
            sums * slices // row["threads"]
        )
    if math == "HMMA" and row["ab"] in ("f16", "bf16"):
        # Warps that load take no part in the math: there are 1 or 4 of them beside 4 or 8.
        warps = 1 << (row["threads"] // 32).bit_length() - 1
        if sums // warps >= 64 * 64:
            return Bar(60 if arch == 75 else 50, "64x64 a warp")
        # The paper model's clocks of a warp's mma hold so many instructions: twice what it has, and
        # for the smallest tiles, which are chosen for other reasons, once.
        percent = {86: 12, 89: 12, 120: 12, 90: 32, 100: 32}.get(arch, 25)
        if sums // warps >= 64 * 32:
            return Bar(percent, "half of the issue slots")
        return Bar(percent // 2, "the issue slots")
    return None


# ---- the machine's limits -----------------------------------------------------------------------


def blocks_of_sm(kernel, row, chip):
    """(Blocks that an SM holds, what limits them)."""
    threads = row["threads"] if row else kernel.max_threads
    if threads == 0:
        return 0, "no thread count"
    warps = (threads + 31) // 32
    unit = 8  # registers are given to a warp in units of 8 a thread, to each quarter of an SM
    granted = -(-kernel.registers // unit) * unit
    by_registers = 4 * (16384 // (granted * 32)) // warps
    smem = own_smem(kernel, chip) + chip.reserve + (row["smem_bytes"] if row else 0)
    limits = [
        (by_registers, "registers"),
        (chip.smem_kb * 1024 // smem if smem else chip.blocks, "shared memory"),
        (chip.threads // threads, "threads"),
        (chip.blocks, "blocks"),
    ]
    return min(limits, key=lambda limit: limit[0])


def own_smem(kernel, chip):
    """Static shared memory without the driver's part, which cubins of sm_90 and later count in."""
    return max(0, kernel.static_smem - (chip.reserve if kernel.arch >= 90 else 0))


# ---- a kernel's line ----------------------------------------------------------------------------


class Line:
    """One kernel on one target: what is printed, and which gates it fails."""

    def __init__(self, kernel, row):
        self.kernel, self.row = kernel, row
        chip = CHIPS[kernel.arch]
        self.local = cubin.local_bytes(kernel)
        self.blocks, self.limit = blocks_of_sm(kernel, row, chip)
        self.smem = (own_smem(kernel, chip), row["smem_bytes"] if row else 0)
        self.loop, self.all = cubin.main_loop(kernel)
        self.size = sum(self.loop.values())
        self.math = cubin.math_class(self.loop)
        self.failures, self.notes = [], []
        self.judge(chip)

    def share(self, *names):
        return 100 * sum(self.loop[name] for name in names) / max(self.size, 1)

    def judge(self, chip):
        own_memory = any(fnmatch.fnmatch(self.kernel.name, one) for one in OWN_MEMORY)
        if (self.local or self.kernel.stack) and not own_memory:
            self.failures.append(f"local memory: {self.local} bytes, stack {self.kernel.stack}")
        may = next((most for name, most in AHEAD_OF_WAIT.items()
                    if fnmatch.fnmatch(self.kernel.name, name)), 0)
        if self.kernel.arch >= 90 and (count := cubin.ahead_of_wait(self.kernel)) > may:
            self.failures.append(f"touches global memory ahead of griddepcontrol.wait: {count} times")
        if self.row is None:
            return
        row = self.row
        if self.kernel.max_threads and self.kernel.max_threads < row["threads"]:
            self.failures.append(
                f"compiled for {self.kernel.max_threads} threads, the row has {row['threads']}"
            )
        if sum(self.smem) + chip.reserve > chip.smem_kb * 1024:
            self.notes.append("too much shared memory for this chip: the row is refused there")
        elif self.blocks < row["blocks_per_sm"]:
            say = self.failures if self.limit == "registers" else self.notes
            say.append(f"{self.blocks} blocks of {row['blocks_per_sm']}: {self.limit}")
        if self.math is None:
            self.failures.append("no loop with math found")
            return
        self.judge_loop(bar_of(row, self.kernel.arch, self.math))

    def judge_loop(self, bar):
        if bar is None:
            return
        share = self.share(self.math)
        if share < bar.percent:
            level = next(
                (v for p, v in BELOW_BAR.items() if fnmatch.fnmatch(self.kernel.name, p)), None
            )
            text = f"{self.math} {share:.1f} %, bar {bar.percent} ({bar.why})"
            if level is None or share < level:
                self.failures.append(text + (f", gate {level}" if level else ""))
            else:
                self.notes.append(f"below the bar: {text}, gate {level}")
        is_64x64 = self.math == "HMMA" and self.kernel.arch >= 80 and bar.why == "64x64 a warp"
        if is_64x64 and 4 * self.loop["LDSM"] > self.loop["HMMA"]:
            self.failures.append(
                f"LDSM : HMMA is {self.loop['LDSM']} : {self.loop['HMMA']}, should be 1 : 4"
            )

    def text(self):
        k = self.kernel
        row_blocks = self.row["blocks_per_sm"] if self.row else "-"
        cells = [
            f"sm_{k.arch:<3} {k.name:<44} {k.registers:4} {self.local:5}",
            f"{self.smem[0]:5}+{self.smem[1]:<6} {k.max_threads:4} {self.blocks:2}/{row_blocks}",
        ]
        if self.size:
            cells.append(
                f"{self.size:5} ({sum(self.all.values())}) {self.math:>5}"
                f" {self.share(self.math):5.1f} |"
                f" LDSM {self.share('LDSM'):4.1f} LDS {self.share('LDS'):4.1f}"
                f" copy {self.share(*cubin.COPIES):4.1f} STS {self.share('STS'):4.1f}"
                f" address {self.share('IMAD') if self.math != 'IMAD' else 0:4.1f}"
                f" bar {self.loop['BAR']}"
            )
        lines = ["  ".join(cells)]
        lines += [f"      FAILS: {failure}" for failure in self.failures]
        lines += [f"      note: {note}" for note in self.notes]
        return "\n".join(lines)


# ---- what there is ------------------------------------------------------------------------------


def images_of(build):
    """The fatbins that the library embeds."""
    if not build.is_dir():
        sys.exit(f"kernel_report: no build in {build}")
    listed = build / "src" / "generated" / "kernel_images.inc"
    if not listed.is_file():
        print(f"kernel_report: no compiled kernels in {build}: built without nvcc")
        sys.exit(SKIPPED)
    stems = re.findall(r"MYBLAS_IMAGE\((\w+)\)", listed.read_text())
    images = [build / "src" / f"{stem}.fatbin" for stem in stems]
    for image in images:
        if not image.is_file():
            sys.exit(f"kernel_report: {image} is not built")
    return images


def rows_of(info):
    """(table, name) -> row, from myblas-info --rows; numbers as int."""
    text = subprocess.run([info, "--rows"], check=True, capture_output=True, text=True).stdout
    head, *lines = [line.split("\t") for line in text.splitlines()]
    rows = {}
    for line in lines:
        row = {key: int(v) if v.isdigit() else v for key, v in zip(head, line)}
        rows[row["table"], row["name"]] = row
    return rows


def row_for(rows, kernel):
    """The kernel's row in the table of its target, else in any other table."""
    own = rows.get((kernel.arch, kernel.name))
    return own or next((r for (_, name), r in rows.items() if name == kernel.name), None)


def misplaced_kernels(images, image, kernels):
    """Kernels that gpu::find_kernel() would not find: it asks the first image of that beginning."""
    for kernel in kernels:
        asked = next((other for other in images if kernel.name.startswith(other.stem)), None)
        if asked != image:
            yield f"{kernel.name} of {image.stem} is looked for in {asked.stem if asked else 'no image'}"


def missing_kernels(rows, lines):
    """Rows whose table's target was built, but without their kernel; entries about no kernel."""
    built = {(line.kernel.arch, line.kernel.name) for line in lines}
    archs = {arch for arch, _ in built}
    for (table, name), row in rows.items():
        wanted = table in archs and row["cc_min"] <= table <= row["cc_max"]
        # Code runs on its own target and on later ones of the same generation.
        generation = range(table // 10 * 10, table + 1)
        if wanted and not any((arch, name) in built for arch in generation):
            yield f"sm_{table}: no kernel for the row {name}"
    for pattern in BELOW_BAR:
        if not any(fnmatch.fnmatch(name, pattern) for _, name in built):
            yield f"BELOW_BAR has {pattern}, which is no kernel"


# ---- is it decoded right? -----------------------------------------------------------------------


def compare_with_disassembler(kernel, text):
    """Each class and branch target of a kernel against the lines that nvdisasm printed of it."""
    known = set(cubin.OPCODES.values())
    labels, targets, names, pending = {}, {}, [], []
    for line in text:
        label = re.match(r"\s*(\.L_x_\d+):", line)
        code = re.search(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\S+\s+)?([A-Z][A-Z0-9_]*)(.*)", line)
        if label:
            pending.append(label.group(1))
        elif code:
            labels.update((name, len(names)) for name in pending)
            pending = []
            target = re.search(r"`\((\.L_x_\d+)\)", code.group(2))
            if code.group(1) == "BRA" and target:
                targets[len(names)] = target.group(1)
            names.append(code.group(1))
    if len(names) != len(kernel.instructions):
        yield f"{len(kernel.instructions)} instructions, nvdisasm says {len(names)}"
        return
    for at, (name, ours) in enumerate(zip(names, kernel.instructions)):
        # One of HFMA2's encodings only moves constants, and is no math.
        if name != ours.name and (name in known or ours.name != "other") and name != "HFMA2":
            yield f"instruction {at}: {ours.name}, nvdisasm says {name}"
    for at, label in targets.items():
        if cubin.branch_target(kernel, at) != labels.get(label):
            ours = cubin.branch_target(kernel, at)
            yield f"branch {at}: to {ours}, nvdisasm says {labels.get(label)}"


def compare_image(nvdisasm, image, arch, scratch):
    """Problems of all kernels of one cubin."""
    scratch.write_bytes(image)
    text = subprocess.run(
        [nvdisasm, "-c", scratch], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    starts = [(m.group(1), i) for i, l in enumerate(text) if (m := re.match(r"\.text\.(\S+):", l))]
    ends = [i for _, i in starts[1:]] + [len(text)]
    listing = {name: text[start:end] for (name, start), end in zip(starts, ends)}
    for kernel in cubin.kernels_of(image, arch):
        for problem in compare_with_disassembler(kernel, listing[kernel.name]):
            yield f"sm_{arch} {kernel.name}: {problem}"


# ---- main ---------------------------------------------------------------------------------------


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder")
    parser.add_argument("--info", help="myblas-info (default: of the build)")
    parser.add_argument("--target", type=int, help="only this target, for instance 90")
    parser.add_argument("--kernel", default="", help="only kernels with this in their name")
    parser.add_argument("--check", action="store_true", help="fail where a gate does not hold")
    parser.add_argument("--nvdisasm", help="compare the decoding with this disassembler's")
    return parser.parse_args()


def main():
    args = arguments()
    images = images_of(args.build)
    rows = rows_of(args.info or args.build / "bin" / "myblas-info")
    problems, lines = [], []
    for path in images:
        for arch, image in cubin.cubins_of_fatbin(path.read_bytes()):
            kernels = list(cubin.kernels_of(image, arch))
            lines += [Line(kernel, row_for(rows, kernel)) for kernel in kernels]
            problems += misplaced_kernels(images, path, kernels)
            if args.nvdisasm:
                scratch = args.build / "kernel_report.cubin"
                problems += compare_image(args.nvdisasm, image, arch, scratch)
    problems += missing_kernels(rows, lines)
    shown = [
        line
        for line in sorted(lines, key=lambda line: (line.kernel.arch, line.kernel.name))
        if args.target in (None, line.kernel.arch) and args.kernel in line.kernel.name
    ]
    print(f"target {'kernel':<44} regs local  smem         thr  blocks  loop (all), % of it")
    for line in shown:
        print(line.text())
    for problem in problems:
        print(f"FAILS: {problem}")
    failing = sum(bool(line.failures) for line in lines)
    noted = sum(bool(line.notes) for line in lines)
    print(
        f"{len(lines)} kernels, {len({line.kernel.arch for line in lines})} targets:"
        f" {failing} fail, {noted} with a note, {len(problems)} other problems"
    )
    sys.exit(1 if args.check and (failing or problems) else 0)


if __name__ == "__main__":
    main()
