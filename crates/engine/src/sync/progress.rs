//! What an indexing run reports: its progress, the changes it made, and a summary at the end.

use std::path::{Path, PathBuf};
use std::time::Duration;

use oriel_core::Failure;
use serde::Serialize;

/// How far an indexing is. Counts are of this run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IndexProgress<'a> {
    /// Folders are compared with the library.
    Scanning {
        /// Files seen so far.
        files: usize,
    },
    /// Documents are read; they can be found by their words from then on.
    Reading {
        /// Documents done.
        done: usize,
        /// Documents to read.
        total: usize,
        /// The one that was read last.
        path: &'a Path,
    },
    /// While documents are still read, some sentences got their vectors, so that it can be told how long all will take.
    Sampled {
        /// Sentences.
        sentences: usize,
        /// How long their vectors took.
        took: Duration,
    },
    /// Sentences get their vectors; they can be found by meaning from then on.
    Embedding {
        /// Sentences done.
        done: usize,
        /// Sentences that wait.
        total: usize,
    },
    /// The trees over the vectors grow.
    Building {
        /// Vectors taken in.
        done: usize,
        /// Vectors that were outside when this began.
        total: usize,
    },
    /// The answers differ from now on.
    Changed {
        /// The document, as it is called or was called.
        path: &'a Path,
        /// What has become of it.
        change: DocumentChange<'a>,
    },
}

/// What has become of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DocumentChange<'a> {
    /// It has been read, or is called so now. It is found by words and, where there is an embedder, by meaning.
    Indexed {
        /// Its sentences.
        sentences: usize,
    },
    /// It is no longer there, or no longer called so.
    Removed,
    /// It could not be read.
    Failed(&'a Failure),
}

/// What an indexing came to: `documents`, `sentences` and `failed` of the library as it stands, the rest of this run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IndexReport {
    /// Documents that could be read.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Documents that could not be read.
    pub failed: usize,
    /// Files of kinds that are not read.
    pub skipped: usize,
    /// Sentences that got a vector in this run.
    pub embedded: usize,
    /// Sentences of the documents read in this run that needed none of their own: their text had one, or gets one.
    pub reused: usize,
    /// How long it took.
    pub seconds: f64,
    /// Folders that could not be read, with the reason; their documents are kept.
    #[serde(skip)]
    pub unreachable: Vec<(PathBuf, String)>,
}
