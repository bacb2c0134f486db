//! Generators of other programs on this computer: LM Studio, Jan, Ollama, GPT4All, llama.cpp, and the cache of the
//! Hugging Face Hub. They are used in place and never copied.
//!
//! Only file headers are read here, by the bounded parser of `gguf`.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use serde::Deserialize;

use crate::gguf::Header;
use crate::import::writes_text;
use crate::model::Model;
use crate::{Entry, ModelFile, Role};

/// Levels of folders to search below a program's own; its models are two or three deep.
const MAX_DEPTH: usize = 5;
/// Maximum number of files per program, and of entries examined; the rest is ignored.
const MAX_FILES: usize = 2_000;
const MAX_ENTRIES: usize = 50_000;
/// Maximum bytes of an Ollama manifest; normal ones have about one thousand.
const MAX_MANIFEST: u64 = 1 << 20;

/// A folder where a program keeps its models.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    program: &'static str,
    folder: PathBuf,
}

/// Finds models. It caches their headers, so that a new search only lists folders.
#[derive(Debug)]
pub(crate) struct Finder {
    places: Vec<Place>,
    heads: Mutex<HashMap<PathBuf, (Stamp, Option<Header>)>>,
    /// The models of the last search, by id.
    seen: Mutex<HashMap<String, Model>>,
}

/// Size and modification time, to recognise an unchanged file.
type Stamp = (u64, Option<SystemTime>);

impl Finder {
    /// A finder for the programs' default folders, or those that their environment variables name.
    pub(crate) fn platform() -> Self {
        Self::new(places(&|name| std::env::var_os(name).filter(|value| !value.is_empty())))
    }

    /// A finder that finds nothing.
    pub(crate) fn nowhere() -> Self {
        Self::new(Vec::new())
    }

    fn new(places: Vec<Place>) -> Self {
        Self { places, heads: Mutex::default(), seen: Mutex::default() }
    }

    /// Every generator found, by program and name, without files that are not GGUF models or are still being written.
    pub(crate) fn models(&self) -> Vec<Model> {
        let mut files = Vec::new();
        for Place { program, folder } in &self.places {
            let found = if *program == "Ollama" { ollama(folder) } else { ggufs(folder) };
            files.extend(found.into_iter().map(|(name, path)| (*program, name, path)));
        }
        let mut models: Vec<Model> =
            files.into_iter().filter_map(|(program, name, path)| self.model(program, &name, &path)).collect();
        models.sort_by_key(|model| (model.entry.id.clone(), model.weights_path()));
        let mut taken = HashSet::new();
        models.retain_mut(|Model { entry, folder, .. }| {
            if taken.insert(entry.id.clone()) {
                return true;
            }
            // Files with the same name are distinguished by their folder.
            let folder = folder.as_deref().and_then(Path::file_name).unwrap_or_default();
            entry.id = format!("{}@{}", entry.id, folder.to_string_lossy().to_lowercase());
            taken.insert(entry.id.clone())
        });
        let by_id = models.iter().map(|model| (model.entry.id.clone(), model.clone())).collect();
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = by_id;
        models
    }

    /// The model with this id. If it was found before, only its file is checked.
    pub(crate) fn find(&self, id: &str) -> Option<Model> {
        let id = id.to_lowercase();
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let is_there = |model: &Model| {
            let size = model.weights_path().and_then(|path| Some(path.metadata().ok()?.len()));
            size == model.entry.weights().map(|file| file.size)
        };
        seen.filter(is_there).or_else(|| self.models().into_iter().find(|model| model.entry.id == id))
    }

    fn model(&self, program: &'static str, name: &str, path: &Path) -> Option<Model> {
        let (size, header) = self.head(path)?;
        if !writes_text(&header.architecture) {
            return None;
        }
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-:/".contains(c) { c } else { '-' };
        let id: String = format!("{program}/{name}").to_lowercase().chars().map(plain).collect();
        let file = ModelFile {
            name: path.file_name()?.to_str()?.to_owned(),
            path: None,
            size,
            sha256: String::new(),
        };
        let entry = Entry {
            id,
            name: header.name.unwrap_or_else(|| name.to_owned()),
            licence: header.licence.unwrap_or_else(|| "unknown".into()),
            parameters: Some(header.parameters),
            quantisation: header.quantisation.map(str::to_owned),
            kv_bytes: header.kv_bytes,
            ..Entry::of(Role::Generator, header.context_length, vec![file])
        };
        Some(Model {
            entry,
            folder: path.parent().map(Path::to_owned),
            imported: false,
            program: Some(program),
            server: None,
        })
    }

