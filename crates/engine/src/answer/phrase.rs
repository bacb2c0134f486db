//! An answer in a phrase: it is found again word for word in the passages, which is its place, and the checker reads it
//! there together with the question.
//!
//! The checker reads question and phrase against the sentence alone and among its neighbours: it says no where the
//! passage holds the value of something else. What no passage holds word for word is checked like any sentence. If
//! nothing is left, the documents are quoted.

use oriel_core::{AnswerSentence, CancelToken, ClaimChecker, ModelError, Passage};
use oriel_text::{plain, words};

use crate::answer::citations::{cite_from, split};
use crate::answer::extractive::quote;
use crate::answer::grounding::values::other_values;
use crate::answer::grounding::{Evidence, Proposed, adds, answer_chances};
use crate::answer::kind::AnswerKind;
use crate::search::loaded::PassageSentence;

/// Words that answer a question alone, and only together with the sentence behind them.
const YES_AND_NO: &[&str] = &["yes", "no", "ja", "nein"];

/// From this probability on the checker says that a phrase answers the question where it stands.
const MIN_CHANCE: f32 = 0.45;
/// The same if the search expects the answer in the sentence that holds the phrase.
const MIN_CHANCE_EXPECTED: f32 = 0.2;
/// The same of words that the generator did not write.
const MIN_CHANCE_READ: f32 = 0.55;
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
/// place if the checker finds it likelier by `MIN_LEAD`, and than every other one; if two are nearly as likely, there is no answer.
/// A phrase that repeats the question, or is not of the kind that was asked for, is none.
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
    let mut is_unclear = false;
    let mut answer: Vec<AnswerSentence> = Vec::new();
    for (phrase, cited) in split(text) {
        if YES_AND_NO.contains(&&*phrase.trim_end_matches(['.', ',']).to_lowercase()) {
            (lead, led) = (phrase, cited);
            continue;
        }
        let mut own: Vec<Candidate> = places_of(&phrase, &cited, parts)
            .into_iter()
            .map(|(text, sentence)| judge.candidate(phrase.clone(), text, sentence))
            .collect();
        if own.is_empty() {
            let cited = cite_from(&phrase, &judge.evidence, parts, checker, cancel)?;
            own.extend(cited.into_iter().filter(|one| one.supported).filter_map(|one| judge.cited(one)));
        }
        own.retain(|one| is_answer(&one.answer));
        own.truncate(MAX_PLACES);
        // Another value takes the place of one that was written, not of nothing.
        let mut others = if own.is_empty() { Vec::new() } else { judge.other_values(&phrase) };
        others.retain(|one| is_answer(&one.answer));
        others.truncate(MAX_OTHERS);
        let mut best = match judge.best(&lead, own, others, MIN_CHANCE_EXPECTED)? {
            Choice::One(best) => best,
            Choice::None => continue,
            Choice::Several => {
                is_unclear = true;
                continue;
            }
        };
        if answer.iter().any(|other| other.places == best.places && says(&other.text, &best.text)) {
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
        for text in led.iter().filter_map(|n| n.checked_sub(1)).filter(|text| *text < parts.len()) {
            let Some(sentence) = expected(&passages[text], &parts[text]) else { continue };
            let word = judge.candidate(String::new(), text, sentence);
            if let Choice::One(one) = judge.best(&lead, vec![word], Vec::new(), MIN_CHANCE)? {
                let sentence = &parts[text][sentence];
                let text = format!("{lead} {}", plain(&sentence.text, sentence.kind));
                answer.push(AnswerSentence { text, ..one });
                break;
            }
        }
    }
    if answer.is_empty() && lead.is_empty() && !is_unclear && (kind.is_some() || checker.is_some()) {
        let mut words = judge.expected_words();
        words.retain(|one| is_answer(&one.answer));
        if let Choice::One(one) = judge.best("", words, Vec::new(), MIN_CHANCE_READ)? {
            answer.push(one);
        }
    }
    Ok(answer)
}

/// Which of several proposed answers is one.
enum Choice {
    One(AnswerSentence),
    None,
    /// Two are nearly as likely, so neither is.
    Several,
}

/// A proposed answer with the passage and the sentence of it that hold it.
struct Candidate {
    answer: AnswerSentence,
    text: usize,
    sentence: usize,
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
    /// A phrase that stands in a sentence.
    fn candidate(&self, phrase: String, text: usize, sentence: usize) -> Candidate {
        let answer = AnswerSentence { text: phrase, ..quote(text + 1, &self.parts[text][sentence]) };
        Candidate { answer, text, sentence }
    }

    /// An answer at the first place that it cites.
    fn cited(&self, answer: AnswerSentence) -> Option<Candidate> {
        let place = answer.places.first()?;
        let text = place.n.checked_sub(1)?;
        let sentence = self.parts.get(text)?.iter().position(|one| one.span.start == place.start)?;
        Some(Candidate { answer, text, sentence })
    }

    /// Values of the kind of the one in `phrase`; none if no checker can choose among them.
    fn other_values(&self, phrase: &str) -> Vec<Candidate> {
        if self.checker.is_none() {
            return Vec::new();
        }
        let others = other_values(phrase, self.question, &self.evidence).into_iter();
        others.map(|one| self.candidate(one.answer, one.text, one.sentence)).collect()
    }

