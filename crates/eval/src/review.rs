//! The questions that a person reviews, and the runs with them, kept in the library's folder.
//!
//! Both are files of JSON that are replaced whole: `questions.json` has the questions in order, each with what the user
//! decided; `evaluation.json` has the last runs, newest first.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use oriel_api::{AppError, FindingPlace, PlaceRef, Resolver, Searcher, TextPlace, lock, name_of};
use oriel_core::{ByteSpan, CancelToken, Location, Notice};
use oriel_engine::{DocumentRow, EVALUATION_FILE, EngineError, Library, QUESTIONS_FILE, replace_file};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::generate::{GeneratedQuestion, generate_questions};
use crate::questions::{Documents, Form, Question, QuestionFile, Stated};
use crate::run::{Arm, Evaluation, EvaluationOptions, EvaluationProgress, EvaluationReport, EvaluationStage};

/// A run needs so many kept questions: with fewer, the intervals say little.
pub const MIN_KEPT_QUESTIONS: usize = 30;
/// Runs that are kept.
const MAX_RUNS: usize = 10;
/// Figures of a run in progress come this often at most.
const FIGURES_INTERVAL: Duration = Duration::from_secs(3);

/// What a person decided about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Decision {
    /// It is asked.
    Kept,
    /// It is not asked.
    LeftOut,
}

/// The questions of a library with what was decided about them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionSet {
    questions: Vec<ReviewedQuestion>,
    /// The contexts that the questions name by number.
    contexts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ReviewedQuestion {
    #[serde(flatten)]
    asked: Question,
    decision: Option<Decision>,
    /// The sentence it was made from, and where it stands.
    sentence: Option<String>,
    #[serde(flatten)]
    location: Location,
}

/// A question to review.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct QuestionRow {
    /// Its id, which no other question of the library has.
    pub id: String,
    /// The question.
    pub question: String,
    /// What was decided; `null` if it is still to be reviewed.
    pub decision: Option<Decision>,
    /// The name of the file of its answer, as far as the question says it.
    pub file: Option<String>,
    /// Where its answer is, if the library has the document.
    pub place: Option<FindingPlace>,
}

/// A run with the kept questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct EvaluationRun {
    /// When it began, in milliseconds since 1970. No other run of the library has the same.
    pub at: u64,
    /// Questions that were to be asked: more than the report has if the run was stopped.
    pub wanted: usize,
    /// Whether it was stopped.
    pub stopped: bool,
    /// The name of the model that answered; `None` for quotes, or without answers.
    pub model_name: Option<String>,
    /// The figures.
    pub report: EvaluationReport,
}

/// What a run tells while it goes on.
pub enum RunEvent<'a> {
    /// Documents are looked through for the places of answers: done, in all.
    Finding(usize, usize),
    /// How far it is.
    Progress(EvaluationProgress),
    /// The figures of what was asked so far.
    Figures(&'a EvaluationRun),
}

#[derive(Default, Serialize, Deserialize)]
struct Runs {
    runs: Vec<EvaluationRun>,
}

/// The questions and runs of a library.
pub struct Review {
    questions: PathBuf,
    runs: PathBuf,
    /// Held during a change, so that two changes at once do not undo one another.
    changing: Mutex<()>,
}

impl Review {
    /// Those of a library.
    #[must_use]
    pub fn of(library: &Library) -> Self {
        let folder = library.personal_folder();
        Self {
            questions: folder.join(QUESTIONS_FILE),
            runs: folder.join(EVALUATION_FILE),
            changing: Mutex::default(),
        }
    }

