//! Headings from the PDF's own outline.
//!
//! The titles of bookmarks are searched among the rows, in the order of the outline; their destinations are not needed.
//! Lines of a table of contents end with a page number and therefore do not match.

use hayro_syntax::Pdf;
use hayro_syntax::object::{self, Dict};
use oriel_core::Heading;

use super::layout::Written;
use super::strings::decoded;

/// Maximum number of bookmarks.
const MAX_BOOKMARKS: usize = 2000;
/// Maximum depth of bookmarks; deeper ones are left out.
const MAX_DEPTH: u8 = 6;
/// Maximum number of rows of a title.
const MAX_TITLE_ROWS: usize = 3;

/// Maximum bytes of a title's number, such as `IV.` or `b)`.
const MAX_NUMBER: usize = 6;

/// An entry of the PDF's outline.
pub(super) struct Bookmark {
    /// Its title as a [`key`].
    key: String,
    /// Its depth, from 1.
    level: u8,
}

/// The bookmarks of a file in the order of its outline.
pub(super) fn bookmarks(pdf: &Pdf) -> Vec<Bookmark> {
    let xref = pdf.xref();
    let outline =
        xref.get::<Dict<'_>>(xref.root_id()).and_then(|catalog| catalog.get::<Dict<'_>>("Outlines"));
    let first = outline.and_then(|outline| outline.get::<Dict<'_>>("First"));
    let mut open: Vec<(Dict<'_>, u8)> = first.map(|item| (item, 1)).into_iter().collect();
    let mut found = Vec::new();
    while let Some((item, level)) = open.pop()
        && found.len() < MAX_BOOKMARKS
    {
        let title = item.get::<object::String<'_>>("Title").and_then(|title| decoded(title.as_bytes()));
        found.push(Bookmark { key: key(&title.unwrap_or_default()), level });
        open.extend(item.get::<Dict<'_>>("Next").map(|next| (next, level)));
        open.extend(
            item.get::<Dict<'_>>("First").filter(|_| level < MAX_DEPTH).map(|child| (child, level + 1)),
        );
    }
    found
}

/// Adds the rows that bookmarks name to `headings`; other headings get lower levels.
pub(super) fn add_bookmarked(headings: &mut Vec<Heading>, rows: &[Written<'_>], bookmarks: &[Bookmark]) {
    if bookmarks.is_empty() {
        return;
    }
    let keys: Vec<String> = rows.iter().map(|written| key(&written.row.text)).collect();
    let may_begin = |at: usize| {
        let text = &rows[at].row.text;
        !text.starts_with(char::is_lowercase) && !text.ends_with(['.', ','])
    };
    let mut from = 0;
    let mut named: Vec<Heading> = Vec::new();
    for bookmark in bookmarks {
        if let Some((first, end)) = find(&keys, from, &bookmark.key, may_begin) {
            named.push(Heading::new(rows[first].span.hull(rows[end - 1].span), bookmark.level));
            from = end;
        }
    }
    let deepest = named.iter().map(|heading| heading.level).max().unwrap_or(0);
    headings.retain_mut(|heading| {
        heading.level = heading.level.saturating_add(deepest);
        let at = named.partition_point(|one| one.span.end <= heading.span.start);
        named.get(at).is_none_or(|one| one.span.start >= heading.span.end)
    });
    headings.append(&mut named);
    headings.sort_by_key(|heading| heading.span);
}

/// The first rows at or after `from` that together equal `title`: the first, and one past the last.
fn find(
    keys: &[String],
    from: usize,
    title: &str,
    may_begin: impl Fn(usize) -> bool,
) -> Option<(usize, usize)> {
    (from..keys.len()).find_map(|first| {
        let rest = title.strip_prefix(keys[first].as_str());
        let mut rest = rest.filter(|rest| rest.len() < title.len() && may_begin(first))?;
        let mut end = first + 1;
        while !rest.is_empty() && end < keys.len().min(first + MAX_TITLE_ROWS) {
            rest = rest.strip_prefix(keys[end].as_str())?;
            end += 1;
        }
        rest.is_empty().then_some((first, end))
    })
}

/// The letters and digits of a title without its number, in lower case.
fn key(title: &str) -> String {
    let title = match title.trim_start().split_once(' ') {
        Some((number, rest)) if number.len() <= MAX_NUMBER && number.ends_with(['.', ')']) => rest,
        _ => title,
    };
    let key: String = title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    key.trim_start_matches(char::is_numeric).to_owned()
}
