//! Removes page numbers from headers and footers, since they differ from page to page.

/// A placeholder for the page number while its paragraph is read. It cannot occur in XML.
pub(super) const NUMBER: &str = "\u{1}";
/// A part of a line with a page number and at most this many words ("Page 1 of 3") contains nothing else.
const MAX_WORDS: usize = 3;

/// A line of a header or footer without page numbers.
pub(super) fn without_numbers(line: &str) -> String {
    if !line.contains(NUMBER) {
        return line.to_owned();
    }
    let parts = line.split('\t').filter(|part| !is_number(part)).map(|part| part.replace(NUMBER, ""));
    parts.collect::<Vec<_>>().join("\t")
}

fn is_number(part: &str) -> bool {
    let words = part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    part.contains(NUMBER)
        && words.clone().count() <= MAX_WORDS
        && !words.flat_map(str::chars).any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_goes_with_its_words_and_leaves_the_rest() {
        assert_eq!(without_numbers("Page \u{1} of \u{1}"), "");
        assert_eq!(without_numbers("Ref 12/7\tSeite \u{1}"), "Ref 12/7");
        assert_eq!(without_numbers("Contract 118, page \u{1}").trim(), "Contract 118, page");
        assert_eq!(without_numbers("Ref 7"), "Ref 7");
    }
}
