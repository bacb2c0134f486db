//! An answer in a phrase: it is found again word for word in the passages, which is its place, and the checker reads it
//! there together with the question.
//!
//! A small model takes a neighbour's value now and then. So a phrase is shown only if it is likely to be right by all that
//! speaks for it: the checker, which reads it in its sentence alone and among its neighbours, the reader, which looks for the
//! words of an answer on its own, and how sure the generator was. What no passage holds word for word is checked like any
//! sentence. If nothing is left, the documents are quoted.

use oriel_core::{
    AnswerSentence, CancelToken, ClaimChecker, ModelError, Passage, PhraseSignals, PhraseWeights,
};
use oriel_text::{plain, words};

use crate::answer::citations::{cite_from, split};
use crate::answer::extractive::quote;
use crate::answer::grounding::{Evidence, Proposed, adds, answer_chances, is_topic};
use crate::answer::kind::{AnswerKind, is_vague};
use crate::search::loaded::PassageSentence;
use crate::search::trace::TracedPhrase;

/// Words that answer a question alone, and only together with the sentence behind them.
const YES_AND_NO: &[&str] = &["yes", "no", "ja", "nein"];

/// The least probability of a phrase that is shown as the answer, and of one that the reader does not find: of those in between none was
/// right. Measured in `docs/benchmarks.md`.
const MIN_PROBABILITY: f32 = 0.55;
const MIN_PROBABILITY_UNREAD: f32 = 0.75;
/// From this probability on the checker says that a yes or no answers the question.
const MIN_CHANCE: f32 = 0.45;
/// How much less a phrase weighs in each passage further down.
const PER_PASSAGE: f32 = 0.1;
/// The certainty of a phrase of which it is not known: no probability is less. It is finite, because traces are kept as JSON.
const MIN_CERTAINTY: f32 = -21.0;
/// How many places of a phrase the checker reads.
const MAX_PLACES: usize = 6;

/// What a generator that answers in phrases wrote.
#[derive(Clone, Copy)]
pub(crate) struct Phrases<'a> {
    pub text: &'a str,
    pub weights: PhraseWeights,
    /// The probability of an answer by the reranker.
    pub read: f32,
    /// The probability of a refusal.
    pub refusal: f32,
    /// How sure it was of the words before each citation ([`oriel_core::Generation::certainties`]).
    pub certainties: &'a [f32],
}

impl Phrases<'_> {
    /// How sure the generator was of the phrase `at`; the least of all if phrases and citations do not match.
    fn certainty(&self, at: usize) -> f32 {
        let least = || self.certainties.iter().copied().reduce(f32::min);
        self.certainties.get(at).copied().or_else(least).unwrap_or(MIN_CERTAINTY)
    }
}

/// The phrases of an answer that the passages hold, each with the sentence that holds it, and sentences that the passages support.
///
/// Where no checker reads, a phrase counts only in the sentence in which the search expects the answer. A phrase that repeats the
/// question, says no more than "several", is not of the kind that was asked for, or is a heading that names its topic, is none.
///
/// Also returns what was tried, for the trace.
///
/// # Errors
/// If the checker fails, and [`ModelError::Cancelled`].
pub(crate) fn cite_phrases(
    written: &Phrases<'_>,
    question: &str,
    passages: &[Passage],
    parts: &[Vec<PassageSentence>],
    checker: Option<&dyn ClaimChecker>,
    cancel: &CancelToken,
) -> Result<(Vec<AnswerSentence>, Vec<TracedPhrase>), ModelError> {
    let kind = AnswerKind::of(question);
    let is_answer = |one: &Candidate| {
        let sentence = &parts[one.text][one.sentence];
        let fits = |kind: AnswerKind| kind.fits(&one.answer.text, &sentence.in_context());
        let names_topic = sentence.is_heading
            && is_topic(&one.answer.text, &plain(&sentence.text, sentence.kind), question);
        adds(&one.answer.text, question)
            && kind.is_none_or(fits)
            && !is_vague(&one.answer.text)
            && !names_topic
    };
    let evidence = Evidence::of_passages(passages, parts);
    let words_read = words_read(passages, parts).map(|words| lower_words(&words)).unwrap_or_default();
    let tried = Vec::new();
    let mut judge =
        Judge { written, words_read, question, kind, passages, parts, evidence, checker, cancel, tried };
    let (mut lead, mut led) = (String::new(), Vec::new());
    let mut answer: Vec<AnswerSentence> = Vec::new();
    for (at, (phrase, cited)) in split(written.text).into_iter().enumerate() {
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
        own.retain(is_answer);
        own.truncate(MAX_PLACES);
        let Some(mut best) = judge.best(&lead, own, written.certainty(at))? else { continue };
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
            if let Some(one) = judge.best(&lead, vec![word], MIN_CERTAINTY)? {
                let sentence = &parts[text][sentence];
                let text = format!("{lead} {}", plain(&sentence.text, sentence.kind));
                answer.push(AnswerSentence { text, ..one });
                break;
            }
        }
    }
    Ok((answer, judge.tried))
}

