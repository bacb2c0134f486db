//! The store on the real LMDB.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that fails may say so by panicking"
)]

mod small;

use small::{axis, embed, find, open, put, put_recognised, record, register};

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use oriel_core::{DocumentId, Failure, FailureCode, Notice, SentenceId, SentenceRow};
use oriel_store::{
    DocumentState, EmbedderRecord, FolderRecord, Recognised, ScanRecord, Stamp, Store, StoreError,
    StoreOptions, Vectors,
};
use proptest::prelude::*;
use roaring::RoaringBitmap;

#[test]
fn what_is_put_is_found_and_what_is_removed_is_not() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let (a, b) = (register(&store, "a"), register(&store, "b"));
    assert_eq!(put(&store, a, &["gull", "tern", "gull"]), 2, "a sentence that stands twice is one");
    assert_eq!(put(&store, b, &["tern", "auk"]), 1);
    assert_eq!(find(&store, "tern"), [(a.0, 1), (b.0, 0)]);
    assert_eq!(embed(&store), 3);
    store.write(|edit| edit.remove_document(a)).unwrap();
    assert_eq!(find(&store, "tern"), [(b.0, 0)]);
    assert!(find(&store, "gull").is_empty());
    let dense = store.read(|view| view.search_dense(&axis(0), None, 10)).unwrap();
    assert_eq!(dense.len(), 2, "the vector of a sentence nobody holds is not found");
    store
        .read(|view| -> Result<_, StoreError> {
            assert_eq!(view.document_at(&PathBuf::from("/documents/a"))?, None);
            assert_eq!(view.text(a)?, None);
            assert_eq!(view.totals()?.sentences, 2);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_sentence_keeps_its_id_and_vector_through_an_edit() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    put(&store, id, &["one", "two", "three"]);
    embed(&store);
    let before = store.read(|view| Ok::<_, StoreError>(view.table(id)?.rows().collect::<Vec<_>>())).unwrap();
    assert_eq!(put(&store, id, &["zero", "one", "two", "three"]), 1);
    let after = store.read(|view| Ok::<_, StoreError>(view.table(id)?.rows().collect::<Vec<_>>())).unwrap();
    let ids = |rows: &[SentenceRow]| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(&after)[1..], ids(&before)[..]);
    assert_eq!(embed(&store), 1);
    assert_eq!(find(&store, "three"), [(id.0, 3)]);
}

#[test]
fn other_readers_read_all_documents_once_more() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    put(&store, id, &["one"]);
    let waiting = || store.read(|view| view.read_queue()).unwrap().contains(&id);
    assert!(!waiting());
    store.use_readers(1).unwrap();
    assert!(waiting() && find(&store, "one") == [(id.0, 0)], "it is found as before until then");
    put(&store, id, &["two"]);
    for readers in [1, 0] {
        store.use_readers(readers).unwrap();
        assert!(!waiting());
    }
}

#[test]
fn what_is_embedded_is_found_and_what_nobody_holds_is_not() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    put(&store, id, &["one", "two", "three", "four"]);
    embed(&store);
    let nearest =
        |number: u32| store.read(|view| view.search_dense(&axis(number), None, 1)).unwrap()[0].sentence.0;
    assert_eq!((0..4).map(nearest).collect::<Vec<_>>(), [0, 1, 2, 3]);
    put(&store, id, &["one", "two", "four", "five"]);
    embed(&store);
    assert_eq!(store.read(|view| view.vector_count(Vectors::Active)).unwrap(), 4);
    let all: BTreeSet<u32> = store
        .read(|view| view.search_dense(&axis(2), None, 10))
        .unwrap()
        .into_iter()
        .map(|hit| hit.sentence.0)
        .collect();
    assert_eq!(all, BTreeSet::from([0, 1, 3, 4]));
    let similarity = store.read(|view| view.search_dense(&axis(0), None, 1)).unwrap()[0].similarity;
    assert!((similarity - 1.0).abs() < 0.01, "{similarity}");
}

/// A vector of unit length near one of a hundred topics; the same number gives the same vector.
fn around_a_topic(number: u32, dimensions: usize) -> Vec<f32> {
    let mut state = number.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut topic = (number % 100).wrapping_mul(40_503).wrapping_add(7);
    let next = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let mut vector: Vec<f32> = (0..dimensions).map(|_| next(&mut topic) + 0.8 * next(&mut state)).collect();
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}

