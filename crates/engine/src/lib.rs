//! What Oriel does with documents: keeps a library in step with its folders, finds the passages that matter, answers.
//!
//! It owns every decision between a question and an answer. It knows the store, the text and core's model traits; it
//! knows no model library, no window and no terminal. One direction: folders fill the store, questions read it.

mod answer;
mod backup;
mod check;
mod citations;
mod compare;
mod confidence;
mod conversation;
mod conversations;
mod doctor;
mod documents;
mod embed;
mod error;
mod exchange;
mod excludes;
mod export;
mod extraction;
mod filter;
#[cfg(test)]
mod fixture;
mod folders;
mod followup;
mod index;
mod languages;
mod library;
mod marks;
mod mentions;
mod overview;
mod pace;
mod prompt;
mod query;
mod quotes;
mod rank;
mod read;
mod remember;
mod repair;
mod replace;
mod restore;
mod retrieve;
mod scan;
mod search;
#[cfg(test)]
mod sync_tests;
mod trace;
mod trees;
mod unread;
mod walk;
mod watch;
mod whereabouts;
mod why_not;
mod window;

pub use answer::{AnswerEvent, Answered, answer};
pub use backup::BackedUp;
pub use check::supports;
pub use confidence::LEAST as LEAST_CONFIDENCE;
pub use conversation::{Conversation, ConversationId, Missing, NoConversationId, PassageDocument, Turn};
pub use conversations::{ConversationError, ConversationRow, Conversations};
pub use doctor::Findings;
pub use documents::{DocumentFailure, DocumentRow, DocumentText, Freshness};
pub use error::EngineError;
pub use export::{ExportWording, export_markdown};
pub use extraction::ExtractorLimits;
pub use filter::Filter;
pub use followup::standalone;
pub use index::{DocumentChange, IndexProgress, IndexReport, LazyEmbedder};
pub use library::{FolderNote, Library, Status, default_library};
pub use mentions::{Mention, MentionPage, MentionWord, MentioningDocument, Mentions, named_words};
pub use oriel_store::Compacted;
pub use oriel_text::{Mark, Piece, visible};
pub use overview::{FolderOverview, Overview};
pub use pace::Pace;
pub use query::Query;
pub use rank::RerankMode;
pub use remember::Remembering;
pub use repair::Repaired;
pub use replace::replace_file;
pub use restore::{Restored, Unpacked, restore, unpack_backup};
pub use retrieve::Mode;
pub use search::{SearchModels, SearchResult};
pub use trace::{Fate, Place, Trace, TracedPassage, TracedPrompt};
pub use unread::Unread;
pub use watch::{Timed, Watch};
pub use why_not::{BestSentence, Condition, Needed, Standing, WhyNot};
pub use window::Window;
