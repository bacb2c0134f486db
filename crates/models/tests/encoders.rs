//! Every architecture on a small model with random weights, imported as a user would do it, and compared with PyTorch
//! (`models/reference_encoders.py`).

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use std::fs;
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Embedder, ModelError, Reranker, TextKind, WorkerCommand};
use oriel_models::{CandleEmbedder, CandleReranker, CandleSettings, Model, ModelDirs, Models, Pooling, Role};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/reference/encoders").join(name)
}

fn expected<T: DeserializeOwned>(name: &str) -> Vec<T> {
    serde_json::from_slice(&fs::read(folder(name).join("expected.json")).unwrap()).unwrap()
}

/// The folder of imported models, deleted at the end.
struct Place {
    models: Models,
    _folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (cache, imported) = (folder.path().join("cache"), folder.path().join("imported"));
        Self { models: Models::new(ModelDirs { cache, imported, shipped: Vec::new() }), _folder: folder }
    }

    fn import(&self, path: &Path) -> Result<Model, ModelError> {
        let worker = WorkerCommand::new("no-such-program", [""; 0]);
        self.models.import(path, &worker, &mut |_| (), &CancelToken::new())
    }
}

/// A copy of a reference model whose files a test may change.
fn copy(name: &str) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for item in fs::read_dir(from).unwrap() {
            let path = item.unwrap().path();
            let target = to.join(path.file_name().unwrap());
            if path.is_dir() {
                copy(&path, &target);
            } else {
                fs::copy(&path, &target).unwrap();
            }
        }
    }
    let place = tempfile::tempdir().unwrap();
    copy(&folder(name), &place.path().join(name));
    place
}

#[derive(Deserialize)]
struct Embedded {
    text: String,
    query: Vec<f32>,
    passage: Vec<f32>,
}

#[derive(Deserialize)]
struct Scored {
    query: String,
    passage: String,
    logit: f32,
}
fn close(ours: &[f32], theirs: &[f32], what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    let gap = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0f32, f32::max);
    assert!(gap < 1e-3, "{what}: off by {gap}");
}

#[test]
fn vectors_are_those_of_pytorch() {
    let place = Place::new();
    for (name, pooling, dimensions) in [
        ("modernbert-embedder", Pooling::Cls, 32),
        ("bert-dense-embedder", Pooling::Mean, 40),
        ("xlmr-embedder", Pooling::Mean, 32),
    ] {
        let model = place.import(&folder(name)).unwrap();
        assert_eq!((model.entry.role, model.entry.pooling), (Role::Embedder, pooling), "{name}");
        assert_eq!(model.entry.dimensions, Some(dimensions), "{name}");
        let embedder =
            CandleEmbedder::load(&model, &CandleSettings { exact: true, ..CandleSettings::default() })
                .unwrap();
        assert_eq!(CandleEmbedder::fingerprint_of(&model).as_deref(), Some(embedder.fingerprint()));
        let rows: Vec<Embedded> = expected(name);
        let texts: Vec<String> = rows.iter().map(|row| row.text.clone()).collect();
        let of = |kind| embedder.embed(&texts, kind, &CancelToken::new()).unwrap();
        for ((row, query), passage) in rows.iter().zip(of(TextKind::Query)).zip(of(TextKind::Passage)) {
            close(&query, &row.query, &format!("{name}, query {:?}", row.text));
            close(&passage, &row.passage, &format!("{name}, passage {:?}", row.text));
        }
    }
}

