//! Finds dates in text: `3 December 2024`, `December 3, 2024`, `31. Dezember 2024`, `2024-12-31`, `31.12.24`,
//! `12/2026`, `May 2025`, `Q3 2025`, `2025`. Names of months are known in English, German, French, Spanish, Italian,
//! Dutch and Portuguese.
//!
//! An ambiguous date is ignored, and so is one that may be the number of a version or a section.

use std::ops::Range;

use jiff::civil::Date;

use crate::word_functions::{capitalised, list_contains};

/// The names of each month in English and German, then in the other languages, with their abbreviations.
const MONTHS: [&str; 12] = [
    "january januar jan jänner janvier janv enero ene gennaio gen januari janeiro",
    "february februar feb febr février févr febrero febbraio februari fevereiro fev",
    "march märz mar mär mrz mars marzo maart mrt março",
    "april april apr avril avr abril abr aprile",
    "may mai mayo maggio mag mei maio",
    "june juni jun juin junio giugno giu junho",
    "july juli jul juillet juil julio luglio lug julho",
    "august august aug août agosto ago augustus",
    "september september sep sept septembre septiembre settembre set setembro",
    "october oktober oct okt octobre octubre ottobre ott outubro out",
    "november november nov novembre noviembre novembro",
    "december dezember dec dez décembre déc diciembre dic dicembre dezembro",
];
/// Abbreviations of months that are also words of their own.
const OTHER_WORDS: &str = "set out ago mar mag gen dic";
/// Suffixes of ordinal numbers.
const ORDINALS: &str = "st nd rd th er º ª";
/// Words between the day, the month and the year.
const JOINTS: &str = "of de del do d";
/// Words for a quarter of a year.
const QUARTERS: &str = "quarter quartal trimestre kwartaal";
/// Words after a number that counts something and is not a year.
const UNITS: &str = "euro euros eur usd gbp chf dollars pounds franken km m cm mm kg g w watt kwh pages people words items hours days \
    years times copies seiten personen wörter stunden tage jahre stück mal";
/// The years that are recognised by their four digits alone.
const YEARS: Range<i16> = 1900..2100;

/// The month with this name in lower case, from 1.
#[must_use]
pub fn month(lower: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|list| list_contains(lower, list))?;
    i8::try_from(at + 1).ok()
}

/// The name of a month (from 1), in German or in English.
#[must_use]
pub fn month_name(month: i8, is_german: bool) -> String {
    let at = usize::try_from(month - 1).unwrap_or_default().min(MONTHS.len() - 1);
    capitalised(MONTHS[at].split(' ').nth(usize::from(is_german)).unwrap_or_default())
}

/// The days of a date: one day, or those of a month, a quarter or a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub first: Date,
    pub last: Date,
}

impl Period {
    #[must_use]
    pub fn day(day: Date) -> Self {
        Self { first: day, last: day }
    }

    #[must_use]
    pub fn month(year: i16, month: i8) -> Option<Self> {
        Self::months(year, month, month)
    }

    #[must_use]
    pub fn year(year: i16) -> Option<Self> {
        Self::months(year, 1, 12)
    }

    fn months(year: i16, from: i8, to: i8) -> Option<Self> {
        let (first, last) = (Date::new(year, from, 1).ok()?, Date::new(year, to, 1).ok()?);
        Some(Self { first, last: last.last_of_month() })
    }

    /// Whether one of its days is at or after `since`, and at or before `until`.
    #[must_use]
    pub fn overlaps(&self, since: Option<Date>, until: Option<Date>) -> bool {
        since.is_none_or(|since| self.last >= since) && until.is_none_or(|until| self.first <= until)
    }

    /// The period as text: `6 January 2027`, `October 2026`, `2026`; in German `6. Januar 2027`. Other periods are
    /// written as first and last day.
    #[must_use]
    pub fn in_words(&self, is_german: bool) -> String {
        let (first, last) = (self.first, self.last);
        let month = |date: Date| format!("{} {}", month_name(date.month(), is_german), date.year());
        let day = |date: Date| format!("{}{} {}", date.day(), if is_german { "." } else { "" }, month(date));
        if first == last {
            return day(first);
        }
        if Self::year(first.year()) == Some(*self) {
            return first.year().to_string();
        }
        if Self::month(first.year(), first.month()) == Some(*self) {
            return month(first);
        }
        format!("{} – {}", day(first), day(last))
    }
}

/// The part of a year that a date names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatePart {
    /// The whole year.
    Year,
    /// A quarter, from 1.
    Quarter(i8),
    /// A month, from 1.
    Month(i8),
    /// A month and a day, both from 1.
    Day(i8, i8),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextDate {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// The year; `None` for "3 December".
    pub year: Option<i16>,
    /// The part of the year.
    pub part: DatePart,
}

