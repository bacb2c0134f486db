//! Oriel's terms as types: documents, sentences, windows, passages, answers, and the traits of models and indexes.
//!
//! This crate opens no file, no socket and no thread, and depends on no other crate of the workspace. It holds
//! everything that two crates must agree on.

mod answer;
mod cancel;
mod document;
mod excerpt;
mod extracted;
mod filter;
pub mod frame;
mod id;
mod location;
pub mod lossy;
mod model;
pub mod notice;
mod passage;
mod retriever;
mod span;
mod structure;
mod survey;
mod table;
mod worker;

pub use answer::{
    Answer, AnswerPart, AnswerRow, AnswerRows, AnswerSentence, AnswerSource, CitedPlace, Difference,
    RowPlace, TimeLimit, TimeOrder, Timings, Unsupported, Verdict,
};
pub use cancel::{CancelToken, Cancelled};
pub use document::{Failure, FailureCode, Kind};
pub use excerpt::{Excerpt, PartialText, SentenceRow, SentenceRuns};
pub use extracted::{Extracted, Member, PageMap, RecognisedPages, Sentence};
pub use filter::Filter;
pub use id::{DocumentId, Ordinal, SentenceId};
pub use location::Location;
pub use model::{
    Calibration, ClaimChecker, Embedder, Entailment, Finish, Generation, GenerationRequest, Generator,
    ModelError, PhraseCalibration, PhraseSignals, PhraseWeights, Reading, Refusal, Reranker, TextForm,
    TextKind, sigmoid,
};
pub use notice::{INSTALL_TESSERACT, Notice};
pub use passage::{AlsoIn, AnsweringSentence, Hit, Passage};
pub use retriever::{Candidate, HitLists, MAX_OCCURRENCES, Retrieval, Retriever, SentenceRange, TextQuery};
pub use span::ByteSpan;
pub use structure::{About, HeaderRow, Heading, Outline, OutlineWalk, RowNumber};
pub use survey::{Survey, SurveyedDocument, SurveyedSentence};
pub use table::{Table, TableCell, TableQuote, TableRow};
pub use worker::{WorkerCommand, name_worker_process};
