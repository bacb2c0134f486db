//! Formats passages and answers for the terminal: the window faint, the sentence strong, as in the app.

use std::fmt::{Display, Write as _};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use oriel_api::why_unsupported;
use oriel_core::{
    AlsoIn, Answer, AnswerRows, ByteSpan, INSTALL_TESSERACT, Location, Passage, Survey, Table, Verdict,
};
use oriel_engine::{DocumentText, Recognition, Verification};

/// The marks around the answering sentence, around the words of the answer, around faint text and around strong text.
#[derive(Clone, Copy)]
struct Marks {
    sentence: (&'static str, &'static str),
    words: (&'static str, &'static str),
    faint: (&'static str, &'static str),
    strong: (&'static str, &'static str),
}

/// Colours in a terminal, characters elsewhere. Respects `NO_COLOR` (no-color.org).
fn marks() -> Marks {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !plain {
        Marks {
            sentence: ("\x1b[30;48;5;114m", "\x1b[0m"),
            words: ("\x1b[4m", "\x1b[24m"),
            faint: ("\x1b[2m", "\x1b[0m"),
            strong: ("\x1b[1m", "\x1b[0m"),
        }
    } else {
        Marks { sentence: ("»", "«"), words: ("", ""), faint: ("", ""), strong: ("", "") }
    }
}

/// A count with its noun: `1 sentence`, `2 sentences`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The program that recognises text in images, and the number of waiting documents.
pub(crate) fn recognition(recognition: &Recognition) -> String {
    let waiting = counted(recognition.waiting, "document");
    match &recognition.languages {
        Some(languages) => {
            let count = languages.split('+').count();
            let shown = if count > 12 { format!("{count} languages") } else { languages.clone() };
            format!("Recognises text in pictures: Tesseract, {shown}; {waiting} to do\n")
        }
        None => format!(
            "Recognises text in pictures: no Tesseract; {waiting} to do once it is installed: {INSTALL_TESSERACT}\n"
        ),
    }
}

/// Removes characters that could control the terminal, because documents are untrusted.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().filter(|&c| !c.is_control() || c == '\n' || c == '\t').collect()
}

/// The shortest clear name of a document: without the followed folder.
fn name(path: &Path, folders: &[PathBuf]) -> String {
    let within = folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
    harmless(&within.unwrap_or(path).to_string_lossy())
}

fn place(path: &Path, location: &Location, folders: &[PathBuf]) -> String {
    let words = location.words();
    let gap = if words.is_empty() { "" } else { ", " };
    format!("{}{gap}{}", name(path, folders), harmless(&words))
}

/// One line for each passage that the answer is being written from.
pub(crate) fn places(passages: &[Passage], folders: &[PathBuf]) -> String {
    let mut text = String::new();
    for passage in passages {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  [{}] {}", passage.n, place(&passage.path, &passage.location, folders));
    }
    text.push('\n');
    text
}

