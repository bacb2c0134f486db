//! Which model serves in which role. Models are loaded on first use and kept until another is chosen.
//!
//! This module owns the choice and the loaded models; callers decide what to ask them.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oriel_core::{
    CancelToken, ClaimChecker, Embedder, Generator, ModelError, Notice, Reranker, WorkerCommand,
};

use crate::listing::Circumstances;
use crate::{
    CandleChecker, CandleEmbedder, CandleReranker, CandleSettings, Listed, LlamaProcess, LlamaSettings,
    Machine, Model, Models, Progress, Role, ServerGenerator, Speed, listing, speed,
};

/// The setting for no generator: answers are quotes.
pub const QUOTES: &str = "quotes";
/// The setting for no reranker: the retriever's order is kept.
pub const OFF: &str = "off";
/// The reranker that ships with Oriel and reads answers.
const READER: &str = "oriel-reader-v3";

/// The models that the user chose. `None` selects the first installed model of the role; for the embedder, the one that
/// made the library's vectors is preferred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The embedder's id.
    pub embedder: Option<String>,
    /// The reranker's id, or [`OFF`].
    pub reranker: Option<String>,
    /// The generator's id, or [`QUOTES`].
    pub generator: Option<String>,
    /// Processor threads per model; all if `None`.
    pub threads: Option<usize>,
    /// Whether models use the CPU even if there is a usable graphics card.
    pub cpu: bool,
}

/// Functions that the models' threads run first, for example to lower their priority.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadBegin {
    /// For models that answer a question.
    pub asked: Option<fn()>,
    /// For models that index.
    pub indexing: Option<fn()>,
    /// The niceness of the generator's process.
    pub generator: Option<i32>,
}

/// The models in their roles.
pub struct Roles {
    models: Models,
    worker: WorkerCommand,
    begin: ThreadBegin,
    choice: Mutex<Choice>,
    /// The fingerprint of the embedder to use if the user chose none and it is installed.
    preferred: Mutex<Option<String>>,
    embedder: Held<CandleEmbedder>,
    indexing: Held<CandleEmbedder>,
    /// The embedder of a library's current vectors, if another one is chosen.
    former: Held<CandleEmbedder>,
    reranker: Held<dyn Reranker>,
    checker: Held<dyn ClaimChecker>,
    generator: Held<LlamaProcess>,
}

/// A loaded model with its key. It is locked while it loads, so that only threads that need it wait.
type Held<T> = Mutex<Option<(Key, Arc<T>)>>;

/// The name of the weights, the number of threads, and whether only the CPU is used.
type Key = (String, Option<usize>, bool);

impl Roles {
    /// Roles without a loaded model. `worker` starts the generator's process.
    #[must_use]
    pub fn new(models: Models, worker: WorkerCommand, choice: Choice) -> Self {
        Self {
            models,
            worker,
            begin: ThreadBegin::default(),
            choice: Mutex::new(choice),
            preferred: Mutex::default(),
            embedder: Mutex::default(),
            indexing: Mutex::default(),
            former: Mutex::default(),
            reranker: Mutex::default(),
            checker: Mutex::default(),
            generator: Mutex::default(),
        }
    }

    /// The same roles, with functions for the models' threads to run first.
    #[must_use]
    pub fn beginning(self, begin: ThreadBegin) -> Self {
        Self { begin, ..self }
    }

    #[must_use]
    pub fn thread_begin(&self) -> ThreadBegin {
        self.begin
    }

    #[must_use]
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// Imports a model, see [`Models::import`].
    ///
    /// # Errors
    /// Those of [`Models::import`].
    pub fn import(
        &self,
        path: &Path,
        progress: &mut dyn FnMut(Progress),
        cancel: &CancelToken,
    ) -> Result<Model, ModelError> {
        self.models.import(path, &self.worker, progress, cancel)
    }

    /// Changes the choice and releases models that are no longer chosen. One that is being loaded now is released at
    /// its next use.
    pub fn choose(&self, choice: Choice) {
        *lock(&self.choice) = choice;
        self.let_go(&self.indexing, Role::Embedder);
        self.let_go(&self.embedder, Role::Embedder);
        self.let_go(&self.reranker, Role::Reranker);
        self.let_go(&self.generator, Role::Generator);
    }

    fn let_go<T: ?Sized>(&self, held: &Held<T>, role: Role) {
        let wanted = self.serving(role).ok().flatten().map(|model| key(&model, &lock(&self.choice)));
        if let Ok(mut held) = held.try_lock()
            && held.as_ref().map(|(key, _)| key) != wanted.as_ref()
        {
            *held = None;
        }
    }

