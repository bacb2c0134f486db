//! Postings and the search by words, compared with simple models of both.

#![expect(clippy::unwrap_used, reason = "a test that fails may say so by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use oriel_core::{ByteSpan, DocumentId, Extracted, Failure, FailureCode, Kind, Notice, Ordinal, Sentence};
use oriel_store::{DocumentTerms, Edit, NewText, Posting, SparseHit, Stamp, Store, StoreError, View};
use proptest::prelude::*;
use roaring::RoaringBitmap;
use tempfile::TempDir;

mod small;

use small::{database, opened_raw};

/// The terms of each sentence, by document.
type Documents = BTreeMap<DocumentId, Vec<Vec<String>>>;

/// With this number of documents no word is frequent enough to be ignored.
const DOCUMENTS: usize = 40;
const TERMS: [&str; 5] = ["oak", "oaks", "elm", "ash", "yew"];

/// Sentences of a document; the first terms are in most of them.
fn sentences() -> impl Strategy<Value = Vec<Vec<String>>> {
    let term = (0..TERMS.len(), 0..TERMS.len()).prop_map(|(a, b)| TERMS[a.min(b)].to_owned());
    proptest::collection::vec(proptest::collection::vec(term, 0..6), 0..45)
}

/// A document with its new sentences, or `None` if it can no longer be read.
type Change = (usize, Option<Vec<Vec<String>>>);

/// Transactions of several changes each.
fn changes() -> impl Strategy<Value = Vec<Vec<Change>>> {
    let change = (0..DOCUMENTS, prop_oneof![4 => sentences().prop_map(Some), 1 => Just(None)]);
    proptest::collection::vec(proptest::collection::vec(change, 1..20), 1..8)
}

fn registered(store: &Store, count: usize) -> Vec<DocumentId> {
    let register = |edit: &mut Edit<'_>| {
        (0..count).map(|number| edit.register(&small::record(&number.to_string()))).collect()
    };
    store.write(register).unwrap()
}

fn put(store: &Store, ids: &[DocumentId], documents: &mut Documents, changes: &[Change]) {
    let failure = Failure::new(FailureCode::Broken, Notice::text("x"));
    let change = |edit: &mut Edit<'_>| {
        for (number, new) in changes {
            let Some(sentences) = new else {
                edit.put_failure(ids[*number], &failure, Stamp::default(), None)?;
                continue;
            };
            let text = vec!["tree"; sentences.len()].join(" ");
            let span = |at: usize| ByteSpan::new(at as u32 * 5, at as u32 * 5 + 4);
            let spans = (0..sentences.len()).map(|at| Sentence { span: span(at), page: None });
            let extracted = Extracted { sentences: spans.collect(), ..Extracted::new(Kind::Text, text) };
            let new = NewText {
                extracted: &extracted,
                hashes: &vec![[7; 16]; sentences.len()],
                terms: &DocumentTerms::of(sentences),
                head: None,
                file_hash: "h",
                stamp: Stamp::default(),
                locked: false,
                recognised: None,
            };
            edit.put_text(ids[*number], &new)?;
        }
        Ok(())
    };
    store.write(change).unwrap();
    for (number, new) in changes {
        match new {
            Some(sentences) => documents.insert(ids[*number], sentences.clone()),
            None => documents.remove(&ids[*number]),
        };
    }
}

/// The documents that contain a term, with those of their sentences that do.
fn holding(store: &Store, term: &str) -> Vec<(DocumentId, Vec<Ordinal>)> {
    let all = |posting: Posting<'_>| posting.ordinals().collect::<Result<Vec<_>, _>>();
    let holding = |view: View<'_>| {
        let mut documents = Vec::new();
        for posting in view.postings(term)? {
            let posting = posting?;
            let alone = view.posting(term, posting.document)?.map(all).transpose()?;
            documents.push((posting.document, all(posting)?));
            assert_eq!(alone.as_ref(), documents.last().map(|(_, ordinals)| ordinals));
        }
        Ok::<_, StoreError>(documents)
    };
    store.read(holding).unwrap()
}

