//! The answer to a question for a document as a whole: the sentences that say most of it, below its headings, each with its place. Of
//! several documents one sentence each.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use oriel_core::{
    AnswerRow, AnswerRows, AnswerSentence, AnsweringSentence, ByteSpan, CancelToken, Candidate, CitedPlace,
    DocumentId, Heading, Ordinal, Passage, RowPlace, SentenceRow,
};
use oriel_store::View;
use oriel_text::{plain, terms};

use crate::answer::central::{centrality, choose, nearness, word_vector};
use crate::answer::extractive::marked;
use crate::answer::library::MAX_NAMES;
use crate::answer::stated::{Stated, statement};
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::library::Library;
use crate::library::furniture::Furniture;
use crate::question::outline::OutlineQuestion;
use crate::question::words::among;
use crate::search::embedded::whole_document;
use crate::search::loaded::LoadedDocument;
use crate::search::named::documents_named;
use crate::search::query::Query;
use crate::search::window::{MergedWindow, widen};

/// Documents of which one sentence each is told.
const MAX_DOCUMENTS: usize = 50;
/// A document of so many sentences is told whole.
const SHORT: usize = 8;
/// Sentences of a document without sections.
const MAX_SENTENCES: usize = 7;
/// From so many sentences on a document is told by its sections.
const LONG: usize = 15;
/// Sections that stand in the answer; all are below it.
const MAX_SECTIONS: usize = 12;
/// A document with fewer headings has no sections.
const MIN_SECTIONS: usize = 3;
/// With fewer sections each has two sentences.
const FEW_SECTIONS: usize = 6;
/// Characters of a sentence that can stand alone.
const CHARACTERS: std::ops::RangeInclusive<usize> = 25..=450;
/// Words of a sentence.
const MIN_WORDS: usize = 4;
/// What a sentence gains that begins a section, that has words of its heading, and that stands before a tenth of the text.
const BEGINS: f32 = 0.25;
const NAMED_ABOVE: f32 = 0.2;
const EARLY: f32 = 0.15;
/// What the sentence gains that is nearest to the whole document.
const WHOLE: f32 = 0.4;
/// What one loses that needs the sentence before it, that does not end as sentences do (a title, an entry), and that is short.
const LEANS: f32 = 0.3;
const UNENDED: f32 = 0.5;
const BRIEF: f32 = 0.15;
/// Characters of a short one.
const FEW_CHARACTERS: usize = 50;
const LEANING: &str =
    "it its this that these those they he she however therefore es dies diese dieser sie er";
/// Characters of a heading in the answer.
const MAX_HEADING: usize = 70;

/// Tells what the documents that a question names are about. `None` if there are none.
///
/// # Errors
/// If the filter names a path without documents, if the store is damaged, and after a cancellation before anything was read.
pub fn answer_outline(
    library: &Library,
    query: &Query,
    question: &OutlineQuestion,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    let begun = Instant::now();
    let index = library.own_index()?;
    let named = index
        .read(|view| documents_named(&view, &question.documents, &query.filter, !question.may_be_several))?;
    let mut told = Vec::new();
    let limit = if named.len() == 1 { usize::MAX } else { 1 };
    for document in named.iter().take(MAX_DOCUMENTS) {
        // A version of the store each, so that it can be written meanwhile.
        match index.read(|view| Told::of(&view, document.id, limit, cancel)) {
            Err(error) if error.is_cancelled() && !told.is_empty() => break,
            one => told.extend(one?),
        }
    }
    let stopped = cancel.is_cancelled();
    let stated = match (&told[..], named.len()) {
        ([], _) => return Ok(None),
        ([only], 1) => only.stated(query, question.is_german),
        (several, all) => Told::list(several, all, query, question.is_german),
    };
    Ok(Some(Stated { confidence: 1.0, stopped, ..stated }.answered(query, begun, event)))
}

/// The sentences that say most of a document.
struct Told {
    loaded: LoadedDocument,
    /// In reading order.
    picks: Vec<Pick>,
    /// The sections of a long document; 0 of a short one.
    sections: usize,
}

/// A sentence that was chosen.
struct Pick {
    candidate: Candidate,
    span: ByteSpan,
    /// Its plain text.
    text: String,
    /// The heading of its section, if the document is told by sections.
    heading: Option<String>,
    /// Whether it stands in the answer.
    is_shown: bool,
}

