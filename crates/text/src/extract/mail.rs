//! Mails: sender, receivers, date and subject as lines, then the text; attachments are members.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Address, DateTime, Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use oriel_core::notice::Damage;
use oriel_core::{About, Extracted, Failure, FailureCode, Kind, Notice};

use super::members::Members;
use super::writer::{Writer, one_line};
use super::{Limits, damaged, encoding, html};

/// A mail that holds more mails is nested too deeply: each may stand in the one before.
const MAX_MAILS: usize = 1000;
/// An attached mail is named by so much of its subject.
const MAX_SUBJECT_CHARS: usize = 100;

/// A mail; one without any line above its text is none.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut reading = Reading::new(limits);
    let bytes = narrow(bytes);
    if bytes.trim_ascii().is_empty() {
        return Ok(Extracted::new(Kind::Eml, String::new()));
    }
    if parsed(&bytes, Kind::Eml)?.headers().is_empty() {
        return Err(damaged(Kind::Eml, Damage::Senseless));
    }
    let about = reading.mail(&bytes)?;
    Ok(Extracted { about, members: reading.members.finish(), ..reading.writer.finish(Kind::Eml)? })
}

/// A mailbox: its mails are members; the text is the list of their names.
pub(super) fn extract_box(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut text = String::new();
    let mut members = Members::new(limits);
    for mail in mails(bytes) {
        let head = MessageParser::default().parse_headers(&mail);
        let Some(head) = head.filter(|head| !head.headers().is_empty()) else { continue };
        let name = name_of(&head);
        text.extend([&name, "\n"]);
        if members.add(name, Ok(mail)).is_err() {
            break;
        }
    }
    if text.is_empty() && !bytes.trim_ascii().is_empty() {
        return Err(damaged(Kind::Mbox, Damage::Senseless));
    }
    Ok(Extracted { members: members.finish(), ..Extracted::new(Kind::Mbox, text) })
}

/// A page that a browser saved as a mail.
pub(super) fn extract_page(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let bytes = narrow(bytes);
    let mail = parsed(&bytes, Kind::Mhtml)?;
    let pages = mail.parts.iter().find_map(|part| match &part.body {
        PartType::Html(_) => Some(html::read_text(&text_of(&mail, part), limits)),
        _ => None,
    });
    let page = pages.unwrap_or_else(|| Err(damaged(Kind::Mhtml, Damage::MainPartMissing)))?;
    Ok(Extracted { about: page.about, ..page.writer.finish(Kind::Mhtml)? })
}

/// The seconds since 1970 of a date as XML writes it, with or without time and zone.
pub(super) fn date(text: &str) -> Option<i64> {
    let has_zone = text.ends_with('Z') || text.get(10..).is_some_and(|time| time.contains(['+', '-']));
    let text = match text.len() {
        10 => format!("{text}T00:00:00Z"),
        _ if has_zone => text.to_owned(),
        _ => format!("{text}Z"),
    };
    DateTime::parse_rfc3339(&text).filter(DateTime::is_valid).map(|date| date.to_timestamp())
}

/// The bytes of a mail that was saved with two or four bytes a character.
fn narrow(bytes: &[u8]) -> Cow<'_, [u8]> {
    if encoding::is_wide(bytes) { encoding::decode(bytes, None).into_bytes().into() } else { bytes.into() }
}

/// The mails of a mailbox. Each begins with a line `From `, after which a header stands; in mails that line is quoted, though not
/// by every program.
fn mails(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    let mut after_blank = true;
    let mut is_begun = false;
    std::iter::from_fn(move || {
        let mut mail = Vec::new();
        while let Some(line) = lines.next() {
            let begins =
                after_blank && line.starts_with(b"From ") && lines.peek().is_some_and(|next| is_header(next));
            after_blank = line.trim_ascii().is_empty();
            if begins {
                if std::mem::replace(&mut is_begun, true) {
                    return Some(mail);
                }
                mail.clear();
                continue;
            }
            let bare = line.iter().position(|byte| *byte != b'>').unwrap_or(0);
            let is_quoted = bare > 0 && line[bare..].starts_with(b"From ");
            mail.extend_from_slice(&line[usize::from(is_quoted)..]);
        }
        (!mail.is_empty()).then_some(mail)
    })
}

