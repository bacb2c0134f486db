//! What kind of answer a question asks for, as far as its words tell: a number has to be one.

use oriel_text::dates::month;

use oriel_text::among;

use crate::answer::grounding::has_number;
use crate::question::language::{ALL_WHEN, ALL_WHO, weekday};
use crate::question::words::Word;

/// Words before which "how" asks for a number in English.
const MEASURES: &str = "many much old tall high far fast deep wide large big heavy thick hot cold";
/// Questions for a number in one word, and in two that are joined.
const COUNTS: &str = "wieviel wieviele combien cuánto cuánta cuántos cuántas quanto quanta quanti quante quantos quantas hoeveel";
const PAIRS_OF_NUMBERS: &str = "wie+viel wie+viele wie+vielen wie+hoch wie+alt wie+groß wie+weit wie+schnell wie+tief wie+breit \
    wie+schwer wie+teuer hoe+veel hoe+hoog hoe+oud hoe+groot hoe+duur à+combien";
const PAIRS_OF_TIMES: &str =
    "how+long how+soon wie+lange hoe+lang combien+de+temps cuánto+tiempo quanto+tempo";
/// What has a number or a code of its own, before that word.
const NUMBERED: &str = "serial policy invoice order account part model registration reference case licence license customer contract batch \
    article item tracking member membership passport";
const CODES: &str = "number numbers no code codes id ids";
/// The same as one word, by its ending, and what ends so and may be short.
const NUMBERED_ENDINGS: [&str; 2] = ["nummer", "nummern"];
const SHORT_NUMBERS: &str =
    "nummer nummern telefonnummer hausnummer zimmernummer seitennummer durchwahlnummer";
/// Digits of a code without letters, at least.
const MIN_CODE_DIGITS: usize = 4;
/// Words of a name, at most, if there is a number among them: more are a row of a table.
const MAX_WORDS_OF_NAME: usize = 4;
/// Nouns after "what" and "which" that ask for a number, and for a day or an hour.
const NUMBER_NOUNS: &str = "percentage percent proportion fraction year population port jahr jahre prozentsatz prozent année pourcentage año porcentaje anno \
    percentuale jaar ano porcentagem";
const DAY_NOUNS: &str = "date day time month tag datum monat uhrzeit date jour mois heure fecha día mes data giorno mese ora dag maand dia mês";
const WHICH: &str =
    "what which welcher welche welches welchem welchen quel quelle qué cuál quale che welk welke qual";
const PAIRS_OF_FREQUENCIES: &str =
    "how+often how+frequently wie+oft wie+häufig hoe+vaak à+quelle+fréquence con+qué+frecuencia quante+volte";
/// How often something happens, without a number. "Every ... seconds" needs one.
const FREQUENCIES: &str = "hourly daily nightly weekly fortnightly biweekly monthly quarterly yearly annually never always seldom rarely occasionally regularly \
    continuously hour day night morning afternoon evening week fortnight month quarter year once twice spring summer autumn winter \
    stündlich täglich nächtlich wöchentlich vierzehntäglich monatlich vierteljährlich halbjährlich jährlich nie immer selten regelmäßig einmal zweimal stunde tag \
    nacht morgen abend woche monat quartal jahr jour semaine mois an fois toujours jamais día semana mes año siempre nunca vez giorno \
    settimana mese anno sempre mai dag maand jaar altijd nooit keer";
const TELEPHONES: &str = "phone telephone mobile cellphone fax telefon handy telefax téléphone fax portable teléfono telefono telefone telefoon";
const TELEPHONE_ENDINGS: [&str; 4] = ["telefonnummer", "handynummer", "rufnummer", "faxnummer"];
/// Words before or after them that ask for the number, not for the machine.
const NUMBERS: &str = "number numbers nummer numéro numéros número números numero numeri";
/// Digits of a telephone number, at least.
const MIN_TELEPHONE_DIGITS: usize = 5;
const MAIL_ADDRESSES: &str =
    "email emails e-mail e-mails mail mailadresse e-mail-adresse emailadresse courriel";
const ADDRESSES: &str = "address addresses adresse adressen dirección indirizzo endereço adres";
/// Words that ask how heavy something is, and name that in its sentence or table.
const WEIGHTS: &str = "weigh weighs weighed weighing weight weights wiegt wiegen wog wogen gewicht pèse pèsent poids pesa pesan peso pesano weegt wegen";
const PAIRS_OF_WEIGHTS: &str = "how+heavy wie+schwer hoe+zwaar";
const UNITS_OF_WEIGHT: &str = "g kg mg t lb lbs oz gram grams gramme grammes gramm gramo gramos grammi gramas milligram milligrams milligramm kilo kilos kilogram kilograms     kilogramm kilogramme kilogrammes kilogramo kilogramos pound pounds ounce ounces ton tons tonne tonnes tonnen tonnellate toneladas stone pfund zentner livre livres";
/// Numbers that are also other words, and what is said where there is none; they begin the answer.
const OTHER_NUMBERS: &str = "one zero no none all everything nothing quarter third double every alles nichts tout rien todo nada both half once twice ein eine einen einer kein keine keinen beide halb un une aucun \
    aucune uno una ninguno nessuno een geen um uma nenhum";
