//! Imports the user's own model: a GGUF file, or a folder with an embedder or a reranker.
//!
//! A model is tried before it is kept. Its properties come from its own header or configuration. Nothing is downloaded,
//! and no code of the model's is run.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use oriel_core::notice::shown;
use oriel_core::{CancelToken, Embedder, ModelError, Notice, Reranker, TextKind};
use oriel_download::{Progress, Stage, Staging, copy_hashed, failed};

use crate::encoder::{Config, DENSE, Modules, SCORE, dense_rows};
use crate::generate::{WorkerCommand, trial};
use crate::model::{MANIFEST, imported};
use crate::{CandleEmbedder, CandleReranker, CandleSettings, Entry, Model, ModelFile, Role, gguf};

/// The files of an embedder or a reranker, the weights first.
const ENCODER_FILES: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];
/// Architectures that llama.cpp runs but that do not write text.
const SILENT: [&str; 6] = ["bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "t5encoder", "clip"];

/// Progress and cancellation of an import.
pub(crate) struct ImportContext<'a> {
    pub progress: &'a mut dyn FnMut(Progress),
    pub cancel: &'a CancelToken,
}

/// Checks, tries and installs the model at `path` as `parent/id`; `taken` are ids already in use.
pub(crate) fn import(
    path: &Path,
    parent: &Path,
    taken: &[String],
    worker: &WorkerCommand,
    context: &mut ImportContext<'_>,
) -> Result<Model, ModelError> {
    let wrong = |what: Notice| ModelError::Failed(Notice::about(path.display(), what));
    let source = path.canonicalize().map_err(|e| failed(path, &e))?;
    let id = name(path).or_else(|| name(&source)).ok_or_else(|| wrong(Notice::NameMakesNoId))?;
    if taken.contains(&id) {
        return Err(wrong(Notice::NameOfCatalog { id }));
    }
    let folder = if source.is_dir() { source.clone() } else { source.parent().unwrap_or(&source).to_owned() };
    let mut entry = if source.is_dir() { encoder(&source) } else { generator(&source) }.map_err(wrong)?;
    id.clone_into(&mut entry.id);
    for file in &mut entry.files {
        let path = origin(&folder, file);
        file.size = path.metadata().map_err(|e| failed(&path, &e))?.len();
    }
    let mut step = Step { stage: Stage::Reading, done: 0, total: entry.size() };
    for file in &mut entry.files {
        (file.size, file.sha256) = transfer(&origin(&folder, file), None, &mut step, context)?;
    }

    let target = parent.join(&id);
    if target.exists() {
        let same = imported(&target).is_some_and(|there| {
            there.entry.files.iter().map(|file| &file.sha256).eq(entry.files.iter().map(|file| &file.sha256))
        });
        if same {
            return imported(&target).ok_or_else(|| wrong(Notice::FilesVanished));
        }
        return Err(wrong(Notice::NameTaken { id, folder: shown(&target) }));
    }
    let mut model = Model { entry, folder: None, imported: true, program: None, server: None };
    if model.entry.role == Role::Generator {
        (context.progress)(Progress { stage: Stage::Trying, done: 0, total: model.entry.size() });
        if let Some(notice) = trial(worker, &source, context.cancel)?.notice {
            model.entry.about.push_str(&format!("; {notice}"));
        }
        context.cancel.check()?;
    }
    install(model, &folder, parent, context)
}

fn origin(folder: &Path, file: &ModelFile) -> PathBuf {
    folder.join(file.path.as_deref().unwrap_or(&file.name))
}

/// An id made from the name of a file or folder: lower case, and only letters, digits, `.`, `_` and `-`.
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

