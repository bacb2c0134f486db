//! Finds the documents that a question names: by file name, title or folder, or by words of these.

use std::path::{Path, PathBuf};

use oriel_core::{DocumentId, Filter};
use oriel_store::{DocumentState, View};
use oriel_text::terms;
use unicode_normalization::UnicodeNormalization as _;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::filter::each_document;
use crate::question::outline::{DocumentName, NamedQuestion};
use crate::question::words::content_words;
use crate::search::query::Query;
use crate::search::survey::named_folder;

/// A document that can be named.
pub(crate) struct NamedDocument {
    pub id: DocumentId,
    pub path: PathBuf,
    /// The path below the followed folder and the title, in lower case and composed Unicode.
    below: PathBuf,
    title: String,
}

impl NamedDocument {
    /// Whether this is exactly its name: the file name with or without extension, the title, or the end of the path.
    fn is_called(&self, name: &str) -> bool {
        let stem = self.below.file_stem().is_some_and(|stem| stem.to_string_lossy() == name);
        stem || self.title == name || self.below.ends_with(name)
    }

    /// Whether its names contain all `words`, and its own name at least one. With `strictly`, these must be at least
    /// half of its name.
    fn has_words(&self, words: &[String], strictly: bool) -> bool {
        let name = terms(&self.below.file_name().unwrap_or_default().to_string_lossy());
        let own = [name, terms(&self.title)];
        let above = terms(&self.below.parent().unwrap_or(Path::new("")).to_string_lossy());
        let has = |word: &String| own.iter().chain([&above]).any(|names| names.contains(word));
        let covers = |names: &Vec<String>| {
            let held = words.iter().filter(|word| names.contains(word)).count();
            let is_word = |name: &&String| !name.starts_with(|c: char| c.is_ascii_digit());
            let ending = usize::from(self.below.extension().is_some());
            let telling = names.iter().filter(is_word).count().saturating_sub(ending).max(1);
            held > 0 && (!strictly || 2 * held >= telling)
        };
        !words.is_empty() && words.iter().all(has) && own.iter().any(covers)
    }
}

impl Library {
    /// The query asked of the single document that its question names; `None` if it names none or several.
    pub(crate) fn asked_of_document(
        &self,
        query: &Query,
        NamedQuestion { document, thing, is_german }: &NamedQuestion,
    ) -> Result<Option<Query>, EngineError> {
        let found = self.own_index()?.read(|view| documents_named(&view, document, &query.filter, true))?;
        let Ok([only]) = <[NamedDocument; 1]>::try_from(found) else { return Ok(None) };
        let question = match is_german {
            true => format!("Was steht darin über {thing}?"),
            false => format!("What does it say about {thing}?"),
        };
        let filter = query.filter.limited_to(vec![only.path]);
        Ok(Some(Query { question, filter, ..query.clone() }))
    }
}

/// The documents with text in the scope of `filter` that have this name, by path. With `strictly`, a name that several
/// documents share in part does not count.
pub(crate) fn documents_named(
    view: &View<'_>,
    DocumentName { name, is_all, is_folder }: &DocumentName,
    filter: &Filter,
    strictly: bool,
) -> Result<Vec<NamedDocument>, EngineError> {
    let roots: Vec<PathBuf> = view.folders()?.into_iter().map(|(_, folder)| folder.path).collect();
    let mut all = Vec::new();
    each_document(filter, view, |id, record| {
        if record.state == DocumentState::Indexed && record.sentences > 0 {
            let root = roots.iter().find_map(|root| record.path.strip_prefix(root).ok());
            let root = root.filter(|below| below.file_name().is_some()).unwrap_or(&record.path);
            let below = PathBuf::from(lower(&root.to_string_lossy()));
            let title = record.about.title.as_deref().map(lower).unwrap_or_default();
            all.push(NamedDocument { id, below, title, path: record.path });
        }
    })?;
    all.sort_by(|a, b| a.path.cmp(&b.path));
    if name.is_empty() {
        let is_meant = *is_all || all.len() == 1 || !filter.within.is_empty();
        all.retain(|_| is_meant);
        return Ok(all);
    }
    let name = lower(name);
    let folder = named_folder(all.iter().map(|one| &*one.path), &roots, &name);
    if *is_folder {
        all.retain(|one| folder.as_ref().is_some_and(|folder| one.path.starts_with(folder)));
    } else if all.iter().any(|one| one.is_called(&name)) {
        all.retain(|one| one.is_called(&name));
    } else if let Some(folder) = folder.filter(|_| !strictly) {
        all.retain(|one| one.path.starts_with(&folder));
    } else {
        let words: Vec<String> = content_words(&name).into_iter().flat_map(terms).collect();
        all.retain(|one| one.has_words(&words, strictly));
        if strictly && all.len() > 1 {
            all.clear();
        }
    }
    Ok(all)
}

fn lower(text: &str) -> String {
    text.to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::outline::{named_question, outline_question};
    use crate::testing::TestLibrary;

    #[test]
    fn a_document_is_named_by_its_file_its_folder_or_words_of_these() {
        let place = TestLibrary::with(&[
            ("Contracts/Lease 4 Ropewalk.txt", "The rent is £600."),
            ("Contracts/Supply agreement.txt", "Tin is supplied."),
            ("Minutes/2024-02-19 Board minutes.md", "The board met."),
            ("Minutes/2024-10-07 Board minutes.md", "The board met again."),
            ("Minutes/Recall meeting.md", "The clocks are called home."),
            ("Notes on the recall of the Curlew clock.txt", "It stopped."),
        ]);
        let named = |question: &str| -> Vec<String> {
            let asked = outline_question(question).expect(question);
            let found = place.library.own_index().unwrap().read(|view| {
                documents_named(&view, &asked.documents, &Filter::default(), !asked.may_be_several)
            });
            let name = |one: &NamedDocument| one.path.file_name().unwrap().to_string_lossy().into_owned();
            found.unwrap().iter().map(name).collect()
        };
        let (lease, supply) = ("Lease 4 Ropewalk.txt", "Supply agreement.txt");
        let (first, second, recall) =
            ("2024-02-19 Board minutes.md", "2024-10-07 Board minutes.md", "Recall meeting.md");
        for (question, expected) in [
            ("Summarise the lease", &[lease][..]),
            ("Summarise LEASE 4 ROPEWALK.TXT", &[lease]),
            ("What is the lease about?", &[lease]),
            ("Summarise the minutes of 2024-10-07", &[second]),
            ("Summarise the board minutes", &[first, second]),
            ("What is the board about?", &[]),
            ("Summarise all minutes", &[first, second, recall]),
            ("Summarise the files in contracts", &[lease, supply]),
            ("Summarise the rent", &[]),
            ("What is the clock about?", &[]),
            ("Summarise this", &[]),
        ] {
            assert_eq!(named(question), expected, "{question}");
        }
        let narrowed = |question: &str| {
            let asked = named_question(question).expect(question);
            place.library.asked_of_document(&Query::new(question), &asked).unwrap()
        };
        let of_lease = narrowed("What does the lease say about the rent?").unwrap();
        assert_eq!(of_lease.question, "What does it say about the rent?");
        assert!(of_lease.filter.within[0].ends_with(lease));
        assert_eq!(narrowed("What does the tenant say about the rent?"), None);
    }
}
