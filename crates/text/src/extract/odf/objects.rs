//! OpenDocument's charts and form fields.

use std::collections::HashMap;

use oriel_core::{Failure, Kind};
use quick_xml::events::BytesStart;

use super::super::Limits;
use super::super::package::Package;
use super::super::writer::Writer;
use super::super::xml::{self, attribute};
use super::vocabulary::OpenDocument;

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

/// The text that a form field shows, with its id.
pub(super) fn field(element: &BytesStart<'_>) -> Option<(String, String)> {
    let value = |name| attribute(element, name);
    let shown = match element.name().as_ref() {
        "form:checkbox" | "form:radio" => {
            let state =
                value("current-state").or_else(|| value("state")).or_else(|| value("current-selected"));
            let mark = if matches!(state.as_deref(), Some("checked" | "true")) { "☑" } else { "☐" };
            format!("{mark} {}", value("label").unwrap_or_default())
        }
        "form:text"
        | "form:textarea"
        | "form:combobox"
        | "form:formatted-text"
        | "form:date"
        | "form:number" => value("current-value").or_else(|| value("value"))?,
        _ => return None,
    };
    Some((value("id")?, shown.trim().to_owned()))
}
