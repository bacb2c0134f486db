//! Chooses the language rules: by script for a block, by frequent words for a document in Latin script.

/// Bytes of a document used to detect its language.
const SAMPLE_BYTES: usize = 64 << 10;

/// Frequent words that distinguish Latin-script languages, by the name of their rules.
const FREQUENT_WORDS: &[(&str, &[&str])] = &[
    ("en", &["the", "of", "and", "to", "in", "is", "that", "for", "it", "with", "was", "this", "are", "not"]),
    (
        "de",
        &["der", "die", "und", "das", "ist", "nicht", "ein", "eine", "zu", "den", "mit", "von", "auf", "sie"],
    ),
    ("fr", &["le", "la", "les", "des", "et", "est", "une", "dans", "pour", "qui", "que", "du", "sur", "pas"]),
    ("es", &["el", "la", "los", "las", "de", "que", "y", "en", "una", "por", "con", "del", "para", "se"]),
    ("it", &["il", "di", "che", "è", "la", "per", "una", "non", "sono", "con", "della", "gli", "nel", "un"]),
    ("pt", &["o", "de", "que", "e", "não", "uma", "os", "da", "em", "para", "com", "do", "as", "um"]),
    (
        "nl",
        &["de", "het", "een", "van", "en", "niet", "dat", "zijn", "voor", "met", "op", "aan", "ook", "wordt"],
    ),
    ("da", &["og", "det", "at", "er", "en", "ikke", "til", "af", "jeg", "den", "på", "som", "med", "der"]),
    (
        "fi",
        &["ja", "on", "ei", "se", "että", "hän", "ovat", "oli", "mutta", "myös", "joka", "kun", "ole", "tai"],
    ),
    ("pl", &["i", "w", "się", "nie", "na", "że", "do", "jest", "z", "jak", "przez", "od", "oraz", "był"]),
    ("sk", &["a", "sa", "na", "je", "že", "v", "nie", "pre", "ako", "som", "bol", "aj", "ktorý", "sú"]),
    (
        "ca",
        &["el", "els", "amb", "una", "és", "i", "per", "les", "dels", "va", "ser", "més", "aquest", "que"],
    ),
    (
        "tr",
        &["ve", "bir", "bu", "için", "ile", "da", "de", "olarak", "olan", "çok", "gibi", "daha", "ise", "en"],
    ),
];

/// The language of a document, and the rules for each block that follow from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Languages {
    latin: &'static str,
    cyrillic: &'static str,
    arabic: &'static str,
    devanagari: &'static str,
    han: &'static str,
}

impl Languages {
    /// Detects the language from the beginning of `text`.
    pub fn of(text: &str) -> Self {
        let sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
        let has = |chars: &[char]| sample.contains(chars);
        let cyrillic = if has(&['ә', 'қ', 'ң', 'ғ', 'ұ', 'һ']) {
            "kk"
        } else if has(&['ї', 'є', 'ґ', 'і']) {
            "uk"
        } else if has(&['ъ']) && !has(&['ы', 'э', 'ё']) {
            "bg"
        } else {
            "ru"
        };
        let arabic = if has(&['ٹ', 'ڈ', 'ے', 'ں']) {
            "ur"
        } else if has(&['پ', 'چ', 'گ', 'ژ']) {
            "fa"
        } else {
            "ar"
        };
        let devanagari = if has(&['ळ']) || sample.contains("आहे") { "mr" } else { "hi" };
        let kana = |c: char| matches!(c, '\u{3041}'..='\u{30ff}');
        let han = if sample.contains(kana) { "ja" } else { "zh" };
        Self { latin: latin(sample), cyrillic, arabic, devanagari, han }
    }

    /// The name of the rules for `block`.
    pub fn of_block(&self, block: &str) -> &'static str {
        // The first script other than Latin with a third of the letters decides.
        let mut letters = 0_usize;
        let mut others: [(Script, usize); 2] = [(Script::Latin, 0); 2];
        for script in block.chars().take(2000).filter_map(script) {
            letters += 1;
            if script == Script::Latin {
                continue;
            }
            if let Some(slot) = others.iter_mut().find(|(held, n)| *held == script || *n == 0) {
                *slot = (script, slot.1 + 1);
            }
        }
        let (script, count) = if others[1].1 > others[0].1 { others[1] } else { others[0] };
        if count * 3 < letters || count == 0 {
            return self.latin;
        }
        match script {
            Script::Latin => self.latin,
            Script::Cyrillic => self.cyrillic,
            Script::Arabic => self.arabic,
            Script::Devanagari => self.devanagari,
            Script::Han => self.han,
            Script::Named(name) => name,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Arabic,
    Devanagari,
    Han,
    Named(&'static str),
}

fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Script::Latin,
        '\u{370}'..='\u{3ff}' => Script::Named("el"),
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        '\u{531}'..='\u{58f}' => Script::Named("hy"),
        '\u{590}'..='\u{5ff}' => Script::Named("he"),
        '\u{600}'..='\u{6ff}' | '\u{fb50}'..='\u{feff}' => Script::Arabic,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        '\u{980}'..='\u{9ff}' => Script::Named("bn"),
        '\u{a00}'..='\u{a7f}' => Script::Named("pa"),
        '\u{a80}'..='\u{aff}' => Script::Named("gu"),
        '\u{b80}'..='\u{bff}' => Script::Named("ta"),
        '\u{c00}'..='\u{c7f}' => Script::Named("te"),
        '\u{c80}'..='\u{cff}' => Script::Named("kn"),
        '\u{d00}'..='\u{d7f}' => Script::Named("ml"),
        '\u{1000}'..='\u{109f}' => Script::Named("my"),
        '\u{1200}'..='\u{137f}' => Script::Named("am"),
        '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' => Script::Han,
        _ => return None,
    })
}

/// The Latin-script language whose frequent words occur most in `sample`; English if nothing is found.
fn latin(sample: &str) -> &'static str {
    let mut counts = vec![0_usize; FREQUENT_WORDS.len()];
    for word in sample.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty() && word.len() <= 12)
    {
        let word = word.to_lowercase();
        for (count, (_, words)) in counts.iter_mut().zip(FREQUENT_WORDS) {
            *count += usize::from(words.contains(&word.as_str()));
        }
    }
    let mut best = 0;
    for index in 1..counts.len() {
        // English stays unless another language is clearly ahead: its rules are the most complete.
        let margin = usize::from(best == 0);
        if counts[index] > counts[best] + margin {
            best = index;
        }
    }
    FREQUENT_WORDS[best].0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_by_their_words() {
        let cases = [
            ("en", "The history of the town is that of its port and the people in it."),
            (
                "de",
                "Die Geschichte der Stadt ist nicht nur die des Hafens und der Menschen, die auf ihm leben.",
            ),
            ("fr", "La ville est connue pour les marchés qui se tiennent dans les rues et sur le port."),
            ("es", "La historia de la ciudad es la de los puertos y las gentes que en ella viven."),
            ("en", "42"),
        ];
        for (language, text) in cases {
            assert_eq!(Languages::of(text).of_block(text), language, "{text}");
        }
    }

    #[test]
    fn a_block_in_another_script_has_its_own_rules() {
        let languages =
            Languages::of("Это русский текст. The rest of the text is in English and that is it.");
        assert_eq!(languages.of_block("Это русский текст."), "ru");
        assert_eq!(languages.of_block("これは日本語です。"), "zh");
        assert_eq!(languages.of_block("in English"), "en");
        assert_eq!(Languages::of("これは日本語です。").of_block("日本語"), "ja");
    }
}
