//! Nearest-neighbour search: time and recall. `cargo bench -p oriel-store --bench vectors -- [SENTENCES]`.
//!
//! The vectors are generated: documents with a topic each. If `benches/throughput.rs` left real embeddings, they are
//! resampled instead: each vector is a real one plus a difference of two others, about as far away as the nearest real
//! one.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::time::Instant;

use oriel_core::{ByteSpan, Extracted, Kind, Sentence, SentenceId};
use oriel_store::{
    DocumentRecord, DocumentTerms, EmbedderRecord, NewText, Stamp, Store, StoreError, StoreOptions, Vectors,
};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;
use roaring::RoaringBitmap;
use serde_json::json;

#[path = "figures.rs"]
mod figures;

const DIMENSIONS: usize = 384;
const TOPICS: usize = 1_500;
/// Sentences per document.
const SENTENCES: usize = 60;
const QUERIES: usize = 100;
/// Number of nearest sentences that a search returns.
const NEAREST: usize = 20;
/// Filters: one of so many documents is searched.
const SHARES: [usize; 5] = [1, 2, 10, 30, 100];
/// Sentences added to the existing ones.
const ADDED: usize = 1_000;
/// Distance of a query from the vector that it is made from, in distances of resampled vectors.
const QUERY_DISTANCE: f32 = 1.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let mut random = StdRng::seed_from_u64(1);
    let real = match figures::input("embeddings.f32").filter(|file| file.is_file()) {
        Some(file) => floats(&std::fs::read(file)?),
        None => Vec::new(),
    };
    let (mut vectors, queries) = if real.is_empty() {
        topics(count + ADDED, &mut random)
    } else {
        resampled(&real, count + ADDED, &mut random)
    };
    let added = vectors.split_off(count);
    for (name, vectors) in [("vectors.f32", &vectors), ("added.f32", &added), ("queries.f32", &queries)] {
        if let Some(path) = figures::input(name) {
            write(vectors, File::create(path)?)?;
        }
    }
    let source = if real.is_empty() { "made-up" } else { "resampled" };
    println!("{count} {source} vectors, {DIMENSIONS} dimensions, the {NEAREST} nearest of {QUERIES} queries");
    let bench = format!("vectors {count}");
    let place = tempfile::tempdir()?;
    let store = Store::open(place.path(), StoreOptions::default())?;
    let begun = Instant::now();
    fill(&store, &vectors, 0)?;
    let filled = begun.elapsed().as_secs_f64();
    let size = store.copy(|_| Ok::<_, StoreError>(()))? as f64 / count as f64;
    println!(
        "kept in {filled:.1} s; {size:.0} bytes a vector, with what the store keeps of a sentence beside it"
    );
    figures::record(&bench, "build", filled, "s", "less")?;
    figures::record(&bench, "size", size, "B a vector", "less")?;
    for share in SHARES {
        // Documents that the filter keeps.
        let is_among = |sentence: usize| (sentence / SENTENCES).is_multiple_of(share);
        let among: RoaringBitmap =
            (0..count).filter(|&sentence| is_among(sentence)).map(|n| n as u32).collect();
        let among = (share > 1).then_some(&among);
        let found = search(&store, &queries, among)?;
        let begun = Instant::now();
        let again = search(&store, &queries, among)?;
        let took = begun.elapsed().as_secs_f64() * 1e3 / QUERIES as f64;
        assert_eq!(found, again, "the same search finds the same");
        let hits: usize = queries
            .par_iter()
            .zip(&found)
            .map(|(query, found)| {
                let exact = nearest(query, &vectors, is_among);
                found.iter().filter(|sentence| exact.contains(sentence)).count()
            })
            .sum();
        let recall = hits as f64 / (QUERIES * NEAREST) as f64;
        let bench = if share == 1 { bench.clone() } else { format!("{bench}, 1 of {share} documents") };
        println!("{bench}: recall {recall:.4}; {took:.2} ms a search");
        figures::append(&json!({
            "bench": bench, "setting": "as shipped", "recall": recall, "value": took, "unit": "ms", "better": "less",
        }))?;
    }
    let begun = Instant::now();
    fill(&store, &added, count)?;
    let took = begun.elapsed();
    println!("{ADDED} more vectors: {took:.1?}");
    figures::record(&bench, "add 1000", took.as_secs_f64(), "s", "less")?;
    Ok(())
}

