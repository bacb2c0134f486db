//! Which documents a question for a sum is asked of: those with tables that hold its words, by the postings.

use std::path::Path;

use oriel_core::{DocumentId, Filter, Kind};
use oriel_store::{DocumentRecord, DocumentState, View};
use oriel_text::terms;

use crate::error::EngineError;
use crate::library::filter::each_document;
use crate::library::table_query::Aggregate;
use crate::question::sums::SumQuestion;
use crate::question::sums::matching::{head_words, with_endings};

/// Documents whose tables are read for a question.
const MAX_DOCUMENTS: usize = 40;

/// The documents that may answer, and whether one alone was chosen.
pub(crate) fn documents(
    view: &View<'_>,
    question: &SumQuestion,
    filter: &Filter,
) -> Result<(Vec<(DocumentId, DocumentRecord)>, bool), EngineError> {
    let mut admitted = Vec::new();
    each_document(filter, view, |id, record| {
        if record.state == DocumentState::Indexed && may_have_tables(record.kind) {
            admitted.push((id, record));
        }
    })?;
    let is_chosen =
        matches!((&filter.within[..], &admitted[..]), ([path], [(_, record)]) if *path == record.path);
    if is_chosen {
        return Ok((admitted, true));
    }
    // Words of a document's tables are in its sentences; a row counts only in a file that is a table.
    let is_count = matches!(question.aggregate, Aggregate::Count | Aggregate::Share);
    let sought: Vec<(&str, Vec<String>)> = question.sought().map(|word| (word, forms(word))).collect();
    let mut found = Vec::new();
    for (id, record) in admitted {
        if found.len() == MAX_DOCUMENTS || is_count && !is_table(record.kind) {
            continue;
        }
        let names = head_words(&file_stem(&record.path));
        let mut has_all = true;
        for (word, forms) in &sought {
            let is_name = names.iter().any(|name| name == word || with_endings(word).contains(name));
            has_all = has_all && (is_name || has_term(view, id, forms)?);
        }
        if has_all {
            found.push((id, record));
        }
    }
    Ok((found, false))
}

/// The terms of a word with and without its endings.
pub(crate) fn forms(word: &str) -> Vec<String> {
    let mut forms: Vec<String> =
        with_endings(word).iter().chain([&word.to_owned()]).flat_map(|form| terms(form)).collect();
    forms.sort();
    forms.dedup();
    forms
}

pub(crate) fn has_term(view: &View<'_>, document: DocumentId, forms: &[String]) -> Result<bool, EngineError> {
    for form in forms {
        if view.posting(form, document)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Files that are tables.
pub(crate) fn is_table(kind: Kind) -> bool {
    kind.is_workbook() || matches!(kind, Kind::Csv | Kind::Tsv)
}

fn may_have_tables(kind: Kind) -> bool {
    let others = matches!(
        kind,
        Kind::Markdown
            | Kind::Notebook
            | Kind::Html
            | Kind::Mhtml
            | Kind::Docx
            | Kind::Odt
            | Kind::Doc
            | Kind::Rtf
            | Kind::Pptx
            | Kind::Odp
            | Kind::Epub
            | Kind::Eml
            | Kind::Msg
            | Kind::Pdf
    );
    others || is_table(kind)
}

pub(crate) fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
