//! Settings: they apply at once and survive a restart; the whole interface in German.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::asking::{BATTERY, FREEZER, LEASE, MANUAL, RECALL, SERIALS, answered, ask, ready, take};
use crate::harness::{App, Harness};
use crate::library::follow;

const LAMP: &str = "The lamp of Zennor Point turns once in nine seconds.";

pub fn open(app: &App, page: &str) {
    if app.count("[data-testid=settings]") == 0 {
        app.keys("Ctrl+,");
    }
    app.press(page);
    app.until(&format!("'{page}' is open"), || app.text("[aria-current=page]").trim() == page);
}

/// Theme, background, and text size as drawn.
fn look(app: &App) -> Value {
    let script = "const root = document.documentElement
        return [root.dataset.theme, getComputedStyle(document.body).backgroundColor, getComputedStyle(root).fontSize]";
    app.run(script, json!([]))
}

/// Moves a slider one step to the right.
fn raise(app: &App, slider: &str) {
    app.run("document.querySelector(arguments[0]).focus()", json!([format!("[aria-label='{slider}']")]));
    app.keys("Right");
}

#[test]
#[ignore = "journey: make test-window"]
fn the_theme_changes_at_once() {
    let harness = Harness::new();
    let app = follow(&harness, &["."]);
    open(&app, "Appearance");
    app.press("Light");
    app.until("it is light", || look(&app)[0] == "light");
    let light = look(&app);
    app.press("Dark");
    app.until("it is dark", || look(&app)[0] == "dark");
    let dark = look(&app);
    assert_ne!(light[1], dark[1]);
    app.press("As the system");
    let system = app.run("return matchMedia('(prefers-color-scheme: dark)').matches", json!([]));
    let expected = if system == true { &dark } else { &light };
    app.until("it is as the system has it", || look(&app) == *expected);
    // Every text of the window grows with the text size.
    app.press("125%");
    app.until("the text is larger", || look(&app)[2] == "20px");
}

#[test]
fn settings_survive_a_restart() {
    let harness = Harness::new();
    harness.write("lamp.md", LAMP);
    let app = follow(&harness, &["."]);
    open(&app, "Appearance");
    app.press("Dark");
    app.press("112.5%");
    open(&app, "Answers");
    raise(&app, "Sentences before");
    raise(&app, "Passages for an answer");
    open(&app, "General");
    app.press("Deutsch");
    app.until_text("[data-testid=settings]", "Zurück zu den Fragen");
    // It shows at once, and is saved a moment later.
    app.until("the language is kept", || {
        fs::read_to_string(harness.library().join("settings.json")).is_ok_and(|kept| kept.contains("\"de\""))
    });
    let app = app.restart();
    assert_eq!(app.run("return document.documentElement.lang", json!([])), "de");
    assert_eq!(look(&app)[0], "dark");
    assert_eq!(look(&app)[2], "18px");
    app.until_text("[data-testid=window-chip]", "Fenster −3 +2");
    open(&app, "Antworten");
    let sliders =
        app.run("return [...document.querySelectorAll('.slider')].map(one => one.value)", json!([]));
    assert_eq!(sliders, json!(["3", "2", "20", "6"]));
}

