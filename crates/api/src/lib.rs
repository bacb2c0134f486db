//! What every front does with a library and its models, and what it is sent.
//!
//! A front (the app, the command line) translates: it turns what a user typed or clicked into the types of this crate, and
//! shows what comes back. It decides nothing about documents, models or conversations. What is kept by path is resolved here,
//! once, against the library as it is now (`documents::Resolver`).
//!
//! - `search` loads the models that a question needs, finds passages, answers, and explains why a document was not found.
//! - `assistant` is a library that is asked in conversations: `ask` streams, and keeps the question and its
//!   answer; `suggest` proposes an answerable question, `question_about` has the generator write it; `table` asks each of several
//!   documents the same questions.
//! - `turn` is a question with its answer: `card` a passage, `claim` a sentence, `survey`, `rows` and `table_view` what all
//!   documents say. `why` is how it came about. `mentions` lists every mention of some words.
//! - `documents` names documents, `text` and `marks` cut their text into marked runs, and `viewer` shows a document with its marks.
//! - `scope` turns the folders, documents and days that a user chose into a filter, and back.
//! - `draft` checks each sentence of a text. `earlier` keeps the last questions of the command line, to which a follow-up may refer.
//! - `csv` writes lists for a spreadsheet.
//! - `keep_up` keeps a library up to date with its folders, on a thread of its own.
//! - `models` says which models a library uses. `maintenance` opens, checks and repairs a library.
//! - `programs` says what other programs may see of a library, `program_setup` how their settings name `oriel mcp`, `request_log` what they
//!   asked, and `provenance` which file a place is in. `places` is what they are given, and `serving` answers those that ask by
//!   an API like OpenAI's.

mod answers;
mod ask;
mod assistant;
mod card;
mod claim;
mod csv;
mod documents;
mod draft;
mod earlier;
mod error;
mod keep_up;
mod lock;
mod maintenance;
mod marks;
mod mentions;
mod models;
mod payload;
mod places;
mod program_setup;
mod programs;
mod provenance;
mod question_about;
mod request_log;
mod rows;
mod scope;
mod search;
mod serving;
mod suggest;
mod survey;
mod table;
mod table_view;
mod text;
mod turn;
mod turn_ref;
mod turn_writer;
mod viewer;
mod why;

pub use answers::{AnswerBasis, Answers};
pub use ask::{Ask, AskEvent, MAX_WINDOW, Reach, Widen};
pub use assistant::{Assistant, ReviewSurvey};
pub use card::Card;
pub use claim::Claim;
pub use csv::{survey_csv, table_csv};
pub use documents::{ChosenDocument, DocumentRef, DocumentRow, FailureRow, PlaceRef, Resolver, name_of};
pub use draft::{
    CheckDraft, CheckedSentence, Draft, DraftReport, Finding, FindingPlace, ReportedSentence, report_markdown,
};
pub use earlier::EarlierQuestions;
pub use error::{AppError, with_way_out};
pub use keep_up::activity::{Activity, StageProgress, Work};
pub use keep_up::indexer::{Hold, Indexer, IndexerOptions};
pub use keep_up::power::Power;
pub use keep_up::run::index_library;
pub use keep_up::thread::{IndexerListener, PROGRESS_INTERVAL, RetryDelays};
pub use lock::lock;
pub use maintenance::{check_library, open_library, repair_library, set_library_aside};
pub use mentions::{FindMentions, Mention, MentionRow, Mentions, MoreMentions};
pub use models::{model_to_get, no_embedder, open_roles, prepare_for_question};
pub use places::{
    CitedSentence, DATA_NOTE, DOCUMENT_SCHEME, NumberedPlace, Place, Places, ProgramAnswer, WindowText,
    why_unsupported,
};
pub use program_setup::{Program, is_set_up, setup_lines};
pub use programs::{HiddenPaths, ProgramAccess, visible_to_programs};
pub use provenance::{Provenance, provenance};
pub use question_about::{question_about, sentence_at, words};
pub use request_log::{ProgramRequest, RequestLog};
pub use rows::{RowView, RowsView};
pub use scope::{Named, Scope, day_start};
pub use search::Searcher;
pub use serving::{DEFAULT_PORT, ServeKey, ServedLibrary, Serving};
pub use survey::{Coverage, SurveyRow, SurveySentence, SurveyView};
pub use table::{CellRef, FillTable, FilledCell, MAX_TABLE_QUESTIONS, TableEvent, TableSource};
pub use table_view::{CellView, ProposedTable, QuoteView, TableRowView, TableView};
pub use text::{Mark, Piece, Run, TextPlace};
pub use turn::{AnswerView, Conversation, Found, PartView, Turn};
pub use turn_ref::{ConversationRef, TurnRef};
pub use viewer::view::{
    Block, BlockStyle, Layout, MarkedRow, NumberedRow, OpenView, PageBox, PageMark, View, ViewHit, ViewPart,
    ViewRows,
};
pub use why::{AskWhyNot, Stage, StageTime, Why, WhyPassage};
