//! A document's text as the viewer shows it: blocks with their marks, of a Markdown file without its markup.
//!
//! A block is shown with its markup if its marked sentence would otherwise be invisible.

use oriel_core::{ByteSpan, Kind};
use oriel_engine::{DocumentText, Piece, visible};

use crate::marks::{Marks, offset};
use crate::text::Run;
use crate::viewer::layout::pages;
use crate::viewer::view::{Block, BlockStyle, Layout};

/// A document's text in blocks with its marks; each with its first byte.
pub(super) fn blocks(document: &DocumentText, layout: Layout, marks: &Marks) -> Vec<(u32, Block)> {
    let text = &document.text;
    let is_markdown = document.row.kind.is_markdown();
    let pieces = if is_markdown { visible(text, ByteSpan::new(0, offset(text.len()))) } else { Vec::new() };
    let mut blocks = Vec::new();
    let mut is_fenced = false;
    for page in pages(document, layout) {
        let head = if layout == Layout::Mail { head(text, page, marks) } else { Vec::new() };
        let body = head.last().map_or(page.start, |(_, end, _)| *end);
        blocks.extend(head.into_iter().map(|(start, _, block)| (start, block)));
        for span in paragraphs(document, layout, ByteSpan::new(body, page.end)) {
            let source = span.of(text).unwrap_or_default();
            let fences = source.lines().filter(|line| line.trim_start().starts_with("```")).count();
            let is_code = is_markdown && (is_fenced || fences > 0);
            is_fenced ^= is_markdown && fences % 2 == 1;
            let style = if is_code { BlockStyle::Fixed } else { style(document, layout, span, source) };
            let read = match style {
                BlockStyle::Quote => Some(unquoted(source, span.start, marks)),
                _ if is_markdown => without_markup(&pieces, span, marks),
                _ => None,
            };
            let runs = read.unwrap_or_else(|| marks.runs(source, span.start));
            // A block may consist of nothing but markup.
            if !runs.is_empty() {
                blocks.push((span.start, Block { style, runs }));
            }
        }
    }
    blocks
}

/// What a paragraph is.
fn style(document: &DocumentText, layout: Layout, span: ByteSpan, source: &str) -> BlockStyle {
    let kind = document.row.kind;
    // The text of these is the file itself, which has no tables.
    let is_source = kind.is_markdown() || matches!(kind, Kind::Text | Kind::Pdf);
    let is_single = source.lines().nth(1).is_none();
    if layout == Layout::Mail && source.starts_with('>') {
        BlockStyle::Quote
    } else if is_single && (kind.is_markdown() && is_heading(source) || is_headed(document, span.start)) {
        BlockStyle::Heading
    } else if !is_source && !is_single && source.contains('\t') {
        BlockStyle::Table
    } else if is_source && source.lines().any(|line| line.starts_with('|') || line.contains('\t')) {
        BlockStyle::Fixed
    } else {
        BlockStyle::Text
    }
}

fn is_heading(line: &str) -> bool {
    let depth = line.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&depth) && line[depth..].starts_with(' ')
}

/// Whether the heading of a section begins at this byte.
fn is_headed(document: &DocumentText, start: u32) -> bool {
    let headings = &document.outline.headings;
    let at = headings.binary_search_by_key(&start, |heading| heading.span.start);
    at.is_ok_and(|at| headings[at].end.is_none())
}

/// The lines that begin a mail.
const FIELDS: [(&str, BlockStyle); 5] = [
    ("From: ", BlockStyle::From),
    ("To: ", BlockStyle::To),
    ("Cc: ", BlockStyle::Copy),
    ("Date: ", BlockStyle::Date),
    ("Subject: ", BlockStyle::Subject),
];

/// The head of a mail, without the names of its lines; each with its first byte and its end.
fn head(text: &str, mail: ByteSpan, marks: &Marks) -> Vec<(u32, u32, Block)> {
    let mut fields = FIELDS.iter();
    let mut at = mail.start;
    let mut head = Vec::new();
    for line in mail.of(text).unwrap_or_default().split_inclusive('\n') {
        let Some((name, style)) = fields.find(|(name, _)| line.starts_with(name)) else { break };
        let end = at.saturating_add(offset(line.len()));
        let value = line[name.len()..].trim_end();
        let runs = marks.runs(value, at + offset(name.len()));
        head.push((at, end, Block { style: *style, runs }));
        at = end;
    }
    head
}

