//! The use cases of Oriel: what every front does with a library and its models.
//!
//! A front (the app, the command line) translates: it turns what a person typed or clicked into the types of this crate, and
//! shows what comes back. It decides nothing about documents, models or conversations.
//!
//! - `search` loads the models that a question needs, finds passages, answers, and explains why a document was not found.
//! - `ask` asks in a conversation: it rewrites follow-ups, streams, and keeps the question and its answer.
//! - `draft` checks each sentence of a text. `earlier` keeps the questions that a command asks on from.
//! - `csv` writes lists for a spreadsheet.
//! - `glossary` keeps the person's own other words.
//! - `keep_up` keeps a library up to date with its folders, on a thread of its own.
//! - `models` says which models a library uses.
//! - `maintenance` opens, checks and repairs a library.
//! - `programs` says what other programs may see of a library, `program_setup` how they are told of it, `asked_log` what they
//!   asked, and `provenance` which file a place is in. `places` is what they are given, and `serving` answers those that ask by
//!   an API like OpenAI's.
//! - `suggest` proposes a question that the documents answer, `question_about` has the generator write it.
//! - `table` asks each of several documents the same questions.
//! - `scope` turns the folders, documents and days that a person chose into a filter.

mod answers;
mod ask;
mod asked_log;
mod csv;
mod draft;
mod earlier;
mod error;
mod glossary;
mod keep_up;
mod lock;
mod maintenance;
mod models;
mod places;
mod program_setup;
mod programs;
mod provenance;
mod question_about;
mod scope;
mod search;
mod serving;
mod suggest;
mod table;
mod turn_writer;

pub use answers::{AnswerBasis, Answers};
pub use ask::{Ask, AskEvent, Assistant};
pub use asked_log::{AskedByProgram, AskedLog};
pub use csv::{survey_csv, table_csv};
pub use draft::{Draft, DraftReport, MAX_DRAFT_SENTENCES, ReportedSentence, report_markdown};
pub use earlier::EarlierQuestions;
pub use error::AppError;
pub use glossary::OwnGlossary;
pub use keep_up::activity::{Activity, StageProgress, Work};
pub use keep_up::indexer::{Indexer, IndexerListener, IndexerOptions, PROGRESS_INTERVAL};
pub use keep_up::power::Power;
pub use keep_up::run::index_library;
pub use keep_up::run_state::{RetryDelays, Suspension, Yielding};
pub use lock::lock;
pub use maintenance::{check_library, open_library, repair_library, set_library_aside};
pub use models::{model_to_get, no_embedder, open_roles, prepare_for_question};
pub use places::{
    CitedSentence, Claim, DATA_NOTE, DOCUMENT_SCHEME, GivenAnswer, NumberedPlace, Place, Places, WindowText,
    why_unsupported,
};
pub use program_setup::{Program, is_set_up, setup_lines};
pub use programs::{HiddenPaths, ProgramAccess, visible_to_programs};
pub use provenance::{Provenance, provenance};
pub use question_about::{question_about, sentence_at, words};
pub use scope::{Scope, day_start};
pub use search::Searcher;
pub use serving::{DEFAULT_PORT, ServeKey, ServedLibrary, Serving};
pub use table::{FilledCell, MAX_TABLE_QUESTIONS, TableDocuments, TableRequest};
