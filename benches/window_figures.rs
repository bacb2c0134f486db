//! Figures of the app window: response times, memory, and frame times under load. Run by hand after `make installable`:
//! `ORIEL_PROGRAMS=$PWD/target/dist cargo test -p oriel-desktop --test e2e window_figures -- --ignored --nocapture`.
//! `ORIEL_FILES` sets how many files are read while frames are measured (1,500 by default), `ORIEL_QUESTIONS` how many
//! questions are asked while memory is measured (300), `ORIEL_TURNS` how many of them in one conversation (10),
//! `ORIEL_PAUSE` the reading time before the next question, ms (0).

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::asking::{BATTERY, FREEZER, LEASE, MANUAL, RECALL, answered, ask, ready, take};
use crate::harness::Harness;

/// Memory of the app, WebKit's processes and workers of this harness, MB (PSS: shared pages are divided among their
/// users). The name also gives the anonymous part.
fn memory(harness: &Harness) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for name in ["oriel-desktop", "WebKitWebProcess", "WebKitNetworkProcess"] {
        for (kind, is_worker) in [("", false), (" (worker)", true)] {
            let pids =
                harness.processes(|words| words[0].ends_with(name) && words.contains(&"worker") == is_worker);
            for pid in pids {
                let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
                let part = |name: &str| {
                    let line = rollup.lines().find_map(|line| line.strip_prefix(name));
                    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0.0) / 1024.0
                };
                let anon = part("Pss_Anon:");
                found.push((format!("{name}{kind}, of it {anon:.1} in no file"), part("Pss:")));
            }
        }
    }
    found
}

fn print_memory(harness: &Harness, when: &str) {
    let all = memory(harness);
    println!("memory {when}: {:.1} MB", all.iter().map(|(_, size)| size).sum::<f64>());
    for (name, size) in all {
        println!("    {size:.1} MB {name}");
    }
}

/// The same, once memory has stopped falling for 20 s: engines collect garbage when they are idle.
fn print_memory_at_rest(harness: &Harness, when: &str) {
    let total = || memory(harness).iter().map(|(_, size)| size).sum::<f64>();
    let (mut least, mut since) = (total(), Instant::now());
    while since.elapsed() < Duration::from_secs(20) {
        #[expect(clippy::disallowed_methods, reason = "between two looks at what other processes hold")]
        std::thread::sleep(Duration::from_millis(500));
        let now = total();
        if now < least - 0.5 {
            (least, since) = (now, Instant::now());
        }
    }
    print_memory(harness, &format!("{when}, at rest"));
}

/// Processor time of the page's main thread so far, ms.
fn page_ran(harness: &Harness) -> f64 {
    let pages = harness.processes(|words| words[0].ends_with("WebKitWebProcess"));
    let ran =
        pages.iter().map(|pid| fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default());
    ran.filter_map(|line| line.split(' ').next()?.parse::<f64>().ok()).sum::<f64>() / 1e6
}

/// A number from an environment variable.
fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |number| number.parse().unwrap())
}

/// The page asks the questions itself, because the driver would add memory for each element that it looked at. Starts a
/// new conversation now and then, as a user would.
const ASK_MANY: &str = "
    const questions = arguments[0]
    const all = (css) => document.querySelectorAll(css).length
    const until = (isTrue) => new Promise((done) => {
        const look = () => isTrue() ? done() : setTimeout(look, 20)
        look()
    })
    window.press = (key, more) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}))
    window.asked = 1
    window.askUntil = async (many, turns, pause) => {
        for (; window.asked < many; window.asked++) {
            if (window.asked % turns === 0) {
                press('n', {ctrlKey: true})
                await until(() => all('[data-turn]') === 0)
            }
            const field = document.querySelector('form textarea')
            field.focus()
            field.value = questions[window.asked % questions.length]
            field.dispatchEvent(new Event('input', {bubbles: true}))
            press('Enter', {})
            const turn = window.asked % turns
            await until(() => document.querySelector(`[data-turn='${turn}'] [data-testid=meta]`) && !all('[data-testid=stop]'))
            await new Promise((done) => setTimeout(done, pause))
        }
    }";

/// With more files than this, not all are read by the end of the measurement.
const MANY: usize = 5_000;

/// Records the longest frame from now on.
const FRAMES: &str = "
    window.frames = []
    let last = performance.now()
    const step = (now) => { window.frames.push(now - last); last = now; requestAnimationFrame(step) }
    requestAnimationFrame(step)";

fn print_frames(app: &crate::harness::App, when: &str) {
    let script = "const all = window.frames.splice(0).slice(1).sort((a, b) => a - b)
        const at = (part) => Math.round(all[Math.floor((all.length - 1) * part)])
        return {frames: all.length, median: at(0.5), p99: at(0.99), longest: at(1)}";
    println!("frames {when}, ms: {}", app.run(script, json!([])));
}

