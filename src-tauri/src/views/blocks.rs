//! A document's text as the viewer shows it: blocks with their marks, of a Markdown file without its markup.

use oriel_core::ByteSpan;
use oriel_engine::{DocumentText, Piece, visible};

use crate::api::{Block, BlockStyle, Run};
use crate::views::cards::{Marks, add, is_heading, offset, runs};

/// A document's text in blocks, with its marks.
pub(crate) fn blocks(document: &DocumentText, marks: &Marks) -> Vec<Block> {
    let text = &document.text;
    let is_markdown = document.row.kind.is_markdown();
    let pieces = if is_markdown { visible(text, ByteSpan::new(0, offset(text.len()))) } else { Vec::new() };
    let mut blocks = Vec::new();
    let mut is_fenced = false;
    for span in paragraphs(text) {
        let source = span.of(text).unwrap_or_default();
        let fences = source.lines().filter(|line| line.trim_start().starts_with("```")).count();
        let is_code = is_markdown && (is_fenced || fences > 0);
        is_fenced ^= is_markdown && fences % 2 == 1;
        let style = if is_code || source.lines().any(|line| line.starts_with('|') || line.contains('\t')) {
            BlockStyle::Fixed
        } else if is_markdown && source.lines().count() == 1 && is_heading(source) {
            BlockStyle::Heading
        } else {
            BlockStyle::Text
        };
        let read = if is_markdown { without_markup(&pieces, span, marks) } else { None };
        let runs = read.unwrap_or_else(|| runs(source, span.start, marks));
        // A block may consist of nothing but markup.
        if !runs.is_empty() {
            blocks.push(Block { style, runs });
        }
    }
    blocks
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
            add(&mut shown, text.unwrap_or_default(), true, from, marks);
        } else if piece.span.start >= block.start {
            add(&mut shown, &piece.text, false, from, marks);
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

/// The spans between blank lines. A heading stands alone, and a long paragraph is split.
fn paragraphs(text: &str) -> Vec<ByteSpan> {
    let mut spans: Vec<ByteSpan> = Vec::new();
    let mut open: Option<ByteSpan> = None;
    let mut at = 0u32;
    for line in text.split_inclusive('\n') {
        let end = at.saturating_add(offset(line.len()));
        let words = line.trim_end_matches(['\n', '\r']);
        let span = ByteSpan::new(at, at.saturating_add(offset(words.len())));
        if words.trim().is_empty() {
            spans.extend(open.take());
        } else if is_heading(words) {
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
    use crate::api::Mark;

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
            let marks = Marks { sentences: vec![hit], ..Marks::default() };
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
}
