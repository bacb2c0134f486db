//! Mails: sender, receivers, date and subject as lines, then the text and the names of the attachments. Attachments are
//! members.

mod attribution;
mod bodies;
mod mailbox;
mod quotes;
mod tnef;

use std::borrow::Cow;
use std::collections::HashMap;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Address, DateTime, Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use oriel_core::notice::Damage;
use oriel_core::{About, Extracted, Failure, FailureCode, Kind, Notice};

use super::members::Members;
use super::writer::{Writer, one_line};
use super::{Limits, calendar, compressed_rtf, damaged, encoding, html, rtf};

pub(super) use bodies::{prefers_html, write_page, write_text};
pub(super) use quotes::named;

/// Maximum number of mails within a mail, since each may be nested in the one before.
const MAX_MAILS: usize = 1000;
/// Maximum characters of the subject in the name of an attached mail.
const MAX_SUBJECT_CHARS: usize = 100;

/// Reads a mail. A file without a header line is not a mail.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut reading = Reading::new(limits);
    let bytes = single_bytes(bytes);
    let bytes = without_length_line(&bytes);
    if bytes.trim_ascii().is_empty() {
        return Ok(Extracted::new(Kind::Eml, String::new()));
    }
    if parsed(bytes, Kind::Eml)?.headers().is_empty() {
        return Err(damaged(Kind::Eml, Damage::Senseless));
    }
    let about = reading.mail(bytes)?;
    Ok(Extracted { about, members: reading.members.finish(), ..reading.writer.finish(Kind::Eml)? })
}

/// Reads a mailbox: its mails are members; its own text is the list of their names.
pub(super) fn extract_box(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut text = String::new();
    let mut members = Members::new(limits);
    for mail in mailbox::mails(bytes) {
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

/// Reads a web page that a browser saved as MHTML.
pub(super) fn extract_page(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let bytes = single_bytes(bytes);
    let mail = parsed(&bytes, Kind::Mhtml)?;
    let pages = mail.parts.iter().find_map(|part| match &part.body {
        PartType::Html(_) => {
            Some(html::read_styled(&text_of(&mail, part), limits, &mut |address| style_sheet(&mail, address)))
        }
        _ => None,
    });
    let page = pages.unwrap_or_else(|| Err(damaged(Kind::Mhtml, Damage::MainPartMissing)))?;
    Ok(Extracted { about: page.about, ..page.writer.finish(Kind::Mhtml)? })
}

/// The style sheet of a saved page by its address, or by its id after `cid:`.
fn style_sheet(mail: &Message<'_>, address: &str) -> Option<String> {
    let name = address.rsplit('/').next().filter(|name| !name.is_empty())?;
    let id = address.strip_prefix("cid:");
    let is_sheet = |part: &&MessagePart<'_>| {
        part.content_type()
            .and_then(|kind| kind.subtype())
            .is_some_and(|kind| kind.eq_ignore_ascii_case("css"))
    };
    let sheets = || mail.parts.iter().filter(is_sheet);
    let is_at = |part: &&MessagePart<'_>| {
        part.content_location() == Some(address) || (id.is_some() && part.content_id() == id)
    };
    // Browsers write full addresses, but pages may not.
    let ends = |part: &&MessagePart<'_>| {
        part.content_location().is_some_and(|place| place.rsplit('/').next() == Some(name))
    };
    let part = sheets().find(is_at).or_else(|| sheets().find(ends))?;
    Some(text_of(mail, part))
}

/// Decodes a mail that was saved with two or four bytes per character.
fn single_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    if encoding::is_wide(bytes) { encoding::decode(bytes, None).into_bytes().into() } else { bytes.into() }
}

/// The mail after Apple Mail's first line, which contains its length.
fn without_length_line(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let count = std::str::from_utf8(&bytes[..end]).ok().and_then(|count| count.trim().parse::<usize>().ok());
    let Some(count) = count else { return bytes };
    let mail = &bytes[end + 1..];
    &mail[..mail.len().min(count)]
}

/// The name of a mail in another mail or in a mailbox.
fn name_of(mail: &Message<'_>) -> String {
    let subject = one_line(&mail.subject().unwrap_or_default().replace(['/', '\\', ':'], " "));
    let subject: String = subject.chars().take(MAX_SUBJECT_CHARS).collect();
    Members::name(&format!("{}.eml", subject.trim_matches(['.', ' '])))
        .unwrap_or_else(|| "mail.eml".to_owned())
}

