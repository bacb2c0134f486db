//! Archives and packed files: their files are members, read as documents of their own.
//!
//! One module for each format gives the names and bytes, and [`Listing`] decides what becomes a member. Folders, links and devices
//! are left out. A member that is damaged, locked or too large fails by itself.

mod packed;
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

pub(super) use packed::{extract as extract_packed, is_packed};
pub(super) use rar::{extract as extract_rar, is_rar};
pub(super) use sevenz::{extract as extract_sevenz, is_sevenz};
pub(super) use tar::{extract as extract_tar, is_tar};
pub(super) use zip::extract as extract_zip;

/// The part of a Unix mode that says what a file is.
const TYPE_OF_FILE: u32 = 0o170_000;
/// The same of a symbolic link.
const LINK: u32 = 0o120_000;

/// The files of an archive, collected while it is read. The text is the list of all names.
struct Listing {
    names: String,
    count: usize,
    members: Members,
    /// Bytes that may still be unpacked for members.
    left: u64,
}

impl Listing {
    fn new(limits: &Limits) -> Self {
        Self { names: String::new(), count: 0, members: Members::new(limits), left: limits.member_bytes }
    }

    /// Lists a file, and returns the name of its member; `None` if it is not read.
    ///
    /// # Errors
    /// If there are too many.
    fn list(&mut self, name: &str) -> Result<Option<String>, Failure> {
        self.count += 1;
        if self.count > MAX_MEMBERS {
            return Err(too_many_members());
        }
        self.names.extend(inside(name).map(|name| name + "\n"));
        Ok(Members::name(name))
    }

    /// Unpacks a member, within the limit of all members.
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

/// The name of a file as people wrote it: many programs do not say in which encoding that was.
fn written(name: &[u8]) -> String {
    match encoding::of_names(name) {
        Some(encoding) => encoding.decode_without_bom_handling(name).0.into_owned(),
        None => String::from_utf8_lossy(name).into_owned(),
    }
}

/// Whether this is the Unix mode of a symbolic link.
fn is_link(mode: u32) -> bool {
    mode & TYPE_OF_FILE == LINK
}

fn damaged(what: Damage) -> Failure {
    super::damaged(Kind::Archive, what)
}

fn wants_password() -> Failure {
    Failure::new(FailureCode::Encrypted, Notice::ArchiveWantsPassword)
}

#[cfg(test)]
mod tests;
