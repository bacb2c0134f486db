//! The fields of forms in OpenDocument.

use quick_xml::events::BytesStart;

use super::super::xml::attribute;

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
