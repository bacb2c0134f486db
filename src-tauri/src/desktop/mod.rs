//! The app on the desktop: its window, the tray, the system's dialogs, and what is sent to the UI.
//!
//! This room reports upwards and calls nothing above it. A drop on the window or a choice in the tray goes to a function
//! that `lib.rs` hands in. `window` makes the app window, `window_events` handles what the desktop does to it, and `page`
//! reloads the page in it after a crash. `pdf_protocol` serves the bytes of PDFs to the viewer. `dialogs` asks for files
//! and folders. `publish` sends events, with the `library_state` and the `engine_line`, and `conversation_list` those that keep the
//! UI's list of conversations up to date.

pub(crate) mod conversation_list;
pub(crate) mod dialogs;
pub(crate) mod engine_line;
mod library_state;
#[cfg(target_os = "linux")]
pub(crate) mod page;
pub(crate) mod pdf_protocol;
pub(crate) mod publish;
pub(crate) mod tray;
pub(crate) mod window;
pub(crate) mod window_events;
