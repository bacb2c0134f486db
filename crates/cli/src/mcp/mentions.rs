//! The tool that counts mentions: exactly by words, or by meaning with a model.

use oriel_api::{DATA_NOTE, Place, Places, Searcher, name_of};
use oriel_core::{ByteSpan, CancelToken, Survey};
use oriel_engine::{DocumentRow, DocumentState, Filter, MentionPage};
use serde_json::{Value, json};

use crate::mcp::arguments::{By, Mentions};
use crate::mcp::tools::{MAX_LIMIT, OnProgress, Tools, in_range, not_empty, rows};
use crate::render;

/// Sentences shown for each document that mentions a thing, and the number of sentences around each.
const MENTIONS_SHOWN: usize = 5;
const MENTION_WINDOW: usize = 1;

impl Tools {
    pub(crate) fn mentions(
        &self,
        arguments: &Mentions,
        on_progress: &mut OnProgress<'_>,
        cancel: &CancelToken,
    ) -> anyhow::Result<Value> {
        let thing = not_empty("thing", &arguments.thing)?;
        let limit = in_range("limit", arguments.limit, MAX_LIMIT)?;
        let searcher = self.open()?;
        let filter = self.filter(&arguments.scope)?;
        match arguments.by {
            By::Words => words(&searcher, thing, &filter, arguments.offset, limit, cancel),
            By::Meaning => {
                let mut report = |survey: &Survey| {
                    let (read, total) = (survey.read, survey.total);
                    on_progress(Some((read, total)), render::coverage(survey).trim_end().to_owned());
                };
                meaning(&searcher, thing, &filter, arguments.offset, limit, &mut report, cancel)
            }
        }
    }
}

/// Exact counts of the sentences that contain all words.
fn words(
    searcher: &Searcher,
    thing: &str,
    filter: &Filter,
    from: usize,
    limit: usize,
    cancel: &CancelToken,
) -> anyhow::Result<Value> {
    let page = MentionPage { from, documents: limit, sentences: MENTIONS_SHOWN };
    let library = searcher.library();
    let mentions = library.mentions(thing, filter, page, cancel)?;
    let rows = rows(searcher, filter)?;
    let count = |is: fn(&DocumentState) -> bool| {
        let state = |row: &&DocumentRow| is(&row.state) && is_within(filter, row);
        rows.iter().filter(state).count()
    };
    let mut places = Places::new(library, cancel);
    let documents: Vec<Value> = mentions
        .rows
        .iter()
        .map(|found| {
            let sentences = found.shown.iter();
            let shown: Vec<Place> = sentences
                .filter_map(|one| places.sentence(&found.row.path, one.span, &one.text, MENTION_WINDOW))
                .collect();
            json!({
                "id": found.row.id.0.to_string(),
                "title": name_of(&found.row.path),
                "path": found.row.path.to_string_lossy(),
                "sentences": found.sentences,
                "words": found.words,
                "places": shown,
            })
        })
        .collect();
    let end = from + documents.len();
    Ok(json!({
        "words": mentions.words,
        "all_words_in_one_sentence": mentions.is_whole,
        "documents": mentions.documents,
        "sentences": mentions.sentences,
        "coverage": {
            "searched": mentions.searched,
            "waiting": count(|state| *state == DocumentState::Waiting),
            "unreadable": count(|state| matches!(state, DocumentState::Failed(_))),
        },
        "mentioning": documents,
        "next_offset": (end < mentions.documents).then_some(end),
        "note": DATA_NOTE,
    }))
}

/// Whether the path of a document is in the scope and not hidden; other conditions need a document that was read.
fn is_within(filter: &Filter, row: &DocumentRow) -> bool {
    filter.within.is_empty() || filter.within.iter().any(|path| row.path.starts_with(path))
}

/// The documents that mention a thing by meaning.
fn meaning(
    searcher: &Searcher,
    thing: &str,
    filter: &Filter,
    from: usize,
    limit: usize,
    on_progress: &mut dyn FnMut(&Survey),
    cancel: &CancelToken,
) -> anyhow::Result<Value> {
    let survey = searcher.survey(thing, filter, on_progress, cancel)?;
    cancel.check()?;
    let mut places = Places::new(searcher.library(), cancel);
    let shown = survey.documents.iter().skip(from).take(limit);
    let documents: Vec<Value> = shown
        .map(|found| {
            let best = found.sentences.iter().take(MENTIONS_SHOWN);
            let shown: Vec<Value> = best
                .filter_map(|one| {
                    let span = ByteSpan::new(one.start, one.end);
                    let place = places.sentence(&found.path, span, &one.text, MENTION_WINDOW)?;
                    let mut place = serde_json::to_value(place).ok()?;
                    place["probability"] = json!(one.score);
                    Some(place)
                })
                .collect();
            json!({
                "path": found.path.to_string_lossy(),
                "certain": found.certain,
                "sentences": found.sentences.len(),
                "places": shown,
            })
        })
        .collect();
    let end = from + documents.len();
    Ok(json!({
        "thing": survey.thing,
        "documents": survey.documents.len(),
        "certain": survey.documents.iter().filter(|document| document.certain).count(),
        "coverage": {
            "folder": survey.folder.as_ref().map(|folder| folder.to_string_lossy()),
            "total": survey.total,
            "searched": survey.read,
            "unreadable": survey.unreadable,
            "waiting": survey.total - survey.read - survey.unreadable,
        },
        "mentioning": documents,
        "next_offset": (end < survey.documents.len()).then_some(end),
        "note": DATA_NOTE,
    }))
}
