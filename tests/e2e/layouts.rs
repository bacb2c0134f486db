//! Sheets, slides, mails, books and code in the viewer: a passage opens at its place in each.

use serde_json::json;

use crate::asking::{answered, ask, ready};
use crate::harness::{App, Harness};
use crate::looks::look;

const VIEWER: &str = "[data-testid=viewer]";

/// An OpenDocument file as one XML file.
fn flat(kind: &str, body: &str) -> String {
    format!(
        "<?xml version='1.0'?><office:document xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' \
         xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' \
         xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0' xmlns:presentation='urn:oasis:names:tc:opendocument:xmlns:presentation:1.0' \
         office:mimetype='application/vnd.oasis.opendocument.{kind}'><office:body>{body}</office:body></office:document>"
    )
}

/// A workbook of two sheets; two rows of the second have no text.
fn workbook() -> String {
    let row = |cells: &[&str]| {
        let cells =
            cells.iter().map(|cell| format!("<table:table-cell><text:p>{cell}</text:p></table:table-cell>"));
        format!("<table:table-row>{}</table:table-row>", cells.collect::<String>())
    };
    let many: String = (0..400).map(|at| row(&[&format!("Batch {}", 20 + at), "60", "4", "61%"])).collect();
    let yields = [
        row(&["Batch", "Heat", "Hours", "Yield"]),
        row(&["Batch 11", "70", "4", "68%"]),
        "<table:table-row table:number-rows-repeated='2'/>".to_owned(),
        row(&["Batch 12, the violet dye of Saltash", "80", "4", "74%"]),
        many,
    ];
    let sheet = |name: &str, rows: &str| format!("<table:table table:name='{name}'>{rows}</table:table>");
    let overview = sheet("Overview", &row(&["Project", "Phoenix"]));
    flat(
        "spreadsheet",
        &format!("<office:spreadsheet>{overview}{}</office:spreadsheet>", sheet("Yields", &yields.concat())),
    )
}

fn deck() -> String {
    let slide = |title: &str, words: &str| {
        format!(
            "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>{title}</text:p></draw:text-box></draw:frame>\
             <draw:frame presentation:class='outline'><draw:text-box><text:p>{words}</text:p></draw:text-box></draw:frame></draw:page>"
        )
    };
    let slides = [
        slide("The year", "Three clocks were sold."),
        slide("The pump", "The bilge pump of the tender was replaced in April."),
        slide("Staff", "Nobody left."),
    ];
    flat("presentation", &format!("<office:presentation>{}</office:presentation>", slides.concat()))
}

const MAIL: &str = "From: Priya Raman <p.raman@northwind.example>\r\nTo: Adaeze Okafor <a.okafor@northwind.example>\r\n\
    Date: Tue, 3 Sep 2024 07:40:00 +0200\r\nSubject: Penang handed over\r\n\
    Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
    Dear Adaeze,\r\n\r\nthe first line in Penang was handed over on 2 September.\r\n\r\nPriya\r\n\r\n\
    On 1 September you wrote:\r\n> How far are we?\r\n> The board meets soon.\r\n\
    --x\r\nContent-Disposition: attachment; filename=protocol.txt\r\n\r\nThe protocol has seven signatures.\r\n--x--\r\n";

fn book() -> String {
    let chapter = |title: &str, words: &str| {
        let filler = "<p>The tide came in, and it went out again, as it had for years.</p>".repeat(40);
        format!("<section><title><p>{title}</p></title><p>{words}</p>{filler}</section>")
    };
    let chapters = [
        chapter("The first maker", "Josiah Quill built the mill race."),
        chapter("The second maker", "Between March and June his daughter sold eleven astrolabes."),
    ];
    format!(
        "<?xml version='1.0' encoding='utf-8'?><FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'><description><title-info>\
         <book-title>The Tide Clock</book-title></title-info></description><body>{}</body></FictionBook>",
        chapters.concat()
    )
}

const CODE: &str =
    "fn main() {\n    let heat = 80;\n\n    // The kiln must never be lit at night.\n    light(heat);\n}\n";

/// Waits until `words` are marked in the viewer, including the marked neighbours.
fn until_marked(app: &App, within: &str, words: &str) {
    let marked = "return [...document.querySelectorAll(`${arguments[0]} [data-mark=sentence]`)]
        .map(one => one.textContent).join('')";
    app.until(&format!("'{words}' is marked"), || {
        app.run(marked, json!([within])).as_str().is_some_and(|marked| marked.contains(words))
    });
}

