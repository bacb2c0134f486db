//! ZIP archives as document containers: parts by name, with a limit on the unpacked bytes.
//!
//! An archive may state wrong sizes, so the actual output is counted, for all parts together. Nothing outside the
//! archive is opened.

use std::borrow::Cow;
use std::io::{self, Cursor, Read, Write};

use oriel_core::notice::Damage;
use oriel_core::{About, Failure, FailureCode, Kind, Notice};
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Limits, damaged, encoding, too_large, xml};

/// An archive, and the number of bytes that may still be unpacked from it.
pub(super) struct Package<'a> {
    kind: Kind,
    archive: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Package<'a> {
    /// Opens the archive of a document of this kind.
    pub(super) fn open(kind: Kind, bytes: &'a [u8], limits: &Limits) -> Result<Self, Failure> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged(kind, Damage::Incomplete))?;
        Ok(Self { kind, archive, left: limits.unpacked_bytes })
    }

    /// The names of all members in the archive's order; empty for names that cannot be decoded.
    pub(super) fn names(&self) -> Vec<String> {
        self.archive.file_names().map(|name| name.map(Cow::into_owned).unwrap_or_default()).collect()
    }

    /// The decoded names of all members. Many programs do not record their encoding.
    pub(super) fn decoded_names(&self) -> Vec<String> {
        let raw: Vec<&[u8]> = self.archive.file_names_raw().collect();
        match encoding::of_names(&raw.concat()) {
            Some(encoding) => {
                raw.iter().map(|name| encoding.decode_without_bom_handling(name).0.into_owned()).collect()
            }
            None => self.names(),
        }
    }

    /// The bytes of a part; `None` if it does not exist.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        match self.archive.index_for_name(name) {
            Some(index) => self.bytes_at(index).map(Some),
            None => Ok(None),
        }
    }

    /// The bytes of the member with this index.
    pub(super) fn bytes_at(&mut self, index: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.unpack(index, &mut bytes)?;
        Ok(bytes)
    }

    /// Counts the member with this index.
    pub(super) fn skip(&mut self, index: usize) -> Result<(), Failure> {
        self.unpack(index, &mut io::sink())
    }

    /// Whether the member with this index is a symbolic link.
    pub(super) fn is_link(&mut self, index: usize) -> bool {
        self.archive.by_index_raw(index).is_ok_and(|member| member.is_symlink())
    }

    fn unpack(&mut self, index: usize, into: &mut impl Write) -> Result<(), Failure> {
        let kind = self.kind;
        let member = self.archive.by_index(index).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => needs_password(),
            ZipError::UnsupportedArchive(_) => unsupported_compression(),
            _ => damaged(kind, Damage::PartPacked),
        })?;
        unpack(member, &mut self.left, into).map_err(|_| damaged(kind, Damage::PartPacked))?
    }

    /// The text of a part; `None` if it does not exist.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<String>, Failure> {
        Ok(self.bytes(name)?.map(|bytes| encoding::decode(&bytes, encoding::declared(&bytes))))
    }

    /// The relations of `part` in Office Open XML; those of the whole package if `part` is empty.
    pub(super) fn relations(&mut self, part: &str) -> Result<Vec<Relation>, Failure> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let Some(text) = self.part(&format!("{prefix}_rels/{file}.rels"))? else { return Ok(Vec::new()) };
        let mut relations = Vec::new();
        let read = xml::each(&text, |element| {
            let value = |name| xml::attribute(element, name).unwrap_or_default();
            if element.local_name().as_ref() == "Relationship" && value("TargetMode") != "External" {
                let kind = value("Type").rsplit('/').next().unwrap_or_default().to_owned();
                relations.push(Relation { id: value("Id"), kind, target: resolve(folder, &value("Target")) });
            }
        });
        read.map_err(|_| damaged(self.kind, Damage::PartsNotLinked))?;
        Ok(relations)
    }

    /// The main part of Office Open XML, with its name.
    pub(super) fn main(&mut self, usual: &str) -> Result<(String, String), Failure> {
        let relations = self.relations("")?;
        let main = relations.into_iter().find(|relation| relation.kind == "officeDocument");
        let name = main.map_or_else(|| usual.to_owned(), |relation| relation.target);
        let text = self.part(&name)?.ok_or_else(|| damaged(self.kind, Damage::MainPartMissing))?;
        Ok((name, text))
    }

    /// The document's metadata from a part in Dublin Core; empty if the part is damaged or missing.
    pub(super) fn about(&mut self, part: &str) -> About {
        self.part(part).ok().flatten().map(|text| xml::about(&text)).unwrap_or_default()
    }
}

/// Unpacks `reader`. The output is subtracted from `left`; the inner error means that it exceeds `left`.
pub(super) fn unpack(
    reader: impl Read,
    left: &mut u64,
    into: &mut impl Write,
) -> io::Result<Result<(), Failure>> {
    let unpacked = io::copy(&mut reader.take(left.saturating_add(1)), into)?;
    let is_within = unpacked <= *left;
    *left = left.saturating_sub(unpacked);
    Ok(if is_within { Ok(()) } else { Err(too_large()) })
}

/// The failure of a part with an unsupported compression.
pub(super) fn unsupported_compression() -> Failure {
    Failure::new(FailureCode::Broken, Notice::PackedOtherwise)
}

/// The failure of a file that is protected by a password.
pub(super) fn needs_password() -> Failure {
    Failure::new(FailureCode::Encrypted, Notice::OfficeWantsPassword)
}

/// An entry of a relationships part.
pub(super) struct Relation {
    pub(super) id: String,
    /// The last word of the type's URI: the two versions of the format differ only in the rest.
    pub(super) kind: String,
    /// The part's name in the archive.
    pub(super) target: String,
}

/// The name of the part that `target` refers to from a part in `folder`.
pub(super) fn resolve(folder: &str, target: &str) -> String {
    let mut names: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.retain(|name| !name.is_empty());
    names.join("/")
}
