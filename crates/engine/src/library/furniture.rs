//! Finds lines at the beginning or end of most web pages of a folder: a product's banner, a copyright, "Submit
//! correction". They are not evidence.
//!
//! Nothing is stored for this: the index has the first and last sentences of each page. When one of these is found, a
//! sample of the pages in its folder is compared.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

use oriel_core::{Candidate, DocumentId, Excerpt, Kind, Ordinal, SentenceRange};
use oriel_store::{DocumentRecord, View};
use oriel_text::plain;

use crate::error::EngineError;

/// The first sentences of a page that may be furniture …
const HEAD: usize = 3;
/// … and the last ones.
const FOOT: usize = 5;
/// A line on fewer pages of a folder may be chance.
const MIN_PAGES: usize = 8;
/// Number of pages of a folder that are compared. They were read one after the other, so they have neighbouring ids.
const SAMPLE: u32 = 12;
/// Longer sentences are text.
const MAX_BYTES: usize = 300;

/// The furniture of the folders that were compared.
pub(crate) struct Furniture<'v> {
    view: &'v View<'v>,
    folders: HashMap<PathBuf, Rc<HashSet<String>>>,
}

impl<'v> Furniture<'v> {
    /// For one state of the store.
    pub(crate) fn of(view: &'v View<'v>) -> Self {
        Self { view, folders: HashMap::new() }
    }

    /// Removes the candidates that are furniture, unless all of them are.
    pub(crate) fn leave_out(&mut self, found: &mut Vec<Candidate>) -> Result<(), EngineError> {
        let mut kept = Vec::with_capacity(found.len());
        for one in found.iter() {
            if !self.holds(one.document, one.ordinal)? {
                kept.push(*one);
            }
        }
        if !kept.is_empty() {
            *found = kept;
        }
        Ok(())
    }

    /// Whether a sentence is furniture. Only for web pages: contracts from one template begin and end alike, too.
    pub(crate) fn holds(&mut self, document: DocumentId, ordinal: Ordinal) -> Result<bool, EngineError> {
        let table = self.view.table(document)?;
        let Some(row) = table.get(ordinal).filter(|_| is_edge(ordinal.0 as usize, table.len())) else {
            return Ok(false);
        };
        let Some(record) = self.view.document(document)?.filter(|record| record.kind == Kind::Html) else {
            return Ok(false);
        };
        let furniture = self.of_folder(document, &record)?;
        if furniture.is_empty() {
            return Ok(false);
        }
        let text = self.view.text(document)?.unwrap_or_default();
        Ok(row.span.of(&text).and_then(line).is_some_and(|line| furniture.contains(&line)))
    }

    /// The ordinals of the sentences of a page between its furniture. Only an edge that one of `ranges` reaches is looked at.
    pub(crate) fn body(
        &mut self,
        page: &Excerpt,
        ranges: &[SentenceRange],
    ) -> Result<Range<u32>, EngineError> {
        let count = page.body.end;
        let is_near = |at: u32| is_edge(at as usize, count as usize);
        let reaches = |range: &SentenceRange| is_near(range.first) || is_near(range.last.min(count - 1));
        if page.kind != Kind::Html || count == 0 || !ranges.iter().any(reaches) {
            return Ok(page.body.clone());
        }
        let Some(record) = self.view.document(page.document)? else { return Ok(page.body.clone()) };
        let furniture = self.of_folder(page.document, &record)?;
        let holds = |at: &u32| {
            let line = page.rows.get(Ordinal(*at)).and_then(|row| line(page.text.of(row.span)?));
            is_near(*at) && line.is_some_and(|line| furniture.contains(&line))
        };
        let first = (0..count).find(|at| !holds(at)).unwrap_or(count);
        let last = (first..count).rev().find(|at| !holds(at)).map_or(first, |at| at + 1);
        Ok(first..last)
    }