    /// The questions, in the order in which they came.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn questions(&self) -> Result<QuestionSet, AppError> {
        let wrong = |why| AppError::File { path: self.questions.clone(), why };
        read(&self.questions)?.unwrap_or_else(|| Ok(QuestionSet::default())).map_err(wrong)
    }

    /// The runs, newest first. A file that cannot be understood is set aside.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn runs(&self) -> Result<Vec<EvaluationRun>, AppError> {
        let kept: Runs = match read(&self.runs)? {
            None => Runs::default(),
            Some(Ok(runs)) => runs,
            Some(Err(why)) => {
                tracing::warn!(file = %self.runs.display(), %why, "the runs are set aside");
                if let Err(error) = fs::rename(&self.runs, self.runs.with_extension("broken.json")) {
                    tracing::warn!(%error, "and they cannot be");
                }
                Runs::default()
            }
        };
        Ok(kept.runs)
    }

    /// Adds the questions of a file; they count as kept. Returns how many are new.
    ///
    /// # Errors
    /// If the file cannot be used, or the questions cannot be read or written.
    pub fn add_file(&self, path: &Path) -> Result<usize, AppError> {
        let file = QuestionFile::read(path)?;
        self.change(|set| Ok(set.add_file(file)))
    }

    /// Decides about a question, and gives it these words. The words of a question without any stay as they are.
    ///
    /// # Errors
    /// If the question is not there any more, or the questions cannot be read or written.
    pub fn decide(&self, id: &str, words: &str, decision: Option<Decision>) -> Result<(), AppError> {
        self.change(|set| {
            let question = set.questions.iter_mut().find(|one| one.asked.id == id);
            let question = question.ok_or_else(|| AppError::File {
                path: self.questions.clone(),
                why: Notice::QuestionNotListed,
            })?;
            question.decision = decision;
            if !words.trim().is_empty() {
                words.trim().clone_into(&mut question.asked.text);
            }
            Ok(())
        })
    }

    /// Forgets all questions.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn forget_questions(&self) -> Result<(), AppError> {
        let _changing = lock(&self.changing);
        write(&self.questions, &QuestionSet::default())
    }

    /// Makes `wanted` questions more. Each is kept at once, so that a stop loses none. `on_made` gets each, `progress` how many
    /// are made and wanted.
    ///
    /// # Errors
    /// As [`generate_questions`], or if the questions cannot be read or written.
    pub fn make_questions(
        &self,
        library: &Library,
        generator: &dyn oriel_core::Generator,
        wanted: usize,
        on_made: &mut dyn FnMut(QuestionRow),
        progress: &mut dyn FnMut(usize, usize),
        cancel: &CancelToken,
    ) -> Result<(), AppError> {
        let known = self.questions()?.questions.into_iter().map(|one| one.asked.id).collect();
        let resolver = Resolver::new(library)?;
        let mut keep = |made: GeneratedQuestion| {
            let document = library.document_at(&made.file)?;
            let row = self.change(|set| Ok(set.add_made(made)))?;
            on_made(row.shown(library, &resolver, Some(&document))?);
            Ok(())
        };
        generate_questions(library, generator, wanted, &known, &mut keep, progress, cancel)
    }

    /// Asks the kept questions. The run is kept, also if it was cancelled after the first answer.
    ///
    /// # Errors
    /// If too few questions are kept, a model fails, or the library or the files cannot be read or written; cancelled before
    /// the first answer.
    pub fn run(
        &self,
        searcher: &Searcher,
        options: &EvaluationOptions,
        on_event: &mut dyn FnMut(RunEvent<'_>),
        cancel: &CancelToken,
    ) -> Result<EvaluationRun, AppError> {
        let at = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default();
        let file = self.questions()?.kept(&self.questions)?;
        let mut finding = |done, total| on_event(RunEvent::Finding(done, total));
        let exam = file.find_in(searcher.library(), &mut finding, cancel)?;
        let model_name = options.generator.as_ref().filter(|_| options.answers).map(|generator| {
            let model = searcher.roles().models().find(generator.id());
            model.map_or_else(|_| generator.id().to_owned(), |model| model.entry.name)
        });
        let run_of = |evaluation: &Evaluation<'_>, stopped, cancel: &CancelToken| {
            let report = evaluation.report(cancel)?;
            let (wanted, model_name) = (exam.questions.len(), model_name.clone());
            Ok::<_, AppError>(EvaluationRun { at, wanted, stopped, model_name, report })
        };
        let mut evaluation = Evaluation::new(searcher, &exam, options)?;
        let mut last_figures = Instant::now();
        let mut tell = |so_far: &Evaluation<'_>, progress: EvaluationProgress| {
            on_event(RunEvent::Progress(progress));
            let is_due = progress.done == progress.total
                || progress.stage == EvaluationStage::Asking(Arm::InUse)
                    && last_figures.elapsed() >= FIGURES_INTERVAL;
            if so_far.is_begun() && is_due {
                // If it is cancelled, the figures follow at the end.
                if let Ok(run) = run_of(so_far, false, cancel) {
                    on_event(RunEvent::Figures(&run));
                }
                last_figures = Instant::now();
            }
        };
        let mut failure = evaluation.run(&mut tell, cancel).err();
        if let Some(error) = failure.take_if(|_| !evaluation.is_begun()) {
            return Err(error);
        }
        let run = run_of(&evaluation, failure.is_some(), &CancelToken::new())?;
        self.keep_run(&run)?;
        match failure {
            Some(error) if !error.is_cancelled() => Err(error),
            _ => Ok(run),
        }
    }

    fn keep_run(&self, run: &EvaluationRun) -> Result<(), AppError> {
        let _changing = lock(&self.changing);
        let mut runs = self.runs()?;
        runs.insert(0, run.clone());
        runs.truncate(MAX_RUNS);
        write(&self.runs, &Runs { runs })
    }

    fn change<T>(&self, change: impl FnOnce(&mut QuestionSet) -> Result<T, AppError>) -> Result<T, AppError> {
        let _changing = lock(&self.changing);
        let mut set = self.questions()?;
        let result = change(&mut set)?;
        write(&self.questions, &set)?;
        Ok(result)
    }
}

