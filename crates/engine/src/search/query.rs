//! A question with all settings of its search.

use std::borrow::Cow;
use std::str::FromStr;

use jiff::Zoned;
use jiff::civil::Date;
use oriel_core::Filter;

use crate::question::QueryPart;
use crate::search::window::Window;

/// How candidates are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// By meaning and by words, fused.
    #[default]
    Hybrid,
    /// Candidates by words, ordered by meaning.
    TwoStep,
    /// By meaning only.
    Dense,
    /// By words only; needs no model.
    Sparse,
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "hybrid" => Self::Hybrid,
            "two-step" => Self::TwoStep,
            "dense" => Self::Dense,
            "sparse" => Self::Sparse,
            _ => return Err(format!("unknown mode '{name}'; known are hybrid, two-step, dense, sparse")),
        })
    }
}

/// When the cross-encoder reranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RerankMode {
    /// After widening and merging: it scores passages.
    #[default]
    Passage,
    /// Before widening: it scores the candidate sentences alone.
    Sentence,
    /// Never: the retrieval order is kept.
    Off,
}

impl FromStr for RerankMode {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "passage" => Self::Passage,
            "sentence" => Self::Sentence,
            "off" => Self::Off,
            _ => return Err(format!("unknown way to rerank '{name}'; known are passage, sentence, off")),
        })
    }
}

/// A question and the settings of its search.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The question as the user typed it; in a plan it is completed.
    pub question: String,
    /// The questions before it, oldest first, from which a follow-up question is completed.
    pub earlier: Vec<String>,
    /// Whether the question is searched for as typed, but that a follow-up question is completed: not divided, not corrected, without other words, and nothing is computed.
    pub as_typed: bool,
    /// The parts to search for, found when the search is prepared; if there are none, the question itself.
    pub parts: Vec<QueryPart>,
    /// How candidates are found.
    pub mode: Mode,
    /// How far each found sentence is widened.
    pub window: Window,
    /// Number of sentences to widen.
    pub candidates: usize,
    /// Whether there are more candidates in a large library.
    pub grows: bool,
    /// Passages that the reranker reads in a second on this machine, which limits that number; `None` if it was not
    /// measured.
    pub pace: Option<f32>,
    /// Number of passages to return.
    pub top: usize,
    /// The documents to search.
    pub filter: Filter,
    /// When the cross-encoder reranks.
    pub rerank: RerankMode,
    /// Whether windows that overlap or touch become one passage.
    pub merge: bool,
    /// The day on which the question is asked, from which "last month" is counted.
    pub today: Date,
    /// Whether to search documents of any time, even if the question names a period.
    pub ignore_time: bool,
}

impl Query {
    /// Number of sentences to widen by default.
    pub const CANDIDATES: usize = 20;

    /// The question with default settings.
    pub fn new(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            earlier: Vec::new(),
            as_typed: false,
            parts: Vec::new(),
            mode: Mode::default(),
            window: Window::default(),
            candidates: Self::CANDIDATES,
            grows: true,
            pace: None,
            top: 5,
            filter: Filter::default(),
            rerank: RerankMode::default(),
            merge: true,
            today: Zoned::now().date(),
            ignore_time: false,
        }
    }

    /// The parts to search for.
    pub(crate) fn searched(&self) -> Cow<'_, [QueryPart]> {
        match &self.parts[..] {
            [] => Cow::Owned(vec![QueryPart::plain(&self.question)]),
            parts => Cow::Borrowed(parts),
        }
    }
}
