//! The viewer: a citation opens at its place, in every format, and problems with the file are shown.

use std::fs;
use std::path::Path;

use oriel_core::Kind;
use oriel_text::Drawing;
use serde_json::{Value, json};

use crate::asking::{BATTERY, FREEZER, LEASE, MANUAL, RECALL, answered, ask, ready, take};
use crate::harness::{App, Harness};
use crate::looks::look;

const REPORT: &str = "Finance/Annual report 2023-24.docx";
const PEOPLE: &str = "Intranet/Who does what.html";
const MARKED: &str = "[data-testid=marked-sentence]";
const HEAD: &str = "[data-testid=viewer] header";

/// Without white space, hyphens and the different quotation marks: a page breaks lines elsewhere than the text.
fn letters(text: &str) -> String {
    let is_hyphen = |one: char| ['-', '\u{ad}', '\u{2010}'].contains(&one);
    text.chars().filter(|&one| !one.is_whitespace() && !is_hyphen(one)).collect()
}

/// Presses every citation of the answer, which quotes, and compares the marked text with the sentence before it; one of
/// them contains `words`. The last one stays open.
fn follow(app: &App, file: &str, words: &str) {
    // The text between one citation and the next: a quoted sentence.
    let cited = "
        const said = []
        let text = ''
        const answer = document.querySelector('[data-testid=answer]')
        const all = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT)
        for (let node = all.nextNode(); node; node = all.nextNode()) {
            const cite = node.parentElement.closest('.cite')
            if (cite) { cite.id = `cite-${said.length}`; said.push([cite.innerText, text]); text = '' }
            else text += node.data
        }
        return said";
    let cited = app.run(cited, json!([]));
    let cited = cited.as_array().unwrap();
    let is_wanted = |one: &&Value| letters(one[1].as_str().unwrap()).contains(&letters(words));
    assert!(cited.iter().any(|one| is_wanted(&one)), "{words:?} is not quoted in {cited:?}");
    let last = cited.iter().position(|one| is_wanted(&one)).unwrap();
    let name = file.rsplit('/').next().unwrap();
    let in_card = "const cards = [...document.querySelectorAll('.card')]
                   const card = cards.find(one => one.querySelector('.cite')?.innerText === arguments[0])
                   return [card.querySelector('h3').innerText].concat([...card.querySelectorAll('.s, .w')].map(one => one.textContent))";
    for at in (0..cited.len()).filter(|&at| at != last).chain([last]) {
        let sentence = letters(cited[at][1].as_str().unwrap().trim_matches([' ', '\n', '“', '”']));
        app.click(&format!("#cite-{at}"));
        app.until(&format!("'{sentence}' is marked"), || letters(&app.text(MARKED)) == sentence);
        let card = app.run(in_card, json!([cited[at][0]]));
        let card: Vec<&str> = card.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        assert!(
            letters(&card[1..].concat()).contains(&sentence),
            "{sentence:?} is not in its card: {card:?}"
        );
        app.until_text(HEAD, card[0]);
    }
    app.until_text(HEAD, name);
}

/// Rescans the folders, with the command of the folder's menu.
fn look_again(app: &App) {
    app.hover("[data-folder]");
    app.click("[data-testid=folders] .more");
    app.press("Look again");
}

fn opened<'d>(harness: &'d Harness, file: &str, question: &str, words: &str) -> App<'d> {
    let other = if file == RECALL { FREEZER } else { RECALL };
    take(harness, &[file, other]);
    let app = ready(harness, json!({"generator": "quotes"}));
    ask(&app, question);
    answered(&app, 1);
    follow(&app, file, words);
    app
}

/// The marked text is visible: nothing covers it, and it is inside the window.
fn is_in_sight(app: &App) {
    let seen = "const mark = document.querySelector('[data-testid=viewer] [data-mark=sentence]')
        const box = mark?.getBoundingClientRect()
        const viewer = document.querySelector('[data-testid=viewer]')
        return box !== undefined && viewer.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))";
    app.until("the marked sentence is in sight", || app.run(seen, json!([])) == true);
}

