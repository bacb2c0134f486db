//! Asks every question of an exam in every arm, and sums up.
//!
//! Each question is asked as a user would ask it, which gives confidence, time and answer, and once more with ten
//! passages for the metrics of rank; the reranker's cache makes the second search cheap. Each arm begins with an empty
//! cache, so that none profits from another.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use oriel_api::{AppError, Searcher, no_embedder};
use oriel_core::{AnswerSource, ByteSpan, CancelToken, Generator, Passage, Timings};
use oriel_engine::{EngineError, LEAST_CONFIDENCE, Mode, Query, RerankMode};
use serde::{Deserialize, Serialize};

use crate::bootstrap::{Interval, interval, share_interval};
use crate::metrics::{
    DEPTH, Metric, Retrieved, SHOWN, Share, Shares, answering, auroc, rank, refusal, retrieval,
};
use crate::naive::{Cut, NaiveIndex};
use crate::questions::{Exam, ExamQuestion, Form};

/// Groups of confidence, each as wide as the others.
const GROUPS: usize = 5;

/// A way to search that is measured. In JSON it has the name that scripts use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Arm {
    /// As Oriel is set.
    #[serde(rename = "oriel")]
    InUse,
    /// Each window by itself.
    #[serde(rename = "unmerged")]
    Unmerged,
    /// The retriever's order.
    #[serde(rename = "no-rerank")]
    NoRerank,
    /// By meaning only.
    #[serde(rename = "dense")]
    Dense,
    /// By words only.
    #[serde(rename = "sparse")]
    Sparse,
    /// Naive chunks of 512 tokens.
    #[serde(rename = "chunks-512")]
    Tokens512,
    /// Naive chunks of 100 characters that overlap by 20.
    #[serde(rename = "chunks-100")]
    Characters100,
    /// Recursive chunks of about 1,000 characters that overlap by 100.
    #[serde(rename = "recursive")]
    Recursive,
}

impl Arm {
    /// The arms that can be compared with the one in use.
    pub const OTHERS: [Self; 7] = [
        Self::Unmerged,
        Self::NoRerank,
        Self::Dense,
        Self::Sparse,
        Self::Tokens512,
        Self::Characters100,
        Self::Recursive,
    ];

    /// Its name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InUse => "oriel",
            Self::Unmerged => "unmerged",
            Self::NoRerank => "no-rerank",
            Self::Dense => "dense",
            Self::Sparse => "sparse",
            Self::Tokens512 => "chunks-512",
            Self::Characters100 => "chunks-100",
            Self::Recursive => "recursive",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::InUse => "Oriel as it is set",
            Self::Unmerged => "Windows not merged",
            Self::NoRerank => "No reranker",
            Self::Dense => "By meaning only",
            Self::Sparse => "By words only",
            Self::Tokens512 => "Chunks of 512 tokens",
            Self::Characters100 => "Chunks of 100 characters",
            Self::Recursive => "Recursive chunks",
        }
    }

    /// Whether it searches naive chunks, for which every document is embedded anew.
    #[must_use]
    pub const fn is_naive(self) -> bool {
        self.cut().is_some()
    }

    /// How documents are cut for it; `None` if it searches sentences.
    const fn cut(self) -> Option<Cut> {
        match self {
            Self::Tokens512 => Some(Cut::Tokens(512)),
            Self::Characters100 => Some(Cut::Characters { size: 100, overlap: 20 }),
            Self::Recursive => Some(Cut::Recursive { size: 1_000, overlap: 100 }),
            _ => None,
        }
    }

    /// The query in use with what it changes.
    fn query(self, in_use: &Query) -> Query {
        let mut query = in_use.clone();
        match self {
            Self::Unmerged => query.merge = false,
            Self::NoRerank => query.rerank = RerankMode::Off,
            Self::Dense => query.mode = Mode::Dense,
            Self::Sparse => query.mode = Mode::Sparse,
            Self::InUse | Self::Tokens512 | Self::Characters100 | Self::Recursive => {}
        }
        query
    }
}

