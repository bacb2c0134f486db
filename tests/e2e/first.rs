//! First run: the sample, then a question; folders and files that come by drag and drop or the system's dialog.

use std::fs;

use crate::desk::Desk;

#[test]
fn the_sample_is_one_click_away_and_answers() {
    let desk = Desk::new();
    let app = desk.start();
    assert!(app.text("[data-testid=first-run]").contains("Add a folder to begin"));
    app.press("Try the sample");
    // Figures from the first moment, while it is read.
    app.until_text("[data-testid=found]", "23 documents found in Sample");
    app.until_text("[data-testid=found-row]", "of 23");
    app.until_text("[data-testid=status]", "Up to date");
    app.until_text("[data-testid=status]", "23 files");
    assert_eq!(app.text("[data-folder]"), "Sample 23");
    app.type_into("textarea", "How long does the battery keep the hands moving after a power cut?");
    app.keys("Enter");
    app.until_text(".cards", "72 hours");
}