/// Compares the boxes of the marked sentence with its words in the text layer: there is a box for each of at least
/// `lines` lines, over the words and little else.
fn boxes_lie_over_the_words(app: &App, page: u32, lines: f64) {
    app.one(&format!("[data-page='{page}'] [data-mark=sentence]"));
    // The words of the sentence in the text layer, and the boxes: the share of each that the other covers.
    let cover = "
        const sheet = document.querySelector(`[data-page='${arguments[0]}']`)
        const bare = (text) => text.replace(/[\\s\\u00ad\\u2010-]+/g, '')
        const wanted = bare(document.querySelector('[data-testid=marked-sentence]').textContent)
        const signs = []
        const texts = document.createTreeWalker(sheet.querySelector('.text'), NodeFilter.SHOW_TEXT)
        for (let node = texts.nextNode(); node; node = texts.nextNode())
            for (let k = 0; k < node.length; k += 1) if (bare(node.data[k])) signs.push([node, k])
        const at = signs.map(([node, k]) => node.data[k]).join('').indexOf(wanted)
        if (at < 0) return null
        const rectangles = signs.slice(at, at + wanted.length).map(([node, k]) => {
            const range = document.createRange()
            range.setStart(node, k)
            range.setEnd(node, k + 1)
            return range.getBoundingClientRect()
        })
        const boxes = [...sheet.querySelectorAll('[data-mark=sentence]')].map(one => one.getBoundingClientRect())
        const area = (one) => one.width * one.height
        const both = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
            * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
        const total = (all) => all.reduce((sum, one) => sum + one, 0)
        const shared = total(rectangles.map(one => Math.max(0, ...boxes.map(box => both(one, box)))))
        const inside = rectangles.filter(one => boxes.some(box =>
            (one.left + one.right) / 2 >= box.left - 1 && (one.left + one.right) / 2 <= box.right + 1
            && (one.top + one.bottom) / 2 >= box.top && (one.top + one.bottom) / 2 <= box.bottom)).length
        return {words: shared / total(rectangles.map(area)), boxes: shared / total(boxes.map(area)),
            inside: inside / rectangles.length, lines: boxes.length}";
    let mut seen = Value::Null;
    app.until("the text is laid over the page", || {
        seen = app.run(cover, json!([page]));
        !seen.is_null()
    });
    let number = |name: &str| seen[name].as_f64().unwrap();
    assert!(number("lines") >= lines, "page {page}: one box a line: {seen}");
    assert!(number("inside") > 0.98, "page {page}: letters outside of the boxes: {seen}");
    assert!(number("words") > 0.7, "page {page}: the boxes do not cover the words: {seen}");
    assert!(number("boxes") > 0.6, "page {page}: the boxes cover more than the words: {seen}");
}

#[test]
fn a_citation_opens_the_page_of_a_pdf_and_the_boxes_lie_over_the_words() {
    let harness = Harness::new();
    let app = opened(&harness, MANUAL, BATTERY, "the battery keeps the hands moving for 72 hours");
    app.until_text(HEAD, "page 4 of 7");
    is_in_sight(&app);
    boxes_lie_over_the_words(&app, 4, 4.0);
}

/// A PDF with rotated pages, each by so many degrees, that show a part of their content. A page has lines of text.
fn turned(pages: &[(u32, &[&str])]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (turn, lines) in pages {
        let text: String = lines.iter().map(|line| format!("({line}) Tj T* ")).collect();
        let drawn = format!("BT /F1 14 Tf 18 TL 90 600 Td {text}ET");
        let at = objects.len() + 2;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /CropBox [60 50 560 780] /Rotate {turn} \
             /Resources << /Font << /F1 3 0 R >> >> /Contents {at} 0 R >>"
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len()));
    }
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 4 + 2 * page)).collect();
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    let (mut pdf, mut places) = (String::from("%PDF-1.4\n"), String::new());
    for (number, object) in (1..).zip(&objects) {
        places.push_str(&format!("{:010} 00000 n \n", pdf.len()));
        pdf.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let (at, size) = (pdf.len(), objects.len() + 1);
    pdf.push_str(&format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{at}\n%%EOF\n"
    ));
    pdf.into_bytes()
}

#[test]
#[ignore = "journey: make test-window"]
fn on_a_page_that_is_turned_and_cut_the_boxes_lie_over_the_words() {
    let harness = Harness::new();
    let lines: [(u32, &[&str]); 4] = [
        (0, &["The first lighthouse was built by Marla Quint in", "the hard winter of 1871."]),
        (90, &["The second lighthouse burned down when a lamp", "fell over on Easter Monday."]),
        (180, &["The third lighthouse belongs to a baker, who", "sells honey bread on its stairs."]),
        (270, &["The fourth lighthouse leans to the west by more", "than a hand each year."]),
    ];
    harness.write("Lighthouses.pdf", turned(&lines));
    let app = ready(&harness, json!({"generator": "quotes"}));
    let asked = [
        "Who built the first lighthouse?",
        "When did the second lighthouse burn down?",
        "To whom does the third lighthouse belong?",
        "To which side does the fourth lighthouse lean?",
    ];
    for (page, (question, (_, words))) in (1..).zip(asked.into_iter().zip(lines)) {
        app.keys("Ctrl+n");
        app.until("the page is empty", || app.count("[data-turn]") == 0);
        ask(&app, question);
        answered(&app, 1);
        follow(&app, "Lighthouses.pdf", words[1]);
        app.until_text(HEAD, &format!("page {page} of 4"));
        boxes_lie_over_the_words(&app, page, 2.0);
    }
}

