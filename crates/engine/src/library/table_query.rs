//! Queries over a table of a document, in a database in memory that holds only the columns that are asked for.

use std::time::{Duration, Instant};

use oriel_core::CancelToken;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::error::EngineError;
use crate::library::columns::ColumnKind;
use crate::library::tables::DocumentTable;

/// Maximum time of a query.
const MAX_TIME: Duration = Duration::from_secs(5);
/// Steps of the database between two checks of the time.
const STEPS: i32 = 10_000;
/// Rows between two checks for cancellation.
const ROWS: usize = 4096;
/// Texts of cells without a value, in lower case.
const NOTHING: [&str; 16] = [
    "", "-", "–", "—", "?", "n/a", "n.a.", "na", "none", "null", "nil", "no", "nein", "k.a.", "k. a.",
    "keine",
];
/// The name of the column with the number of the row.
const ROW: &str = "row number";

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    /// How many rows.
    Count,
    /// How many of a hundred rows.
    Share,
    /// How many different values a column has.
    Different,
    /// The sum of a column.
    Sum,
    /// Its average.
    Average,
    /// Its highest numbers.
    Highest,
    /// Its lowest numbers.
    Lowest,
    /// The highest less the lowest number.
    Range,
}

/// A condition on rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition {
    /// The cell is one of these.
    Is { column: usize, values: Vec<String> },
    /// The cell has a value.
    HasText { column: usize },
    /// The number compares with another one in this way.
    Compares { column: usize, operator: Operator, number: f64 },
    /// The day is in this time: from the first day, before the last.
    In { column: usize, from: Option<String>, before: Option<String> },
    /// The day is in this month of any year.
    InMonth { column: usize, month: i8 },
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Over,
    AtLeast,
    Under,
    AtMost,
    Equals,
}

impl Operator {
    /// As SQL and readers write it.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Over => ">",
            Self::AtLeast => ">=",
            Self::Under => "<",
            Self::AtMost => "<=",
            Self::Equals => "=",
        }
    }
}

/// What rows are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// The cells of a column.
    Cell(usize),
    /// The year or the month of a column of days.
    Year(usize),
    Month(usize),
}

/// A query over a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableQuery {
    pub aggregate: Aggregate,
    /// The column that is added, compared or counted; `None` if rows are counted.
    pub measure: Option<usize>,
    pub conditions: Vec<Condition>,
    pub group: Option<Group>,
    /// The column that names the row with the highest number.
    pub name: Option<usize>,
    /// How many of the highest, or of the groups with the highest, are asked for; `None` for all groups.
    pub top: Option<usize>,
    /// Whether the difference of the two groups is asked for.
    pub is_difference: bool,
    /// Whether the lowest come first.
    pub lowest_first: bool,
}

/// What a query found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// The rows that it is computed from, in the order of the table; of the highest those, the highest first.
    pub rows: Vec<usize>,
    /// The number; `None` if there is none to compute.
    pub value: Option<f64>,
    /// The groups with their numbers and first rows.
    pub groups: Vec<(String, f64, usize)>,
    /// How many rows meet the conditions, those without a number too.
    pub met: usize,
    /// The query in SQL.
    pub sql: String,
}

