//! Properties of Word's paragraphs and characters: styles (STSH), pages of runs (FKP), and single changes (Sprm).

use super::{Plc, place_at, u16_at, u32_at};

/// Runs are described in pages of this many bytes.
const PAGE_BYTES: usize = 512;
/// Maximum length of a chain of styles that are based on one another.
const MAX_BASES: usize = 10;
const TITLE: u16 = 62;

/// The properties of a run.
#[derive(Clone, Copy, Default)]
pub(super) struct Properties {
    style: usize,
    outline: Option<u8>,
    in_table: bool,
    depth: u32,
    /// Whether the paragraph's mark ends a row.
    pub(super) is_row_end: bool,
    /// Whether the paragraph's mark ends a cell of a nested table.
    pub(super) is_cell_end: bool,
    /// Whether the row is a header row.
    pub(super) is_header: bool,
    /// Whether the paragraph is the drop cap of the next one.
    pub(super) joins_next: bool,
    is_deleted: bool,
    is_vanished: bool,
    /// The code of the run's characters in a symbol font.
    pub(super) symbol: Option<u16>,
    /// The offset of further properties in the stream `Data`.
    elsewhere: Option<usize>,
}

impl Properties {
    /// The properties of a paragraph that is not described.
    pub(super) fn unknown(is_row_end: bool) -> Self {
        Self { is_row_end, ..Self::default() }
    }

    /// Whether the text is deleted or hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.is_deleted || self.is_vanished
    }

    /// The depth of the table that contains the paragraph.
    pub(super) fn depth(&self) -> u32 {
        self.depth.max(u32::from(self.in_table))
    }

    fn apply(&mut self, sprms: Sprms<'_>) {
        for (code, operand) in sprms {
            let byte = operand.first().copied().unwrap_or(0);
            // Values may also mean "as in the style" and "opposite to the style"; styles hide no text, so the lowest
            // bit decides.
            let is_on = byte & 1 == 1;
            match code {
                sprm::P_ISTD => self.style = u16_at(operand, 0).map_or(0, usize::from),
                sprm::P_OUT_LVL => {
                    self.outline = Some(byte).filter(|level| *level < 9).map(|level| level + 1);
                }
                sprm::P_F_IN_TABLE => self.in_table = is_on,
                sprm::P_ITAP => self.depth = u32_at(operand, 0).unwrap_or(0),
                sprm::P_F_TTP | sprm::P_F_INNER_TTP => self.is_row_end = is_on,
                sprm::P_F_INNER_TABLE_CELL => self.is_cell_end = is_on,
                sprm::P_DCS => self.joins_next = byte & 7 != 0,
                sprm::P_HUGE_PAPX_6 | sprm::P_HUGE_PAPX | sprm::P_TABLE_PROPS => {
                    self.elsewhere = place_at(operand, 0);
                }
                sprm::T_TABLE_HEADER => self.is_header |= is_on,
                sprm::T_TLP => self.is_header |= u16_at(operand, 2).is_some_and(|looks| looks & 0x20 != 0),
                sprm::C_F_R_MARK_DEL => self.is_deleted = is_on,
                sprm::C_F_VANISH => self.is_vanished = is_on,
                sprm::C_SYMBOL => self.symbol = u16_at(operand, 2),
                _ => {}
            }
        }
    }
}

/// The changes that matter here, by their codes since Word 97.
mod sprm {
    pub(super) const C_F_R_MARK_DEL: u16 = 0x0800;
    pub(super) const C_F_VANISH: u16 = 0x083C;
    pub(super) const P_F_IN_TABLE: u16 = 0x2416;
    pub(super) const P_F_TTP: u16 = 0x2417;
    pub(super) const P_F_INNER_TABLE_CELL: u16 = 0x244B;
    pub(super) const P_F_INNER_TTP: u16 = 0x244C;
    pub(super) const P_OUT_LVL: u16 = 0x2640;
    pub(super) const T_TABLE_HEADER: u16 = 0x3404;
    pub(super) const P_DCS: u16 = 0x442C;
    pub(super) const P_ISTD: u16 = 0x4600;
    pub(super) const P_TABLE_PROPS: u16 = 0x646B;
    pub(super) const P_HUGE_PAPX_6: u16 = 0x6645;
    pub(super) const P_HUGE_PAPX: u16 = 0x6646;
    pub(super) const P_ITAP: u16 = 0x6649;
    pub(super) const C_SYMBOL: u16 = 0x6A09;
    pub(super) const T_TLP: u16 = 0x740A;
    pub(super) const P_CHG_TABS: u16 = 0xC615;
    pub(super) const T_DEF_TABLE: u16 = 0xD608;
}

/// A list of changes (grpprl), each a code and its operand.
#[derive(Clone, Copy)]
struct Sprms<'a> {
    bytes: &'a [u8],
    /// Whether the codes are those of Word 6 and 95, which have one byte.
    is_old: bool,
}

