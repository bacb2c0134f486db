//! Numbers with their units, however they are written: `12,512`, `1.5 million`, `twelve`, `3rd`, `5 %`, `€20`.

/// How far a rounded number may be from the exact one.
const ROUNDING: f64 = 0.1;
/// How far a number may be from one that bounds it: "more than 12,000" for 12,512.
const BOUND: f64 = 0.3;

const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// What limits a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the number itself.
    Exact,
    /// More than it.
    Over,
    /// Less than it.
    Under,
    /// About it.
    About,
}

/// A number with its unit and bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    value: f64,
    /// The value if a point separates thousands.
    other: Option<f64>,
    /// What is counted; only units that are often confused have a name.
    unit: Option<&'static str>,
    bound: Bound,
    /// Letters after the digits that are no known unit, such as those of 5pm, as a number to compare.
    suffix: u64,
}

/// Units, each with the ways in which it is written.
const UNITS: &[(&str, &str)] = &[
    ("%", "percent per-cent prozent pct"),
    ("USD", "dollar dollars usd"),
    ("EUR", "euro euros eur"),
    ("GBP", "pound pounds gbp sterling"),
    ("km", "km kilometre kilometres kilometer kilometers"),
    ("mile", "mile miles mi"),
    ("m", "m metre metres meter meters"),
    ("ft", "ft foot feet"),
    ("cm", "cm centimetre centimetres centimeter centimeters"),
    ("mm", "mm millimetre millimetres millimeter millimeters"),
    ("kg", "kg kilogram kilograms kilogramm"),
    ("g", "gram grams gramm"),
    ("lb", "lb lbs"),
    ("t", "tonne tonnes"),
    ("second", "second seconds sekunde sekunden"),
    ("minute", "minute minutes min minuten"),
    ("hour", "hour hours stunde stunden"),
    ("day", "day days tag tage tagen"),
    ("week", "week weeks woche wochen"),
    ("month", "month months monat monate monaten"),
    ("year", "year years jahr jahre jahren"),
    ("century", "century centuries"),
];

impl Quantity {
    /// The number that `lower` is, if it is one, and how many of the words after it belong to it. `before` and `after` are the
    /// text around it, `next` the two words after it.
    pub(super) fn read(lower: &str, before: &str, after: &str, next: [&str; 2]) -> Option<(Self, usize)> {
        let (value, mut other, mut suffix) = digits(lower).or_else(|| Some((in_words(lower)?, None, "")))?;
        if suffix == "m" {
            // Metres or millions.
            (other, suffix) = (Some(value * 1e6), "");
        }
        let is_known = scale(suffix).is_some() || named(suffix).is_some();
        let ordinal = ["", "st", "nd", "rd", "th"].contains(&suffix);
        let unknown = if is_known || ordinal { 0 } else { letters(suffix) };
        let (value, other) =
            if is_negative(before) { (-value, other.map(|other| -other)) } else { (value, other) };
        let next = next.map(str::to_lowercase);
        let (factor, scaled) = match (scale(suffix), scale(&next[0])) {
            (Some(factor), _) => (factor, 0),
            (None, Some(factor)) => (factor, 1),
            (None, None) => (1.0, 0),
        };
        let counted = named(&next[scaled]);
        let unit = symbol(before, after).or_else(|| named(suffix)).or(counted);
        let (value, other) = (value * factor, other.map(|other| other * factor));
        let bound = bound(before);
        Some((Self { value, other, unit, bound, suffix: unknown }, scaled + usize::from(counted.is_some())))
    }

    /// Whether both are the same number; units only matter where both are known.
    pub(super) fn equals(&self, other: &Self) -> bool {
        self.has_value_of(other) && self.shares_unit(other) && self.suffix == other.suffix
    }

