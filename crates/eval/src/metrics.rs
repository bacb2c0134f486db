//! The metrics of one question: how well passages hold its gold, and how well an answer says it. Pure functions.
//!
//! A metric over many questions is the sum of its [`Share::part`]s over the sum of its [`Share::whole`]s.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oriel_core::{Answer, ByteSpan};
use serde::{Deserialize, Serialize};

use crate::questions::{ExamQuestion, Gold};

/// How many passages count as shown.
pub const SHOWN: usize = 5;
/// How many passages are looked at.
pub const DEPTH: usize = 10;

/// What is measured, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Metric {
    /// Share of answerable questions with gold in the first passage.
    #[serde(rename = "hit@1")]
    Hit1,
    /// In one of the first three.
    #[serde(rename = "hit@3")]
    Hit3,
    /// In one of the first five.
    #[serde(rename = "hit@5")]
    Hit5,
    /// In one of the first ten.
    #[serde(rename = "hit@10")]
    Hit10,
    /// Mean of 1 / the rank of the first passage with gold, among ten (Voorhees, 1999).
    #[serde(rename = "mrr")]
    Mrr,
    /// Normalised discounted cumulative gain of the first ten (Järvelin and Kekäläinen, 2002).
    #[serde(rename = "ndcg@10")]
    Ndcg10,
    /// Share of the bytes of the first five passages that belong to gold sentences.
    ContextPrecision,
    /// Share of the bytes of gold sentences that are in the first five passages.
    ContextRecall,
    /// Mean length of the first five passages of answerable questions, in characters.
    PassageCharacters,
    /// Share of answerable questions that are refused: the confidence is below the limit.
    RefusedAnswerable,
    /// Share of unanswerable questions that are refused.
    RefusedUnanswerable,
    /// Share of answers that are a gold answer, as SQuAD scores them.
    ExactMatch,
    /// Mean overlap of the words of answer and gold answer, as SQuAD scores it.
    F1,
    /// Share of answers that hold a gold answer.
    HoldsAnswer,
    /// Words of an answer.
    AnswerWords,
    /// Share of the sentences of answers that a passage supports.
    Grounded,
    /// Share of answerable questions without an answer.
    UnansweredAnswerable,
    /// Share of unanswerable questions without an answer.
    UnansweredUnanswerable,
}

impl Metric {
    /// Its name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Hit1 => "Hit@1",
            Self::Hit3 => "Hit@3",
            Self::Hit5 => "Hit@5",
            Self::Hit10 => "Hit@10",
            Self::Mrr => "MRR",
            Self::Ndcg10 => "nDCG@10",
            Self::ContextPrecision => "Context precision",
            Self::ContextRecall => "Context recall",
            Self::PassageCharacters => "Characters a passage",
            Self::RefusedAnswerable => "Refused, with an answer",
            Self::RefusedUnanswerable => "Refused, without an answer",
            Self::ExactMatch => "Exact match",
            Self::F1 => "F1",
            Self::HoldsAnswer => "Holds a gold answer",
            Self::AnswerWords => "Words an answer",
            Self::Grounded => "Sentences supported",
            Self::UnansweredAnswerable => "Not answered, with an answer",
            Self::UnansweredUnanswerable => "Not answered, without an answer",
        }
    }

    /// A value as text: shares with four digits, counts with one.
    #[must_use]
    pub fn shown(self, value: f64) -> String {
        match self {
            Self::PassageCharacters | Self::AnswerWords => format!("{value:.1}"),
            _ => format!("{value:.4}"),
        }
    }
}

/// One question's part of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// What is summed up.
    pub part: f64,
    /// What the sum is divided by.
    pub whole: f64,
}

impl Share {
    fn of(part: impl Into<f64>) -> Self {
        Self { part: part.into(), whole: 1.0 }
    }
}

/// The metrics of one question; those that do not apply to it are missing.
pub type Shares = BTreeMap<Metric, Share>;

/// A piece of a document that was found: a passage or a naive chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct Retrieved {
    /// The document.
    pub path: PathBuf,
    /// Its bytes there.
    pub span: ByteSpan,
    /// Its length in characters.
    pub characters: usize,
}

