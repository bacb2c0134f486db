//! The two forms of a mail's text: HTML, which mail programs show, and plain text.

use std::collections::HashSet;

use super::super::html::Page;
use super::super::writer::Writer;
use super::quotes;

/// Maximum number of words that are only in the plain text if both forms say the same.
const MAX_OTHER_WORDS: usize = 2;

/// Whether to read the HTML body instead of the plain text, because the two differ: the plain text may be a
/// placeholder, or contain what the HTML hides.
pub(in super::super) fn prefers_html(page: &str, plain: &str) -> bool {
    let (page, plain) = (words(page), words(plain));
    let missing = page.difference(&plain).count();
    let other = plain.difference(&page).count();
    !page.is_empty() && (missing * 10 > page.len() || other > MAX_OTHER_WORDS)
}

/// Whether more than a tenth of the words in `text` are missing in `other`.
pub(super) fn has_other_words(text: &str, other: &str) -> bool {
    let (text, other) = (words(text), words(other));
    text.difference(&other).count() * 10 > text.len()
}

/// The words of a text without addresses.
fn words(text: &str) -> HashSet<String> {
    let is_address = |word: &&str| word.contains("://") || word.contains('@') || word.starts_with("www.");
    let words = text.split_whitespace().filter(|word| !is_address(word));
    let bare = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    bare.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Writes the HTML text of a mail. `own` is the sender with the date.
pub(in super::super) fn write_page(writer: &mut Writer, page: Page, own: &str) {
    let lines = quotes::lines_of_page(page.writer.text(), &page.quotes);
    // A text beyond the limit is not written again.
    if page.writer.is_full() || !quotes::write(writer, &lines, own) {
        drop(lines);
        writer.append(page.writer);
    }
}

/// Writes the plain text of a mail. `own` is the sender with the date.
pub(in super::super) fn write_text(writer: &mut Writer, text: &str, own: &str) {
    let text = text.replace("\r\n", "\n");
    if !quotes::write(writer, &quotes::lines_of_text(&text), own) {
        writer.block(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_unless_the_plain_text_says_the_same() {
        let page = "Dear all, the scaffolding is taken down on Friday.";
        assert!(prefers_html(page, ""));
        assert!(prefers_html(page, "View online: https://news.example/v/8812"));
        assert!(prefers_html(page, &format!("Hidden: it stays until June.\n{page}")));
        assert!(!prefers_html(page, &format!("{page}\nhttps://news.example")));
        assert!(!prefers_html("", "There is no page."));
    }
}
