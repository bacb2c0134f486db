#!/usr/bin/env python3
"""Fits the calibration of a reader: how likely the passages answer a question, from what the reader finds in them.

Usage: fit_confidence.py ORIEL READER_DIR DATA_DIR WORK_DIR [--plot FILE.svg]

Needs torch, transformers, safetensors. DATA_DIR holds dev.jsonl.xz, docs.jsonl.xz and unanswerable.jsonl.xz, the held-out
parts of the reader's training data: documents and questions under open licences, none of them seen in training. WORK_DIR
gets the documents as text files, a library of them, and what was found, so that a second run is quick.

Three kinds of questions are asked of that library: questions that a document answers; questions that people wrote so that
their paragraph seems to answer them and does not; questions about documents that are not there. The reader reads what
`oriel search` finds, cut as Oriel cuts it: each hit with one sentence on each side. The best part of a question counts.
Prints the line for models/catalog.toml, then reliability and the shares refused, by five-fold cross-validation.
"""

import argparse
import json
import lzma
import math
import os
import pathlib
import random
import subprocess

import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

MAX_ANSWER_TOKENS = 30
# Share of each kind of question: as many answerable ones as others, and most of the others near misses.
KINDS = {"answerable": 0.5, "near": 0.4, "foreign": 0.1}
# The share of answerable questions that the default threshold may refuse.
REFUSED = 0.05