impl<'a> Iterator for Sprms<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (code, rest) = if self.is_old {
            let (code, rest) = self.bytes.split_first()?;
            (u16::from(*code), rest)
        } else {
            (u16_at(self.bytes, 0)?, &self.bytes[2..])
        };
        let size = if self.is_old { old_size(code, rest)? } else { size(code, rest)? };
        let operand = rest.get(..size)?;
        self.bytes = &rest[size..];
        Some((if self.is_old { renewed(code) } else { code }, operand))
    }
}

/// The size of an operand in bytes, from the code or from the operand's first byte.
fn size(code: u16, rest: &[u8]) -> Option<usize> {
    Some(match (code, code >> 13) {
        (sprm::T_DEF_TABLE, _) => usize::from(u16_at(rest, 0)?) + 1,
        (sprm::P_CHG_TABS, _) => changed_tabs(rest)?,
        (_, 0 | 1) => 1,
        (_, 2 | 4 | 5) => 2,
        (_, 3) => 4,
        (_, 7) => 3,
        _ => usize::from(*rest.first()?) + 1,
    })
}

/// The size of a list of tab stops in bytes; a long list only has the numbers of removed and added stops.
fn changed_tabs(rest: &[u8]) -> Option<usize> {
    let size = usize::from(*rest.first()?);
    if size < 255 {
        return Some(size + 1);
    }
    let removed = usize::from(*rest.get(1)?) * 4;
    let added = usize::from(*rest.get(removed + 2)?) * 3;
    Some(removed + added + 3)
}

/// The size of an operand in Word 6 and 95; `None` for an unknown code, whose operand has an unknown size.
fn old_size(code: u16, rest: &[u8]) -> Option<usize> {
    Some(match code {
        0 | 52 | 83 => 0,
        4..=11 | 13 | 14 | 24 | 25 | 29 | 37 | 44 | 50 | 51 | 65..=67 | 71 | 75 | 85..=92 | 94 | 98 | 100 => {
            1
        }
        102 | 104 | 117..=119 | 185 | 186 => 1,
        2 | 16..=19 | 21 | 22 | 26..=28 | 30..=36 | 38..=43 | 45..=49 | 69 | 72 | 80 | 93 | 96 | 97 | 99 => 2,
        101 | 107 | 109 | 110 | 121..=124 | 182..=184 | 189 | 195 | 197 | 198 => 2,
        73 | 95 => 3,
        20 | 70 | 192 | 194 | 196 | 200 => 4,
        193 | 199 => 5,
        187 => 12,
        23 => changed_tabs(rest)?,
        188 | 190 => usize::from(u16_at(rest, 0)?) + 1,
        3
        | 12
        | 15
        | 64
        | 68
        | 74
        | 77
        | 79
        | 81
        | 82
        | 103
        | 105
        | 106
        | 108
        | 111..=116
        | 120
        | 191
        | 207 => usize::from(*rest.first()?) + 1,
        _ => return None,
    })
}

/// Converts a code of Word 6 and 95 to the one since Word 97; 0 if it does not matter.
fn renewed(code: u16) -> u16 {
    match code {
        2 => sprm::P_ISTD,
        24 => sprm::P_F_IN_TABLE,
        25 => sprm::P_F_TTP,
        46 => sprm::P_DCS,
        65 => sprm::C_F_R_MARK_DEL,
        92 => sprm::C_F_VANISH,
        186 => sprm::T_TABLE_HEADER,
        192 => sprm::T_TLP,
        _ => 0,
    }
}

/// The formats of a document's runs, by their offsets in the stream `WordDocument`.
pub(super) struct Formats<'a> {
    pub(super) word: &'a [u8],
    /// The stream `Data`.
    pub(super) data: &'a [u8],
    pub(super) is_old: bool,
    /// The pages that describe paragraphs (`PlcBtePapx`) and characters (`PlcBteChpx`).
    pub(super) paragraphs: Plc<'a>,
    pub(super) characters: Plc<'a>,
    /// Lists of changes for whole pieces of text.
    pub(super) changes: Vec<&'a [u8]>,
    /// Heading levels by style.
    pub(super) levels: Vec<Option<u8>>,
}

impl<'a> Formats<'a> {
    /// The properties of the paragraph with its mark at `place`, in a piece with this change; `None` if it is not
    /// described.
    pub(super) fn paragraph(&self, place: usize, change: u16) -> Option<Properties> {
        let size = if self.is_old { 7 } else { 13 };
        let (_, page, at) = self.run(self.paragraphs, size, place)?;
        // The size is in 16-bit words; if it is zero, the next byte contains it.
        let papx = page.get(at..).and_then(|papx| match papx {
            [0, words, papx @ ..] if !self.is_old => papx.get(..usize::from(*words) * 2),
            [words, papx @ ..] => papx.get(..(usize::from(*words) * 2).min(papx.len())),
            [] => None,
        });
        let papx = papx.unwrap_or_default();
        let style = u16_at(papx, 0).map_or(0, usize::from);
        let mut found = Properties { style, ..Properties::default() };
        self.apply(papx.get(2..).unwrap_or_default(), change, &mut found);
        Some(found)
    }

