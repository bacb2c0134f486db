//! Extracts the text of a file that is not in the library.

use std::path::Path;

use oriel_core::{CancelToken, Kind, Notice};

use crate::error::EngineError;
use crate::extract::load::load;
use crate::extract::process::Extractor;
use crate::library::Library;
use crate::library::folders::kind_not_read;

impl Library {
    /// The text of any file in a supported format. Nothing is stored.
    ///
    /// # Errors
    /// If the file is missing, of another format, or cannot be read.
    pub fn text_of_file(&self, path: &Path, cancel: &CancelToken) -> Result<String, EngineError> {
        let failed = |why: Notice| EngineError::Path { path: path.to_owned(), why };
        let kind = Kind::of_path(path).ok_or_else(|| failed(kind_not_read()))?;
        let (bytes, _) = load(path, self.limits.file_bytes).map_err(|error| failed(error.into_reason()))?;
        let read = Extractor::new(self.worker.clone(), self.limits).extract(
            kind,
            &bytes,
            &self.limits.text,
            cancel,
        )?;
        Ok(read.map_err(|failure| failed(failure.reason))?.text)
    }
}