/// BM25 of every sentence that contains a term of the query.
fn scored(
    documents: &Documents,
    query: &[String],
    among: Option<&RoaringBitmap>,
) -> BTreeMap<(DocumentId, Ordinal), f64> {
    let all: Vec<&Vec<String>> = documents.values().flatten().collect();
    let mean = all.iter().map(|terms| terms.len()).sum::<usize>() as f64 / all.len() as f64;
    let chosen = |id: &DocumentId| among.is_none_or(|among| among.contains(id.0));
    let chosen: Vec<_> = documents.iter().filter(|(id, _)| chosen(id)).collect();
    let count = chosen.iter().map(|(_, sentences)| sentences.len()).sum::<usize>() as f64;
    let rarity = |term| {
        let all = chosen.iter().flat_map(|(_, sentences)| *sentences);
        let holding = all.filter(|terms: &&Vec<String>| terms.contains(term)).count() as f64;
        (term, (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln())
    };
    let query: Vec<(&String, f64)> = query.iter().map(rarity).collect();
    let mut scores = BTreeMap::new();
    for (id, sentences) in &chosen {
        for (ordinal, terms) in (0..).zip(*sentences) {
            let mut score = 0.0;
            for (term, rarity) in &query {
                let here = terms.iter().filter(|other| other == term).count() as f64;
                let norm = 1.2 * (0.25 + 0.75 * terms.len() as f64 / mean.max(1.0));
                score += rarity * here * 2.2 / (here + norm);
            }
            if score > 0.0 {
                scores.insert((**id, Ordinal(ordinal)), score);
            }
        }
    }
    scores
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn words_are_found_as_a_plain_model_finds_them(changes in changes(), asked in 1usize..32, limit in 1usize..30) {
        let place = TempDir::new().unwrap();
        let store = small::open(&place);
        let ids = registered(&store, DOCUMENTS);
        let mut documents = Documents::new();
        for changes in &changes {
            put(&store, &ids, &mut documents, changes);
        }
        for term in TERMS {
            let mut expected = Vec::new();
            for (id, sentences) in &documents {
                let ordinals: Vec<_> = (0..).zip(sentences)
                    .filter(|(_, terms)| terms.iter().any(|other| other == term))
                    .map(|(ordinal, _)| Ordinal(ordinal)).collect();
                if !ordinals.is_empty() {
                    expected.push((*id, ordinals));
                }
            }
            prop_assert_eq!(holding(&store, term), expected, "{}", term);
        }
        let asked = TERMS.iter().enumerate().filter(|(bit, _)| asked >> bit & 1 == 1);
        let query: Vec<String> = asked.map(|(_, term)| (*term).to_owned()).collect();
        let some: RoaringBitmap = documents.keys().map(|id| id.0).filter(|id| id % 3 != 0).collect();
        for among in [None, Some(&some)] {
            let expected = scored(&documents, &query, among);
            let every = store.read(|view| view.search_sparse(&query, among, usize::MAX)).unwrap();
            let best = store.read(|view| view.search_sparse(&query, among, limit)).unwrap();
            prop_assert_eq!(&every[..limit.min(every.len())], &best[..]);
            prop_assert_eq!(every.len(), expected.len());
            for hit in &every {
                let score = expected[&(hit.document, hit.ordinal)];
                prop_assert!((f64::from(hit.score) - score).abs() < 1e-4, "{:?} {}", hit, score);
            }
            let place = |hit: &SparseHit| (hit.document, hit.ordinal);
            let is_before = |a: &SparseHit, b: &SparseHit| a.score > b.score || a.score == b.score && place(a) < place(b);
            prop_assert!(every.is_sorted_by(is_before), "{:?}", every);
        }
    }
}

/// Gives each document of a term its own entry, as in version 1.
fn as_in_version_1(folder: &Path) {
    let env = opened_raw(folder);
    let (postings, meta) = (database(&env, Some("postings")), database(&env, Some("meta")));
    let mut txn = env.write_txn().unwrap();
    let blocks: Vec<(Vec<u8>, Vec<u8>)> = postings
        .iter(&txn)
        .unwrap()
        .map(|row| row.map(|(key, block)| (key.to_vec(), block.to_vec())).unwrap())
        .collect();
    postings.clear(&mut txn).unwrap();
    for (key, block) in blocks {
        let (term, first) = key.split_last_chunk::<4>().unwrap();
        // All numbers in these stores are single-byte varints.
        let (mut document, mut rest) = (u32::from_be_bytes(*first), block.as_slice());
        while let [step, length, tail @ ..] = rest {
            let (mut sentences, tail) = tail.split_at(usize::from(*length));
            document += u32::from(*step);
            let mut triples = Vec::new();
            while let [step, tail @ ..] = sentences {
                let (frequency, tail) = if step % 2 == 0 { (1, tail) } else { (tail[0], &tail[1..]) };
                triples.extend([step / 2, frequency, tail[0]]);
                sentences = &tail[1..];
            }
            postings.put(&mut txn, &[term, &document.to_be_bytes()].concat(), &triples).unwrap();
            rest = tail;
        }
    }
    meta.put(&mut txn, b"version", &1u32.to_be_bytes()).unwrap();
    txn.commit().unwrap();
    env.prepare_for_closing().wait();
}

#[test]
fn postings_of_version_1_are_kept() {
    let place = TempDir::new().unwrap();
    let store = small::open(&place);
    let ids = registered(&store, 200);
    let sentences = |number: usize| {
        let oaks = vec!["oak".to_owned(); 1 + number % 2];
        vec![vec!["elm".to_owned()], [oaks, vec![format!("w{number}")]].concat()]
    };
    let changes: Vec<Change> = (0..200).map(|number| (number, Some(sentences(number)))).collect();
    let mut documents = Documents::new();
    put(&store, &ids, &mut documents, &changes);
    let query = ["oak", "elm", "w7", "w8"].map(str::to_owned);
    let found = |store: &Store| {
        let hits = store.read(|view| view.search_sparse(&query, None, usize::MAX)).unwrap();
        (hits, holding(store, "oak"), holding(store, "w7"))
    };
    let before = found(&store);
    assert_eq!((before.0.len(), before.1.len(), before.2.len()), (400, 200, 1));
    drop(store);
    as_in_version_1(place.path());
    let store = small::open(&place);
    assert_eq!(found(&store), before);
    for (id, sentences) in &documents {
        assert!(store.read(|view| view.check_postings(*id, &DocumentTerms::of(sentences))).unwrap());
    }
    drop(store);
    let env = opened_raw(place.path());
    let (postings, txn) = (database(&env, Some("postings")), env.read_txn().unwrap());
    let oaks: Vec<usize> =
        postings.prefix_iter(&txn, b"oak\0").unwrap().map(|row| row.unwrap().1.len()).collect();
    assert!((2..10).contains(&oaks.len()) && oaks.iter().all(|length| *length <= 600), "{oaks:?}");
}
