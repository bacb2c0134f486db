//! The trees over vectors that come in parts against those that are built at once: time, and how many of the nearest
//! sentences are found. `cargo bench -p oriel-store --bench trees -- [SENTENCES]`.
//!
//! The vectors are made up: documents of a topic each, topics one after the other, so that later parts hold what the
//! first one knew nothing of.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

use oriel_core::{ByteSpan, CancelToken, Extracted, Kind, Sentence, SentenceId};
use oriel_store::{DocumentRecord, EmbedderRecord, NewText, Stamp, Store, StoreError, StoreOptions, Vectors};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

const DIMENSIONS: usize = 384;
const TOPICS: usize = 1_500;
/// Of a document.
const SENTENCES: usize = 60;
const QUERIES: usize = 100;
/// How many of the nearest sentences a search wants.
const NEAREST: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(120_000);
    let mut random = StdRng::seed_from_u64(1);
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| direction(&mut random)).collect();
    let vectors: Vec<Vec<f32>> = (0..count)
        .map(|number| {
            let home = number * TOPICS / count;
            let aside = random.random_range(0..TOPICS);
            mixed(&[(&topics[home], 1.0), (&topics[aside], 0.5), (&direction(&mut random), 0.8)])
        })
        .collect();
    let queries: Vec<Vec<f32>> = (0..QUERIES)
        .map(|_| mixed(&[(&vectors[random.random_range(0..count)], 1.0), (&direction(&mut random), 0.7)]))
        .collect();
    println!("{count} vectors, {DIMENSIONS} dimensions, the {NEAREST} nearest of {QUERIES} queries");
    for (name, part) in [("at once", usize::MAX), ("16384 at a time", 16_384), ("8192 at a time", 8_192)] {
        let place = tempfile::tempdir()?;
        let store = Store::open(place.path(), StoreOptions::default())?;
        fill(&store, &vectors)?;
        let exact = search(&store, &queries)?.0;
        let (mut parts, mut longest) = (0, Duration::ZERO);
        let begun = Instant::now();
        loop {
            let part_begun = Instant::now();
            let left = store.grow_trees(Vectors::Active, part, &CancelToken::new())?;
            longest = longest.max(part_begun.elapsed());
            parts += 1;
            if left == 0 {
                break;
            }
        }
        let built = begun.elapsed();
        let (found, took) = search(&store, &queries)?;
        let hits: usize = found.iter().zip(&exact).map(|(found, exact)| shared_by(found, exact)).sum();
        println!(
            "{name}: {built:.1?} in {parts} parts, the longest {longest:.1?}; recall {:.3}; {took:.1?} a search; {} MB",
            hits as f64 / (QUERIES * NEAREST) as f64,
            store.size_on_disk()? >> 20
        );
    }
    Ok(())
}

/// Keeps the vectors beside the trees, those of a document in a transaction.
fn fill(store: &Store, vectors: &[Vec<f32>]) -> Result<(), StoreError> {
    let embedder = EmbedderRecord { fingerprint: "made up".into(), dimensions: DIMENSIONS };
    store.write(|edit| edit.use_embedder(&embedder))?;
    for (document, vectors) in vectors.chunks(SENTENCES).enumerate() {
        let text = ".".repeat(vectors.len());
        let sentences: Vec<_> = (0u32..)
            .take(vectors.len())
            .map(|at| Sentence { span: ByteSpan::new(at, at + 1), page: None })
            .collect();
        let hashes: Vec<[u8; 16]> = (0..vectors.len())
            .map(|ordinal| ((document * SENTENCES + ordinal) as u128).to_le_bytes())
            .collect();
        let terms = vec![Vec::new(); vectors.len()];
        let extracted = Extracted { sentences, ..Extracted::new(Kind::Text, text) };
        let record =
            DocumentRecord::unread(format!("/documents/{document}").into(), Kind::Text, Stamp::default());
        store.write(|edit| {
            let id = edit.register(&record)?;
            let new = NewText {
                extracted: &extracted,
                hashes: &hashes,
                terms: &terms,
                file_hash: "none",
                stamp: Stamp::default(),
                locked: false,
                recognised: None,
            };
            edit.put_text(id, &new)?;
            let waiting = edit.view().unembedded(Vectors::Active, SentenceId(0), usize::MAX)?;
            waiting
                .iter()
                .zip(vectors)
                .try_for_each(|(&sentence, vector)| edit.put_vector(Vectors::Active, sentence, vector))
        })?;
    }
    Ok(())
}

/// The nearest sentences of each query, and how long one took on average.
fn search(store: &Store, queries: &[Vec<f32>]) -> Result<(Vec<Vec<SentenceId>>, Duration), StoreError> {
    let begun = Instant::now();
    let found = queries.iter().map(|query| {
        let hits = store.read(|view| view.search_dense(query, None, NEAREST))?;
        Ok(hits.into_iter().map(|hit| hit.sentence).collect())
    });
    let found = found.collect::<Result<_, StoreError>>()?;
    Ok((found, begun.elapsed() / u32::try_from(queries.len()).unwrap_or(u32::MAX)))
}

fn shared_by(found: &[SentenceId], exact: &[SentenceId]) -> usize {
    found.iter().filter(|sentence| exact.contains(sentence)).count()
}

fn direction(random: &mut StdRng) -> Vec<f32> {
    // The sum of several uniform values is near enough to a normal one for an even spread of directions.
    unit((0..DIMENSIONS).map(|_| (0..4).map(|_| random.random_range(-1.0f32..1.0)).sum()).collect())
}

fn mixed(parts: &[(&Vec<f32>, f32)]) -> Vec<f32> {
    let sum = |at: usize| parts.iter().map(|(vector, share)| vector[at] * share).sum();
    unit((0..DIMENSIONS).map(sum).collect())
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.into_iter().map(|value| value / length).collect()
}
