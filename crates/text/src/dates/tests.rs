//! Dates as people write them, and numbers that are not dates.

use super::*;

/// The dates of a text that have a year, with their words.
fn read(text: &str, order: DayOrder) -> Vec<(&str, String)> {
    let dates = dates(text, order).into_iter();
    dates.filter_map(|date| Some((&text[date.bytes.clone()], date.period()?.in_words(false)))).collect()
}

#[test]
fn a_day_is_read_in_every_form() {
    for text in [
        "It ends on 3 December 2024.",
        "It ends on the 3rd of December, 2024.",
        "It ends on December 3, 2024.",
        "It ends on 3-Dec-2024.",
        "It ends on 2024-12-03T10:00.",
        "It ends on 3.12.2024, at noon.",
        "Es endet am 03.12.24.",
        "Es endet am 3. 12. 2024 um 12:30.",
        "Es endet am 3. Dezember 2024.",
        "Cela finit le 3 décembre 2024.",
        "Termina el 3 de diciembre de 2024.",
        "Finisce il 3 dicembre 2024.",
        "Het eindigt op 3 december 2024.",
        "Termina em 3 de dezembro de 2024.",
    ] {
        let found: Vec<String> = read(text, DayOrder::Unknown).into_iter().map(|(_, day)| day).collect();
        assert_eq!(found, ["3 December 2024"], "{text}");
    }
    let text = "Vom 1.1.2025-31.12.2025 gilt er.";
    assert_eq!(
        read(text, DayOrder::Unknown),
        [("1.1.2025", "1 January 2025".into()), ("31.12.2025", "31 December 2025".into())]
    );
}

#[test]
fn a_day_and_a_month_that_may_be_exchanged_are_read_as_the_text_does_elsewhere() {
    let of = |text: &str, language| read(text, DayOrder::of(text, language)).len();
    assert_eq!(of("Due 03/04/2024.", Some("en")), 0);
    assert_eq!(of("Due 03/04/2024, paid 25/04/2024.", Some("en")), 2);
    assert_eq!(of("Échéance 03/04/2024.", Some("fr")), 1);
    let american = "Due 03/04/2024, paid 04/25/2024.";
    assert_eq!(read(american, DayOrder::of(american, None))[0].1, "4 March 2024");
}

#[test]
fn months_quarters_and_years_are_read() {
    for (text, expected) in [
        ("Minutes of May 2025", "May 2025"),
        ("minutes 2025-05", "May 2025"),
        ("valid to 05/2025", "May 2025"),
        ("Protokoll Mai 2025", "May 2025"),
        ("Price list 2025", "2025"),
        ("Q3 2025", "1 July 2025 – 30 September 2025"),
        ("3. Quartal 2025", "1 July 2025 – 30 September 2025"),
        ("the 3rd quarter of 2025", "1 July 2025 – 30 September 2025"),
    ] {
        let found: Vec<String> =
            read(text, DayOrder::Unknown).into_iter().map(|(_, period)| period).collect();
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn other_numbers_are_no_dates() {
    for text in [
        "Version 1.2.2024.1, 10.2.24 and 1.2.3",
        "2000 euros, $2025, 2,025 and 2025.50",
        "RE-2024-05-03 and Nr. RE2024",
        "32.12.2024, 2024-13-01 and 30/02/2024",
        "at 20:15, call 0171/2024",
        "two of 3 may apply",
    ] {
        assert!(read(text, DayOrder::DayFirst).is_empty(), "{text}: {:?}", read(text, DayOrder::DayFirst));
    }
}

#[test]
fn a_day_without_a_year_is_read_in_a_given_one() {
    let date = dates("since the 3rd of March", DayOrder::Unknown).remove(0);
    assert_eq!(date.period(), None);
    assert_eq!(date.period_in(2026).map(|period| period.in_words(true)), Some("3. März 2026".into()));
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,40}|[0-9./ -]{0,30}|(May|Mai|3rd|Q|2024|12|\\.|/|-| ){0,12}") {
        for date in dates(&text, DayOrder::of(&text, Some("de"))) {
            proptest::prop_assert!(text.get(date.bytes.clone()).is_some());
        }
    }
}
