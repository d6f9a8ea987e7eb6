# SPDX-License-Identifier: BSD-3-Clause
"""Draws the CSV of myblas-bench: a roofline, the ratio of every case, by type and by group.

usage: plot_results.py RESULTS.csv [--output FILE.png] [--ceilings FILE.csv]

The ceilings are those of `myblas-bench --ceilings`; without --ceilings, RESULTS_ceilings.csv is
taken where it lies beside RESULTS.csv.
"""

import argparse
import math
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(f"{__doc__}\nIt needs matplotlib (Debian: python3-matplotlib).")

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from results_tables import geometric_mean, group_of, number, read_csv

COLOURS = {
    "bf16": "#2a6fbb",
    "f16": "#7b4fb5",
    "tf32": "#d9822b",
    "f32": "#2e9e5b",
    "f64": "#c0392b",
    "s8": "#0f9fa8",
    "c64": "#8a8f2a",
    "c128": "#a3476f",
}
FALLBACK_COLOUR = "#666666"
# Which ceiling bounds an OP: the start of its name decides.
FAMILIES = ["bf16", "f16", "tf32", "f32", "f64", "s8", "c64", "c128"]
CEILING_OF_FAMILY = {"c64": "f32", "c128": "f64"}
INK, PALE = "#222222", "#8a8a8a"


def family_of(op):
    base = op.removeprefix("sb_").removeprefix("pb_")
    if base == "x9":
        return "f32"
    return next((family for family in FAMILIES if base.startswith(family)), base)


def read_ceilings(path):
    """The highest rate of each family in TFLOP/s, and the bandwidth in TB/s."""
    rates, bandwidth = {}, None
    if path is None:
        return rates, bandwidth
    for row in read_csv(path)[1]:
        value = number(row, "value")
        if row["unit"] == "TFLOP/s":
            rates[row["types"]] = max(value, rates.get(row["types"], 0.0))
        elif row["types"] == "copy":
            bandwidth = value
    return rates, bandwidth


