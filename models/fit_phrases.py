#!/usr/bin/env python3
"""Fits how sure an answer in phrases is: whether the passages answer, and whether a phrase is the answer.

Usage: fit_phrases.py ORIEL DATA_DIR WORK_DIR [--questions 480]

Needs ORIEL built with the generator and its adapter. DATA_DIR and the three kinds of questions are those of `fit_confidence.py`, whose
WORK_DIR may be used again. Each question is searched (the reader's confidence) and asked with `--trace`: the generator's probability
of a refusal, and for each phrase that a passage holds what speaks for it. A phrase is right if it holds a gold answer or is more than a
third of one.

Prints the new `calibration` for catalog.toml, then by five-fold cross-validation: AUROC of reader, doubt and both, the shares refused at
the threshold of the answers, the error of reliability, and right and wrong phrases at several thresholds.
"""

import argparse
import json
import math
import pathlib
import random
import re
import string

import torch

from fit_confidence import KINDS, auroc, batch, bins, lines, material, oriel, regress

# The least confidence of an answer (`LEAST_CONFIDENCE` in the engine).
LEAST = 0.36
# The least that the checker's probability counts for (`LEAST_CHECKED` in the core).
LEAST_CHECKED = 0.01
# The penalty of squared weights, for each phrase.
PENALTY = 0.02


def logit(p):
    p = min(max(p, 1e-7), 1 - 1e-7)
    return max(-12.0, min(12.0, math.log(p / (1 - p))))


def normal(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation + "“”‘’")
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def answers(data):
    """The gold answers of each question."""
    gold = {}
    for row in lines(data, "dev.jsonl.xz") + lines(data, "unanswerable.jsonl.xz"):
        gold.setdefault(row["question"], []).extend(row.get("answers") or filter(None, [row.get("answer")]))
    return gold


def is_right(phrase, gold):
    phrase = normal(phrase)
    close = lambda one: one and (one in phrase or (phrase and phrase in one and len(phrase) > len(one) / 3))
    return any(close(normal(one)) for one in gold)


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
    found = batch(a.oriel, library, ["search"], questions, a.work)
    asked = batch(a.oriel, library, ["ask", "--trace"], questions, a.work)
    gold, rows = answers(a.data), []
    for (kind, question), found_one, asked_one in zip(questions, found, asked):
        prompt = asked_one["trace"]["prompt"] or {}
        if prompt.get("refusal") is None:
            # So little was found that the generator was not asked.
            continue
        phrases = [one | {"right": kind == "answerable" and is_right(one["text"], gold[question])} for one in prompt["phrases"]]
        read, doubt = logit(found_one["confidence"]), logit(prompt["refusal"])
        rows.append({"kind": kind, "question": question, "read": read, "doubt": doubt, "phrases": phrases})
    return rows


PHRASE = ("offset", "checked", "is_read", "certainty", "read", "refusal")


def signals(phrase):
    checked = logit(min(max(phrase["checked"], LEAST_CHECKED), 1 - LEAST_CHECKED))
    return [1.0, checked, float(phrase["is_read"]), phrase["certainty"], logit(phrase["read"]), -logit(phrase["refusal"])]


def fit_phrases(phrases):
    """Logistic regression with a small penalty: there are few phrases, and most are right."""
    inputs = torch.tensor([signals(one) for one in phrases], dtype=torch.double)
    right = torch.tensor([float(one["right"]) for one in phrases], dtype=torch.double)
    scale = inputs.std(0).clamp(min=1e-6)
    scale[0] = 1.0
    weights = torch.zeros(inputs.shape[1], dtype=torch.double)
    penalty = torch.full_like(weights, PENALTY * len(phrases))
    penalty[0] = 0.0
    scaled = inputs / scale
    for _ in range(50):
        chance = torch.sigmoid(scaled @ weights)
        gradient = scaled.T @ (chance - right) + penalty * weights
        hessian = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + torch.diag(penalty + 1e-9)
        weights = weights - torch.linalg.solve(hessian, gradient)
    return (weights / scale).tolist()


def phrase_probability(weights, phrase):
    return 1 / (1 + math.exp(-sum(a * b for a, b in zip(weights, signals(phrase)))))


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
    weights = fit_phrases([one for row in rows for one in row["phrases"]])
    phrase = ", ".join(f"{name} = {weight:.3f}" for name, weight in zip(PHRASE, weights))
    print(f"calibration = {{ offset = {offset:.3f}, reading = {reading:.3f}, refusal = {refusal:.3f}, phrase = {{ {phrase} }} }}")
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
    best_phrases(rows, order)


def best_phrases(rows, order):
    """Right and wrong phrases that pass a threshold, the likeliest of each question, by five-fold cross-validation."""
    passed = []
    for fold in range(5):
        others = [one for n, at in enumerate(order) if n % 5 != fold for one in rows[at]["phrases"]]
        weights = fit_phrases(others)
        for n, at in enumerate(order):
            if n % 5 == fold and rows[at]["phrases"]:
                best = max(rows[at]["phrases"], key=lambda one: phrase_probability(weights, one))
                passed.append((phrase_probability(weights, best), best["right"], rows[at]["kind"]))
    for least in (0.5, 0.6, 0.65, 0.7, 0.8):
        kept = [(right, kind) for chance, right, kind in passed if chance >= least]
        wrong = [kind for right, kind in kept if not right]
        print(f"phrases from {least}: {len(kept) - len(wrong)} right, {wrong.count('answerable')} wrong, {len(wrong) - wrong.count('answerable')} of no answer")


if __name__ == "__main__":
    main()