/// Whether a line has a header's name and a colon.
fn is_header(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    !name.is_empty() && name.len() < line.len() && name.iter().all(u8::is_ascii_graphic)
}

/// The name of a mail inside another or in a mailbox.
fn name_of(mail: &Message<'_>) -> String {
    let subject = one_line(&mail.subject().unwrap_or_default().replace(['/', '\\', ':'], " "));
    let subject: String = subject.chars().take(MAX_SUBJECT_CHARS).collect();
    Members::name(&format!("{}.eml", subject.trim_matches(['.', ' '])))
        .unwrap_or_else(|| "mail.eml".to_owned())
}

fn parsed(bytes: &[u8], kind: Kind) -> Result<Message<'_>, Failure> {
    // The parser nests mails without a limit.
    if mails_within(bytes) > MAX_MAILS {
        return Err(Failure::new(FailureCode::Broken, Notice::NestedTooDeeply));
    }
    MessageParser::default().parse(bytes).ok_or_else(|| damaged(kind, Damage::Senseless))
}

/// How many parts of a mail say that they are mails, or that their parts are.
fn mails_within(bytes: &[u8]) -> usize {
    const TYPES: [(&str, &str); 3] = [("message", "rfc822"), ("message", "global"), ("multipart", "digest")];
    let is = |found: Option<&[u8]>, word: &str| {
        found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    };
    let slashes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    let types = slashes.filter(|(at, _)| {
        let before = bytes[..*at].trim_ascii_end();
        let after = bytes[at + 1..].trim_ascii_start();
        TYPES.iter().any(|(kind, part)| {
            let start = before.len().saturating_sub(kind.len());
            is(before.get(start..), kind) && is(after.get(..part.len()), part)
        })
    });
    types.count()
}

struct Reading<'a> {
    writer: Writer,
    members: Members,
    limits: &'a Limits,
}

impl<'a> Reading<'a> {
    fn new(limits: &'a Limits) -> Self {
        let writer = Writer::new(limits.text_bytes);
        Self { writer, members: Members::new(limits), limits }
    }

    /// Reads a mail.
    fn mail(&mut self, bytes: &[u8]) -> Result<About, Failure> {
        let mail = parsed(bytes, Kind::Eml)?;
        let about = About {
            title: mail.subject().map(one_line).filter(|subject| !subject.is_empty()),
            author: names(mail.from()).into_iter().next(),
            to: names(mail.to()),
            date: mail.date().filter(|date| date.is_valid()).map(DateTime::to_timestamp),
        };
        let date = mail.header_raw("Date").map(one_line).unwrap_or_default();
        head(
            &mut self.writer,
            &[
                ("From", &names(mail.from()).join(", ")),
                ("To", &about.to.join(", ")),
                ("Cc", &names(mail.cc()).join(", ")),
                ("Date", &date),
                ("Subject", about.title.as_deref().unwrap_or_default()),
            ],
        );
        for part in mail.text_bodies() {
            match &part.body {
                PartType::Html(_) => {
                    self.writer.append(html::read_text(&text_of(&mail, part), self.limits)?.writer);
                }
                _ => drop(self.writer.block(&text_of(&mail, part).replace("\r\n", "\n"))),
            }
        }
        for part in mail.attachments() {
            self.attach(&mail, part)?;
        }
        Ok(about)
    }