#[test]
#[ignore = "figures, not a test: they are printed and judged by a person"]
fn figures_of_start_answer_memory_and_frames() {
    let harness = Harness::new();
    take(&harness, &[MANUAL, LEASE, RECALL, FREEZER]);
    drop(ready(&harness, json!({"generator": "quotes"})));
    let begun = Instant::now();
    let app = harness.start();
    println!("from the start of driver and app to the drawn window: {} ms", begun.elapsed().as_millis());
    let own = app.run(
        "const [paint] = performance.getEntriesByName('first-contentful-paint')
         return [performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart, paint?.startTime ?? null]",
        json!([]),
    );
    println!("of these in the page, document and first paint, ms: {own}");
    app.until_text("footer", "Up to date");
    print_memory_at_rest(&harness, "before the first question");
    let watch = "window.at = {}
        document.addEventListener('keydown', (event) => { if (event.key === 'Enter') window.at.enter = performance.now() }, true)
        new MutationObserver(() => {
            if (window.at.enter && !window.at.cards && document.querySelector('[data-testid=card]')) window.at.cards = performance.now()
        }).observe(document.body, {subtree: true, childList: true})";
    app.run(watch, json!([]));
    ask(&app, BATTERY);
    answered(&app, 1);
    println!(
        "from Enter to the first passages, ms: {}",
        app.run("return window.at.cards - window.at.enter", json!([]))
    );
    print_memory_at_rest(&harness, "after one question");
    app.run(
        ASK_MANY,
        json!([["Which serial numbers are covered by the recall?", "May the tenant keep a dog?", BATTERY]]),
    );
    let (many, turns) = (number("ORIEL_QUESTIONS", 300), number("ORIEL_TURNS", 10));
    let pause = number("ORIEL_PAUSE", 0);
    for asked in
        [10, 30].into_iter().chain((100..many).step_by(100)).filter(|asked| *asked < many).chain([many])
    {
        app.run("window.askUntil(...arguments)", json!([asked, turns, pause]));
        app.until_within(Duration::from_secs(3600), "all is answered", || {
            app.run("return window.asked", json!([])) == json!(asked)
        });
        let when = format!("after {asked} questions");
        print_memory(&harness, &when);
        print_memory_at_rest(&harness, &when);
        println!(
            "    {} elements in the page",
            app.run("return document.querySelectorAll('*').length", json!([]))
        );
    }
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    print_memory_at_rest(&harness, "with an empty page again");
}

#[test]
#[ignore = "figures, not a test: they are printed and judged by a person"]
fn figures_of_frames_while_a_big_folder_is_read_and_an_answer_is_written() {
    let harness = Harness::new();
    // The documents of the questions have been read.
    take(&harness, &[MANUAL]);
    harness.oriel(&["add", harness.documents().to_str().unwrap()]);
    harness.oriel(&["index"]);
    let files = number("ORIEL_FILES", 1500);
    for number in 0..files {
        let lines: String = (0..if files > MANY { 8 } else { 40 })
            .map(|line| format!("Crate {line} of read_queue {number} holds {} clocks.\n\n", line * number))
            .collect();
        harness.write(&format!("Ledgers/{}/{number:04}.md", number % 100), lines);
    }
    let app = harness.start();
    app.run(FRAMES, json!([]));
    app.until_text("footer", "/s");
    print_frames(&app, "while the folder is first shown");
    ask(&app, BATTERY);
    answered(&app, 1);
    print_frames(&app, "while files are read and an answer is written");
    if files <= MANY {
        app.until_text("footer", "sentences/s");
        ask(&app, BATTERY);
        answered(&app, 2);
        print_frames(&app, "while sentences are embedded and an answer is written");
    }
    print_memory(&harness, "meanwhile");
    assert_ne!(app.run("return document.querySelector('[data-testid=answer]')", json!([])), Value::Null);
}

/// Time of the page's thread for a frame: for a typed letter, and for moving the passages by one pixel.
#[test]
#[ignore = "figures, not a test: they are printed and judged by a person"]
fn figures_of_a_letter_and_of_moved_passages() {
    const TIMES: i32 = 120;
    let harness = Harness::new();
    take(&harness, &[MANUAL, LEASE, RECALL, FREEZER]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, BATTERY);
    answered(&app, 1);
    let letter = "const field = document.querySelector('form textarea')
        field.value = n % 30 ? field.value + 'e' : ''
        field.dispatchEvent(new Event('input', {bubbles: true}))";
    let moved = "document.querySelector('[data-testid=passages]').style.paddingTop = `${n % 2}px`";
    for (name, each) in
        [("a letter", letter), ("moved passages", moved), ("a letter", letter), ("moved passages", moved)]
    {
        let before = page_ran(&harness);
        let script = format!(
            "let n = 0
            window.drawn = false
            const step = () => {{
                {each}
                if (++n < {TIMES}) requestAnimationFrame(step)
                else window.drawn = true
            }}
            requestAnimationFrame(step)"
        );
        app.run(&script, json!([]));
        app.until("all of it is drawn", || app.run("return window.drawn", json!([])) == json!(true));
        println!("{name}: {:.1} ms of the page's thread", (page_ran(&harness) - before) / f64::from(TIMES));
    }
}
