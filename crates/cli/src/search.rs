//! Questions to passages.

use std::path::PathBuf;
use std::sync::Arc;

use oriel_core::{Embedder, Reranker};
use oriel_engine::{Filter, Library, Mode, Query, RerankMode, SearchModels};

use crate::arguments::SearchArguments;
use crate::session::Session;
use crate::{batch, models, output, render};

/// A library with the models that a search needs, loaded once.
pub(crate) struct Searcher {
    pub library: Library,
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
}

impl Searcher {
    pub(crate) fn open(session: &Session, arguments: &SearchArguments) -> anyhow::Result<Self> {
        let library = session.open()?;
        let embedder = match arguments.mode {
            Mode::Sparse => None,
            Mode::Hybrid | Mode::Dense | Mode::TwoStep => {
                session.roles.embedder_of(library.embedder_fingerprint()?.as_deref())?
            }
        };
        if embedder.is_none() && matches!(arguments.mode, Mode::Dense | Mode::TwoStep) {
            return Err(models::missing(&session.roles).into());
        }
        if embedder.is_none() && arguments.mode == Mode::Hybrid {
            eprintln!(
                "oriel: there is no embedder here, the search is by words only; see 'oriel models list'"
            );
        }
        let reranker = match arguments.rerank {
            RerankMode::Off => None,
            RerankMode::Passage | RerankMode::Sentence => session.roles.reranker()?,
        };
        Ok(Self { library, embedder, reranker })
    }

    pub(crate) fn models(&self) -> SearchModels<'_> {
        SearchModels { embedder: self.embedder.as_deref(), reranker: self.reranker.as_deref() }
    }
}

/// The query that the arguments describe.
pub(crate) fn query(arguments: &SearchArguments, question: &str) -> Query {
    let absolute = |path: &PathBuf| {
        path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.clone())
    };
    Query {
        question: question.to_owned(),
        mode: arguments.mode,
        window: arguments.window,
        candidates: arguments.candidates.unwrap_or(Query::CANDIDATES.max(arguments.top)),
        top: arguments.top,
        filter: Filter {
            within: arguments.within.iter().map(absolute).collect(),
            kinds: arguments.kind.clone(),
            since: arguments.since,
            until: arguments.until,
        },
        rerank: arguments.rerank,
        merge: !arguments.no_merge,
    }
}

pub(crate) fn run(session: &Session, arguments: &SearchArguments) -> anyhow::Result<()> {
    // A file of questions that cannot be read is said before the models are loaded.
    let questions = arguments.batch.as_deref().map(batch::read).transpose()?;
    let searcher = Searcher::open(session, arguments)?;
    let search = |question: &str| {
        searcher.library.search(&query(arguments, question), &searcher.models(), &session.cancel)
    };
    if let Some(questions) = questions {
        return batch::answer(&questions, &session.cancel, |question| Ok(search(question)?));
    }
    let result = search(arguments.question.as_deref().unwrap_or_default())?;
    if session.json {
        return output::json(&result);
    }
    output::text(&render::passages(&result.passages, &searcher.library.folders()?))?;
    if result.passages.is_empty() {
        output::text("Nothing was found. 'oriel status' shows what the library holds.\n")?;
    }
    Ok(())
}
