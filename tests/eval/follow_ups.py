"""Measures through the command line whether a follow-up finds the passages of the full question that it means.

Usage: follow_ups.py ORIEL SAMPLE [--verbose]

SAMPLE is the folder tests/fixtures/sample. follow_ups.jsonl beside this script has forty pairs written for it, ten of each
kind: {"kind", "before", "question", "whole"}. `before` is asked, then `question` with --continue; `whole` is searched for
separately. A follow-up is right if the first passage for `whole` overlaps one of its first five. Prints the share by kind.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("oriel")
    arguments.add_argument("sample")
    arguments.add_argument("--verbose", action="store_true")
    options = arguments.parse_args()
    pairs = pathlib.Path(__file__).with_name("follow_ups.jsonl").read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as library:

        def oriel(*command):
            done = subprocess.run(
                [options.oriel, "--library", library, "--json", *command],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            return done.stdout.decode()

        oriel("add", options.sample)
        oriel("index")
        held, all_of = collections.Counter(), collections.Counter()
        for pair in map(json.loads, pairs):
            oriel("ask", "--model", "quotes", pair["before"])
            followed = json.loads(oriel("ask", "--model", "quotes", "--continue", pair["question"]))
            wanted = json.loads(oriel("search", pair["whole"]))["passages"][0]
            holds = any(
                passage["path"] == wanted["path"]
                and passage["start"] < wanted["end"]
                and wanted["start"] < passage["end"]
                for passage in followed["passages"]
            )
            held[pair["kind"]] += holds
            all_of[pair["kind"]] += 1
            if options.verbose and not holds:
                print(f"{pair['kind']}: {pair['before']} / {pair['question']} -> {followed.get('searched')}")
    for kind, count in all_of.items():
        print(f"{kind:<12} {held[kind]} of {count}")
    print(f"{'all':<12} {sum(held.values())} of {sum(all_of.values())}")


if __name__ == "__main__":
    main()
