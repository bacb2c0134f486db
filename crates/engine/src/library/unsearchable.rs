//! Files without searchable text: documents without a sentence, and files of kinds that are not read.

use std::collections::BTreeMap;

use oriel_store::LeftOut;
use serde::Serialize;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::document_row::{DocumentRow, is_empty};

/// Files of one extension that are not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct OtherFiles {
    /// The extension, in lower case; empty for files without one.
    pub extension: String,
    /// How many.
    pub count: u64,
    /// The paths of the first.
    pub paths: Vec<String>,
}

/// Files that no search can find, although nothing failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Unsearchable {
    /// The first documents without sentences, by path.
    pub documents: Vec<DocumentRow>,
    /// How many such documents there are in all.
    pub empty: usize,
    /// Files of kinds that are not read, as of the last full scan.
    pub skipped: u64,
    /// These files by extension, the most frequent first, ties in alphabetical order. Only the most frequent extensions are known.
    pub extensions: Vec<OtherFiles>,
    /// Symbolic links that were not followed, as of the last full scan.
    pub links: LeftOut,
    /// Symbolic links that were to be followed and lead nowhere.
    pub dangling: LeftOut,
    /// Parts of web pages (styles, scripts, icons), as of the last full scan: folders and files with all that is below them.
    pub page_parts: u64,
    /// These counted by name, in the same order. Only the most frequent names are known.
    pub part_names: Vec<(String, u64)>,
}

impl Library {
    /// Files that no search can find; at most `limit` documents.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn unsearchable(&self, limit: usize) -> Result<Unsearchable, EngineError> {
        self.store.read(|view| {
            let catalogue = self.catalogue_of(&view)?;
            let mut scan = view.scan()?.unwrap_or_default();
            let mut empty: Vec<&DocumentRow> =
                catalogue.rows().filter(|row| is_empty(row.kind, &row.state, row.sentences)).collect();
            empty.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(Unsearchable {
                empty: empty.len(),
                documents: empty.into_iter().take(limit).cloned().collect(),
                skipped: scan.skipped,
                extensions: by_count(scan.extensions)
                    .into_iter()
                    .map(|(extension, count)| {
                        let paths = scan.examples.remove(&extension).unwrap_or_default();
                        OtherFiles { extension, count, paths }
                    })
                    .collect(),
                links: scan.links,
                dangling: scan.dangling,
                page_parts: scan.page_parts,
                part_names: by_count(scan.part_names),
            })
        })
    }
}

fn by_count(extensions: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut extensions: Vec<_> = extensions.into_iter().collect();
    extensions.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    extensions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn documents_without_a_sentence_are_named_and_other_files_counted_by_extension() {
        let place = TestLibrary::with(&[
            ("full.txt", "The tide is low."),
            ("b empty.txt", ""),
            ("a blank.md", "\n \n"),
            ("tune.MP3", "x"),
            ("song.mp3", "x"),
            ("tune", "x"),
            ("photo.gif", "x"),
        ]);
        place.write_broken("broken.pdf");
        place.read();
        let found = place.library.unsearchable(10).unwrap();
        let names: Vec<_> =
            found.documents.iter().map(|row| row.path.file_name().unwrap().to_string_lossy()).collect();
        assert_eq!(names, ["a blank.md", "b empty.txt"]);
        assert_eq!((found.empty, found.skipped), (2, 4));
        let extensions: Vec<_> =
            found.extensions.iter().map(|one| (one.extension.as_str(), one.count, one.paths.len())).collect();
        assert_eq!(extensions, [("mp3", 2, 2), ("", 1, 1), ("gif", 1, 1)]);
        assert!(found.extensions[0].paths[0].ends_with("song.mp3"));
        assert_eq!(place.library.overview().unwrap().empty, 2);
        let first = place.library.unsearchable(1).unwrap();
        assert_eq!((first.documents.len(), first.empty), (1, 2), "all are counted");
    }

    #[test]
    fn parts_of_web_pages_are_counted_and_can_be_asked_for() {
        let place = TestLibrary::with(&[
            ("docs/index.html", "<p>The tide is low.</p>"),
            ("docs/_static/note.txt", "The tide is a script."),
            ("Offer.html", "<p>The tide is offered.</p>"),
            ("Offer_files/frame.html", "<p>The tide is framed.</p>"),
            ("Case_files/letter.txt", "The tide is a case."),
        ]);
        place.read();
        let found = place.library.unsearchable(10).unwrap();
        assert_eq!(found.page_parts, 2);
        assert_eq!(found.part_names, [("Offer_files".to_owned(), 1), ("_static".to_owned(), 1)]);
        assert_eq!(place.library.overview().unwrap().documents, 3);
        place.write(".orielignore", "!_static/\n");
        place.read();
        assert_eq!(place.library.unsearchable(10).unwrap().page_parts, 1);
        assert_eq!(place.library.overview().unwrap().documents, 4);
    }

    #[test]
    fn what_gets_words_is_not_listed_any_more() {
        let place = TestLibrary::with(&[("a.txt", ""), ("tune.mp3", "x")]);
        assert_eq!(place.library.unsearchable(10).unwrap().empty, 1);
        place.write("a.txt", "The tide is low.");
        std::fs::remove_file(place.documents().join("tune.mp3")).unwrap();
        place.read();
        assert_eq!(place.library.unsearchable(10).unwrap(), Unsearchable::default());
    }
}
