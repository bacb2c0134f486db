//! Tries another embedder on past questions. No index is built: only the documents that those questions led to are
//! embedded, and both embedders rank the same sentences.
//!
//! A trial compares the ranks of the sentences that the latest answers cite. Vectors of two embedders are never compared
//! with each other.

use std::collections::{BTreeSet, HashMap};

use oriel_core::{
    CancelToken, Candidate, DocumentId, Embedder, Kind, Ordinal, SentenceId, SentenceRow, TextKind,
};
use serde::Serialize;

use crate::conversation::Turn;
use crate::conversation::store::{ConversationError, Conversations};
use crate::error::EngineError;
use crate::library::Library;
use crate::library::sentences::sentence_texts;
use crate::search::loaded::unit;
use crate::search::query::Query;
use crate::search::window::{MergedWindow, Window, widen};

/// Sentences between two progress reports and checks for cancellation.
const BATCH_SENTENCES: usize = 64;

/// A question with the sentence that its answer cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedQuestion {
    /// The question as it was typed.
    pub question: String,
    /// The question as it was searched for.
    searched: String,
    /// The documents of its passages.
    documents: Vec<DocumentId>,
    /// The document of the first citation, and the first byte of the sentence that it leads to.
    cited: (DocumentId, u32),
}

/// The result of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The questions whose cited sentence still exists, in the given order.
    pub questions: Vec<TriedQuestion>,
    /// Documents that were embedded.
    pub documents: usize,
}

/// A question and the rank of the passage that its answer cites, from 1; `None` if it was not found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct TriedQuestion {
    /// The question.
    pub question: String,
    /// By the embedder in use.
    pub current: Option<usize>,
    /// By the other.
    pub other: Option<usize>,
}

impl Conversations {
    /// The last questions whose answers cite a sentence, newest first, each once, at most `most`.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn last_cited(&self, most: usize) -> Result<Vec<CitedQuestion>, ConversationError> {
        let mut cited: Vec<CitedQuestion> = Vec::new();
        for row in self.list("")? {
            // A damaged or deleted conversation is skipped.
            let Ok(conversation) = self.get(&row.id) else { continue };
            for turn in conversation.turns.iter().rev() {
                if cited.len() == most {
                    return Ok(cited);
                }
                let question = CitedQuestion::of(turn);
                cited.extend(question.filter(|new| cited.iter().all(|one| one.question != new.question)));
            }
        }
        Ok(cited)
    }
}

impl CitedQuestion {
    fn of(turn: &Turn) -> Option<Self> {
        let answer = turn.answer.as_ref().filter(|answer| !answer.abstained)?;
        let place = answer
            .sentences
            .iter()
            .filter(|sentence| sentence.supported)
            .find_map(|one| one.places.first())?;
        let document = |n: usize| turn.documents.get(n.checked_sub(1)?)?.as_ref().map(|document| document.id);
        Some(Self {
            question: turn.question.clone(),
            searched: turn.searched.clone().unwrap_or_else(|| turn.question.clone()),
            documents: turn.documents.iter().flatten().map(|document| document.id).collect(),
            cited: (document(place.n)?, place.start),
        })
    }
}

/// The sentences of the documents in the trial.
struct Sentences {
    /// The positions of each sentence.
    places: HashMap<SentenceId, Vec<(DocumentId, Ordinal)>>,
    /// Each document's format and sentences.
    tables: HashMap<DocumentId, (Kind, Vec<SentenceRow>)>,
}

