//! Copies of a store, compacting, and repair of a store that the test damaged.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

use std::fs;
use std::path::Path;

use heed::types::Bytes;
use heed::{CommitOrAbort, Database};
use oriel_core::{ByteSpan, CancelToken, DocumentId, Extracted, Kind, Outline, Sentence, SentenceId};
use oriel_store::{
    DocumentRecord, DocumentState, DocumentTerms, EmbedderRecord, FolderRecord, NewText, SentenceHash,
    SentenceTable, Stamp, Store, StoreError, StoreOptions, Vectors,
};
use tempfile::TempDir;

mod small;

use small::{database, opened_raw};

const TEXTS: [&str; 3] = ["red. green. blue.", "green. black.", "white."];

fn hash(sentence: &str) -> SentenceHash {
    let mut hash = [0; 16];
    hash[..sentence.len()].copy_from_slice(sentence.as_bytes());
    hash
}

fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('.') {
        let begin = start + text[start..].len() - text[start..].trim_start().len();
        found.push(Sentence { span: ByteSpan { start: begin as u32, end: at as u32 + 1 }, page: None });
        start = at + 1;
    }
    found
}

fn digest_of(text: &str, spans: impl Iterator<Item = ByteSpan>) -> (Vec<SentenceHash>, Vec<Vec<String>>) {
    let slices = spans.map(|span| span.of(text).unwrap().to_owned());
    slices.map(|slice| (hash(&slice), vec![slice.trim_end_matches('.').to_owned()])).unzip()
}

fn digest(
    _: &DocumentRecord,
    text: &str,
    _: &Outline,
    table: &SentenceTable<'_>,
) -> Option<(Vec<SentenceHash>, Vec<Vec<String>>)> {
    Some(digest_of(text, table.rows().map(|row| row.span)))
}

/// A store of three documents; one sentence has no vector.
fn filled(folder: &Path) -> Store {
    let store = Store::open(folder, StoreOptions::default()).unwrap();
    let put = |name: usize, text: &str| {
        let sentences = sentences(text);
        let (hashes, terms) = digest_of(text, sentences.iter().map(|sentence| sentence.span));
        let extracted = Extracted { sentences, ..Extracted::new(Kind::Text, text.to_owned()) };
        store
            .write(|edit| {
                let id = edit.register(&DocumentRecord::unread(
                    format!("/documents/{name}.txt").into(),
                    Kind::Text,
                    Stamp::default(),
                ))?;
                edit.put_text(
                    id,
                    &NewText {
                        extracted: &extracted,
                        hashes: &hashes,
                        terms: &DocumentTerms::of(&terms),
                        head: None,
                        file_hash: "00",
                        stamp: Stamp::default(),
                        locked: false,
                        recognised: None,
                    },
                )
            })
            .unwrap();
    };
    store
        .write(|edit| edit.add_folder(&FolderRecord { path: "/documents".into(), ..FolderRecord::default() }))
        .unwrap();
    let embedder = EmbedderRecord { fingerprint: "test".into(), dimensions: 4 };
    let embed = |count: usize| {
        store
            .write(|edit| {
                let waiting = edit.view().unembedded(Vectors::Active, SentenceId(0), count)?;
                waiting.iter().try_for_each(|&id| {
                    let mut vector = [0.0; 4];
                    vector[id.0 as usize % 4] = 1.0;
                    edit.put_vector(Vectors::Active, id, &vector)
                })
            })
            .unwrap();
    };
    put(0, TEXTS[0]);
    store.write(|edit| edit.use_embedder(&embedder)).unwrap();
    embed(3);
    put(1, TEXTS[1]);
    embed(1);
    put(2, TEXTS[2]);
    store
}

type Dump = Vec<(String, Vec<(Vec<u8>, Vec<u8>)>)>;

/// All entries of the environment.
fn dump(folder: &Path) -> Dump {
    let env = opened_raw(folder);
    let root = database(&env, None);
    let txn = env.read_txn().unwrap();
    let names: Vec<String> =
        root.iter(&txn).unwrap().map(|entry| String::from_utf8(entry.unwrap().0.to_vec()).unwrap()).collect();
    drop(txn);
    let databases: Vec<_> = names.iter().map(|name| database(&env, Some(name))).collect();
    let txn = env.read_txn().unwrap();
    let contents = |database: &Database<'static, Bytes, Bytes>| {
        let entries = database.iter(&txn).unwrap().map(|entry| entry.unwrap());
        entries.map(|(key, value)| (key.to_vec(), value.to_vec())).collect()
    };
    let dump = names.into_iter().zip(databases.iter().map(contents)).collect();
    drop(txn);
    env.prepare_for_closing().wait();
    dump
}

