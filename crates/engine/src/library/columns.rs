//! Types the columns of a table: numbers as people write them, dates, words.
//!
//! The number format of a column is decided from all of its cells, because `1.250` alone is ambiguous.

use oriel_core::CancelToken;
use oriel_text::dates::{DatePart, DayOrder, dates};
use oriel_text::numbers::{Decimals, Value, is_separator, value};

use crate::error::EngineError;

/// A longer cell is not a number.
const MAX_NUMBER_CHARACTERS: usize = 40;
/// Maximum characters of a unit after a number.
const MAX_UNIT_CHARACTERS: usize = 10;
/// A column with more units is treated as words.
const MAX_UNITS: usize = 20;
/// The number of cells that are checked first.
const FIRST_CELLS: usize = 200;
/// The number of dates from which a column's order of day and month is detected.
const ORDERED_DAYS: usize = 2000;
/// A column of a table.
#[derive(Debug)]
pub(crate) struct Column {
    /// What the header row calls it; may be empty.
    pub head: String,
    /// What its cells are.
    pub kind: ColumnKind,
}

/// What the cells of a column are.
#[derive(Debug)]
pub(crate) enum ColumnKind {
    /// Most cells are numbers.
    Number(Numbers),
    /// Most cells are days, each as `2024-05-03`.
    Date(Vec<Option<String>>),
    /// Anything else.
    Text,
}

/// The numbers of a column, and how it writes them.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// One for each row; `None` where the cell is empty or no number.
    pub values: Vec<Option<f64>>,
    /// How many cells have text that is no number.
    pub without: usize,
    /// The text before and after a number, with its space: `€ `, ` kg`.
    pub unit: (String, String),
    /// The other units, if the cells have several: they cannot be added.
    pub other_units: Vec<String>,
    /// The maximum number of decimals in the cells.
    pub decimals: usize,
    decimal_sign: Option<char>,
    thousands: Option<char>,
}

impl Column {
    /// Its numbers, if it has any.
    pub(crate) fn numbers(&self) -> Option<&Numbers> {
        match &self.kind {
            ColumnKind::Number(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Keeps the cells of these rows.
    pub(crate) fn leave_out(&mut self, keeps: impl Fn(usize) -> bool) {
        let mut row = 0;
        let mut kept = || {
            row += 1;
            keeps(row - 1)
        };
        match &mut self.kind {
            ColumnKind::Number(numbers) => numbers.values.retain(|_| kept()),
            ColumnKind::Date(days) => days.retain(|_| kept()),
            ColumnKind::Text => {}
        }
    }
}

impl Numbers {
    /// Formats a number as the column does, with this many decimals; what the column does not show follows German or English.
    pub(crate) fn shown(&self, number: f64, decimals: usize, is_german: bool) -> String {
        let sign = self.decimal_sign.unwrap_or(if is_german { ',' } else { '.' });
        let thousands = self.thousands.unwrap_or(if sign == ',' { '.' } else { ',' });
        let written = format!("{:.decimals$}", number.abs());
        let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
        let mut text = String::new();
        // An amount that rounds to zero has no sign.
        if number < 0.0 && written.contains(|c: char| c.is_ascii_digit() && c != '0') {
            text.push('-');
        }
        text.push_str(&self.unit.0);
        for (at, digit) in whole.char_indices() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                text.push(thousands);
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push(sign);
            text.push_str(fraction);
        }
        text + &self.unit.1
    }
}

/// The columns with these heads. `cell` returns the text of a cell; `written` is how the document writes decimals.
///
/// # Errors
/// If it is cancelled.
pub(crate) fn type_columns<'t>(
    heads: Vec<String>,
    rows: usize,
    cell: impl Fn(usize, usize) -> &'t str,
    written: Decimals,
    cancel: &CancelToken,
) -> Result<Vec<Column>, EngineError> {
    let mut columns = Vec::with_capacity(heads.len());
    for (at, head) in heads.into_iter().enumerate() {
        cancel.check()?;
        columns.push(Column { head, kind: kind(&|row| cell(row, at), rows, written) });
    }
    Ok(columns)
}

fn kind<'t>(cell: &dyn Fn(usize) -> &'t str, rows: usize, written: Decimals) -> ColumnKind {
    let cells = || (0..rows).map(cell).filter(|cell| !cell.is_empty());
    let all = cells().count();
    if let Some(numbers) = numbers(cell, rows, written).filter(|numbers| {
        let found = numbers.values.iter().flatten().count();
        found > 0 && found * 2 > all
    }) {
        return ColumnKind::Number(numbers);
    }
    let is_days = |days: &[Option<String>], all: usize| {
        let found = days.iter().flatten().count();
        found > 0 && found * 5 >= all * 4
    };
    // The first cells show whether a column has words.
    let first = rows.min(FIRST_CELLS);
    let of_first = (0..first).map(cell).filter(|cell| !cell.is_empty()).count();
    if of_first == 0 || is_days(&days(cell, first), of_first) {
        let days = days(cell, rows);
        if is_days(&days, all) {
            return ColumnKind::Date(days);
        }
    }
    ColumnKind::Text
}