#[test]
#[ignore = "journey: make test-window"]
fn a_pdf_that_is_encrypted_and_asks_for_no_password_opens_with_its_sentence_marked() {
    let harness = Harness::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/encrypted.pdf");
    harness.write("Lighthouse.pdf", fs::read(file).unwrap());
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "When was the lighthouse on Gannet Rock lit for the first time?");
    answered(&app, 1);
    follow(&app, "Lighthouse.pdf", "the ninth of November 1842");
    boxes_lie_over_the_words(&app, 1, 2.0);
}

/// A page of a PDF as an image file (BMP).
fn photographed(file: &str, page: u32) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sample").join(file);
    let drawn = Drawing::open(Kind::Pdf, fs::read(file).unwrap()).unwrap().page(page).unwrap();
    let mut image = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    // A negative height: the rows start at the top.
    for side in [drawn.width as i32, -(drawn.height as i32)] {
        image.extend(side.to_le_bytes());
    }
    image.extend(b"\x01\0\x18\0");
    image.resize(54, 0);
    for row in drawn.grey.chunks(drawn.width as usize) {
        image.extend(row.iter().flat_map(|grey| [*grey; 3]));
        image.resize(54 + (image.len() - 54).next_multiple_of(4), 0);
    }
    image
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_opens_an_image_with_its_sentence_marked_and_its_text_is_at_hand() {
    let harness = Harness::new();
    harness.write("Page 4.bmp", photographed(MANUAL, 4));
    harness.oriel(&["add", harness.documents().to_str().unwrap()]);
    assert_eq!(harness.oriel(&["index"])["documents"], 1);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, BATTERY);
    answered(&app, 1);
    follow(&app, "Page 4.bmp", "the battery keeps the hands moving for 72 hours");
    app.until_text(HEAD, "image");
    app.one("[data-page='1'] [data-mark=sentence]");
    is_in_sight(&app);
    look(&app, "image");
    app.press("Show the text");
    app.until_text("[data-testid=viewer] .now", "72 hours");
    app.press("Show the pages");
    app.one("[data-page='1'] [data-mark=sentence]");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_passage_is_opened_before_the_first_word_of_its_answer() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let app = ready(&harness, json!({}));
    ask(&app, BATTERY);
    app.one("[data-testid=card]");
    app.keys("Alt+1");
    app.one(MARKED);
    assert!(app.text("[data-testid=viewer] header").contains("User Manual"));
    answered(&app, 1);
    assert_eq!(app.count("[data-testid=viewer] [role=alert]"), 0);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_opens_the_sentence_in_markdown() {
    let harness = Harness::new();
    let question = "Which wheel is pushed sideways, and what opens?";
    let app = opened(
        &harness,
        FREEZER,
        question,
        "the wheel is pushed sideways, and the collar that clamps it opens",
    );
    is_in_sight(&app);
    // Marked text has the same style as unmarked text: that of its paragraph, or of its heading.
    let letters = "const of = (one) => { const style = getComputedStyle(one); return [style.fontSize, style.fontWeight, style.fontFamily] }
        return [...document.querySelectorAll('[data-testid=viewer] [data-mark]')].map(one => [of(one), of(one.parentElement)])";
    let letters = app.run(letters, json!([]));
    let letters = letters.as_array().unwrap();
    assert!(!letters.is_empty() && letters.iter().all(|pair| pair[0] == pair[1]), "{letters:?}");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_opens_the_sentence_in_plain_text() {
    let harness = Harness::new();
    let question = "Until when can owners of a recalled clock have their money back?";
    let app = opened(&harness, RECALL, question, "in full, until 30 June 2024");
    is_in_sight(&app);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_opens_the_sentence_in_html() {
    let harness = Harness::new();
    let question = "What is the van called?";
    let app = opened(&harness, PEOPLE, question, "The van is called Limpet.");
    is_in_sight(&app);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_citation_opens_the_sentence_in_word() {
    let harness = Harness::new();
    let question = "At what exchange rate was the German credit entered in the accounts?";
    let app = opened(&harness, REPORT, question, "which we took as 0.85 pounds to the euro");
    is_in_sight(&app);
}

#[test]
#[ignore = "journey: make test-window"]
fn one_goes_through_the_marks_sizes_and_finds_in_a_document() {
    let harness = Harness::new();
    let app = opened(&harness, MANUAL, BATTERY, "72 hours");
    let which = || app.text("[data-testid=viewer] .which");
    app.until_text("[data-testid=viewer] .which", "of");
    assert!(which().ends_with("of 1"), "only the sentence that answers is marked: {}", which());

    let size = || app.text("[data-testid=viewer] .size");
    let wide = || app.run("return document.querySelector('.sheet').getBoundingClientRect().width", json!([]));
    let (fit, before) = (size(), wide());
    app.press("Larger");
    app.until("it is larger", || size() != fit && wide().as_f64() > before.as_f64());
    is_in_sight(&app);
    app.click("[data-testid=viewer] .size");
    app.until("it fits the width again", || size() == fit);

    app.press("Find in this document");
    app.type_into("[data-testid=viewer-find]", "constants");
    app.until_text("[data-testid=viewer] [role=search]", "1 of");
    app.one(".box.find.shown");
    app.keys("Enter");
    app.until_text("[data-testid=viewer] [role=search]", "2 of");
    // On a page that is wider than the pane, the match is also scrolled into view horizontally.
    let is_wider = "const pane = document.querySelector('[data-testid=viewer] .scroller')
        return pane.scrollWidth > 2 * pane.clientWidth";
    app.until("it is twice as wide as the pane", || {
        app.press("Larger");
        app.run(is_wider, json!([])) == true
    });
    app.click("[data-testid=viewer-find]");
    app.keys("Enter");
    let is_shown = "const box = document.querySelector('.box.find.shown')?.getBoundingClientRect()
        const pane = document.querySelector('[data-testid=viewer] .scroller').getBoundingClientRect()
        return box !== undefined && box.left >= pane.left && box.right <= pane.right
            && box.top >= pane.top && box.bottom <= pane.bottom";
    app.until("it is in sight", || app.run(is_shown, json!([])) == true);
    app.keys("Escape");
    app.until("find is closed", || app.count("[data-testid=viewer-find]") == 0);
    app.keys("Escape");
    app.until("the document is closed", || app.count("[data-testid=viewer]") == 0);
}

#[test]
fn a_file_that_changed_since_says_so_and_offers_to_ask_again() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "Until when can owners of a recalled clock have their money back?");
    answered(&app, 1);
    let file = harness.documents().join(RECALL);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("30 June 2024", "31 August 2024")).unwrap();
    app.click("[data-testid=answer] button");
    app.until_text("[data-testid=viewer-note]", "has changed since it was read");
    assert!(!app.text(MARKED).contains("31 August"), "a sentence that did not stand there is not marked");
    // Once the file is read again the answer differs.
    look_again(&app);
    app.until("the new text is read", || {
        let found = harness.oriel(&["search", "Until when can owners have their money back?"]);
        found["passages"].to_string().contains("31 August 2024")
    });
    app.until_text("footer", "Up to date");
    app.click("[data-testid=viewer-note] button");
    app.until_text("[data-testid=answer]", "31 August 2024");
    answered(&app, 1);
    app.click("[data-testid=answer] button");
    app.until("it is the file as it is", || {
        app.count("[data-testid=viewer-note]") == 0
            && app.text("[data-testid=viewer]").contains("31 August 2024")
    });
}

