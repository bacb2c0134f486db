//! Small functions on words.

/// Whether `word` is in `list`, whose words are separated by spaces.
#[must_use]
pub fn list_contains(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// `text` with an initial capital.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect()
}