    /// The words in which the reranker expects the answer, the best passage first.
    fn expected_words(&self) -> Vec<Candidate> {
        let words_of = |(text, (passage, parts)): (usize, (&Passage, &Vec<PassageSentence>))| {
            let (at, words) = (expected(passage, parts)?, passage.answer?.words?);
            let sentence = &parts[at];
            let start = words.start.checked_sub(sentence.span.start)? as usize;
            let words = sentence.text.get(start..start + words.len() as usize)?;
            // The number of a clause is none of what it says.
            if start == 0 && words.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '(' | ')')) {
                return None;
            }
            Some(self.candidate(plain(words, sentence.kind), text, at))
        };
        self.passages.iter().zip(self.parts).enumerate().filter_map(words_of).collect()
    }

    /// The one of `own` that answers the question best where it stands, or one of `others` that does so better than all by `MIN_LEAD`;
    /// `yes_or_no` is said before it. `least` is the least chance of an own one that stands where the search expects the answer.
    fn best(
        &self,
        yes_or_no: &str,
        own: Vec<Candidate>,
        others: Vec<Candidate>,
        least: f32,
    ) -> Result<Choice, ModelError> {
        let proposed = |one: &Candidate| Proposed {
            answer: format!("{yes_or_no} {}", one.answer.text).trim().to_owned(),
            text: one.text,
            sentence: one.sentence,
        };
        let asked: Vec<Proposed> = own.iter().chain(&others).map(proposed).collect();
        let chances = answer_chances(self.question, &asked, &self.evidence, self.checker, self.cancel)?;
        let (own_chances, other_chances) = chances.split_at(own.len());
        let own = self.best_own(own, own_chances, !yes_or_no.is_empty(), least);
        let mut others: Vec<(f32, AnswerSentence)> = others
            .into_iter()
            .zip(other_chances)
            .map(|(one, chance)| (chance.unwrap_or_default(), one.answer))
            .filter(|(chance, _)| *chance >= MIN_CHANCE)
            .collect();
        others.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let mut others = others.into_iter();
        let other = others.next();
        // Of two that are nearly as likely neither is the answer.
        let rival =
            others.find(|(_, rival)| other.as_ref().is_some_and(|(_, best)| !says(&rival.text, &best.text)));
        let is_clear = |chance: f32| rival.as_ref().is_none_or(|(rival, _)| chance >= rival + MIN_LEAD);
        let chosen = |chance: f32, other| if is_clear(chance) { Choice::One(other) } else { Choice::Several };
        Ok(match (own, other) {
            (Some((own, _)), Some((chance, other))) if chance >= own + MIN_LEAD => chosen(chance, other),
            (Some((_, own)), _) => Choice::One(own),
            (None, Some((chance, other))) => chosen(chance, other),
            (None, None) => Choice::None,
        })
    }

    /// The one of the candidates that weighs most, with its chance.
    fn best_own(
        &self,
        candidates: Vec<Candidate>,
        chances: &[Option<f32>],
        is_yes_or_no: bool,
        least: f32,
    ) -> Option<(f32, AnswerSentence)> {
        let mut best: Option<(f32, f32, AnswerSentence)> = None;
        for (one, chance) in candidates.into_iter().zip(chances) {
            let Some(chance) = *chance else {
                // Where no checker reads, nothing tells a yes from a no.
                if !is_yes_or_no && best.is_none() && self.is_expected(&one, true) {
                    best = Some((0.0, 1.0, one.answer));
                }
                continue;
            };
            let least = if !is_yes_or_no && self.is_expected(&one, false) { least } else { MIN_CHANCE };
            let weight = chance - PER_PASSAGE * one.text as f32;
            if chance >= least && best.as_ref().is_none_or(|(most, ..)| weight > *most) {
                best = Some((weight, chance, one.answer));
            }
        }
        best.map(|(_, chance, answer)| (chance, answer))
    }

    /// Whether an answer stands in the sentence in which the search expects it; `or_nothing`: or the search expects there what was not
    /// asked for, which says nothing.
    fn is_expected(&self, one: &Candidate, or_nothing: bool) -> bool {
        let parts = &self.parts[one.text];
        expected(&self.passages[one.text], parts).is_none_or(|expected| {
            let fits = || self.kind.is_none_or(|kind| kind.fits(&parts[expected].text));
            expected == one.sentence || or_nothing && !fits()
        })
    }
}

/// Whether one of two phrases says what the other says.
fn says(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim_end_matches('.'), other.trim_end_matches('.'));
    one.contains(other) || other.contains(one)
}

/// The sentence of a passage in which the search expects the answer: the reranker, without one the retrievers. `None` if none was
/// asked.
fn expected(passage: &Passage, parts: &[PassageSentence]) -> Option<usize> {
    let answer = passage.answer?;
    parts.iter().position(|sentence| sentence.span.start == answer.start)
}

/// The passages and sentences that hold a phrase word for word: those of the cited passages first.
fn places_of(phrase: &str, cited: &[usize], parts: &[Vec<PassageSentence>]) -> Vec<(usize, usize)> {
    let wanted = lower_words(phrase);
    let holds = |sentence: &PassageSentence| {
        let there = lower_words(&plain(&sentence.text, sentence.kind));
        !wanted.is_empty() && there.windows(wanted.len()).any(|run| run == wanted)
    };
    let cited = cited.iter().filter_map(|n| n.checked_sub(1)).filter(|text| *text < parts.len());
    let others = (0..parts.len()).filter(|text| !cited.clone().any(|other| other == *text));
    let of_passage = |text: usize| {
        let sentences = parts[text].iter().enumerate().filter(|(_, sentence)| holds(sentence));
        sentences.map(move |(sentence, _)| (text, sentence)).collect::<Vec<_>>()
    };
    cited.clone().chain(others).flat_map(of_passage).collect()
}

fn lower_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| text[word].to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use oriel_core::{AnsweringSentence, ByteSpan, Entailment, Kind, Location};

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
            location: Location::default(),
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
