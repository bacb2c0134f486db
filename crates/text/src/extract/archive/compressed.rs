//! Files compressed by gzip, xz, bzip2 or Zstandard: a TAR archive, or a single file.

use std::io::{self, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::{Listing, damaged, decoded_name, tar};
use crate::extract::Limits;
use crate::extract::members::inside;
use crate::extract::signature::Content;

/// How a file is compressed.
enum Compression {
    Gzip,
    Xz,
    Bzip2,
    Zstandard,
}

impl Compression {
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            // Text can begin with these letters too, so the number of the first block is also checked.
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', b'&', b'S', b'Y', ..] => Some(Self::Bzip2),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }
}

/// Whether it begins like a compressed file.
pub(in crate::extract) fn is_compressed(file: &Content<'_>) -> bool {
    Compression::of(file.bytes).is_some()
}

pub(in crate::extract) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut name = String::new();
    let mut unpacked: Box<dyn Read + '_> = match Compression::of(bytes) {
        Some(Compression::Gzip) => {
            let gzip = MultiGzDecoder::new(bytes);
            let stated = gzip.header().and_then(|header| header.filename()).map(decoded_name);
            name = stated.and_then(|name| inside(&name)).unwrap_or_default();
            Box::new(gzip)
        }
        Some(Compression::Xz) => Box::new(XzReader::new(bytes, true)),
        Some(Compression::Bzip2) => Box::new(MultiBzDecoder::new(bytes)),
        Some(Compression::Zstandard) => Box::new(Frames { rest: bytes, frame: None }),
        None => return Err(damaged(Damage::Incomplete)),
    };
    let mut head = Vec::new();
    let begun = (&mut unpacked).take(tar::HEAD_BYTES as u64).read_to_end(&mut head);
    begun.map_err(|_| damaged(Damage::Incomplete))?;
    let is_archive = tar::has_head(&head);
    let unpacked = Cursor::new(head).chain(unpacked);
    if is_archive {
        return tar::extract_from(unpacked, limits);
    }
    let mut listing = Listing::new(limits);
    let bytes = listing.unpack(unpacked)?;
    // Without a name, or with one of an unknown format, the member has the name of the compressed file.
    let name = if name.is_empty() || listing.list(&name)?.is_none() { String::new() } else { name };
    listing.add(name, Ok(bytes))?;
    Ok(listing.finish())
}

/// The frames of a Zstandard file, one after the other.
struct Frames<'a> {
    rest: &'a [u8],
    frame: Option<StreamingDecoder<&'a [u8], FrameDecoder>>,
}

impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
            }
            if let Some(frame) = self.frame.take() {
                self.rest = frame.into_inner();
            }
            if self.rest.is_empty() {
                return Ok(0);
            }
            let before = self.rest;
            match StreamingDecoder::new(before) {
                Ok(frame) => self.frame = Some(frame),
                // A skippable frame begins with its magic number and its length, four bytes each.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    self.rest = before.get(8 + length as usize..).ok_or(io::ErrorKind::UnexpectedEof)?;
                }
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
    }
}
