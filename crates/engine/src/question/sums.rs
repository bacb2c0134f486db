//! Questions for a count, a sum, an average or a highest number over the rows of a table: "How many are married?"
//!
//! The words alone tell what is computed, which numbers are compared with and which time is meant. What is left has to be found in
//! a table: `sum_fit` does that.

use std::ops::Range;

use oriel_text::dates::month;
use oriel_text::numbers::{Value, value};

use crate::library::table_query::{Aggregate, Operator};
use crate::question::words::{Word, is_german};

const COUNT: &[&str] = &[
    "how many",
    "count of",
    "count the",
    "count all",
    "wie viele*",
    "wieviele*",
    "anzahl",
    "combien de",
    "cuántos",
    "cuántas",
    "quanti",
    "quante",
    "hoeveel",
    "quantos",
    "quantas",
];
const SHARE: &[&str] = &[
    "what percentage",
    "which percentage",
    "percentage",
    "what percent",
    "percent of",
    "what share",
    "share of",
    "what proportion",
    "proportion of",
    "wie viel prozent",
    "wieviel prozent",
    "welcher anteil",
    "anteil",
    "prozentsatz",
];
const MUCH: &[&str] = &["how much", "wie viel", "wieviel", "wie hoch"];
const SUM: &[&str] = &[
    "in total",
    "sum total",
    "sum",
    "sums",
    "total",
    "totals",
    "altogether",
    "overall",
    "combined",
    "summe",
    "gesamtsumme",
    "insgesamt",
    "zusammen",
    "gesamt*",
    "somme",
    "suma",
    "somma",
    "totaal",
    "totale",
    "soma",
];
const AVERAGE: &[&str] = &[
    "on average",
    "average",
    "averages",
    "mean",
    "im schnitt",
    "im durchschnitt",
    "durchschnitt*",
    "mittelwert",
    "mittlere*",
    "moyen*",
    "promedio",
    "media",
    "gemiddeld*",
    "média",
];
const HIGHEST: &[&str] = &[
    "highest",
    "largest",
    "biggest",
    "greatest",
    "maximum",
    "max",
    "top",
    "the most",
    "most",
    "höchste*",
    "größte*",
    "grösste*",
    "am meisten",
    "meisten",
    "maximal*",
    "plus élevé*",
    "más alto",
    "más alta",
    "mayor",
    "più alto",
    "più alta",
    "hoogste",
    "grootste",
    "maior",
];
const LOWEST: &[&str] = &[
    "lowest",
    "smallest",
    "the least",
    "least",
    "minimum",
    "min",
    "fewest",
    "niedrigste*",
    "kleinste*",
    "geringste*",
    "am wenigsten",
    "wenigsten",
    "minimal*",
    "moins élevé*",
    "más bajo",
    "más baja",
    "menor",
    "più basso",
    "più bassa",
    "laagste",
];
/// Those of them that count or add up.
const MOST: [&str; 6] = ["most", "meisten", "least", "fewest", "wenigsten", "wenigste"];
const DIFFERENCE: &[&str] = &["difference between", "unterschied zwischen", "differenz zwischen"];
const DIFFERENT: &[&str] = &["different", "distinct", "unique", "verschiedene*", "unterschiedliche*"];
/// What stands before a number that is compared with.
const BEFORE: &[(&str, Operator)] = &[
    ("no more than", Operator::AtMost),
    ("not more than", Operator::AtMost),
    ("more than", Operator::Over),
    ("greater than", Operator::Over),
    ("higher than", Operator::Over),
    ("larger than", Operator::Over),
    ("older than", Operator::Over),
    ("over", Operator::Over),
    ("above", Operator::Over),
    ("exceeding", Operator::Over),
    ("mehr als", Operator::Over),
    ("höher als", Operator::Over),
    ("größer als", Operator::Over),
    ("älter als", Operator::Over),
    ("über", Operator::Over),
    ("at least", Operator::AtLeast),
    ("no less than", Operator::AtLeast),
    ("mindestens", Operator::AtLeast),
    ("less than", Operator::Under),
    ("fewer than", Operator::Under),
    ("lower than", Operator::Under),
    ("smaller than", Operator::Under),
    ("younger than", Operator::Under),
    ("under", Operator::Under),
    ("below", Operator::Under),
    ("weniger als", Operator::Under),
    ("niedriger als", Operator::Under),
    ("kleiner als", Operator::Under),
    ("jünger als", Operator::Under),
    ("unter", Operator::Under),
    ("at most", Operator::AtMost),
    ("up to", Operator::AtMost),
    ("höchstens", Operator::AtMost),
    ("bis zu", Operator::AtMost),
    ("exactly", Operator::Equals),
    ("equal to", Operator::Equals),
    ("genau", Operator::Equals),
];
/// What stands behind one.
const BEHIND: &[(&str, Operator)] = &[
    ("or more", Operator::AtLeast),
    ("or over", Operator::AtLeast),
    ("or older", Operator::AtLeast),
    ("and over", Operator::AtLeast),
    ("oder mehr", Operator::AtLeast),
    ("oder älter", Operator::AtLeast),
    ("or less", Operator::AtMost),
    ("or fewer", Operator::AtMost),
    ("or under", Operator::AtMost),
    ("or younger", Operator::AtMost),
    ("and under", Operator::AtMost),
    ("oder weniger", Operator::AtMost),
    ("oder jünger", Operator::AtMost),
];
const NUMBERS: [&[&str]; 9] = [
    &["two", "zwei"],
    &["three", "drei"],
    &["four", "vier"],
    &["five", "fünf"],
    &["six", "sechs"],
    &["seven", "sieben"],
    &["eight", "acht"],
    &["nine", "neun"],
    &["ten", "zehn"],
];
/// What a word of a question stands for in a table, if it is not the head of a column itself: "oldest" asks for an age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sense {
    /// The words, and those of them that ask for the highest and the lowest number.
    words: &'static [&'static str],
    highest: &'static [&'static str],
    lowest: &'static [&'static str],
    /// What a column of this is called.
    pub heads: &'static str,
}

