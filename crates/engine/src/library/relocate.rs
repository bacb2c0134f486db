//! Finds the document that a saved answer or scope refers to. It may have been renamed, moved or indexed again since, and
//! another file may have taken its path.

use std::path::Path;

use oriel_core::DocumentId;
use oriel_store::{DocumentRecord, View};
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::DocumentRow;

/// The document of a passage when the question was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageDocument {
    /// Its id in the library.
    pub id: DocumentId,
    /// BLAKE3 of the file that its text was read from, in hexadecimal.
    pub hash: String,
}

impl Library {
    /// Finds the document that was at `path` with the id and hash in `kept`, wherever it is now; `None` if it left the
    /// library. Neither id nor path is enough: a rebuilt library reuses ids, and a file may have been replaced. If they
    /// lead to two documents, the one with the old hash wins; then the one with the old id, if it contains one of
    /// `sentences`, which were taken from it; then the one at the path.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn relocate(
        &self,
        path: &Path,
        kept: Option<&PassageDocument>,
        sentences: &[&str],
    ) -> Result<Option<DocumentRow>, EngineError> {
        if let Some(elsewhere) = &self.elsewhere {
            return elsewhere
                .index
                .document_at(path)?
                .map(|id| Self::document_elsewhere(elsewhere, id))
                .transpose();
        }
        self.store.read(|view| {
            let record = |id| Ok::<_, EngineError>(view.document(id)?.map(|record| (id, record)));
            let known = kept.map(|kept| record(kept.id)).transpose()?.flatten();
            let here = view.document_at(path)?.map(record).transpose()?.flatten();
            let is_same = |(_, one): &(DocumentId, DocumentRecord)| {
                kept.is_some_and(|kept| one.text_hash().as_ref() == Some(&kept.hash))
            };
            let found = match (known, here) {
                (Some(known), Some(here)) if known.0 == here.0 => Some(here),
                (Some(known), _) if is_same(&known) => Some(known),
                (_, Some(here)) if is_same(&here) => Some(here),
                (Some(known), _) if says(&view, known.0, sentences)? => Some(known),
                (_, here) => here,
            };
            Ok(found.map(|(id, record)| DocumentRow::new(id, record)))
        })
    }
}

/// Whether the document's text contains one of the sentences.
fn says(view: &View<'_>, id: DocumentId, sentences: &[&str]) -> Result<bool, EngineError> {
    let is_said = |text: String| sentences.iter().any(|one| !one.is_empty() && text.contains(one));
    Ok(!sentences.is_empty() && view.text(id)?.is_some_and(is_said))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::TestLibrary;

    const KEEPER: &str = "The keeper lives on the second floor.";

    /// The library's documents, and the reference to one of them.
    fn kept(place: &TestLibrary, name: &str) -> PassageDocument {
        let id = place.id(name);
        PassageDocument { id, hash: place.library.hash_of(id).unwrap().unwrap() }
    }

    fn again(place: &TestLibrary, name: &str, kept: &PassageDocument, sentences: &[&str]) -> Option<String> {
        let path = place.documents().join(name);
        let found = place.library.relocate(&path, Some(kept), sentences).unwrap();
        found.map(|row| row.path.file_name().unwrap().to_string_lossy().into_owned())
    }

    #[test]
    fn a_renamed_document_is_found_again_also_where_another_took_its_name() {
        let place = TestLibrary::with(&[("a.md", KEEPER), ("other.md", "The tide is low.")]);
        let source = kept(&place, "a.md");
        let path = place.documents();
        fs::rename(path.join("a.md"), path.join("b.md")).unwrap();
        place.read();
        assert_eq!(again(&place, "a.md", &source, &[]).as_deref(), Some("b.md"));
        // Another file takes the old name.
        fs::rename(path.join("other.md"), path.join("a.md")).unwrap();
        place.read();
        assert_eq!(again(&place, "a.md", &source, &[]).as_deref(), Some("b.md"));
        // And the document itself is changed at its new path.
        place.write("b.md", &format!("First of all. {KEEPER}"));
        place.read();
        assert_eq!(again(&place, "a.md", &source, &[KEEPER]).as_deref(), Some("b.md"));
        assert_eq!(again(&place, "a.md", &source, &["Nobody says so."]).as_deref(), Some("a.md"));
    }

    #[test]
    fn what_was_written_anew_at_its_place_is_it_and_what_left_is_gone() {
        let place = TestLibrary::with(&[("a.md", KEEPER), ("b.md", "The tide is low.")]);
        let source = kept(&place, "a.md");
        place.write("a.md", "Something else altogether.");
        place.read();
        assert_eq!(again(&place, "a.md", &source, &[KEEPER]).as_deref(), Some("a.md"));
        fs::remove_file(place.documents().join("a.md")).unwrap();
        place.read();
        assert_eq!(again(&place, "a.md", &source, &[KEEPER]), None);
    }

    #[test]
    fn an_id_of_a_library_that_was_made_anew_names_nothing() {
        let place = TestLibrary::with(&[("a.md", KEEPER), ("b.md", "The tide is low.")]);
        let source = kept(&place, "a.md");
        let strange = PassageDocument { id: place.id("b.md"), ..source.clone() };
        assert_eq!(again(&place, "a.md", &strange, &[KEEPER]).as_deref(), Some("a.md"));
        assert_eq!(again(&place, "gone.md", &strange, &[KEEPER]), None);
        assert_eq!(again(&place, "gone.md", &source, &[]).as_deref(), Some("a.md"), "by its bytes");
    }
}