    /// The size and the header of a file; `None` if it is not a complete model.
    fn head(&self, path: &Path) -> Option<(u64, Header)> {
        let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
        let stamp = (metadata.len(), metadata.modified().ok());
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        let known = heads.get(path).filter(|(of, _)| *of == stamp);
        let head = match known {
            Some((_, head)) => head.clone(),
            None => {
                let head = Header::read(path).ok();
                heads.insert(path.to_owned(), (stamp, head.clone()));
                head
            }
        };
        Some((metadata.len(), head?))
    }
}

/// The GGUF files under `folder` with their display names, without files that belong to another one: later parts of a
/// split model, or the projector of a vision model.
fn ggufs(folder: &Path) -> Vec<(String, PathBuf)> {
    let (mut found, mut entries) = (Vec::new(), 0);
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MAX_ENTRIES {
                return found;
            }
            let path = item.path();
            // This follows links, since the cache of the Hub consists of them.
            if path.is_dir() {
                if depth < MAX_DEPTH {
                    folders.push((path, depth + 1));
                }
                continue;
            }
            let is_gguf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gguf"));
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            if !is_gguf || stem.starts_with("mmproj") || found.len() == MAX_FILES {
                continue;
            }
            // Jan calls every file `model` and names its folder after the model.
            let name = if stem == "model" {
                path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or(stem)
            } else {
                stem
            };
            found.push((name.to_owned(), path));
        }
    }
    found
}

/// The models of an Ollama folder: each manifest names the blob with its weights.
fn ollama(folder: &Path) -> Vec<(String, PathBuf)> {
    #[derive(Deserialize)]
    struct Manifest {
        layers: Vec<Layer>,
    }
    #[derive(Deserialize)]
    struct Layer {
        #[serde(rename = "mediaType")]
        media_type: String,
        digest: String,
    }
    let mut found = Vec::new();
    // manifests/<host>/<owner>/<model>/<tag>
    let manifests = folder.join("manifests");
    let below = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path());
    let tags = below(&manifests)
        .flat_map(|host| below(&host).collect::<Vec<_>>())
        .flat_map(|owner| below(&owner).collect::<Vec<_>>())
        .flat_map(|model| below(&model).collect::<Vec<_>>());
    for path in tags.take(MAX_FILES) {
        if !path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_MANIFEST) {
            continue;
        }
        let Ok(manifest) = fs::read(&path) else { continue };
        let Ok(manifest) = serde_json::from_slice::<Manifest>(&manifest) else { continue };
        let weights = |layer: &Layer| layer.media_type == "application/vnd.ollama.image.model";
        let Some(layer) = manifest.layers.into_iter().find(weights) else { continue };
        // A digest is `sha256:` and hexadecimal digits; anything else might lead out of the folder.
        let digest = layer.digest.strip_prefix("sha256:").unwrap_or_default();
        if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            continue;
        }
        let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
        let (Some(tag), Some(model)) = (name(&path), path.parent().and_then(name)) else { continue };
        let owner = path.ancestors().nth(2).and_then(name).filter(|owner| owner != "library");
        let owner = owner.map_or(String::new(), |owner| format!("{owner}-"));
        found.push((format!("{owner}{model}:{tag}"), folder.join("blobs").join(format!("sha256-{digest}"))));
    }
    found
}

