//! Finds headings in bold type that are not marked as headings: a bold line, and bold words that begin a paragraph.
//!
//! A bold line is the heading of the text up to the next heading; bold words are the heading of the rest of their
//! paragraph. Labels such as "Note" are not headings, and the caption of a table is the heading of its rows only.
//!
//! This is decided when all of a text is there, because a text that is mostly bold has no such headings. Each heading
//! that is not one of a section has an end.

use std::iter::successors;

use oriel_core::{ByteSpan, Heading, Outline};

use super::options::is_option;
use crate::segment::{Caption, caption, is_row, list_mark_len};

/// The level of a bold line: below all marked headings, above terms.
const LINE_LEVEL: u8 = 100;
/// The level of a term in an outermost definition list: below all headings.
pub(super) const TERM_LEVEL: u8 = 200;
/// The level of a caption, which is the heading of the rows of one table.
pub(super) const CAPTION_LEVEL: u8 = 240;
/// Maximum characters and words of a bold line …
const MAX_LINE: (usize, usize) = (120, 14);
/// … and of bold words at the beginning of a paragraph.
const MAX_RUN_IN: (usize, usize) = (80, 8);
/// Maximum characters of a caption.
const MAX_CAPTION: usize = 160;
/// Maximum bytes of the label before a question or an answer.
const MAX_LABEL: usize = 14;
/// Maximum nesting of parts of a document that get separate levels.
const MAX_PARTS: usize = 50;
/// Bold lines are headings only if they are at most this percentage of the text.
const MAX_BOLD_SHARE: usize = 30;

/// Bold words at the beginning of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoldRun {
    pub(super) words: ByteSpan,
    /// Where the line ends; the words may be the whole line.
    pub(super) end: u32,
    /// Whether the line is a list item.
    pub(super) is_item: bool,
    /// Where the part of the document with the line ends, such as a box; `None` if unknown.
    pub(super) until: Option<u32>,
}

/// Adds headings for bold words and captions to the marked headings, which must ascend.
pub(super) fn add_headings(text: &str, outline: &mut Outline, bold_runs: &[BoldRun]) {
    let is_line = |one: &&BoldRun| is_blank(text, one.words.end, one.end);
    let bold: usize = bold_runs.iter().filter(is_line).map(|one| one.words.len() as usize).sum();
    let lines_tell = bold * 100 <= text.len() * MAX_BOLD_SHARE;
    let mut found: Vec<Heading> = captions(text).collect();
    // The ends of the parts of the document that are open, outermost first.
    let mut parts: Vec<u32> = Vec::new();
    for one in bold_runs {
        let words = one.words.of(text).unwrap_or_default();
        let span = trimmed(text, one.words);
        // A caption's heading is added by `captions`.
        if span.is_empty() || caption(words).is_some() {
            continue;
        }
        let is_line = is_line(&one);
        if is_line && !one.is_item && lines_tell && is_heading_line(words) {
            let level = level_in(&mut parts, *one);
            found.push(Heading { end: one.until, ..Heading::new(span, level) });
        } else if is_line && one.is_item && has_gap(text, one.end) && is_heading_line(words) {
            let below = next_block(text, one.end)
                .filter(|below| below.of(text).is_some_and(|block| list_mark_len(block) == 0));
            found.extend(
                below.map(|below| Heading { end: Some(below.end), ..Heading::new(span, Heading::RUN_IN) }),
            );
        } else if !is_line && is_run_in(words, text.get(one.words.end as usize..one.end as usize)) {
            let end = if one.is_item { one.end } else { block_end(text, one.end) };
            found.push(Heading { end: Some(end), ..Heading::new(span, Heading::RUN_IN) });
        }
    }
    for caption in found.iter_mut().filter(|one| one.level == CAPTION_LEVEL) {
        caption.end = caption.end.max(end_of_table(outline, *caption));
    }
    keep_in_definitions(&mut found, &outline.headings);
    insert(&mut outline.headings, found);
}

