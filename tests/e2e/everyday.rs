//! Questions that no passage answers: a sum over a table, a date, a whole document, the contents of the library.

use serde_json::json;

use crate::asking::{answered, ask, ready};
use crate::harness::Harness;
use crate::looks::look;

const ANSWER: &str = "[data-testid=answer]";
const ROW: &str = "[data-testid=row]";
const MARKED: &str = "[data-testid=marked-sentence]";

#[test]
fn sums_times_and_whole_documents_are_answered_with_their_places() {
    let harness = Harness::new();
    for (name, text) in [
        (
            "members.csv",
            "name,status,donation\nAda Abt,married,120\nBo Mohr,single,940\nCleo Falk,married,60\n",
        ),
        ("minutes 2025-03.md", "# Minutes of 14 March 2025\n\nWe decided to paint the boat house green.\n"),
        (
            "minutes 2025-04.md",
            "# Minutes of 11 April 2025\n\nWe decided to raise the yearly fee to 84 euros.\n",
        ),
    ] {
        harness.write(name, text);
    }
    let app = ready(&harness, json!({"generator": "quotes"}));

    ask(&app, "What is the sum of the donations?");
    answered(&app, 1);
    app.until_text(ANSWER, "1,120");
    assert_eq!(app.count(ROW), 3, "each row that was added up");
    look(&app, "sum");
    app.click("[data-testid=rows-query]");
    app.until_text("[data-testid=rows]", "sum");
    app.click(ROW);
    app.until_text(MARKED, "Ada Abt");
    app.keys("Escape");

    // The time in a question limits the documents, until the user removes that limit.
    ask(&app, "What did we decide in March 2025?");
    answered(&app, 2);
    app.until_text("[data-testid=time-chip]", "March 2025");
    look(&app, "time");
    app.click("[data-testid=time-chip]");
    answered(&app, 2);
    assert_eq!(app.count("[data-testid=time-chip]"), 0);

    ask(&app, "How many documents are there?");
    answered(&app, 3);
    app.until_text(ANSWER, "3 documents");
    look(&app, "library");
}
