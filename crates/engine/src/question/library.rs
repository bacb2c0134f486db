//! Questions about the library itself: "How many PDFs do you have?", "What is new since Monday?"
//!
//! The whole question must have a known form, in English or German. If a word is left over, the documents answer the question: "How
//! many documents must be submitted?"

use crate::question::days::Days;
use crate::question::kinds::{ANY, KindNoun, Noun};
use crate::question::language::detect::is_german;
use crate::question::list::BEFORE_NOUN;
use crate::question::word_cursor::WordCursor;

const COUNTING: &str = "how many; what is the number of; number of; wie viele; wie viel; wieviele";
const WHICH: &str = "which what welche welches welcher welchen";
const LISTING: &str = "list show name give liste zeige zeig nenne nenn";
/// Before "of documents".
const SORTS: &str = "kind kinds type types sort sorts art arten";
/// "file types", "Dateiformate".
const FORMATS: &str =
    "file types; file formats; document types; document formats; dateitypen; dateiformate; dateiarten";
/// Words that ask for changed documents.
const CHANGED: &str =
    "new changed added modified updated arrived neu neue neues geändert verändert hinzugekommen dazugekommen";
/// Words that are ignored.
const FILLING: &str = "is are was were has have been here please altogether es ist sind sich hat haben wurde wurden gibt gab liegen \
    insgesamt hier bitte auf";
/// Phrases that are ignored, longer ones first.
const FILLERS: &str = "do you have; do we have; do i have; do you know; you got; you read; you indexed; there; can you see; can \
    you search; can i search; did i get; did i receive; i received; in total; hast du; kennst du; haben wir; wir; habe ich \
    bekommen; habe ich; kann ich durchsuchen; in here; so far; bisher";
/// Names of the library as a whole.
const WHOLE: &str = "the library; my library; this library; your library; this folder; here; oriel; der bibliothek; deiner \
    bibliothek; meiner bibliothek; dieser bibliothek; diesem ordner";
const UNREAD: &str = "could not be read; couldn't be read; can not be read; cannot be read; can't be read; were not read; could \
    you not read; failed; are unreadable; konnten nicht gelesen werden; können nicht gelesen werden; konnte nicht gelesen \
    werden; konntest du nicht lesen; sind nicht lesbar";
const SENDERS: &str = "who wrote most to me; who wrote to me most; who wrote to me the most; who wrote me most; who wrote me the \
    most; who wrote the most; who writes most to me; who writes to me most; who writes to me the most; who writes me most; who \
    writes me the most; who sent me most; who sent me the most; who sent most; who sent the most; who sends me the most; wer hat \
    mir am meisten; wer hat mir am häufigsten; wer hat mir die meisten; wer schreibt mir am meisten; wer schreibt mir am \
    häufigsten; von wem kommen die meisten";
const AFTER_SENDERS: &str =
    "often e mail mails email emails messages nachrichten geschrieben geschickt gesendet";

/// A property by which documents are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The size of the file.
    Size,
    /// When it was changed or sent.
    Age,
    /// Its sentences.
    Length,
}

const SUPERLATIVES: [(&str, Measure, bool); 6] = [
    ("largest biggest größte größten", Measure::Size, true),
    ("smallest kleinste kleinsten", Measure::Size, false),
    (
        "newest latest neueste neuesten neuste neusten jüngste jüngsten aktuellste aktuellsten",
        Measure::Age,
        true,
    ),
    ("oldest earliest älteste ältesten", Measure::Age, false),
    ("longest längste längsten", Measure::Length, true),
    ("shortest kürzeste kürzesten", Measure::Length, false),
];

/// What a question asks about the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LibraryFact {
    /// How many documents.
    Count,
    /// Which documents.
    List,
    /// The kinds of the documents.
    Kinds,
    /// Which could not be read, and why.
    Unread,
    /// The document with the most or the least of something.
    Extreme(Measure, bool),
    /// Who sent the most mails.
    Senders,
}

