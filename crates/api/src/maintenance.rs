//! A library is opened, checked and repaired, whatever state it is in.

use std::path::Path;

use oriel_core::{CancelToken, WorkerCommand};
use oriel_engine::{EngineError, ExtractorLimits, Findings, Library, Repaired};

/// Opens the library in the folder `path`, and creates it if it is missing.
pub fn open_library(path: &Path) -> Result<Library, EngineError> {
    Library::open(path, WorkerCommand::this_program("extract"), ExtractorLimits::default())
}

/// Whether the parts of a library agree. A library that is too damaged to be read is a finding too.
pub fn check_library(library: &Library, cancel: &CancelToken) -> Result<Findings, EngineError> {
    match library.check(cancel) {
        Err(error) if error.is_damage() || error.is_beyond_repair() => {
            Ok(Findings { problems: vec![error.notice()], ..Findings::default() })
        }
        checked => checked,
    }
}

/// Repairs an open library. `None` if its data file is broken, or damaged where a repair has to read it: then it is closed and
/// [`set_library_aside`].
pub fn repair_library(library: &Library, cancel: &CancelToken) -> Result<Option<Repaired>, EngineError> {
    match library.repair(cancel) {
        Err(error) if error.is_damage() || error.is_beyond_repair() => Ok(None),
        repaired => repaired.map(Some),
    }
}

/// Sets the broken data file of a closed library aside. Opening the library then makes a new index, which follows the same
/// folders.
pub fn set_library_aside(path: &Path) -> Result<Repaired, EngineError> {
    Ok(Repaired { set_aside: Some(Library::set_aside(path)?), ..Repaired::default() })
}
