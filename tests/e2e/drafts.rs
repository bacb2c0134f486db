//! A draft: checked sentence by sentence, sources opened, a wrong number replaced; from a selection and from a file.

use serde_json::json;

use crate::asking::{answered, ask, ready};
use crate::harness::{App, Harness};

const FIELD: &str = "[data-testid=draft-field]";
const ROW: &str = "[data-testid=draft-row]";
const LEAD: &str = "[data-testid=draft-lead]";

const PUMP: &str = "# Pump\n\nIdris Vaughan repaired the pump in the cellar in May 2023. The repair cost 1,150 pounds. \
    The pump had leaked since the winter.\n";

/// Waits until the check has ended.
fn checked(app: &App, rows: usize) {
    app.until("the draft is checked", || {
        app.count(ROW) == rows
            && app.count("[data-testid=draft-stop]") == 0
            && !app.text(ROW).contains("Checking")
    });
}

/// The text of each row.
fn rows(app: &App) -> Vec<String> {
    let rows = app.run(
        "return [...document.querySelectorAll(arguments[0])].map(one => one.innerText.replace(/\\s+/g, ' '))",
        json!([ROW]),
    );
    serde_json::from_value(rows).unwrap()
}

#[test]
fn a_draft_is_checked_its_places_open_and_a_wrong_number_is_replaced() {
    let harness = Harness::new();
    harness.write("Workshop/Pump.md", PUMP);
    let app = ready(&harness, json!({"generator": "quotes"}));
    app.keys("Ctrl+d");
    app.type_into(FIELD, "Idris Vaughan repaired the pump in May 2023. The repair cost 1,250 pounds.");
    app.keys("Enter");
    app.type_into(FIELD, "The ferry sails at noon.");
    app.until_text("[data-testid=draft-size]", "3 sentences");
    app.keys("Ctrl+Enter");
    checked(&app, 3);
    let found = rows(&app);
    assert!(found[0].contains("Supported") && found[0].contains("Pump.md"), "{found:?}");
    assert!(found[1].contains("The passage says 1,150 pounds, not 1,250 pounds"), "{found:?}");
    assert!(found[2].contains("Not found"), "{found:?}");
    app.until_text(LEAD, "Your documents support 1 of these 3 sentences.");

    // By the keyboard to the problem, and to its source.
    app.run("document.activeElement.blur()", json!([]));
    app.keys("Shift+J");
    app.until("the problem has the focus", || {
        app.run("return document.activeElement.innerText", json!([])).as_str().unwrap().contains("1,250")
    });
    app.keys("Enter");
    app.until_text("[data-testid=marked-sentence]", "The repair cost 1,150 pounds.");
    app.until_text("[data-testid=viewer-finding]", "The passage says 1,150 pounds, not 1,250 pounds");

    app.press("Replace 1,250 pounds with 1,150 pounds");
    app.until_text(LEAD, "Your documents support 2 of these 3 sentences.");
    let found = rows(&app);
    assert!(
        found[1].contains("The repair cost 1,150 pounds.") && found[1].contains("Supported"),
        "{found:?}"
    );
    app.run("document.activeElement.blur()", json!([]));
    app.keys("Ctrl+z");
    app.until_text(LEAD, "Your documents support 1 of these 3 sentences.");
    assert!(rows(&app)[1].contains("1,250"));

    // The report says the same.
    let file = harness.home().join("report.md");
    app.press("Save report");
    app.save_as(&file);
    crate::harness::wait("the report is written", || file.is_file());
    let report = std::fs::read_to_string(&file).unwrap();
    assert!(
        report.contains("1. Idris Vaughan repaired the pump in May 2023.\n   - **Supported**, Pump.md"),
        "{report}"
    );
    assert!(report.contains("“The repair cost 1,150 pounds.”"), "{report}");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_selection_and_a_dropped_file_are_drafts() {
    let harness = Harness::new();
    harness.write("Workshop/Pump.md", PUMP);
    let letter = harness.home().join("Letter.txt");
    std::fs::write(&letter, "The pump had leaked since the winter.").unwrap();
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "What did the repair of the pump cost?");
    answered(&app, 1);
    let select = "getSelection().selectAllChildren(document.querySelector('[data-testid=answer] p'))
                  dispatchEvent(new PointerEvent('pointerup'))";
    app.run(select, json!([]));
    app.click("[data-testid=check-selection]");
    app.until_text(LEAD, "Your documents support");
    assert!(app.text(ROW).contains("1,150 pounds"), "{}", app.text(ROW));

    app.drop_files(&[&letter], |app| app.until_text("[data-testid=drop-overlay]", "check its text"));
    app.until("the text of the file is there", || {
        app.run("return document.querySelector(arguments[0])?.value", json!([FIELD]))
            == "The pump had leaked since the winter."
    });
    app.click("[data-testid=draft-check]");
    checked(&app, 1);
    app.until_text(LEAD, "Your documents support this sentence.");
    // The draft was not saved.
    assert_eq!(harness.oriel(&["status"])["documents"], 1);
}
