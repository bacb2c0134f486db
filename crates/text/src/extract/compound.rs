//! Compound files (MS-CFB): streams by path, with a limit on the bytes read.

use std::io::{Cursor, Read};

use cfb::CompoundFile;
use oriel_core::notice::Damage;
use oriel_core::{Failure, Kind};

use super::{Limits, damaged, too_large};

/// A compound file, and the number of bytes that may still be read from it.
pub(super) struct Compound<'a> {
    kind: Kind,
    pub(super) file: CompoundFile<Cursor<&'a [u8]>>,
    left: u64,
}

impl<'a> Compound<'a> {
    /// Opens the file of a document of this kind.
    pub(super) fn open(kind: Kind, bytes: &'a [u8], limits: &Limits) -> Result<Self, Failure> {
        let file = CompoundFile::open(Cursor::new(bytes)).map_err(|_| damaged(kind, Damage::Incomplete))?;
        Ok(Self { kind, file, left: limits.unpacked_bytes })
    }

    /// The bytes of a stream; `None` if it does not exist.
    pub(super) fn stream(&mut self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        if !self.file.is_stream(path) {
            return Ok(None);
        }
        let broken = |_| damaged(self.kind, Damage::PartPacked);
        let stream = self.file.open_stream(path).map_err(broken)?;
        let mut bytes = Vec::new();
        stream.take(self.left.saturating_add(1)).read_to_end(&mut bytes).map_err(broken)?;
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok(Some(bytes))
    }

    /// The bytes of a stream that every document must have.
    pub(super) fn main(&mut self, path: &str) -> Result<Vec<u8>, Failure> {
        self.stream(path)?.ok_or_else(|| damaged(self.kind, Damage::MainPartMissing))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use super::*;

    /// A compound file with these streams.
    pub(in super::super) fn made_of(streams: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut file = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
        for (path, bytes) in streams {
            if let Some((storage, _)) = path.rsplit_once('/').filter(|(storage, _)| !storage.is_empty()) {
                file.create_storage_all(storage).unwrap();
            }
            file.create_stream(path).unwrap().write_all(bytes).unwrap();
        }
        file.into_inner().into_inner()
    }
}