    /// The lines at the edges of most pages in the folder of `document`.
    fn of_folder(
        &mut self,
        document: DocumentId,
        record: &DocumentRecord,
    ) -> Result<Rc<HashSet<String>>, EngineError> {
        let folder = record.path.parent().unwrap_or(&record.path).to_owned();
        if let Some(known) = self.folders.get(&folder) {
            return Ok(Rc::clone(known));
        }
        let (mut pages, mut counts) = (0, HashMap::<String, usize>::new());
        let from = document.0.saturating_sub(SAMPLE);
        for id in (from..=document.0.saturating_add(SAMPLE)).map(DocumentId) {
            let beside = self.view.document(id)?;
            let is_beside = |one: &DocumentRecord| {
                one.kind == record.kind && one.path.parent() == Some(&*folder) && one.sentences > 0
            };
            if beside.as_ref().is_some_and(is_beside) {
                pages += 1;
                for line in self.edges(id)? {
                    *counts.entry(line).or_default() += 1;
                }
            }
        }
        let is_furniture = |count: usize| count >= MIN_PAGES && count * 2 >= pages;
        let lines = counts.into_iter().filter(|(_, count)| is_furniture(*count)).map(|(line, _)| line);
        let lines = Rc::new(lines.collect());
        self.folders.insert(folder, Rc::clone(&lines));
        Ok(lines)
    }

    /// The first and last sentences of a page, each once.
    fn edges(&self, document: DocumentId) -> Result<HashSet<String>, EngineError> {
        let (table, text) = (self.view.table(document)?, self.view.text(document)?.unwrap_or_default());
        let rows = table.rows().enumerate().filter(|(at, _)| is_edge(*at, table.len()));
        Ok(rows.filter_map(|(_, row)| line(row.span.of(&text)?)).collect())
    }
}

fn is_edge(ordinal: usize, count: usize) -> bool {
    ordinal < HEAD || ordinal + FOOT >= count
}

/// A sentence as it is compared; `None` if it is too long.
fn line(sentence: &str) -> Option<String> {
    (sentence.len() <= MAX_BYTES).then(|| plain(sentence, Kind::Html))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::source::store_state::whole_document;
    use crate::testing::TestLibrary;

    #[test]
    fn what_most_pages_of_a_folder_begin_or_end_with_is_left_out() {
        let page = |number: usize| {
            let body = format!(
                "<h2>Part {number}</h2><p>It tells of thing {number} alone. More of it. And more. And on.</p>"
            );
            let text = "<p>A rule. Another one. A third one. A fourth one. It goes on.</p>".repeat(2);
            format!("<p>The manual of Oriel</p>{body}{text}<p>Copyright 2024 by all of us.</p>")
        };
        let pages: Vec<(String, String)> =
            (10..22).map(|number| (format!("manual/{number}.html"), page(number))).collect();
        let pages: Vec<(&str, &str)> = pages.iter().map(|(name, page)| (&**name, &**page)).collect();
        let place = TestLibrary::with(&pages);
        let left = place.library.store.read(|view| {
            let id = view.document_at(&place.documents().join("manual/12.html"))?.unwrap();
            let (text, table) = (view.text(id)?.unwrap(), view.table(id)?);
            let candidate = |at| Candidate { document: id, ordinal: Ordinal(at), score: 1.0 };
            let mut found = (0..table.len() as u32).map(candidate).collect();
            Furniture::of(&view).leave_out(&mut found)?;
            let sentence = |at: Ordinal| table.get(at).unwrap().span.of(&text).unwrap().to_owned();
            let page = whole_document(&view, id)?;
            let all = SentenceRange { document: id, first: 0, last: page.body.end - 1 };
            let body = Furniture::of(&view).body(&page, &[all])?;
            let edges = [sentence(Ordinal(body.start)), sentence(Ordinal(body.end - 1))];
            let left: Vec<String> = found.iter().map(|one: &Candidate| sentence(one.ordinal)).collect();
            Ok::<_, EngineError>((left, edges))
        });
        let (left, edges) = left.unwrap();
        assert_eq!(edges, ["Part 12", "A rule."], "a window ends where all pages are the same");
        assert!(
            left.contains(&"It tells of thing 12 alone.".to_owned()) && left.contains(&"Part 12".to_owned())
        );
        assert!(
            !left.iter().any(|line| line.starts_with("The manual") || line.starts_with("Copyright")),
            "{left:?}"
        );
    }
}