/// The level of a bold line, by the parts of the document that contain it. `parts` are the ends of the open ones.
fn level_in(parts: &mut Vec<u32>, line: BoldRun) -> u8 {
    while parts.last().is_some_and(|end| *end <= line.words.start) {
        parts.pop();
    }
    let Some(end) = line.until else { return LINE_LEVEL };
    if parts.last() != Some(&end) && parts.len() < MAX_PARTS {
        parts.push(end);
    }
    LINE_LEVEL + parts.len() as u8
}

/// Whether `words` are the label of a box beside the text, which names no subject.
pub(super) fn is_label(words: &str) -> bool {
    const LABELS: &[&str] = &[
        "note",
        "warning",
        "caution",
        "important",
        "tip",
        "hint",
        "attention",
        "danger",
        "remark",
        "hinweis",
        "warnung",
        "achtung",
        "wichtig",
        "tipp",
        "anmerkung",
        "vorsicht",
        "remarque",
        "avertissement",
        "astuce",
        "nota",
        "aviso",
        "advertencia",
        "importante",
        "attenzione",
        "avvertenza",
        "atenção",
    ];
    let words = words.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    LABELS.contains(&words.as_str())
}

/// Whether words may be a heading, by their length and their first and last characters.
fn may_be_heading(words: &str, (characters, count): (usize, usize)) -> bool {
    let words = words.trim();
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let all = words.chars().filter(|c| !c.is_whitespace()).count();
    words.len() <= 4 * characters
        && words.chars().count() <= characters
        && words.split_whitespace().count() <= count
        && letters > 1
        && letters * 2 > all
        && !words.starts_with(char::is_lowercase)
        && !words.contains(['\n', '\t'])
        && !words.contains("~~")
        && !is_label(words)
}

/// Whether a bold line is a heading and not an emphasised sentence.
fn is_heading_line(words: &str) -> bool {
    let last = words.trim().chars().next_back();
    is_option(words.trim())
        || (may_be_heading(words, MAX_LINE) && !matches!(last, Some('.' | ',' | ';' | '!' | '…' | '。')))
}

/// Whether bold words are the heading of the `rest` of their line: punctuation separates them. Otherwise they are
/// emphasised words.
fn is_run_in(words: &str, rest: Option<&str>) -> bool {
    let rest = rest.unwrap_or_default().trim_start_matches(['*', '_']);
    let parts = |c: char| matches!(c, ':' | '.' | '?' | '—' | '–' | '：' | '。');
    let is_parted = words.trim_end().ends_with(parts)
        || rest.trim_start().starts_with([':', '—', '–', '：'])
        || rest.starts_with([' ', '\n']) && rest.trim_start().starts_with("- ")
        || rest.starts_with('.')
        || rest.starts_with('\n');
    is_parted && rest.contains(char::is_alphanumeric) && may_be_heading(words, MAX_RUN_IN)
}

/// The words without the punctuation that separates them from the following text.
fn trimmed(text: &str, words: ByteSpan) -> ByteSpan {
    let bare = words.of(text).unwrap_or_default().trim_end();
    let bare = bare.trim_end_matches([':', '.', '—', '–', '-', ' ', '：', '。']);
    ByteSpan::new(words.start, words.start + bare.len() as u32)
}

/// Whether there is only punctuation between two positions.
fn is_blank(text: &str, from: u32, to: u32) -> bool {
    text.get(from as usize..to as usize).is_none_or(|rest| !rest.contains(char::is_alphanumeric))
}

/// Where the lines end that follow `from` without a blank line.
fn block_end(text: &str, from: u32) -> u32 {
    let rest = text.get(from as usize..).unwrap_or_default();
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if at > 0 && line.trim().is_empty() {
            break;
        }
        at += line.len();
    }
    from + rest[..at].trim_end().len() as u32
}

/// The next lines after `from` up to a blank line.
fn next_block(text: &str, from: u32) -> Option<ByteSpan> {
    let rest = text.get(from as usize..)?;
    let start = from + (rest.len() - rest.trim_start().len()) as u32;
    (start < text.len() as u32).then(|| ByteSpan::new(start, block_end(text, start)))
}

