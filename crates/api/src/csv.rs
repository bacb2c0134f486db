//! Lists as CSV (RFC 4180) for a spreadsheet. A text of a document that a spreadsheet would take for a formula gets an
//! apostrophe before it.

use oriel_core::{Location, Survey, Table, TableCell};

/// A list of documents as CSV: one line for each sentence that mentions the thing.
pub fn survey_csv(survey: &Survey) -> String {
    let head = ["document", "page", "sentence", "probability", "state"].map(str::to_owned);
    let lines = survey.documents.iter().flat_map(|document| {
        document.sentences.iter().map(|sentence| {
            [
                document.path.to_string_lossy().into_owned(),
                match &sentence.location {
                    Location { sheet: None, row: None, page } => {
                        page.map_or_else(String::new, |page| page.to_string())
                    }
                    location => location.words(),
                },
                sentence.text.clone(),
                format!("{:.2}", sentence.score),
                match (document.included, document.certain) {
                    (Some(false), _) => "left out",
                    (Some(true), _) => "included",
                    (None, true) => "certain",
                    (None, false) => "to review",
                }
                .to_owned(),
            ]
        })
    });
    rows(std::iter::once(head).chain(lines))
}

/// A table as CSV: for each question columns with the quote, what it is worth and its place.
/// Places that disagree are joined.
pub fn table_csv(table: &Table) -> String {
    let columns =
        |question: &String| [question.clone(), format!("state: {question}"), format!("place: {question}")];
    let head = std::iter::once("document".to_owned()).chain(table.questions.iter().flat_map(columns));
    let lines = table.rows.iter().map(|row| {
        let cells = row
            .cells
            .iter()
            .flat_map(|cell| [words(cell.as_ref()), state(cell.as_ref()).to_owned(), places(cell.as_ref())]);
        std::iter::once(row.path.to_string_lossy().into_owned()).chain(cells).collect()
    });
    rows(std::iter::once(head.collect::<Vec<String>>()).chain(lines))
}

fn words(cell: Option<&TableCell>) -> String {
    let quotes = cell.iter().flat_map(|cell| &cell.quotes);
    quotes.map(|quote| quote.words.as_str()).collect::<Vec<_>>().join(" / ")
}

fn state(cell: Option<&TableCell>) -> &'static str {
    match cell {
        None => "not read yet",
        Some(cell) if cell.quotes.is_empty() => "not found",
        Some(cell) if cell.quotes.len() > 1 => "places disagree",
        Some(cell) if cell.is_unsure => "unsure",
        Some(_) => "found",
    }
}

fn places(cell: Option<&TableCell>) -> String {
    let place = |quote: &oriel_core::TableQuote| {
        let place = quote.location.words();
        let place = if place.is_empty() { place } else { place + ": " };
        format!("{place}{}", quote.sentence)
    };
    cell.map(|cell| cell.quotes.iter().map(place).collect::<Vec<_>>().join(" / ")).unwrap_or_default()
}

fn rows<R: IntoIterator<Item = String>>(rows: impl Iterator<Item = R>) -> String {
    let line = |row: R| row.into_iter().map(|text| cell(&text)).collect::<Vec<_>>().join(",") + "\r\n";
    // The mark tells a spreadsheet that it is UTF-8.
    std::iter::once("\u{feff}".to_owned()).chain(rows.map(line)).collect()
}

fn cell(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let guard = if text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn a_cell_is_one_line_and_no_formula() {
        assert_eq!(cell("He said \"no\",\nthen left."), "\"He said \"\"no\"\", then left.\"");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
    }
}
