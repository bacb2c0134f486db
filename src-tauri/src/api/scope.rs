//! Which documents a question looks at, as the window names them.

use oriel_core::Kind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which documents a question looks at; all where everything is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
#[ts(export_to = "types.ts")]
pub struct Scope {
    /// Documents, by number, with the names that the chips show.
    pub documents: Vec<Named>,
    /// Folders, by number, with the names that the chips show.
    pub folders: Vec<Named>,
    /// Formats.
    pub kinds: Vec<Kind>,
    /// Senders of mails, by name or address.
    pub from: Vec<String>,
    /// Changed, or for a mail sent, on this day or later, as `2024-01-31`.
    pub since: Option<String>,
    /// Changed or sent on this day or earlier, as `2024-01-31`.
    pub until: Option<String>,
    /// Names of what a kept question was limited to and is not in the library any more.
    pub gone: Vec<String>,
}

/// A number with the name that a person knows it by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Named {
    /// The number.
    pub id: u32,
    /// The name.
    pub name: String,
}
