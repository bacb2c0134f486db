//! TAR archives. They have no table of contents and are read from the beginning to the end.

use std::io::Read;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure};
use tar::{Archive, EntryType, Header};

use super::{Listing, damaged, decoded_name};
use crate::extract::Limits;
use crate::extract::members::too_many_members;
use crate::extract::signature::Content;

/// The size of a file's header in bytes.
pub(super) const HEAD_BYTES: usize = 512;

/// Whether it begins like a TAR archive.
pub(in crate::extract) fn is_tar(file: &Content<'_>) -> bool {
    has_head(file.bytes)
}

/// Whether these bytes begin with a header whose checksum is right.
pub(super) fn has_head(bytes: &[u8]) -> bool {
    let Some(head) = bytes.first_chunk::<HEAD_BYTES>() else { return false };
    let header = Header::from_byte_slice(head);
    let others = head[..148].iter().chain(&head[156..]);
    let sum = others.map(|&byte| u32::from(byte)).sum::<u32>() + 8 * u32::from(b' ');
    head[0] != 0 && header.cksum().is_ok_and(|stated| stated == sum)
}

pub(in crate::extract) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    extract_from(bytes, limits)
}

/// The files of an archive that `reader` returns. If the data breaks off, nothing is read, since it is unknown what
/// would have followed.
pub(super) fn extract_from(reader: impl Read, limits: &Limits) -> Result<Extracted, Failure> {
    let mut archive = Archive::new(reader.take(limits.unpacked_bytes));
    let found = list(&mut archive, limits);
    // An archive that exceeds the limit looks as if it broke off there.
    let is_beyond = archive.into_inner().limit() == 0;
    found.map_err(|failure| if is_beyond { too_many_members() } else { failure })
}

fn list(archive: &mut Archive<impl Read>, limits: &Limits) -> Result<Extracted, Failure> {
    let broken = |_| damaged(Damage::Incomplete);
    let mut listing = Listing::new(limits);
    for entry in archive.entries().map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let is_file = matches!(
            entry.header().entry_type(),
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse
        );
        if !is_file {
            continue;
        }
        let Some(name) = listing.list(&decoded_name(&entry.path_bytes()))? else { continue };
        let bytes = listing.unpack(entry);
        listing.add(name, bytes)?;
    }
    Ok(listing.finish())
}
