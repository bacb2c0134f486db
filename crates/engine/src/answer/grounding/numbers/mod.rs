//! Numbers with their units, however they are written: `12,512`, `1.5 million`, `twelve`, `3rd`, `5 %`, `€20`.

mod spoken;

use oriel_text::numbers::{self as written, Decimals, Value};
use spoken::Bound;

/// Endings of a number that says a place in an order.
const ORDINALS: [&str; 11] = ["", "st", "nd", "rd", "th", "er", "re", "e", "ème", "º", "ª"];

/// How far a rounded number may be from the exact one.
const ROUNDING: f64 = 0.1;
/// How far the same number may be from itself, after it was multiplied.
const EXACT: f64 = 1e-12;
/// How far a number may be from one that bounds it: "more than 12,000" for 12,512.
const BOUND: f64 = 0.3;

/// A number with its unit and bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    value: f64,
    /// The value in another reading: "1.250 m", "5m".
    other: Option<f64>,
    /// What is counted; only units that are often confused have a name.
    unit: Option<&'static str>,
    bound: Bound,
    /// Letters after the digits that are no known unit, such as those of 5pm, as a number to compare.
    suffix: u64,
    /// Whether it may be a year.
    is_year: bool,
}

/// How the numbers of a text are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Writing {
    decimals: Decimals,
    language: Option<&'static str>,
}

impl Writing {
    /// That of a text, which may be a sentence or a document.
    pub(super) fn of(text: &str) -> Self {
        let language = oriel_text::language(text);
        Self { decimals: Decimals::of(text, language), language }
    }
}

