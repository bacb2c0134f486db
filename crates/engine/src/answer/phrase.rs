//! An answer in a phrase: it is found again word for word in the passages, which is its place.

use oriel_core::{AnswerSentence, CancelToken, ClaimChecker, ModelError, Passage};
use oriel_text::{plain, words};

use crate::answer::citations::{cite, split};
use crate::answer::extractive::quote;
use crate::answer::grounding::adds;
use crate::answer::kind::AnswerKind;
use crate::search::loaded::PassageSentence;

/// Words that answer a question alone, and only together with the sentence behind them.
const YES_AND_NO: &[&str] = &["yes", "no", "ja", "nein"];

/// The phrases of an answer that the passages hold, each with the sentence that holds it, and sentences that the passages support. A
/// phrase counts only where the search, too, expects the answer: a small model takes a neighbour's value now and then. One that
/// repeats the question is none, and one that is not of the kind that was asked for: the words take its place where the search
/// expects the answer, if they are of that kind.
///
/// # Errors
/// If the checker fails, and [`ModelError::Cancelled`].
pub(crate) fn cite_phrases(
    text: &str,
    question: &str,
    passages: &[Passage],
    parts: &[Vec<PassageSentence>],
    checker: Option<&dyn ClaimChecker>,
    cancel: &CancelToken,
) -> Result<Vec<AnswerSentence>, ModelError> {
    let kind = AnswerKind::of(question);
    let fits = |text: &str| kind.is_none_or(|kind| kind.fits(text));
    let mut lead = String::new();
    let mut answer = Vec::new();
    for (phrase, cited) in split(text) {
        if YES_AND_NO.contains(&&*phrase.trim_end_matches(['.', ',']).to_lowercase()) {
            lead = phrase;
            continue;
        }
        let places = places_of(&phrase, &cited, parts);
        // Where the search expects what was not asked for, it says nothing.
        let is_place = |&&(n, sentence): &&(usize, &PassageSentence)| {
            expected(&passages[n - 1], &parts[n - 1])
                .is_none_or(|expected| expected.span == sentence.span || !fits(&expected.text))
        };
        let mut own = match places.iter().find(is_place) {
            Some(&(n, sentence)) => vec![at_place(phrase, n, sentence)],
            None if places.is_empty() => cite(&phrase, passages, parts, checker, cancel)?,
            None => Vec::new(),
        };
        own.retain(|sentence| sentence.supported && adds(&sentence.text, question) && fits(&sentence.text));
        if let Some(first) = own.first_mut().filter(|_| !lead.is_empty()) {
            first.text = format!("{} {}", std::mem::take(&mut lead), first.text);
        }
        answer.extend(own);
    }
    if answer.is_empty() && kind.is_some() {
        answer
            .extend(expected_words(passages, parts).find(|one| adds(&one.text, question) && fits(&one.text)));
    }
    Ok(answer)
}

/// A phrase of the passage `n`, which a sentence of it holds.
fn at_place(phrase: String, n: usize, sentence: &PassageSentence) -> AnswerSentence {
    AnswerSentence { text: phrase, ..quote(n, sentence) }
}

/// The sentence of a passage in which the search expects the answer: the reranker, without one the retrievers. `None` if none was
/// asked.
fn expected<'p>(passage: &Passage, parts: &'p [PassageSentence]) -> Option<&'p PassageSentence> {
    let answer = passage.answer?;
    parts.iter().find(|sentence| sentence.span.start == answer.start)
}

/// The words in which the reranker expects the answer, the best passage first.
fn expected_words<'p>(
    passages: &'p [Passage],
    parts: &'p [Vec<PassageSentence>],
) -> impl Iterator<Item = AnswerSentence> + 'p {
    passages.iter().zip(parts).filter_map(|(passage, parts)| {
        let (sentence, words) = (expected(passage, parts)?, passage.answer?.words?);
        let start = words.start.checked_sub(sentence.span.start)? as usize;
        let text = sentence.text.get(start..start + words.len() as usize)?;
        Some(at_place(plain(text, sentence.kind), passage.n, sentence))
    })
}

/// The sentences that hold a phrase word for word, with the numbers of their passages: the cited ones first.
fn places_of<'p>(
    phrase: &str,
    cited: &[usize],
    parts: &'p [Vec<PassageSentence>],
) -> Vec<(usize, &'p PassageSentence)> {
    let wanted = lower_words(phrase);
    let holds = |sentence: &&PassageSentence| {
        let there = lower_words(&plain(&sentence.text, sentence.kind));
        !wanted.is_empty() && there.windows(wanted.len()).any(|run| run == wanted)
    };
    let others = (1..=parts.len()).filter(|n| !cited.contains(n));
    let of_passage = |n: usize| {
        let part = n.checked_sub(1).and_then(|at| parts.get(at));
        part.into_iter().flatten().filter(holds).map(move |sentence| (n, sentence))
    };
    cited.iter().copied().chain(others).flat_map(of_passage).collect()
}

fn lower_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| text[word].to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use oriel_core::{AnsweringSentence, ByteSpan, Kind};

    use super::*;

    fn part(sentences: &[&str]) -> Vec<PassageSentence> {
        let sentence = |(at, text): (u32, &&str)| PassageSentence {
            span: ByteSpan::new(100 * at, 100 * at + text.len() as u32),
            text: (*text).to_owned(),
            kind: Kind::Text,
            context: String::new(),
        };
        (0..).zip(sentences).map(sentence).collect()
    }

    /// A passage whose answer is expected in the sentence that begins at `start`.
    fn passage(n: usize, start: u32) -> Passage {
        Passage {
            n,
            path: "/papers/rent.md".into(),
            headings: Vec::new(),
            page: None,
            start: 0,
            end: 200,
            text: String::new(),
            score: 0.0,
            hits: Vec::new(),
            answer: Some(AnsweringSentence { start, end: start + 50, words: None, confidence: 0.5 }),
            also: Vec::new(),
        }
    }

    #[test]
    fn a_phrase_has_its_place_where_it_stands_word_for_word() {
        let parts = [
            part(&["The first rent is £18,400 a year.", "It is paid monthly."]),
            part(&["The rent was £18,400.", "Since the review the rent is £20,600 a year."]),
        ];
        let passages = [passage(1, 100), passage(2, 100)];
        let cite = |text: &str, question: &str| {
            cite_phrases(text, question, &passages, &parts, None, &CancelToken::new()).unwrap()
        };
        let one = |text: &str, question: &str| {
            let mut answer = cite(text, question);
            assert_eq!(answer.len(), 1, "{answer:?}");
            let AnswerSentence { text, citations, places, .. } = answer.remove(0);
            (text, citations, places[0].start)
        };
        let question = "What is the rent since the review?";
        assert_eq!(one("£20,600 a year [2].", question), ("£20,600 a year.".into(), vec![2], 100));
        assert_eq!(
            one("£20,600 [1].", question).1,
            [2],
            "the passage that it stands in, not the one it names"
        );
        assert!(
            cite("£18,400 [2].", question).is_empty(),
            "the reranker expects the answer in another sentence"
        );
        assert!(cite("£20,60 [2].", question).is_empty(), "half a number is none");
        assert!(cite("The rent [1].", question).is_empty(), "it repeats the question");
        assert!(cite("Yes [1].", "Is it paid monthly?").is_empty(), "nothing says so");
    }
}
