//! What the command line says where a model that it needs is not here.
//!
//! Which model serves, and how it is loaded, is `oriel_models::Roles`' matter.

use std::sync::Arc;

use anyhow::bail;
use oriel_app::no_embedder;
use oriel_core::{Embedder, Generator, ModelError};
use oriel_models::{Choice, QUOTES, Role, Roles};

/// The embedder, or an error that names the one to get.
pub(crate) fn embedder(roles: &Roles) -> Result<Arc<dyn Embedder>, ModelError> {
    roles.embedder()?.ok_or_else(|| no_embedder(roles))
}

/// The generator that was asked for, the first that is here where none was, `None` for quotes.
pub(crate) fn generator(roles: &Roles, id: Option<&str>) -> anyhow::Result<Option<Arc<dyn Generator>>> {
    if let Some(id) = id.filter(|id| *id != QUOTES) {
        let model = roles.models().find(id)?;
        let id = &model.entry.id;
        if model.entry.role != Role::Generator {
            bail!("{id} is no generator; 'oriel models list' shows what each model is for");
        }
        if model.weights_path().is_none() {
            bail!("the generator {id} is not here; run 'oriel models pull {id}', or use --model quotes");
        }
    }
    roles.choose(Choice { generator: id.map(str::to_owned), ..Choice::default() });
    Ok(roles.generator()?)
}
