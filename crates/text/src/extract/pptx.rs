//! Presentations (Office Open XML): each slide is a page, with its title as heading, then its notes and comments.

mod comments;

use std::collections::{HashMap, HashSet};

use oriel_core::{Extracted, Failure, Kind};

use super::package::Package;
use super::slides::Slide;
use super::writer::Writer;
use super::xml;
use super::{Limits, charts};

/// Reads the slides in the order of the presentation.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut package = Package::open(Kind::Pptx, bytes, limits)?;
    let (main, text) = package.main("ppt/presentation.xml")?;
    let relations = package.relations(&main)?;
    let authors = comments::authors(&mut package, &relations)?;
    let targets: HashMap<_, _> = relations.iter().map(|one| (one.id.as_str(), &one.target)).collect();
    let mut slides = Vec::new();
    // Of a damaged part, everything before the damage is used.
    let _ = xml::each(&text, |element| {
        if element.local_name().as_ref() == "sldId" {
            let ids = xml::attributes(element);
            // `id` is a number, `r:id` is the relation.
            let id = ids
                .filter(|one| one.key.prefix().is_some())
                .find(|one| one.key.local_name().as_ref() == "id");
            slides.extend(id.and_then(|id| targets.get(&*id.value)).copied().cloned());
        }
    });
    let mut writer = Writer::new(limits.text_bytes);
    let mut footers = HashSet::new();
    for slide in slides {
        writer.page();
        let Some(text) = package.part(&slide)? else { continue };
        let related = package.relations(&slide)?;
        let drawings = charts::related(&mut package, &related, limits)?;
        let mut reader = Slide { drawings, footers, ..Slide::default() };
        let body = xml::read(&text, &mut reader, limits.text_bytes)?;
        footers = reader.footers;
        if reader.is_hidden && !reader.has_title {
            writer.heading("(hidden)", 1);
        }
        writer.append(body);
        for relation in related.iter().filter(|one| one.kind == "notesSlide") {
            if let Some(text) = package.part(&relation.target)? {
                let mut notes = Slide { is_notes: true, ..Slide::default() };
                writer.append(xml::read(&text, &mut notes, limits.text_bytes)?);
            }
        }
        for relation in related.iter().filter(|one| one.kind == "comments") {
            if let Some(text) = package.part(&relation.target)? {
                comments::write(&text, &authors, &mut writer);
            }
        }
    }
    let extracted = writer.finish(Kind::Pptx)?;
    Ok(Extracted { about: package.about("docProps/core.xml"), ..extracted })
}

#[cfg(test)]
mod tests {
    use super::super::docx::tests::zipped;
    use super::*;

    const RELATIONS: &str = "<Relationships>\
        <Relationship Id='r1' Type='x/slide' Target='slides/slide2.xml'/>\
        <Relationship Id='r2' Type='x/slide' Target='slides/slide1.xml'/></Relationships>";

    fn shape(kind: &str, text: &str) -> String {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph type='{kind}'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    }

    #[test]
    fn a_slide_is_a_page_with_its_title_and_notes() {
        let slide = |shapes: &str| format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>");
        let table = "<p:graphicFrame><a:tbl><a:tblPr firstRow='1'/><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc>\
            <a:tc><a:txBody><a:p><a:r><a:t>B</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>";
        let bytes = zipped(&[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/><p:sldId id='257' r:id='r2'/></p:sldIdLst></p:presentation>",
            ),
            ("ppt/_rels/presentation.xml.rels", RELATIONS),
            (
                "ppt/slides/slide2.xml",
                &slide(
                    &(shape("title", "First")
                        + &shape("body", "Point")
                        + &shape("sldNum", "1")
                        + &shape("ftr", "Draft")),
                ),
            ),
            (
                "ppt/slides/_rels/slide2.xml.rels",
                "<Relationships><Relationship Id='r1' Type='x/notesSlide' Target='../notesSlides/n.xml'/></Relationships>",
            ),
            ("ppt/notesSlides/n.xml", &slide(&shape("body", "Say this."))),
            (
                "ppt/slides/slide1.xml",
                &slide(&(shape("ctrTitle", "Second") + table + &shape("ftr", "Draft"))),
            ),
        ]);
        let made = extract(&bytes, &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(made.text, "First\n\nPoint\n\nDraft\n\nSay this.\n\nSecond\n\nA\tB\n1");
        assert_eq!(made.pages.0, [0, 32]);
        let headings: Vec<_> = made.outline.headings.iter().map(|one| one.span.of(&made.text)).collect();
        assert_eq!(headings, [Some("First"), Some("Second")]);
        assert_eq!(made.outline.tables[0].span.of(&made.text), Some("A\tB"));
    }

    #[test]
    fn hidden_slides_comments_and_looks() {
        let slide = |more: &str, shapes: &str| {
            format!("<p:sld {more}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
        };
        let runs = "<p:sp><p:txBody><a:p><a:r><a:rPr strike='sngStrike'/><a:t>old</a:t></a:r><a:r><a:rPr baseline='-25000'/><a:t>2</a:t></a:r></a:p></p:txBody></p:sp>\
            <p:sp><p:nvSpPr><p:cNvPr hidden='1'/></p:nvSpPr><p:txBody><a:p><a:r><a:t>unseen</a:t></a:r></a:p></p:txBody></p:sp>";
        let threads = "<p188:cmLst><p188:cm authorId='{1}'><p188:replyLst><p188:reply authorId='{2}'><p188:txBody><a:p><a:r><a:t>Yes.</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst>\
            <p188:txBody><a:p><a:r><a:t>Sure?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>";
        let relations = RELATIONS.replace(
            "</Relationships>",
            "<Relationship Id='r9' Type='x/authors' Target='authors.xml'/></Relationships>",
        );
        let bytes = zipped(&[
            (
                "ppt/presentation.xml",
                "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>",
            ),
            ("ppt/_rels/presentation.xml.rels", &relations),
            ("ppt/authors.xml", "<a><p188:author id='{1}' name='Ada'/><p188:author id='{2}' name='Bo'/></a>"),
            ("ppt/slides/slide2.xml", &slide("show='0'", &(shape("title", "Backup") + runs))),
            (
                "ppt/slides/_rels/slide2.xml.rels",
                "<Relationships><Relationship Id='r1' Type='x/comments' Target='../comments/c.xml'/></Relationships>",
            ),
            ("ppt/comments/c.xml", threads),
        ]);
        let made = extract(&bytes, &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(made.text, "Backup (hidden)\n\n~~old~~₂\n\nComment by Ada: Sure?\n\nComment by Bo: Yes.");
    }
}
