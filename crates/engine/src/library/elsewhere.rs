//! A library that reads an index elsewhere instead of its own.

use oriel_core::notice::shown;
use oriel_core::{CancelToken, DocumentId, Notice, PageMap, Sentence};
use oriel_store::{DocumentState, Store};
use oriel_wire::index::Row;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::DocumentRow;
use crate::library::documents::DocumentText;
use crate::remote_index::connection::{Opened, SEARCH_SILENCE, open, opened};
use crate::remote_index::elsewhere::Elsewhere;
use crate::remote_index::place::{IndexInfo, IndexPlace, NewIndex, READ_FILE, ReadFrom, forget, keep};

impl Library {
    /// Makes this library, which must follow nothing, read an index elsewhere from when it is opened next.
    ///
    /// # Errors
    /// If it follows folders, or the index cannot be used: one line that names the host; nothing is changed then.
    pub fn connect(&self, new: NewIndex, cancel: &CancelToken) -> Result<IndexInfo, EngineError> {
        if !self.folders()?.is_empty() {
            let path = shown(self.path());
            return Err(EngineError::Index(Notice::LibraryFollowsFolders { path }));
        }
        let (place, key) = IndexPlace::new(new)?;
        let (_, reply) = open(&place, key.clone(), SEARCH_SILENCE, None, cancel)?;
        let Opened { collection, manifest } = opened(&place, reply)?;
        place.keep_key(key.as_ref())?;
        let (manifest, embedder) = (manifest.unwrap_or_default(), collection.embedder);
        let info = place.info(embedder.clone(), &manifest)?;
        keep(&self.path().join(READ_FILE), &ReadFrom { place, embedder, manifest })?;
        Ok(info)
    }

    /// Makes this library no longer read an index elsewhere, from when it is opened next.
    ///
    /// # Errors
    /// If it cannot be written, or the keyring refuses.
    pub fn disconnect(&self) -> Result<(), EngineError> {
        let Some(elsewhere) = &self.elsewhere else { return Ok(()) };
        forget(&self.path().join(READ_FILE))?;
        elsewhere.index.place().forget_key()
    }

    /// The index elsewhere that this library reads; `None` if it reads its own.
    ///
    /// # Errors
    /// If its address cannot be used.
    pub fn reads_from(&self) -> Result<Option<IndexInfo>, EngineError> {
        let info = |elsewhere: &Elsewhere| {
            let ReadFrom { place, embedder, .. } = &elsewhere.kept;
            place.info(embedder.clone(), &elsewhere.manifest())
        };
        self.elsewhere.as_ref().map(info).transpose()
    }

    /// The library's own index, for what no index elsewhere can do.
    ///
    /// # Errors
    /// If it reads another.
    pub(crate) fn own_index(&self) -> Result<&Store, EngineError> {
        let Some(IndexInfo { host, collection, .. }) = self.reads_from()? else { return Ok(&self.store) };
        Err(EngineError::Index(Notice::LibraryReadsElsewhere { host, collection }))
    }

    /// A document, as far as its rows say.
    pub(crate) fn document_elsewhere(
        elsewhere: &Elsewhere,
        id: DocumentId,
    ) -> Result<DocumentRow, EngineError> {
        let Row { path, kind, sender, dated, .. } = elsewhere.index.first_row(id)?;
        Ok(DocumentRow {
            id,
            path,
            within: None,
            kind,
            state: DocumentState::Indexed,
            sentences: 0,
            pages: 0,
            locked: false,
            bytes: 0,
            modified: dated,
            sender,
            dated,
        })
    }

    /// The text of a document from its first sentence on, at its own bytes.
    pub(crate) fn text_elsewhere(elsewhere: &Elsewhere, id: DocumentId) -> Result<DocumentText, EngineError> {
        let excerpt = elsewhere.index.whole_document(id)?;
        let sentences: Vec<Sentence> =
            excerpt.rows.iter().map(|(_, row)| Sentence { span: row.span, page: row.page }).collect();
        let mut row = Self::document_elsewhere(elsewhere, id)?;
        let mut pages = Vec::new();
        for Sentence { span, page } in &sentences {
            // Pages without sentences begin where the next one does.
            while pages.len() < page.unwrap_or(0) as usize {
                pages.push(span.start);
            }
        }
        row.sentences = u32::try_from(sentences.len()).unwrap_or(u32::MAX);
        row.pages = u32::try_from(pages.len()).unwrap_or(u32::MAX);
        Ok(DocumentText {
            row,
            text: excerpt.text.with_line_breaks(),
            pages: PageMap(pages),
            outline: excerpt.outline,
            sentences,
            hash: excerpt.hash.unwrap_or_default(),
            recognised: None,
        })
    }
}
