//! Recognises the lines that mail programs in several languages write above quoted text: who wrote it, and when.

/// Words for "wrote".
const WROTE: &[&str] = &[
    "wrote",
    "writes",
    "schrieb",
    "schrieben",
    "schreibt",
    "écrit",
    "escribió",
    "escribio",
    "scritto",
    "scrisse",
    "schreef",
    "skrev",
    "escreveu",
    "napisał",
    "napisała",
    "napisał(a)",
    "napisal",
    "pisze",
    "пишет",
    "написал",
    "написала",
    "píše",
    "napsal",
    "napsala",
    "kirjoitti",
    "yazdı",
    "írta",
    "写道",
    "寫道",
];
/// Auxiliary verbs before "wrote".
const HAVE: &[&str] = &["a", "ha", "has", "hat"];
/// Words before a date.
const ON: &[&str] = &[
    "on",
    "am",
    "le",
    "el",
    "il",
    "op",
    "den",
    "dne",
    "em",
    "w",
    "dnia",
    "på",
    "giorno",
    "at",
    "um",
    "à",
    "alle",
    "ore",
    "om",
    "kl",
    "tarihinde",
    "в",
];
/// Words before a time.
const TIME: &[&str] = &[
    "am", "pm", "a.m", "p.m", "uhr", "utc", "gmt", "cet", "cest", "mez", "mesz", "est", "edt", "cst", "cdt",
    "mst", "mdt", "pst", "pdt", "bst", "h", "г",
];
/// Longer lines are ordinary text.
const MAX_CHARS: usize = 300;
/// Maximum number of lines of a wrapped attribution.
const MAX_LINES: usize = 3;
/// Maximum number of lines in a block of headers.
const MAX_BLOCK: usize = 16;

const FROM: &[&str] = &[
    "from",
    "von",
    "de",
    "da",
    "van",
    "från",
    "fra",
    "od",
    "от",
    "от кого",
    "expéditeur",
    "发件人",
    "寄件者",
    "差出人",
    "kimden",
    "lähettäjä",
    "feladó",
];
const SENT: &[&str] = &[
    "sent",
    "date",
    "gesendet",
    "datum",
    "envoyé",
    "enviado",
    "enviado el",
    "enviada",
    "enviada em",
    "fecha",
    "data",
    "inviato",
    "verzonden",
    "skickat",
    "sendt",
    "dato",
    "wysłano",
    "дата",
    "отправлено",
    "odesláno",
    "发送时间",
    "日期",
    "送信日時",
    "gönderildi",
];
const OTHER: &[&str] = &[
    "to",
    "an",
    "à",
    "para",
    "a",
    "aan",
    "till",
    "til",
    "do",
    "кому",
    "收件人",
    "宛先",
    "cc",
    "bcc",
    "kopie",
    "copie",
    "subject",
    "betreff",
    "objet",
    "asunto",
    "assunto",
    "oggetto",
    "onderwerp",
    "ämne",
    "emne",
    "temat",
    "тема",
    "předmět",
    "主题",
    "主旨",
    "件名",
    "konu",
    "importance",
    "priority",
    "priorität",
    "wichtigkeit",
    "reply-to",
    "antwort an",
    "attachments",
    "anlagen",
    "organization",
];

/// Labels that timetables also have.
const TRAVEL: &[&str] = &[
    "date", "datum", "fecha", "data", "dato", "дата", "日期", "to", "an", "à", "para", "a", "aan", "till",
    "til", "do",
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attribution {
    pub(super) author: String,
    pub(super) date: String,
}

/// A line of a mail with its depth of quotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) depth: usize,
    pub(super) text: &'a str,
}

