//! How the viewer lays a document out: its slides, mails, chapters and sections, its sheets and its lines.
//!
//! Rows are sent as one text, with runs for the marked ones only; the page cuts those that are visible into cells
//! (`ui/src/features/viewer/rows.ts`).

use oriel_core::ByteSpan;
use oriel_engine::DocumentText;

use crate::marks::{Marks, offset};
use crate::viewer::view::{Block, Layout, MarkedRow, NumberedRow, ViewPart, ViewRows};

/// The spans of a document's pages; the whole text is one page if the layout shows none.
pub(super) fn pages(document: &DocumentText, layout: Layout) -> Vec<ByteSpan> {
    let end = offset(document.text.len());
    let starts = match layout {
        Layout::Text | Layout::Lines => &[],
        _ => document.pages.0.get(1..).unwrap_or_default(),
    };
    let firsts = std::iter::once(0).chain(starts.iter().copied());
    let lasts = starts.iter().copied().chain([end]);
    firsts.zip(lasts).map(|(first, last)| ByteSpan::new(first, last)).collect()
}

/// The slides, mails or chapters of a document; of a text without pages its sections, which begin at a block or a line.
pub(super) fn parts(document: &DocumentText, layout: Layout, blocks: &[(u32, Block)]) -> Vec<ViewPart> {
    let headings = &document.outline.headings;
    let starts: Vec<u32> = match layout {
        Layout::Lines => {
            let ends = document.text.match_indices('\n').map(|(end, _)| offset(end + 1));
            std::iter::once(0).chain(ends).collect()
        }
        _ => blocks.iter().map(|(start, _)| *start).collect(),
    };
    let title = |span: ByteSpan| span.of(&document.text).unwrap_or_default().to_owned();
    let has_pages = match layout {
        Layout::Sheets => return Vec::new(),
        Layout::Slides | Layout::Mail => true,
        Layout::Book => !document.pages.is_empty(),
        Layout::Text | Layout::Lines => false,
    };
    if has_pages {
        let part = |page: ByteSpan| {
            let first = headings.partition_point(|heading| heading.span.start < page.start);
            let heading = headings.get(first).filter(|heading| heading.span.start < page.end);
            let title = heading.map_or_else(String::new, |heading| title(heading.span));
            ViewPart {
                title: title.strip_prefix("Subject: ").map_or(title.clone(), str::to_owned),
                block: starts.partition_point(|start| *start < page.start),
            }
        };
        return pages(document, layout).into_iter().map(part).collect();
    }
    let part = |span: ByteSpan| ViewPart {
        title: title(span),
        block: starts.partition_point(|start| *start <= span.start).saturating_sub(1),
    };
    headings.iter().filter(|heading| heading.end.is_none()).map(|heading| part(heading.span)).collect()
}

/// The sheets of a spreadsheet, or the lines of code; none for other documents.
pub(super) fn rows(document: &DocumentText, layout: Layout, marks: &Marks) -> Vec<ViewRows> {
    match layout {
        Layout::Sheets => {
            pages(document, layout).into_iter().map(|page| sheet(document, page, marks)).collect()
        }
        Layout::Lines => {
            let all = ByteSpan::new(0, offset(document.text.trim_end().len()));
            vec![lines(document, String::new(), all, marks)]
        }
        _ => Vec::new(),
    }
}

fn sheet(document: &DocumentText, page: ByteSpan, marks: &Marks) -> ViewRows {
    let text = page.of(&document.text).unwrap_or_default();
    let headings = &document.outline.headings;
    let named = headings.binary_search_by_key(&page.start, |heading| heading.span.start).is_ok();
    let (name, cells) = if named { text.split_once('\n').unwrap_or((text, "")) } else { ("", text) };
    let start = page.end - offset(cells.trim_start_matches('\n').len());
    let end = start + offset(cells.trim_matches('\n').len());
    lines(document, name.to_owned(), ByteSpan::new(start, end), marks)
}

