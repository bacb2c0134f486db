//! Collects the files inside a file that become documents of their own, within limits.

use oriel_core::{Failure, FailureCode, Kind, Member, Notice};

use super::Limits;

/// Maximum number of members of one file.
pub const MAX_MEMBERS: usize = 50_000;
/// Maximum bytes of a member's name; a member with a longer name is left out.
const MAX_NAME_BYTES: usize = 1_000;

/// The members of one file.
pub(super) struct Members {
    list: Vec<Member>,
    /// Bytes that further members may have.
    left: u64,
}

impl Members {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { list: Vec::new(), left: limits.member_bytes }
    }

    /// The name of a member with `/` between folders; `None` for folders, for names that lead out of the file, for
    /// files that operating systems add, and for kinds that Oriel does not read.
    pub(super) fn name(name: &str) -> Option<String> {
        inside(name).filter(|name| Kind::of_path(name.as_ref()).is_some())
    }

    /// Adds a member with a name from [`Members::name`], and its bytes or the reason why it has none. A member that
    /// exceeds the limit gets none.
    ///
    /// # Errors
    /// If there are too many members. The first one beyond the limit is kept and fails by itself.
    pub(super) fn add(&mut self, name: String, bytes: Result<Vec<u8>, Failure>) -> Result<(), Failure> {
        let bytes = bytes.and_then(|bytes| {
            self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(too_many_members)?;
            Ok(bytes)
        });
        if self.list.len() > MAX_MEMBERS {
            return Err(too_many_members());
        }
        self.list.push(Member { name, bytes });
        Ok(())
    }

    pub(super) fn finish(self) -> Vec<Member> {
        self.list
    }
}

/// The name of a file inside another with `/` between folders; `None` in the cases of [`Members::name`], but for files
/// of any kind.
pub(super) fn inside(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    // Archives of a whole folder begin their names with `./`.
    let name = name.trim_start_matches("./").to_owned();
    let is_odd = name.split('/').any(|part| part == "__MACOSX") || name.len() > MAX_NAME_BYTES;
    (Member::is_inside(&name) && !is_odd).then_some(name)
}

/// The failure of a file with too many or too large members, and of such a member.
#[must_use]
pub fn too_many_members() -> Failure {
    Failure::new(FailureCode::TooLarge, Notice::TooManyMembers)
}
