//! PowerPoint before 2007 (MS-PPT): each slide is a page, with its title as heading, then its notes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use encoding_rs::{UTF_16LE, WINDOWS_1252};
use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use super::super::compound::Compound;
use super::super::flow::Flows;
use super::super::package::needs_password;
use super::super::{Limits, damaged};
use super::{place_at, u16_at, u32_at};

/// Maximum nesting of groups of shapes.
const MAX_DEPTH: usize = 64;
/// The size of a record's header: version and instance, type, size.
const HEAD_BYTES: usize = 8;
/// The token of an encrypted presentation in the stream `Current User`.
const ENCRYPTED: u32 = 0xF3D1_C4DF;

/// Types of records.
mod kind {
    pub(super) const DOCUMENT: u16 = 0x03E8;
    pub(super) const SLIDE: u16 = 0x03EE;
    pub(super) const SLIDE_ATOM: u16 = 0x03EF;
    pub(super) const NOTES: u16 = 0x03F0;
    pub(super) const SLIDE_PERSIST_ATOM: u16 = 0x03F3;
    pub(super) const DRAWING: u16 = 0x040C;
    pub(super) const PLACEHOLDER_ATOM: u16 = 0x0BC3;
    pub(super) const OUTLINE_TEXT_REF_ATOM: u16 = 0x0F9E;
    pub(super) const TEXT_HEADER_ATOM: u16 = 0x0F9F;
    pub(super) const TEXT_CHARS_ATOM: u16 = 0x0FA0;
    pub(super) const TEXT_BYTES_ATOM: u16 = 0x0FA8;
    pub(super) const SLIDE_NUMBER_META_CHAR_ATOM: u16 = 0x0FD8;
    pub(super) const SLIDE_LIST_WITH_TEXT: u16 = 0x0FF0;
    pub(super) const USER_EDIT_ATOM: u16 = 0x0FF5;
    pub(super) const DATE_TIME_META_CHAR_ATOM: u16 = 0x0FF7;
    pub(super) const FOOTER_META_CHAR_ATOM: u16 = 0x0FFA;
    pub(super) const RTF_DATE_TIME_META_CHAR_ATOM: u16 = 0x1015;
    pub(super) const PERSIST_DIRECTORY_ATOM: u16 = 0x1772;
    pub(super) const ART_DRAWING: u16 = 0xF002;
    pub(super) const ART_GROUP: u16 = 0xF003;
    pub(super) const ART_SHAPE: u16 = 0xF004;
    pub(super) const ART_PROPERTIES: u16 = 0xF00B;
    pub(super) const ART_TEXT: u16 = 0xF00D;
    pub(super) const ART_CHILD_ANCHOR: u16 = 0xF00F;
    pub(super) const ART_CLIENT_DATA: u16 = 0xF011;
    pub(super) const ART_MORE_PROPERTIES: u16 = 0xF122;
}

/// Properties of shapes: the text of WordArt, and the flag that a group is a table.
const ART_WORDS: u16 = 0x00C0;
const ART_IS_TABLE: u16 = 0x039F;

/// Reads the slides in the order of the presentation.
pub(in super::super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let senseless = || damaged(Kind::Ppt, Damage::Senseless);
    let mut file = Compound::open(Kind::Ppt, bytes, limits)?;
    // A file for both PowerPoint 95 and 97 contains two presentations.
    let is_dual = file.file.is_stream("PP97_DUALSTORAGE/PowerPoint Document");
    let storage = if is_dual { "PP97_DUALSTORAGE/" } else { "" };
    let stream = file.main(&format!("{storage}PowerPoint Document"))?;
    let user = file.stream(&format!("{storage}Current User"))?.unwrap_or_default();
    let mut deck = Deck {
        stream: &stream,
        places: HashMap::new(),
        left: stream.len().saturating_mul(4),
        flows: Flows::new(limits.text_bytes),
        is_notes: false,
        shown: HashSet::new(),
    };
    let edit = deck.last_edit(&user).ok_or_else(senseless)?;
    // The last edit of an encrypted file has one more field.
    if u32_at(&user, 12) == Some(ENCRYPTED) || edit.body.len() >= 32 {
        return Err(needs_password());
    }
    let document = deck.document(edit).ok_or_else(senseless)?;
    deck.slides(document);
    if deck.left == 0 { Err(senseless()) } else { deck.flows.finish().finish(Kind::Ppt) }
}

