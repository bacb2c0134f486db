//! Chooses the language rules of a block: by script, and in Latin script by frequent words of the block and the
//! document.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Bytes of a document used to detect its language.
const SAMPLE_BYTES: usize = 64 << 10;
/// Bytes of a block used to detect a language other than the document's.
const BLOCK_SAMPLE_BYTES: usize = 400;
/// Minimum number of hits for a block to have its own language.
const MIN_BLOCK_HITS: usize = 3;

/// Maximum bytes of a frequent word.
const MAX_WORD_BYTES: usize = 24;

/// Frequent words and characteristic letters of languages in Latin script, by the name of their rules.
const LATIN: &[(&str, &str, &str)] = &[
    (
        "en",
        "the of and to in is that for it with was this are not he she you they we have has had be been by on at as from \
         or an what who would could my his her their there which were i'm it's don't",
        "",
    ),
    (
        "de",
        "der die und das ist nicht ein eine zu den dem des mit von auf sie es im am vom zum zur wir ich sich auch für \
         als bei oder war sind wird haben hat aber nur noch sehr wie einen einer nach über",
        "ß",
    ),
    (
        "fr",
        "le la les des et est une dans pour qui que du sur pas au aux ce cette il elle nous vous je ne avec par plus \
         sont été mais ou où",
        "œ",
    ),
    (
        "es",
        "el la los las de que y en una un por con del para se lo es no su al como más fue muy pero está este esta son \
         sus",
        "ñ¿¡",
    ),
    (
        "it",
        "il di che è la per una un non sono con della del gli nel nella ha lo le si da dei delle al alla anche come più \
         questo ma",
        "",
    ),
    (
        "pt",
        "de que não uma um os da em para com do as dos das no na se por mais foi ao são como é você mas também",
        "ãõ",
    ),
    (
        "nl",
        "de het een van en niet dat zijn voor met op aan ook wordt in is te er maar naar bij uit nog was deze heeft werd \
         ik",
        "",
    ),
    (
        "da",
        "og det at er en ikke til af jeg den på som med der de et for har var vi kan han om fra blev sig men",
        "øå",
    ),
    (
        "fi",
        "ja on ei se että hän ovat oli mutta myös joka kun ole tai olen sen niin kuin vain ollut hänen jos",
        "",
    ),
    (
        "pl",
        "się nie na że do jest jak przez od oraz był to po dla za tym jego ale są już która który",
        "łżśęąźć",
    ),
    ("sk", "sa na je že nie pre ako som bol aj ktorý sú od do vo zo by ale alebo ktorá bola po tak", "ľĺŕťň"),
    ("ca", "el els amb una és per les dels va ser més aquest que de la al com no però aquesta", ""),
    ("tr", "ve bir bu için ile da de olarak olan çok gibi daha ise ne ama kadar sonra değil", "ğış"),
];

/// Which entries of [`LATIN`] contain a word, as one bit each.
static WORDS: LazyLock<HashMap<&str, u16>> = LazyLock::new(|| {
    let mut words: HashMap<&str, u16> = HashMap::new();
    for (index, (_, frequent, _)) in LATIN.iter().enumerate() {
        frequent.split_whitespace().for_each(|word| *words.entry(word).or_default() |= 1 << index);
    }
    words
});

/// Whether a word is frequent in some language in Latin script.
pub(crate) fn is_frequent(word: &str) -> bool {
    word.len() <= MAX_WORD_BYTES && WORDS.contains_key(word.to_lowercase().as_str())
}

/// The language of a document, which determines the rules for each block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Languages {
    /// An index of [`LATIN`].
    latin: usize,
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
        Self { latin: best(&hits(sample), 0), cyrillic, arabic, devanagari, han }
    }

    /// The name of the rules for `block`.
    pub fn of_block(&self, block: &str) -> &'static str {
        // The first script other than Latin that has a third of the letters decides.
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
            return self.latin_of(block);
        }
        match script {
            Script::Latin => self.latin_of(block),
            Script::Cyrillic => self.cyrillic,
            Script::Arabic => self.arabic,
            Script::Devanagari => self.devanagari,
            Script::Han => self.han,
            Script::Named(name) => name,
        }
    }

    /// The rules for a block in Latin script: the document's, unless the block's words clearly belong to another
    /// language.
    fn latin_of(&self, block: &str) -> &'static str {
        let hits = hits(&block[..block.floor_char_boundary(BLOCK_SAMPLE_BYTES)]);
        let best = best(&hits, self.latin);
        let clear = hits[best] >= MIN_BLOCK_HITS && hits[best] > 2 * hits[self.latin];
        LATIN[if clear { best } else { self.latin }].0
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

/// The language of `text` by its frequent words, as an ISO 639-1 code; `None` if there are none, or if two languages
/// are equally likely.
pub fn language(text: &str) -> Option<&'static str> {
    let sample = &text[..text.floor_char_boundary(SAMPLE_BYTES)];
    let hits = hits(sample);
    let most = hits.iter().copied().max().filter(|most| *most > 0)?;
    let mut best = hits.iter().zip(LATIN).filter(|(count, _)| **count == most).map(|(_, (name, ..))| *name);
    best.next().filter(|_| best.next().is_none())
}

/// The number of words in `sample` that indicate each language of [`LATIN`].
fn hits(sample: &str) -> [usize; LATIN.len()] {
    let mut hits = [0; LATIN.len()];
    for word in sample.split(|c: char| !c.is_alphabetic() && c != '\'' && !matches!(c, '¿' | '¡')) {
        if word.is_empty() || word.len() > MAX_WORD_BYTES {
            continue;
        }
        let lower = word.to_lowercase();
        let languages = WORDS.get(lower.as_str()).copied().unwrap_or_default();
        for (index, (count, (_, _, letters))) in hits.iter_mut().zip(LATIN).enumerate() {
            let lettered = !word.is_ascii() && lower.contains(|c: char| letters.contains(c));
            *count += usize::from(languages >> index & 1 == 1 || lettered);
        }
    }
    hits
}

/// The language with the most `hits`; `preferred` if it has as many.
fn best(hits: &[usize], preferred: usize) -> usize {
    let most = hits.iter().copied().max().unwrap_or_default();
    if hits[preferred] == most {
        return preferred;
    }
    hits.iter().position(|&count| count == most).unwrap_or(preferred)
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
            ("en", "She holds a LL.M. Sam holds a J.D."),
            ("de", "Was sind die Konsequenzen der Abstimmung vom 12. Juni?"),
            ("pl", "To słowo bałt. jest skrótem."),
        ];
        for (language, text) in cases {
            assert_eq!(Languages::of(text).of_block(text), language, "{text}");
        }
    }

    #[test]
    fn a_language_is_told_by_words_or_not_at_all() {
        assert_eq!(language("Die Pacht der Mühle beträgt 1.250 Euro."), Some("de"));
        assert_eq!(language("Le moulin est dans la vallée."), Some("fr"));
        assert_eq!(language("Total: 1.250"), None);
    }

    #[test]
    fn a_block_in_another_script_has_its_own_rules() {
        let languages =
            Languages::of("Это русский текст. The rest of the text is in English and that is it.");
        assert_eq!(languages.of_block("Это русский текст."), "ru");
        assert_eq!(languages.of_block("これは日本語です。"), "zh");
        assert_eq!(languages.of_block("in English"), "en");
        assert_eq!(languages.of_block("Die Würde des Menschen ist unantastbar."), "de");
        assert_eq!(Languages::of("これは日本語です。").of_block("日本語"), "ja");
    }
}
