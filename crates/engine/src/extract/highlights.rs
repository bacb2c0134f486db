//! Finds where sentences are on the pages of their document, so that a viewer can highlight them.
//!
//! The worker process reads the pages in question again, or what was recognised on them and stored. The result is refused
//! if the file is no longer the one that was indexed.

use oriel_core::{ByteSpan, CancelToken, DocumentId, Kind};
use oriel_text::worker::Source;
use oriel_text::{Mark, MarkRequest};

use crate::error::EngineError;
use crate::extract::bytes::readable_bytes;
use crate::extract::process::Extractor;
use crate::library::Library;
use crate::library::documents::without_text;

impl Library {
    /// The boxes of `spans` (bytes of the document's text) on its pages: one per line, by span and then in reading
    /// order. None for formats without pages, and none for a span outside the text.
    ///
    /// # Errors
    /// [`EngineError::Changed`] if the file is not the one that was indexed; [`EngineError::Cancelled`] after a cancellation;
    /// others if the document has no text, or its file cannot be opened or rendered.
    pub fn highlights(
        &self,
        document: DocumentId,
        spans: &[ByteSpan],
        cancel: &CancelToken,
    ) -> Result<Vec<Mark>, EngineError> {
        let (record, request) = self.store.read(|view| -> Result<_, EngineError> {
            let record = view.document(document)?.ok_or(EngineError::NoDocument { id: document })?;
            if record.kind != Kind::Pdf && record.recognised.is_none() {
                return Ok((record, None));
            }
            let Some(text) = view.text(document)? else {
                return Err(without_text(record));
            };
            let request = MarkRequest::new(&text, &view.pages(document)?, spans);
            Ok((record, Some(request).filter(|request| !request.pages.is_empty())))
        })?;
        let Some(request) = request else { return Ok(Vec::new()) };
        let path = record.path.clone();
        let mut extractor = Extractor::new(self.worker.clone(), self.limits);
        let marks = match self.store.read(|view| view.recognised(document))? {
            Some(hocr) => extractor.mark(Source::Recognised(&hocr), &request, cancel)?,
            None => {
                let (store, passwords, limits) = (&self.store, &self.passwords, self.limits);
                let (bytes, _) = readable_bytes(store, passwords, limits, &mut extractor, &record, cancel)?;
                extractor.mark(Source::File(&bytes), &request, cancel)?
            }
        };
        match marks {
            Ok(Some(marks)) => Ok(marks),
            Ok(None) => Err(EngineError::Changed { path }),
            Err(failure) => Err(EngineError::Unmarked { path, why: failure.reason }),
        }
    }
}