/// A proposed answer with the passage and the sentence of it that hold it.
struct Candidate {
    answer: AnswerSentence,
    text: usize,
    sentence: usize,
}

/// Decides whether a phrase is the answer, and at which of its places.
struct Judge<'a> {
    written: &'a Phrases<'a>,
    /// The words of the first passage in which the reader expects the answer, in lower case; empty if it expects none.
    words_read: Vec<String>,
    question: &'a str,
    kind: Option<AnswerKind>,
    passages: &'a [Passage],
    parts: &'a [Vec<PassageSentence>],
    evidence: Vec<Evidence>,
    checker: Option<&'a dyn ClaimChecker>,
    cancel: &'a CancelToken,
    tried: Vec<TracedPhrase>,
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

    /// The place of a phrase where it answers the question best, if it does. `certainty` is that of the phrase. `yes_or_no` is said
    /// before it; then only the checker tells whether it is right.
    fn best(
        &mut self,
        yes_or_no: &str,
        places: Vec<Candidate>,
        certainty: f32,
    ) -> Result<Option<AnswerSentence>, ModelError> {
        let proposed = |one: &Candidate| Proposed {
            answer: format!("{yes_or_no} {}", one.answer.text).trim().to_owned(),
            text: one.text,
            sentence: one.sentence,
        };
        let asked: Vec<Proposed> = places.iter().map(proposed).collect();
        let chances = answer_chances(self.question, &asked, &self.evidence, self.checker, self.cancel)?;
        let mut best: Option<(f32, Candidate)> = None;
        for (one, chance) in places.into_iter().zip(chances) {
            let is_right = match chance {
                Some(chance) if yes_or_no.is_empty() => self.is_likely(&one, chance, certainty),
                Some(chance) => chance >= MIN_CHANCE,
                // Where no checker reads, nothing tells a yes from a no.
                None => yes_or_no.is_empty() && self.is_expected(&one),
            };
            let weight = chance.unwrap_or_default() - PER_PASSAGE * one.text as f32;
            if is_right && best.as_ref().is_none_or(|(most, _)| weight > *most) {
                best = Some((weight, one));
            }
        }
        Ok(best.map(|(_, one)| one.answer))
    }

    /// Whether a phrase is likely to be the answer. `checked`: the probability by the checker.
    fn is_likely(&mut self, one: &Candidate, checked: f32, certainty: f32) -> bool {
        let Phrases { weights, read, refusal, .. } = *self.written;
        let phrase = lower_words(&one.answer.text);
        let is_read = holds(&self.words_read, &phrase) || holds(&phrase, &self.words_read);
        let signals = PhraseSignals { checked, is_read, certainty, read, refusal };
        let probability = weights.probability(&signals);
        self.tried.push(TracedPhrase {
            text: one.answer.text.clone(),
            n: one.text + 1,
            signals,
            probability,
        });
        probability >= if is_read { MIN_PROBABILITY } else { MIN_PROBABILITY_UNREAD }
    }

    /// Whether an answer stands in the sentence in which the search expects it. A sentence that holds nothing of the kind that was asked
    /// for does not count.
    fn is_expected(&self, one: &Candidate) -> bool {
        let parts = &self.parts[one.text];
        expected(&self.passages[one.text], parts).is_none_or(|expected| {
            let there = &parts[expected];
            let fits = || self.kind.is_none_or(|kind| kind.fits(&there.text, &there.in_context()));
            expected == one.sentence || !fits()
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

/// The words of the first passage in which the reader expects the answer.
fn words_read(passages: &[Passage], parts: &[Vec<PassageSentence>]) -> Option<String> {
    let (passage, parts) = (passages.first()?, parts.first()?);
    let words = passage.answer?.words?;
    let sentence = &parts[expected(passage, parts)?];
    let start = words.start.checked_sub(sentence.span.start)? as usize;
    Some(plain(sentence.text.get(start..start + words.len() as usize)?, sentence.kind))
}

/// The passages and sentences that hold a phrase word for word: those of the cited passages first.
fn places_of(phrase: &str, cited: &[usize], parts: &[Vec<PassageSentence>]) -> Vec<(usize, usize)> {
    let wanted = lower_words(phrase);
    let is_there =
        |sentence: &PassageSentence| holds(&lower_words(&plain(&sentence.text, sentence.kind)), &wanted);
    let cited = cited.iter().filter_map(|n| n.checked_sub(1)).filter(|text| *text < parts.len());
    let others = (0..parts.len()).filter(|text| !cited.clone().any(|other| other == *text));
    let of_passage = |text: usize| {
        let sentences = parts[text].iter().enumerate().filter(|(_, sentence)| is_there(sentence));
        sentences.map(move |(sentence, _)| (text, sentence)).collect::<Vec<_>>()
    };
    cited.clone().chain(others).flat_map(of_passage).collect()
}

/// Whether words stand one after the other in a text.
fn holds(text: &[String], words: &[String]) -> bool {
    !words.is_empty() && text.windows(words.len()).any(|run| run == words)
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
            is_heading: false,
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

    /// What a generator wrote that found an answer.
    fn written(text: &str) -> Phrases<'_> {
        let weights = PhraseWeights {
            offset: 0.2,
            checked: 0.2,
            is_read: 2.0,
            certainty: 1.5,
            read: 0.2,
            refusal: 0.2,
        };
        Phrases { text, weights, read: 0.8, refusal: 0.05, certainties: &[-0.1] }
    }

    #[test]
    fn a_phrase_has_its_place_where_it_stands_word_for_word() {
        let parts = [
            part(&["The first rent is £18,400 a year.", "It is paid monthly."]),
            part(&["The rent was £18,400.", "Since the review the rent is £20,600 a year."]),
        ];
        let passages = [passage(1, 100), passage(2, 100)];
        let cite = |text: &str, question: &str| {
            cite_phrases(&written(text), question, &passages, &parts, None, &CancelToken::new()).unwrap().0
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
        let cite = |text: &str, passages: &[Passage], checker: &Supports| {
            let written = written(text);
            let cancel = CancelToken::new();
            let answer =
                cite_phrases(&written, question, passages, &parts, Some(checker), &cancel).unwrap().0;
            answer.into_iter().map(|one| (one.text, one.citations)).collect::<Vec<_>>()
        };
        let reviewed = Supports("20,600", "now");
        assert_eq!(
            cite("£20,600 a year [2].", &passages, &reviewed),
            [("£20,600 a year.".to_owned(), vec![2])],
            "not where it was expected"
        );
        assert!(cite("£18,400 a year [1].", &passages, &reviewed).is_empty(), "the checker does not find it");
        let mut read = passages.clone();
        read[0].answer.as_mut().unwrap().words = Some(ByteSpan::new(18, 26));
        assert_eq!(cite("£18,400 a year [1].", &read, &reviewed).len(), 1, "the reader finds it, too");
    }

    #[test]
    fn a_heading_that_names_the_topic_is_no_answer() {
        let headings = ["7.4. Dealing with inactive maintainers", "Read Committed Isolation Level"];
        let mut parts = [part(&headings)];
        parts[0].iter_mut().for_each(|sentence| sentence.is_heading = true);
        let cite = |text: &str, question: &str, start| {
            let passages = [passage(1, start)];
            cite_phrases(&written(text), question, &passages, &parts, None, &CancelToken::new()).unwrap().0
        };
        assert!(
            cite("Dealing with inactive maintainers [1].", "Whom do I tell about an inactive maintainer?", 0)
                .is_empty()
        );
        assert_eq!(cite("Read Committed [1].", "What is the default isolation level?", 100).len(), 1);
    }

    #[test]
    fn a_yes_comes_with_the_sentence_that_says_so() {
        let parts = [part(&["The rent is paid monthly."])];
        let cite = |checker: &Supports| {
            cite_phrases(
                &written("Yes [1]."),
                "Is it paid monthly?",
                &[passage(1, 0)],
                &parts,
                Some(checker),
                &CancelToken::new(),
            )
            .unwrap()
            .0
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