/// What a mail quotes, without the marks at the beginning of its lines.
fn unquoted(source: &str, start: u32, marks: &Marks) -> Vec<Run> {
    let mut shown = Vec::new();
    let mut at = start;
    for line in source.split_inclusive('\n') {
        let words = line.trim_start_matches(['>', ' ']);
        marks.add(&mut shown, words, true, at + offset(line.len() - words.len()));
        at += offset(line.len());
    }
    shown
}

/// A block of a Markdown file without its markup. `None` if a marked sentence would not be visible.
fn without_markup(pieces: &[Piece<'_>], block: ByteSpan, marks: &Marks) -> Option<Vec<Run>> {
    let first = pieces.partition_point(|piece| piece.span.end <= block.start);
    let within = pieces[first..].iter().take_while(|piece| piece.span.start < block.end);
    let mut shown = Vec::new();
    for piece in within {
        let (from, to) = (piece.span.start.max(block.start), piece.span.end.min(block.end));
        if piece.is_source() {
            let text = ByteSpan::new(from - piece.span.start, to - piece.span.start).of(&piece.text);
            marks.add(&mut shown, text.unwrap_or_default(), true, from);
        } else if piece.span.start >= block.start {
            marks.add(&mut shown, &piece.text, false, from);
        }
    }
    let shown = trimmed(shown);
    let is_seen = |hit: usize| shown.iter().any(|run| run.hit == Some(hit));
    let is_here = |hit: &ByteSpan| hit.start < block.end && block.start < hit.end;
    marks.sentences.iter().enumerate().all(|(at, hit)| !is_here(hit) || is_seen(at)).then_some(shown)
}

/// Removes line ends at the beginning and white space at the end.
fn trimmed(mut runs: Vec<Run>) -> Vec<Run> {
    while let Some(last) = runs.last_mut() {
        last.text.truncate(last.text.trim_end().len());
        if !last.text.is_empty() {
            break;
        }
        runs.pop();
    }
    while let Some(first) = runs.first_mut() {
        first.text.drain(..first.text.len() - first.text.trim_start_matches(['\n', '\r']).len());
        if !first.text.is_empty() {
            break;
        }
        runs.remove(0);
    }
    runs
}

/// A block that has grown to this many bytes ends with its line. Otherwise a log without blank lines would be one paragraph
/// of many megabytes.
const MAX_BLOCK_BYTES: u32 = 4096;

/// The spans between blank lines. A heading stands alone, what a mail quotes is apart from its own words, and a long
/// paragraph is split.
fn paragraphs(document: &DocumentText, layout: Layout, within: ByteSpan) -> Vec<ByteSpan> {
    let text = within.of(&document.text).unwrap_or_default();
    let mut spans: Vec<ByteSpan> = Vec::new();
    let mut open: Option<ByteSpan> = None;
    let mut is_quoted = false;
    let mut at = within.start;
    for line in text.split_inclusive('\n') {
        let end = at.saturating_add(offset(line.len()));
        let words = line.trim_end_matches(['\n', '\r']);
        let span = ByteSpan::new(at, at.saturating_add(offset(words.len())));
        if layout == Layout::Mail && std::mem::replace(&mut is_quoted, words.starts_with('>')) != is_quoted {
            spans.extend(open.take());
        }
        if words.trim().is_empty() {
            spans.extend(open.take());
        } else if is_heading(words) || is_headed(document, at) {
            spans.extend(open.take());
            spans.push(span);
        } else {
            let whole = open.map_or(span, |open| open.hull(span));
            open = Some(whole).filter(|whole| whole.end - whole.start < MAX_BLOCK_BYTES);
            if open.is_none() {
                spans.push(whole);
            }
        }
        at = end;
    }
    spans.extend(open);
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Mark;
    use crate::viewer::layout::tests::document;

    fn paragraphs(text: &str) -> Vec<ByteSpan> {
        super::paragraphs(&document(Kind::Markdown, text), Layout::Text, ByteSpan::new(0, offset(text.len())))
    }

    #[test]
    fn paragraphs_leave_no_word_out() {
        let text = "# A\nfirst line\nsecond line\n\n\nlast";
        let spans = paragraphs(text);
        let shown: Vec<_> = spans.iter().map(|span| span.of(text).unwrap()).collect();
        assert_eq!(shown, ["# A", "first line\nsecond line", "last"]);
    }

    #[test]
    fn markdown_is_read_without_its_marks_and_marked_in_its_place() {
        let text =
            "# The *kiln*\n\nIt is **never** lit at night. See [the rules](rules.md).\n\n- one\n- two\n";
        let (pieces, spans) = (visible(text, ByteSpan::new(0, offset(text.len()))), paragraphs(text));
        let from = offset(text.find("It is").unwrap());
        let hit = ByteSpan::new(from, from + 29);
        assert_eq!(hit.of(text), Some("It is **never** lit at night."));
        let marks = Marks { windows: vec![spans[1]], sentences: vec![hit], ..Marks::default() };
        let texts = |at: usize| {
            let runs = without_markup(&pieces, spans[at], &marks).unwrap();
            runs.into_iter().map(|run| (run.text, run.mark)).collect::<Vec<_>>()
        };
        assert_eq!(texts(0), [("The kiln".to_owned(), Mark::Plain)]);
        let seen = [("It is never lit at night.", Mark::Sentence), (" See the rules.", Mark::Window)];
        assert_eq!(texts(1), seen.map(|(text, mark)| (text.to_owned(), mark)));
        assert!(texts(2)[0].0.contains("one\n"), "a list keeps its lines: {:?}", texts(2));
        // A block whose marked sentence would be hidden is shown as it stands.
        let text = "Before.\n\n[^1]: ![a picture of it](kiln.png)\n";
        let hidden = ByteSpan::new(15, offset(text.len()) - 1);
        let pieces = visible(text, ByteSpan::new(0, offset(text.len())));
        for hit in [hidden, ByteSpan::new(9, 13)] {
            let marks = Marks::of_sentences(vec![hit]);
            let runs = without_markup(&pieces, paragraphs(text)[1], &marks);
            assert!(runs.is_none_or(|runs| runs.iter().any(|run| run.hit == Some(0))));
        }
    }

    #[test]
    fn a_log_is_no_block_of_many_megabytes() {
        let log = "12:00:01 the pump was started\n".repeat(1000);
        let spans = paragraphs(&log);
        assert!(spans.iter().all(|span| span.end - span.start < MAX_BLOCK_BYTES + 30), "{spans:?}");
        assert!(spans.windows(2).all(|two| two[1].start == two[0].end + 1), "nothing is left out: {spans:?}");
        assert_eq!(spans.last().map(|span| span.end as usize), Some(log.trim_end().len()));
    }

    #[test]
    fn a_mail_has_its_head_its_words_and_what_it_quotes() {
        let text = "From: Ann <a@b.c>\nDate: Fri, 1 Mar 2024\nSubject: The dam\n\nIt holds.\n> Does it\n> > hold?\n\nFrom: me";
        let start = offset(text.find("Does it").unwrap());
        let marks = Marks::of_sentences(vec![ByteSpan::new(start, start + 17)]);
        let shown = blocks(&document(Kind::Eml, text), Layout::Mail, &marks);
        let shown: Vec<_> = shown
            .iter()
            .map(|(_, block)| {
                (block.style, block.runs.iter().map(|run| run.text.as_str()).collect::<String>())
            })
            .collect();
        let expected = [
            (BlockStyle::From, "Ann <a@b.c>"),
            (BlockStyle::Date, "Fri, 1 Mar 2024"),
            (BlockStyle::Subject, "The dam"),
            (BlockStyle::Text, "It holds."),
            (BlockStyle::Quote, "Does it\nhold?"),
            (BlockStyle::Text, "From: me"),
        ];
        assert_eq!(shown, expected.map(|(style, text)| (style, text.to_owned())));
        let quote = &blocks(&document(Kind::Eml, text), Layout::Mail, &marks)[4].1;
        assert!(quote.runs.iter().all(|run| run.mark == Mark::Sentence), "{quote:?}");
    }

    #[test]
    fn headings_and_tables_of_an_office_document_are_shown_as_such() {
        let mut made = document(Kind::Docx, "Terms\n\nItem\tPrice\nPaint\t4\n\nOn\ttime.");
        made.outline.headings = vec![oriel_core::Heading::new(ByteSpan::new(0, 5), 1)];
        let styles: Vec<_> =
            blocks(&made, Layout::Text, &Marks::default()).iter().map(|(_, block)| block.style).collect();
        assert_eq!(styles, [BlockStyle::Heading, BlockStyle::Table, BlockStyle::Text]);
    }
}