/// What says when something is, without a number.
const TIMES: &str = "after before during since when while once at on in by every each next last following upon from then now soon later \
    today tomorrow yesterday daily weekly monthly quarterly yearly annually never morning noon afternoon evening night midnight dawn \
    spring summer autumn fall winter christmas easter week month quarter year end beginning nach vor während seit wenn sobald an am im in bei \
    jeden jede jedes jeder nächste nächsten letzte letzten ab heute morgen gestern täglich wöchentlich monatlich jährlich nie morgens mittags \
    abends nachts frühling frühjahr sommer herbst winter weihnachten ostern woche monat quartal jahr ende anfang \
    après avant pendant depuis en à le chaque después antes durante desde cada dopo prima ogni na voor \
    tijdens elke depois todo";
/// How long something lasts without a number.
const OTHER_TIMES: &str = "until till forever indefinitely permanently overnight always lifetime life unlimited immediately bis unbefristet \
    immer dauerhaft lebenslang sofort jusqu jusqu'à toujours hasta siempre fino sempre tot altijd até";

/// Amounts that say nothing, and words that may stand beside them.
const VAGUE: &str = "several multiple various many some more few different mehrere verschiedene einige viele manche plusieurs divers quelques varios varias \
    algunos algunas diversi diverse alcuni alcune verschillende enkele veel vários várias alguns algumas";
const BESIDE_VAGUE: &str =
    "one two or and a an the ein eine oder und die un une ou et des uno una o y e een of en um uma";

/// Whether a text is only an amount that says nothing: "several", "one or more".
pub(crate) fn is_vague(text: &str) -> bool {
    let words = Word::all(text);
    let is_beside = |word: &Word<'_>| among(&word.lower, VAGUE) || among(&word.lower, BESIDE_VAGUE);
    words.iter().all(is_beside) && words.iter().any(|word| among(&word.lower, VAGUE))
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
        let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
        let pairs = |list: &str| {
            let named = |pair: &[&str]| among(&pair.join("+"), list);
            lower.windows(2).any(named) || lower.windows(3).any(named)
        };
        let measured = lower.windows(2).any(|pair| pair[0] == "how" && among(pair[1], MEASURES));
        let begins = |list: &str| lower.iter().take(2).any(|word| among(word, list));
        let is_code = |pair: &[&str]| among(pair[0], NUMBERED) && among(pair[1], CODES);
        let is_compound = |word: &&str| {
            NUMBERED_ENDINGS.iter().any(|ending| word.ends_with(ending)) && !among(word, SHORT_NUMBERS)
        };
        let asks_which = begins("what which welche welches wie was");
        let which = |list: &str| lower.windows(2).any(|pair| among(pair[0], WHICH) && among(pair[1], list));
        let has = |list: &str| lower.iter().any(|word| among(word, list));
        let is_telephone = |word: &&str| TELEPHONE_ENDINGS.iter().any(|ending| word.ends_with(ending));
        if lower.iter().any(is_telephone) || has(TELEPHONES) && has(NUMBERS) {
            Some(Self::Telephone)
        } else if has(MAIL_ADDRESSES)
            && (has(ADDRESSES) || lower.iter().any(|word| word.ends_with("adresse")))
        {
            Some(Self::MailAddress)
        } else if pairs(PAIRS_OF_WEIGHTS)
            || (measured || pairs(PAIRS_OF_NUMBERS) || has(COUNTS) || asks_which) && has(WEIGHTS)
        {
            Some(Self::Weight)
        } else if asks_which && (lower.windows(2).any(is_code) || lower.iter().any(is_compound)) {
            Some(Self::Code)
        } else if pairs(PAIRS_OF_FREQUENCIES) {
            Some(Self::Frequency)
        } else if pairs(PAIRS_OF_TIMES) {
            Some(Self::Time)
        } else if measured || pairs(PAIRS_OF_NUMBERS) || has(COUNTS) || which(NUMBER_NOUNS) {
            Some(Self::Number)
        } else if begins(&ALL_WHEN) || which(DAY_NOUNS) {
            Some(Self::Day)
        } else if begins(&ALL_WHO) {
            Some(Self::Person)
        } else {
            None
        }
    }

    /// Whether a text is of this kind, or holds something of it. `sentence` is the sentence that holds it, with its headings.
    pub(crate) fn fits(self, text: &str, sentence: &str) -> bool {
        let words = Word::all(text);
        let has = |list: &str| words.iter().any(|word| among(&word.lower, list));
        let is_number =
            has_number(text) || words.iter().take(2).any(|word| among(&word.lower, OTHER_NUMBERS));
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
                    among(unit, UNITS_OF_WEIGHT) || among(unit, WEIGHTS) || unit.ends_with("gewicht")
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
            ("What is her e-mail address?", Some(MailAddress)),
            ("How much does a Turnstone weigh?", Some(Weight)),
            ("Wie schwer ist die Uhr?", Some(Weight)),
            ("Who weighs the parcels?", Some(Person)),
            ("How do I reset the clock?", None),
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
            (Frequency, "twice a year", "by the tenant"),
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
