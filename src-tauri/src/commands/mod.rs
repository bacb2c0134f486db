//! The commands of the UI: one list, and a handler for each.
//!
//! `registry` declares the commands with their payloads. The other files hold the handlers, by subject. Handlers are thin:
//! they take the session and ask `oriel_api`. Some share what belongs to no other room: `closed_library`
//! closes the library for work that needs it closed and opens it again, `reopen` does so after a disk failed, and
//! `yield_guard` holds the indexing while a user waits.

mod ask;
mod closed_library;
mod conversations;
mod documents;
mod downloads;
mod draft;
pub(crate) mod drops;
mod evaluation;
mod folders;
pub(crate) mod indexing;
mod local_address;
mod maintenance;
mod models;
mod programs;
mod registry;
mod remote_index;
pub(crate) mod reopen;
mod settings;
mod start;
mod table;
mod viewer;
mod yield_guard;

pub(crate) use registry::handler;
