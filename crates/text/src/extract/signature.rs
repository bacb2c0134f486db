//! What the bytes of a file show of its format.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::{Cursor, Read};

use oriel_core::Kind;
use oriel_core::notice::FileLooks;
use zip::ZipArchive;

/// A PDF header may come after this many other bytes.
const PDF_HEADER_WITHIN: usize = 1024;
/// Names and root elements are searched in this many bytes.
const HEAD_BYTES: usize = 4096;
const COMPOUND_FILE: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// How a format is recognised.
#[derive(Clone, Copy)]
pub(super) enum Signature {
    /// By its members, regardless of the name.
    Zip(fn(&Content<'_>) -> bool),
    /// By the entries of the compound file, regardless of the name.
    Compound(fn(&Content<'_>) -> bool),
    /// By its beginning, regardless of the name.
    Bytes(fn(&Content<'_>) -> bool),
    /// It is text, and its name or its beginning matches.
    Text(fn(&Content<'_>) -> bool),
    /// It is text, and its name matches.
    Name,
}

/// The bytes of a file, and properties that are computed when needed.
pub(super) struct Content<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) promised: Kind,
    head: String,
    members: OnceCell<(Vec<String>, String)>,
    entries: OnceCell<Vec<String>>,
}

impl<'a> Content<'a> {
    /// The content of a file; `promised` is the kind by its name.
    pub(super) fn new(promised: Kind, bytes: &'a [u8]) -> Self {
        let head = super::encoding::decode(&bytes[..bytes.len().min(HEAD_BYTES)], None);
        let head = head.trim_start_matches('\u{FEFF}').trim_start().to_owned();
        Self { bytes, promised, head, members: OnceCell::new(), entries: OnceCell::new() }
    }

    pub(super) fn is_zip(&self) -> bool {
        self.bytes.starts_with(b"PK\x03\x04") || self.bytes.starts_with(b"PK\x05\x06")
    }

    pub(super) fn is_compound(&self) -> bool {
        self.bytes.starts_with(COMPOUND_FILE)
    }

    /// Whether it can be text in some encoding.
    pub(super) fn is_text(&self) -> bool {
        let is_binary = self.is_zip() || self.is_compound() || self.bytes.starts_with(b"%PDF-");
        !is_binary && guess_binary_format(self.bytes).is_none()
    }

    /// The names of the members of an archive, and the content of its member `mimetype`.
    fn members(&self) -> &(Vec<String>, String) {
        self.members.get_or_init(|| {
            let Ok(mut archive) = ZipArchive::new(Cursor::new(self.bytes)) else { return Default::default() };
            let names = archive.file_names().flatten().map(Cow::into_owned).collect();
            let mut mimetype = String::new();
            if let Ok(member) = archive.by_name("mimetype") {
                // A member that is not text is not a type.
                let _ = member.take(200).read_to_string(&mut mimetype);
            }
            (names, mimetype)
        })
    }

    /// Whether an archive has a member whose name begins with `prefix`.
    pub(super) fn has_member(&self, prefix: &str) -> bool {
        self.members().0.iter().any(|name| name.starts_with(prefix))
    }

    /// Whether it is Office Open XML with its main part in this folder.
    pub(super) fn is_office(&self, folder: &str) -> bool {
        self.has_member("[Content_Types].xml") && self.has_member(folder)
    }

    /// Whether an archive declares this type.
    pub(super) fn is_of_type(&self, mimetype: &str) -> bool {
        self.members().1.starts_with(mimetype)
    }

    /// Whether a compound file has this entry at its root.
    pub(super) fn has_entry(&self, name: &str) -> bool {
        self.entries().iter().any(|entry| entry == name)
    }

    /// The entries at the root of a compound file; none if it is damaged.
    pub(super) fn entries(&self) -> &[String] {
        self.entries.get_or_init(|| {
            let file = cfb::CompoundFile::open(Cursor::new(self.bytes));
            file.map_or_else(
                |_| Vec::new(),
                |file| file.read_root_storage().map(|entry| entry.name().to_owned()).collect(),
            )
        })
    }

    /// Whether the file begins with `text`, after white space.
    pub(super) fn begins(&self, text: &str) -> bool {
        self.head.starts_with(text)
    }

    /// Whether it is XML with this root element.
    pub(super) fn has_root(&self, name: &str) -> bool {
        self.head.starts_with('<') && root(&self.head) == Some(name)
    }

    /// Whether its beginning contains `text`.
    pub(super) fn mentions(&self, text: &str) -> bool {
        self.head.contains(text)
    }
}

/// Whether it begins like a PDF file; if its name is that of a PDF, other bytes may come first.
pub(super) fn is_pdf(file: &Content<'_>) -> bool {
    let within = if file.promised == Kind::Pdf { PDF_HEADER_WITHIN } else { 5 };
    contains(&file.bytes[..file.bytes.len().min(within)], b"%PDF-")
}

/// Whether it is a data file of Outlook (PST or OST).
pub(super) fn is_outlook_data(file: &Content<'_>) -> bool {
    file.bytes.starts_with(b"!BDN")
}

/// Whether it begins like an HTML page.
pub(super) fn is_page(file: &Content<'_>) -> bool {
    let head = file.head.to_ascii_lowercase();
    head.starts_with("<!doctype html") || head.starts_with("<html") || file.has_root("html")
}

/// Whether it begins with the headers of a mail.
pub(super) fn is_mail(file: &Content<'_>) -> bool {
    const USUAL: [&str; 8] =
        ["from", "to", "subject", "date", "received", "return-path", "message-id", "mime-version"];
    let names = file.head.lines().take_while(|line| !line.trim().is_empty());
    let names = names.filter_map(|line| line.split_once(':'));
    names.filter(|(name, _)| USUAL.contains(&&*name.to_ascii_lowercase())).count() >= 3
}

/// The local name of the first element of an XML text.
fn root(xml: &str) -> Option<&str> {
    let mut rest = xml;
    loop {
        let at = rest.find('<')?;
        let tag = &rest[at + 1..];
        let end = match tag.as_bytes().first()? {
            b'?' => tag.find("?>")?,
            b'!' if tag.starts_with("!--") => tag.find("-->")?,
            b'!' => tag.find('>')?,
            _ => {
                let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()?;
                return Some(name.rsplit(':').next().unwrap_or(name));
            }
        };
        rest = &tag[end..];
    }
}

/// What binary data seems to be.
fn guess_binary_format(bytes: &[u8]) -> Option<FileLooks> {
    let magic: [(&[u8], FileLooks); 9] = [
        (b"\x89PNG", FileLooks::Picture),
        (b"\xFF\xD8\xFF", FileLooks::Picture),
        (b"GIF8", FileLooks::Picture),
        (b"\x1F\x8B", FileLooks::Packed),
        (b"\x1F\x9D", FileLooks::Packed),
        (b"7z\xBC\xAF", FileLooks::Packed),
        (b"Rar!\x1A", FileLooks::Packed),
        (b"MZ\x90\0", FileLooks::Program),
        (b"\x7FELF", FileLooks::Program),
    ];
    magic.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|&(_, looks)| looks)
}

/// What the content seems to be.
pub(super) fn guess_format(content: &Content<'_>) -> Option<FileLooks> {
    if let Some(looks) = guess_binary_format(content.bytes) {
        return Some(looks);
    }
    if content.begins("%!PS") {
        return Some(FileLooks::PostScript);
    }
    if content.begins("<?xml") {
        return Some(FileLooks::Xml);
    }
    let is_odd = |c: char| c.is_control() && !c.is_whitespace();
    let is_text = content.is_text() && !content.head.is_empty() && !content.head.contains(is_odd);
    is_text.then_some(FileLooks::PlainText)
}

pub(super) fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
