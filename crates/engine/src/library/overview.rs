//! A summary of a library: all documents in brief, and totals for each folder.
//!
//! The UI asks for it every second and on every keystroke, so it is cached until the store changes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use oriel_core::{DocumentId, FailureCode, Kind, Notice};
use oriel_store::{DocumentRecord, DocumentState, Vectors, View};
use oriel_text::dates::Period;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::error::EngineError;
use crate::library::document_row::{DocumentRow, is_empty};

/// A followed folder or file with its counts. A document in two followed folders counts in both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FolderOverview {
    /// Its number, which identifies it.
    pub number: u32,
    /// Its absolute path.
    #[serde(serialize_with = "oriel_core::lossy::path")]
    pub path: PathBuf,
    /// Whether it is a single file.
    pub is_file: bool,
    /// Documents that could be read.
    pub documents: usize,
    /// Queued documents: not read yet, changed since, or to be tried again. The latter two also count as read or failed.
    pub waiting: usize,
    /// Documents that could not be read.
    pub failed: usize,
    /// All known documents, read or not.
    pub known: usize,
    /// Why it, or a part of it, could not be read at the last scan.
    #[serde(serialize_with = "oriel_core::lossy::optional_notice")]
    pub unreachable: Option<Notice>,
    /// Why it is scanned periodically; `None` if it is fully watched, or was never watched.
    pub timed: Option<Timed>,
    /// Its ignore patterns.
    pub excludes: Vec<String>,
    /// Whether symbolic links in it are followed.
    pub follow_links: bool,
}

/// Why a folder is scanned periodically instead of watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
pub enum Timed {
    /// The system has no watches left.
    Limit,
    /// The folder is on a network or FUSE file system, which does not report all changes.
    Network,
    /// The system refuses to watch it.
    Refused,
}

impl Timed {
    /// The word stored for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Network => "network",
            Self::Refused => "refused",
        }
    }

    /// The meaning of a word in the store. An unknown word from a newer version counts as a refusal.
    pub(crate) fn of_word(word: &str) -> Self {
        [Self::Limit, Self::Network].into_iter().find(|one| one.word() == word).unwrap_or(Self::Refused)
    }

    /// The reason for a user, with what to do if anything can be done.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Limit => {
                "the system watches no more folders; raise fs.inotify.max_user_watches, or leave folders out"
            }
            Self::Network => "it lies on another machine, which does not tell of changes",
            Self::Refused => "the system does not watch it",
        }
    }
}

/// Totals of a library. Every document counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// What it follows, in the order in which it was added.
    pub folders: Vec<FolderOverview>,
    /// Documents that could be read.
    pub documents: usize,
    /// How many of these have no sentences: empty files, or images only.
    pub empty: usize,
    /// Queued documents, as in [`FolderOverview::waiting`].
    pub waiting: usize,
    /// Documents that could not be read.
    pub failed: usize,
    /// Sentences of the documents that were read, counted with repetitions.
    pub sentences: u64,
    /// Distinct sentences; each gets one vector.
    pub distinct: u64,
    /// Distinct sentences without a vector.
    pub unembedded: u64,
    /// Distinct sentences without a vector in the second set, while another embedder's vectors are computed.
    pub unembedded_next: Option<u64>,
    /// Estimate of the distinct sentences in documents that were never read: as many for their size as in documents of the
    /// same kind that were read or failed. 0 if nothing was read.
    #[serde(skip)]
    pub expected: u64,
    /// Total size of all known documents' files in bytes.
    pub bytes: u64,
    /// All known documents by kind.
    pub kinds: BTreeMap<Kind, usize>,
    /// Files of kinds that are not read; `None` before the first indexing.
    pub skipped: Option<u64>,
    /// Symbolic links that are not followed, or lead nowhere, as of the last full scan.
    pub links: u64,
}

/// A document with its path prepared for the search by name.
pub(crate) struct CatalogueEntry {
    pub row: DocumentRow,
    /// The path in lower case, with composed letters.
    pub path: String,
    /// Where the file name begins in it.
    pub name_at: usize,
}

/// The date of a document, and its title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DatedDocument {
    pub period: Period,
    pub title: String,
}

/// The dates of documents that have been read.
pub(crate) type DocumentDates = HashMap<DocumentId, DatedDocument>;

/// All documents by id, and their totals, as of one version of the store.
pub(crate) struct Catalogue {
    pub version: u64,
    pub entries: Vec<CatalogueEntry>,
    pub overview: Overview,
    /// The share of documents that are not in English, once computed.
    pub foreign_share: OnceLock<Option<f32>>,
    /// The dates of the documents, once computed.
    pub dates: OnceLock<Arc<DocumentDates>>,
}

