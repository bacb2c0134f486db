"""Shared by the scripts for peers: arguments, figures as lines of JSON, timing."""

import argparse
import json
import os
import statistics
import sys
import time


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("inputs", help="the folder that the Rust benchmarks wrote as ORIEL_BENCH_INPUTS")
    parser.add_argument("out", help="the file that gets the figures, a line of JSON each")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    # The libraries read these when they are imported.
    for name in ["OMP_NUM_THREADS", "RAYON_NUM_THREADS"]:
        os.environ[name] = str(given.threads)
    return given


class Out:
    """Appends the figures of peers to a file, and prints them."""

    def __init__(self, path):
        self.path = path

    def record(self, peer, bench, figure, value, unit, better):
        print(f"{bench}, {figure}, {peer}: {value:.4g} {unit}", flush=True)
        line = {"bench": bench, "figure": figure, "value": value, "unit": unit, "better": better, "peer": peer}
        self.append(line)

    def point(self, peer, bench, setting, recall, value, unit):
        """A point of a curve of recall against time."""
        print(f"{bench}, {peer}, {setting}: recall {recall:.3f}, {value:.4g} {unit}", flush=True)
        line = {"bench": bench, "setting": setting, "recall": recall, "value": value, "unit": unit}
        self.append(line | {"better": "less", "peer": peer})

    def append(self, line):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def median_seconds(work, runs):
    """The median time of a call."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def each_peer(peers):
    """Runs the functions, by name of the peer. A peer that is not installed or fails is printed with the reason."""
    for name, run in peers.items():
        try:
            run(name)
        except Exception as error:
            print(f"skipped: {name}: {error!r}", file=sys.stderr, flush=True)
