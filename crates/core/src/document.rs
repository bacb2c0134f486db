//! Documents, their formats, and the reasons why reading one can fail.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::notice::{Notice, lenient};

/// Declares the kinds. Each entry has its name in `--kind` and in the store, and its file extensions.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal [$($extension:literal)*])*) => {
        /// The format of a document, named as in `--kind`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts", rename = "DocumentKind"))]
        pub enum Kind {
            $($(#[doc = $doc])* #[serde(rename = $name)] $kind,)*
        }

        impl Kind {
            /// Every kind, in the order in which help texts list them.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name in the command line and in the store.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Its file extensions, in lower case.
            #[must_use]
            pub const fn extensions(self) -> &'static [&'static str] {
                match self {
                    $(Self::$kind => &[$($extension),*],)*
                }
            }
        }
    };
}

kinds! {
    /// Markdown; the text is the file itself, without comments.
    Markdown "md" ["md" "markdown" "mdown" "mkd" "mdx" "qmd" "rmd"]
    /// Plain text in any encoding; for UTF-8 the text is the file itself, unless it is a chat.
    Text "txt" ["txt" "text" "log" "me" "nfo" "asc"]
    /// HTML; the text is what a browser would show.
    Html "html" ["html" "htm" "xhtml"]
    /// PDF.
    Pdf "pdf" ["pdf"]
    /// Pages, Numbers, Keynote; the text comes from the PDF inside.
    Iwork "iwork" ["pages" "numbers" "key"]
    /// An image; its text is recognised.
    Image "image" ["png" "jpg" "jpeg" "tif" "tiff" "webp" "bmp"]
    /// Word (Office Open XML).
    Docx "docx" ["docx" "docm" "dotx" "dotm"]
    /// PowerPoint (Office Open XML); each slide is a page.
    Pptx "pptx" ["pptx" "pptm" "ppsx" "ppsm" "potx"]
    /// Excel (Office Open XML, also binary); each sheet is a page.
    Xlsx "xlsx" ["xlsx" "xlsm" "xltx" "xltm" "xlsb"]
    /// OpenDocument text.
    Odt "odt" ["odt" "ott" "fodt"]
    /// OpenDocument presentation; each slide is a page.
    Odp "odp" ["odp" "otp" "fodp"]
    /// OpenDocument spreadsheet; each sheet is a page.
    Ods "ods" ["ods" "ots" "fods"]
    /// Word before 2007.
    Doc "doc" ["doc"]
    /// PowerPoint before 2007.
    Ppt "ppt" ["ppt" "pps"]
    /// Excel before 2007; each sheet is a page.
    Xls "xls" ["xls" "xlt"]
    /// Rich text.
    Rtf "rtf" ["rtf"]
    /// Values separated by commas or other separators; a row is a line, with tabs between cells.
    Csv "csv" ["csv"]
    /// Tab-separated values.
    Tsv "tsv" ["tsv" "tab"]
    /// An electronic book; each chapter is a page.
    Epub "epub" ["epub"]
    /// An electronic book in FictionBook's XML.
    Fb2 "fb2" ["fb2"]
    /// A mail; its attachments are members.
    Eml "eml" ["eml" "emlx"]
    /// A mailbox; its mails are members. Outlook's data files are recognised, but not read.
    Mbox "mbox" ["mbox" "mbx" "pst" "ost"]
    /// A mail of Outlook; its attachments are members.
    Msg "msg" ["msg"]
    /// A calendar; each event or task is a block.
    Calendar "ics" ["ics" "ical" "ifb" "vcs"]
    /// Address cards; each is a block.
    Card "vcf" ["vcf" "vcard"]
    /// A web page with its images and styles in one file.
    Mhtml "mhtml" ["mhtml" "mht"]
    /// reStructuredText; the text is the file itself, without comments.
    Rst "rst" ["rst" "rest"]
    /// AsciiDoc; the text is the file itself, without comments.
    AsciiDoc "adoc" ["adoc" "asciidoc"]
    /// Org mode; the text is the file itself, without comments.
    Org "org" ["org"]
    /// LaTeX; the text is the file itself, without comments.
    Latex "tex" ["tex" "latex" "ltx"]
    /// Source code and settings; the text is the file itself.
    Code "code" [
        "adb" "asm" "awk" "bash" "bat" "c" "cc" "cfg" "clj" "cljs" "cmake" "cmd" "conf" "cpp" "cs" "css" "cxx" "d" "dart"
        "diff" "dot" "el" "elm" "erl" "ex" "exs" "f" "f90" "fs" "gd" "go" "gradle" "graphql" "groovy" "h" "hcl" "hpp" "hs" "ini"
        "java" "jl" "js" "jsx" "kt" "kts" "less" "lisp" "lua" "m" "mjs" "ml" "mli" "mm" "nim" "nix" "pas" "patch" "php" "pl"
        "pm" "properties" "proto" "ps1" "py" "pyi" "r" "rb" "rs" "sass" "scala" "scm" "scss" "sh" "sol" "sql" "svelte"
        "swift" "tcl" "tf" "toml" "ts" "tsx" "v" "vb" "vhd" "vim" "vue" "zig" "zsh"
    ]
    /// JSON; each value with its path of names, a chat as messages.
    Json "json" ["json" "jsonl" "ndjson" "geojson"]
    /// YAML; the text is the file itself.
    Yaml "yaml" ["yaml" "yml"]
    /// XML that is no other kind; the text is the file itself.
    Xml "xml" ["xml" "xsd" "xsl" "xslt" "opml" "rss" "atom" "plist" "kml" "gpx"]
    /// A Jupyter notebook; the text is Markdown with its code and its output in fences.
    Notebook "ipynb" ["ipynb"]
    /// SubRip subtitles; the text is what is said.
    Srt "srt" ["srt"]
    /// WebVTT subtitles; the text is what is said.
    Vtt "vtt" ["vtt"]
    /// An archive or a compressed file; its files are members.
    Archive "zip" ["zip" "7z" "rar" "tar" "tgz" "txz" "tbz" "tbz2" "tzst" "gz" "xz" "bz2" "zst"]
}