/// The rank, from 1, of the first piece with gold: one that holds a gold span whole, or the first of a relevant document.
/// Documents are ranked by their first piece. `None` if there is none, or the question has no answer.
#[must_use]
pub fn rank(question: &ExamQuestion, found: &[Retrieved]) -> Option<usize> {
    match &question.gold {
        Gold::Unanswerable => None,
        Gold::Spans(_) => found.iter().position(|piece| holds(question, piece)).map(|at| at + 1),
        Gold::Documents { grades, .. } => {
            documents(found).iter().position(|path| grades.contains_key(*path)).map(|at| at + 1)
        }
    }
}

/// How well the pieces, best first, hold the gold of an answerable question; nothing for one without an answer.
///
/// With gold spans a passage is relevant if it holds one of them whole. All of them are the same answer, so only the first
/// relevant passage gains, and nDCG is 1 / log2(1 + rank). With gold documents the gain is the grade, as in trec_eval.
/// Context precision and recall follow Smith and Troynikov (Evaluating Chunking Strategies for Retrieval, Chroma, 2024), with
/// the sentences around gold spans as excerpts and bytes for tokens; they need gold spans.
#[must_use]
pub fn retrieval(question: &ExamQuestion, found: &[Retrieved]) -> Shares {
    let mut shares = Shares::new();
    let shown = &found[..found.len().min(SHOWN)];
    if !question.is_answerable() {
        return shares;
    }
    if !shown.is_empty() {
        let characters: usize = shown.iter().map(|piece| piece.characters).sum();
        let share = Share { part: characters as f64, whole: shown.len() as f64 };
        shares.insert(Metric::PassageCharacters, share);
    }
    let found = &found[..found.len().min(DEPTH)];
    let rank = rank(question, found);
    let within = |depth| Share::of(rank.is_some_and(|rank| rank <= depth));
    for (metric, depth) in
        [(Metric::Hit1, 1), (Metric::Hit3, 3), (Metric::Hit5, SHOWN), (Metric::Hit10, DEPTH)]
    {
        shares.insert(metric, within(depth));
    }
    shares.insert(Metric::Mrr, Share::of(rank.map_or(0.0, |rank| 1.0 / rank as f64)));
    shares.insert(Metric::Ndcg10, Share::of(ndcg(question, found, rank)));
    let (mut gold, mut covered) = (0, 0);
    for document in question.gold_documents() {
        gold += document.sentences.iter().map(|span| u64::from(span.len())).sum::<u64>();
        let pieces = shown.iter().filter(|piece| piece.path == document.path);
        let pieces = union(pieces.map(|piece| piece.span).collect());
        covered += pieces
            .iter()
            .flat_map(|piece| document.sentences.iter().map(|sentence| overlap(*piece, *sentence)))
            .sum::<u64>();
    }
    if matches!(question.gold, Gold::Spans(_)) {
        let read: u64 = shown.iter().map(|piece| u64::from(piece.span.len())).sum();
        let share = |whole: u64| Share::of(if whole == 0 { 0.0 } else { covered as f64 / whole as f64 });
        shares.insert(Metric::ContextPrecision, share(read));
        shares.insert(Metric::ContextRecall, share(gold));
    }
    shares
}

fn ndcg(question: &ExamQuestion, found: &[Retrieved], rank: Option<usize>) -> f64 {
    let discount = |rank: usize| 1.0 / (1.0 + rank as f64).log2();
    let Gold::Documents { grades, ideal } = &question.gold else { return rank.map_or(0.0, discount) };
    let gain = |gains: &mut dyn Iterator<Item = u32>| -> f64 {
        (1..=DEPTH).zip(gains).map(|(rank, gain)| f64::from(gain) * discount(rank)).sum()
    };
    let ranked = documents(found);
    let mut gains = ranked.iter().map(|path| grades.get(*path).copied().unwrap_or(0));
    gain(&mut gains) / gain(&mut ideal.iter().copied())
}

/// Whether a piece holds a gold span whole.
fn holds(question: &ExamQuestion, piece: &Retrieved) -> bool {
    let mut here = question.gold_documents().iter().filter(|document| document.path == piece.path);
    here.any(|document| {
        document.spans.iter().any(|span| piece.span.start <= span.start && span.end <= piece.span.end)
    })
}

