//! What crosses the border to the UI: the payloads of commands and events, and the one error type.
//!
//! These are plain data without decisions. The list of commands is in `commands::registry`. The TypeScript in
//! `ui/src/ipc/types.ts` is generated from both, and the test `typescript` fails when it is out of date.

mod chat;
mod draft;
mod error;
mod evaluation;
mod library;
mod maintenance;
mod mentions;
mod programs;
mod rows;
mod scope;
mod settings;
mod start;
mod survey;
mod table;
mod text;
mod viewer;
mod why;

pub use chat::*;
pub use draft::*;
pub use error::{ErrorKind, IpcError, with_way_out};
pub use evaluation::*;
pub use library::*;
pub use maintenance::*;
pub use mentions::*;
pub use programs::*;
pub use rows::*;
pub use scope::*;
pub use settings::*;
pub use start::*;
pub use survey::*;
pub use table::*;
pub use text::*;
pub use viewer::*;
pub use why::*;
