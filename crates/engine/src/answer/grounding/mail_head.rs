//! The header of a mail says when the mail was sent, not when the events in its text happen. So its date supports only claims
//! about the mail itself.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::answer::grounding::words::Word;
use crate::search::loaded::PassageSentence;

/// The line with the day, as the extractor writes it.
const DATE: &str = "Date: ";
/// All lines that the extractor writes above a mail's text.
const LINES: [&str; 5] = ["From: ", "To: ", "Cc: ", DATE, "Subject: "];

/// The terms of a claim about a mail.
static SENDING: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = "mail email mails emails message letter sent send sends sender wrote write writes written dated received \
        replied reply forwarded Mail E-Mail Nachricht Brief gesendet sandte schickte geschickt schrieb schreibt geschrieben \
        datiert erhielt erhalten antwortete Antwort weitergeleitet courriel message envoyé écrit reçu correo mensaje enviado \
        escribió recibido";
    Word::all(words).into_iter().map(|word| word.term).collect()
});

/// Who wrote each sentence of a mail: the author in the heading above it, else the sender where the passage names him.
pub(super) fn authors(parts: &[PassageSentence]) -> Vec<Option<String>> {
    let name = |author: &str| {
        let name = author.split([',', '<']).next().unwrap_or_default().trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let mut sender = None;
    let mut author = |part: &PassageSentence| {
        if !part.kind.is_mail() {
            return None;
        }
        if let Some(from) = part.text.strip_prefix(LINES[0]) {
            sender = name(from.lines().next().unwrap_or_default());
            return None;
        }
        let heading = part.context.rsplit(" > ").next().unwrap_or_default();
        heading.strip_suffix(':').and_then(name).or_else(|| sender.clone())
    };
    parts.iter().map(&mut author).collect()
}

/// The sentence of a passage that holds the lines above a mail's text, among them the day.
pub(super) struct MailHead {
    /// Its position.
    pub at: usize,
    /// It, in words that say whose day it is.
    pub dated: String,
    /// It without the day.
    pub undated: String,
    /// The words of that.
    pub words: Vec<Word>,
}

impl MailHead {
    /// That of a passage, if it holds one with a day. A mail's text may have lines that begin in the same way, but hardly a whole
    /// sentence of them that ends with a subject.
    pub(super) fn of(parts: &[PassageSentence]) -> Option<Self> {
        let is_head = |text: &str| {
            let is_line = |line: &str| LINES.iter().any(|name| line.starts_with(name));
            let has_day = text.lines().any(|line| line.starts_with(DATE));
            has_day
                && text.lines().all(is_line)
                && text.lines().last().is_some_and(|line| line.starts_with("Subject: "))
        };
        let at = parts.iter().position(|part| part.kind.is_mail() && is_head(&part.text))?;
        let told = |tell: &dyn Fn(&str) -> Option<String>| {
            let lines = parts[at].text.lines();
            let lines = lines.filter_map(|line| match line.strip_prefix(DATE) {
                Some(day) => tell(day),
                None => Some(line.to_owned()),
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        let undated = told(&|_| None);
        let dated = told(&|day| Some(format!("This mail was sent on {day}.")));
        Some(Self { at, words: Word::all(&undated), undated, dated })
    }

    /// Whether a claim is about the mail.
    pub(super) fn is_meant_by(claim: &[Word]) -> bool {
        claim.iter().any(|word| SENDING.contains(&word.term))
    }
}
