//! The embedder, the reranker and the checker on their real weights, compared with PyTorch (`models/reference.py`).

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, ClaimChecker, Embedder, ModelError, Reranker, TextKind};
use oriel_models::{CandleChecker, CandleEmbedder, CandleReranker, CandleSettings, Model, ModelDirs, Models};
use serde::Deserialize;
use sha2::{Digest, Sha256};

fn model(id: &str) -> Model {
    let mut dirs = ModelDirs::platform().unwrap();
    dirs.shipped.extend([root().join("models/fetched"), root().join("models")]);
    let model = Models::new(dirs).find(id).unwrap();
    assert!(model.folder.is_some(), "{id} is not installed: run `make models`");
    model
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// In f32, as in PyTorch.
fn exact() -> CandleSettings {
    CandleSettings { exact: true, ..CandleSettings::default() }
}

fn embedder() -> &'static CandleEmbedder {
    static LOADED: OnceLock<CandleEmbedder> = OnceLock::new();
    LOADED.get_or_init(|| CandleEmbedder::load(&model("all-minilm-l6-v2"), &exact()).unwrap())
}

fn reader() -> &'static CandleReranker {
    static READER: OnceLock<CandleReranker> = OnceLock::new();
    READER.get_or_init(|| CandleReranker::load(&model("oriel-reader-v3"), &exact()).unwrap())
}

fn reranker() -> &'static CandleReranker {
    static LOADED: OnceLock<CandleReranker> = OnceLock::new();
    LOADED.get_or_init(|| CandleReranker::load(&model("oriel-reranker-v1"), &exact()).unwrap())
}

fn checker() -> &'static CandleChecker {
    static LOADED: OnceLock<CandleChecker> = OnceLock::new();
    LOADED.get_or_init(|| CandleChecker::load(&model("oriel-checker-v3"), &exact()).unwrap())
}

#[derive(Deserialize)]
struct Embedded {
    text: String,
    vector: Vec<f32>,
}

#[derive(Deserialize)]
struct Read {
    query: String,
    passage: String,
    tokens: usize,
    logit: f32,
    #[serde(default)]
    margin: f32,
    answer: Option<String>,
}

#[derive(Deserialize)]
struct Judged {
    query: String,
    passage: String,
    logits: [f32; 3],
}

fn reference<T: serde::de::DeserializeOwned>(name: &str) -> Vec<T> {
    let path = root().join("models/reference").join(name);
    let rows: Vec<T> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(rows.len() >= 15, "{name} has too few rows to prove anything");
    rows
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn vectors_are_those_of_pytorch() {
    let rows: Vec<Embedded> = reference("embedder.json");
    let texts: Vec<String> = rows.iter().map(|row| row.text.clone()).collect();
    let vectors = embedder().embed(&texts, TextKind::Passage, &CancelToken::new()).unwrap();
    assert_eq!(vectors.len(), rows.len());
    let mut worst = 1f32;
    for (vector, row) in vectors.iter().zip(&rows) {
        assert_eq!(vector.len(), embedder().dimensions());
        let length = vector.iter().map(|v| v * v).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5, "{:?} has length {length}", row.text);
        let cosine = cosine(vector, &row.vector);
        worst = worst.min(cosine);
        assert!(cosine > 0.999_99, "{:?}: cosine {cosine}", row.text);
        let gap = vector.iter().zip(&row.vector).map(|(a, b)| (a - b).abs()).fold(0f32, f32::max);
        assert!(gap < 1e-4, "{:?}: off by {gap}", row.text);
    }
    println!("lowest cosine {worst}");
}

#[test]
fn logits_and_answers_are_those_of_pytorch() {
    for (reranker, name) in [(reranker(), "reranker.json"), (reader(), "reader.json")] {
        let rows: Vec<Read> = reference(name);
        for row in &rows {
            let passage = std::slice::from_ref(&row.passage);
            let reading = reranker.read(&row.query, passage, &CancelToken::new()).unwrap().swap_remove(0);
            let gap = (reading.logit - row.logit).abs().max((reading.margin - row.margin).abs());
            assert!(gap < 2e-3, "{:?} {:?}: {reading:?} is off by {gap}", row.query, row.passage);
            let answer = reading.answer.map(|words| &row.passage[words]);
            assert_eq!(answer, row.answer.as_deref(), "{:?} {:?}", row.query, row.passage);
            let tokens = reranker.pair_tokens(&row.query, &row.passage);
            if tokens <= reranker.max_tokens() {
                assert_eq!(tokens, row.tokens, "{:?} {:?}", row.query, row.passage);
            } else {
                assert!(row.tokens < tokens, "PyTorch was given a pair that does not fit");
            }
        }
        let spread = rows.iter().map(|row| row.logit).fold(f32::MIN, f32::max)
            - rows.iter().map(|row| row.logit).fold(f32::MAX, f32::min);
        assert!(spread > 3.0, "the reference tells nothing apart");
    }
}

