//! Finds the document that a saved answer or scope refers to. It may have been renamed, moved or indexed again since, and
//! another file may have taken its path.

use std::path::Path;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::DocumentRow;
use crate::library::document_text::PassageDocument;

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
        self.source().relocate(path, kept, sentences)
    }
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
