//! What the library holds: counts, lists, the largest document, the most frequent sender.

use oriel_core::TimeLimit;
use oriel_text::capitalised;

use super::{MAX_NAMES, names, pick};
use crate::question::kinds::KindNoun;
use crate::question::library::Measure;

/// The words for documents.
pub(crate) struct Words {
    /// What they are called.
    noun: &'static KindNoun,
    /// What limits them: " in Contracts from Anna".
    limits: String,
    is_german: bool,
}

impl Words {
    pub(crate) fn new(noun: &'static KindNoun, is_german: bool) -> Self {
        Self { noun, limits: String::new(), is_german }
    }

    pub(crate) fn limit_to_folder(&mut self, name: &str) {
        self.limits += &format!(" in {name}");
    }

    pub(crate) fn limit_to_sender(&mut self, name: &str) {
        self.limits += &format!(" {} {name}", self.pick("from", "von"));
    }

    fn pick<T>(&self, english: T, german: T) -> T {
        pick(self.is_german, english, german)
    }

    fn names(&self, all: impl Iterator<Item = String>) -> String {
        names(all, self.is_german)
    }

    pub(crate) fn document_columns(&self) -> [&'static str; 6] {
        self.pick(
            ["Name", "Kind", "Date", "Pages", "Sentences", "Size"],
            ["Name", "Art", "Datum", "Seiten", "Sätze", "Größe"],
        )
    }

    pub(crate) fn kind_columns(&self) -> [&'static str; 2] {
        self.pick(["Kind", "Documents"], ["Art", "Dokumente"])
    }

    pub(crate) fn failure_columns(&self) -> [&'static str; 2] {
        self.pick(["Name", "Reason"], ["Name", "Grund"])
    }

    pub(crate) fn sender_columns(&self) -> [&'static str; 2] {
        self.pick(["Sender", "Mails"], ["Absender", "Mails"])
    }

    /// A number of documents with what they are called and what limits them: "3 PDFs in Contracts".
    fn counted(&self, count: usize) -> String {
        let number = if count == 0 { self.pick("no", "keine").to_owned() } else { count.to_string() };
        let name = self.noun.name(if count == 0 { 2 } else { count }, self.is_german);
        format!("{number} {name}{}", self.limits)
    }

    /// The same after "von": "3 Bildern".
    fn of_counted(&self, count: usize) -> String {
        let name = self.noun.name(count, self.is_german);
        let ending = if self.is_german && count > 1 && name.ends_with(['e', 'r']) { "n" } else { "" };
        format!("{count} {name}{ending}{}", self.limits)
    }

    /// "There are 3 PDFs: …". `failed` of them could not be read, `waiting` are not read yet.
    pub(crate) fn listed(
        &self,
        documents: impl ExactSizeIterator<Item = String>,
        time: Option<&TimeLimit>,
        failed: usize,
        waiting: usize,
    ) -> String {
        let count = documents.len();
        let mut text = match time {
            Some(time) => self.changed(count, time),
            None if self.is_german => format!("Es gibt {}", self.counted(count)),
            None => format!("There {} {}", if count == 1 { "is" } else { "are" }, self.counted(count)),
        };
        if (1..=MAX_NAMES).contains(&count) {
            text += &format!(": {}", self.names(documents));
        }
        text.push('.');
        if failed > 0 {
            text += &match self.is_german {
                true if failed == 1 => " 1 davon konnte nicht gelesen werden.".to_owned(),
                true => format!(" {failed} davon konnten nicht gelesen werden."),
                false => format!(" {failed} of them could not be read."),
            };
        }
        if waiting > 0 {
            text += &match self.is_german {
                true => format!(" {waiting} davon noch nicht gelesen."),
                false => format!(" {waiting} of them not read yet."),
            };
        }
        text
    }

    /// "3 documents were changed or sent since Monday (2026-11-23 to 2026-11-29)"
    fn changed(&self, count: usize, TimeLimit { words, since, until, .. }: &TimeLimit) -> String {
        let counted = capitalised(&self.counted(count));
        let day = |day: &Option<String>| day.clone().unwrap_or_default();
        let days = match since == until {
            true => day(since),
            false => format!("{} {} {}", day(since), self.pick("to", "bis"), day(until)),
        };
        let verb = if count == 1 { self.pick("was", "wurde") } else { self.pick("were", "wurden") };
        match self.is_german {
            true => format!("{counted} {verb} {words} geändert oder gesendet ({days})"),
            false => format!("{counted} {verb} changed or sent {words} ({days})"),
        }
    }

