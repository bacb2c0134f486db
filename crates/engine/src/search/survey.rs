//! Lists every document that mentions a thing, by meaning: an exhaustive pass over all sentences.
//!
//! A search returns the best passages; a survey returns all documents. It makes two passes, each over one block of
//! documents at a time:
//!
//! 1. Compute the similarity of every sentence to the thing. Keep the nearest sentences of each document, and those
//!    that contain the thing's words.
//! 2. Let the checker decide whether each of these mentions the thing. Without a checker, or in a language that it does
//!    not support, a sentence mentions the thing if it contains all of its words.
//!
//! `mentions` counts words exactly; this module judges meaning.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use oriel_core::{
    CancelToken, ClaimChecker, DocumentId, Embedder, Filter, Location, ModelError, Ordinal, SentenceId,
    SentenceRow, Survey, SurveyedDocument, SurveyedSentence, TextKind, sigmoid,
};
use oriel_store::{DocumentState, StoreError, View};
use oriel_text::{plain, terms};

use crate::error::EngineError;
use crate::library::Library;
use crate::library::filter::each_document;
use crate::question::list::SurveyQuestion;
use crate::question::words::content_words;
use crate::search::languages::is_made_for;
use crate::search::mentions::holding;
use crate::search::retrieve::check_embedder;

/// Sentences of a document that are judged because they are near to the thing.
const NEAREST: usize = 4;
/// Sentences of a document that are judged because they contain all of the thing's words.
const HOLDING: usize = 8;
/// Documents that are compared with the thing in one state of the store.
const COMPARED: usize = 256;
/// Documents that are judged together. Between two blocks the survey reports progress and can be stopped.
const JUDGED: usize = 16;
/// A sentence mentions the thing from this probability on.
pub const MIN_MENTION_SCORE: f32 = 0.5;
/// A sentence certainly mentions the thing from this probability on.
pub const CERTAIN_MENTION: f32 = 0.85;
/// The curve of [`probability`].
const OFFSET: f32 = -1.3;
const SLOPE: f32 = 0.589;
const NEARNESS: f32 = 0.57;
/// The score of a sentence that contains the thing's words and that no checker has read.
const UNCHECKED: f32 = 0.6;

/// The models of a survey. Without an embedder only sentences with the thing's words are judged.
#[derive(Clone, Copy, Default)]
pub struct SurveyModels<'a> {
    /// Finds the sentences that are near to the thing.
    pub embedder: Option<&'a dyn Embedder>,
    /// Decides whether a sentence mentions the thing.
    pub checker: Option<&'a dyn ClaimChecker>,
}

/// The thing, prepared for the survey.
struct Sought {
    /// The claim for the checker, in the words with which it was trained.
    claim: String,
    vector: Option<Vec<f32>>,
    terms: Vec<String>,
}

impl Sought {
    fn new(thing: &str, embedder: Option<&dyn Embedder>, cancel: &CancelToken) -> Result<Self, ModelError> {
        let mut words: Vec<String> = content_words(thing).into_iter().flat_map(terms).collect();
        words.sort_unstable();
        words.dedup();
        let vectors =
            embedder.map(|one| one.embed(&[thing.to_owned()], TextKind::Query, cancel)).transpose()?;
        let vector = vectors.and_then(|mut vectors| vectors.pop());
        Ok(Self { claim: format!("It mentions {thing}."), vector, terms: words })
    }

    /// Adds the similarities of the background sentences to the thing.
    fn add_background(
        &self,
        spread: &mut Spread,
        embedder: Option<&dyn Embedder>,
        cancel: &CancelToken,
    ) -> Result<(), ModelError> {
        if let (Some(embedder), Some(vector)) = (embedder, &self.vector) {
            for other in embedder.embed(&BACKGROUND.map(str::to_owned), TextKind::Passage, cancel)? {
                spread.add(vector.iter().zip(&other).map(|(one, other)| one * other).sum());
            }
        }
        Ok(())
    }

    /// Whether a text contains all words of the thing.
    fn is_named_in(&self, text: &str) -> bool {
        let held = terms(text);
        !self.terms.is_empty() && self.terms.iter().all(|term| held.contains(term))
    }
}

/// The sentences of a document to judge, in reading order.
struct Sample {
    document: DocumentId,
    path: PathBuf,
    /// Each with its similarity to the thing, if it has a vector.
    sentences: BTreeMap<Ordinal, (SentenceId, Option<f32>)>,
}

