"""Checks that the boxes of sentences contain their words: `boxes.py MARKS PDF... [--sentences N] [--seed N]`.

MARKS is the example `marks` of crates/text. The words of Poppler whose middle is in a sentence's boxes are compared with the
sentence, letter by letter; the boxes are right if the F1 of letters and digits is at least .95.
"""

import argparse
import json
import random
import re
import subprocess
import unicodedata
from collections import Counter
from html import unescape
from pathlib import Path

PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.S)
WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')
HELD = 0.95


def letters(text):
    return Counter(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def words(path):
    """The words of each page, with their midpoint as fractions of the page."""
    run = subprocess.run(["pdftotext", "-bbox", "-cropbox", path, "-"], capture_output=True, check=True)
    for width, height, page in PAGE.findall(run.stdout.decode("utf-8", "replace")):
        width, height = float(width), float(height)
        found = []
        for x0, y0, x1, y1, word in WORD.findall(page):
            x, y = (float(x0) + float(x1)) / 2 / width, (float(y0) + float(y1)) / 2 / height
            found.append((x, y, unescape(word)))
        yield found


def score(sentence, pages):
    inside = set()
    for page, left, top, right, bottom in sentence["boxes"]:
        for number, (x, y, _) in enumerate(pages[page - 1]):
            if left <= x <= right and top <= y <= bottom:
                inside.add((page, number))
    found = letters("".join(pages[page - 1][number][2] for page, number in inside))
    wanted = letters(sentence["text"])
    return 2 * (wanted & found).total() / max(1, wanted.total() + found.total())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("marks")
    parser.add_argument("pdfs", nargs="+", type=Path)
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the sentences that are not held")
    options = parser.parse_args()
    sentences, pages = [], {}
    for pdf in options.pdfs:
        run = subprocess.run([options.marks, pdf], capture_output=True)
        lines = [json.loads(line) for line in run.stdout.decode("utf-8").splitlines()]
        sentences += [(pdf, line) for line in lines if letters(line["text"])]
        if run.returncode:
            print(run.stderr.decode("utf-8", "replace").strip())
    held = 0
    drawn = random.Random(options.seed).sample(sentences, min(options.sentences, len(sentences)))
    for pdf, sentence in drawn:
        if pdf not in pages:
            pages[pdf] = list(words(pdf))
        found = score(sentence, pages[pdf])
        held += found >= HELD
        if found < HELD and options.show:
            print(f"{pdf.name}: {found:.2f} {sentence['text'][:150]!r} {sentence['boxes'][:3]}")
    print(f"{held} of {len(drawn)} sentences held ({held / max(1, len(drawn)):.1%}), from {len(options.pdfs)} files")


if __name__ == "__main__":
    main()
