//! Decides which row of a table is its header.

/// The number of cells with text in a row.
pub(super) fn filled(cells: &[String]) -> usize {
    cells.iter().filter(|cell| !cell.is_empty()).count()
}

/// Whether a cell is a number rather than words.
pub(super) fn is_number(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    digits > 0 && cell.chars().filter(|c| c.is_alphabetic()).count() < digits
}

/// Whether a row names the columns of the next row: it consists of words or years, and one of the cells below is a
/// number.
pub(super) fn is_header(row: &[String], next: &[String]) -> bool {
    // The cells above row labels may be empty.
    let named = || row.iter().skip_while(|cell| cell.is_empty());
    let are_years = || {
        let years: Vec<u32> = named().filter_map(|cell| cell.parse().ok()).collect();
        let is_row = years.is_sorted_by(|a, b| a < b) || years.is_sorted_by(|a, b| a > b);
        years.len() > 1 && is_row && years.iter().all(|year| (1900..2100).contains(year))
    };
    filled(row) > 1
        && named().all(|cell| !cell.is_empty())
        && (!named().any(|cell| is_number(cell))
            || (are_years() && named().all(|cell| !is_number(cell) || cell.len() == 4)))
        && next.iter().any(|cell| is_number(cell))
}
