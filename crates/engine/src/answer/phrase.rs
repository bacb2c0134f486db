//! An answer in a phrase: it is found again word for word in the passages, which is its place, and the checker reads it there
//! together with the question.

use oriel_core::{AnswerSentence, CancelToken, ClaimChecker, ModelError, Passage};
use oriel_text::{plain, words};

use crate::answer::citations::{cite, split};
use crate::answer::extractive::quote;
use crate::answer::grounding::values::other_values;
use crate::answer::grounding::{Evidence, Proposed, adds, answer_chances};
use crate::answer::kind::AnswerKind;
use crate::search::loaded::PassageSentence;

/// Words that answer a question alone, and only together with the sentence behind them.
const YES_AND_NO: &[&str] = &["yes", "no", "ja", "nein"];

/// From this probability on the checker says that a phrase answers the question where it stands.
const MIN_CHANCE: f32 = 0.5;
/// The same if the search expects the answer in the sentence that holds the phrase.
const MIN_CHANCE_EXPECTED: f32 = 0.2;
/// How much likelier another value must be to take the place of the one that was written.
const MIN_LEAD: f32 = 0.1;
/// How much less a phrase weighs in each passage further down.
const PER_PASSAGE: f32 = 0.1;
/// How many places of a phrase the checker reads, and how many other values.
const MAX_PLACES: usize = 6;
const MAX_OTHERS: usize = 10;

/// The phrases of an answer that the passages hold, each with the sentence that holds it, and sentences that the passages support.
///
/// A small model takes a neighbour's value now and then. So a phrase counts only where the checker finds that it answers the question;
/// where no checker reads, only in the sentence in which the search, too, expects the answer. Another value of its kind takes its
/// place if the checker finds it likelier by `MIN_LEAD`. A phrase that repeats the question, or is not of the kind that was asked for, is none.
/// If none is left and no yes or no was written, the words take their place in which the search expects the answer.
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
    let is_answer =
        |one: &AnswerSentence| adds(&one.text, question) && kind.is_none_or(|kind| kind.fits(&one.text));
    let evidence = Evidence::of_passages(passages, parts);
    let judge = Judge { question, kind, passages, parts, evidence, checker, cancel };
    let (mut lead, mut led) = (String::new(), Vec::new());
    let mut answer = Vec::new();
    for (phrase, cited) in split(text) {
        if YES_AND_NO.contains(&&*phrase.trim_end_matches(['.', ',']).to_lowercase()) {
            (lead, led) = (phrase, cited);
            continue;
        }
        let places = places_of(&phrase, &cited, parts);
        let found = match places.is_empty() {
            true => cite(&phrase, passages, parts, checker, cancel)?,
            false => places.into_iter().map(|(n, sentence)| at_place(phrase.clone(), n, sentence)).collect(),
        };
        let own: Vec<_> =
            found.into_iter().filter(|one| one.supported && is_answer(one)).take(MAX_PLACES).collect();
        // Another value takes the place of one that was written, not of nothing.
        let others = if own.is_empty() { Vec::new() } else { judge.other_values(&phrase) };
        let others = others.into_iter().filter(is_answer).take(MAX_OTHERS).collect();
        let Some(mut best) = judge.best(&lead, own, others, MIN_CHANCE_EXPECTED)? else { continue };
        if answer
            .iter()
            .any(|other: &AnswerSentence| other.places == best.places && says(&other.text, &best.text))
        {
            continue;
        }
        if !lead.is_empty() {
            best.text = format!("{} {}", std::mem::take(&mut lead), best.text);
        }
        answer.push(best);
    }
    if !lead.is_empty() && answer.is_empty() {
        // A yes or no alone says nothing that can be looked up: the sentence that is expected to answer goes with it. The checker
        // reads the word alone; with the sentence, it would find that sentence again.
        let sentence = |n: &usize| {
            let at = n.checked_sub(1)?;
            Some((*n, expected(passages.get(at)?, parts.get(at)?)?))
        };
        for (n, sentence) in led.iter().filter_map(sentence) {
            let word = at_place(String::new(), n, sentence);
            if let Some(one) = judge.best(&lead, vec![word], Vec::new(), MIN_CHANCE)? {
                let text = format!("{lead} {}", plain(&sentence.text, sentence.kind));
                answer.push(AnswerSentence { text, ..one });
                break;
            }
        }
    }
    if answer.is_empty() && lead.is_empty() {
        let expected = expected_words(passages, parts).filter(is_answer).collect();
        let best = judge.best("", expected, Vec::new(), MIN_CHANCE)?;
        answer.extend(best.filter(|_| kind.is_some() || checker.is_some()));
    }
    Ok(answer)
}

