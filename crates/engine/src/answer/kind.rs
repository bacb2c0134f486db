//! What kind of answer a question asks for, as far as its words tell: a number has to be one.

use oriel_text::dates::month;
use oriel_text::list_contains;

use crate::answer::grounding::has_number;
use crate::answer::kind_words::*;
use crate::question::language::{ALL_WHEN, ALL_WHICH, ALL_WHO, weekday};
use crate::question::words::{Word, is_stop_word};

/// Whether a text is only an amount that says nothing: "several", "one or more".
pub(crate) fn is_vague(text: &str) -> bool {
    let words = Word::all(text);
    let is_beside =
        |word: &Word<'_>| list_contains(&word.lower, VAGUE) || list_contains(&word.lower, BESIDE_VAGUE);
    words.iter().all(is_beside) && words.iter().any(|word| list_contains(&word.lower, VAGUE))
}

/// What a question asks for, if its words tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    /// "How many", "how much", "how high".
    Number,
    /// "How long", "how soon".
    Time,
    /// "How often".
    Frequency,
    /// "When".
    Day,
    /// "Who".
    Person,
    /// "Which serial number": a number or code that names one thing, no quantity.
    Code,
    /// "What is the phone number".
    Telephone,
    /// "What is the e-mail address".
    MailAddress,
    /// "How much does it weigh", "how heavy".
    Weight,
}

impl AnswerKind {
    /// That of a question; `None` if it may be anything.
    pub(crate) fn of(question: &str) -> Option<Self> {
        let words = Word::all(question);
        let asked = Asked(words.iter().map(|word| word.lower.as_str()).collect());
        let has_how =
            |list: &str| asked.0.windows(2).any(|pair| pair[0] == "how" && list_contains(pair[1], list));
        if asked.asks_for(TELEPHONE_NUMBERS, &TELEPHONE_ENDINGS) {
            Some(Self::Telephone)
        } else if asked.asks_for(MAIL_ADDRESSES, &MAIL_ENDINGS) {
            Some(Self::MailAddress)
        } else if asked.asks_for_weight() {
            Some(Self::Weight)
        } else if asked.asks_for_code() {
            Some(Self::Code)
        } else if asked.holds(PAIRS_OF_FREQUENCIES) {
            Some(Self::Frequency)
        } else if asked.holds(PAIRS_OF_TIMES) {
            Some(Self::Time)
        } else if has_how(MEASURES)
            || asked.holds(PAIRS_OF_NUMBERS)
            || asked.has(COUNTS)
            || asked.which(PAIRS_OF_NUMBER_NOUNS)
        {
            Some(Self::Number)
        } else if asked.begins(&ALL_WHEN) || asked.which(PAIRS_OF_DAY_NOUNS) {
            Some(Self::Day)
        } else if asked.begins(&ALL_WHO) {
            Some(Self::Person)
        } else {
            None
        }
    }

