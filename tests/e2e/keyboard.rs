//! Without a pointer: asking, opening a citation, moving between panes. The focus is always visible.

use serde_json::{Value, json};

use crate::harness::{App, Harness};
use crate::library::{follow, read};

const QUESTION: &str = "How often does the lamp turn?";

/// The app on a folder with a document, everything read.
fn start(harness: &Harness) -> App<'_> {
    harness.write(
        "Papers/lamp.md",
        "# Lights\n\nThe lamp of Zennor Point turns once in nine seconds. It burns paraffin. The keeper winds it at dusk.",
    );
    harness.write("Papers/fog.txt", "The fog horn sounds every two minutes. It is heard in Lannow.");
    let app = follow(harness, &["Papers"]);
    read(&app, &["Papers 2"]);
    app
}

/// Types a question into the focused field and waits for the whole answer.
fn ask(app: &App) {
    app.type_text(QUESTION);
    app.keys("Enter");
    app.one("[data-testid=meta]");
    app.until("the answer is complete", || app.count("[data-testid=stop]") == 0);
}

/// The focused element: its test id, else its name, else its text.
fn focus(app: &App) -> String {
    let script = "const one = document.activeElement
        return one.dataset.testid ?? one.getAttribute('aria-label') ?? one.innerText ?? ''";
    app.run(script, json!([])).as_str().unwrap_or_default().trim().to_owned()
}

fn until_focus(app: &App, name: &str) {
    app.until(&format!("'{name}' has the focus"), || focus(app) == name);
}

#[test]
fn from_the_first_question_to_an_open_citation_and_back() {
    let harness = Harness::new();
    let app = start(&harness);
    // The ask field has the focus from the start.
    until_focus(&app, "ask-field");
    ask(&app);
    until_focus(&app, "ask-field");
    app.keys("Alt+1");
    app.until_text("[data-testid=marked-sentence]", "nine seconds");
    assert_eq!(
        app.text("[data-testid=card] header button[aria-current]"),
        "1",
        "the card whose place is open says so"
    );
    app.keys("F6");
    app.until("the document has the focus", || inside(&app) == "side");
    app.keys("Escape");
    app.until("the document is closed", || app.count("[data-testid=viewer]") == 0);
    until_focus(&app, "ask-field");
    // The same from the citation itself: Tab back to it, Enter, Esc.
    let name = "Passage 1, lamp.md";
    for _ in 0..40 {
        app.keys("Shift+Tab");
        if focus(&app).starts_with(name) {
            break;
        }
    }
    assert!(focus(&app).starts_with(name), "{}", focus(&app));
    app.keys("Enter");
    app.one("[data-testid=marked-sentence]");
    app.keys("Escape");
    app.until("the document is closed", || app.count("[data-testid=viewer]") == 0);
    assert!(focus(&app).starts_with(name), "{}", focus(&app));
}

#[test]
#[ignore = "journey: make test-window"]
fn the_palette_finds_commands_questions_and_documents() {
    let harness = Harness::new();
    let app = start(&harness);
    ask(&app);
    let listed = |typed: &str, words: &str| {
        app.keys("Ctrl+k");
        until_focus(&app, "palette-input");
        app.type_text(typed);
        app.until_text("[role=option][aria-selected=true]", words);
    };
    listed("dark theme", "Dark theme");
    app.keys("Enter");
    app.until("it is dark", || app.count("html[data-theme=dark]") == 1);
    listed("fog", "fog.txt");
    app.keys("Enter");
    app.until_text("[data-testid=viewer]", "The fog horn sounds every two minutes.");
    app.keys("Ctrl+n");
    app.one("[data-testid=empty]");
    listed("how often does", QUESTION);
    app.keys("Enter");
    app.until_text("[data-testid=question]", QUESTION);
    // `@` lists only documents, `>` commands.
    listed("@lamp", "lamp.md");
    let groups = || app.text("[role=listbox] h2").to_lowercase();
    app.until("only documents are listed", || groups() == "documents");
    app.keys("Escape");
    listed(">light", "Light theme");
    app.until("only commands are listed", || groups() == "commands");
    app.keys("Escape");
    app.until("the palette is closed", || app.count("[role=dialog]") == 0);
}

