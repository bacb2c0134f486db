//! Files of questions in three forms, and where in a library their answers are.
//!
//! - Lines of `{"id", "question", "answerable", "answers", "file", "spans": [{"byte_start", "byte_end", "exact"?}]}`.
//! - SQuAD 2.0 (Rajpurkar et al., 2018, arXiv:1806.03822): one JSON object; a context is looked for in the library's texts.
//! - BEIR (Thakur et al., 2021, arXiv:2104.08663): a folder with `queries.jsonl` and `qrels/test.tsv`; the corpus is the library.
//!
//! The form is recognised by the content. This module knows nothing of searching.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oriel_api::AppError;
use oriel_core::{ByteSpan, CancelToken, DocumentId, Notice};
use oriel_engine::{DocumentRow, EngineError, Library};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The form of a file of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Form {
    /// One JSON object a line, with byte spans.
    Lines,
    /// SQuAD 2.0.
    Squad,
    /// BEIR.
    Beir,
}

/// The queries in BEIR's folder, and the grades.
const QUERIES: &str = "queries.jsonl";
const GRADES: &str = "qrels/test.tsv";

/// Questions as their file states them, not yet looked for in a library.
#[derive(Clone, Debug)]
pub struct QuestionFile {
    pub(super) path: PathBuf,
    /// The form it has.
    pub form: Form,
    pub(super) questions: Vec<Question>,
    /// The contexts that the questions name by number.
    pub(super) contexts: Vec<String>,
}

/// A question as its file states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) answers: Vec<String>,
    pub(super) stated: Stated,
}

/// Where the answer is, as the file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Stated {
    /// Nowhere.
    Unanswerable,
    /// A file by its name or the end of its path, and spans in its text.
    Spans {
        #[serde(serialize_with = "oriel_core::lossy::path")]
        file: PathBuf,
        spans: Vec<ByteSpan>,
    },
    /// The number of a context in the file, and spans in it.
    Context { context: usize, spans: Vec<ByteSpan> },
    /// Relevant documents with their grades.
    Documents(Vec<(String, u32)>),
}

/// Questions whose answers were looked for in a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Exam {
    /// The form they came in.
    pub form: Form,
    /// All of them, also those whose gold is missing.
    pub questions: Vec<ExamQuestion>,
    /// Files, or beginnings of contexts, that the library does not have; ascending.
    pub missing: Vec<String>,
}

/// A question and where its answer is.
#[derive(Clone, Debug, PartialEq)]
pub struct ExamQuestion {
    /// Its id in the file; a number as text.
    pub id: String,
    /// The question.
    pub question: String,
    /// Gold answers; empty if the file states none.
    pub answers: Vec<String>,
    /// Where the answer is.
    pub gold: Gold,
}

/// Where the answer to a question is.
#[derive(Clone, Debug, PartialEq)]
pub enum Gold {
    /// Nowhere: the question has no answer in the library.
    Unanswerable,
    /// At these bytes of these documents; empty if the library does not have them.
    Spans(Vec<GoldDocument>),
    /// In these documents as a whole.
    Documents {
        /// The grade of each that the library has, at least 1.
        grades: HashMap<PathBuf, u32>,
        /// The grades of all relevant documents, in the library or not, highest first.
        ideal: Vec<u32>,
    },
}

/// Gold spans of one document.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldDocument {
    /// Its absolute path.
    pub path: PathBuf,
    /// The answer: it stands at each of these.
    pub spans: Vec<ByteSpan>,
    /// The sentences that hold a part of a span, ascending, without overlaps.
    pub sentences: Vec<ByteSpan>,
}

impl ExamQuestion {
    /// Whether it has an answer.
    #[must_use]
    pub fn is_answerable(&self) -> bool {
        self.gold != Gold::Unanswerable
    }

    /// The documents with gold spans; none if the gold is whole documents.
    #[must_use]
    pub fn gold_documents(&self) -> &[GoldDocument] {
        match &self.gold {
            Gold::Spans(documents) => documents,
            Gold::Unanswerable | Gold::Documents { .. } => &[],
        }
    }
}

#[derive(Deserialize)]
struct Line {
    id: Value,
    question: String,
    answerable: Option<bool>,
    #[serde(default)]
    answers: Vec<String>,
    file: Option<PathBuf>,
    #[serde(default)]
    spans: Vec<LineSpan>,
}

