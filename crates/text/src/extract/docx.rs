//! Word documents (Office Open XML): body, headers, notes and comments, without deleted text, field codes and
//! fallbacks.

mod dialect;
mod fields;
mod numbering;
mod styles;
mod symbols;

use std::collections::{HashMap, HashSet};

use oriel_core::{Extracted, Failure, Kind};
use quick_xml::events::BytesStart;

use dialect::{Comment, WordDialect};
use numbering::Numbering;
use styles::Styles;
pub(super) use symbols::symbol;

use super::package::{Package, Relation};
use super::writer::Writer;
use super::xml::{self, Body, Dialect, Element, attribute};
use super::{Limits, charts, html};

/// Reads a document: its headers, its body with comments, its footers, then footnotes and endnotes.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    if !bytes.starts_with(b"PK") {
        // Word 2003 wrote the same elements into a single XML file.
        let text = super::encoding::decode(bytes, super::encoding::declared(bytes));
        return xml::read(&text, &mut WordDialect::default(), limits.text_bytes)?.finish(Kind::Docx);
    }
    let mut package = Package::open(Kind::Docx, bytes, limits)?;
    let (main, text) = package.main("word/document.xml")?;
    let relations = package.relations(&main)?;
    let mut word = prepared(&mut package, &relations, limits)?;
    let body = xml::read(&text, &mut word, limits.text_bytes)?;
    let (headers, footers) = headers_and_footers(&mut package, &relations, &mut word, limits)?;
    let mut writer = Writer::new(limits.text_bytes);
    for text in headers.into_iter().chain([body]) {
        writer.append(text);
    }
    // Parts that are included in the document, such as HTML.
    let by_id: HashMap<_, _> = relations.iter().map(|relation| (relation.id.as_str(), relation)).collect();
    for id in std::mem::take(&mut word.imported) {
        let Some(relation) = by_id.get(id.as_str()) else { continue };
        let is_html = relation.target.ends_with(".htm") || relation.target.ends_with(".html");
        if is_html && let Some(part) = package.bytes(&relation.target)? {
            writer.append(html::read(&part, None, limits)?.writer);
        }
    }
    footers.into_iter().for_each(|footer| writer.append(footer));
    for kind in ["footnotes", "endnotes"] {
        for relation in relations.iter().filter(|one| one.kind == kind) {
            if let Some(text) = package.part(&relation.target)? {
                writer.append(xml::read(&text, &mut word, limits.text_bytes)?);
            }
        }
    }
    let mut left: Vec<_> = word.comments.into_iter().filter(|(_, comment)| !comment.is_written).collect();
    left.sort_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
    for (_, comment) in left {
        writer.block(&xml::comment(&comment.author, "", &comment.text));
    }
    let extracted = writer.finish(Kind::Docx)?;
    Ok(Extracted { about: package.about("docProps/core.xml"), ..extracted })
}

/// A reader of the body that knows the styles, numbers and comments from the other parts.
fn prepared(
    package: &mut Package<'_>,
    relations: &[Relation],
    limits: &Limits,
) -> Result<WordDialect, Failure> {
    let mut word = WordDialect::default();
    word.drawings = charts::related(package, relations, limits)?;
    for relation in relations {
        let kind = relation.kind.as_str();
        if !matches!(kind, "styles" | "numbering" | "settings" | "comments") {
            continue;
        }
        let Some(part) = package.part(&relation.target)? else { continue };
        match kind {
            "styles" => word.styles = Styles::read(&part),
            "numbering" => word.numbering = Numbering::read(&part),
            "comments" => {
                let mut reader = Comments::default();
                xml::read(&part, &mut reader, limits.text_bytes)?;
                word.comments = reader.found;
            }
            _ => {
                let _ = xml::each(&part, |element| {
                    if element.local_name().as_ref() == "evenAndOddHeaders" {
                        word.has_even_pages = styles::is_on(attribute(element, "val").as_deref());
                    }
                });
            }
        }
    }
    let WordDialect { styles, numbering, .. } = &mut word;
    numbering.resolve(|style| styles.get(style)?.list_position.list.clone());
    Ok(word)
}

/// The headers and footers that pages show, each once.
fn headers_and_footers(
    package: &mut Package<'_>,
    relations: &[Relation],
    word: &mut WordDialect,
    limits: &Limits,
) -> Result<(Vec<Writer>, Vec<Writer>), Failure> {
    let (mut headers, mut footers) = (Vec::new(), Vec::new());
    let (mut read, mut known) = (HashSet::new(), HashSet::new());
    word.fields.is_header_or_footer = true;
    for id in std::mem::take(&mut word.headers_and_footers) {
        let Some(relation) = relations.iter().find(|relation| relation.id == id) else { continue };
        if !read.insert(id) {
            continue;
        }
        let Some(part) = package.part(&relation.target)? else { continue };
        let text = xml::read(&part, word, limits.text_bytes)?;
        if known.insert(text.text().to_owned()) {
            if relation.kind == "footer" { footers.push(text) } else { headers.push(text) }
        }
    }
    word.fields.is_header_or_footer = false;
    Ok((headers, footers))
}

/// Reads the part with the comments.
#[derive(Default)]
struct Comments {
    word: WordDialect,
    id: String,
    author: String,
    found: HashMap<String, Comment>,
}

impl Dialect for Comments {
    const KIND: Kind = Kind::Docx;
    const IS_MIXED: bool = false;

    fn start(&mut self, element: &BytesStart<'_>, body: &mut Body) -> Element {
        if element.local_name().as_ref() != "comment" {
            return self.word.start(element, body);
        }
        self.id = attribute(element, "id").unwrap_or_default();
        self.author = attribute(element, "author").unwrap_or_default();
        body.flows.open();
        Element::Other
    }

    fn end(&mut self, name: &str, body: &mut Body) {
        if name.rsplit(':').next() != Some("comment") {
            return self.word.end(name, body);
        }
        let text = body.flows.close_text();
        if !text.is_empty() {
            body.flows.count(text.len());
            let author = std::mem::take(&mut self.author);
            let id = std::mem::take(&mut self.id);
            self.found.insert(id, Comment { author, text, is_written: false });
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
