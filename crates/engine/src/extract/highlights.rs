//! Finds where sentences are on the pages of their document, so that a viewer can highlight them.
//!
//! The worker process reads the pages again, or their stored hOCR. If the file is no longer the one that was indexed,
//! the result is refused.

use oriel_core::{ByteSpan, CancelToken, DocumentId, Kind, RecognisedPages};
use oriel_text::{Mark, MarkRequest};

use crate::error::EngineError;
use crate::extract::bytes::readable_bytes;
use crate::extract::process::Extractor;
use crate::library::Library;
use crate::library::document_text::without_text;

impl Library {
    /// The boxes of `spans` (bytes of the document's text) on its pages: one per line, by span and then in reading
    /// order. None for formats without pages, and none for a span outside of the text.
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
        let (record, request, recognised) = self.store.read(|view| -> Result<_, EngineError> {
            let record = view.document(document)?.ok_or(EngineError::NoDocument { id: document })?;
            let none = RecognisedPages::new();
            if !matches!(record.kind, Kind::Pdf | Kind::Iwork) && record.recognised.is_none() {
                return Ok((record, None, none));
            }
            let Some(text) = view.text(document)? else {
                return Err(without_text(record));
            };
            let request = MarkRequest::new(&text, &view.pages(document)?, spans);
            let (Some(first), Some(last)) = (request.pages.first(), request.pages.last()) else {
                return Ok((record, None, none));
            };
            let recognised = view.recognised(document, first.page, last.page)?;
            Ok((record, Some(request), recognised))
        })?;
        let Some(request) = request else { return Ok(Vec::new()) };
        let path = record.path.clone();
        let mut extractor = Extractor::new(self.worker.clone(), self.limits);
        let is_needed = !request.pages.iter().all(|page| recognised.contains_key(&page.page));
        let (store, passwords, limits) = (&self.store, &self.passwords, self.limits);
        let read = |extractor: &mut Extractor| {
            Ok::<_, EngineError>(readable_bytes(store, passwords, limits, extractor, &record, cancel)?.0)
        };
        let bytes = if is_needed { read(&mut extractor)? } else { Vec::new() };
        let mut marked = extractor.mark(&bytes, &recognised, &request, cancel)?;
        // Notes and fields on recognised pages are in the file.
        if !is_needed && record.kind == Kind::Pdf && matches!(marked, Ok(None)) {
            let bytes = read(&mut extractor)?;
            marked = extractor.mark(&bytes, &recognised, &request, cancel)?;
        }
        match marked {
            Ok(Some(marks)) => Ok(marks),
            Ok(None) => Err(EngineError::Changed { path }),
            Err(failure) => Err(EngineError::Unmarked { path, why: failure.reason }),
        }
    }
    /// The words on the recognised pages `first` to `last` of a document that may be wrong, each as a mark of span 0.
    ///
    /// # Errors
    /// Those of [`Library::highlights`].
    pub fn unsure_words(
        &self,
        document: DocumentId,
        (first, last): (u32, u32),
        cancel: &CancelToken,
    ) -> Result<Vec<Mark>, EngineError> {
        let (record, recognised) = self.store.read(|view| -> Result<_, EngineError> {
            let record = view.document(document)?.ok_or(EngineError::NoDocument { id: document })?;
            Ok((record, view.recognised(document, first, last)?))
        })?;
        if recognised.is_empty() {
            return Ok(Vec::new());
        }
        let found = Extractor::new(self.worker.clone(), self.limits).unsure_words(&recognised, cancel)?;
        found.map_err(|failure| EngineError::Unmarked { path: record.path, why: failure.reason })
    }
}
