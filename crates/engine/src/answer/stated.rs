//! Answers that Oriel itself computes: counts, sums, dates, outlines. Neither reranker nor generator is asked.

use std::time::Instant;

use oriel_core::{
    Answer, AnswerPart, AnswerRows, AnswerSentence, AnswerSource, AnsweringSentence, ByteSpan, Candidate,
    CitedPlace, DocumentId, Passage, Survey, TimeLimit, Timings,
};
use oriel_store::View;

use crate::answer::citations::join;
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::files::milliseconds;
use crate::library::source::store_state::whole_document;
use crate::question::QueryPart;
use crate::search::loaded::LoadedDocument;
use crate::search::query::Query;
use crate::search::trace::Trace;
use crate::search::window::widen;
use crate::search::{FoundPart, SearchResult};

/// What Oriel found out about a question.
#[derive(Default)]
pub(crate) struct Stated {
    /// What it says, each sentence with its places in `passages`. None: the question is not answered.
    pub sentences: Vec<AnswerSentence>,
    /// Where that stands, numbered from 1.
    pub passages: Vec<Passage>,
    /// The probability that this answers the question.
    pub confidence: f32,
    /// The documents that are counted.
    pub survey: Option<Survey>,
    /// What it was computed from, or lists.
    pub rows: Option<AnswerRows>,
    /// The time that the question names.
    pub time: Option<TimeLimit>,
    /// Whether it was stopped before all was read.
    pub stopped: bool,
    /// Whether each sentence stands on a line of its own.
    pub is_lines: bool,
}

impl Stated {
    /// The answer to `query`, which was begun at `begun`. The passages are given to `event` first.
    pub(crate) fn answered(
        self,
        query: &Query,
        begun: Instant,
        event: &mut dyn FnMut(AnswerEvent<'_>),
    ) -> Answered {
        let Self { sentences, passages, confidence, survey, rows, time, stopped, is_lines } = self;
        let mut timings = Timings { total_ms: milliseconds(begun), ..Timings::default() };
        let numbers: Vec<usize> = passages.iter().map(|passage| passage.n).collect();
        let searched = QueryPart::plain(&query.question);
        let part = FoundPart { searched, confidence, passages: numbers.clone() };
        let trace = Trace::default();
        let found =
            SearchResult { passages, confidence, parts: vec![part], time: time.clone(), timings, trace };
        event(AnswerEvent::Passages(&found));
        timings.first_token_ms = Some(timings.total_ms);
        timings.generate_ms = Some(0.0);
        let text = match is_lines {
            true => sentences.chunks(1).map(join).collect::<Vec<_>>().join("\n"),
            false => join(&sentences),
        };
        let part = AnswerPart {
            question: query.question.clone(),
            side: None,
            wordings: Vec::new(),
            confidence,
            abstained: sentences.is_empty(),
            text: text.clone(),
            sentences: sentences.len(),
            passages: numbers,
        };
        let answer = Answer {
            answer: text,
            abstained: sentences.is_empty(),
            confidence,
            sentences,
            parts: vec![part],
            left_out: Vec::new(),
            passages: found.passages,
            survey,
            rows,
            time,
            timings,
            model: AnswerSource::Quotes,
        };
        Answered { answer, searched: None, trace: found.trace, stopped, died: None }
    }
}

/// A sentence that Oriel says itself, with the places that show it.
pub(crate) fn statement(text: String, places: Vec<CitedPlace>) -> AnswerSentence {
    let mut citations: Vec<usize> = places.iter().map(|place| place.n).collect();
    citations.sort_unstable();
    citations.dedup();
    AnswerSentence { text, supported: true, citations, places, reason: None, difference: None }
}

/// The passage around sentences of a document, the best of which is first in `sentences`; `None` if it has none of them.
pub(crate) fn passage_around(
    view: &View<'_>,
    document: DocumentId,
    sentences: impl FnOnce(&LoadedDocument) -> Vec<Candidate>,
    n: usize,
    query: &Query,
) -> Result<Option<Passage>, EngineError> {
    let loaded = LoadedDocument { excerpt: whole_document(view, document)? };
    Ok(passage_of(&loaded, &sentences(&loaded), n, query))
}

/// The same in a document that is loaded.
pub(crate) fn passage_of(
    loaded: &LoadedDocument,
    sentences: &[Candidate],
    n: usize,
    query: &Query,
) -> Option<Passage> {
    let windows = widen(sentences, query.window, query.merge, |_, ordinal| loaded.unit(ordinal));
    let (window, best) = (windows.first()?, sentences.first()?);
    let ByteSpan { start, end } = loaded.excerpt.rows.get(best.ordinal)?.span;
    let answer = AnsweringSentence { start, end, words: None, confidence: best.score };
    loaded.passage(n, window, best.score, Some(answer))
}
