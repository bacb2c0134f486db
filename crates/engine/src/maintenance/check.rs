//! Checks whether the texts, sentences, postings and vectors of a library agree.

use std::collections::BTreeSet;

use oriel_core::CancelToken;
use oriel_store::{DocumentState, Store, Vectors};
use serde::Serialize;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::hash_and_terms;

/// The result of a check. The library is sound if `problems` is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// Documents whose text was checked.
    pub documents: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Distinct sentences.
    pub distinct: u64,
    /// Vectors in the trees.
    pub vectors: u64,
    /// Vectors outside the trees.
    pub fresh: u64,
    /// Sentences without a vector.
    pub waiting: u64,
    /// One line each: what disagrees, and where.
    pub problems: Vec<String>,
}

impl Library {
    /// Checks whether texts, sentences, postings and vectors agree.
    ///
    /// # Errors
    /// If the store cannot be read at all.
    pub fn check(&self, cancel: &CancelToken) -> Result<Findings, EngineError> {
        check(&self.store, cancel)
    }
}

/// Checks the whole store.
fn check(store: &Store, cancel: &CancelToken) -> Result<Findings, EngineError> {
    store.read(|view| {
        let mut findings = Findings::default();
        let (mut expected_postings, mut expected_occurrences) = (0u64, 0u64);
        for entry in view.documents()? {
            cancel.check()?;
            let (id, record) = entry?;
            let path = record.path.display();
            let mut problem = |what: &str| findings.problems.push(format!("{path}: {what}"));
            if view.document_at(&record.path)? != Some(id) {
                problem("its path leads to another document");
            }
            let text = view.text(id)?;
            if record.state != DocumentState::Indexed {
                if text.is_some() {
                    problem("it has a text though it is not indexed");
                }
                continue;
            }
            let Some(text) = text else {
                problem("its text is missing");
                continue;
            };
            let table = view.table(id)?;
            if table.len() != record.sentences as usize {
                problem("its sentences are not as many as its record says");
            }
            let mut all_terms = Vec::with_capacity(table.len());
            let (mut end, mut astray, mut homeless) = (0, 0, 0);
            for row in table.rows() {
                let slice = row.span.of(&text).filter(|_| row.span.start >= end);
                end = row.span.end;
                let (hash, terms) = hash_and_terms(slice.unwrap_or_default(), record.kind);
                if slice.is_none() || view.sentence_with(&hash)? != Some(row.id) {
                    astray += 1;
                }
                if !view.occurrences(row.id)?.any(|document| document.is_ok_and(|document| document == id)) {
                    homeless += 1;
                }
                all_terms.push(terms);
            }
            if astray > 0 {
                problem(&format!("{astray} of its sentences do not match its text"));
            }
            if homeless > 0 {
                problem(&format!("{homeless} of its sentences cannot be found by meaning"));
            }
            let distinct_terms: BTreeSet<&String> = all_terms.iter().flatten().collect();
            expected_postings += distinct_terms.len() as u64;
            expected_occurrences += table.rows().map(|row| row.id).collect::<BTreeSet<_>>().len() as u64;
            if !view.check_postings(id, &all_terms)? {
                problem("it cannot be found by all of its words");
            }
            findings.documents += 1;
            findings.sentences += table.len();
        }
        let counts = view.entry_counts()?;
        if counts.postings != expected_postings {
            let stored = counts.postings;
            findings
                .problems
                .push(format!("there are {stored} postings, the documents have {expected_postings}"));
        }
        if counts.occurrences != expected_occurrences {
            let stored = counts.occurrences;
            findings
                .problems
                .push(format!("there are {stored} occurrences, the documents have {expected_occurrences}"));
        }
        for id in view.ledger()? {
            if view.document(id)?.is_none() {
                findings.problems.push(format!("document {} waits to be read and is not there", id.0));
            }
        }
        let mut sets = vec![(Vectors::Searched, "vector")];
        if view.embedder_of(Vectors::Next)?.is_some() {
            sets.push((Vectors::Next, "vector of the other embedder"));
        }
        for (of, what) in sets {
            let (without, orphaned) = view.check_vectors(of)?;
            if !without.is_empty() {
                findings
                    .problems
                    .push(format!("{} sentences have no {what} and wait for none", without.len()));
            }
            if !orphaned.is_empty() {
                findings.problems.push(format!("{} times a {what} belongs to no sentence", orphaned.len()));
            }
        }
        let totals = view.totals()?;
        if totals.sentences != findings.sentences as u64 {
            let counted = findings.sentences;
            let kept = totals.sentences;
            findings.problems.push(format!("the documents have {counted} sentences, the sums say {kept}"));
        }
        let counts = view.vector_counts(Vectors::Searched)?;
        findings.vectors = counts.trees - counts.stale.min(counts.trees);
        findings.fresh = counts.fresh;
        findings.distinct = view.distinct_sentences()?;
        findings.waiting = view.unembedded_count(Vectors::Searched)?;
        Ok(findings)
    })
}
