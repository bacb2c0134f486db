//! Other words for the same thing: how a document puts what a question asks for.
//!
//! A glossary is a text with one entry a line, `name, other name: wording; other wording`. Oriel ships lists of terms of
//! business, law, medicine and science; a user's own entries come first. It knows words only, no library and no model.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use oriel_text::terms;

/// The lists that ship.
const SHIPPED: [&str; 4] = [
    include_str!("../../glossary/business.txt"),
    include_str!("../../glossary/law.txt"),
    include_str!("../../glossary/medicine.txt"),
    include_str!("../../glossary/science.txt"),
];

/// Entries, by the names that a question may use.
#[derive(Debug, Default)]
pub struct Glossary {
    /// The wordings of a name, by its terms joined by spaces.
    entries: HashMap<String, Arc<[String]>>,
    /// The most terms in a name.
    longest: usize,
}

/// A line of a glossary that is no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadEntry {
    /// Its number, from 1.
    pub line: usize,
}

impl Glossary {
    /// Maximum number of wordings for a question.
    pub const MAX_WORDINGS: usize = 6;

    /// The lists that ship.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static ALL: LazyLock<Glossary> = LazyLock::new(|| {
            let mut all = Glossary::default();
            for list in SHIPPED {
                let bad = all.add(list);
                debug_assert!(bad.is_empty(), "lines {bad:?} of a list that ships");
            }
            all
        });
        &ALL
    }

    /// The entries of a text, and its lines that are none. Empty lines and lines that begin with `#` are left out.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<BadEntry>) {
        let mut glossary = Self::default();
        let bad = glossary.add(text);
        (glossary, bad)
    }

    fn add(&mut self, text: &str) -> Vec<BadEntry> {
        let mut bad = Vec::new();
        for (line, entry) in (1..).zip(text.lines().map(str::trim)) {
            if entry.is_empty() || entry.starts_with('#') {
                continue;
            }
            let (names, wordings) = entry.split_once(':').unwrap_or((entry, ""));
            let names: Vec<Vec<String>> =
                names.split(',').map(terms).filter(|name| !name.is_empty()).collect();
            let wordings: Arc<[String]> = wordings
                .split(';')
                .map(str::trim)
                .filter(|wording| !wording.is_empty())
                .map(str::to_owned)
                .collect();
            if names.is_empty() || wordings.is_empty() {
                bad.push(BadEntry { line });
                continue;
            }
            for name in names {
                self.longest = self.longest.max(name.len());
                self.entries.insert(name.join(" "), Arc::clone(&wordings));
            }
        }
        bad
    }

    /// How documents put what the question names, for each name in its order; of names that overlap the longest counts.
    #[must_use]
    pub fn wordings(&self, question: &str) -> Vec<String> {
        let question = terms(question);
        let mut found: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < question.len() {
            let longest = self.longest.min(question.len() - at);
            let named = (1..=longest)
                .rev()
                .find_map(|length| Some((length, self.entries.get(&question[at..at + length].join(" "))?)));
            let Some((length, wordings)) = named else {
                at += 1;
                continue;
            };
            for wording in wordings.iter().map(String::as_str) {
                if found.len() < Self::MAX_WORDINGS && !found.contains(&wording) {
                    found.push(wording);
                }
            }
            at += length;
        }
        found.into_iter().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_gets_the_wordings_of_what_it_names() {
        let of = |question: &str| Glossary::shipped().wordings(question);
        assert_eq!(
            of("What is the quick ratio?"),
            [
                "cash and cash equivalents, marketable securities, accounts receivable",
                "total current liabilities"
            ]
        );
        assert!(
            of("Was there a heart attack?")
                .contains(&"myocardial infarction, acute coronary syndrome".to_owned())
        );
        assert_eq!(of("Net PP&E of 2018"), ["property, plant and equipment, net"]);
        assert_eq!(of("Who won the race?"), [""; 0]);
        assert!(of("What was the operating cash flow?").iter().all(|one| !one.contains("investing")));
    }

    #[test]
    fn an_entry_has_names_and_wordings() {
        let (own, bad) =
            Glossary::parse("# mine\nK7, the old mill: Mühle am Bach; Flurstück 7\nnothing\n: no name\n");
        assert_eq!(own.wordings("Who owns K7?"), ["Mühle am Bach", "Flurstück 7"]);
        assert_eq!(own.wordings("Who bought the old mill?"), ["Mühle am Bach", "Flurstück 7"]);
        assert_eq!(bad, [BadEntry { line: 3 }, BadEntry { line: 4 }]);
    }
}
