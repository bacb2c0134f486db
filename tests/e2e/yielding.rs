//! Computation has a lower priority than drawing: the niceness of the app's threads and processes.

use std::collections::BTreeMap;
use std::fs;

use crate::asking::{BATTERY, MANUAL, ask, take};
use crate::harness::Harness;

/// The niceness of work that the user waits for, and of background work, as in `src-tauri/src/background/priority.rs`.
const ASKED: i32 = 5;
const BACKGROUND: i32 = 15;

/// A thread in `/proc`: its name, of which the first 15 bytes are known, and its niceness.
struct Thread {
    name: String,
    parent: u32,
    niceness: i32,
    /// Whether it has used at least a hundredth of a second of processor time.
    worked: bool,
}

fn thread(stat: &str) -> Option<Thread> {
    let (head, tail) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = tail.split_whitespace().collect();
    Some(Thread {
        name: head.split_once('(')?.1.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        niceness: fields.get(16)?.parse().ok()?,
        worked: *fields.get(11)? != "0",
    })
}

/// The entries of this folder of `/proc`, with the `stat` of each; those that end meanwhile are left out.
fn threads(folder: &str) -> Vec<(String, Thread)> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    all.filter_map(|one| {
        let stat = fs::read(one.path().join("stat")).ok()?;
        Some((one.file_name().to_string_lossy().into_owned(), thread(&String::from_utf8_lossy(&stat))?))
    })
    .collect()
}

/// The lowest and the highest niceness per name.
type Seen = BTreeMap<String, (i32, i32)>;

/// The threads of the app, its workers and the page's process now.
fn look(harness: &Harness) -> Seen {
    let mut seen = Seen::new();
    let mut note = |name: &str, niceness: i32| {
        let held = seen.entry(name.to_owned()).or_insert((niceness, niceness));
        *held = (held.0.min(niceness), held.1.max(niceness));
    };
    let app = harness.running("oriel-desktop");
    let page = harness.running("WebKitWebProcess");
    for pid in app.iter().chain(&page) {
        for (id, thread) in threads(&format!("/proc/{pid}/task")) {
            note(if id == pid.to_string() { "main" } else { &thread.name }, thread.niceness);
        }
    }
    for (pid, _) in threads("/proc").into_iter().filter(|(_, one)| app.contains(&one.parent)) {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        for (kind, command) in [("extract", "worker\0extract\0"), ("generate", "/oriel-generator")] {
            if words.contains(command) {
                // Only threads that have worked: llama.cpp computes with several. A library may have one that it
                // started before `main`.
                for (_, thread) in threads(&format!("/proc/{pid}/task")).iter().filter(|(_, one)| one.worked)
                {
                    note(kind, thread.niceness);
                }
            }
        }
    }
    seen
}

#[test]
#[ignore = "journey: make test-window"]
fn reading_and_answering_yield_to_the_window() {
    let harness = Harness::new();
    take(&harness, &[MANUAL]);
    // Much to read and little to embed: the same sentences repeat.
    let lines: String =
        (0..400).map(|line| format!("Crate {line} of the read_queue holds clocks.\n\n")).collect();
    for number in 0..8 {
        harness.write(&format!("Ledgers/{number}.md"), format!("Ledger {number}.\n\n{}", lines.repeat(10)));
    }
    harness.oriel(&["add", harness.documents().to_str().unwrap()]);
    let app = harness.start();
    // The last value seen is kept: a thread changes its priority after it has started.
    let mut seen = Seen::new();
    app.until("documents are read and embedded", || {
        seen.extend(look(&harness));
        app.text("[data-testid=status] [role=status]") == "Up to date"
    });
    ask(&app, BATTERY);
    app.until("the generator writes", || {
        seen.extend(look(&harness));
        seen.contains_key("generate") && !app.text("[data-testid=answer]").trim().is_empty()
    });
    let own = fs::read_to_string("/proc/thread-self/stat").unwrap();
    let normal = thread(&own).unwrap().niceness;
    assert_eq!(seen.get("main"), Some(&(normal, normal)), "app and page: {seen:?}");
    assert!(!seen.contains_key("candle-bp-0"), "no threads serve all models at one priority: {seen:?}");
    for (least, names) in [
        (ASKED, ["all-minilm-l6-v", "oriel-reader-v3", "generate"]),
        (BACKGROUND, ["indexing", "indexing all-mi", "extract"]),
    ] {
        let expected = normal.max(least);
        for name in names {
            assert_eq!(seen.get(name), Some(&(expected, expected)), "{name}: {seen:?}");
        }
    }
}
