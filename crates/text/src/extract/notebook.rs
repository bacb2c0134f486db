//! Jupyter notebooks as Markdown: their cells in order, with code and output in fences.

use oriel_core::notice::Damage;
use oriel_core::{Extracted, Failure, Kind};
use serde::Deserialize;

use super::plain_formats::markdown_outline;
use super::{Limits, damaged, encoding, too_large};

/// A text, or a list of lines.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Lines {
    One(String),
    Many(Vec<String>),
    #[default]
    None,
    Other(serde::de::IgnoredAny),
}

impl Lines {
    fn text(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Many(lines) => lines.concat(),
            Self::None | Self::Other(_) => String::new(),
        }
    }
}

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    /// Before version 4.
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(default)]
    cell_type: String,
    #[serde(default)]
    source: Lines,
    /// The source before version 4.
    #[serde(default)]
    input: Lines,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    text: Lines,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    #[serde(default, rename = "text/plain")]
    plain: Lines,
}

/// Reads a notebook.
pub(super) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, Failure> {
    let json = encoding::decode(bytes, None);
    let notebook: Notebook =
        serde_json::from_str(&json).map_err(|_| damaged(Kind::Notebook, Damage::Senseless))?;
    let mut text = String::new();
    let mut add = |part: &str| {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(part);
    };
    for cell in notebook.cells.iter().chain(notebook.worksheets.iter().flat_map(|sheet| &sheet.cells)) {
        let source = cell.source.text() + &cell.input.text();
        match cell.cell_type.as_str() {
            _ if source.trim().is_empty() => {}
            "code" => add(&fenced(&source)),
            "heading" => add(&format!("# {source}")),
            _ => add(source.trim_end()),
        }
        for output in &cell.outputs {
            let said = output.text.text() + &output.data.plain.text();
            if !said.trim().is_empty() {
                add(&fenced(&said));
            }
        }
    }
    if text.len() > limits.text_bytes {
        return Err(too_large());
    }
    Ok(Extracted { outline: markdown_outline(&text), ..Extracted::new(Kind::Notebook, text) })
}

/// Puts code in a fence that is longer than any fence in the code.
fn fenced(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    format!("{fence}\n{}\n{fence}", code.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_their_output_are_text() {
        let json = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Rivers\n", "\n", "All *of* them."], "metadata": {}},
            {"cell_type": "code", "source": "sum([1, 2])", "outputs": [
                {"output_type": "stream", "text": ["done\n"]},
                {"output_type": "execute_result", "data": {"text/plain": ["3"], "image/png": "aGk="}}]}
        ], "nbformat": 4}"##;
        let notebook = extract(json.as_bytes(), &Limits::default()).unwrap().validated().unwrap();
        let expected = "# Rivers\n\nAll *of* them.\n\n```\nsum([1, 2])\n```\n\n```\ndone\n```\n\n```\n3\n```";
        assert_eq!(notebook.text, expected);
        assert_eq!(notebook.outline.headings[0].span.of(&notebook.text), Some("Rivers"));
        assert_eq!(fenced("a ```` b"), "`````\na ```` b\n`````");
        assert!(extract(b"{", &Limits::default()).is_err());
    }
}