#[derive(Clone, Copy)]
struct Record<'a> {
    instance: u16,
    kind: u16,
    body: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record at the start of `bytes`, and the bytes after it.
    fn first(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (body, rest) = bytes.get(HEAD_BYTES..)?.split_at_checked(place_at(bytes, 4)?)?;
        Some((Self { instance: u16_at(bytes, 0)? >> 4, kind: u16_at(bytes, 2)?, body }, rest))
    }
}

/// A text with the paragraphs of the file.
struct Text {
    is_title: bool,
    text: String,
}

/// The main stream of a presentation.
struct Deck<'a> {
    stream: &'a [u8],
    /// The offsets of its objects, by their ids.
    places: HashMap<u32, usize>,
    /// The work that may still be done. A record may be referenced often, but is read only a few times.
    left: usize,
    flows: Flows,
    /// Whether the notes are being read, which have no headings.
    is_notes: bool,
    /// The texts of the current slide: some programs write the outline but do not refer to it.
    shown: HashSet<String>,
}

impl<'a> Deck<'a> {
    /// The last edit that saved the file.
    fn last_edit(&mut self, user: &[u8]) -> Option<Record<'a>> {
        let named = place_at(user, 16).and_then(|at| self.record(at, kind::USER_EDIT_ATOM));
        let all = self.records(self.stream);
        named.or_else(|| all.into_iter().rfind(|record| record.kind == kind::USER_EDIT_ATOM))
    }

    /// Finds the newest version of each object; returns the records of the document.
    fn document(&mut self, last: Record<'a>) -> Option<Vec<Record<'a>>> {
        let number = u32_at(last.body, 16)?;
        let (mut edit, mut before) = (last, usize::MAX);
        loop {
            let directory = self.record(place_at(edit.body, 12)?, kind::PERSIST_DIRECTORY_ATOM)?;
            self.directory(directory.body);
            // An edit refers to the edit before it.
            let at = place_at(edit.body, 8)?;
            if at == 0 || at >= before || self.left == 0 {
                break;
            }
            before = at;
            edit = self.record(at, kind::USER_EDIT_ATOM)?;
        }
        self.object(number, kind::DOCUMENT)
    }

    fn directory(&mut self, mut entries: &[u8]) {
        while let Some(head) = u32_at(entries, 0) {
            let (first, count) = (head & 0xF_FFFF, head >> 20);
            for (index, number) in (first..first + count).enumerate() {
                let Some(place) = place_at(entries, 4 * (index + 1)) else { return };
                self.places.entry(number).or_insert(place);
                self.left = self.left.saturating_sub(1);
            }
            entries = &entries[4 * (count as usize + 1)..];
        }
    }

    /// The record of type `kind` at an offset.
    fn record(&self, at: usize, kind: u16) -> Option<Record<'a>> {
        Record::first(self.stream.get(at..)?).map(|(record, _)| record).filter(|record| record.kind == kind)
    }

    /// The records in an object of type `kind`.
    fn object(&mut self, number: u32, kind: u16) -> Option<Vec<Record<'a>>> {
        let record = self.record(*self.places.get(&number)?, kind)?;
        Some(self.records(record.body))
    }

    /// The records in the body of another record.
    fn records(&mut self, mut bytes: &'a [u8]) -> Vec<Record<'a>> {
        let mut records = Vec::new();
        while let Some((record, rest)) = Record::first(bytes).filter(|_| self.left > 0) {
            let work = match record.kind {
                kind::TEXT_CHARS_ATOM | kind::TEXT_BYTES_ATOM => record.body.len(),
                kind::ART_PROPERTIES | kind::ART_MORE_PROPERTIES => record.body.len(),
                _ => 1,
            };
            self.left = self.left.saturating_sub(work.max(1));
            records.push(record);
            bytes = rest;
        }
        records
    }

    fn slides(&mut self, document: Vec<Record<'a>>) {
        let mut lists: [Vec<Record<'a>>; 3] = Default::default();
        for record in document.into_iter().filter(|record| record.kind == kind::SLIDE_LIST_WITH_TEXT) {
            if let Some(list) = lists.get_mut(usize::from(record.instance)) {
                list.extend(self.records(record.body));
            }
        }
        let [slides, _, notes] = lists;
        let notes = notes.into_iter().filter(|record| record.kind == kind::SLIDE_PERSIST_ATOM);
        let notes: HashMap<u32, u32> =
            notes.filter_map(|record| Some((u32_at(record.body, 12)?, u32_at(record.body, 0)?))).collect();
        for slide in slides.chunk_by(|_, next| next.kind != kind::SLIDE_PERSIST_ATOM) {
            if self.flows.is_full() {
                break;
            }
            if let [head, outline @ ..] = slide
                && head.kind == kind::SLIDE_PERSIST_ATOM
            {
                self.slide(u32_at(head.body, 0), texts(outline), &notes);
            }
        }
    }

    /// Reads a slide with its texts from the outline, then its notes, which have their own ids.
    fn slide(&mut self, number: Option<u32>, outline: Vec<Text>, notes: &HashMap<u32, u32>) {
        self.flows.page();
        let slide = number.and_then(|number| self.object(number, kind::SLIDE)).unwrap_or_default();
        let atom = slide.iter().find(|record| record.kind == kind::SLIDE_ATOM);
        let notes = atom.and_then(|atom| notes.get(&u32_at(atom.body, 16)?));
        let mut outline: Vec<_> = outline.into_iter().map(Some).collect();
        self.shown.clear();
        self.shapes(slide, 0, &mut outline);
        let shown = std::mem::take(&mut self.shown);
        let hidden = outline.into_iter().flatten().filter(|text| !shown.contains(&text.text));
        hidden.for_each(|text| self.write(&text));
        let notes = notes.and_then(|number| self.object(*number, kind::NOTES)).unwrap_or_default();
        self.is_notes = true;
        self.shapes(notes, 0, &mut []);
        self.is_notes = false;
    }

    /// Reads shapes; a shape may show a text of the outline.
    fn shapes(&mut self, shapes: Vec<Record<'a>>, depth: usize, outline: &mut [Option<Text>]) {
        // The first shape of a group represents the group itself.
        if let Some(group) = shapes.first().filter(|shape| shape.kind == kind::ART_SHAPE)
            && self.records(group.body).iter().any(is_table)
        {
            return self.table(&shapes, outline);
        }
        for shape in shapes {
            match shape.kind {
                kind::DRAWING | kind::ART_DRAWING | kind::ART_GROUP if depth < MAX_DEPTH => {
                    let shapes = self.records(shape.body);
                    self.shapes(shapes, depth + 1, outline);
                }
                kind::ART_SHAPE => {
                    let parts = self.records(shape.body);
                    self.shape(&parts, outline).iter().for_each(|text| self.write(text));
                }
                _ => {}
            }
        }
    }

    fn shape(&mut self, parts: &[Record<'a>], outline: &mut [Option<Text>]) -> Vec<Text> {
        let mut found = Vec::new();
        for part in parts {
            match part.kind {
                kind::ART_CLIENT_DATA => {
                    let data = self.records(part.body);
                    let atom = data.iter().find(|record| record.kind == kind::PLACEHOLDER_ATOM);
                    // Placeholders of all slides: date, number, footer, header.
                    if atom.is_some_and(|atom| matches!(atom.body.get(4), Some(7..=10))) {
                        return Vec::new();
                    }
                }
                kind::ART_TEXT => {
                    let parts = self.records(part.body);
                    let shown = parts.iter().filter(|part| part.kind == kind::OUTLINE_TEXT_REF_ATOM);
                    let shown = shown.filter_map(|shown| outline.get_mut(place_at(shown.body, 0)?)?.take());
                    found.extend(shown);
                    found.extend(texts(&parts));
                }
                kind::ART_PROPERTIES => {
                    if let Some((_, words)) = property(part, ART_WORDS) {
                        let text = UTF_16LE.decode_without_bom_handling(words).0;
                        found.push(Text { is_title: false, text: text.trim_end_matches('\0').to_owned() });
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Reads a group of shapes as a table, whose cells are found by the shapes' positions.
    fn table(&mut self, shapes: &[Record<'a>], outline: &mut [Option<Text>]) {
        let mut rows: BTreeMap<i32, BTreeMap<i32, Vec<Text>>> = BTreeMap::new();
        for shape in shapes.iter().filter(|shape| shape.kind == kind::ART_SHAPE) {
            let parts = self.records(shape.body);
            let anchor = parts.iter().find(|part| part.kind == kind::ART_CHILD_ANCHOR);
            let edges = anchor.and_then(|anchor| Some((u32_at(anchor.body, 4)?, u32_at(anchor.body, 0)?)));
            let Some((top, left)) = edges else { continue };
            let row = rows.entry(top.cast_signed()).or_default();
            row.entry(left.cast_signed()).or_default().extend(self.shape(&parts, outline));
        }
        let columns: BTreeSet<i32> = rows.values().flat_map(BTreeMap::keys).copied().collect();
        self.flows.open_table();
        for row in rows.values() {
            self.left = self.left.saturating_sub(columns.len());
            if self.left == 0 {
                break;
            }
            for column in &columns {
                self.flows.open();
                row.get(column).into_iter().flatten().for_each(|text| self.write(text));
                self.flows.close_cell();
            }
            self.flows.close_row();
        }
        self.flows.close_table();
    }

    fn write(&mut self, text: &Text) {
        for paragraph in text.text.split('\r') {
            if text.is_title && !self.is_notes {
                self.flows.set_heading(1);
            }
            self.flows.write(paragraph);
            self.flows.end_paragraph();
        }
        self.shown.insert(text.text.clone());
    }
}

/// The texts among records; each begins with a record of its type.
fn texts(records: &[Record<'_>]) -> Vec<Text> {
    let mut texts: Vec<(bool, Vec<u16>)> = Vec::new();
    for record in records {
        match (record.kind, texts.last_mut()) {
            (kind::TEXT_HEADER_ATOM, _) => {
                // The title of a slide, or of a title slide.
                texts.push((matches!(u32_at(record.body, 0), Some(0 | 6)), Vec::new()));
            }
            (kind::TEXT_CHARS_ATOM, Some((_, text))) => {
                *text = record.body.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect();
            }
            (kind::TEXT_BYTES_ATOM, Some((_, text))) => {
                *text = WINDOWS_1252.decode_without_bom_handling(record.body).0.encode_utf16().collect();
            }
            // A character that stands for the date, the number, the footer or the header.
            (
                kind::SLIDE_NUMBER_META_CHAR_ATOM
                | kind::DATE_TIME_META_CHAR_ATOM..=kind::FOOTER_META_CHAR_ATOM
                | kind::RTF_DATE_TIME_META_CHAR_ATOM,
                Some((_, text)),
            ) => {
                if let Some(unit) = place_at(record.body, 0).and_then(|at| text.get_mut(at)) {
                    *unit = 0;
                }
            }
            _ => {}
        }
    }
    let texts = texts.into_iter().map(|(is_title, text)| {
        let text = String::from_utf16_lossy(&text).replace('\u{B}', "\n");
        Text { is_title, text: text.replace(|c: char| c.is_control() && !c.is_whitespace(), "") }
    });
    texts.collect()
}

/// Whether a record of a group marks it as a table.
fn is_table(record: &Record<'_>) -> bool {
    record.kind == kind::ART_MORE_PROPERTIES
        && property(record, ART_IS_TABLE).is_some_and(|(value, _)| value & 1 == 1)
}

/// A property of a shape: its number, and its data if it has any.
fn property<'a>(record: &Record<'a>, wanted: u16) -> Option<(u32, &'a [u8])> {
    let (heads, mut rest) = record.body.split_at_checked(6 * usize::from(record.instance))?;
    for head in heads.as_chunks::<6>().0 {
        let (id, value) = (u16_at(head, 0)?, u32_at(head, 2)?);
        let size = if id & 0x8000 == 0 { 0 } else { usize::try_from(value).ok()? };
        let (bytes, after) = rest.split_at_checked(size)?;
        if id & 0x3FFF == wanted {
            return Some((value, bytes));
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests;
