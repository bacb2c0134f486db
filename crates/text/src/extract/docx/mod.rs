//! Word documents (Office Open XML): the package and its parts.
//!
//! Finds the parts with text in the archive; [`body`] reads them. Nothing outside the archive is opened. Sizes are
//! counted while unpacking, since an archive may state wrong ones.

mod body;

use std::io::{Cursor, Read};

use oriel_core::notice::WordDamage;
use oriel_core::{Failure, FailureCode, Notice};
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Limits, encoding, html, too_large};

/// The text of a document: its body, then footnotes and endnotes.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<String, Failure> {
    let mut package = Package::open(bytes, *limits)?;
    let main = package
        .relations("")?
        .into_iter()
        .find(|relation| relation.kind == "officeDocument")
        .map_or_else(|| "word/document.xml".to_owned(), |relation| relation.target);
    let Some(xml) = package.part(&main)? else {
        return Err(broken(WordDamage::MainPartMissing));
    };
    let relations = package.relations(&main)?;
    let document = body::read(&xml, limits.text_bytes)?;
    let mut text = document.text;
    // Parts included as they are.
    for id in document.imported {
        let Some(relation) = relations.iter().find(|relation| relation.id == id) else { continue };
        let is_html = relation.target.ends_with(".htm") || relation.target.ends_with(".html");
        if is_html && let Some(part) = package.bytes(&relation.target)? {
            append(&mut text, &html::extract(&part, limits)?);
        }
    }
    for kind in ["footnotes", "endnotes"] {
        for relation in relations.iter().filter(|relation| relation.kind == kind) {
            if let Some(xml) = package.part(&relation.target)? {
                append(&mut text, &body::read(&xml, limits.text_bytes)?.text);
            }
        }
    }
    Ok(text)
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

fn broken(what: WordDamage) -> Failure {
    Failure::new(FailureCode::Broken, Notice::WordDamaged { what })
}

/// An entry of a relationships part.
struct Relation {
    id: String,
    /// The last word of the type's address: the two generations of the format differ only in the rest.
    kind: String,
    /// The part's name in the archive.
    target: String,
}

struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl<'a> Package<'a> {
    fn open(bytes: &'a [u8], limits: Limits) -> Result<Self, Failure> {
        let archive =
            ZipArchive::new(Cursor::new(bytes)).map_err(|_| broken(WordDamage::ArchiveIncomplete))?;
        Ok(Self { archive, left: limits.unpacked_bytes })
    }

    /// The part's bytes, or `None` if there is no such part.
    fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let member = match self.archive.by_name(name) {
            Ok(member) => member,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(_) => return Err(broken(WordDamage::PartPacked)),
        };
        let mut bytes = Vec::new();
        member.take(self.left + 1).read_to_end(&mut bytes).map_err(|_| broken(WordDamage::PartPacked))?;
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok(Some(bytes))
    }

    fn part(&mut self, name: &str) -> Result<Option<String>, Failure> {
        Ok(self.bytes(name)?.map(|bytes| encoding::decode(&bytes, None)))
    }

    /// The relations of `part`, or of the whole package if it is empty.
    fn relations(&mut self, part: &str) -> Result<Vec<Relation>, Failure> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let Some(xml) = self.part(&format!("{prefix}_rels/{file}.rels"))? else { return Ok(Vec::new()) };
        let mut reader = Reader::from_str(&xml);
        let mut relations = Vec::new();
        loop {
            match reader.read_event().map_err(|_| broken(WordDamage::PartsNotLinked))? {
                Event::Start(element) | Event::Empty(element)
                    if element.local_name().as_ref() == "Relationship" =>
                {
                    let value = |name| body::attribute(&element, name).unwrap_or_default();
                    let target = value("Target");
                    let target = match target.strip_prefix('/') {
                        Some(absolute) => absolute.to_owned(),
                        None => format!("{prefix}{target}"),
                    };
                    if value("TargetMode") != "External" {
                        let kind = value("Type").rsplit('/').next().unwrap_or_default().to_owned();
                        relations.push(Relation { id: value("Id"), kind, target });
                    }
                }
                Event::Eof => return Ok(relations),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