fn parsed(bytes: &[u8], kind: Kind) -> Result<Message<'_>, Failure> {
    // The parser has no limit on nested mails.
    if mails_within(bytes) > MAX_MAILS {
        return Err(Failure::new(FailureCode::Broken, Notice::NestedTooDeeply));
    }
    MessageParser::default().parse(bytes).ok_or_else(|| damaged(kind, Damage::Senseless))
}

/// The number of parts that are mails, or whose parts are.
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

    fn mail(&mut self, bytes: &[u8]) -> Result<About, Failure> {
        let mail = parsed(bytes, Kind::Eml)?;
        let about = About {
            title: mail.subject().map(one_line).filter(|subject| !subject.is_empty()),
            author: names(mail.from()).into_iter().next(),
            to: names(mail.to()),
            date: mail.date().filter(|date| date.is_valid()).map(DateTime::to_timestamp),
        };
        let date = mail.header_raw("Date").map(one_line).unwrap_or_default();
        write_headers(
            &mut self.writer,
            &[
                ("From", &names(mail.from()).join(", ")),
                ("To", &about.to.join(", ")),
                ("Cc", &names(mail.cc()).join(", ")),
                ("Date", &date),
                ("Subject", about.title.as_deref().unwrap_or_default()),
            ],
        );
        let own = named(about.author.as_deref().unwrap_or_default(), &date);
        self.bodies(&mail, &own)?;
        let mut attached = Vec::new();
        for part in mail.attachments() {
            attached.extend(self.attach(&mail, part)?);
        }
        write_attachment_names(&mut self.writer, &attached);
        Ok(about)
    }

    /// Writes the text. If a mail has it in two forms, the HTML is read unless the plain text says the same.
    fn bodies(&mut self, mail: &Message<'_>, own: &str) -> Result<(), Failure> {
        let is_page = |part: &&MessagePart<'_>| matches!(part.body, PartType::Html(_));
        let plain: Vec<_> = mail.text_bodies().collect();
        let pages: Vec<_> = mail.html_bodies().filter(is_page).collect();
        let has_both = !pages.is_empty() && plain.iter().any(|part| !is_page(part));
        let mut read = HashMap::new();
        if has_both {
            for part in &pages {
                // HTML that is nested too deeply may still be read as plain text.
                let page = html::read_text(&text_of(mail, part), self.limits).ok();
                read.extend(page.map(|page| (std::ptr::from_ref(*part), page)));
            }
        }
        let text = |parts: &[&MessagePart<'_>]| {
            parts.iter().filter(|part| !is_page(part)).map(|part| text_of(mail, part)).collect::<String>()
        };
        let shown: String = pages
            .iter()
            .filter_map(|part| read.get(&std::ptr::from_ref(*part)))
            .map(|page| page.writer.text())
            .collect();
        let takes_page = has_both && prefers_html(&shown, &text(&plain));
        let parts = if takes_page { mail.html_bodies().collect() } else { plain };
        for part in parts {
            match &part.body {
                PartType::Html(_) => {
                    let page = read.remove(&std::ptr::from_ref(part));
                    let page = page.map_or_else(|| html::read_text(&text_of(mail, part), self.limits), Ok)?;
                    write_page(&mut self.writer, page, own);
                }
                PartType::Text(_) if is_calendar(part) => self.calendar(mail, part),
                PartType::Text(_) => write_text(&mut self.writer, &text_of(mail, part), own),
                _ => {}
            }
        }
        Ok(())
    }

    fn calendar(&mut self, mail: &Message<'_>, part: &MessagePart<'_>) {
        if let Ok(calendar) = calendar::read(&text_of(mail, part), self.limits) {
            self.writer.append(calendar);
        }
    }

    /// Adds an attachment; returns the names to list.
    fn attach(&mut self, mail: &Message<'_>, part: &MessagePart<'_>) -> Result<Vec<String>, Failure> {
        if let PartType::Message(inner) = &part.body {
            let range = part.offset_body as usize..part.offset_end as usize;
            let raw = mail.raw_message.get(range).filter(|_| part.encoding == Encoding::None);
            let bytes = raw.unwrap_or(&inner.raw_message).to_owned();
            let name = name_of(inner);
            self.members.add(name.clone(), Ok(bytes))?;
            return Ok(vec![name]);
        }
        if is_calendar(part) {
            self.calendar(mail, part);
            return Ok(Vec::new());
        }
        let shown = one_line(part.attachment_name().unwrap_or_default());
        let bytes = decode_cut_part(mail, part).map_or(part.contents().into(), Cow::Owned);
        if tnef::is_packed(&bytes) {
            return self.unpack(&bytes);
        }
        if let Some(name) = Members::name(&shown) {
            self.members.add(name, Ok(bytes.into_owned()))?;
        }
        // Images inside the text are not listed as attachments.
        let is_inline = part.content_id().is_some()
            && part.content_type().is_some_and(|kind| kind.ctype().eq_ignore_ascii_case("image"));
        Ok(Some(shown).filter(|shown| !shown.is_empty() && !is_inline).into_iter().collect())
    }

    /// Adds what Outlook packed into a `winmail.dat`.
    fn unpack(&mut self, bytes: &[u8]) -> Result<Vec<String>, Failure> {
        let packed = tnef::unpack(bytes);
        let mut text = Writer::new(self.limits.text_bytes);
        if let Some(page) = packed.page {
            write_page(&mut text, html::read(&page, None, self.limits)?, "");
        } else if let Some(plain) = packed.text {
            write_text(&mut text, &plain, "");
        } else if let Some(rich) = packed.rich.as_deref().and_then(compressed_rtf::decompressed) {
            text.append(rtf::read(&rich, self.limits).0);
        }
        // Most mails have the text outside of it too.
        if bodies::has_other_words(text.text(), self.writer.text()) {
            self.writer.append(text);
        }
        let mut names = Vec::new();
        for (name, bytes) in packed.files {
            let name = one_line(&name);
            if let Some(name) = Members::name(&name) {
                self.members.add(name, Ok(bytes))?;
            }
            names.push(name);
        }
        Ok(names)
    }
}