#[derive(Deserialize)]
struct LineSpan {
    byte_start: u32,
    byte_end: u32,
    #[serde(default = "yes")]
    exact: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct Squad {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<SquadQuestion>,
}

#[derive(Deserialize)]
struct SquadQuestion {
    id: Value,
    question: String,
    #[serde(default)]
    is_impossible: bool,
    #[serde(default)]
    answers: Vec<SquadAnswer>,
}

#[derive(Deserialize)]
struct SquadAnswer {
    text: String,
    /// In characters of the context.
    answer_start: usize,
}

#[derive(Deserialize)]
struct BeirQuery {
    #[serde(rename = "_id")]
    id: Value,
    text: String,
}

impl QuestionFile {
    /// Reads a file of questions, BEIR's folder, or the queries in that.
    ///
    /// # Errors
    /// If it cannot be read, has none of the forms, or has a mistake; the error names the line where the form has lines.
    pub fn read(path: &Path) -> Result<Self, AppError> {
        let beside = path.parent().filter(|_| path.ends_with(QUERIES));
        let file = match beside.filter(|folder| folder.join(GRADES).is_file()) {
            Some(folder) => beir(folder)?,
            None if path.is_dir() => beir(path)?,
            None => lines_or_squad(path)?,
        };
        if file.questions.is_empty() {
            return Err(wrong(path, Notice::HoldsNoQuestion));
        }
        Ok(file)
    }

    /// Keeps `limit` questions, those with the lowest hashes of their ids: always the same ones, spread over the file.
    pub fn limit(&mut self, limit: usize) {
        self.questions.sort_by_cached_key(|question| (fnv(&question.id), question.id.clone()));
        self.questions.truncate(limit);
    }

    /// Looks for the answers in a library. Without a name in it, a question stays and finds nothing. `progress` gets documents
    /// done and in all.
    ///
    /// # Errors
    /// If none of the gold files or contexts is in the library, the library cannot be read, or cancelled.
    pub fn find_in(
        self,
        library: &Library,
        progress: &mut dyn FnMut(usize, usize),
        cancel: &CancelToken,
    ) -> Result<Exam, AppError> {
        let mut documents = Documents::new(library)?;
        let asked = self.questions.iter().filter_map(|question| match question.stated {
            Stated::Context { context, .. } => Some(context),
            _ => None,
        });
        let contexts = documents.with_contexts(&self.contexts, asked.collect(), progress, cancel)?;
        let mut missing = BTreeSet::new();
        let mut questions = Vec::new();
        for Question { id, text, answers, stated } in self.questions {
            cancel.check().map_err(EngineError::from)?;
            let gold = match stated {
                Stated::Unanswerable => Gold::Unanswerable,
                Stated::Spans { file, spans } => {
                    let found = documents.named(&file);
                    if found.is_empty() {
                        missing.insert(file.to_string_lossy().into_owned());
                    }
                    let gold = found.into_iter().map(|row| documents.gold(&row, spans.clone()));
                    Gold::Spans(gold.collect::<Result<_, _>>()?)
                }
                Stated::Context { context, spans } => {
                    let found = contexts.get(&context);
                    if found.is_none() {
                        missing.insert(self.contexts[context].chars().take(SHOWN_CONTEXT).collect());
                    }
                    let gold = found.map(|found| documents.gold(&found.row, found.spans(&spans)));
                    Gold::Spans(gold.into_iter().collect::<Result<_, _>>()?)
                }
                Stated::Documents(relevant) => {
                    let mut ideal: Vec<u32> = relevant.iter().map(|(_, grade)| *grade).collect();
                    ideal.sort_unstable_by(|a, b| b.cmp(a));
                    let mut grades = HashMap::new();
                    for (id, grade) in relevant {
                        let found = documents.named(Path::new(&id));
                        if found.is_empty() {
                            missing.insert(id);
                        }
                        grades.extend(found.into_iter().map(|row| (row.path.clone(), grade)));
                    }
                    Gold::Documents { grades, ideal }
                }
            };
            questions.push(ExamQuestion { id, question: text, answers, gold });
        }
        if !missing.is_empty() && !questions.iter().any(|question| question.gold.is_found()) {
            return Err(wrong(&self.path, Notice::NoGoldInLibrary { missing: missing.len() }));
        }
        Ok(Exam { form: self.form, questions, missing: missing.into_iter().collect() })
    }
}

impl Gold {
    fn is_found(&self) -> bool {
        match self {
            Self::Unanswerable => false,
            Self::Spans(documents) => !documents.is_empty(),
            Self::Documents { grades, .. } => !grades.is_empty(),
        }
    }
}

/// The documents of a library that have sentences.
pub(super) struct Documents<'a> {
    library: &'a Library,
    rows: Vec<Arc<DocumentRow>>,
    /// Positions in `rows` by file name, and by file name without its extension.
    names: HashMap<OsString, Vec<usize>>,
    sentences: HashMap<DocumentId, Vec<ByteSpan>>,
}

