//! How sources in Rust are written: short files, the words of the design, a page at the head of every module, no traces
//! of the machine they were written on. Those of the window have `interface`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::root;

/// Words that say nothing of what a thing is.
const EMPTY: [&str; 10] =
    ["manager", "managers", "service", "services", "helper", "helpers", "util", "utils", "common", "misc"];

/// Words that the design has other words for: sentence, window, passage.
const FOREIGN: [&str; 4] = ["chunk", "chunks", "snippet", "snippets"];

/// Words after which Rust has a new name.
const NAMING: [&str; 10] =
    ["struct", "enum", "trait", "type", "fn", "mod", "const", "static", "union", "macro_rules"];

/// Every source file in Rust of the rooms and the tests, absolute, in order.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        ["crates", "remote", "src", "src-tauri", "tests"].map(|room| root().join(room)).into();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && entry.file_name() != "target" {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 30, "{} sources are not all", found.len());
    found
}

pub(super) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source is UTF-8")
}

/// The path as it is written in messages.
pub(super) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The code without comments, texts and characters, which become blanks; lines stay where they are.
pub(super) fn code_only(source: &str) -> String {
    let characters: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < characters.len() {
        let end = skipped(&characters, at);
        if end == at {
            code.push(characters[at]);
            at += 1;
        } else {
            code.extend(characters[at..end].iter().map(|one| if *one == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// The end of the comment, text or character that begins at `at`; `at` itself where none does.
fn skipped(all: &[char], at: usize) -> usize {
    let peek = |offset: usize| all.get(at + offset).copied().unwrap_or('\0');
    let named = at > 0 && (all[at - 1].is_alphanumeric() || all[at - 1] == '_');
    match (all[at], peek(1)) {
        ('/', '/') => all[at..].iter().position(|one| *one == '\n').map_or(all.len(), |length| at + length),
        ('/', '*') => {
            let (mut depth, mut end) = (0usize, at);
            while end < all.len() {
                let two = (all[end], all.get(end + 1).copied().unwrap_or('\0'));
                match two {
                    ('/', '*') => depth += 1,
                    ('*', '/') => depth -= 1,
                    _ => {}
                }
                end += if matches!(two, ('/', '*') | ('*', '/')) { 2 } else { 1 };
                if depth == 0 {
                    break;
                }
            }
            end.min(all.len())
        }
        ('"', _) => quoted(all, at + 1, '"'),
        ('b', '"') if !named => quoted(all, at + 2, '"'),
        ('r', '"' | '#') if !named => raw(all, at + 1).unwrap_or(at),
        ('b', 'r') if !named && matches!(peek(2), '"' | '#') => raw(all, at + 2).unwrap_or(at),
        // A lifetime has no quote after its first letter.
        ('\'', '\\') => quoted(all, at + 1, '\''),
        ('\'', _) if peek(2) == '\'' => at + 3,
        _ => at,
    }
}

/// One past the closing `quote` of what begins at `at`; a backslash takes the next character with it.
fn quoted(all: &[char], mut at: usize, quote: char) -> usize {
    while at < all.len() && all[at] != quote {
        at += if all[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(all.len())
}

/// One past the end of a raw text whose hashes begin at `at`; `None` where it is a raw identifier.
fn raw(all: &[char], at: usize) -> Option<usize> {
    let hashes = all[at..].iter().take_while(|one| **one == '#').count();
    let open = at + hashes;
    (all.get(open) == Some(&'"')).then_some(())?;
    let closes = |from: usize| {
        all[from] == '"' && all[from + 1..].iter().take(hashes).filter(|one| **one == '#').count() == hashes
    };
    (open + 1..all.len()).find(|from| closes(*from)).map(|from| from + 1 + hashes)
}

/// The words of a name: `TextPiece`, `text_piece` and `text-piece` all have two.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        let last = words.last().expect("there is always one");
        if !letter.is_alphanumeric() || (letter.is_uppercase() && !last.ends_with(char::is_uppercase)) {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            last.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a file may not be called that, without its extension.
pub(super) fn is_empty_or_foreign(stem: &str) -> bool {
    words(stem).iter().any(|word| EMPTY.contains(&word.as_str()) || FOREIGN.contains(&word.as_str()))
}

/// Names that the rules forbid in one line of code, with what is wrong about them. After the words of `naming` the
/// language has a new name.
pub(super) fn forbidden(line: &str, naming: &[&str]) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let mut before = "";
    let mut rest = line;
    while let Some(start) = rest.find(is_name) {
        let from = &rest[start..];
        let end = from.find(|letter| !is_name(letter)).unwrap_or(from.len());
        let name = &from[..end];
        let words = words(name);
        if naming.contains(&before) && words.iter().any(|word| EMPTY.contains(&word.as_str())) {
            found.push(format!("'{name}' says nothing of what it is"));
        }
        // Methods of slices are called after a point or a path, and are not our words.
        let called = rest[..start].ends_with(['.', ':']);
        if !called && words.iter().any(|word| FOREIGN.contains(&word.as_str())) {
            found.push(format!("'{name}' is not a word of the design: sentence, window or passage is"));
        }
        before = name;
        rest = &from[end..];
    }
    found
}

/// What in a line names the machine it was written on.
pub(super) fn traces(line: &str) -> Vec<String> {
    // In two parts each, or this file would be found.
    let known = [["/wo", "rk/"], ["/ro", "ot/"], ["artif", "actory"], ["/api/", "pypi/"], ["/api/", "npm/"]];
    let line = line.to_lowercase();
    known.iter().map(|parts| parts.concat()).filter(|trace| line.contains(trace)).collect()
}

#[test]
fn names_are_the_words_of_the_design() {
    let mut wrong = Vec::new();
    for path in sources() {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if is_empty_or_foreign(stem) {
            wrong.push(format!("{}:1: the file's name is not a word of the design", shown(&path)));
        }
        for (at, line) in (1..).zip(code_only(&read(&path)).lines()) {
            wrong.extend(
                forbidden(line, &NAMING).into_iter().map(|what| format!("{}:{at}: {what}", shown(&path))),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_says_what_it_owns() {
    let without: Vec<_> = sources()
        .iter()
        .filter(|path| !path.starts_with(root().join("tests")) && path.iter().any(|part| part == "src"))
        .filter(|path| !read(path).starts_with("//!"))
        .map(|path| {
            format!("{}:1: a module begins with `//!`: what it owns, what it must not know", shown(path))
        })
        .collect();
    assert!(without.is_empty(), "{}", without.join("\n"));
}

#[test]
fn nothing_committed_names_the_machine_it_was_written_on() {
    let listed = Command::new("git")
        // A checkout may belong to another user than the one who tests it.
        .args(["-c", "safe.directory=*", "ls-files", "-z"])
        .current_dir(root())
        .output();
    let Ok(listed) = listed else {
        println!("skipped: nothing_committed_names_the_machine_it_was_written_on (no git)");
        return;
    };
    if !root().join(".git").exists() {
        println!("skipped: nothing_committed_names_the_machine_it_was_written_on (no repository)");
        return;
    }
    assert!(listed.status.success(), "git ls-files failed: {}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut read = 0;
    let mut wrong = Vec::new();
    for name in names.split_terminator('\0') {
        let Ok(bytes) = std::fs::read(root().join(name)) else { continue };
        if bytes.iter().take(8_000).any(|byte| *byte == 0) {
            continue;
        }
        read += 1;
        for (at, line) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
            wrong.extend(
                traces(line).iter().map(|trace| format!("{name}:{at}: '{trace}' belongs to one machine")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 30, "{read} files are not all");
}

/// Whether a line tells its reader to type our command.
fn tells_to_type(line: &str) -> bool {
    // In two parts, or this file would be found.
    let command = ["ori", "el "].concat();
    line.match_indices(&command).any(|(at, _)| {
        let is_whole =
            !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || "-_/".contains(letter));
        is_whole && line[at + command.len()..].starts_with(|letter: char| letter.is_ascii_lowercase())
    })
}

/// What the engine says is read in the window too.
#[test]
fn only_the_command_line_has_words_for_a_terminal() {
    let rooms = [
        "crates/core",
        "crates/text",
        "crates/store",
        "crates/download",
        "crates/models",
        "crates/engine",
        "remote",
        "src-tauri",
    ];
    let mut wrong = Vec::new();
    for path in sources().iter().filter(|path| rooms.iter().any(|room| path.starts_with(root().join(room)))) {
        for (at, line) in (1..).zip(read(path).lines()) {
            if !line.trim_start().starts_with("//") && tells_to_type(line) {
                wrong.push(format!(
                    "{}:{at}: what to type is for crates/cli/src/advice.rs to say",
                    shown(path)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tells_to_type("run 'oriel index'") && tells_to_type("oriel models pull x"));
    assert!(!tells_to_type("this Oriel reads it") && !tells_to_type("target/release/oriel is there"));
}

#[test]
fn comments_and_texts_are_no_code() {
    let source = "let a = \"chunk // \\\" chunk\"; // chunk\n/* chunk /* chunk */ chunk */ let b = r#\"chunk \" chunk\"#;\n\
                  let c = 'c'; let d: &'static str = b\"chunk\"; let e = '\\''; chunk";
    let code = code_only(source);
    assert_eq!(code.lines().count(), 3);
    assert_eq!(code.matches("chunk").count(), 1, "{code}");
    assert!(code.contains("static str") && code.contains("let e"));
}

#[test]
fn forbidden_names_are_found_and_slices_are_left_alone() {
    for wrong in [
        "struct TextManager;",
        "mod utils {",
        "fn path_helper()",
        "let chunk = 1;",
        "for chunk in whole",
        "type Snippets = ();",
    ] {
        assert_eq!(forbidden(wrong, &NAMING).len(), 1, "{wrong}");
    }
    for right in [
        "bytes.chunks_exact(4)",
        "let (a, b) = x.as_chunks::<8>();",
        "<[u8]>::chunks(x, 2)",
        "struct Utility;",
        "use x::util;",
    ] {
        assert!(forbidden(right, &NAMING).is_empty(), "{right}");
    }
}
