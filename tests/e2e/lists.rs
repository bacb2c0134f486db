//! A count of documents with its list, reviewed and opened; and the table made from it.

use std::fs;

use serde_json::json;

use crate::asking::{answered, ask, ready};
use crate::harness::Harness;
use crate::looks::look;

const ROW: &str = "[data-testid=survey-document]";
const MARKED: &str = "[data-testid=marked-sentence]";
const CELL: &str = "[data-testid=cell]";

#[test]
fn all_contracts_are_counted_listed_and_made_a_table() {
    let harness = Harness::new();
    let clause =
        "The goods are delivered to the warehouse in Hull. Payment is due on receipt of the invoice.";
    for (name, text) in [
        ("Contracts/Brandt.md", "Brandt Ltd may end this agreement by giving three months' written notice."),
        ("Contracts/Cleaning.md", "The notice period for the cleaning is six weeks to the end of a quarter."),
        ("Contracts/Printer.md", "The warranty for the printer lasts two years."),
        ("Letters/Roof.md", "The roof was repaired in May by Idris Vaughan."),
    ] {
        harness.write(name, format!("# {name}\n\n{clause} {text}\n"));
    }
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "Which contracts mention a notice period?");
    answered(&app, 1);
    app.until_text("[data-testid=answer]", "2 of 3 contracts");
    app.until_text("[data-testid=survey-coverage]", "3 of 3 files in Contracts read in full.");
    assert_eq!(app.count(ROW), 2);
    look(&app, "list");

    // The app explains how it counted.
    app.press("How it was counted");
    look(&app, "counted");
    app.press("How it was counted");

    // A sentence opens at its place.
    app.click("[data-testid=survey-sentence]");
    app.until_text(MARKED, "three months' written notice");
    app.keys("Escape");

    // Excluded documents are not counted.
    app.press("Leave out");
    app.until_text("[data-testid=answer]", "1 of 3 contracts");
    app.press("Undo");
    app.until_text("[data-testid=answer]", "2 of 3 contracts");

    // One row per document, one column per question.
    app.click("[data-testid=to-table]");
    app.until("the dialog is there", || app.count("[data-testid=make-table]") == 1);
    look(&app, "make-table");
    app.type_text("How long is it?");
    app.press("Make the table");
    app.until("everything is read", || app.count(CELL) == 8 && app.count("[aria-label='not read yet']") == 0);
    app.until_text("[data-testid=table-figures]", "of 8 filled");
    app.until_text(CELL, "three months");
    app.until_text(CELL, "six weeks");
    look(&app, "table");
    let csv = harness.home().join("table.csv");
    app.click("[data-testid=table-save]");
    app.save_as(&csv);
    app.until("it is written", || fs::read_to_string(&csv).is_ok_and(|text| text.contains("six weeks")));

    // It is saved with the question.
    let app = app.restart();
    app.click("[data-talk]");
    app.press("Open the table");
    app.until_text(CELL, "three months");
}
