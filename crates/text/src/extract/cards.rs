//! Address cards (vCard 2.1, 3.0 and 4.0): each is a block below its name.

use std::collections::HashMap;

use jiff::civil::Date;
use oriel_core::{Extracted, Failure, Kind};

use super::content_line::{ContentLine, each, split, unescaped};
use super::writer::{Writer, one_line};
use super::{Limits, encoding};

/// Further lines of a card are ignored.
const MAX_LINES: usize = 10_000;
/// Types that are not shown.
const HIDDEN_TYPES: &[&str] =
    &["voice", "internet", "pref", "x-internet", "text", "utf-8", "quoted-printable", "other", "vcard"];

/// Reads a file of cards.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let text = encoding::plain_text(bytes, None)?;
    let mut writer = Writer::new(limits.text_bytes);
    let mut card = Vec::new();
    // Old cards may contain the card of an agent.
    let mut depth = 0_usize;
    each(&text, |line| {
        let is_card = line.value.trim().eq_ignore_ascii_case("VCARD");
        match line.name.as_str() {
            "BEGIN" if is_card => depth += 1,
            "END" if is_card => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    write(&mut writer, &std::mem::take(&mut card));
                }
            }
            _ if depth == 1 && card.len() < MAX_LINES => card.push(line),
            _ => {}
        }
    });
    write(&mut writer, &card);
    writer.finish(Kind::Card)
}

fn write(writer: &mut Writer, card: &[ContentLine]) {
    if card.is_empty() {
        return;
    }
    let text = |name: &str| {
        card.iter().find(|line| line.name == name).map(ContentLine::text).filter(|text| !text.is_empty())
    };
    let parts =
        |name: &str| card.iter().find(|line| line.name == name).map(|line| joined(&line.parts(), " "));
    let spoken = card.iter().find(|line| line.name == "N").map(|line| display_name(&line.parts()));
    let name = text("FN").or(spoken).or_else(|| parts("ORG")).filter(|name| !name.is_empty());
    let name =
        name.or_else(|| text("NICKNAME")).or_else(|| text("EMAIL")).unwrap_or_else(|| "(no name)".to_owned());
    writer.heading(&name, 1);
    // The user's own labels for the lines of a group.
    let labels: HashMap<&str, String> = card
        .iter()
        .filter(|line| line.name == "X-ABLABEL")
        .map(|line| {
            (
                line.group.as_str(),
                line.text().trim_start_matches("_$!<").trim_end_matches(">!$_").to_lowercase(),
            )
        })
        .collect();
    let mut is_first = true;
    for line in card {
        let Some((label, value)) = field(line).map(|(label, value)| (label, one_line(&value))) else {
            continue;
        };
        if value.is_empty() {
            continue;
        }
        let kind = labels.get(line.group.as_str()).filter(|_| !line.group.is_empty()).cloned();
        let kind = kind.unwrap_or_else(|| {
            let types: Vec<_> = line
                .types()
                .into_iter()
                .filter(|one| !one.is_empty() && !HIDDEN_TYPES.contains(&one.as_str()))
                .collect();
            types.join(", ")
        });
        let shown =
            if kind.is_empty() { format!("{label}: {value}") } else { format!("{label} ({kind}): {value}") };
        let _ = if std::mem::take(&mut is_first) { writer.block(&shown) } else { writer.line(&shown) };
    }
}

