//! Rows of a table that sum up others: totals, subtotals and averages.
//!
//! They are recognised by label and numbers together, because a department may be called "General".

use std::collections::HashSet;

use oriel_text::numbers::is_separator;

use crate::library::columns::Column;
use oriel_text::list_contains;

/// Words that label a row which sums up others.
const TOTALS: &str = "total totals subtotal subtotals sub-total sum sums average averages \
    summe summen gesamt gesamtsumme zwischensumme teilsumme insgesamt gesamtbetrag endsumme durchschnitt mittelwert \
    ergebnis gesamtergebnis teilergebnis totale totaux somme sous-total suma subtotale somma totaal subtotaal soma";
/// Words that label such a row together with one of [`TOTALS`]. Alone they may label any row.
const OF_TOTALS: &str = "grand overall general général générale generale balance saldo mean media média übertrag \
    net netto gross brutto vat tax taxes mwst ust mehrwertsteuer umsatzsteuer tva iva btw incl excl inkl exkl";
/// Words that label a tax below a total, or a total with or without tax.
const TAXES: &str = "net netto gross brutto vat tax taxes mwst ust mehrwertsteuer umsatzsteuer tva iva btw incl excl inkl exkl";
/// Maximum number of rows below the items of an invoice.
const MAX_FOOT: usize = 4;
/// With fewer rows above it, a last row may have their sum by chance.
const MIN_SUMMED: usize = 3;
/// Maximum number of earlier totals from which sums are computed.
const MAX_TOTALS: usize = 50;

/// The label of a row, as far as it tells that the row sums up others.
struct Label {
    words: Vec<String>,
}

impl Label {
    /// The label, if it begins or ends with one of these words.
    fn of(text: &str, known: &HashSet<&str>) -> Option<Self> {
        let pieces = text.split(|c: char| c.is_whitespace() || matches!(c, ':' | '/'));
        let pieces = pieces.map(|piece| piece.trim_matches(|c: char| !c.is_alphanumeric()));
        let pieces = pieces.filter(|piece| !piece.is_empty());
        let mut ends = pieces.clone();
        let ends = [ends.next(), ends.next_back()].map(|end| end.unwrap_or_default().to_lowercase());
        if !ends.iter().any(|end| known.contains(end.as_str())) {
            return None;
        }
        Some(Self { words: pieces.map(str::to_lowercase).collect() })
    }

    fn are_all(&self, lists: &[&str]) -> bool {
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit() || is_separator(c));
        self.words.iter().all(|word| is_number(word) || lists.iter().any(|list| list_contains(word, list)))
    }

    /// Whether it can label nothing but a total: "Grand Total".
    fn is_total(&self) -> bool {
        self.words.iter().any(|word| list_contains(word, TOTALS)) && self.are_all(&[TOTALS, OF_TOTALS])
    }

    /// "VAT 19%", "Gross"
    fn is_tax(&self) -> bool {
        self.words.iter().any(|word| list_contains(word, TAXES)) && self.are_all(&[TAXES])
    }

    fn ends_with_total(&self) -> bool {
        self.words.last().is_some_and(|word| list_contains(word, TOTALS))
    }

    /// How many numbers have to add up to the one of this row if it sums up others.
    fn least_added(&self) -> usize {
        let mut ends = self.words.first().into_iter().chain(self.words.last());
        if ends.any(|word| list_contains(word, TOTALS)) { 1 } else { 2 }
    }
}

/// The numbers of a column above a row, without totals.
#[derive(Clone, Default)]
struct Above {
    sum: f64,
    /// How many of them are not zero.
    added: usize,
    count: usize,
    lowest: Option<f64>,
    highest: Option<f64>,
    /// The sums and the numbers added at each total.
    totals: Vec<(f64, usize)>,
}

impl Above {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.added += usize::from(value != 0.0);
        self.count += 1;
        self.lowest = Some(self.lowest.map_or(value, |lowest| lowest.min(value)));
        self.highest = Some(self.highest.map_or(value, |highest| highest.max(value)));
    }

    fn note_total(&mut self) {
        if self.totals.len() == MAX_TOTALS {
            self.totals.remove(0);
        }
        self.totals.push((self.sum, self.added));
    }

    /// Whether the last numbers, from the beginning or from any total on, add up to `value`: at least `least` of them.
    fn add_up_to(&self, value: f64, least: usize) -> bool {
        let begin = [(0.0, 0)];
        let mut parts = begin.iter().chain(&self.totals);
        let is_sum = parts.any(|(sum, added)| is_near(self.sum - sum, value) && self.added - added >= least);
        let is_mean = || self.lowest != self.highest && is_near(self.sum / self.count as f64, value);
        value != 0.0 && (is_sum || is_mean())
    }
}

/// Whether two sums are the same but for their rounding.
fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.006
}

