//! The engine: keeps a library up to date with its folders, finds passages, answers questions.
//!
//! The engine makes every decision between a folder, a question and an answer. It knows the store, the text and core's model
//! traits. It knows no model library, no app window and no terminal.
//!
//! The modules, from top to bottom. Each imports only from modules further down:
//!
//! - `sync` brings the store up to date with the folders, and watches them.
//! - `answer` makes an answer from passages. `conversation` keeps questions and answers.
//! - `search` finds the passages for a question.
//! - `question` decides what a question asks for.
//! - `maintenance` checks, repairs, compacts, backs up and restores a library.
//! - `extract` runs the worker process that turns a file into text.
//! - `library` is an open library and what it holds.
//! - `remote_index` connects to a remote index, which a library reads or publishes to.
//! - `files` and `error` are used by all of them.
//!
//! Inside the crate an item is imported from the module that defines it. The re-exports below are for other crates.

mod answer;
mod conversation;
mod error;
mod extract;
mod files;
mod library;
mod maintenance;
mod question;
mod remote_index;
mod search;
mod sync;
#[cfg(test)]
mod testing;

pub use answer::ask::answer;
pub use answer::draft::{DraftSentence, draft_sentences};
pub use answer::list::review;
pub use answer::prompt::prepare_answer;
pub use answer::table::AskedTable;
pub use answer::verify::{Verification, VerifiedPlace};
pub use answer::{AnswerEvent, AnswerModels, Answered};
pub use conversation::export::{ExportWording, export_markdown, markdown_line};
pub use conversation::store::{ConversationError, ConversationRow, Conversations};
pub use conversation::trial::{CitedQuestion, Trial, TriedQuestion};
pub use conversation::{Conversation, ConversationId, Missing, NoConversationId, Turn, now, title_of};
pub use error::EngineError;
pub use files::{absolute, replace_file};
pub use library::document_row::{DocumentFailure, DocumentRow};
pub use library::document_text::{DocumentText, Freshness, PassageDocument, RecognisedText};
pub use library::ignore_rules::IGNORE_FILE;
pub use library::limits::ExtractorLimits;
pub use library::overview::{FolderOverview, Overview, Timed};
pub use library::status::{FolderNote, Status};
pub use library::unsearchable::{OtherFiles, Unsearchable};
pub use library::{
    EVALUATION_FILE, Library, PROGRAMS_FILE, QUESTIONS_FILE, default_library, personal_folder,
};
pub use maintenance::backup::BackedUp;
pub use maintenance::check::Findings;
pub use maintenance::repair::Repaired;
pub use maintenance::restore::{Restored, Unpacked, restore, unpack_backup};
pub use oriel_core::Filter;
pub use oriel_endpoint::{ServerAddress, ServerKey};
pub use oriel_store::{Compacted, DocumentState, LeftOut, Previous};
pub use oriel_text::{Mark, Piece, visible};
pub use question::QueryPart;
pub use question::list::SurveyQuestion;
pub use remote_index::place::{IndexInfo, NewIndex};
pub use search::confidence::LEAST_CONFIDENCE;
pub use search::explain::{BestSentence, Condition, Needed, Standing, WhyNot};
pub use search::mentions::{
    Mention, MentionPage, MentionWord, MentioningDocument, Mentions, named_words, words_in,
};
pub use search::models::{QuestionModels, SearchModels};
pub use search::query::{Mode, Query, RerankMode};
pub use search::rerank_cache::CachedReranker;
pub use search::survey::{CERTAIN_MENTION, MIN_MENTION_SCORE, SurveyModels};
pub use search::trace::{Fate, StageRank, Trace, TracedPassage, TracedPrompt};
pub use search::window::Window;
pub use search::{FoundPart, SearchResult};
pub use sync::context::LazyEmbedder;
pub use sync::eta::Pace;
pub use sync::progress::{DocumentChange, IndexProgress, IndexReport};
pub use sync::publish::{LastPublished, PublishProgress, Published};
pub use sync::recognise::Recognition;
pub use sync::watch::Watch;