/// The attribution at the beginning of `lines`, and its number of lines. The text after it must be quoted more deeply,
/// unless the lines can only be an attribution.
pub(super) fn attribution(lines: &[Line<'_>]) -> Option<(Attribution, usize)> {
    let first = lines.first()?;
    for count in 1..=MAX_LINES.min(lines.len()) {
        let part = &lines[..count];
        let last = part.last()?;
        if last.depth != first.depth || last.text.trim().is_empty() {
            return None;
        }
        let text = part.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ");
        if text.len() > MAX_CHARS * 4
            || (count > 1 && !has_date(first.text) && !first.text.contains('@') && !is_intro(first.text))
        {
            return None;
        }
        let Some(said) = text.trim_end_matches(['*', '_']).strip_suffix([':', '：']) else { continue };
        let next = lines[count..].iter().find(|line| !line.text.trim().is_empty());
        let is_quoted = next.is_some_and(|next| next.depth > first.depth);
        let words: Vec<&str> = said.split_whitespace().collect();
        let verb = words.iter().position(|word| is_one_of(word, WROTE));
        let has_time = words.iter().any(|word| word.contains(':') && is_date_word(word));
        let is_plain = verb.is_some() && (has_time || said.contains('@')) && is_intro(said);
        let is_dated = has_date(said) && words.first().is_some_and(|word| is_date_word(word));
        if is_plain || (is_quoted && (verb.is_some() || said.contains('@') || is_dated)) {
            return Some((read(&words, verb), count));
        }
    }
    None
}

/// Reads the words of an attribution; `verb` is the position of "wrote".
fn read(words: &[&str], verb: Option<usize>) -> Attribution {
    let (before, after) = verb.map_or((words, &[][..]), |at| (&words[..at], &words[at + 1..]));
    let before = match before.split_last() {
        Some((last, rest)) if is_one_of(last, HAVE) => rest,
        _ => before,
    };
    if after.iter().any(|word| is_date_word(word)) && !before.iter().any(|word| is_date_word(word)) {
        return Attribution { author: name(before), date: date(after) };
    }
    let mail = before.iter().position(|word| word.contains(['@', '<'])).unwrap_or(before.len());
    let dated = before[..mail].iter().rposition(|word| is_date_word(word)).map_or(0, |last| {
        let zone = before[last + 1..mail].iter().take_while(|word| is_one_of(word, TIME) || is_zone(word));
        last + 1 + zone.count()
    });
    let author = name(&[&before[dated..], after].concat());
    Attribution { author, date: date(&before[..dated]) }
}

fn name(words: &[&str]) -> String {
    let is_odd = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | '(' | ')' | '*');
    let joined = words.join(" ").replace("<mailto:", "<").replace("(<", "<").replace(">)", ">");
    let name = joined.trim_matches(is_odd).replace(['"', '*'], "");
    let words: Vec<&str> =
        name.split_whitespace().skip_while(|word| is_one_of(word, &["at", "um", "à"])).collect();
    words.join(" ")
}

fn date(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().copied().skip_while(|word| is_one_of(word, ON)).collect();
    words.join(" ").trim_matches([',', ' ', '*', ';']).to_owned()
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    let word = word.trim_matches([',', ':', ';', '.', '*', '_', '：', '\u{a0}']).to_lowercase();
    words.contains(&word.as_str())
}

fn is_intro(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| is_one_of(word, ON) || is_date_word(word))
}

/// Whether a word contains numbers like a date or a time.
fn is_date_word(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ',', '*', '.', ':']);
    word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('@')
}

fn is_zone(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ',']);
    // In `GMT+02:00`, the name of the zone is `GMT`.
    let is_offset = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let word = word
        .split_once(['+', '-'])
        .filter(|(name, offset)| !name.is_empty() && is_offset(offset))
        .map_or(word, |(name, _)| name);
    word.starts_with(['+', '-'])
        || (word.len() <= 5 && !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase()))
}

/// Whether the text contains a year, a date in numbers or a time.
fn has_date(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let mut parts = word.split([':', '.', '/', '-', 'h']);
        let is_number = |part: &str| {
            !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_year =
            word.len() == 4 && is_number(word) && (word.starts_with("19") || word.starts_with("20"));
        is_year || (parts.clone().count() >= 2 && parts.all(is_number))
    })
}

/// A block of headers above a quoted mail, as written by Outlook and in forwarded mails: its attribution, the other
/// headers, and its number of lines.
pub(super) fn header_block<'a>(lines: &[Line<'a>]) -> Option<(Attribution, Vec<&'a str>, usize)> {
    let first = lines.first()?;
    let (_, author) = labelled(first.text, FROM)?;
    let mut found =
        Attribution { author: name(&author.split_whitespace().collect::<Vec<_>>()), date: String::new() };
    let (mut others, mut headers, mut end) = (Vec::new(), 0, 1);
    let mut was_blank = false;
    let mut is_mail = author.contains('@');
    for (at, line) in lines.iter().enumerate().skip(1).take(MAX_BLOCK) {
        if line.depth != first.depth {
            break;
        }
        let text = line.text.trim();
        if text.is_empty() {
            if std::mem::replace(&mut was_blank, true) {
                break;
            }
            continue;
        }
        if let Some((_, date)) = labelled(text, SENT) {
            found.date = date.trim_matches(['*', ' ']).to_owned();
        } else if labelled(text, OTHER).is_some() {
            others.push(text);
        } else if !was_blank && !others.is_empty() && text.contains(['@', ';']) {
            // The list of receivers continues.
            others.push(text);
        } else {
            break;
        }
        is_mail |= text.contains('@') || labelled(text, TRAVEL).is_none();
        headers += 1;
        (end, was_blank) = (at + 1, false);
    }
    (headers >= 2 && is_mail && !found.author.is_empty()).then_some((found, others, end))
}