/// A cell that is a number, with the text around it.
struct Cell<'t> {
    number: &'t str,
    is_negative: bool,
    before: &'t str,
    after: &'t str,
}

/// Whether a cell is a number, maybe with a unit.
pub(crate) fn is_number(cell: &str) -> bool {
    parts(cell).is_some()
}

/// The parts of a cell that is a number: `€ 1.250,00`, `-12 %`, `(4,200)`; `None` for codes, dates and words.
fn parts(cell: &str) -> Option<Cell<'_>> {
    let is_in_brackets = cell.starts_with('(') && cell.ends_with(')');
    let inner = if is_in_brackets { cell[1..cell.len() - 1].trim() } else { cell };
    let first = inner.find(|c: char| c.is_ascii_digit()).filter(|_| inner.len() <= MAX_NUMBER_CHARACTERS)?;
    let rest = &inner[first..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && !is_separator(c)).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(is_separator);
    let (before, after) = (&inner[..first], &rest[number.len()..]);
    let is_sign = |c: char| matches!(c, '-' | '−' | '–' | '+');
    let has_minus = before.contains(is_sign) && !before.contains('+') || after.trim() == "-";
    let before = before.trim_start_matches(is_sign).trim_end_matches(is_sign).trim_start();
    // Whole amounts end with a dash in some countries: `5,-`.
    let after = if after.trim().chars().all(|c| matches!(c, ',' | '.' | '-' | '–')) { "" } else { after };
    (!is_padded(number) && is_unit_before(before) && is_unit_after(after)).then_some(Cell {
        number,
        is_negative: is_in_brackets || has_minus,
        before,
        after,
    })
}

/// Whether a number is a code, such as `01067`; a column with such cells has no numbers.
fn is_padded(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `€`, `US$`, `EUR ` and the like; a code such as `B12` is no amount.
fn is_unit_before(text: &str) -> bool {
    let name = text.trim_end();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let is_word = letters == name.chars().count();
    let is_plain = name.chars().all(|c| c.is_alphabetic() || !c.is_ascii() || matches!(c, '$' | '.'));
    letters <= 3
        && is_plain
        && (name.is_empty() || !is_word || name.len() < text.len() && name.len() > 1)
        && name != "No."
        && name != "Nr."
}

/// One word without digits: `%`, ` kg`, ` EUR`.
fn is_unit_after(text: &str) -> bool {
    let name = text.trim();
    name.chars().count() <= MAX_UNIT_CHARACTERS
        && !name
            .contains(|c: char| c.is_whitespace() || c.is_ascii_digit() || matches!(c, ':' | '-' | '"' | '('))
}

/// The column as numbers; `None` if its format is ambiguous.
fn numbers<'t>(cell: &dyn Fn(usize) -> &'t str, rows: usize, written: Decimals) -> Option<Numbers> {
    let mut numbers = Numbers { values: Vec::with_capacity(rows), ..Numbers::default() };
    let mut signs = Signs::default();
    let mut units: Vec<(&str, &str, usize)> = Vec::new();
    for row in 0..rows {
        let text = cell(row);
        if is_padded(text) {
            return None;
        }
        let found = parts(text).and_then(|parts| Some((value(parts.number)?, parts)));
        let Some((value, parts)) = found else {
            numbers.without += usize::from(!text.is_empty());
            numbers.values.push(None);
            continue;
        };
        signs.take(parts.number, value);
        numbers.values.push(Some(0.0));
        let unit = (parts.before, parts.after);
        // Zero is the same in any unit.
        if value == Value::Plain(0.0) && unit == ("", "") {
            continue;
        }
        let is_same = |known: &&mut (&str, &str, usize)| {
            (known.0.trim(), known.1.trim()) == (unit.0.trim(), unit.1.trim())
        };
        match units.iter_mut().find(is_same) {
            Some(known) => known.2 += 1,
            None => units.push((unit.0, unit.1, 1)),
        }
        if units.len() > MAX_UNITS {
            return None;
        }
    }
    let decimal = signs.decimal(written)?;
    for row in 0..rows {
        if numbers.values[row].is_none() {
            continue;
        }
        let Some(parts) = parts(cell(row)) else { continue };
        let (read, decimals) = signs.read(parts.number, decimal)?;
        numbers.decimals = numbers.decimals.max(decimals);
        numbers.values[row] = Some(if parts.is_negative { -read } else { read });
    }
    units.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    let mut units = units.into_iter().map(|(before, after, _)| (before.to_owned(), after.to_owned()));
    numbers.unit = units.next().unwrap_or_default();
    // A number without a unit may have any of the units in its column.
    numbers.other_units = units.map(|(before, after)| format!("{before}{after}").trim().to_owned()).collect();
    numbers.decimal_sign = decimal;
    numbers.thousands = signs.thousands;
    Some(numbers)
}