impl Library {
    /// Ranks the passages that the answers to `questions` cite, by the embedder in use and by `other`. Calls `progress` with
    /// the number of embedded sentences and their total.
    ///
    /// # Errors
    /// If a model fails, the store is damaged, or after a cancellation.
    pub fn try_embedder(
        &self,
        questions: &[CitedQuestion],
        current: &dyn Embedder,
        other: &dyn Embedder,
        progress: &mut dyn FnMut(usize, usize),
        cancel: &CancelToken,
    ) -> Result<Trial, EngineError> {
        let documents: BTreeSet<DocumentId> =
            questions.iter().flat_map(|one| one.documents.clone()).collect();
        let sentences = self.sentences_of(&documents)?;
        let mut ids: Vec<SentenceId> = sentences.places.keys().copied().collect();
        ids.sort_unstable();
        let texts = self.own_index()?.read(|view| sentence_texts(&view, &ids))?;
        let (known, texts): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH_SENTENCES) {
            progress(vectors.len(), texts.len());
            vectors.extend(other.embed(batch, TextKind::Passage, cancel)?);
        }
        let mut tried = Vec::new();
        for one in questions {
            let Some(cited) = sentences.at(one.cited) else { continue };
            let asked = |embedder: &dyn Embedder| {
                let asked = embedder.embed(std::slice::from_ref(&one.searched), TextKind::Query, cancel)?;
                Ok::<_, EngineError>(asked.into_iter().next().unwrap_or_default())
            };
            let (of_current, of_other) = (asked(current)?, asked(other)?);
            let by_current = self.store.read(|view| view.rank_dense(&of_current, &ids))?;
            let dot = |vector: &[f32]| vector.iter().zip(&of_other).map(|(a, b)| a * b).sum::<f32>();
            let mut by_other: Vec<(f32, SentenceId)> =
                vectors.iter().zip(&known).map(|(vector, id)| (dot(vector), *id)).collect();
            by_other.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
            tried.push(TriedQuestion {
                question: one.question.clone(),
                current: sentences.rank(cited, by_current.iter().map(|hit| hit.sentence)),
                other: sentences.rank(cited, by_other.iter().map(|(_, id)| *id)),
            });
        }
        Ok(Trial { questions: tried, documents: sentences.tables.len() })
    }

    fn sentences_of(&self, documents: &BTreeSet<DocumentId>) -> Result<Sentences, EngineError> {
        self.store.read(|view| {
            let (mut places, mut tables) = (HashMap::<_, Vec<_>>::new(), HashMap::new());
            for &document in documents {
                let Some(record) = view.document(document)? else { continue };
                let rows: Vec<_> = view.table(document)?.rows().collect();
                for (ordinal, row) in (0..).map(Ordinal).zip(&rows) {
                    places.entry(row.id).or_default().push((document, ordinal));
                }
                if !rows.is_empty() {
                    tables.insert(document, (record.kind, rows));
                }
            }
            Ok(Sentences { places, tables })
        })
    }
}

impl Sentences {
    /// The sentence that begins at this byte of a document; `None` if none does any more.
    fn at(&self, (document, start): (DocumentId, u32)) -> Option<(DocumentId, Ordinal)> {
        let at = self.tables.get(&document)?.1.binary_search_by_key(&start, |row| row.span.start).ok()?;
        Some((document, Ordinal(u32::try_from(at).ok()?)))
    }

    /// The rank of the passage with the sentence, from 1, after the best sentences are widened and merged as in a
    /// search.
    fn rank(&self, cited: (DocumentId, Ordinal), ranked: impl Iterator<Item = SentenceId>) -> Option<usize> {
        let places = ranked.flat_map(|id| self.places.get(&id).into_iter().flatten());
        let candidates: Vec<Candidate> = places
            .take(Query::CANDIDATES)
            .map(|&(document, ordinal)| Candidate { document, ordinal, score: 0.0 })
            .collect();
        let unit = |document, ordinal| {
            self.tables.get(&document).and_then(|(kind, rows)| unit(rows, *kind, ordinal))
        };
        let passages = widen(&candidates, Window::default(), true, unit);
        let holds = |passage: &MergedWindow| {
            passage.document == cited.0 && (passage.first..=passage.last).contains(&cited.1.0)
        };
        passages.iter().position(holds).map(|at| at + 1)
    }
}
