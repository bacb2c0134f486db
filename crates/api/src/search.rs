//! Questions to passages and answers, with the models that they need.

use std::path::Path;
use std::sync::{Arc, Mutex};

use oriel_core::{CancelToken, ClaimChecker, DocumentId, Embedder, Generator, Passage, Reranker, Survey};
use oriel_engine::{
    AnswerEvent, AnswerModels, Answered, CachedReranker, EngineError, Filter, Library, ListQuestion, Mode,
    PassageDocument, Plan, Query, RerankMode, SearchModels, SearchResult, SurveyModels, SurveyQuestion,
    Verification, WhyNot, WordModels, answer, answer_events, answer_library, answer_list, answer_outline,
    answer_section, answer_sum, list_question, named_question, plans, searched,
};
use oriel_models::{Role, Roles};

use crate::error::AppError;
use crate::glossary::UserGlossary;
use crate::lock::lock;
use crate::models::no_embedder;

/// A library with the models in their roles. Models are loaded with the first question that needs them.
pub struct Searcher {
    library: Arc<Library>,
    roles: Arc<Roles>,
    reranker: Mutex<Option<RerankerInUse>>,
}

/// A reranker with a cache in front of it: the same question with another window asks it little.
struct RerankerInUse {
    reranker: Arc<dyn Reranker>,
    cached: Arc<dyn Reranker>,
}

/// The models of one question, held while it runs.
struct LoadedModels {
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
}

impl LoadedModels {
    fn as_search_models(&self) -> SearchModels<'_> {
        SearchModels { embedder: self.embedder.as_deref(), reranker: self.reranker.as_deref() }
    }
}

