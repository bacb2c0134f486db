//! Formats, hidden rows and columns, comments and headers in workbooks of Excel before 2007; the library does not
//! return them.
//!
//! The stream is a sequence of records, each with its type and length ([MS-XLS], 2.1.4).

use std::collections::HashMap;
use std::io::{Cursor, Read};

use encoding_rs::{UTF_16LE, WINDOWS_1252};

use super::super::number_formats::{self, Format};
use super::comments::{Comment, without_author};
use super::layout::Layout;

/// Maximum number of sheets, hidden ranges, formats and comments that are read.
const MAX_ENTRIES: usize = 10_000;

/// A worksheet; rows and columns count from 0.
#[derive(Default)]
pub(super) struct Sheet {
    /// The styles of cells that contain a number.
    styles: HashMap<(u32, u32), u16>,
    pub(super) layout: Layout,
    pub(super) comments: Vec<Comment>,
}

/// The formats of a workbook.
#[derive(Default)]
pub(super) struct Book {
    formats: HashMap<u16, Format>,
    /// The format of each style.
    styles: Vec<u16>,
    pub(super) sheets: Vec<Sheet>,
}

impl Book {
    /// Reads the workbook in a file; damaged parts are left out.
    pub(super) fn read(file: &[u8], is_1904: bool) -> Self {
        let mut book = Self::default();
        let Some(stream) = stream(file) else { return book };
        let mut starts = Vec::new();
        let mut codes: HashMap<u16, String> = HashMap::new();
        let mut is_old = false;
        for (id, data) in Records(&stream) {
            match id {
                0x0809 => is_old = u16_at(data, 0) != Some(0x0600),
                0x000A => break,
                0x041E if codes.len() < MAX_ENTRIES => {
                    codes.extend(u16_at(data, 0).zip(code(data.get(2..).unwrap_or_default(), is_old)));
                }
                0x00E0 if book.styles.len() < MAX_ENTRIES => book.styles.push(u16_at(data, 2).unwrap_or(0)),
                0x0085 if starts.len() < MAX_ENTRIES => starts.extend(u32_at(data, 0)),
                _ => {}
            }
        }
        for id in &book.styles {
            book.formats.entry(*id).or_insert_with(|| {
                Format::new(codes.get(id).map_or(&*number_formats::built_in(*id), String::as_str), is_1904)
            });
        }
        book.sheets =
            starts.into_iter().map(|start| sheet(stream.get(start as usize..).unwrap_or_default())).collect();
        book
    }

    /// The format of a cell that contains a number.
    pub(super) fn format(&self, sheet: &Sheet, row: u32, column: u32) -> Option<&Format> {
        let style = *sheet.styles.get(&(row, column))?;
        self.formats.get(self.styles.get(usize::from(style))?)
    }
}

