//! Appearance: every state is checked for accessibility, in both themes and two sizes, and its screenshot is taken if
//! `ORIEL_SCREENSHOTS` names a folder (by `maim`, from the screen: WebKit's driver hangs on a screenshot of a window
//! that is drawn without compositing).

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::asking::{BATTERY, FIELD, WRITING, answered, ask, ready};
use crate::harness::{App, Harness};

const WIDE: (u32, u32) = (1440, 900);
const NARROW: (u32, u32) = (1024, 700);

/// Runs axe in the page; a violation fails the test. Results that it cannot decide (text over a translucent background)
/// are printed.
fn is_accessible(app: &App, state: &str) {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/node_modules/axe-core/axe.min.js");
    if app.run("return typeof axe", json!([])) == "undefined" {
        app.run(&fs::read_to_string(axe).unwrap(), json!([]));
        // The driver runs axe as a script, so it exports itself as a module would; the page's own policy stays in
        // force.
        assert_eq!(app.run("return typeof window.axe", json!([])), "object", "axe is there");
    }
    let check = "
        const done = arguments[0]
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
        const brief = (all) => all.map(({id, nodes}) => ({id, nodes: nodes.slice(0, 6).map(({target, any, all, none, html}) =>
            [target.join(' '), [...any, ...all, ...none].map(one => one.message).join('; ').slice(0, 200), html.slice(0, 160)])}))
        axe.run(document, {runOnly: tags}).then(
            ({violations, incomplete}) => done({violations: brief(violations), incomplete: brief(incomplete)}),
            (error) => done({violations: String(error)}))";
    let found = app.run_async(check, json!([]));
    for one in found["incomplete"].as_array().into_iter().flatten() {
        println!("{state}: to be looked at: {} at {}", one["id"], one["nodes"]);
    }
    let violations = serde_json::to_string_pretty(&found["violations"]).unwrap();
    assert_eq!(found["violations"], json!([]), "{state}: {violations}");
}

/// Nothing overflows the window, and no text overflows its element.
fn fits(app: &App, state: &str) {
    let out = app.run(
        "const page = document.documentElement
         const out = []
         scrollTo(100, 100)
         if (scrollX > 0 || scrollY > 0) out.push(`the page scrolls to ${scrollX}, ${scrollY}` + [...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().bottom + scrollY > innerHeight + 1 || one.getBoundingClientRect().right + scrollX > innerWidth + 1).slice(0, 5).map(one => one.outerHTML.slice(0, 150)))
         scrollTo(0, 0)
         for (const one of document.querySelectorAll('button, h1, h2, h3, p, label, span')) {
             if (!one.checkVisibility({opacityProperty: true, visibilityProperty: true}) || one.closest('.off, .text, .over, .cite')) continue
             const {overflowX, display} = getComputedStyle(one)
             if (display === 'inline' || overflowX !== 'visible') continue
             if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
                 out.push(`${one.className}: ${one.innerText.slice(0, 60)}: ${one.scrollWidth} in ${one.clientWidth}`)
         }
         return out",
        json!([]),
    );
    assert_eq!(out, json!([]), "{state}: words stick out");
}

fn picture(app: &App, name: &str) {
    let Some(folder) = std::env::var_os("ORIEL_SCREENSHOTS") else { return };
    fs::create_dir_all(&folder).unwrap();
    let file = Path::new(&folder).join(format!("{name}.png"));
    let taken =
        app.harness.command("maim").args(["--hidecursor", "--window", &app.window()]).arg(&file).status();
    assert!(taken.expect("maim is installed").success(), "a picture can be taken");
    // A screenshot of a blank window has only a few thousand bytes.
    let size = fs::metadata(&file).unwrap().len();
    assert!(size > 20_000, "{} is empty: {size} bytes", file.display());
}

/// Checks a state in both themes and both sizes. Layout is the same in both themes, and contrast is the same in both
/// sizes, so two of the four are checked; all of them if screenshots are taken.
pub fn look(app: &App, name: &str) {
    still(app);
    picture(app, name);
    let is_pictured = std::env::var_os("ORIEL_SCREENSHOTS").is_some();
    let pictured = [("dark", WIDE, "-dark"), ("light", NARROW, "-narrow")];
    let pictured = pictured.into_iter().filter(|_| is_pictured);
    for (theme, (width, height), end) in
        [("light", WIDE, ""), ("dark", NARROW, "")].into_iter().chain(pictured)
    {
        app.run("document.documentElement.dataset.theme = arguments[0]", json!([theme]));
        app.resize(width, height);
        still(app);
        let state = format!("{name}, {theme}, {width}");
        is_accessible(app, &state);
        fits(app, &state);
        if !end.is_empty() {
            picture(app, &format!("{name}{end}"));
        }
    }
    app.run("document.documentElement.dataset.theme = 'light'", json!([]));
    app.resize(WIDE.0, WIDE.1);
    still(app);
}

/// Waits until animations have ended, because colours during a transition are not final.
fn still(app: &App) {
    // The screen is one frame behind the state.
    let drawn = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))";
    app.until("nothing moves", || {
        app.run_async(drawn, json!([]));
        app.run(
            "return document.getAnimations().every(one => one.playState === 'finished' || one.playState === 'idle')
                && document.fonts.status === 'loaded'",
            json!([]),
        ) == true
    });
    app.run_async(drawn, json!([]));
}

fn start<'d>(harness: &'d Harness, more: Value) -> App<'d> {
    harness.write("Scans/Meter 2019.pdf", "%PDF-1.4 and then nothing");
    harness.write("Scans/Plan of the yard.docx", "no archive");
    let mut settings = json!({"theme": "light", "language": "en"});
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let app = ready(harness, settings);
    app.resize(WIDE.0, WIDE.1);
    app
}