#[test]
fn logits_are_those_of_pytorch() {
    let place = Place::new();
    for name in ["xlmr-reranker", "modernbert-reranker", "ettin-reranker"] {
        let model = place.import(&folder(name)).unwrap();
        assert_eq!(model.entry.role, Role::Reranker, "{name}");
        let reranker =
            CandleReranker::load(&model, &CandleSettings { exact: true, ..CandleSettings::default() })
                .unwrap();
        let rows: Vec<Scored> = expected(name);
        let spread = rows.iter().map(|row| row.logit).fold(f32::MIN, f32::max)
            - rows.iter().map(|row| row.logit).fold(f32::MAX, f32::min);
        assert!(spread > 0.05, "{name}: the reference tells nothing apart");
        for row in &rows {
            let passages = std::slice::from_ref(&row.passage);
            let logits = reranker.score(&row.query, passages, &CancelToken::new()).unwrap();
            close(&logits, &[row.logit], &format!("{name}, {:?} {:?}", row.query, row.passage));
        }
    }
}

#[test]
fn company_changes_nothing_where_sequences_are_padded() {
    let place = Place::new();
    let never = CancelToken::new();
    let rows: Vec<Scored> = expected("ettin-reranker");
    let passages: Vec<String> = (0..150).map(|n| rows[n * 7 % rows.len()].passage.clone()).collect();
    let model = place.import(&folder("ettin-reranker")).unwrap();
    let reranker =
        CandleReranker::load(&model, &CandleSettings { exact: true, ..CandleSettings::default() }).unwrap();
    let together = reranker.score("Where does the heron wait?", &passages, &never).unwrap();
    for (passage, logit) in passages.iter().zip(&together).step_by(11) {
        let alone =
            reranker.score("Where does the heron wait?", std::slice::from_ref(passage), &never).unwrap();
        close(&alone, &[*logit], passage);
    }
}

#[test]
fn prefixes_pooling_and_layers_are_part_of_the_fingerprint() {
    let place = Place::new();
    let of = |model: &Model| CandleEmbedder::fingerprint_of(model).unwrap();
    let plain = place.import(&folder("xlmr-embedder")).unwrap();
    assert!(of(&plain).ends_with("/mean/32") && of(&plain).matches('/').count() == 3, "{}", of(&plain));
    let model = place.import(&folder("bert-dense-embedder")).unwrap();
    assert_eq!(
        (model.entry.query_prefix.as_str(), model.entry.passage_prefix.as_str()),
        ("query: ", "passage: ")
    );
    assert!(of(&model).contains("/mean/dense-") && of(&model).ends_with("/40"), "{}", of(&model));
    let (mut other, mut cls, mut bare) = (model.clone(), model.clone(), model.clone());
    other.entry.query_prefix = "search: ".into();
    cls.entry.pooling = Pooling::Cls;
    bare.entry.files.pop();
    let mut all = [&model, &other, &cls, &bare].map(of);
    all.sort();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{all:?}");
}

#[test]
fn what_cannot_be_run_is_refused_in_one_line() {
    let place = Place::new();
    let replace = |file: &str, from: &str, to: &str| {
        let source = if file.starts_with('4') { "ettin-reranker" } else { "bert-dense-embedder" };
        let copy = copy(source);
        let path = copy.path().join(source).join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no {from}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let error = place.import(&copy.path().join(source)).unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    assert!(replace("1_Pooling/config.json", "\"mean\"", "\"lasttoken\"").contains("neither by the mean"));
    assert!(replace("2_Dense/config.json", "Identity", "Tanh").contains("does not run this layer"));
    assert!(replace("4_Dense/config.json", "Identity", "GELU").contains("does not run the layers"));
    assert!(replace("modules.json", "\"2_Dense\"", "\"../2_Dense\"").contains("no folder of this model"));
    assert!(replace("config.json", "\"bert\"", "\"deberta-v2\"").contains("'deberta-v2'"));
    assert!(replace("config.json", "BertModel", "BertForMaskedLM").contains("'BertForMaskedLM'"));

    let copy = copy("ettin-reranker");
    let source = copy.path().join("ettin-reranker");
    fs::remove_file(source.join("4_Dense/model.safetensors")).unwrap();
    assert!(place.import(&source).unwrap_err().to_string().contains("4_Dense/model.safetensors"));
    assert_eq!(
        place.models.list().iter().filter(|model| model.imported).count(),
        0,
        "nothing is left behind"
    );
}