def style(axes, title):
    axes.set_title(title, loc="left", fontsize=12, fontweight="bold", color=INK, pad=10)
    axes.grid(True, which="major", color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#bbbbbb")
    axes.tick_params(colors=INK, labelsize=9)


def draw_roofline(axes, rows, rates, bandwidth, rival):
    shown = []
    points = []
    for row in rows:
        family = family_of(row["op"])
        x = number(row, "intensity")
        colour = COLOURS.get(family, FALLBACK_COLOUR)
        pair = [number(row, "tflops_cublas"), number(row, "tflops_myblas")]
        if all(map(math.isfinite, pair)):
            axes.plot([x, x], pair, color=colour, alpha=0.35, linewidth=1.2, zorder=2)
        if math.isfinite(pair[0]):
            axes.plot(x, pair[0], "o", mfc="white", mec=colour, ms=5.5, mew=1.2, zorder=3)
        if math.isfinite(pair[1]):
            axes.plot(x, pair[1], "o", mfc=colour, mec="white", ms=6.5, mew=0.6, zorder=4)
        points += [value for value in pair if math.isfinite(value)]
        if family not in shown:
            shown.append(family)
    if not points:
        return
    axes.set_xscale("log")
    axes.set_yscale("log")
    low, high = axes.get_xlim()
    high *= 3.0  # room for the names of the ceilings
    bottom = 0.5 * min(points)
    top = 2.0 * max(points + [rates[f] for f in rates if f in shown])
    draw_ceilings(axes, shown, rates, bandwidth, low, high, bottom)
    axes.set_xlim(low, high)
    axes.set_ylim(bottom, top)
    axes.set_xlabel("arithmetic intensity, FLOP per byte of A, B and C", color=INK)
    axes.set_ylabel("TFLOP/s", color=INK)
    handles = [
        Line2D([], [], marker="o", ls="", mfc=INK, mec="white", ms=7, label="myblas"),
        Line2D([], [], marker="o", ls="", mfc="white", mec=INK, ms=6, label=rival),
    ]
    handles += [
        Line2D([], [], color=COLOURS.get(f, FALLBACK_COLOUR), linewidth=3, label=f)
        for f in FAMILIES
        if f in shown
    ]
    axes.legend(handles=handles, loc="lower right", fontsize=8.5, frameon=True, framealpha=0.95,
                edgecolor="#dddddd")
    style(axes, "Roofline")


def draw_ceilings(axes, shown, rates, bandwidth, low, high, bottom):
    bounded = {CEILING_OF_FAMILY.get(family, family) for family in shown}
    # bf16 and f16 nearly coincide: the higher one gets its label above the line.
    drawn = sorted(((rates[f], f) for f in bounded if f in rates), reverse=True)
    labelled = []
    for rate, family in drawn:
        start = rate / bandwidth if bandwidth else low
        colour = COLOURS.get(family, FALLBACK_COLOUR)
        axes.plot([max(start, low), high], [rate, rate], color=colour, linewidth=1.3, zorder=1)
        near = any(0.8 < rate / other < 1.25 for other in labelled)
        labelled.append(rate)
        axes.annotate(f"{family} {rate:,.0f} TFLOP/s", (high, rate), xytext=(-2, -3 if near else 3),
                      textcoords="offset points", ha="right", va="top" if near else "bottom",
                      fontsize=8, color=colour)
    if bandwidth:
        peak = max((rate for rate, _ in drawn), default=high * bandwidth)
        start = max(low, bottom / bandwidth)
        axes.plot([start, peak / bandwidth], [start * bandwidth, peak], color=INK, linewidth=1.3,
                  zorder=1)
        middle = math.sqrt(start * peak / bandwidth)
        axes.annotate(f"copy {bandwidth:.2f} TB/s", (middle, middle * bandwidth), xytext=(-8, 4),
                      textcoords="offset points", fontsize=8, color=INK, ha="right")


def set_ratio_ticks(axes, left, right):
    axes.set_xlim(left, right)
    wide = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
    narrow = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5)
    ticks = [t for t in (narrow if right / left < 6 else wide) if left < t < right]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()


