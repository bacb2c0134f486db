//! Finds tables that are side by side on a sheet, separated by an empty column.

use std::ops::Range;

use super::header::{filled, is_header, is_number};

/// With more groups of columns, the rows are one table.
const MAX_GROUPS: usize = 20;

/// The columns of each table in consecutive rows; one range if there is a single table.
///
/// An empty column can also be inside a table. The part to its right is another table only if it has its own labels,
/// and if titles or headers are in the same row.
pub(super) fn tables(rows: &[(u32, Vec<String>)]) -> Vec<Range<usize>> {
    let width = rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let mut is_used = vec![false; width];
    for (_, cells) in rows {
        for (column, cell) in cells.iter().enumerate() {
            is_used[column] |= !cell.is_empty();
        }
    }
    let mut groups: Vec<Range<usize>> = Vec::new();
    for column in (0..width).filter(|column| is_used[*column]) {
        match groups.last_mut().filter(|last| last.end == column) {
            Some(last) => last.end = column + 1,
            None => groups.push(column..column + 1),
        }
    }
    let mut tables: Vec<Range<usize>> = Vec::new();
    if groups.len() <= MAX_GROUPS {
        for group in groups {
            match tables.last_mut() {
                Some(left) if !are_apart(rows, left, &group) => left.end = group.end,
                _ => tables.push(group),
            }
        }
    }
    if tables.len() < 2 {
        tables.clear();
        tables.push(0..width);
    }
    tables
}

/// The cells of a row in these columns.
pub(super) fn cells_in<'a>(cells: &'a [String], columns: &Range<usize>) -> &'a [String] {
    &cells[columns.start.min(cells.len())..columns.end.min(cells.len())]
}

fn are_apart(rows: &[(u32, Vec<String>)], left: &Range<usize>, right: &Range<usize>) -> bool {
    let side = |columns| rows.iter().map(|(_, cells)| cells_in(cells, columns)).collect::<Vec<_>>();
    let (left, right) = (side(left), side(right));
    let (Some(first_left), Some(first_right)) = (first_row(&left), first_row(&right)) else { return false };
    let labels = right[first_right + 1..].iter().filter(|cells| filled(cells) > 1);
    let labels: Vec<bool> = labels.map(|cells| !cells[0].is_empty() && !is_number(&cells[0])).collect();
    if labels.iter().filter(|is_label| **is_label).count() * 2 <= labels.len() {
        return false;
    }
    let titles = |(left, right): (&&[String], &&[String])| filled(left) == 1 && filled(right) == 1;
    let have_titles = left.iter().zip(&right).take(first_left.min(first_right)).any(titles);
    let starts_alike = first_left == first_right && left[first_left][0] == right[first_right][0];
    let have_headers = [(&left, first_left), (&right, first_right)]
        .iter()
        .all(|(side, first)| side.get(first + 1).is_some_and(|next| is_header(side[*first], next)));
    have_titles || starts_alike || have_headers
}

/// The first row with several cells, if another row has several too.
fn first_row(rows: &[&[String]]) -> Option<usize> {
    let mut several = (0..rows.len()).filter(|row| filled(rows[*row]) > 1);
    several.next().filter(|_| several.next().is_some())
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a single table is one range")]
mod tests {
    use super::*;

    fn found(sheet: &str) -> Vec<Range<usize>> {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        let rows: Vec<(u32, Vec<String>)> = (1..).zip(sheet.lines().map(cells)).collect();
        tables(&rows)
    }

    #[test]
    fn tables_with_labels_of_their_own_are_two() {
        let two = vec![0..2, 3..5];
        assert_eq!(
            found("Costs,,,Staff\nItem,Price,,Name,Age\nPaint,4,,Ada,40\nRope,9,,Bo,50"),
            two,
            "titles"
        );
        assert_eq!(found("Item,Price,,Item,Price\nPaint,4,,Oil,40\nRope,9,,Wax,50"), two, "the same header");
        assert_eq!(found("Item,Price,,Name,Age\nPaint,4,,Ada,40\nRope,9,,Bo,50\nWax,3"), two, "headers");
    }

    #[test]
    fn an_empty_column_within_a_table_divides_nothing() {
        assert_eq!(found("Hall,Rent,,2023,2024\nNorth,a,,4,5\nSouth,b,,6,7\nTotal,c"), [0..5], "numbers");
        assert_eq!(found("Name,Age,,Street,Town\nAda,40,,Main,Rome\nBo,50,,Mill,Bonn"), [0..5], "words");
        assert_eq!(found("Register\nName,Age,,Street,Town\nAda,40,,Main,Rome\nBo,50,,Mill,Bonn"), [0..5]);
        assert_eq!(found("Name,,Town\nAda,,Rome\nBo,,Bonn\nCy"), [0..3]);
        assert_eq!(found(""), [0..0]);
    }
}
