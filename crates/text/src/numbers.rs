//! Numbers in digits: which characters separate thousands and which decimals.
//!
//! Often the form of a number decides: `12.345,67` can be read in one way in any language. `1.250` can be read in two.
//! Then the convention of the document decides, as far as its other numbers or its language reveal it.

use std::cmp::Ordering;
use std::ops::Range;

/// The value of a number in digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// It can be read in one way.
    Plain(f64),
    /// Its only separator may separate thousands or decimals.
    Ambiguous {
        /// The value if it separates thousands.
        whole: f64,
        /// The value if it separates decimals.
        decimal: f64,
        /// A point or a comma.
        separator: char,
    },
}

/// The decimal separator of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimals {
    /// `1,250.5`
    Point,
    /// `1.250,5`
    Comma,
    /// Unknown.
    #[default]
    Unknown,
}

impl Decimals {
    /// The separator in the unambiguous numbers of `text`. If there are none, the separator of its language: of the
    /// languages that [`language`](crate::language) detects, only English uses a point.
    #[must_use]
    pub fn of(text: &str, language: Option<&str>) -> Self {
        let (mut points, mut commas) = (0, 0);
        for number in text.split(|c: char| !(c.is_ascii_digit() || is_separator(c))) {
            match separator_of(number.trim_end_matches(is_separator)) {
                Self::Point => points += 1,
                Self::Comma => commas += 1,
                Self::Unknown => {}
            }
        }
        match points.cmp(&commas) {
            Ordering::Greater => Self::Point,
            Ordering::Less => Self::Comma,
            Ordering::Equal => match language {
                Some("en") => Self::Point,
                Some(_) => Self::Comma,
                None => Self::Unknown,
            },
        }
    }

    /// Whether the text uses another decimal separator than this one.
    #[must_use]
    pub fn is_other_than(self, separator: char) -> bool {
        match self {
            Self::Point => separator == ',',
            Self::Comma => separator == '.',
            Self::Unknown => false,
        }
    }
}

/// The decimal separator that one number reveals: `1,250.5` and `1,250,000` a point, `1.250,5` and `18,50` a comma.
/// `1.5` reveals none, because it may be a version or a section.
fn separator_of(number: &str) -> Decimals {
    let Some((groups, separators)) = split(number) else { return Decimals::Unknown };
    let last = separators.last().copied();
    match last {
        Some(',') if separators.len() == 1 && groups[1].len() != 3 => Decimals::Comma,
        Some(',') if separators.contains(&'.') => Decimals::Comma,
        Some('.') if separators.contains(&',') => Decimals::Point,
        Some(',') if separators.len() > 1 && are_thousands(&groups) => Decimals::Point,
        Some('.') if separators.len() > 1 && are_thousands(&groups) => Decimals::Comma,
        _ => Decimals::Unknown,
    }
}

/// Whether a character may be between the digits of one number.
#[must_use]
pub fn is_separator(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '_') || is_space(c)
}

/// Whether it is a space that may separate thousands, not a tab or a new line.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}')
}

/// The groups of digits in a number and the separators between them; `None` if it is not a number.
fn split(number: &str) -> Option<(Vec<&str>, Vec<char>)> {
    let groups: Vec<&str> = number.split(is_separator).collect();
    let digits = |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    // Spaces of different kinds count as the same separator.
    let separators = number.chars().filter(|c| is_separator(*c)).map(|c| if is_space(c) { ' ' } else { c });
    groups.iter().all(digits).then(|| (groups, separators.collect()))
}

/// Whether these are groups of thousands, or of lakhs and crores: `12,34,567`.
fn are_thousands(groups: &[&str]) -> bool {
    let [first, between @ .., last] = groups else { return false };
    let all = |length: usize| between.iter().all(|group| group.len() == length);
    let begins = (1..=3).contains(&first.len()) && !first.starts_with('0');
    begins && last.len() == 3 && (all(3) || all(2) && first.len() <= 2)
}

/// The value of a number in digits with its separators; `None` if it is not a number but, for example, a date or a
/// version.
#[must_use]
pub fn value(number: &str) -> Option<Value> {
    let (groups, separators) = split(number)?;
    let whole = || groups.concat().parse::<f64>().ok();
    let (decimals, before) = groups.split_last()?;
    let decimal = || format!("{}.{decimals}", before.concat()).parse::<f64>().ok();
    match separators.as_slice() {
        [] => whole().map(Value::Plain),
        &[separator @ ('.' | ',')] if are_thousands(&groups) => {
            Some(Value::Ambiguous { whole: whole()?, decimal: decimal()?, separator })
        }
        ['.' | ','] => decimal().map(Value::Plain),
        [first, rest @ ..] if rest.iter().all(|sign| sign == first) => {
            whole().filter(|_| are_thousands(&groups)).map(Value::Plain)
        }
        [first, between @ .., '.' | ','] if between.iter().all(|sign| sign == first) => {
            decimal().filter(|_| are_thousands(before)).map(Value::Plain)
        }
        _ => None,
    }
}