#[test]
fn the_nearest_of_many_are_found_with_and_without_a_filter() {
    the_nearest_of_many_are_found(384);
}

#[test]
fn dimensions_that_fill_no_whole_words_are_no_worse() {
    the_nearest_of_many_are_found(100);
}

fn the_nearest_of_many_are_found(dimensions: usize) {
    const COUNT: u32 = 6_000;
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    let words: Vec<String> = (0..COUNT).map(|n| format!("w{n}")).collect();
    put(&store, id, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let embedder = EmbedderRecord { fingerprint: "topics".into(), dimensions };
    let vectors: Vec<Vec<f32>> = (0..COUNT).map(|n| around_a_topic(n, dimensions)).collect();
    let size = || store.copy(|_| Ok::<_, StoreError>(())).unwrap();
    let without = size();
    store
        .write(|edit| {
            edit.use_embedder(&embedder)?;
            (0..)
                .zip(&vectors)
                .try_for_each(|(n, vector)| edit.put_vector(Vectors::Active, SentenceId(n), vector))
        })
        .unwrap();
    let each = (size() - without) / u64::from(COUNT);
    assert!(each < 1_000, "{each} bytes a vector: pages are not full");
    let even: RoaringBitmap = (0..COUNT).step_by(2).collect();
    for among in [None, Some(&even)] {
        let (mut found, mut wanted) = (0, 0);
        for query in (0..40).map(|n| around_a_topic(COUNT + n, dimensions)) {
            let similarity =
                |n: u32| -> f32 { vectors[n as usize].iter().zip(&query).map(|(a, b)| a * b).sum() };
            let mut all: Vec<u32> =
                (0..COUNT).filter(|n| among.is_none_or(|among| among.contains(*n))).collect();
            all.sort_by(|a, b| similarity(*b).total_cmp(&similarity(*a)));
            let hits = store.read(|view| view.search_dense(&query, among, 20)).unwrap();
            assert!(hits.is_sorted_by(|a, b| a.similarity >= b.similarity));
            found += hits.iter().filter(|hit| all[..20].contains(&hit.sentence.0)).count();
            wanted += 20;
        }
        assert!(found * 100 >= wanted * 99, "{found} of {wanted}");
    }
    let few: RoaringBitmap = [17, 5_999].into();
    let hits = store.read(|view| view.search_dense(&vectors[17], Some(&few), 20)).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.sentence.0).collect::<Vec<_>>(), [17, 5_999]);
    // The vectors and their codes go with their document.
    store.write(|edit| edit.remove_document(id)).unwrap();
    assert!(store.read(|view| view.search_dense(&vectors[17], None, 20)).unwrap().is_empty());
    assert_eq!(store.read(|view| view.check_vectors(Vectors::Active)).unwrap(), (vec![], vec![]));
}

#[test]
fn a_failure_drops_what_was_read_before() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let id = register(&store, "a");
    put(&store, id, &["one"]);
    let failure = Failure::new(FailureCode::Broken, Notice::text("It is broken."));
    store.write(|edit| edit.put_failure(id, &failure, Stamp::default(), None)).unwrap();
    assert!(find(&store, "one").is_empty());
    let found = store.read(|view| view.document(id)).unwrap().unwrap();
    assert_eq!(found.state, DocumentState::Failed(failure));
    assert!(store.read(|view| view.read_queue()).unwrap().is_empty(), "it is not tried again");
}

