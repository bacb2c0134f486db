//! Corrects typing errors: a word that no document contains becomes a similar word that some contain. "notce perid" becomes "notice
//! period".
//!
//! A word that the embedder has as one token is correct: "boat" stays, even if all documents are about coats. Names stay too. The
//! embedder may not know German, so a German word is only corrected to a word of the dictionary.

use std::cmp::Reverse;
use std::ops::Range;

use oriel_core::{CancelToken, Embedder, ModelError};
use oriel_store::View;
use oriel_text::{list_contains, terms, words};
use strsim::osa_distance;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::context_terms;
use crate::question::language::ALL_FUNCTION_WORDS;
use crate::question::language::detect::is_german;
use crate::question::translation::is_known;
use crate::question::words::is_stop_word;

/// Minimum number of characters of a word that is corrected.
const MIN_CHARS: usize = 4;
/// Minimum number of characters of a word with two errors.
const MIN_CHARS_OF_TWO: usize = 8;
/// Maximum number of terms whose words are compared with the typed word.
const MAX_TERMS: usize = 8;
/// Maximum number of words that are looked up. Each lookup reads all terms with the same first letter.
const MAX_WORDS: usize = 3;
/// Words that differ only in fewer letters at their end are different words: "assignor" and "assignee".
const ENDING: usize = 3;

impl Library {
    /// The question with corrected typing errors; `None` if it has none. With a remote index, which does not list its terms, nothing is
    /// corrected.
    pub(crate) fn corrected(
        &self,
        question: &str,
        embedder: &dyn Embedder,
        cancel: &CancelToken,
    ) -> Result<Option<String>, EngineError> {
        let Some(store) = self.source().store() else { return Ok(None) };
        let is_german = is_german(question);
        let places = doubtful(question, is_german, embedder)?;
        if places.is_empty() {
            return Ok(None);
        }
        store.read(|view| {
            let (mut corrected, mut end) = (String::new(), 0);
            for place in places.iter().take(MAX_WORDS) {
                cancel.check()?;
                let word = nearest(&view, &question[place.clone()])?;
                if let Some(word) = word.filter(|word| !is_german || is_known(word)) {
                    corrected.push_str(&question[end..place.start]);
                    corrected.push_str(&word);
                    end = place.end;
                }
            }
            corrected.push_str(&question[end..]);
            Ok((end > 0).then_some(corrected))
        })
    }
}

/// The places of words that may be misspelt.
fn doubtful(
    question: &str,
    is_german: bool,
    embedder: &dyn Embedder,
) -> Result<Vec<Range<usize>>, ModelError> {
    let mut places = Vec::new();
    for (at, place) in words(question).into_iter().enumerate() {
        let word = &question[place.clone()];
        let is_name = word.starts_with(char::is_uppercase) && at > 0 && !is_german;
        let is_word = word.chars().skip(1).all(char::is_lowercase) && word.chars().count() >= MIN_CHARS;
        let lower = word.to_lowercase();
        let is_function_word = is_stop_word(&lower) || list_contains(&lower, &ALL_FUNCTION_WORDS);
        let is_common = is_function_word || is_german && is_known(word);
        if is_word && !is_name && !is_common && embedder.token_spans(word)?.len() > 1 {
            places.push(place);
        }
    }
    Ok(places)
}

/// The word of the library that is most similar to a word that it does not contain.
fn nearest(view: &View<'_>, word: &str) -> Result<Option<String>, EngineError> {
    let (own, above) = (terms(word), context_terms(word));
    let ([term], [above]) = (&own[..], &above[..]) else { return Ok(None) };
    if view.frequency(term)? > 0 || view.frequency(above)? > 0 {
        return Ok(None);
    }
    let typed = word.to_lowercase();
    let allowed = if typed.chars().count() < MIN_CHARS_OF_TWO { 1 } else { 2 };
    let Some(first) = term.chars().next() else { return Ok(None) };
    let mut near = view.terms_that(first.encode_utf8(&mut [0; 4]), |other| {
        other.len().abs_diff(term.len()) <= 2 * allowed && osa_distance(other, term) <= allowed
    })?;
    near.sort_by_key(|(other, frequency)| (osa_distance(other, term), Reverse(*frequency)));
    near.truncate(MAX_TERMS);
    let mut best: Option<(usize, String)> = None;
    for (other, _) in &near {
        let Some(found) = word_of(view, other)? else { continue };
        let lower = found.to_lowercase();
        let distance = osa_distance(&lower, &typed);
        if distance <= allowed
            && is_mistake(&typed, &lower)
            && best.as_ref().is_none_or(|(least, _)| distance < *least)
        {
            best = Some((distance, found));
        }
    }
    let is_lower = word.starts_with(char::is_lowercase);
    Ok(best.map(|(_, found)| if is_lower { found.to_lowercase() } else { found }))
}

/// Whether the typed word may be `word` with typing errors: both begin with the same letter and do not differ in their ending alone.
fn is_mistake(typed: &str, word: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (typed.chars().collect(), word.chars().collect());
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let room = one.len().min(other.len()) - before;
    let after = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count().min(room);
    let mut differing = [&one, &other].map(|word| word[before..word.len() - after].to_vec());
    differing.iter_mut().for_each(|letters| letters.sort_unstable());
    let [one, other] = differing;
    before > 0 && (one.is_empty() || other.is_empty() || one == other || after >= ENDING)
}

/// A word with this term, as a document spells it.
fn word_of(view: &View<'_>, term: &str) -> Result<Option<String>, EngineError> {
    let Some(posting) = view.postings(term)?.next().transpose()? else { return Ok(None) };
    let Some(ordinal) = posting.ordinals().next().transpose()? else { return Ok(None) };
    let row = view.table(posting.document)?.get(ordinal);
    let Some((row, text)) = row.zip(view.text(posting.document)?) else { return Ok(None) };
    let sentence = row.span.of(&text).unwrap_or_default();
    let mut found = words(sentence).into_iter().map(|place| &sentence[place]);
    Ok(found.find(|word| terms(word) == [term]).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_word_is_no_mistake() {
        for (typed, word) in
            [("perid", "period"), ("noitce", "notice"), ("brokr", "broker"), ("recieveing", "receiving")]
        {
            assert!(is_mistake(typed, word), "{typed}");
        }
        for (typed, word) in [
            ("uninsured", "insured"),
            ("assignor", "assignee"),
            ("lessor", "lesser"),
            ("licensor", "license"),
            ("employer", "employed"),
        ] {
            assert!(!is_mistake(typed, word), "{typed}");
        }
    }
}
