//! Lists every document that mentions a thing, by meaning: an exhaustive pass over all sentences.
//!
//! A search returns the best passages; a survey returns all documents. For each document it takes the sentences that are
//! nearest to the thing and those that hold its words, and asks the checker of each whether it mentions the thing. Without a
//! checker, or in a language that the checker was not made for, a sentence mentions the thing if it holds all of its words.
//!
//! `mentions` counts words exactly; this judges meaning.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use oriel_core::{
    CancelToken, ClaimChecker, DocumentId, Embedder, Kind, Survey, SurveyedDocument, SurveyedSentence,
    TextKind,
};
use oriel_store::{DocumentRecord, DocumentState, SentenceRow, StoreError, View};
use oriel_text::{plain, terms};

use crate::error::EngineError;
use crate::library::Library;
use crate::search::filter::Filter;
use crate::search::languages::is_made_for;
use crate::search::mentions::holding;
use crate::search::retrieve::check_embedder;
use crate::search::words::content_words;

/// Sentences of a document that are judged because they are near to the thing.
const NEAREST: usize = 4;
/// Sentences of a document that are judged because they hold all of the thing's words.
const HOLDING: usize = 8;
/// Sentences that are judged together. Between two such batches a survey reports and can be stopped.
const BATCH: usize = 64;
/// From this probability on a sentence mentions the thing.
const MIN_SCORE: f32 = 0.5;
/// From this probability on it certainly does.
const CERTAIN: f32 = 0.85;
/// The score of a sentence that holds the thing's words and that no checker has read.
const UNCHECKED: f32 = 0.6;

/// What a survey looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyQuestion {
    /// The thing: "a notice period".
    pub thing: String,
    /// What the documents are called: "contracts". If folders have this name, only documents in them are surveyed.
    pub noun: Option<String>,
}

/// The models of a survey. Without an embedder only sentences with the thing's words are judged.
#[derive(Clone, Copy, Default)]
pub struct SurveyModels<'a> {
    /// Finds the sentences that are near to the thing.
    pub embedder: Option<&'a dyn Embedder>,
    /// Says whether a sentence mentions it.
    pub checker: Option<&'a dyn ClaimChecker>,
}

/// The sentences of a document that are judged.
struct Sample {
    path: PathBuf,
    kind: Kind,
    sentences: Vec<(SentenceRow, String)>,
}

/// What is looked for, prepared.
struct Sought {
    claim: String,
    vector: Option<Vec<f32>>,
    terms: Vec<String>,
}

/// What the checker is asked of a sentence. It was trained with these words.
fn claim(thing: &str) -> String {
    format!("It mentions {thing}.")
}

impl Library {
    /// Every document in the scope of `filter` that mentions a thing. `on_progress` hears of the survey so far, in which
    /// `read` grows; documents come in the order of their paths.
    ///
    /// # Errors
    /// If a model fails, after a cancellation, if the filter names a path without documents, or if the store is damaged.
    pub fn survey(
        &self,
        question: &SurveyQuestion,
        filter: &Filter,
        models: &SurveyModels<'_>,
        on_progress: &mut dyn FnMut(&Survey),
        cancel: &CancelToken,
    ) -> Result<Survey, EngineError> {
        let thing = &question.thing;
        let mut words: Vec<String> = content_words(thing).into_iter().flat_map(terms).collect();
        words.sort_unstable();
        words.dedup();
        let vectors =
            models.embedder.map(|one| one.embed(&[thing.clone()], TextKind::Query, cancel)).transpose()?;
        let vector = vectors.and_then(|mut vectors| vectors.pop());
        let sought = Sought { claim: claim(thing), vector, terms: words };
        let mut survey = Survey { thing: thing.clone(), ..Survey::default() };
        let samples = self.store.read(|view| {
            if sought.vector.is_some() {
                check_embedder(&view, models.embedder)?;
            }
            let scope = Scope::of(&view, question, filter)?;
            survey.folder.clone_from(&scope.folder);
            survey.total = scope.documents.len();
            let mut samples = Vec::new();
            for (id, record) in scope.documents {
                cancel.check()?;
                match record.state {
                    DocumentState::Failed(_) => survey.unreadable += 1,
                    DocumentState::Waiting => {}
                    DocumentState::Indexed => {
                        survey.sentences += u64::from(record.sentences);
                        samples.push(sample(&view, id, record, &sought)?);
                    }
                }
            }
            Ok::<_, EngineError>(samples)
        })?;
        let mut judged = Judged { scores: HashMap::new(), checker: models.checker, sought: &sought };
        let mut rest = &samples[..];
        while !rest.is_empty() {
            let mut sentences = 0;
            let fits = |sample: &&Sample| {
                sentences += sample.sentences.len();
                sentences <= BATCH
            };
            let (batch, others) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            judged.judge(batch, cancel)?;
            survey.documents.extend(batch.iter().filter_map(|sample| judged.document(sample)));
            survey.read += batch.len();
            rest = others;
            on_progress(&survey);
        }
        Ok(survey)
    }
}

/// The documents that are surveyed, by path.
struct Scope {
    documents: Vec<(DocumentId, DocumentRecord)>,
    /// The folder that the question names.
    folder: Option<PathBuf>,
}

