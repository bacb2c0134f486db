//! Questions for documents by a date in their text: "Which contracts end within 90 days?", "Welche Rechnungen sind vor Juni fällig?"
//!
//! Such a question has a question word, a time, a verb for what happens at that time, and at most one noun. All other questions are
//! ordinary ones.

use jiff::civil::Date;
use oriel_core::TimeLimit;

use crate::question::dates::{NamedTime, named_time, time_limit};
use crate::question::language::detect::is_german;
use crate::question::list::GENERAL_NOUNS;
use crate::question::words::Word;
use oriel_text::list_contains;

const ASKING: &str = "which what list show welche welcher welches was nenne zeige liste quels quelles qué cuáles quali welke wat quais";
/// Words that are ignored.
const FILLING: &str = "all me the of my our are is was were will be do does did have has to that there any still up for shall must come \
    comes fall falls alle mir die der das den unserer unsere meiner meine sind ist war waren wird werden noch sich zur von diese dieser \
    les des nos se los las nuestros de gli i dei het onze os as";
const PAST: &str =
    "was were did ended expired started began lapsed war waren endete endeten lief liefen begann begannen";

/// An event with a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A contract ends.
    Ends,
    /// A sum is due.
    Due,
    /// A lease begins.
    Starts,
    /// An insurance is renewed.
    Renews,
    /// A meeting takes place.
    Meets,
}

/// The words for an event.
struct EventWords {
    event: Event,
    /// In a question.
    asked: &'static str,
    /// In a sentence that states the date.
    told: &'static str,
    /// The same, but only in a sentence that also contains a word of `with`.
    told_with: &'static str,
    with: &'static str,
}

const EVENTS: [EventWords; 5] = [
    EventWords {
        event: Event::Ends,
        asked: "end ends ending ended expire expires expiring expired run runs running out terminate terminates lapse lapses lapsed enden \
            endet endete endeten laufen läuft lief liefen aus ab auslaufen ablaufen verfallen verfällt erlöschen erlischt finissent expirent \
            terminent terminan vencen expiran scadono terminano eindigen verlopen terminam vencem",
        told: "end ends ended ending expire expires expired expiring expiry expiration terminate terminates lapse lapses endet enden enddatum vertragsende \
            endete ablauf abläuft ausläuft befristet finit expire expirera échéance termina vence vencimiento expira scade scadenza eindigt \
            verloopt vervalt",
        told_with: "until through till bis ende",
        with: "valid runs run holds term continues lasts remains gültig läuft laufzeit gilt",
    },
    EventWords {
        event: Event::Due,
        asked: "due payable fällig zahlbar",
        told: "due payable fällig fälligkeit zahlbar zahlungsziel échéance vencimiento scadenza vervaldatum",
        told_with: "",
        with: "",
    },
    EventWords {
        event: Event::Starts,
        asked: "start starts starting started begin begins began commence commences beginnen beginnt begann begannen starten startet \
            commencent empiezan comienzan iniziano beginnt começam",
        told: "start starts started starting begin begins began beginning commence commences commencing beginnt beginnen begann beginn \
            startet commence empieza comienza inizia begint começa",
        told_with: "",
        with: "",
    },
    EventWords {
        event: Event::Renews,
        asked: "renew renews renewed renewal verlängern verlängert verlängerung",
        told: "renew renews renewed renewal verlängert verlängern verlängerung",
        told_with: "",
        with: "",
    },
    EventWords {
        event: Event::Meets,
        asked: "meet meets take takes place held stattfinden findet finden statt",
        told: "meet meets meeting held findet stattfinden treffen sitzung versammlung appointment termin",
        told_with: "place",
        with: "take takes taking",
    },
];

impl Event {
    fn words(self) -> &'static EventWords {
        EVENTS.iter().find(|words| words.event == self).unwrap_or(&EVENTS[0])
    }

    /// The words of which a sentence about the event contains at least one.
    pub(crate) fn told(self) -> impl Iterator<Item = &'static str> {
        let words = self.words();
        words.told.split_whitespace().chain(words.told_with.split_whitespace())
    }

    /// Whether the word at index `at` of a sentence in lower case states the event.
    pub(crate) fn is_told(self, sentence: &[String], at: usize) -> bool {
        let words = self.words();
        let word = sentence[at].as_str();
        // "Due to rain"
        let is_cause = word == "due" && sentence.get(at + 1).is_some_and(|next| next == "to");
        let is_denied = sentence[at.saturating_sub(2)..at]
            .iter()
            .any(|word| list_contains(word, "not never nicht nie no"));
        // "At the end of 2026"
        let is_noun = list_contains(word, "end ende beginning beginn start")
            && sentence.get(at + 1).is_some_and(|next| list_contains(next, "of des der"));
        let has_other = || sentence.iter().any(|other| list_contains(other, words.with));
        !is_cause
            && !is_denied
            && !is_noun
            && (list_contains(word, words.told) || (list_contains(word, words.told_with) && has_other()))
    }

    /// Whether the word states another event.
    pub(crate) fn is_other(self, word: &str) -> bool {
        EVENTS.iter().any(|words| words.event != self && list_contains(word, words.told))
            && !list_contains(word, self.words().told)
    }
}

