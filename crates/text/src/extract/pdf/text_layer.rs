//! Detects a useless text layer of a scan: symbols, or letters that are words of no language.
//!
//! This is used only for scans, and beyond symbols only for text in Latin letters. A wrong result causes a needless
//! recognition, so a word counts as strange only if hardly any language has such words.

use crate::segment::is_frequent;

/// Fewer characters are not enough to decide.
const MIN_CHARACTERS: usize = 12;
const MIN_STRANGE: usize = 3;
/// The share of vowels is significant from this number of letters on.
const MIN_LETTERS: usize = 60;

/// Whether the text is useless.
pub(super) fn is_useless<'a>(rows: impl Iterator<Item = &'a str> + Clone) -> bool {
    let characters = rows.clone().flat_map(str::chars).filter(|c| !c.is_whitespace() && !is_leader(*c));
    let (mut all, mut plain) = (0_usize, 0_usize);
    for c in characters {
        all += 1;
        plain += usize::from(c.is_alphanumeric() || !c.is_ascii());
    }
    all >= MIN_CHARACTERS && (plain * 10 < all * 4 || has_strange_words(rows))
}

/// Whether it is part of the dots or lines that lead to a page number or mark a blank to fill in.
fn is_leader(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | '…' | '·')
}

fn has_strange_words<'a>(rows: impl Iterator<Item = &'a str>) -> bool {
    let (mut letters, mut latin) = (0_usize, 0_usize);
    let (mut spoken, mut vowels) = (0_usize, 0_usize);
    let (mut words, mut long, mut strange, mut frequent) = (0_usize, 0_usize, 0_usize, 0_usize);
    for word in rows.flat_map(str::split_whitespace) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let count = word.chars().filter(|c| c.is_alphabetic()).count();
        letters += count;
        latin += word.chars().filter(|c| is_latin(*c)).count();
        words += usize::from(count > 0);
        frequent += usize::from(is_frequent(word));
        // Capitals may be an abbreviation or a code.
        if word.contains(char::is_lowercase) {
            spoken += count;
            vowels += word.chars().filter(|c| is_vowel(*c)).count();
            long += usize::from(count > 2);
            strange += usize::from(count > 2 && is_strange(word));
        }
    }
    let share = |part: usize, all: usize, percent: usize| part * 100 >= all * percent;
    let is_language = share(frequent, words, 8) && !share(strange, long, 40);
    let unspeakable = spoken >= MIN_LETTERS && !share(vowels, spoken, 20);
    let odd = strange >= MIN_STRANGE && share(strange, long, 15);
    latin * 2 > letters && !is_language && (unspeakable || odd)
}

fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}

fn is_vowel(c: char) -> bool {
    let base = unicode_normalization::UnicodeNormalization::nfd(std::iter::once(c)).next().unwrap_or(c);
    matches!(
        base.to_ascii_lowercase(),
        'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'æ' | 'Æ' | 'ø' | 'Ø' | 'œ' | 'Œ' | 'ı'
    )
}

/// Whether hardly any language has such a word: accumulated consonants or vowels, or other characters between letters.
fn is_strange(word: &str) -> bool {
    let (mut vowels, mut consonants, mut same, mut letters, mut any_vowel) = (0, 0, 0, 0, false);
    let mut last = ' ';
    let mut rest = word.chars().peekable();
    while let Some(c) = rest.next() {
        let c = c.to_lowercase().next().unwrap_or(c);
        if c.is_alphabetic() {
            letters += 1;
            same = if c == last { same + 1 } else { 1 };
            (vowels, consonants) = match c {
                _ if is_vowel(c) => (vowels + 1, 0),
                // These letters can form a syllable in Slavic languages.
                'l' | 'r' => (0, 0),
                _ => (0, consonants + 1),
            };
            any_vowel |= is_vowel(c) || matches!(c, 'l' | 'r');
            if same >= 3 || vowels >= 5 || consonants >= 5 {
                return true;
            }
        } else {
            let among = rest.peek().is_some_and(|next| next.is_alphabetic()) && last.is_alphabetic();
            if among && (c.is_ascii_digit() || "|{}[]~^\\<>#$%*=!".contains(c)) {
                return true;
            }
            (vowels, consonants, same) = (0, 0, 0);
        }
        last = c;
    }
    !any_vowel && letters >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_letters_of_no_language_are_useless() {
        for text in [
            "~|[ ]{ ^^ '' ;: !!| (_)\n||| --- ~~~ ...,,, ''' ;;; ^^",
            "Tlic lill iii Ilarhoiir Iloiisc wcis iiispcclcd\noii 9 Apiil ZOZ4 hv Tovc Iindcjvist\nTlic iicxl iiispcclioii is diic",
            "Wkh oliw lq Kduerxu Krxvh zdv lqvshfwhg rq 9 Dsulo 2024 eb Wryh Olqgtylvw. Wkh qhaw lqvshfwlrq",
            "Th3 l1ft 1n H0rb0ur H0us3 was insp3ct3d by T0v3 L1ndqv1st",
        ] {
            assert!(is_useless(text.lines()), "{text}");
        }
    }

    #[test]
    fn languages_tables_and_contents_are_not() {
        for text in [
            "The lift in Harbour House was inspected on 9 April 2024.",
            "Další prohlídka se koná v dubnu, zvlášť smrt, čtvrt, prst a krk patří k věcem",
            "Az Országház előtti téren tüntetést tartottak tegnap este a gyógyszerészek",
            "Nr. Bez. Preis\n1 AB12-C4 4,50\n2 XK99-D1 8,20\n3 QRS77 12,00\nGes. 24,70 EUR zzgl. MwSt.",
            "Introduction ................................ 3\nLifts .......................... 9",
            "Лифт был осмотрен девятого апреля",
            "電梯於四月九日由李先生檢查，下次檢查日期未定。",
            "Szczepański Krzysztof Nguyen Hrdlička Zbyněk Fjeldstad Tordis Schmidt",
        ] {
            assert!(!is_useless(text.lines()), "{text}");
        }
    }
}