impl Scope {
    fn of(view: &View<'_>, question: &SurveyQuestion, filter: &Filter) -> Result<Self, EngineError> {
        let mut documents = Vec::new();
        filter.each(view, |id, record| documents.push((id, record)))?;
        documents.sort_by(|a, b| a.1.path.cmp(&b.1.path));
        let folder = question.noun.as_deref().and_then(|noun| named_folder(&documents, noun));
        if let Some(folder) = &folder {
            documents.retain(|(_, record)| record.path.starts_with(folder));
        }
        Ok(Self { documents, folder })
    }
}

/// The folder with documents that is called by a noun, if there is exactly one.
fn named_folder(documents: &[(DocumentId, DocumentRecord)], noun: &str) -> Option<PathBuf> {
    let wanted = terms(noun);
    let is_named = |folder: &&Path| {
        folder.file_name().is_some_and(|name| !wanted.is_empty() && terms(&name.to_string_lossy()) == wanted)
    };
    let folders: BTreeSet<&Path> =
        documents.iter().flat_map(|(_, record)| record.path.ancestors().skip(1).filter(is_named)).collect();
    match folders.len() {
        1 => folders.first().map(|folder| folder.to_path_buf()),
        _ => None,
    }
}

/// The sentences of a document that are worth judging, in reading order.
fn sample(
    view: &View<'_>,
    id: DocumentId,
    record: DocumentRecord,
    sought: &Sought,
) -> Result<Sample, EngineError> {
    let table = view.table(id)?;
    let mut ordinals = BTreeSet::new();
    if let Some(vector) = &sought.vector {
        let mut ids: Vec<_> = table.rows().map(|row| row.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for hit in view.rank_dense(vector, &ids)?.into_iter().take(NEAREST) {
            ordinals.extend(table.ordinals_of(hit.sentence).take(1));
        }
    }
    ordinals.extend(holding(view, &sought.terms, id)?.into_iter().take(HOLDING));
    if ordinals.is_empty() {
        return Ok(Sample { path: record.path, kind: record.kind, sentences: Vec::new() });
    }
    let damaged = || StoreError::Corrupt(format!("document {} has sentences and no text", id.0));
    let text = view.text(id)?.ok_or_else(damaged)?;
    let sentence = |ordinal| {
        let row = table.get(ordinal)?;
        Some((row, row.span.of(&text)?.to_owned()))
    };
    let sentences = ordinals.into_iter().map(|ordinal| sentence(ordinal).ok_or_else(damaged));
    Ok(Sample { path: record.path, kind: record.kind, sentences: sentences.collect::<Result<_, _>>()? })
}

/// What was judged so far: a sentence that stands in many documents is judged once.
struct Judged<'a> {
    scores: HashMap<String, f32>,
    checker: Option<&'a dyn ClaimChecker>,
    sought: &'a Sought,
}

impl Judged<'_> {
    fn judge(&mut self, samples: &[Sample], cancel: &CancelToken) -> Result<(), EngineError> {
        cancel.check()?;
        let (mut asked, mut compared) = (BTreeSet::new(), BTreeSet::new());
        for sample in samples {
            let texts: Vec<String> =
                sample.sentences.iter().map(|(_, sentence)| plain(sentence, sample.kind)).collect();
            // One sentence may be too short to tell its language.
            let is_readable = self.checker.is_some_and(|one| is_made_for(one.languages(), &texts.join(" ")));
            let new = texts.into_iter().filter(|text| !self.scores.contains_key(text));
            if is_readable { asked.extend(new) } else { compared.extend(new) }
        }
        if let Some(checker) = self.checker.filter(|_| !asked.is_empty()) {
            let pairs: Vec<(usize, String)> = asked.into_iter().map(|text| (0, text)).collect();
            let chances = checker.check(std::slice::from_ref(&self.sought.claim), &pairs, cancel)?;
            self.scores.extend(pairs.into_iter().zip(chances).map(|((_, text), one)| (text, one.supported)));
        }
        for text in compared {
            let held = terms(&text);
            let holds_all = self.sought.terms.iter().all(|term| held.contains(term));
            let score = if holds_all && !self.sought.terms.is_empty() { UNCHECKED } else { 0.0 };
            self.scores.entry(text).or_insert(score);
        }
        Ok(())
    }

    /// The document with the sentences that mention the thing; `None` if none does.
    fn document(&self, sample: &Sample) -> Option<SurveyedDocument> {
        let mut sentences: Vec<SurveyedSentence> = sample
            .sentences
            .iter()
            .filter_map(|(row, text)| {
                let score = *self.scores.get(&plain(text, sample.kind))?;
                (score >= MIN_SCORE).then(|| SurveyedSentence {
                    page: row.page,
                    start: row.span.start,
                    end: row.span.end,
                    text: text.clone(),
                    score,
                })
            })
            .collect();
        sentences.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.start.cmp(&b.start)));
        let certain = sentences.first()?.score >= CERTAIN;
        Some(SurveyedDocument { path: sample.path.clone(), certain, included: None, sentences })
    }
}
