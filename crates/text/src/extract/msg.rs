//! Mails of Outlook: properties in the streams of a compound file (MS-OXMSG).

use encoding_rs::Encoding;
use oriel_core::notice::Damage;
use oriel_core::{About, Extracted, Failure, Kind};

use super::compound::Compound;
use super::compressed_rtf::decompressed;
use super::members::Members;
use super::writer::{Writer, one_line};
use super::{Limits, damaged, encoding, html, mail, rtf};

/// The stream that every message has.
pub(super) const PROPERTIES: &str = "__properties_version1.0";
/// Maximum nesting of mails.
const MAX_DEPTH: usize = 4;

const SUBJECT: u16 = 0x0037;
const SENT: u16 = 0x0039;
const SENDER: u16 = 0x0C1A;
const SENDER_ADDRESS: u16 = 0x0C1F;
const SENDER_SMTP: u16 = 0x5D01;
const CC: u16 = 0x0E03;
const TO: u16 = 0x0E04;
const DELIVERED: u16 = 0x0E06;
const BODY: u16 = 0x1000;
const BODY_RTF: u16 = 0x1009;
const BODY_HTML: u16 = 0x1013;
const CODE_PAGE: u16 = 0x3FDE;
const CODE_PAGE_OF_MESSAGE: u16 = 0x3FFD;
const DATA: u16 = 0x3701;
const NAME_SHORT: u16 = 0x3704;
const NAME: u16 = 0x3707;

/// Reads a mail. Mails attached to it become part of its text, other attachments become members.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut reading = Reading {
        compound: Compound::open(Kind::Msg, bytes, limits)?,
        writer: Writer::new(limits.text_bytes),
        members: Members::new(limits),
        limits,
    };
    let about = reading.mail("", 0)?;
    Ok(Extracted { about, members: reading.members.finish(), ..reading.writer.finish(Kind::Msg)? })
}

struct Reading<'a> {
    compound: Compound<'a>,
    writer: Writer,
    members: Members,
    limits: &'a Limits,
}

impl Reading<'_> {
    /// Reads the mail in a storage.
    fn mail(&mut self, storage: &str, depth: usize) -> Result<About, Failure> {
        // The header of the properties is longer in the outermost mail.
        let fixed = self.fixed(storage, if depth == 0 { 32 } else { 24 })?;
        let number = |id: u16| fixed.iter().find(|(one, _)| *one == id).map(|(_, value)| *value);
        let page = number(CODE_PAGE_OF_MESSAGE)
            .or_else(|| number(CODE_PAGE))
            .and_then(|page| u16::try_from(page).ok());
        let page = page.and_then(rtf::code_page);
        let mut text = |id| self.text(storage, id, page);
        let (subject, to, cc) = (text(SUBJECT)?, text(TO)?, text(CC)?);
        let name = text(SENDER)?;
        let address = Some(text(SENDER_SMTP)?).filter(|address| !address.is_empty());
        let address = address.map_or_else(|| text(SENDER_ADDRESS), Ok)?;
        let from = match (name.as_str(), address.as_str()) {
            // Addresses inside an organisation are long paths, which are not shown.
            (name, address) if name.is_empty() || !address.contains('@') || name == address => {
                if name.is_empty() { address.to_owned() } else { name.to_owned() }
            }
            (name, address) => format!("{name} <{address}>"),
        };
        let date = number(SENT).or_else(|| number(DELIVERED)).map(unix_time);
        let shown =
            date.map(|date| mail_parser::DateTime::from_timestamp(date).to_rfc822()).unwrap_or_default();
        mail::write_headers(
            &mut self.writer,
            &[("From", &from), ("To", &to), ("Cc", &cc), ("Date", &shown), ("Subject", &subject)],
        );
        self.body(storage, page, &mail::named(&from, &shown))?;
        self.attachments(storage, page, depth)?;
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        let to = to.split(';').map(one_line).filter(|one| !one.is_empty()).collect();
        Ok(About { title: some(subject), author: some(from), to, date })
    }

    fn body(&mut self, storage: &str, page: Option<&'static Encoding>, own: &str) -> Result<(), Failure> {
        let text = self.long_text(storage, BODY, page)?;
        let shown = self.compound.stream(&property(storage, BODY_HTML, "0102"))?;
        let shown = shown.map(|bytes| html::read(&bytes, page.map(Encoding::name), self.limits));
        // HTML that cannot be read may also be there as text.
        let shown = if text.trim().is_empty() { shown.transpose()? } else { shown.and_then(Result::ok) };
        match shown.filter(|shown| mail::prefers_html(shown.writer.text(), &text)) {
            Some(shown) => mail::write_page(&mut self.writer, shown, own),
            None if !text.trim().is_empty() => mail::write_text(&mut self.writer, &text, own),
            None => {
                if let Some(bytes) = self.compound.stream(&property(storage, BODY_RTF, "0102"))? {
                    let rich = decompressed(&bytes).ok_or_else(|| damaged(Kind::Msg, Damage::PartPacked))?;
                    self.writer.append(rtf::read(&rich, self.limits).0);
                }
            }
        }
        Ok(())
    }

    fn attachments(
        &mut self,
        storage: &str,
        page: Option<&'static Encoding>,
        depth: usize,
    ) -> Result<(), Failure> {
        let parent = if storage.is_empty() { "/" } else { storage };
        let entries =
            self.compound.file.read_storage(parent).map_err(|_| damaged(Kind::Msg, Damage::Senseless))?;
        let names = entries.filter(cfb::Entry::is_storage).map(|entry| entry.name().to_owned());
        let names: Vec<_> = names.filter(|name| name.starts_with("__attach_version1.0_")).collect();
        let mut attached = Vec::new();
        for name in names {
            let attachment = format!("{storage}/{name}");
            let inner = property(&attachment, DATA, "000D");
            if depth < MAX_DEPTH && self.compound.file.exists(format!("{inner}/{PROPERTIES}")) {
                self.mail(&inner, depth + 1)?;
                continue;
            }
            let Some(bytes) = self.compound.stream(&property(&attachment, DATA, "0102"))? else { continue };
            let long = self.text(&attachment, NAME, page)?;
            let name = if long.is_empty() { self.text(&attachment, NAME_SHORT, page)? } else { long };
            if let Some(name) = Members::name(&name) {
                self.members.add(name, Ok(bytes))?;
            }
            attached.extend(Some(name).filter(|name| !name.is_empty()));
        }
        mail::write_attachment_names(&mut self.writer, &attached);
        Ok(())
    }

    /// The values of fixed length: numbers and times.
    fn fixed(&mut self, storage: &str, head: usize) -> Result<Vec<(u16, u64)>, Failure> {
        let bytes = self.compound.stream(&format!("{storage}/{PROPERTIES}"))?.unwrap_or_default();
        let entries = bytes.get(head..).unwrap_or_default().as_chunks::<16>().0.iter();
        Ok(entries
            .map(|entry| {
                let [_, _, id_low, id_high, _, _, _, _, a, b, c, d, e, f, g, h] = *entry;
                (u16::from_le_bytes([id_low, id_high]), u64::from_le_bytes([a, b, c, d, e, f, g, h]))
            })
            .collect())
    }

    /// A text property as one line; empty if there is none.
    fn text(&mut self, storage: &str, id: u16, page: Option<&'static Encoding>) -> Result<String, Failure> {
        Ok(one_line(&self.long_text(storage, id, page)?))
    }

    fn long_text(
        &mut self,
        storage: &str,
        id: u16,
        page: Option<&'static Encoding>,
    ) -> Result<String, Failure> {
        if let Some(bytes) = self.compound.stream(&property(storage, id, "001F"))? {
            let text = encoding_rs::UTF_16LE.decode_without_bom_handling(&bytes).0;
            // Some programs store the terminating zero of a C string.
            return Ok(text.trim_end_matches('\0').to_owned());
        }
        let bytes = self.compound.stream(&property(storage, id, "001E"))?.unwrap_or_default();
        Ok(encoding::decode(&bytes, page).trim_end_matches('\0').to_owned())
    }
}

