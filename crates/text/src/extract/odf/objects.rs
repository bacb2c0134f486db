//! Charts in OpenDocument.

use std::collections::HashMap;

use oriel_core::{Failure, Kind};

use super::super::Limits;
use super::super::package::Package;
use super::super::writer::Writer;
use super::super::xml::{self, attribute};
use super::dialect::OpenDocument;

/// The charts of a document by their addresses. The values of a chart become a table.
pub(super) fn read(
    package: &mut Package<'_>,
    content: &str,
    limits: &Limits,
) -> Result<HashMap<String, Writer>, Failure> {
    let mut names = Vec::new();
    // Of a damaged part, everything before the damage is used.
    let _ = xml::each(content, |element| {
        if element.name().as_ref() == "draw:object" {
            names.extend(attribute(element, "href"));
        }
    });
    let mut objects = HashMap::new();
    for name in names {
        let Some(part) = package.part(&format!("{}/content.xml", name.trim_start_matches("./")))? else {
            continue;
        };
        if part.contains("<office:chart")
            && let Ok(text) = xml::read(&part, &mut OpenDocument::new(Kind::Odt), limits.text_bytes)
        {
            objects.insert(name, text);
        }
    }
    Ok(objects)
}
