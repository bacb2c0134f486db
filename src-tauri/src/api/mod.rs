//! What crosses the border to the UI and is the app's own: settings, models, folders, maintenance, and the one error type. What
//! all fronts share is in `oriel_api`.
//!
//! These are plain data without decisions. The list of commands is in `commands::registry`. The TypeScript in
//! `ui/src/ipc/types.ts` is generated from both, and the test `typescript` fails when it is out of date.

mod conversations;
mod error;
mod evaluation;
mod folders;
mod maintenance;
mod models;
mod programs;
mod settings;
mod start;

pub use conversations::*;
pub use error::{ErrorKind, IpcError};
pub use evaluation::*;
pub use folders::*;
pub use maintenance::*;
pub use models::*;
pub use programs::*;
pub use settings::*;
pub use start::*;
