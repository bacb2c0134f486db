//! Attributes quoted text to its authors: it is written below a heading with the author's name and the date.

use std::ops::Range;

use super::super::writer::{Writer, one_line};
use super::attribution::{Attribution, Line, attribution, header_block};

/// Maximum depth of quotes; deeper ones count as this deep.
const MAX_DEPTH: usize = 50;
/// Maximum number of parts; the rest of the text belongs to the last one.
const MAX_PARTS: usize = 4000;
/// The level of the heading above a first-level quote: below the headings of the mail's own text.
const QUOTE_LEVEL: u8 = 100;

/// A part of a mail that was written by one author.
struct Part<'a> {
    /// `None` for the sender's text before the first quote.
    heading: Option<String>,
    depth: usize,
    lines: Vec<&'a str>,
}

/// The lines of plain text, without quote marks.
pub(super) fn lines_of_text(text: &str) -> Vec<Line<'_>> {
    text.lines().map(unmarked).collect()
}

/// The lines of an HTML text with these quotes.
pub(super) fn lines_of_page<'a>(text: &'a str, quotes: &[Range<usize>]) -> Vec<Line<'a>> {
    let mut changes: Vec<(usize, bool)> = quotes
        .iter()
        .filter(|quote| !quote.is_empty())
        .flat_map(|quote| [(quote.start, true), (quote.end, false)])
        .collect();
    changes.sort_unstable();
    let mut changes = changes.into_iter().peekable();
    let (mut at, mut depth) = (0, 0_usize);
    let lines = text.split_inclusive('\n').map(|line| {
        while let Some((_, opens)) = changes.next_if(|(place, _)| *place <= at) {
            depth = if opens { depth + 1 } else { depth.saturating_sub(1) };
        }
        at += line.len();
        let own = unmarked(line.trim_end_matches(['\n', '\r']));
        Line { depth: (depth + own.depth).min(MAX_DEPTH), ..own }
    });
    lines.collect()
}

/// A line without its quote marks, such as `> >`.
fn unmarked(line: &str) -> Line<'_> {
    let mut text = line;
    let mut depth = 0;
    while let Some(rest) = text.strip_prefix('>').or_else(|| text.strip_prefix(" >").filter(|_| depth > 0)) {
        text = rest;
        depth += 1;
    }
    let text = if depth > 0 { text.strip_prefix(' ').unwrap_or(text) } else { text };
    Line { depth: depth.min(MAX_DEPTH), text }
}

/// Writes the text of a mail if it contains quotes; `false` if it does not. `own` is the sender with the date.
pub(super) fn write(writer: &mut Writer, lines: &[Line<'_>], own: &str) -> bool {
    let parts = parts(lines, own);
    let is_quoting = parts.iter().any(|part| part.heading.is_some());
    for part in parts.iter().filter(|_| is_quoting) {
        let text = part.lines.join("\n");
        if text.trim().is_empty() {
            continue;
        }
        let level = QUOTE_LEVEL.saturating_add(u8::try_from(part.depth).unwrap_or(u8::MAX));
        if let Some(heading) = &part.heading {
            writer.heading(heading, level);
        }
        writer.block(text.trim_matches(['\n', '\r']));
        writer.end_terms(QUOTE_LEVEL);
    }
    is_quoting
}

fn parts<'a>(lines: &[Line<'a>], own: &str) -> Vec<Part<'a>> {
    // The author at each depth of quotation.
    let mut authors: Vec<Option<Attribution>> = vec![None];
    let mut parts = vec![Part { heading: None, depth: 0, lines: Vec::new() }];
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if line.text.trim().is_empty() {
            if let Some(part) = parts.last_mut() {
                part.lines.push("");
            }
            at += 1;
            continue;
        }
        if parts.len() > MAX_PARTS {
            if let Some(part) = parts.last_mut() {
                part.lines.push(line.text);
            }
            at += 1;
            continue;
        }
        if let Some((author, others, count)) = header_block(&lines[at..]) {
            authors.resize(line.depth + 1, None);
            drop_separator(&mut parts);
            parts.push(Part { heading: Some(heading(&author)), depth: line.depth.max(1), lines: others });
            authors[line.depth] = Some(author);
            at += count;
            continue;
        }
        if let Some((author, count)) = attribution(&lines[at..]) {
            let next = lines[at + count..].iter().find(|line| !line.text.trim().is_empty());
            let depth = next.map_or(line.depth, |next| next.depth).max(line.depth);
            authors.resize(depth + 1, None);
            parts.push(Part { heading: Some(heading(&author)), depth: depth.max(1), lines: Vec::new() });
            authors[depth] = Some(author);
            at += count;
            continue;
        }
        begin_part(&mut parts, &mut authors, line.depth, own);
        if let Some(part) = parts.last_mut() {
            part.lines.push(line.text.trim_end());
        }
        at += 1;
    }
    parts
}

