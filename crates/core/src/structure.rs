//! The structure of a document's text: its headings, the header rows of its tables, and what the file says about itself.

use serde::{Deserialize, Serialize};

use crate::ByteSpan;

/// Headings and tables of a text, in reading order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<Heading>,
    /// The tables that have a header row, ascending; they do not overlap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<HeaderRow>,
    /// The numbers of table rows, ascending: of the first row of each table, of rows after empty rows (which are not in
    /// the text), and of some rows between, so that few lines have to be counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowNumber>,
}

/// The number of a row in its table. The rows on the next lines have the next numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowNumber {
    /// Where the row begins, in bytes of the text.
    pub start: u32,
    /// The number, from 1.
    pub number: u32,
}

/// A heading. The title of a slide, the name of a sheet, the subject of a mail and the term of a definition list are
/// headings too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its place in bytes of the text; one line.
    pub span: ByteSpan,
    /// Its depth, from 1.
    pub level: u8,
    /// Where the definition of a term ends, in bytes of the text. `None` for the heading of a section, which ends at
    /// the next heading of its level or above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<u32>,
}

impl Heading {
    /// The level of questions and of words that begin a paragraph as its heading. They tell what a sentence is about
    /// only together with the heading above them.
    pub const RUN_IN: u8 = 250;

    /// The heading of a section.
    #[must_use]
    pub fn new(span: ByteSpan, level: u8) -> Self {
        Self { span, level, end: None }
    }
}

/// The header row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderRow {
    /// Its place in bytes of the text.
    pub span: ByteSpan,
    /// Where the last row of its table ends.
    pub end: u32,
}

impl Outline {
    /// Walks through the headings from the beginning of the text.
    #[must_use]
    pub fn walk(&self) -> OutlineWalk<'_> {
        OutlineWalk { outline: self, next: 0, path: Vec::new() }
    }

    /// The header row of the table that contains the byte at `offset`; `None` in the header row itself and outside of
    /// tables.
    #[must_use]
    pub fn header_at(&self, offset: u32) -> Option<ByteSpan> {
        let after = self.tables.partition_point(|table| table.span.end <= offset);
        self.tables[..after].last().filter(|table| offset < table.end).map(|table| table.span)
    }

    /// The name of the sheet that contains the byte at `offset`, or whose name does. Headings inside a sheet have lower
    /// levels.
    #[must_use]
    pub fn sheet_at(&self, offset: u32) -> Option<ByteSpan> {
        let after = self.headings.partition_point(|heading| heading.span.start <= offset);
        self.headings[..after].iter().rfind(|heading| heading.level == 1).map(|heading| heading.span)
    }

    /// The number of the table row that contains the byte at `offset`; `None` outside of tables. `text` returns the
    /// text at a span, if it is known.
    pub fn row_at<'t>(&self, offset: u32, text: impl Fn(ByteSpan) -> Option<&'t str>) -> Option<u32> {
        let after = self.rows.partition_point(|row| row.start <= offset);
        let known = self.rows[..after].last()?;
        let between = text(ByteSpan::new(known.start, offset))?;
        // A blank line ends a table.
        let is_inside = !between.contains("\n\n");
        let lines = between.bytes().filter(|byte| *byte == b'\n').count();
        known.number.checked_add(u32::try_from(lines).ok()?).filter(|_| is_inside)
    }

    /// Whether every span is inside `text`, on character boundaries, and in order.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        ascend(self.headings.iter().map(|heading| heading.span), text)
            && ascend(self.tables.iter().map(|table| ByteSpan::new(table.span.start, table.end)), text)
            && self.rows.windows(2).all(|pair| pair[0].start < pair[1].start)
            && self.tables.iter().all(|table| table.span.of(text).is_some() && table.span.end <= table.end)
            && self.headings.iter().all(|heading| heading.end.is_none_or(|end| heading.span.end <= end))
    }
}

/// A walk through the headings, so that all sentences of a text find theirs in linear time.
#[derive(Clone, Debug)]
pub struct OutlineWalk<'o> {
    outline: &'o Outline,
    next: usize,
    path: Vec<Heading>,
}

