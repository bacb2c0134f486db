//! Electronic books (EPUB): the chapters of the spine, in order.
//!
//! Oriel reads books by itself because a library would unpack them uncounted; see `package`.

use std::collections::HashMap;

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, FailureCode, Kind, Notice};

use super::package::{Package, resolve};
use super::writer::Writer;
use super::xml::{self, attribute};
use super::{Limits, damaged, html};

/// Methods that obfuscate fonts, which are not encryption.
const FONT_MASKS: [&str; 2] = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];

/// Reads the chapters of a book.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let malformed = |_| damaged(Kind::Epub, Damage::XmlMalformed);
    let mut package = Package::open(Kind::Epub, bytes, limits)?;
    let mut is_locked = false;
    let encryption = package.part("META-INF/encryption.xml")?.unwrap_or_default();
    xml::each(&encryption, |element| {
        is_locked |= element.local_name().as_ref() == "EncryptionMethod"
            && attribute(element, "Algorithm").is_some_and(|method| !FONT_MASKS.contains(&method.as_str()));
    })
    .map_err(malformed)?;
    if is_locked {
        return Err(Failure::new(FailureCode::Encrypted, Notice::BookLocked));
    }
    let mut root = None;
    let container = package.part("META-INF/container.xml")?.unwrap_or_default();
    xml::each(&container, |element| {
        if element.local_name().as_ref() == "rootfile" && root.is_none() {
            root = attribute(element, "full-path");
        }
    })
    .map_err(malformed)?;
    let missing = || damaged(Kind::Epub, Damage::MainPartMissing);
    let root = root.ok_or_else(missing)?;
    let content = package.part(&root)?.ok_or_else(missing)?;
    let (mut files, mut spine) = (HashMap::<String, String>::new(), Vec::new());
    xml::each(&content, |element| match element.local_name().as_ref() {
        // The table of contents only repeats the titles of the chapters.
        "item"
            if attribute(element, "properties").is_some_and(|all| all.split(' ').any(|one| one == "nav")) => {
        }
        "item" => {
            let item = attribute(element, "id").zip(attribute(element, "href"));
            files.extend(item);
        }
        "itemref" => spine.extend(attribute(element, "idref")),
        _ => {}
    })
    .map_err(malformed)?;
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut writer = Writer::new(limits.text_bytes);
    let mut sheets = HashMap::new();
    for id in spine {
        let Some(href) = files.get(&id) else { continue };
        let name = resolve(folder, &percent_encoding::percent_decode_str(href).decode_utf8_lossy());
        // Samples of books lack some chapters.
        let Some(text) = package.part(&name)? else { continue };
        writer.page();
        let base = name.rsplit_once('/').map_or("", |(base, _)| base);
        let page = html::read_styled(&html::xhtml_to_html(&text), limits, &mut |address| {
            let address = percent_encoding::percent_decode_str(address.split(['?', '#']).next()?);
            let name = resolve(base, &address.decode_utf8_lossy());
            // A style sheet that is damaged or too large is ignored.
            let sheet = sheets.entry(name).or_insert_with_key(|name| package.part(name).ok().flatten());
            sheet.clone()
        })?;
        writer.append(page.writer);
        if writer.is_full() {
            break;
        }
    }
    Ok(Extracted { about: xml::about(&content), ..writer.finish(Kind::Epub)? })
}

#[cfg(test)]
mod tests {
    use super::super::docx::tests::zipped;
    use super::*;

    fn book(encryption: &str) -> Result<Extracted, Failure> {
        let page = |body: &str| {
            format!("<?xml version='1.0'?><html><head><title/></head><body>{body}</body></html>")
        };
        let content = "<package><metadata><dc:title>The Dam</dc:title><dc:creator>A. Berg</dc:creator></metadata><manifest>\
            <item id='a' href='text/one%20a.xhtml'/><item id='b' href='../two.xhtml'/><item id='n' href='nav.xhtml' properties='nav'/></manifest>\
            <spine><itemref idref='n'/><itemref idref='b'/><itemref idref='gone'/><itemref idref='a'/></spine></package>";
        let bytes = zipped(&[
            ("mimetype", "application/epub+zip"),
            (
                "META-INF/container.xml",
                "<container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>",
            ),
            ("META-INF/encryption.xml", encryption),
            ("OPS/book.opf", content),
            ("OPS/text/one a.xhtml", &page("<h1>Two</h1><p>It fell.</p>")),
            ("OPS/nav.xhtml", &page("<ol><li>One</li></ol>")),
            ("two.xhtml", &page("<h1>One</h1><p>It rose.</p>")),
        ]);
        extract(&bytes, &Limits::default())
    }

    #[test]
    fn chapters_are_pages_in_the_order_of_the_spine() {
        let masked = "<encryption><EncryptedData><EncryptionMethod Algorithm='http://www.idpf.org/2008/embedding'/></EncryptedData></encryption>";
        let book = book(masked).unwrap().validated().unwrap();
        assert_eq!(book.text, "One\n\nIt rose.\n\nTwo\n\nIt fell.");
        assert_eq!((&*book.pages.0, book.outline.headings.len()), (&[0, 15][..], 2));
        assert_eq!(book.about.title.as_deref(), Some("The Dam"));
    }

    #[test]
    fn the_style_sheets_of_a_book_hide_text() {
        let content = "<package><manifest><item id='a' href='t/a.xhtml'/></manifest><spine><itemref idref='a'/></spine></package>";
        let page = "<html><head><link rel='stylesheet' href='../css/a%20b.css'/></head><body><p>Seen.</p><p class='x'>Not.</p></body></html>";
        let bytes = zipped(&[
            ("mimetype", "application/epub+zip"),
            (
                "META-INF/container.xml",
                "<container><rootfiles><rootfile full-path='O/b.opf'/></rootfiles></container>",
            ),
            ("O/b.opf", content),
            ("O/t/a.xhtml", page),
            ("O/css/a b.css", ".x { display: none }"),
        ]);
        assert_eq!(extract(&bytes, &Limits::default()).unwrap().text, "Seen.");
    }

    #[test]
    fn a_locked_book_says_so() {
        let locked = "<encryption><EncryptedData><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/></EncryptedData></encryption>";
        assert_eq!(book(locked).unwrap_err().reason, Notice::BookLocked);
    }
}