impl FromStr for Arm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::OTHERS.into_iter().find(|arm| arm.name() == name).ok_or_else(|| {
            let known = Self::OTHERS.map(Self::name).join(", ");
            format!("unknown arm '{name}'; known are {known}")
        })
    }
}

/// What is measured.
pub struct EvaluationOptions {
    /// The search in use; its question is not read.
    pub query: Query,
    /// The arms that are compared with it.
    pub compare: Vec<Arm>,
    /// Whether questions are answered too, by `generator`, or with quotes.
    pub answers: bool,
    /// The generator of the answers.
    pub generator: Option<Arc<dyn Generator>>,
}

/// What an evaluation is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationStage {
    /// Embedding the chunks of an arm.
    Embedding(Arm),
    /// Asking the questions.
    Asking(Arm),
}

/// How far an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationProgress {
    /// What is done now.
    pub stage: EvaluationStage,
    /// Chunks or questions that are done in this stage.
    pub done: usize,
    /// Of how many.
    pub total: usize,
}

/// The figures of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct EvaluationReport {
    /// The form of the file.
    pub form: Form,
    /// Questions that were asked.
    pub questions: usize,
    /// How many of these have an answer.
    pub answerable: usize,
    /// Gold files, or beginnings of contexts, that the library does not have. Their questions count as missed.
    pub missing: Vec<String>,
    /// Documents in the library.
    pub documents: usize,
    /// Sentences in the library.
    pub sentences: u64,
    /// Below this confidence a question is refused.
    pub limit: f32,
    /// The model of the answers, or "quotes"; `None` if nothing was answered.
    pub model: Option<String>,
    /// Seconds in all.
    pub seconds: f64,
    /// The arm in use first.
    pub arms: Vec<ArmReport>,
    /// Each question in the arm in use, in the order of the file.
    pub asked: Vec<AskedQuestion>,
}

/// The figures of one arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct ArmReport {
    /// The arm.
    pub arm: Arm,
    /// Its name for people.
    pub title: String,
    /// Questions that were asked in it: fewer than in all if the evaluation was stopped.
    pub questions: usize,
    /// The metrics that apply.
    pub metrics: BTreeMap<Metric, Measured>,
    /// How well the confidence tells questions with an answer from those without; `None` without both kinds.
    pub auroc: Option<f64>,
    /// Whether the confidence is right, by groups from the lowest confidence to the highest.
    pub calibration: Vec<CalibrationGroup>,
    /// Milliseconds by what was timed.
    pub latency: BTreeMap<String, Quantiles>,
    /// The median time by stage, in order. Together they are the median of the whole.
    pub stages: Vec<StageMedian>,
}

/// The time of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct StageMedian {
    /// The stage.
    pub stage: QuestionStage,
    /// Its milliseconds.
    pub ms: f64,
}

/// A stage of a question, from Enter to the last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum QuestionStage {
    /// Sentences are found and widened.
    Search,
    /// Passages are put in order.
    Rerank,
    /// The generator reads passages and question.
    Read,
    /// The generator writes.
    Write,
    /// Sentences are quoted, without a generator.
    Quote,
    /// The answer is held against its passages.
    Check,
}

impl QuestionStage {
    /// Its name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Search => "Search",
            Self::Rerank => "Rerank",
            Self::Read => "Read",
            Self::Write => "Write",
            Self::Quote => "Quote",
            Self::Check => "Check",
        }
    }
}

/// One metric of one arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Measured {
    /// Its value.
    pub value: f64,
    /// Its 95% interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// Of how many questions.
    pub questions: usize,
    /// What it is a share of, in all: questions, sentences, bytes.
    pub whole: f64,
    /// Against the arm in use; `None` for that one itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub difference: Option<ArmDifference>,
}

/// The value of an arm minus that of the arm in use, on the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct ArmDifference {
    /// The difference.
    pub value: f64,
    /// Its 95% interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// Questions whose confidence is in one range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct CalibrationGroup {
    /// Their mean confidence.
    pub confidence: f64,
    /// The share of them whose answer was in the first five passages.
    pub found: f64,
    /// The 95% interval of that share.
    #[serde(flatten)]
    pub interval: Interval,
    /// How many they are.
    pub questions: usize,
}

