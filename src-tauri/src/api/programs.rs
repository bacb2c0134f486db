//! Other programs that ask the library, and what they can see.

use oriel_api::{AskedByProgram, Program};
use oriel_core::Notice;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Programs that can ask this library, and what is hidden from them.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct Programs {
    /// Those whose setup Oriel knows.
    pub programs: Vec<ProgramRow>,
    /// The lines that set one up; `null` where the command `oriel` is not beside the app.
    pub lines: Option<String>,
    /// What the library follows.
    pub folders: Vec<VisibleFolder>,
    /// What is hidden inside of these.
    pub hidden: Vec<HiddenFolder>,
    /// The address at which programs on this computer ask by the API of OpenAI.
    pub local: LocalAddress,
    /// What they asked in the last thirty days, newest first.
    pub asked: Vec<AskedByProgram>,
}

/// A program that can start Oriel.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct ProgramRow {
    /// Which one.
    pub program: Program,
    /// Its name.
    pub name: &'static str,
    /// The file that the lines belong in, for people.
    pub file: String,
    /// Whether the file names Oriel.
    pub is_set_up: bool,
}

/// The address at which programs on this computer ask.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct LocalAddress {
    /// Whether the person has switched it on.
    pub is_on: bool,
    /// The port that the person chose.
    pub port: u16,
    /// The address, if somebody answers there.
    pub address: Option<String>,
    /// Why nobody does, although it is switched on.
    pub error: Option<Notice>,
    /// The file with the key, for people.
    pub file: String,
}

/// Switches the local address on or off.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct SetLocalAddress {
    /// Whether it is to be on.
    pub on: bool,
    /// Its port.
    pub port: u16,
}

/// The key of the local address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct LocalKey {
    /// What a program must know.
    pub key: String,
}

/// A followed folder as other programs see it.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct VisibleFolder {
    /// Its number in the library.
    pub id: u32,
    /// The last part of its path.
    pub name: String,
    /// Its whole path, for people.
    pub path: String,
    /// Documents in it that were read.
    pub documents: usize,
    /// Whether it is hidden as a whole.
    pub is_hidden: bool,
    /// Whether it can be hidden and shown by itself; a folder inside a hidden one cannot.
    pub can_change: bool,
}

/// A hidden folder or document.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct HiddenFolder {
    /// The last part of its path.
    pub name: String,
    /// Its whole path, for people.
    pub path: String,
    /// Documents in it that were read.
    pub documents: usize,
}

/// Hides a followed folder or shows it.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct HideFolder {
    /// Its number in the library.
    pub folder: u32,
    /// Whether to hide it.
    pub hide: bool,
}

/// Something hidden.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct HiddenRef {
    /// Its whole path as it was sent.
    pub path: String,
}
