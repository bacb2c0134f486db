//! How the sources of the window are written: TypeScript, Svelte and CSS under `ui/src`.
//!
//! The same rules as for Rust, and those that keep documents and models from becoming markup. What eslint and the
//! compilers hold already is theirs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::root;
use super::sources::{forbidden, is_empty_or_foreign, read, shown, traces};

/// Words after which TypeScript has a new name; a snippet of Svelte is read as a function.
const NAMING: [&str; 9] =
    ["const", "let", "var", "function", "class", "interface", "type", "enum", "namespace"];

/// What makes markup of a text.
const MARKUP: [&str; 5] = ["{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"];

/// What a stretch of a source is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Comment,
    Text,
}

/// The source with everything but `kept` blanked; lines stay where they are.
fn only(source: &str, is_css: bool, kept: &[Part]) -> String {
    let all: Vec<char> = source.chars().collect();
    let mut left = String::with_capacity(source.len());
    let mut at = 0;
    while at < all.len() {
        let (part, end) = part(&all, at, is_css);
        let blank = |one: &char| if kept.contains(&part) || *one == '\n' { *one } else { ' ' };
        left.extend(all[at..end].iter().map(blank));
        at = end;
    }
    left
}

/// The part that begins at `at`, and one past its end; code is told a character at a time.
fn part(all: &[char], at: usize, is_css: bool) -> (Part, usize) {
    let starts =
        |with: &str| with.chars().enumerate().all(|(offset, one)| all.get(at + offset) == Some(&one));
    let past = |from: usize, close: &str| {
        let close: Vec<char> = close.chars().collect();
        let found = all[from..].windows(close.len()).position(|window| window == close);
        found.map_or(all.len(), |length| from + length + close.len())
    };
    let line = || all[at..].iter().position(|one| *one == '\n').map_or(all.len(), |length| at + length);
    // An address outside of quotes is no comment.
    let is_address = at > 0 && all[at - 1] == ':';
    match all[at] {
        '<' if starts("<!--") => (Part::Comment, past(at + 4, "-->")),
        '/' if starts("/*") => (Part::Comment, past(at + 2, "*/")),
        '/' if starts("//") && !is_css && !is_address => (Part::Comment, line()),
        // A text ends with its line at the latest: an apostrophe of the markup takes no more with it.
        quote @ ('"' | '\'') => (Part::Text, closed(all, at + 1, quote).unwrap_or_else(line)),
        '`' => (Part::Text, template(all, at + 1)),
        '/' if !is_css && may_be_pattern(&all[..at]) => match closed(all, at + 1, '/') {
            Some(end) => (Part::Text, end),
            None => (Part::Code, at + 1),
        },
        _ => (Part::Code, at + 1),
    }
}

/// One past the `quote` that closes what begins at `at`, where it does so in the same line.
fn closed(all: &[char], mut at: usize, quote: char) -> Option<usize> {
    while at < all.len() && all[at] != '\n' {
        if all[at] == quote {
            return Some(at + 1);
        }
        at += if all[at] == '\\' { 2 } else { 1 };
    }
    None
}

/// One past the end of a template text; what stands in `${…}` belongs to it.
fn template(all: &[char], mut at: usize) -> usize {
    while at < all.len() && all[at] != '`' {
        if all[at] == '$' && all.get(at + 1) == Some(&'{') {
            let mut depth = 0usize;
            at += 1;
            while at < all.len() {
                match all[at] {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                at = part(all, at, false).1;
                if depth == 0 {
                    break;
                }
            }
        } else {
            at += if all[at] == '\\' { 2 } else { 1 };
        }
    }
    (at + 1).min(all.len())
}

/// Whether a slash after this begins a pattern and is no division or closing tag.
fn may_be_pattern(before: &[char]) -> bool {
    let mut before = before.iter().rev().skip_while(|one| one.is_whitespace());
    match before.next() {
        Some('>') => before.next() == Some(&'='),
        Some(one) => "(,=:[!&|?;".contains(*one),
        None => true,
    }
}

/// A line of code as the rule for names reads it.
fn readable(line: &str, is_css: bool) -> String {
    if is_css {
        // Classes, ids and properties are what CSS names.
        let whole = line.replace('-', "_").replace("__", " const __");
        return whole.replace(['.', '#'], " const ");
    }
    line.replace("{#snippet ", "{function ").replace("{/snippet}", "{}")
}

/// What is wrong with a file, by line. `name` is its path under `ui/src`.
fn faults(name: &str, source: &str) -> Vec<(usize, String)> {
    let mut wrong = Vec::new();
    let (is_css, is_svelte) = (name.ends_with(".css"), name.ends_with(".svelte"));
    let file = name.rsplit('/').next().unwrap_or(name);
    if is_empty_or_foreign(file) {
        wrong.push((1, "the file's name is not a word of the design".to_owned()));
    }
    let opens: &[&str] = if is_svelte { &["<!--"] } else { &["//", "/*"] };
    if !opens.iter().any(|open| source.starts_with(open)) {
        wrong.push((1, "a file begins with a comment that says what it is for".to_owned()));
    }
    for (at, line) in (1..).zip(only(source, is_css, &[Part::Code]).lines()) {
        let names = forbidden(&readable(line, is_css), &NAMING).into_iter();
        // Svelte calls a piece of markup so, and there is no other word for its type.
        wrong.extend(names.filter(|what| !what.starts_with("'Snippet' ")).map(|what| (at, what)));
    }
    for (at, line) in (1..).zip(only(source, is_css, &[Part::Code, Part::Text]).lines()) {
        let markup = MARKUP.iter().filter(|one| line.contains(**one));
        wrong.extend(markup.map(|one| (at, format!("'{one}' would make markup of a text"))));
        if is_svelte && ["\"", "'", "{"].iter().any(|open| line.contains(&format!(" style={open}"))) {
            wrong.push((
                at,
                "the page's policy admits no style in an attribute; use a class or style:name".into(),
            ));
        }
        let lower = line.to_lowercase();
        if lower.contains("http://") || lower.contains("https://") {
            wrong.push((at, "the window knows no address".into()));
        }
    }
    for (at, line) in (1..).zip(source.lines()) {
        wrong.extend(traces(line).iter().map(|trace| (at, format!("'{trace}' belongs to one machine"))));
    }
    wrong
}

/// Every source of the window, absolute, in order.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut open = vec![root().join("ui/src")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                open.push(path);
            } else if let Some(known) =
                ["ts", "svelte", "css"].into_iter().find(|one| Some(*one) == extension)
            {
                *seen.entry(known).or_default() += 1;
                found.push(path);
            }
        }
    }
    for (extension, least) in [("ts", 40), ("svelte", 60), ("css", 3)] {
        let seen = seen.get(extension).copied().unwrap_or_default();
        assert!(seen >= least, "{seen} files in {extension} are not all");
    }
    found.sort();
    found
}