/// Milliseconds of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct Quantiles {
    /// Half of the questions took less.
    pub median: f64,
    /// 95% of the questions took less.
    pub p95: f64,
}

/// One question in the arm in use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct AskedQuestion {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Whether it has an answer.
    pub answerable: bool,
    /// The rank of the first passage with gold, from 1, among ten.
    pub rank: Option<usize>,
    /// The confidence.
    pub confidence: Option<f64>,
}

/// One question in one arm.
struct Outcome {
    shares: Shares,
    rank: Option<usize>,
    confidence: Option<f64>,
    timings: Timings,
    model: Option<AnswerSource>,
}

/// Measures a library on an exam.
///
/// # Errors
/// If a model fails or is missing, the library cannot be read, or cancelled.
pub fn evaluate(
    searcher: &Searcher,
    exam: &Exam,
    options: &EvaluationOptions,
    progress: &mut dyn FnMut(EvaluationProgress),
    cancel: &CancelToken,
) -> Result<EvaluationReport, AppError> {
    let mut evaluation = Evaluation::new(searcher, exam, options)?;
    evaluation.run(&mut |_, step| progress(step), cancel)?;
    evaluation.report(cancel)
}

/// An evaluation in progress. What was asked can be reported at any time, also after it was cancelled.
pub struct Evaluation<'a> {
    searcher: &'a Searcher,
    exam: &'a Exam,
    options: &'a EvaluationOptions,
    begun: Instant,
    documents: usize,
    sentences: u64,
    /// The arm in use first. The last one may have been asked in part.
    arms: Vec<(Arm, Vec<Outcome>)>,
}

impl<'a> Evaluation<'a> {
    /// Nothing is asked yet.
    ///
    /// # Errors
    /// If the library cannot be read.
    pub fn new(
        searcher: &'a Searcher,
        exam: &'a Exam,
        options: &'a EvaluationOptions,
    ) -> Result<Self, AppError> {
        let overview = searcher.library().overview()?;
        let (documents, sentences) = (overview.documents, overview.sentences);
        Ok(Self { searcher, exam, options, begun: Instant::now(), documents, sentences, arms: Vec::new() })
    }

    /// Asks every question in every arm. `on_progress` gets the evaluation as it stands.
    ///
    /// # Errors
    /// If a model fails or is missing, the library cannot be read, or cancelled.
    pub fn run(
        &mut self,
        on_progress: &mut dyn FnMut(&Self, EvaluationProgress),
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let options = self.options;
        self.ask_all(Arm::InUse, on_progress, cancel)?;
        for arm in &options.compare {
            self.ask_all(*arm, on_progress, cancel)?;
        }
        Ok(())
    }

