//! The fields of a form, as annotations of a page state them.

use std::collections::HashMap;

use hayro_interpret::kurbo::Rect;
use hayro_syntax::object::{self, Array, Dict, Name, Object, Stream};

use super::layout::Glyph;
use super::strings::decoded;
use crate::extract::writer::one_line;

/// Maximum nesting of fields.
const MAX_PARENTS: usize = 16;
/// Maximum number of options of a choice.
const MAX_OPTIONS: usize = 1000;
/// Flags of fields.
const PASSWORD: u32 = 1 << 13;
const RADIO: u32 = 1 << 15;
const PUSH_BUTTON: u32 = 1 << 16;
const COMBO: u32 = 1 << 17;

/// The content of a field.
#[derive(Clone, Debug)]
pub(super) enum FieldValue {
    /// A value from the file. `is_list`: its appearance shows all options.
    Text { value: String, is_list: bool },
    /// A box, ticked or not.
    Box(bool),
}

/// A field on a page.
#[derive(Clone, Debug)]
pub(super) struct Widget {
    /// Its box on the page.
    pub(super) area: Rect,
    /// The glyphs of its appearance.
    pub(super) drawn: Vec<Glyph>,
    pub(super) value: FieldValue,
    pub(super) tooltip: Option<String>,
    pub(super) name: String,
}

impl Widget {
    /// The field of an annotation on `area`; `None` for push buttons and signatures.
    pub(super) fn of(annotation: &Dict<'_>, area: Rect) -> Option<Self> {
        let levels = levels(annotation);
        if area.width() < 1.0 || area.height() < 1.0 {
            return None;
        }
        let inherited = |key: &str| levels.iter().find_map(|level| level.get::<Object<'_>>(key));
        let flags = levels.iter().find_map(|level| level.get::<u32>("Ff")).unwrap_or(0);
        let kind = levels.iter().find_map(|level| level.get::<Name<'_>>("FT"))?;
        let value = match kind.as_str() {
            "Tx" if flags & PASSWORD != 0 => FieldValue::Text { value: String::new(), is_list: false },
            "Tx" => FieldValue::Text { value: inherited("V").map(text).unwrap_or_default(), is_list: false },
            "Ch" => FieldValue::Text { value: chosen(&levels), is_list: flags & COMBO == 0 },
            "Btn" if flags & PUSH_BUTTON == 0 => FieldValue::Box(is_ticked(annotation, &levels)),
            _ => return None,
        };
        // The tooltip of a group of radio buttons does not describe a single button.
        let of_own = if flags & RADIO != 0 { 1 } else { levels.len() };
        let string = |key: &str, count: usize| {
            let mut texts =
                levels.iter().take(count).filter_map(|level| level.get::<object::String<'_>>(key));
            texts.find_map(|text| {
                decoded(text.as_bytes()).map(|text| one_line(&text)).filter(|text| !text.is_empty())
            })
        };
        let name = match &value {
            FieldValue::Box(_) if flags & RADIO != 0 => state(annotation),
            _ => None,
        };
        let name = name.or_else(|| string("T", levels.len())).unwrap_or_default();
        let name = name.split('[').next().unwrap_or_default().to_owned();
        Some(Self { area, drawn: Vec::new(), value, tooltip: string("TU", of_own), name })
    }

    /// The size of its texts in bytes.
    pub(super) fn bytes(&self) -> usize {
        let value = match &self.value {
            FieldValue::Text { value, .. } => value.len(),
            FieldValue::Box(_) => 0,
        };
        value + self.name.len() + self.tooltip.as_ref().map_or(0, String::len)
    }

    pub(super) fn is_box(&self) -> bool {
        matches!(self.value, FieldValue::Box(_))
    }
}

/// A field and its parents, innermost first.
fn levels<'a>(annotation: &Dict<'a>) -> Vec<Dict<'a>> {
    let mut levels = vec![annotation.clone()];
    while levels.len() < MAX_PARENTS
        && let Some(parent) = levels[levels.len() - 1].get::<Dict<'_>>("Parent")
    {
        levels.push(parent);
    }
    levels
}

/// The values in an array. The format allows no arrays or streams in it.
fn single<'a>(values: &Array<'a>) -> impl Iterator<Item = Object<'a>> {
    let values = values.iter::<Object<'_>>().take(MAX_OPTIONS);
    values.filter(|value| !matches!(value, Object::Array(_) | Object::Stream(_)))
}

/// The text of a value.
fn text(value: Object<'_>) -> String {
    let read = match value {
        Object::String(text) => decoded(text.as_bytes()),
        Object::Stream(stream) => stream.decoded_data().ok().and_then(|bytes| decoded(&bytes)),
        Object::Name(name) => Some(name.as_str().to_owned()),
        Object::Number(number) => Some(number.as_f64().to_string()),
        Object::Array(values) => Some(single(&values).map(text).collect::<Vec<_>>().join(", ")),
        _ => None,
    };
    read.unwrap_or_default()
}

/// The selected options as they are displayed.
fn chosen(levels: &[Dict<'_>]) -> String {
    let options = levels.iter().find_map(|level| level.get::<Array<'_>>("Opt"));
    let options: HashMap<String, String> = options
        .map(|options| options.iter::<Object<'_>>().take(MAX_OPTIONS).map(option).collect())
        .unwrap_or_default();
    let shown = |value: Object<'_>| {
        let value = text(value);
        options.get(&value).cloned().unwrap_or(value)
    };
    match levels.iter().find_map(|level| level.get::<Object<'_>>("V")) {
        Some(Object::Array(values)) => single(&values).map(shown).collect::<Vec<_>>().join(", "),
        Some(value) => shown(value),
        None => String::new(),
    }
}

/// The export value of an option, and its displayed text.
fn option(option: Object<'_>) -> (String, String) {
    match option {
        Object::Array(pair) => {
            let mut parts = single(&pair).map(text);
            let exported = parts.next().unwrap_or_default();
            let display = parts.next().unwrap_or_else(|| exported.clone());
            (exported, display)
        }
        single => {
            let value = text(single);
            (value.clone(), value)
        }
    }
}

/// Whether a box is ticked: by its current appearance, otherwise by its value.
fn is_ticked(annotation: &Dict<'_>, levels: &[Dict<'_>]) -> bool {
    let name = |level: &Dict<'_>, key: &str| level.get::<Name<'_>>(key).map(|name| name.as_str().to_owned());
    match (name(annotation, "AS"), levels.iter().find_map(|level| name(level, "V")), state(annotation)) {
        (Some(shown), ..) => shown != "Off",
        (None, Some(value), Some(state)) => value == state,
        (None, Some(value), None) => value != "Off",
        (None, None, _) => false,
    }
}

/// The name of a box's ticked state.
fn state(annotation: &Dict<'_>) -> Option<String> {
    let states = annotation.get::<Dict<'_>>("AP")?.get::<Object<'_>>("N")?.into_dict()?;
    let on = states.keys().find(|state| state.as_str() != "Off" && states.get::<Stream<'_>>(state).is_some());
    on.map(|state| state.as_str().to_owned())
}
