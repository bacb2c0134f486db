"""Draws recall against time per query, one chart per number of vectors, from the lines of JSON of a run.

`plot.py FIGURES OUT.svg`
"""

import collections
import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 300, 260, 46, 30, 44
# The lowest recall that is drawn.
LOWEST = 0.8
COLOURS = {"Oriel": "#2f6f4f", "faiss": "#b4532a", "hnswlib": "#3b5ba5", "usearch": "#8a5aa8"}


def curves(lines):
    """Milliseconds and recall of each program, by the number of vectors."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in map(json.loads, lines):
        kind, _, count = line["bench"].partition(" ")
        if kind == "vectors" and count.isdigit() and "recall" in line:
            found[int(count)][line.get("peer", "Oriel")].append((line["value"], line["recall"]))
    return dict(sorted(found.items()))


def picture(count, programs, at):
    times = [time for points in programs.values() for time, _ in points]
    first, last = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def place(time, recall):
        x = at + LEFT + (math.log10(time) - first) / (last - first) * (WIDTH - LEFT - 14)
        return x, TOP + (1 - recall) / (1 - LOWEST) * (HEIGHT - TOP - BOTTOM)

    bottom = HEIGHT - BOTTOM
    yield f'<text x="{at + LEFT}" y="16" font-weight="bold">{count:,} vectors</text>'
    for power in range(first, last + 1):
        x, _ = place(10**power, 1)
        yield f'<path d="M{x:.0f} {TOP}V{bottom}" stroke="#ddd"/>'
        yield f'<text x="{x:.0f}" y="{bottom + 15}" text-anchor="middle">{10**power:g}</text>'
    for percent in range(round(LOWEST * 100), 101, 5):
        _, y = place(1, percent / 100)
        yield f'<path d="M{at + LEFT} {y:.0f}H{at + WIDTH - 14}" stroke="#ddd"/>'
        yield f'<text x="{at + LEFT - 5}" y="{y + 4:.0f}" text-anchor="end">{percent / 100:.2f}</text>'
    middle = at + (LEFT + WIDTH) // 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">ms a query, recall of 20 above</text>'
    for program, points in sorted(programs.items()):
        shown = [place(*point) for point in sorted(points) if point[1] >= LOWEST]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in shown)
        yield f'<polyline points="{line}" fill="none" stroke="{COLOURS[program]}" stroke-width="1.5"/>'
        for x, y in shown:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[program]}"/>'


def svg(found):
    width, height = WIDTH * len(found), HEIGHT + 22
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">'
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    for place, (count, programs) in enumerate(found.items()):
        yield from picture(count, programs, place * WIDTH)
    for place, (program, colour) in enumerate(COLOURS.items()):
        x = LEFT + place * 80
        yield f'<circle cx="{x}" cy="{HEIGHT + 8}" r="4" fill="{colour}"/><text x="{x + 8}" y="{HEIGHT + 12}">{program}</text>'
    yield "</svg>\n"


figures, out = map(Path, sys.argv[1:])
out.write_text("\n".join(svg(curves(figures.read_text(encoding="utf-8").splitlines()))), encoding="utf-8")
