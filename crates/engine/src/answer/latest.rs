//! The answer to a question for the latest or the first: that of the newest document that answers, and what the older ones say.

use std::path::Path;

use oriel_core::{AnsweringSentence, ByteSpan, CancelToken, CitedPlace, Kind, Passage, TimeLimit, TimeOrder};
use oriel_text::dates::Period;
use oriel_text::{plain, terms};

use crate::answer::citations::join;
use crate::answer::extractive::marked;
use crate::answer::stated::statement;
use crate::answer::wording::latest as wording;
use crate::answer::{AnswerEvent, AnswerModels, Answered, answer_found};
use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::question::language::detect::is_german;
use crate::question::time::time_question;
use crate::search::SearchResult;
use crate::search::confidence::LEAST_CONFIDENCE;
use crate::search::query::{Query, RerankMode};
use crate::search::time::{Timed, without_time};

/// Passages among which the documents are looked for.
const PASSAGES: usize = 10;
/// A document answers if it does so nearly as likely as the best.
const OF_BEST: f32 = 0.6;
/// Other documents that are named.
const MAX_OTHERS: usize = 3;

/// A document that answers.
struct Answering {
    passage: Passage,
    answer: AnsweringSentence,
    period: Period,
}

impl Answering {
    /// What it answers, as a quote if no words of it are the answer.
    fn says(&self) -> Option<String> {
        let Self { passage, answer, .. } = self;
        let ByteSpan { start, end } = answer.words.unwrap_or(ByteSpan::new(answer.start, answer.end));
        let at = |byte: u32| byte.checked_sub(passage.start).map(|byte| byte as usize);
        let text = passage.text.get(at(start)?..at(end)?)?;
        let text = plain(text, Kind::of_path(&passage.path).unwrap_or(Kind::Text));
        Some(if answer.words.is_some() { text } else { marked(&text) })
    }

    /// The name and the date of the document.
    fn source(&self, is_german: bool) -> String {
        wording::source(&name_of(&self.passage.path), self.period, is_german)
    }
}

/// The answer of the newest, or of the oldest, of several documents that answer. `None` if the question asks for no such order, or
/// fewer than two documents with different dates answer.
pub(super) fn answer_in_order(
    library: &Library,
    query: &Query,
    models: &AnswerModels<'_>,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    // Without a reranker nothing tells which documents answer; a remote index knows no dates.
    let can_tell = models.search.reranker.is_some()
        && query.rerank != RerankMode::Off
        && !query.ignore_time
        && !library.is_remote();
    let Some(asked) = time_question(&query.question, query.today).filter(|_| can_tell) else {
        return Ok(None);
    };
    if asked.order.is_none() {
        return Ok(None);
    }
    let is_german = is_german(&query.question);
    let (timed, time) = match library.timed(query, cancel)? {
        Timed { query: timed, time: Some(time) } => (timed.into_owned(), time),
        // There are no documents of the kind.
        Timed { time: None, .. } if asked.kind.is_some() => return Ok(None),
        Timed { time: None, .. } => (without_time(query, &asked), asked.limit()),
    };
    // One document alone is asked.
    if time.since.is_some() {
        return Ok(None);
    }
    let timed = Query { ignore_time: true, ..timed };
    let wide = Query { top: timed.top.max(PASSAGES), ..timed.clone() };
    let mut answering = answering(library, &library.find(&wide, &models.search, cancel)?.result, cancel)?;
    answering.sort_by_key(|one| one.period.last);
    if time.order == Some(TimeOrder::Latest) {
        answering.reverse();
    }
    let Some((best, others)) = answering.split_first() else { return Ok(None) };
    if others.iter().all(|other| other.period == best.period) {
        return Ok(None);
    }
    let filter = timed.filter.limited_to(vec![best.passage.path.clone()]);
    let others: Vec<&Answering> =
        others.iter().filter(|other| other.period != best.period).take(MAX_OTHERS).collect();
    let mut with_others = |one: AnswerEvent<'_>| match one {
        AnswerEvent::Passages(result) => {
            let mut result = result.clone();
            result.passages.extend(numbered(&others, result.passages.len()));
            event(AnswerEvent::Passages(&result));
        }
        other => event(other),
    };
    let answered = answer_found(library, &Query { filter, ..timed }, models, &mut with_others, cancel)?;
    if answered.answer.abstained {
        return Ok(None);
    }
    Ok(Some(told(answered, best, &others, time, is_german)))
}

/// The best passage of each document that answers.
fn answering(
    library: &Library,
    found: &SearchResult,
    cancel: &CancelToken,
) -> Result<Vec<Answering>, EngineError> {
    let dates = library.document_dates(cancel)?;
    let confidence = |passage: &Passage| passage.answer.map_or(0.0, |answer| answer.confidence);
    let best = found.passages.iter().map(confidence).fold(0.0, f32::max);
    let least = (OF_BEST * best).max(LEAST_CONFIDENCE);
    let mut all: Vec<Answering> = Vec::new();
    library.store.read(|view| {
        all.clear();
        for passage in &found.passages {
            let is_new = |path: &Path| all.iter().all(|one| one.passage.path != path);
            let answer = passage.answer.filter(|answer| answer.confidence >= least && is_new(&passage.path));
            let dated = view.document_at(&passage.path)?.and_then(|id| dates.get(&id));
            if let Some((answer, dated)) = answer.zip(dated) {
                all.push(Answering { passage: passage.clone(), answer, period: dated.period });
            }
        }
        Ok::<_, EngineError>(())
    })?;
    Ok(all)
}

/// The passages of the other documents, after so many before.
fn numbered(others: &[&Answering], before: usize) -> impl Iterator<Item = Passage> {
    (before + 1..).zip(others).map(|(n, one)| Passage { n, ..one.passage.clone() })
}

/// The answer with the name and the date of its document, and with what the other documents say if that is something else.
fn told(
    mut answered: Answered,
    best: &Answering,
    others: &[&Answering],
    time: TimeLimit,
    is_german: bool,
) -> Answered {
    let answer = &mut answered.answer;
    let before = answer.passages.len();
    answer.passages.extend(numbered(others, before));
    let own =
        terms(&answer.sentences.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" "));
    let named = best.source(is_german);
    answer.answer.push_str(&named);
    if let [part] = &mut answer.parts[..] {
        part.text.push_str(&named);
    }
    let mut said = Vec::new();
    for (n, other) in (before + 1..).zip(others) {
        let Some(says) = other.says().filter(|says| terms(says).iter().any(|term| !own.contains(term)))
        else {
            continue;
        };
        let place = CitedPlace { n, start: other.answer.start, end: other.answer.end };
        said.push(statement(format!("{says}{}", other.source(is_german)), vec![place]));
    }
    if !said.is_empty() {
        said[0].text = format!("{}: {}", wording::others(time.order, is_german), said[0].text);
        answer.answer = format!("{}\n{}", answer.answer, join(&said));
        answer.sentences.extend(said);
    }
    answer.time = Some(time);
    answered
}