/// The documents of pieces, each once, best first.
fn documents(found: &[Retrieved]) -> Vec<&PathBuf> {
    let mut documents = Vec::new();
    for piece in found {
        if !documents.contains(&&piece.path) {
            documents.push(&piece.path);
        }
    }
    documents
}

/// The same bytes as spans that do not overlap.
fn union(mut spans: Vec<ByteSpan>) -> Vec<ByteSpan> {
    spans.sort_unstable();
    let mut apart: Vec<ByteSpan> = Vec::new();
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.start <= last.end => *last = last.hull(span),
            _ => apart.push(span),
        }
    }
    apart
}

fn overlap(a: ByteSpan, b: ByteSpan) -> u64 {
    u64::from(a.end.min(b.end).saturating_sub(a.start.max(b.start)))
}

/// Whether a question is refused at a confidence.
#[must_use]
pub fn refusal(question: &ExamQuestion, is_refused: bool) -> (Metric, Share) {
    let metric =
        if question.is_answerable() { Metric::RefusedAnswerable } else { Metric::RefusedUnanswerable };
    (metric, Share::of(is_refused))
}

/// How well an answer says the gold answers. An answer that abstained is empty.
#[must_use]
pub fn answering(question: &ExamQuestion, answer: &Answer) -> Shares {
    let mut shares = Shares::new();
    let metric =
        if question.is_answerable() { Metric::UnansweredAnswerable } else { Metric::UnansweredUnanswerable };
    shares.insert(metric, Share::of(answer.abstained));
    if !answer.abstained {
        let words = answer.sentences.iter().map(|sentence| sentence.text.split_whitespace().count());
        shares.insert(Metric::AnswerWords, Share::of(words.sum::<usize>() as f64));
        let supported = answer.sentences.iter().filter(|sentence| sentence.supported).count();
        let share = Share { part: supported as f64, whole: answer.sentences.len() as f64 };
        shares.insert(Metric::Grounded, share);
    }
    if question.is_answerable() && !question.answers.is_empty() {
        // Without the marks of citations.
        let texts = answer.sentences.iter().map(|sentence| sentence.text.as_str());
        let said = if answer.abstained { String::new() } else { texts.collect::<Vec<_>>().join(" ") };
        let said = normalised(&said);
        let gold: Vec<String> = question.answers.iter().map(|gold| normalised(gold)).collect();
        let best = |score: &dyn Fn(&str) -> f64| gold.iter().map(|gold| score(gold)).fold(0.0, f64::max);
        shares.insert(Metric::ExactMatch, Share::of(gold.contains(&said)));
        shares.insert(Metric::F1, Share::of(best(&|gold| f1(&said, gold))));
        let is_held = |gold: &String| !gold.is_empty() && format!(" {said} ").contains(&format!(" {gold} "));
        shares.insert(Metric::HoldsAnswer, Share::of(gold.iter().any(is_held)));
    }
    shares
}

/// A text as SQuAD compares it: lower case, without punctuation and articles, single spaces. Curly quotation marks are
/// punctuation too: quotes have them.
fn normalised(text: &str) -> String {
    let is_mark = |letter: char| letter.is_ascii_punctuation() || "“”‘’".contains(letter);
    let text: String = text.to_lowercase().chars().filter(|letter| !is_mark(*letter)).collect();
    let words = text.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the"));
    words.collect::<Vec<_>>().join(" ")
}

/// The harmonic mean of precision and recall of words, counted with repetitions. Both texts are normalised.
fn f1(said: &str, gold: &str) -> f64 {
    let (said, gold): (Vec<&str>, Vec<&str>) =
        (said.split_whitespace().collect(), gold.split_whitespace().collect());
    let mut open = gold.clone();
    let mut same = 0;
    for word in &said {
        if let Some(at) = open.iter().position(|one| one == word) {
            open.swap_remove(at);
            same += 1;
        }
    }
    if same == 0 {
        return f64::from(said.is_empty() && gold.is_empty());
    }
    let (precision, recall) = (f64::from(same) / said.len() as f64, f64::from(same) / gold.len() as f64);
    2.0 * precision * recall / (precision + recall)
}

