"""Measures the answers to everyday questions through the command line: dates, whole documents, the library, sums over tables,
typing errors and other languages, follow-ups.

Usage: everyday.py ORIEL COLLECTIONS [--kind KIND] [--verbose]

everyday.jsonl beside this script holds the questions, ten of each kind: {"kind", "folder", "question", "before"?, "in"?, "today"?,
"contains": [...], "not_contains"?: [...], "abstains"?}. "folder" is `sample` (tests/fixtures/sample) or a folder of COLLECTIONS;
"before" is asked first, and "question" then with --continue. An answer is right if it has all words of "contains" and none of
"not_contains", or, if "abstains" is set, says that it found nothing. Prints the share by kind, and how many of the others were
answered nevertheless.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile
import unicodedata


def plain(text):
    return " ".join(unicodedata.normalize("NFC", text).replace("\u202f", " ").split()).lower()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("oriel", type=pathlib.Path)
    arguments.add_argument("collections", type=pathlib.Path)
    arguments.add_argument("--kind")
    arguments.add_argument("--verbose", action="store_true")
    options = arguments.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    lines = here.joinpath("everyday.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [one for one in map(json.loads, lines) if options.kind in (None, one["kind"])]
    right, wrong, all_of = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as room:

        def oriel(folder, *command):
            library = ["--library", f"{room}/{folder}", "--json"]
            done = subprocess.run([options.oriel.resolve(), *library, *command], capture_output=True, text=True)
            return json.loads(done.stdout) if done.stdout.startswith("{") else {"error": done.stderr.strip()}

        def path_of(folder):
            return here.parent / "fixtures" / "sample" if folder == "sample" else options.collections / folder

        for folder in sorted({one["folder"] for one in questions}):
            oriel(folder, "add", str(path_of(folder)))
            oriel(folder, "index")
        for one in questions:
            settings = ["--today", one["today"]] if one.get("today") else []
            if one.get("in"):
                settings += ["--in", str(path_of(one["folder"]) / one["in"])]
            if one.get("before"):
                oriel(one["folder"], "ask", one["before"], *settings)
                settings.append("--continue")
            answer = oriel(one["folder"], "ask", one["question"], *settings)
            said = plain(answer.get("answer", ""))
            abstains = bool(answer.get("abstained", True))
            if one.get("abstains"):
                holds = abstains
            else:
                holds = not abstains and all(plain(word) in said for word in one["contains"])
                holds = holds and not any(plain(word) in said for word in one.get("not_contains", []))
            all_of[one["kind"]] += 1
            right[one["kind"]] += holds
            wrong[one["kind"]] += not holds and not abstains
            if options.verbose and not holds:
                print(f"{one['kind']}: {one['question']} -> {answer.get('answer', answer.get('error'))}")
    for kind, count in all_of.items():
        print(f"{kind:<10} {right[kind]} of {count} right, {wrong[kind]} answered wrongly")
    print(f"{'all':<10} {sum(right.values())} of {sum(all_of.values())} right, {sum(wrong.values())} answered wrongly")


if __name__ == "__main__":
    main()
