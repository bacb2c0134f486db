//! Builds the query of a question whose words all match a table.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::library::columns::ColumnKind;
use crate::library::table_query::{Aggregate, Condition, Group, TableQuery};
use crate::question::sums::fit::{FILLERS, Fit, Matching, YEARS};
use crate::question::sums::lists::AGE;
use crate::question::sums::matching::{head_words, normal};
use oriel_text::list_contains;

/// Nouns that do not mean rows.
const PARTS: &str = "columns sheets tables files spreadsheets values spalten tabellen dateien blätter werte";
/// Words in heads of columns whose numbers must not be added.
const UNITS: &str = "unit per pro je each rate percent percentage average einzelpreis stückpreis stuckpreis satz prozent anteil durchschnitt";
/// Words in heads of columns whose numbers identify rows.
const KEYS: &str = "id ids no nr number nummer code zip plz postcode phone telefon";
/// Words in heads of columns of quantities.
const QUANTITIES: &str = "quantity quantities qty stock pieces units count menge anzahl bestand stück stuck stückzahl stuckzahl lagerbestand";
/// Words beside them in such heads.
const OF_QUANTITIES: &str = "in on of at hand ordered available level number total im am auf lager";
/// Words for the rows themselves.
const ROWS: &str =
    "row rows entry entries record records line lines zeile zeilen eintrag einträge datensätze";
/// Heads of columns that name the row.
const NAMES: &str = "name names nom nombre nome naam";