/// The signs between the digits of a column.
#[derive(Default)]
struct Signs {
    /// The decimal signs of unambiguous numbers.
    points: usize,
    commas: usize,
    /// Ambiguous numbers, by their sign.
    open_points: usize,
    open_commas: usize,
    /// Whether a number has more than three digits and no sign, so that the column does not divide thousands.
    is_undivided: bool,
    has_small: bool,
    thousands: Option<char>,
}

impl Signs {
    fn take(&mut self, number: &str, value: Value) {
        match value {
            Value::Ambiguous { separator: '.', .. } => self.open_points += 1,
            Value::Ambiguous { .. } => self.open_commas += 1,
            Value::Plain(_) => {
                let signs: Vec<char> = number.chars().filter(|c| !c.is_ascii_digit()).collect();
                let last = signs.last().copied();
                let is_decimal =
                    last.is_some_and(|last| signs.iter().filter(|sign| **sign == last).count() == 1);
                match last.filter(|_| is_decimal) {
                    Some('.') => self.points += 1,
                    Some(',') => self.commas += 1,
                    _ => {}
                }
                // Of several signs the first divides thousands; of equal ones all do.
                if signs.len() > 1 || last.is_some_and(|last| !matches!(last, '.' | ',')) {
                    self.thousands = signs.first().copied();
                }
                self.is_undivided |= signs.is_empty() && number.len() > 3;
                self.has_small |= signs.is_empty() && number.len() <= 3;
            }
        }
    }

    /// The sign before decimals. `None` if the column has numbers with two readings and nothing tells which; no sign if it has
    /// none at all.
    fn decimal(&mut self, written: Decimals) -> Option<Option<char>> {
        if self.points > 0 && self.commas > 0 {
            return None;
        }
        let shown = match (self.points, self.commas) {
            (0, 0) => None,
            (_, 0) => Some('.'),
            _ => Some(','),
        };
        let open = match (self.open_points, self.open_commas) {
            (0, 0) => return Some(shown),
            (_, 0) => '.',
            (0, _) => ',',
            _ => return None,
        };
        let other = if open == '.' { ',' } else { '.' };
        // `940` beside `1.250`: with decimals all would have them.
        let divides_thousands = self.has_small && !self.is_undivided;
        let decimal = match (shown, written) {
            (Some(sign), _) => sign,
            (None, Decimals::Unknown) if divides_thousands => other,
            (None, Decimals::Point) if open == ',' || !divides_thousands => '.',
            (None, Decimals::Comma) if open == '.' || !divides_thousands => ',',
            (None, _) => return None,
        };
        if decimal != open {
            self.thousands = Some(open);
        }
        Some(Some(decimal))
    }

    /// The value of a number with this sign before decimals, and how many decimals it has.
    fn read(&self, number: &str, decimal: Option<char>) -> Option<(f64, usize)> {
        let decimals = |sign: Option<char>| {
            let (_, digits) = number.rsplit_once(sign?)?;
            (number.matches(sign?).count() == 1).then_some(digits.len())
        };
        match value(number)? {
            Value::Plain(value) => Some((value, decimals(decimal).unwrap_or(0))),
            Value::Ambiguous { decimal: value, separator, .. } if Some(separator) == decimal => {
                Some((value, decimals(decimal).unwrap_or(0)))
            }
            Value::Ambiguous { whole, .. } => Some((whole, 0)),
        }
    }
}

