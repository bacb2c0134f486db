//! The modules of a crate import in one direction: there is no cycle of imports.
//!
//! A file is a module. Its edges are the paths in its shipped code, each resolved to the file that defines the item. A
//! `mod` declaration is no edge, and neither is `pub use`: a path through a re-export leads to the original file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Group, Literal, TokenStream, TokenTree};

use crate::oriel::repository;

/// The folders of the crates whose modules are checked: all but that of the fuzzing targets.
const ROOTS: [&str; 16] = [
    "crates/api/src",
    "crates/cli/src",
    "crates/core/src",
    "crates/download/src",
    "crates/endpoint/src",
    "crates/engine/src",
    "crates/eval/src",
    "crates/generator/src",
    "crates/models/src",
    "crates/sandbox/src",
    "crates/store/src",
    "crates/text/src",
    "crates/wire/src",
    "remote/serve/src",
    "remote/src",
    "src-tauri/src",
];

/// A module's path from the root of its crate; empty for `lib.rs`.
type Module = Vec<String>;

#[derive(Default)]
struct Source {
    /// Relative to the root of the crate.
    file: String,
    children: BTreeSet<String>,
    /// Paths in imports and expressions.
    paths: Vec<Vec<String>>,
    /// Re-exported names, each with the path behind it.
    exports: BTreeMap<String, Vec<String>>,
}

impl Source {
    fn of(code: &str) -> Self {
        let mut source = Self::default();
        let code = without_scopes(&shipped(code)).replace("r#", "");
        for statement in code.split_inclusive([';', '{', '}']) {
            let child = statement.strip_suffix(';').and_then(|one| one.rsplit_once("mod "));
            let is_word = |before: &str| !before.ends_with(|one: char| one.is_alphanumeric() || one == '_');
            let child = child.filter(|(before, _)| is_word(before));
            source.children.extend(child.map(|(_, name)| name.trim().to_owned()));
        }
        let mut rest = code.as_str();
        while let Some((before, at)) = next_use(rest) {
            let (tree, after) = at.split_once(';').expect("an import ends");
            let is_export = before.trim_end().ends_with("pub") || before.trim_end().ends_with(')');
            for (path, name) in expanded(tree.trim(), &[]) {
                if is_export {
                    source.exports.insert(name, path);
                } else {
                    source.paths.push(path);
                }
            }
            source.paths.extend(inline_paths(before));
            rest = after;
        }
        source.paths.extend(inline_paths(rest));
        source
    }
}

/// The code as one line without comments and string contents.
fn code_only(source: &str) -> String {
    fn bare(tokens: TokenStream) -> TokenStream {
        let token = |token| match token {
            TokenTree::Literal(_) => Literal::u8_unsuffixed(0).into(),
            TokenTree::Group(group) => Group::new(group.delimiter(), bare(group.stream())).into(),
            other => other,
        };
        tokens.into_iter().map(token).collect()
    }
    let tokens: TokenStream = source.parse().expect("it is compiled");
    bare(tokens).to_string().replace(" :: ", "::").replace("# [cfg (test)]", "#[cfg(test)]")
}

/// The code without items that are compiled only for tests.
fn shipped(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some((before, item)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let mut depth = 0usize;
        let end = item.char_indices().find(|&(_, letter)| {
            depth = if letter == '{' { depth + 1 } else { depth - usize::from(letter == '}' && depth > 0) };
            depth == 0 && matches!(letter, ';' | '}')
        });
        rest = end.map_or("", |(at, _)| &item[at + 1..]);
    }
    kept + rest
}

/// The code without the modules that visibilities name, as `pub(in crate::a)` does: they import nothing.
fn without_scopes(code: &str) -> String {
    let mut parts = code.split("(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once(')').map_or("", |(_, after)| after))
}

/// The text before and after the first `use`.
fn next_use(code: &str) -> Option<(&str, &str)> {
    let starts = |at: usize| code[..at].is_empty() || code[..at].ends_with(|one: char| one.is_whitespace());
    let at = code.match_indices("use ").map(|(at, _)| at).find(|&at| starts(at))?;
    Some((&code[..at], &code[at + 4..]))
}

/// The paths of a use tree, each with the name under which it is imported.
fn expanded(tree: &str, before: &[String]) -> Vec<(Vec<String>, String)> {
    let (prefix, group) = tree.split_once('{').map_or((tree, None), |(a, b)| (a, b.rsplit_once('}')));
    let (prefix, alias) = prefix.split_once(" as ").map_or((prefix, None), |(path, name)| (path, Some(name)));
    let segments = prefix.split("::").map(str::trim).filter(|one| !one.is_empty() && *one != "*");
    let mut path = before.to_vec();
    path.extend(segments.map(str::to_owned));
    let Some((group, _)) = group else {
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = alias.map(|name| name.trim().to_owned()).or_else(|| path.last().cloned());
        return vec![(path, name.unwrap_or_default())];
    };
    let mut depth = 0i32;
    let parts = group.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).flat_map(|part| expanded(part.trim(), &path)).collect()
}

/// Paths such as `crate::files::stamp` in expressions and types.
fn inline_paths(code: &str) -> impl Iterator<Item = Vec<String>> {
    let words = code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':'));
    let paths = words.filter(|word| word.contains("::"));
    paths.map(|word| word.split("::").map(str::to_owned).filter(|one| !one.is_empty()).collect())
}