#[test]
#[ignore = "journey: make test-window"]
fn a_file_that_was_deleted_is_said_to_be_gone_and_the_passage_is_kept() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, "Until when can owners of a recalled clock have their money back?");
    answered(&app, 1);
    let name = "2024-03-14 Recall notice.txt";
    // At once, before the app has noticed.
    fs::remove_file(harness.documents().join(RECALL)).unwrap();
    app.click("[data-testid=answer] button");
    app.until_text(
        "[data-testid=viewer-note]",
        &format!("{name} is no longer there. Oriel kept the passage."),
    );
    app.until_text("[data-testid=viewer] .scroller", "30 June 2024");
    app.keys("Escape");
    // And later: the conversation keeps its quotes.
    look_again(&app);
    app.until_text("footer", "1 file");
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    app.click("[data-talk]");
    app.until_text("[data-testid=passages]", "no longer in the library");
    assert!(app.text("[data-testid=answer]").contains("30 June 2024"), "the answer is kept");
}

#[test]
#[ignore = "journey: make test-window"]
fn in_the_dark_a_page_is_dark_unless_wanted_as_printed() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    let app = ready(&harness, json!({"generator": "quotes", "theme": "dark"}));
    ask(&app, BATTERY);
    answered(&app, 1);
    app.click("[data-testid=answer] button");
    app.one(".box.sentence.now");
    let style = |css: &str, name: &str| {
        let script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]";
        app.run(script, json!([css, name])).as_str().unwrap_or_default().to_owned()
    };
    let (paper, turned) = (style(".sheet", "backgroundColor"), style(".drawing", "filter"));
    assert!(turned.contains("invert"), "the page is drawn with its lightness turned: {turned}");
    assert_eq!(style(".box.sentence.now", "mixBlendMode"), "screen");
    app.press("As printed");
    app.until("it is as printed", || style(".drawing", "filter") == "none");
    assert_eq!(style(".box.sentence.now", "mixBlendMode"), "multiply");
    assert_ne!(style(".sheet", "backgroundColor"), paper);
}
