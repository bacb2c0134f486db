//! Formats, hidden rows and columns, merged cells, headers and comments of binary Excel workbooks (xlsb); the library
//! does not return them.
//!
//! A part is a sequence of records, each with its type and length ([MS-XLSB], 2.1.4). Rows and columns count from 0.

use std::collections::HashMap;

use encoding_rs::UTF_16LE;

use super::super::number_formats::{self, Format};
use super::biff::{u16_at, u32_at};
use super::comments::{Comment, without_author};
use super::layout::{self, Layout};

/// Maximum number of formats, sheets, hidden ranges and comments that are read.
const MAX_ENTRIES: usize = 10_000;
/// Maximum characters of an author's name.
const MAX_AUTHOR: usize = 200;
/// Longer texts are ignored.
const MAX_TEXT: usize = 32_767;

/// The content of the main part.
#[derive(Default)]
pub(super) struct Workbook {
    pub(super) sheets: Vec<layout::Sheet>,
    is_1904: bool,
}

impl Workbook {
    pub(super) fn read(part: &[u8]) -> Self {
        let mut book = Self::default();
        for (id, data) in Records(part) {
            match id {
                153 => book.is_1904 = data.first().is_some_and(|flags| flags & 1 == 1),
                156 if book.sheets.len() < MAX_ENTRIES => {
                    let mut rest = data.get(8..).unwrap_or_default();
                    let relation = text(&mut rest).unwrap_or_default();
                    let name = text(&mut rest).unwrap_or_default();
                    let is_hidden = u32_at(data, 0).is_some_and(|state| state > 0);
                    book.sheets.push(layout::Sheet { name, relation, is_hidden });
                }
                _ => {}
            }
        }
        book
    }

    /// The format of each style, from the part with styles.
    pub(super) fn formats(&self, part: &[u8]) -> Vec<Format> {
        let mut codes: HashMap<u16, String> = HashMap::new();
        let (mut formats, mut is_of_cells) = (Vec::new(), false);
        for (id, data) in Records(part) {
            match id {
                44 if codes.len() < MAX_ENTRIES => {
                    let code = data.get(2..).and_then(|mut rest| text(&mut rest));
                    codes.extend(u16_at(data, 0).zip(code));
                }
                617 => is_of_cells = true,
                618 => break,
                47 if is_of_cells && formats.len() < MAX_ENTRIES => {
                    let id = u16_at(data, 2).unwrap_or(0);
                    let code = codes.get(&id).map_or(number_formats::built_in(id), Into::into);
                    formats.push(Format::new(&code, self.is_1904));
                }
                _ => {}
            }
        }
        formats
    }
}

/// The content of a worksheet's part.
#[derive(Default)]
pub(super) struct Sheet {
    /// The styles of cells that contain a number, except the first style.
    pub(super) styles: HashMap<(u32, u32), usize>,
    pub(super) layout: Layout,
}

impl Sheet {
    pub(super) fn read(part: &[u8]) -> Self {
        let mut sheet = Self::default();
        let mut row = 0;
        for (id, data) in Records(part) {
            let four = || {
                Some([0, 4, 8, 12].map(|at| u32_at(data, at))).filter(|all| all.iter().all(Option::is_some))
            };
            match id {
                0 => {
                    row = u32_at(data, 0).unwrap_or(row);
                    if data.get(11).is_some_and(|flags| flags & 0x10 != 0) {
                        sheet.layout.hidden_rows.insert(row);
                    }
                }
                // Numbers, and formulas with a number.
                2 | 5 | 9 => {
                    let style = u32_at(data, 4).map(|style| style & 0x00FF_FFFF).filter(|style| *style > 0);
                    let place = u32_at(data, 0).map(|column| (row, column));
                    sheet.styles.extend(place.zip(style.map(|style| style as usize)));
                }
                60 if u16_at(data, 16).is_some_and(|flags| flags & 1 == 1) => {
                    let hidden = &mut sheet.layout.hidden_columns;
                    hidden
                        .extend(u32_at(data, 0).zip(u32_at(data, 4)).filter(|_| hidden.len() < MAX_ENTRIES));
                }
                176 => {
                    if let Some([Some(first), Some(last), Some(column), _]) = four()
                        && last > first
                    {
                        sheet.layout.merged.insert((first, column), last);
                    }
                }
                479 => {
                    let mut rest = data.get(2..).unwrap_or_default();
                    sheet.layout.headers_and_footers = (0..6).filter_map(|_| text(&mut rest)).collect();
                }
                _ => {}
            }
        }
        sheet
    }
}

