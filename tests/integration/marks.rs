//! A citation opens its page with the sentence marked: through the real extractor process, on a real file.

use std::fs;
use std::path::PathBuf;

use oriel_core::{ByteSpan, CancelToken, DocumentId, WorkerCommand};
use oriel_engine::{EngineError, ExtractorLimits, Library, Mark};

use crate::oriel::{Oriel, sample};

/// A library with one document, and the document's path.
fn with_one(name: &str) -> (Oriel, PathBuf) {
    let oriel = Oriel::new();
    let file = sample().join(name);
    let path = oriel.write(file.file_name().unwrap().to_str().unwrap(), fs::read(&file).unwrap());
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    (oriel, path)
}

fn open(oriel: &Oriel, worker: WorkerCommand) -> Library {
    Library::open(&oriel.library(), worker, ExtractorLimits::default()).unwrap()
}

fn extractor() -> WorkerCommand {
    WorkerCommand::new(env!("CARGO_BIN_EXE_oriel"), ["worker", "extract"])
}

/// The marks of the only document.
fn marks(library: &Library, spans: &[ByteSpan]) -> Result<Vec<Mark>, EngineError> {
    let ask = |number| library.highlights(DocumentId(number), spans, &CancelToken::new());
    let found = (0..10).map(ask).find(|marks| !matches!(marks, Err(EngineError::NoDocument { .. })));
    found.expect("the document has a low number")
}

const MANUAL: &str = "Manuals/Petrel Harbour Clock - Installation and User Manual.pdf";

#[test]
fn a_sentence_is_marked_until_its_file_changes() {
    let (oriel, path) = with_one(MANUAL);
    let library = open(&oriel, extractor());
    let shown = library.show(&path).unwrap();
    let last = shown.sentences.last().unwrap();
    let found = marks(&library, &[shown.sentences[0].span, last.span]).unwrap();
    assert_eq!(found.first().map(|mark| (mark.span, Some(mark.page))), Some((0, shown.sentences[0].page)));
    assert!(found.iter().any(|mark| mark.span == 1 && Some(mark.page) == last.page));
    assert_eq!(marks(&library, &[]).unwrap(), []);

    let mut bytes = fs::read(&path).unwrap();
    bytes.extend_from_slice(b"\n% changed\n");
    fs::write(&path, bytes).unwrap();
    assert!(matches!(marks(&library, &[last.span]), Err(EngineError::Changed { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(marks(&library, &[last.span]), Err(EngineError::Unmarked { .. })));
}

#[test]
fn a_document_without_pages_has_no_marks() {
    let (oriel, path) = with_one("Workshop Handbook.md");
    let library = open(&oriel, extractor());
    let first = library.show(&path).unwrap().sentences[0].span;
    assert_eq!(marks(&library, &[first]).unwrap(), []);
}

#[test]
#[cfg(unix)]
fn what_a_subverted_process_answers_is_held_to_the_question() {
    let (oriel, path) = with_one(MANUAL);
    let first = open(&oriel, extractor()).show(&path).unwrap().sentences[0].span;
    let answer = |page: u32, left: f32| {
        let marks =
            format!(r#"[{{"span":0,"page":{page},"left":{left},"top":0.1,"right":0.5,"bottom":0.2}}]"#);
        let head = format!(r#"{{"marked":{{"marks":{}}}}}"#, marks.len());
        let reply = oriel.beside("reply");
        let length = u32::try_from(head.len()).unwrap().to_le_bytes();
        fs::write(&reply, [&length, head.as_bytes(), marks.as_bytes()].concat()).unwrap();
        let script = format!("cat '{}'; cat > /dev/null", reply.display());
        marks_of(&oriel, WorkerCommand::new("sh", ["-c", &script]), first)
    };
    assert_eq!(answer(1, 0.25).unwrap().len(), 1, "the page that was asked for");
    assert!(matches!(answer(1_000, 0.25), Err(EngineError::Unmarked { .. })), "a page that was not");
    assert!(matches!(answer(1, -2.0), Err(EngineError::Unmarked { .. })), "a box beside the page");
}

#[cfg(unix)]
fn marks_of(oriel: &Oriel, worker: WorkerCommand, span: ByteSpan) -> Result<Vec<Mark>, EngineError> {
    marks(&open(oriel, worker), &[span])
}
