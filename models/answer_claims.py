"""Make claims for `train_checker.py` of questions with answers: the claim is the question with the answer behind it.

Usage: answer_claims.py --examples EXAMPLES.jsonl[.xz] --reader TRAIN_READER_FOLDER --out CLAIMS.jsonl [--seed 1]

EXAMPLES holds lines of {"user", "target"}: what the answerer reads ("Passages:", "[n] name | headings" and the text of each, "Question: …") and
the answer that people gave, with its citation. Examples without an answer are left out. TRAIN_READER_FOLDER holds `train_reader.py`, whose
`alter`, `names` and `NUM` are used. Of each example:

- supported: the answer, in the passage that it cites;
- contradicted: another number or name of the same window in its place;
- not found: a number or name of another passage in its own place, or the answer under a question with a name, a number or a word exchanged.

A passage is the sentence that holds the answer with 0 to 3 neighbours on each side, often below its headings.
"""

import argparse
import json
import lzma
import random
import re
import sys
import zlib

CITATION = re.compile(r"\s*\[\d+\]")
PASSAGE = re.compile(r"\n\[(\d+)\] ([^\n]*)\n(.*?)(?=\n\n\[\d+\] |\n\nQuestion: )", re.S)
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“(\[])")
MONTH = re.compile("January|February|March|April|May|June|July|August|September|October|November|December")
UNITS = "percent|per cent|%|million|billion|years?|days?|weeks?|months?|hours?|minutes?|kg|km|m|a year|each"
MAX_WORDS = 40


def words(text):
    return re.findall(r"\w+", text.lower())


def holds(text, phrase):
    return bool(words(phrase)) and f" {' '.join(words(phrase))} " in f" {' '.join(words(text))} "


def window(text, phrase, draw):
    """The sentence that holds the phrase, or most of its words, with its neighbours."""
    sentences = [one for one in SENTENCE.split(text.strip()) if one]
    wanted = set(words(phrase))
    best = max(range(len(sentences)), key=lambda at: (holds(sentences[at], phrase), len(wanted & set(words(sentences[at])))))
    wide = draw.choice((0, 1, 1, 1, 2, 3))
    return " ".join(sentences[max(0, best - wide) : best + wide + 1])


def values(text, like, question, reader):
    """Numbers or names of a text, as `like` is one, that are neither it nor in the question."""
    if re.search(r"\d", like):
        found = reader.NUM.findall(text)
    else:
        found = [name for name in reader.names(text) if not MONTH.match(name) and "'" not in name]
    return sorted({one for one in found if not holds(like, one) and not holds(one, like) and not holds(question, one)})


def claims(example, draw, reader):
    passages, question = example["user"].replace("Passages:\n", "\n", 1).rsplit("\n\nQuestion: ", 1)
    question = question.strip()
    passages = {int(n): (title, " ".join(text.split())) for n, title, text in PASSAGE.findall(f"{passages}\n\nQuestion: ")}
    answer = CITATION.sub("", example["target"]).strip().rstrip(".").strip()
    cited = [int(n) for n in re.findall(r"\[(\d+)\]", example["target"])]
    if example["target"].startswith("I could not find") or len(answer.split()) > MAX_WORDS:
        return
    holding = [n for n in [*cited, *passages] if n in passages and holds(passages[n][1], answer)]
    holding += [n for n in cited if n in passages]
    if not holding:
        return

    def claim(phrase, text, label, kind, asked=question):
        return {"claim": f"{asked} {phrase}", "passage": text, "label": label, "source": "answers", "kind": kind}

    def below(n, text):
        title = passages[n][0]
        return f"{title.split(' | ', 1)[1]}: {text}" if " | " in title and draw.random() < 0.6 else text

    text = below(holding[0], window(passages[holding[0]][1], answer, draw))
    yield claim(answer, text, "supported", "answer")
    others = values(text, answer, question, reader) if len(answer.split()) < 6 else []
    if others and draw.random() < 0.6:
        value, number = draw.choice(others), re.search(r"\d[\d,.]*", answer)
        wrong = answer.replace(number.group(), value, 1) if number and draw.random() < 0.5 else value
        yield claim(wrong, text, "contradicted", "same window")
    if draw.random() < 0.35:
        altered = reader.alter(question, text, answer, " ".join(text for _, text in passages.values()), draw)
        if altered and altered[0] != question:
            yield claim(answer, text, "not-found", "question", altered[0])
    for n in draw.sample(sorted(passages), min(3, len(passages))):
        found = values(passages[n][1], answer, question, reader) if len(answer.split()) <= 8 else []
        if not found or draw.random() < 0.4:
            continue
        value = draw.choice(found)
        whole = re.search(rf"((?:[£$€] ?)?{re.escape(value)}(?: (?:{UNITS}))*)", passages[n][1])
        phrase = whole.group(1) if whole else value
        text = window(passages[n][1], phrase, draw)
        if not holds(text, answer):
            yield claim(phrase, below(n, text), "not-found", "elsewhere")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--examples", required=True)
    arguments.add_argument("--reader", required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("--seed", type=int, default=1)
    a = arguments.parse_args()
    sys.path.insert(0, a.reader)
    import train_reader as reader

    opened = lzma.open if a.examples.endswith(".xz") else open
    count = 0
    with opened(a.examples, "rt", encoding="utf-8") as examples, open(a.out, "w", encoding="utf-8") as out:
        for line in examples:
            example = json.loads(line)
            for one in claims(example, random.Random(zlib.crc32(example["user"].encode()) + a.seed), reader):
                out.write(json.dumps(one, ensure_ascii=False) + "\n")
                count += 1
    print(f"{count} claims")


if __name__ == "__main__":
    main()
