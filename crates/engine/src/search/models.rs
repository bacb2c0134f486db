//! The models of a question.

use oriel_core::{ClaimChecker, Embedder, Generator, Reranker};

use crate::error::EngineError;
use crate::search::query::Query;

/// The models of a question. Each is loaded when a step asks for it: most answers that Oriel computes need none.
pub trait QuestionModels {
    /// The models of a search for `query`. It fails if the search needs one that is not on this computer.
    fn search(&self, query: &Query) -> Result<SearchModels<'_>, EngineError>;

    /// The embedder that made the library's vectors; `None` if it is not on this computer.
    fn embedder(&self) -> Result<Option<&dyn Embedder>, EngineError>;

    /// Writes the answer; without one, the best sentences are quoted.
    fn generator(&self) -> Option<&dyn Generator> {
        None
    }

    /// Checks what is written against the passages; without one, only words are compared.
    fn checker(&self) -> Option<&dyn ClaimChecker> {
        None
    }

    /// Passages that the reranker reads in a second on this computer; `None` if that was not measured.
    fn pace(&self) -> Option<f32> {
        None
    }
}

/// The models of a search. Without an embedder it searches by words; without a reranker the retrieval order stands.
#[derive(Clone, Copy, Default)]
pub struct SearchModels<'a> {
    /// For the search by meaning.
    pub embedder: Option<&'a dyn Embedder>,
    /// For the final order.
    pub reranker: Option<&'a dyn Reranker>,
}

impl QuestionModels for SearchModels<'_> {
    fn search(&self, _: &Query) -> Result<SearchModels<'_>, EngineError> {
        Ok(*self)
    }

    fn embedder(&self) -> Result<Option<&dyn Embedder>, EngineError> {
        Ok(self.embedder)
    }
}
