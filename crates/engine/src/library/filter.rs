//! Applies a filter to the documents of the store, before anything is retrieved.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use oriel_core::{DocumentId, Filter};
use oriel_store::{DocumentRecord, DocumentState, View};
use roaring::RoaringBitmap;

use crate::error::EngineError;
use crate::library::Library;

/// Whether a document in any state meets all conditions except that on its path.
pub(crate) fn covers(filter: &Filter, record: &DocumentRecord) -> bool {
    (filter.kinds.is_empty() || filter.kinds.contains(&record.kind))
        && (filter.from.is_empty() || record.sender().is_some_and(|sender| filter.is_from(sender)))
        && filter.since.is_none_or(|since| record.dated() >= since)
        && filter.until.is_none_or(|until| record.dated() < until)
}

/// Calls the closure with every document that passes, read or not. A path without documents that the user gave is an
/// error: it is misspelt, or its folder was never added. So is a hidden path, which must look the same.
pub(crate) fn each_document(
    filter: &Filter,
    view: &View<'_>,
    mut give: impl FnMut(DocumentId, DocumentRecord),
) -> Result<(), EngineError> {
    // A filter for a period may have thousands of paths.
    let within: HashSet<&Path> = filter.within.iter().map(PathBuf::as_path).collect();
    let mut filled = HashSet::new();
    for entry in view.documents()? {
        let (id, record) = entry?;
        if filter.hides(&record.path) {
            continue;
        }
        let mut is_within = within.is_empty();
        for path in record.path.ancestors().filter_map(|path| within.get(path)) {
            filled.insert(*path);
            is_within = true;
        }
        if is_within && covers(filter, &record) {
            give(id, record);
        }
    }
    match filter.within.iter().find(|path| !filled.contains(path.as_path())) {
        Some(path) if !filter.may_be_gone => Err(EngineError::UnknownDocument { path: path.to_path_buf() }),
        _ => Ok(()),
    }
}

/// The searchable documents that pass, or `None` if all do.
///
/// # Errors
/// Those of [`each_document`].
pub(crate) fn searchable_documents(
    filter: &Filter,
    view: &View<'_>,
) -> Result<Option<RoaringBitmap>, EngineError> {
    if filter.is_empty() {
        return Ok(None);
    }
    let mut admitted = RoaringBitmap::new();
    each_document(filter, view, |id, record| {
        if record.state == DocumentState::Indexed {
            admitted.insert(id.0);
        }
    })?;
    Ok(Some(admitted))
}

impl Library {
    /// The paths of the searchable documents that pass, in order.
    ///
    /// # Errors
    /// If the filter names a path without documents, or the store is damaged.
    pub fn documents_in(&self, filter: &Filter) -> Result<Vec<PathBuf>, EngineError> {
        let mut paths = Vec::new();
        self.own_index()?.read(|view| {
            each_document(filter, &view, |_, record| {
                if record.state == DocumentState::Indexed {
                    paths.push(record.path);
                }
            })
        })?;
        paths.sort();
        Ok(paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestLibrary;

    #[test]
    fn what_is_hidden_is_as_if_it_were_not_there() {
        let place =
            TestLibrary::with(&[("open/a.txt", "The tide is low."), ("tax/b.txt", "The tide is high.")]);
        let (open, tax) = (place.documents().join("open"), place.documents().join("tax"));
        let hiding = |within: &[&Path]| Filter {
            within: within.iter().map(|&path| path.to_owned()).collect(),
            without: vec![tax.clone()],
            ..Filter::default()
        };
        let seen = |filter: &Filter| place.library.documents_in(filter);
        assert_eq!(seen(&hiding(&[])).unwrap(), [open.join("a.txt")]);
        assert_eq!(seen(&hiding(&[&place.documents()])).unwrap(), [open.join("a.txt")]);
        let error = |path: &Path| seen(&hiding(&[path])).unwrap_err().to_string();
        let (hidden, absent) = (error(&tax.join("b.txt")), error(&tax.join("c.txt")));
        assert_eq!(hidden.replace("b.txt", ""), absent.replace("c.txt", ""));
    }

    #[test]
    fn mails_pass_by_sender_and_by_the_day_they_were_sent() {
        let mail = |from: &str, day: u8| {
            format!(
                "From: {from}\nDate: Fri, {day} Mar 2024 11:00:00 +0000\nSubject: Tide\n\nThe tide is low.\n"
            )
        };
        let place = TestLibrary::with(&[
            ("one.eml", &mail("Priya Raman <p.raman@north.example>", 1)),
            ("two.eml", &mail("Jonas <jonas@north.example>", 8)),
            ("three.txt", "From: Priya Raman. The tide is high."),
        ]);
        let names = |filter: &Filter| -> Vec<String> {
            let paths = place.library.documents_in(filter).unwrap().into_iter();
            paths.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        let from = |names: &[&str]| Filter {
            from: names.iter().map(|&name| name.into()).collect(),
            ..Filter::default()
        };
        assert_eq!(names(&from(&["raman priya"])), ["one.eml"]);
        assert_eq!(names(&from(&["north.example"])), ["one.eml", "two.eml"]);
        assert_eq!(names(&from(&["jonas", "Priya"])), ["one.eml", "two.eml"]);
        assert!(names(&from(&["Ada"])).is_empty());
        // 2024-03-04; the files themselves are a minute old.
        let monday = Some(1_709_510_400_000_000_000);
        assert_eq!(names(&Filter { until: monday, ..Filter::default() }), ["one.eml"]);
        assert_eq!(names(&Filter { since: monday, ..Filter::default() }), ["three.txt", "two.eml"]);
        let senders = place.library.senders(1).unwrap();
        assert_eq!(senders, [("Jonas <jonas@north.example>".to_owned(), 1)], "of as many mails by name");
    }
}
