//! Takes a model of the user's own: a GGUF file, or a folder with a BERT model.
//!
//! A model is tried before it is kept. What it is comes from its own head or configuration; nothing is fetched, and
//! nothing of it is run but the model.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use oriel_core::{CancelToken, Embedder, ModelError, Reranker};
use oriel_download::{Progress, Stage, Staging, copy_hashed, failed};
use serde::Deserialize;

use crate::bert::Config;
use crate::generate::{WorkerCommand, trial};
use crate::models::{MANIFEST, imported};
use crate::{CandleEmbedder, CandleReranker, CandleSettings, Entry, Model, ModelFile, Role, gguf};

/// The files of a BERT model that are kept, the weights first.
const BERT_FILES: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];
/// Architectures that llama.cpp runs and that write nothing.
const SILENT: [&str; 6] = ["bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "t5encoder", "clip"];

/// Where an import reports its progress, and what may end it.
pub(crate) struct ImportContext<'a> {
    pub progress: &'a mut dyn FnMut(Progress),
    pub cancel: &'a CancelToken,
}

/// Checks, tries and installs the model at `path` as `parent/id`; `taken` are names it must not have.
pub(crate) fn import(
    path: &Path,
    parent: &Path,
    taken: &[String],
    worker: &WorkerCommand,
    context: &mut ImportContext<'_>,
) -> Result<Model, ModelError> {
    let wrong = |what: &str| ModelError::Failed(format!("{}: {what}", path.display()));
    let source = path.canonicalize().map_err(|e| failed(path, &e))?;
    let id = name(path).or_else(|| name(&source)).ok_or_else(|| wrong("its name makes no id; rename it"))?;
    if taken.contains(&id) {
        return Err(wrong(&format!("'{id}' is a model of the catalog; rename the file")));
    }
    let folder = if source.is_dir() { source.clone() } else { source.parent().unwrap_or(&source).to_owned() };
    let mut entry =
        if source.is_dir() { bert(&source) } else { generator(&source) }.map_err(|e| wrong(&e))?;
    id.clone_into(&mut entry.id);
    for file in &mut entry.files {
        let path = folder.join(&file.name);
        file.size = path.metadata().map_err(|e| failed(&path, &e))?.len();
    }
    let mut step = Step { stage: Stage::Reading, done: 0, total: entry.size() };
    for file in &mut entry.files {
        (file.size, file.sha256) = transfer(&folder.join(&file.name), None, &mut step, context)?;
    }

    let target = parent.join(&id);
    if target.exists() {
        let same = imported(&target).is_some_and(|there| {
            there.entry.files.iter().map(|file| &file.sha256).eq(entry.files.iter().map(|file| &file.sha256))
        });
        if same {
            return imported(&target).ok_or_else(|| wrong("its installed files have just vanished"));
        }
        return Err(wrong(&format!(
            "another model is called '{id}' already; rename this one, or delete {}",
            target.display()
        )));
    }
    let candidate = Model { entry, folder: Some(folder.clone()), imported: true, program: None };
    (context.progress)(Progress { stage: Stage::Trying, done: 0, total: candidate.entry.size() });
    let model = attempt(candidate, &source, worker, context.cancel)?;
    context.cancel.check()?;
    install(model, &folder, parent, context)
}

/// An id from a file's or folder's name: lower case, and nothing but letters, digits, `.`, `_` and `-`.
fn name(path: &Path) -> Option<String> {
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() }?.to_str()?.to_lowercase();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let id: String = name.chars().map(plain).collect();
    let id = id.trim_matches(['.', '-']).to_owned();
    (!id.is_empty()).then_some(id)
}

/// Whether models of this architecture write text.
pub(crate) fn writes_text(architecture: &str) -> bool {
    !SILENT.contains(&architecture)
}

/// What a GGUF file says it is.
fn generator(path: &Path) -> Result<Entry, String> {
    let header = gguf::Header::read(path)?;
    if !writes_text(&header.architecture) {
        return Err(format!("a model of the kind '{}' writes no text", header.architecture));
    }
    let file = path.file_name().and_then(|name| name.to_str()).ok_or("its name is no Unicode text")?;
    Ok(Entry {
        name: header.name.unwrap_or_default(),
        licence: header.licence.unwrap_or_else(|| "unknown".into()),
        parameters: Some(header.parameters),
        quantisation: header.quantisation.map(str::to_owned),
        kv_bytes: header.kv_bytes,
        about: format!("imported from {file}: {}", header.architecture),
        ..Entry::of(Role::Generator, header.context_length, vec![blank(file)])
    })
}

