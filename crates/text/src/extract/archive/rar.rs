//! RAR archives of every version. Encrypted archives and those in several parts are reported with the reason.
//!
//! `rars` is a young library, and the only one in Rust that unpacks every version. A defect in it fails the archive alone: it runs in the
//! limited process, with limits on memory and output.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, Notice};
use rars::{
    Archive, ArchiveMember, ArchiveReadOptions, ArchiveReader, Error, ErrorKind, ExtractionDecision,
    ExtractionErrorAction,
};

use super::{Listing, damaged, decoded_name, is_link, needs_password};
use crate::extract::package::unsupported_compression;
use crate::extract::signature::Content;
use crate::extract::{Limits, too_large};

/// Memory for unpacking in bytes, besides the file and its output.
const WORKSPACE_BYTES: u64 = 512 << 20;
/// The file is buffered only up to this size.
const BUFFERED_BYTES: u64 = 32 << 20;
/// The number for Unix as the archive's operating system, in versions before 5.
const UNIX: u64 = 3;

/// Whether it begins like a RAR archive.
pub(in crate::extract) fn is_rar(file: &Content<'_>) -> bool {
    file.bytes.starts_with(b"Rar!\x1A\x07")
}

pub(in crate::extract) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let options = ArchiveReadOptions::new()
        .with_max_reader_workspace_bytes(WORKSPACE_BYTES)
        .with_rar50_buffered_decode_limit(BUFFERED_BYTES)
        .with_max_total_output_bytes(limits.unpacked_bytes);
    let archive = ArchiveReader::read_with_options(bytes, options).map_err(|error| failure(&error))?;
    let reading = RefCell::new(Reading::new(&archive, limits));
    let mut wrong = Ok(());
    let unpacked = archive.extract_with_control_and_errors(
        options,
        |member| {
            let decided = reading.borrow_mut().decide(member);
            Ok(decided.unwrap_or_else(|failure| {
                wrong = Err(failure);
                ExtractionDecision::Stop
            }))
        },
        |_, error| {
            reading.borrow_mut().fail(&failure(error));
            Ok(ExtractionErrorAction::Continue)
        },
    );
    wrong?;
    let mut reading = reading.into_inner();
    if let Err(error) = unpacked {
        reading.fail_rest(&archive, &failure(&error))?;
    }
    reading.finish()
}

struct Reading {
    is_solid: bool,
    listing: Listing,
    /// The number of members decided on so far.
    decided: usize,
    files: Vec<(String, Output)>,
    /// Bytes that may still be unpacked.
    left: Rc<Cell<u64>>,
}

impl Reading {
    fn new(archive: &Archive, limits: &Limits) -> Self {
        let (listing, left) = (Listing::new(limits), Rc::new(Cell::new(limits.member_bytes)));
        Self { is_solid: archive.is_solid(), listing, decided: 0, files: Vec::new(), left }
    }

    /// Decides what to do with the next member. In a solid archive every member has to be unpacked for those after it.
    fn decide(&mut self, member: &ArchiveMember) -> Result<ExtractionDecision, Failure> {
        self.decided += 1;
        let meta = &member.meta;
        let why = if meta.is_encrypted {
            Some(needs_password())
        } else {
            let is_part = meta.is_split_before || meta.is_split_after;
            is_part.then(|| Failure::new(FailureCode::Broken, Notice::ArchiveInParts))
        };
        let name = self.name(member)?;
        Ok(match (name, why) {
            (Some(name), None) => {
                let output = self.output(Ok(Vec::new()));
                self.files.push((name, output.clone()));
                ExtractionDecision::Extract(Box::new(output))
            }
            (Some(name), Some(why)) => {
                let output = self.output(Err(why));
                self.files.push((name, output.clone()));
                self.pass(output)
            }
            (None, _) if meta.is_directory || meta.is_redirection => ExtractionDecision::Skip,
            (None, _) => self.pass(io::sink()),
        })
    }

    fn pass(&self, output: impl Write + 'static) -> ExtractionDecision {
        if self.is_solid { ExtractionDecision::Extract(Box::new(output)) } else { ExtractionDecision::Skip }
    }

    fn name(&mut self, member: &ArchiveMember) -> Result<Option<String>, Failure> {
        let meta = &member.meta;
        let is_unix_link = meta.host_os == Some(UNIX) && u32::try_from(meta.file_attr).is_ok_and(is_link);
        let is_left_out = meta.is_directory || meta.is_redirection || is_unix_link;
        if is_left_out { Ok(None) } else { self.listing.list(&decoded_name(&meta.name)) }
    }

    fn output(&self, bytes: Result<Vec<u8>, Failure>) -> Output {
        Output { bytes: Rc::new(RefCell::new(bytes)), left: Rc::clone(&self.left) }
    }

    /// Records why the member that was unpacked last has no bytes.
    fn fail(&mut self, why: &Failure) {
        if let Some((_, output)) = self.files.last() {
            output.fail(why.clone());
        }
    }

    /// Records why the member that was unpacked last and all members after it have no bytes.
    fn fail_rest(&mut self, archive: &Archive, why: &Failure) -> Result<(), Failure> {
        self.fail(why);
        for member in archive.members().skip(self.decided) {
            if let Some(name) = self.name(&member)? {
                let output = self.output(Err(why.clone()));
                self.files.push((name, output));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Extracted, Failure> {
        for (name, output) in self.files {
            self.listing.add(name, output.bytes.replace(Ok(Vec::new())))?;
        }
        Ok(self.listing.finish())
    }
}

/// Receives an unpacked file.
#[derive(Clone)]
struct Output {
    bytes: Rc<RefCell<Result<Vec<u8>, Failure>>>,
    left: Rc<Cell<u64>>,
}

impl Output {
    /// Records a failure; the first one is kept.
    fn fail(&self, why: Failure) {
        let mut bytes = self.bytes.borrow_mut();
        if bytes.is_ok() {
            *bytes = Err(why);
        }
    }
}

impl Write for Output {
    /// Always accepts the data: a member that exceeds the limit fails by itself.
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let left = self.left.get().checked_sub(part.len() as u64);
        match (&mut *self.bytes.borrow_mut(), left) {
            (Ok(bytes), Some(left)) => {
                bytes.extend_from_slice(part);
                self.left.set(left);
            }
            (bytes @ Ok(_), None) => *bytes = Err(too_large()),
            (Err(_), _) => {}
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn failure(error: &Error) -> Failure {
    match (error.root_cause(), error.kind()) {
        // Decryption is not compiled in.
        (Error::FeatureDisabled { .. }, _) | (_, ErrorKind::PasswordRequired | ErrorKind::BadPassword) => {
            needs_password()
        }
        (_, ErrorKind::UnsupportedFormat | ErrorKind::UnsupportedFeature) => unsupported_compression(),
        (_, ErrorKind::ResourceLimit) => too_large(),
        _ => damaged(Damage::PartPacked),
    }
}
