"""Prints Oriel's figures beside those of its peers, and compares the ratios with recorded ones.

A ratio compares Oriel's figure with that of the best peer, and is always above 1 if Oriel is ahead.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

ORIEL = "Oriel"
# For a curve of recall against time, the fastest setting with this recall is used.
RECALL = 0.97
# A ratio may be lower than the recorded one by this share.
TOLERANCE = 0.15


def read(lines):
    """The figures by name: unit, which value is better, and the median of each program's values."""
    found = {}
    for line in fastest(map(json.loads, lines)):
        name = f"{line['bench']}, {line['figure']}"
        figure = found.setdefault(name, {"unit": line["unit"], "better": line["better"], "values": {}})
        figure["values"].setdefault(line.get("peer", ORIEL), []).append(line["value"])
    for figure in found.values():
        figure["values"] = {program: statistics.median(values) for program, values in figure["values"].items()}
    return found


def fastest(lines):
    """The lines, with a figure for each curve instead of its points."""
    curves = {}
    for line in lines:
        if "recall" not in line:
            yield line
        elif line["recall"] >= RECALL:
            curve = line["bench"], line.get("peer", ORIEL)
            curves[curve] = min(curves.get(curve, line), line, key=lambda one: one["value"])
    for line in curves.values():
        yield line | {"figure": f"a query, recall {RECALL} or more"}


def ratio(figure):
    """Oriel's ratio to its best peer; None if only one of them was measured."""
    peers = [value for program, value in figure["values"].items() if program != ORIEL]
    if ORIEL not in figure["values"] or not peers:
        return None
    oriel = figure["values"][ORIEL]
    return oriel / max(peers) if figure["better"] == "more" else min(peers) / oriel


def ratios(figures):
    every = {name: ratio(figure) for name, figure in figures.items()}
    return {name: round(value, 3) for name, value in every.items() if value is not None}


def fallen(recorded, measured):
    """One line for each recorded ratio that fell by more than the tolerance or was not measured."""
    lines = []
    for name, before in sorted(recorded.items()):
        now = measured.get(name)
        if now is None:
            lines.append(f"{name}: recorded {before:.2f}, not measured")
        elif now < before * (1 - TOLERANCE):
            lines.append(f"{name}: recorded {before:.2f}, now {now:.2f} ({now / before - 1:+.0%})")
    return lines


def shown(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def table(figures):
    """A table in Markdown; peers from the best to the worst."""
    rows = [["figure", "Oriel", "peers", "ratio"]]
    for name, figure in figures.items():
        peers = sorted(figure["values"].items(), key=lambda item: item[1], reverse=figure["better"] == "more")
        oriel = [shown(value) for program, value in peers if program == ORIEL]
        others = [f"{program} {shown(value)}" for program, value in peers if program != ORIEL]
        value = ratio(figure)
        cells = ["".join(oriel), ", ".join(others), "" if value is None else f"{value:.2f}"]
        rows.append([f"{name} ({figure['unit']})", *cells])
    widths = [max(map(len, column)) for column in zip(*rows)]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("figures", type=Path, help="the lines of JSON that the benchmarks wrote")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--compare", type=Path, metavar="RATIOS", help="fail where a ratio fell below this file's")
    does.add_argument("--record", type=Path, metavar="RATIOS", help="write the ratios to this file")
    given = parser.parse_args()
    figures = read(given.figures.read_text(encoding="utf-8").splitlines())
    print(table(figures))
    measured = ratios(figures)
    if given.record:
        given.record.write_text(json.dumps(measured, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    if given.compare:
        lines = fallen(json.loads(given.compare.read_text(encoding="utf-8")), measured)
        print(f"\n{len(lines)} ratios fell by more than {TOLERANCE:.0%}", *lines, sep="\n")
        sys.exit(bool(lines))


if __name__ == "__main__":
    main()
