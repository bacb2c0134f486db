//! Small stores for the tests: words as sentences, axes as vectors.

#![allow(dead_code, reason = "each program of tests uses some of it")]

use std::path::{Path, PathBuf};

use heed::types::Bytes;
use heed::{CommitOrAbort, Database, Env, EnvOpenOptions};
use oriel_core::{ByteSpan, DocumentId, Extracted, Kind, PageMap, Sentence, SentenceId};
use oriel_store::{
    DocumentRecord, DocumentTerms, EmbedderRecord, NewText, Recognised, SentenceHash, Stamp, Store,
    StoreOptions, Vectors,
};
use tempfile::TempDir;

pub const DIMENSIONS: usize = 4;

pub fn open(place: &TempDir) -> Store {
    Store::open(place.path(), StoreOptions::default()).unwrap()
}

pub fn record(name: &str) -> DocumentRecord {
    DocumentRecord::unread(PathBuf::from("/documents").join(name), Kind::Text, Stamp::default())
}

pub fn register(store: &Store, name: &str) -> DocumentId {
    store.write(|edit| edit.register(&record(name))).unwrap()
}

/// Stores a text with one sentence per word; the word is the only term of its sentence.
pub fn put(store: &Store, id: DocumentId, words: &[&str]) -> usize {
    put_recognised(store, id, words, None)
}

/// Stores such a text as a recognised one.
pub fn put_recognised(
    store: &Store,
    id: DocumentId,
    words: &[&str],
    recognised: Option<&Recognised>,
) -> usize {
    let text = words.join(" ");
    let mut at = 0;
    let mut sentences = Vec::new();
    for word in words {
        let end = at + word.len() as u32;
        sentences.push(Sentence { span: ByteSpan::new(at, end), page: Some(2) });
        at = end + 1;
    }
    let hashes: Vec<SentenceHash> = words.iter().map(|word| hash(word)).collect();
    let terms: Vec<Vec<String>> = words.iter().map(|word| vec![(*word).to_owned()]).collect();
    let terms = DocumentTerms::of(&terms);
    let pages = PageMap(vec![0, 0]);
    let extracted = Extracted { pages, sentences, ..Extracted::new(Kind::Text, text) };
    let new = NewText {
        extracted: &extracted,
        hashes: &hashes,
        terms: &terms,
        head: None,
        file_hash: "h",
        stamp: Stamp::default(),
        locked: false,
        recognised,
    };
    store.write(|edit| edit.put_text(id, &new)).unwrap()
}

pub fn hash(word: &str) -> SentenceHash {
    let mut hash = [0; 16];
    for (at, byte) in word.bytes().enumerate() {
        hash[at % 16] ^= byte.wrapping_add(at as u8);
    }
    hash
}

/// Gives every waiting sentence the unit vector along the axis of its id.
pub fn embed(store: &Store) -> usize {
    let embedder = EmbedderRecord { fingerprint: "axes".into(), dimensions: DIMENSIONS };
    store.write(|edit| edit.use_embedder(&embedder)).unwrap();
    let waiting = store.read(|view| view.unembedded(Vectors::Active, SentenceId(0), usize::MAX)).unwrap();
    store
        .write(|edit| {
            waiting
                .iter()
                .try_for_each(|&sentence| edit.put_vector(Vectors::Active, sentence, &axis(sentence.0)))
        })
        .unwrap();
    waiting.len()
}

pub fn axis(number: u32) -> Vec<f32> {
    let mut vector = vec![0.01; DIMENSIONS];
    vector[number as usize % DIMENSIONS] = 1.0;
    vector
}

pub fn find(store: &Store, word: &str) -> Vec<(u32, u32)> {
    let hits = store.read(|view| view.search_sparse(&[word.to_owned()], None, 50)).unwrap();
    hits.into_iter().map(|hit| (hit.document.0, hit.ordinal.0)).collect()
}

/// Opens the store's environment directly, to inspect or damage it.
pub fn opened_raw(folder: &Path) -> Env {
    let mut options = EnvOpenOptions::new();
    options.map_size(1 << 30).max_dbs(32);
    // SAFETY: nobody else has the environment open.
    #[expect(unsafe_code, reason = "a memory map is unsafe by its nature")]
    unsafe { options.open(folder) }.unwrap()
}

pub fn database(env: &Env, name: Option<&str>) -> Database<'static, Bytes, Bytes> {
    let txn = env.read_txn().unwrap();
    env.open_databases_and_commit(txn, |opener, txn| {
        let found = opener.open_database(txn, name)?;
        Ok::<_, heed::Error>(found.map_or(CommitOrAbort::Abort(()), CommitOrAbort::Commit))
    })
    .unwrap()
    .commit()
    .unwrap()
}
