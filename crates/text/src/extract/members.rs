//! The files inside a file that are documents of their own, counted while they are collected.

use oriel_core::{Failure, FailureCode, Kind, Member, Notice};

use super::Limits;

/// A file with more members is too large.
pub(super) const MAX_MEMBERS: usize = 50_000;
/// A member with a longer name is left out.
const MAX_NAME_BYTES: usize = 1_000;

/// The members of one file.
pub(super) struct Members {
    list: Vec<Member>,
    /// Bytes that further members may hold.
    left: u64,
}

impl Members {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { list: Vec::new(), left: limits.member_bytes }
    }

    /// The name of a member with `/` between folders; `None` for folders, for names that lead out of the file, for what systems
    /// put beside the files, and for kinds that Oriel does not read.
    pub(super) fn name(name: &str) -> Option<String> {
        inside(name).filter(|name| Kind::of_path(name.as_ref()).is_some())
    }

    /// Adds a member by a name from [`Members::name`], with its bytes or the reason why there are none. What does not fit
    /// into the limit has none.
    ///
    /// # Errors
    /// If there are too many.
    pub(super) fn add(&mut self, name: String, bytes: Result<Vec<u8>, Failure>) -> Result<(), Failure> {
        let bytes = bytes.and_then(|bytes| {
            self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(too_many)?;
            Ok(bytes)
        });
        if self.list.len() >= MAX_MEMBERS {
            return Err(too_many());
        }
        self.list.push(Member { name, bytes });
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<Member> {
        self.list
    }
}

/// The name of a file inside another with `/` between folders; `None` as for [`Members::name`], of any kind.
pub(super) fn inside(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let is_outside = name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
    let mut parts = name.split('/');
    let is_odd = parts
        .any(|part| part.is_empty() || part.starts_with('.') || part == "__MACOSX" || part.contains('\0'));
    (!is_outside && !is_odd && name.len() <= MAX_NAME_BYTES).then_some(name)
}

pub(super) fn too_many() -> Failure {
    Failure::new(FailureCode::TooLarge, Notice::TooManyMembers)
}