fn stream(file: &[u8]) -> Option<Vec<u8>> {
    let mut container = cfb::CompoundFile::open(Cursor::new(file)).ok()?;
    let mut bytes = Vec::new();
    let name = if container.exists("Workbook") { "Workbook" } else { "Book" };
    // The stream cannot be longer than its file.
    container.open_stream(name).ok()?.take(file.len() as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn sheet(stream: &[u8]) -> Sheet {
    let mut sheet = Sheet::default();
    let (mut depth, mut is_old) = (0, false);
    let mut notes = Notes::default();
    for (id, data) in Records(stream) {
        let place =
            || u16_at(data, 0).zip(u16_at(data, 2)).map(|(row, column)| (u32::from(row), u32::from(column)));
        match id {
            0x0809 => {
                depth += 1;
                is_old = u16_at(data, 0) != Some(0x0600);
            }
            // A chart on the sheet is a separate stream inside.
            0x000A if depth > 1 => depth -= 1,
            0x000A => break,
            _ if depth > 1 => {}
            0x0203 | 0x027E | 0x0006 => sheet.styles.extend(place().zip(u16_at(data, 4))),
            0x00BD => {
                let Some((row, first)) = place() else { continue };
                let cells = data.get(4..data.len().saturating_sub(2)).unwrap_or_default().chunks_exact(6);
                for (at, cell) in (first..).zip(cells) {
                    sheet.styles.extend(u16_at(cell, 0).map(|style| ((row, at), style)));
                }
            }
            0x0208 if u16_at(data, 12).is_some_and(|flags| flags & 0x20 != 0) => {
                sheet.layout.hidden_rows.extend(u16_at(data, 0).map(u32::from));
            }
            0x007D if u16_at(data, 8).is_some_and(|flags| flags & 1 != 0) => {
                let hidden = &mut sheet.layout.hidden_columns;
                hidden.extend(place().filter(|_| hidden.len() < MAX_ENTRIES));
            }
            0x0014 | 0x0015 => sheet.layout.headers_and_footers.extend(code(data, is_old)),
            _ if !is_old => notes.take(id, data),
            _ => {}
        }
    }
    sheet.comments = notes.into_comments();
    sheet
}

/// Comments: position and author are in one record, the text is in another.
#[derive(Default)]
struct Notes {
    /// The row, the id of the object with the text, and the author.
    places: Vec<(u16, u16, String)>,
    texts: HashMap<u16, String>,
    /// The object that was read last, and the number of characters of its text that follow.
    object: u16,
    left: usize,
}

impl Notes {
    fn take(&mut self, id: u16, data: &[u8]) {
        match id {
            0x005D if u16_at(data, 0) == Some(0x0015) => self.object = u16_at(data, 6).unwrap_or(0),
            0x01B6 => self.left = u16_at(data, 10).map_or(0, usize::from),
            0x003C if self.left > 0 && self.texts.len() < MAX_ENTRIES => {
                let Some((flags, text)) = data.split_first() else { return };
                let text = characters(text, flags & 1 == 1, self.left);
                self.left -= text.chars().map(char::len_utf16).sum::<usize>().clamp(1, self.left);
                self.texts.entry(self.object).or_default().push_str(&text);
            }
            0x001C if self.places.len() < MAX_ENTRIES => {
                let place = u16_at(data, 0).zip(u16_at(data, 6));
                let author = code(data.get(8..).unwrap_or_default(), false).unwrap_or_default();
                self.places.extend(place.map(|(row, object)| (row, object, author)));
            }
            _ => {}
        }
    }

    fn into_comments(mut self) -> Vec<Comment> {
        let comment = |(row, object, author): (u16, u16, String)| {
            let text = self.texts.remove(&object)?;
            Some(Comment { row: row.into(), text: without_author(&text, &author).to_owned(), author })
        };
        self.places.into_iter().filter_map(comment).filter(|comment| !comment.text.is_empty()).collect()
    }
}

/// The format code in a record.
fn code(data: &[u8], is_old: bool) -> Option<String> {
    if is_old {
        let length = usize::from(*data.first()?);
        return Some(WINDOWS_1252.decode(data.get(1..)?.get(..length)?).0.into_owned());
    }
    let (length, is_wide) = (usize::from(u16_at(data, 0)?), data.get(2)? & 1 == 1);
    let text = data.get(3..)?;
    let is_whole = text.len() >= if is_wide { length * 2 } else { length };
    is_whole.then(|| characters(text, is_wide, length))
}

/// At most `length` characters, of two bytes or of one.
fn characters(text: &[u8], is_wide: bool, length: usize) -> String {
    let bytes = &text[..text.len().min(if is_wide { length * 2 } else { length })];
    match is_wide {
        true => UTF_16LE.decode_without_bom_handling(bytes).0.into_owned(),
        false => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Records with their types.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (id, length) = (u16_at(self.0, 0)?, usize::from(u16_at(self.0, 2)?));
        let data = self.0.get(4..4 + length)?;
        self.0 = &self.0[4 + length..];
        Some((id, data))
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn cells_have_the_formats_of_their_records() {
        let record = |id: u16, data: &[u8]| {
            let length = u16::try_from(data.len()).unwrap();
            [&id.to_le_bytes()[..], &length.to_le_bytes()[..], data].concat()
        };
        let words = |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let sheet_of = [
            record(0x0809, &words(&[0x0600, 0x0010])),
            record(0x007D, &words(&[2, 3, 0, 0, 1])),
            record(0x0208, &words(&[7, 0, 0, 0, 0, 0, 0x20])),
            record(0x00BD, &words(&[4, 1, 9, 0, 0, 8, 0, 0, 2])),
            record(0x0015, &[3, 0, 0, b'&', b'L', b'a']),
            record(0x005D, &words(&[0x15, 0x12, 0x19, 6])),
            record(0x01B6, &words(&[0, 0, 0, 0, 0, 9, 16, 0, 0])),
            record(0x003C, b"\0Ada: F"),
            record(0x003C, &[1, b'r', 0, b'e', 0, b'e', 0]),
            record(0x003C, &[0; 16]),
            record(0x001C, &[&words(&[4, 1, 0, 6, 3])[..], b"\0Ada"].concat()),
            record(0x0203, &words(&[5, 0, 3, 0, 0, 0, 0])),
            record(0x000A, &[]),
            record(0x0203, &words(&[6, 0, 3, 0, 0, 0, 0])),
        ];
        let found = sheet(&sheet_of.concat());
        assert_eq!(found.styles, HashMap::from([((4, 1), 9), ((4, 2), 8), ((5, 0), 3)]));
        let Layout { hidden_rows, hidden_columns, headers_and_footers, .. } = found.layout;
        assert_eq!((hidden_rows, hidden_columns), (HashSet::from([7]), vec![(2, 3)]));
        assert_eq!(headers_and_footers, ["&La"]);
        assert_eq!(found.comments, [Comment { row: 4, author: "Ada".into(), text: "Free".into() }]);
        assert_eq!(code(&[2, 0, 0, b'0', b'%'], false).as_deref(), Some("0%"));
        assert_eq!(code(&[1, 0, 1, 0xAC, 0x20], false).as_deref(), Some("€"));
        assert_eq!(code(&[9, b'0'], true), None);
        assert!(sheet(&[0xFF; 9]).styles.is_empty());
    }
}