    /// Ends the generator's process to free its memory; the next question restarts it.
    pub fn release_generator(&self) {
        *lock(&self.generator) = None;
    }

    /// The held model if it is the one that serves; otherwise loads that one.
    fn kept<T: ?Sized>(
        &self,
        held: &Held<T>,
        role: Role,
        load: impl FnOnce(&Model, &Choice) -> Result<Arc<T>, ModelError>,
    ) -> Result<Option<Arc<T>>, ModelError> {
        let mut held = lock(held);
        let choice = lock(&self.choice).clone();
        let Some(model) = self.serving_in(&choice, role)? else {
            *held = None;
            return Ok(None);
        };
        let key = key(&model, &choice);
        if let Some((_, kept)) = held.as_ref().filter(|(of, _)| *of == key) {
            return Ok(Some(Arc::clone(kept)));
        }
        // The old model is released first, because two may not fit into memory.
        *held = None;
        let loaded = load(&model, &choice)?;
        *held = Some((key, Arc::clone(&loaded)));
        Ok(Some(loaded))
    }

    /// The model that serves as `role`: the chosen one, otherwise the preferred one, otherwise the first installed one;
    /// `None` if there is none or the user wants none.
    ///
    /// # Errors
    /// If the chosen one is unknown, not installed, or has another role.
    pub fn serving(&self, role: Role) -> Result<Option<Model>, ModelError> {
        let choice = lock(&self.choice).clone();
        self.serving_in(&choice, role)
    }

    fn serving_in(&self, choice: &Choice, role: Role) -> Result<Option<Model>, ModelError> {
        let (wanted, none) = match role {
            Role::Embedder => (&choice.embedder, None),
            Role::Reranker => (&choice.reranker, Some(OFF)),
            Role::Checker => (&None, None),
            Role::Generator => (&choice.generator, Some(QUOTES)),
        };
        match wanted {
            Some(id) if Some(id.as_str()) == none => Ok(None),
            Some(id) => {
                let model = self.models.find(id)?;
                model.check(role)?;
                Ok(Some(model))
            }
            None => {
                let mut all = self.models.own();
                all.retain(|model| model.entry.role == role && model.folder.is_some());
                let preferred = lock(&self.preferred).clone().filter(|_| role == Role::Embedder);
                let is_preferred = |model: &Model| CandleEmbedder::fingerprint_of(model) == preferred;
                let at = preferred.as_ref().and_then(|_| all.iter().position(is_preferred));
                Ok(all.into_iter().nth(at.unwrap_or(0)))
            }
        }
    }

    /// All models with the information for choosing one.
    #[must_use]
    pub fn list(&self, machine: Machine, is_foreign: bool) -> Vec<Listed> {
        let loaded = |role| match role {
            Role::Embedder => lock(&self.embedder).is_some(),
            Role::Reranker => lock(&self.reranker).is_some(),
            Role::Checker => lock(&self.checker).is_some(),
            Role::Generator => lock(&self.generator).is_some(),
        };
        let serving: Vec<(Model, u64)> = Role::ALL
            .into_iter()
            .filter_map(|role| {
                let model = self.serving(role).ok()??;
                let held = if loaded(role) { model.memory() } else { 0 };
                Some((model, held))
            })
            .collect();
        let circumstances = Circumstances { machine, is_foreign, settings: self.settings() };
        listing::list(self.models.list(), &circumstances, self.models.speeds(), &serving)
    }

    /// The speed of the model that serves as `role`. If it was not measured before, it is loaded and measured, which
    /// takes some seconds. `None` if no model serves.
    ///
    /// # Errors
    /// If it cannot be loaded; [`ModelError::Cancelled`].
    pub fn speed(&self, role: Role, cancel: &CancelToken) -> Result<Option<Speed>, ModelError> {
        let Some(model) = self.serving(role)? else { return Ok(None) };
        let settings = self.settings();
        if let Some(speed) = self.models.speeds().of(&model, &settings) {
            return Ok(Some(speed));
        }
        let speed = match role {
            Role::Embedder => self
                .embedder()?
                .map(|embedder| speed::embedder(&*embedder, self.device(), cancel))
                .transpose()?,
            Role::Reranker => self
                .reranker()?
                .map(|reranker| speed::reranker(&*reranker, self.device(), cancel))
                .transpose()?,
            Role::Checker => None,
            // A server's speed depends on its load and is not measured.
            Role::Generator if model.server.is_some() => None,
            Role::Generator => self.llama()?.map(|llama| speed::generator(&llama, cancel)).transpose()?,
        };
        if let Some(speed) = &speed {
            self.models.speeds().keep(&model, &settings, speed.clone());
        }
        Ok(speed)
    }

