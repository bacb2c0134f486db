//! Answers without a generator: quotes the best sentences verbatim, each with its passage. Also tells which words the reranker
//! read as the answer.

use std::collections::HashSet;

use oriel_core::{AnswerSentence, ByteSpan, Passage};
use oriel_text::{plain, terms};

use crate::answer::grounding::adds;
use crate::search::loaded::PassageSentence;
use crate::search::trace::{Fate, Trace};
use crate::search::words::content_words;

/// Maximum number of quoted sentences.
const MAX_QUOTES: usize = 3;
/// Minimum number of terms in a quoted sentence.
const MIN_TERMS: usize = 3;
/// A further sentence is quoted only if its confidence is at least this share of the best.
const MIN_SHARE: f32 = 0.75;

/// The sentences that answer, the most probable first.
pub(crate) fn quotes(
    question: &str,
    passages: &[Passage],
    sentences: &[Vec<PassageSentence>],
) -> Vec<AnswerSentence> {
    let mut found: Vec<(f32, usize, &PassageSentence)> = passages
        .iter()
        .zip(sentences)
        .filter_map(|(passage, sentences)| {
            let answer = passage.answer?;
            let sentence = sentences.iter().find(|sentence| sentence.span.start == answer.start)?;
            // Where words were read, they decide; else a heading could be quoted.
            let is_answer = answer.words.is_some() || tells(&plain(&sentence.text, sentence.kind), question);
            is_answer.then_some((answer.confidence, passage.n, sentence))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let least = found.first().map_or(0.0, |(best, ..)| best * MIN_SHARE);
    let mut quotes: Vec<AnswerSentence> = Vec::new();
    for (_, n, sentence) in found.into_iter().filter(|(confidence, ..)| *confidence >= least) {
        if quotes.len() < MAX_QUOTES && quotes.iter().all(|quote| quote.text != sentence.text) {
            quotes.push(quote(n, sentence));
        }
    }
    quotes
}

/// The words of the most probable answer; `None` if no model read for them.
pub(crate) fn probable_words(passages: &[Passage]) -> Option<&str> {
    let answers = passages.iter().filter_map(|passage| Some((passage, passage.answer?)));
    let (passage, answer) = answers.max_by(|(_, a), (_, b)| a.confidence.total_cmp(&b.confidence))?;
    let words = answer.words?;
    let inside = ByteSpan::new(words.start - passage.start, words.end - passage.start);
    inside.of(&passage.text)
}

/// Whether a text has at least half of the terms with content of an answer.
pub(crate) fn has_words(text: &str, answer: &str) -> bool {
    let own: HashSet<String> = terms(text).into_iter().collect();
    let wanted: HashSet<String> = content_words(answer).into_iter().flat_map(terms).collect();
    wanted.intersection(&own).count() * 2 >= wanted.len()
}

/// A sentence of passage `n` as a part of an answer.
pub(crate) fn quote(n: usize, sentence: &PassageSentence) -> AnswerSentence {
    AnswerSentence {
        text: sentence.text.clone(),
        supported: true,
        citations: vec![n],
        places: vec![sentence.cited(n)],
        reason: None,
        difference: None,
    }
}

/// Whether a sentence can be an answer: a heading is too short, and a repetition of the question adds nothing.
fn tells(sentence: &str, question: &str) -> bool {
    terms(sentence).len() >= MIN_TERMS && adds(sentence, question)
}

impl Trace {
    /// Records which passages are quoted.
    pub(crate) fn quoted(&mut self, quotes: &[AnswerSentence]) {
        for passage in &mut self.passages {
            let (Fate::Shown { n } | Fate::Behind { n } | Fate::NoRoom { n, .. }) = passage.fate else {
                continue;
            };
            if quotes.iter().any(|quote| quote.citations.contains(&n)) {
                passage.fate = Fate::Used { n };
            }
        }
    }
}

/// The quotes as one text, each with its citation mark.
pub(crate) fn join(quotes: &[AnswerSentence]) -> String {
    let cited = quotes.iter().map(|quote| {
        let marks: String = quote.citations.iter().map(|n| format!("[{n}]")).collect();
        format!("{} {marks}", marked(&quote.text))
    });
    cited.collect::<Vec<_>>().join("\n")
}

/// A sentence in quotation marks, on one line.
pub(crate) fn marked(text: &str) -> String {
    format!("“{}”", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_other_words_has_half_of_the_terms() {
        assert!(has_words("The lamp was lit in 1871.", "1871"));
        assert!(has_words("About 300 people came.", "some 300 people"));
        assert!(!has_words("The lamp was lit in 1872.", "in the year 1871"));
        assert!(!has_words("", "1871"));
    }
}