    /// Whether a text is of this kind, or holds something of it. `sentence` is the sentence that holds it, with its headings.
    pub(crate) fn fits(self, text: &str, sentence: &str) -> bool {
        let words = Word::all(text);
        let has = |list: &str| words.iter().any(|word| list_contains(&word.lower, list));
        let is_number =
            has_number(text) || words.iter().take(2).any(|word| list_contains(&word.lower, OTHER_NUMBERS));
        match self {
            Self::Number => is_number,
            Self::Time => is_number || has(OTHER_TIMES),
            Self::Frequency => {
                let is_week_day = |word: &Word<'_>| {
                    ["day", "tag", "woch"].iter().any(|ending| word.lower.ends_with(ending))
                };
                has_number(text) || has(FREQUENCIES) || words.iter().any(is_week_day)
            }
            // "At Easter", "after the review", "monthly".
            Self::Day => {
                let is_named = |word: &Word<'_>| {
                    let is_day = word.lower.ends_with("day") || weekday(&word.lower).is_some();
                    is_day || month(&word.lower).is_some()
                };
                has_number(text) || has(TIMES) || has(OTHER_TIMES) || words.iter().any(is_named)
            }
            Self::Person => {
                let has_letters = text.chars().any(char::is_alphabetic);
                let is_row = words.len() > MAX_WORDS_OF_NAME && words.iter().any(Word::is_number);
                has_letters && !is_row && !words.iter().all(Word::is_number)
            }
            Self::Telephone => text.bytes().filter(u8::is_ascii_digit).count() >= MIN_TELEPHONE_DIGITS,
            Self::MailAddress => text.contains('@'),
            // The unit may be joined to the number, or stand at the head of a table.
            Self::Weight => {
                let is_unit = |word: &Word<'_>| {
                    let unit =
                        word.lower.trim_start_matches(|c: char| c.is_ascii_digit() || ".,".contains(c));
                    list_contains(unit, UNITS_OF_WEIGHT)
                        || list_contains(unit, WEIGHTS)
                        || unit.ends_with("gewicht")
                };
                is_number && Word::all(sentence).iter().any(is_unit)
            }
            Self::Code => words.iter().any(|word| {
                let digits = word.lower.bytes().filter(u8::is_ascii_digit).count();
                digits >= MIN_CODE_DIGITS
                    || digits > 0 && word.lower.contains(|c: char| c.is_alphabetic() || c == '-')
            }),
        }
    }
}

/// The words of a question in lower case.
struct Asked<'a>(Vec<&'a str>);

impl Asked<'_> {
    fn has(&self, list: &str) -> bool {
        self.0.iter().any(|word| list_contains(word, list))
    }

    /// Whether one of the first two words is in a list.
    fn begins(&self, list: &str) -> bool {
        self.0.iter().take(2).any(|word| list_contains(word, list))
    }

    /// Where two or three words that are joined in a list stand.
    fn place_of(&self, list: &str) -> Option<usize> {
        let of = |length| self.0.windows(length).position(|run: &[&str]| list_contains(&run.join("+"), list));
        of(2).or_else(|| of(3))
    }

    fn holds(&self, list: &str) -> bool {
        self.place_of(list).is_some()
    }

    /// Whether a question word and a noun of a list stand there, and the noun is no part of a longer one.
    fn which(&self, list: &str) -> bool {
        self.place_of(list).is_some_and(|at| {
            let is_english = matches!(self.0[at], "what" | "which");
            !is_english || self.0.get(at + 2).is_none_or(|next| is_stop_word(next))
        })
    }

    /// Whether it asks for the value of what stands at `at`: "what is the …", "which …".
    fn is_value(&self, at: usize) -> bool {
        let begins = self.0.len() > 1 && list_contains(&self.0[..2].join("+"), VALUE_QUESTIONS);
        begins || at > 0 && at <= 2 && list_contains(self.0[at - 1], &ALL_WHICH)
    }

    /// Whether it asks for the value of joined words of a list, or of a word that ends so.
    fn asks_for(&self, list: &str, endings: &[&str]) -> bool {
        let compound = || self.0.iter().position(|word| endings.iter().any(|ending| word.ends_with(ending)));
        self.place_of(list).or_else(compound).is_some_and(|at| self.is_value(at))
    }

    fn asks_for_weight(&self) -> bool {
        let amount = (self.holds(AMOUNTS) || self.has(COUNTS)) && self.has(WEIGHTS);
        let noun = || self.0.iter().position(|word| list_contains(word, WEIGHT_NOUNS));
        self.holds(PAIRS_OF_WEIGHTS) || amount || noun().is_some_and(|at| self.is_value(at))
    }

    fn asks_for_code(&self) -> bool {
        let pair = self
            .0
            .windows(2)
            .position(|pair| list_contains(pair[0], NUMBERED) && list_contains(pair[1], CODES));
        let is_compound = |word: &&str| {
            NUMBERED_ENDINGS.iter().any(|ending| word.ends_with(ending))
                && !list_contains(word, SHORT_NUMBERS)
        };
        let at = pair.or_else(|| self.0.iter().position(is_compound));
        at.is_some_and(|at| self.is_value(at))
    }
}