#[test]
#[ignore = "journey: make test-window"]
fn a_model_of_ones_own_is_imported_and_an_import_can_be_ended() {
    let harness = Harness::new();
    // The location of `make models`, also for a build in another folder.
    let model = "models/fetched/qwen2.5-coder-0.5b-instruct-q4_k_m/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf";
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join(model);
    let [mine, endless] = ["My model.gguf", "Endless.gguf"].map(|name| harness.home().join(name));
    fs::copy(&model, &mine).unwrap();
    fs::copy(&model, &endless).unwrap();
    // A sparse file: only its beginning is on the disk.
    fs::File::options().write(true).open(&endless).unwrap().set_len(1 << 40).unwrap();
    let app = harness.start();
    open(&app, "Models and device");
    app.choose(|| app.click("[data-testid=import-model]"), endless.to_str().unwrap());
    app.until_text("[data-testid=model-progress]", "Reading it");
    app.until_text("[data-testid=model-progress]", "left");
    app.click("[data-testid=model-progress] button");
    app.until("it is ended", || app.count("[data-testid=model-progress]") == 0);
    assert_eq!(app.count("[role=alert]"), 0);
    let kept = fs::read_dir(harness.home().join(".local/share/oriel/models")).map_or(0, Iterator::count);
    assert_eq!(kept, 0, "nothing of it stays");
    // The focus is where the user can try another file.
    app.until("the focus is back", || {
        app.run("return document.activeElement.id", json!([])) == "import-model"
    });
    app.choose(|| app.click("[data-testid=import-model]"), mine.to_str().unwrap());
    app.until_text("#setting-importModel", "is on this computer now");
    app.until_text("[data-testid=model-my-model]", "imported");
    // The model in use stays the same.
    app.until_text("[data-testid='model-qwen2.5-coder-0.5b-instruct-q4_k_m']", "In use");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_download_names_its_host_and_says_why_it_failed() {
    let harness = Harness::new();
    let app = harness.start();
    open(&app, "Models and device");
    let card = "[data-testid=model-qwen3-4b-instruct-2507-q4_k_m]";
    app.until_text(card, "from 127.0.0.1");
    app.until_text("[data-testid=network]", "Offline");
    // The harness sets an address where no server answers.
    app.click(&format!("{card} button"));
    app.until_text(card, "127.0.0.1 refuses the connection");
    app.until_text(card, "Try again");
    app.until_text("[data-testid=network]", "Offline");
    app.click(&format!("{card} button"));
    app.until_text(card, "127.0.0.1 refuses the connection");
    let left = harness.home().join(".cache/oriel/models/qwen3-4b-instruct-2507-q4_k_m");
    assert!(!left.exists(), "nothing is installed");
}

#[test]
#[ignore = "journey: make test-window"]
fn another_embedder_is_tried_switched_to_and_gone_back_from() {
    let harness = Harness::new();
    take(&harness, &[MANUAL, LEASE, RECALL, FREEZER]);
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/reference/encoders/xlmr-embedder");
    harness.oriel(&["models", "import", reference.to_str().unwrap()]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    let questions =
        [BATTERY, SERIALS, "May the tenant keep a dog?", "Who repairs the roof?", "What is the rent?"];
    for (turns, question) in (1..).zip(questions) {
        ask(&app, question);
        answered(&app, turns);
    }
    open(&app, "Models and device");
    app.press("Finds by meaning");
    app.press("Switch to xlmr-embedder");
    app.press("Try 20");
    app.until_text("[data-testid=trial]", "Tried on");
    let said = app.text("[data-testid=trial]");
    assert!(
        said.contains("Of your last 5 questions, 0 ranked higher"),
        "random weights find nothing: {said}"
    );
    crate::looks::look(&app, "settings-trial");
    app.click("[data-testid=switch] .first");
    app.until_text("[data-testid=model-xlmr-embedder]", "In use");
    app.until("the library is switched", || app.count("[data-testid=next-index]") == 0);
    app.press("Switch to all-MiniLM-L6-v2");
    app.until_text("[data-testid=switch]", "At once. Its index is kept until");
    app.press("Go back");
    app.until_text("[data-testid=model-all-minilm-l6-v2]", "In use");
    open(&app, "General");
    app.keys("Escape");
    ask(&app, BATTERY);
    answered(&app, 6);
    app.until_text("[data-testid=conversation]", "72 hours");
}

#[test]
fn in_german_no_english_is_left_on_the_screen() {
    let harness = Harness::new();
    harness.write("lamp.md", LAMP);
    harness.write("broken.pdf", "%PDF-1.7\nthe rest of this file was lost");
    let app = harness.start();
    app.keys("Ctrl+k");
    app.type_text("german");
    app.keys("Enter");
    let mut seen = String::new();
    let mut look = |app: &App, words: &str| {
        app.until_text("body", words);
        let script = "
            const attributes = (one) => ['aria-label', 'title', 'placeholder'].map(name => one.getAttribute(name) ?? '')
            // The prompt for a model is not part of the interface.
            const prompt = document.querySelector('[data-testid=why-prompt]')?.innerText ?? ''
            const text = document.body.innerText.replace(prompt, '')
            return text + [...document.querySelectorAll('*')].flatMap(attributes).join(' / ')";
        seen.push_str(app.run(script, json!([])).as_str().unwrap());
    };
    look(&app, "Am Anfang steht ein Ordner");
    app.drop_files(&[&harness.documents()], |app| {
        app.until_text("[data-testid=zone]", "Zum Hinzufügen loslassen");
    });
    app.until_text("[data-testid=status] [role=status]", "Auf dem neuesten Stand");
    look(&app, "1 Datei war nicht lesbar");
    app.click("[data-testid=failed-row]");
    look(&app, "Beschädigt");
    app.keys("Escape");
    app.type_into("[data-testid=ask-field]", "How often does the lamp turn?");
    app.keys("Enter");
    app.one("[data-testid=meta]");
    app.click("[data-testid=card] header button");
    app.one("[data-testid=marked-sentence]");
    look(&app, "Warum");
    app.keys("Ctrl+i");
    app.one("[data-testid=why-table]");
    look(&app, "Bewertet");
    app.keys("Ctrl+k");
    look(&app, "Befehle");
    app.keys("Escape");
    app.run("document.activeElement.blur()", json!([]));
    app.keys("?");
    look(&app, "Tastenkürzel");
    app.keys("Escape");
    app.keys("Ctrl+,");
    let pages = "Allgemein,Aussehen,Tastatur,Ordner,Einlesen,Antworten,Speicherort und Sicherung,Modelle und Gerät,\
        Datenschutz,Über Oriel";
    for page in pages.split(',') {
        open(&app, page);
        look(&app, page);
    }
    let english = phrases("en");
    let german = phrases("de");
    assert!(
        english.len() > 300,
        "the words of the interface are where this test looks for them: {}",
        english.len()
    );
    let left: Vec<&String> = english.difference(&german).filter(|phrase| seen.contains(*phrase)).collect();
    assert!(left.is_empty(), "English on the screen: {left:#?}");
}

/// Phrases of a language: strings of at least two words in its catalogue.
fn phrases(language: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/i18n").join(language);
    let mut phrases = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with(['/', '*'])) {
            let quoted = line.split('\'').skip(1).step_by(2);
            phrases
                .extend(quoted.filter(|text| text.trim().contains(' ') && text.len() > 6).map(str::to_owned));
        }
    }
    phrases
}
