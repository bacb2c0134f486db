//! Vectors of a second embedder are made beside the active ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails may say so by panicking"
)]

mod small;

use oriel_core::SentenceId;
use oriel_store::{EmbedderRecord, Vectors};
use small::{DIMENSIONS, axis, embed, open, put, register};

/// The time until which previous vectors are kept.
const UNTIL: u64 = 7_000;

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
    let record = EmbedderRecord { fingerprint: "other".into(), dimensions: 2 * DIMENSIONS };
    assert_eq!(store.write(|edit| edit.use_embedder(&record)).unwrap(), Vectors::Pending);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Pending)).unwrap(), 3);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Active)).unwrap(), 0);
    // Both sets follow additions and removals.
    put(&store, first, &["one", "four"]);
    store.write(|edit| edit.remove_document(second)).unwrap();
    let waiting = |of| {
        let ids = store.read(|view| view.unembedded(of, SentenceId(0), usize::MAX)).unwrap();
        ids.into_iter().map(|id| id.0).collect::<Vec<_>>()
    };
    assert_eq!((waiting(Vectors::Pending), waiting(Vectors::Active)), (vec![0, 3], vec![3]));
    assert!(!store.search_next(UNTIL).unwrap(), "two sentences wait");
    store.write(|edit| edit.put_vector(Vectors::Pending, SentenceId(0), &other(0))).unwrap();
    // The store is closed and reopened halfway: questions use the old vectors, the new ones still wait.
    drop(store);
    let store = open(&place);
    let near = |query: &[f32]| {
        let hits = store.read(|view| view.search_dense(query, None, 5)).unwrap();
        hits.first().map(|hit| hit.sentence.0)
    };
    assert_eq!(near(&axis(0)), Some(0));
    assert_eq!(store.write(|edit| edit.use_embedder(&record)).unwrap(), Vectors::Pending);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Pending)).unwrap(), 1);
    store.write(|edit| edit.put_vector(Vectors::Pending, SentenceId(3), &other(3))).unwrap();
    assert_eq!(near(&axis(0)), Some(0), "the old ones, until the change");
    assert!(store.search_next(UNTIL).unwrap());
    assert_eq!(near(&other(3)), Some(3));
    assert_eq!(store.read(|view| view.embedder()).unwrap(), Some(record));
    assert_eq!(store.read(|view| view.next_embedder()).unwrap(), None, "none is being made");
    assert_eq!(store.read(|view| view.check_vectors(Vectors::Active)).unwrap(), (vec![], vec![]));
}

#[test]
fn the_vectors_searched_before_are_kept_for_a_while_and_gone_back_to_without_embedding_again() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    put(&store, id, &["one", "two"]);
    embed(&store);
    let before = store.read(|view| view.embedder()).unwrap().unwrap();
    let record = EmbedderRecord { fingerprint: "other".into(), dimensions: 2 * DIMENSIONS };
    store.write(|edit| edit.use_embedder(&record)).unwrap();
    for number in [0, 1] {
        store.write(|edit| edit.put_vector(Vectors::Pending, SentenceId(number), &other(number))).unwrap();
    }
    assert!(store.search_next(UNTIL).unwrap());
    // Additions and removals are recorded for both sets.
    put(&store, id, &["two", "three"]);
    assert_eq!(store.write(|edit| edit.use_embedder(&record)).unwrap(), Vectors::Active);
    let previous = store.read(|view| view.previous()).unwrap().unwrap();
    assert_eq!((previous.embedder, previous.until, previous.waiting), (before.clone(), UNTIL, 1));
    store.drop_previous(UNTIL - 1).unwrap();
    // Back to the first embedder: only the sentence added since waits.
    assert_eq!(store.write(|edit| edit.use_embedder(&before)).unwrap(), Vectors::Pending);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Pending)).unwrap(), 1);
    store.write(|edit| edit.put_vector(Vectors::Pending, SentenceId(2), &axis(2))).unwrap();
    assert!(store.search_next(UNTIL).unwrap());
    let hits = store.read(|view| view.search_dense(&axis(1), None, 5)).unwrap();
    let found: Vec<u32> = hits.iter().map(|hit| hit.sentence.0).collect();
    assert_eq!(found, [1, 2], "with the one that came since, without the one that went");
    assert_eq!(store.read(|view| view.check_vectors(Vectors::Active)).unwrap(), (vec![], vec![]));
    // A week later nothing of the other set is left.
    store.drop_previous(UNTIL).unwrap();
    assert_eq!(store.read(|view| view.previous()).unwrap(), None);
    assert_eq!(store.read(|view| view.embedder_of(Vectors::Pending)).unwrap(), None);
    assert_eq!(store.read(|view| view.vector_count(Vectors::Pending)).unwrap(), 0);
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
    store.write(|edit| edit.put_vector(Vectors::Pending, SentenceId(0), &other(0))).unwrap();
    assert_eq!(embed(&store), 0, "nothing waits for a vector that is there");
    assert_eq!(store.read(|view| view.embedder_of(Vectors::Pending)).unwrap(), None);
    assert_eq!(store.read(|view| view.vector_count(Vectors::Pending)).unwrap(), 0);
    put(&store, id, &["three"]);
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Pending)).unwrap(), 0);
}
