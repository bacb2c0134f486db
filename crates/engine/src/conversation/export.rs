//! Exports a conversation as Markdown: questions, answers, and below each answer the sentences it cites.
//!
//! Text from documents, models and people is escaped. It cannot make headings, links or HTML.

use std::fmt::Write as _;

use oriel_core::{Answer, Location, Passage};

use crate::conversation::Conversation;

/// The texts of an export in the language of the UI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportWording<'a> {
    /// Heading of the cited passages: "Sources".
    pub sources: &'a str,
    /// Heading of the nearest passages if no answer was found: "Nearest passages".
    pub nearest: &'a str,
    /// Before the number of a page: "page".
    pub page: &'a str,
    /// Before the number of a row: "row".
    pub row: &'a str,
    /// In place of a missing answer: "Not answered".
    pub unanswered: &'a str,
    /// Under an answer that was stopped: "Stopped before its end".
    pub stopped: &'a str,
}

/// The conversation as Markdown. Citations stay numbers in brackets; a list below each answer has the file, the page and
/// the retrieved sentences for each number.
#[must_use]
pub fn export_markdown(conversation: &Conversation, wording: &ExportWording<'_>) -> String {
    let mut text = format!("# {}\n", markdown_line(&conversation.title));
    for turn in &conversation.turns {
        let _ = write!(text, "\n## {}\n\n", markdown_line(&turn.question));
        match &turn.answer {
            Some(answer) => {
                for paragraph in answer.answer.split('\n').filter(|paragraph| !paragraph.trim().is_empty()) {
                    let _ = write!(text, "{}\n\n", markdown_line(paragraph));
                }
                if turn.stopped {
                    let _ = write!(text, "*{}*\n\n", markdown_line(wording.stopped));
                }
                sources(&mut text, answer, wording);
            }
            None => {
                let _ = writeln!(text, "*{}*", markdown_line(wording.unanswered));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn sources(text: &mut String, answer: &Answer, wording: &ExportWording<'_>) {
    let cited = |passage: &&Passage| {
        answer.abstained || answer.sentences.iter().any(|sentence| sentence.citations.contains(&passage.n))
    };
    let mut passages = answer.passages.iter().filter(cited).peekable();
    if passages.peek().is_none() {
        return;
    }
    let heading = if answer.abstained { wording.nearest } else { wording.sources };
    let _ = write!(text, "**{}**\n\n", markdown_line(heading));
    for passage in passages {
        let name = passage.path.file_name().unwrap_or(passage.path.as_os_str()).to_string_lossy();
        let place = place(&passage.location, wording);
        let hits: Vec<_> = passage.hits.iter().map(|hit| markdown_line(&hit.text)).collect();
        let quoted = if hits.is_empty() { markdown_line(&passage.text) } else { hits.join(" … ") };
        let _ = writeln!(text, "- [{}] {}{place}: “{quoted}”", passage.n, markdown_line(&name));
    }
}

/// `, page 3` or `, Prices, row 12`; empty in formats without pages and rows.
fn place(location: &Location, wording: &ExportWording<'_>) -> String {
    let numbered = |word: &str, number: u32| format!(", {} {number}", markdown_line(word));
    let row = location.row.map_or_else(String::new, |row| numbered(wording.row, row));
    match (&location.sheet, location.page) {
        (Some(sheet), _) => format!(", {}{row}", markdown_line(sheet)),
        (None, Some(page)) if row.is_empty() => numbered(wording.page, page),
        _ => row,
    }
}

/// One line of Markdown that shows `text` literally, except that citations keep their brackets.
#[must_use]
pub fn markdown_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut escaped = String::with_capacity(text.len() + 8);
    for (at, letter) in text.char_indices() {
        let rest = &text[at..];
        let is_markup = match letter {
            '\\' | '`' | '*' | '_' | '<' | '>' | '&' | '|' | '~' | '$' => true,
            '[' => !is_citation(rest),
            '#' | '+' | '-' | '=' | ':' => at == 0,
            '.' | ')' => text[..at].bytes().all(|byte| byte.is_ascii_digit()) && at > 0,
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Whether the text starts with a number in brackets that is not part of a link.
fn is_citation(text: &str) -> bool {
    let Some((number, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !rest.starts_with(['(', ':'])
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use oriel_core::{AnswerSentence, AnswerSource, Hit, Timings};

    use super::*;
    use crate::conversation::{ConversationId, Turn};

    const WORDING: ExportWording<'_> = ExportWording {
        sources: "Quellen",
        nearest: "Am nächsten",
        page: "Seite",
        row: "Zeile",
        unanswered: "Nicht beantwortet",
        stopped: "Abgebrochen",
    };

    fn passage(n: usize, path: &str, page: Option<u32>, hits: &[&str]) -> Passage {
        let hit = |text: &&str| Hit { start: 0, end: 1, text: (*text).to_owned(), score: 1.0 };
        let hits = hits.iter().map(hit).collect();
        Passage {
            n,
            path: PathBuf::from(path),
            headings: Vec::new(),
            location: Location::of_page(page),
            start: 0,
            end: 1,
            text: "Whole passage.".into(),
            score: 1.0,
            hits,
            answer: None,
            also: Vec::new(),
        }
    }

    fn conversation(answer: Option<Answer>) -> Conversation {
        let id = ConversationId::random();
        let turns = vec![Turn { answer, ..Turn::new("How long\nis the notice?", 1) }];
        Conversation { id, title: "Lease".into(), created: 1, changed: 1, turns }
    }

    fn answer(text: &str, citations: Vec<usize>, abstained: bool) -> Answer {
        Answer {
            answer: text.into(),
            abstained,
            confidence: 0.9,
            sentences: vec![AnswerSentence {
                text: text.into(),
                supported: true,
                citations,
                places: Vec::new(),
                reason: None,
                difference: None,
            }],
            parts: Vec::new(),
            left_out: Vec::new(),
            survey: None,
            rows: None,
            time: None,
            passages: vec![
                passage(1, "/d/Lease_14.pdf", Some(3), &["Three months.", "In writing."]),
                passage(2, "/d/other.txt", None, &[]),
            ],
            timings: Timings::default(),
            model: AnswerSource::Quotes,
        }
    }

    #[test]
    fn an_answer_comes_with_the_sentences_it_cites() {
        let text =
            export_markdown(&conversation(Some(answer("Three months [1].", vec![1], false))), &WORDING);
        assert_eq!(
            text,
            "# Lease\n\n## How long is the notice?\n\nThree months [1].\n\n**Quellen**\n\n\
             - [1] Lease\\_14.pdf, Seite 3: “Three months. … In writing.”\n"
        );
    }

    #[test]
    fn where_nothing_was_found_the_nearest_passages_stand() {
        let text = export_markdown(&conversation(Some(answer("Nothing was found.", vec![], true))), &WORDING);
        assert!(
            text.contains("**Am nächsten**") && text.contains("- [2] other.txt: “Whole passage.”"),
            "{text}"
        );
        let text = export_markdown(&conversation(None), &WORDING);
        assert!(text.ends_with("\n*Nicht beantwortet*\n"), "{text}");
        let mut stopped = conversation(Some(answer("Three", vec![], false)));
        stopped.turns[0].stopped = true;
        assert!(export_markdown(&stopped, &WORDING).ends_with("Three\n\n*Abgebrochen*\n"));
    }

    #[test]
    fn nothing_that_was_written_becomes_markup() {
        for (written, shown) in [
            ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
            ("# no heading", "\\# no heading"),
            ("1. no list", "1\\. no list"),
            ("[1]: https://x", "\\[1]: https://x"),
            ("[a](https://x) [2](x)", "\\[a](https://x) \\[2](x)"),
            ("as [2] and [13] say", "as [2] and [13] say"),
            ("a*b*c `d` C:\\x", "a\\*b\\*c \\`d\\` C:\\\\x"),
        ] {
            assert_eq!(markdown_line(written), shown);
        }
    }
}
