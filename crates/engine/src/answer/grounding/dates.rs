//! Days that are written in figures, and the terms of months, so that `2024-12-31` and `31. Dezember 2024` have the same words.

use std::ops::Range;

/// A day of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day<'t> {
    pub year: &'t str,
    /// From 1.
    pub month: i8,
    pub day: &'t str,
}

/// The term of a month, whatever the language of its name.
pub(super) fn term(month: i8) -> String {
    format!("month {month}")
}

/// The day that begins with the first of these words, and how many of them it takes: `2024-12-31`, `31.12.2024`, `31/12/2024`. Where
/// day and month cannot be told apart it is none.
pub(super) fn day<'t>(text: &'t str, spans: &[Range<usize>]) -> Option<(Day<'t>, usize)> {
    let first = &text[spans.first()?.clone()];
    // A word by itself, as the rules of Unicode have it.
    if let Some(day) = of_parts(first.split('.').collect::<Vec<_>>().as_slice(), '.') {
        return Some((day, 1));
    }
    let [one, two, three, ..] = spans else { return None };
    let parts = [one, two, three].map(|span| &text[span.clone()]);
    let sign = text[one.end..].chars().next().filter(|sign| matches!(sign, '-' | '/' | '.'))?;
    let gap = |from: usize, to: usize| text[from..to].chars().eq([sign]);
    let is_one = gap(one.end, two.start) && gap(two.end, three.start);
    is_one.then(|| of_parts(&parts, sign)).flatten().map(|day| (day, 3))
}

fn of_parts<'t>(parts: &[&'t str], sign: char) -> Option<Day<'t>> {
    let [first, second, third] = *parts else { return None };
    let is_number = |part: &str, digits: Range<usize>| {
        digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let day_of = |year: &'t str, month: &str, day: &'t str| {
        let is_month = is_number(month, 1..3) && matches!(month.parse(), Ok(1..=12_u8));
        let is_day = is_number(day, 1..3) && matches!(day.parse(), Ok(1..=31_u8));
        let month = month.parse().ok().filter(|_| is_number(year, 4..5) && is_month && is_day)?;
        Some(Day { year, month, day: day.trim_start_matches('0') })
    };
    if first.len() == 4 {
        return day_of(first, second, third);
    }
    let (day_first, month_first) = (day_of(third, second, first), day_of(third, first, second));
    match sign {
        '/' => match (day_first, month_first) {
            (Some(one), Some(other)) if one != other => None,
            (one, other) => one.or(other),
        },
        _ => day_first,
    }
}

#[cfg(test)]
mod tests {
    use crate::answer::grounding::words::Word;

    #[test]
    fn a_day_is_the_same_in_every_form() {
        let words = Word::all("It ends on 3 December 2024.");
        for same in [
            "It ends on 2024-12-03.",
            "It ends on 3.12.2024.",
            "It ends on 03.12.2024.",
            "Es endet am 3. Dezember 2024.",
            "Cela finit le 3 décembre 2024.",
            "It ends on 3 Dec. 2024",
        ] {
            let other = Word::all(same);
            let found = words.iter().skip(3).all(|word| other.iter().any(|other| word.matches(other)));
            assert!(found, "{same}: {other:?}");
        }
        for other in ["It ends on 2024-12-04.", "It ends on 3.11.2024.", "Es endet am 3. Dezember 2025."] {
            let other = Word::all(other);
            assert!(
                !words.iter().skip(3).all(|word| other.iter().any(|other| word.matches(other))),
                "{other:?}"
            );
        }
        assert_eq!(Word::all("on 31/12/2024"), Word::all("on 12/31/2024"));
        assert_ne!(
            Word::all("on 3/12/2024"),
            Word::all("on 3.12.2024"),
            "the third of December, or the twelfth of March"
        );
    }
}