#[test]
fn verdicts_are_those_of_pytorch() {
    let rows: Vec<Judged> = reference("checker.json");
    let claims: Vec<String> = rows.iter().map(|row| row.query.clone()).collect();
    let passages: Vec<(usize, String)> = rows.iter().map(|row| row.passage.clone()).enumerate().collect();
    let judged = checker().check(&claims, &passages, &CancelToken::new()).unwrap();
    assert_eq!(judged.len(), rows.len());
    for (row, one) in rows.iter().zip(&judged) {
        let sum: f32 = row.logits.iter().map(|logit| logit.exp()).sum();
        let ours = [one.supported, one.contradicted, one.not_found];
        for (ours, logit) in ours.into_iter().zip(row.logits) {
            let theirs = logit.exp() / sum;
            assert!((ours - theirs).abs() < 1e-3, "{:?} {:?}: {one:?}", row.query, row.passage);
        }
    }
    assert!(checker().check(&claims, &[], &CancelToken::new()).unwrap().is_empty());
}

#[test]
fn order_is_restored_and_company_changes_nothing() {
    // Lengths in random order, and enough of them for many batches.
    let texts: Vec<String> = (0..200)
        .map(|n| {
            let words = (n * 37) % 60 + 1;
            (0..words).map(|w| format!("word{} ", (n * w) % 89)).collect::<String>()
        })
        .collect();
    let never = CancelToken::new();
    let together = embedder().embed(&texts, TextKind::Passage, &never).unwrap();
    for at in [0, 1, 57, 123, 199] {
        let alone = embedder().embed(&texts[at..=at], TextKind::Passage, &never).unwrap();
        let cosine = cosine(&alone[0], &together[at]);
        assert!(cosine > 0.999_999, "text {at}: cosine {cosine}");
    }
    let scores = reranker().score("which word?", &texts, &never).unwrap();
    for at in [0, 3, 111, 199] {
        let alone = reranker().score("which word?", &texts[at..=at], &never).unwrap();
        assert!((alone[0] - scores[at]).abs() < 1e-4, "passage {at}: {} and {}", alone[0], scores[at]);
    }
    assert!(embedder().embed(&[], TextKind::Passage, &never).unwrap().is_empty());
    assert!(reranker().score("a query", &[], &never).unwrap().is_empty());
}

#[test]
fn eight_bits_change_little_and_nothing_between_batches() {
    // An empty text or a single word has little to average over.
    let rows: Vec<Embedded> = reference("embedder.json");
    let rows: Vec<Embedded> = rows.into_iter().filter(|row| row.text.split(' ').count() > 3).collect();
    assert!(rows.len() >= 10, "{} are sentences", rows.len());
    let texts: Vec<String> = rows.iter().map(|row| row.text.clone()).collect();
    let never = CancelToken::new();
    let embedder = CandleEmbedder::load(&model("all-minilm-l6-v2"), &CandleSettings::default()).unwrap();
    let together = embedder.embed(&texts, TextKind::Passage, &never).unwrap();
    for (at, (vector, row)) in together.iter().zip(&rows).enumerate() {
        let near = cosine(vector, &row.vector);
        assert!(near > 0.995, "{:?}: cosine {near}", row.text);
        let alone = embedder.embed(&texts[at..=at], TextKind::Passage, &never).unwrap();
        let same = cosine(&alone[0], vector);
        assert!(same > 0.999_999, "{:?}: cosine {same}", row.text);
    }
    let reranker = CandleReranker::load(&model("oriel-reranker-v1"), &CandleSettings::default()).unwrap();
    for row in reference::<Read>("reranker.json") {
        let passage = std::slice::from_ref(&row.passage);
        let logit = reranker.score(&row.query, passage, &never).unwrap()[0];
        assert!((logit - row.logit).abs() < 0.5, "{:?} {:?}: {logit}", row.query, row.passage);
    }
}