#[test]
fn sources_of_the_window_keep_the_rules() {
    let folder = root().join("ui/src");
    let mut wrong = Vec::new();
    for path in sources() {
        let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let found = faults(&name, &read(&path));
        wrong.extend(found.into_iter().map(|(at, what)| format!("{}:{at}: {what}", shown(&path))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever quotes and patterns a file holds, the reading of it is back in the code at its end.
#[test]
fn every_source_is_read_to_its_end() {
    for path in sources() {
        let mut source = read(&path);
        source.push_str("\nlet chunk\n");
        let is_css = path.extension().is_some_and(|extension| extension == "css");
        let code = only(&source, is_css, &[Part::Code]);
        assert!(code.ends_with("\nlet chunk\n"), "{}: a text or comment does not end", shown(&path));
    }
}

#[test]
fn every_rule_of_the_window_can_fail() {
    let machine = format!("// A.\nconst a = '{}there'", ["/wo", "rk/"].concat());
    for (name, source, what) in [
        ("a/text-utils.ts", "// A.", "the file's name"),
        ("a/Snippet.svelte", "<!-- A. -->", "the file's name"),
        ("a.ts", "const a = 1", "begins with a comment"),
        ("a.svelte", "<p></p>", "begins with a comment"),
        ("a.svelte", "// A.\n<p></p>", "begins with a comment"),
        ("a.css", "p { margin: 0 }", "begins with a comment"),
        ("i18n/en/a.ts", "export const a = 1", "begins with a comment"),
        ("a.ts", "// A.\nconst chunkOf = 1", "no word"),
        ("a.ts", "// A.\nfunction pathHelper() {}", "says nothing"),
        ("a.ts", "// A.\nexport interface TextManager {}", "says nothing"),
        ("a.ts", "// A.\nconst a = `${x}'`; let chunk = 1", "no word"),
        ("a.ts", "// A.\nconst a = /['`]/.test(b), chunk = 1", "no word"),
        ("a.svelte", "<!-- A. -->\n{#snippet helper()}x{/snippet}", "says nothing"),
        ("a.css", "/* A. */\n.text-helper { margin: 0 }", "says nothing"),
        ("a.css", "/* A. */\n:root { --util-size: 0 }", "says nothing"),
        ("a.svelte", "<!-- A. -->\n<p>{@html text}</p>", "markup"),
        ("a.ts", "// A.\nnode.innerHTML = text", "markup"),
        ("a.ts", "// A.\nnode['outerHTML'] = text", "markup"),
        ("a.svelte", "<!-- A. -->\n<p class=\"b\" style=\"margin: 0\"></p>", "style"),
        ("a.svelte", "<!-- A. -->\n<p style={text}></p>", "style"),
        ("a.ts", "// A.\nfetch('https://example.com')", "address"),
        ("a.ts", "// A.\nconst a = `HTTP://${b}`", "address"),
        ("a.css", "/* A. */\np { background: url(http://example.com/a) }", "address"),
        ("a.svelte", "<!-- A. -->\n<a href=http://example.com>a</a>", "address"),
        ("a.ts", machine.as_str(), "one machine"),
    ] {
        let found = faults(name, source);
        let what = if what == "no word" { "not a word of the design" } else { what };
        assert!(found.len() == 1 && found[0].1.contains(what), "{name}: {source}: {found:?}");
    }
}

#[test]
fn what_is_no_fault_is_left_alone() {
    for (name, source) in [
        ("a.ts", "// A chunk of https://example.com, innerHTML.\nconst a = 'a chunk' // chunk"),
        ("a.ts", "/** A. */\nconst a = b.chunk / c.chunk / 2"),
        ("a.ts", "// A.\nconst a = `chunk ${b ? `'${c}` : 'chunk'} chunk`"),
        ("a.svelte", "<!-- A: {@html}. -->\n{#snippet row(a: Snippet)}<b style:width=\"1px\"></b>{/snippet}"),
        ("a.css", "/* A: https://example.com, .helper */\n.row { padding: 0.5rem 1rem }"),
    ] {
        assert_eq!(faults(name, source), Vec::new(), "{name}: {source}");
    }
}