/// File names without an extension that are text.
const TEXT_NAMES: &[&str] = &[
    "readme",
    "license",
    "licence",
    "copying",
    "changelog",
    "changes",
    "authors",
    "contributing",
    "notice",
    "todo",
];

/// File names without an extension that are code.
const CODE_NAMES: &[&str] = &["makefile", "dockerfile", "gemfile", "rakefile", "jenkinsfile", "justfile"];

/// File names without an extension that are mailboxes of Thunderbird and other programs.
const MAILBOX_NAMES: &[&str] = &[
    "inbox",
    "sent",
    "sent items",
    "sent messages",
    "drafts",
    "templates",
    "archive",
    "archives",
    "junk",
    "spam",
    "trash",
    "unsent messages",
    "outbox",
    "mbox",
];

/// Folders in which programs keep mailboxes without an extension.
const MAIL_FOLDERS: &[&str] = &["local folders", "imapmail"];

/// The kind of a file without an extension that a mail program keeps: a mailbox, or a mail in the folder `cur` or `new`
/// of a Maildir.
fn mail_kind(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_str()?;
    let folder = path
        .parent()?
        .file_name()
        .and_then(|folder| folder.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    // Maildir names begin with the time of delivery and a point; the rest makes the name unique.
    let is_delivered = name.split_once('.').is_some_and(|(time, rest)| {
        !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit()) && !rest.is_empty()
    });
    if matches!(folder.as_str(), "cur" | "new") && is_delivered {
        return Some(Kind::Eml);
    }
    let mut folders = path.ancestors().skip(1).filter_map(|folder| folder.file_name()?.to_str());
    let is_mail_folder = |folder: &str| {
        let folder = folder.to_ascii_lowercase();
        folder.ends_with(".sbd") || MAIL_FOLDERS.contains(&folder.as_str())
    };
    let is_bare = path.extension().is_none();
    let is_mailbox =
        MAILBOX_NAMES.contains(&name.to_ascii_lowercase().as_str()) || folders.any(is_mail_folder);
    (is_bare && is_mailbox).then_some(Kind::Mbox)
}