    fn attach(&mut self, mail: &Message<'_>, part: &MessagePart<'_>) -> Result<(), Failure> {
        let (bytes, name): (Cow<'_, [u8]>, _) = match &part.body {
            PartType::Message(inner) => {
                let range = part.offset_body as usize..part.offset_end as usize;
                let raw = mail.raw_message.get(range).filter(|_| part.encoding == Encoding::None);
                (raw.unwrap_or(&inner.raw_message).into(), Some(name_of(inner)))
            }
            _ => {
                let name = part.attachment_name().unwrap_or_default();
                let bytes = mended(mail, part).map_or(part.contents().into(), Cow::Owned);
                (bytes, Members::name(&one_line(name)))
            }
        };
        name.map_or(Ok(()), |name| self.members.add(name, Ok(bytes.into_owned())))
    }
}

/// Writes the lines above a mail's text; the subject is a heading.
pub(super) fn head(writer: &mut Writer, lines: &[(&str, &str)]) {
    let mut is_first = true;
    for (name, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
        let line = format!("{name}: {value}");
        let span = if std::mem::take(&mut is_first) { writer.block(&line) } else { writer.line(&line) };
        if *name == "Subject" {
            writer.head(span, 1);
        }
    }
}

/// Names with addresses.
fn names(addresses: Option<&Address<'_>>) -> Vec<String> {
    let addresses = addresses.into_iter().flat_map(Address::iter);
    let names = addresses.map(|one| match (one.name(), one.address()) {
        (Some(name), Some(address)) if name != address => format!("{name} <{address}>"),
        (name, address) => name.or(address).unwrap_or_default().to_owned(),
    });
    names.map(|name| one_line(&name)).filter(|name| !name.is_empty()).collect()
}

/// The bytes of a part that the parser could not decode, because the mail ends within it.
fn mended(mail: &Message<'_>, part: &MessagePart<'_>) -> Option<Vec<u8>> {
    if part.is_encoding_problem { decoded(mail, part) } else { None }
}

/// The bytes of a part as its header says how they are encoded.
fn decoded(mail: &Message<'_>, part: &MessagePart<'_>) -> Option<Vec<u8>> {
    let raw = mail.raw_message.get(part.offset_body as usize..part.offset_end as usize)?;
    match part.content_transfer_encoding().unwrap_or_default().to_ascii_lowercase().as_str() {
        "base64" => base64_decode(raw),
        "quoted-printable" => quoted_printable_decode(raw),
        _ => Some(raw.to_vec()),
    }
}