    fn device(&self) -> String {
        let cpu = lock(&self.choice).cpu;
        if cpu { "CPU".to_owned() } else { crate::backend::backend().device.to_uppercase() }
    }

    /// Device and threads, under which measured speeds are stored.
    fn settings(&self) -> String {
        let threads = crate::backend::threads(lock(&self.choice).threads);
        format!("{}, {threads} threads", self.device())
    }

    /// The embedder; a search without one uses words only.
    ///
    /// # Errors
    /// If the chosen one is not installed or cannot be loaded.
    pub fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, ModelError> {
        Ok(self.loaded()?.map(|embedder| embedder as Arc<dyn Embedder>))
    }

    fn loaded(&self) -> Result<Option<Arc<CandleEmbedder>>, ModelError> {
        self.kept(&self.embedder, Role::Embedder, |model, choice| {
            Ok(Arc::new(CandleEmbedder::load(model, &settings(choice, self.begin.asked))?))
        })
    }

    /// The embedder with this id, whether or not it serves; released when the returned value is dropped.
    ///
    /// # Errors
    /// If it is not an embedder, not installed, or cannot be loaded.
    pub fn load_embedder(&self, id: &str) -> Result<Arc<dyn Embedder>, ModelError> {
        let choice = lock(&self.choice).clone();
        let model = self.models.find(id)?;
        Ok(Arc::new(CandleEmbedder::load(&model, &settings(&choice, self.begin.indexing))?))
    }

    /// The embedder for background work: the same weights with their own threads, so that a question neither waits for
    /// indexing nor runs at its priority. Call it at the priority of a question: if the model has to be loaded, its
    /// threads inherit the caller's priority.
    ///
    /// # Errors
    /// If the chosen one is not installed or cannot be loaded.
    pub fn indexing_embedder(&self) -> Result<Option<Arc<dyn Embedder>>, ModelError> {
        let Some(loaded) = self.loaded()? else { return Ok(None) };
        let embedder = self.kept(&self.indexing, Role::Embedder, |model, choice| {
            let name = format!("indexing {}", model.entry.id);
            Ok(Arc::new(loaded.beside(&name, &settings(choice, self.begin.indexing))?))
        })?;
        Ok(embedder.map(|embedder| embedder as Arc<dyn Embedder>))
    }