/// Sentences about nothing in particular. If the scope has too few sentences to tell what is near, these show what is
/// far from a thing.
const BACKGROUND: [&str; 24] = [
    "The meeting begins at nine and ends before lunch.",
    "Please send the form to the office by Friday.",
    "The river froze twice that winter.",
    "Sales in the second quarter were lower than in the first.",
    "She learned to play the violin as a child.",
    "The function returns an error if the file does not exist.",
    "The contract ends on the last day of the year.",
    "Mix the flour with the eggs and let it rest.",
    "The patient was given a new medicine.",
    "The train leaves from platform four.",
    "Parliament passed the law with a small majority.",
    "The roof was repaired after the storm.",
    "He thanked everybody for their patience.",
    "The experiment was repeated with twenty samples.",
    "The museum is closed on Mondays.",
    "Press the button until the light turns green.",
    "The species lives in the mountains of the south.",
    "Our bank account has changed.",
    "The team won the final by two goals.",
    "The novel was translated into nine languages.",
    "Dogs must be kept on a lead.",
    "The price includes delivery.",
    "The army crossed the border at night.",
    "Water boils at a lower temperature there.",
];
/// From this number of sentences on, the scope itself tells what is near.
const MIN_SPREAD: f64 = 8.0;

/// The distribution of the similarities of all sentences in the scope. What counts as near depends on the embedder and
/// the library.
#[derive(Default)]
struct Spread {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, similarity: f32) {
        let similarity = f64::from(similarity);
        self.count += 1.0;
        self.sum += similarity;
        self.squares += similarity * similarity;
    }

    /// The number of standard deviations of a similarity above the mean.
    fn deviations(&self, similarity: f32) -> f32 {
        let mean = self.sum / self.count;
        let deviation = (self.squares / self.count - mean * mean).max(0.0).sqrt();
        if deviation > f64::EPSILON { ((f64::from(similarity) - mean) / deviation) as f32 } else { 0.0 }
    }
}

/// The probability that a sentence mentions the thing, by the checker's result and its similarity: a logistic curve,
/// fitted on things that the checker was not trained with, see `docs/benchmarks.md`.
fn probability(supported: f32, deviations: f32) -> f32 {
    let logit = (supported / (1.0 - supported).max(f32::EPSILON)).max(f32::EPSILON).ln();
    sigmoid(OFFSET + SLOPE * logit + NEARNESS * deviations)
}

impl Library {
    /// Every document in the scope of `filter` that mentions a thing, in the order of their paths. `on_progress`
    /// receives the survey so far, in which `read` grows. A cancelled survey contains what was found until then and is
    /// marked as stopped.
    ///
    /// # Errors
    /// If a model fails, if the filter names a path without documents, or if the store is damaged. After a cancellation only if
    /// no document was read.
    pub fn survey(
        &self,
        question: &SurveyQuestion,
        filter: &Filter,
        models: &SurveyModels<'_>,
        on_progress: &mut dyn FnMut(&Survey),
        cancel: &CancelToken,
    ) -> Result<Survey, EngineError> {
        let sought = Sought::new(&question.thing, models.embedder, cancel)?;
        let scope = self.own_index()?.read(|view| {
            if sought.vector.is_some() {
                let stored = view.embedder()?.map(|stored| stored.fingerprint);
                check_embedder(stored, models.embedder)?;
            }
            Scope::of(&view, question.noun.as_deref(), filter)
        })?;
        let mut survey = Survey {
            thing: question.thing.clone(),
            folder: scope.folder,
            total: scope.total,
            unreadable: scope.unreadable,
            ..Survey::default()
        };
        let (mut samples, mut spread) = (Vec::with_capacity(scope.readable.len()), Spread::default());
        for block in scope.readable.chunks(COMPARED) {
            cancel.check()?;
            self.own_index()?.read(|view| {
                for (document, path) in block {
                    samples.push(sample(&view, *document, path, &sought, &mut spread)?);
                }
                Ok::<_, EngineError>(())
            })?;
        }
        survey.sentences = spread.count as u64;
        if spread.count < MIN_SPREAD {
            sought.add_background(&mut spread, models.embedder, cancel)?;
        }
        let mut judge = Judge { scores: HashMap::new(), checker: models.checker, sought: &sought, spread };
        let mut named = Vec::new();
        for block in samples.chunks(JUDGED) {
            // One state of the store, so that texts and positions belong together.
            let loaded = self.own_index()?.read(|view| {
                block.iter().map(|sample| Loaded::of(&view, sample)).collect::<Result<Vec<_>, EngineError>>()
            })?;
            match judge.read(&loaded, cancel) {
                Err(EngineError::Model(ModelError::Cancelled(_))) if survey.read > 0 => {
                    survey.is_stopped = true;
                    return Ok(survey);
                }
                read => *survey.checked.get_or_insert_default() += read?,
            }
            survey.documents.extend(loaded.iter().filter_map(|one| judge.document(one, false)));
            if survey.documents.is_empty() {
                named.extend(loaded.iter().filter_map(|one| judge.document(one, true)));
            }
            survey.read += block.len();
            on_progress(&survey);
        }
        // If a sentence contains all words of the thing, the answer is not "None".
        if survey.documents.is_empty() {
            survey.documents = named;
        }
        Ok(survey)
    }

