//! Documents, and the ways in which reading one can fail.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::notice::{Notice, lenient};

/// The format of a document, named as in `--kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "DocumentKind"))]
pub enum Kind {
    /// Markdown; the text is the file itself.
    #[serde(rename = "md")]
    Markdown,
    /// Plain text in any encoding; for UTF-8 the text is the file itself.
    #[serde(rename = "txt")]
    Text,
    /// HTML; the text a reader would see.
    Html,
    /// PDF.
    Pdf,
    /// Word (Office Open XML).
    Docx,
}

impl Kind {
    /// Every kind, in the order in which help texts list them.
    pub const ALL: [Self; 5] = [Self::Markdown, Self::Text, Self::Html, Self::Pdf, Self::Docx];

    /// The name in the command line and in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Text => "txt",
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
        }
    }

    /// The kind that a path's extension promises, or `None` if Oriel does not read such files.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "md" | "markdown" | "mdown" | "mkd" => Self::Markdown,
            "txt" | "text" | "log" | "rst" | "adoc" | "org" | "tex" => Self::Text,
            "html" | "htm" | "xhtml" => Self::Html,
            "pdf" => Self::Pdf,
            "docx" | "docm" => Self::Docx,
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|kind| kind.name()).collect();
            format!("unknown kind '{name}'; known are {}", known.join(", "))
        })
    }
}

/// Why a document could not be read, as a code for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "FailureKind"))]
pub enum FailureCode {
    /// The file cannot be opened: permissions, a broken disk, or it has just gone.
    Unreadable,
    /// The file is not what its name says, or damaged beyond reading.
    Broken,
    /// The file asks for a password.
    Encrypted,
    /// The file holds pictures of text and no text.
    NeedsOcr,
    /// The file's text is garbled (fonts without a map to characters, wrong encodings).
    Garbled,
    /// The file, or its unpacked content, exceeds the limits.
    TooLarge,
    /// Reading took longer than allowed.
    TimedOut,
    /// The process that read it died.
    Crashed,
}

impl FailureCode {
    /// The name that scripts see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Broken => "broken",
            Self::Encrypted => "encrypted",
            Self::NeedsOcr => "needs-ocr",
            Self::Garbled => "garbled",
            Self::TooLarge => "too-large",
            Self::TimedOut => "timed-out",
            Self::Crashed => "crashed",
        }
    }
}

/// A failure to read one document: a code, and a reason that a person can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(from = "KeptFailure", into = "KeptFailure")]
#[error("{reason}")]
pub struct Failure {
    /// What kind of failure it is.
    pub code: FailureCode,
    /// What happened and, if possible, what to do; without the path.
    pub reason: Notice,
}

impl Failure {
    /// A failure with its reason.
    #[must_use]
    pub fn new(code: FailureCode, reason: Notice) -> Self {
        Self { code, reason }
    }
}

/// A failure as stored: with the English sentence for older versions.
#[derive(Serialize, Deserialize)]
struct KeptFailure {
    code: FailureCode,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient")]
    notice: Option<Notice>,
}

impl From<Failure> for KeptFailure {
    fn from(Failure { code, reason }: Failure) -> Self {
        Self { code, notice: Some(reason.clone()).filter(Notice::has_code), reason: reason.to_string() }
    }
}

impl From<KeptFailure> for Failure {
    fn from(KeptFailure { code, reason, notice }: KeptFailure) -> Self {
        Self { code, reason: notice.unwrap_or(Notice::Text { text: reason }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_older_versions_are_read_and_older_versions_read_ours() {
        let old: Failure = serde_json::from_str(r#"{"code":"broken","reason":"It is odd."}"#).unwrap();
        assert_eq!(old, Failure::new(FailureCode::Broken, Notice::text("It is odd.")));
        let new = Failure::new(FailureCode::Encrypted, Notice::PdfWantsPassword);
        let json = serde_json::to_value(&new).unwrap();
        assert_eq!(json["reason"], "The PDF asks for a password; save a copy without one.");
        assert_eq!(serde_json::from_value::<Failure>(json).unwrap(), new);
    }
}