impl Kind {
    /// The kind by the name of a file, or `None` if Oriel does not read such files.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        if let Some(kind) = mail_kind(path) {
            return Some(kind);
        }
        let Some(extension) = path.extension() else {
            let name = path.file_name()?.to_str()?.to_ascii_lowercase();
            let named = [(TEXT_NAMES, Self::Text), (CODE_NAMES, Self::Code)];
            return named.into_iter().find(|(names, _)| names.contains(&&*name)).map(|(_, kind)| kind);
        };
        let extension = extension.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().copied().find(|kind| kind.extensions().contains(&&*extension))
    }

    /// Whether its text is Markdown.
    #[must_use]
    pub const fn is_markdown(self) -> bool {
        matches!(self, Self::Markdown | Self::Notebook)
    }

    /// Whether it is a single mail, which has a sender and a date.
    #[must_use]
    pub const fn is_mail(self) -> bool {
        matches!(self, Self::Eml | Self::Msg)
    }

    /// Whether it is read only for its members; its text is then the list of their names.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Archive | Self::Mbox)
    }

    /// Whether the app shows its pages as a PDF: the file itself, the PDF inside, or one made of its images.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        matches!(self, Self::Pdf | Self::Iwork | Self::Image)
    }

    /// Whether its pages are sheets, each with a name and numbered rows.
    #[must_use]
    pub const fn is_workbook(self) -> bool {
        matches!(self, Self::Xlsx | Self::Ods | Self::Xls)
    }

    /// Whether its pages are separate texts, as slides and sheets are: no window crosses from one into the next.
    #[must_use]
    pub const fn has_separate_pages(self) -> bool {
        matches!(self, Self::Pptx | Self::Odp | Self::Ppt) || self.is_workbook()
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
        Self::ALL.iter().copied().find(|kind| kind.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
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
    /// The file cannot be opened: permissions, a broken disk, or it was just deleted.
    Unreadable,
    /// The file is not what its name says, or is too damaged to read.
    Broken,
    /// The file is protected by a password.
    Encrypted,
    /// The file contains images of text and no text.
    NeedsOcr,
    /// The file's text is garbled: its fonts do not map to characters, or its encoding is wrong.
    Garbled,
    /// The file, or its unpacked content, exceeds the limits.
    TooLarge,
    /// Reading took too long.
    TimedOut,
    /// The process that read it died.
    Crashed,
}

impl FailureCode {
    /// Whether text recognition can read the file.
    #[must_use]
    pub const fn needs_recognition(self) -> bool {
        matches!(self, Self::NeedsOcr | Self::Garbled)
    }

    /// The name in JSON output.
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

/// Why one document could not be read: a code, and a reason that the user can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(from = "KeptFailure", into = "KeptFailure")]
#[error("{reason}")]
pub struct Failure {
    pub code: FailureCode,
    /// What happened and, if possible, what to do; without the path.
    pub reason: Notice,
}

impl Failure {
    #[must_use]
    pub fn new(code: FailureCode, reason: Notice) -> Self {
        Self { code, reason }
    }
}

/// A failure as stored; older versions read only the English sentence in `reason`.
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
    fn the_name_of_a_file_promises_its_kind() {
        let kind = |name: &str| Kind::of_path(Path::new(name));
        assert_eq!(kind("a/b.MD"), Some(Kind::Markdown));
        assert_eq!(kind("a/README"), Some(Kind::Text));
        assert_eq!(kind("Makefile"), Some(Kind::Code));
        assert_eq!(kind("a.tar.gz"), Some(Kind::Archive));
        assert_eq!(kind("a.ZIP"), Some(Kind::Archive));
        assert_eq!(kind("readme/photo"), None);
        assert_eq!(kind("Mail/Local Folders/Archive.sbd/2023"), Some(Kind::Mbox));
        assert_eq!(kind("Mail/Sent"), Some(Kind::Mbox));
        assert_eq!(kind("Maildir/cur/1690.M1P2.host:2,S"), Some(Kind::Eml));
        assert_eq!(kind("Local Folders/Inbox.msf"), None);
        let mut extensions: Vec<_> = Kind::ALL.iter().flat_map(|kind| kind.extensions()).collect();
        extensions.sort_unstable();
        assert!(extensions.windows(2).all(|pair| pair[0] != pair[1]), "an ending promises one kind");
    }

    #[test]
    fn failures_of_older_versions_are_read_and_older_versions_read_ours() {
        let old: Failure = serde_json::from_str(r#"{"code":"broken","reason":"It is odd."}"#).unwrap();
        assert_eq!(old, Failure::new(FailureCode::Broken, Notice::text("It is odd.")));
        let new = Failure::new(FailureCode::Encrypted, Notice::PdfWantsPassword);
        let json = serde_json::to_value(&new).unwrap();
        assert_eq!(
            json["reason"],
            "The PDF asks for a password; give it to Oriel, or save a copy without one."
        );
        assert_eq!(serde_json::from_value::<Failure>(json).unwrap(), new);
    }
}
