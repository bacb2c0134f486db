//! Numbers, scales, units and bounds in words, in English, German, French, Spanish, Italian, Dutch and Portuguese.

/// Numbers from 2 on, by language: "one" is more often a pronoun or an article. A dash stands for a number that is written in
/// several words, or that is also another word. Words of other languages than English only count in a text of their language.
const SMALL: &[(&str, &str)] = &[
    (
        "en",
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen \
         nineteen twenty",
    ),
    (
        "de",
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn \
         neunzehn zwanzig",
    ),
    (
        "fr",
        "deux trois quatre cinq six sept huit - dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
    ),
    (
        "es",
        "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho \
         diecinueve veinte",
    ),
    (
        "it",
        "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette \
         diciotto diciannove venti",
    ),
    (
        "nl",
        "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien \
         negentien twintig",
    ),
    (
        "pt",
        "dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove \
         vinte",
    ),
];

/// From twenty on, by tens.
const TENS: &[(&str, &str)] = &[
    ("en", "twenty thirty forty fifty sixty seventy eighty ninety"),
    ("de", "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"),
    ("fr", "vingt trente quarante cinquante soixante - quatre-vingts quatre-vingt-dix"),
    ("es", "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    ("it", "venti trenta quaranta cinquanta sessanta settanta ottanta novanta"),
    ("nl", "twintig dertig veertig vijftig zestig zeventig tachtig negentig"),
    ("pt", "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"),
];

/// Units that are often confused or written in several ways, each with these ways. Two words are joined by a plus sign.
const UNITS: &[(&str, &str)] = &[
    (
        "percentage point",
        "percentage+point percentage+points prozentpunkt prozentpunkte prozentpunkten points+de punti+percentuali \
         puntos+porcentuales procentpunt procentpunten pontos+percentuais pp",
    ),
    (
        "%",
        "percent per-cent per+cent prozent pct pourcent pour+cent por+ciento per+cento percento procent por+cento",
    ),
    ("USD", "dollar dollars usd dólares dollari"),
    ("EUR", "euro euros eur"),
    ("GBP", "pound pounds gbp sterling"),
    ("CHF", "franken franc francs franchi chf"),
    ("km", "km kilometre kilometres kilometer kilometers kilomètre kilomètres kilómetros chilometri"),
    ("mile", "mile miles mi"),
    ("m", "m metre metres meter meters metern mètre mètres metros metri"),
    ("ft", "ft foot feet"),
    ("cm", "cm centimetre centimetres centimeter centimeters zentimeter"),
    ("mm", "mm millimetre millimetres millimeter millimeters"),
    ("kg", "kg kilo kilos kilogram kilograms kilogramm kilogrammes"),
    ("g", "g gram grams gramm grammes"),
    ("lb", "lb lbs"),
    ("t", "t tonne tonnes tonnen"),
    ("l", "l litre litres liter liters litern litros litri"),
    ("second", "second seconds sekunde sekunden seconde secondes segundos secondi"),
    ("minute", "minute minutes min minuten minutos minuti"),
    ("hour", "hour hours stunde stunden heure heures horas ore uur"),
    ("day", "day days tag tage tagen jour jours días giorni dagen dias"),
    ("week", "week weeks woche wochen semaine semaines semanas settimane weken"),
    ("month", "month months monat monate monaten mois meses mesi maanden"),
    ("year", "year years jahr jahre jahren ans années años anni jaar anos"),
    ("century", "century centuries jahrhundert jahrhunderte siècle siècles"),
];

/// The days of a unit of time.
pub(super) fn days(unit: &str) -> Option<f64> {
    Some(match unit {
        "minute" => 1.0 / 1440.0,
        "hour" => 1.0 / 24.0,
        "day" => 1.0,
        "week" => 7.0,
        "month" => 30.4,
        "year" => 365.2,
        _ => return None,
    })
}

/// Words that multiply the number before them.
const SCALES: &[(f64, &str)] = &[
    (1e2, "hundred"),
    (1e3, "thousand k tausend tsd mille mil mila duizend"),
    (1e6, "million millions mio millionen millones milione milioni miljoen milhão milhões mln"),
    (1e9, "billion billions bn milliarde milliarden mrd milliard milliards miliardo miliardi miljard mld"),
    (1e12, "trillion trillions billionen"),
];

/// Words that bound the number after them, one or two.
const BOUNDS: &[(Bound, &str)] = &[
    (
        Bound::Over,
        "over exceeding above mindestens more+than greater+than at+least mehr+als plus+de más+de más+di più+di almeno meer+dan \
         minstens mais+de",
    ),
    (
        Bound::Under,
        "under below nearly almost knapp fast höchstens less+than fewer+than at+most up+to weniger+als moins+de presque menos+de \
         casi meno+di quasi minder+dan bijna quase",
    ),
    (
        Bound::About,
        "about around approximately roughly circa ca some etwa rund ungefähr environ aproximadamente unos ongeveer cerca+de",
    ),
];

/// What limits a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::answer::grounding) enum Bound {
    /// It is the number itself.
    Exact,
    /// More than it.
    Over,
    /// Less than it.
    Under,
    /// About it.
    About,
}

