//! Turns text into the terms of the postings, so that `Company’s`, `company` and `companies` are equal.
//!
//! Questions and documents use the same function. It does not depend on the surrounding text, since a question is too
//! short to detect its language: every word in Latin script gets the English stem, every word in Cyrillic the Russian
//! one, and only the first letters of the stem count, which covers the endings of other languages. The terms are
//! stored: a change here changes the store's format.

use std::borrow::Cow;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Maximum bytes of a term; longer ones are cut.
const MAX_TERM_BYTES: usize = 64;

/// The number of characters of a stem that count. Recall of the answer's sentence among the first 20 by BM25, compared
/// with whole stems: .931 instead of .932 in English, .925 instead of .901 in German, .915 instead of .868 in Turkish.
const STEM_CHARACTERS: usize = 7;

/// The terms of `text` in order, normalised for sparse search.
///
/// Words lose case, diacritics, compatibility forms and endings. Identifiers and compounds become their parts; text in
/// scripts without spaces between words becomes overlapping pairs of characters.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let text: Cow<'_, str> =
        if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) };
    let mut terms = Terms {
        terms: Vec::new(),
        english: Stemmer::create(Algorithm::English),
        russian: Stemmer::create(Algorithm::Russian),
    };
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let dense = is_unspaced(first);
        let end = rest.find(|c: char| is_unspaced(c) != dense && !is_joining(c)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if dense {
            terms.pairs(run);
        } else {
            run.unicode_words().for_each(|word| terms.word(word));
        }
        rest = after;
    }
    terms.terms
}

/// The positions of the words of `text` in bytes, in order, by the rules of Unicode, which keep `don't` and `3.14`
/// whole.
#[must_use]
pub fn words(text: &str) -> Vec<Range<usize>> {
    text.unicode_word_indices().map(|(at, word)| at..at + word.len()).collect()
}

/// Whether `c` belongs to a script without spaces, or one whose words carry particles (Korean).
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Whether it is a combining mark or variation selector, which belongs to the character before it.
fn is_joining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}' | '\u{200c}' | '\u{200d}')
}

struct Terms {
    terms: Vec<String>,
    english: Stemmer,
    russian: Stemmer,
}

impl Terms {
    /// Adds overlapping pairs of the characters in `run`; a single character stays alone.
    fn pairs(&mut self, run: &str) {
        for run in
            run.split(|c: char| !c.is_alphanumeric() && !is_unspaced(c)).map(|run| run.replace('・', ""))
        {
            let characters: Vec<char> = run.chars().collect();
            match characters.as_slice() {
                [] => {}
                [alone] => self.terms.push(alone.to_string()),
                more => self.terms.extend(more.windows(2).map(|pair| pair.iter().collect::<String>())),
            }
        }
    }

    /// Adds a word by the rules of Unicode, which keep `don't`, `3.14`, `U.S.A` and `snake_case` whole.
    fn word(&mut self, word: &str) {
        let word = word.to_lowercase();
        let word = possessed(&word);
        if word.starts_with(|c: char| c.is_numeric())
            && word.chars().all(|c| c.is_numeric() || matches!(c, ',' | '.' | '\'' | '_'))
        {
            // Questions may write 1,000 as 1000; a decimal point stays.
            return self.push(word.replace([',', '\'', '_'], ""));
        }
        // U.S.A becomes USA.
        if word.contains('.')
            && word.split('.').all(|part| part.chars().count() == 1 && !part.starts_with(char::is_numeric))
        {
            return self.push(fold(&word.replace('.', "")).into_owned());
        }
        let decimal = word.contains(char::is_numeric);
        for part in word.split(|c: char| !(c.is_alphanumeric() || is_mark(c) || (c == '.' && decimal))) {
            if !part.is_empty() {
                self.stem(part);
            }
        }
    }

    fn stem(&mut self, word: &str) {
        if word.contains(char::is_numeric) {
            return self.push(fold(word).into_owned());
        }
        let stem = if word.chars().any(|c| matches!(c, '\u{400}'..='\u{52f}')) {
            fold(&self.russian.stem(word)).into_owned()
        } else {
            let folded = fold(word);
            if folded.is_ascii() { self.english.stem(&folded).into_owned() } else { folded.into_owned() }
        };
        self.push(stem.chars().take(STEM_CHARACTERS).collect());
    }

