//! An answer in a phrase: it is found again word for word in the passages, which is its place, and the checker reads it there
//! together with the question.

use oriel_core::{AnswerSentence, CancelToken, ClaimChecker, ModelError, Passage};
use oriel_text::{plain, words};

use crate::answer::citations::{cite, split};
use crate::answer::extractive::quote;
use crate::answer::grounding::{Evidence, Proposed, adds, answer_chances};
use crate::answer::kind::AnswerKind;
use crate::search::loaded::PassageSentence;

/// Words that answer a question alone, and only together with the sentence behind them.
const YES_AND_NO: &[&str] = &["yes", "no", "ja", "nein"];

/// From this probability on the checker says that a phrase answers the question where it stands.
const MIN_CHANCE: f32 = 0.5;
/// The same if the search expects the answer in the sentence that holds the phrase.
const MIN_CHANCE_EXPECTED: f32 = 0.2;
/// How many places of a phrase the checker reads.
const MAX_PLACES: usize = 6;

/// The phrases of an answer that the passages hold, each with the sentence that holds it, and sentences that the passages support.
///
/// A small model takes a neighbour's value now and then. So a phrase counts only where the checker finds that it answers the question;
/// where no checker reads, only in the sentence in which the search, too, expects the answer. A phrase that repeats the question, or is
/// not of the kind that was asked for, is none. If none is left, the words take their place in which the search expects the answer,
/// by the same rules.
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
    let is_answer = |text: &str| adds(text, question) && kind.is_none_or(|kind| kind.fits(text));
    let judge = Judge { question, passages, parts, evidence: Evidence::of_passages(passages, parts), checker, cancel };
    let mut lead = String::new();
    let mut answer = Vec::new();
    for (phrase, cited) in split(text) {
        if YES_AND_NO.contains(&&*phrase.trim_end_matches(['.', ',']).to_lowercase()) {
            lead = phrase;
            continue;
        }
        let places = places_of(&phrase, &cited, parts);
        let found = match places.is_empty() {
            true => cite(&phrase, passages, parts, checker, cancel)?,
            false => places.into_iter().map(|(n, sentence)| at_place(phrase.clone(), n, sentence)).collect(),
        };
        let answering = found.into_iter().filter(|one| one.supported && is_answer(&one.text));
        let Some(mut best) = judge.best(&lead, answering.take(MAX_PLACES).collect())? else { continue };
        if !lead.is_empty() {
            best.text = format!("{} {}", std::mem::take(&mut lead), best.text);
        }
        answer.push(best);
    }
    if answer.is_empty() {
        let expected = expected_words(passages, parts).filter(|one| is_answer(&one.text)).collect();
        answer.extend(judge.best("", expected)?.filter(|_| kind.is_some() || checker.is_some()));
    }
    Ok(answer)
}

/// Decides which of several proposed answers is one.
struct Judge<'a> {
    question: &'a str,
    passages: &'a [Passage],
    parts: &'a [Vec<PassageSentence>],
    evidence: Vec<Evidence>,
    checker: Option<&'a dyn ClaimChecker>,
    cancel: &'a CancelToken,
}

impl Judge<'_> {
    /// The one of `proposed` that answers the question best where it stands; `lead` is a yes or no before it.
    fn best(&self, lead: &str, proposed: Vec<AnswerSentence>) -> Result<Option<AnswerSentence>, ModelError> {
        let place = |one: &AnswerSentence| {
            let place = one.places.first()?;
            let at = self.parts[place.n - 1].iter().position(|sentence| sentence.span.start == place.start)?;
            Some((place.n - 1, at))
        };
        let asked: Vec<Proposed> = proposed
            .iter()
            .filter_map(|one| {
                let (text, sentence) = place(one)?;
                Some(Proposed { answer: format!("{lead} {}", one.text).trim().to_owned(), text, sentence })
            })
            .collect();
        let chances = answer_chances(self.question, &asked, &self.evidence, self.checker, self.cancel)?;
        let mut best: Option<(f32, AnswerSentence)> = None;
        for ((one, asked), chance) in proposed.into_iter().zip(asked).zip(chances) {
            let expected = expected(&self.passages[asked.text], &self.parts[asked.text]);
            let is_expected =
                expected.is_none_or(|sentence| sentence.span == self.parts[asked.text][asked.sentence].span);
            if std::env::var_os("ORIEL_LAB").is_some() { eprintln!("LAB {:?} {} | {} | {:?} | {}", chance, is_expected, self.question, one.text, self.parts[asked.text][asked.sentence].text.replace('\n', " ")); }
            let is_answer = match chance {
                Some(chance) => chance >= if is_expected { MIN_CHANCE_EXPECTED } else { MIN_CHANCE },
                None => is_expected,
            };
            let chance = chance.unwrap_or_default();
            if is_answer && best.as_ref().is_none_or(|(most, _)| chance > *most) {
                best = Some((chance, one));
            }
        }
        Ok(best.map(|(_, one)| one))
    }
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