    /// Whether both have the same value, in whatever unit.
    pub(super) fn has_value_of(&self, other: &Self) -> bool {
        let is_opposite =
            matches!((self.bound, other.bound), (Bound::Over, Bound::Under) | (Bound::Under, Bound::Over));
        if is_opposite {
            return false;
        }
        let values = |one: &Self| [Some(one.value), one.other];
        let pairs = values(self)
            .into_iter()
            .flatten()
            .flat_map(|a| values(other).into_iter().flatten().map(move |b| (a, b)));
        pairs.into_iter().any(|(claimed, given)| {
            let is_rounder = figures(claimed) < figures(given);
            match self.bound {
                _ if close(claimed, given, 1e-6) => true,
                Bound::Over => is_rounder && given > claimed && close(claimed, given, BOUND),
                Bound::Under => is_rounder && given < claimed && close(claimed, given, BOUND),
                Bound::About => is_rounder && close(claimed, given, ROUNDING),
                Bound::Exact => false,
            }
        })
    }

    /// Whether nothing speaks against one unit.
    pub(super) fn shares_unit(&self, other: &Self) -> bool {
        self.unit.is_none() || other.unit.is_none() || self.unit == other.unit
    }

    /// Whether it may be a year.
    pub(super) fn is_year(&self) -> bool {
        self.unit.is_none() && self.value.fract() == 0.0 && (1000.0..2200.0).contains(&self.value)
    }
}

/// The significant figures of a number: 2 of 1,200.
fn figures(value: f64) -> usize {
    let digits = value.to_string().replace('.', "");
    digits.trim_matches('0').len()
}

/// Letters as a number that differs where they do.
fn letters(text: &str) -> u64 {
    text.bytes().fold(1, |sum, byte| sum.wrapping_mul(257).wrapping_add(u64::from(byte)))
}

/// Whether a minus sign belongs to the number after `before`.
fn is_negative(before: &str) -> bool {
    before.strip_suffix(['-', '−']).is_some_and(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace))
}

fn close(one: f64, other: f64, share: f64) -> bool {
    (one - other).abs() <= share * one.abs().max(other.abs())
}

/// Whether this is a number in words.
pub(super) fn is_number(text: &str) -> bool {
    in_words(&text.to_lowercase()).is_some()
}

/// The value of a word that begins with digits, its value if a point separates thousands, and the letters after the digits.
fn digits(lower: &str) -> Option<(f64, Option<f64>, &str)> {
    if !lower.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end =
        lower.find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '.' | '\''))).unwrap_or(lower.len());
    let (number, suffix) = lower.split_at(end);
    let number = number.trim_end_matches(['.', ',', '\'']);
    // An identifier such as 3a4 is no number.
    if suffix.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let groups = |separator: char| {
        let mut parts = number.split(separator);
        let first = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        (!rest.is_empty() && (1..=3).contains(&first.len()) && rest.iter().all(|part| part.len() == 3))
            .then(|| number.replace(separator, ""))
            .and_then(|whole| whole.parse::<f64>().ok())
    };
    // One comma that separates no thousands is a decimal one: 2,4.
    let is_decimal = number.matches(',').count() == 1 && !number.contains('.') && groups(',').is_none();
    let plain = if is_decimal { number.replace(',', ".") } else { number.replace([',', '\''], "") };
    // A date such as 1.2.2023 is no number.
    let value = groups(',').or(groups('\'')).or(plain.parse().ok()).or(groups('.'))?;
    let other = groups('.');
    Some((value, other, suffix))
}

/// The value of a number in words. "One" is not among them: it is more often a pronoun.
fn in_words(lower: &str) -> Option<f64> {
    let place = |list: &str, word: &str| list.split_whitespace().position(|name| name == word);
    let small = |word: &str| place(ONES, word).filter(|&value| value > 1).map(|value| value as f64);
    let tens = |word: &str| place(TENS, word).map(|at| (at + 2) as f64 * 10.0);
    if let Some((ten, one)) = lower.split_once('-') {
        return Some(tens(ten)? + place(ONES, one)? as f64);
    }
    small(lower).or_else(|| tens(lower)).or(match lower {
        "hundred" => Some(100.0),
        "thousand" => Some(1e3),
        "million" => Some(1e6),
        "billion" => Some(1e9),
        "dozen" => Some(12.0),
        _ => None,
    })
}