    /// Whether a question was answered, so that there is something to report.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.arms.first().is_some_and(|(_, outcomes)| !outcomes.is_empty())
    }

    /// The figures of what was asked so far. An arm that was asked in part is compared on the questions it shares with the
    /// one in use.
    ///
    /// # Errors
    /// Only if cancelled.
    pub fn report(&self, cancel: &CancelToken) -> Result<EvaluationReport, AppError> {
        let exam = self.exam;
        let in_use = self.arms.first().map_or(&[][..], |(_, outcomes)| outcomes);
        let model = most_frequent(in_use.iter().filter_map(|outcome| outcome.model.as_ref()));
        let is_quoted = model == Some(AnswerSource::Quotes);
        let mut arms = Vec::new();
        for (arm, outcomes) in self.arms.iter().filter(|(_, outcomes)| !outcomes.is_empty()) {
            let base = (*arm != Arm::InUse).then_some(in_use);
            arms.push(ArmReport::new(*arm, exam, outcomes, base, is_quoted, cancel)?);
        }
        let asked = exam.questions.iter().zip(in_use).map(|(question, outcome)| AskedQuestion {
            id: question.id.clone(),
            question: question.question.clone(),
            answerable: question.is_answerable(),
            rank: outcome.rank,
            confidence: outcome.confidence,
        });
        let asked: Vec<AskedQuestion> = asked.collect();
        Ok(EvaluationReport {
            form: exam.form,
            questions: asked.len(),
            answerable: asked.iter().filter(|question| question.answerable).count(),
            missing: exam.missing.clone(),
            documents: self.documents,
            sentences: self.sentences,
            limit: LEAST_CONFIDENCE,
            model: model.map(String::from),
            seconds: self.begun.elapsed().as_secs_f64(),
            arms,
            asked,
        })
    }

    fn ask_all(
        &mut self,
        arm: Arm,
        on_progress: &mut dyn FnMut(&Self, EvaluationProgress),
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let (searcher, exam, options) = (self.searcher, self.exam, self.options);
        // What another arm has read would be counted as no time.
        searcher.forget_reranker();
        let naive = match arm.cut() {
            Some(cut) => {
                let embedder = searcher.embedder()?.ok_or_else(|| no_embedder(searcher.roles()))?;
                let stage = EvaluationStage::Embedding(arm);
                let mut step = |done, total| on_progress(self, EvaluationProgress { stage, done, total });
                Some(NaiveIndex::new(searcher.library(), embedder, cut, &mut step, cancel)?)
            }
            None => None,
        };
        let (stage, total) = (EvaluationStage::Asking(arm), exam.questions.len());
        let place = self.arms.len();
        self.arms.push((arm, Vec::with_capacity(total)));
        for (done, question) in exam.questions.iter().enumerate() {
            on_progress(self, EvaluationProgress { stage, done, total });
            cancel.check().map_err(EngineError::from)?;
            let outcome = match &naive {
                Some(index) => ask_naive(index, searcher, question, cancel)?,
                None => ask(searcher, options, arm, question, cancel)?,
            };
            self.arms[place].1.push(outcome);
        }
        on_progress(self, EvaluationProgress { stage, done: total, total });
        Ok(())
    }
}

/// The generator may have given way to quotes for some questions.
fn most_frequent<'a>(sources: impl Iterator<Item = &'a AnswerSource>) -> Option<AnswerSource> {
    let mut counts: BTreeMap<&AnswerSource, usize> = BTreeMap::new();
    sources.for_each(|source| *counts.entry(source).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(source, _)| source.clone())
}

/// Asks as a person would, for confidence, time and answer, and once more for passages further down.
fn ask(
    searcher: &Searcher,
    options: &EvaluationOptions,
    arm: Arm,
    question: &ExamQuestion,
    cancel: &CancelToken,
) -> Result<Outcome, AppError> {
    let query = Query { question: question.question.clone(), ..arm.query(&options.query) };
    let mut shares = Shares::new();
    let mut model = None;
    let (passages, confidence, timings) = if options.answers && arm == Arm::InUse {
        let generator = options.generator.as_deref();
        let answered = searcher.answer(&query, generator, &mut |_| {}, cancel)?;
        // Half an answer is not scored.
        cancel.check().map_err(EngineError::from)?;
        shares.extend(answering(question, &answered.answer));
        model = Some(answered.answer.model);
        (answered.answer.passages, answered.answer.confidence, answered.answer.timings)
    } else {
        let found = searcher.search(&query, cancel)?;
        (found.passages, found.confidence, found.timings)
    };
    let passages = if query.top < DEPTH {
        searcher.search(&Query { top: DEPTH, ..query }, cancel)?.passages
    } else {
        passages
    };
    let found: Vec<Retrieved> = passages.iter().map(retrieved).collect();
    shares.extend(retrieval(question, &found));
    Ok(Outcome::new(question, &found, Some(confidence), timings, shares, model))
}

fn ask_naive(
    index: &NaiveIndex,
    searcher: &Searcher,
    question: &ExamQuestion,
    cancel: &CancelToken,
) -> Result<Outcome, AppError> {
    let (found, similarity, timings) = index.search(&question.question, cancel)?;
    let calibration = searcher.embedder()?.and_then(|embedder| embedder.calibration());
    let confidence = calibration.zip(similarity).map(|(curve, best)| curve.of_similarity(best));
    Ok(Outcome::new(question, &found, confidence, timings, retrieval(question, &found), None))
}