/// The days of a column, as `2024-05-03`; the first of a month. A time may follow.
fn days<'t>(cell: &dyn Fn(usize) -> &'t str, rows: usize) -> Vec<Option<String>> {
    let with_slashes = (0..rows).map(cell).filter(|cell| cell.contains('/')).take(ORDERED_DAYS);
    let order = DayOrder::of(&with_slashes.collect::<Vec<_>>().join("\n"), None);
    let day = |cell: &str| {
        if cell.len() > MAX_NUMBER_CHARACTERS || !cell.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let is_time = |time: &&str| time.starts_with(|c: char| c.is_ascii_digit());
        let day = cell.split_once('T').filter(|(_, time)| is_time(time)).map_or(cell, |(day, _)| day);
        let [date] = &dates(day, order)[..] else { return None };
        let rest = day[date.bytes.end..].trim_start();
        let is_whole = date.bytes.start == 0 && (rest.is_empty() || is_time(&rest));
        let is_known = matches!(date.part, DatePart::Day(..) | DatePart::Month(_));
        date.period().filter(|_| is_whole && is_known).map(|period| period.first.to_string())
    };
    (0..rows).map(|row| day(cell(row))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&'static str], written: Decimals) -> Column {
        let cell = |row: usize, _: usize| cells[row];
        type_columns(vec!["x".to_owned()], cells.len(), cell, written, &CancelToken::new()).unwrap().remove(0)
    }

    #[test]
    fn a_column_decides_how_its_numbers_are_read() {
        let sum = |cells: &[&'static str], written| {
            let column = column(cells, written);
            let numbers = column.numbers()?;
            let sum = numbers.values.iter().flatten().sum();
            numbers.other_units.is_empty().then(|| numbers.shown(sum, numbers.decimals, false))
        };
        let unknown = Decimals::Unknown;
        assert_eq!(sum(&["1.250", "3,5"], unknown).as_deref(), Some("1.253,5"));
        assert_eq!(sum(&["1.250", "940"], unknown).as_deref(), Some("2.190"), "all would have decimals");
        assert_eq!(sum(&["1.250", "3.125"], Decimals::Point).as_deref(), Some("4.375"));
        assert_eq!(sum(&["1.250", "3.125"], unknown), None, "it may be either");
        assert_eq!(sum(&["€ 1,250.50", "€ -250.00"], unknown).as_deref(), Some("€ 1,000.50"));
        assert_eq!(sum(&["(4,200)", "1,000", "200"], unknown).as_deref(), Some("-3,000"));
        assert_eq!(sum(&["-640,00", "112,50"], unknown).as_deref(), Some("-527,50"));
        assert_eq!(sum(&["19%", "7%"], unknown).as_deref(), Some("26%"));
        assert_eq!(sum(&["1 250,00 kr", "50,00 kr"], unknown).as_deref(), Some("1 300,00 kr"));
        assert_eq!(sum(&["5 kg", "300 g"], unknown), None, "two units cannot be added");
        assert_eq!(sum(&["940", "5"], unknown).as_deref(), Some("945"));
        for cells in [
            &["01067", "53111"][..],
            &["B12", "B13"],
            &["No. 417", "No. 3"],
            &["12:30", "1:15"],
            &["2024-05-03"],
        ] {
            assert_eq!(sum(cells, unknown), None, "{cells:?}");
        }
    }

    #[test]
    fn days_are_read_if_their_order_is_known() {
        let days = |cells: &[&'static str]| match column(cells, Decimals::Unknown).kind {
            ColumnKind::Date(days) => days.into_iter().flatten().collect::<Vec<_>>().join(" "),
            _ => String::new(),
        };
        assert_eq!(days(&["3.5.2024", "13.06.24"]), "2024-05-03 2024-06-13");
        assert_eq!(days(&["2024-05-03 12:00", "2024-06-01"]), "2024-05-03 2024-06-01");
        assert_eq!(days(&["3 May 2024", "June 2024"]), "2024-05-03 2024-06-01");
        assert_eq!(days(&["5/13/2024", "6/1/2024"]), "2024-05-13 2024-06-01");
        assert_eq!(days(&["5/3/2024", "6/1/2024"]), "", "May or March");
    }
}