    /// The embedder for questions to a library: the one that made its vectors (`stored` is its fingerprint), even while
    /// another one's are being made. `None` if it is not installed: questions then use words only.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub fn embedder_of(&self, stored: Option<&str>) -> Result<Option<Arc<dyn Embedder>>, ModelError> {
        let chosen = self.serving(Role::Embedder)?;
        let made = |model: &Model| CandleEmbedder::fingerprint_of(model).as_deref() == stored;
        if stored.is_none() || chosen.as_ref().is_some_and(made) {
            *lock(&self.former) = None;
            return self.embedder();
        }
        let Some(model) = stored.and_then(|stored| self.embedder_with(stored)) else { return Ok(None) };
        let choice = lock(&self.choice).clone();
        let mut held = lock(&self.former);
        let key = key(&model, &choice);
        if held.as_ref().is_none_or(|(of, _)| *of != key) {
            *held =
                Some((key, Arc::new(CandleEmbedder::load(&model, &settings(&choice, self.begin.asked))?)));
        }
        Ok(held.as_ref().map(|(_, kept)| Arc::clone(kept) as Arc<dyn Embedder>))
    }

    /// Sets the embedder to use while the user chooses none, if it is installed.
    pub fn prefer_embedder(&self, fingerprint: Option<String>) {
        *lock(&self.preferred) = fingerprint;
    }

    /// The id of the embedder with this fingerprint, if it is known and not installed.
    #[must_use]
    pub fn embedder_to_get(&self, fingerprint: &str) -> Option<String> {
        if self.embedder_with(fingerprint).is_some() {
            return None;
        }
        let all = self.models.list();
        let made = |model: &Model| CandleEmbedder::fingerprint_of(model).as_deref() == Some(fingerprint);
        all.into_iter().find(made).map(|model| model.entry.id)
    }

    /// The installed embedder with this fingerprint.
    #[must_use]
    pub fn embedder_with(&self, fingerprint: &str) -> Option<Model> {
        self.models.own().into_iter().find(|model| {
            let is_here = model.entry.role == Role::Embedder && model.folder.is_some();
            is_here && CandleEmbedder::fingerprint_of(model).as_deref() == Some(fingerprint)
        })
    }

    /// The fingerprint that the embedder has or will have, without loading it.
    ///
    /// # Errors
    /// If the chosen one is not installed.
    pub fn embedder_fingerprint(&self) -> Result<Option<String>, ModelError> {
        Ok(self.serving(Role::Embedder)?.as_ref().and_then(CandleEmbedder::fingerprint_of))
    }

    /// The reranker; without one the retriever's order is kept.
    ///
    /// # Errors
    /// If the chosen one is not installed or cannot be loaded.
    pub fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>, ModelError> {
        self.kept(&self.reranker, Role::Reranker, |model, choice| {
            Ok(Arc::new(CandleReranker::load(model, &settings(choice, self.begin.asked))?))
        })
    }

    /// The reranker that reads answers, whether or not it serves; released when the returned value is dropped.
    ///
    /// # Errors
    /// If it is not installed or cannot be loaded.
    pub fn load_reader(&self) -> Result<Arc<dyn Reranker>, ModelError> {
        let choice = lock(&self.choice).clone();
        let model = self.models.find(READER)?;
        Ok(Arc::new(CandleReranker::load(&model, &settings(&choice, self.begin.asked))?))
    }

    /// The checker of claims; without one, claims are compared with passages word by word.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub fn checker(&self) -> Result<Option<Arc<dyn ClaimChecker>>, ModelError> {
        self.kept(&self.checker, Role::Checker, |model, choice| {
            Ok(Arc::new(CandleChecker::load(model, &settings(choice, self.begin.asked))?))
        })
    }

    /// The generator; without one, answers are quotes. Its process starts at the first use or [`Generator::prepare`]; a
    /// server is not contacted earlier either.
    ///
    /// # Errors
    /// If the chosen one is not installed.
    pub fn generator(&self) -> Result<Option<Arc<dyn Generator>>, ModelError> {
        match self.serving(Role::Generator)? {
            Some(Model { server: Some(_), entry, .. }) => {
                let servers = self.models.servers();
                Ok(Some(Arc::new(ServerGenerator::new(servers, &entry.id, entry.context_length))))
            }
            _ => Ok(self.llama()?.map(|llama| llama as Arc<dyn Generator>)),
        }
    }

    /// The host other than this computer that receives passages and questions; `None` if there is none.
    #[must_use]
    pub fn sends_to(&self) -> Option<String> {
        let server = self.serving(Role::Generator).ok()??.server?;
        (!server.is_local).then_some(server.host)
    }

    fn llama(&self) -> Result<Option<Arc<LlamaProcess>>, ModelError> {
        self.kept(&self.generator, Role::Generator, |model, choice| {
            let id = &model.entry.id;
            let weights = model
                .weights_path()
                .ok_or_else(|| ModelError::Failed(Notice::ModelWithoutWeights { id: id.clone() }))?;
            let settings =
                LlamaSettings { threads: choice.threads, cpu: choice.cpu, ..LlamaSettings::default() };
            let adapter = self.models.adapter(model);
            let process = LlamaProcess::new(self.worker.clone(), weights, id, settings);
            Ok(Arc::new(process.with_adapter(adapter)))
        })
    }
}

/// A poisoned lock is usable: a panic during loading leaves either a whole model or none.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(model: &Model, choice: &Choice) -> Key {
    (model.weights_name(), choice.threads, choice.cpu)
}