/// The comments in a part.
pub(super) fn comments(part: &[u8]) -> Vec<Comment> {
    let (mut authors, mut comments) = (Vec::new(), Vec::new());
    let (mut row, mut author) = (0, String::new());
    for (id, data) in Records(part) {
        match id {
            632 if authors.len() < MAX_ENTRIES => {
                authors
                    .extend(text(&mut &*data).map(|name| name.chars().take(MAX_AUTHOR).collect::<String>()));
            }
            635 => {
                let number = u32_at(data, 0).unwrap_or(u32::MAX) as usize;
                author = authors.get(number).cloned().unwrap_or_default();
                row = u32_at(data, 4).unwrap_or(0);
            }
            637 if comments.len() < MAX_ENTRIES => {
                let found = data.get(1..).and_then(|mut rest| text(&mut rest)).unwrap_or_default();
                let text = without_author(&found, &author).to_owned();
                comments.push(Comment { row, author: author.clone(), text });
            }
            _ => {}
        }
    }
    comments.retain(|comment| !comment.text.is_empty());
    comments
}

/// Takes the text at the beginning of `bytes`; `None` if there is none.
fn text(bytes: &mut &[u8]) -> Option<String> {
    let length = u32_at(bytes, 0)?;
    let rest = &bytes[4..];
    if length == u32::MAX {
        *bytes = rest;
        return None;
    }
    let length = usize::try_from(length).ok().filter(|length| *length <= MAX_TEXT)?;
    let (text, rest) = rest.split_at_checked(length * 2)?;
    *bytes = rest;
    Some(UTF_16LE.decode_without_bom_handling(text).0.into_owned())
}

/// Records with their types.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (id, rest) = number(self.0, 2)?;
        let (length, rest) = number(rest, 4)?;
        let (data, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((u16::try_from(id).ok()?, data))
    }
}

/// A number of up to `most` bytes, in which every byte except the last has its highest bit set, and the bytes after it.
fn number(bytes: &[u8], most: usize) -> Option<(usize, &[u8])> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate().take(most) {
        number |= usize::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 || at + 1 == most {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn record(id: u16, data: &[u8]) -> Vec<u8> {
        let low = (id & 0x7F) as u8;
        let id = if id < 0x80 { vec![low] } else { vec![low | 0x80, (id >> 7) as u8] };
        [&id[..], &[u8::try_from(data.len()).unwrap()], data].concat()
    }

    fn wide(text: &str) -> Vec<u8> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let length = u32::try_from(units.len()).unwrap().to_le_bytes();
        length.into_iter().chain(units.into_iter().flat_map(u16::to_le_bytes)).collect()
    }

    fn longs(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn a_binary_workbook_says_how_its_cells_look() {
        let main = record(156, &[longs(&[1, 7]), wide("rId2"), wide("Rents")].concat());
        let book = Workbook::read(&main);
        let sheet = &book.sheets[0];
        assert_eq!((&*sheet.name, &*sheet.relation, sheet.is_hidden), ("Rents", "rId2", true));
        let styles = [
            record(44, &[&[164, 0][..], &wide("0.0%")].concat()),
            record(47, &[0, 0, 14, 0]),
            record(617, &longs(&[2])),
            record(47, &[0, 0, 0, 0]),
            record(47, &[0, 0, 164, 0]),
            record(618, &[]),
        ];
        let formats = book.formats(&styles.concat());
        assert_eq!((formats.len(), formats[1].shown(0.195)), (2, "19.5%".to_owned()));
        let mut column = longs(&[2, 3, 0, 0]);
        column.extend([1, 0]);
        let part = [
            record(60, &column),
            record(0, &[&longs(&[4, 0])[..], &[0, 0, 0, 0x10]].concat()),
            record(5, &[longs(&[1, 1]), vec![0; 8]].concat()),
            record(2, &longs(&[2, 0, 0])),
            record(176, &longs(&[4, 6, 0, 0])),
            record(479, &[&[0, 0][..], &longs(&[u32::MAX]), &wide("&LDraft")].concat()),
        ];
        let Sheet { styles, layout } = Sheet::read(&part.concat());
        assert_eq!(styles, HashMap::from([((4, 1), 1)]));
        assert_eq!((layout.hidden_rows, layout.hidden_columns), (HashSet::from([4]), vec![(2, 3)]));
        assert_eq!(
            (layout.merged, layout.headers_and_footers),
            (HashMap::from([((4, 0), 6)]), vec!["&LDraft".to_owned()])
        );
        assert!(Sheet::read(&[0xFF; 9]).styles.is_empty());
    }

    #[test]
    fn comments_name_their_authors() {
        let part = [
            record(632, &wide("Ada")),
            record(635, &longs(&[0, 3, 3, 1, 1])),
            record(637, &[&[0][..], &wide("Ada:\nFree.")].concat()),
        ];
        let comment = Comment { row: 3, author: "Ada".into(), text: "Free.".into() };
        assert_eq!(comments(&part.concat()), [comment]);
    }
}
