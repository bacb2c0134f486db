//! What Oriel does with documents: keeps a library in step with its folders, finds the passages that matter, answers.
//!
//! It owns every decision between a question and an answer. It knows the store, the text and core's model traits; it
//! knows no model library, no window and no terminal. One direction: folders fill the store, questions read it.

mod answer;
mod check;
mod citations;
mod confidence;
mod doctor;
mod error;
mod extraction;
mod filter;
mod followup;
mod index;
mod library;
mod prompt;
mod query;
mod quotes;
mod rank;
mod read;
mod remember;
mod retrieve;
mod scan;
mod search;
mod trace;
mod why_not;
mod window;

pub use answer::{AnswerEvent, Answered, answer};
pub use check::supports;
pub use doctor::Findings;
pub use error::EngineError;
pub use extraction::ExtractorLimits;
pub use filter::Filter;
pub use followup::standalone;
pub use index::{IndexProgress, IndexReport, LazyEmbedder};
pub use library::{DocumentFailure, Library, ShownText, Status};
pub use query::Query;
pub use rank::RerankMode;
pub use remember::Remembering;
pub use retrieve::Mode;
pub use search::{SearchModels, SearchResult};
pub use trace::{Fate, Place, Trace, TracedPassage, TracedPrompt};
pub use why_not::{BestSentence, Condition, Needed, Standing, WhyNot};
pub use window::Window;
