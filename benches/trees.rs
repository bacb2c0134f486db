//! The trees over vectors that come in parts against those that are built at once: time, and how many of the nearest
//! sentences are found. `cargo bench -p oriel-store --bench trees -- [SENTENCES] [at-once]`; `at-once` skips the parts.
//!
//! The vectors are made up: documents of a topic each, topics one after the other, so that later parts hold what the
//! first one knew nothing of. Where `benches/throughput.rs` left real embeddings, they are resampled instead: each
//! vector is a real one plus a difference of two others, about as far away as the nearest real one.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::time::{Duration, Instant};

use oriel_core::{ByteSpan, CancelToken, Extracted, Kind, Sentence, SentenceId};
use oriel_store::{DocumentRecord, EmbedderRecord, NewText, Stamp, Store, StoreError, StoreOptions, Vectors};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

#[path = "figures.rs"]
mod figures;

const DIMENSIONS: usize = 384;
const TOPICS: usize = 1_500;
/// Of a document.
const SENTENCES: usize = 60;
const QUERIES: usize = 100;
/// How many of the nearest sentences a search wants.
const NEAREST: usize = 100;
/// How many of them are compared with other programs.
const COMPARED: usize = 20;
/// How many sentences a search asks for, to get those that are compared: it visits more of the trees for more.
const LIMITS: [usize; 5] = [20, 40, 80, 160, 320];
/// How many sentences are added to trees that are built.
const ADDED: usize = 1_000;
/// How far a query is from the vector that it is made of, in distances of resampled vectors.
const QUERY_DISTANCE: f32 = 1.5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(120_000);
    let at_once = std::env::args().any(|argument| argument == "at-once");
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
    let parts = [("at once", usize::MAX), ("16384 at a time", 16_384), ("8192 at a time", 8_192)];
    for (name, part) in parts.into_iter().take(if at_once { 1 } else { parts.len() }) {
        let place = tempfile::tempdir()?;
        let store = Store::open(place.path(), StoreOptions::default())?;
        fill(&store, &vectors, 0)?;
        let exact = search(&store, &queries, NEAREST)?.0;
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
        let (found, took) = search(&store, &queries, NEAREST)?;
        let hits: usize = found.iter().zip(&exact).map(|(found, exact)| shared_by(found, exact)).sum();
        println!(
            "{name}: {built:.1?} in {parts} parts, the longest {longest:.1?}; recall {:.3}; {took:.1?} a search; {} MB",
            hits as f64 / (QUERIES * NEAREST) as f64,
            store.size_on_disk()? >> 20
        );
        if part == usize::MAX {
            let bench = format!("vectors {count}");
            figures::record(&bench, "build", built.as_secs_f64(), "s", "less")?;
            let size = store.copy(|_| Ok::<_, StoreError>(()))? as f64 / count as f64;
            println!(
                "{size:.0} bytes a vector, compacted, with what the store keeps of a sentence beside it"
            );
            figures::record(&bench, "size", size, "B a vector", "less")?;
            compare(&store, &queries, &exact, &bench)?;
            let begun = Instant::now();
            fill(&store, &added, count)?;
            while store.grow_trees(Vectors::Active, part, &CancelToken::new())? > 0 {}
            let took = begun.elapsed();
            println!("{ADDED} more vectors: {took:.1?}");
            figures::record(&bench, "add 1000", took.as_secs_f64(), "s", "less")?;
        }
    }
    Ok(())
}

/// Searches with more and more effort.
fn compare(
    store: &Store,
    queries: &[Vec<f32>],
    exact: &[Vec<SentenceId>],
    bench: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    for limit in LIMITS {
        let (found, took) = search(store, queries, limit)?;
        let hits: usize =
            found.iter().zip(exact).map(|(found, exact)| shared_by(first(found), first(exact))).sum();
        let recall = hits as f64 / (queries.len() * COMPARED) as f64;
        println!("limit {limit}: recall of the first {COMPARED} {recall:.3}; {took:.2?} a search");
        figures::append(&json!({
            "bench": bench, "setting": format!("limit {limit}"), "recall": recall,
            "value": took.as_secs_f64() * 1e3, "unit": "ms", "better": "less",
        }))?;
    }
    Ok(())
}

fn first(found: &[SentenceId]) -> &[SentenceId] {
    &found[..COMPARED.min(found.len())]
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

/// Keeps the vectors beside the trees, those of a document in a transaction. `from` vectors were kept before.
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
        let terms = vec![Vec::new(); vectors.len()];
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
fn search(
    store: &Store,
    queries: &[Vec<f32>],
    limit: usize,
) -> Result<(Vec<Vec<SentenceId>>, Duration), StoreError> {
    let begun = Instant::now();
    let found = queries.iter().map(|query| {
        let hits = store.read(|view| view.search_dense(query, None, limit))?;
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
