//! The parts of a page, from glyphs to blocks.

use oriel_core::ByteSpan;

/// A mark extends this many ems above the baseline …
pub(super) const ASCENT: f32 = 0.9;
/// … and this many below.
pub(super) const DESCENT: f32 = 0.25;

/// A glyph on its page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// Its characters in [`PageGlyphs::characters`](super::glyphs::PageGlyphs); none for a stroke that lengthens a right-to-left word and for the
    /// rest of a ligature.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The direction of writing in degrees, clockwise from rightwards; `u` and `v` are relative to it.
    pub(super) angle: i16,
    /// Start and end along its line, in points.
    pub(super) u0: f32,
    pub(super) u1: f32,
    /// Its baseline, in points.
    pub(super) v: f32,
    /// Font size in points.
    pub(super) size: f32,
    pub(super) space: bool,
    pub(super) bold: bool,
    pub(super) writing: Writing,
}

/// The direction of a glyph's script; one byte, since a page has many glyphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    LeftToRight,
    RightToLeft,
    /// Upright glyphs, one below the other: the line runs through their middle.
    TopDown,
}

impl Glyph {
    /// A glyph that no font has drawn; it has no characters yet.
    pub(super) fn unwritten(u0: f32, u1: f32, v: f32, size: f32) -> Self {
        let writing = Writing::LeftToRight;
        Self { start: 0, end: 0, angle: 0, u0, u1, v, size, space: false, bold: false, writing }
    }

    pub(super) fn is_rtl(&self) -> bool {
        self.writing == Writing::RightToLeft
    }
}

/// Glyphs on one baseline, in the order of the content stream.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Spaces between other glyphs are included; the first and the last glyph are not spaces.
    pub(super) glyphs: Vec<Glyph>,
    pub(super) angle: i16,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    /// The font size in points of most of its glyphs.
    pub(super) size: f32,
    pub(super) rtl: bool,
    /// Whether it is not part of a paragraph, such as a form field.
    pub(super) alone: bool,
}

/// Segments on one baseline, in any order.
pub(super) type Line = Vec<Segment>;

/// A block before its text is read.
#[derive(Debug)]
pub(super) struct Draft {
    /// From the top down; no line is empty.
    pub(super) lines: Vec<Line>,
    pub(super) angle: i16,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) top: f32,
    pub(super) bottom: f32,
}

/// A line of text, or the cells of a table row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) text: String,
    /// The number of cells in a table row; 1 for a line of text.
    pub(super) cells: u32,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    pub(super) size: f32,
    /// Whether all of it is in bold type.
    pub(super) bold: bool,
    /// The bytes of the bold words at its beginning, if other words follow.
    pub(super) bold_bytes: usize,
    pub(super) rtl: bool,
    /// Whether it is a separate paragraph: a form field or a note.
    pub(super) alone: bool,
    /// The glyphs of the text, if the page is traced.
    pub(super) trace: Option<Box<Trace>>,
}

/// Consecutive rows, down the page.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    pub(super) angle: i16,
    pub(super) u0: f32,
    pub(super) u1: f32,
}

/// The glyphs of a row in the order of its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(pub(super) Vec<Drawn>);

/// A glyph in the text of its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// The byte offset of its characters; they end at the next glyph's offset.
    pub(super) start: usize,
    pub(super) glyph: Glyph,
}

/// A row in the text of its document.
pub(super) struct Written<'a> {
    pub(super) row: &'a Row,
    /// Its bytes.
    pub(super) span: ByteSpan,
    /// Whether it begins a paragraph.
    pub(super) begins: bool,
    /// Its page, from 0.
    pub(super) page: usize,
}
