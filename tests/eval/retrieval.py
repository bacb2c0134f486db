"""Measures through the command line how often the first passages contain the whole answer.

Usage: retrieval.py ORIEL FOLDER [--library DIR] [--limit N] [--arm "NAME=--rerank off"]... [-- FLAGS...]

FOLDER contains docs/ and questions.jsonl: {"id", "question", "answerable", "file", "spans": [{"byte_start", "byte_end"}]}.
Each arm is one run of `oriel search --batch` with its flags; without an arm, one run with the defaults. Prints for each:
the share of answerable questions whose whole gold span is in the first passage and in one of the first five, the mean
length of a passage in characters, milliseconds per question, whether every passage and hit is exactly its slice of the
file and of `oriel show`, and whether no two passages of a result share a sentence.
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time


def run(oriel, library, *arguments):
    command = [oriel, "--library", library, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)} ended with {done.returncode}")
    return done.stdout


class Texts:
    """The documents as files and as printed by `oriel show`."""

    def __init__(self, oriel, library):
        self.oriel, self.library, self.shown, self.files = oriel, library, {}, {}

    def wrong(self, passage):
        path = passage["path"]
        if path not in self.shown:
            show = json.loads(run(self.oriel, self.library, "--json", "show", path))
            self.shown[path] = (show["text"].encode(), {(s["start"], s["end"]) for s in show["sentences"]})
            with open(path, "rb") as file:
                self.files[path] = file.read()
        text, sentences = self.shown[path]
        for part in [passage, *passage["hits"]]:
            piece = part["text"].encode()
            if text[part["start"]:part["end"]] != piece:
                return "is not its slice of the shown text"
            if path.endswith((".md", ".txt")) and self.files[path][part["start"]:part["end"]] != piece:
                return "is not its slice of the file"
        if any((hit["start"], hit["end"]) not in sentences for hit in passage["hits"]):
            return "has a hit that is no sentence"
        return None


def overlapping(passages):
    for i, a in enumerate(passages):
        for b in passages[:i]:
            if a["path"] == b["path"] and a["start"] < b["end"] and b["start"] < a["end"]:
                return True
    return False


def gold(question):
    spans = [s for s in question["spans"] if s.get("exact", True)] or question["spans"]
    return [(s["byte_start"], s["byte_end"]) for s in spans]


def holds(passage, question):
    name = os.path.basename(passage["path"])
    inside = (passage["start"] <= start and end <= passage["end"] for start, end in gold(question))
    return name == question["file"] and any(inside)


def measure(texts, questions, name, flags):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as batch:
        for question in questions:
            batch.write(json.dumps({"id": question["id"], "question": question["question"]}) + "\n")
        batch.flush()
        begun = time.time()
        lines = run(texts.oriel, texts.library, "--json", "search", "--batch", batch.name, *flags).splitlines()
        seconds = time.time() - begun
    results = {line["id"]: line for line in map(json.loads, lines)}
    first = five = 0
    lengths, faults, missed = [], {}, []
    for question in questions:
        passages = results[question["id"]]["passages"]
        places = [n for n, passage in enumerate(passages) if holds(passage, question)]
        first += bool(places) and places[0] == 0
        five += bool(places) and places[0] < 5
        if not places:
            missed.append(question["id"])
        lengths += [len(passage["text"]) for passage in passages[:5]]
        for passage in passages:
            fault = texts.wrong(passage)
            if fault:
                faults[fault] = faults.get(fault, 0) + 1
        if overlapping(passages) and "--no-merge" not in flags:
            faults["shares a sentence"] = faults.get("shares a sentence", 0) + 1
    count = len(questions)
    print(
        f"{name:<22} first {first / count:.4f}  five {five / count:.4f}  of {count}  "
        f"characters {sum(lengths) / max(len(lengths), 1):.0f}  ms {1000 * seconds / count:.0f}  "
        f"faults {faults or 'none'}",
        flush=True,
    )
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("oriel")
    parser.add_argument("folder")
    parser.add_argument("--library")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--arm", action="append", default=[])
    parser.add_argument("--keep", help="write the results of the last arm to this file")
    arguments, rest = parser.parse_known_args()
    if rest and rest[0] == "--":
        rest = rest[1:]
    with tempfile.TemporaryDirectory() as temporary:
        library = arguments.library or temporary
        run(arguments.oriel, library, "add", os.path.join(arguments.folder, "docs"))
        print(run(arguments.oriel, library, "index"), end="", flush=True)
        with open(os.path.join(arguments.folder, "questions.jsonl"), encoding="utf-8") as file:
            questions = [q for q in map(json.loads, file) if q["answerable"]]
        random.Random(1).shuffle(questions)
        questions = questions[: arguments.limit]
        texts = Texts(arguments.oriel, library)
        for arm in arguments.arm or ["defaults="]:
            name, _, flags = arm.partition("=")
            results = measure(texts, questions, name, [*shlex.split(flags), *rest])
        if arguments.keep:
            with open(arguments.keep, "w", encoding="utf-8") as file:
                for line in results.values():
                    file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
