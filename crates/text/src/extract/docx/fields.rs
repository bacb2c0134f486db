//! Word's fields: codes, page numbers, and the form fields that existed before content controls.

use quick_xml::events::BytesStart;

use super::super::page_numbers;
use super::super::xml::{Body, attribute};
use super::styles::is_on;

/// Fields nested more deeply are not distinguished.
const MAX_FIELDS: usize = 50;
/// Further entries of a list are ignored.
const MAX_ENTRIES: usize = 1000;

/// A form field.
pub(super) enum FormField {
    Box { is_ticked: Option<bool>, usual: bool },
    List { chosen: usize, entries: Vec<String> },
}

impl FormField {
    /// A check box as a character.
    pub(super) fn mark(is_ticked: bool) -> &'static str {
        if is_ticked { "☑" } else { "☐" }
    }

    pub(super) fn write(self, body: &mut Body) {
        match self {
            Self::Box { is_ticked, usual } => body.write(Self::mark(is_ticked.unwrap_or(usual))),
            Self::List { chosen, entries } => body.write(entries.get(chosen).map_or("", String::as_str)),
        }
    }
}

/// The open fields, outermost first.
#[derive(Default)]
pub(super) struct Fields {
    open: Vec<Field>,
    /// The fields are in a header or footer, where page numbers are left out.
    pub(super) is_header_or_footer: bool,
    form: Option<FormField>,
}

#[derive(Default)]
struct Field {
    code: String,
    has_result: bool,
}

impl Field {
    fn is_page_number(&self) -> bool {
        let name = self.code.split_whitespace().next().unwrap_or_default();
        ["PAGE", "NUMPAGES", "SECTIONPAGES"].iter().any(|page| name.eq_ignore_ascii_case(page))
    }
}

impl Fields {
    /// Whether the next text is a page number to leave out.
    pub(super) fn is_page_number(&self) -> bool {
        self.is_header_or_footer && self.open.iter().any(|field| field.has_result && field.is_page_number())
    }

    pub(super) fn start(&mut self, name: &str, element: &BytesStart<'_>, body: &mut Body) {
        let value = || attribute(element, "val");
        match name {
            "fldChar" => match attribute(element, "fldCharType").as_deref() {
                Some("begin") if self.open.len() < MAX_FIELDS => self.open.push(Field::default()),
                Some("separate") => self.begin_result(body),
                Some("end") => {
                    self.begin_result(body);
                    self.end();
                }
                _ => {}
            },
            "fldSimple" => {
                self.open
                    .push(Field { code: attribute(element, "instr").unwrap_or_default(), has_result: false });
                self.begin_result(body);
            }
            "pgNum" if self.is_header_or_footer => body.write(page_numbers::NUMBER),
            "checkBox" => self.form = Some(FormField::Box { is_ticked: None, usual: false }),
            "ddList" => self.form = Some(FormField::List { chosen: 0, entries: Vec::new() }),
            _ => match (name, &mut self.form) {
                ("default", Some(FormField::Box { usual, .. })) => *usual = is_on(value().as_deref()),
                ("checked", Some(FormField::Box { is_ticked, .. })) => {
                    *is_ticked = Some(is_on(value().as_deref()));
                }
                ("result" | "default", Some(FormField::List { chosen, .. })) => {
                    *chosen = value().and_then(|value| value.parse().ok()).unwrap_or(*chosen);
                }
                ("listEntry", Some(FormField::List { entries, .. })) if entries.len() < MAX_ENTRIES => {
                    entries.push(value().unwrap_or_default());
                }
                _ => {}
            },
        }
    }

    /// Adds text to the code of the innermost field.
    pub(super) fn code(&mut self, code: &str) {
        if let Some(field) = self.open.last_mut().filter(|field| !field.has_result) {
            field.code.push_str(code);
        }
    }

    pub(super) fn end(&mut self) {
        self.open.pop();
    }

    pub(super) fn take_form(&mut self) -> Option<FormField> {
        self.form.take()
    }

    fn begin_result(&mut self, body: &mut Body) {
        if let Some(field) = self.open.last_mut().filter(|field| !field.has_result) {
            field.has_result = true;
            if self.is_header_or_footer && field.is_page_number() {
                body.write(page_numbers::NUMBER);
            }
        }
    }
}