/// The area under the ROC curve: how often a question with an answer has a higher confidence than one without, ties counted
/// half (Hanley and McNeil, 1982). `None` without both kinds.
#[must_use]
pub fn auroc(answerable: &[f64], unanswerable: &[f64]) -> Option<f64> {
    if answerable.is_empty() || unanswerable.is_empty() {
        return None;
    }
    let mut below: Vec<f64> = unanswerable.to_vec();
    below.sort_by(f64::total_cmp);
    let wins = answerable.iter().map(|confidence| {
        let lower = below.partition_point(|other| other < confidence);
        let not_higher = below.partition_point(|other| other <= confidence);
        (lower + not_higher) as f64 / 2.0
    });
    Some(wins.sum::<f64>() / (answerable.len() * unanswerable.len()) as f64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use oriel_core::{AnswerSentence, AnswerSource, Timings};

    use super::*;
    use crate::questions::GoldDocument;

    fn piece(path: &str, start: u32, end: u32) -> Retrieved {
        let characters = (end - start) as usize;
        Retrieved { path: path.into(), span: ByteSpan::new(start, end), characters }
    }

    /// The answer is at 110-120, in the sentence 100-150.
    fn asked() -> ExamQuestion {
        let gold = GoldDocument {
            path: "a.md".into(),
            spans: vec![ByteSpan::new(110, 120)],
            sentences: vec![ByteSpan::new(100, 150)],
        };
        question(Gold::Spans(vec![gold]))
    }

    fn question(gold: Gold) -> ExamQuestion {
        ExamQuestion {
            id: "1".into(),
            question: "Where?".into(),
            answers: vec!["the Red House".into()],
            gold,
        }
    }

    fn value(shares: &Shares, metric: Metric) -> f64 {
        shares[&metric].part / shares[&metric].whole
    }

    #[track_caller]
    fn assert_near(is: f64, wanted: f64) {
        assert!((is - wanted).abs() < 1e-12, "{is} is not {wanted}");
    }

    #[test]
    fn gold_in_the_third_passage() {
        // The second is cut within the answer, the first is of another document.
        let found =
            [piece("b.md", 100, 150), piece("a.md", 60, 115), piece("a.md", 105, 205), piece("a.md", 0, 300)];
        let shares = retrieval(&asked(), &found);
        let of = |metric| value(&shares, metric);
        assert_eq!(
            [of(Metric::Hit1), of(Metric::Hit3), of(Metric::Hit5), of(Metric::Hit10)],
            [0.0, 1.0, 1.0, 1.0]
        );
        assert_near(of(Metric::Mrr), 1.0 / 3.0);
        // 1 / log2(4)
        assert_near(of(Metric::Ndcg10), 0.5);
        // All 50 bytes of the sentence, of 50 + 55 + 100 + 300.
        assert_near(of(Metric::ContextPrecision), 50.0 / 505.0);
        assert_near(of(Metric::ContextRecall), 1.0);
        assert_near(of(Metric::PassageCharacters), 505.0 / 4.0);
    }

    #[test]
    fn gold_that_is_covered_in_part_is_no_hit() {
        let shares = retrieval(&asked(), &[piece("a.md", 90, 112), piece("a.md", 115, 140)]);
        let of = |metric| value(&shares, metric);
        assert_eq!([of(Metric::Hit10), of(Metric::Mrr), of(Metric::Ndcg10)], [0.0; 3]);
        // 100-112 and 115-140 of 50 bytes, of 22 + 25.
        assert_near(of(Metric::ContextRecall), 37.0 / 50.0);
        assert_near(of(Metric::ContextPrecision), 37.0 / 47.0);
    }

    #[test]
    fn passages_beyond_those_counted_do_not_help() {
        let mut found: Vec<Retrieved> = (0..10).map(|at| piece("b.md", at * 10, at * 10 + 10)).collect();
        found[9] = piece("a.md", 100, 150);
        let shares = retrieval(&asked(), &found);
        let of = |metric| value(&shares, metric);
        assert_eq!([of(Metric::Hit5), of(Metric::Hit10), of(Metric::ContextRecall)], [0.0, 1.0, 0.0]);
        assert_near(of(Metric::Mrr), 0.1);
        found.insert(0, piece("b.md", 500, 510));
        assert_near(value(&retrieval(&asked(), &found), Metric::Hit10), 0.0);
    }

    #[test]
    fn what_is_not_in_the_library_counts_as_missed() {
        let shares = retrieval(&question(Gold::Spans(Vec::new())), &[piece("a.md", 0, 10)]);
        assert_near(value(&shares, Metric::Hit10), 0.0);
        assert_near(value(&shares, Metric::ContextRecall), 0.0);
        let none = retrieval(&question(Gold::Unanswerable), &[piece("a.md", 0, 10)]);
        assert!(none.is_empty());
    }

    #[test]
    fn documents_are_ranked_by_their_first_passage_and_gain_their_grade() {
        let grades = HashMap::from([("a".into(), 2), ("c".into(), 1)]);
        let asked = question(Gold::Documents { grades, ideal: vec![2, 1, 1] });
        let found =
            [piece("b", 0, 1), piece("b", 2, 3), piece("a", 0, 1), piece("a", 5, 6), piece("c", 0, 1)];
        let shares = retrieval(&asked, &found);
        let of = |metric| value(&shares, metric);
        assert_eq!([of(Metric::Hit1), of(Metric::Hit3)], [0.0, 1.0]);
        assert_near(of(Metric::Mrr), 0.5);
        // b, a, c: 2 / log2(3) + 1 / log2(4); ideal: 2 / log2(2) + 1 / log2(3) + 1 / log2(4).
        let third = 3f64.log2();
        assert_near(of(Metric::Ndcg10), (2.0 / third + 0.5) / (2.0 + 1.0 / third + 0.5));
        assert!(!shares.contains_key(&Metric::ContextRecall));
    }

    fn answer(texts: &[(&str, bool)]) -> Answer {
        let sentence = |(text, supported): &(&str, bool)| AnswerSentence {
            text: (*text).to_owned(),
            supported: *supported,
            citations: vec![1],
            places: Vec::new(),
            reason: None,
            difference: None,
        };
        Answer {
            answer: String::new(),
            abstained: texts.is_empty(),
            confidence: 0.5,
            sentences: texts.iter().map(sentence).collect(),
            parts: Vec::new(),
            left_out: Vec::new(),
            survey: None,
            rows: None,
            time: None,
            passages: Vec::new(),
            timings: Timings::default(),
            model: AnswerSource::Quotes,
        }
    }

    #[test]
    fn answers_are_scored_as_squad_scores_them() {
        let shares = answering(&asked(), &answer(&[("“Red house!”", true)]));
        assert_eq!([value(&shares, Metric::ExactMatch), value(&shares, Metric::F1)], [1.0, 1.0]);
        let shares = answering(&asked(), &answer(&[("It was the red house.", true), ("On a hill.", false)]));
        let of = |metric| value(&shares, metric);
        // it was red house on hill: 2 of 6 words, 2 of 2.
        assert_near(of(Metric::F1), 2.0 * (2.0 / 6.0) / (2.0 / 6.0 + 1.0));
        assert_eq!(
            [of(Metric::ExactMatch), of(Metric::HoldsAnswer), of(Metric::AnswerWords)],
            [0.0, 1.0, 8.0]
        );
        assert_near(of(Metric::Grounded), 0.5);
        let shares = answering(&asked(), &answer(&[]));
        assert_eq!([value(&shares, Metric::F1), value(&shares, Metric::UnansweredAnswerable)], [0.0, 1.0]);
        assert!(!shares.contains_key(&Metric::Grounded));
    }

    #[test]
    fn repeated_words_count_as_often_as_they_are_in_both() {
        // Two of four words, two of three.
        assert_near(f1("tide tide tide low", "tide turns tide"), 2.0 * 0.5 * (2.0 / 3.0) / (0.5 + 2.0 / 3.0));
        assert_near(f1("", ""), 1.0);
        assert_near(f1("low", ""), 0.0);
    }

    #[test]
    fn auroc_counts_pairs_in_order() {
        // Pairs: 0.9 beats both, 0.5 beats 0.2 and ties with 0.5, 0.1 loses to both: 3.5 of 6.
        assert_near(auroc(&[0.9, 0.5, 0.1], &[0.5, 0.2]).unwrap(), 3.5 / 6.0);
        assert_eq!(auroc(&[0.9], &[]), None);
    }
}
