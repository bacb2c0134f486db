//! Reads the bytes of a file, with the stamp that later tells whether the file has changed.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use oriel_core::{Failure, FailureCode, Notice};
use oriel_store::Stamp;

use crate::files::stamp;

/// The resolution of file times on any system …
const CLOCK_TICK: Duration = Duration::from_millis(20);
/// … and on a disk that stores whole seconds, or every other second as FAT does.
const SLOW_CLOCK_TICK: Duration = Duration::from_secs(2);

/// Why a file could not be loaded.
pub(crate) enum LoadError {
    /// It is missing.
    Missing,
    /// It cannot be read; with its stamp, if known.
    Failed(Failure, Option<Stamp>),
}

impl LoadError {
    /// The reason as a notice.
    pub(crate) fn into_reason(self) -> Notice {
        match self {
            Self::Missing => Notice::FileGone,
            Self::Failed(failure, _) => failure.reason,
        }
    }
}

/// Reads the bytes of a file, and its stamp at that time.
pub(crate) fn load(path: &Path, limit: u64) -> Result<(Vec<u8>, Stamp), LoadError> {
    let unreadable = |error: std::io::Error| {
        let cause = Notice::io(&error).into();
        let reason = match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => return LoadError::Missing,
            ErrorKind::PermissionDenied => Notice::FileForbidden { cause },
            _ => Notice::FileCannotBeOpened { cause },
        };
        LoadError::Failed(Failure::new(FailureCode::Unreadable, reason), None)
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    let stamp = stamp(&metadata);
    if metadata.len() > limit {
        let megabytes = |bytes: u64| usize::try_from(bytes >> 20).unwrap_or(usize::MAX);
        let reason = Notice::FileTooLarge { megabytes: megabytes(metadata.len()), limit: megabytes(limit) };
        return Err(LoadError::Failed(Failure::new(FailureCode::TooLarge, reason), Some(stamp)));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.by_ref().take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok((bytes, stamp))
}

/// Like [`load`], with the stamp to store; see [`kept`].
pub(crate) fn load_to_keep(path: &Path, limit: u64) -> Result<(Vec<u8>, Stamp), LoadError> {
    let begun = SystemTime::now();
    let (bytes, stamp) = load(path, limit)?;
    Ok((bytes, kept(stamp, begun, SystemTime::now())))
}

/// The stamp to store for a file whose bytes were read between `begun` and `ended`. If the file was written in the same
/// clock tick, a later change in that tick may not change the stamp. A doubtful stamp is then stored, which differs
/// from every stamp that the file will have, so that the next scan reads it again. A time further in the future comes
/// from another clock.
pub(crate) fn kept(stamp: Stamp, begun: SystemTime, ended: SystemTime) -> Stamp {
    let tick = if stamp.modified.rem_euclid(1_000_000_000) == 0 { SLOW_CLOCK_TICK } else { CLOCK_TICK };
    let Some(modified) = u64::try_from(stamp.modified).ok().map(Duration::from_nanos) else { return stamp };
    let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let is_young = (since(begun).saturating_sub(tick)..=since(ended) + tick).contains(&modified);
    if is_young { doubtful(stamp) } else { stamp }
}

/// The stamp to store in place of an uncertain one: a nanosecond earlier.
pub(crate) fn doubtful(stamp: Stamp) -> Stamp {
    Stamp { modified: stamp.modified.saturating_sub(1), ..stamp }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_doubtful_as_long_as_its_tick_lasts() {
        let second = |number| UNIX_EPOCH + Duration::from_secs(number);
        let milli = |time: SystemTime, number| time + Duration::from_millis(number);
        let at = |modified| Stamp { size: 1, modified, inode: 1 };
        let (fine, whole) = (at(10_500_000_000), at(10_000_000_000));
        let is_kept = |stamp, from, to| kept(stamp, from, to) == stamp;
        assert!(!is_kept(fine, milli(second(10), 510), milli(second(10), 515)));
        assert!(is_kept(fine, milli(second(10), 530), milli(second(10), 540)));
        assert!(!is_kept(fine, milli(second(10), 400), milli(second(10), 600)), "it was written meanwhile");
        assert!(is_kept(fine, second(9), second(9)), "it is of another clock");
        assert!(!is_kept(whole, milli(second(11), 900), second(12)));
        assert!(is_kept(whole, milli(second(12), 1), second(13)));
        assert!(is_kept(at(-5), UNIX_EPOCH, UNIX_EPOCH));
    }
}
