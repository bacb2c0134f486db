//! Archives and compressed files: the files inside become members, which are read as documents of their own.
//!
//! One module for each format returns names and bytes, and [`Listing`] decides what becomes a member. Folders, links
//! and devices are skipped. If a member is damaged, locked or too large, only that member fails.
//!
//! All unpackers are libraries in pure Rust. Archives with a password are not supported.

mod compressed;
mod rar;
mod sevenz;
mod tar;
mod zip;

use std::io::Read;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::members::{MAX_MEMBERS, Members, inside, too_many_members};
use super::package::unpack;
use super::{Limits, encoding};

pub(super) use compressed::{extract as extract_compressed, is_compressed};
pub(super) use rar::{extract as extract_rar, is_rar};
pub(super) use sevenz::{extract as extract_sevenz, is_sevenz};
pub(super) use tar::{extract as extract_tar, is_tar};
pub(super) use zip::extract as extract_zip;

/// The bits of a Unix mode with the type of the file.
const TYPE_OF_FILE: u32 = 0o170_000;
/// The type of a symbolic link.
const LINK: u32 = 0o120_000;

/// The files of an archive, collected while it is read. The archive's own text is the list of all names.
struct Listing {
    names: String,
    count: usize,
    members: Members,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl Listing {
    fn new(limits: &Limits) -> Self {
        Self { names: String::new(), count: 0, members: Members::new(limits), left: limits.member_bytes }
    }

    /// Lists a file and returns its member's name; `None` if it is not read.
    ///
    /// # Errors
    /// If there are too many files.
    fn list(&mut self, name: &str) -> Result<Option<String>, Failure> {
        self.count += 1;
        if self.count > MAX_MEMBERS {
            return Err(too_many_members());
        }
        self.names.extend(inside(name).map(|name| name + "\n"));
        Ok(Members::name(name))
    }

    /// Unpacks a member, within the limit for all members together.
    fn unpack(&mut self, mut reader: impl Read) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        unpack(&mut reader, &mut self.left, &mut bytes).map_err(|_| damaged(Damage::PartPacked))??;
        Ok(bytes)
    }

    fn add(&mut self, name: String, bytes: Result<Vec<u8>, Failure>) -> Result<(), Failure> {
        self.members.add(name, bytes)
    }

    fn finish(self) -> Extracted {
        Extracted { members: self.members.finish(), ..Extracted::new(Kind::Archive, self.names) }
    }
}

/// Decodes the name of a file. Many programs do not record its encoding.
fn decoded_name(name: &[u8]) -> String {
    match encoding::of_names(name) {
        Some(encoding) => encoding.decode_without_bom_handling(name).0.into_owned(),
        None => String::from_utf8_lossy(name).into_owned(),
    }
}

/// Whether a Unix mode is that of a symbolic link.
fn is_link(mode: u32) -> bool {
    mode & TYPE_OF_FILE == LINK
}

fn damaged(what: Damage) -> Failure {
    super::damaged(Kind::Archive, what)
}

fn needs_password() -> Failure {
    Failure::new(FailureCode::Encrypted, Notice::ArchiveWantsPassword)
}

#[cfg(test)]
mod tests;
