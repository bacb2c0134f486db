//! The number that a table gives: which rows it is of and what was computed.

use super::pick;
use crate::answer::sum_meanings::Reading;
use crate::library::columns::Numbers;
use crate::library::table_query::{Aggregate, Condition, Found, Group, TableQuery};
use crate::library::tables::{DocumentTable, MAX_CELLS, MAX_COLUMNS};

/// So many groups, or rows with the same highest number, are named.
const MAX_NAMED: usize = 20;

/// What a query found in a table, to be said.
pub(crate) struct Said<'a> {
    pub query: &'a TableQuery,
    pub found: &'a Found,
    pub table: &'a DocumentTable<'a>,
    /// What the table is called: `members.csv`.
    pub name: &'a str,
    pub is_german: bool,
}

impl Said<'_> {
    /// The English or the German words.
    fn pick<'w>(&self, english: &'w str, german: &'w str) -> &'w str {
        pick(self.is_german, english, german)
    }

    fn head(&self, column: usize) -> &str {
        &self.table.columns[column].head
    }

    fn numbers(&self) -> Option<&Numbers> {
        self.table.columns[self.query.measure?].numbers()
    }

    /// The number as the table writes it; counts and shares plain.
    pub(crate) fn number(&self, value: f64) -> String {
        match (self.query.aggregate, self.numbers()) {
            (Aggregate::Average, Some(numbers)) if numbers.decimals < 2 => {
                let exact = numbers.shown(value, 2, self.is_german);
                let rounded = |decimals: usize| numbers.shown(value, decimals, self.is_german);
                // As few decimals as say the same.
                let scaled = (value * 100.0).round();
                let decimals = if scaled % 100.0 == 0.0 {
                    0
                } else if scaled % 10.0 == 0.0 {
                    1
                } else {
                    2
                };
                if decimals == 2 { exact } else { rounded(decimals.max(numbers.decimals)) }
            }
            (
                Aggregate::Sum
                | Aggregate::Average
                | Aggregate::Highest
                | Aggregate::Lowest
                | Aggregate::Range,
                Some(numbers),
            ) => numbers.shown(value, numbers.decimals, self.is_german),
            _ => format!("{value}"),
        }
    }

    /// The units of the column that is computed, if it has several and its numbers cannot be put together.
    fn units(&self) -> Option<Vec<String>> {
        let numbers = self.numbers().filter(|_| self.query.aggregate != Aggregate::Different)?;
        let first = format!("{}{}", numbers.unit.0, numbers.unit.1).trim().to_owned();
        let units = std::iter::once(first).chain(numbers.other_units.iter().cloned());
        let named = units.map(|unit| if unit.is_empty() { "–".to_owned() } else { unit });
        (!numbers.other_units.is_empty()).then(|| named.collect())
    }

    /// How many of a hundred rows are met, as it is said.
    fn share(&self) -> (f64, String) {
        let share = self.found.met as f64 * 100.0 / self.table.rows.len() as f64;
        let said = format!("{share:.1}");
        let said = said.strip_suffix(".0").unwrap_or(&said);
        (share, format!("{}%", if self.is_german { said.replace('.', ",") } else { said.to_owned() }))
    }

    /// The one number that it says, and as it is said; `None` if it says none, or several.
    pub(crate) fn value(&self) -> Option<(f64, String)> {
        let value = self.found.value.filter(|_| self.units().is_none())?;
        Some(match self.query.aggregate {
            Aggregate::Share => self.share(),
            _ => (value, self.number(value)),
        })
    }

    /// The whole sentence. It ends with a point.
    pub(crate) fn sentence(&self) -> String {
        let Found { value, groups, .. } = self.found;
        let rows = self.rows();
        if let (Some(units), Some(column)) = (self.units(), self.query.measure) {
            let head = self.head(column);
            return match self.is_german {
                true => format!(
                    "{head} hat mehrere Einheiten ({}) und lässt sich nicht zusammenrechnen.",
                    units.join(", ")
                ),
                false => format!(
                    "{head} has several units ({}), so its numbers cannot be put together.",
                    units.join(", ")
                ),
            };
        }
        if self.query.group.is_some() {
            let of_groups = self.of_groups(groups, &rows);
            return match value.filter(|_| self.query.is_difference) {
                Some(value) => {
                    let difference = self.pick("Difference", "Differenz");
                    format!("{difference} {}: {of_groups}", self.number(value))
                }
                None => of_groups,
            };
        }
        let what = self.what();
        match (self.query.aggregate, value) {
            (Aggregate::Count, _) if self.query.conditions.is_empty() => {
                format!("{rows} in {}.", self.name)
            }
            (Aggregate::Count, _) => format!("{rows}."),
            (Aggregate::Share, Some(_)) => {
                format!("{} ({rows}).", self.share().1)
            }
            (Aggregate::Different, Some(value)) => format!("{value} {what} ({rows})."),
            (Aggregate::Highest | Aggregate::Lowest, Some(_)) => self.extreme(&rows),
            (_, Some(value)) => format!("{} ({what}{}{rows}).", self.number(*value), self.joint()),
            (_, None) => {
                let none = match self.found.met {
                    0 => self.pick("No such rows", "Keine solchen Zeilen"),
                    _ => self.pick("No row has a number", "Keine Zeile hat eine Zahl"),
                };
                format!("{none}: {what}{}{rows}.", self.joint())
            }
        }
    }

    /// What stands between what is computed and the rows: conditions have commas of their own.
    fn joint(&self) -> &'static str {
        if self.query.conditions.is_empty() { ", " } else { "; " }
    }

    /// "sum of donation"
    fn what(&self) -> String {
        let of = match self.query.aggregate {
            Aggregate::Sum => self.pick("sum of", "Summe von"),
            Aggregate::Average => self.pick("average of", "Durchschnitt von"),
            Aggregate::Highest => self.pick("highest", "höchster Wert von"),
            Aggregate::Lowest => self.pick("lowest", "niedrigster Wert von"),
            Aggregate::Range => self.pick("highest less lowest", "höchster weniger niedrigster Wert von"),
            Aggregate::Different => self.pick("different values of", "verschiedene Werte von"),
            Aggregate::Count | Aggregate::Share => return self.pick("rows", "Zeilen").to_owned(),
        };
        self.query.measure.map_or_else(String::new, |column| format!("{of} {}", self.head(column)))
    }

    /// "status = married: 69 of 159 rows", with how many of them have no number.
    fn rows(&self) -> String {
        let (met, all) = (self.found.met, self.table.rows.len());
        let noun = |count: usize| match (count, self.is_german) {
            (1, true) => "Zeile",
            (_, true) => "Zeilen",
            (1, false) => "row",
            (_, false) => "rows",
        };
        let conditions: Vec<String> = self.query.conditions.iter().map(|one| self.condition(one)).collect();
        let counted = match conditions.is_empty() {
            true => format!("{all} {}", noun(all)),
            false => {
                let of = self.pick("of", "von");
                format!("{}: {met} {of} {all} {}", conditions.join(", "), noun(all))
            }
        };
        let without = met - self.found.rows.len().min(met);
        match (without, self.numbers()) {
            (1.., Some(_)) => {
                let missing = self.pick("without a number", "ohne Zahl");
                format!("{counted}; {without} {} {missing}", noun(without))
            }
            _ => counted,
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let head = self.head(condition.column());
        match condition {
            Condition::Is { values, .. } => {
                let empty = self.pick("empty", "leer");
                let mut shown: Vec<&str> =
                    values.iter().map(|cell| if cell.is_empty() { empty } else { cell }).collect();
                shown.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
                format!("{head} = {}", shown.join(self.pick(" or ", " oder ")))
            }
            Condition::HasText { .. } => format!("{head} {}", self.pick("is filled in", "ausgefüllt")),
            Condition::Compares { operator, number, column } => {
                let written = format!("{number}");
                let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                let numbers = self.table.columns[*column].numbers();
                let shown =
                    numbers.map_or(written, |numbers| numbers.shown(*number, decimals, self.is_german));
                let sign = operator.sign().replace(">=", "≥").replace("<=", "≤");
                format!("{head} {sign} {shown}")
            }
            Condition::In { from, before, .. } => match (from, before) {
                (Some(from), Some(before)) => format!("{from} ≤ {head} < {before}"),
                (Some(from), None) => format!("{head} ≥ {from}"),
                (None, Some(before)) => format!("{head} < {before}"),
                (None, None) => head.to_owned(),
            },
            Condition::InMonth { month, .. } => {
                format!("{} {head} = {month}", self.pick("month of", "Monat von"))
            }
        }
    }

    /// "Bo Mohr (940): the highest donation of 159 rows."
    fn extreme(&self, rows: &str) -> String {
        let Some(numbers) = self.numbers() else { return String::new() };
        let value = |row: usize| numbers.values[row].unwrap_or_default();
        let top = self.query.top.unwrap_or(1).clamp(1, MAX_NAMED);
        let least = self.found.rows.get(top - 1).or(self.found.rows.last()).map(|row| value(*row));
        // Rows with the same number as the last one belong to it.
        let shown = self
            .found
            .rows
            .iter()
            .copied()
            .enumerate()
            .take_while(|(at, row)| *at < top || Some(value(*row)) == least);
        let shown: Vec<usize> = shown.map(|(_, row)| row).collect();
        let more = shown.len().saturating_sub(MAX_NAMED);
        let named: Vec<String> = shown
            .iter()
            .take(MAX_NAMED)
            .map(|row| {
                let number = self.number(value(*row));
                match self.query.name.map(|name| self.table.cell(*row, name)).filter(|name| !name.is_empty())
                {
                    Some(name) => format!("{name} ({number})"),
                    None => number,
                }
            })
            .collect();
        format!("{}{}: {}{}{rows}.", named.join(", "), self.more(more), self.what(), self.joint())
    }

    fn more(&self, count: usize) -> String {
        match count {
            0 => String::new(),
            _ => format!(" {} {count} {}", self.pick("and", "und"), self.pick("more", "weitere")),
        }
    }

    /// "donation by status: single 940; married 84 (sum of donation, 4 rows)."
    fn of_groups(&self, groups: &[(String, f64, usize)], rows: &str) -> String {
        let by = match self.query.group {
            Some(Group::Cell(column)) => self.head(column).to_owned(),
            Some(Group::Year(column)) => {
                format!("{} {}", self.pick("year of", "Jahr von"), self.head(column))
            }
            Some(Group::Month(column)) => {
                format!("{} {}", self.pick("month of", "Monat von"), self.head(column))
            }
            None => String::new(),
        };
        let top = self.query.top.unwrap_or(MAX_NAMED).clamp(1, MAX_NAMED);
        let least = groups.get(top - 1).or(groups.last()).map(|group| group.1);
        let is_tied = |group: &(String, f64, usize)| self.query.top.is_some() && Some(group.1) == least;
        let shown: Vec<_> =
            groups.iter().enumerate().take_while(|(at, group)| *at < top || is_tied(group)).collect();
        let named = shown.iter().take(MAX_NAMED).map(|(_, (group, number, _))| {
            let group = if group.is_empty() { self.pick("(empty)", "(leer)") } else { group };
            format!("{group} ({})", self.number(*number))
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let left = if self.query.top.is_some() { 0 } else { groups.len() - shown.len() };
        let is_count = self.query.measure.is_none();
        let most = match (self.query.top, self.query.lowest_first, is_count) {
            (None, ..) => "",
            (Some(_), false, true) => self.pick("the most ", "die meisten "),
            (Some(_), true, true) => self.pick("the fewest ", "die wenigsten "),
            (Some(_), false, false) => self.pick("the highest ", "höchste "),
            (Some(_), true, false) => self.pick("the lowest ", "niedrigste "),
        };
        format!(
            "{named}{}: {most}{} {} {by}{}{rows}.",
            self.more(left),
            self.what(),
            self.pick("by", "nach"),
            self.joint()
        )
    }
}

/// Says that a table has no such column, and lists its columns.
pub(crate) fn no_column(words: &[String], table: &DocumentTable<'_>, name: &str, is_german: bool) -> String {
    let heads: Vec<&str> =
        table.columns.iter().map(|column| column.head.as_str()).filter(|head| !head.is_empty()).collect();
    let (words, heads) = (words.join(" "), heads.join(", "));
    match is_german {
        true => format!("{name} hat keine Spalte „{words}“. Ihre Spalten sind: {heads}."),
        false => format!("{name} has no column “{words}”. Its columns are: {heads}."),
    }
}

/// That a table has too many cells or columns.
pub(crate) fn too_many_cells(name: &str, is_german: bool) -> String {
    match is_german {
        true => {
            format!("{name} ist zu groß zum Rechnen: mehr als {MAX_CELLS} Zellen oder {MAX_COLUMNS} Spalten.")
        }
        false => {
            format!(
                "{name} is too large to compute: it has more than {MAX_CELLS} cells or {MAX_COLUMNS} columns."
            )
        }
    }
}

/// That a column has words, not numbers.
pub(crate) fn no_numbers(column: usize, table: &DocumentTable<'_>, name: &str, is_german: bool) -> String {
    let head = &table.columns[column].head;
    match is_german {
        true => format!("Die Spalte {head} in {name} enthält keine Zahlen, sondern Text."),
        false => format!("The column {head} of {name} holds words, not numbers."),
    }
}

/// A sentence that says as which columns words of the question were read.
pub(crate) fn read_as(read: &[Reading], is_german: bool) -> String {
    let quoted = |(word, head): &Reading| match is_german {
        true => format!("„{word}“ als „{head}“"),
        false => format!("“{word}” as “{head}”"),
    };
    let pairs: Vec<String> = read.iter().map(quoted).collect();
    match is_german {
        true => format!(" Gelesen: {}.", pairs.join(", ")),
        false => format!(" I read {}.", pairs.join(" and ")),
    }
}

/// Says that more tables answer than are shown.
pub(crate) fn more_tables(is_german: bool) -> &'static str {
    pick(
        is_german,
        "More tables fit this question: choose a file.",
        "Weitere Tabellen passen zu dieser Frage: Wählen Sie eine Datei.",
    )
}
