//! Glossaries: other words that documents use for what a question names.
//!
//! A glossary is a text with one entry a line, `name, other name: wording; other wording`. Oriel ships lists of terms of
//! business, law, medicine and science; the user's own entries, a file in the library's folder, come first.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use oriel_core::Notice;
use oriel_text::terms;

use crate::error::EngineError;
use crate::files::replace_file;
use crate::library::{GLOSSARY_FILE, Library};

/// The lists that ship.
const SHIPPED: [&str; 4] = [
    include_str!("../../glossary/business.txt"),
    include_str!("../../glossary/law.txt"),
    include_str!("../../glossary/medicine.txt"),
    include_str!("../../glossary/science.txt"),
];

/// Entries by the names that questions use.
#[derive(Debug, Default)]
pub(crate) struct Glossary {
    /// The wordings of a name, by its terms joined by spaces.
    entries: HashMap<String, Arc<[String]>>,
    /// The most terms in a name.
    longest: usize,
}

impl Library {
    /// The text of the user's own glossary; empty if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn glossary_text(&self) -> Result<String, EngineError> {
        let path = self.own_glossary_file();
        match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(|error| EngineError::Path { path, why: Notice::io(&error) }),
        }
    }

    /// Replaces the text of the user's own glossary. Returns the numbers of the lines that are no entries: they are kept, and do
    /// nothing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn replace_glossary(&self, text: &str) -> Result<Vec<usize>, EngineError> {
        let path = self.own_glossary_file();
        replace_file(&path, text.as_bytes())
            .map_err(|error| EngineError::Path { path, why: Notice::io(&error) })?;
        Ok(Glossary::parse(text).1)
    }

    /// The entries of the user's own glossary; none if it cannot be read.
    pub(crate) fn own_glossary(&self) -> Glossary {
        let text = self.glossary_text().unwrap_or_else(|error| {
            tracing::warn!(%error, "the glossary is not used");
            String::new()
        });
        let (glossary, bad) = Glossary::parse(&text);
        if !bad.is_empty() {
            let path = self.own_glossary_file();
            tracing::warn!(path = %path.display(), lines = ?bad, "lines of the glossary are no entries: they need a name, a colon and a wording");
        }
        glossary
    }

    fn own_glossary_file(&self) -> PathBuf {
        self.path().join(GLOSSARY_FILE)
    }
}

impl Glossary {
    /// Maximum number of wordings for a question.
    pub const MAX_WORDINGS: usize = 6;

    /// The lists that ship.
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

    /// The entries of a text, and the numbers, from 1, of the lines that are none. Empty lines and lines that begin with `#` are left
    /// out.
    fn parse(text: &str) -> (Self, Vec<usize>) {
        let mut glossary = Self::default();
        let bad = glossary.add(text);
        (glossary, bad)
    }

    fn add(&mut self, text: &str) -> Vec<usize> {
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
                bad.push(line);
                continue;
            }
            for name in names {
                self.longest = self.longest.max(name.len());
                self.entries.insert(name.join(" "), Arc::clone(&wordings));
            }
        }
        bad
    }

    /// The wordings of all names in the question, in their order. Of overlapping names the longest counts.
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
        assert_eq!(bad, [3, 4]);
    }
}
