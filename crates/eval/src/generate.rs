//! Makes questions from a library: a generator asks about one informative sentence at a time.
//!
//! The form is that of `questions`: a line a question, with the bytes of its sentence. What the generator writes is checked,
//! and what is a copy of the sentence or asks about the text itself is thrown away.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use oriel_api::{AppError, question_about, sentence_at, words};
use oriel_core::{CancelToken, Generator, Location};
use oriel_engine::{DocumentText, EngineError, Library};
use serde::Serialize;

use crate::bootstrap::SplitMix;

/// Characters of a sentence that is asked about.
const LENGTH: std::ops::RangeInclusive<usize> = 25..=400;
/// Sentences that are tried for each question.
const TRIES: usize = 8;
/// A word of at least so many letters that is in its document once is rare.
const RARE_LETTERS: usize = 8;
const SEED: u64 = 19;

/// A question with the place of its answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GeneratedQuestion {
    /// Its id: the document's hash and the sentence's first byte.
    pub id: String,
    /// The question.
    pub question: String,
    /// Always true.
    pub answerable: bool,
    /// None: the answer is in the sentence.
    pub answers: Vec<String>,
    /// The document's absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub file: PathBuf,
    /// The sentence.
    pub spans: Vec<GeneratedSpan>,
}

/// The bytes of the sentence that answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GeneratedSpan {
    /// First byte in the document's text.
    pub byte_start: u32,
    /// One past the last byte.
    pub byte_end: u32,
    /// The sentence.
    pub text: String,
    /// Where it stands.
    #[serde(flatten)]
    pub location: Location,
}

/// Makes `wanted` questions, or fewer if the library has too few good sentences. Sentences whose ids are among the `known` are
/// not asked about again. The same library, generator and number of known ids give the same questions. `on_made` gets each
/// question at once, `progress` how many are made and wanted.
///
/// # Errors
/// If the library has no sentence to ask about, the generator or `on_made` fails, or cancelled.
pub fn generate_questions(
    library: &Library,
    generator: &dyn Generator,
    wanted: usize,
    known: &HashSet<String>,
    on_made: &mut dyn FnMut(GeneratedQuestion) -> Result<(), AppError>,
    progress: &mut dyn FnMut(usize, usize),
    cancel: &CancelToken,
) -> Result<(), AppError> {
    let mut rows = library.documents("", usize::MAX)?;
    rows.retain(|row| row.sentences > 0);
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    let mut random = SplitMix(SEED + known.len() as u64);
    let mut tried = HashSet::new();
    let mut made: HashSet<String> = HashSet::new();
    let mut asked_any = false;
    for _ in 0..wanted.saturating_mul(TRIES) {
        if made.len() == wanted || rows.is_empty() {
            break;
        }
        cancel.check().map_err(EngineError::from)?;
        progress(made.len(), wanted);
        let document = library.text_of(rows[random.below(rows.len())].id)?;
        let mut good = specific_sentences(&document);
        good.retain(|at| {
            !tried.contains(&(document.row.id, *at)) && !known.contains(&question_id(&document, *at))
        });
        if good.is_empty() {
            continue;
        }
        let at = good[random.below(good.len())];
        tried.insert((document.row.id, at));
        asked_any = true;
        let question = question_about(&document, at, generator, cancel)?;
        if let Some(question) = question.filter(|one| made.insert(one.clone())) {
            let (found, sentence) = (&document.sentences[at], sentence_at(&document, at));
            on_made(GeneratedQuestion {
                id: question_id(&document, at),
                question,
                answerable: true,
                answers: Vec::new(),
                file: document.row.path.clone(),
                spans: vec![GeneratedSpan {
                    byte_start: found.span.start,
                    byte_end: found.span.end,
                    text: sentence.to_owned(),
                    location: document.location(found.span.start),
                }],
            })?;
        }
    }
    if !asked_any {
        let path = library.path().to_owned();
        return Err(AppError::File { path, why: oriel_core::Notice::NothingToAskAbout });
    }
    progress(made.len(), wanted);
    Ok(())
}

/// The id of the question about a sentence: the document's hash and the sentence's first byte.
fn question_id(document: &DocumentText, at: usize) -> String {
    let hash = &document.hash[..document.hash.len().min(12)];
    format!("{hash}-{}", document.sentences[at].span.start)
}

/// The positions of the sentences of a length that one can ask about, with a number, a name or a rare word.
fn specific_sentences(document: &DocumentText) -> Vec<usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for word in words(&document.text) {
        *counts.entry(word.to_lowercase()).or_default() += 1;
    }
    let is_specific = |at: &usize| {
        let sentence = sentence_at(document, *at);
        LENGTH.contains(&sentence.chars().count())
            && sentence.trim_end().ends_with(['.', '!', '。', '।', '؟', '”', '"'])
            && words(sentence).enumerate().any(|(place, word)| {
                let is_name = place > 0 && word.starts_with(char::is_uppercase);
                let is_rare =
                    || word.chars().count() >= RARE_LETTERS && counts.get(&word.to_lowercase()) == Some(&1);
                is_name || word.contains(char::is_numeric) || is_rare()
            })
    };
    (0..document.sentences.len()).filter(is_specific).collect()
}