/// The catalog entry for a GGUF file.
fn generator(path: &Path) -> Result<Entry, Notice> {
    let header = gguf::Header::read(path)?;
    if !writes_text(&header.architecture) {
        return Err(Notice::WritesNoText { kind: header.architecture });
    }
    let file = path.file_name().and_then(|name| name.to_str()).ok_or(Notice::NameNotUnicode)?;
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

/// The catalog entry for a folder with an embedder or a reranker.
fn encoder(folder: &Path) -> Result<Entry, Notice> {
    if let Some(missing) = ENCODER_FILES.iter().find(|name| !folder.join(name).is_file()) {
        let (missing, files) = ((*missing).to_owned(), ENCODER_FILES.join(", "));
        return Err(Notice::FolderLacksFile { missing, files });
    }
    let config = Config::read(&folder.join("config.json")).map_err(Notice::text)?;
    let modules = Modules::read(folder).map_err(Notice::text)?;
    let has = |name: &str| modules.layers.iter().any(|(layer, _)| *layer == name);
    let role = match config.class.as_deref() {
        Some("BertModel" | "XLMRobertaModel" | "ModernBertModel") | None if has(SCORE) => Role::Reranker,
        Some("BertModel" | "XLMRobertaModel" | "ModernBertModel") | None => Role::Embedder,
        Some(other) if other.ends_with("ForSequenceClassification") => Role::Reranker,
        Some(other) => return Err(Notice::NeitherEmbedderNorReranker { class: other.to_owned() }),
    };
    if role == Role::Reranker && !has(SCORE) && config.labels != 1 {
        return Err(Notice::LabelsOfNoReranker { labels: config.labels });
    }
    let layers =
        modules.layers.iter().map(|(name, path)| ModelFile { path: Some(path.clone()), ..blank(name) });
    let files: Vec<ModelFile> = ENCODER_FILES.iter().copied().map(blank).chain(layers).collect();
    if let Some(missing) = files.iter().find(|file| !origin(folder, file).is_file()) {
        let missing = missing.path.as_deref().unwrap_or(&missing.name).to_owned();
        return Err(Notice::LacksFile { missing });
    }
    Ok(Entry {
        dimensions: match role {
            Role::Embedder if has(DENSE) => {
                Some(dense_rows(&origin(folder, &files[ENCODER_FILES.len()])).map_err(Notice::text)?)
            }
            Role::Embedder => Some(config.hidden_size()),
            _ => None,
        },
        pooling: modules.pooling,
        query_prefix: modules.query_prefix,
        passage_prefix: modules.passage_prefix,
        about: "imported".into(),
        ..Entry::of(role, config.max_tokens(), files)
    })
}

fn blank(name: &str) -> ModelFile {
    ModelFile { name: name.into(), path: None, size: 0, sha256: String::new() }
}

/// Runs an embedder or a reranker once.
fn attempt(model: &Model, cancel: &CancelToken) -> Result<(), ModelError> {
    let settings = CandleSettings::default();
    let trial = ["a trial".into()];
    let numbers = match model.entry.role {
        Role::Embedder => {
            CandleEmbedder::load(model, &settings)?.embed(&trial, TextKind::Passage, cancel)?.concat()
        }
        _ => CandleReranker::load(model, &settings)?.score("a", &trial, cancel)?,
    };
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(())
    } else {
        Err(ModelError::Failed(Notice::about(&model.entry.id, Notice::NotNumbers)))
    }
}

/// Installs the files, as hard links if the disk allows it. A generator was tried before; an embedder or a reranker is
/// tried as installed.
fn install(
    model: Model,
    from: &Path,
    parent: &Path,
    context: &mut ImportContext<'_>,
) -> Result<Model, ModelError> {
    let staging = Staging::new(parent, &model.entry.id)?;
    let mut step = Step { stage: Stage::Copying, done: 0, total: model.entry.size() };
    for file in &model.entry.files {
        // A link to a symbolic link might be broken in the new folder.
        let source = origin(from, file);
        let source = source.canonicalize().map_err(|e| failed(&source, &e))?;
        let target = staging.folder().join(&file.name);
        if fs::hard_link(&source, &target).is_err() {
            let (_, sha256) = transfer(&source, Some(&target), &mut step, context)?;
            if sha256 != file.sha256 {
                let what = Notice::about(source.display(), Notice::ChangedWhileImported);
                return Err(ModelError::Failed(what));
            }
        }
    }
    let manifest = serde_json::to_vec_pretty(&model.entry)
        .map_err(|e| ModelError::Failed(Notice::about(&model.entry.id, Notice::text(e))))?;
    let path = staging.folder().join(MANIFEST);
    fs::write(&path, manifest).map_err(|e| failed(&path, &e))?;
    if model.entry.role != Role::Generator {
        (context.progress)(Progress { stage: Stage::Trying, done: 0, total: model.entry.size() });
        attempt(&Model { folder: Some(staging.folder().to_owned()), ..model.clone() }, context.cancel)?;
    }
    let folder: PathBuf = staging.finish(context.cancel)?;
    Ok(Model { folder: Some(folder), ..model })
}

/// Progress of one step over the files, in bytes.
struct Step {
    stage: Stage,
    done: u64,
    total: u64,
}

/// Copies a file, or only reads it; returns its size and SHA-256.
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
