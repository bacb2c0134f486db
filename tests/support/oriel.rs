//! Runs the executable and reads its output.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use oriel_core::{Calibration, CancelToken, Generator, ModelError, Reading, Reranker, WorkerCommand};
use oriel_engine::{AnswerModels, ExtractorLimits, Library, Query, SearchModels, SearchResult};
use oriel_models::{CandleChecker, CandleEmbedder, CandleReranker, CandleSettings, ModelDirs, Models};
use serde_json::Value;
use tempfile::TempDir;

use crate::prepared::copy_sample;

/// A library in a temporary folder, with a folder of documents beside it.
pub struct Oriel {
    place: TempDir,
}

impl Oriel {
    /// An empty library that follows nothing.
    pub fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("documents")).unwrap();
        Self { place }
    }

    /// A library that follows its documents folder, with these files, indexed.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let oriel = Self::new();
        for (name, text) in files {
            oriel.write(name, text);
        }
        oriel.json(&["add", oriel.documents().to_str().unwrap()]);
        oriel.json(&["index"]);
        oriel
    }

    /// A library with the sample folder, indexed: a copy of one that all tests share.
    pub fn with_sample() -> Self {
        let oriel = Self::new();
        copy_sample(executable, &sample(), &oriel.library());
        oriel
    }

    pub fn documents(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap().join("documents")
    }

    pub fn library(&self) -> PathBuf {
        self.place.path().join("library")
    }

    /// A path beside both folders.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Opens the library in this process.
    pub fn open(&self) -> Library {
        open(&self.library())
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.documents().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// The command with these arguments, ready to run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = executable();
        command.arg("--library").arg(self.library()).args(arguments).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs it with `--json` and reads the answer; it must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(arguments).arg("--json").output().unwrap();
        assert!(output.status.success(), "oriel {arguments:?} failed: {}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("oriel {arguments:?} printed no JSON ({error}): {}", said(&output))
        })
    }

    /// Searches and returns the passages.
    pub fn search(&self, arguments: &[&str]) -> Vec<Value> {
        let arguments = [&["search"], arguments].concat();
        self.json(&arguments)["passages"].as_array().unwrap().clone()
    }

    /// Runs many searches or questions in one process; the results in the order of `questions`.
    pub fn batch(&self, command: &str, questions: &[&str], flags: &[&str]) -> Vec<Value> {
        let file = self.beside("questions.jsonl");
        let lines: String = (0..)
            .zip(questions)
            .map(|(id, question)| format!("{}\n", serde_json::json!({"id": id, "question": question})))
            .collect();
        fs::write(&file, lines).unwrap();
        let arguments = [&[command, "--batch", file.to_str().unwrap()], flags].concat();
        let output = self.run(&arguments);
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        let results: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (id, result) in results.iter().enumerate() {
            assert_eq!(result["id"], id);
        }
        assert_eq!(results.len(), questions.len());
        results
    }
}

/// The command, without arguments.
fn executable() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oriel"));
    // Measurements of the models on a busy test machine must not be stored with the user's.
    command.env("ORIEL_MODELS", Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"));
    command
}

/// The models that `make models` downloaded and those that come with Oriel, for a test program in any folder.
pub fn models() -> Models {
    let mut dirs = ModelDirs::platform().unwrap();
    let kept = repository().join("models");
    dirs.shipped.extend([kept.join("fetched"), kept]);
    Models::new(dirs)
}

/// A library opened in this process, with the models that come with Oriel.
pub struct Inside {
    pub library: Library,
    embedder: CandleEmbedder,
    reranker: Arc<CandleReranker>,
    checker: CandleChecker,
}

impl Inside {
    /// Opens the library of `oriel`, which must not be open elsewhere.
    pub fn new(oriel: &Oriel) -> Self {
        let models = models();
        let settings = CandleSettings::default();
        Self {
            library: oriel.open(),
            embedder: CandleEmbedder::load(&models.find("all-minilm-l6-v2").unwrap(), &settings).unwrap(),
            reranker: Arc::new(
                CandleReranker::load(&models.find("oriel-reader-v3").unwrap(), &settings).unwrap(),
            ),
            checker: CandleChecker::load(&models.find("oriel-checker-v3").unwrap(), &settings).unwrap(),
        }
    }

    pub fn models(&self) -> SearchModels<'_> {
        SearchModels { embedder: Some(&self.embedder), reranker: Some(&*self.reranker) }
    }

    /// The models for an answer that `generator` writes.
    pub fn answer_models<'a>(&'a self, generator: &'a dyn Generator) -> AnswerModels<'a> {
        AnswerModels { search: self.models(), generator: Some(generator), checker: Some(&self.checker) }
    }

    /// The reranker; `asked` is called before each call with its number of passages.
    pub fn watched(&self, asked: impl Fn(usize) + Send + Sync + 'static) -> Watched {
        Watched { reranker: Arc::clone(&self.reranker), asked: Box::new(asked) }
    }

    /// Searches with both models.
    pub fn search(&self, query: &Query) -> SearchResult {
        self.library.search(query, &self.models(), &CancelToken::new()).unwrap()
    }
}

/// The real reranker with an observer.
pub struct Watched {
    reranker: Arc<CandleReranker>,
    asked: Box<dyn Fn(usize) + Send + Sync>,
}

impl Reranker for Watched {
    fn fingerprint(&self) -> &str {
        self.reranker.fingerprint()
    }

    fn languages(&self) -> &[String] {
        self.reranker.languages()
    }

    fn calibration(&self) -> Option<Calibration> {
        self.reranker.calibration()
    }

    fn max_tokens(&self) -> usize {
        self.reranker.max_tokens()
    }

    fn pair_tokens(&self, query: &str, passage: &str) -> usize {
        self.reranker.pair_tokens(query, passage)
    }

    fn read(
        &self,
        query: &str,
        passages: &[String],
        cancel: &CancelToken,
    ) -> Result<Vec<Reading>, ModelError> {
        (self.asked)(passages.len());
        self.reranker.read(query, passages, cancel)
    }
}

/// Opens a library in this process; the real program reads documents.
pub fn open(library: &Path) -> Library {
    let worker = WorkerCommand::new(env!("CARGO_BIN_EXE_oriel"), ["worker", "extract"]);
    Library::open(library, worker, ExtractorLimits::default()).unwrap()
}

/// The differences between a library and a folder of text files, by path and by byte; at most ten lines.
pub fn differences(library: &Library, folder: &Path) -> Vec<String> {
    let mut held = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                held.insert(path.clone(), fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut differences = Vec::new();
    for row in library.documents("", usize::MAX).unwrap() {
        let text = library.text_of(row.id).map(|text| text.text).ok();
        match held.remove(&row.path) {
            None => differences.push(format!("{} is not in the folder", row.path.display())),
            Some(wanted) if Some(&wanted) != text.as_ref() => {
                differences.push(format!("{} was {:?}, with another text", row.path.display(), row.state));
            }
            Some(_) => {}
        }
    }
    differences.extend(held.keys().map(|path| format!("{} is not in the library", path.display())));
    differences.truncate(10);
    differences
}

pub fn sample() -> PathBuf {
    repository().join("tests/fixtures/sample")
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The evaluation material beside the repository; prints that the test is skipped if it is missing.
pub fn evaluation(folder: &str) -> Option<PathBuf> {
    let path = repository().join("../shared/eval").join(folder);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {folder} is not beside the repository");
    None
}

/// The standard error of a run, and its exit status.
pub fn said(output: &Output) -> String {
    format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))
}

/// The text of a JSON string.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no string: {value}"))
}

/// Folds white space, because extractors may break lines anywhere.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
