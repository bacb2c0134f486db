//! A remote index as a source of documents.

use std::path::Path;

use oriel_core::{DocumentId, PageMap, Sentence};
use oriel_store::{DocumentState, Store};
use oriel_wire::index::{Manifest, Row};

use crate::error::EngineError;
use crate::library::document_row::DocumentRow;
use crate::library::document_text::{DocumentText, Freshness, PassageDocument};
use crate::library::overview::Overview;
use crate::library::source::{DocumentSource, ReadState};
use crate::remote_index::connection::{IndexConnection, SEARCH_SILENCE};
use crate::remote_index::place::{IndexInfo, IndexPlace, READ_FILE, ReadFrom, read_kept};

/// The remote index that a library reads.
pub(crate) struct RemoteIndex {
    connection: IndexConnection,
    /// The settings of the connection from when the library was connected.
    kept: ReadFrom,
}

impl RemoteIndex {
    /// The remote index of the library in this folder, if it reads one. Connects to nothing.
    ///
    /// # Errors
    /// If its record cannot be used.
    pub(crate) fn of(library: &Path) -> Result<Option<Self>, EngineError> {
        let kept: Option<ReadFrom> = read_kept(&library.join(READ_FILE))?;
        let connected = |kept: ReadFrom| {
            let connection = IndexConnection::new(kept.place.clone(), SEARCH_SILENCE);
            Self { connection, kept }
        };
        Ok(kept.map(connected))
    }

    /// Where it is.
    pub(crate) fn place(&self) -> &IndexPlace {
        self.connection.place()
    }

    /// The same for people.
    ///
    /// # Errors
    /// If its address cannot be used.
    pub(crate) fn info(&self) -> Result<IndexInfo, EngineError> {
        self.place().info(self.kept.embedder.clone(), &self.manifest())
    }

    /// What the collection said about itself when it was last asked.
    fn manifest(&self) -> Manifest {
        self.connection.last_manifest().unwrap_or_else(|| self.kept.manifest.clone())
    }
}

impl DocumentSource for RemoteIndex {
    fn store(&self) -> Option<&Store> {
        None
    }

    fn read_state(&self, read: &mut ReadState<'_>) -> Result<(), EngineError> {
        self.connection.read(&mut |state| read(state))
    }

    fn embedder(&self) -> Result<Option<String>, EngineError> {
        Ok(Some(self.kept.embedder.clone()))
    }

    /// With what its rows contain.
    fn document(&self, id: DocumentId) -> Result<DocumentRow, EngineError> {
        let Row { path, kind, sender, dated, .. } = self.connection.first_row(id)?;
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

    fn id_at(&self, path: &Path) -> Result<Option<DocumentId>, EngineError> {
        self.connection.document_at(path)
    }

    fn hash_of(&self, id: DocumentId) -> Result<Option<String>, EngineError> {
        Ok(self.connection.first_row(id)?.file_hash)
    }

    /// Starts with its first sentence; each sentence is at its own bytes.
    fn text_of(&self, id: DocumentId) -> Result<DocumentText, EngineError> {
        let excerpt = self.connection.whole_document(id)?;
        let sentences: Vec<Sentence> =
            excerpt.rows.iter().map(|(_, row)| Sentence { span: row.span, page: row.page }).collect();
        let mut row = self.document(id)?;
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

    /// The location of the file is unknown.
    fn freshness(&self, _id: DocumentId) -> Result<Freshness, EngineError> {
        Ok(Freshness::Elsewhere)
    }

    /// By its path alone.
    fn relocate(
        &self,
        path: &Path,
        _kept: Option<&PassageDocument>,
        _sentences: &[&str],
    ) -> Result<Option<DocumentRow>, EngineError> {
        self.id_at(path)?.map(|id| self.document(id)).transpose()
    }

    fn counted(&self, overview: Overview) -> Overview {
        let Manifest { documents, sentences, .. } = self.manifest();
        let documents = usize::try_from(documents).unwrap_or(usize::MAX);
        Overview { documents, sentences, distinct: sentences, ..overview }
    }
}