/// A sentence that can be chosen.
struct Sentence {
    ordinal: Ordinal,
    span: ByteSpan,
    text: String,
    vector: Vec<f32>,
    /// What it has besides its place in the graph.
    prior: f32,
}

impl Told {
    /// Reads a document; of several only the `limit` best sentences. `None` if it has no sentence.
    fn of(
        view: &View<'_>,
        document: DocumentId,
        limit: usize,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, EngineError> {
        cancel.check()?;
        let loaded = LoadedDocument { excerpt: whole_document(view, document)? };
        let sentences = sentences(view, &loaded)?;
        if sentences.is_empty() {
            return Ok(None);
        }
        let places =
            if sentences.len() > LONG && limit > 1 { sections(&loaded, &sentences) } else { Vec::new() };
        let per_section = if places.len() < FEW_SECTIONS { 2 } else { 1 };
        let mut sections = Vec::new();
        for (heading, place) in places {
            if cancel.is_cancelled() && !sections.is_empty() {
                break;
            }
            let own = &sentences[place];
            sections.push((own.len(), chosen(&loaded, own, Some(&heading), per_section)));
        }
        if sections.is_empty() {
            let count = if sentences.len() <= SHORT { SHORT } else { MAX_SENTENCES };
            let picks = chosen(&loaded, &sentences, None, count.min(limit));
            return Ok(Some(Self { loaded, picks, sections: 0 }));
        }
        // The longest stand in the answer.
        let mut longest: Vec<usize> = (0..sections.len()).collect();
        longest.sort_by_key(|&at| Reverse(sections[at].0));
        longest.truncate(MAX_SECTIONS);
        let count = sections.len();
        let picks = sections.into_iter().enumerate().flat_map(|(at, (_, picks))| {
            let is_shown = longest.contains(&at);
            picks.into_iter().map(move |pick| Pick { is_shown, ..pick })
        });
        let picks = picks.collect();
        Ok(Some(Self { loaded, picks, sections: count }))
    }

    fn name(&self) -> String {
        let path: &Path = &self.loaded.excerpt.path;
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }

    /// The outline of one document.
    fn stated(&self, query: &Query, is_german: bool) -> Stated {
        let shown: Vec<&Pick> = self.picks.iter().filter(|pick| pick.is_shown).collect();
        let candidates: Vec<Candidate> = shown.iter().map(|pick| pick.candidate).collect();
        let passages = self.passages(&candidates, query, 1);
        let name = self.name();
        let opening = match (self.sections, is_german) {
            (0, true) => format!("{name}, die wichtigsten Sätze:"),
            (0, false) => format!("{name}, its main sentences:"),
            (sections, true) => format!("{name}, Hauptsätze aus {sections} Abschnitten:"),
            (sections, false) => format!("{name}, main sentences of {sections} sections:"),
        };
        let line = |pick: &&Pick| {
            let quote = marked(&pick.text);
            let text = pick.heading.as_ref().map_or(quote.clone(), |heading| format!("{heading}: {quote}"));
            statement(text, pick.place(&passages).into_iter().collect())
        };
        let mut sentences = vec![statement(opening, Vec::new())];
        sentences.extend(shown.iter().map(line));
        let row = |pick: &Pick| AnswerRow {
            cells: vec![pick.heading.clone().unwrap_or_default(), pick.text.clone()],
            place: Some(self.row_place(pick)),
        };
        let columns = if is_german { ["Abschnitt", "Satz"] } else { ["Section", "Sentence"] };
        let rows = (self.sections > 0).then(|| AnswerRows {
            columns: columns.map(str::to_owned).to_vec(),
            total: self.picks.len(),
            rows: self.picks.iter().map(row).collect(),
            query: None,
        });
        Stated { sentences, passages, rows, is_lines: true, ..Stated::default() }
    }

    /// One sentence of each of several documents, of `all` that were meant.
    fn list(told: &[Self], all: usize, query: &Query, is_german: bool) -> Stated {
        let mut passages = Vec::new();
        let mut lines: Vec<AnswerSentence> = Vec::new();
        let mut rows = Vec::new();
        for one in told {
            let Some(pick) = one.picks.first() else { continue };
            if lines.len() < MAX_NAMES {
                let own = one.passages(&[pick.candidate], query, passages.len() + 1);
                let text = format!("{}: {}", one.name(), marked(&pick.text));
                lines.push(statement(text, pick.place(&own).into_iter().collect()));
                passages.extend(own);
            }
            let cells = vec![one.name(), pick.text.clone()];
            rows.push(AnswerRow { cells, place: Some(one.row_place(pick)) });
        }
        let opening = match is_german {
            true => format!("{} von {all} Dokumenten, je ein Satz:", rows.len()),
            false => format!("{} of {all} documents, a sentence each:", rows.len()),
        };
        let mut sentences = vec![statement(opening, Vec::new())];
        sentences.append(&mut lines);
        let columns = if is_german { ["Dokument", "Satz"] } else { ["Document", "Sentence"] };
        let columns = columns.map(str::to_owned).to_vec();
        let rows = AnswerRows { columns, total: rows.len(), rows, query: None };
        Stated { sentences, passages, rows: Some(rows), is_lines: true, ..Stated::default() }
    }

    /// The passages around sentences, in reading order, numbered from `n`.
    fn passages(&self, candidates: &[Candidate], query: &Query, n: usize) -> Vec<Passage> {
        let unit = |_, ordinal| self.loaded.unit(ordinal);
        let mut windows = widen(candidates, query.window, query.merge, unit);
        windows.sort_by_key(|window| window.first);
        let passage = |(n, window): (usize, &MergedWindow)| {
            let best = window.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score))?;
            let ByteSpan { start, end } = self.loaded.excerpt.rows.get(best.ordinal)?.span;
            let answer = AnsweringSentence { start, end, words: None, confidence: best.score };
            self.loaded.passage(n, window, best.score, Some(answer))
        };
        (n..).zip(&windows).filter_map(passage).collect()
    }

    fn row_place(&self, pick: &Pick) -> RowPlace {
        RowPlace {
            path: self.loaded.excerpt.path.clone(),
            location: self.loaded.location(pick.candidate.ordinal).unwrap_or_default(),
            start: pick.span.start,
            end: pick.span.end,
        }
    }
}