/// Begins a new part if the author changes.
fn begin_part(parts: &mut Vec<Part<'_>>, authors: &mut Vec<Option<Attribution>>, depth: usize, own: &str) {
    let said = match authors.get(depth).and_then(Option::as_ref) {
        Some(author) => Some(heading(author)),
        None if depth > 0 => Some("Quoted:".to_owned()),
        None => None,
    };
    authors.truncate(depth + 1);
    let is_first = parts.len() == 1;
    let same = parts.last().is_some_and(|last| {
        last.heading == said || (!is_first && said.is_none() && last.heading.as_deref() == Some(own))
    });
    if same {
        return;
    }
    let heading = said.or_else(|| Some(own.to_owned()).filter(|own| !own.is_empty()));
    parts.push(Part { heading, depth, lines: Vec::new() });
}

/// Removes a separator such as `-----Original Message-----` at the end of the parts.
fn drop_separator(parts: &mut [Part<'_>]) {
    let Some(part) = parts.last_mut() else { return };
    while part.lines.last().is_some_and(|line| line.trim().is_empty()) {
        part.lines.pop();
    }
    part.lines.pop_if(|line| {
        let line = line.trim();
        let bare = line.trim_matches(['-', '_', ' ', '*']);
        bare.is_empty() || (line.starts_with("--") && line.ends_with("--"))
    });
}

fn heading(author: &Attribution) -> String {
    named(&author.author, &author.date)
}

/// The heading above a quoted text.
pub(in super::super) fn named(author: &str, date: &str) -> String {
    let parts: Vec<String> =
        [author, date].map(one_line).into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!("{}:", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

    use super::*;

    fn written(lines: &[Line<'_>]) -> String {
        let mut writer = Writer::new(10_000);
        assert!(write(&mut writer, lines, "Greta, Wed:"));
        writer.finish(Kind::Eml).unwrap().validated().unwrap().text
    }

    #[test]
    fn each_quote_has_its_author() {
        let mail = "Up to 3 %.\n\nOn Tue, 4 Jun 2024 at 17:05, Tom wrote:\n> I agree.\n>\n> On Mon, 3 Jun 2024, Ute wrote:\n>> We ask\n>> for 8 %.\n> Bye.\n\nNo.\n";
        assert_eq!(
            written(&lines_of_text(mail)),
            "Up to 3 %.\n\nTom, Tue, 4 Jun 2024 at 17:05:\n\nI agree.\n\nUte, Mon, 3 Jun 2024:\n\nWe ask\nfor 8 %.\n\nTom, Tue, 4 Jun 2024 at 17:05:\n\nBye.\n\nGreta, Wed:\n\nNo."
        );
        assert_eq!(
            written(&lines_of_text("Yes.\n> Come?\nI will.")),
            "Yes.\n\nQuoted:\n\nCome?\n\nGreta, Wed:\n\nI will."
        );
    }

    #[test]
    fn a_block_of_headers_begins_the_mail_of_somebody_else() {
        let mail = "Closed.\n\n-----Original Message-----\nFrom: Ann <a@b.c>\nSent: 6 June 2024\nTo: Bob\nSubject: Boxes\n\nI promise.\n";
        assert_eq!(
            written(&lines_of_text(mail)),
            "Closed.\n\nAnn <a@b.c>, 6 June 2024:\n\nTo: Bob\nSubject: Boxes\n\nI promise."
        );
    }

    #[test]
    fn quotes_of_a_page_are_told_by_their_place() {
        let text = "Up to 3 %.\n\nTom wrote:\n\nI agree.\n\nNo.";
        let quote = text.find("\n\nI agree").unwrap();
        let lines = lines_of_page(text, std::slice::from_ref(&(quote..quote + 10)));
        assert_eq!(written(&lines), "Up to 3 %.\n\nTom:\n\nI agree.\n\nGreta, Wed:\n\nNo.");
        let mut writer = Writer::new(1000);
        assert!(!write(&mut writer, &lines_of_text("Nothing\nis quoted."), ""));
    }
}