#[cfg(test)]
mod tests {
    use super::AnswerKind::{
        self, Code, Day, Frequency, MailAddress, Number, Person, Telephone, Time, Weight,
    };
    use super::is_vague;

    #[test]
    fn a_question_tells_what_its_answer_is() {
        for (question, kind) in [
            ("How many guests may stay?", Some(Number)),
            ("How long is the notice period?", Some(Time)),
            ("Within how many weeks is it paid?", Some(Number)),
            ("Wie hoch ist die Miete?", Some(Number)),
            ("Wie lange dauert es?", Some(Time)),
            ("Combien coûte le moulin ?", Some(Number)),
            ("When does the heating start?", Some(Day)),
            ("How often is the boiler serviced?", Some(Frequency)),
            ("In which year was the mill built?", Some(Number)),
            ("Bis zu welchem Datum gilt das Angebot?", Some(Day)),
            ("Who repaired the pump?", Some(Person)),
            ("To whom is the rent paid?", Some(Person)),
            ("Which serial numbers are covered by the recall?", Some(Code)),
            ("Wie lautet die Rechnungsnummer?", Some(Code)),
            ("What is the phone number of the office?", Some(Telephone)),
            ("Wie lautet die Telefonnummer?", Some(Telephone)),
            ("Who invented the telephone?", Some(Person)),
            ("Quel est le numéro de téléphone de l'atelier ?", Some(Telephone)),
            ("What is her e-mail address?", Some(MailAddress)),
            ("How much does a Turnstone weigh?", Some(Weight)),
            ("Was ist das Gewicht der Uhr?", Some(Weight)),
            ("Combien pèse la cloche ?", Some(Weight)),
            ("Who weighs the parcels?", Some(Person)),
            ("How do I reset the clock?", None),
            ("What data does Oriel keep?", None),
            ("What date format is used?", None),
            ("Which tag marks a release?", None),
            ("Which port does the ferry leave from?", None),
            ("Who has the phone number?", Some(Person)),
            ("Where is the phone number printed?", None),
            ("What is the model number of the portable generator?", Some(Code)),
            ("Which address should mail be sent to?", None),
            ("Which scale is used to weigh parcels?", None),
            ("Wie wird das Gewicht gemessen?", None),
            ("What happens if the order number is missing?", None),
            ("Wie finde ich die Rechnungsnummer?", None),
            ("Which tool finds data races?", None),
        ] {
            assert_eq!(AnswerKind::of(question), kind, "{question}");
        }
        for (kind, fitting, other) in [
            (Number, "£20,600 a year", "Multiple"),
            (Number, "twelve", "buffers"),
            (Number, "nearly all", "Multiple connections can be open at once"),
            (Frequency, "every Monday", "Every checkpoint_timeout seconds"),
            (Frequency, "every 30 seconds", "whenever it is full"),
            (Frequency, "twice a year", "by an engineer"),
            (Time, "three months", "Autovacuum_naptime seconds"),
            (Time, "until the end of the quarter", "the notice period"),
            (Day, "after the review", "A clock has been mended"),
            (Day, "Easter Monday", "the landlord"),
            (Person, "Idris Vaughan", "2023"),
            (Person, "the tenant", "14"),
            (Person, "Henry 8 of England", "Priya Raman Books, wages, insurance (Tuesday to Thursday) 147"),
            (Code, "C2-0411 to C2-0595", "185 clocks"),
            (Code, "2024118", "the blue one"),
            (Telephone, "01632 960 411", "3, venelle du Four"),
            (MailAddress, "oona@example.org", "the office"),
            (Weight, "1.4 kg", "402"),
            (Weight, "1200g", "Turnstone 402"),
        ] {
            assert!(kind.fits(fitting, fitting), "{fitting}");
            assert!(!kind.fits(other, other), "{other}");
        }
        assert!(
            is_vague("One or more.") && is_vague("Mehrere") && !is_vague("one") && !is_vague("many sailors")
        );
        assert!(Weight.fits("402", "Clock | Weight: Turnstone 402"), "the head of the column says so");
    }
}