pub(crate) const AGE: Sense = Sense {
    words: &["old", "aged", "alt"],
    highest: &["oldest", "älteste*"],
    lowest: &["youngest", "jüngste*"],
    heads: "age ages alter âge edad età leeftijd idade",
};
const SENSES: [Sense; 7] = [
    AGE,
    Sense {
        words: &["cost", "costs", "kostet", "kosten"],
        highest: &["most expensive", "dearest", "priciest", "teuerste*"],
        lowest: &["cheapest", "least expensive", "billigste*", "günstigste*"],
        heads: "price prices cost costs preis preise kosten prix precio prezzo prijs preço",
    },
    Sense {
        words: &["weigh", "weighs", "wiegt", "wiegen"],
        highest: &["heaviest", "schwerste*"],
        lowest: &["lightest", "leichteste*"],
        heads: "weight gewicht poids peso gewicht",
    },
    Sense {
        words: &[],
        highest: &["longest", "längste*"],
        lowest: &["shortest", "kürzeste*"],
        heads: "length duration länge dauer",
    },
    Sense { words: &[], highest: &["tallest"], lowest: &[], heads: "height höhe" },
    Sense {
        words: &["earn", "earns", "earned", "verdient", "verdienen"],
        highest: &[],
        lowest: &[],
        heads: "salary salaries wage wages pay income gehalt lohn einkommen",
    },
    Sense {
        words: &[
            "pay",
            "pays",
            "paid",
            "spend",
            "spends",
            "spent",
            "zahlt",
            "zahlen",
            "bezahlt",
            "gezahlt",
            "ausgegeben",
        ],
        highest: &[],
        lowest: &[],
        heads: "amount amounts betrag beträge price cost fee fees payment payments rent sum preis kosten gebühr miete",
    },
];
/// Verbs for where people live, and what such a column is called.
pub(crate) const LIVING: (&str, &str) = (
    "live lives living lived wohnen wohnt lebt leben kommen kommt come comes",
    "city town place residence location country stadt ort wohnort land village address",
);