/// Whether a blank line follows the text that ends at `from`.
fn has_gap(text: &str, from: u32) -> bool {
    let behind = text.get(from as usize..).unwrap_or_default().bytes();
    behind.take_while(u8::is_ascii_whitespace).filter(|byte| *byte == b'\n').count() > 1
}

/// The captions above the rows of a table, each with these rows as its text.
fn captions(text: &str) -> impl Iterator<Item = Heading> {
    let lines = successors(next_block(text, 0), move |block| next_block(text, block.end));
    lines.filter_map(move |block| {
        let line = block.of(text)?;
        let named = caption(line)?;
        if line.contains(['\n', '\t']) || line.chars().count() > MAX_CAPTION {
            return None;
        }
        let below = next_block(text, block.end)?;
        // A figure contains no words, and the text below it is not part of it.
        let heads = named == Caption::Listing || is_row(below.of(text)?.lines().next()?);
        heads.then(|| Heading { end: Some(below.end), ..Heading::new(block, CAPTION_LEVEL) })
    })
}

/// Where the table ends whose header is in the lines below a caption.
fn end_of_table(outline: &Outline, caption: Heading) -> Option<u32> {
    let below = outline.tables.partition_point(|table| table.span.start < caption.span.end);
    let table = outline.tables.get(below)?;
    caption.end.filter(|end| table.span.start < *end).map(|_| table.end)
}

/// Limits a bold line in the definition of a term to that definition.
fn keep_in_definitions(found: &mut [Heading], marked: &[Heading]) {
    for heading in found.iter_mut().filter(|heading| (LINE_LEVEL..TERM_LEVEL).contains(&heading.level)) {
        let before = marked.partition_point(|one| one.span.start < heading.span.start);
        let around =
            |one: &&Heading| one.level >= TERM_LEVEL && one.end.is_some_and(|end| heading.span.end <= end);
        // Only the last terms can be open here; searching thousands for each line would take too long.
        if let Some(term) = marked[..before].iter().rev().take(64).find(around) {
            (heading.level, heading.end) = (Heading::RUN_IN, term.end);
        }
    }
}

/// Headings of questions: `Q:` and `A:` on their own lines; each question is the heading of its answer.
pub(super) fn questions(text: &str) -> Vec<Heading> {
    const LABELS: &[(&str, &str)] = &[
        ("q", "a"),
        ("question", "answer"),
        ("frage", "antwort"),
        ("f", "a"),
        ("question", "réponse"),
        ("pregunta", "respuesta"),
        ("domanda", "risposta"),
        ("p", "r"),
    ];
    let mut found: Vec<Heading> = Vec::new();
    // The question without an answer yet.
    let mut open: Option<(ByteSpan, String)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len() as u32;
        let Some((label, words)) = labelled(line) else { continue };
        if let Some((question, asked)) = open.take()
            && LABELS.contains(&(asked.as_str(), label.as_str()))
        {
            found.push(Heading::new(question, Heading::RUN_IN));
        } else if LABELS.iter().any(|(asks, _)| *asks == label) {
            if let Some(heading) = found.last_mut() {
                heading.end.get_or_insert(start);
            }
            let from = start + (words.as_ptr() as usize - line.as_ptr() as usize) as u32;
            open = Some((ByteSpan::new(from, from + words.trim_end().len() as u32), label));
        }
    }
    if let Some(heading) = found.last_mut() {
        heading.end.get_or_insert(at);
    }
    // A single one may be a letter with a colon.
    if found.len() < 2 { Vec::new() } else { found }
}

/// The label before a colon or a point at the beginning of a line, without its number, and the words after it.
fn labelled(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let line = line[list_mark_len(line)..].trim_start_matches(['*', '_', '#', ' ']);
    let end = line[..line.floor_char_boundary(MAX_LABEL + 1)].find([':', '.'])?;
    let label = line[..end].trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '*');
    let words = line[end + 1..].trim_start_matches(['*', '_', ' ', '\t']);
    let is_label_line = !label.is_empty() && label.chars().all(char::is_alphabetic);
    (is_label_line && !words.trim().is_empty()).then(|| (label.to_lowercase(), words))
}

