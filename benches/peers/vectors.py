"""Times other vector indexes with the vectors and queries of `benches/trees.rs`: recall@20 against time a query.

Each index is an HNSW graph with 16 links a vector (32 on its lowest level), built with an effort of 128, and searched with
several efforts, one query at a time.
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
VECTORS = numpy.fromfile(INPUTS / "vectors.f32", numpy.float32).reshape(-1, DIMENSIONS)
QUERIES = numpy.fromfile(INPUTS / "queries.f32", numpy.float32).reshape(-1, DIMENSIONS)
BENCH = f"vectors {len(VECTORS)}"


def exact():
    similarities = QUERIES @ VECTORS.T
    nearest = numpy.argpartition(-similarities, NEAREST, axis=1)[:, :NEAREST]
    return [set(row) for row in nearest.tolist()]


EXACT = exact()


def measure(peer, build, save, search):
    """`build()` gives an index, `save(index, path)` writes it, `search(index, query, effort)` gives the nearest."""
    start = time.perf_counter()
    index = build()
    OUT.record(peer, BENCH, "build", time.perf_counter() - start, "s", "less")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "index")
        save(index, path)
        OUT.record(peer, BENCH, "size", os.path.getsize(path) / len(VECTORS), "B a vector", "less")
    for effort in EFFORTS:
        start = time.perf_counter()
        found = [search(index, query, effort) for query in QUERIES]
        took = (time.perf_counter() - start) / len(QUERIES)
        hits = sum(len(exact.intersection(map(int, ids))) for exact, ids in zip(EXACT, found))
        OUT.point(peer, BENCH, f"effort {effort}", hits / (len(QUERIES) * NEAREST), took * 1e3, "ms")


def usearch(peer):
    from usearch.index import Index

    def build():
        index = Index(ndim=DIMENSIONS, metric="ip", dtype="f32", connectivity=LINKS, expansion_add=BUILD_EFFORT)
        index.add(numpy.arange(len(VECTORS)), VECTORS, threads=THREADS)
        return index

    def search(index, query, effort):
        index.expansion_search = effort
        return index.search(query, NEAREST, threads=1).keys

    measure(peer, build, lambda index, path: index.save(path), search)


def hnswlib(peer):
    import hnswlib as library

    def build():
        index = library.Index("ip", DIMENSIONS)
        index.init_index(len(VECTORS), M=LINKS, ef_construction=BUILD_EFFORT)
        index.add_items(VECTORS, num_threads=THREADS)
        return index

    def search(index, query, effort):
        index.set_ef(effort)
        return index.knn_query(query, NEAREST, num_threads=1)[0][0]

    measure(peer, build, lambda index, path: index.save_index(path), search)


def faiss(peer):
    import faiss as library

    library.omp_set_num_threads(THREADS)

    def build():
        index = library.IndexHNSWFlat(DIMENSIONS, LINKS, library.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = BUILD_EFFORT
        index.add(VECTORS)
        return index

    def search(index, query, effort):
        index.hnsw.efSearch = effort
        return index.search(query[None], NEAREST)[1][0]

    measure(peer, build, library.write_index, search)


figures.each_peer({"usearch": usearch, "hnswlib": hnswlib, "faiss": faiss})