/// A question for a number over the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumQuestion {
    pub(crate) words: Vec<AskedWord>,
    pub(crate) aggregate: Aggregate,
    /// What is computed of each group, if the highest or lowest of them is asked for.
    pub(crate) of_groups: Option<Aggregate>,
    /// Where the words that ask how many end.
    pub(crate) count_end: Option<usize>,
    /// Whether a sum is asked for in words, not only "how much".
    pub(crate) is_plain: bool,
    /// Whether only "by" or "per" tells that something is added.
    pub(crate) is_grouped: bool,
    pub(crate) is_different: bool,
    /// Whether the most is asked for, not the highest: that may be of several rows together.
    pub(crate) is_most: bool,
    /// Whether the difference of two such numbers is asked for.
    pub(crate) is_difference: bool,
    pub(crate) top: Option<usize>,
    /// What the highest or lowest is of, if a word such as "oldest" says it.
    pub(crate) sense: Option<Sense>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) times: Vec<Time>,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// A word of such a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedWord {
    pub text: String,
    pub lower: String,
    /// Whether it is accounted for.
    pub used: bool,
}

/// A number that a column is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub operator: Operator,
    /// The number as it is written.
    pub number: String,
    /// Its words.
    pub at: Range<usize>,
    pub is_age: bool,
}

/// A time in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    /// Its words.
    pub at: Range<usize>,
    pub year: Option<u16>,
    pub month: Option<i8>,
    pub side: Side,
}

/// Which days are meant by a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    In,
    Before,
    After,
    Since,
    Until,
}

/// What a question computes over a table; `None` if it asks for no number of rows.
#[must_use]
pub fn sum_question(question: &str) -> Option<SumQuestion> {
    let mut words = Words::of(question);
    let comparisons = words.comparisons();
    let difference = words.take_one(DIFFERENCE).is_some();
    let (sense, direction) = words.superlative();
    let share = words.take_one(SHARE).is_some();
    let count = words.take_one(COUNT).or_else(|| words.take_count()).or_else(|| words.take_number_of());
    let average = words.take_one(AVERAGE).is_some();
    let highest = words.take_one(HIGHEST);
    let lowest = words.take_one(LOWEST);
    let much = words.take_one(MUCH);
    let is_plain = words.take_all(SUM);
    let is_different = words.take_one(DIFFERENT).is_some();
    let found = highest.clone().or(lowest.clone());
    let top = found.as_ref().and_then(|at| words.take_number_beside(at));
    let money = count.as_ref().is_some_and(|at| words.takes_currency(at.end));
    let extreme = match (highest.is_some(), lowest.is_some(), direction) {
        (true, true, None) if difference => Some(Aggregate::Range),
        (true, false, None) => Some(Aggregate::Highest),
        (false, true, None) => Some(Aggregate::Lowest),
        (false, false, direction) => direction,
        _ => return None,
    };
    let is_most = found.is_some_and(|at| words.0[at].iter().any(|word| MOST.contains(&word.lower.as_str())));
    let computed = match (average, is_plain || much.is_some() || money || difference && count.is_none()) {
        (true, _) => Some(Aggregate::Average),
        (false, true) => Some(Aggregate::Sum),
        _ => None,
    };
    let is_grouped = words.0.iter().any(|word| matches!(word.lower.as_str(), "by" | "per" | "pro" | "je"));
    let (aggregate, of_groups) = match (extreme, computed) {
        (Some(extreme), _) if count.is_none() && !share && much.is_none() => (extreme, computed),
        (Some(_), _) => return None,
        (None, _) if share => (Aggregate::Share, None),
        (None, Some(Aggregate::Average)) => (Aggregate::Average, None),
        (None, _) if count.is_some() && !money => (Aggregate::Count, None),
        (None, Some(computed)) => (computed, None),
        (None, None) if is_grouped => (Aggregate::Sum, None),
        (None, None) => return None,
    };
    let times = words.times();
    Some(SumQuestion {
        aggregate,
        of_groups,
        count_end: count.map(|at| at.end),
        is_plain: is_plain || average,
        is_grouped: is_grouped && computed.is_none(),
        is_different,
        is_most,
        top,
        sense,
        comparisons,
        times,
        is_difference: difference && aggregate != Aggregate::Range,
        is_german: is_german(question),
        words: words.0,
    })
}