impl TextDate {
    /// The days of the date; `None` if it has no year.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        self.period_in(self.year?)
    }

    /// The days of the date, in this year if it names none; `None` if the day does not exist in that year, as 29
    /// February.
    #[must_use]
    pub fn period_in(&self, year: i16) -> Option<Period> {
        let year = self.year.unwrap_or(year);
        match self.part {
            DatePart::Year => Period::year(year),
            DatePart::Quarter(quarter) => Period::months(year, 3 * quarter - 2, 3 * quarter),
            DatePart::Month(month) => Period::month(year, month),
            DatePart::Day(month, day) => Date::new(year, month, day).ok().map(Period::day),
        }
    }
}

/// Which number comes first in `03/04/2024`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DayOrder {
    DayFirst,
    MonthFirst,
    /// Unknown; such a date is ignored.
    #[default]
    Unknown,
}

impl DayOrder {
    /// The order in the unambiguous dates of `text`. If there are none, the order of its language; for English it is
    /// unknown, since both are common.
    #[must_use]
    pub fn of(text: &str, language: Option<&str>) -> Self {
        let (mut days, mut months) = (false, false);
        for (at, _) in text.match_indices('/') {
            let before = text[..at].bytes().rev().take_while(u8::is_ascii_digit).count();
            let after = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let is_date = text[at + 1 + after..].starts_with('/')
                && text[at + 2 + after..].bytes().take_while(u8::is_ascii_digit).count() == 4;
            let number = |digits: &str| digits.parse::<u8>().ok().filter(|number| (1..=31).contains(number));
            let pair = number(&text[at - before..at]).zip(number(&text[at + 1..at + 1 + after]));
            if let Some((first, second)) = pair.filter(|_| is_date) {
                days |= first > 12;
                months |= second > 12;
            }
        }
        match (days, months, language) {
            (true, false, _) => Self::DayFirst,
            (false, true, _) => Self::MonthFirst,
            (false, false, Some(language)) if language != "en" => Self::DayFirst,
            _ => Self::Unknown,
        }
    }
}

/// The dates of a text, in order, including those with a day and no year.
#[must_use]
pub fn dates(text: &str, order: DayOrder) -> Vec<TextDate> {
    let tokens = Tokens::of(text, order);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.places.len() {
        match tokens.date(at) {
            Some((year, part, used)) => {
                let bytes = tokens.places[at].start..tokens.places[at + used - 1].end;
                found.push(TextDate { bytes, year, part });
                at += used;
            }
            None => at += 1,
        }
    }
    found
}

/// The year if there is one, the part of the year, and the number of tokens of the date.
type Parsed = Option<(Option<i16>, DatePart, usize)>;

/// A text divided into runs of digits and runs of letters.
struct Tokens<'t> {
    text: &'t str,
    order: DayOrder,
    places: Vec<Range<usize>>,
}

impl<'t> Tokens<'t> {
    fn of(text: &'t str, order: DayOrder) -> Self {
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut before = None;
        for (at, c) in text.char_indices() {
            let class = if c.is_ascii_digit() {
                Some(true)
            } else if c.is_alphabetic() || matches!(c, 'º' | 'ª') {
                Some(false)
            } else {
                None
            };
            match places.last_mut().filter(|_| class.is_some() && class == before) {
                Some(last) => last.end = at + c.len_utf8(),
                None if class.is_some() => places.push(at..at + c.len_utf8()),
                None => {}
            }
            before = class;
        }
        Self { text, order, places }
    }