/// The nearest of the vectors for which `counts` is true, by an exact scan.
fn nearest(query: &[f32], vectors: &[Vec<f32>], counts: impl Fn(usize) -> bool) -> Vec<SentenceId> {
    let similarity = |vector: &[f32]| {
        // Independent sums, which the compiler turns into vector instructions.
        let mut lanes = [0f32; 16];
        for (a, b) in vector.as_chunks::<16>().0.iter().zip(query.as_chunks::<16>().0) {
            lanes.iter_mut().zip(a).zip(b).for_each(|((lane, a), b)| *lane += a * b);
        }
        lanes.iter().sum::<f32>()
    };
    let counting = vectors.iter().enumerate().filter(|(number, _)| counts(*number));
    let mut all: Vec<(f32, u32)> =
        counting.map(|(number, vector)| (similarity(vector), number as u32)).collect();
    all.select_nth_unstable_by(NEAREST, |a, b| b.0.total_cmp(&a.0));
    all[..NEAREST].iter().map(|&(_, number)| SentenceId(number)).collect()
}

/// Vectors and queries of documents with a topic each.
fn topics(count: usize, random: &mut StdRng) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| direction(random)).collect();
    let vectors: Vec<Vec<f32>> = (0..count)
        .map(|number| {
            let home = number * TOPICS / count;
            let aside = random.random_range(0..TOPICS);
            mixed(&[(&topics[home], 1.0), (&topics[aside], 0.5), (&direction(random), 0.8)])
        })
        .collect();
    let queries = (0..QUERIES)
        .map(|_| mixed(&[(&vectors[random.random_range(0..count)], 1.0), (&direction(random), 0.7)]))
        .collect();
    (vectors, queries)
}

/// Vectors and queries with the statistics of real vectors.
fn resampled(real: &[Vec<f32>], count: usize, random: &mut StdRng) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let distance = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    let sample = &real[..real.len().min(200)];
    let nearest = |vector: &Vec<f32>| {
        let others = real.iter().map(|other| distance(vector, other)).filter(|&distance| distance > 1e-3);
        others.fold(f32::INFINITY, f32::min)
    };
    let step = sample.iter().map(nearest).sum::<f32>() / sample.len() as f32;
    let mut near = |factor: f32| {
        let mut one = || &real[random.random_range(0..real.len())];
        let (start, from, to) = (one(), one(), one());
        let share = factor * step * random.random_range(0.5f32..1.5) / distance(from, to).max(1e-3);
        mixed(&[(start, 1.0), (to, share), (from, -share)])
    };
    let vectors = (0..count).map(|_| near(1.0)).collect();
    (vectors, (0..QUERIES).map(|_| near(QUERY_DISTANCE)).collect())
}

fn floats(bytes: &[u8]) -> Vec<Vec<f32>> {
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
    numbers.chunks_exact(DIMENSIONS).map(<[f32]>::to_vec).collect()
}

fn write(vectors: &[Vec<f32>], file: File) -> std::io::Result<()> {
    let mut file = BufWriter::new(file);
    vectors.iter().flatten().try_for_each(|number| file.write_all(&number.to_le_bytes()))?;
    file.flush()
}

/// Stores the vectors, one transaction per document. `from` vectors are already stored.
fn fill(store: &Store, vectors: &[Vec<f32>], from: usize) -> Result<(), StoreError> {
    let embedder = EmbedderRecord { fingerprint: "made up".into(), dimensions: DIMENSIONS };
    store.write(|edit| edit.use_embedder(&embedder))?;
    for (number, vectors) in vectors.chunks(SENTENCES).enumerate() {
        let first = from + number * SENTENCES;
        let text = ".".repeat(vectors.len());
        let sentences: Vec<_> = (0u32..)
            .take(vectors.len())
            .map(|at| Sentence { span: ByteSpan::new(at, at + 1), page: None })
            .collect();
        let hashes: Vec<[u8; 16]> =
            (first..).take(vectors.len()).map(|number| (number as u128).to_le_bytes()).collect();
        let terms = DocumentTerms::default();
        let extracted = Extracted { sentences, ..Extracted::new(Kind::Text, text) };
        let record =
            DocumentRecord::unread(format!("/documents/{first}").into(), Kind::Text, Stamp::default());
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
                head: None,
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

fn search(
    store: &Store,
    queries: &[Vec<f32>],
    among: Option<&RoaringBitmap>,
) -> Result<Vec<Vec<SentenceId>>, StoreError> {
    let found = queries.iter().map(|query| {
        let hits = store.read(|view| view.search_dense(query, among, NEAREST))?;
        Ok(hits.into_iter().map(|hit| hit.sentence).collect())
    });
    found.collect()
}

fn direction(random: &mut StdRng) -> Vec<f32> {
    // The sum of several uniform values is close enough to a normal distribution for evenly spread directions.
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
