//! A question with all settings of its search.

use std::str::FromStr;

use crate::search::filter::Filter;
use crate::search::window::Window;

/// How candidates are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// By meaning and by words, fused.
    #[default]
    Hybrid,
    /// The words choose, the meaning orders.
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

/// When the cross-encoder is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RerankMode {
    /// After widening and merging: it sees passages.
    #[default]
    Passage,
    /// Before widening: it sees the candidate sentences alone.
    Sentence,
    /// Never: the retriever's order stands.
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

/// A question and how it is to be searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The question.
    pub question: String,
    /// How candidates are found.
    pub mode: Mode,
    /// How far each found sentence is widened.
    pub window: Window,
    /// Sentences that are widened.
    pub candidates: usize,
    /// Passages returned.
    pub top: usize,
    /// Which documents are looked at.
    pub filter: Filter,
    /// When the cross-encoder is asked.
    pub rerank: RerankMode,
    /// Whether windows that overlap or touch become one passage.
    pub merge: bool,
}

impl Query {
    /// Sentences that are widened where nothing else is said.
    pub const CANDIDATES: usize = 20;

    /// The question with everything else as it is by default.
    pub fn new(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            mode: Mode::default(),
            window: Window::default(),
            candidates: Self::CANDIDATES,
            top: 5,
            filter: Filter::default(),
            rerank: RerankMode::default(),
            merge: true,
        }
    }
}