impl Pick {
    fn place(&self, passages: &[Passage]) -> Option<CitedPlace> {
        let ByteSpan { start, end } = self.span;
        let passage = passages.iter().find(|passage| passage.start <= start && end <= passage.end)?;
        Some(CitedPlace { n: passage.n, start, end })
    }
}

/// The sentences that can be chosen, in reading order: no headings, no furniture, no rows of tables, no scraps. If none can, all that have words.
fn sentences(view: &View<'_>, loaded: &LoadedDocument) -> Result<Vec<Sentence>, EngineError> {
    let excerpt = &loaded.excerpt;
    let mut furniture = Furniture::of(view);
    let (mut told, mut scraps): (Vec<(Ordinal, SentenceRow, String)>, Vec<_>) = (Vec::new(), Vec::new());
    for (ordinal, row) in excerpt.rows.iter() {
        let tables = &excerpt.outline.tables;
        let is_header = tables.binary_search_by_key(&row.span.start, |table| table.span.start).is_ok();
        if is_header || loaded.is_heading(row.span) || furniture.holds(excerpt.document, ordinal)? {
            continue;
        }
        let text = plain(excerpt.text.of(row.span).unwrap_or_default(), excerpt.kind);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let in_table = excerpt.outline.header_at(row.span.start).is_some();
        if stands_alone(&text) && !in_table {
            told.push((ordinal, *row, text));
        } else if told.is_empty() && text.contains(char::is_alphanumeric) {
            scraps.push((ordinal, *row, text));
        }
    }
    let told = if told.is_empty() { scraps } else { told };
    let ids: Vec<_> = told.iter().map(|(_, row, _)| row.id).collect();
    // Until all have a vector by meaning, words are compared.
    let vectors: Option<Vec<Vec<f32>>> = view.vectors_of(&ids)?.into_iter().collect();
    let vectors = vectors.unwrap_or_else(|| told.iter().map(|(.., text)| word_vector(text)).collect());
    let early = told.len() / 10;
    let nearness = nearness(&vectors);
    let sentence = |(at, ((ordinal, row, text), vector))| {
        let (ordinal, row, text): (Ordinal, SentenceRow, String) = (ordinal, row, text);
        let prior = prior(&text) + WHOLE * nearness[at] + if at <= early { EARLY } else { 0.0 };
        Sentence { ordinal, span: row.span, text, vector, prior }
    };
    Ok(told.into_iter().zip(vectors).enumerate().map(sentence).collect())
}