/// Inserts headings, given in any order, into the existing ones; those that overlap another are left out.
pub(super) fn insert(headings: &mut Vec<Heading>, found: Vec<Heading>) {
    let taken: Vec<ByteSpan> = headings.iter().map(|heading| heading.span).collect();
    headings.extend(found.into_iter().filter(|heading| !heading.span.overlaps_any(&taken)));
    headings.sort_by_key(|heading| heading.span);
    headings.dedup_by(|next, kept| next.span.start < kept.span.end);
}

#[cfg(test)]
mod tests {
    use oriel_core::Outline;

    use super::*;

    /// The headings above `words` in a text whose bold words are between asterisks.
    fn above(marked: &str, words: &str) -> String {
        let (mut text, mut bold_runs) = (String::new(), Vec::new());
        for line in marked.split_inclusive('\n') {
            let (item, body) = line.split_at(list_mark_len(line));
            text.push_str(item);
            let start = text.len() as u32;
            let bold = body.strip_prefix('*').and_then(|rest| rest.split_once('*'));
            if let Some((bold, rest)) = bold {
                text.extend([bold, rest]);
                let end = start + (bold.len() + rest.trim_end().len()) as u32;
                let words = ByteSpan::new(start, start + bold.len() as u32);
                bold_runs.push(BoldRun { words, end, is_item: !item.is_empty(), until: None });
            } else {
                text.push_str(body);
            }
        }
        let mut outline = Outline::default();
        add_headings(&text, &mut outline, &bold_runs);
        assert!(outline.fits(&text), "{outline:?}");
        let at = text.find(words).unwrap() as u32;
        let path = outline.walk().path(at).to_vec();
        path.iter().map(|one| one.span.of(&text).unwrap()).collect::<Vec<_>>().join(" > ")
    }

    #[test]
    fn bold_words_head_their_paragraph_and_no_more() {
        let text = "*Scope.* This policy is for all. It binds staff.\n\nIt is short.\n\n*Oriel* reads files. It is new.\n\n\
            *Note:* Read on. It helps.\n• *Term*: twelve months. It may be longer.\n• Other.\n\n*Who pays?*\n\nThe tenant does.\n\nIn full.\n\n*Please read this with care.*\n\nThanks.";
        assert_eq!(above(text, "It binds"), "Scope");
        assert_eq!(above(text, "It is short"), "");
        assert_eq!(above(text, "It is new"), "", "words to be noticed");
        assert_eq!(above(text, "It helps"), "", "the label of a note");
        assert_eq!(above(text, "It may be"), "Term");
        assert_eq!(above(text, "Other"), "");
        assert_eq!(above(text, "In full"), "Who pays?");
        assert_eq!(above(text, "Thanks"), "Who pays?", "a sentence is no heading");
    }

    #[test]
    fn a_caption_heads_the_rows_below_it() {
        let text = "*Rent*\n\n*Table 2. Rent by year*\n\nYear\tRent\n2021\t900\n\nIt rose.\n\nFigure 3: The house\n\nIt stands.\n\nExample 1. Sum\n\n1 + 1\n\nDone.";
        assert_eq!(above(text, "2021"), "Rent > Table 2. Rent by year");
        assert_eq!(above(text, "It rose"), "Rent");
        assert_eq!(above(text, "It stands"), "Rent");
        assert_eq!(above(text, "1 + 1"), "Rent > Example 1. Sum");
        assert_eq!(above(text, "Done"), "Rent");
    }

    #[test]
    fn a_question_heads_its_answer() {
        let text = "Q: Who pays?\nA: The tenant. Always.\n\nQ2. When?\n\nA. On Monday. Early.\n\nB: no.";
        let found: Vec<_> = questions(text).iter().map(|one| (one.span.of(text), one.end)).collect();
        assert_eq!(found, [(Some("Who pays?"), Some(37)), (Some("When?"), Some(text.len() as u32))]);
        assert!(questions("A: One\nB: Two\nQ: Three?").is_empty());
    }
}