/// Whether a word multiplies the number before it.
pub(super) fn is_scale(lower: &str) -> bool {
    scale(lower).is_some()
}

fn scale(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 100.0,
        "thousand" | "k" | "tausend" => 1e3,
        "million" | "millions" | "mio" | "millionen" => 1e6,
        "billion" | "billions" | "bn" | "milliarden" | "mrd" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    })
}

fn named(word: &str) -> Option<&'static str> {
    let is = |(_, names): &&(&'static str, &str)| names.split_whitespace().any(|name| name == word);
    UNITS.iter().find(is).map(|(unit, _)| *unit)
}

/// The unit that a sign before or after a number names.
fn symbol(before: &str, after: &str) -> Option<&'static str> {
    let before = before.trim_end().chars().next_back();
    let after = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']).chars().next();
    Some(match (before, after) {
        (_, Some('%')) => "%",
        (Some('$'), _) | (_, Some('$')) => "USD",
        (Some('€'), _) | (_, Some('€')) => "EUR",
        (Some('£'), _) | (_, Some('£')) => "GBP",
        _ => return None,
    })
}

fn bound(before: &str) -> Bound {
    let words: Vec<String> = before
        .split_whitespace()
        .map(|word| word.trim_matches(['$', '€', '£', '(']).to_lowercase())
        .filter(|word| !word.is_empty())
        .rev()
        .take(2)
        .collect();
    let last = words.first().map_or("", String::as_str);
    let pair = words.get(1).map(|first| format!("{first} {last}")).unwrap_or_default();
    match (pair.as_str(), last) {
        ("more than" | "greater than" | "at least" | "mehr als", _)
        | (_, "over" | "exceeding" | "above" | "mindestens") => Bound::Over,
        ("less than" | "fewer than" | "at most" | "up to" | "weniger als", _)
        | (_, "under" | "below" | "nearly" | "almost") => Bound::Under,
        (
            _,
            "about" | "around" | "approximately" | "roughly" | "circa" | "some" | "etwa" | "rund" | "environ",
        ) => Bound::About,
        _ => Bound::Exact,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Quantity {
        let words = super::super::words::Word::all(text);
        let numbers: Vec<Quantity> = words
            .iter()
            .filter_map(|word| match word.kind {
                super::super::words::WordKind::Number(quantity) => Some(quantity),
                _ => None,
            })
            .collect();
        *numbers.first().unwrap_or_else(|| panic!("no number in {text}"))
    }

    #[test]
    fn one_number_in_many_ways() {
        for (one, other) in [
            ("12,512 people", "12512 people"),
            ("1.5 million people", "1,500,000 people"),
            ("2.4m customers", "2.4 million customers"),
            ("twelve hours", "12 hours"),
            ("the 135th meridian", "the 135 meridian"),
            ("5 % of it", "5 percent of it"),
            ("$20 million", "20 million dollars"),
            ("1.250 Euro", "1,250 euros"),
            ("more than 12,000 people", "12,512 people"),
            ("about 12,500 people", "12,512 people"),
            ("nearly 13,000", "12,512"),
            ("more than $ 12,000", "$12,512"),
            ("2,4 Prozent", "2.4 percent"),
        ] {
            assert!(read(one).equals(&read(other)), "{one} / {other}");
        }
        for (one, other) in [
            ("12,512 people", "12,513 people"),
            ("5 km", "5 miles"),
            ("5%", "15%"),
            ("more than 13,000 people", "12,512 people"),
            ("12,000 people", "12,512 people"),
            ("$20", "€20"),
            ("5pm", "5am"),
            ("10GB", "10TB"),
            ("-5 degrees", "5 degrees"),
            ("12,5 Prozent", "125 Prozent"),
            ("over 500 people", "under 500 people"),
        ] {
            assert!(!read(one).equals(&read(other)), "{one} / {other}");
        }
    }
}
