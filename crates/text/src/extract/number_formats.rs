//! Formats numbers, dates and times as a spreadsheet program shows them.

use std::borrow::Cow;

use calamine::{ExcelDateTime, ExcelDateTimeType};
use ssfmt::{DateSystem, FormatOptions, Locale, NumberFormat};

use super::writer::one_line;

/// A placeholder for the number in a section that ends with `General`.
const GENERAL: &str = "\u{1}";
/// The last day that spreadsheets support, in the year 9999.
const LAST_DAY: f64 = 2_958_465.0;
/// Longer format codes are ignored.
const MAX_CODE_BYTES: usize = 500;

/// A number format.
#[derive(Debug, Default)]
pub(super) struct Format {
    /// `None` shows numbers unformatted.
    parsed: Option<NumberFormat>,
    options: FormatOptions,
    /// Whether dates are formatted by the settings of the reader's system; here they become ISO 8601.
    is_system_date: bool,
    hides_text: bool,
    /// Whether it shows thousands or millions.
    scales: bool,
    is_duration: bool,
}

impl Format {
    /// The format with this code; `is_1904` if days are counted from 1904.
    pub(super) fn new(code: &str, is_1904: bool) -> Self {
        let date_system = if is_1904 { DateSystem::Date1904 } else { DateSystem::Date1900 };
        let sections = sections(code);
        let is_general = matches!(code.trim().to_ascii_lowercase().as_str(), "" | "general" | "standard" | "@")
            || code.len() > MAX_CODE_BYTES
            // The library would split such a code within a character.
            || (!code.starts_with('[')
                && code.split_once(']').is_some_and(|(_, after)| after.trim().eq_ignore_ascii_case("general")));
        let filled: Vec<String> = sections.iter().map(|one| filled(one)).collect();
        Self {
            parsed: if is_general { None } else { NumberFormat::parse(&filled.join(";")).ok() },
            options: FormatOptions { date_system, locale: locale(code) },
            is_system_date: matches!(code, "mm-dd-yy" | "m/d/yy" | "m/d/yy h:mm"),
            hides_text: sections.get(3).is_some_and(|text| text.is_empty()),
            scales: sections.iter().any(|one| scales(one)),
            is_duration: ["[h", "[m", "[s"].iter().any(|unit| code.to_ascii_lowercase().contains(unit)),
        }
    }

    /// Formats a number, or a date given as its number of days.
    pub(super) fn shown(&self, number: f64) -> String {
        let Some(format) = &self.parsed else { return plain(number) };
        let is_date = format.is_date_format();
        if is_date && (self.is_system_date || number < 0.0) {
            return self.date_time(number);
        }
        let rounded = if is_date { number } else { decimal(number, self.scales) };
        let shown = format.format(rounded, &self.options);
        // The library returns nothing, because there is no such day.
        if is_date && shown.is_empty() && number > LAST_DAY {
            return plain(number);
        }
        one_line(&shown.replace(GENERAL, &plain(number.abs())))
    }

    /// Formats a number that is known to be a date or time, without a date format.
    pub(super) fn date_time(&self, days: f64) -> String {
        let is_1904 = self.options.date_system == DateSystem::Date1904;
        let kind = if self.is_duration { ExcelDateTimeType::TimeDelta } else { ExcelDateTimeType::DateTime };
        iso(ExcelDateTime::new(days, kind, is_1904))
    }

    pub(super) fn is_date(&self) -> bool {
        self.parsed.as_ref().is_some_and(NumberFormat::is_date_format)
    }

    /// Whether cells of this format show no text.
    pub(super) fn hides_text(&self) -> bool {
        self.hides_text
    }
}

/// Adapts a section for the library, which prints the number for an empty section and ignores `General` after other
/// text.
fn filled(section: &str) -> String {
    match section.len().checked_sub(7).and_then(|at| section.split_at_checked(at)) {
        _ if section.is_empty() => "\"\"".to_owned(),
        Some((before, end)) if !before.is_empty() && end.eq_ignore_ascii_case("general") => {
            format!("{before}\"{GENERAL}\"")
        }
        _ => section.to_owned(),
    }
}

/// Whether a section divides by thousands: `0.0,"k"`.
fn scales(section: &str) -> bool {
    let is_place = |text: &str| text.starts_with(['0', '#', '?', ',']);
    section
        .match_indices(',')
        .any(|(at, _)| section[..at].ends_with(['0', '#', '?', ',']) && !is_place(&section[at + 1..]))
}

/// A number with the 15 digits of a spreadsheet program.
pub(super) fn plain(number: f64) -> String {
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    rounded.to_string()
}

/// Rounds a number by its 15 digits: 1.005, which is slightly less in memory, becomes 1.01.
fn decimal(number: f64, scales: bool) -> f64 {
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    match rounded {
        // If a format divides by thousands, the library would truncate a whole number instead of rounding it.
        whole if whole.fract() == 0.0 && (!scales || whole == 0.0 || whole.abs() >= 1e15) => whole,
        above if above > 0.0 => above.next_up(),
        below => below.next_down(),
    }
}