/// The result for a claim, with the sentences that support or contradict it.
pub(crate) fn verification(verification: &Verification, folders: &[PathBuf]) -> String {
    let marks = marks();
    let verdict = match verification.verdict {
        Verdict::Supported => "Supported",
        Verdict::Contradicted => "Contradicted",
        Verdict::NotFound => "Not found",
    };
    let why = verification.reason.map_or_else(String::new, |reason| {
        format!(": {}", why_unsupported(reason, verification.difference.as_ref()))
    });
    let mut text = format!("{}{verdict}{}{}\n", marks.strong.0, marks.strong.1, harmless(&why));
    for place in &verification.places {
        let _ = write!(text, "\n{}\n", self::place(&place.path, &place.location, folders));
        for line in wrap(&harmless(&place.text)) {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// The documents that mention a thing: certain ones first, each with its sentences, and how much was read.
pub(crate) fn survey(survey: &Survey, folders: &[PathBuf]) -> String {
    let marks = marks();
    let (certain, review): (Vec<_>, Vec<_>) = survey.documents.iter().partition(|document| document.certain);
    let mut text = format!(
        "{}{} of {}: {}{}\n",
        marks.strong.0,
        survey.documents.len(),
        counted(survey.read, "document"),
        harmless(&survey.thing),
        marks.strong.1,
    );
    text.push_str(&coverage(survey));
    for (heading, documents) in [("certain", certain), ("to review, they may mean something else", review)] {
        if !documents.is_empty() {
            let _ = writeln!(text, "\n{} {heading}", documents.len());
        }
        for document in documents {
            let _ = writeln!(text, "\n{}", name(&document.path, folders));
            for sentence in &document.sentences {
                let place = sentence.location.words();
                let gap = if place.is_empty() { "" } else { ": " };
                for line in wrap(&harmless(&format!("{place}{gap}{}", sentence.text))) {
                    let _ = writeln!(text, "    {line}");
                }
            }
        }
    }
    text
}

/// A table, document by document.
pub(crate) fn table(table: &Table, folders: &[PathBuf]) -> String {
    let marks = marks();
    let mut text = String::new();
    for row in &table.rows {
        let _ = writeln!(text, "{}{}{}", marks.strong.0, name(&row.path, folders), marks.strong.1);
        for (question, cell) in table.questions.iter().zip(&row.cells) {
            let _ = writeln!(text, "    {}{}{}", marks.faint.0, harmless(question), marks.faint.1);
            let quotes = cell.iter().flat_map(|cell| &cell.quotes);
            let lines: Vec<String> = quotes
                .map(|quote| {
                    let place = quote.location.words();
                    let place = if place.is_empty() { place } else { format!(" ({})", harmless(&place)) };
                    let unsure = if cell.as_ref().is_some_and(|cell| cell.is_unsure) { "? " } else { "" };
                    format!("{unsure}{}{place}", harmless(&quote.words))
                })
                .collect();
            match &lines[..] {
                [] => text.push_str("        not found\n"),
                [one] => wrap(one).iter().for_each(|line| text.push_str(&format!("        {line}\n"))),
                several => {
                    let _ = writeln!(text, "        {} places disagree", several.len());
                    several.iter().for_each(|line| text.push_str(&format!("        - {line}\n")));
                }
            }
        }
        text.push('\n');
    }
    text
}

/// How many of the documents were read for a survey.
pub(crate) fn coverage(survey: &Survey) -> String {
    let Survey { total, read, unreadable, .. } = survey;
    let certain = survey.documents.iter().filter(|document| document.certain).count();
    let review = survey.documents.len() - certain;
    let waiting = total - read - unreadable;
    let mut text = format!("{read} of {} read", counted(*total, "document"));
    if *unreadable > 0 {
        let _ = write!(text, ", {unreadable} unreadable");
    }
    if waiting > 0 {
        let _ = write!(text, ", {waiting} not read yet");
    }
    if review > 0 {
        let _ = write!(text, "; {certain} certain, {review} to review");
    }
    text + "\n"
}

/// A piece of an answer that is not checked yet.
pub(crate) fn unchecked(piece: &str) -> String {
    format!("\x1b[2m{}\x1b[0m", harmless(piece))
}

/// Passages with their sentences marked.
pub(crate) fn passages(passages: &[Passage], folders: &[PathBuf]) -> String {
    let marks = marks();
    let mut text = String::new();
    for passage in passages {
        let (strong, faint) = (marks.strong, marks.faint);
        let _ = writeln!(
            text,
            "{}[{}] {}{}  {}{:.2}{}",
            strong.0,
            passage.n,
            place(&passage.path, &passage.location, folders),
            strong.1,
            faint.0,
            passage.score,
            faint.1
        );
        for line in wrap(&marked(passage, marks)) {
            let _ = writeln!(text, "    {line}");
        }
        for AlsoIn { path, location, .. } in &passage.also {
            let _ = writeln!(text, "    also in {}", place(path, location, folders));
        }
        text.push('\n');
    }
    text
}

/// The text of a passage with white space collapsed, and with marks around the answering sentence and the words of the
/// answer.
fn marked(passage: &Passage, marks: Marks) -> String {
    let mut text = String::new();
    let mut at = passage.start;
    let slice = |start: u32, end: u32| {
        let (start, end) = (start.saturating_sub(passage.start), end.saturating_sub(passage.start));
        passage.text.get(start as usize..end as usize).unwrap_or_default()
    };
    if let Some(answer) = passage.answer {
        let words = answer.words.unwrap_or(ByteSpan::new(answer.end, answer.end));
        let (before, within, after) =
            (slice(answer.start, words.start), slice(words.start, words.end), slice(words.end, answer.end));
        text.push_str(&harmless(slice(at, answer.start)));
        for part in [marks.sentence.0, &harmless(before), marks.words.0, &harmless(within), marks.words.1] {
            text.push_str(part);
        }
        text.push_str(&harmless(after));
        text.push_str(marks.sentence.1);
        at = answer.end;
    }
    text.push_str(&harmless(slice(at, passage.end)));
    text
}

/// Wraps lines at some hundred columns; escape sequences take no columns. Line breaks of the document become spaces.
fn wrap(text: &str) -> Vec<String> {
    const WIDTH: usize = 100;
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = visible(word);
        if width > 0 && width + 1 + length > WIDTH {
            lines.push(std::mem::take(&mut line));
            width = 0;
        }
        if width > 0 {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
    }
    lines.push(line);
    lines
}

fn visible(word: &str) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for c in word.chars() {
        match c {
            '\x1b' => escaped = true,
            'm' if escaped => escaped = false,
            _ if !escaped => count += 1,
            _ => {}
        }
    }
    count
}

/// An answer, its doubtful sentences, and the windows that it cites.
pub(crate) fn answer(answer: &Answer, folders: &[PathBuf]) -> String {
    let marks = marks();
    let mut text = String::new();
    for line in harmless(&answer.answer).lines() {
        for line in wrap(line) {
            let _ = writeln!(text, "{}{line}{}", marks.strong.0, marks.strong.1);
        }
    }
    if let Some(survey) = &answer.survey {
        text.push_str(&coverage(survey));
    }
    if let Some(rows) = &answer.rows {
        text.push_str(&self::rows(rows));
    }
    for sentence in answer.sentences.iter().filter(|sentence| !sentence.supported) {
        let _ = writeln!(text, "  ? no passage says this: {}", harmless(&sentence.text));
    }
    let cited = |passage: &&Passage| {
        answer.abstained || answer.sentences.iter().any(|sentence| sentence.citations.contains(&passage.n))
    };
    let shown: Vec<Passage> = answer.passages.iter().filter(cited).cloned().collect();
    if answer.abstained && !shown.is_empty() {
        text.push_str("The nearest passages:\n");
    }
    text.push('\n');
    text.push_str(&passages(&shown, folders));
    let seconds = answer.timings.total_ms / 1000.0;
    let _ = writeln!(
        text,
        "{}confidence {:.2}, {seconds:.1} s, {}{}",
        marks.faint.0, answer.confidence, answer.model, marks.faint.1
    );
    text
}

/// The rows below an answer, with columns as wide as their content.
fn rows(table: &AnswerRows) -> String {
    let marks = marks();
    let shown: Vec<Vec<String>> = std::iter::once(&table.columns)
        .chain(table.rows.iter().take(MAX_ROWS).map(|row| &row.cells))
        .map(|cells| cells.iter().map(|cell| cut(&harmless(cell).replace(['\n', '\t'], " "))).collect())
        .collect();
    let width = |column: usize| {
        let cells = shown.iter().filter_map(|cells| cells.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let mut text = "\n".to_owned();
    for (at, cells) in shown.iter().enumerate() {
        let padded = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        let line = padded.collect::<Vec<_>>().join("  ");
        let (before, after) = if at == 0 { marks.faint } else { ("", "") };
        let _ = writeln!(text, "  {before}{}{after}", line.trim_end());
    }
    let more = table.total.saturating_sub(shown.len() - 1);
    if more > 0 {
        let _ = writeln!(text, "  … and {more} more");
    }
    text
}

/// Maximum number of rows below an answer.
const MAX_ROWS: usize = 20;

/// Shortens a cell to about one line.
fn cut(cell: &str) -> String {
    const WIDTH: usize = 80;
    match cell.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &cell[..at]),
        None => cell.to_owned(),
    }
}

/// A document's sentences, each on a line with its page and place; for a container, the names of its members.
pub(crate) fn shown(shown: &DocumentText) -> String {
    if shown.row.kind.is_container() {
        return harmless(&shown.text);
    }
    let mut text = String::new();
    for sentence in &shown.sentences {
        let place = match shown.location(sentence.span.start) {
            Location { page: Some(page), sheet: None, row: None } => format!("p. {page} "),
            location if location == Location::default() => String::new(),
            location => format!("{} ", harmless(&location.words())),
        };
        let words = sentence.span.of(&shown.text).unwrap_or_default();
        let folded = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "{place}{}-{}  {}", sentence.span.start, sentence.span.end, harmless(&folded));
    }
    text
}