impl Searcher {
    /// Nothing is loaded yet.
    pub fn new(library: Arc<Library>, roles: Arc<Roles>) -> Self {
        Self { library, roles, reranker: Mutex::default() }
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The models in their roles.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The embedder that made the library's vectors; `None` if it is not on this computer.
    pub fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, AppError> {
        Ok(self.roles.embedder_of(self.library.embedder_fingerprint()?.as_deref())?)
    }

    /// Whether the embedder that made the library's vectors is on this computer. Loads nothing.
    pub fn has_embedder(&self) -> Result<bool, AppError> {
        Ok(match self.library.embedder_fingerprint()? {
            Some(stored) => self.roles.embedder_with(&stored).is_some(),
            None => self.roles.embedder_fingerprint()?.is_some(),
        })
    }

    /// The passages for a question, best first. Without an embedder a hybrid search goes by words alone.
    pub fn search(&self, query: &Query, cancel: &CancelToken) -> Result<SearchResult, AppError> {
        let models = self.load(query)?;
        let query = &self.planned(query, &models, cancel)?;
        Ok(self.library.search(query, &models.as_search_models(), cancel)?)
    }

    /// The answer to a question; quotes without a generator.
    pub fn answer(
        &self,
        query: &Query,
        generator: Option<&dyn Generator>,
        on_event: &mut dyn FnMut(AnswerEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<Answered, AppError> {
        if let Some(computed) = self.answer_computed(query, generator, on_event, cancel)? {
            return Ok(computed);
        }
        let models = self.load(query)?;
        let query = &self.planned(query, &models, cancel)?;
        // Loading may have taken a while.
        cancel.check()?;
        // An answer is checked even if the model for it is missing: its words are compared.
        let checker = generator.and_then(|_| self.checker());
        let models =
            AnswerModels { search: models.as_search_models(), generator, checker: checker.as_deref() };
        Ok(answer(&self.library, query, &models, on_event, cancel)?)
    }

    /// The answer that Oriel computes itself, if the question asks for one and the library has what it takes.
    fn answer_computed(
        &self,
        query: &Query,
        generator: Option<&dyn Generator>,
        on_event: &mut dyn FnMut(AnswerEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<Option<Answered>, AppError> {
        if !self.can_plan(query)? {
            return Ok(None);
        }
        let library = &self.library;
        for plan in plans(&query.question, &query.filter, query.today) {
            let computed = match plan {
                Plan::List(list) => Some(self.answer_list(query, &list, on_event, cancel)?),
                Plan::Library(question) => answer_library(library, query, &question, on_event)?,
                Plan::Named(named) => answer_section(library, query, &named, on_event, cancel)?,
                Plan::Outline(question) => answer_outline(library, query, &question, on_event, cancel)?,
                Plan::Events(question) => answer_events(library, query, &question, on_event, cancel)?,
                Plan::Sum(question) => {
                    // Most questions need no model.
                    let embedder = || self.embedder().ok().flatten();
                    let models = generator.map(|generator| WordModels { embedder: &embedder, generator });
                    answer_sum(library, query, &question, models, on_event, cancel)?
                }
            };
            if computed.is_some() {
                return Ok(computed);
            }
        }
        Ok(None)
    }

    /// Whether its words decide how a question is answered: it does not say what is searched for, and the index is the library's own,
    /// which lists its documents.
    fn can_plan(&self, query: &Query) -> Result<bool, AppError> {
        Ok(query.parts.is_empty() && self.library.reads_from()?.is_none())
    }

    /// The answer to a question for all documents: neither reranker nor generator is asked.
    fn answer_list(
        &self,
        query: &Query,
        list: &ListQuestion,
        on_event: &mut dyn FnMut(AnswerEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<Answered, AppError> {
        let loaded = self.load(&Query { rerank: RerankMode::Off, ..query.clone() })?;
        let checker = self.checker();
        let models = SurveyModels { embedder: loaded.embedder.as_deref(), checker: checker.as_deref() };
        Ok(answer_list(&self.library, query, list, &models, on_event, cancel)?)
    }

    /// Every document that `filter` admits and that mentions a thing. `text` is the thing, or a question for it.
    pub fn survey(
        &self,
        text: &str,
        filter: &Filter,
        on_progress: &mut dyn FnMut(&Survey),
        cancel: &CancelToken,
    ) -> Result<Survey, AppError> {
        let plain = || SurveyQuestion { thing: text.trim().to_owned(), noun: None };
        let question = list_question(text).map_or_else(plain, |list| list.survey);
        let (embedder, checker) = (self.embedder()?, self.checker());
        let models = SurveyModels { embedder: embedder.as_deref(), checker: checker.as_deref() };
        Ok(self.library.survey(&question, filter, &models, on_progress, cancel)?)
    }

    /// What the documents that `filter` admits say about a claim.
    pub fn verify(
        &self,
        claim: &str,
        filter: &Filter,
        cancel: &CancelToken,
    ) -> Result<Verification, AppError> {
        let embedder = self.embedder()?;
        let models = SearchModels { embedder: embedder.as_deref(), reranker: None };
        Ok(self.library.verify(claim, filter, &models, self.checker().as_deref(), cancel)?)
    }

    /// Why a document is not among the passages of a question.
    pub fn explain_absence(
        &self,
        query: &Query,
        document: DocumentId,
        cancel: &CancelToken,
    ) -> Result<WhyNot, AppError> {
        let models = self.load(query)?;
        let query = &self.planned(query, &models, cancel)?;
        Ok(self.library.why_not(query, &models.as_search_models(), document, cancel)?)
    }

    /// The documents of passages as they are now. Ask as soon as the passages are there: a document may be read again while
    /// the answer is written.
    pub fn documents_of(&self, passages: &[Passage]) -> Vec<Option<PassageDocument>> {
        let mut is_there = true;
        let mut document = |passage: &Passage| {
            // A remote index that does not answer is not asked again for each.
            let found = is_there.then(|| self.library.passage_document(&passage.path))?;
            is_there = !matches!(found, Err(EngineError::Index(_)));
            found.ok().flatten()
        };
        passages.iter().map(&mut document).collect()
    }

    /// The document that lies at a path now.
    pub fn document_at(&self, path: &Path) -> Option<PassageDocument> {
        self.library.passage_document(path).ok()?
    }

    /// Releases the reranker with its cache.
    pub fn forget_reranker(&self) {
        *lock(&self.reranker) = None;
    }

    /// The query with the parts of its question and other words for what they name, unless it says what is searched for. Typing
    /// errors are corrected.
    fn planned(&self, query: &Query, models: &LoadedModels, cancel: &CancelToken) -> Result<Query, AppError> {
        let mut query = query.clone();
        // "What does lease.pdf say about pets?" is asked of that document.
        let named = if self.can_plan(&query)? { named_question(&query.question) } else { None };
        if let Some(named) = named
            && let Some(narrowed) = self.library.narrowed(&query, &named)?
        {
            query = narrowed;
        }
        if query.parts.is_empty() {
            if let Some(embedder) = &models.embedder
                && let Some(respelled) = self.library.respelled(&query.question, &**embedder, cancel)?
            {
                query.question = respelled;
            }
            query.parts = searched(&query.question, &UserGlossary::of(&self.library).entries());
        }
        // Measured once on a machine; without a figure the size of the library alone decides.
        if query.pace.is_none() && self.library.has_more_candidates(&query) {
            let speed = self.roles.speed(Role::Reranker, &CancelToken::new()).ok().flatten();
            query.pace = speed.map(|speed| speed.per_second);
        }
        Ok(query)
    }

    fn checker(&self) -> Option<Arc<dyn ClaimChecker>> {
        self.roles.checker().unwrap_or_else(|error| {
            tracing::warn!(%error, "claims are compared word by word");
            None
        })
    }

    fn load(&self, query: &Query) -> Result<LoadedModels, AppError> {
        let embedder = || match query.mode {
            Mode::Sparse => Ok(None),
            Mode::Hybrid | Mode::Dense | Mode::TwoStep => self.embedder(),
        };
        // Each takes a tenth of a second to load, which a command waits for.
        let (embedder, reranker) = match query.rerank {
            RerankMode::Off => (embedder()?, None),
            RerankMode::Passage | RerankMode::Sentence => std::thread::scope(|scope| {
                let reranker = scope.spawn(|| self.reranker());
                let embedder = embedder();
                let reranker = reranker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                Ok::<_, AppError>((embedder?, reranker?))
            })?,
        };
        if embedder.is_none() && matches!(query.mode, Mode::Dense | Mode::TwoStep) {
            return Err(no_embedder(&self.roles).into());
        }
        Ok(LoadedModels { embedder, reranker })
    }

    fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>, AppError> {
        let reranker = self.roles.reranker()?;
        let mut kept = lock(&self.reranker);
        let Some(reranker) = reranker else {
            *kept = None;
            return Ok(None);
        };
        if let Some(kept) = kept.as_ref().filter(|kept| Arc::ptr_eq(&kept.reranker, &reranker)) {
            return Ok(Some(Arc::clone(&kept.cached)));
        }
        let cached: Arc<dyn Reranker> = Arc::new(CachedReranker::new(Arc::clone(&reranker)));
        *kept = Some(RerankerInUse { reranker, cached: Arc::clone(&cached) });
        Ok(Some(cached))
    }
}