/// A context that was found in a document.
struct FoundContext {
    row: Arc<DocumentRow>,
    context: Folded,
    /// The byte of the document for each byte of the folded context.
    places: Vec<u32>,
}

impl FoundContext {
    /// Spans of the context as spans of the document.
    fn spans(&self, spans: &[ByteSpan]) -> Vec<ByteSpan> {
        spans.iter().filter_map(|span| placed(*span, &self.context, &self.places)).collect()
    }
}

/// A span of the context that was folded, in the document whose bytes `places` are.
fn placed(span: ByteSpan, context: &Folded, places: &[u32]) -> Option<ByteSpan> {
    let at = |byte: u32| context.places.partition_point(|place| *place < byte);
    let within = places.get(at(span.start)..at(span.end))?;
    Some(ByteSpan::new(*within.first()?, within.last()? + 1))
}

/// A text with each run of white space as one space, and the original byte of each of its bytes.
struct Folded {
    text: String,
    places: Vec<u32>,
}

impl Folded {
    fn new(text: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        let mut space = None;
        for (at, letter) in text.char_indices() {
            if letter.is_whitespace() {
                space.get_or_insert(at);
                continue;
            }
            if let Some(at) = space.take().filter(|_| !folded.text.is_empty()) {
                folded.push(at, ' ');
            }
            folded.push(at, letter);
        }
        folded
    }

    fn push(&mut self, at: usize, letter: char) {
        self.text.push(letter);
        self.places.extend((at..at + letter.len_utf8()).map(|byte| byte as u32));
    }
}

impl<'a> Documents<'a> {
    pub(super) fn new(library: &'a Library) -> Result<Self, AppError> {
        let mut rows = library.documents("", usize::MAX)?;
        rows.retain(|row| row.sentences > 0);
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        let mut names: HashMap<OsString, Vec<usize>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let parts = [row.path.file_name(), row.path.file_stem()].into_iter().flatten();
            for name in parts.collect::<BTreeSet<_>>() {
                names.entry(name.to_owned()).or_default().push(at);
            }
        }
        let rows = rows.into_iter().map(Arc::new).collect();
        Ok(Self { library, rows, names, sentences: HashMap::new() })
    }

    /// The documents whose path ends with `name`, with or without its extension; none if several do, as nobody can tell which is
    /// meant.
    pub(super) fn named(&self, name: &Path) -> Vec<Arc<DocumentRow>> {
        let of_name = name.file_name().and_then(|last| self.names.get(last)).map_or(&[][..], Vec::as_slice);
        let rows = of_name.iter().map(|at| &self.rows[*at]);
        let is_named =
            |row: &&Arc<DocumentRow>| row.path.ends_with(name) || row.path.with_extension("").ends_with(name);
        let named: Vec<_> = rows.filter(is_named).cloned().collect();
        if named.len() > 1 { Vec::new() } else { named }
    }

    /// Gold spans in a document, with their sentences.
    fn gold(&mut self, row: &DocumentRow, spans: Vec<ByteSpan>) -> Result<GoldDocument, AppError> {
        let sentences = match self.sentences.entry(row.id) {
            Entry::Occupied(kept) => kept.into_mut(),
            Entry::Vacant(place) => {
                let shown = self.library.text_of(row.id)?;
                place.insert(shown.sentences.iter().map(|sentence| sentence.span).collect())
            }
        };
        let holds = |sentence: &&ByteSpan| {
            spans.iter().any(|span| span.start < sentence.end && sentence.start < span.end)
        };
        let sentences = sentences.iter().filter(holds).copied().collect();
        Ok(GoldDocument { path: row.path.clone(), spans, sentences })
    }

    /// The documents in which the `asked` contexts are, each in the first by path that has it.
    fn with_contexts(
        &self,
        contexts: &[String],
        asked: BTreeSet<usize>,
        progress: &mut dyn FnMut(usize, usize),
        cancel: &CancelToken,
    ) -> Result<HashMap<usize, FoundContext>, AppError> {
        let mut open: Vec<(usize, Folded)> =
            asked.into_iter().map(|number| (number, Folded::new(&contexts[number]))).collect();
        let mut found = HashMap::new();
        for (done, row) in self.rows.iter().enumerate() {
            cancel.check().map_err(EngineError::from)?;
            if open.is_empty() {
                break;
            }
            progress(done, self.rows.len());
            let text = Folded::new(&self.library.text_of(row.id)?.text);
            let (here, elsewhere) =
                open.into_iter().partition(|(_, context)| text.text.contains(&context.text));
            open = elsewhere;
            let here: Vec<(usize, Folded)> = here;
            for (number, context) in here {
                let at = text.text.find(&context.text).unwrap_or_default();
                let places = text.places[at..at + context.text.len()].to_vec();
                found.insert(number, FoundContext { row: Arc::clone(row), context, places });
            }
        }
        Ok(found)
    }
}