/// What a folder with a BERT model says it is.
fn bert(folder: &Path) -> Result<Entry, String> {
    if let Some(missing) = BERT_FILES.iter().find(|name| !folder.join(name).is_file()) {
        return Err(format!(
            "has no {missing}; Oriel takes a GGUF file, or a folder with {}",
            BERT_FILES.join(", ")
        ));
    }
    let config = Config::read(&folder.join("config.json"))?;
    let role = match config.architectures.first().map(String::as_str) {
        Some("BertModel") | None => Role::Embedder,
        Some(other) if other.ends_with("ForSequenceClassification") => Role::Reranker,
        Some(other) => return Err(format!("'{other}' is neither an embedder nor a reranker")),
    };
    if role == Role::Reranker && config.labels() != 1 {
        return Err(format!("has {} labels, a reranker has one", config.labels()));
    }
    if role == Role::Embedder && !pools_by_mean(folder) {
        return Err(
            "makes its vectors otherwise than by the mean of its tokens, which Oriel does not do".into()
        );
    }
    Ok(Entry {
        dimensions: (role == Role::Embedder).then_some(config.hidden_size),
        about: "imported".into(),
        ..Entry::of(role, config.max_position_embeddings, BERT_FILES.iter().copied().map(blank).collect())
    })
}

/// Whether sentence-transformers would take the mean here; where its configuration is absent, that is assumed.
fn pools_by_mean(folder: &Path) -> bool {
    #[derive(Deserialize)]
    struct Pooling {
        pooling_mode_mean_tokens: bool,
    }
    let Ok(bytes) = fs::read(folder.join("1_Pooling").join("config.json")) else { return true };
    serde_json::from_slice::<Pooling>(&bytes).is_ok_and(|pooling| pooling.pooling_mode_mean_tokens)
}

fn blank(name: &str) -> ModelFile {
    ModelFile { name: name.into(), path: None, size: 0, sha256: String::new() }
}

/// Runs the model once.
fn attempt(
    mut model: Model,
    source: &Path,
    worker: &WorkerCommand,
    cancel: &CancelToken,
) -> Result<Model, ModelError> {
    let settings = CandleSettings::default();
    let numbers = match model.entry.role {
        Role::Generator => {
            if let Some(notice) = trial(worker, source, cancel)?.notice {
                model.entry.about.push_str(&format!("; {notice}"));
            }
            Vec::new()
        }
        Role::Embedder => {
            CandleEmbedder::load(&model, &settings)?.embed(&["a trial".into()], cancel)?.concat()
        }
        Role::Reranker => CandleReranker::load(&model, &settings)?.score("a", &["trial".into()], cancel)?,
    };
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(model)
    } else {
        Err(ModelError::Failed(format!("{}: what it computes are no numbers", source.display())))
    }
}

/// Puts the tried files in their place, linked where the disk allows it.
fn install(model: Model, from: &Path, parent: &Path, context: &mut ImportContext<'_>) -> Result<Model, ModelError> {
    let staging = Staging::new(parent, &model.entry.id)?;
    let mut step = Step { stage: Stage::Copying, done: 0, total: model.entry.size() };
    for file in &model.entry.files {
        // A link to a link would lead nowhere from its new place.
        let source = from.join(&file.name);
        let source = source.canonicalize().map_err(|e| failed(&source, &e))?;
        let target = staging.folder().join(&file.name);
        if fs::hard_link(&source, &target).is_err() {
            let (_, sha256) = transfer(&source, Some(&target), &mut step, context)?;
            if sha256 != file.sha256 {
                return Err(ModelError::Failed(format!(
                    "{}: it changed while it was imported; try again",
                    source.display()
                )));
            }
        }
    }
    let manifest = serde_json::to_vec_pretty(&model.entry)
        .map_err(|e| ModelError::Failed(format!("{}: {e}", model.entry.id)))?;
    let path = staging.folder().join(MANIFEST);
    fs::write(&path, manifest).map_err(|e| failed(&path, &e))?;
    let folder: PathBuf = staging.finish(context.cancel)?;
    Ok(Model { folder: Some(folder), ..model })
}

/// How far the files of a stage are, in bytes.
struct Step {
    stage: Stage,
    done: u64,
    total: u64,
}

/// Copies a file, or only reads it; gives its size and SHA-256.
fn transfer(
    from: &Path,
    to: Option<&Path>,
    step: &mut Step,
    context: &mut ImportContext<'_>,
) -> Result<(u64, String), ModelError> {
    let mut source = File::open(from).map_err(|e| failed(from, &e))?;
    let mut target: Box<dyn io::Write> = match to {
        Some(path) => Box::new(File::create(path).map_err(|e| failed(path, &e))?),
        None => Box::new(io::sink()),
    };
    let &mut Step { stage, done, total } = step;
    let mut copied = |bytes: u64| (context.progress)(Progress { stage, done: done + bytes, total });
    let (size, sha256) = copy_hashed(&mut source, &mut *target, u64::MAX, context.cancel, &mut copied)?
        .map_err(|e| failed(to.unwrap_or(from), &e))?;
    step.done += size;
    Ok((size, sha256))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain() {
        for (path, wanted) in [
            ("/m/Qwen2.5-0.5B Instruct (Q4).gguf", Some("qwen2.5-0.5b-instruct--q4")),
            ("/m/\u{e9}t\u{e9}.gguf", Some("t")),
            ("/m/...gguf", None),
        ] {
            assert_eq!(name(Path::new(path)).as_deref(), wanted, "{path}");
        }
    }
}