impl QuestionSet {
    /// The questions with the documents of their answers.
    ///
    /// # Errors
    /// If the library cannot be read.
    pub fn rows(&self, library: &Library) -> Result<Vec<QuestionRow>, AppError> {
        if self.questions.is_empty() {
            return Ok(Vec::new());
        }
        let documents = Documents::new(library)?;
        let resolver = Resolver::new(library)?;
        let row = |question: &ReviewedQuestion| {
            let named = question.file().and_then(|file| documents.named(file).into_iter().next());
            Ok(question.shown(library, &resolver, named.as_deref())?)
        };
        self.questions.iter().map(row).collect()
    }

    /// The kept questions as a file states them. `path` is that of this set.
    fn kept(self, path: &Path) -> Result<QuestionFile, AppError> {
        let kept = self.questions.into_iter().filter(|one| one.decision == Some(Decision::Kept));
        let questions: Vec<Question> = kept.map(|one| one.asked).collect();
        if questions.len() < MIN_KEPT_QUESTIONS {
            let why = Notice::TooFewQuestions { kept: questions.len(), needed: MIN_KEPT_QUESTIONS };
            return Err(AppError::File { path: path.to_owned(), why });
        }
        let is_of_documents = |one: &Question| matches!(one.stated, Stated::Documents(_));
        let form = if questions.iter().all(is_of_documents) { Form::Beir } else { Form::Lines };
        Ok(QuestionFile { path: path.to_owned(), form, questions, contexts: self.contexts })
    }

    fn add_file(&mut self, file: QuestionFile) -> usize {
        let first_context = self.contexts.len();
        let mut words: HashSet<String> = self.questions.iter().map(|one| one.asked.text.clone()).collect();
        let mut ids: HashMap<String, usize> =
            self.questions.iter().map(|one| (one.asked.id.clone(), 1)).collect();
        let before = self.questions.len();
        for mut asked in file.questions {
            if !words.insert(asked.text.clone()) {
                continue;
            }
            // Two files may number their questions alike.
            while let Some(count) = ids.get_mut(&asked.id) {
                *count += 1;
                asked.id = format!("{} ({count})", asked.id);
            }
            ids.insert(asked.id.clone(), 1);
            if let Stated::Context { context, .. } = &mut asked.stated {
                *context += first_context;
            }
            let decision = Some(Decision::Kept);
            self.questions.push(ReviewedQuestion {
                asked,
                decision,
                sentence: None,
                location: Location::default(),
            });
        }
        if self.questions.len() > before {
            self.contexts.extend(file.contexts);
        }
        self.questions.len() - before
    }

    fn add_made(&mut self, made: GeneratedQuestion) -> ReviewedQuestion {
        let GeneratedQuestion { id, question: text, answers, file, spans, .. } = made;
        let (sentence, location) =
            spans.first().map(|span| (span.text.clone(), span.location.clone())).unzip();
        let spans = spans.iter().map(|span| ByteSpan::new(span.byte_start, span.byte_end)).collect();
        let asked = Question { id, text, answers, stated: Stated::Spans { file, spans } };
        let added =
            ReviewedQuestion { asked, decision: None, sentence, location: location.unwrap_or_default() };
        self.questions.push(added.clone());
        added
    }
}

impl ReviewedQuestion {
    fn file(&self) -> Option<&Path> {
        match &self.asked.stated {
            Stated::Spans { file, .. } => Some(file),
            Stated::Documents(relevant) => relevant.first().map(|(id, _)| Path::new(id)),
            Stated::Unanswerable | Stated::Context { .. } => None,
        }
    }

    fn spans(&self) -> Option<&[ByteSpan]> {
        match &self.asked.stated {
            Stated::Spans { spans, .. } => Some(spans),
            _ => None,
        }
    }

    /// The question with the place of its answer in `document`.
    fn shown(
        &self,
        library: &Library,
        resolver: &Resolver<'_>,
        document: Option<&DocumentRow>,
    ) -> Result<QuestionRow, EngineError> {
        let spans = self.spans().unwrap_or_default();
        let place = match document.zip(spans.first()) {
            Some((document, first)) => Some(FindingPlace {
                place: PlaceRef {
                    document: resolver.named(&document.path, Some(document.id.0)),
                    location: self.location.clone(),
                    at: TextPlace::window(*first, spans.to_vec(), library.hash_of(document.id)?),
                },
                text: self.sentence.clone().unwrap_or_default(),
            }),
            None => None,
        };
        Ok(QuestionRow {
            id: self.asked.id.clone(),
            question: self.asked.text.clone(),
            decision: self.decision,
            file: self.file().map(name_of),
            place,
        })
    }
}

