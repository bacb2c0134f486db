//! The lines above a mail's text say when the mail was sent, not when what it tells of happens. So the day there bears out
//! only what is said of the mail itself.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::answer::grounding::words::Word;
use crate::search::loaded::PassageSentence;

/// The line with the day, as the extractor writes it.
const DATE: &str = "Date: ";
/// The lines with people.
const PEOPLE: [&str; 3] = ["From: ", "To: ", "Cc: "];

/// The terms of a claim about a mail, where it does not name who wrote or received it.
static SENDING: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = "mail email mails emails message letter sent send sends sender wrote write writes written dated received \
        replied reply forwarded Mail E-Mail Nachricht Brief gesendet sandte schickte geschickt schrieb schreibt geschrieben \
        datiert erhielt erhalten antwortete Antwort weitergeleitet courriel message envoyé écrit reçu correo mensaje enviado \
        escribió recibido";
    Word::all(words).into_iter().map(|word| word.term).collect()
});

/// The lines above a mail's text.
pub(super) struct MailHead {
    /// The position of the sentence with the day.
    pub at: usize,
    /// That sentence without the day.
    pub undated: String,
    /// The words of that.
    pub words: Vec<Word>,
    /// The terms of the people's names.
    people: HashSet<String>,
}

impl MailHead {
    /// That of a passage, if it holds a day.
    pub(super) fn of(parts: &[PassageSentence]) -> Option<Self> {
        let has_day = |part: &PassageSentence| part.text.lines().any(|line| line.starts_with(DATE));
        let at = parts.iter().position(|part| part.kind.is_mail() && has_day(part))?;
        let undated: Vec<&str> = parts[at].text.lines().filter(|line| !line.starts_with(DATE)).collect();
        let undated = undated.join("\n");
        let lines = parts[..=at].iter().flat_map(|part| part.text.lines());
        let names = lines.filter_map(|line| PEOPLE.iter().find_map(|name| line.strip_prefix(name)));
        let people = names.flat_map(Word::all).filter(Word::tells).map(|word| word.term).collect();
        Some(Self { at, words: Word::all(&undated), undated, people })
    }

    /// The sentence with the day as a reader understands it.
    pub(super) fn told(text: &str) -> String {
        let told = |line: &str| match line.strip_prefix(DATE) {
            Some(day) => format!("This mail was sent on {day}."),
            None => line.to_owned(),
        };
        text.lines().map(told).collect::<Vec<_>>().join("\n")
    }

    /// Whether a claim is about the mail.
    pub(super) fn is_meant_by(&self, claim: &[Word]) -> bool {
        claim.iter().any(|word| SENDING.contains(&word.term) || self.people.contains(&word.term))
    }
}