impl Catalogue {
    /// Builds the catalogue of the store as `view` sees it.
    pub(crate) fn new(view: &View<'_>) -> Result<Self, EngineError> {
        let scan = view.scan()?;
        let mut overview = Overview {
            sentences: view.totals()?.sentences,
            distinct: view.distinct_sentences()?,
            unembedded: view.unembedded_count(Vectors::Active)?,
            unembedded_next: view
                .next_embedder()?
                .map(|_| view.unembedded_count(Vectors::Pending))
                .transpose()?,
            skipped: scan.as_ref().map(|scan| scan.skipped),
            links: scan.map_or(0, |scan| scan.links.count + scan.dangling.count),
            ..Overview::default()
        };
        for (number, folder) in view.folders()? {
            overview.folders.push(FolderOverview {
                number,
                path: folder.path,
                is_file: folder.is_file,
                documents: 0,
                waiting: 0,
                failed: 0,
                known: 0,
                unreachable: folder.unreachable,
                timed: folder.timed.as_deref().map(Timed::of_word),
                excludes: folder.excludes,
                follow_links: folder.follow_links,
            });
        }
        let read_queue: HashSet<DocumentId> = view.read_queue()?.into_iter().collect();
        let (mut entries, mut sizes) = (Vec::new(), BTreeMap::<Kind, Sizes>::new());
        for entry in view.documents()? {
            let (id, record) = entry?;
            overview.count(&record, read_queue.contains(&id));
            sizes.entry(record.kind).or_default().count(&record);
            entries.push(CatalogueEntry::new(DocumentRow::new(id, record)));
        }
        overview.expected = expected(&sizes, overview.distinct);
        Ok(Self {
            version: view.version(),
            entries,
            overview,
            foreign_share: OnceLock::new(),
            dates: OnceLock::new(),
        })
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &DocumentRow> {
        self.entries.iter().map(|entry| &entry.row)
    }
}

impl Overview {
    fn count(&mut self, record: &DocumentRecord, waits: bool) {
        let read = usize::from(record.state == DocumentState::Indexed);
        let failed = usize::from(matches!(record.state, DocumentState::Failed(_)));
        let waiting = usize::from(waits);
        self.documents += read;
        self.empty += usize::from(is_empty(record.kind, &record.state, record.sentences));
        self.failed += failed;
        self.waiting += waiting;
        self.bytes += if record.within.is_none() { record.stamp.size } else { 0 };
        *self.kinds.entry(record.kind).or_default() += 1;
        for folder in &mut self.folders {
            if record.path.starts_with(&folder.path) {
                folder.documents += read;
                folder.failed += failed;
                folder.known += 1;
                folder.waiting += waiting;
            }
        }
    }
}

/// Totals of the documents of one kind.
#[derive(Clone, Copy, Default)]
struct Sizes {
    /// Bytes of those that were read or failed, except files that are too large: one of these outweighs all others.
    read: f64,
    /// Their sentences, counted with repetitions.
    sentences: f64,
    /// Bytes of those that were never read.
    unread: f64,
}

impl Sizes {
    fn count(&mut self, record: &DocumentRecord) {
        let bytes = record.stamp.size as f64;
        match &record.state {
            DocumentState::Waiting => self.unread += bytes,
            DocumentState::Failed(failure) if failure.code == FailureCode::TooLarge => {}
            DocumentState::Indexed | DocumentState::Failed(_) => {
                self.read += bytes;
                self.sentences += f64::from(record.sentences);
            }
        }
    }

