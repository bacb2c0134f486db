//! Conditions on rows, as expressions of Milvus.

use std::path::Path;

use oriel_core::{DocumentId, Filter, Ordinal};
use oriel_wire::index::INCOMPLETE;

use crate::milvus::rows::{DATED, GENERATION, ID, KIND, ORDINAL, PATH, SENDER};
use crate::stored::{folder_range, row_id};

/// A text as a literal. JSON and Milvus use the same escapes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The condition that a row's document is at a path or inside it, and the opposite: not every server supports `not`.
fn within(path: &Path) -> (String, String) {
    let [folder, from, to] = folder_range(path).map(|path| quoted(&path));
    (
        format!("({PATH} == {folder} or ({PATH} >= {from} and {PATH} < {to}))"),
        format!("({PATH} != {folder} and ({PATH} < {from} or {PATH} >= {to}))"),
    )
}

/// The condition that the document has a sender whose name contains all words of `name`.
fn is_from(name: &str) -> String {
    let word = |word: &str| {
        // Any text may be around the word; the wildcards of `like` are escaped.
        let word = word.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        format!("{SENDER} like {}", quoted(&format!("%{word}%")))
    };
    let words: Vec<String> = name.split_whitespace().map(word).collect();
    match words.is_empty() {
        true => format!("{SENDER} != \"\""),
        false => format!("({})", words.join(" and ")),
    }
}

fn any(conditions: impl Iterator<Item = String>) -> Option<String> {
    let all: Vec<String> = conditions.collect();
    (!all.is_empty()).then(|| format!("({})", all.join(" or ")))
}

/// The condition of a filter; empty if it accepts all documents.
pub(super) fn of_filter(filter: &Filter) -> String {
    let mut all: Vec<String> = Vec::new();
    all.extend(any(filter.within.iter().map(|path| within(path).0)));
    all.extend(filter.without.iter().map(|path| within(path).1));
    if !filter.kinds.is_empty() {
        let kinds: Vec<String> = filter.kinds.iter().map(|kind| quoted(kind.name())).collect();
        all.push(format!("{KIND} in [{}]", kinds.join(", ")));
    }
    all.extend(any(filter.from.iter().map(|name| is_from(name))));
    all.extend(filter.since.map(|since| format!("{DATED} >= {since}")));
    all.extend(filter.until.map(|until| format!("{DATED} < {until}")));
    all.join(" and ")
}

/// The condition for these rows.
pub(super) fn of_rows(rows: &[(DocumentId, Ordinal)]) -> String {
    let ids: Vec<String> =
        rows.iter().map(|&(document, ordinal)| row_id(document, ordinal).to_string()).collect();
    format!("{ID} in [{}]", ids.join(", "))
}

/// The condition for ranges: document, first and last ordinal. A document's rows have consecutive ids.
pub(super) fn of_ranges(ranges: &[(DocumentId, u32, u32)]) -> String {
    let range = |&(document, first, last): &(DocumentId, u32, u32)| {
        let (first, last) = (row_id(document, Ordinal(first)), row_id(document, Ordinal(last)));
        format!("({ID} >= {first} and {ID} <= {last})")
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(" or ")
}

/// The condition for rows of documents except those of the generation to keep and of [`INCOMPLETE`].
pub(super) fn of_old(documents: &[(DocumentId, Option<u64>)]) -> String {
    let old = |&(document, kept): &(DocumentId, Option<u64>)| {
        let (first, last) = (row_id(document, Ordinal(0)), row_id(document, Ordinal(u32::MAX)));
        match kept {
            Some(kept) => {
                let kept = kept.cast_signed();
                format!("({ID} >= {first} and {ID} <= {last} and {GENERATION} not in [{kept}, {INCOMPLETE}])")
            }
            None => format!("({ID} >= {first} and {ID} <= {last})"),
        }
    };
    documents.iter().map(old).collect::<Vec<_>>().join(" or ")
}

/// The condition for the first rows of the documents after one.
pub(super) fn of_documents(after: Option<DocumentId>) -> String {
    let after = after.map_or(-1, |document| row_id(document, Ordinal(u32::MAX)));
    format!("{ID} > {after} and {ORDINAL} == 0")
}

/// The condition for the first row of the document at a path.
pub(super) fn of_path(path: &Path) -> String {
    format!("{PATH} == {} and {ORDINAL} == 0", quoted(&path.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use oriel_core::Kind;

    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_filter_is_a_condition_and_its_texts_are_literals() {
        let filter = Filter {
            within: vec!["/docs/a_b%".into(), "/mail/".into()],
            may_be_gone: false,
            without: vec!["/docs/\"x\" or true".into()],
            kinds: vec![Kind::Pdf, Kind::Eml],
            from: vec!["Ada 100%".into()],
            since: Some(-5),
            until: Some(9),
        };
        assert_eq!(
            of_filter(&filter),
            [
                r#"((path == "/docs/a_b%" or (path >= "/docs/a_b%/" and path < "/docs/a_b%0")) or "#,
                r#"(path == "/mail" or (path >= "/mail/" and path < "/mail0"))) and "#,
                r#"(path != "/docs/\"x\" or true" and "#,
                r#"(path < "/docs/\"x\" or true/" or path >= "/docs/\"x\" or true0")) and "#,
                r#"kind in ["pdf", "eml"] and ((sender like "%ada%" and sender like "%100\\%%")) and "#,
                "dated >= -5 and dated < 9",
            ]
            .concat()
        );
        assert_eq!(of_filter(&Filter::default()), "");
        assert_eq!(of_ranges(&[(DocumentId(1), 2, 3)]), "(id >= 4294967298 and id <= 4294967299)");
        assert_eq!(
            of_old(&[(DocumentId(0), Some(u64::MAX)), (DocumentId(1), None)]),
            "(id >= 0 and id <= 4294967295 and generation not in [-1, 0]) or (id >= 4294967296 and id <= 8589934591)"
        );
    }
}
