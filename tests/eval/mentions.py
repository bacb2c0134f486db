"""Measures through the command line how well `oriel mentions` finds all contracts that mention a thing.

Usage: mentions.py ORIEL [--wrong]

Generates forty contracts for each topic of mentions.json: some mention the thing, each in another wording, some have decoys that
share its words, all have other clauses. Prints precision, recall and F1 by document for each topic and for all, whether `read`
and `total` are right, whether `oriel ask "How many ...?"` gives the same number, and seconds per question.
"""

import argparse
import json
import os
import random
import tempfile
import time

from retrieval import run

CONTRACTS = 40


def contracts(topic, clauses, chance):
    """The text of each contract, and whether it mentions the thing."""
    made = []
    for number in range(CONTRACTS):
        mentions = chance.random() < 0.4
        special = [topic["wordings"][number % len(topic["wordings"])]] if mentions else []
        if chance.random() < 0.6:
            special += chance.sample(topic["decoys"], chance.choice([1, 1, 2]))
        body = chance.sample(clauses, chance.randint(9, 16)) + special
        chance.shuffle(body)
        paragraphs = [" ".join(body[at : at + 3]) for at in range(0, len(body), 3)]
        made.append((f"Contract {number + 1:03}\n\n" + "\n\n".join(paragraphs) + "\n", mentions))
    return made


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("oriel")
    arguments.add_argument("--wrong", action="store_true", help="print the contracts that are wrong, with their scores")
    a = arguments.parse_args()
    with open(os.path.join(os.path.dirname(__file__), "mentions.json"), encoding="utf-8") as file:
        material = json.load(file)
    chance = random.Random(7)
    total = {"right": 0, "found": 0, "true": 0}
    with tempfile.TemporaryDirectory() as place:
        library, truth = os.path.join(place, "library"), []
        for at, topic in enumerate(material["topics"]):
            folder = os.path.join(place, "documents", f"topic {at}")
            os.makedirs(folder)
            truth.append({})
            for number, (text, mentions) in enumerate(contracts(topic, material["clauses"], chance)):
                path = os.path.join(folder, f"{number + 1:03}.txt")
                truth[-1][path] = mentions
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
        run(a.oriel, library, "add", os.path.join(place, "documents"))
        run(a.oriel, library, "index")
        for topic, is_true in zip(material["topics"], truth):
            folder = os.path.dirname(next(iter(is_true)))
            begun = time.time()
            survey = json.loads(run(a.oriel, library, "--json", "mentions", topic["question"], "--in", folder))
            seconds = time.time() - begun
            found = {document["path"]: document["sentences"][0] for document in survey["documents"]}
            true = {path for path, mentions in is_true.items() if mentions}
            right = len(true & found.keys())
            precision, recall = right / max(1, len(found)), right / len(true)
            answer = json.loads(run(a.oriel, library, "--json", "ask", topic["asked"], "--in", folder))["answer"]
            says = answer.startswith(f"{len(found) or 'None'} of {CONTRACTS} ")
            covered = survey["read"] == survey["total"] == CONTRACTS
            print(
                f"{topic['question']:56} precision {precision:.2f} recall {recall:.2f} "
                f"F1 {2 * right / (len(found) + len(true)):.2f}  read and total {covered}  ask says so {says}  {seconds:.1f} s"
            )
            total["right"] += right
            total["found"] += len(found)
            total["true"] += len(true)
            if a.wrong:
                for path in sorted(true - found.keys()):
                    text = open(path, encoding="utf-8").read()
                    print("   missed:", [wording for wording in topic["wordings"] if wording in text])
                for path in sorted(found.keys() - true):
                    print(f"   wrong {found[path]['score']:.2f}: {found[path]['text']}")
    print(f"all: F1 {2 * total['right'] / (total['found'] + total['true']):.3f}")


if __name__ == "__main__":
    main()