/// The model folders of the programs, by their documentation.
fn places(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<Place> {
    let path = |name: &str| variable(name).map(PathBuf::from);
    let home = path(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    let mut places = Vec::new();
    let mut add = |program: &'static str, folder: Option<PathBuf>| {
        let place = folder.map(|folder| Place { program, folder });
        places.extend(place.filter(|place| place.folder.is_absolute()));
    };
    let at = |rest: &str| home.as_ref().map(|home| home.join(rest));
    let data = if cfg!(windows) {
        path("APPDATA")
    } else if cfg!(target_os = "macos") {
        at("Library/Application Support")
    } else {
        path("XDG_DATA_HOME").or_else(|| at(".local/share"))
    };
    let data = |rest: &str| data.as_ref().map(|data| data.join(rest));
    let cache = path("XDG_CACHE_HOME").or_else(|| at(".cache"));
    let cache = |rest: &str| cache.as_ref().map(|cache| cache.join(rest));

    add("LM Studio", at(".lmstudio/models"));
    add("LM Studio", at(".cache/lm-studio/models"));
    add("Jan", data("Jan/data/llamacpp/models"));
    add("Jan", data("Jan/data/models"));
    add("Ollama", path("OLLAMA_MODELS").or_else(|| at(".ollama/models")));
    if cfg!(target_os = "linux") {
        // Ollama's service runs as a user of its own.
        add("Ollama", Some("/usr/share/ollama/.ollama/models".into()));
    }
    let gpt4all = if cfg!(windows) { path("LOCALAPPDATA").map(|p| p.join("nomic.ai/GPT4All")) } else { None };
    add("GPT4All", gpt4all.or_else(|| data("nomic.ai/GPT4All")));
    let hub = path("HF_HUB_CACHE").or_else(|| path("HF_HOME").map(|home| home.join("hub")));
    add("Hugging Face", hub.or_else(|| cache("huggingface/hub")));
    let llama = if cfg!(windows) {
        path("LOCALAPPDATA").map(|data| data.join("llama.cpp"))
    } else if cfg!(target_os = "macos") {
        at("Library/Caches/llama.cpp")
    } else {
        cache("llama.cpp")
    };
    add("llama.cpp", path("LLAMA_CACHE").or(llama));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::tests::sound;

    fn put(path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    #[test]
    fn models_of_other_programs_are_found_where_they_lie_and_gone_when_they_are_gone() {
        let home = tempfile::tempdir().unwrap();
        let at = |rest: &str| home.path().join(rest);
        let digest = "ab".repeat(32);
        put(&at(".lmstudio/models/qwen/Qwen-GGUF/Qwen3 4B.gguf"), &sound());
        put(&at(".lmstudio/models/qwen/Qwen-GGUF/mmproj-Qwen3.gguf"), &sound());
        put(&at(".lmstudio/models/unsloth/Other/Qwen3 4B.gguf"), &sound());
        put(&at(".lmstudio/models/unsloth/Third/Qwen3 4B.gguf"), &sound());
        put(&at(".lmstudio/models/qwen/Qwen-GGUF/half.gguf"), &sound()[..80]);
        put(&at(".local/share/Jan/data/llamacpp/models/Jan-v1/model.gguf"), &sound());
        put(&at(".local/share/nomic.ai/GPT4All/Llama-3.gguf"), &sound());
        put(&at(".cache/llama.cpp/ggml-org_gemma.gguf"), &sound());
        put(&at(".cache/huggingface/hub/models--a--b/blobs/cd"), &sound());
        let snapshot = at(".cache/huggingface/hub/models--a--b/snapshots/0123/b-Q4.gguf");
        fs::create_dir_all(snapshot.parent().unwrap()).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../../blobs/cd", &snapshot).unwrap();
        let manifest = |digest: &str| {
            format!(
                r#"{{"layers":[{{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:{digest}"}}]}}"#
            )
        };
        let tag = ".ollama/models/manifests/registry.ollama.ai/library/llama3.2/3b";
        put(&at(tag), manifest(&digest).as_bytes());
        put(
            &at(".ollama/models/manifests/registry.ollama.ai/library/evil/x"),
            manifest("../../x").as_bytes(),
        );
        put(&at(&format!(".ollama/models/blobs/sha256-{digest}")), &sound());

        let variable = |name: &str| (name == "HOME").then(|| home.path().as_os_str().to_owned());
        let finder = Finder::new(places(&variable));
        let ids = || finder.models().into_iter().map(|model| model.entry.id).collect::<Vec<_>>();
        if cfg!(target_os = "linux") {
            let wanted = [
                "gpt4all/llama-3",
                "hugging-face/b-q4",
                "jan/jan-v1",
                "llama.cpp/ggml-org_gemma",
                "lm-studio/qwen3-4b",
                "lm-studio/qwen3-4b@other",
                "lm-studio/qwen3-4b@third",
                "ollama/llama3.2:3b",
            ];
            assert_eq!(ids(), wanted);
            let models = finder.models();
            let ollama = models.iter().find(|model| model.program == Some("Ollama")).unwrap();
            assert_eq!(
                ollama.weights_path(),
                Some(at(&format!(".ollama/models/blobs/sha256-{digest}"))),
                "it is used in place"
            );
            assert!(finder.find("Ollama/llama3.2:3b").is_some());
            fs::remove_file(at(&format!(".ollama/models/blobs/sha256-{digest}"))).unwrap();
            assert!(finder.find("ollama/llama3.2:3b").is_none(), "the weights are gone");
            fs::remove_file(at(tag)).unwrap();
            assert!(!ids().contains(&"ollama/llama3.2:3b".to_owned()));
        }
    }
}