    /// The paths of the searchable documents in the scope of `filter`, in order. If a folder has the name `noun`, only
    /// those in it, and the folder.
    ///
    /// # Errors
    /// If the filter names a path without documents, or the store is damaged.
    pub fn documents_called(
        &self,
        noun: Option<&str>,
        filter: &Filter,
    ) -> Result<(Vec<PathBuf>, Option<PathBuf>), EngineError> {
        let scope = self.own_index()?.read(|view| Scope::of(&view, noun, filter))?;
        Ok((scope.readable.into_iter().map(|(_, path)| path).collect(), scope.folder))
    }
}

/// The documents to survey.
struct Scope {
    /// The searchable ones, by path.
    readable: Vec<(DocumentId, PathBuf)>,
    total: usize,
    unreadable: usize,
    /// The folder that the question names.
    folder: Option<PathBuf>,
}

impl Scope {
    fn of(view: &View<'_>, noun: Option<&str>, filter: &Filter) -> Result<Self, EngineError> {
        let mut documents = Vec::new();
        each_document(filter, view, |id, record| documents.push((id, record.path, record.state)))?;
        let roots: Vec<PathBuf> = view.folders()?.into_iter().map(|(_, folder)| folder.path).collect();
        let paths = documents.iter().map(|(_, path, _)| path.as_path());
        let folder = noun.and_then(|noun| named_folder(paths, &roots, noun));
        if let Some(folder) = &folder {
            documents.retain(|(_, path, _)| path.starts_with(folder));
        }
        let total = documents.len();
        let unreadable =
            documents.iter().filter(|(.., state)| matches!(state, DocumentState::Failed(_))).count();
        documents.retain(|(.., state)| *state == DocumentState::Indexed);
        let mut readable: Vec<_> = documents.into_iter().map(|(id, path, _)| (id, path)).collect();
        readable.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(Self { readable, total, unreadable, folder })
    }
}

/// The folder with documents whose name is a noun, if there is exactly one: a followed folder or one inside.
pub(crate) fn named_folder<'a>(
    paths: impl Iterator<Item = &'a Path>,
    roots: &[PathBuf],
    noun: &str,
) -> Option<PathBuf> {
    let wanted = terms(noun);
    let is_named = |folder: &&Path| {
        folder.file_name().is_some_and(|name| terms(&name.to_string_lossy()) == wanted)
            && roots.iter().any(|root| folder.starts_with(root))
    };
    let folders: BTreeSet<&Path> = paths.flat_map(|path| path.ancestors().skip(1).filter(is_named)).collect();
    match folders.len() {
        1 => folders.first().map(|folder| folder.to_path_buf()),
        _ => None,
    }
}

/// The sentences of a document to judge.
fn sample(
    view: &View<'_>,
    document: DocumentId,
    path: &Path,
    sought: &Sought,
    spread: &mut Spread,
) -> Result<Sample, EngineError> {
    let table = view.table(document)?;
    let mut similarities = HashMap::new();
    let mut ordinals = Vec::new();
    if let Some(vector) = &sought.vector {
        let mut ids: Vec<_> = table.rows().map(|row| row.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for hit in view.rank_dense(vector, &ids)? {
            if similarities.len() < NEAREST {
                ordinals.extend(table.ordinals_of(hit.sentence).take(1));
            }
            spread.add(hit.similarity);
            similarities.insert(hit.sentence, hit.similarity);
        }
    }
    ordinals.extend(holding(view, &sought.terms, document)?.into_iter().take(HOLDING));
    let sentence = |ordinal| {
        let id = table.get(ordinal)?.id;
        Some((ordinal, (id, similarities.get(&id).copied())))
    };
    let sentences = ordinals.into_iter().filter_map(sentence).collect();
    Ok(Sample { document, path: path.to_owned(), sentences })
}

/// A document with the texts of its sentences to judge. Those that changed since they were chosen are left out.
struct Loaded<'a> {
    sample: &'a Sample,
    sentences: Vec<LoadedSentence>,
}

struct LoadedSentence {
    row: SentenceRow,
    location: Location,
    /// The text of the sentence.
    text: String,
    /// The text as the models read it.
    plain: String,
    similarity: Option<f32>,
}

