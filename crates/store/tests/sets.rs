//! The vectors of a second embedder are made beside those that are searched.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails may say so by panicking"
)]

mod small;

use oriel_core::{CancelToken, SentenceId};
use oriel_store::{EmbedderRecord, VectorCounts, Vectors};
use small::{DIMENSIONS, axis, build, embed, open, put, register};

/// A vector of the other embedder: along the opposite axis.
fn other(number: u32) -> Vec<f32> {
    axis(number + 4).iter().rev().copied().chain([0.0; DIMENSIONS]).collect()
}

#[test]
fn another_embedders_vectors_are_made_beside_those_that_are_searched() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let (first, second) = (register(&store, "a"), register(&store, "b"));
    put(&store, first, &["one", "two"]);
    put(&store, second, &["three"]);
    embed(&store);
    build(&store);
    let record = EmbedderRecord { fingerprint: "other".into(), dimensions: 2 * DIMENSIONS };
    assert_eq!(store.write(|edit| edit.use_embedder(&record)).unwrap(), Vectors::Next);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Next)).unwrap(), 3);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Searched)).unwrap(), 0);
    // What comes and goes meanwhile does so in both.
    put(&store, first, &["one", "four"]);
    store.write(|edit| edit.remove_document(second)).unwrap();
    let waiting = |of| {
        let ids = store.read(|view| view.unembedded(of, SentenceId(0), usize::MAX)).unwrap();
        ids.into_iter().map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!((waiting(Vectors::Next), waiting(Vectors::Searched)), (vec![0, 3], vec![3]));
    assert!(!store.search_next().unwrap(), "two sentences wait");
    store.write(|edit| edit.put_vector(Vectors::Next, SentenceId(0), &other(0))).unwrap();
    // Half made, closed and opened: the old ones answer, the new ones wait where they were.
    drop(store);
    let store = open(&place);
    let near = |query: &[f32]| {
        let hits = store.read(|view| view.search_dense(query, None, 5)).unwrap();
        hits.first().map(|hit| hit.sentence.0)
    };
    assert_eq!(near(&axis(0)), Some(0));
    assert_eq!(store.write(|edit| edit.use_embedder(&record)).unwrap(), Vectors::Next);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Next)).unwrap(), 1);
    store.write(|edit| edit.put_vector(Vectors::Next, SentenceId(3), &other(3))).unwrap();
    store.grow_trees(Vectors::Next, usize::MAX, &CancelToken::new()).unwrap();
    assert_eq!(near(&axis(0)), Some(0), "the old ones, until the change");
    assert!(store.search_next().unwrap());
    assert_eq!(near(&other(3)), Some(3));
    assert_eq!(store.read(|view| view.embedder()).unwrap(), Some(record));
    assert_eq!(store.read(|view| view.embedder_of(Vectors::Next)).unwrap(), None);
    assert_eq!(store.read(|view| view.vector_counts(Vectors::Next)).unwrap(), VectorCounts::default());
    assert_eq!(store.read(|view| view.check_vectors(Vectors::Searched)).unwrap(), (vec![], vec![]));
}

#[test]
fn who_goes_back_to_the_embedder_in_use_drops_the_next_one_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    put(&store, id, &["one", "two"]);
    embed(&store);
    let record = EmbedderRecord { fingerprint: "other".into(), dimensions: 2 * DIMENSIONS };
    store.write(|edit| edit.use_embedder(&record)).unwrap();
    store.write(|edit| edit.put_vector(Vectors::Next, SentenceId(0), &other(0))).unwrap();
    assert_eq!(embed(&store), 0, "nothing waits for a vector that is there");
    assert_eq!(store.read(|view| view.embedder_of(Vectors::Next)).unwrap(), None);
    assert_eq!(store.read(|view| view.vector_counts(Vectors::Next)).unwrap(), VectorCounts::default());
    put(&store, id, &["three"]);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Next)).unwrap(), 0);
}
