//! Sets up other programs: each has a file with the commands that it may start.

use std::path::{Path, PathBuf};

use oriel_engine::default_library;
use serde::Serialize;
use serde_json::Value;

/// A program whose setup Oriel knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Program {
    ClaudeDesktop,
    Cursor,
    LmStudio,
}

impl Program {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::ClaudeDesktop, Self::Cursor, Self::LmStudio];

    /// Its name, in every language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::LmStudio => "LM Studio",
        }
    }

    /// The file with the commands that it may start; `None` if the user has no home folder. It may not exist.
    pub fn file(self) -> Option<PathBuf> {
        Some(match self {
            Self::ClaudeDesktop => dirs::config_dir()?.join("Claude").join("claude_desktop_config.json"),
            Self::Cursor => dirs::home_dir()?.join(".cursor").join("mcp.json"),
            Self::LmStudio => dirs::home_dir()?.join(".lmstudio").join("mcp.json"),
        })
    }
}

/// Whether a program's file names Oriel.
pub fn is_set_up(file: &Path) -> bool {
    let read = || serde_json::from_slice::<Value>(&std::fs::read(file).ok()?).ok();
    read().is_some_and(|settings| settings["mcpServers"]["oriel"].is_object())
}

/// The lines for a program's file that let it ask the library in this folder: JSON in the form that all of them share. `None` if the
/// command `oriel` is not beside this executable.
pub fn setup_lines(library: &Path) -> Option<String> {
    let command =
        std::env::current_exe().ok()?.with_file_name(format!("oriel{}", std::env::consts::EXE_SUFFIX));
    command.is_file().then(|| lines(&command, library, default_library().as_deref()))
}

fn lines(command: &Path, library: &Path, default: Option<&Path>) -> String {
    let is_default =
        default.is_some_and(|default| default.canonicalize().is_ok_and(|default| default == library));
    let library = library.to_string_lossy();
    let arguments = if is_default { vec!["mcp"] } else { vec!["--library", &library, "mcp"] };
    let (command, arguments) = (Value::from(command.to_string_lossy()), Value::from(arguments));
    format!(
        "{{\n  \"mcpServers\": {{\n    \"oriel\": {{ \"command\": {command}, \"args\": {arguments} }}\n  }}\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_set_a_program_up() {
        let place = tempfile::tempdir().unwrap();
        let library = place.path().canonicalize().unwrap();
        let file = place.path().join("mcp.json");
        assert!(!is_set_up(&file));
        std::fs::write(&file, r#"{"mcpServers": {"other": {"command": "other"}}}"#).unwrap();
        assert!(!is_set_up(&file));
        let command = Path::new(r#"C:\Program "Files"\oriel.exe"#);
        for (default, arguments) in [(library.as_path(), 1), (Path::new("/elsewhere"), 3)] {
            let lines = lines(command, &library, Some(default));
            let settings: Value = serde_json::from_str(&lines).unwrap();
            let oriel = &settings["mcpServers"]["oriel"];
            assert_eq!(oriel["command"], command.to_string_lossy().as_ref());
            assert_eq!(oriel["args"].as_array().unwrap().len(), arguments);
            std::fs::write(&file, lines).unwrap();
            assert!(is_set_up(&file));
        }
    }
}
