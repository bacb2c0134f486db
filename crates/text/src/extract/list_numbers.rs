//! Formats the numbers of list items and headings as office programs do.

/// Maximum levels of a list.
pub(super) const LEVELS: usize = 10;
/// Beyond `z` letters are repeated; if that takes more letters than this, the number is written in digits.
const MAX_LETTERS: usize = 20;

/// The format of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NumberFormat {
    #[default]
    Decimal,
    /// With leading zeros, to this many digits.
    Padded(usize),
    Lower,
    Upper,
    /// Letters as a number of base 26: "ab" follows "aa".
    LowerBase,
    UpperBase,
    LowerRoman,
    UpperRoman,
    /// "1st".
    Ordinal,
    /// "First".
    OrdinalWord,
    /// "One".
    Word,
    Bullet,
    None,
}

impl NumberFormat {
    /// Writes `number` in this format.
    pub(super) fn write(self, number: i64) -> String {
        match self {
            Self::Decimal => number.to_string(),
            Self::Padded(digits) => format!("{number:0digits$}"),
            Self::Lower => letters(number, b'a'),
            Self::Upper => letters(number, b'A'),
            Self::LowerBase => base(number, b'a'),
            Self::UpperBase => base(number, b'A'),
            Self::LowerRoman => roman(number).to_lowercase(),
            Self::UpperRoman => roman(number),
            Self::Ordinal => format!("{number}{}", ordinal_suffix(number)),
            Self::OrdinalWord => word(number, true),
            Self::Word => word(number, false),
            Self::Bullet | Self::None => String::new(),
        }
    }
}

/// a, b, …, z, aa, bb, …
fn letters(number: i64, first: u8) -> String {
    let Some(index) = usize::try_from(number - 1).ok().filter(|index| index / 26 < MAX_LETTERS) else {
        return number.to_string();
    };
    char::from(first + u8::try_from(index % 26).unwrap_or(0)).to_string().repeat(index / 26 + 1)
}

/// a, b, …, z, aa, ab, …
fn base(number: i64, first: u8) -> String {
    let mut rest = number;
    let mut written = Vec::new();
    while rest > 0 {
        rest -= 1;
        written.push(char::from(first + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    if written.is_empty() { number.to_string() } else { written.into_iter().rev().collect() }
}

fn roman(number: i64) -> String {
    const NUMERALS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if !(1..4000).contains(&number) {
        return number.to_string();
    }
    let mut rest = number;
    let mut written = String::new();
    for (value, numeral) in NUMERALS {
        while rest >= value {
            written.push_str(numeral);
            rest -= value;
        }
    }
    written
}

fn ordinal_suffix(number: i64) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// The number as an English word, up to twenty.
fn word(number: i64, is_ordinal: bool) -> String {
    const WORDS: [(&str, &str); 20] = [
        ("One", "First"),
        ("Two", "Second"),
        ("Three", "Third"),
        ("Four", "Fourth"),
        ("Five", "Fifth"),
        ("Six", "Sixth"),
        ("Seven", "Seventh"),
        ("Eight", "Eighth"),
        ("Nine", "Ninth"),
        ("Ten", "Tenth"),
        ("Eleven", "Eleventh"),
        ("Twelve", "Twelfth"),
        ("Thirteen", "Thirteenth"),
        ("Fourteen", "Fourteenth"),
        ("Fifteen", "Fifteenth"),
        ("Sixteen", "Sixteenth"),
        ("Seventeen", "Seventeenth"),
        ("Eighteen", "Eighteenth"),
        ("Nineteen", "Nineteenth"),
        ("Twenty", "Twentieth"),
    ];
    let known = usize::try_from(number - 1).ok().and_then(|index| WORDS.get(index));
    match known {
        Some((_, ordinal)) if is_ordinal => (*ordinal).to_owned(),
        Some((cardinal, _)) => (*cardinal).to_owned(),
        None if is_ordinal => NumberFormat::Ordinal.write(number),
        None => number.to_string(),
    }
}

/// The last number of a list at each level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters([Option<i64>; LEVELS]);

impl Counters {
    /// Counts an item at `level`; the first one is `start`. Deeper levels for which `restarts` is true start again.
    pub(super) fn count(&mut self, level: usize, start: i64, restarts: impl Fn(usize) -> bool) {
        let level = level.min(LEVELS - 1);
        self.0[level] = Some(self.0[level].map_or(start, |last| last.saturating_add(1)));
        for below in level + 1..LEVELS {
            if restarts(below) {
                self.0[below] = None;
            }
        }
    }

    /// Makes the next item at `level` the first one.
    pub(super) fn restart(&mut self, level: usize) {
        self.0[level.min(LEVELS - 1)] = None;
    }

    /// The last number; `None` before the first.
    pub(super) fn get(&self, level: usize) -> Option<i64> {
        self.0.get(level).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_letters_numerals_and_words() {
        let all = |format: NumberFormat, numbers: &[i64]| {
            numbers.iter().map(|number| format.write(*number)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(all(NumberFormat::Lower, &[1, 26, 27, 28, 53, 0]), "a z aa bb aaa 0");
        assert_eq!(all(NumberFormat::UpperBase, &[1, 26, 27, 28, 703, -1]), "A Z AA AB AAA -1");
        assert_eq!(all(NumberFormat::UpperRoman, &[4, 9, 1994, 4000]), "IV IX MCMXCIV 4000");
        assert_eq!(all(NumberFormat::Ordinal, &[1, 2, 3, 11, 112, 23]), "1st 2nd 3rd 11th 112th 23rd");
        assert_eq!(all(NumberFormat::Padded(2), &[7, 123]), "07 123");
        assert_eq!(all(NumberFormat::OrdinalWord, &[2, 21]), "Second 21st");
        assert_eq!(NumberFormat::Lower.write(i64::MAX), i64::MAX.to_string());
    }
}