/// Changes one database from outside.
fn damage(
    folder: &Path,
    name: &str,
    how: impl FnOnce(&Database<'static, Bytes, Bytes>, &mut heed::RwTxn<'_>),
) {
    let env = opened_raw(folder);
    let database = database(&env, Some(name));
    let mut txn = env.write_txn().unwrap();
    how(&database, &mut txn);
    txn.commit().unwrap();
    env.prepare_for_closing().wait();
}

fn repaired(folder: &Path) -> oriel_store::Repairs {
    let store = Store::open(folder, StoreOptions::default()).unwrap();
    store.write(|edit| edit.repair(&digest, &CancelToken::new())).unwrap()
}

#[test]
fn a_sound_store_is_repaired_into_itself() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    let before = dump(place.path());
    let repairs = repaired(place.path());
    assert_eq!((repairs.recomputed, repairs.reread, repairs.forgotten, repairs.unembedded), (3, 0, 0, 0));
    assert_eq!(dump(place.path()), before);
}

#[test]
fn whatever_can_be_worked_out_comes_back_as_it_was() {
    for name in ["paths", "hashes", "occurrences", "postings", "frequencies", "terms", "codes"] {
        let place = TempDir::new().unwrap();
        drop(filled(place.path()));
        let before = dump(place.path());
        damage(place.path(), name, |database, txn| database.clear(txn).unwrap());
        assert_ne!(dump(place.path()), before, "{name} was empty anyway");
        repaired(place.path());
        assert_eq!(dump(place.path()), before, "after {name} was lost");
    }
}

#[test]
fn sentences_that_lost_their_vector_wait_for_one() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    for name in ["vectors-f16", "codes", "unembedded"] {
        damage(place.path(), name, |database, txn| database.clear(txn).unwrap());
    }
    let repairs = repaired(place.path());
    assert_eq!(repairs.unembedded, 5, "all distinct sentences");
    let store = Store::open(place.path(), StoreOptions::default()).unwrap();
    assert_eq!(store.read(|view| view.check_vectors(Vectors::Active)).unwrap(), (Vec::new(), Vec::new()));
    assert_eq!(store.read(|view| view.unembedded_count(Vectors::Active)).unwrap(), 5);
}

#[test]
fn a_text_that_is_gone_is_read_again_and_the_others_stay() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    damage(place.path(), "texts", |database, txn| {
        database.put(txn, &1u32.to_be_bytes(), b"not a packed text").unwrap();
    });
    damage(place.path(), "documents", |database, txn| {
        database.put(txn, &2u32.to_be_bytes(), b"{").unwrap();
    });
    let repairs = repaired(place.path());
    assert_eq!((repairs.recomputed, repairs.reread, repairs.forgotten), (1, 1, 1));
    let store = Store::open(place.path(), StoreOptions::default()).unwrap();
    store
        .read(|view| {
            assert_eq!(view.read_queue()?, [DocumentId(1)]);
            let waiting = view.document(DocumentId(1))?.unwrap();
            assert_eq!((waiting.state, waiting.hash), (DocumentState::Waiting, None));
            assert_eq!(view.document(DocumentId(2))?, None);
            assert_eq!(view.document_at(Path::new("/documents/2.txt"))?, None);
            assert_eq!(view.table(DocumentId(0))?.len(), 3);
            assert_eq!(view.totals()?.sentences, 3);
            Ok::<_, StoreError>(())
        })
        .unwrap();
}

#[test]
fn ids_are_not_given_twice_after_the_counters_were_lost() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    damage(place.path(), "meta", |database, txn| {
        for counter in ["next-document", "next-sentence", "next-folder"] {
            assert!(database.delete(txn, counter.as_bytes()).unwrap());
        }
    });
    let before = dump(place.path());
    repaired(place.path());
    let after = dump(place.path());
    let of = |dump: &Dump, name: &str| dump.iter().find(|(other, _)| other == name).unwrap().1.clone();
    assert_eq!(of(&after, "tables"), of(&before, "tables"));
    for counter in [("next-document", 3u32), ("next-sentence", 5), ("next-folder", 1)] {
        let stored = of(&after, "meta").into_iter().find(|(key, _)| key == counter.0.as_bytes()).unwrap().1;
        assert_eq!(stored, counter.1.to_be_bytes(), "{}", counter.0);
    }
}