impl OutlineWalk<'_> {
    /// The headings above the byte at `offset`, outermost first. A heading is not above itself. Offsets must not
    /// decrease from call to call.
    pub fn path(&mut self, offset: u32) -> &[Heading] {
        while let Some(heading) = self.outline.headings.get(self.next).filter(|one| one.span.end <= offset) {
            self.path.retain(|above| above.level < heading.level);
            self.path.push(*heading);
            self.next += 1;
        }
        self.path.retain(|above| above.end.is_none_or(|end| offset < end));
        &self.path
    }
}

/// Whether the spans are inside `text`, not empty, ascending, and do not overlap.
fn ascend(mut spans: impl Iterator<Item = ByteSpan>, text: &str) -> bool {
    let mut end = 0;
    spans.all(|span| {
        let fits = span.start >= end && !span.is_empty() && span.of(text).is_some();
        end = span.end;
        fits
    })
}

/// What a file says about itself. All of it is untrusted text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its title; the subject of a mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its author; the sender of a mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The receivers of a mail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<String>,
    /// When it was written or sent, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<i64>,
}

/// Maximum characters of a title or a name.
const MAX_FIELD_CHARACTERS: usize = 300;
/// Maximum number of receivers.
const MAX_RECEIVERS: usize = 50;

impl About {
    /// Cuts long fields.
    pub(crate) fn shorten(&mut self) {
        self.to.truncate(MAX_RECEIVERS);
        let fields = self.title.iter_mut().chain(&mut self.author).chain(&mut self.to);
        for field in fields.filter(|field| field.len() > MAX_FIELD_CHARACTERS) {
            *field = field.chars().take(MAX_FIELD_CHARACTERS).collect();
        }
    }

    /// Whether the file says nothing about itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        let heading = |start, end, level| Heading::new(ByteSpan::new(start, end), level);
        Outline {
            headings: vec![heading(0, 5, 1), heading(10, 15, 2), heading(20, 25, 2), heading(30, 35, 1)],
            tables: vec![HeaderRow { span: ByteSpan::new(16, 18), end: 20 }],
            rows: vec![RowNumber { start: 18, number: 5 }, RowNumber { start: 19, number: 9 }],
        }
    }

    #[test]
    fn headings_are_found_from_the_outermost_to_the_innermost() {
        let path =
            |offset| outline().walk().path(offset).iter().map(|one| one.span.start).collect::<Vec<_>>();
        assert_eq!(path(0), [0; 0], "a heading is not above itself");
        assert_eq!(path(7), [0]);
        assert_eq!(path(16), [0, 10]);
        assert_eq!(path(26), [0, 20]);
        assert_eq!(path(40), [30]);
    }

    #[test]
    fn a_term_is_above_its_definition_alone() {
        let mut outline = outline();
        outline.headings[2] = Heading { level: 7, end: Some(28), ..outline.headings[2] };
        let path = |offset| outline.walk().path(offset).iter().map(|one| one.span.start).collect::<Vec<_>>();
        assert_eq!(path(26), [0, 10, 20]);
        assert_eq!(path(28), [0, 10], "the section goes on");
        assert!(outline.fits(&"x".repeat(35)));
        outline.headings[2].end = Some(24);
        assert!(!outline.fits(&"x".repeat(35)));
    }

    #[test]
    fn a_row_has_the_header_of_its_table() {
        let header = |offset| outline().header_at(offset);
        assert_eq!((header(16), header(18), header(20)), (None, Some(ByteSpan::new(16, 18)), None));
    }

    #[test]
    fn long_fields_are_cut() {
        let long = || "ä".repeat(1000);
        let mut about = About { title: Some(long()), to: vec![long(); 100], ..About::default() };
        about.shorten();
        assert_eq!((about.title.unwrap().chars().count(), about.to.len()), (300, 50));
        assert!(about.to.iter().all(|one| one.chars().count() == 300));
    }

    #[test]
    fn spans_outside_of_the_text_or_out_of_order_do_not_fit() {
        let text = "x".repeat(35);
        assert!(outline().fits(&text));
        assert!(!outline().fits(&text[..34]));
        let mut swapped = outline();
        swapped.headings.swap(0, 1);
        assert!(!swapped.fits(&text));
        let mut swapped = outline();
        swapped.rows.swap(0, 1);
        assert!(!swapped.fits(&text));
    }
}
