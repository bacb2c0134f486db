//! The list under a count.

use std::path::PathBuf;

use oriel_core::{Survey, SurveyedDocument, SurveyedSentence};
use oriel_engine::{DocumentRow, Library, PassageDocument};

use crate::api::{Coverage, SurveyRow, SurveySentence, SurveyView, TextPlace};
use crate::views::documents::{milliseconds, name_of, place_of, relocated};

/// A list as it is kept. `sources` are the documents of its passages as they were when the question was asked, `roots` the
/// followed folders.
pub(crate) fn survey(
    library: &Library,
    survey: &Survey,
    sources: &[Option<PassageDocument>],
    roots: &[PathBuf],
) -> SurveyView {
    let rows = (1..).zip(&survey.documents).map(|(n, document)| {
        let source = sources.get(n - 1).and_then(Option::as_ref);
        let sentences: Vec<&str> = document.sentences.iter().map(|one| one.text.as_str()).collect();
        let now = relocated(library, &document.path, source, &sentences);
        row(document, n, now.as_ref(), source, roots)
    });
    SurveyView { coverage: coverage(survey), rows: rows.collect() }
}

/// How much was read.
pub(crate) fn coverage(survey: &Survey) -> Coverage {
    Coverage {
        thing: survey.thing.clone(),
        folder: survey.folder.as_deref().map(name_of),
        total: survey.total,
        read: survey.read,
        unreadable: survey.unreadable,
        sentences: survey.sentences,
        checked: survey.checked,
        least: oriel_engine::MIN_MENTION_SCORE,
        certain: oriel_engine::CERTAIN_MENTION,
    }
}

/// A document of the list, with its row now.
pub(crate) fn row(
    document: &SurveyedDocument,
    n: usize,
    now: Option<&DocumentRow>,
    source: Option<&PassageDocument>,
    roots: &[PathBuf],
) -> SurveyRow {
    let path = now.map_or(&document.path, |row| &row.path);
    let sentence = |one: &SurveyedSentence| SurveySentence {
        location: one.location.clone(),
        text: one.text.clone(),
        at: TextPlace {
            start: one.start,
            end: one.end,
            hits: Vec::new(),
            answer: Some(oriel_core::ByteSpan::new(one.start, one.end)),
            words: None,
            hash: source.map(|source| source.hash.clone()),
        },
    };
    SurveyRow {
        n,
        cited: source.is_some(),
        document: now.map(|row| row.id.0),
        name: name_of(path),
        place: place_of(path, roots),
        modified: now.map_or(0, |row| milliseconds(row.modified)),
        certain: document.certain,
        included: document.included,
        sentences: document.sentences.iter().map(sentence).collect(),
    }
}