impl Matching<'_> {
    /// The query, after all words have matched.
    pub(super) fn query(&self) -> Fit {
        let question = self.question;
        let group = self.group.map(Group::column);
        let compared: Vec<usize> = self.conditions.iter().map(Condition::column).chain(group).collect();
        let numeric = self.numeric_heads();
        let mut measures: Vec<usize> =
            numeric.iter().copied().filter(|column| !compared.contains(column)).collect();
        let sums = matches!(question.aggregate, Aggregate::Sum | Aggregate::Average | Aggregate::Range);
        let is_extreme = matches!(question.aggregate, Aggregate::Highest | Aggregate::Lowest);
        if measures.is_empty() && (sums || is_extreme) {
            measures.clone_from(&numeric);
        }
        if let Some(sense) = question.sense {
            measures.extend(self.column_of(sense.heads).filter(|column| !measures.contains(column)));
        }
        let is_text = |column: &usize| !self.is_numeric(*column) && !compared.contains(column);
        let texts = self.heads.iter().filter(|(_, column)| is_text(column)).cloned();
        // "The open invoices" are the rows of invoices.csv.
        let is_row = |at: &Range<usize>| sums && at.clone().all(|at| self.is_name(self.word(at)));
        let texts: Vec<(Range<usize>, usize)> = texts.filter(|(at, _)| !is_row(at)).collect();
        let missing = || Fit::Missing(Vec::new());
        if measures.len() > 1 {
            return missing();
        }
        let measure = measures.first().copied();
        let query = TableQuery {
            aggregate: question.aggregate,
            measure,
            conditions: self.conditions.clone(),
            group: self.group,
            name: None,
            top: None,
            is_difference: false,
            lowest_first: question.aggregate == Aggregate::Lowest,
        };
        if question.is_difference {
            return self.difference(query, &texts).map_or_else(missing, Fit::Query);
        }
        match question.aggregate {
            Aggregate::Count | Aggregate::Share | Aggregate::Different => {
                self.count(query, &texts).map_or_else(missing, Fit::Query)
            }
            Aggregate::Sum | Aggregate::Average | Aggregate::Range => match (measure, &texts[..]) {
                (Some(column), []) if question.aggregate == Aggregate::Sum && self.is_of_one(column) => {
                    missing()
                }
                (Some(_), []) if question.is_grouped && query.group.is_none() => missing(),
                (Some(_), []) => Fit::Query(query),
                (None, [(_, column)]) => Fit::NoNumbers(*column),
                (None, []) if question.is_plain => match self.numeric()[..] {
                    [only] if self.is_named && self.can_be_meant(only) => {
                        Fit::Query(TableQuery { measure: Some(only), ..query })
                    }
                    _ => missing(),
                },
                _ => missing(),
            },
            Aggregate::Highest | Aggregate::Lowest => self.extreme(query, &texts),
        }
    }

    fn is_called(&self, column: usize, list: &str) -> bool {
        head_words(&self.table.columns[column].head).iter().any(|word| list_contains(word, list))
    }

    /// Whether the numbers of a column are per unit, so that their sum means nothing.
    fn is_of_one(&self, column: usize) -> bool {
        self.is_called(column, UNITS)
    }

    /// Whether "the total" or "the average" without a word for the column may mean this column.
    fn can_be_meant(&self, column: usize) -> bool {
        let is_sum = self.question.aggregate == Aggregate::Sum;
        let is_of_one = self.is_of_one(column) || self.is_called(column, AGE.heads);
        !(is_sum && is_of_one || self.is_called(column, KEYS) || self.is_called(column, YEARS))
    }

    /// The difference of two groups whose cells are named: "between the donations of married and single members".
    fn difference(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Option<TableQuery> {
        let cells = |one: &Condition| match one {
            Condition::Is { column, values } => {
                let different: BTreeSet<String> = values.iter().map(|cell| normal(cell)).collect();
                (different.len() == 2).then_some(*column)
            }
            _ => None,
        };
        let [column] = query.conditions.iter().filter_map(cells).collect::<Vec<_>>()[..] else { return None };
        let has_measure = query.measure.is_some() != (query.aggregate == Aggregate::Count);
        let is_plain = has_measure && query.group.is_none() && texts.is_empty();
        is_plain.then_some(TableQuery { group: Some(Group::Cell(column)), is_difference: true, ..query })
    }

    fn count(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Option<TableQuery> {
        let question = self.question;
        let is_counted = |at: usize| question.count_end == Some(at);
        let has_numbers = query.measure.is_some();
        let mut query = query;
        if has_numbers {
            // "How many hours" asks for their sum.
            let is_asked =
                self.heads.iter().any(|(at, column)| Some(*column) == query.measure && is_counted(at.start));
            let is_sum = is_asked && question.aggregate == Aggregate::Count && !question.is_different;
            return (is_sum && texts.is_empty()).then_some(TableQuery { aggregate: Aggregate::Sum, ..query });
        }
        if question.count_end.is_some_and(|at| list_contains(self.word(at), PARTS)) {
            return None;
        }
        for (at, column) in texts {
            let is_first = is_counted(at.start) || question.is_different;
            let is_had = (at.start.saturating_sub(2)..at.start)
                .any(|before| list_contains(self.word(before), "have has with haben hat mit"));
            if is_first && question.aggregate == Aggregate::Count {
                if question.is_different || self.repeats(*column) {
                    query = TableQuery { aggregate: Aggregate::Different, measure: Some(*column), ..query };
                }
            } else if is_had && matches!(self.table.columns[*column].kind, ColumnKind::Text) {
                query.conditions.push(Condition::HasText { column: *column });
            } else {
                return None;
            }
        }
        if question.aggregate == Aggregate::Count && !question.is_different {
            query = self.pieces(query, texts)?;
        }
        let is_whole =
            question.aggregate != Aggregate::Share || query.conditions.len() == 1 && query.group.is_none();
        let is_of_other = question.is_different && query.aggregate != Aggregate::Different;
        (is_whole && !is_of_other).then_some(query)
    }

    /// "How many chairs do we have?" asks for the sum of quantities if the table has them; `None` if it is unclear whether rows or
    /// pieces are meant.
    fn pieces(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Option<TableQuery> {
        // "Red chairs", "of our chairs"
        let counted: Vec<usize> = (self.question.count_end?..self.question.words.len())
            .skip_while(|at| {
                list_contains(self.word(*at), "of the our my these those von den der die unserer")
            })
            .take_while(|at| !list_contains(self.word(*at), FILLERS))
            .collect();
        let is_named = counted.iter().any(|at| self.is_name(self.word(*at)));
        let is_cell =
            !is_named && counted.first().is_some_and(|at| self.cells.iter().any(|cell| cell.contains(at)));
        let mut quantities = self.numeric();
        quantities.retain(|column| {
            let head = head_words(&self.table.columns[*column].head);
            head.iter().any(|word| list_contains(word, QUANTITIES))
                && head
                    .iter()
                    .all(|word| list_contains(word, QUANTITIES) || list_contains(word, OF_QUANTITIES))
        });
        match quantities[..] {
            // A column "number" may count pieces or identify the row.
            [] => {
                let is_number = |column: usize| head_words(&self.table.columns[column].head) == ["number"];
                let may_count = is_cell && self.numeric().into_iter().any(is_number);
                (!may_count).then_some(query)
            }
            _ if counted.iter().any(|at| list_contains(self.word(*at), ROWS)) => Some(query),
            [quantity] if is_cell => {
                Some(TableQuery { aggregate: Aggregate::Sum, measure: Some(quantity), ..query })
            }
            _ => {
                let is_limited = !query.conditions.is_empty();
                let are_rows = !texts.is_empty() && (is_limited || is_named);
                (are_rows || counted.is_empty() && !is_limited).then_some(query)
            }
        }
    }

    /// "Who has the highest donation?", "Which city has the most members?"
    fn extreme(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Fit {
        let question = self.question;
        let missing = || Fit::Missing(Vec::new());
        let asked = match texts {
            [] => None,
            [(_, column)] => Some(*column),
            _ => return missing(),
        };
        let top = Some(question.top.unwrap_or(1));
        if question.is_common && query.measure.is_some() {
            return missing();
        }
        // "Who donated the most?" adds the rows of each name.
        let name = asked.or_else(|| self.name_column());
        let adds_up =
            question.is_most && question.of_groups.is_none() && name.is_some_and(|name| self.repeats(name));
        if let (Some(_), Some(name), true, None) = (query.measure, name, adds_up, query.group) {
            return Fit::Query(TableQuery {
                aggregate: Aggregate::Sum,
                group: Some(Group::Cell(name)),
                top,
                ..query
            });
        }
        let group = query.group.or(asked.map(Group::Cell));
        match (query.measure, question.of_groups, group) {
            (Some(_), None, None) => Fit::Query(TableQuery { name: self.name_column(), top, ..query }),
            (Some(_), None, Some(Group::Cell(name))) if query.group.is_none() => {
                Fit::Query(TableQuery { name: Some(name), top, ..query })
            }
            (Some(_), Some(aggregate), Some(_)) => Fit::Query(TableQuery { aggregate, group, top, ..query }),
            (None, None, Some(_)) if query.group.is_none() && !self.is_person_asked() => {
                Fit::Query(TableQuery { aggregate: Aggregate::Count, group, top, ..query })
            }
            (None, ..) if asked.is_some_and(|_| self.is_person_asked()) => {
                Fit::NoNumbers(asked.unwrap_or_default())
            }
            _ => missing(),
        }
    }

    /// Whether a column contains equal cells.
    fn repeats(&self, column: usize) -> bool {
        let cells: BTreeSet<&str> =
            (0..self.table.rows.len()).map(|row| self.table.cell(row, column)).collect();
        cells.len() < self.table.rows.len()
    }

    /// Whether the question asks for a person: "Who has the highest …?"
    fn is_person_asked(&self) -> bool {
        self.question.words.iter().any(|word| matches!(word.lower.as_str(), "who" | "wer" | "whose"))
    }

    /// The column that names the row: by its head, else the column of text with the most different cells.
    fn name_column(&self) -> Option<usize> {
        let texts = self.columns(|kind| matches!(kind, ColumnKind::Text));
        let free =
            texts.into_iter().filter(|column| !self.conditions.iter().any(|one| one.column() == *column));
        let different = |column: usize| {
            let cells: BTreeSet<&str> =
                (0..self.table.rows.len()).map(|row| self.table.cell(row, column)).collect();
            let head = head_words(&self.table.columns[column].head);
            (head.iter().any(|word| list_contains(word, NAMES)), cells.len())
        };
        // The first of equal columns.
        free.map(|column| (different(column), std::cmp::Reverse(column))).max().map(|(_, column)| column.0)
    }
}