/// The most characters of a context that is named as missing.
const SHOWN_CONTEXT: usize = 60;

fn wrong(path: &Path, why: Notice) -> AppError {
    AppError::File { path: path.to_owned(), why }
}

fn read(path: &Path) -> Result<String, AppError> {
    fs::read_to_string(path).map_err(|error| AppError::cannot_be_read(path, &error))
}

/// What a parser says, without its own place in the text.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

/// The non-empty lines of a text, numbered from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

fn lines_or_squad(path: &Path) -> Result<QuestionFile, AppError> {
    let text = read(path)?;
    let first = numbered(&text).next().map(|(_, line)| line);
    if text.contains("\"paragraphs\"") && first.is_none_or(|line| serde_json::from_str::<Line>(line).is_err())
    {
        return squad(path, &text);
    }
    if first.is_some_and(|line| !line.trim_start().starts_with('{')) {
        return Err(wrong(path, Notice::IsNoQuestionFile));
    }
    let question = |(line, text): (usize, &str)| {
        let parsed = serde_json::from_str::<Line>(text).map_err(|error| said(&error));
        parsed.and_then(Line::question).map_err(|what| wrong(path, Notice::QuestionLineWrong { line, what }))
    };
    let questions = numbered(&text).map(question).collect::<Result<_, _>>()?;
    Ok(QuestionFile { path: path.to_owned(), form: Form::Lines, questions, contexts: Vec::new() })
}

impl Line {
    fn question(self) -> Result<Question, String> {
        let Self { id, question, answerable, answers, file, spans } = self;
        if question.trim().is_empty() {
            return Err("the question is empty".into());
        }
        let stated = match file {
            _ if answerable == Some(false) => Stated::Unanswerable,
            Some(file) if !spans.is_empty() => {
                if let Some(span) = spans.iter().find(|span| span.byte_end <= span.byte_start) {
                    return Err(format!("the span {}-{} has no bytes", span.byte_start, span.byte_end));
                }
                let any_exact = spans.iter().any(|span| span.exact);
                let spans = spans.iter().filter(|span| span.exact || !any_exact);
                let spans = spans.map(|span| ByteSpan::new(span.byte_start, span.byte_end));
                Stated::Spans { file, spans: spans.collect() }
            }
            _ => return Err("a question that has an answer needs \"file\" and \"spans\"".into()),
        };
        Ok(Question { id: id_text(&id), text: question, answers, stated })
    }
}