/// Decides which of several proposed answers is one.
struct Judge<'a> {
    question: &'a str,
    kind: Option<AnswerKind>,
    passages: &'a [Passage],
    parts: &'a [Vec<PassageSentence>],
    evidence: Vec<Evidence>,
    checker: Option<&'a dyn ClaimChecker>,
    cancel: &'a CancelToken,
}

impl Judge<'_> {
    /// Values of the kind of the one in `phrase`, each with the sentence that holds it; none if no checker can choose among them.
    fn other_values(&self, phrase: &str) -> Vec<AnswerSentence> {
        if self.checker.is_none() {
            return Vec::new();
        }
        let others = other_values(phrase, self.question, &self.evidence).into_iter();
        others.map(|one| at_place(one.answer, one.text + 1, &self.parts[one.text][one.sentence])).collect()
    }

    /// The one of `own` that answers the question best where it stands, or one of `others` that does so much better; `yes_or_no` is
    /// said before it. `least` is the least chance of an own one that stands where the search expects the answer.
    fn best(
        &self,
        yes_or_no: &str,
        own: Vec<AnswerSentence>,
        others: Vec<AnswerSentence>,
        least: f32,
    ) -> Result<Option<AnswerSentence>, ModelError> {
        let all = own.into_iter().map(|one| (one, false)).chain(others.into_iter().map(|one| (one, true)));
        let (proposed, asked): (Vec<(AnswerSentence, bool)>, Vec<Proposed>) = all
            .filter_map(|(one, is_other)| {
                let (text, sentence) = self.place(&one)?;
                let answer = format!("{yes_or_no} {}", one.text).trim().to_owned();
                Some(((one, is_other), Proposed { answer, text, sentence }))
            })
            .unzip();
        let chances = answer_chances(self.question, &asked, &self.evidence, self.checker, self.cancel)?;
        // With its chance, and of own ones first what it weighs.
        let mut best: Option<(f32, f32, AnswerSentence)> = None;
        let mut other: Option<(f32, AnswerSentence)> = None;
        for (((one, is_other), asked), chance) in proposed.into_iter().zip(&asked).zip(chances) {
            let Some(chance) = chance else {
                // Where no checker reads, nothing tells a yes from a no, or one value from another.
                if !is_other && yes_or_no.is_empty() && best.is_none() && self.is_expected(asked, true) {
                    best = Some((0.0, 1.0, one));
                }
                continue;
            };
            if is_other {
                if chance >= MIN_CHANCE && other.as_ref().is_none_or(|(most, _)| chance > *most) {
                    other = Some((chance, one));
                }
                continue;
            }
            let is_lenient = yes_or_no.is_empty() && self.is_expected(asked, false);
            let weight = chance - PER_PASSAGE * asked.text as f32;
            if chance >= if is_lenient { least } else { MIN_CHANCE }
                && best.as_ref().is_none_or(|(most, ..)| weight > *most)
            {
                best = Some((weight, chance, one));
            }
        }
        Ok(match (best, other) {
            (Some((_, own, _)), Some((chance, other))) if chance >= own + MIN_LEAD => Some(other),
            (Some((.., own)), _) => Some(own),
            (None, other) => other.map(|(_, other)| other),
        })
    }

    /// Whether an answer stands in the sentence in which the search expects it; `or_nothing`: or the search expects there what was not
    /// asked for, which says nothing.
    fn is_expected(&self, asked: &Proposed, or_nothing: bool) -> bool {
        let parts = &self.parts[asked.text];
        expected(&self.passages[asked.text], parts).is_none_or(|expected| {
            let fits = || self.kind.is_none_or(|kind| kind.fits(&expected.text));
            expected.span == parts[asked.sentence].span || or_nothing && !fits()
        })
    }

    /// The passage and the sentence of it that an answer cites.
    fn place(&self, one: &AnswerSentence) -> Option<(usize, usize)> {
        let place = one.places.first()?;
        let text = place.n.checked_sub(1)?;
        let at = self.parts.get(text)?.iter().position(|sentence| sentence.span.start == place.start)?;
        Some((text, at))
    }
}

