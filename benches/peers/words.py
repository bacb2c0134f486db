"""Times other full-text indexes with the sentences and queries of `benches/words.rs`: the 20 best of any of the words.

Both peers stem English words, as Oriel does, and rank by BM25. If a query has rarer words, Oriel leaves out words that occur
in more than a tenth of the sentences; the peers search for all.
"""

import json
import os
import re
import sqlite3
import tempfile
import time
from pathlib import Path

import figures

ARGUMENTS = figures.arguments(__doc__)
OUT = figures.Out(ARGUMENTS.out)
INPUT = json.loads((Path(ARGUMENTS.inputs) / "words.json").read_text(encoding="utf-8"))
SENTENCES = INPUT["sentences"]
QUERIES = [re.findall(r"\w+", query.lower()) for query in INPUT["queries"]]
BENCH = f"words {len(SENTENCES)}"
BEST = 20


def measure(peer, folder, build, search):
    """`build()` returns an index in `folder`, `search(index, words)` the best sentences."""
    start = time.perf_counter()
    index = build()
    OUT.record(peer, BENCH, "build", time.perf_counter() - start, "s", "less")
    size = sum(os.path.getsize(Path(place) / name) for place, _, names in os.walk(folder) for name in names)
    OUT.record(peer, BENCH, "size", size / len(SENTENCES), "B a sentence", "less")
    times, found = [], 0
    for words in QUERIES:
        start = time.perf_counter()
        found += len(search(index, words))
        times.append(time.perf_counter() - start)
    times.sort()
    print(f"{BENCH}, {peer}: {found} sentences found")
    for share in (50, 95):
        took = times[len(times) * share // 100]
        OUT.record(peer, BENCH, f"a query, p{share}", took * 1e3, "ms", "less")


def tantivy(peer):
    import tantivy as library

    def build():
        schema = library.SchemaBuilder()
        schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
        index = library.Index(schema.build(), path=folder)
        writer = index.writer(num_threads=ARGUMENTS.threads)
        for sentence in SENTENCES:
            writer.add_document(library.Document(text=sentence))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return index, index.searcher()

    def search(opened, words):
        index, searcher = opened
        return searcher.search(index.parse_query(" ".join(words), ["text"]), BEST, count=False).hits

    with tempfile.TemporaryDirectory() as folder:
        measure(peer, folder, build, search)


def fts5(peer):
    def build():
        index = sqlite3.connect(Path(folder) / "index.db")
        index.execute("CREATE VIRTUAL TABLE sentences USING fts5(text, tokenize = 'porter unicode61')")
        index.executemany("INSERT INTO sentences VALUES (?)", ((sentence,) for sentence in SENTENCES))
        index.execute("INSERT INTO sentences(sentences) VALUES ('optimize')")
        index.commit()
        return index

    def search(index, words):
        query = " OR ".join(f'"{word}"' for word in words)
        select = "SELECT rowid FROM sentences WHERE sentences MATCH ? ORDER BY rank LIMIT ?"
        return index.execute(select, (query, BEST)).fetchall()

    with tempfile.TemporaryDirectory() as folder:
        measure(peer, folder, build, search)


figures.each_peer({"tantivy": tantivy, "SQLite FTS5": fts5})