#[test]
fn cancelling_ends_the_work_between_batches() {
    let texts: Vec<String> = (0..4000).map(|n| format!("sentence {n} about one thing and another")).collect();
    let cancel = CancelToken::new();
    let token = cancel.clone();
    let start = Instant::now();
    let result = std::thread::scope(|scope| {
        let work = scope.spawn(|| embedder().embed(&texts, TextKind::Passage, &token));
        let (_keep, never) = std::sync::mpsc::channel::<()>();
        let _ = never.recv_timeout(Duration::from_millis(150));
        cancel.cancel();
        work.join().unwrap()
    });
    assert!(matches!(result, Err(ModelError::Cancelled(_))), "it ran to its end in {:?}", start.elapsed());
    let cancelled = reranker().score("a", &texts, &cancel);
    assert!(matches!(cancelled, Err(ModelError::Cancelled(_))));
    assert_eq!(
        embedder().embed(&texts[..1], TextKind::Passage, &CancelToken::new()).unwrap().len(),
        1,
        "it goes on afterwards"
    );
}

#[test]
fn fingerprints_name_weights_and_pooling() {
    assert_eq!(embedder().fingerprint(), "all-minilm-l6-v2/53aa51172d14/mean/384");
    assert_eq!(reranker().fingerprint(), "oriel-reranker-v1/5d6043443902");
}

#[test]
fn shipped_weights_are_those_of_the_catalog() {
    for id in ["oriel-reranker-v1", "oriel-reader-v3", "oriel-checker-v3"] {
        for file in &model(id).entry.files {
            let bytes = std::fs::read(root().join("models").join(id).join(&file.name)).unwrap();
            assert_eq!(bytes.len() as u64, file.size, "{id}, {}", file.name);
            let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(sum, file.sha256, "{id}, {}", file.name);
        }
    }
}

#[test]
fn a_damaged_or_missing_model_is_one_clear_line() {
    let whole = model("all-minilm-l6-v2");
    let folder = tempfile::tempdir().unwrap();
    let source = whole.folder.clone().unwrap();
    for name in ["config.json", "tokenizer.json"] {
        std::fs::copy(source.join(name), folder.path().join(name)).unwrap();
    }
    let weights = std::fs::read(source.join("model.safetensors")).unwrap();
    let broken = Model { folder: Some(folder.path().to_owned()), ..whole.clone() };
    let huge_header = [u64::MAX.to_le_bytes().as_slice(), b"{}"].concat();
    for bytes in [&weights[..weights.len() / 2], &weights[..5], b"", &huge_header] {
        std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
        let error = CandleEmbedder::load(&broken, &CandleSettings::default()).err().unwrap().to_string();
        assert!(error.contains("model.safetensors") && error.lines().count() == 1, "{error}");
    }
    let absent = Model { folder: None, ..whole };
    let error = CandleEmbedder::load(&absent, &CandleSettings::default()).err();
    assert!(matches!(&error, Some(ModelError::Absent { id }) if id == "all-minilm-l6-v2"), "{error:?}");
}

#[test]
fn the_embedder_beside_says_the_same_on_threads_of_its_own() {
    static BEGUN: AtomicUsize = AtomicUsize::new(0);
    fn begin() {
        BEGUN.fetch_add(1, Ordering::SeqCst);
    }
    let settings = CandleSettings { threads: Some(2), begin: Some(begin), ..CandleSettings::default() };
    let texts = ["The lease ends in May.".to_owned(), "It rains.".to_owned()];
    let beside = embedder().beside("indexing", &settings).unwrap();
    let never = CancelToken::new();
    let vectors = beside.embed(&texts, TextKind::Passage, &never).unwrap();
    let begun = BEGUN.load(Ordering::SeqCst);
    if oriel_models::backend().device == "cpu" {
        assert!(begun >= 2, "the thread, and at least one of its pool");
    } else {
        assert_eq!(begun, 0, "a card computes one thing after the other: it is the same thread");
    }
    for (own, other) in vectors.iter().zip(embedder().embed(&texts, TextKind::Passage, &never).unwrap()) {
        assert!(cosine(own, &other) > 0.999);
    }
    assert_eq!(beside.fingerprint(), embedder().fingerprint());
}

#[test]
fn nothing_is_downloaded_that_is_here() {
    let present = model("all-minilm-l6-v2");
    let folder = present.folder.clone().unwrap();
    // A download would write to the empty cache and report progress.
    let cache = tempfile::tempdir().unwrap();
    let dirs = ModelDirs {
        cache: cache.path().to_owned(),
        imported: cache.path().to_owned(),
        shipped: vec![folder.parent().unwrap().to_owned()],
    };
    let mut told = 0;
    let pulled = Models::in_own_folders(dirs)
        .download("all-minilm-l6-v2", &mut |_| told += 1, &CancelToken::new())
        .unwrap();
    assert_eq!((pulled.folder, told), (Some(folder), 0));
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 0);
}
