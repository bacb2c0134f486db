//! Separated values: a row becomes a line with tabs between its cells.

use std::borrow::Cow;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};

use super::flow::Rows;
use super::writer::Writer;
use super::{Limits, damaged, encoding, too_large};

/// Lines used to detect the separator.
const SAMPLE_LINES: usize = 20;
/// Maximum bytes of a cell in quotes.
const MAX_CELL_BYTES: usize = 1 << 20;

/// Reads values separated by commas, semicolons, tabs or bars.
pub(super) fn extract_csv(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::plain_text(bytes, None)?;
    let text = text.trim_start_matches('\u{FEFF}');
    let (separator, text) = declared(text).unwrap_or_else(|| (separator(text), text));
    separated(Kind::Csv, text, separator, limits)
}

/// Reads values separated by tabs.
pub(super) fn extract_tsv(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::plain_text(bytes, None)?;
    separated(Kind::Tsv, text.trim_start_matches('\u{FEFF}'), b'\t', limits)
}

/// The separator that divides most of the first lines into equal numbers of cells.
fn separator(text: &str) -> u8 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).take(SAMPLE_LINES).collect();
    let weight = |separator: char| {
        let counts: Vec<usize> = lines
            .iter()
            .map(|line| line.split('"').step_by(2).map(|bare| bare.matches(separator).count()).sum())
            .collect();
        let usual = counts.first().copied().unwrap_or(0);
        if usual == 0 { (0, 0) } else { (counts.iter().filter(|count| **count == usual).count(), usual) }
    };
    [b',', b'|', b'\t', b';'].into_iter().max_by_key(|one| weight(char::from(*one))).unwrap_or(b',')
}

fn separated(kind: Kind, text: &str, separator: u8, limits: &Limits) -> Result<Extracted, Failure> {
    let text = mended(text, separator);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut rows = Rows::default();
    let mut writer = Writer::new(limits.text_bytes);
    for record in reader.records() {
        let record = record.map_err(|_| damaged(kind, Damage::Senseless))?;
        rows.write(&mut writer, record.iter());
        if writer.is_full() {
            return Err(too_large());
        }
    }
    rows.end(&mut writer);
    writer.finish(kind)
}

/// The separator in a first line `sep=;`, and the text after it.
fn declared(text: &str) -> Option<(u8, &str)> {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    let value = line.get(..4).filter(|name| name.eq_ignore_ascii_case("sep=")).map(|_| &line[4..])?;
    match value.as_bytes() {
        [sign] if sign.is_ascii_punctuation() || matches!(sign, b'\t' | b' ') => Some((*sign, rest)),
        _ => None,
    }
}

/// The text with quotes around each cell that begins with a quote but does not end with one, such as `"5 inches`.
/// Otherwise such a cell would include the following cells.
fn mended(text: &str, separator: u8) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut mended = String::new();
    let (mut copied, mut at) = (0, 0);
    // The position up to which the search has found no closing quote.
    let mut none_before = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            match closing_quote(bytes, at, separator, &mut none_before) {
                Some(end) => at = end + 1,
                None => {
                    let end = end_of_cell(bytes, at, separator);
                    mended.push_str(&text[copied..at]);
                    mended.extend(["\"", &text[at..end].replace('"', "\"\""), "\""]);
                    (copied, at) = (end, end);
                }
            }
        }
        at = end_of_cell(bytes, at, separator) + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

/// The position of the closing quote of a cell; `None` if another cell seems to begin with a quote before it.
fn closing_quote(bytes: &[u8], open: usize, separator: u8, none_before: &mut usize) -> Option<usize> {
    let is_end =
        |byte: Option<&u8>| byte.is_none_or(|byte| *byte == separator || matches!(byte, b'\r' | b'\n'));
    let limit = bytes.len().min(open + MAX_CELL_BYTES);
    let mut at = open + 1;
    if at < *none_before {
        return None;
    }
    while at < limit {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        if is_end(bytes.get(at + 1)) {
            return Some(at);
        }
        if bytes.get(at + 1) == Some(&b'"') {
            at += 2;
            continue;
        }
        if at > open + 1 && is_end(bytes.get(at - 1)) {
            return None;
        }
        at += 1;
    }
    *none_before = limit;
    None
}

fn end_of_cell(bytes: &[u8], start: usize, separator: u8) -> usize {
    let is_end = |byte: &u8| *byte == separator || matches!(byte, b'\r' | b'\n');
    bytes.get(start..).and_then(|rest| rest.iter().position(is_end)).map_or(bytes.len(), |end| start + end)
}

#[cfg(test)]
mod tests {
    use oriel_core::FailureCode;

    use super::*;

    #[test]
    fn separated_values_are_rows() {
        let text = |csv: &str| extract_csv(csv.as_bytes(), &Limits::default()).unwrap();
        let table = text("Name;Age\n\"Berg; Anna\";40\n\n\"two\nlines\";41\n");
        assert_eq!(table.text, "Name\tAge\nBerg; Anna\t40\ntwo lines\t41");
        assert_eq!(table.outline.tables[0].span.of(&table.text), Some("Name\tAge"));
        assert_eq!(text("a,b\n\"c,d\n").text, "a\tb\n\"c\td", "a quote without its partner");
        assert_eq!(
            text("a,b\nPipe,5\" long\nTap,\"big, brass\"\n").text,
            "a\tb\nPipe\t5\" long\nTap\tbig, brass"
        );
        assert_eq!(
            text("a,b\n\"5 long,12\nTap,\"big, brass\"\n").text,
            "a\tb\n\"5 long\t12\nTap\tbig, brass"
        );
        assert_eq!(text("a\n\"say \"\"so\"\", please\"\n").text, "a\nsay \"so\", please");
        assert_eq!(text("sep=;\r\na;b,c\r\n").text, "a\tb,c");
        let stray = "\"x,".repeat(300_000);
        assert!(text(&stray).text.starts_with("\"x\t\"x"));
        let long = "x\n".repeat(200_001);
        assert_eq!(extract_csv(long.as_bytes(), &Limits::default()).unwrap_err().code, FailureCode::TooLarge);
    }
}