    fn and(self, other: Self) -> Self {
        let Self { read, sentences, unread } = other;
        Self { read: self.read + read, sentences: self.sentences + sentences, unread: self.unread + unread }
    }
}

/// See [`Overview::expected`]. Kinds of which nothing was read get the mean of all.
fn expected(kinds: &BTreeMap<Kind, Sizes>, distinct: u64) -> u64 {
    let all = kinds.values().fold(Sizes::default(), |sum, &one| sum.and(one));
    let to_come = |one: &Sizes| {
        let like = if one.read > 0.0 { one } else { &all };
        one.unread * like.sentences / like.read.max(1.0)
    };
    let repeated: f64 = kinds.values().map(to_come).sum();
    (repeated * distinct as f64 / all.sentences.max(1.0)) as u64
}

impl CatalogueEntry {
    fn new(row: DocumentRow) -> Self {
        let lower = |text: &OsStr| text.to_string_lossy().to_lowercase().nfc().collect::<String>();
        let path = lower(row.path.as_os_str());
        let name = row.path.file_name().map_or_else(String::new, lower);
        // Lower-casing may lengthen a letter, so the position is counted from the end.
        let name_at = path.len().saturating_sub(name.len());
        Self { row, path, name_at }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use oriel_store::{ScanRecord, Stamp};

    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn every_document_counts_once_for_the_library_and_in_every_folder_that_holds_it() {
        let place = TestLibrary::with(&[
            ("inner/a.txt", "The tide is low. It turns."),
            ("b.md", "The tide is high."),
            ("picture.xyz", "no text"),
        ]);
        let broken = place.write_broken("broken.pdf");
        fs::File::options().append(true).open(&broken).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        place.library.add(&[place.documents().join("inner")]).unwrap();
        place.read();
        place.write("new.txt", "The tide is new.");
        place.scan();
        let overview = place.library.overview().unwrap();
        let counts = |folder: &FolderOverview| (folder.documents, folder.waiting, folder.failed);
        assert_eq!(counts(&overview.folders[0]), (2, 1, 1));
        assert_eq!(counts(&overview.folders[1]), (1, 0, 0));
        assert_eq!((overview.documents, overview.waiting, overview.failed), (2, 1, 1));
        assert_eq!((overview.sentences, overview.distinct, overview.unembedded), (3, 3, 3));
        assert_eq!(overview.skipped, Some(1));
        assert_eq!(overview.kinds, BTreeMap::from([(Kind::Markdown, 1), (Kind::Text, 2), (Kind::Pdf, 1)]));
        let size = |path: &Path| fs::metadata(path).unwrap().len();
        let names = ["inner/a.txt", "b.md", "new.txt"].map(|name| size(&place.documents().join(name)));
        assert_eq!(overview.bytes, names.iter().sum::<u64>() + size(&broken));
    }

    #[test]
    fn what_is_to_come_is_reckoned_from_what_was_read_of_its_kind() {
        let lines = "The tide is low.\n\n".repeat(50) + "It turns. ";
        let place = TestLibrary::with(&[
            ("a.md", &lines),
            ("b.txt", "One line that goes on and on and ends."),
            ("c.txt", "Two."),
        ]);
        assert_eq!(place.library.overview().unwrap().expected, 0, "nothing waits");
        place.write("d.md", &lines.repeat(10));
        place.write("e.txt", &"Three. ".repeat(30));
        place.write("f.html", "<p>Four.</p>");
        place.write("c.txt", "What was read before and has changed.");
        place.scan();
        let overview = place.library.overview().unwrap();
        let (read, distinct) = (53.0, 4.0);
        assert_eq!((overview.sentences, overview.distinct), (53, 4));
        let size = |name: &str| fs::metadata(place.documents().join(name)).unwrap().len() as f64;
        let short = size("b.txt") + "Two.".len() as f64;
        let text = size("e.txt") * 2.0 / short;
        let html = size("f.html") * read / (size("a.md") + short);
        assert_eq!(overview.expected, ((510.0 + text + html) * distinct / read) as u64);
    }

    #[test]
    fn nothing_is_known_of_other_files_before_the_first_scan() {
        assert_eq!(TestLibrary::new().library.overview().unwrap(), Overview::default());
    }

    #[test]
    fn it_is_kept_until_the_store_changes() {
        let place = TestLibrary::with(&[("a.txt", "The tide is low.")]);
        let first = place.library.catalogue().unwrap();
        assert!(Arc::ptr_eq(&first, &place.library.catalogue().unwrap()));
        place.write("b.txt", "The tide is high.");
        place.read();
        assert_eq!(place.library.overview().unwrap().documents, 2);
    }

    /// Prints the time with 50,000 documents; `cargo test -p oriel-engine -- --ignored --nocapture fifty`.
    #[test]
    #[ignore = "a measurement"]
    fn fifty_thousand_documents() {
        let place = TestLibrary::with(&[]);
        place.library.add(&[place.documents().join("..")]).unwrap();
        let root = place.documents();
        place
            .library
            .store
            .write(|edit| {
                for number in 0..50_000 {
                    let folder = format!("University/Year {}/Course {}", number % 7, number % 90);
                    let path = root.join(folder).join(format!("Lecture notes, part {number}.pdf"));
                    let stamp = Stamp { size: 1000, modified: number, inode: number.unsigned_abs() };
                    edit.register(&DocumentRecord {
                        hash: Some("0".repeat(64)),
                        pages: 12,
                        sentences: 300,
                        state: DocumentState::Indexed,
                        ..DocumentRecord::unread(path, Kind::Pdf, stamp)
                    })?;
                }
                Ok(())
            })
            .unwrap();
        let timed = |what: &str, run: &dyn Fn()| {
            let begun = std::time::Instant::now();
            run();
            println!("{what}: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
        };
        let library = &place.library;
        timed("overview, first", &|| drop(library.overview().unwrap()));
        timed("overview, unchanged", &|| drop(library.overview().unwrap()));
        for query in ["", "lecture 4999", "ltrntes", "year 6 course 12 notes"] {
            timed(&format!("documents '{query}'"), &|| drop(library.documents(query, 20).unwrap()));
        }
        library.retry(&[]).unwrap();
        place.library.store.write(|edit| edit.set_scan(&ScanRecord::default())).unwrap();
        timed("overview, changed", &|| drop(library.overview().unwrap()));
    }
}