def lines(folder, name):
    with lzma.open(os.path.join(folder, name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def material(data, documents):
    """Writes the documents; returns (kind, question) pairs."""
    draw = random.Random(7)
    questions = []
    for at, row in enumerate(row for row in lines(data, "unanswerable.jsonl.xz") if row["split"] == "dev"):
        (documents / f"paragraph-{at}.txt").write_text(row["passage"] + "\n", encoding="utf-8")
        questions += [("answerable", row["question"]), ("near", row["unanswerable"])]
    dev = [row for row in lines(data, "dev.jsonl.xz") if row["source"].startswith("squad")]
    wanted = {row.get("doc_id") for row in dev}
    kept = set()
    for document in lines(data, "docs.jsonl.xz"):
        if document["doc_id"] in wanted:
            kept.add(document["doc_id"])
            name = document["doc_id"].replace("/", "-") + ".txt"
            (documents / name).write_text("\n".join(document["sentences"]) + "\n", encoding="utf-8")
    in_document = [row["question"] for row in dev if row.get("doc_id") in kept and row.get("answers")]
    foreign = [row["question"] for row in dev if row.get("doc_id") not in kept]
    questions += [("answerable", question) for question in draw.sample(in_document, 300)]
    questions += [("foreign", question) for question in draw.sample(foreign, 150)]
    return questions


def oriel(program, library, *arguments):
    done = subprocess.run([program, "--library", library, "--json", *arguments], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def batch(program, library, command, questions, work):
    """What a command with its options prints of each question, in their order."""
    file = work / "questions.jsonl"
    rows = [json.dumps({"id": str(at), "question": question}) for at, (_, question) in enumerate(questions)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return [json.loads(line) for line in oriel(program, library, *command, "--batch", str(file)).splitlines()]


def find(program, work, data):
    """What Oriel finds for each question: [{"kind", "question", "parts": [text]}]."""
    documents, library = work / "documents", str(work / "library")
    documents.mkdir(parents=True)
    questions = material(data, documents)
    oriel(program, library, "add", str(documents))
    oriel(program, library, "index")
    found = batch(program, library, ["search"], questions, work)
    shown, result = {}, []
    for row in found:
        parts = []
        for passage in row["passages"]:
            path = passage["path"]
            if path not in shown:
                document = json.loads(oriel(program, library, "show", path))
                shown[path] = (document["text"].encode(), document["sentences"])
            text, sentences = shown[path]
            inside = [at for at, one in enumerate(sentences) if passage["start"] <= one["start"] < passage["end"]]
            for hit in passage["hits"]:
                at = next(at for at in inside if sentences[at]["start"] == hit["start"])
                near = [one for one in (at - 1, at, at + 1) if one in inside]
                read = [text[sentences[one]["start"] : sentences[one]["end"]].decode() for one in near]
                parts.append(" ".join(" ".join(read).split()))
        kind, question = questions[int(row["id"])]
        result.append({"kind": kind, "question": question, "parts": sorted(set(parts))})
    return result


@torch.no_grad()
def read(folder, found):
    """(relevance, span minus null) of each part of each question."""
    config = BertConfig.from_pretrained(folder, num_labels=1)
    model = BertForSequenceClassification(config).eval()
    weights = {name: value.float() for name, value in load_file(os.path.join(folder, "model.safetensors")).items()}
    spans = torch.nn.Linear(config.hidden_size, 2)
    spans.load_state_dict({name: weights.pop(f"qa_outputs.{name}") for name in ("weight", "bias")})
    model.load_state_dict(weights, strict=False)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=os.path.join(folder, "tokenizer.json"))
    tokenizer.backend_tokenizer.no_padding()
    tokenizer.backend_tokenizer.no_truncation()
    special = {"pad_token": "[PAD]", "sep_token": "[SEP]", "cls_token": "[CLS]"}
    tokenizer.add_special_tokens(special)
    readings = []
    for row in found:
        own = []
        for part in row["parts"]:
            pair = tokenizer(row["question"], part, truncation="only_second", max_length=512, return_token_type_ids=True)
            ids, types = torch.tensor([pair["input_ids"]]), torch.tensor([pair["token_type_ids"]])
            states = model.bert(input_ids=ids, token_type_ids=types)
            relevance = model.classifier(states.pooler_output)[0, 0].item()
            start, end = spans(states.last_hidden_state)[0].unbind(-1)
            first = pair["token_type_ids"].index(1)
            last = len(pair["input_ids"]) - 1
            best = -math.inf
            if last > first:
                sums = start[first:last, None] + end[None, first:last]
                keep = torch.ones_like(sums).triu().tril(MAX_ANSWER_TOKENS - 1).bool()
                best = sums.masked_fill(~keep, -math.inf).max().item()
            own.append((relevance, best - (start[0] + end[0]).item()))
        readings.append(own)
    return readings


def probability(weights, reading):
    offset, slope = weights
    return 1 / (1 + math.exp(-(offset + slope * sum(reading))))


def best(weights, readings):
    return max(readings, key=lambda reading: probability(weights, reading))


def regress(chosen, kinds, weights):
    """Logistic regression by Newton's method from `weights` on; `chosen` has a row of inputs for each question, of one of KINDS."""
    share = {kind: kinds.count(kind) for kind in KINDS}
    chosen = torch.tensor(chosen, dtype=torch.double)
    gold = torch.tensor([float(kind == "answerable") for kind in kinds], dtype=torch.double)
    cost = torch.tensor([KINDS[kind] / share[kind] for kind in kinds], dtype=torch.double)
    parameters = torch.tensor(weights, dtype=torch.double)
    for _ in range(25):
        chance = torch.sigmoid(chosen @ parameters)
        gradient = chosen.T @ (cost * (chance - gold))
        hessian = (chosen * (cost * chance * (1 - chance))[:, None]).T @ chosen
        parameters = parameters - torch.linalg.solve(hessian + 1e-6 * torch.eye(len(weights)), gradient)
    return tuple(parameters.tolist())


def fit(rows):
    """Logistic regression on the best part of each question, which depends on the weights: fitted until it stays.

    Relevance and margin say nearly the same, so both get one weight: two would follow the noise.
    """
    weights = (0.0, 0.2)
    for _ in range(8):
        chosen = [[1.0, sum(best(weights, readings))] for _, readings in rows]
        weights = regress(chosen, [kind for kind, _ in rows], weights)
    return weights


def auroc(positive, negative):
    wins = sum((a > b) + 0.5 * (a == b) for a in positive for b in negative)
    return wins / (len(positive) * len(negative))


def bins(scored):
    """(mean confidence, share answerable, weight) of ten equal stretches of confidence."""
    share = {kind: sum(kind == other for other, _ in scored) for kind in KINDS}
    result = []
    for low in range(10):
        held = [(kind, chance) for kind, chance in scored if min(9, int(chance * 10)) == low]
        cost = [KINDS[kind] / share[kind] for kind, _ in held]
        if held:
            mean = sum(c * chance for c, (_, chance) in zip(cost, held)) / sum(cost)
            true = sum(c for c, (kind, _) in zip(cost, held) if kind == "answerable") / sum(cost)
            result.append((mean, true, sum(cost)))
    return result


def diagram(points):
    """A reliability diagram as SVG: dots as large as the share of questions they stand for."""
    place = lambda x, y: (40 + 300 * x, 320 - 300 * y)
    dots = "".join(
        '<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="#2f6f4f"/>'.format(*place(x, y), 3 + 40 * w) for x, y, w in points
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="380" height="370" font-family="sans-serif" font-size="12">'
        '<rect width="380" height="370" fill="#fff"/><path d="M40 320L340 20" stroke="#bbb"/>'
        f'<path d="M40 20V320H340" fill="none" stroke="#666"/>{dots}'
        '<text x="190" y="345" text-anchor="middle">confidence</text>'
        '<text transform="translate(16 170)rotate(-90)" text-anchor="middle">share answered by the passages</text>'
        '<text x="40" y="334">0</text><text x="334" y="334">1</text><text x="28" y="26">1</text></svg>\n'
    )


def main():
    arguments = argparse.ArgumentParser()
    for name in ("oriel", "reader", "data", "work"):
        arguments.add_argument(name)
    arguments.add_argument("--plot")
    options = arguments.parse_args()
    work = pathlib.Path(options.work)
    kept = work / "found.json"
    if not kept.exists():
        kept.write_text(json.dumps(find(options.oriel, work, options.data)), encoding="utf-8")
    found = json.loads(kept.read_text(encoding="utf-8"))
    rows = [(row["kind"], own) for row, own in zip(found, read(options.reader, found)) if own]
    random.Random(3).shuffle(rows)
    weights = fit(rows)
    print("calibration = {{ offset = {:.3f}, slope = {:.3f}, margin = {:.3f} }}".format(*weights, weights[1]))
    scored = []
    for fold in range(5):
        learnt = fit([row for at, row in enumerate(rows) if at % 5 != fold])
        scored += [(kind, probability(learnt, best(learnt, own))) for kind, own in rows[fold::5]]
    of = {kind: [chance for other, chance in scored if other == kind] for kind in KINDS}
    points = bins(scored)
    error = sum(weight * abs(mean - true) for mean, true, weight in points) / sum(weight for *_, weight in points)
    print(f"AUROC near {auroc(of['answerable'], of['near']):.3f}, foreign {auroc(of['answerable'], of['foreign']):.3f}")
    print(f"reliability error {error:.3f}: " + ", ".join(f"{mean:.2f} {true:.2f} ({weight:.2f})" for mean, true, weight in points))
    threshold = sorted(of["answerable"])[int(len(of["answerable"]) * REFUSED)]
    refused = {kind: sum(chance < threshold for chance in chances) / len(chances) for kind, chances in of.items()}
    print(f"threshold {threshold:.2f} refuses " + ", ".join(f"{share:.2f} of {kind}" for kind, share in refused.items()))
    if options.plot:
        pathlib.Path(options.plot).write_text(diagram(points), encoding="utf-8")


if __name__ == "__main__":
    main()
