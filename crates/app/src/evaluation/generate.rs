//! Makes questions from a library: a generator asks about one informative sentence at a time.
//!
//! The form is that of `questions`: a line a question, with the bytes of its sentence. What the generator writes is checked,
//! and what is a copy of the sentence or asks about the text itself is thrown away.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use oriel_core::{ByteSpan, CancelToken, GenerationRequest, Generator, Location};
use oriel_engine::{DocumentText, EngineError, Library};
use serde::Serialize;

use crate::error::AppError;
use crate::evaluation::bootstrap::SplitMix;

/// Sentences on each side that the generator reads too.
const AROUND: usize = 2;
/// Characters of a sentence that is asked about.
const LENGTH: std::ops::RangeInclusive<usize> = 25..=400;
/// Sentences that are tried for each question.
const TRIES: usize = 8;
/// A word of at least so many letters that is in its document once is rare.
const RARE_LETTERS: usize = 8;
/// Tokens of a question.
const MAX_TOKENS: usize = 60;
const SEED: u64 = 19;

const SYSTEM: &str = "You write questions for an exam. You answer with one question and nothing else.";

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
        return Err(AppError::Questions { path, why: oriel_core::Notice::NothingToAskAbout });
    }
    progress(made.len(), wanted);
    Ok(())
}

/// The id of the question about a sentence: the document's hash and the sentence's first byte.
fn question_id(document: &DocumentText, at: usize) -> String {
    let hash = &document.hash[..document.hash.len().min(12)];
    format!("{hash}-{}", document.sentences[at].span.start)
}

/// A question that the sentence `at` of a document answers; `None` if what the generator wrote is not good enough.
pub(crate) fn question_about(
    document: &DocumentText,
    at: usize,
    generator: &dyn Generator,
    cancel: &CancelToken,
) -> Result<Option<String>, AppError> {
    let mut written = String::new();
    generator.generate(&request(document, at), &mut |piece| written.push_str(piece), cancel)?;
    cancel.check().map_err(EngineError::from)?;
    let question = written.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    Ok(is_good_question(question, sentence_at(document, at)).then(|| question.to_owned()))
}

fn sentence_at(document: &DocumentText, at: usize) -> &str {
    document.sentences[at].span.of(&document.text).unwrap_or_default()
}

fn request(document: &DocumentText, at: usize) -> GenerationRequest {
    let (first, last) = (at.saturating_sub(AROUND), (at + AROUND).min(document.sentences.len() - 1));
    let hull = document.sentences[first].span.hull(document.sentences[last].span);
    let around = one_line(ByteSpan::of(hull, &document.text).unwrap_or_default());
    let sentence = one_line(sentence_at(document, at));
    let user = format!(
        "Text: {around}\n\nWrite one short question in the language of the text. The answer is in this sentence: \
         \"{sentence}\"\nName in the question what it is about, use other words than the sentence, and do not give the \
         answer away."
    );
    GenerationRequest { system: SYSTEM.to_owned(), user, passages: 0, max_tokens: MAX_TOKENS, refusal: None }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words by which a question asks about the text instead of what it says.
const ABOUT_THE_TEXT: [&str; 7] = ["text", "passage", "sentence", "paragraph", "document", "author", "this"];
/// So many letters that a question has from its sentence tie it to that one rather than to a neighbour.
const TYING_LETTERS: usize = 5;
/// A sentence of fewer words is of a script without spaces.
const SPACED_WORDS: usize = 4;

/// Whether a question stands by itself, is no copy of its sentence, and asks.
fn is_good_question(question: &str, sentence: &str) -> bool {
    let lower = question.to_lowercase();
    let asked: Vec<&str> = words(&lower).collect();
    let sentence = sentence.to_lowercase();
    let held: Vec<&str> = words(&sentence).collect();
    let is_shared = |word: &&str| word.chars().count() >= TYING_LETTERS && held.contains(word);
    let is_tied = held.len() < SPACED_WORDS || asked.iter().any(is_shared);
    let runs = asked.windows(3).count().max(1);
    let copied = asked.windows(3).filter(|run| held.windows(3).any(|other| other == *run)).count();
    question.ends_with(['?', '？', '؟', '।'])
        && (asked.len() >= 3 || held.len() < SPACED_WORDS)
        && !asked.iter().any(|word| ABOUT_THE_TEXT.contains(word))
        && is_tied
        && 2 * copied <= runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_and_a_question_about_the_text_are_thrown_away() {
        let sentence = "The lease of the Ropewalk ends on 31 March 2027.";
        assert!(is_good_question("When does the Ropewalk contract run out?", sentence));
        assert!(!is_good_question("The lease of the Ropewalk ends on 31 March?", sentence), "a copy");
        assert!(!is_good_question("When does the Ropewalk contract run out.", sentence), "no question");
        assert!(!is_good_question("What does the text say about leases?", sentence));
        assert!(!is_good_question("When does the Ferry leave from Lannow?", sentence), "of a neighbour");
        assert!(!is_good_question("When?", sentence));
        assert!(is_good_question("合同什么时候到期？", "制绳厂的租约于2027年3月31日到期。"));
        assert!(!is_good_question("", sentence));
    }
}