/// How far a number continues after its first digits at `first`: spaces may separate thousands, so that `1 250,50` is
/// one number. `rest` are the positions of the following words; returns how many of them belong to the number.
#[must_use]
pub fn extend_number(text: &str, first: Range<usize>, rest: &[Range<usize>]) -> usize {
    let is_first = |group: &str| {
        (1..=3).contains(&group.len())
            && !group.starts_with('0')
            && group.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_first(&text[first.clone()]) {
        return 0;
    }
    let mut end = first.end;
    let mut count = 0;
    for word in rest {
        let mut gap = text[end..word.start].chars();
        let is_joined = gap.next().is_some_and(is_space) && gap.next().is_none();
        let group = &text[word.clone()];
        let digits = group.find(|c: char| !c.is_ascii_digit()).unwrap_or(group.len());
        let (digits, tail) = group.split_at(digits);
        let has_decimals =
            tail.strip_prefix(['.', ',']).is_some_and(|tail| tail.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_joined || digits.len() != 3 || !(tail.is_empty() || has_decimals) {
            break;
        }
        count += 1;
        end = word.end;
        if has_decimals {
            break;
        }
    }
    count
}

/// The terms (see [`terms`](crate::terms)) of a question's numbers in other forms that documents may use: `1250` is
/// `1.250` and, with cents, `1.25000`. Numbers divided by spaces are left out, since they are several terms.
#[must_use]
pub fn other_forms(question: &str) -> Vec<String> {
    let is_number = |c: char| c.is_ascii_digit() || is_separator(c) && !is_space(c);
    let numbers = question.split(|c: char| !is_number(c)).map(|number| number.trim_matches(is_separator));
    let mut forms = Vec::new();
    for number in numbers.filter(|number| !number.is_empty()) {
        match value(number) {
            Some(Value::Plain(value)) => forms.extend(forms_of(value, number.len() > 3)),
            Some(Value::Ambiguous { whole, .. }) => forms.extend(forms_of(whole, true)),
            None => {}
        }
    }
    let own = crate::terms(question);
    forms.retain(|form| !own.contains(form));
    forms
}

/// The terms of a number; with `with_cents` also those of whole numbers with cents.
fn forms_of(value: f64, with_cents: bool) -> Vec<String> {
    let written = format!("{value:.2}");
    // A number with more decimals is not an amount of money.
    let is_exact = written.parse::<f64>().is_ok_and(|same| same == value);
    let Some((whole, cents)) = written.split_once('.').filter(|_| is_exact) else { return Vec::new() };
    let grouped = grouped(whole);
    let mut forms = Vec::new();
    if cents == "00" {
        forms.extend([whole.to_owned(), grouped.clone()]);
    }
    if cents != "00" || with_cents {
        forms.extend([format!("{whole}.{cents}"), format!("{grouped}{cents}"), format!("{whole}{cents}")]);
    }
    if let Some(tenths) = cents.strip_suffix('0').filter(|tenths| *tenths != "0") {
        forms.extend([format!("{whole}.{tenths}"), format!("{grouped}{tenths}"), format!("{whole}{tenths}")]);
    }
    forms.sort();
    forms.dedup();
    forms
}

/// Digits with a point between thousands.
fn grouped(whole: &str) -> String {
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::other_forms;

    #[test]
    fn a_number_of_a_question_has_the_terms_of_its_other_forms() {
        for (question, document) in [
            ("Was kostet 1250 Euro?", "Die Miete beträgt 1.250,00 Euro."),
            ("Was kostet 1.250,00 Euro?", "The rent is 1,250 euros."),
            ("What costs 1,250?", "Es kostet 1.250 Euro."),
            ("Who pays 18.50?", "Die Gebühr von 18,50 Euro"),
            ("Who pays 18.50?", "Die Gebühr von 18,5 Euro"),
            ("Qui paie 1250,50?", "1.250,50 euros"),
            ("Who pays 2750 euros?", "It is 2,750.00 euros"),
        ] {
            let forms = other_forms(question);
            let found = crate::terms(document).iter().any(|term| forms.contains(term));
            assert!(found, "{question} / {document}: {forms:?}, {:?}", crate::terms(document));
        }
        assert_eq!(other_forms("What is in 19 of version 3.14.1?"), [""; 0]);
    }
}
