//! Which models a command uses: loaded when first needed, once.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use oriel_core::{Embedder, Generator, ModelError, Reranker};
use oriel_models::{
    CandleEmbedder, CandleReranker, CandleSettings, LlamaProcess, LlamaSettings, Model, ModelDirs, Models,
    Role,
};

use crate::session::own_worker;

/// The name under which answers are quotes.
pub(crate) const QUOTES: &str = "quotes";

/// The models of this machine.
pub(crate) struct Catalog {
    /// Those of the catalog and those of the user.
    pub models: Models,
}

impl Catalog {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self { models: Models::new(ModelDirs::platform()?) })
    }

    /// The first model of a role that is here, else the first of the catalog.
    fn default_of(&self, role: Role) -> anyhow::Result<Model> {
        let all = self.models.list();
        let of_role = || all.iter().filter(|model| model.entry.role == role);
        let found = of_role().find(|model| model.folder.is_some()).or_else(|| of_role().next());
        found.cloned().with_context(|| format!("the catalog has no {role:?}"))
    }

    fn installed(&self, role: Role) -> anyhow::Result<Option<Model>> {
        Ok(Some(self.default_of(role)?).filter(|model| model.folder.is_some()))
    }

    /// The embedder, or an error that says how to get it.
    pub(crate) fn embedder(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        let model = self.default_of(Role::Embedder).map_err(|error| ModelError::Failed(error.to_string()))?;
        if model.folder.is_none() {
            let id = &model.entry.id;
            return Err(ModelError::Failed(format!(
                "the embedder {id} is not here; run 'oriel models pull {id}'"
            )));
        }
        Ok(Arc::new(CandleEmbedder::load(&model, &CandleSettings::default())?))
    }

    /// The fingerprint of the embedder that is here, without loading it.
    pub(crate) fn embedder_fingerprint(&self) -> anyhow::Result<Option<String>> {
        Ok(self.installed(Role::Embedder)?.as_ref().and_then(CandleEmbedder::fingerprint_of))
    }

    /// The embedder where it is here; without it a search is by words.
    pub(crate) fn embedder_if_here(&self) -> anyhow::Result<Option<Arc<dyn Embedder>>> {
        match self.installed(Role::Embedder)? {
            Some(model) => Ok(Some(Arc::new(CandleEmbedder::load(&model, &CandleSettings::default())?))),
            None => Ok(None),
        }
    }

    /// The reranker where it is here; without it the retriever's order stands.
    pub(crate) fn reranker_if_here(&self) -> anyhow::Result<Option<Arc<dyn Reranker>>> {
        match self.installed(Role::Reranker)? {
            Some(model) => Ok(Some(Arc::new(CandleReranker::load(&model, &CandleSettings::default())?))),
            None => Ok(None),
        }
    }

    /// The generator that was asked for, the default where none was, `None` for quotes.
    pub(crate) fn generator(&self, id: Option<&str>) -> anyhow::Result<Option<Box<dyn Generator>>> {
        let model = match id {
            Some(QUOTES) => return Ok(None),
            Some(id) => self.models.find(id)?,
            None => match self.installed(Role::Generator)? {
                Some(model) => model,
                None => return Ok(None),
            },
        };
        let id = &model.entry.id;
        if model.entry.role != Role::Generator {
            bail!("{id} is no generator; 'oriel models list' shows what each model is for");
        }
        let Some(path) = model.weights_path() else {
            bail!("the generator {id} is not here; run 'oriel models pull {id}', or use --model quotes");
        };
        Ok(Some(Box::new(LlamaProcess::new(own_worker("generate")?, path, id, LlamaSettings::default()))))
    }
}