fn is_calendar(part: &MessagePart<'_>) -> bool {
    part.content_type().is_some_and(|kind| {
        kind.ctype().eq_ignore_ascii_case("text")
            && kind.subtype().is_some_and(|kind| kind.eq_ignore_ascii_case("calendar"))
    })
}

/// Writes the list of attachments.
pub(super) fn write_attachment_names(writer: &mut Writer, names: &[String]) {
    if !names.is_empty() {
        writer.block(&format!("Attachments: {}", names.join(", ")));
    }
}

/// Writes the lines above a mail's text; the subject is a heading.
pub(super) fn write_headers(writer: &mut Writer, lines: &[(&str, &str)]) {
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

/// Decodes a part that the parser could not decode because the mail ends within it.
fn decode_cut_part(mail: &Message<'_>, part: &MessagePart<'_>) -> Option<Vec<u8>> {
    if part.is_encoding_problem { decoded(mail, part) } else { None }
}

/// Decodes the bytes of a part by its transfer encoding.
fn decoded(mail: &Message<'_>, part: &MessagePart<'_>) -> Option<Vec<u8>> {
    let raw = mail.raw_message.get(part.offset_body as usize..part.offset_end as usize)?;
    match part.content_transfer_encoding().unwrap_or_default().to_ascii_lowercase().as_str() {
        "base64" => base64_decode(raw),
        "quoted-printable" => quoted_printable_decode(raw),
        _ => Some(raw.to_vec()),
    }
}

/// Decodes the text of a part. If the mail names no encoding or a wrong one, the text's own declaration or a guess is
/// used.
fn text_of(mail: &Message<'_>, part: &MessagePart<'_>) -> String {
    let text = part.text_contents().unwrap_or_default();
    let said = part.content_type().and_then(|kind| kind.attribute("charset")).unwrap_or_default();
    let is_wrong = text.contains('\u{FFFD}') || (said.eq_ignore_ascii_case("us-ascii") && !text.is_ascii());
    let raw = if is_wrong { decoded(mail, part) } else { decode_cut_part(mail, part) };
    raw.map_or_else(|| text.to_owned(), |raw| encoding::decode(&raw, encoding::declared(&raw)))
}

#[cfg(test)]
mod tests;