/// Formats a date, a time, or both as ISO 8601.
pub(super) fn iso(date_time: ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = date_time.to_ymd_hms_milli();
    let time = if second > 0 {
        format!("{hour:02}:{minute:02}:{second:02}")
    } else {
        format!("{hour:02}:{minute:02}")
    };
    let days = date_time.as_f64();
    if date_time.is_duration() {
        let sign = if days < 0.0 { "-" } else { "" };
        let minutes = (days * 24.0 * 60.0).round().abs();
        return format!("{sign}{}:{:02}", (minutes / 60.0).trunc(), minutes % 60.0);
    }
    match () {
        () if days < 1.0 => time,
        () if days.fract() == 0.0 => format!("{year:04}-{month:02}-{day:02}"),
        () => format!("{year:04}-{month:02}-{day:02} {time}"),
    }
}

/// The sections of a code: positive, negative, zero, text. Semicolons in quotes or after an escape do not separate
/// sections.
fn sections(code: &str) -> Vec<&str> {
    let (mut sections, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, c) in code.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '\\' | '_' | '*' => is_escaped = true,
            ';' => {
                sections.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    sections.push(&code[start..]);
    sections
}

/// The names of months and days in the language that a code specifies (`[$-407]` is German); English otherwise.
fn locale(code: &str) -> Locale {
    let number = code
        .split("[$")
        .filter_map(|tag| tag.split(']').next()?.split_once('-'))
        .find_map(|(_, id)| u32::from_str_radix(id.split(',').next()?, 16).ok());
    let mut locale = Locale::en_us();
    let Some((_, months, days, short)) =
        number.and_then(|number| NAMES.iter().find(|(language, ..)| *language == number & 0x3FF))
    else {
        return locale;
    };
    locale.month_names_full = *months;
    locale.day_names_full = *days;
    locale.month_names_short = short.0;
    locale.day_names_short = short.1;
    locale
}

type Names = (u32, [&'static str; 12], [&'static str; 7], ([&'static str; 12], [&'static str; 7]));

/// Names of months and days by Windows' language ids.
#[rustfmt::skip]
static NAMES: [Names; 6] = [
    (0x07,
     ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
     ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
     (["Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
      ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"])),
    (0x0C,
     ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
     ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
     (["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
      ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."])),
    (0x0A,
     ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"],
     ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
     (["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
      ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"])),
    (0x10,
     ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"],
     ["domenica", "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato"],
     (["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
      ["dom", "lun", "mar", "mer", "gio", "ven", "sab"])),
    (0x13,
     ["januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"],
     ["zondag", "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag"],
     (["jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"],
      ["zo", "ma", "di", "wo", "do", "vr", "za"])),
    (0x16,
     ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
     ["domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado"],
     (["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"],
      ["dom", "seg", "ter", "qua", "qui", "sex", "sáb"])),
];

/// The code of a built-in format.
pub(super) fn built_in(id: u16) -> Cow<'static, str> {
    ssfmt::format_code_from_id(u32::from(id)).unwrap_or("General").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_their_format_says() {
        let shown = |code: &str, number: f64| Format::new(code, false).shown(number);
        for (code, number, expected) in [
            ("0.0%", 0.125, "12.5%"),
            ("#,##0.00\\ [$€-407]", -1250.5, "-1,250.50 €"),
            ("_($* #,##0.00_);_($* (#,##0.00);_($* \"-\"??_);_(@_)", -3.0, "$(3.00)"),
            ("00000", 1067.0, "01067"),
            ("[h]:mm", 1.604_166_666_7, "38:30"),
            ("0.0,\"k\"", 87_400.0, "87.4k"),
            ("\"No. \"0", 417.0, "No. 417"),
            ("[$-407]d. mmmm yyyy", 45_352.0, "1. März 2024"),
            ("[=1]\"yes\";[=0]\"no\"", 0.0, "no"),
            ("\"a;b\"0;;\"nil\"", -2.0, ""),
            ("\"a;b\"0;;\"nil\"", 0.0, "nil"),
            ("0.00", 1.005, "1.01"),
            ("# ?/?", 0.333_333_333_333, "1/3"),
            ("mm-dd-yy", 45_352.0, "2024-03-01"),
            ("General", 4_006_381_333_931.0, "4006381333931"),
            ("dd.mm.yyyy", -3.0, "-3"),
            ("é]General", 5.0, "5"),
        ] {
            if code == "dd.mm.yyyy" {
                // There are no dates before the first day; formatting such a number must not fail.
                shown(code, number);
            } else {
                assert_eq!(shown(code, number), expected, "{code}");
            }
        }
        assert_eq!(Format::new("dd\\.mm\\.yyyy", true).shown(43_890.0), "01.03.2024");
        assert!(Format::new(";;;", false).hides_text());
    }
}