/// The label and the value of a line that begins with one of these labels.
fn labelled<'a>(line: &'a str, labels: &[&str]) -> Option<(&'a str, &'a str)> {
    let (label, value) = line.split_once([':', '：'])?;
    let label = label.trim_matches([' ', '*', '_', '\u{a0}', '\t']);
    (label.len() <= 40 && labels.contains(&label.to_lowercase().as_str()))
        .then_some((label, value.trim_matches([' ', '*', '\t'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        let mut lines: Vec<_> = text.lines().map(|text| Line { depth: 0, text }).collect();
        lines.push(Line { depth: 1, text: "quoted" });
        attribution(&lines).map(|(found, _)| (found.author, found.date))
    }

    #[test]
    fn attributions_of_many_programs_are_read() {
        for (text, author, date) in [
            (
                "On Tue, 4 Jun 2024 at 17:05, Tom A. <t@a.example> wrote:",
                "Tom A. <t@a.example>",
                "Tue, 4 Jun 2024 at 17:05",
            ),
            ("On 6/4/24 5:05 PM, Tom wrote:", "Tom", "6/4/24 5:05 PM"),
            (
                "On Tue, Jun 4, 2024 at 5:05 PM Tom A.\n<t@a.example> wrote:",
                "Tom A. <t@a.example>",
                "Tue, Jun 4, 2024 at 5:05 PM",
            ),
            ("Am 04.06.24 um 17:05 schrieb Jörg Ä.:", "Jörg Ä.", "04.06.24 um 17:05"),
            (
                "Am Di., 4. Juni 2024 um 17:05 Uhr schrieb Tom <t@a.example>:",
                "Tom <t@a.example>",
                "Di., 4. Juni 2024 um 17:05 Uhr",
            ),
            (
                "Le mar. 4 juin 2024 à 17:05, Tom <t@a.example> a écrit\u{a0}:",
                "Tom <t@a.example>",
                "mar. 4 juin 2024 à 17:05",
            ),
            (
                "El mar, 4 jun 2024 a las 17:05, Tom (<t@a.example>) escribió:",
                "Tom <t@a.example>",
                "mar, 4 jun 2024 a las 17:05",
            ),
            ("Tom schrieb am 04.06.2024 um 17:05:", "Tom", "04.06.2024 um 17:05"),
            ("Tom Achebe wrote:", "Tom Achebe", ""),
            (
                "2024-06-04 17:05 GMT+02:00 Tom <t@a.example>:",
                "Tom <t@a.example>",
                "2024-06-04 17:05 GMT+02:00",
            ),
        ] {
            assert_eq!(read(text), Some((author.to_owned(), date.to_owned())), "{text}");
        }
        assert_eq!(read("My answer:"), None);
        assert_eq!(read("We go to 3 % at most."), None);
    }

    #[test]
    fn blocks_of_headers_are_read() {
        let block = |text: &str| {
            let lines: Vec<_> = text.lines().map(|text| Line { depth: 0, text }).collect();
            header_block(&lines).map(|(found, others, count)| (found.author, found.date, others.len(), count))
        };
        let outlook =
            "From: Ann <a@b.c>\nSent: Thursday, 6 June 2024 16:41\nTo: Bob\nSubject: So: this\n\nText";
        assert_eq!(block(outlook), Some(("Ann <a@b.c>".into(), "Thursday, 6 June 2024 16:41".into(), 2, 4)));
        let german = "*Von:* Ann\n*Gesendet:* Freitag, 7. Juni 2024 12:10\n*An:* Bob";
        assert_eq!(block(german), Some(("Ann".into(), "Freitag, 7. Juni 2024 12:10".into(), 1, 3)));
        assert_eq!(block("From: here to there\nit is far.\n"), None);
    }
}