#[test]
fn recognised_pages_are_kept_until_all_are_or_the_file_changes() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let (before, id) = (register(&store, "a"), register(&store, "b"));
    let scan = Failure::new(FailureCode::NeedsOcr, Notice::text("It is a scan."));
    let scanned = |id| {
        store.write(|edit| edit.put_failure(id, &scan, Stamp::default(), Some("h"))).unwrap();
    };
    [before, id].into_iter().for_each(scanned);
    let page = |number: u32, languages: &str| Recognised {
        languages: languages.to_owned(),
        script: Some("Latin".to_owned()),
        pages: [(number, format!("page {number} in {languages}"))].into(),
    };
    let keep = |hash: &str, page: &Recognised| {
        store.write(|edit| edit.keep_pages(id, hash, page)).unwrap();
        store.read(|view| view.recognising(id)).unwrap().into_keys().collect::<Vec<_>>()
    };
    assert_eq!(keep("h", &page(1, "eng")), [1]);
    assert_eq!(keep("h", &page(2, "eng")), [1, 2]);
    assert_eq!(keep("other bytes", &page(3, "eng")), [1, 2]);
    assert_eq!(keep("h", &page(1, "deu")), [1], "in other languages it begins again");
    let pictured = store.read(|view| view.pictured(id)).unwrap().unwrap();
    assert_eq!((pictured.recognising.as_deref(), pictured.script.as_deref()), (Some("deu"), Some("Latin")));

    let both = Recognised { pages: [(1, "one".to_owned()), (2, "two".to_owned())].into(), ..page(1, "deu") };
    put_recognised(&store, id, &["one"], Some(&both));
    assert!(store.read(|view| view.recognising(id)).unwrap().is_empty());
    assert_eq!(store.read(|view| view.recognised(id, 2, 9)).unwrap(), [(2, "two".to_owned())].into());
    let pictured = store.read(|view| view.all_pictured()).unwrap();
    assert_eq!(pictured.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), [before, id]);
    put(&store, id, &["read"]);
    assert_eq!(store.read(|view| view.pictured(id)).unwrap(), None);
    assert!(store.read(|view| view.recognised(id, 0, u32::MAX)).unwrap().is_empty());
}

#[test]
fn the_map_grows_by_itself_and_other_processes_follow() {
    let place = tempfile::tempdir().unwrap();
    let store =
        Store::open(place.path(), StoreOptions { map_size: 256 << 10, ..StoreOptions::default() }).unwrap();
    // Text that does not compress.
    let mut state = 1u32;
    let mut word = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        format!("{state:x}")
    };
    for number in 0..40 {
        let words: Vec<String> = (0..500).map(|_| word()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let id = register(&store, &number.to_string());
        put(&store, id, &words);
        assert_eq!(find(&store, words[499]).first(), Some(&(id.0, 499)));
    }
    assert!(store.size_on_disk().unwrap() > 1 << 20, "the test wrote too little");
}

#[test]
fn an_edit_that_fails_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let failed: Result<(), _> = store.write(|edit| {
        edit.register(&record("a"))?;
        Err(StoreError::Cancelled)
    });
    assert!(matches!(failed, Err(StoreError::Cancelled)));
    assert_eq!(store.read(|view| Ok::<_, StoreError>(view.documents()?.count())).unwrap(), 0);
    assert_eq!(register(&store, "a"), DocumentId(0), "the id was not used up");
}

