//! First run: the sample, then a question.

use crate::desk::Desk;

#[test]
fn the_sample_is_one_click_away_and_answers() {
    let desk = Desk::new();
    let app = desk.start();
    std::fs::write("/tmp/h/1.png", app.screenshot()).unwrap();
    app.press("sample");
    std::thread::sleep(std::time::Duration::from_secs(5));
    std::fs::write("/tmp/h/2.png", app.screenshot()).unwrap();
    app.until_text("body", "Pellow");
}