    fn token(&self, at: usize) -> &'t str {
        self.places.get(at).map_or("", |place| &self.text[place.clone()])
    }

    /// The number in a token of at most `digits` digits.
    fn number(&self, at: usize, digits: usize) -> Option<i16> {
        let token = self.token(at);
        let is_number =
            (1..=digits).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_digit());
        token.parse().ok().filter(|_| is_number)
    }

    fn year(&self, at: usize) -> Option<i16> {
        self.number(at, 4).filter(|_| self.token(at).len() == 4).filter(|year| (1000..2200).contains(year))
    }

    fn month(&self, at: usize) -> Option<i8> {
        let token = self.token(at);
        // No name of a month is longer.
        if token.is_empty() || token.len() > 12 || token.as_bytes()[0].is_ascii_digit() {
            return None;
        }
        month(&token.to_lowercase())
    }

    /// The text between this token and the next.
    fn gap(&self, at: usize) -> &'t str {
        match (self.places.get(at), self.places.get(at + 1)) {
            (Some(one), Some(next)) => &self.text[one.end..next.start],
            _ => "\0",
        }
    }

    /// Whether this token and the next may belong to one date: `3. Dec`, `3-Dec`, `Dec 3, 2024`.
    fn is_near(&self, at: usize) -> bool {
        let gap = self.gap(at);
        gap.len() <= 3
            && gap.chars().all(|c| c.is_whitespace() || ".,-'’".contains(c))
            && !gap.contains("\n\n")
    }

    /// Whether one of `signs`, or a letter or digit, connects the token to the text before it.
    fn is_joined_before(&self, at: usize, signs: &str) -> bool {
        let mut before = self.text[..self.places[at].start].chars().rev();
        let last = before.next();
        let is_sign =
            last.is_some_and(|c| signs.contains(c)) && before.next().is_some_and(char::is_alphanumeric);
        is_sign || last.is_some_and(|c| c.is_alphanumeric() || "_#$€£/".contains(c))
    }

    /// Whether one of `signs`, or a letter, connects the token to the text after it.
    fn is_joined_after(&self, at: usize, signs: &str) -> bool {
        let mut after = self.text[self.places[at].end..].chars();
        match after.next() {
            // `2024-05-03T10:00`
            Some('T') => after.next().is_none_or(|c| !c.is_ascii_digit()),
            Some(c) if signs.contains(c) => after.next().is_some_and(char::is_alphanumeric),
            Some(c) => c.is_alphanumeric() || c == '_',
            None => false,
        }
    }

    fn date(&self, at: usize) -> Parsed {
        if !self.token(at).starts_with(|c: char| c.is_ascii_digit()) {
            return self.month_first(at).or_else(|| self.quarter(at));
        }
        self.in_figures(at)
            .or_else(|| self.day_first(at))
            .or_else(|| self.ordinal_quarter(at))
            .or_else(|| self.month_in_figures(at))
            .or_else(|| self.bare_year(at))
    }

    /// `2024-12-31`, `31.12.2024`, `31.12.24`, `31/12/2024`
    fn in_figures(&self, at: usize) -> Parsed {
        let sign = self.gap(at).chars().next().filter(|sign| "-./".contains(*sign))?;
        let is_gap = |gap: &str| gap.chars().eq([sign]) || (sign == '.' && gap == ". ");
        let signs = sign.to_string();
        if !is_gap(self.gap(at))
            || !is_gap(self.gap(at + 1))
            || self.is_joined_before(at, &signs)
            || self.is_joined_after(at + 2, &signs)
        {
            return None;
        }
        let small = |at: usize| self.number(at, 2).and_then(|number| i8::try_from(number).ok());
        let day = |year: i16, month: i8, day: i8| {
            Date::new(year, month, day).ok().map(|_| (Some(year), DatePart::Day(month, day), 3))
        };
        if let Some(year) = self.year(at) {
            return day(year, small(at + 1)?, small(at + 2)?);
        }
        let (first, second) = (small(at)?, small(at + 1)?);
        let year = self.year(at + 2).or_else(|| {
            let is_padded = [at, at + 1].iter().all(|at| self.token(*at).len() == 2);
            let short = small(at + 2).filter(|_| self.token(at + 2).len() == 2)?;
            // A two-digit year is accepted only in these forms; otherwise it may be a version.
            let century = if short < 70 { 2000 } else { 1900 };
            (sign == '/' || (sign == '.' && is_padded)).then(|| century + i16::from(short))
        })?;
        let (days_first, months_first) = (day(year, second, first), day(year, first, second));
        match sign {
            '.' => days_first,
            _ => match (days_first, months_first) {
                (Some(one), Some(other)) if one != other => match self.order {
                    DayOrder::DayFirst => Some(one),
                    DayOrder::MonthFirst => Some(other),
                    DayOrder::Unknown => None,
                },
                (one, other) => one.or(other),
            },
        }
    }

    /// `3 December 2024`, `the 3rd of December`, `31. Dezember 2024`, `3 de diciembre de 2024`
    fn day_first(&self, at: usize) -> Parsed {
        let day = i8::try_from(self.number(at, 2)?).ok().filter(|day| (1..=31).contains(day))?;
        let mut next = self.after_ordinal(at);
        if !self.is_near(next - 1) || self.is_joined_before(at, ".,-") {
            return None;
        }
        next += usize::from(list_contains(self.token(next), JOINTS) && self.is_near(next));
        let month = self.month(next)?;
        let (year, used) = self.year_after(next);
        Some((year, DatePart::Day(month, day), used - at))
            .filter(|_| Date::new(year.unwrap_or(2000), month, day).is_ok())
    }

    /// `December 3, 2024`, `December 3rd`, `December 2024`
    fn month_first(&self, at: usize) -> Parsed {
        let month = self.month(at)?;
        if !self.is_near(at) && !list_contains(self.token(at + 1), JOINTS) {
            return None;
        }
        if let Some(day) = self.number(at + 1, 2).and_then(|day| i8::try_from(day).ok()) {
            let next = self.after_ordinal(at + 1);
            let is_alone = !self.is_joined_after(next - 1, ".:/-");
            let (year, used) = self.year_after(next - 1);
            let is_day = Date::new(year.unwrap_or(2000), month, day).is_ok() && is_alone;
            return is_day.then_some((year, DatePart::Day(month, day), used - at));
        }
        let (year, used) = self.year_after(at);
        let is_named = !list_contains(&self.token(at).to_lowercase(), OTHER_WORDS);
        year.filter(|_| is_named).map(|year| (Some(year), DatePart::Month(month), used - at))
    }

    /// The index of the token after a number and its ordinal suffix.
    fn after_ordinal(&self, at: usize) -> usize {
        let is_ordinal =
            self.gap(at).is_empty() && list_contains(&self.token(at + 1).to_lowercase(), ORDINALS);
        at + 1 + usize::from(is_ordinal)
    }

    /// The year after a token, and the index of the token after the date.
    fn year_after(&self, at: usize) -> (Option<i16>, usize) {
        let joint = usize::from(list_contains(self.token(at + 1), "de del do"));
        let next = at + 1 + joint;
        let is_near = self.is_near(at) && (joint == 0 || self.is_near(next - 1));
        match self.year(next).filter(|_| is_near && !self.is_joined_after(next, ".")) {
            Some(year) => (Some(year), next + 1),
            None => (None, at + 1),
        }
    }

    /// `Q3 2025`
    fn quarter(&self, at: usize) -> Parsed {
        let is_named = self.token(at).eq_ignore_ascii_case("q") && self.gap(at).is_empty();
        let quarter = self.number(at + 1, 1).filter(|quarter| is_named && (1..=4).contains(quarter))?;
        let is_near = matches!(self.gap(at + 1), " " | "/" | "-");
        let year = self.year(at + 2).filter(|_| is_near)?;
        Some((Some(year), DatePart::Quarter(i8::try_from(quarter).ok()?), 3))
    }

    /// `3. Quartal 2025`, `3rd quarter of 2025`
    fn ordinal_quarter(&self, at: usize) -> Parsed {
        let quarter = self.number(at, 1).filter(|quarter| (1..=4).contains(quarter))?;
        let named = self.after_ordinal(at);
        let is_named = list_contains(&self.token(named).to_lowercase(), QUARTERS) && self.is_near(named - 1);
        let next = named + 1 + usize::from(list_contains(self.token(named + 1), JOINTS));
        let year = self.year(next).filter(|_| is_named && self.is_near(next - 1))?;
        Some((Some(year), DatePart::Quarter(i8::try_from(quarter).ok()?), next + 1 - at))
    }

    /// `12/2026`, `2026-12`
    fn month_in_figures(&self, at: usize) -> Parsed {
        let sign = self.gap(at);
        let (year, month) = match sign {
            "/" => (at + 1, at),
            "-" => (at, at + 1),
            _ => return None,
        };
        let is_alone = !self.is_joined_before(at, sign) && !self.is_joined_after(at + 1, sign);
        let year = self.year(year).filter(|year| is_alone && YEARS.contains(year))?;
        let is_padded = sign == "/" || self.token(month).len() == 2;
        let month = self.number(month, 2).filter(|month| is_padded && (1..=12).contains(month))?;
        Some((Some(year), DatePart::Month(i8::try_from(month).ok()?), 2))
    }

    /// `2025`
    fn bare_year(&self, at: usize) -> Parsed {
        let year = self.year(at).filter(|year| YEARS.contains(year))?;
        let signs = ".,:-/'’";
        let is_joined = self.is_joined_before(at, signs) || self.is_joined_after(at, signs);
        let after = self.text[self.places[at].end..].trim_start();
        let is_counted = after.starts_with(['%', '€', '$', '£', '°'])
            || (self.gap(at) == " " && list_contains(&self.token(at + 1).to_lowercase(), UNITS));
        let before = self.text[..self.places[at].start].trim_end();
        let is_priced = before.ends_with(['€', '$', '£', '#', '§']);
        (!is_joined && !is_counted && !is_priced).then_some((Some(year), DatePart::Year, 1))
    }
}

#[cfg(test)]
mod tests;
