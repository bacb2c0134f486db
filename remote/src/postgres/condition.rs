//! Conditions on rows, as SQL with separate values.

use std::path::Path;

use oriel_core::Filter;
use tokio_postgres::types::{ToSql, Type};

use crate::postgres::tables::PREFIX;
use crate::stored::folder_range;

/// A condition on the rows `s`.
pub(super) struct Condition {
    /// The condition with placeholders for the values.
    pub(super) sql: String,
    values: Vec<(Value, Type)>,
    /// The number of values before these in the statement.
    before: usize,
}

/// A value of a statement.
type Value = Box<dyn ToSql + Sync>;

impl Condition {
    /// The condition of a filter, in a statement with `before` other values.
    pub(super) fn of_filter(filter: &Filter, before: usize) -> Self {
        let mut condition = Self { sql: String::new(), values: Vec::new(), before };
        let mut all: Vec<String> = Vec::new();
        let within: Vec<String> = filter.within.iter().map(|path| condition.is_within(path)).collect();
        all.extend(any(&within));
        all.extend(filter.without.iter().map(|path| format!("NOT {}", condition.is_within(path))));
        if !filter.kinds.is_empty() {
            let kinds: Vec<&str> = filter.kinds.iter().map(|kind| kind.name()).collect();
            let kinds = condition.value(kinds, Type::TEXT_ARRAY);
            all.push(format!("s.kind = ANY ({kinds})"));
        }
        let from: Vec<String> = filter.from.iter().map(|name| condition.is_from(name)).collect();
        all.extend(any(&from));
        all.extend(filter.since.map(|since| format!("s.dated >= {}", condition.value(since, Type::INT8))));
        all.extend(filter.until.map(|until| format!("s.dated < {}", condition.value(until, Type::INT8))));
        condition.sql = if all.is_empty() { "true".into() } else { all.join(" AND ") };
        condition
    }

    /// The values of a statement: its first ones, and those of this condition.
    pub(super) fn after<'a>(
        &'a self,
        first: &[(&'a (dyn ToSql + Sync), Type)],
    ) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
        debug_assert_eq!(first.len(), self.before);
        let own = self.values.iter().map(|(value, of)| (&**value, of.clone()));
        first.iter().cloned().chain(own).collect()
    }

    /// Adds a value and returns its placeholder.
    fn value(&mut self, value: impl ToSql + Sync + 'static, of: Type) -> String {
        self.values.push((Box::new(value), of));
        format!("${}", self.before + self.values.len())
    }

    /// The condition that a row's document is at a path or inside it. The table has an index of the beginnings of
    /// paths.
    fn is_within(&mut self, path: &Path) -> String {
        let [folder, from, to] = folder_range(path).map(|path| self.value(path, Type::TEXT));
        format!(
            "(left(s.path, {PREFIX}) BETWEEN left({folder}, {PREFIX}) AND left({to}, {PREFIX}) \
             AND (s.path = {folder} OR (s.path >= {from} AND s.path < {to})))"
        )
    }

    /// The condition that the document has a sender whose name contains all words of `name`.
    fn is_from(&mut self, name: &str) -> String {
        let name = name.to_lowercase();
        let word = |word: &str| format!("strpos(s.sender, {}) > 0", self.value(word.to_owned(), Type::TEXT));
        let words: Vec<String> = name.split_whitespace().map(word).collect();
        match words.is_empty() {
            true => "s.sender <> ''".into(),
            false => format!("({})", words.join(" AND ")),
        }
    }
}

fn any(conditions: &[String]) -> Option<String> {
    (!conditions.is_empty()).then(|| format!("({})", conditions.join(" OR ")))
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_filter_is_a_condition_without_any_of_its_texts() {
        let filter = Filter {
            within: vec!["/docs/a_b%/".into()],
            may_be_gone: false,
            without: vec!["/docs/' OR true".into()],
            kinds: vec![Kind::Pdf],
            from: vec!["Ada 100%".into(), " ".into()],
            since: Some(-5),
            until: Some(9),
        };
        let condition = Condition::of_filter(&filter, 2);
        assert_eq!(
            condition.sql,
            [
                "((left(s.path, 200) BETWEEN left($3, 200) AND left($5, 200) ",
                "AND (s.path = $3 OR (s.path >= $4 AND s.path < $5)))) AND ",
                "NOT (left(s.path, 200) BETWEEN left($6, 200) AND left($8, 200) ",
                "AND (s.path = $6 OR (s.path >= $7 AND s.path < $8))) AND s.kind = ANY ($9) AND ",
                "((strpos(s.sender, $10) > 0 AND strpos(s.sender, $11) > 0) OR s.sender <> '') AND ",
                "s.dated >= $12 AND s.dated < $13",
            ]
            .concat()
        );
        let values: Vec<String> = condition.values.iter().map(|(value, _)| format!("{value:?}")).collect();
        assert_eq!(values[..3], [r#""/docs/a_b%""#, r#""/docs/a_b%/""#, r#""/docs/a_b%0""#]);
        assert_eq!(Condition::of_filter(&Filter::default(), 2).sql, "true");
    }
}
