//! Checks whether the texts, sentences, postings and vectors of a library agree.

use std::collections::{BTreeSet, HashSet};

use oriel_core::{CancelToken, DocumentId, Notice};
use oriel_store::{DocumentState, DocumentTerms, Store, Vectors};
use serde::Serialize;

use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::digests;

/// The result of a check. The library is sound if `problems` is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// Documents whose text was checked.
    pub documents: usize,
    pub sentences: usize,
    pub distinct: u64,
    pub vectors: u64,
    /// Sentences without a vector.
    pub waiting: u64,
    /// One line for each disagreement, with its place.
    #[serde(serialize_with = "oriel_core::lossy::notices")]
    pub problems: Vec<Notice>,
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

fn check(store: &Store, cancel: &CancelToken) -> Result<Findings, EngineError> {
    store.read(|view| {
        let mut findings = Findings::default();
        let (mut expected_postings, mut expected_occurrences) = (0u64, 0u64);
        let (mut listed, mut members) = (HashSet::new(), Vec::new());
        // An older version may have given these documents fewer words.
        let read_again: HashSet<DocumentId> = view.read_queue()?.into_iter().collect();
        for entry in view.documents()? {
            cancel.check()?;
            let (id, record) = entry?;
            listed.extend(record.members.iter().map(|member| (id, *member)));
            members.extend(record.within.map(|file| ((file, id), record.path.clone())));
            let mut problem =
                |what: Notice| findings.problems.push(Notice::about(record.path.display(), what));
            if view.document_at(&record.path)? != Some(id) {
                problem(Notice::PathLeadsElsewhere);
            }
            let text = view.text(id)?;
            if record.state != DocumentState::Indexed {
                if text.is_some() {
                    problem(Notice::TextThoughNotIndexed);
                }
                continue;
            }
            let Some(text) = text else {
                problem(Notice::TextMissing);
                continue;
            };
            let table = view.table(id)?;
            if table.len() != record.sentences as usize {
                problem(Notice::SentenceCountWrong);
            }
            let mut all_terms = Vec::with_capacity(table.len());
            let (mut end, mut astray, mut homeless) = (0, 0, 0);
            let outline = view.outline(id)?;
            let spans = table.rows().map(|row| row.span);
            for (row, digest) in table.rows().zip(digests(&record.path, &text, &outline, record.kind, spans))
            {
                let is_ordered = row.span.start >= end;
                end = row.span.end;
                let stored = digest.as_ref().map(|one| view.sentence_with(&one.hash)).transpose()?.flatten();
                if !is_ordered || stored != Some(row.id) {
                    astray += 1;
                }
                if !view.occurrences(row.id)?.any(|document| document.is_ok_and(|document| document == id)) {
                    homeless += 1;
                }
                all_terms.push(digest.map(|one| one.terms).unwrap_or_default());
            }
            if astray > 0 {
                problem(Notice::SentencesWithoutMatch { count: astray });
            }
            if homeless > 0 {
                problem(Notice::SentencesWithoutMeaning { count: homeless });
            }
            let distinct_terms: BTreeSet<&String> = all_terms.iter().flatten().collect();
            expected_postings += distinct_terms.len() as u64;
            expected_occurrences += table.rows().map(|row| row.id).collect::<BTreeSet<_>>().len() as u64;
            if !read_again.contains(&id) && !view.check_postings(id, &DocumentTerms::of(&all_terms))? {
                problem(Notice::WordsMissing);
            }
            findings.documents += 1;
            findings.sentences += table.len();
        }
        for (member, path) in members {
            if !listed.remove(&member) {
                findings.problems.push(Notice::about(path.display(), Notice::MemberNotListed));
            }
        }
        findings.problems.extend(listed.iter().map(|(_, member)| Notice::DocumentGone { id: member.0 }));
        let counts = view.entry_counts()?;
        if read_again.is_empty() && counts.postings != expected_postings {
            let (stored, expected) = (figure(counts.postings), figure(expected_postings));
            findings.problems.push(Notice::PostingsWrong { stored, expected });
        }
        if counts.occurrences != expected_occurrences {
            let (stored, expected) = (figure(counts.occurrences), figure(expected_occurrences));
            findings.problems.push(Notice::OccurrencesWrong { stored, expected });
        }
        for id in read_again {
            if view.document(id)?.is_none() {
                findings.problems.push(Notice::WaitingDocumentMissing { id: id.0 });
            }
        }
        let mut sets = vec![Vectors::Active];
        if view.embedder_of(Vectors::Pending)?.is_some() {
            sets.push(Vectors::Pending);
        }
        for of in sets {
            let other = of == Vectors::Pending;
            let (without, orphaned) = view.check_vectors(of)?;
            if !without.is_empty() {
                findings.problems.push(Notice::VectorsMissing { count: without.len(), other });
            }
            if !orphaned.is_empty() {
                findings.problems.push(Notice::VectorsWithoutSentence { count: orphaned.len(), other });
            }
            let count = figure(view.check_codes(of)?);
            if count > 0 {
                findings.problems.push(Notice::CodesWrong { count, other });
            }
        }
        let totals = view.totals()?;
        if totals.sentences != findings.sentences as u64 {
            let (counted, kept) = (findings.sentences, figure(totals.sentences));
            findings.problems.push(Notice::SentenceSumWrong { counted, kept });
        }
        findings.vectors = view.vector_count(Vectors::Active)?;
        findings.distinct = view.distinct_sentences()?;
        findings.waiting = view.unembedded_count(Vectors::Active)?;
        Ok(findings)
    })
}

fn figure(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