fn squad(path: &Path, text: &str) -> Result<QuestionFile, AppError> {
    let fail = |what: String| wrong(path, Notice::QuestionFileWrong { what });
    let squad: Squad = serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
    let (mut questions, mut contexts) = (Vec::new(), Vec::new());
    for Paragraph { context, qas } in squad.data.into_iter().flat_map(|article| article.paragraphs) {
        for SquadQuestion { id, question, is_impossible, answers } in qas {
            let id = id_text(&id);
            let spans = answers.iter().map(|answer| {
                let start = context.char_indices().nth(answer.answer_start).map(|(at, _)| at);
                start
                    .filter(|start| context[*start..].starts_with(&answer.text) && !answer.text.is_empty())
                    .map(|start| ByteSpan::new(start as u32, (start + answer.text.len()) as u32))
                    .ok_or_else(|| fail(format!("the answer of question {id} is not where it says")))
            });
            let stated = if is_impossible || answers.is_empty() {
                Stated::Unanswerable
            } else {
                Stated::Context { context: contexts.len(), spans: spans.collect::<Result<_, _>>()? }
            };
            let answers =
                if is_impossible { Vec::new() } else { answers.into_iter().map(|one| one.text).collect() };
            questions.push(Question { id, text: question, answers, stated });
        }
        contexts.push(context);
    }
    Ok(QuestionFile { path: path.to_owned(), form: Form::Squad, questions, contexts })
}

fn beir(folder: &Path) -> Result<QuestionFile, AppError> {
    let (queries, qrels) = (folder.join(QUERIES), folder.join(GRADES));
    if !queries.is_file() || !qrels.is_file() {
        return Err(wrong(folder, Notice::IsNoQuestionFile));
    }
    let mut relevant: HashMap<String, Vec<(String, u32)>> = HashMap::new();
    for (line, text) in numbered(&read(&qrels)?).skip(1) {
        let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
        let fail = || {
            let what = "it is no query, document and grade, separated by tabs".into();
            wrong(&qrels, Notice::QuestionLineWrong { line, what })
        };
        let [query, document, grade] = fields[..] else { return Err(fail()) };
        let grade: i64 = grade.parse().map_err(|_| fail())?;
        if let Some(grade) = u32::try_from(grade).ok().filter(|grade| *grade > 0) {
            relevant.entry(query.to_owned()).or_default().push((document.to_owned(), grade));
        }
    }
    let mut questions = Vec::new();
    for (line, text) in numbered(&read(&queries)?) {
        let query: BeirQuery = serde_json::from_str(text)
            .map_err(|error| wrong(&queries, Notice::QuestionLineWrong { line, what: said(&error) }))?;
        let id = id_text(&query.id);
        // The file has the queries of all splits; those without a relevant document are of another.
        if let Some(relevant) = relevant.remove(&id) {
            let stated = Stated::Documents(relevant);
            questions.push(Question { id, text: query.text, answers: Vec::new(), stated });
        }
    }
    Ok(QuestionFile { path: folder.to_owned(), form: Form::Beir, questions, contexts: Vec::new() })
}