fn lines(document: &DocumentText, name: String, span: ByteSpan, marks: &Marks) -> ViewRows {
    let text = span.of(&document.text).unwrap_or_default();
    let mut at = span.start;
    let mut marked = Vec::new();
    let mut numbers = Vec::new();
    for (row, line) in text.split('\n').enumerate() {
        let end = at + offset(line.len());
        if let Ok(known) = document.outline.rows.binary_search_by_key(&at, |row| row.start) {
            numbers.push(NumberedRow { row, number: document.outline.rows[known].number });
        }
        if marks.spans().any(|mark| mark.start < end && at < mark.end) {
            marked.push(MarkedRow { row, runs: marks.runs(line.trim_end_matches('\r'), at) });
        }
        at = end + 1;
    }
    let header = document.outline.tables.iter().any(|table| table.span.start == span.start);
    ViewRows { name, text: text.to_owned(), header, numbers, marked }
}

#[cfg(test)]
pub(crate) mod tests {
    use oriel_core::{DocumentId, HeaderRow, Heading, Kind, Outline, PageMap, RowNumber};
    use oriel_engine::{DocumentRow, DocumentState};

    use super::*;
    use crate::viewer::blocks::blocks;

    /// A document of this text, without structure.
    pub(crate) fn document(kind: Kind, text: &str) -> DocumentText {
        let row = DocumentRow {
            id: DocumentId(1),
            path: "/papers/one".into(),
            within: None,
            locked: false,
            kind,
            state: DocumentState::Indexed,
            sentences: 0,
            pages: 0,
            bytes: 0,
            modified: 0,
            sender: None,
            dated: 0,
        };
        let (pages, outline) = (PageMap::default(), Outline::default());
        DocumentText {
            recognised: None,
            row,
            text: text.to_owned(),
            pages,
            outline,
            sentences: Vec::new(),
            hash: String::new(),
        }
    }

    fn heading(text: &str, words: &str) -> Heading {
        let start = offset(text.find(words).unwrap());
        Heading::new(ByteSpan::new(start, start + offset(words.len())), 1)
    }

    #[test]
    fn a_sheet_has_its_name_its_rows_and_their_marks() {
        let text = "Costs\n\nItem\tPrice\nPaint\t4\nRope\t9\n\nEmpty";
        let mut book = document(Kind::Xlsx, text);
        let at = |words: &str| offset(text.find(words).unwrap());
        book.pages = PageMap(vec![0, at("Empty")]);
        book.outline = Outline {
            headings: vec![heading(text, "Costs"), heading(text, "Empty")],
            tables: vec![HeaderRow { span: ByteSpan::new(at("Item"), at("\nPaint")), end: at("\n\nEmpty") }],
            rows: vec![RowNumber { start: at("Rope"), number: 7 }],
        };
        let hit = ByteSpan::new(at("Rope"), at("\n\nEmpty"));
        let marks = Marks::of_sentences(vec![hit]);
        let [costs, empty] = &rows(&book, Layout::Sheets, &marks)[..] else { panic!("two sheets") };
        assert_eq!((costs.name.as_str(), costs.text.as_str()), ("Costs", "Item\tPrice\nPaint\t4\nRope\t9"));
        assert!(costs.header && !empty.header);
        assert_eq!(costs.numbers, [NumberedRow { row: 2, number: 7 }]);
        let [marked] = &costs.marked[..] else { panic!("one row") };
        assert_eq!((marked.row, marked.runs[0].hit, marked.runs[0].text.as_str()), (2, Some(0), "Rope\t9"));
        assert_eq!((empty.name.as_str(), empty.text.as_str(), empty.marked.len()), ("Empty", "", 0));
    }

    #[test]
    fn code_keeps_its_blank_lines() {
        let code = document(Kind::Code, "one\n\nthree\n");
        let marks = Marks::of_sentences(vec![ByteSpan::new(5, 10)]);
        let [lines] = &rows(&code, Layout::Lines, &marks)[..] else { panic!("one") };
        assert_eq!((lines.text.as_str(), lines.marked[0].row), ("one\n\nthree", 2));
    }

    #[test]
    fn a_slide_without_words_is_a_slide() {
        let text = "First\n\nPoint\n\nLast";
        let mut deck = document(Kind::Pptx, text);
        let last = offset(text.find("Last").unwrap());
        deck.pages = PageMap(vec![0, last, last]);
        deck.outline.headings = vec![heading(text, "First"), heading(text, "Last")];
        let layout = Layout::Slides;
        let parts = parts(&deck, layout, &blocks(&deck, layout, &Marks::default()));
        let parts: Vec<_> = parts.iter().map(|part| (part.title.as_str(), part.block)).collect();
        assert_eq!(parts, [("First", 0), ("", 2), ("Last", 2)]);
    }
}
