//! Questions to passages and answers, with the models that they need.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use oriel_core::{CancelToken, ClaimChecker, DocumentId, Embedder, Generator, Passage, Reranker, Survey};
use oriel_engine::{
    AnswerEvent, Answered, CachedReranker, EngineError, Filter, Library, Mode, PassageDocument, Query,
    QuestionModels, RerankMode, SearchModels, SearchResult, SurveyModels, SurveyQuestion, Verification,
    WhyNot, answer,
};
use oriel_models::{Role, Roles};

use crate::error::AppError;
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

/// The models of one question, each loaded when it is asked for and held while the question runs.
struct LoadedModels<'a> {
    searcher: &'a Searcher,
    generator: Option<&'a dyn Generator>,
    embedder: OnceLock<Option<Arc<dyn Embedder>>>,
    reranker: OnceLock<Option<Arc<dyn Reranker>>>,
    checker: OnceLock<Option<Arc<dyn ClaimChecker>>>,
}

impl QuestionModels for LoadedModels<'_> {
    fn search(&self, query: &Query) -> Result<SearchModels<'_>, EngineError> {
        let embedder = || match query.mode {
            Mode::Sparse => Ok(None),
            Mode::Hybrid | Mode::Dense | Mode::TwoStep => self.embedder(),
        };
        // Each takes a tenth of a second to load, which a command waits for.
        let (embedder, reranker) = match query.rerank {
            RerankMode::Off => (embedder()?, None),
            RerankMode::Passage | RerankMode::Sentence => std::thread::scope(|scope| {
                let reranker = scope.spawn(|| get_or_load(&self.reranker, || self.searcher.reranker()));
                let embedder = embedder();
                let reranker = reranker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                Ok::<_, EngineError>((embedder?, reranker?.as_deref()))
            })?,
        };
        if embedder.is_none() && matches!(query.mode, Mode::Dense | Mode::TwoStep) {
            return Err(no_embedder(&self.searcher.roles).into());
        }
        Ok(SearchModels { embedder, reranker })
    }

    fn embedder(&self) -> Result<Option<&dyn Embedder>, EngineError> {
        Ok(get_or_load(&self.embedder, || self.searcher.embedder())?.as_deref())
    }

    fn generator(&self) -> Option<&dyn Generator> {
        self.generator
    }

    fn checker(&self) -> Option<&dyn ClaimChecker> {
        self.checker.get_or_init(|| self.searcher.checker()).as_deref()
    }

    fn pace(&self) -> Option<f32> {
        // Measured once on a computer.
        let speed = self.searcher.roles.speed(Role::Reranker, &CancelToken::new()).ok().flatten();
        speed.map(|speed| speed.per_second)
    }
}

/// What the cell holds, or what is loaded into it now.
fn get_or_load<T>(
    cell: &OnceLock<T>,
    load: impl FnOnce() -> Result<T, EngineError>,
) -> Result<&T, EngineError> {
    match cell.get() {
        Some(loaded) => Ok(loaded),
        None => {
            let loaded = load()?;
            Ok(cell.get_or_init(|| loaded))
        }
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
    pub fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, EngineError> {
        Ok(self.roles.embedder_of(self.library.embedder_fingerprint()?.as_deref())?)
    }

    /// Whether the embedder that made the library's vectors is on this computer. Loads nothing.
    pub fn has_embedder(&self) -> Result<bool, AppError> {
        Ok(match self.library.embedder_fingerprint()? {
            Some(stored) => self.roles.embedder_with(&stored).is_some(),
            None => self.roles.embedder_fingerprint()?.is_some(),
        })
    }

    fn models<'a>(&'a self, generator: Option<&'a dyn Generator>) -> LoadedModels<'a> {
        let (embedder, reranker, checker) = Default::default();
        LoadedModels { searcher: self, generator, embedder, reranker, checker }
    }

    /// The passages for a question, best first. Without an embedder a hybrid search goes by words alone.
    pub fn search(&self, query: &Query, cancel: &CancelToken) -> Result<SearchResult, AppError> {
        Ok(self.library.search(query, &self.models(None), cancel)?)
    }

    /// The answer to a question; quotes without a generator.
    pub fn answer(
        &self,
        query: &Query,
        generator: Option<&dyn Generator>,
        on_event: &mut dyn FnMut(AnswerEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<Answered, AppError> {
        Ok(answer(&self.library, query, &self.models(generator), on_event, cancel)?)
    }

    /// Every document that `filter` admits and that mentions a thing. `text` is the thing, or a question for it.
    pub fn survey(
        &self,
        text: &str,
        filter: &Filter,
        on_progress: &mut dyn FnMut(&Survey),
        cancel: &CancelToken,
    ) -> Result<Survey, AppError> {
        let question = SurveyQuestion::of(text);
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
        Ok(self.library.why_not(query, &self.models(None), document, cancel)?)
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

    fn checker(&self) -> Option<Arc<dyn ClaimChecker>> {
        self.roles.checker().unwrap_or_else(|error| {
            tracing::warn!(%error, "claims are compared word by word");
            None
        })
    }

    fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>, EngineError> {
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
