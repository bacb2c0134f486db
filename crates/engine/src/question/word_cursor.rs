//! Reads a question word by word. Words of a list are separated by blanks, phrases by semicolons.

use std::ops::Range;

use oriel_text::{list_contains, words};

/// Reads a text word by word.
#[derive(Clone)]
pub(crate) struct WordCursor<'q> {
    text: &'q str,
    places: Vec<Range<usize>>,
    lower: Vec<String>,
    at: usize,
}

impl<'q> WordCursor<'q> {
    pub(crate) fn new(text: &'q str) -> Self {
        let text = text.trim().trim_end_matches(['?', '.', '!', ' ']);
        let places = words(text);
        let lower = places.iter().map(|place| text[place.clone()].to_lowercase().replace('’', "'")).collect();
        Self { text, places, lower, at: 0 }
    }

    /// The unread word so far ahead, in lower case; empty after the last.
    pub(crate) fn word(&self, ahead: usize) -> &str {
        self.lower.get(self.at + ahead).map_or("", String::as_str)
    }

    /// Skips words of a list, except those in capitals: "UN" is a name.
    pub(crate) fn skip_unless_capital(&mut self, list: &str) {
        let is_name = |words: &Self| {
            let word = words.places.get(words.at).map_or("", |place| &words.text[place.clone()]);
            word.len() > 1 && word.chars().all(char::is_uppercase)
        };
        while list_contains(self.word(0), list) && !is_name(self) {
            self.at += 1;
        }
    }

    /// Skips a phrase if it is next. Returns whether it was.
    pub(crate) fn take(&mut self, phrase: &str) -> bool {
        let count = phrase.split(' ').count();
        let is_next = (0..).zip(phrase.split(' ')).all(|(ahead, word)| self.word(ahead) == word);
        self.at += if is_next { count } else { 0 };
        is_next
    }

    /// Skips the first of these phrases that is next. Returns whether one was.
    pub(crate) fn take_one(&mut self, phrases: &str) -> bool {
        phrases.split("; ").any(|phrase| self.take(phrase))
    }

    /// Skips any number of words of a list.
    pub(crate) fn skip(&mut self, list: &str) {
        while list_contains(self.word(0), list) {
            self.at += 1;
        }
    }

    /// Takes the next word if it is one of a list.
    pub(crate) fn one_of(&mut self, list: &str) -> Option<&'q str> {
        let place = self.places.get(self.at).filter(|_| list_contains(self.word(0), list))?.clone();
        self.at += 1;
        Some(&self.text[place])
    }

    /// Skips a word. Returns whether there was one.
    pub(crate) fn skip_word(&mut self) -> bool {
        let is_left = self.at < self.places.len();
        self.at += usize::from(is_left);
        is_left
    }

    /// Whether all words are read.
    pub(crate) fn is_done(&self) -> bool {
        self.at == self.places.len()
    }

    /// The words that `after`, a later state, has read since.
    pub(crate) fn until(&self, after: &Self) -> &'q str {
        match self.places.get(self.at..after.at) {
            Some([first, .., last]) => &self.text[first.start..last.end],
            Some([only]) => &self.text[only.clone()],
            _ => "",
        }
    }

    /// The unread rest, with signs before its first word: "§ 5".
    pub(crate) fn rest(&self) -> &'q str {
        let end =
            self.at.checked_sub(1).and_then(|before| self.places.get(before)).map_or(0, |place| place.end);
        let rest = self.text[end..].trim_start_matches([' ', ',', ':']).trim();
        let quoted =
            rest.strip_prefix(['“', '"', '„', '«']).and_then(|one| one.strip_suffix(['”', '"', '“', '»']));
        quoted.unwrap_or(rest)
    }
}
