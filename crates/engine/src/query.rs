//! A question and everything that may be said about how it is to be searched.

use crate::filter::Filter;
use crate::rank::RerankMode;
use crate::retrieve::Mode;
use crate::window::Window;

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