fn open(app: &App, turn: usize, question: &str, file: &str) {
    ask(app, question);
    answered(app, turn);
    let press = "const cards = [...document.querySelectorAll('[data-turn]')].at(-1).querySelectorAll('[data-testid=card]')
        const card = [...cards].find(one => one.querySelector('h3').innerText === arguments[0])
        card?.querySelector('p').click()
        return card !== undefined";
    assert_eq!(
        app.run(press, json!([file])),
        true,
        "{file} is a passage: {}",
        app.text("[data-testid=card] h3")
    );
    app.until_text("[data-testid=viewer] header", file);
}

#[test]
fn a_passage_opens_its_row_slide_mail_chapter_and_line() {
    let harness = Harness::new();
    harness.write("Lab/yields.fods", workbook());
    harness.write("Board/deck.fodp", deck());
    harness.write("Mail/penang.eml", MAIL);
    harness.write("Books/tide.fb2", book());
    harness.write("Code/kiln.rs", CODE);
    let app = ready(&harness, json!({"generator": "quotes", "theme": "light", "language": "en"}));

    open(&app, 1, "What about the violet dye of Saltash?", "yields.fods");
    let row = "[role=grid] [role=row][aria-selected=true]";
    app.until_text(row, "violet dye");
    app.until_text(VIEWER, "Row 1 of 1");
    app.until_text("[data-testid=viewer] header", "Yields, row 5");
    app.until_text("[role=tab][aria-selected=true]", "Yields");
    assert!(app.count("[role=grid] [role=row]") < 80, "only rows near the eye are drawn");
    look(&app, "sheet");
    app.run("document.querySelector('[role=grid]').focus()", json!([]));
    app.keys("Ctrl+End");
    app.until_text("[data-testid=cell-value]", "D405");

    open(&app, 2, "When was the bilge pump of the tender replaced?", "deck.fodp");
    until_marked(&app, VIEWER, "replaced in April");
    app.until_text("[data-testid=viewer] header", "slide 2 of 3");
    look(&app, "slides");

    open(&app, 3, "When was the first line in Penang handed over?", "penang.eml");
    until_marked(&app, VIEWER, "on 2 September");
    app.until_text("[data-testid=viewer] dl", "Priya Raman <p.raman@northwind.example>");
    let cards = app.text("[data-testid=card] header");
    assert!(
        cards.contains("Priya Raman") && cards.contains("3 Sep"),
        "the card names sender and day: {cards}"
    );
    look(&app, "mail");
    // A quotation in a mail is folded unless it is marked, as the window does here.
    app.until_text(VIEWER, "How far are we?");
    app.click("[data-testid=viewer-members] button");
    app.until_text(VIEWER, "seven signatures");
    app.until_text("[data-testid=viewer-inside]", "in penang.eml");
    look(&app, "attachment");
    app.keys("Alt+Left");
    until_marked(&app, VIEWER, "on 2 September");

    open(&app, 4, "How many astrolabes did the daughter sell?", "tide.fb2");
    until_marked(&app, VIEWER, "eleven astrolabes");
    app.press("Chapters");
    app.press("The first maker");
    look(&app, "book");

    open(&app, 5, "When must the kiln never be lit?", "kiln.rs");
    until_marked(&app, "[data-testid=viewer] [data-line='4']", "never be lit at night");
    look(&app, "code");
}

#[test]
#[ignore = "journey: make test-window"]
fn mails_are_asked_by_sender() {
    let harness = Harness::new();
    harness.write("penang.eml", MAIL);
    harness.write("other.eml", MAIL.replace("Priya Raman <p.raman", "Jonas <jonas"));
    let app = ready(&harness, json!({"generator": "quotes", "theme": "light", "language": "en"}));
    app.click("[data-testid=senders-chip]");
    app.until_text("[role=dialog]", "Jonas <jonas@northwind.example>");
    look(&app, "senders");
    app.type_into("[data-testid=sender]", "jonas");
    app.keys("Enter");
    app.keys("Escape");
    app.until_text("[data-testid=senders-chip]", "jonas");
    ask(&app, "When was the first line in Penang handed over?");
    answered(&app, 1);
    assert_eq!(app.text("[data-testid=card] h3"), "other.eml");
}