#[test]
#[ignore = "journey: make test-window"]
fn the_first_run_and_the_reading_after_it() {
    let harness = Harness::new();
    let app = harness.start();
    app.resize(WIDE.0, WIDE.1);
    app.one("[data-testid=first-run]");
    look(&app, "first-run");
    drop(app);
    // Many documents, so that the progress is visible for a while.
    for number in 0..400 {
        let lines: String = (0..60)
            .map(|line| {
                format!(
                    "Ledger {number}, line {line}: {} crates of brass were counted on the quay.\n\n",
                    number * line
                )
            })
            .collect();
        harness.write(&format!("Ledgers/Ledger {number:03}.md"), lines);
    }
    harness.oriel(&["add", harness.documents().join("Ledgers").to_str().unwrap()]);
    let app = harness.start();
    app.resize(WIDE.0, WIDE.1);
    app.until_text("[data-testid=found]", "of");
    app.until_text("footer", "about");
    look(&app, "found");
    ask(&app, "How many crates of brass were counted on the quay?");
    app.one("[data-testid=card]");
    app.until_within(WRITING, "the first words are there", || {
        !app.text("[data-testid=answer]").trim().is_empty()
    });
    picture(&app, "indexing");
    answered(&app, 1);
    app.until_text("[data-testid=rail]", "By meaning");
    look(&app, "indexing-answered");
}

#[test]
#[ignore = "journey: make test-window"]
fn an_answer_with_its_document_and_why() {
    let harness = Harness::with_sample();
    let app = start(&harness, json!({}));
    ask(&app, BATTERY);
    answered(&app, 1);
    look(&app, "answer");
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    ask(&app, "How much notice must the tenant give to use the break clause of the lease?");
    answered(&app, 1);
    app.click("[data-testid=card] header button");
    app.one(".box.sentence.now");
    app.until("the page is drawn", || app.count(".sheet canvas") > 0);
    look(&app, "index");
    app.keys("Escape");
    app.until("the document is closed", || app.count("[data-testid=viewer]") == 0);
    app.keys("Ctrl+i");
    app.until_text("[data-testid=why]", "0.");
    look(&app, "why");
}

#[test]
#[ignore = "journey: make test-window"]
fn no_answer_and_files_that_cannot_be_read() {
    let harness = Harness::with_sample();
    let app = start(&harness, json!({"generator": "quotes"}));
    app.type_into(FIELD, "@Lease");
    app.until("the lease is offered", || app.text("[data-testid=mention-list]").contains("Lease 4 Ropewalk"));
    app.keys("Enter");
    app.one("[data-testid=scope-chip]");
    ask(&app, "Which serial numbers are covered by the recall?");
    answered(&app, 1);
    app.one("[data-testid=not-found]");
    look(&app, "not-found");
    app.click("[data-testid=failed-row]");
    app.until_text("[data-testid=failures]", "Meter 2019.pdf");
    look(&app, "failures");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_draft_before_and_after_its_check() {
    let harness = Harness::with_sample();
    let app = start(&harness, json!({"generator": "quotes"}));
    app.keys("Ctrl+d");
    for paragraph in [
        "Dear Hester,",
        "Morwenna accepted £2,450 in full settlement on 22 July. The guarantee goes from three years to \
         five. The trade discount becomes 28 per cent from twelve clocks.",
        "147 of 185 clocks are back, mended and returned. Jory has passed the second year with distinction \
         in turning. The harbour office has moved to Falmouth.",
    ] {
        app.type_into("[data-testid=draft-field]", paragraph);
        // The driver cannot type line breaks.
        app.keys("Enter");
        app.keys("Enter");
    }
    app.until_text("[data-testid=draft-size]", "7 sentences");
    look(&app, "draft");
    app.keys("Ctrl+Enter");
    app.until("the draft is checked", || {
        app.count("[data-testid=draft-row]") == 7 && app.count("[data-testid=draft-stop]") == 0
    });
    look(&app, "draft-checked");
    app.run("document.activeElement.blur()", json!([]));
    app.keys("Shift+J");
    app.until("a problem has the focus", || app.count("[data-testid=draft-row][aria-current=true]") == 1);
    app.keys("Enter");
    app.one("[data-testid=viewer-finding]");
    look(&app, "draft-open");
}

#[test]
#[ignore = "journey: make test-window"]
fn settings_palette_and_shortcuts() {
    let harness = Harness::with_sample();
    let app = start(&harness, json!({"generator": "quotes"}));
    ask(&app, "Which serial numbers are covered by the recall?");
    answered(&app, 1);
    app.click(FIELD);
    app.keys("Ctrl+k");
    app.type_into("[data-testid=palette-input]", "recall");
    app.until_text("[role=listbox]", "Recall notice");
    look(&app, "palette");
    app.keys("Escape");
    app.until("the palette is closed", || app.count("[data-testid=palette-input]") == 0);
    app.run("document.activeElement.blur()", json!([]));
    app.keys("?");
    app.one("[role=dialog] kbd");
    look(&app, "shortcuts");
    app.keys("Escape");
    app.until("the sheet is closed", || app.count("[role=dialog]") == 0);
    app.keys("Ctrl+,");
    app.one("[data-testid=settings]");
    app.press("Models and device");
    app.until_text("[data-testid=settings]", "MB");
    look(&app, "settings");
    app.press("Appearance");
    app.until_text("[data-testid=settings]", "Text size");
    look(&app, "settings-appearance");
}
