//! First run: the sample, then a question.

use crate::desk::Desk;

#[test]
fn the_sample_is_one_click_away_and_answers() {
    let desk = Desk::new();
    let app = desk.start();
    app.press("sample");
    app.until_text(".rail", "Pellow");
}