/// What a file holds, or why it cannot be understood; `None` if there is none.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<Result<T, Notice>>, AppError> {
    match fs::read(path) {
        Ok(bytes) => {
            let parsed = serde_json::from_slice(&bytes);
            Ok(Some(parsed.map_err(|error| Notice::KeptQuestionsWrong { what: error.to_string() })))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(AppError::cannot_be_read(path, &error)),
    }
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), AppError> {
    let written =
        serde_json::to_vec(value).map_err(std::io::Error::from).and_then(|json| replace_file(path, &json));
    written.map_err(|error| AppError::cannot_be_written(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review() -> (tempfile::TempDir, Review) {
        let folder = tempfile::tempdir().unwrap();
        let review = Review {
            questions: folder.path().join(QUESTIONS_FILE),
            runs: folder.path().join(EVALUATION_FILE),
            changing: Mutex::default(),
        };
        (folder, review)
    }

    fn file(folder: &Path, name: &str, questions: usize) -> PathBuf {
        let line = |at: usize| {
            let span = r#"[{"byte_start": 0, "byte_end": 3}]"#;
            format!(r#"{{"id": {at}, "question": "{name} {at}?", "file": "a.md", "spans": {span}}}"#)
        };
        let path = folder.join(name);
        fs::write(&path, (1..=questions).map(|at| line(at) + "\n").collect::<String>()).unwrap();
        path
    }

    fn made(at: u32) -> GeneratedQuestion {
        GeneratedQuestion {
            id: format!("made-{at}"),
            question: format!("What is {at}?"),
            answerable: true,
            answers: Vec::new(),
            file: "/papers/a.md".into(),
            spans: vec![crate::generate::GeneratedSpan {
                byte_start: at,
                byte_end: at + 3,
                text: "So.".into(),
                location: Location::of_page(Some(4)),
            }],
        }
    }

    #[test]
    fn decisions_and_words_stay_and_a_file_is_kept_from_the_start() {
        let (folder, review) = review();
        review.change(|set| Ok(set.add_made(made(1)))).unwrap();
        assert_eq!(review.add_file(&file(folder.path(), "one", 2)).unwrap(), 2);
        assert_eq!(review.add_file(&file(folder.path(), "one", 3)).unwrap(), 1, "the same come once");
        assert_eq!(review.add_file(&file(folder.path(), "two", 1)).unwrap(), 1);
        review.decide("made-1", " What was 1? ", Some(Decision::LeftOut)).unwrap();
        review.decide("2", "", None).unwrap();
        let set = review.questions().unwrap();
        let shown: Vec<_> = set
            .questions
            .iter()
            .map(|one| (one.asked.id.as_str(), one.asked.text.as_str(), one.decision))
            .collect();
        let kept = Some(Decision::Kept);
        assert_eq!(
            shown,
            [
                ("made-1", "What was 1?", Some(Decision::LeftOut)),
                ("1", "one 1?", kept),
                ("2", "one 2?", None),
                ("3", "one 3?", kept),
                ("1 (2)", "two 1?", kept),
            ]
        );
        assert_eq!(set.questions[0].location.page, Some(4));
        let gone = review.decide("9", "", None).unwrap_err().to_string();
        assert!(gone.contains("questions.json"), "{gone}");
        review.forget_questions().unwrap();
        assert_eq!(review.questions().unwrap(), QuestionSet::default());
    }

    #[test]
    fn a_run_needs_enough_kept_questions() {
        let (folder, review) = review();
        let path = file(folder.path(), "some", MIN_KEPT_QUESTIONS);
        review.add_file(&path).unwrap();
        let kept = || review.questions().unwrap().kept(&path);
        assert_eq!(kept().unwrap().form, Form::Lines);
        review.decide("7", "", Some(Decision::LeftOut)).unwrap();
        let error = kept().unwrap_err().to_string();
        assert!(error.contains("29") && error.contains("30"), "{error}");
    }

    #[test]
    fn what_cannot_be_understood_is_not_overwritten() {
        let (folder, review) = review();
        fs::write(&review.questions, "{").unwrap();
        let error = review.add_file(&file(folder.path(), "one", 2)).unwrap_err().to_string();
        assert!(error.contains("questions.json") && error.contains("move it away"), "{error}");
        assert_eq!(fs::read(&review.questions).unwrap(), b"{");
        fs::write(&review.runs, "{").unwrap();
        assert!(review.runs().unwrap().is_empty());
        assert!(folder.path().join("evaluation.broken.json").exists());
    }
}