/// Whether one of two phrases says what the other says.
fn says(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim_end_matches('.'), other.trim_end_matches('.'));
    one.contains(other) || other.contains(one)
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
    use oriel_core::{AnsweringSentence, ByteSpan, Entailment, Kind};

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

    /// Supports a claim if a word stands in it and another in the passage.
    struct Supports(&'static str, &'static str);

    impl ClaimChecker for Supports {
        fn check(
            &self,
            claims: &[String],
            passages: &[(usize, String)],
            _: &CancelToken,
        ) -> Result<Vec<Entailment>, ModelError> {
            let chance = |(claim, passage): &(usize, String)| match claims[*claim].contains(self.0)
                && passage.contains(self.1)
            {
                true => Entailment { supported: 0.9, contradicted: 0.05, not_found: 0.05 },
                false => Entailment { supported: 0.1, contradicted: 0.2, not_found: 0.7 },
            };
            Ok(passages.iter().map(chance).collect())
        }
    }

    #[test]
    fn the_checker_reads_question_and_phrase_together() {
        let parts = [
            part(&["The first rent is £18,400 a year.", "The deposit is £4,600."]),
            part(&["The rent was reviewed.", "It is £20,600 a year now."]),
        ];
        let passages = [passage(1, 0), passage(2, 0)];
        let question = "What is the rent since the review?";
        let cite = |text: &str, checker: &Supports| {
            let answer =
                cite_phrases(text, question, &passages, &parts, Some(checker), &CancelToken::new()).unwrap();
            answer.into_iter().map(|one| (one.text, one.citations)).collect::<Vec<_>>()
        };
        let reviewed = Supports("20,600", "now");
        assert_eq!(
            cite("£20,600 a year [2].", &reviewed),
            [("£20,600 a year.".to_owned(), vec![2])],
            "not where it was expected"
        );
        assert_eq!(
            cite("£18,400 a year [1].", &reviewed),
            [("£20,600".to_owned(), vec![2])],
            "another value is likelier"
        );
        assert!(cite("£18,400 a year [1].", &Supports("never", "never")).is_empty(), "no value answers");
    }

    #[test]
    fn a_yes_comes_with_the_sentence_that_says_so() {
        let parts = [part(&["The rent is paid monthly."])];
        let cite = |checker: &Supports| {
            cite_phrases(
                "Yes [1].",
                "Is it paid monthly?",
                &[passage(1, 0)],
                &parts,
                Some(checker),
                &CancelToken::new(),
            )
            .unwrap()
        };
        let answer = cite(&Supports("Yes", "monthly"));
        assert_eq!(answer.len(), 1);
        assert!(
            answer[0].text.starts_with("Yes") && answer[0].text.contains("The rent is paid monthly."),
            "{answer:?}"
        );
        assert!(cite(&Supports("No", "monthly")).is_empty());
    }
}