impl TableQuery {
    /// Computes it over a table; `None` if it takes too long.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(crate) fn run(
        &self,
        table: &DocumentTable<'_>,
        name: &str,
        cancel: &CancelToken,
    ) -> Result<Option<Found>, EngineError> {
        let run = || -> rusqlite::Result<Found> {
            let names = Names::of(table, name);
            let database = self.load(table, &names, cancel)?;
            let (begun, token) = (Instant::now(), cancel.clone());
            database
                .progress_handler(STEPS, Some(move || token.is_cancelled() || begun.elapsed() > MAX_TIME))?;
            self.ask(&database, table, &names)
        };
        let found = run();
        cancel.check()?;
        Ok(found.inspect_err(|error| tracing::warn!(%error, "a table cannot be asked")).ok())
    }

    /// The columns that it needs.
    fn columns(&self) -> Vec<usize> {
        let conditions = self.conditions.iter().map(Condition::column);
        let group = self.group.map(Group::column);
        let mut columns: Vec<usize> = conditions.chain(self.measure).chain(group).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    fn load(
        &self,
        table: &DocumentTable<'_>,
        names: &Names,
        cancel: &CancelToken,
    ) -> rusqlite::Result<Connection> {
        let mut database = Connection::open_in_memory()?;
        let columns = self.columns();
        let typed = |column: &usize| match table.columns[*column].kind {
            ColumnKind::Number(_) => format!(", {} REAL", names.column(*column)),
            ColumnKind::Date(_) | ColumnKind::Text => format!(", {} TEXT", names.column(*column)),
        };
        let typed: String = columns.iter().map(typed).collect();
        database.execute_batch(&format!("CREATE TABLE {} ({} INTEGER{typed})", names.table, names.row))?;
        let transaction = database.transaction()?;
        let places = vec!["?"; columns.len() + 1].join(", ");
        let mut insert = transaction.prepare(&format!("INSERT INTO {} VALUES ({places})", names.table))?;
        for row in 0..table.rows.len() {
            if row % ROWS == 0 && cancel.is_cancelled() {
                break;
            }
            insert.raw_bind_parameter(1, i64::try_from(row).unwrap_or(i64::MAX))?;
            for (at, column) in columns.iter().enumerate() {
                match &table.columns[*column].kind {
                    ColumnKind::Number(numbers) => insert.raw_bind_parameter(at + 2, numbers.values[row])?,
                    ColumnKind::Date(days) => insert.raw_bind_parameter(at + 2, days[row].as_deref())?,
                    ColumnKind::Text => insert.raw_bind_parameter(at + 2, table.cell(row, *column))?,
                }
            }
            insert.raw_execute()?;
        }
        drop(insert);
        transaction.commit()?;
        database.execute_batch("PRAGMA query_only = ON")?;
        Ok(database)
    }

    fn ask(
        &self,
        database: &Connection,
        table: &DocumentTable<'_>,
        names: &Names,
    ) -> rusqlite::Result<Found> {
        let (conditions, values) = self.condition(names);
        let measure = self.measure.map(|column| names.column(column)).unwrap_or_else(|| "*".to_owned());
        let has_number = match self.measure.map(|column| &table.columns[column].kind) {
            Some(ColumnKind::Text) => format!("{conditions} AND {measure} <> ''"),
            Some(_) => format!("{conditions} AND {measure} IS NOT NULL"),
            None => conditions.clone(),
        };
        let from = format!("FROM {} WHERE", names.table);
        let mut found = Found::default();
        let rows = |sql: &str| -> rusqlite::Result<Vec<usize>> {
            let mut statement = database.prepare(sql)?;
            let rows = statement.query_map(params_from_iter(&values), |row| Ok(place(row.get(0)?)))?;
            rows.collect()
        };
        let all = rows(&format!("SELECT {} {from} {conditions} ORDER BY 1", names.row))?;
        found.met = all.len();
        found.rows = match self.measure.and_then(|column| table.columns[column].numbers()) {
            Some(numbers) => all.into_iter().filter(|row| numbers.values[*row].is_some()).collect(),
            None => all,
        };
        let value = match self.aggregate {
            Aggregate::Count | Aggregate::Share => "count(*)".to_owned(),
            Aggregate::Different => format!("count(DISTINCT {measure})"),
            Aggregate::Sum => format!("sum({measure})"),
            Aggregate::Average => format!("avg({measure})"),
            Aggregate::Highest | Aggregate::Lowest if self.measure.is_none() => "count(*)".to_owned(),
            Aggregate::Highest => format!("max({measure})"),
            Aggregate::Lowest => format!("min({measure})"),
            Aggregate::Range => format!("max({measure}) - min({measure})"),
        };
        // Years and months are in chronological order.
        let is_time = matches!(self.group, Some(Group::Year(_) | Group::Month(_))) && self.top.is_none();
        let first = if is_time { "1, " } else { "" };
        let order = if self.lowest_first { "ASC" } else { "DESC" };
        if let Some(group) = self.group {
            let key = group.key(names);
            let sql = format!(
                "SELECT {key}, {value}, min({}) {from} {has_number} GROUP BY 1 ORDER BY {first}2 {order}, 3",
                names.row
            );
            let mut statement = database.prepare(&sql)?;
            let groups = statement.query_map(params_from_iter(&values), |row| {
                let first = place(row.get(2)?);
                let name = match group {
                    // Numbers are named as the table writes them.
                    Group::Cell(column) => table.cell(first, column).to_owned(),
                    Group::Year(_) | Group::Month(_) => row.get::<_, Option<String>>(0)?.unwrap_or_default(),
                };
                Ok((name, row.get(1)?, first))
            })?;
            found.groups = groups.collect::<rusqlite::Result<_>>()?;
            if let ([(_, one, _), (_, other, _)], true) = (&found.groups[..], self.is_difference) {
                found.value = Some((one - other).abs());
            }
            found.sql = expanded(database, &sql, &values)?;
            return Ok(found);
        }
        let sql = format!("SELECT {value} {from} {has_number}");
        found.value = database.query_row(&sql, params_from_iter(&values), |row| row.get(0))?;
        found.sql = expanded(database, &sql, &values)?;
        if matches!(self.aggregate, Aggregate::Highest | Aggregate::Lowest) {
            let top = self.top.unwrap_or(1);
            let sql = format!("SELECT {} {from} {has_number} ORDER BY {measure} {order}, 1", names.row);
            found.rows = rows(&sql)?;
            found.sql = expanded(database, &format!("{sql} LIMIT {top}"), &values)?;
        }
        Ok(found)
    }

    /// The conditions in SQL, with their values.
    fn condition(&self, names: &Names) -> (String, Vec<Value>) {
        let mut parts = Vec::new();
        let mut values = Vec::new();
        for condition in &self.conditions {
            let column = names.column(condition.column());
            match condition {
                Condition::Is { values: cells, .. } => {
                    parts.push(format!("{column} IN ({})", vec!["?"; cells.len()].join(", ")));
                    values.extend(cells.iter().cloned().map(Value::Text));
                }
                Condition::HasText { .. } => {
                    parts.push(format!("lower({column}) NOT IN ({})", vec!["?"; NOTHING.len()].join(", ")));
                    values.extend(NOTHING.map(|one| Value::Text(one.to_owned())));
                }
                Condition::Compares { operator, number, .. } => {
                    parts.push(format!("{column} {} ?", operator.sign()));
                    values.push(Value::Real(*number));
                }
                Condition::In { from, before, .. } => {
                    for (sign, day) in [(">=", from), ("<", before)] {
                        if let Some(day) = day {
                            parts.push(format!("{column} {sign} ?"));
                            values.push(Value::Text(day.clone()));
                        }
                    }
                }
                Condition::InMonth { month, .. } => {
                    parts.push(format!("substr({column}, 6, 2) = ?"));
                    values.push(Value::Text(format!("{month:02}")));
                }
            }
        }
        if parts.is_empty() { ("1".to_owned(), values) } else { (parts.join(" AND "), values) }
    }
}