/// A question about the library itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LibraryQuestion {
    /// What is asked.
    pub fact: LibraryFact,
    /// Of documents of which kinds.
    pub noun: &'static KindNoun,
    /// In a folder of this name.
    pub folder: Option<String>,
    /// From this sender.
    pub from: Option<String>,
    /// Changed or sent on these days.
    pub days: Option<Days>,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// Parses one form of question.
type Form = fn(&mut LibraryQuestion, WordCursor<'_>) -> Option<()>;

/// What a question asks about the library; `None` if the documents answer it.
pub(crate) fn library_question(question: &str) -> Option<LibraryQuestion> {
    let words = WordCursor::new(question);
    let is_german = is_german(question);
    let read = |form: Form| {
        let mut question = LibraryQuestion {
            fact: LibraryFact::List,
            noun: &ANY,
            folder: None,
            from: None,
            days: None,
            is_german,
        };
        form(&mut question, words.clone())?;
        Some(question)
    };
    let forms: [Form; 7] = [
        LibraryQuestion::count,
        LibraryQuestion::senders,
        LibraryQuestion::kinds,
        LibraryQuestion::unread,
        LibraryQuestion::extreme,
        LibraryQuestion::changed,
        LibraryQuestion::list,
    ];
    forms.into_iter().find_map(read)
}

impl LibraryQuestion {
    fn count(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        words.take_one(COUNTING).then_some(())?;
        self.fact = LibraryFact::Count;
        words.skip(&BEFORE_NOUN);
        self.take_noun(&mut words)?;
        // "How many of the documents are PDFs?"
        let mut narrower = words.clone();
        if narrower.one_of("are sind").is_some()
            && let Some(Noun::Kind(noun)) = Noun::take(&mut narrower)
        {
            self.noun = noun;
            words = narrower;
        }
        self.end(words)
    }

    fn senders(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        words.take_one(SENDERS).then_some(())?;
        self.fact = LibraryFact::Senders;
        words.skip(AFTER_SENDERS);
        self.end(words)
    }

    fn kinds(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        words.one_of(WHICH)?;
        self.fact = LibraryFact::Kinds;
        if words.one_of(SORTS).is_some() {
            words.one_of("of von").and_then(|_| self.take_noun(&mut words))?;
        } else {
            words.take_one(FORMATS).then_some(())?;
        }
        self.end(words)
    }

    fn unread(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        words.one_of(WHICH).or_else(|| words.one_of("was"))?;
        self.fact = LibraryFact::Unread;
        let mut named = words.clone();
        let has_noun = self.take_noun(&mut named).is_some();
        if has_noun {
            words = named;
        }
        // "What failed?" may be about anything.
        UNREAD
            .split("; ")
            .find(|phrase| words.take(phrase))
            .filter(|phrase| has_noun || *phrase != "failed")?;
        if words.one_of("and und").is_some() {
            words.one_of("why warum wieso weshalb")?;
        }
        self.end(words)
    }

    /// "Which is the largest document?", "Which document is the largest?", "the newest mail".
    fn extreme(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        words.one_of("which what what's was welches welche welcher show zeige zeig");
        words.skip("me mir");
        let mut named = words.clone();
        let noun_first = self.take_noun(&mut named).is_some();
        if noun_first {
            words = named;
        }
        let is_said = words.one_of("is ist").is_some();
        words.skip("the das die der den am");
        let (_, measure, is_most) =
            SUPERLATIVES.iter().find(|(superlatives, ..)| words.one_of(superlatives).is_some())?;
        self.fact = LibraryFact::Extreme(*measure, *is_most);
        match noun_first {
            true => is_said.then_some(())?,
            false => self.take_noun(&mut words)?,
        }
        self.end(words)
    }

    /// "What is new since Monday?", "Welche Dateien wurden diese Woche geändert?"
    fn changed(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        words.one_of(WHICH).or_else(|| words.one_of("was what's"))?;
        let mut named = words.clone();
        if self.take_noun(&mut named).is_some() {
            words = named;
        }
        self.limits(words).filter(|says_changed| *says_changed).map(drop)
    }

    fn list(&mut self, mut words: WordCursor<'_>) -> Option<()> {
        let is_told = words.one_of(LISTING).is_some();
        if is_told {
            words.skip("me us mir uns bitte please");
            words.skip("all every the my alle sämtliche die meine");
        } else {
            words.one_of(WHICH)?;
        }
        words.skip(&BEFORE_NOUN);
        self.take_noun(&mut words)?;
        let mut narrower = words.clone();
        if !is_told
            && narrower.one_of("are sind").is_some()
            && let Some(Noun::Kind(noun)) = Noun::take(&mut narrower)
        {
            self.noun = noun;
            words = narrower;
        }
        // "Which documents?" alone is incomplete.
        let is_whole = is_told || !words.is_done() || self.noun != &ANY;
        self.end(words).filter(|()| is_whole)
    }

    fn take_noun(&mut self, words: &mut WordCursor<'_>) -> Option<()> {
        match Noun::take(words)? {
            Noun::Kind(noun) => self.noun = noun,
            Noun::Folder(name) => self.folder = Some(name.to_owned()),
        }
        Some(())
    }

    /// Parses the rest of a question: conditions on the documents.
    fn end(&mut self, words: WordCursor<'_>) -> Option<()> {
        self.limits(words).map(drop)
    }

    /// Parses conditions on folder, sender and days. Returns whether changed documents are asked for; `None` if anything else follows.
    fn limits(&mut self, mut words: WordCursor<'_>) -> Option<bool> {
        let mut says_changed = false;
        while !words.is_done() {
            if words.one_of(CHANGED).is_some() {
                says_changed = true;
                continue;
            }
            if words.one_of(FILLING).is_some() || words.take_one(FILLERS) {
                continue;
            }
            if let Some(days) = Days::take(&mut words) {
                if self.days.replace(days).is_some() {
                    return None;
                }
            } else if words.one_of("in im").is_some() {
                if !words.take_one(WHOLE) {
                    words.skip("the my folder directory dem den der ordner verzeichnis");
                    let folder = name(&mut words, "from by von", 6)?;
                    if self.folder.replace(folder).is_some() {
                        return None;
                    }
                }
            } else if self.from.is_none() && words.one_of("from by von").is_some() {
                self.from = Some(name(&mut words, "in im is are was were ist sind", 4)?);
            } else {
                return None;
            }
        }
        // Without days "changed" may be about anything.
        (!says_changed || self.days.is_some()).then_some(says_changed)
    }

    /// Completes a follow-up to this question: "How many of them are PDFs?"
    pub(crate) fn follow_up(&self, question: &str) -> Option<String> {
        let all = if self.is_german { "der Dokumente" } else { "of the documents" };
        let (before, after) = ["of them", "of these", "of those", "davon", "von ihnen", "von denen"]
            .iter()
            .find_map(|phrase| question.split_once(phrase))?;
        let mut whole = format!("{before}{all}{}", after.trim_end_matches(['?', '.', ' ']));
        let [within, from] = if self.is_german { ["in", "von"] } else { ["in", "from"] };
        for (joint, name) in [(within, &self.folder), (from, &self.from)] {
            whole.extend(name.iter().map(|name| format!(" {joint} {name}")));
        }
        whole.extend(self.days.iter().map(|days| format!(" {}", days.words)));
        let opening = ["and ", "und "].iter().find(|opening| whole.to_lowercase().starts_with(**opening));
        let whole = format!("{}?", &whole[opening.map_or(0, |opening| opening.len())..]);
        library_question(&whole).map(|_| whole)
    }
}

/// Takes a name of at most `limit` words, up to a period, a word of `until` or the end.
fn name(words: &mut WordCursor<'_>, until: &str, limit: usize) -> Option<String> {
    let begin = words.clone();
    let mut count = 0;
    while Days::take(&mut words.clone()).is_none()
        && words.clone().one_of(until).is_none()
        && words.skip_word()
    {
        count += 1;
    }
    let name = begin.until(words);
    let is_name = WordCursor::new(name).one_of("a an der die das it that which who what total").is_none();
    ((1..=limit).contains(&count) && is_name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests;
