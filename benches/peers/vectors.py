"""Times other vector indexes with the vectors and queries of `benches/vectors.rs`: recall@20 against time per query.

Each index is an HNSW graph with 16 links per vector (32 on its lowest level), built with an effort of 128, and searched with
several efforts, one query at a time; faiss also among one of so many documents.
"""

import os
import tempfile
import time
from pathlib import Path

import figures

ARGUMENTS = figures.arguments(__doc__)
INPUTS, THREADS = Path(ARGUMENTS.inputs), ARGUMENTS.threads
OUT = figures.Out(ARGUMENTS.out)

import numpy  # noqa: E402, reads the number of threads

DIMENSIONS = 384
NEAREST = 20
LINKS, BUILD_EFFORT = 16, 128
EFFORTS = [20, 40, 80, 160, 320, 640]
VECTORS, ADDED, QUERIES = (
    numpy.fromfile(INPUTS / f"{name}.f32", numpy.float32).reshape(-1, DIMENSIONS)
    for name in ("vectors", "added", "queries")
)
BENCH = f"vectors {len(VECTORS)}"


# The same as in `benches/vectors.rs`: sentences per document, and filters that keep one of so many documents.
SENTENCES, SHARES = 60, [2, 10, 30, 100]


def exact(ids=slice(None)):
    """The nearest of these vectors, for each query, as indices into the array."""
    similarities = QUERIES @ VECTORS[ids].T
    nearest = numpy.argpartition(-similarities, NEAREST, axis=1)[:, :NEAREST]
    return [set(row) for row in nearest.tolist()]


EXACT = exact()


def curve(peer, bench, exact, search):
    for effort in EFFORTS:
        start = time.perf_counter()
        found = [search(query, effort) for query in QUERIES]
        took = (time.perf_counter() - start) / len(QUERIES)
        hits = sum(len(nearest.intersection(map(int, ids))) for nearest, ids in zip(exact, found))
        OUT.point(peer, bench, f"effort {effort}", hits / (len(QUERIES) * NEAREST), took * 1e3, "ms")


def measure(peer, add, save, search):
    """`add(vectors)` adds to the index, `save(path)` writes it, `search(query, effort)` returns the nearest."""
    start = time.perf_counter()
    add(VECTORS)
    OUT.record(peer, BENCH, "build", time.perf_counter() - start, "s", "less")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "index")
        save(path)
        OUT.record(peer, BENCH, "size", os.path.getsize(path) / len(VECTORS), "B a vector", "less")
    curve(peer, BENCH, EXACT, search)
    start = time.perf_counter()
    add(ADDED)
    OUT.record(peer, BENCH, f"add {len(ADDED)}", time.perf_counter() - start, "s", "less")


def usearch(peer):
    from usearch.index import Index

    index = Index(ndim=DIMENSIONS, metric="ip", dtype="f32", connectivity=LINKS, expansion_add=BUILD_EFFORT)

    def add(vectors):
        index.add(len(index) + numpy.arange(len(vectors)), vectors, threads=THREADS)

    def search(query, effort):
        index.expansion_search = effort
        return index.search(query, NEAREST, threads=1).keys

    measure(peer, add, index.save, search)


def hnswlib(peer):
    import hnswlib as library

    index = library.Index("ip", DIMENSIONS)
    index.init_index(len(VECTORS) + len(ADDED), M=LINKS, ef_construction=BUILD_EFFORT)

    def search(query, effort):
        index.set_ef(effort)
        return index.knn_query(query, NEAREST, num_threads=1)[0][0]

    measure(peer, lambda vectors: index.add_items(vectors, num_threads=THREADS), index.save_index, search)


def faiss(peer):
    import faiss as library

    library.omp_set_num_threads(THREADS)
    index = library.IndexHNSWFlat(DIMENSIONS, LINKS, library.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = BUILD_EFFORT

    def search(query, effort):
        index.hnsw.efSearch = effort
        return index.search(query[None], NEAREST)[1][0]

    def filtered(ids):
        mask = numpy.zeros(len(VECTORS), bool)
        mask[ids] = True
        bits = numpy.packbits(mask, bitorder="little")
        selected = library.IDSelectorBitmap(bits)

        def search(query, effort):
            assert len(bits)  # The selector only points to them.
            parameters = library.SearchParametersHNSW(sel=selected, efSearch=effort)
            return index.search(query[None], NEAREST, params=parameters)[1][0]

        return search

    measure(peer, index.add, lambda path: library.write_index(index, path), search)
    for share in SHARES:
        ids = numpy.flatnonzero(numpy.arange(len(VECTORS)) // SENTENCES % share == 0)
        nearest = [{int(ids[at]) for at in places} for places in exact(ids)]
        curve(peer, f"{BENCH}, 1 of {share} documents", nearest, filtered(ids))


figures.each_peer({"usearch": usearch, "hnswlib": hnswlib, "faiss": faiss})