/// Loads every module below `module` from the files of `folder`.
fn load(folder: &Path, module: Module, into: &mut BTreeMap<Module, Source>) {
    let stem = folder.join(module.iter().collect::<std::path::PathBuf>());
    let candidates =
        [folder.join("lib.rs"), folder.join("main.rs"), stem.with_extension("rs"), stem.join("mod.rs")];
    let own = if module.is_empty() { 0..2 } else { 2..4 };
    let file = candidates[own].iter().find(|file| file.exists());
    let file = file.unwrap_or_else(|| panic!("{}: {module:?} has no file", folder.display()));
    let shown = file.strip_prefix(folder).unwrap_or(file).display().to_string();
    let text = std::fs::read_to_string(file).expect("a source is UTF-8");
    let source = Source { file: shown, ..Source::of(&code_only(&text)) };
    for child in &source.children {
        load(folder, [module.as_slice(), std::slice::from_ref(child)].concat(), into);
    }
    into.insert(module, source);
}

/// The module that defines `path`, as written in `from`; `None` for another crate.
fn defining(all: &BTreeMap<Module, Source>, from: &Module, path: &[String], depth: usize) -> Option<Module> {
    let first = path.first()?;
    let mut at = if first == "crate" { Module::new() } else { from.clone() };
    let mut rest = path.iter().skip(usize::from(matches!(first.as_str(), "crate" | "self"))).peekable();
    while rest.next_if(|name| *name == "super").is_some() {
        at.pop();
    }
    let is_own = matches!(first.as_str(), "crate" | "self" | "super") || all[from].children.contains(first);
    while let Some(name) = rest.next().filter(|_| is_own && depth < 9) {
        // A name before others is a module, also where a function of that name is re-exported.
        let is_module = rest.peek().is_some() && all[&at].children.contains(name);
        if let Some(behind) = all[&at].exports.get(name).filter(|_| !is_module) {
            let whole: Vec<String> = behind.iter().chain(rest).cloned().collect();
            return defining(all, &at, &whole, depth + 1);
        }
        if !all[&at].children.contains(name) {
            break;
        }
        at.push(name.clone());
    }
    is_own.then_some(at)
}

/// The files of the first cycle, in order.
fn cycle(all: &BTreeMap<Module, Source>) -> Option<Vec<String>> {
    let targets = |from: &Module| {
        let edges = all[from].paths.iter().filter_map(|path| defining(all, from, path, 0));
        edges.filter(|to| to != from).collect::<BTreeSet<_>>()
    };
    let mut edges: BTreeMap<&Module, BTreeSet<Module>> =
        all.keys().map(|from| (from, targets(from))).collect();
    // A module that imports no remaining module is in no cycle.
    while let Some(leaf) = edges.iter().find(|(_, to)| to.is_empty()).map(|(from, _)| *from) {
        edges.remove(leaf);
        for to in edges.values_mut() {
            to.remove(leaf);
        }
    }
    let mut way = vec![*edges.keys().next()?];
    loop {
        let next = edges[way[way.len() - 1]].first()?;
        let next = *edges.get_key_value(next)?.0;
        if let Some(start) = way.iter().position(|one| *one == next) {
            return Some(way[start..].iter().chain([&next]).map(|one| all[*one].file.clone()).collect());
        }
        way.push(next);
    }
}

#[test]
fn no_modules_import_one_another_in_a_circle() {
    let found = ROOTS.iter().filter_map(|folder| {
        let mut all = BTreeMap::new();
        load(&repository().join(folder), Module::new(), &mut all);
        assert!(all.len() > 1, "{folder}: {} modules are not all", all.len());
        Some((*folder, cycle(&all)?))
    });
    assert_eq!(found.collect::<Vec<_>>(), [], "these files import one another in a circle");
}

#[test]
fn a_circle_is_found_and_a_re_export_is_none() {
    let found = |files: &[(&str, &str)]| {
        let module = |name: &str| name.split("::").filter(|one| !one.is_empty()).map(str::to_owned).collect();
        let source = |name: &str, code| Source { file: name.to_owned(), ..Source::of(code) };
        let all = files.iter().map(|(name, code)| (module(name), source(name, code))).collect();
        cycle(&all)
    };
    let rooms =
        [("", "mod a; mod b;"), ("a", "mod c; pub use c::C;"), ("b", "use crate::a::{self as x, C};")];
    let with = |source| found(&[&rooms[..], &[("a::c", &code_only(source))]].concat());
    assert_eq!(with("use super::D;"), None, "the parent only re-exports");
    assert_eq!(with("#[cfg(test)] mod tests { use crate::b; }"), None, "tests may import anything");
    let circle = ["a::c", "b", "a::c"].map(str::to_owned).to_vec();
    assert_eq!(with("pub(in crate::b) fn f() {}"), None, "who may call it is no import");
    assert_eq!(with("/* use crate::b; */ fn f() -> &'static str { \"crate::b\" }"), None);
    assert_eq!(with("/// A.\nuse crate::b::{c::{C}, B};"), Some(circle.clone()));
    assert_eq!(with("fn f() { super::super::b::g() }"), Some(circle));
}
