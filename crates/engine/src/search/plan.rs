//! Plans a search: completes the question from earlier ones, limits it to the document that it names, corrects typing errors, and divides
//! it into parts, each with other words for what it names.

use oriel_core::{CancelToken, Embedder};

use crate::error::EngineError;
use crate::library::Library;
use crate::question::QueryPart;
use crate::question::plan::{Computation, computations, query_parts};
use crate::question::rewrite::standalone;
use crate::search::models::{QuestionModels, SearchModels};
use crate::search::query::Query;

/// A query whose question stands alone.
pub(crate) struct Plan {
    pub query: Query,
    /// What Oriel may compute for it, the likeliest first.
    pub computations: Vec<Computation>,
}

impl Query {
    /// The question completed from the earlier ones; `None` if it stands alone. Searches complete a question by themselves. A
    /// conversation calls this to keep the completed question before it is answered.
    #[must_use]
    pub fn standalone(&self) -> Option<String> {
        standalone(&self.question, &self.earlier)
    }
}

impl Library {
    /// What a question asks for.
    pub(crate) fn plan(&self, query: &Query) -> Plan {
        let question = query.standalone().unwrap_or_else(|| query.question.clone());
        // A remote index does not list its documents, so nothing is computed from them.
        let computations = match query.as_typed || self.is_remote() {
            true => Vec::new(),
            false => computations(&question, &query.filter, query.today),
        };
        Plan { query: Query { question, earlier: Vec::new(), ..query.clone() }, computations }
    }

    /// The query with all that a search for its question needs, and the models of that search.
    pub(crate) fn planned<'m>(
        &self,
        query: &Query,
        models: &'m dyn QuestionModels,
        cancel: &CancelToken,
    ) -> Result<(Query, SearchModels<'m>), EngineError> {
        let plan = self.plan(query);
        let search = models.search(query)?;
        let query = self.narrowed(&plan)?.unwrap_or(plan.query);
        Ok((self.in_parts(query, search.embedder, models, cancel)?, search))
    }

    /// The query limited to the single document that its question names; `None` if it names none or several: "What does lease.pdf
    /// say about pets?"
    pub(crate) fn narrowed(&self, plan: &Plan) -> Result<Option<Query>, EngineError> {
        let named = plan.computations.iter().find_map(|one| match one {
            Computation::Named(named) => Some(named),
            _ => None,
        });
        named.map_or(Ok(None), |named| self.asked_of_document(&plan.query, named))
    }

    /// The query with its question corrected and divided into parts.
    pub(crate) fn in_parts(
        &self,
        mut query: Query,
        embedder: Option<&dyn Embedder>,
        models: &dyn QuestionModels,
        cancel: &CancelToken,
    ) -> Result<Query, EngineError> {
        if query.as_typed {
            query.parts = vec![QueryPart::plain(&query.question)];
        } else {
            if let Some(embedder) = embedder
                && let Some(corrected) = self.corrected(&query.question, embedder, cancel)?
            {
                query.question = corrected;
            }
            query.parts = query_parts(&query.question, &self.own_glossary());
        }
        // Without a figure the size of the library alone decides.
        if query.pace.is_none() && self.has_more_candidates(&query) {
            query.pace = models.pace();
        }
        Ok(query)
    }
}
