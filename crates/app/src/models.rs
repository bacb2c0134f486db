//! Which models a library uses.

use oriel_core::ModelError;
use oriel_engine::{EngineError, Library};
use oriel_models::{Role, Roles};

/// Goes on with the embedder of the library's vectors, unless the person chose another.
///
/// # Errors
/// If the library cannot be read.
pub fn prefer_embedder_of(library: &Library, roles: &Roles) -> Result<(), EngineError> {
    roles.prefer_embedder(library.embedder_at_work()?);
    Ok(())
}

/// The error that names the embedder to get.
#[must_use]
pub fn no_embedder(roles: &Roles) -> ModelError {
    let all = roles.models().list();
    let wanted = all.iter().find(|model| model.entry.role == Role::Embedder);
    ModelError::Absent { id: wanted.map_or(String::new(), |model| model.entry.id.clone()) }
}
