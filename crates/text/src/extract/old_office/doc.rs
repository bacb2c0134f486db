//! Word before 2007 (MS-DOC): the pieces of its text, as paragraphs, tables, notes, comments and text boxes.
//!
//! Also Word 6 and 95. The file information block (FIB) of these versions has the same parts at other offsets.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use encoding_rs::{Encoding, MACINTOSH, UTF_16LE, WINDOWS_1252};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use super::super::compound::Compound;
use super::super::flow::Flows;
use super::super::package::needs_password;
use super::super::writer::Writer;
use super::super::{Limits, damaged, docx, rtf};
use super::properties::{Formats, Properties, levels};
use super::{Plc, place_at, u16_at, u32_at};

/// Maximum nesting of tables; deeper ones count as this deep.
const MAX_DEPTH: u32 = 32;

/// The indices of parts in the FIB.
const STYLES: usize = 1;
const HEADERS: usize = 11;
const CHARACTER_PAGES: usize = 12;
const PARAGRAPH_PAGES: usize = 13;
const PIECES: usize = 33;
const ANCHORS: usize = 40;
const BOXES: usize = 56;
const HEADER_BOXES: usize = 58;

/// The indices of stories, which follow one another in the text.
const MAIN: usize = 0;
const FOOTNOTES: usize = 1;
const HEADER: usize = 2;
const COMMENTS: usize = 4;
const ENDNOTES: usize = 5;
const BOX: usize = 6;
const HEADER_BOX: usize = 7;

/// The first entries are separators of footnotes; then come the headers of each section.
const SEPARATORS: usize = 6;

/// Reads a document: its body with its text boxes, then footnotes, endnotes, comments, headers and footers.
pub(in super::super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let senseless = || damaged(Kind::Doc, Damage::Senseless);
    let mut file = Compound::open(Kind::Doc, bytes, limits)?;
    let word = file.main("WordDocument")?;
    let fib = Fib::read(&word).ok_or_else(senseless)?;
    if fib.is_encrypted {
        return Err(needs_password());
    }
    let stream = fib.table.map(|name| file.main(name)).transpose()?;
    let table = stream.as_ref().unwrap_or(&word);
    let data = file.stream("Data")?.unwrap_or_default();
    let (pieces, changes) = fib.pieces(&word, table).ok_or_else(senseless)?;
    let formats = Formats {
        word: &word,
        data: &data,
        is_old: fib.is_old,
        paragraphs: Plc::new(fib.part(&word, table, PARAGRAPH_PAGES), if fib.is_old { 2 } else { 4 }),
        characters: Plc::new(fib.part(&word, table, CHARACTER_PAGES), if fib.is_old { 2 } else { 4 }),
        changes,
        levels: levels(fib.part(&word, table, STYLES), fib.is_old),
    };
    let boxes = |part, story| {
        let texts = Plc::new(fib.part(&word, table, part), if fib.is_old { 0 } else { 22 });
        boxes_by_shape(texts, fib.story(story))
    };
    let mut reading = Reading {
        formats,
        pieces,
        anchors: Plc::new(fib.part(&word, table, ANCHORS), if fib.is_old { 6 } else { 26 }),
        boxes: boxes(BOXES, BOX),
        encoding: fib.encoding,
        limit: limits.text_bytes,
        left: word.len().saturating_mul(2),
        flows: Flows::new(limits.text_bytes),
        paragraph: String::new(),
        anchored: Vec::new(),
        tables: Vec::new(),
        fields: Vec::new(),
        instructions: 0,
    };
    let mut writer = reading.story(fib.story(MAIN));
    // Text boxes without a shape in the text belong to a group of shapes.
    let grouped = in_order(std::mem::take(&mut reading.boxes));
    for story in grouped.into_iter().chain([FOOTNOTES, ENDNOTES, COMMENTS].map(|story| fib.story(story))) {
        writer.append(reading.story(story));
    }
    // Most sections repeat the headers of the section before.
    let list = Plc::new(fib.part(&word, table, HEADERS), 0);
    let headers = (SEPARATORS..list.len()).map(|index| within(list, index, &fib.story(HEADER)));
    let mut seen = HashSet::new();
    for story in headers.chain(in_order(boxes(HEADER_BOXES, HEADER_BOX))) {
        let header = reading.story(story);
        let is_page_number = header.text().len() < 8 && !header.text().contains(char::is_alphabetic);
        if !is_page_number && seen.insert(header.text().to_owned()) {
            writer.append(header);
        }
    }
    if reading.left == 0 { Err(senseless()) } else { writer.finish(Kind::Doc) }
}