/// What a sentence gains or loses by its form.
fn prior(text: &str) -> f32 {
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let is_ended = text
        .trim_end_matches(['"', '\'', '”', '’', '“', '»', ')'])
        .ends_with(['.', '!', '…', '。', '।', '؟']);
    let faults = [
        (among(&first, LEANING), LEANS),
        (!is_ended, UNENDED),
        (text.chars().count() < FEW_CHARACTERS, BRIEF),
    ];
    -faults.iter().filter(|(is_fault, _)| *is_fault).map(|(_, loss)| loss).sum::<f32>()
}

/// Whether a text is a sentence that says something by itself: of some length, and mostly of words.
fn stands_alone(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let count = text.chars().count();
    CHARACTERS.contains(&count)
        && letters * 2 >= count
        && (text.split(' ').count() >= MIN_WORDS || !text.is_ascii())
        && !text.ends_with([':', '?'])
}

/// The sections of a document with the places of their sentences: those of the highest level at which there are several and none holds
/// most of the text, else of the lowest with several; none if no level has several.
fn sections(loaded: &LoadedDocument, sentences: &[Sentence]) -> Vec<(Heading, Range<usize>)> {
    let headings: Vec<&Heading> =
        loaded.excerpt.outline.headings.iter().filter(|heading| heading.end.is_none()).collect();
    let levels: BTreeSet<u8> = headings.iter().map(|heading| heading.level).collect();
    let mut several = Vec::new();
    for level in levels {
        let own: Vec<&Heading> = headings.iter().copied().filter(|one| one.level <= level).collect();
        let at = |start: u32| sentences.partition_point(|one| one.span.start < start);
        let end = |next: usize| own.get(next).map_or(sentences.len(), |next| at(next.span.start));
        let of_level =
            own.iter().enumerate().map(|(n, heading)| (**heading, at(heading.span.start)..end(n + 1)));
        let of_level: Vec<_> = of_level.filter(|(_, place)| !place.is_empty()).collect();
        let longest = of_level.iter().map(|(_, place)| place.len()).max().unwrap_or_default();
        if of_level.len() >= MIN_SECTIONS {
            several = of_level;
            if 2 * longest <= sentences.len() {
                break;
            }
        }
    }
    several
}

/// The sentences of a section, or of a whole document, that say most of it.
fn chosen(
    loaded: &LoadedDocument,
    sentences: &[Sentence],
    heading: Option<&Heading>,
    limit: usize,
) -> Vec<Pick> {
    let excerpt = &loaded.excerpt;
    let heading = heading.and_then(|heading| excerpt.text.of(heading.span));
    let heading = heading.map(|text| plain(text, excerpt.kind));
    let above = terms(heading.as_deref().unwrap_or_default());
    let vectors: Vec<&[f32]> = sentences.iter().map(|sentence| &*sentence.vector).collect();
    let mut scores = centrality(&vectors);
    for (at, (score, sentence)) in scores.iter_mut().zip(sentences).enumerate() {
        let own = terms(&sentence.text);
        let named = above.iter().filter(|term| own.contains(term)).count() as f32 / above.len().max(1) as f32;
        *score +=
            sentence.prior + NAMED_ABOVE * named + if at == 0 && heading.is_some() { BEGINS } else { 0.0 };
    }
    let heading: Option<String> = heading.map(|text| text.chars().take(MAX_HEADING).collect());
    let pick = |at: usize| {
        let Sentence { ordinal, span, ref text, .. } = sentences[at];
        let candidate = Candidate { document: excerpt.document, ordinal, score: scores[at] };
        Pick { candidate, span, text: text.clone(), heading: heading.clone(), is_shown: true }
    };
    choose(&vectors, &scores, limit).into_iter().map(pick).collect()
}

#[cfg(test)]
mod tests;