/// The text of a part. Where the mail does not say its encoding, or wrongly, it is what the text declares, or a guess.
fn text_of(mail: &Message<'_>, part: &MessagePart<'_>) -> String {
    let text = part.text_contents().unwrap_or_default();
    let said = part.content_type().and_then(|kind| kind.attribute("charset")).unwrap_or_default();
    let is_wrong = text.contains('\u{FFFD}') || (said.eq_ignore_ascii_case("us-ascii") && !text.is_ascii());
    let raw = if is_wrong { decoded(mail, part) } else { mended(mail, part) };
    raw.map_or_else(|| text.to_owned(), |raw| encoding::decode(&raw, encoding::declared(&raw)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIL: &str = "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: Ann <ann@example.org>, b@example.org\r\n\
        Date: Fri, 1 Mar 2024 11:00:00 +0100\r\nSubject: The =?utf-8?b?RMOkbW1l?=\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
        <p>It <b>holds</b>.</p>\r\n--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=\"../a.txt\"\r\n\r\nno\r\n\
        --x\r\nContent-Type: application/pdf; name=plan.pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\
        Content-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n\
        From: c@example.org\r\nSubject: Inner\r\n\r\nInner text.\r\n--x--\r\n";

    #[test]
    fn a_mail_has_its_head_its_text_and_its_attachments() {
        let mail = extract(MAIL.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(
            mail.text,
            "From: Jörg <j@example.org>\nTo: Ann <ann@example.org>, b@example.org\nDate: Fri, 1 Mar 2024 11:00:00 +0100\n\
             Subject: The Dämme\n\nIt holds."
        );
        assert_eq!(mail.outline.headings[0].span.of(&mail.text), Some("Subject: The Dämme"));
        assert_eq!((mail.about.date, mail.about.to.len()), (Some(1_709_287_200), 2));
        let names: Vec<_> = mail.members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["plan.pdf", "Inner.eml"]);
        assert_eq!(mail.members[0].bytes.as_deref().unwrap(), b"%PDF-");
        let inner = extract(mail.members[1].bytes.as_ref().unwrap(), &Limits::default()).unwrap();
        assert_eq!(inner.text, "From: c@example.org\nSubject: Inner\n\nInner text.");
    }

    #[test]
    fn the_mails_of_a_mailbox_are_members() {
        let text = format!(
            "From nobody\n\nNo head.\n\nFrom a@b.c Fri Mar  1 11:00:00 2024\nFrom: a@b.c\nSubject: One/two\n\n>From here on.\n\n\
             From there, too.\n\nFrom x Sat\nTo: a@b.c\n\nBare.\n\nFrom x Sat\n{MAIL}"
        );
        let mailbox = extract_box(text.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(mailbox.text, "One two.eml\nmail.eml\nThe Dämme.eml\n");
        let mails: Vec<_> = mailbox.members.iter().map(|mail| mail.bytes.as_deref().unwrap()).collect();
        assert_eq!(mails[0], b"From: a@b.c\nSubject: One/two\n\nFrom here on.\n\nFrom there, too.\n\n");
        assert_eq!(mails[2], MAIL.as_bytes());
    }

    #[test]
    fn a_mail_in_an_undeclared_encoding_is_guessed() {
        let bytes = b"From: a@b.c\nSubject: x\n\nDie sch\xF6ne M\xFCllerin geht \xFCber die Stra\xDFe.\n";
        let text = extract(bytes, &Limits::default()).unwrap().text;
        assert!(text.ends_with("Die schöne Müllerin geht über die Straße."), "{text}");
        let wrong = "Subject: x\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=B6=C3=9Fe\n";
        assert!(extract(wrong.as_bytes(), &Limits::default()).unwrap().text.ends_with("Größe"));
    }

    #[test]
    fn an_attachment_is_decoded_where_the_mail_ends_in_it() {
        let cut = MAIL.split_inclusive("JVBERi0=").next().unwrap();
        let members = extract(cut.as_bytes(), &Limits::default()).unwrap().members;
        assert_eq!((members.len(), members[0].bytes.as_deref().unwrap()), (1, &b"%PDF-"[..]));
    }

    #[test]
    fn mails_in_mails_have_a_limit() {
        let nested = "Content-Type: message/rfc822\n\n".repeat(100_000) + "Subject: x\n\nText";
        let failure = extract(nested.as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!(failure.reason, Notice::NestedTooDeeply);
    }

    #[test]
    fn attachments_beyond_the_limit_fail() {
        let large = MAIL.replace("JVBERi0=", &"JVBERi0=".repeat(100));
        let limits = Limits { member_bytes: 300, ..Limits::default() };
        let members = extract(large.as_bytes(), &limits).unwrap().members;
        assert_eq!(members[0].bytes.as_ref().unwrap_err().code, FailureCode::TooLarge);
        assert!(members[1].bytes.is_ok());
    }

    #[test]
    fn a_saved_page_is_read() {
        let page = "From: <Saved>\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\n\
            Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<h1>Gr=C3=B6=C3=9Fe</h1>\n--x--\n";
        let page = extract_page(page.as_bytes(), &Limits::default()).unwrap();
        assert_eq!((page.text.as_str(), page.outline.headings.len()), ("Größe", 1));
    }

    #[test]
    fn dates_are_read_with_and_without_time() {
        assert_eq!(date("1970-01-02"), Some(86_400));
        assert_eq!(date("1970-01-01T01:00:00+01:00"), Some(0));
        assert_eq!(date("1970-01-01T00:00:01.123"), Some(1));
        assert_eq!(date("1912"), None);
    }
}
