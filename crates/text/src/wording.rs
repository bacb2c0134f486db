//! Small things about words that several rooms need.

/// Whether `word` is one of `list`, whose words are parted by spaces.
#[must_use]
pub fn among(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// A text with a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect()
}
