//! Search by words: time to index and to search. `cargo bench -p oriel-engine --bench words -- [SENTENCES]`.
//!
//! Reads `../shared/eval/qa/squad` beside the repository and is skipped without it. The sentences are lines of 19 words
//! of these articles; once all are used, each is used again with half of its words from another line. The queries are
//! real questions about the articles.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use oriel_core::{ByteSpan, Extracted, Kind, Sentence};
use oriel_store::{DocumentRecord, DocumentTerms, Edit, NewText, Stamp, Store, StoreError, StoreOptions};
use oriel_text::terms;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

#[path = "figures.rs"]
mod figures;

/// Words per sentence.
const WORDS: usize = 19;
/// Sentences per document.
const SENTENCES: usize = 60;
/// Documents per transaction, as in indexing.
const DOCUMENTS: usize = 64;
const QUERIES: usize = 200;
const BEST: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/eval/qa/squad");
    if !folder.is_dir() {
        println!("skipped: words ({} is absent)", folder.display());
        return Ok(());
    }
    let sentences = sentences(&words(&folder.join("docs"))?, count);
    let queries = questions(&folder.join("questions.jsonl"))?;
    if let Some(file) = figures::input("words.json") {
        std::fs::write(file, json!({ "sentences": sentences, "queries": queries }).to_string())?;
    }
    let bench = format!("words {count}");

    let place = tempfile::tempdir()?;
    let store = Store::open(place.path(), StoreOptions::default())?;
    let start = Instant::now();
    for (number, batch) in sentences.chunks(SENTENCES * DOCUMENTS).enumerate() {
        store.write(|edit| {
            let mut documents = (number * DOCUMENTS..).zip(batch.chunks(SENTENCES));
            documents.try_for_each(|(number, lines)| put(edit, number, lines))
        })?;
    }
    let built = start.elapsed().as_secs_f64();
    let size = store.copy(|_| Ok::<_, StoreError>(()))? as f64 / count as f64;
    println!(
        "{count} sentences: indexed in {built:.1} s, {size:.0} bytes a sentence with its text, compacted"
    );
    figures::record(&bench, "build", built, "s", "less")?;
    figures::record(&bench, "size", size, "B a sentence", "less")?;

    let mut times: Vec<Duration> = Vec::with_capacity(queries.len());
    let mut found = 0;
    for query in &queries {
        let start = Instant::now();
        found += store.read(|view| view.search_sparse(&terms(query), None, BEST))?.len();
        times.push(start.elapsed());
    }
    times.sort();
    let at = |share: usize| times[times.len() * share / 100].as_secs_f64() * 1e3;
    let (half, most) = (at(50), at(95));
    println!("{} queries, {found} sentences found: p50 {half:.2} ms, p95 {most:.2} ms", queries.len());
    figures::record(&bench, "a query, p50", half, "ms", "less")?;
    figures::record(&bench, "a query, p95", most, "ms", "less")?;
    Ok(())
}

fn words(docs: &Path) -> std::io::Result<Vec<String>> {
    let mut paths = Vec::new();
    for item in std::fs::read_dir(docs)? {
        paths.push(item?.path());
    }
    paths.sort();
    let mut words = Vec::new();
    for path in paths {
        words.extend(std::fs::read_to_string(path)?.split_whitespace().map(str::to_owned));
    }
    Ok(words)
}

fn sentences(words: &[String], count: usize) -> Vec<String> {
    let mut random = StdRng::seed_from_u64(1);
    let lines: Vec<&[String]> = words.chunks_exact(WORDS).collect();
    (0..count)
        .map(|number| {
            let mut words = lines[number % lines.len()].to_vec();
            if number >= lines.len() {
                words.shuffle(&mut random);
                let other = lines[random.random_range(0..lines.len())];
                words.splice(..WORDS / 2, other[..WORDS / 2].iter().cloned());
            }
            words.join(" ")
        })
        .collect()
}

/// Every so many of the answerable questions.
fn questions(file: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut questions = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        if line["answerable"] == true {
            questions.extend(line["question"].as_str().map(str::to_owned));
        }
    }
    let step = (questions.len() / QUERIES).max(1);
    Ok(questions.into_iter().step_by(step).take(QUERIES).collect())
}

/// Stores a document with these sentences, one per line.
fn put(edit: &mut Edit<'_>, number: usize, lines: &[String]) -> Result<(), StoreError> {
    let text = lines.join("\n");
    let mut at = 0;
    let sentences = lines.iter().map(|line| {
        let start = at;
        at += line.len() as u32 + 1;
        Sentence { span: ByteSpan::new(start, at - 1), page: None }
    });
    let extracted = Extracted { sentences: sentences.collect(), ..Extracted::new(Kind::Text, text) };
    let hashes: Vec<[u8; 16]> =
        (0..lines.len()).map(|ordinal| ((number * SENTENCES + ordinal) as u128).to_le_bytes()).collect();
    let terms: Vec<Vec<String>> = lines.iter().map(|line| terms(line)).collect();
    let terms = DocumentTerms::of(&terms);
    let record = DocumentRecord::unread(format!("/documents/{number}").into(), Kind::Text, Stamp::default());
    let id = edit.register(&record)?;
    let new = NewText {
        extracted: &extracted,
        hashes: &hashes,
        terms: &terms,
        file_hash: "none",
        stamp: Stamp::default(),
        locked: false,
        recognised: None,
        head: None,
    };
    edit.put_text(id, &new).map(drop)
}