/// A claim about a number of rows.
pub(crate) struct Claimed {
    /// The question that it answers.
    pub question: SumQuestion,
    pub number: ClaimedNumber,
}

/// A number as a claim has it.
pub(crate) struct ClaimedNumber {
    pub text: String,
}

impl ClaimedNumber {
    /// Whether it is this number, rounded to its own decimals. It may be written as any language does.
    pub(crate) fn is(&self, number: f64) -> bool {
        let rounds_to = |value: f64, decimals: usize| {
            let unit = (0..decimals).fold(1.0, |unit, _| unit / 10.0);
            (value - number).abs() <= unit / 2.0 + 1e-9 * number.abs()
        };
        let decimals = || self.text.rsplit(['.', ',']).next().map_or(0, str::len);
        match value(&self.text) {
            Some(Value::Plain(value)) if value.fract() == 0.0 => rounds_to(value, 0),
            Some(Value::Plain(value)) => rounds_to(value, decimals()),
            Some(Value::Ambiguous { whole, decimal, .. }) => rounds_to(whole, 0) || rounds_to(decimal, 3),
            None => false,
        }
    }
}

/// A claim about a number of rows as the question that it answers, with its number: "The total of the donations is 940", "69 members
/// are married"; `None` if it is none.
pub(crate) fn sum_claim(claim: &str) -> Option<Claimed> {
    let claimed =
        |question, number: &String| Claimed { question, number: ClaimedNumber { text: number.clone() } };
    let words: Vec<String> = Word::all(claim).into_iter().map(|word| word.text.to_owned()).collect();
    let is_number = |at: &usize| words.get(*at).is_some_and(|word| value(word).is_some());
    let says = |word: &String| {
        let lower = word.to_lowercase();
        matches!(
            &*lower,
            "is" | "are"
                | "was"
                | "were"
                | "to"
                | "at"
                | "ist"
                | "sind"
                | "war"
                | "beträgt"
                | "betragen"
                | "bei"
        )
    };
    let last = (0..words.len()).rfind(is_number)?;
    let is_end = words[last + 1..].iter().all(|word| is_currency(&word.to_lowercase()));
    if is_end && last > 0 && says(&words[last - 1]) {
        return Some(claimed(sum_question(&words[..last].join(" "))?, &words[last]));
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let first = match lower.get(..2)? {
        [one, two]
            if matches!((one.as_str(), two.as_str()), ("there", "are" | "is") | ("es", "gibt" | "sind")) =>
        {
            2
        }
        _ => 0,
    };
    let rest = words.get(first + 1..).filter(|rest| is_number(&first) && !rest.is_empty())?.join(" ");
    let is_german = lower.iter().any(|word| matches!(word.as_str(), "sind" | "gibt" | "wohnen" | "haben"));
    let asking = if is_german { "Wie viele" } else { "How many" };
    let question =
        sum_question(&format!("{asking} {rest}")).filter(|one| one.aggregate == Aggregate::Count)?;
    Some(claimed(question, &words[first]))
}

/// The words of a question, some of which are used up.
pub(crate) struct Words(pub Vec<AskedWord>);

impl Words {
    fn of(question: &str) -> Self {
        let word = |word: Word<'_>| AskedWord { text: word.text.to_owned(), lower: word.lower, used: false };
        Self(Word::all(question).into_iter().map(word).collect())
    }

    /// Whether the words from `at` on are these; one that ends with an asterisk begins so.
    fn is_at(&self, at: usize, phrase: &str) -> Option<Range<usize>> {
        let mut end = at;
        for part in phrase.split(' ') {
            let word = self.0.get(end).filter(|word| !word.used)?;
            let is_it = match part.strip_suffix('*') {
                Some(beginning) => word.lower.starts_with(beginning),
                None => word.lower == part,
            };
            end = is_it.then_some(end + 1)?;
        }
        Some(at..end)
    }

    /// Uses the first words that are one of these phrases.
    fn take_one(&mut self, phrases: &[&str]) -> Option<Range<usize>> {
        let at = |phrase: &&str| (0..self.0.len()).find_map(|at| self.is_at(at, phrase));
        let found = phrases.iter().find_map(at)?;
        self.mark(&found);
        Some(found)
    }

    fn take_all(&mut self, phrases: &[&str]) -> bool {
        let mut has_any = false;
        while self.take_one(phrases).is_some() {
            has_any = true;
        }
        has_any
    }

    fn mark(&mut self, at: &Range<usize>) {
        self.0[at.clone()].iter_mut().for_each(|word| word.used = true);
    }

    /// "Count rows …": elsewhere a count may be a column.
    fn take_count(&mut self) -> Option<Range<usize>> {
        let found = self.is_at(0, "count")?;
        self.mark(&found);
        Some(found)
    }

    /// "The number of members", but not "the phone number of Ada" or "the number of Ada".
    fn take_number_of(&mut self) -> Option<Range<usize>> {
        let at = (0..self.0.len()).find_map(|at| self.is_at(at, "number of"))?;
        let word = |at: usize| self.0.get(at).map_or("", |word| &word.text);
        let before = at.start.checked_sub(1).map_or(String::new(), |before| word(before).to_lowercase());
        let is_count =
            matches!(&*before, "" | "the" | "a" | "total" | "average" | "overall" | "highest" | "largest")
                && !word(at.end).starts_with(char::is_uppercase);
        is_count.then(|| self.mark(&at))?;
        Some(at)
    }

    /// A word that says of what the highest or lowest number is asked.
    fn superlative(&mut self) -> (Option<Sense>, Option<Aggregate>) {
        for sense in SENSES {
            for (words, aggregate) in [(sense.highest, Aggregate::Highest), (sense.lowest, Aggregate::Lowest)]
            {
                if self.take_one(words).is_some() {
                    return (Some(sense), Some(aggregate));
                }
            }
        }
        (None, None)
    }

    /// A small number before or behind these words: "top 3", "the three highest".
    fn take_number_beside(&mut self, at: &Range<usize>) -> Option<usize> {
        let number = |place: usize| {
            let word = self.0.get(place).filter(|word| !word.used)?;
            let spelt =
                || NUMBERS.iter().position(|names| names.contains(&word.lower.as_str())).map(|at| at + 2);
            word.lower.parse().ok().filter(|number| (1..=100).contains(number)).or_else(spelt)
        };
        let places = [Some(at.end), at.start.checked_sub(1)];
        let (place, number) = places.into_iter().flatten().find_map(|place| Some((place, number(place)?)))?;
        self.mark(&(place..place + 1));
        Some(number)
    }

    /// "How many euros" asks for a sum.
    fn takes_currency(&mut self, at: usize) -> bool {
        let is_one = self.0.get(at).is_some_and(|word| is_currency(&word.lower));
        if is_one {
            self.mark(&(at..at + 1));
        }
        is_one
    }

    fn is_number(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|word| !word.used && value(&word.lower).is_some())
    }

    /// Numbers that are compared with; their words are used.
    fn comparisons(&mut self) -> Vec<Comparison> {
        let mut found = Vec::new();
        for at in 0..self.0.len() {
            found.extend(self.between(at));
            let before = BEFORE.iter().find_map(|(phrase, operator)| {
                let words = self.is_at(at, phrase).filter(|words| self.is_number(words.end))?;
                Some((words.start..words.end + 1, words.end, *operator))
            });
            let behind = BEHIND.iter().find_map(|(phrase, operator)| {
                let words = self.is_at(at + 1, phrase).filter(|_| self.is_number(at))?;
                Some((at..words.end, at, *operator))
            });
            if let Some((words, number, operator)) = before.or(behind) {
                found.push(self.comparison(&words, number, operator));
            }
        }
        found
    }

    fn comparison(&mut self, words: &Range<usize>, number: usize, operator: Operator) -> Comparison {
        let is_age =
            |word: &AskedWord| matches!(word.lower.as_str(), "older" | "younger" | "älter" | "jünger");
        let is_age = self.0[words.clone()].iter().any(is_age);
        self.mark(words);
        Comparison { operator, number: self.0[number].lower.clone(), at: words.clone(), is_age }
    }

    /// "Between 20 and 30".
    fn between(&mut self, at: usize) -> Vec<Comparison> {
        let joints = [("between", "and"), ("zwischen", "und"), ("from", "to"), ("von", "bis")];
        let is_it = joints.iter().any(|(first, second)| {
            let numbers = self.is_number(at + 1) && self.is_number(at + 3);
            numbers && self.is_at(at, first).is_some() && self.is_at(at + 2, second).is_some()
        });
        if !is_it {
            return Vec::new();
        }
        let least = self.comparison(&(at..at + 2), at + 1, Operator::AtLeast);
        let most = self.comparison(&(at + 2..at + 4), at + 3, Operator::AtMost);
        // Both are of one place.
        let at = at..at + 4;
        vec![Comparison { at: at.clone(), ..least }, Comparison { at, ..most }]
    }

    /// The times, whose words are not used: a year may be the head of a column.
    fn times(&self) -> Vec<Time> {
        let mut times: Vec<Time> = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            match self.time(at) {
                Some(time) => {
                    at = time.at.end;
                    times.push(time);
                }
                None => at += 1,
            }
        }
        times
    }

    fn time(&self, at: usize) -> Option<Time> {
        let word = |at: usize| self.0.get(at).filter(|word| !word.used);
        let side = match word(at)?.lower.as_str() {
            "in" | "during" | "for" | "im" | "of" | "from" | "von" | "aus" => Side::In,
            "before" | "vor" => Side::Before,
            "after" | "nach" => Side::After,
            "since" | "seit" | "ab" => Side::Since,
            "until" | "till" | "bis" => Side::Until,
            _ => return None,
        };
        let mut end = at + 1;
        while word(end).is_some_and(|word| {
            matches!(word.lower.as_str(), "the" | "year" | "month" | "of" | "jahr" | "dem" | "monat")
        }) {
            end += 1;
        }
        let named = word(end).and_then(|word| {
            // "May" is a verb otherwise.
            let is_name = word.text.starts_with(char::is_uppercase);
            month(&word.lower).filter(|_| is_name)
        });
        end += usize::from(named.is_some());
        let year = word(end)
            .and_then(|word| word.lower.parse::<u16>().ok().filter(|year| (1900..2100).contains(year)));
        end += usize::from(year.is_some());
        // "Before May" is of no year.
        let is_known = year.is_some() || named.is_some() && side == Side::In;
        is_known.then_some(Time { at: at..end, year, month: named, side })
    }
}