fn settings(choice: &Choice, begin: Option<fn()>) -> CandleSettings {
    CandleSettings { threads: choice.threads, cpu: choice.cpu, exact: false, begin }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelDirs;

    /// Adds an imported model of one byte: it can be chosen, but not loaded.
    fn import(dirs: &ModelDirs, id: &str, role: &str) {
        let folder = dirs.imported.join(id);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("weights"), "w").unwrap();
        let entry = serde_json::json!({
            "id": id, "role": role, "licence": "unknown", "context_length": 512, "dimensions": 8,
            "files": [{"name": "weights", "size": 1, "sha256": "0".repeat(64)}],
        });
        std::fs::write(folder.join("model.json"), entry.to_string()).unwrap();
    }

    /// Two generators and two embedders of one byte each, without the catalog.
    fn roles(place: &Path) -> Roles {
        let dirs =
            ModelDirs { cache: place.join("cache"), imported: place.join("imported"), shipped: Vec::new() };
        import(&dirs, "an-embedder", "embedder");
        import(&dirs, "other-embedder", "embedder");
        import(&dirs, "one", "generator");
        import(&dirs, "two", "generator");
        let worker = WorkerCommand::new("no-such-program", [""; 0]);
        Roles::new(Models::in_own_folders(dirs), worker, Choice::default())
    }

    fn generated_by(id: &str) -> Choice {
        Choice { generator: Some(id.into()), ..Choice::default() }
    }

    fn message<T>(result: Result<T, ModelError>) -> String {
        result.err().expect("this choice is wrong").to_string()
    }

    #[test]
    fn the_first_that_is_here_serves_where_none_is_chosen() {
        let place = tempfile::tempdir().unwrap();
        let roles = roles(place.path());
        let serving = |role| roles.serving(role).unwrap().map(|model| model.entry.id);
        assert_eq!(serving(Role::Embedder).as_deref(), Some("an-embedder"));
        assert_eq!(serving(Role::Reranker), None, "none is here");
        assert_eq!(serving(Role::Generator).as_deref(), Some("one"));
        assert!(roles.reranker().unwrap().is_none());
        roles.choose(generated_by("TWO"));
        assert_eq!(roles.serving(Role::Generator).unwrap().unwrap().entry.id, "two");
    }

    #[test]
    fn the_embedder_of_a_library_goes_before_the_first() {
        let place = tempfile::tempdir().unwrap();
        let roles = roles(place.path());
        let embedder = || roles.serving(Role::Embedder).unwrap().unwrap().entry.id;
        roles.choose(Choice { embedder: Some("other-embedder".into()), ..Choice::default() });
        let fingerprint = roles.embedder_fingerprint().unwrap();
        roles.choose(Choice::default());
        assert_eq!(embedder(), "an-embedder");
        roles.prefer_embedder(fingerprint);
        assert_eq!(embedder(), "other-embedder");
        roles.choose(Choice { embedder: Some("an-embedder".into()), ..Choice::default() });
        assert_eq!(embedder(), "an-embedder", "it was chosen");
        roles.choose(Choice::default());
        roles.prefer_embedder(Some("one that is not here".into()));
        assert_eq!(embedder(), "an-embedder");
    }

    #[test]
    fn a_role_can_go_without_a_model() {
        let place = tempfile::tempdir().unwrap();
        let roles = roles(place.path());
        roles.choose(Choice { reranker: Some(OFF.into()), ..generated_by(QUOTES) });
        assert!(roles.generator().unwrap().is_none());
        assert!(roles.reranker().unwrap().is_none());
        // Each role has its own word for "none", and the embedder has no such word.
        roles.choose(Choice {
            reranker: Some(QUOTES.into()),
            embedder: Some(OFF.into()),
            ..generated_by(OFF)
        });
        assert!(message(roles.generator()).contains("there is no model 'off'"));
        assert!(message(roles.reranker()).contains("there is no model 'quotes'"));
        assert!(message(roles.embedder()).contains("there is no model 'off'"));
    }

    #[test]
    fn a_wrong_choice_says_what_is_wrong_with_it() {
        let place = tempfile::tempdir().unwrap();
        let roles = roles(place.path());
        roles.choose(generated_by("three"));
        assert!(message(roles.generator()).contains("there is no model 'three'"));
        roles.choose(generated_by("an-embedder"));
        assert_eq!(message(roles.generator()), "an-embedder serves as embedder, not as generator");
        roles.choose(generated_by("qwen2.5-coder-0.5b-instruct-q4_k_m"));
        let absent = roles.generator().err();
        assert!(
            matches!(&absent, Some(ModelError::Absent { id }) if id == "qwen2.5-coder-0.5b-instruct-q4_k_m"),
            "{absent:?}"
        );
    }

    #[test]
    fn a_model_is_kept_until_another_is_chosen_or_it_is_released() {
        let place = tempfile::tempdir().unwrap();
        let roles = roles(place.path());
        let generator = || roles.generator().unwrap().unwrap();
        let first = generator();
        assert_eq!(first.id(), "one");
        roles.choose(Choice { reranker: Some(OFF.into()), ..Choice::default() });
        assert!(Arc::ptr_eq(&first, &generator()), "another role's model changed");
        roles.choose(generated_by("two"));
        let second = generator();
        assert_eq!(second.id(), "two");
        roles.choose(Choice { threads: Some(1), ..generated_by("two") });
        let third = generator();
        assert!(!Arc::ptr_eq(&second, &third), "the number of threads changed");
        roles.choose(Choice { threads: Some(1), cpu: true, ..generated_by("two") });
        let fourth = generator();
        assert!(!Arc::ptr_eq(&third, &fourth), "the device changed");
        roles.release_generator();
        assert!(!Arc::ptr_eq(&fourth, &generator()));
    }
}