/// The part of a story between two positions in it.
fn within(positions: Plc<'_>, index: usize, story: &Range<usize>) -> Range<usize> {
    let place = |index| Some(positions.position(index)?.saturating_add(story.start).min(story.end));
    place(index).unwrap_or(story.end)..place(index + 1).unwrap_or(story.end)
}

/// The texts of text boxes, by the ids of their shapes.
fn boxes_by_shape(boxes: Plc<'_>, story: Range<usize>) -> HashMap<u32, Range<usize>> {
    let texts = (0..boxes.len()).filter_map(|index| {
        let element = boxes.element(index)?;
        let is_used = u16_at(element, 8)? == 0;
        Some((u32_at(element, 14)?, within(boxes, index, &story))).filter(|_| is_used)
    });
    let found: HashMap<_, _> = texts.collect();
    // Without the list, all of them are one text.
    if found.is_empty() { HashMap::from([(0, story)]) } else { found }
}

fn in_order(boxes: HashMap<u32, Range<usize>>) -> Vec<Range<usize>> {
    let mut texts: Vec<_> = boxes.into_values().collect();
    texts.sort_by_key(|text| text.start);
    texts
}

/// The file information block: the offsets of all parts.
struct Fib {
    is_old: bool,
    is_encrypted: bool,
    /// The stream of the parts, if they have a separate one.
    table: Option<&'static str>,
    /// The offset of the list of parts; each entry has an offset and a size.
    parts: usize,
    /// The number of characters in each story.
    counts: Vec<usize>,
    /// The encoding of one-byte characters.
    encoding: &'static Encoding,
    /// The offset of a text that is in one piece, and the bytes of each character.
    text: (usize, usize),
}

impl Fib {
    /// Reads the block at the start of the stream `WordDocument`; `None` if it is not from Word 6 or later.
    fn read(word: &[u8]) -> Option<Self> {
        let flags = u16_at(word, 0x0A)?;
        let is_old = match u16_at(word, 0)? {
            0xA5EC => false,
            0xA5DC | 0xA697..=0xA699 => true,
            _ => return None,
        };
        let (counts, parts) = if is_old {
            (0x34, 0x58)
        } else {
            // Two arrays, of 16-bit and 32-bit numbers, each after its length.
            let numbers = 0x22 + 2 * usize::from(u16_at(word, 0x20)?) + 2;
            (numbers + 0x0C, numbers + 4 * usize::from(u16_at(word, numbers - 2)?) + 2)
        };
        let is_macintosh = is_old && u16_at(word, 0x14)? == 0x100;
        Some(Self {
            is_old,
            is_encrypted: flags & 0x100 != 0,
            table: (!is_old).then_some(if flags & 0x200 == 0 { "0Table" } else { "1Table" }),
            parts,
            counts: (0..8).map(|story| place_at(word, counts + 4 * story)).collect::<Option<_>>()?,
            encoding: match u16_at(word, 6)? {
                _ if is_macintosh => MACINTOSH,
                language if is_old => encoding_of(language),
                _ => WINDOWS_1252,
            },
            text: (place_at(word, 0x18)?, if flags & 0x1000 == 0 { 1 } else { 2 }),
        })
    }

    /// The bytes of a part, which may be empty.
    fn part<'t>(&self, word: &[u8], table: &'t [u8], number: usize) -> &'t [u8] {
        let place = |at| place_at(word, self.parts + 8 * number + at);
        let range = place(0).zip(place(4)).and_then(|(at, size)| Some(at..at.checked_add(size)?));
        range.and_then(|range| table.get(range)).unwrap_or_default()
    }

    /// The character positions of a story.
    fn story(&self, story: usize) -> Range<usize> {
        let start = self.counts[..story].iter().fold(0_usize, |sum, count| sum.saturating_add(*count));
        start..start.saturating_add(self.counts[story])
    }

    /// The pieces of the text, and the lists of changes that they refer to; `None` if they are damaged.
    fn pieces<'t>(&self, word: &[u8], table: &'t [u8]) -> Option<(Vec<Piece>, Vec<&'t [u8]>)> {
        let mut changes = Vec::new();
        let mut clx = self.part(word, table, PIECES);
        if clx.is_empty() && self.is_old {
            let (place, width) = self.text;
            return Some((
                vec![Piece { start: 0, place, width, change: 0, end: self.story(HEADER_BOX).end }],
                changes,
            ));
        }
        while let [1, ..] = clx {
            let end = 3 + usize::from(u16_at(clx, 1)?);
            changes.push(clx.get(3..end)?);
            clx = &clx[end..];
        }
        let size = place_at(clx, 1).filter(|_| clx[0] == 2)?;
        let list = Plc::new(clx.get(5..size.checked_add(5)?)?, 8);
        let pieces = (0..list.len()).map(|index| {
            let element = list.element(index)?;
            let place = u32_at(element, 2)?;
            // A bit means that each character is one byte; the offset is then doubled.
            let is_narrow = !self.is_old && place & 0x4000_0000 != 0;
            let place = usize::try_from(place & 0x3FFF_FFFF).ok()?;
            let wide = if self.is_old { self.text.1 } else { 2 };
            let (place, width) = if is_narrow { (place / 2, 1) } else { (place, wide) };
            let (start, end) = (list.position(index)?, list.position(index + 1)?);
            let is_sound = start <= end && place <= word.len();
            Some(Piece { start, end, place, width, change: u16_at(element, 6)? }).filter(|_| is_sound)
        });
        Some((pieces.collect::<Option<_>>()?, changes))
    }
}