    /// The properties of the characters at `place`, in a piece with this change, and the end of their run.
    pub(super) fn characters(&self, place: usize, change: u16) -> (usize, Properties) {
        let run = self.run(self.characters, 1, place);
        let (end, page, at) = run.unwrap_or((place, &[], 0));
        let chpx = page.get(at..).filter(|_| at > 0).and_then(<[u8]>::split_first);
        let sprms = chpx.and_then(|(size, sprms)| sprms.get(..usize::from(*size))).unwrap_or_default();
        let mut found = Properties::default();
        self.apply(sprms, change, &mut found);
        (end, found)
    }

    /// The heading level of a paragraph.
    pub(super) fn level(&self, paragraph: &Properties) -> Option<u8> {
        paragraph.outline.or_else(|| self.levels.get(paragraph.style).copied().flatten())
    }

    /// The run that contains `place`: its end, the page that describes it, and the offset on that page.
    fn run(&self, pages: Plc<'a>, size: usize, place: usize) -> Option<(usize, &'a [u8], usize)> {
        let page = match pages.element(pages.find(place)?)? {
            &[a, b] => u16::from_le_bytes([a, b]).into(),
            number => place_at(number, 0)? & 0x3F_FFFF,
        };
        let page = self.word.get(page * PAGE_BYTES..(page + 1) * PAGE_BYTES)?;
        let (&count, page) = page.split_last()?;
        let runs = Plc::of_count(page, count.into(), size);
        let index = runs.find(place)?;
        Some((runs.position(index + 1)?, page, usize::from(*runs.element(index)?.first()?) * 2))
    }

    fn apply(&self, sprms: &[u8], change: u16, to: &mut Properties) {
        to.apply(Sprms { bytes: sprms, is_old: self.is_old });
        if let Some(at) = to.elsewhere.take() {
            let sprms = self.data.get(at..).and_then(|data| {
                let size = usize::from(u16_at(data, 0)?);
                data.get(2..2 + size)
            });
            to.apply(Sprms { bytes: sprms.unwrap_or_default(), is_old: false });
        }
        // A change is a single one in Word 95's form, or the index of a list.
        let [low, high] = change.to_le_bytes();
        if low & 1 == 0 {
            to.apply(Sprms { bytes: &[low >> 1, high], is_old: true });
        } else if let Some(sprms) = self.changes.get(usize::from(change >> 1)) {
            to.apply(Sprms { bytes: sprms, is_old: self.is_old });
        }
    }
}

/// The heading levels of paragraph styles, in the order of the style sheet.
pub(super) fn levels(sheet: &[u8], is_old: bool) -> Vec<Option<u8>> {
    let mut styles: Vec<(Option<u8>, usize)> = Vec::new();
    let size = |at| u16_at(sheet, at).map(usize::from);
    let fixed = size(4).unwrap_or(0);
    let mut at = size(0).map_or(sheet.len(), |head| head + 2);
    while let Some(size) = size(at) {
        let style = sheet.get(at + 2..at + 2 + size).unwrap_or_default();
        let base = u16_at(style, 2).map_or(usize::MAX, |kind| usize::from(kind >> 4));
        styles.push((level_of(style, fixed, is_old), base));
        at += 2 + size;
    }
    let level = |style: &(Option<u8>, usize)| {
        let chain = std::iter::successors(Some(style), |(_, base)| styles.get(*base));
        chain.take(MAX_BASES).find_map(|(level, _)| *level)
    };
    styles.iter().map(level).collect()
}

/// The heading level of a style itself: as one of Word's built-in headings, or by its outline level.
fn level_of(style: &[u8], fixed: usize, is_old: bool) -> Option<u8> {
    match u16_at(style, 0)? & 0xFFF {
        level @ 1..=9 => return u8::try_from(level).ok(),
        TITLE => return Some(1),
        _ => {}
    }
    // Styles of Word 6 and 95 have no outline levels; paragraph styles are of kind 1.
    if is_old || u16_at(style, 2)? & 0xF != 1 {
        return None;
    }
    // The name with its length and a zero; then a size, the style's index, and its changes.
    let papx = (fixed + 2 + 2 * (usize::from(u16_at(style, fixed)?) + 1)).next_multiple_of(2);
    let sprms = style.get(papx + 4..papx + 2 + usize::from(u16_at(style, papx)?))?;
    let mut found = Properties::default();
    found.apply(Sprms { bytes: sprms, is_old });
    found.outline
}
