#!/usr/bin/env python3
"""Fits how sure a phrase is: the probability that the passages answer, from the reader's confidence and the generator's doubt.

Usage: fit_phrases.py ORIEL DATA_DIR WORK_DIR [--questions 480]

Needs ORIEL built with the generator and its adapter. DATA_DIR and the three kinds of questions are those of `fit_confidence.py`, whose
WORK_DIR may be used again. Each question is searched (the reader's confidence) and asked (the confidence of the answer); the generator's
probability of a refusal follows from both and from the calibration that stands in catalog.toml.

Prints the new `calibration` for catalog.toml, then by five-fold cross-validation: AUROC of reader, doubt and both, the shares refused at
the threshold of the answers, and the error of reliability.
"""

import argparse
import json
import math
import pathlib
import random
import tomllib

from fit_confidence import KINDS, auroc, batch, bins, material, oriel, regress

HERE = pathlib.Path(__file__).resolve().parent
# The least confidence of an answer (`LEAST_CONFIDENCE` in the engine).
LEAST = 0.36


def logit(p):
    p = min(max(p, 1e-7), 1 - 1e-7)
    return max(-12.0, min(12.0, math.log(p / (1 - p))))


def present():
    for model in tomllib.loads((HERE / "catalog.toml").read_text(encoding="utf-8"))["model"]:
        if "adapter" in model:
            return model["adapter"]["calibration"]


def collect(a):
    documents, library = a.work / "documents", str(a.work / "library")
    fresh = not documents.exists()
    documents.mkdir(parents=True, exist_ok=True)
    questions = material(a.data, documents)
    if fresh:
        oriel(a.oriel, library, "add", str(documents))
        oriel(a.oriel, library, "index")
    random.Random(3).shuffle(questions)
    questions = questions[: a.questions]
    found, asked = (batch(a.oriel, library, command, questions, a.work) for command in ("search", "ask"))
    now = present()
    rows = []
    for (kind, question), found_one, asked_one in zip(questions, found, asked):
        read, sure = found_one["confidence"], asked_one["confidence"]
        doubt = (now["offset"] + now["reading"] * logit(read) - logit(sure)) / now["refusal"]
        rows.append({"kind": kind, "question": question, "read": logit(read), "doubt": doubt, "answer": asked_one.get("answer")})
    return rows


def probability(weights, row):
    return 1 / (1 + math.exp(-(weights[0] + weights[1] * row["read"] - weights[2] * row["doubt"])))


def fit(rows):
    inputs = [[1.0, row["read"], -row["doubt"]] for row in rows]
    return regress(inputs, [row["kind"] for row in rows], (0.0, 0.0, 0.0))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("oriel")
    arguments.add_argument("data")
    arguments.add_argument("work", type=pathlib.Path)
    arguments.add_argument("--questions", type=int, default=480)
    a = arguments.parse_args()
    kept = a.work / "phrases.json"
    if not kept.exists():
        kept.write_text(json.dumps(collect(a)), encoding="utf-8")
    rows = json.loads(kept.read_text(encoding="utf-8"))
    offset, reading, refusal = fit(rows)
    print(f"calibration = {{ offset = {offset:.3f}, reading = {reading:.3f}, refusal = {refusal:.3f} }}")
    order = list(range(len(rows)))
    random.Random(1).shuffle(order)
    scored = [None] * len(rows)
    for fold in range(5):
        weights = fit([rows[at] for n, at in enumerate(order) if n % 5 != fold])
        for n, at in enumerate(order):
            if n % 5 == fold:
                scored[at] = (rows[at]["kind"], probability(weights, rows[at]))
    of = lambda value, is_answerable: [value(row) for row in rows if (row["kind"] == "answerable") == is_answerable]
    for name, value in (("reader", lambda row: row["read"]), ("doubt", lambda row: -row["doubt"])):
        print(f"AUROC {name} {auroc(of(value, True), of(value, False)):.3f}")
    chances = lambda is_answerable: [chance for kind, chance in scored if (kind == "answerable") == is_answerable]
    print(f"AUROC both {auroc(chances(True), chances(False)):.3f}")
    for kind in KINDS:
        own = [chance for other, chance in scored if other == kind]
        print(f"{kind}: {len(own)} questions, {sum(chance < LEAST for chance in own) / len(own):.3f} below {LEAST}")
    error = sum(abs(mean - true) * weight for mean, true, weight in bins(scored))
    print(f"reliability error {error:.3f}")


if __name__ == "__main__":
    main()