#[test]
fn the_writer_is_one_at_a_time() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let lock = store.lock_writer().unwrap();
    match store.lock_writer() {
        Err(StoreError::Busy { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
        other => panic!("{other:?}"),
    }
    drop(lock);
    store.lock_writer().unwrap();
}

#[test]
fn a_failed_document_is_tried_again_once_and_keeps_its_failure_until_then() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let (bad, good) = (register(&store, "bad"), register(&store, "good"));
    put(&store, good, &["gull"]);
    let failure = Failure::new(FailureCode::Broken, Notice::text("It is damaged."));
    store.write(|edit| edit.put_failure(bad, &failure, Stamp::default(), Some("h"))).unwrap();
    assert!(store.write(|edit| edit.retry(bad)).unwrap());
    assert!(!store.write(|edit| edit.retry(good)).unwrap(), "it was read");
    assert!(!store.write(|edit| edit.retry(DocumentId(99))).unwrap(), "there is none");
    store
        .read(|view| -> Result<_, StoreError> {
            assert_eq!(view.read_queue()?, [bad]);
            let record = view.document(bad)?.unwrap();
            assert_eq!((record.hash, record.state), (None, DocumentState::Failed(failure.clone())));
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_is_known_of_a_folder_is_replaced_and_never_brought_back() {
    let place = tempfile::tempdir().unwrap();
    let store = open(&place);
    let mut folder = FolderRecord { path: "/documents".into(), ..FolderRecord::default() };
    store.write(|edit| edit.add_folder(&folder)).unwrap();
    folder.excludes = vec!["*.log".into()];
    let before = store.read(|view| Ok::<_, StoreError>(view.version())).unwrap();
    store.write(|edit| edit.put_folder(0, &folder)).unwrap();
    let scan = ScanRecord {
        skipped: 3,
        extensions: [("mp3".into(), 2), (String::new(), 1)].into(),
        page_parts: 1,
        part_names: [("_static".into(), 1)].into(),
        ..ScanRecord::default()
    };
    store.write(|edit| edit.set_scan(&scan)).unwrap();
    let after = store.read(|view| Ok::<_, StoreError>(view.version())).unwrap();
    assert!(after > before, "{after} is not later than {before}");
    assert_eq!(store.read(|view| view.folder(0)).unwrap(), Some(folder.clone()));
    assert_eq!(store.read(|view| view.scan()).unwrap(), Some(scan));
    store.write(|edit| edit.remove_folder(0)).unwrap();
    store.write(|edit| edit.put_folder(0, &folder)).unwrap();
    assert_eq!(store.read(|view| view.folders()).unwrap(), []);
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8, Vec<u8>),
    Remove(u8),
    Fail(u8),
    Embed,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = proptest::collection::vec(0u8..12, 0..8);
    let step = prop_oneof![
        4 => (0u8..4, words).prop_map(|(document, words)| Step::Put(document, words)),
        1 => (0u8..4).prop_map(Step::Remove),
        1 => (0u8..4).prop_map(Step::Fail),
        2 => Just(Step::Embed),
    ];
    proptest::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// After any sequence of operations, the searchable content equals a simple model.
    #[test]
    fn the_store_equals_its_model(steps in steps()) {
        let place = tempfile::tempdir().unwrap();
        let store = open(&place);
        let mut model: BTreeMap<u8, (DocumentId, Vec<u8>)> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(document, words) => {
                    let entry = model
                        .entry(document)
                        .or_insert_with(|| (register(&store, &document.to_string()), Vec::new()));
                    let names: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
                    put(&store, entry.0, &names.iter().map(String::as_str).collect::<Vec<_>>());
                    entry.1 = words;
                }
                Step::Remove(document) => {
                    if let Some((id, _)) = model.remove(&document) {
                        store.write(|edit| edit.remove_document(id)).unwrap();
                    }
                }
                Step::Fail(document) => {
                    if let Some((id, words)) = model.get_mut(&document) {
                        let failure = Failure::new(FailureCode::Broken, Notice::text("x"));
                        store.write(|edit| edit.put_failure(*id, &failure, Stamp::default(), None)).unwrap();
                        words.clear();
                    }
                }
                Step::Embed => {
                    embed(&store);
                }
            }
            for word in 0u8..12 {
                let wanted: BTreeSet<(u32, u32)> = model
                    .values()
                    .flat_map(|(id, words)| {
                        (0u32..).zip(words).filter(|(_, one)| **one == word).map(|(at, _)| (id.0, at))
                    })
                    .collect();
                let found: BTreeSet<_> = find(&store, &format!("w{word}")).into_iter().collect();
                prop_assert_eq!(found, wanted);
            }
            let (without, orphaned) = store.read(|view| view.check_vectors(Vectors::Active)).unwrap();
            prop_assert!(without.is_empty() && orphaned.is_empty(), "{:?} {:?}", without, orphaned);
        }
        embed(&store);
        let held: BTreeSet<u8> = model.values().flat_map(|(_, words)| words.iter().copied()).collect();
        let dense = store.read(|view| view.search_dense(&axis(0), None, 100)).unwrap();
        prop_assert_eq!(dense.len(), held.len());
        for hit in dense {
            let places = store
                .read(|view| -> Result<_, StoreError> {
                    let mut places = 0;
                    for document in view.occurrences(hit.sentence)? {
                        places += view.table(document?)?.ordinals_of(hit.sentence).count();
                    }
                    Ok(places)
                })
                .unwrap();
            prop_assert!(places > 0, "a vector was found that stands nowhere");
        }
    }
}
