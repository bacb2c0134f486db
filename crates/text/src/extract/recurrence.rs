//! Describes the recurrence rules of calendar entries in words.

use super::date_time::DateTime;
use super::writer::one_line;

const DAYS: [(&str, &str); 7] = [
    ("MO", "Monday"),
    ("TU", "Tuesday"),
    ("WE", "Wednesday"),
    ("TH", "Thursday"),
    ("FR", "Friday"),
    ("SA", "Saturday"),
    ("SU", "Sunday"),
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
/// The parts of a rule that can be described. A rule with other parts is returned unchanged.
const KNOWN_PARTS: [&str; 8] =
    ["FREQ", "INTERVAL", "BYDAY", "BYMONTH", "BYMONTHDAY", "UNTIL", "COUNT", "WKST"];

/// Describes a rule such as `FREQ=WEEKLY;BYDAY=MO`; complex rules are returned unchanged.
pub(super) fn in_words(rule: &str) -> String {
    words(rule).unwrap_or_else(|| one_line(rule))
}

fn words(rule: &str) -> Option<String> {
    let parts: Vec<(String, &str)> = rule
        .split(';')
        .filter(|part| !part.trim().is_empty())
        .map(|part| part.split_once('=').map(|(name, value)| (name.trim().to_uppercase(), value.trim())))
        .collect::<Option<_>>()?;
    if !parts.iter().all(|(name, _)| KNOWN_PARTS.contains(&name.as_str())) {
        return None;
    }
    let get = |wanted: &str| parts.iter().find(|(name, _)| name == wanted).map(|(_, value)| *value);
    let unit = match get("FREQ")?.to_uppercase().as_str() {
        "HOURLY" => "hour",
        "DAILY" => "day",
        "WEEKLY" => "week",
        "MONTHLY" => "month",
        "YEARLY" => "year",
        _ => return None,
    };
    let mut words = match get("INTERVAL").unwrap_or("1") {
        "1" => format!("every {unit}"),
        interval => format!("every {} {unit}s", interval.parse::<u32>().ok()?),
    };
    if let Some(months) = get("BYMONTH") {
        let months: Vec<_> = months.split(',').map(month).collect::<Option<_>>()?;
        words.extend([" in ", &months.join(" and ")]);
    }
    if let Some(days) = get("BYDAY") {
        let days: Vec<_> = days.split(',').map(day).collect::<Option<_>>()?;
        words.extend([" on ", &days.join(" and ")]);
    }
    if let Some(days) = get("BYMONTHDAY") {
        let days: Vec<_> = days.split(',').map(day_of_month).collect::<Option<_>>()?;
        words.extend([" on ", &days.join(" and ")]);
    }
    if let Some(count) = get("COUNT") {
        words.extend([", ", &count.parse::<u32>().ok()?.to_string(), " times"]);
    }
    if let Some(until) = get("UNTIL") {
        words.extend([", until ", &DateTime::read(until, "")?.shown()]);
    }
    Some(words)
}

fn month(number: &str) -> Option<&'static str> {
    MONTHS.get(number.parse::<usize>().ok()?.checked_sub(1)?).copied()
}

/// A day such as `MO`, or `2MO` for the second Monday.
fn day(text: &str) -> Option<String> {
    let text = text.trim();
    let (number, code) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let (_, day) = DAYS.iter().find(|(short, _)| short.eq_ignore_ascii_case(code))?;
    match number {
        "" => Some((*day).to_owned()),
        "-1" => Some(format!("the last {day}")),
        number => {
            let ordinal = ORDINALS.get(number.parse::<usize>().ok()?.checked_sub(1)?)?;
            Some(format!("the {ordinal} {day}"))
        }
    }
}

fn day_of_month(number: &str) -> Option<String> {
    match number.parse::<i8>().ok()? {
        -1 => Some("the last day".to_owned()),
        number @ 1..=31 => Some(format!("day {number}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_rules_are_said_in_words() {
        for (rule, words) in [
            ("FREQ=YEARLY", "every year"),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=10",
                "every 2 weeks on Monday and Wednesday, 10 times",
            ),
            ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
            (
                "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU;UNTIL=20300501",
                "every year in May on the second Sunday, until Wednesday, 1 May 2030",
            ),
            ("FREQ=MONTHLY;BYMONTHDAY=15", "every month on day 15"),
            ("FREQ=DAILY;BYSETPOS=1", "FREQ=DAILY;BYSETPOS=1"),
            ("FREQ=DAILY;BYDAY=Ä", "FREQ=DAILY;BYDAY=Ä"),
        ] {
            assert_eq!(in_words(rule), words);
        }
    }
}