    fn push(&mut self, mut term: String) {
        term.truncate(term.floor_char_boundary(MAX_TERM_BYTES));
        if !term.is_empty() {
            self.terms.push(term);
        }
    }
}

/// `word` without the part at an apostrophe: an English ending, or a French or Italian article before it.
fn possessed(word: &str) -> String {
    let word = word.replace(['’', 'ʼ', '＇'], "'");
    for ending in ["'s", "'re", "'ve", "'ll", "'d", "'m"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| !stem.is_empty()) {
            return stem.to_owned();
        }
    }
    match word.split_once('\'') {
        Some((article, noun))
            if (article.len() <= 2 || article.ends_with("ll") || article == "qu")
                && noun.chars().count() > 2 =>
        {
            noun.replace('\'', "")
        }
        _ => word.replace('\'', ""),
    }
}

/// Whether `c` is a mark that belongs to a word in its script (vowel signs of Indic scripts, diacritics).
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{5b0}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{640}'..='\u{65f}' | '\u{670}')
        || (('\u{900}'..='\u{dff}').contains(&c) && !matches!(c, '\u{964}' | '\u{965}'))
}

/// `word` without diacritics: Latin, Greek and Cyrillic accents, Arabic and Hebrew vowel points. Signs that are letters
/// of their script (Indic vowels, Japanese voicing) stay.
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.nfkd() {
        match c {
            '\u{300}'..='\u{36f}'
            | '\u{5b0}'..='\u{5c7}'
            | '\u{610}'..='\u{61a}'
            | '\u{640}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}' => {}
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            c => folded.push(c),
        }
    }
    Cow::Owned(folded.nfc().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(left: &str, right: &str) {
        assert_eq!(terms(left), terms(right), "{left} / {right}");
        assert!(!terms(left).is_empty());
    }

    #[test]
    fn forms_of_a_word_are_one_term() {
        same("Company’s", "company");
        same("companies", "company");
        same("they're", "they");
        same("Café", "cafe\u{301}s");
        same("Straße", "STRASSE");
        same("Ärzte", "arzte");
        same("ﬁle", "file");
        same("１２", "12");
        same("1,000", "1000");
        same("U.S.", "us");
        same("l’homme", "homme");
        same("городами", "города");
        same("öğretmenlerin", "ogretmenler");
        same("İstanbul", "istanbul");
    }

    #[test]
    fn compounds_and_identifiers_are_found_by_their_parts() {
        assert_eq!(terms("RFC-7231"), ["rfc", "7231"]);
        assert_eq!(terms("state-of-the-art"), ["state", "of", "the", "art"]);
        assert_eq!(terms("snake_case"), ["snake", "case"]);
        assert_eq!(terms("www.example.org"), ["www", "exampl", "org"]);
        assert_eq!(terms("3.14 v1.2.3"), ["3.14", "v1.2.3"]);
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        assert_eq!(terms("日本語"), ["日本", "本語"]);
        assert_eq!(terms("語 C++20版"), ["語", "c", "20", "版"]);
        assert_eq!(terms("がくせい"), ["がく", "くせ", "せい"]);
        assert_eq!(terms("ภาษา").len(), 3);
    }

    #[test]
    fn signs_of_indic_scripts_stay() {
        assert_eq!(terms("हिन्दी").len(), 1);
        assert_ne!(terms("की"), terms("का"));
        same("كِتَاب", "كتاب");
    }

    proptest! {
        #[test]
        fn terms_are_short_lower_case_and_never_empty(text in any::<String>()) {
            for term in terms(&text) {
                prop_assert!(!term.is_empty() && term.len() <= MAX_TERM_BYTES);
                prop_assert!(!term.contains(char::is_whitespace));
            }
        }

        #[test]
        fn case_makes_no_difference_in_ascii(text in "[ -~]{0,40}") {
            prop_assert_eq!(terms(&text.to_uppercase()), terms(&text.to_lowercase()));
        }
    }
}
