//! Prints the sentences of a PDF and their boxes as JSON, one a line: `marks FILE`.

use std::io::Write;
use std::process::ExitCode;

use oriel_core::{Kind, RecognisedPages};
use oriel_text::{Limits, MarkRequest, marks, read};
use serde_json::json;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: marks FILE");
        return ExitCode::from(2);
    };
    match print(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{path}: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn print(path: &str) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let document =
        read(Kind::Pdf, &bytes, &Limits::default()).map_err(|failure| failure.reason.to_string())?;
    let spans: Vec<_> = document.sentences.iter().map(|sentence| sentence.span).collect();
    let request = MarkRequest::new(&document.text, &document.pages, &spans);
    let marks =
        marks(&bytes, &RecognisedPages::new(), &request).map_err(|failure| failure.reason.to_string())?;
    let marks = marks.ok_or("the text is not the file's")?;
    let mut out = std::io::stdout().lock();
    for (number, span) in spans.iter().enumerate() {
        let of_sentence = marks.iter().filter(|mark| mark.span == number);
        let boxes: Vec<_> = of_sentence
            .map(|mark| json!([mark.page, mark.left, mark.top, mark.right, mark.bottom]))
            .collect();
        writeln!(out, "{}", json!({ "text": span.of(&document.text), "boxes": boxes }))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}