fn retrieved(passage: &Passage) -> Retrieved {
    Retrieved {
        path: passage.path.clone(),
        span: ByteSpan::new(passage.start, passage.end),
        characters: passage.text.chars().count(),
    }
}

impl Outcome {
    fn new(
        question: &ExamQuestion,
        found: &[Retrieved],
        confidence: Option<f32>,
        timings: Timings,
        mut shares: Shares,
        model: Option<AnswerSource>,
    ) -> Self {
        shares.extend(confidence.map(|confidence| refusal(question, confidence < LEAST_CONFIDENCE)));
        let rank = rank(question, &found[..found.len().min(DEPTH)]);
        Self { shares, rank, confidence: confidence.map(f64::from), timings, model }
    }

    /// Whether its answer is among the passages that are shown.
    fn is_shown(&self) -> bool {
        self.rank.is_some_and(|rank| rank <= SHOWN)
    }
}

impl ArmReport {
    fn new(
        arm: Arm,
        exam: &Exam,
        outcomes: &[Outcome],
        in_use: Option<&[Outcome]>,
        is_quoted: bool,
        cancel: &CancelToken,
    ) -> Result<Self, AppError> {
        let latency = latency(outcomes);
        let of_kind = |is_answerable: bool| -> Vec<f64> {
            let both = exam.questions.iter().zip(outcomes);
            both.filter(|(question, _)| question.is_answerable() == is_answerable)
                .filter_map(|(_, outcome)| outcome.confidence)
                .collect()
        };
        Ok(Self {
            arm,
            title: arm.title().to_owned(),
            questions: outcomes.len(),
            metrics: measure(outcomes, in_use, cancel)?,
            auroc: auroc(&of_kind(true), &of_kind(false)),
            calibration: calibrate(outcomes),
            stages: stages(&latency, is_quoted),
            latency,
        })
    }
}

/// Every metric that a question has a share of.
fn measure(
    outcomes: &[Outcome],
    in_use: Option<&[Outcome]>,
    cancel: &CancelToken,
) -> Result<BTreeMap<Metric, Measured>, AppError> {
    let metrics: BTreeSet<Metric> =
        outcomes.iter().flat_map(|outcome| outcome.shares.keys().copied()).collect();
    let column = |outcomes: &[Outcome], metric| -> Vec<Option<Share>> {
        outcomes.iter().map(|outcome| outcome.shares.get(&metric).copied()).collect()
    };
    let everything: Vec<usize> = (0..outcomes.len()).collect();
    let mut measured = BTreeMap::new();
    for metric in metrics {
        cancel.check().map_err(EngineError::from)?;
        let own = column(outcomes, metric);
        let own_ratio = |sample: &[usize]| ratio(&own, sample);
        let difference = in_use.and_then(|in_use| {
            let base = column(in_use, metric);
            let between = |sample: &[usize]| Some(own_ratio(sample)? - ratio(&base, sample)?);
            Some(ArmDifference { value: between(&everything)?, interval: interval(own.len(), between)? })
        });
        let questions = own.iter().flatten().count();
        let whole = own.iter().flatten().map(|share| share.whole).sum();
        measured.extend(
            own_ratio(&everything).zip(interval(own.len(), own_ratio)).map(|(value, interval)| {
                (metric, Measured { value, interval, questions, whole, difference })
            }),
        );
    }
    Ok(measured)
}

/// The sum of the parts over the sum of the wholes of the questions at `sample`.
fn ratio(shares: &[Option<Share>], sample: &[usize]) -> Option<f64> {
    let mut sum = Share { part: 0.0, whole: 0.0 };
    for share in sample.iter().filter_map(|at| shares[*at]) {
        sum.part += share.part;
        sum.whole += share.whole;
    }
    (sum.whole > 0.0).then(|| sum.part / sum.whole)
}