/// The label and the value of a line, if it is shown.
fn field(line: &ContentLine) -> Option<(&'static str, String)> {
    let without_scheme = || {
        let text = line.text();
        ["tel:", "mailto:", "xmpp:", "sip:"]
            .iter()
            .find_map(|scheme| {
                text.get(..scheme.len())
                    .filter(|head| head.eq_ignore_ascii_case(scheme))
                    .map(|_| text[scheme.len()..].to_owned())
            })
            .unwrap_or(text)
    };
    let listed = || split(&line.value, ',').map(unescaped).collect::<Vec<_>>().join(", ");
    Some(match line.name.as_str() {
        "TEL" => ("Phone", without_scheme()),
        "EMAIL" => ("E-mail", without_scheme()),
        "ADR" => ("Address", joined(&line.parts(), ", ")),
        "ORG" => ("Organization", joined(&line.parts(), ", ")),
        "TITLE" => ("Title", line.text()),
        "ROLE" => ("Role", line.text()),
        "BDAY" => ("Birthday", date(&line.text())),
        "ANNIVERSARY" | "X-ANNIVERSARY" => ("Anniversary", date(&line.text())),
        "X-ABDATE" => ("Date", date(&line.text())),
        "NICKNAME" | "X-NICKNAME" => ("Nickname", listed()),
        "URL" => ("Web", line.text()),
        "IMPP" | "X-JABBER" | "X-SKYPE" | "X-ICQ" | "X-AIM" | "X-SKYPE-USERNAME" => {
            ("Messenger", without_scheme())
        }
        "X-SOCIALPROFILE" | "SOCIALPROFILE" => ("Profile", line.text()),
        "RELATED" | "X-ABRELATEDNAMES" | "X-SPOUSE" | "X-MANAGER" | "X-ASSISTANT" => ("Related", line.text()),
        "CATEGORIES" => ("Categories", listed()),
        "NOTE" => ("Note", line.text()),
        "LANG" => ("Language", line.text()),
        "DEATHDATE" => ("Died", date(&line.text())),
        _ => return None,
    })
}

fn joined(parts: &[String], gap: &str) -> String {
    let parts: Vec<_> = parts.iter().map(|part| one_line(part)).filter(|part| !part.is_empty()).collect();
    parts.join(gap)
}

/// A name in the usual order, from family name, given name, further names, prefix and suffix.
fn display_name(parts: &[String]) -> String {
    let order = [3, 1, 2, 0, 4].into_iter().filter_map(|index| parts.get(index).cloned());
    joined(&order.collect::<Vec<_>>(), " ")
}

/// A date as text; an incomplete date stays as it is.
fn date(text: &str) -> String {
    let digits: String =
        text.split(['T', ' ']).next().unwrap_or_default().chars().filter(|c| *c != '-').collect();
    let is_full = digits.len() == 8 && !text.starts_with('-');
    let read = Date::strptime("%Y%m%d", &digits).ok().filter(|_| is_full);
    read.map_or_else(|| text.to_owned(), |date| date.strftime("%-d %B %Y").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_of_all_versions_are_blocks() {
        let cards = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Quist;Edda;;Dr.;\r\nFN:Dr. Edda Quist\r\nTEL;TYPE=CELL,VOICE:+49 151 0099 417\r\n\
            ADR;TYPE=HOME:;;Am Weiher 3;Lindau;;88131;Germany\r\nBDAY:1979-02-11\r\nNOTE:Call in the eve\r\n ning\\, please.\r\n\
            item1.TEL:+1 2\r\nitem1.X-ABLabel:_$!<Assistant>!$_\r\nPHOTO;ENCODING=b:AAAA\r\nEND:VCARD\r\n\
            BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCnch;=\r\nOle\r\nTEL;WORK:+47 900\r\nEND:VCARD\r\n\
            BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nTEL;VALUE=uri;TYPE=\"work,voice\":tel:+44-20\r\nBDAY:--0203\r\nEND:VCARD\r\n";
        let made = extract(cards.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(
            made.text,
            "Dr. Edda Quist\n\nPhone (cell): +49 151 0099 417\nAddress (home): Am Weiher 3, Lindau, 88131, Germany\nBirthday: 11 February 1979\n\
             Note: Call in the evening, please.\nPhone (assistant): +1 2\n\nOle Münch\n\nPhone (work): +47 900\n\nAnn\n\nPhone (work): +44-20\nBirthday: --0203"
        );
        assert_eq!(made.outline.headings.len(), 3);
    }
}