/// The rows that sum up others, ascending. Such a row has a label for it, or none where all other rows have one, and one of its
/// numbers is the sum of those above. `None` if it is unclear whether a row is one.
pub(crate) fn totals<'t>(
    columns: &[Column],
    rows: usize,
    cell: &impl Fn(usize, usize) -> &'t str,
) -> Option<Vec<usize>> {
    let named = (0..rows).filter(|row| !cell(*row, 0).is_empty()).count();
    let known: HashSet<&str> = TOTALS.split_whitespace().chain(OF_TOTALS.split_whitespace()).collect();
    let label = |row: usize| {
        let mut texts = (0..columns.len()).map(|column| cell(row, column));
        Label::of(texts.find(|text| !text.is_empty())?, &known)
    };
    let mut totals: Vec<usize> = Vec::new();
    let mut above = vec![Above::default(); columns.len()];
    let mut is_below_tax = false;
    for row in 0..rows {
        let own = label(row);
        let numbers = || {
            let value = move |column: usize| columns[column].numbers()?.values[row];
            above.iter().enumerate().filter_map(move |(column, above)| Some((above, value(column)?)))
        };
        let adds_up = |least: usize| numbers().any(|(above, value)| above.add_up_to(value, least));
        let is_foot = || rows - row <= MAX_FOOT && (row..rows).all(|row| label(row).is_some());
        let is_below_total = row > 0 && totals.last() == Some(&(row - 1));
        let is_unnamed = row > 1 && cell(row, 0).is_empty() && named + 2 >= rows;
        // With a tax below the net total, the sum that is asked for may be either.
        if own.as_ref().is_some_and(Label::is_tax) && is_below_total && is_foot() {
            return None;
        }
        let sums_up = |own: &Label| own.is_total() || adds_up(own.least_added());
        let is_total = own.as_ref().is_some_and(sums_up) || is_unnamed && adds_up(1);
        if is_total {
            // An invoice whose items, tax and total do not add up is not understood.
            if is_below_tax && !adds_up(1) {
                return None;
            }
            totals.push(row);
            above.iter_mut().for_each(Above::note_total);
            continue;
        }
        let is_whole = |(above, value): (&Above, f64)| is_near(above.sum, value);
        let is_sum_at_end = row + 1 == rows
            && row >= MIN_SUMMED
            && numbers().all(is_whole)
            && numbers().any(|(above, value)| value != 0.0 && above.added > 1);
        if is_sum_at_end || own.as_ref().is_some_and(Label::ends_with_total) && numbers().next().is_some() {
            return None;
        }
        is_below_tax = own.is_some_and(|own| own.is_tax());
        for (column, above) in above.iter_mut().enumerate() {
            if let Some(value) = columns[column].numbers().and_then(|numbers| numbers.values[row]) {
                above.add(value);
            }
        }
    }
    Some(totals)
}

#[cfg(test)]
mod tests {
    use oriel_core::CancelToken;
    use oriel_text::numbers::Decimals;

    use super::*;
    use crate::library::columns::type_columns;

    #[test]
    fn rows_that_sum_up_others_are_known_by_their_label_and_their_sum() {
        let rows = |rows: &[[&'static str; 2]]| {
            let heads = vec!["item".to_owned(), "amount".to_owned()];
            let cell = |row: usize, column: usize| rows[row][column];
            let columns =
                type_columns(heads, rows.len(), cell, Decimals::Point, &CancelToken::new()).unwrap();
            totals(&columns, rows.len(), &cell)
        };
        let none = Some(Vec::new());
        assert_eq!(rows(&[["General", "100"], ["Media", "200"], ["Sales", "300"]]), none);
        assert_eq!(rows(&[["Sales", "100"], ["General", "100"], ["Media", "100"]]), none);
        assert_eq!(rows(&[["Oil", "100"], ["Total Energies", "70"]]), none);
        assert_eq!(rows(&[["Rope", "1"], ["Oil", "2"], ["Tar", "9"], ["Total", "11"]]), Some(vec![3]));
        assert_eq!(
            rows(&[
                ["North", "1"],
                ["North Total", "1"],
                ["South", "2"],
                ["South", "3"],
                ["South Total", "5"],
                ["Nord Ergebnis", "6"],
                ["Gesamtergebnis", "6"],
            ]),
            Some(vec![1, 4, 5, 6])
        );
        let items = [["Rope", "100"], ["Oil", "200"]];
        let invoice = |foot: &[[&'static str; 2]]| rows(&[&items[..], foot].concat());
        assert_eq!(invoice(&[["Net", "300"], ["VAT 19%", "57"], ["Total", "357"]]), None);
        assert_eq!(invoice(&[["Netto", "300"], ["MwSt.", "57"], ["Brutto", "357"]]), None);
        assert_eq!(invoice(&[["VAT", "57"], ["Total", "357"]]), Some(vec![3]));
        assert_eq!(
            invoice(&[["Net", "290"], ["VAT", "57"], ["Total", "357"]]),
            None,
            "a discount is missing"
        );
        assert_eq!(invoice(&[["Media", "150"]]), Some(vec![2]), "their average");
        assert_eq!(invoice(&[["Tar", "5"], ["All departments", "305"]]), None, "it may be the sum");
        assert_eq!(
            invoice(&[["Tar", "5"], ["North Total", "300"]]),
            None,
            "it is of rows that are not known"
        );
    }
}
