//! The border between shell and window: every command, payload and event, declared once.
//!
//! The TypeScript in `ui/src/ipc/types.ts` is generated from here; the test `typescript` fails where it drifts. Nothing
//! here decides anything: payloads are plain data, and `commands` names what the rest of the shell does.

mod chat;
mod commands;
mod error;
mod keeping;
mod library;
mod mentions;
mod settings;
mod viewer;
mod why;

pub use chat::*;
pub(crate) use commands::handler;
#[cfg(test)]
pub(crate) use commands::{Commands, Events};
pub use error::{ErrorCode, IpcError};
pub use keeping::*;
pub use library::*;
pub use mentions::*;
pub use settings::*;
pub use viewer::*;
pub use why::*;

/// Sends an event of a command that streams; a window that does not hear it ends nothing.
pub(crate) fn send<T: tauri::ipc::IpcResponse>(events: &tauri::ipc::Channel<T>, event: T) {
    if let Err(error) = events.send(event) {
        tracing::debug!(%error, "the window did not hear");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ts_rs::{Config, TS as _};

    use super::{Commands, Events, IpcError};

    /// Fails where the generated TypeScript is not what the Rust says. `ORIEL_WRITE_TYPES=1 cargo test typescript`
    /// writes it.
    #[test]
    fn typescript() {
        let made = tempfile::tempdir().unwrap();
        let config = Config::new().with_out_dir(made.path());
        Commands::export_all(&config).unwrap();
        Events::export_all(&config).unwrap();
        IpcError::export_all(&config).unwrap();
        let made = std::fs::read_to_string(made.path().join("types.ts")).unwrap();
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/ipc/types.ts");
        if std::env::var_os("ORIEL_WRITE_TYPES").is_some() {
            std::fs::write(&kept, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&kept).unwrap_or_default();
        assert!(made == kept, "ui/src/ipc/types.ts is not what src-tauri/src/ipc says; run make types");
    }
}