/// The encoding of Word 6 and 95 for a language.
fn encoding_of(language: u16) -> &'static Encoding {
    let page = match language & 0x3FF {
        0x01 | 0x20 | 0x29 => 1256,
        0x02 | 0x19 | 0x22 | 0x23 | 0x2F => 1251,
        0x04 if language == 0x0404 => 950,
        0x04 => 936,
        0x05 | 0x0E | 0x15 | 0x18 | 0x1A | 0x1B | 0x1C | 0x24 => 1250,
        0x08 => 1253,
        0x0D => 1255,
        0x11 => 932,
        0x12 => 949,
        0x1E => 874,
        0x1F => 1254,
        0x25..=0x27 => 1257,
        0x2A => 1258,
        _ => 1252,
    };
    rtf::code_page(page).unwrap_or(WINDOWS_1252)
}

/// Characters that are contiguous in the stream `WordDocument`.
#[derive(Clone)]
struct Piece {
    /// The positions of its characters in the text.
    start: usize,
    end: usize,
    /// Its offset, and the bytes of each character.
    place: usize,
    width: usize,
    /// The change of formatting for all its characters.
    change: u16,
}

struct Reading<'a> {
    formats: Formats<'a>,
    pieces: Vec<Piece>,
    /// The shapes in the text.
    anchors: Plc<'a>,
    /// Texts of text boxes that were not read yet, by the ids of their shapes.
    boxes: HashMap<u32, Range<usize>>,
    encoding: &'static Encoding,
    limit: usize,
    /// Characters and pieces that may still be read. A piece may be referenced often, but is read only once.
    left: usize,
    flows: Flows,
    /// The text of the current paragraph.
    paragraph: String,
    /// The text boxes in the current paragraph.
    anchored: Vec<Range<usize>>,
    /// The open tables, outermost first, each with whether it has an open cell.
    tables: Vec<bool>,
    /// The open fields, each with whether its instruction is being read.
    fields: Vec<bool>,
    instructions: usize,
}

