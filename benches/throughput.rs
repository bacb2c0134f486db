//! Plain timings of the embedder and the reranker on real sentences: `cargo bench -p oriel-models --bench throughput -- [THREADS]`.
//!
//! Reads `../shared/eval/qa/squad/docs` beside the repository and is skipped without it.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use oriel_core::{CancelToken, Embedder, Reranker, TextKind};
use oriel_models::{CandleEmbedder, CandleReranker, CandleSettings, ModelDirs, Models, backend};
use serde_json::json;

#[path = "figures.rs"]
mod figures;

/// Runs of the short measurements; the median is reported.
const RUNS: usize = 9;

fn main() -> anyhow::Result<()> {
    let threads = std::env::args().find_map(|argument| argument.parse().ok());
    let settings = CandleSettings { threads, ..CandleSettings::default() };
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/eval/qa/squad/docs");
    let Some(words) = words(&docs) else {
        println!("skipped: throughput ({} is absent)", docs.display());
        return Ok(());
    };
    println!("{:?}", backend());
    let models = Models::new(ModelDirs::platform()?);
    let never = CancelToken::new();

    let start = Instant::now();
    let embedder = CandleEmbedder::load(&models.find("all-minilm-l6-v2")?, &settings)?;
    let loaded = start.elapsed();
    let query = vec!["where does the heron wait in winter?".to_owned()];
    embedder.embed(&query, TextKind::Query, &never)?;
    println!("embedder: load {loaded:.1?}, load and first query {:.1?}", start.elapsed());
    let once = median(|| embedder.embed(&query, TextKind::Query, &never).map(drop))?;
    println!("embedder: one query {once:.2?}");
    figures::record("embedder", "one query", once.as_secs_f64() * 1e3, "ms", "less")?;
    // 19 words of this material are about 25 tokens.
    let sentences: Vec<String> = words.chunks(19).take(2000).map(|sentence| sentence.join(" ")).collect();
    anyhow::ensure!(sentences.len() == 2000, "too little material");
    let start = Instant::now();
    let vectors = embedder.embed(&sentences, TextKind::Passage, &never)?;
    let rate = sentences.len() as f64 / start.elapsed().as_secs_f64();
    println!("embedder: {rate:.0} sentences/s");
    figures::record("embedder", "sentences", rate, "1/s", "more")?;
    if let Some(file) = figures::input("embeddings.f32") {
        std::fs::write(file, bytemuck::cast_slice(&vectors.concat()))?;
    }
    let many: Vec<String> = words.chunks(15).take(5000).map(|sentence| sentence.join(" ")).collect();
    let exact = CandleSettings { exact: true, ..settings.clone() };
    let exact = CandleEmbedder::load(&models.find("all-minilm-l6-v2")?, &exact)?;
    exact.embed(&query, TextKind::Query, &never)?;
    let [(wanted, slow), (found, quick)] = [&exact, &embedder].map(|embedder| {
        let start = Instant::now();
        let vectors = embedder.embed(&many, TextKind::Passage, &never);
        (vectors, many.len() as f64 / start.elapsed().as_secs_f64())
    });
    let (wanted, found) = (wanted?, found?);
    let cosines: Vec<f32> =
        wanted.iter().zip(&found).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum()).collect();
    println!(
        "embedder: {} shorter sentences, {quick:.0}/s, in f32 {slow:.0}/s; cosine of both: lowest {:.4}, mean {:.4}",
        many.len(),
        cosines.iter().fold(1f32, |lowest, cosine| lowest.min(*cosine)),
        cosines.iter().sum::<f32>() / cosines.len() as f32
    );

    let start = Instant::now();
    let reranker = CandleReranker::load(&models.find("oriel-reranker-v1")?, &settings)?;
    println!("reranker: load {:.1?}", start.elapsed());
    let question = &query[0];
    let mut pairs = Vec::new();
    for (wanted, count) in [(60, 12), (100, 128), (250, 64)] {
        let passages: Vec<String> =
            words.chunks(wanted * 3 / 4).take(count).map(|passage| passage.join(" ")).collect();
        let tokens: usize = passages.iter().map(|passage| reranker.pair_tokens(question, passage)).sum();
        let once = median(|| reranker.score(question, &passages, &never).map(drop))?;
        let rate = passages.len() as f64 / once.as_secs_f64();
        println!(
            "reranker: {count} pairs of {} tokens in {once:.1?}, {rate:.0} pairs/s",
            tokens / passages.len()
        );
        let figure = format!("{count} pairs of {} tokens", tokens / passages.len());
        figures::record("reranker", &figure, rate, "1/s", "more")?;
        let scores = reranker.score(question, &passages, &never)?;
        pairs.push(json!({ "figure": figure, "passages": passages, "scores": scores }));
    }
    if let Some(file) = figures::input("encoder.json") {
        let input = json!({
            "embedder": models.find("all-minilm-l6-v2")?.weights_path(),
            "reranker": models.find("oriel-reranker-v1")?.weights_path(),
            "query": question, "sentences": sentences, "pairs": pairs,
        });
        std::fs::write(file, input.to_string())?;
    }
    Ok(())
}

/// The words of the articles, or `None` if they are missing.
fn words(docs: &Path) -> Option<Vec<String>> {
    let mut paths: Vec<_> = std::fs::read_dir(docs).ok()?.flatten().map(|item| item.path()).collect();
    paths.sort();
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    Some(texts.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect())
}

fn median<E: std::error::Error + Send + Sync + 'static>(
    mut work: impl FnMut() -> Result<(), E>,
) -> anyhow::Result<Duration> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let start = Instant::now();
        work()?;
        times.push(start.elapsed());
    }
    times.sort();
    times.get(RUNS / 2).copied().context("there are runs")
}