/// The value of a number in words of English, and of `language`.
pub(super) fn value(lower: &str, language: Option<&str>) -> Option<f64> {
    let counts = |code: &&str| *code == "en" || Some(*code) == language;
    let small = |word: &str| place(SMALL, word, counts).map(|at| (at + 2) as f64);
    let tens = |word: &str| place(TENS, word, counts).map(|at| (at + 2) as f64 * 10.0);
    let one = |word: &str| match word {
        "one" | "ein" | "un" | "et-un" | "een" => Some(1.0),
        word => small(word).filter(|value| *value < 20.0),
    };
    let compound = || match language {
        Some("de") => lower.split_once("und").and_then(|(low, ten)| Some(one(low)? + tens(ten)?)),
        Some("nl") => {
            let folded = lower.replace('ë', "e");
            let mut places = folded.match_indices("en");
            places.find_map(|(at, en)| Some(one(&folded[..at])? + tens(&folded[at + en.len()..])?))
        }
        Some("fr") if lower.starts_with("quatre-vingt-") => {
            Some(80.0 + one(lower.strip_prefix("quatre-vingt-")?)?)
        }
        _ => lower.split_once('-').and_then(|(ten, low)| Some(tens(ten)? + one(low)?)),
    };
    let round = || match lower {
        "hundred" | "hundert" => Some(100.0),
        "thousand" | "tausend" => Some(1e3),
        "million" => Some(1e6),
        "billion" => Some(1e9),
        "dozen" | "dutzend" => Some(12.0),
        _ => None,
    };
    small(lower).or_else(|| tens(lower)).or_else(compound).or_else(round)
}

/// The place of a word in one of the lists that count.
fn place(lists: &[(&str, &str)], word: &str, counts: impl Fn(&&str) -> bool) -> Option<usize> {
    let mut lists = lists.iter().filter(|(code, _)| counts(code));
    lists.find_map(|(_, list)| list.split_whitespace().position(|name| name == word))
}

/// What a word multiplies the number before it by.
pub(in crate::answer::grounding) fn scale(word: &str) -> Option<f64> {
    SCALES
        .iter()
        .find(|(_, words)| words.split_whitespace().any(|name| name == word))
        .map(|(factor, _)| *factor)
}

/// The unit that the next words name, and how many of them do.
pub(super) fn unit(next: [&str; 2]) -> Option<(&'static str, usize)> {
    in_words(UNITS, next).map(|(unit, words)| (*unit, words))
}

/// The bound that the last words before a number set; the last comes first.
pub(super) fn bound(before: [&str; 2]) -> Bound {
    let [last, first] = before;
    in_words(BOUNDS, [first, last])
        .or_else(|| in_words(BOUNDS, [last, ""]))
        .map_or(Bound::Exact, |(bound, _)| *bound)
}

/// The entry that names these words in its list, the pair before the first alone, and how many words it names.
fn in_words<'t, T>(table: &'t [(T, &str)], [first, second]: [&str; 2]) -> Option<(&'t T, usize)> {
    let names = |list: &str, words: &str| list.split_whitespace().any(|name| name == words);
    let pair = format!("{first}+{second}");
    let find = |words: &str| table.iter().find(|(_, list)| names(list, words)).map(|(entry, _)| entry);
    let both = find(&pair).filter(|_| !second.is_empty()).map(|entry| (entry, 2));
    both.or_else(|| find(first).map(|entry| (entry, 1)))
}