impl Quantity {
    /// The number that `lower` is, if it is one, and how many of the words after it belong to it. `before` and `after` are the
    /// text around it, `next` the three words after it.
    pub(super) fn read(
        lower: &str,
        before: &str,
        after: &str,
        next: [&str; 3],
        writing: Writing,
    ) -> Option<(Self, usize)> {
        let (read, suffix) =
            digits(lower).or_else(|| Some((Value::Plain(spoken::value(lower, writing.language)?), "")))?;
        let next = next.map(str::to_lowercase);
        let [first, second, third] = next.each_ref().map(String::as_str);
        let (factor, scaled) = match (spoken::scale(suffix), spoken::scale(first)) {
            (Some(factor), _) => (factor, 0),
            (None, Some(factor)) => (factor, 1),
            (None, None) => (1.0, 0),
        };
        let counted = spoken::unit(if scaled == 0 { [first, second] } else { [second, third] });
        // Metres or millions.
        let is_open = suffix == "m";
        let of_suffix = spoken::unit([suffix, ""]).map(|(unit, _)| unit).filter(|_| !is_open);
        let unit = symbol(before, after).or(of_suffix).or(counted.map(|(unit, _)| unit));
        let is_amount = factor == 1.0 && (unit.is_some_and(is_money) || is_price(after));
        let (value, other) = one_of(read, is_amount, writing.decimals);
        let other = other.or(is_open.then_some(value * 1e6));
        let sign = if is_negative(before) { -1.0 } else { 1.0 };
        let is_known =
            is_open || spoken::scale(suffix).is_some() || of_suffix.is_some() || ORDINALS.contains(&suffix);
        let quantity = Self {
            value: sign * factor * value,
            other: other.map(|other| sign * factor * other),
            unit,
            bound: spoken::bound(words_before(before).each_ref().map(String::as_str)),
            suffix: if is_known { 0 } else { letters(suffix) },
            is_year: lower.len() == 4 && unit.is_none() && (1000.0..2200.0).contains(&value),
        };
        Some((quantity, scaled + counted.map_or(0, |(_, words)| words)))
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
                _ if close(claimed, given, EXACT) => true,
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

    /// Whether both are times, one of them clearly longer.
    pub(super) fn is_other_duration(&self, other: &Self) -> bool {
        let days = |one: &Self| Some(one.value * spoken::days(one.unit?)?);
        days(self).zip(days(other)).is_some_and(|(one, other)| !close(one, other, ROUNDING))
    }

    /// Whether it is some of what has a unit.
    pub(super) fn is_amount(&self) -> bool {
        self.has_unit() && self.value > 0.0
    }

    /// Whether its unit is known.
    pub(super) fn has_unit(&self) -> bool {
        self.unit.is_some()
    }

    /// Whether both have the same unit, and it is known.
    pub(super) fn has_unit_of(&self, other: &Self) -> bool {
        self.has_unit() && self.unit == other.unit
    }

    /// Whether its unit has a sign too, so that the word for it says no more.
    pub(super) fn has_sign(&self) -> bool {
        self.unit.is_some_and(|unit| is_money(unit) || unit == "%")
    }

    /// Whether it may be a year.
    pub(super) fn is_year(&self) -> bool {
        self.is_year
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
pub(super) fn is_number(text: &str, writing: Writing) -> bool {
    spoken::value(&text.to_lowercase(), writing.language).is_some()
}

/// Whether a word multiplies the number before it.
pub(super) fn is_scale(lower: &str) -> bool {
    spoken::scale(lower).is_some()
}

/// The value of a word that begins with digits, and the letters after them.
fn digits(lower: &str) -> Option<(Value, &str)> {
    if !lower.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = lower.find(|c: char| !(c.is_ascii_digit() || written::is_separator(c))).unwrap_or(lower.len());
    let (number, suffix) = lower.split_at(end);
    // An identifier such as 3a4 is no number.
    if suffix.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some((written::value(number.trim_end_matches(written::is_separator))?, suffix))
}

/// The value of a number, and its other one if nothing decides between them.
fn one_of(read: Value, is_money: bool, decimals: Decimals) -> (f64, Option<f64>) {
    match read {
        Value::Plain(value) => (value, None),
        // No price without a scale has three decimals, but for fuel.
        Value::Ambiguous { whole, .. } if is_money => (whole, None),
        Value::Ambiguous { whole, separator, .. } if decimals.is_other_than(separator) => (whole, None),
        Value::Ambiguous { whole, decimal, .. } => (decimal, Some(whole)),
    }
}

fn is_money(unit: &str) -> bool {
    ["USD", "EUR", "GBP", "CHF"].contains(&unit)
}

/// Whether the number before `after` is a price without cents: "3.000,-".
fn is_price(after: &str) -> bool {
    after.strip_prefix([',', '.']).is_some_and(|rest| rest.starts_with(['-', '–', '—']))
}

/// The unit that a sign before or after a number names, or a currency before it.
fn symbol(before: &str, after: &str) -> Option<&'static str> {
    let word = words_before(before).into_iter().next().unwrap_or_default();
    let currency =
        spoken::unit([word.trim_end_matches('.'), ""]).map(|(unit, _)| unit).filter(|unit| is_money(unit));
    let before = before.trim_end().chars().next_back();
    let after = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    Some(match (before, after.chars().next()) {
        (_, Some('%')) => {
            let rest = after[1..].trim_start_matches(['-', ' ', '\u{a0}']).to_lowercase();
            let are_points = ["point", "punkt", "punt"].iter().any(|word| rest.starts_with(word));
            if are_points { "percentage point" } else { "%" }
        }
        (Some('$'), _) | (_, Some('$')) => "USD",
        (Some('€'), _) | (_, Some('€')) => "EUR",
        (Some('£'), _) | (_, Some('£')) => "GBP",
        _ => return currency,
    })
}

/// The last two words of a text in lower case, the last one first.
fn words_before(before: &str) -> [String; 2] {
    let mut words = before
        .split_whitespace()
        .rev()
        .map(|word| word.trim_matches(['$', '€', '£', '(']).to_lowercase())
        .filter(|word| !word.is_empty());
    [words.next().unwrap_or_default(), words.next().unwrap_or_default()]
}

#[cfg(test)]
mod tests;
