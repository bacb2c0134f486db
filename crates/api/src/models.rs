//! The models that a library uses.

use oriel_core::{CancelToken, ModelError};
use oriel_engine::{EngineError, Library, prepare_answer};
use oriel_models::{Choice, ModelDirs, Models, Role, Roles, ThreadBegin, generator_program};

use crate::error::AppError;

/// The models of this computer in the roles that `choice` gives them. Their threads begin with `begin`.
pub fn open_roles(choice: Choice, begin: ThreadBegin) -> Result<Roles, ModelError> {
    let models = Models::new(ModelDirs::platform()?);
    Ok(Roles::new(models, generator_program(begin.generator), choice).beginning(begin))
}

/// Prepares for a question to come: loads what will write and check the answer.
pub fn prepare_for_question(roles: &Roles, cancel: &CancelToken) -> Result<(), AppError> {
    if let Some(generator) = roles.generator()? {
        prepare_answer(&*generator, cancel)?;
        roles.checker()?;
    }
    Ok(())
}

/// Goes on with the embedder of the library's vectors, unless the user chose another.
pub(crate) fn prefer_embedder_of(library: &Library, roles: &Roles) -> Result<(), EngineError> {
    roles.prefer_embedder(library.embedder_at_work()?);
    Ok(())
}

/// The id of the model to get if a role has none: the first in the catalog.
pub fn model_to_get(roles: &Roles, role: Role) -> String {
    let all = roles.models().list();
    let first = all.into_iter().find(|model| model.entry.role == role);
    first.map_or_else(String::new, |model| model.entry.id)
}

/// The error that names the embedder to get.
pub fn no_embedder(roles: &Roles) -> ModelError {
    ModelError::Absent { id: model_to_get(roles, Role::Embedder) }
}
