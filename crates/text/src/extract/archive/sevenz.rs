//! 7z archives. Files are compressed together in blocks, and a block can only be unpacked from its beginning.

use std::io::{self, Cursor, Read};

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode};
use sevenz_rust2::{Archive, ArchiveEntry, BlockDecoder, EncoderMethod, Error, Password};

use super::{Listing, damaged, is_link, needs_password};
use crate::extract::Limits;
use crate::extract::members::too_many_members;
use crate::extract::package::{unpack, unsupported_compression};
use crate::extract::signature::Content;

/// Flag in a file's attributes: their upper half is its Unix mode.
const HAS_MODE: u32 = 0x8000;
/// Maximum product of the numbers of files and blocks.
const MAX_COMPARISONS: usize = 100_000_000;

/// Whether it begins like a 7z archive.
pub(in crate::extract) fn is_sevenz(file: &Content<'_>) -> bool {
    file.bytes.starts_with(b"7z\xBC\xAF\x27\x1C")
}

pub(in crate::extract) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut source = Cursor::new(bytes);
    let password = Password::empty();
    let archive = Archive::read(&mut source, &password).map_err(|error| failure(&error))?;
    // The loop below looks at all files for each block.
    if archive.files.len().saturating_mul(archive.blocks.len().max(1)) > MAX_COMPARISONS {
        return Err(too_many_members());
    }
    let mut reading = Reading { listing: Listing::new(limits), passed: limits.unpacked_bytes };
    let of_block = |block: Option<usize>| {
        let each = archive.files.iter().zip(&archive.stream_map.file_block_index);
        each.filter(move |(_, of)| **of == block).map(|(file, _)| file)
    };
    for block in 0..archive.blocks.len() {
        let (mut files, mut read) = (of_block(Some(block)), Ok(Ok(())));
        // Uses one thread, because the process has little memory.
        let decoder = BlockDecoder::new(1, block, &archive, &password, &mut source);
        let first = archive.stream_map.block_first_file_index.get(block).copied().unwrap_or(usize::MAX);
        if first.saturating_add(decoder.entry_count()) > archive.files.len() {
            return Err(damaged(Damage::Incomplete));
        }
        let unpacked = decoder.for_each_entries(&mut |_, unpacked| {
            let Some(file) = files.next() else { return Ok(false) };
            read = reading.file(file, unpacked);
            Ok(matches!(read, Ok(Ok(()))))
        });
        let lost = read?.err().or(unpacked.err().map(|error| failure(&error)));
        for file in files {
            reading.list_unreadable(file, lost.clone().unwrap_or_else(|| damaged(Damage::PartPacked)))?;
        }
    }
    for file in of_block(None) {
        reading.file(file, &mut io::empty())?.unwrap_or_default();
    }
    Ok(reading.listing.finish())
}

struct Reading {
    listing: Listing,
    /// Bytes that may still be unpacked only to reach the next file.
    passed: u64,
}

impl Reading {
    /// Reads the next file of its block. The inner error is the reason why no later file of the block can be unpacked.
    fn file(&mut self, file: &ArchiveEntry, unpacked: &mut dyn Read) -> Result<Result<(), Failure>, Failure> {
        let name = self.name(file)?;
        let bytes = match name {
            Some(_) => self.listing.unpack(&mut *unpacked),
            None => Ok(Vec::new()),
        };
        let broken = || Err(damaged(Damage::PartPacked));
        let rest = match &bytes {
            Err(failure) if failure.code == FailureCode::Broken => broken(),
            _ => unpack(unpacked, &mut self.passed, &mut io::sink()).unwrap_or_else(|_| broken()),
        };
        if let Some(name) = name {
            self.listing.add(name, bytes)?;
        }
        Ok(rest)
    }

    /// Lists a file that cannot be unpacked.
    fn list_unreadable(&mut self, file: &ArchiveEntry, why: Failure) -> Result<(), Failure> {
        match self.name(file)? {
            Some(name) => self.listing.add(name, Err(why)),
            None => Ok(()),
        }
    }

    fn name(&mut self, file: &ArchiveEntry) -> Result<Option<String>, Failure> {
        let mode = file.windows_attributes;
        let is_left_out =
            file.is_directory || file.is_anti_item || (mode & HAS_MODE != 0 && is_link(mode >> 16));
        if is_left_out { Ok(None) } else { self.listing.list(&file.name) }
    }
}

fn failure(error: &Error) -> Failure {
    match error {
        Error::PasswordRequired | Error::MaybeBadPassword(_) => needs_password(),
        // Decryption is not compiled in.
        Error::UnsupportedCompressionMethod(name) if name == EncoderMethod::AES256_SHA256.name() => {
            needs_password()
        }
        Error::UnsupportedCompressionMethod(_) | Error::Unsupported(_) | Error::ExternalUnsupported => {
            unsupported_compression()
        }
        Error::UnsupportedVersion { .. } => unsupported_compression(),
        _ => damaged(Damage::Incomplete),
    }
}