impl<'a> Loaded<'a> {
    fn of(view: &View<'_>, sample: &'a Sample) -> Result<Self, EngineError> {
        let mut sentences = Vec::with_capacity(sample.sentences.len());
        let record = view.document(sample.document)?.filter(|_| !sample.sentences.is_empty());
        if let Some(record) = record {
            let (table, text) =
                (view.table(sample.document)?, view.text(sample.document)?.unwrap_or_default());
            let outline = view.outline(sample.document)?;
            for (&ordinal, &(id, similarity)) in &sample.sentences {
                let Some(row) = table.get(ordinal).filter(|row| row.id == id) else { continue };
                let damaged =
                    || StoreError::Corrupt(format!("document {} has no such text", sample.document.0));
                let location =
                    Location::new(record.kind, row.page, &outline, row.span.start, |span| span.of(&text));
                let text = row.span.of(&text).ok_or_else(damaged)?.to_owned();
                let plain = plain(&text, record.kind);
                sentences.push(LoadedSentence { row, location, text, plain, similarity });
            }
        }
        Ok(Self { sample, sentences })
    }
}

/// The score of a sentence.
#[derive(Clone, Copy)]
enum Score {
    /// From the checker: the probability that the sentence supports the claim.
    Read(f32),
    /// From its words.
    Compared(f32),
}

/// Judges sentences; a sentence in many documents is judged once.
struct Judge<'a> {
    scores: HashMap<SentenceId, Score>,
    checker: Option<&'a dyn ClaimChecker>,
    sought: &'a Sought,
    spread: Spread,
}

impl Judge<'_> {
    /// Judges the sentences of these documents; returns how many of them the checker read.
    fn read(&mut self, documents: &[Loaded<'_>], cancel: &CancelToken) -> Result<usize, EngineError> {
        let mut asked = BTreeMap::new();
        for document in documents {
            // A single sentence may be too short to detect its language.
            let mut all: Vec<&str> = document.sentences.iter().map(|one| &*one.plain).collect();
            all.push(&self.sought.claim);
            let all = all.join(" ");
            let is_readable = self.checker.is_some_and(|one| is_made_for(one.languages(), &all));
            for sentence in &document.sentences {
                if self.scores.contains_key(&sentence.row.id) {
                    continue;
                }
                if is_readable {
                    asked.insert(sentence.row.id, &*sentence.plain);
                } else {
                    let score = if self.sought.is_named_in(&sentence.plain) { UNCHECKED } else { 0.0 };
                    self.scores.insert(sentence.row.id, Score::Compared(score));
                }
            }
        }
        cancel.check()?;
        let count = asked.len();
        if let Some(checker) = self.checker.filter(|_| !asked.is_empty()) {
            let pairs: Vec<(usize, String)> = asked.values().map(|text| (0, (*text).to_owned())).collect();
            let chances = checker.check(std::slice::from_ref(&self.sought.claim), &pairs, cancel)?;
            self.scores.extend(asked.into_keys().zip(chances.iter().map(|one| Score::Read(one.supported))));
        }
        Ok(count)
    }

    /// The document with the sentences that mention the thing; `None` if none does. With `named`, a sentence that
    /// contains all of its words may count.
    fn document(&self, loaded: &Loaded<'_>, named: bool) -> Option<SurveyedDocument> {
        let mut sentences: Vec<SurveyedSentence> = loaded
            .sentences
            .iter()
            .filter_map(|LoadedSentence { row, location, text, plain, similarity }| {
                let judged = match (*self.scores.get(&row.id)?, similarity) {
                    (Score::Read(supported), Some(one)) => {
                        probability(supported, self.spread.deviations(*one))
                    }
                    (Score::Read(supported), None) => supported,
                    (Score::Compared(score), _) => score,
                };
                let named = if named && self.sought.is_named_in(plain) { MIN_MENTION_SCORE } else { 0.0 };
                let score = judged.max(named);
                (score >= MIN_MENTION_SCORE).then(|| SurveyedSentence {
                    location: location.clone(),
                    start: row.span.start,
                    end: row.span.end,
                    text: text.clone(),
                    score,
                })
            })
            .collect();
        sentences.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.start.cmp(&b.start)));
        let certain = sentences.first()?.score >= CERTAIN_MENTION;
        Some(SurveyedDocument { path: loaded.sample.path.clone(), certain, included: None, sentences })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_names_a_folder_only_within_what_is_followed() {
        let roots = [PathBuf::from("/home/ada/Documents")];
        let named = |noun: &str, paths: &[&str]| named_folder(paths.iter().map(Path::new), &roots, noun);
        let paths = ["/home/ada/Documents/Contracts/a.md", "/home/ada/Documents/Letters/2024/b.md"];
        assert_eq!(named("contracts", &paths), Some("/home/ada/Documents/Contracts".into()));
        assert_eq!(named("letters", &paths), Some("/home/ada/Documents/Letters".into()));
        assert_eq!(named("invoices", &paths), None);
        assert_eq!(named("adas", &["/home/adas/Documents/a.md"]), None);
        let twice = ["/home/ada/Documents/Contracts/a.md", "/home/ada/Documents/Old/Contracts/b.md"];
        assert_eq!(named("contracts", &twice), None, "nobody can tell which is meant");
    }
}