#[test]
#[ignore = "journey: make test-window"]
fn escape_closes_what_is_on_top_and_the_focus_goes_back() {
    let harness = Harness::new();
    let app = start(&harness);
    ask(&app);
    app.keys("Alt+1");
    app.one("[data-testid=marked-sentence]");
    app.keys("F6");
    app.until("the document has the focus", || inside(&app) == "side");
    let before = focus(&app);
    app.keys("?");
    app.until_text("[role=dialog]", "Keyboard shortcuts");
    app.until("the sheet has the focus", || inside(&app) == "dialog");
    app.keys("Ctrl+k");
    assert_eq!(app.count("[role=dialog]"), 1, "what lies beneath a dialog does not hear the keys");
    app.keys("Escape");
    app.until("the sheet is closed", || app.count("[role=dialog]") == 0);
    assert_eq!((focus(&app), app.count("[data-testid=viewer]")), (before, 1));
    app.keys("Escape");
    app.until("the document is closed", || app.count("[data-testid=viewer]") == 0);
    until_focus(&app, "ask-field");
    // In a field a question mark is typed.
    app.keys("?");
    assert_eq!(app.run("return document.activeElement.value", json!([])), "?");
    assert_eq!(app.count("[role=dialog]"), 0);
    app.keys("Backspace");
    app.keys("Ctrl+,");
    app.until("the list of settings has the focus", || inside(&app) == "rail");
    app.keys("Escape");
    until_focus(&app, "ask-field");
}

#[test]
#[ignore = "journey: make test-window"]
fn f6_goes_round_the_panes() {
    let harness = Harness::new();
    let app = start(&harness);
    ask(&app);
    app.keys("Alt+1");
    app.one("[data-testid=marked-sentence]");
    until_focus(&app, "ask-field");
    for pane in ["side", "status", "rail", "page"] {
        app.keys("F6");
        app.until(&format!("the pane '{pane}' has the focus"), || inside(&app) == pane);
    }
    // Back at the same place in the pane.
    until_focus(&app, "ask-field");
    app.keys("Shift+F6");
    app.until("the pane before has the focus", || inside(&app) == "rail");
}

#[test]
#[ignore = "journey: make test-window"]
fn tab_never_loses_the_focus() {
    let harness = Harness::new();
    let app = start(&harness);
    ask(&app);
    app.keys("Alt+1");
    app.one("[data-testid=marked-sentence]");
    round(&app, 20);
    app.keys("Escape");
    app.keys("Ctrl+,");
    app.until("the list of settings has the focus", || inside(&app) == "rail");
    round(&app, 10);
}

/// The kind of pane or dialog that has the focus.
fn inside(app: &App) -> String {
    let script = "const one = document.activeElement
        return one.closest('[role=dialog]') ? 'dialog' : (one.closest('[data-pane]')?.dataset.pane ?? '')";
    app.run(script, json!([])).as_str().unwrap_or_default().to_owned()
}

/// Presses Tab until the focus is back at its start, through at least `least` places; the focus must be visible at
/// each.
fn round(app: &App, least: usize) {
    let script = "
        const one = document.activeElement
        window.places ??= []
        const at = window.places.indexOf(one)
        if (at < 0) window.places.push(one)
        const box = one.getBoundingClientRect()
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.color = 'var(--accent)'
        const accent = getComputedStyle(probe).color
        probe.remove()
        const ringed = (of) => {
            const style = getComputedStyle(of)
            return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
        }
        // A field may show its focus by the frame around it instead.
        const framed = (of) => {
            const style = getComputedStyle(of)
            return style.borderTopColor === accent && parseFloat(style.borderTopWidth) > 0
        }
        const around = [one, one.parentElement, one.parentElement.parentElement]
        const seen = around.some(ringed) || (one.matches('input, textarea') && around.some(framed))
        const inView = box.width > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
        return [at, one === document.body, seen, inView, one.outerHTML.slice(0, 200)]";
    app.run("window.places = []", json!([]));
    for _ in 0..200 {
        let place = app.run(script, json!([]));
        let [at, lost, seen, in_view, html] = place.as_array().unwrap().as_slice() else { panic!("{place}") };
        assert_eq!(lost, &Value::Bool(false), "the focus is lost");
        assert_eq!((seen, in_view), (&json!(true), &json!(true)), "the focus cannot be seen: {html}");
        if at.as_i64() == Some(0) && app.run("return window.places.length", json!([])).as_u64() > Some(1) {
            let count = app.run("return window.places.length", json!([])).as_u64().unwrap();
            assert!(count >= least as u64, "only {count} places");
            return;
        }
        app.keys("Tab");
    }
    panic!("Tab does not come round");
}