impl Comparison {
    /// The number; points and commas are read as the language of the question has them.
    pub(crate) fn value(&self, is_german: bool) -> Option<f64> {
        number(&self.number, is_german)
    }
}

/// A number of a question.
pub(crate) fn number(text: &str, is_german: bool) -> Option<f64> {
    match value(text)? {
        Value::Plain(value) => Some(value),
        Value::Ambiguous { whole, decimal, separator } => {
            Some(if (separator == '.') == is_german { whole } else { decimal })
        }
    }
}

impl Sense {
    /// Whether a word of a question is one of it.
    pub(crate) fn has(self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Whether a sum is asked of what may be a price: "How much does paint cost?" asks for one.
    pub(crate) fn is_price(word: &str) -> bool {
        matches!(word, "cost" | "costs" | "kostet" | "kosten" | "price" | "prices" | "preis" | "preise")
    }

    /// The senses of a word.
    pub(crate) fn of(word: &str) -> impl Iterator<Item = Self> {
        SENSES.into_iter().filter(move |sense| sense.has(word))
    }
}

/// Whether a word is that for money.
pub(crate) fn is_currency(word: &str) -> bool {
    matches!(
        word,
        "euro" | "euros" | "eur" | "dollar" | "dollars" | "pound" | "pounds" | "franken" | "money" | "geld"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_a_number_over_rows_says_what_is_computed() {
        use Aggregate::{Average, Count, Highest, Lowest, Range, Share, Sum};
        for (question, aggregate) in [
            ("How many are married?", Count),
            ("How many members are there in total?", Count),
            ("Wie viele Mitglieder wohnen in Bonn?", Count),
            ("What is the sum of the donations?", Sum),
            ("How much did Bo Mohr donate altogether?", Sum),
            ("How many euros were donated?", Sum),
            ("Wie hoch ist die Summe der Spenden?", Sum),
            ("What is the average age?", Average),
            ("Who has the highest donation?", Highest),
            ("Who is the youngest member?", Lowest),
            ("Which is the most expensive part?", Highest),
            ("What percentage of the members is married?", Share),
            ("What is the difference between the highest and the lowest donation?", Range),
        ] {
            let asked = sum_question(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(asked.aggregate, aggregate, "{question}");
        }
        for question in
            ["When does the lease end?", "Who signed it?", "", "What does the report say about tides?"]
        {
            assert_eq!(sum_question(question), None, "{question}");
        }
    }

    #[test]
    fn a_claim_is_the_answer_to_a_question() {
        let claim = |text| sum_claim(text).map(|claimed| (claimed.question.aggregate, claimed.number.text));
        let wanted = |aggregate, number: &str| Some((aggregate, number.to_owned()));
        assert_eq!(claim("the total of the donations is 18,173"), wanted(Aggregate::Sum, "18,173"));
        assert_eq!(claim("Die Summe der Spenden beträgt 18.173 Euro."), wanted(Aggregate::Sum, "18.173"));
        assert_eq!(claim("69 members are married."), wanted(Aggregate::Count, "69"));
        assert_eq!(claim("The flea market paid 620 euros for the South Hall."), None);
        assert_eq!(claim("VAT is 19%"), None);
    }

    #[test]
    fn numbers_times_and_counts_of_a_question_are_known() {
        let asked =
            sum_question("How many members over 50 donated between 1,000 and 2,000 in May 2024?").unwrap();
        let compared = asked.comparisons.iter().map(|one| (one.operator, one.value(false).unwrap()));
        assert_eq!(
            compared.collect::<Vec<_>>(),
            [(Operator::Over, 50.0), (Operator::AtLeast, 1000.0), (Operator::AtMost, 2000.0)]
        );
        assert_eq!((asked.times[0].year, asked.times[0].month), (Some(2024), Some(5)));
        let top = |question| sum_question(question).unwrap().top;
        assert_eq!(
            (top("What are the top 3 donations?"), top("Nenne die drei höchsten Spenden")),
            (Some(3), Some(3))
        );
        assert!(sum_question("Wie viele sind älter als 50?").unwrap().comparisons[0].is_age);
    }
}