impl Condition {
    /// The column that it is about.
    pub(crate) fn column(&self) -> usize {
        match self {
            Self::Is { column, .. }
            | Self::HasText { column }
            | Self::Compares { column, .. }
            | Self::In { column, .. }
            | Self::InMonth { column, .. } => *column,
        }
    }
}

impl Group {
    /// The column that it is about.
    pub(crate) fn column(self) -> usize {
        match self {
            Self::Cell(column) | Self::Year(column) | Self::Month(column) => column,
        }
    }

    fn key(self, names: &Names) -> String {
        match self {
            Self::Cell(column) => names.column(column),
            Self::Year(column) => format!("substr({}, 1, 4)", names.column(column)),
            Self::Month(column) => format!("substr({}, 1, 7)", names.column(column)),
        }
    }
}

fn place(row: i64) -> usize {
    usize::try_from(row).unwrap_or_default()
}

/// A statement with its values in place.
fn expanded(database: &Connection, sql: &str, values: &[Value]) -> rusqlite::Result<String> {
    let mut statement = database.prepare(sql)?;
    for (at, value) in values.iter().enumerate() {
        statement.raw_bind_parameter(at + 1, value)?;
    }
    Ok(statement.expanded_sql().unwrap_or_else(|| sql.to_owned()))
}

/// The names of a table and its columns in SQL, in quotes.
struct Names {
    table: String,
    row: String,
    columns: Vec<String>,
}

impl Names {
    fn of(table: &DocumentTable<'_>, name: &str) -> Self {
        let mut taken: Vec<String> = vec![ROW.to_owned()];
        let mut columns = Vec::with_capacity(table.columns.len());
        for (at, column) in table.columns.iter().enumerate() {
            let is_free = !column.head.is_empty() && !taken.contains(&column.head.to_lowercase());
            let name = if is_free { column.head.clone() } else { format!("{} ({})", column.head, at + 1) };
            taken.push(name.to_lowercase());
            columns.push(quoted(&name));
        }
        Self { table: quoted(name), row: quoted(ROW), columns }
    }

    fn column(&self, at: usize) -> String {
        self.columns[at].clone()
    }
}

fn quoted(name: &str) -> String {
    // The database refuses names with a zero byte.
    format!("\"{}\"", name.replace('\0', " ").replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

    use super::*;
    use crate::library::tables::Tables;

    #[test]
    fn a_query_is_computed_with_any_names_and_cannot_run_on() {
        let csv = "\"a\"\"b\",amount\nx' OR 1,5\ny,7\ny,0.5\n";
        let read = oriel_text::read(Kind::Csv, csv.as_bytes(), &oriel_text::Limits::default()).unwrap();
        let tables = Tables::of(&read.text, &read.outline, Kind::Csv, &CancelToken::new()).unwrap().read;
        let query = |aggregate, values: &[&str]| TableQuery {
            aggregate,
            measure: Some(1),
            conditions: vec![Condition::Is {
                column: 0,
                values: values.iter().map(|&one| one.into()).collect(),
            }],
            group: None,
            name: None,
            top: None,
            is_difference: false,
            lowest_first: aggregate == Aggregate::Lowest,
        };
        let run =
            |query: &TableQuery| query.run(&tables[0], "my \"table\"", &CancelToken::new()).unwrap().unwrap();
        let found = run(&query(Aggregate::Sum, &["y"]));
        assert_eq!((found.value, &found.rows[..], found.met), (Some(7.5), &[1, 2][..], 2));
        assert_eq!(run(&query(Aggregate::Sum, &["x' OR 1"])).value, Some(5.0));
        assert_eq!(run(&query(Aggregate::Lowest, &["y", "x' OR 1"])).rows, [2, 0, 1]);
        assert!(found.sql.contains("IN ('y')"), "{}", found.sql);
        let stopped = CancelToken::new();
        stopped.cancel();
        assert!(query(Aggregate::Sum, &["y"]).run(&tables[0], "t", &stopped).is_err());
    }
}
