//! The reports of an indexing run: its progress, the changes it made, and a summary at the end.

use std::path::{Path, PathBuf};
use std::time::Duration;

use oriel_core::{Failure, Notice};
use serde::Serialize;

/// Progress of an indexing run. Counts are those of this run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IndexProgress<'a> {
    /// Folders are being compared with the library.
    Scanning {
        /// Files seen so far.
        files: usize,
    },
    /// Documents are being read. They can be found by words from then on.
    Reading {
        /// Documents done.
        done: usize,
        /// Documents to read.
        total: usize,
        /// The document that was read last.
        path: &'a Path,
    },
    /// Some sentences were embedded while documents are still read, as a speed sample for the estimate of the total time.
    Sampled {
        sentences: usize,
        /// How long embedding them took.
        took: Duration,
    },
    /// Sentences are being embedded. They can be found by meaning from then on.
    Embedding {
        /// Sentences done.
        done: usize,
        /// Sentences in total.
        total: usize,
    },
    /// A page of a scan or an image was recognised. The document can be found once all its pages are recognised.
    Recognising {
        path: &'a Path,
        /// The page, from 1.
        page: u32,
        /// The number of pages in the document.
        pages: u32,
    },
    /// A document changed, so answers may change.
    Changed {
        /// The document's path, or its last one.
        path: &'a Path,
        /// What happened to it.
        change: DocumentChange<'a>,
    },
}

/// What happened to a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DocumentChange<'a> {
    /// It was read, or moved to this path. It can be found by words and, with an embedder, by meaning.
    Indexed { sentences: usize },
    /// It is no longer at this path.
    Removed,
    /// It could not be read.
    Failed(&'a Failure),
}

/// The result of an indexing run. `documents`, `sentences` and `failed` count the whole library, the other numbers this
/// run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IndexReport {
    /// Documents that could be read.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Documents that could not be read.
    pub failed: usize,
    /// Files in unsupported formats.
    pub skipped: usize,
    /// Sentences that got a vector in this run.
    pub embedded: usize,
    /// Sentences of the documents read in this run that share a vector with a sentence of the same text.
    pub reused: usize,
    /// How long it took.
    pub seconds: f64,
    /// Folders that could not be read, with the reason; their documents are kept.
    #[serde(skip)]
    pub unreachable: Vec<(PathBuf, Notice)>,
}