#[test]
fn a_copy_is_a_store_of_its_own_and_knows_nothing_of_what_came_later() {
    let place = TempDir::new().unwrap();
    let store = filled(&place.path().join("original"));
    let copied = place.path().join("copy");
    fs::create_dir(&copied).unwrap();
    let mut bytes = Vec::new();
    let mut changed = false;
    let count = store
        .copy(|piece| {
            bytes.extend_from_slice(piece);
            if !std::mem::replace(&mut changed, true) {
                store.write(|edit| edit.remove_document(DocumentId(0)))?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
    assert_eq!(count, bytes.len() as u64);
    fs::write(copied.join("data.mdb"), bytes).unwrap();
    let copy = Store::open(&copied, StoreOptions::default()).unwrap();
    assert_eq!(copy.read(|view| view.text(DocumentId(0))).unwrap().as_deref(), Some(TEXTS[0]));
    assert_eq!(store.read(|view| view.text(DocumentId(0))).unwrap(), None);
}

#[test]
fn compacting_gives_room_back_and_changes_nothing() {
    let place = TempDir::new().unwrap();
    let store = filled(place.path());
    // This space is used and then free again.
    let large = |round: u32| FolderRecord {
        path: format!("/documents/{round}").into(),
        excludes: vec!["x".repeat(100_000)],
        ..FolderRecord::default()
    };
    for round in 0..20 {
        store.write(|edit| edit.add_folder(&large(round))).unwrap();
    }
    store.write(|edit| (1..21).try_for_each(|number| edit.remove_folder(number))).unwrap();
    drop(store);
    let before = dump(place.path());
    let store = Store::open(place.path(), StoreOptions::default()).unwrap();
    let mut told = Vec::new();
    let done = store.compact(&CancelToken::new(), &mut |done, total| told.push((done, total))).unwrap();
    assert!(done.after * 4 < done.before, "{done:?}");
    assert_eq!(told.last().map(|&(done, _)| done), Some(done.after));
    assert!(told.iter().all(|&(done, total)| done <= total));
    assert_eq!(dump(place.path()), before);
    assert!(!place.path().join("data.mdb.compacted").exists());
}

#[test]
fn a_compacting_that_is_cancelled_changes_nothing_and_leaves_nothing() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    let before = fs::read(place.path().join("data.mdb")).unwrap();
    let cancel = CancelToken::new();
    cancel.cancel();
    let store = Store::open(place.path(), StoreOptions::default()).unwrap();
    assert!(matches!(store.compact(&cancel, &mut |_, _| {}), Err(StoreError::Cancelled)));
    assert_eq!(fs::read(place.path().join("data.mdb")).unwrap(), before);
    assert!(!place.path().join("data.mdb.compacted").exists());
}

#[test]
fn what_a_kill_left_of_a_compacting_goes_with_the_next_opening() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    let before = dump(place.path());
    let left = place.path().join("data.mdb.compacted");
    fs::write(&left, "half a copy").unwrap();
    drop(Store::open(place.path(), StoreOptions::default()).unwrap());
    assert!(!left.exists());
    assert_eq!(dump(place.path()), before);
}

/// LMDB would crash with a bus error at the first missing page.
#[test]
fn a_data_file_that_was_cut_off_is_reported_and_ends_nobody() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    let path = place.path().join("data.mdb");
    let length = fs::metadata(&path).unwrap().len();
    for keep in [length / 2, length / 4, 3 * 4096] {
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(keep).unwrap();
        let outcome = Store::open(place.path(), StoreOptions::default())
            .and_then(|store| store.write(|edit| edit.repair(&digest, &CancelToken::new())));
        let error = outcome.expect_err("a store with half of its pages was taken for sound");
        assert!(error.is_beyond_repair(), "{error}");
    }
}

