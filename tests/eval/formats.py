"""Measures the extraction of text: `formats.py EXTRACT [--hostile DIR] [--office DIR] [--pdf DIR] [--speed PDF...]`.

EXTRACT is the example `extract` of crates/text. DIR contains `index.tsv` (hostile: the expected outcome of each file) or
`index.jsonl` (office, pdf: each file's reference text). PDFs are compared with pdftotext in the same run.
"""

import argparse
import csv
import json
import re
import resource
import subprocess
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

SECONDS = 60
BYTES = 3 << 29

# Failure codes that satisfy an expectation; "text" means a text, "" an empty one.
FITTING = {
    "text": {"text"},
    "no-external": {"text"},
    "text-best-effort": {"text", "", "broken", "encrypted", "garbled", "needs-ocr", "too-large", "unreadable"},
    "error": {"", "broken", "encrypted", "unreadable", "garbled", "needs-ocr"},
    "needs-password": {"encrypted"},
    "needs-ocr": {"needs-ocr"},
    "garbled": {"garbled", "needs-ocr"},
    "empty": {""},
    "skip": {"text", "", "broken", "encrypted", "unreadable", "garbled"},
    "bounded": {"text", "", "broken", "encrypted", "unreadable", "garbled", "needs-ocr", "too-large"},
}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def read(extract, path):
    """The outcome of a file ("text", "" or a failure's code, "crashed", "hung"), and its text or reason."""
    try:
        run = subprocess.run([extract, path], capture_output=True, timeout=SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return "hung", ""
    if run.returncode == 0:
        text = run.stdout.decode("utf-8", "replace")
        return ("text" if text.strip() else ""), text
    reason = run.stderr.decode("utf-8", "replace").strip()
    return (reason.split(":")[0] if run.returncode == 1 else "crashed"), reason


def squeezed(text):
    return re.sub(r"\s+", "", text).lower()


def hostile(extract, folder):
    fitting = total = 0
    with open(folder / "index.tsv", encoding="utf-8", newline="") as index:
        rows = list(csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        got, text = read(extract, folder / "files" / row["path"])
        expected = row["expect"]
        probes = [squeezed(probe) for probe in row["probe"].split("|") if probe]
        fits = got in FITTING[expected]
        if fits and got == "text" and expected in ("text", "no-external"):
            found = squeezed(text)
            missing = [probe for probe in probes if probe not in found]
            fits = not missing
            text = f"lacks {missing}" if missing else text
        fitting += fits
        total += 1
        if not fits:
            print(f"MISS {row['path']}: expected {expected}, got {got or 'no text'}: {text[:160]!r}")
    print(f"hostile: {fitting} of {total} as expected ({fitting / total:.1%})")


def words(text):
    return Counter(re.findall(r"\w+", text.lower()))


def office(extract, folder, threshold):
    scores = defaultdict(list)
    with open(folder / "index.jsonl", encoding="utf-8") as index:
        rows = [json.loads(line) for line in index]
    for row in rows:
        got, text = read(extract, folder / row["file"])
        wanted = words((folder / row["reference"]).read_text(encoding="utf-8", errors="replace"))
        found = words(text if got in ("text", "") else "")
        common = (wanted & found).total()
        score = 1.0 if wanted == found else 2 * common / max(1, wanted.total() + found.total())
        scores[Path(row["file"]).suffix.lstrip(".")].append(score)
        if score < threshold:
            lost, added = (wanted - found).most_common(6), (found - wanted).most_common(6)
            print(f"{row['file']}: {score:.3f} {got or 'no text'}; lacks {lost}, adds {added}")
    for kind, values in sorted(scores.items()):
        print(f"{kind}: F1 {sum(values) / len(values):.4f} over {len(values)}")
    every = [score for values in scores.values() for score in values]
    print(f"office: F1 {sum(every) / len(every):.4f} over {len(every)}")


def mean(values):
    return sum(values) / len(values)


def f1(wanted, found):
    return 2 * (wanted & found).total() / max(1, wanted.total() + found.total())


def word_and_bigram(wanted, found):
    lists = [re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower()) for text in (wanted, found)]
    bigrams = [Counter(zip(words, words[1:])) for words in lists]
    return f1(*map(Counter, lists)), f1(*bigrams)


def pdf(extract, folder):
    scores = defaultdict(list)
    with open(folder / "index.jsonl", encoding="utf-8") as index:
        rows = [json.loads(line) for line in index]
    for row in rows:
        wanted = (folder / row["reference"]).read_text(encoding="utf-8", errors="replace")
        for tool in (extract, "pdftotext"):
            run = subprocess.run([tool, folder / row["pdf"], *tail(tool)], capture_output=True, timeout=SECONDS)
            scores[tool].append(word_and_bigram(wanted, run.stdout.decode("utf-8", "replace")))
        (word, bigram), (other_word, other_bigram) = scores[extract][-1], scores["pdftotext"][-1]
        print(f"{row['id']}: word {word:.3f}, bigram {bigram:.3f}; pdftotext {other_word:.3f}, {other_bigram:.3f}")
    for tool, pairs in scores.items():
        word, bigram = (mean(values) for values in zip(*pairs))
        print(f"{tool}: word F1 {word:.4f}, bigram F1 {bigram:.4f} over {len(pairs)}")


def tail(tool):
    return ["-"] if tool == "pdftotext" else []


def speed(extract, files):
    pages = 0
    for path in files:
        facts = subprocess.run(["pdfinfo", path], capture_output=True).stdout.decode("utf-8", "replace")
        found = re.search(r"^Pages:\s+(\d+)", facts, re.M)
        pages += int(found[1]) if found else 0
    for tool in ("pdftotext", extract):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for path in files:
            subprocess.run([tool, path, *tail(tool)], capture_output=True, timeout=SECONDS)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{tool}: {pages / seconds:.0f} pages per CPU second over {pages}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extract")
    parser.add_argument("--hostile", type=Path)
    parser.add_argument("--office", type=Path)
    parser.add_argument("--pdf", type=Path)
    parser.add_argument("--speed", type=Path, nargs="+")
    parser.add_argument("--show-below", type=float, default=0.98)
    options = parser.parse_args()
    if options.hostile:
        hostile(options.extract, options.hostile)
    if options.office:
        office(options.extract, options.office, options.show_below)
    if options.pdf:
        pdf(options.extract, options.pdf)
    if options.speed:
        speed(options.extract, options.speed)


if __name__ == "__main__":
    main()