impl Reading<'_> {
    /// Reads a story as a separate text.
    fn story(&mut self, story: Range<usize>) -> Writer {
        self.flows = Flows::new(self.limit);
        self.text(story);
        std::mem::replace(&mut self.flows, Flows::new(0)).finish()
    }

    fn text(&mut self, characters: Range<usize>) {
        let first = self.pieces.partition_point(|piece| piece.end <= characters.start);
        for index in first..self.pieces.len() {
            let piece = self.pieces[index].clone();
            let (start, end) = (piece.start.max(characters.start), piece.end.min(characters.end));
            self.left = self.left.saturating_sub(1);
            if start < end {
                self.piece(&piece, start..end);
            }
            if piece.end >= characters.end || self.left == 0 || self.flows.is_full() {
                break;
            }
        }
        self.end_paragraph(&Properties::default(), false);
        (self.fields, self.instructions) = (Vec::new(), 0);
    }

    /// Reads characters of a piece.
    fn piece(&mut self, piece: &Piece, characters: Range<usize>) {
        let word = self.formats.word;
        let place =
            |character: usize| (character - piece.start).checked_mul(piece.width)?.checked_add(piece.place);
        let Some((mut at, end)) = place(characters.start).zip(place(characters.end)) else { return };
        let end = end.min(word.len());
        while at < end && self.left > 0 && !self.flows.is_full() {
            let (run_end, properties) = self.formats.characters(at, piece.change);
            let units = (run_end.min(end).saturating_sub(at) / piece.width).max(1);
            let Some(run) = word.get(at..at + units * piece.width) else { return };
            self.left = self.left.saturating_sub(units);
            self.run(piece, at, run, &properties);
            at += run.len();
        }
    }

    /// Reads characters with the same properties.
    fn run(&mut self, piece: &Piece, place: usize, run: &[u8], properties: &Properties) {
        let mut written = 0;
        for (index, unit) in run.chunks_exact(piece.width).enumerate() {
            let (0x00..=0x1F, [] | [0]) = (unit[0], &unit[1..]) else { continue };
            let at = index * piece.width;
            self.characters(piece, &run[written..at], properties);
            written = at + piece.width;
            self.control(unit[0], piece, place + at, properties);
        }
        self.characters(piece, &run[written..], properties);
    }

    fn characters(&mut self, piece: &Piece, characters: &[u8], properties: &Properties) {
        if properties.is_hidden() || self.instructions > 0 || characters.is_empty() {
            return;
        }
        if let Some(symbol) = properties.symbol {
            self.paragraph.extend(docx::symbol(symbol.into()));
            return;
        }
        let encoding = if piece.width == 1 { self.encoding } else { UTF_16LE };
        self.paragraph.push_str(&encoding.decode_without_bom_handling(characters).0);
    }

    fn control(&mut self, control: u8, piece: &Piece, place: usize, properties: &Properties) {
        match control {
            0x07 | 0x0C | b'\r' => {
                let is_cell = control == 0x07;
                let paragraph = self.formats.paragraph(place, piece.change).unwrap_or_else(|| {
                    // If there are no properties, a cell that ends at once ends the row.
                    let is_empty = self.paragraph.is_empty() && self.tables.last() == Some(&false);
                    Properties::unknown(is_cell && is_empty)
                });
                self.end_paragraph(&paragraph, is_cell);
            }
            0x13 => {
                self.fields.push(true);
                self.instructions += 1;
            }
            0x14 => {
                if let Some(is_instruction) = self.fields.last_mut().filter(|open| **open) {
                    *is_instruction = false;
                    self.instructions -= 1;
                }
            }
            0x15 => self.instructions -= usize::from(self.fields.pop() == Some(true)),
            // A shape. Its text box is read here, or never if it is deleted.
            0x08 => {
                let character = piece.start + (place - piece.place) / piece.width;
                let is_here = |index: &usize| self.anchors.position(*index) == Some(character);
                let anchor = self.anchors.find(character).filter(is_here);
                let shape = anchor.and_then(|index| u32_at(self.anchors.element(index)?, 0));
                let text = shape.and_then(|shape| self.boxes.remove(&shape));
                self.anchored.extend(text.filter(|_| !properties.is_hidden()));
            }
            _ if properties.is_hidden() || self.instructions > 0 => {}
            b'\t' => self.paragraph.push('\t'),
            0x0B | 0x0E => self.paragraph.push('\n'),
            0x1E => self.paragraph.push('-'),
            _ => {}
        }
    }

    /// Ends a paragraph. Its properties tell the depth of its table, its mark tells whether it ends a cell.
    fn end_paragraph(&mut self, paragraph: &Properties, is_cell: bool) {
        let depth = paragraph.depth().clamp(is_cell.into(), MAX_DEPTH) as usize;
        if paragraph.is_row_end {
            self.close_tables(depth);
            if let Some(has_cell) = self.tables.last_mut() {
                if std::mem::take(has_cell) {
                    self.flows.close_cell();
                }
                if paragraph.is_header {
                    self.flows.set_header();
                }
                self.flows.close_row();
            }
            return;
        }
        if paragraph.joins_next {
            return;
        }
        self.close_tables(depth);
        while self.tables.len() < depth || self.tables.last() == Some(&false) {
            match self.tables.last_mut().filter(|has_cell| !**has_cell) {
                Some(has_cell) => {
                    self.flows.open();
                    *has_cell = true;
                }
                None => {
                    self.flows.open_table();
                    self.tables.push(false);
                }
            }
        }
        if let Some(level) = self.formats.level(paragraph) {
            self.flows.set_heading(level);
        }
        self.flows.write(&std::mem::take(&mut self.paragraph));
        for text in std::mem::take(&mut self.anchored) {
            let tables = std::mem::take(&mut self.tables);
            let fields = std::mem::take(&mut self.fields);
            let instructions = std::mem::take(&mut self.instructions);
            self.flows.open();
            self.text(text);
            self.flows.close_box();
            (self.tables, self.fields, self.instructions) = (tables, fields, instructions);
        }
        self.flows.end_paragraph();
        if let Some(has_cell) = self.tables.last_mut().filter(|_| is_cell || paragraph.is_cell_end) {
            *has_cell = false;
            self.flows.close_cell();
        }
    }

    /// Closes the tables deeper than `depth`.
    fn close_tables(&mut self, depth: usize) {
        while self.tables.len() > depth {
            if self.tables.pop() == Some(true) {
                self.flows.close_cell();
            }
            self.flows.close_row();
            self.flows.close_table();
        }
    }
}

#[cfg(test)]
mod tests;