/// A question for the documents in which something happens at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EventQuestion {
    /// What the documents are called: "contracts".
    pub(crate) noun: Option<String>,
    pub(crate) event: Event,
    /// The words for the time.
    pub(crate) time: String,
    pub(crate) since: Option<Date>,
    pub(crate) until: Option<Date>,
    /// Whether it is asked in German.
    pub(crate) is_german: bool,
}

impl EventQuestion {
    /// Its time as it is shown to the user.
    pub(crate) fn limit(&self) -> TimeLimit {
        time_limit(&self.time, self.since, self.until, None)
    }
}

/// The documents that a question asks for by a date in their text; `None` if it is an ordinary question.
pub(crate) fn event_question(question: &str, today: Date) -> Option<EventQuestion> {
    let all = Word::all(question);
    all.first().filter(|first| list_contains(&first.lower, ASKING))?;
    let is_past = all.iter().any(|word| list_contains(&word.lower, PAST));
    let NamedTime { bytes, mut since, until, .. } = named_time(question, today, !is_past)?;
    let time = question[bytes.clone()].to_owned();
    let rest = format!("{} {}", &question[..bytes.start], &question[bytes.end..]);
    let words = Word::all(&rest);
    let is_of =
        |events: &EventWords| words.iter().filter(|word| list_contains(&word.lower, events.asked)).count();
    let events = EVENTS.iter().filter(|events| is_of(events) > 0).max_by_key(|events| is_of(events))?;
    let (mut noun, mut before) = (None, "");
    for word in words.iter().skip(1) {
        let is_verb = list_contains(&word.lower, events.asked);
        // In "the end of this year" the word is a noun.
        if is_verb && list_contains(before, "the an das den der") {
            return None;
        }
        if !is_verb && !list_contains(&word.lower, FILLING) {
            if noun.is_some() || word.is_number() {
                return None;
            }
            noun = Some(word.lower.clone());
        }
        before = word.lower.as_str();
    }
    // A question about the future excludes the past, except for what is due: an unpaid sum stays due.
    if !is_past && since.is_none() && events.event != Event::Due {
        since = Some(today);
    }
    let is_german = is_german(question);
    let noun = noun.filter(|noun| !list_contains(noun, GENERAL_NOUNS));
    Some(EventQuestion { noun, event: events.event, time, since, until, is_german })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_question_for_documents_by_a_date_in_them_is_recognised() {
        for (question, noun, event, time) in [
            ("Which contracts end within 90 days?", Some("contracts"), Event::Ends, "within 90 days"),
            ("What expires this year?", None, Event::Ends, "this year"),
            (
                "Which of our contracts will run out by the end of March?",
                Some("contracts"),
                Event::Ends,
                "by the end of March",
            ),
            ("Which invoices are due before June?", Some("invoices"), Event::Due, "before June"),
            ("Which meetings take place in December?", Some("meetings"), Event::Meets, "in December"),
            ("Which documents end next month?", None, Event::Ends, "next month"),
            ("Which contracts ended in 2024?", Some("contracts"), Event::Ends, "in 2024"),
            (
                "Welche Verträge enden in den nächsten 90 Tagen?",
                Some("verträge"),
                Event::Ends,
                "in den nächsten 90 Tagen",
            ),
            ("Welche Verträge laufen dieses Jahr aus?", Some("verträge"), Event::Ends, "dieses Jahr"),
            ("Welche Rechnungen sind vor Juni fällig?", Some("rechnungen"), Event::Due, "vor Juni"),
            (
                "Quels contrats expirent dans les 90 prochains jours ?",
                Some("contrats"),
                Event::Ends,
                "dans les 90 prochains jours",
            ),
        ] {
            let found = event_question(question, date(2026, 11, 27)).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(
                (found.noun.as_deref(), found.event, found.time.as_str()),
                (noun, event, time),
                "{question}"
            );
        }
    }

    #[test]
    fn other_questions_are_ordinary() {
        for question in [
            "When does the contract end?",
            "Which contracts end?",
            "What happens within 90 days?",
            "What is the end of this year called?",
            "Which contract with Exner ends this year?",
            "What did we decide last month?",
            "Does the lease end this year?",
            "What is the notice period if the contract ends in May?",
            "Was endet?",
        ] {
            assert_eq!(event_question(question, date(2026, 11, 27)), None, "{question}");
        }
    }
}