#[test]
fn a_store_of_another_version_is_refused_and_not_touched() {
    for version in [0, 2, 3, 4, 5, 7, 99] {
        let place = TempDir::new().unwrap();
        drop(filled(place.path()));
        damage(place.path(), "meta", |meta, txn| {
            meta.put(txn, b"version", &u32::to_be_bytes(version)).unwrap();
        });
        let before = fs::read(place.path().join("data.mdb")).unwrap();
        let error = Store::open(place.path(), StoreOptions::default()).err().unwrap();
        if version > 6 {
            assert!(matches!(error, StoreError::Newer { found, .. } if found == version), "{error}");
        } else {
            assert!(matches!(error, StoreError::Unreleased { found, .. } if found == version), "{error}");
        }
        assert_eq!(error.is_beyond_repair(), version < 6, "what a newer Oriel can read is not set aside");
        assert!(fs::read(place.path().join("data.mdb")).unwrap() == before);
    }
}

/// The vectors of a store by sentence, one f32 for each dimension.
fn in_f32(vectors: &Database<'static, Bytes, Bytes>, txn: &heed::RwTxn<'_>) -> Vec<(Vec<u8>, Vec<u8>)> {
    let wide = |vector: &[u8]| {
        let halves = vector.as_chunks::<2>().0.iter().map(|two| half::f16::from_le_bytes(*two));
        halves.flat_map(|half| half.to_f32().to_le_bytes()).collect()
    };
    vectors
        .iter(txn)
        .unwrap()
        .map(|row| row.map(|(key, vector)| (key.to_vec(), wide(vector))).unwrap())
        .collect()
}

/// The databases that only version 1 has.
const UPGRADED_NAMES: [&str; 3] = ["fresh", "stale", "vectors"];

/// Puts the vectors of a store where version 1 stored them: all but the first in arroy's trees, with one that belongs
/// to no sentence.
fn as_in_version_1(folder: &Path) {
    let env = opened_raw(folder);
    let made = env.create_databases_and_commit(env.write_txn().unwrap(), |opener, txn| {
        let made =
            UPGRADED_NAMES.map(|name| opener.create_database::<Bytes, Bytes>(txn, Some(name)).unwrap());
        Ok::<_, heed::Error>(CommitOrAbort::<_, ()>::Commit(made))
    });
    let [fresh, stale, trees] = made.unwrap().commit().unwrap();
    let [vectors, codes, postings, meta] =
        ["vectors-f16", "codes", "postings", "meta"].map(|name| database(&env, Some(name)));
    let mut txn = env.write_txn().unwrap();
    let rows = in_f32(&vectors, &txn);
    let item = |id: &[u8]| [&[0, 0, 3], id, &[0]].concat();
    let leaf = |vector: &[u8]| [&[0], 1f32.to_le_bytes().as_slice(), vector].concat();
    fresh.put(&mut txn, &rows[0].0, &rows[0].1).unwrap();
    for (id, vector) in &rows[1..] {
        trees.put(&mut txn, &item(id), &leaf(vector)).unwrap();
    }
    let nobody = 77u32.to_be_bytes();
    trees.put(&mut txn, &item(&nobody), &leaf(&rows[0].1)).unwrap();
    stale.put(&mut txn, &nobody, &[]).unwrap();
    // A node of the trees, and arroy's own metadata.
    trees.put(&mut txn, &[0, 0, 2, 0, 0, 0, 9, 0], &[1, 2, 3]).unwrap();
    trees.put(&mut txn, &[0; 8], &[4, 5]).unwrap();
    // Postings had another format; `words.rs` tests their upgrade.
    [vectors, codes, postings].iter().for_each(|database| database.clear(&mut txn).unwrap());
    meta.put(&mut txn, b"version", &1u32.to_be_bytes()).unwrap();
    txn.commit().unwrap();
    env.prepare_for_closing().wait();
}

#[test]
fn vectors_of_version_1_are_kept() {
    let place = TempDir::new().unwrap();
    drop(filled(place.path()));
    let of = |name: &str| dump(place.path()).into_iter().find(|(other, _)| other == name).unwrap().1;
    let names = ["vectors-f16", "codes", "unembedded"];
    let before = names.map(of);
    assert!(before.iter().all(|rows| !rows.is_empty()));
    as_in_version_1(place.path());
    let store = Store::open(place.path(), StoreOptions::default()).unwrap();
    assert_eq!(store.read(|view| view.check_vectors(Vectors::Active)).unwrap(), (Vec::new(), Vec::new()));
    drop(store);
    assert_eq!(names.map(of), before);
    assert!(UPGRADED_NAMES.map(of).iter().all(Vec::is_empty));
}
