//! The rows that a question means: comparisons of columns with numbers and times, and columns of yes and no.

use std::collections::BTreeSet;
use std::ops::Range;

use jiff::civil::Date;
use oriel_text::list_contains;

use crate::library::columns::ColumnKind;
use crate::library::table_query::{Condition, Operator};
use crate::question::dates::{NamedTime, Naming, named_time};
use crate::question::sums::fit::{Matching, NOT, YEARS};
use crate::question::sums::lists::{AGE, Sense, is_currency};
use crate::question::sums::words::{Comparison, Time};

/// Words for cells that say yes or no.
const YES: &str = "yes y true ja wahr oui sí si sim x ✓ ✔ 1";
const NO: &str = "no n false nein falsch non não nee - 0";

impl Matching<'_> {
    /// Adds the condition for a comparison; `None` if its column is unclear.
    pub(super) fn compare(&mut self, comparison: &Comparison) -> Option<()> {
        let number = comparison.value(self.question.is_german)?;
        let column = self.compared(comparison)?;
        self.conditions.push(Condition::Compares { column, operator: comparison.operator, number });
        Some(())
    }

    fn compared(&mut self, comparison: &Comparison) -> Option<usize> {
        let age = self.column_of(AGE.heads);
        if comparison.is_age {
            return age;
        }
        let Range { start, end } = comparison.at;
        let joins = "of is are was were with a an the ist sind von mit";
        let before = (0..start).rev().find(|at| !list_contains(self.word(*at), joins));
        let adjacent = |head: &&(Range<usize>, usize)| {
            before.is_some_and(|at| head.0.contains(&at)) || head.0.start == end
        };
        if let Some((_, column)) =
            self.heads.iter().find(adjacent).filter(|(_, column)| self.is_numeric(*column))
        {
            return Some(*column);
        }
        let named = self.numeric_heads();
        let is_money = is_currency(self.word(end));
        let said = |at: usize| Sense::of(self.word(at)).find_map(|sense| self.column_of(sense.heads));
        if let Some(column) = (0..self.question.words.len()).find_map(said).filter(|_| named.is_empty()) {
            if is_money {
                self.mark(end..end + 1);
            }
            return Some(column);
        }
        if list_contains(self.word(end), "years jahre") && age.is_some() {
            let is_long = list_contains(self.word(end + 1), "old alt");
            self.mark(end..end + 1 + usize::from(is_long));
            return age;
        }
        if is_money {
            self.mark(end..end + 1);
        }
        let others: Vec<usize> = self.numeric().into_iter().filter(|column| Some(*column) != age).collect();
        // "Are over 50" is of an age; "gave more than 50" may be of any number.
        let is_said =
            |at: usize, list: &str| at.checked_sub(1).is_some_and(|at| list_contains(self.word(at), list));
        let is_of_age = list_contains(self.word(start), "over under above below über unter")
            && is_said(start, "are is were was who sind ist waren war people persons leute personen");
        match (&named[..], &others[..], age) {
            ([only], ..) if is_money || self.question.count_end.is_some() => Some(*only),
            ([], [only], _) if is_money => Some(*only),
            ([], [], Some(age)) if !is_money => Some(age),
            ([], _, Some(age)) if !is_money && is_of_age => Some(age),
            ([], [only], None) => Some(*only),
            _ => None,
        }
    }

    /// Takes the times whose naming is meant.
    pub(super) fn take_times(&mut self, is_meant: impl Fn(Naming) -> bool) {
        for time in &self.question.times {
            let named = named_time(&time.text, self.today, false);
            let is_next = |named: &NamedTime| is_meant(named.naming) && self.is_free(&time.at);
            if let Some(named) = named.filter(is_next) {
                self.take_time(time, &named);
            }
        }
    }

    /// Limits the only column of dates, or the column of years, to a time.
    fn take_time(&mut self, time: &Time, named: &NamedTime) {
        let all = self.columns(|kind| matches!(kind, ColumnKind::Date(_)));
        let by_head: Vec<usize> = all.iter().copied().filter(|column| self.names_head(*column)).collect();
        let column = match (&all[..], &by_head[..]) {
            ([only], _) | (_, [only]) => Some(*only),
            _ => None,
        };
        let conditions = match (column, self.column_of(YEARS)) {
            (Some(column), _) => vec![day_condition(column, named)],
            (None, Some(column)) => year_conditions(column, named),
            _ => Vec::new(),
        };
        if !conditions.is_empty() {
            self.conditions.extend(conditions);
            self.mark(time.at.clone());
        }
    }

    /// Takes named columns of yes and no: "How many have paid?", "… have not paid?"
    pub(super) fn take_flags(&mut self) {
        for (at, column) in self.heads.clone() {
            let cells: BTreeSet<&str> =
                (0..self.table.rows.len()).map(|row| self.table.cell(row, column)).take(1000).collect();
            let lower = |cell: &&str| cell.to_lowercase();
            let is_flag = cells.len() < 6
                && cells.iter().any(|cell| list_contains(&lower(cell), YES))
                && cells.iter().all(|cell| {
                    cell.is_empty() || list_contains(&lower(cell), YES) || list_contains(&lower(cell), NO)
                });
            if !is_flag || self.conditions.iter().any(|one| one.column() == column) || self.is_numeric(column)
            {
                continue;
            }
            let not =
                (at.start.saturating_sub(3)..at.start).find(|before| list_contains(self.word(*before), NOT));
            if let Some(not) = not {
                self.mark(not..not + 1);
            }
            let wanted = if not.is_some() { NO } else { YES };
            // An empty cell among crosses means no.
            let is_it = |cell: &&str| list_contains(&lower(cell), wanted) || cell.is_empty() && not.is_some();
            self.condition(column, cells.iter().copied().filter(is_it).map(str::to_owned).collect());
        }
    }
}

/// The condition of a time on a column of dates. "In May" means May of any year.
fn day_condition(column: usize, time: &NamedTime) -> Condition {
    if let (Naming::Yearless, Some(first), Some(last)) = (time.naming, time.since, time.until)
        && first == last.first_of_month()
        && last == first.last_of_month()
    {
        return Condition::InMonth { column, month: first.month() };
    }
    let day = |day: Date| day.to_string();
    let before = time.until.and_then(|last| last.tomorrow().ok());
    Condition::In { column, from: time.since.map(day), before: before.map(day) }
}

/// The conditions of a time on a column of years; none if the time is not of whole years.
fn year_conditions(column: usize, time: &NamedTime) -> Vec<Condition> {
    let is_whole = time.since.is_none_or(|first| first == first.first_of_year())
        && time.until.is_none_or(|last| last == last.last_of_year());
    let year = |day: Option<Date>| day.map(Date::year).filter(|_| is_whole);
    let compares = |operator, year: i16| Condition::Compares { column, operator, number: f64::from(year) };
    match (year(time.since), year(time.until)) {
        (Some(first), Some(last)) if first == last => vec![compares(Operator::Equals, first)],
        (first, last) => {
            let first = first.map(|year| compares(Operator::AtLeast, year));
            first.into_iter().chain(last.map(|year| compares(Operator::AtMost, year))).collect()
        }
    }
}