def draw_ratios(axes, rows, rival):
    kept = [row for row in rows if number(row, "ratio") > 0]
    if not kept:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "no case was timed with both libraries", ha="center", color=PALE)
        return
    ratios = [number(row, "ratio") for row in kept]
    colours = [COLOURS.get(family_of(row["op"]), FALLBACK_COLOUR) for row in kept]
    places = list(range(len(kept)))
    # Bars grow from 1: left of it is slower, right of it faster.
    axes.set_xscale("log")
    axes.barh(places, [r - 1 for r in ratios], left=1, height=0.72, color=colours)
    left, right = min(ratios + [0.8]) / 1.35, max(ratios + [1.25]) * 1.35
    set_ratio_ticks(axes, left, right)
    axes.set_yticks(places, [row["case"] for row in kept])
    axes.set_ylim(len(kept) - 0.4, -0.6)
    for place, ratio in zip(places, ratios):
        axes.annotate(f"{ratio:.2f}", (ratio, place), xytext=(3 if ratio >= 1 else -3, 0),
                      textcoords="offset points", va="center", fontsize=6.5, color=INK,
                      ha="left" if ratio >= 1 else "right", zorder=5,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4})
    mean = geometric_mean(ratios)
    axes.axvline(1, color=INK, linewidth=1)
    axes.axvline(mean, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.set_xlabel(f"time of {rival} / time of myblas; more than 1: myblas is faster", color=INK)
    style(axes, f"Ratio per case, geometric mean {mean:.3f} over {len(kept)} (dashed)")
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", labelsize=7, length=0)


def draw_families(axes, rows):
    by_family = {}
    for row in rows:
        if number(row, "ratio") > 0:
            by_family.setdefault(family_of(row["op"]), []).append(number(row, "ratio"))
    families = [family for family in FAMILIES if family in by_family]
    means = [geometric_mean(by_family[family]) for family in families]
    bars = axes.bar(families, means, width=0.6, color=[COLOURS[family] for family in families])
    axes.bar_label(bars, [f"{mean:.2f}" for mean in means], padding=3, fontsize=9, color=INK)
    axes.axhline(1, color=INK, linewidth=1)
    axes.set_ylim(0, max(means + [1.1]) * 1.15)
    style(axes, "Geometric mean ratio by type")
    axes.grid(False, axis="x")


def draw_groups(axes, rows):
    """The geometric mean of each group as a bar, its lowest and highest ratio as a line."""
    by_group = {}
    for row in rows:
        if number(row, "ratio") > 0:
            by_group.setdefault(group_of(row), []).append(number(row, "ratio"))
    if not by_group:
        axes.set_axis_off()
        return
    places = list(range(len(by_group)))
    means = [geometric_mean(ratios) for ratios in by_group.values()]
    lows, highs = list(map(min, by_group.values())), list(map(max, by_group.values()))
    axes.set_xscale("log")
    axes.barh(places, [mean - 1 for mean in means], left=1, height=0.62, color="#9db8d6")
    axes.hlines(places, lows, highs, color=INK, linewidth=1)
    axes.plot(lows, places, "|", color=INK, ms=7)
    axes.plot(highs, places, "|", color=INK, ms=7)
    left, right = min(lows + [0.8]) / 1.6, max(highs + [1.25]) * 1.6
    set_ratio_ticks(axes, left, right)
    for place, low, high in zip(places, lows, highs):
        for ratio, shift, side in ((low, -4, "right"), (high, 4, "left")):
            axes.annotate(f"{ratio:.2f}", (ratio, place), xytext=(shift, 0), va="center", ha=side,
                          textcoords="offset points", fontsize=7.5, color=PALE)
    axes.set_yticks(places, [f"{name} ({len(ratios)})  {mean:.2f}"
                             for (name, ratios), mean in zip(by_group.items(), means)])
    axes.set_ylim(len(places) - 0.4, -0.6)
    axes.axvline(1, color=INK, linewidth=1)
    style(axes, "Ratio by group (cases), geometric mean; lowest and highest case")
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", labelsize=8, length=0)


def find_ceilings(results, named):
    beside = results.with_name(results.stem + "_ceilings.csv")
    return named or (beside if beside.exists() else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--ceilings", type=pathlib.Path)
    args = parser.parse_args()

    header, rows = read_csv(args.results)
    if not rows:
        sys.exit(f"{args.results}: no cases")
    rates, bandwidth = read_ceilings(find_ceilings(args.results, args.ceilings))
    rival = {"cublas": "cuBLAS", "openblas": "OpenBLAS"}.get(
        header.get("rival", "cublas").split()[0], "rival")

    # The left half keeps its height where the list is long.
    groups = len({group_of(row) for row in rows})
    left_heights = (7.0, 2.2, 1.2 + 0.26 * groups)
    height = max(sum(left_heights), 2.2 + 0.155 * len(rows))
    rest = max(height - sum(left_heights), 0.01)
    figure = plt.figure(figsize=(17, height), layout="constrained")
    grid = figure.add_gridspec(4, 2, width_ratios=(1.1, 1), height_ratios=(*left_heights, rest))
    draw_roofline(figure.add_subplot(grid[0, 0]), rows, rates, bandwidth, rival)
    draw_families(figure.add_subplot(grid[1, 0]), rows)
    draw_groups(figure.add_subplot(grid[2, 0]), rows)
    draw_ratios(figure.add_subplot(grid[:, 1]), rows, rival)
    about = [header.get("device", ""), header.get("rival", ""), "myblas " + header.get("myblas", ""),
             header.get("date", "")[:10]]
    figure.suptitle("  |  ".join(part for part in about if part) + "\n", fontsize=10, color=PALE,
                    x=0.01, ha="left")
    figure.savefig(args.output or args.results.with_suffix(".png"), dpi=130, facecolor="white")


if __name__ == "__main__":
    main()