/// An id as text.
fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// FNV-1a of 64 bits, which stays the same on every machine and in every version.
fn fnv(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn error(name: &str, text: &str) -> String {
        let (_folder, path) = file(name, text);
        QuestionFile::read(&path).unwrap_err().to_string()
    }

    #[test]
    fn lines_are_read_with_their_exact_spans() {
        let (_folder, path) = file(
            "q.jsonl",
            r#"{"id": 7, "question": "Where?", "file": "a.md", "answers": ["here"],
                "spans": [{"byte_start": 1, "byte_end": 3, "exact": false}, {"byte_start": 5, "byte_end": 9}], "more": 1}
                {"id": "b", "question": "Why?", "answerable": false}"#
                .replace(",\n", ",")
                .as_str(),
        );
        let read = QuestionFile::read(&path).unwrap();
        assert_eq!((read.form, read.questions.len()), (Form::Lines, 2));
        let first = &read.questions[0];
        assert_eq!((first.id.as_str(), first.answers.len()), ("7", 1));
        let Stated::Spans { spans, .. } = &first.stated else { panic!("{first:?}") };
        assert_eq!(spans, &[ByteSpan::new(5, 9)], "an exact span is there");
        assert!(matches!(read.questions[1].stated, Stated::Unanswerable));
    }

    #[test]
    fn a_mistake_is_said_with_its_line() {
        let good =
            r#"{"id": 1, "question": "Where?", "file": "a.md", "spans": [{"byte_start": 1, "byte_end": 3}]}"#;
        let with = |line: &str| error("q.jsonl", &format!("{good}\n\n{line}\n"));
        assert!(with(r#"{"id": 1}"#).ends_with(
            "q.jsonl has a mistake in line 3: missing field `question`; correct the line, or take it out"
        ));
        assert!(with(r#"{"id": 1, "question": " "}"#).contains("line 3: the question is empty"));
        assert!(with(r#"{"id": 1, "question": "Who?"}"#).contains("needs \"file\" and \"spans\""));
        let empty =
            r#"{"id": 1, "question": "Who?", "file": "a", "spans": [{"byte_start": 3, "byte_end": 3}]}"#;
        assert!(with(empty).contains("the span 3-3 has no bytes"));
        assert!(error("q.jsonl", "\n").ends_with("holds no question; choose another file"));
        assert!(error("q.txt", "Where is it?").contains("is no file of questions"));
    }

    #[test]
    fn squad_counts_characters_and_says_where_an_answer_is_not() {
        let squad = |start: usize| {
            format!(
                r#"{{"version": "v2.0", "data": [{{"title": "T", "paragraphs": [{{"context": "Die Tür ist grün.", "qas": [
                {{"id": "a", "question": "Was?", "is_impossible": false, "answers": [{{"text": "grün", "answer_start": {start}}}]}},
                {{"id": "b", "question": "Wer?", "is_impossible": true, "answers": [], "plausible_answers": []}}]}}]}}]}}"#
            )
        };
        let (_folder, path) = file("dev.json", &squad(12));
        let read = QuestionFile::read(&path).unwrap();
        assert_eq!(read.form, Form::Squad);
        let Stated::Context { context: 0, spans } = &read.questions[0].stated else { panic!("{read:?}") };
        assert_eq!(spans[0].of("Die Tür ist grün."), Some("grün"));
        assert!(matches!(read.questions[1].stated, Stated::Unanswerable));
        assert!(error("dev.json", &squad(13)).contains("the answer of question a is not where it says"));
    }

    #[test]
    fn a_context_is_found_whatever_its_white_space() {
        let context = Folded::new("The tide\nis  low.");
        let document = Folded::new("# Häfen\n\nThe\ttide is low. It turns.");
        let at = document.text.find(&context.text).unwrap();
        let places = document.places[at..at + context.text.len()].to_vec();
        let text = "# Häfen\n\nThe\ttide is low. It turns.";
        let span = placed(ByteSpan::new(4, 17), &context, &places).unwrap();
        assert_eq!(span.of(text), Some("tide is low."));
    }

    #[test]
    fn beir_asks_the_queries_that_have_a_grade() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("qrels")).unwrap();
        let said = || QuestionFile::read(folder.path()).unwrap_err().to_string();
        assert!(said().contains("is no file of questions"));
        write("queries.jsonl", "{\"_id\": \"1\", \"text\": \"A?\"}\n{\"_id\": \"2\", \"text\": \"B?\"}\n");
        write("qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\td1\t2\n1\td2\t0\n");
        let read = QuestionFile::read(folder.path()).unwrap();
        let Stated::Documents(relevant) = &read.questions[0].stated else { panic!("{read:?}") };
        assert_eq!((read.questions.len(), relevant.as_slice()), (1, &[("d1".to_owned(), 2)][..]));
        let by_queries = QuestionFile::read(&folder.path().join("queries.jsonl")).unwrap();
        assert_eq!(by_queries.questions, read.questions);
        write("qrels/test.tsv", "query-id\tcorpus-id\tscore\n1 d1 2\n");
        assert!(said().contains("test.tsv has a mistake in line 2"), "{}", said());
    }

    #[test]
    fn a_limit_takes_the_same_questions_in_any_order() {
        let line = |id: usize| format!("{{\"id\": {id}, \"question\": \"Q?\", \"answerable\": false}}\n");
        let ids = |order: Vec<usize>| {
            let (_folder, path) = file("q.jsonl", &order.into_iter().map(line).collect::<String>());
            let mut read = QuestionFile::read(&path).unwrap();
            read.limit(3);
            read.questions.into_iter().map(|question| question.id).collect::<Vec<_>>()
        };
        assert_eq!(ids((0..20).collect()), ids((0..20).rev().collect()));
        assert_eq!(fnv("a"), 0xaf63_dc4c_8601_ec8c, "as its authors state");
    }
}