    /// The kinds of so many documents, each with its number.
    pub(crate) fn kinds(&self, count: usize, kinds: &[(String, usize)]) -> String {
        let listed = kinds.iter().take(MAX_NAMES).map(|(kind, count)| format!("{count} {kind}"));
        let (listed, all) = (self.names(listed), self.counted(count));
        match (self.is_german, kinds.len()) {
            (true, 1) => format!("Es gibt {all} in 1 Format: {listed}."),
            (true, kinds) => format!("Es gibt {all} in {kinds} Formaten: {listed}."),
            (false, 1) => {
                format!("There {} {all} of 1 kind: {listed}.", if count == 1 { "is" } else { "are" })
            }
            (false, kinds) => format!("There are {all} of {kinds} kinds: {listed}."),
        }
    }

    /// The documents that could not be read, of `all`.
    pub(crate) fn unread(&self, failed: impl ExactSizeIterator<Item = String>, all: usize) -> String {
        let (count, all) = (failed.len(), self.of_counted(all));
        let mut text = match (self.is_german, count) {
            (true, 0) => return format!("Von {all} ist keines fehlgeschlagen."),
            (false, 0) => return format!("None of {all} failed."),
            (true, 1) => format!("1 von {all} konnte nicht gelesen werden"),
            (true, _) => format!("{count} von {all} konnten nicht gelesen werden"),
            (false, _) => format!("{count} of {all} could not be read"),
        };
        if count <= MAX_NAMES {
            text += &format!(": {}", self.names(failed));
        }
        text + "."
    }

    /// How many files of which other kinds there are.
    pub(crate) fn other_files(&self, count: u64, each: impl Iterator<Item = String>) -> String {
        let each = self.names(each);
        match self.is_german {
            true => format!(" Dateien anderer Art werden nicht gelesen: {count} ({each})."),
            false => format!(" Files of other kinds are not read: {count} ({each})."),
        }
    }

    /// "12 sentences, 3 pages"
    pub(crate) fn length(&self, sentences: u32, pages: u32) -> String {
        let sentences = format!("{sentences} {}", self.pick("sentences", "Sätze"));
        let pages_too = format!(", {pages} {}", self.pick("pages", "Seiten"));
        sentences + if pages > 0 { &pages_too } else { "" }
    }

    /// "Of 3 PDFs, a.pdf is the largest (2 MB)."
    pub(crate) fn extreme(
        &self,
        name: &str,
        all: usize,
        measure: Measure,
        is_most: bool,
        said: &str,
    ) -> String {
        let (english, german) = match (measure, is_most) {
            (Measure::Size, true) => ("the largest", "am größten"),
            (Measure::Size, false) => ("the smallest", "am kleinsten"),
            (Measure::Age, true) => ("the newest", "am neuesten"),
            (Measure::Age, false) => ("the oldest", "am ältesten"),
            (Measure::Length, true) => ("the longest", "am längsten"),
            (Measure::Length, false) => ("the shortest", "am kürzesten"),
        };
        let all = self.of_counted(all);
        match self.is_german {
            true => format!("Von {all} ist {name} {german} ({said})."),
            false => format!("Of {all}, {name} is {english} ({said})."),
        }
    }

    /// That there is no mail among so many documents.
    pub(crate) fn no_mail(&self, count: usize) -> String {
        match self.is_german {
            true => format!("Unter {} ist keine Mail.", self.of_counted(count)),
            false => format!("None of {} is a mail.", self.of_counted(count)),
        }
    }

    /// Who sent the most mails, of all senders with the numbers of theirs; those with the most come first.
    pub(crate) fn senders(&self, counts: &[(&str, usize)]) -> String {
        let most = counts.first().map_or(0, |(_, most)| *most);
        let all: usize = counts.iter().map(|(_, count)| count).sum();
        let first: Vec<&str> =
            counts.iter().filter(|(_, count)| *count == most).map(|(name, _)| *name).collect();
        let who = match first.len() {
            0..=MAX_NAMES => self.names(first.iter().map(|&name| name.to_owned())),
            count => format!("{count} {}", self.pick("senders", "Absender")),
        };
        let each = if first.len() > 1 { self.pick(" each", " je Absender") } else { "" };
        let limits = &self.limits;
        match self.is_german {
            true => format!("Die meisten Mails{limits} sind von {who}: {most} von {all}{each}."),
            false => format!("Most mails{limits} are from {who}: {most} of {all}{each}."),
        }
    }
}