fn calibrate(outcomes: &[Outcome]) -> Vec<CalibrationGroup> {
    let group = |confidence: f64| ((confidence * GROUPS as f64) as usize).min(GROUPS - 1);
    let groups = (0..GROUPS).filter_map(|number| {
        let confidence = |outcome: &Outcome| outcome.confidence.filter(|one| group(*one) == number);
        let within: Vec<(f64, bool)> =
            outcomes.iter().filter_map(|one| Some((confidence(one)?, one.is_shown()))).collect();
        let questions = within.len();
        let mean = |of: &dyn Fn(&(f64, bool)) -> f64| within.iter().map(of).sum::<f64>() / questions as f64;
        (questions > 0).then(|| {
            let found = mean(&|(_, is_shown)| f64::from(*is_shown));
            let confidence = mean(&|(confidence, _)| *confidence);
            CalibrationGroup { confidence, found, interval: share_interval(found, questions), questions }
        })
    });
    groups.collect()
}

/// Reads the milliseconds of one stage.
type Stage = fn(&Timings) -> Option<f64>;

fn latency(outcomes: &[Outcome]) -> BTreeMap<String, Quantiles> {
    let stages: [(&'static str, Stage); 8] = [
        ("embed_ms", |of| Some(of.embed_ms)),
        ("dense_ms", |of| Some(of.dense_ms)),
        ("sparse_ms", |of| Some(of.sparse_ms)),
        ("window_ms", |of| Some(of.window_ms)),
        ("rerank_ms", |of| Some(of.rerank_ms)),
        ("first_token_ms", |of| of.first_token_ms),
        ("generate_ms", |of| of.generate_ms),
        ("total_ms", |of| Some(of.total_ms)),
    ];
    let quantiles = stages.into_iter().filter_map(|(name, stage)| {
        let mut all: Vec<f64> = outcomes.iter().filter_map(|outcome| stage(&outcome.timings)).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all.get((share * all.len() as f64) as usize).copied();
        Some((name.to_owned(), Quantiles { median: at(0.5)?, p95: at(0.95)? }))
    });
    quantiles.collect()
}

/// The stages of a question: their medians, in proportion to the median of the whole.
fn stages(latency: &BTreeMap<String, Quantiles>, is_quoted: bool) -> Vec<StageMedian> {
    let of = |name: &str| latency.get(name).map_or(0.0, |one| one.median);
    let search = of("embed_ms") + of("dense_ms") + of("sparse_ms") + of("window_ms");
    let rerank = of("rerank_ms");
    let mut stages = vec![(QuestionStage::Search, search), (QuestionStage::Rerank, rerank)];
    if latency.contains_key("generate_ms") {
        if is_quoted {
            stages.push((QuestionStage::Quote, of("generate_ms")));
        } else {
            let read = (of("first_token_ms") - search - rerank).max(0.0);
            let write = (of("generate_ms") - read).max(0.0);
            stages.extend([(QuestionStage::Read, read), (QuestionStage::Write, write)]);
        }
        let known: f64 = stages.iter().map(|(_, one)| one).sum();
        stages.push((QuestionStage::Check, (of("total_ms") - known).max(0.0)));
    }
    let sum: f64 = stages.iter().map(|(_, one)| one).sum();
    let scale = if sum > 0.0 { of("total_ms") / sum } else { 0.0 };
    stages.into_iter().map(|(stage, ms)| StageMedian { stage, ms: ms * scale }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(confidence: f64, rank: Option<usize>, total_ms: f64) -> Outcome {
        let timings = Timings { total_ms, ..Timings::default() };
        let hit = Share { part: f64::from(rank == Some(1)), whole: 1.0 };
        let shares = Shares::from([(Metric::Hit1, hit)]);
        Outcome { shares, rank, confidence: Some(confidence), timings, model: None }
    }

    #[test]
    fn figures_of_an_arm_are_those_of_its_questions() {
        let base: Vec<Outcome> = [Some(1), Some(2), None, Some(1)].map(|rank| outcome(0.9, rank, 1.0)).into();
        let other: Vec<Outcome> =
            [Some(1), Some(1), None, Some(1)].map(|rank| outcome(0.9, rank, 1.0)).into();
        let measured = measure(&other, Some(&base), &CancelToken::new()).unwrap()[&Metric::Hit1];
        assert_eq!((measured.value, measured.questions), (0.75, 4));
        let difference = measured.difference.unwrap();
        assert_eq!((difference.value, difference.interval.low), (0.25, 0.0));
        assert!(measure(&base, None, &CancelToken::new()).unwrap()[&Metric::Hit1].difference.is_none());
    }

    #[test]
    fn a_share_of_sentences_is_not_a_mean_of_shares() {
        let shares = [(1.0, 1.0), (0.0, 3.0)].map(|(part, whole)| Some(Share { part, whole }));
        assert_eq!(ratio(&shares, &[0, 1]), Some(0.25));
        assert_eq!(ratio(&shares, &[0, 0]), Some(1.0));
        assert_eq!(ratio(&[None], &[0]), None);
    }

    #[test]
    fn confidence_is_held_against_what_came_true() {
        let outcomes = [outcome(0.1, None, 1.0), outcome(0.95, Some(5), 1.0), outcome(1.0, Some(6), 1.0)];
        let groups = calibrate(&outcomes);
        let figures = |group: &CalibrationGroup| (group.confidence, group.found, group.questions);
        assert_eq!(groups.iter().map(figures).collect::<Vec<_>>(), [(0.1, 0.0, 1), (0.975, 0.5, 2)]);
        let interval = groups[1].interval;
        assert!(interval.low < 0.5 && 0.5 < interval.high, "{interval:?}");
    }

    #[test]
    fn latency_is_the_median_and_the_95th_percentile() {
        let outcomes: Vec<Outcome> = (0..100).map(|at| outcome(0.5, None, f64::from(at))).collect();
        let latency = latency(&outcomes);
        assert_eq!(latency["total_ms"], Quantiles { median: 50.0, p95: 95.0 });
        assert!(!latency.contains_key("first_token_ms"));
    }

    #[test]
    fn the_stages_of_a_question_are_the_whole() {
        let timed = |name: &str, median: f64| (name.to_owned(), Quantiles { median, p95: median });
        let latency = BTreeMap::from([
            timed("embed_ms", 10.0),
            timed("rerank_ms", 30.0),
            timed("first_token_ms", 100.0),
            timed("generate_ms", 200.0),
            timed("total_ms", 250.0),
        ]);
        let found: Vec<_> = stages(&latency, false).iter().map(|one| (one.stage.title(), one.ms)).collect();
        assert_eq!(
            found,
            [("Search", 10.0), ("Rerank", 30.0), ("Read", 60.0), ("Write", 140.0), ("Check", 10.0)]
        );
        assert_eq!(stages(&latency, true)[2].stage, QuestionStage::Quote);
    }

    #[test]
    fn an_arm_that_was_asked_in_part_is_compared_on_the_questions_it_shares() {
        let ranks = |ranks: &[Option<usize>]| -> Vec<Outcome> {
            ranks.iter().map(|rank| outcome(0.9, *rank, 1.0)).collect()
        };
        let (base, part) = (ranks(&[Some(1), Some(2), Some(1), Some(1)]), ranks(&[Some(1), Some(1)]));
        let measured = measure(&part, Some(&base), &CancelToken::new()).unwrap()[&Metric::Hit1];
        assert_eq!((measured.value, measured.questions, measured.whole), (1.0, 2, 2.0));
        assert_eq!(measured.difference.unwrap().value, 0.5);
    }

    #[test]
    fn arms_have_the_names_that_scripts_use() {
        for arm in Arm::OTHERS {
            assert_eq!(arm.name().parse(), Ok(arm));
            assert_eq!(serde_json::to_value(arm).unwrap(), arm.name());
        }
        assert!("chunks".parse::<Arm>().unwrap_err().contains("unmerged, no-rerank"));
    }
}
