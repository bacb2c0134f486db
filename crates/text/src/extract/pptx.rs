//! Presentations (Office Open XML): each slide is a page, with its title as heading, then its notes.

use std::collections::HashMap;

use oriel_core::{Extracted, Failure, Kind};
use quick_xml::events::BytesStart;

use super::Limits;
use super::package::Package;
use super::writer::Writer;
use super::xml::{self, Body, Dialect, Element, attribute};

/// The slides in the order of the presentation.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let mut package = Package::open(Kind::Pptx, bytes, limits)?;
    let (main, text) = package.main("ppt/presentation.xml")?;
    let relations = package.relations(&main)?;
    let targets: HashMap<_, _> = relations.iter().map(|one| (one.id.as_str(), &one.target)).collect();
    let mut slides = Vec::new();
    // What a damaged part says up to its damage is used.
    let _ = xml::each(&text, |element| {
        if element.local_name().as_ref() == "sldId" {
            let ids = xml::attributes(element);
            // `id` is a number, `r:id` the relation.
            let id = ids
                .filter(|one| one.key.prefix().is_some())
                .find(|one| one.key.local_name().as_ref() == "id");
            slides.extend(id.and_then(|id| targets.get(&*id.value)).copied().cloned());
        }
    });
    let mut writer = Writer::new(limits.text_bytes);
    for slide in slides {
        writer.page();
        let Some(text) = package.part(&slide)? else { continue };
        writer.append(xml::read(&text, &mut Slide::default(), limits.text_bytes)?);
        let related = package.relations(&slide)?;
        let beside = related.iter().filter(|one| one.kind == "notesSlide" || one.kind == "diagramData");
        for relation in beside {
            if let Some(text) = package.part(&relation.target)? {
                let mut notes = Slide { is_notes: relation.kind == "notesSlide", ..Slide::default() };
                writer.append(xml::read(&text, &mut notes, limits.text_bytes)?);
            }
        }
    }
    let extracted = writer.finish(Kind::Pptx)?;
    Ok(Extracted { about: package.about("docProps/core.xml"), ..extracted })
}

/// The vocabulary of slides.
#[derive(Default)]
struct Slide {
    is_notes: bool,
    is_title: bool,
    /// The shape repeats what all slides have: number, date, footer; or in the notes, the slide.
    is_furniture: bool,
}

impl Dialect for Slide {
    const KIND: Kind = Kind::Pptx;
    const IS_MIXED: bool = false;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        match element.local_name().as_ref() {
            "sp" | "graphicFrame" | "pic" => {
                (self.is_title, self.is_furniture) = (false, false);
                Element::Other
            }
            "ph" => {
                let kind = attribute(element, "type").unwrap_or_default();
                self.is_title = matches!(kind.as_str(), "title" | "ctrTitle") && !self.is_notes;
                self.is_furniture = matches!(kind.as_str(), "sldNum" | "dt" | "ftr" | "hdr" | "sldImg");
                Element::Other
            }
            "txBody" if self.is_furniture => Element::Hidden,
            "p" => {
                if self.is_title {
                    body.flows.set_heading(1);
                }
                Element::Paragraph
            }
            "r" | "fld" => Element::Run,
            "t" if !element.name().as_ref().starts_with("dgm:") => Element::Text,
            "br" => {
                body.write("\n");
                Element::Other
            }
            "tbl" => Element::Table,
            "tblPr" => {
                if attribute(element, "firstRow").is_some_and(|first| first == "1" || first == "true") {
                    body.flows.set_header();
                }
                Element::Other
            }
            "tr" => Element::Row,
            "tc" => Element::Cell,
            "Fallback" => Element::Hidden,
            _ => Element::Other,
        }
    }
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
                &slide(&(shape("title", "First") + &shape("body", "Point") + &shape("sldNum", "1"))),
            ),
            (
                "ppt/slides/_rels/slide2.xml.rels",
                "<Relationships><Relationship Id='r1' Type='x/notesSlide' Target='../notesSlides/n.xml'/></Relationships>",
            ),
            ("ppt/notesSlides/n.xml", &slide(&shape("body", "Say this."))),
            ("ppt/slides/slide1.xml", &slide(&(shape("ctrTitle", "Second") + table))),
        ]);
        let made = extract(&bytes, &Limits::default()).unwrap().validated().unwrap();
        assert_eq!(made.text, "First\n\nPoint\n\nSay this.\n\nSecond\n\nA\tB\n1");
        assert_eq!(made.pages.0, [0, 25]);
        let headings: Vec<_> = made.outline.headings.iter().map(|one| one.span.of(&made.text)).collect();
        assert_eq!(headings, [Some("First"), Some("Second")]);
        assert_eq!(made.outline.tables[0].span.of(&made.text), Some("A\tB"));
    }
}
