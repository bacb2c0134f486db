"""Measures through the command line how often claims about documents get the right verdict.

Usage: grounding.py ORIEL FOLDER CLAIMS [--library DIR] [--wrong]

FOLDER has the documents. CLAIMS has lines of {"id", "claim", "file", "supported", "kind"}; `file` is a name in FOLDER. One run
of `oriel verify --batch` compares each claim with its file. Prints for each kind the share of each verdict, the share of true
claims that are flagged, the share of changed ones that are not supported, and milliseconds per claim.
"""

import argparse
import collections
import json
import os
import tempfile
import time

from retrieval import run


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("oriel")
    arguments.add_argument("folder")
    arguments.add_argument("claims")
    arguments.add_argument("--library")
    arguments.add_argument("--wrong", action="store_true", help="print the claims that got a wrong verdict")
    a = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        library = a.library or os.path.join(place, "library")
        if not os.path.exists(os.path.join(library, "data.mdb")):
            run(a.oriel, library, "add", a.folder)
            run(a.oriel, library, "index")
        with open(a.claims, encoding="utf-8") as file:
            claims = [json.loads(line) for line in file]
        batch = os.path.join(place, "claims.jsonl")
        with open(batch, "w", encoding="utf-8") as file:
            for claim in claims:
                line = {"id": claim["id"], "claim": claim["claim"], "in": os.path.join(a.folder, claim["file"])}
                file.write(json.dumps(line) + "\n")
        begun = time.time()
        results = [json.loads(line) for line in run(a.oriel, library, "--json", "verify", "--batch", batch).splitlines()]
        seconds = time.time() - begun
    verdicts = {result["id"]: result for result in results}
    kinds = collections.defaultdict(collections.Counter)
    for claim in claims:
        result = verdicts[claim["id"]]
        kinds[claim["supported"], claim["kind"]][result["verdict"]] += 1
        if a.wrong and (result["verdict"] == "supported") != claim["supported"]:
            places = [place["text"] for place in result["places"][:1]]
            print(claim["kind"], result["verdict"], result.get("reason"), result.get("difference"), "|", claim["claim"], "|", *places)
    for (supported, kind), counted in sorted(kinds.items(), reverse=True):
        total = sum(counted.values())
        shares = "  ".join(f"{verdict} {counted[verdict] / total:.3f}" for verdict in ("supported", "contradicted", "not-found"))
        print(f"{'true' if supported else 'changed':8} {kind:10} {total:4}  {shares}")
    of = lambda wanted: [verdicts[claim["id"]]["verdict"] == "supported" for claim in claims if claim["supported"] == wanted]
    true, changed = of(True), of(False)
    print(f"true claims flagged {1 - sum(true) / len(true):.3f}, changed claims not supported {1 - sum(changed) / len(changed):.3f}")
    print(f"{1000 * seconds / len(claims):.0f} ms a claim")


if __name__ == "__main__":
    main()
