//! Answers a question: from the newest document if it asks for that, else from all that is found.

use oriel_core::CancelToken;

use crate::answer::latest::answer_in_order;
use crate::answer::{AnswerEvent, AnswerModels, Answered, answer_found};
use crate::error::EngineError;
use crate::library::Library;
use crate::search::query::Query;

/// Answers a question from the library. The best sentences are quoted if there is no generator, if it died, or if what
/// it wrote is not an answer by the passages and the reranker. The answer's model is [`AnswerSource::Quotes`](oriel_core::AnswerSource::Quotes) then.
///
/// A cancelled token ends it within a second. Once there are passages this is no error: what was written until then is
/// kept and checked, by its words alone if the checker had not finished.
///
/// # Errors
/// If the search or a model fails, and [`ModelError::Cancelled`](oriel_core::ModelError) before there are passages.
pub fn answer(
    library: &Library,
    query: &Query,
    models: &AnswerModels<'_>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Answered, EngineError> {
    match answer_in_order(library, query, models, event, cancel)? {
        Some(answered) => Ok(answered),
        None => answer_found(library, query, models, event, cancel),
    }
}