/// The path of a property's stream or storage.
fn property(storage: &str, id: u16, kind: &str) -> String {
    format!("{storage}/__substg1.0_{id:04X}{kind}")
}

/// Converts tenths of microseconds since 1601 to seconds since 1970.
fn unix_time(time: u64) -> i64 {
    i64::try_from(time / 10_000_000).unwrap_or(i64::MAX).saturating_sub(11_644_473_600)
}

#[cfg(test)]
mod tests {
    use oriel_core::Member;

    use super::super::compound::tests::made_of;
    use super::*;

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn sample() -> Vec<u8> {
        let mut properties = vec![0; 32];
        properties.extend([0x40, 0, 0x39, 0, 6, 0, 0, 0]);
        properties.extend((133_537_608_000_000_000_u64).to_le_bytes());
        let attachment = "/__attach_version1.0_#00000000";
        made_of(&[
            ("/__properties_version1.0", properties),
            ("/__substg1.0_0037001F", utf16("Dämme")),
            ("/__substg1.0_0C1A001F", utf16("Jörg")),
            ("/__substg1.0_5D01001F", utf16("j@example.org")),
            ("/__substg1.0_0E04001F", utf16("Ann; Bob\0")),
            ("/__substg1.0_1000001E", b"Sch\xF6n.\r\nWirklich sehr sch\xF6n, die M\xFChle.".to_vec()),
            (&format!("{attachment}/__substg1.0_3707001F"), utf16("plan.pdf")),
            (&format!("{attachment}/__substg1.0_37010102"), b"%PDF-".to_vec()),
        ])
    }

    #[test]
    fn a_mail_of_outlook_is_a_mail() {
        let mail =
            super::super::extract(Kind::Doc, &sample(), &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(mail.kind, Kind::Msg);
        assert_eq!(
            mail.text,
            "From: Jörg <j@example.org>\nTo: Ann; Bob\nDate: Fri, 1 Mar 2024 10:00:00 +0000\nSubject: Dämme\n\n\
             Schön.\nWirklich sehr schön, die Mühle.\n\nAttachments: plan.pdf"
        );
        assert_eq!(mail.about.to, ["Ann", "Bob"]);
        let plan = Member { name: "plan.pdf".into(), bytes: Ok(b"%PDF-".to_vec()) };
        assert_eq!(mail.members, [plan]);
    }

    #[test]
    fn packed_rich_text_is_unpacked() {
        // The example of the specification (MS-OXRTFCP, 3.1.1).
        let packed = [
            0x2D, 0, 0, 0, 0x2B, 0, 0, 0, 0x4C, 0x5A, 0x46, 0x75, 0xF1, 0xC5, 0xC7, 0xA7, 0x03, 0, 0x0A, 0,
            0x72, 0x63, 0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0A, 0xF3, 0x20, 0x68, 0x65, 0x6C, 0x09,
            0, 0x20, 0x62, 0x77, 0x05, 0xB0, 0x6C, 0x64, 0x7D, 0x0A, 0x80, 0x0F, 0xA0,
        ];
        assert_eq!(decompressed(&packed).unwrap(), b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
    }
}
