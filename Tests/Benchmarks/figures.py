#!/usr/bin/env python3
"""Collects the figures of a run of the benchmarks, and prints them as one table.

  figures.py record NAME VALUE UNIT [--peer NAME VALUE] [--goal GOAL]     add a figure to the file $XFERLOG_FIGURES
  figures.py table FILE…                                                  print the medians of runs
  figures.py compare FILE… --with FILE…                                   print them beside those of another commit

A goal is `<= 8` for the figure itself, or `<= 0.45x` for its ratio to the peer. Without $XFERLOG_FIGURES nothing is recorded. The machine's
speed changes by half within a day, so a figure without a peer is comparable only within one run.
"""

import argparse
import json
import operator
import os
import statistics
import sys

COMPARISONS = {"<=": operator.le, ">=": operator.ge}


def record(name, value, unit, peer=None, goal=None):
    """Adds a figure; `peer` is a pair of a name and the value of the other program in the same run."""
    path = os.environ.get("XFERLOG_FIGURES")
    if not path:
        return
    figure = {"name": name, "value": value, "unit": unit}
    if peer:
        figure |= {"peer": peer[0], "ratio": value / peer[1]}
    if goal:
        figure["goal"] = goal
    with open(path, "a") as file:
        file.write(json.dumps(figure) + "\n")


def read(paths):
    """Returns the figures of runs in the order in which they were first recorded, with the medians of values and ratios."""
    figures = {}
    for path in paths:
        with open(path) as file:
            for line in file:
                figure = json.loads(line)
                figures.setdefault(figure["name"], []).append(figure)
    merged = {}
    for name, runs in figures.items():
        merged[name] = runs[-1] | {"value": statistics.median(run["value"] for run in runs)}
        if all("ratio" in run for run in runs):
            merged[name]["ratio"] = statistics.median(run["ratio"] for run in runs)
    return merged


def short(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def is_met(figure):
    """Whether a figure reaches its goal; None without a goal."""
    if "goal" not in figure:
        return None
    comparison, bound = figure["goal"].split()
    measured = figure["ratio"] if bound.endswith("x") else figure["value"]
    return COMPARISONS[comparison](measured, float(bound.rstrip("x")))


def columns(figure):
    ratio = f"× {short(figure['ratio'])} of {figure['peer']}" if "ratio" in figure else ""
    met = {None: "", True: "met", False: "not met"}[is_met(figure)]
    return [f"{short(figure['value'])} {figure['unit']}".strip(), ratio, figure.get("goal", ""), met]


def show(header, rows):
    widths = [max(len(row[place]) for row in [header] + rows) for place in range(len(header))]
    for row in [header] + rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def table(paths):
    figures = read(paths)
    show(["figure", "this run", "ratio to its peer", "goal", ""], [[name] + columns(figure) for name, figure in figures.items()])


def compare(paths, others):
    figures, earlier = read(paths), read(others)
    rows = []
    for name, figure in figures.items():
        before = earlier.get(name)
        change = f"× {short(figure['value'] / before['value'])}" if before and before["value"] else ""
        rows.append([name, columns(before)[0] if before else "not measured", change] + columns(figure))
    show(["figure", "before", "change", "now", "ratio to its peer", "goal", ""], rows)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("record")
    one.add_argument("name")
    one.add_argument("value", type=float)
    one.add_argument("unit")
    one.add_argument("--peer", nargs=2)
    one.add_argument("--goal")
    commands.add_parser("table").add_argument("files", nargs="+")
    both = commands.add_parser("compare")
    both.add_argument("files", nargs="+")
    both.add_argument("--with", dest="others", nargs="+", required=True)
    options = parser.parse_args()
    if options.command == "record":
        peer = (options.peer[0], float(options.peer[1])) if options.peer else None
        record(options.name, options.value, options.unit, peer, options.goal)
    elif options.command == "table":
        table(options.files)
    else:
        compare(options.files, options.others)


if __name__ == "__main__":
    sys.exit(main())
