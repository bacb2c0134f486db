//! Checks that the compiler, clippy, cargo-deny and eslint cannot do: dependencies between crates, dependencies of the
//! app and the command, permissions of the page, and traces of the machine on which a file was written.

mod module_cycles;
mod shell;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::oriel::repository;

/// Crates of the workspace that each crate may depend on.
const ARROWS: [(&str, &[&str]); 17] = [
    ("oriel-core", &[]),
    ("oriel-sandbox", &[]),
    ("oriel-text", &["oriel-core", "oriel-sandbox"]),
    ("oriel-store", &["oriel-core"]),
    ("oriel-wire", &["oriel-core"]),
    ("oriel-download", &["oriel-core", "oriel-wire"]),
    ("oriel-generator", &["oriel-core", "oriel-sandbox", "oriel-wire"]),
    ("oriel-endpoint", &["oriel-core", "oriel-wire"]),
    ("oriel-models", &["oriel-core", "oriel-download", "oriel-endpoint", "oriel-wire"]),
    ("oriel-engine", &["oriel-core", "oriel-endpoint", "oriel-store", "oriel-text", "oriel-wire"]),
    ("oriel-api", &["oriel-core", "oriel-endpoint", "oriel-engine", "oriel-models", "oriel-wire"]),
    ("oriel-eval", &["oriel-api", "oriel-core", "oriel-engine", "oriel-models"]),
    // oriel-text only for the subcommand of the extractor process.
    ("oriel-cli", &["oriel-api", "oriel-core", "oriel-engine", "oriel-eval", "oriel-models", "oriel-text"]),
    // oriel-text for the same reason.
    (
        "oriel-desktop",
        &["oriel-api", "oriel-core", "oriel-engine", "oriel-eval", "oriel-models", "oriel-text"],
    ),
    // The programs that open sockets.
    ("oriel-remote", &["oriel-core", "oriel-sandbox", "oriel-wire"]),
    ("oriel-serve", &["oriel-core", "oriel-sandbox", "oriel-wire"]),
    ("oriel-fuzz", &["oriel-core", "oriel-text"]),
];

/// Libraries that only one crate may use, by the beginning of their names.
const OWNED: [(&str, &str); 12] = [
    ("rusqlite", "oriel-engine"),
    ("heed", "oriel-store"),
    ("candle-", "oriel-models"),
    ("llama-cpp-", "oriel-generator"),
    ("rten-", "oriel-models"),
    ("tokenizers", "oriel-models"),
    ("lopdf", "oriel-text"),
    ("hayro-", "oriel-text"),
    ("tauri", "oriel-desktop"),
    ("gtk", "oriel-desktop"),
    ("landlock", "oriel-sandbox"),
    ("seccompiler", "oriel-sandbox"),
];

/// The targets of deny.toml.
const TARGETS: &str =
    "x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-msvc";

/// The output of `cargo metadata` for the workspace.
fn metadata(arguments: &[&str]) -> Value {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program)
        // With --locked, so that a test does not change Cargo.lock.
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(arguments)
        .current_dir(repository())
        .output()
        .expect("cargo can be started");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "where a crate is missing run `cargo fetch --locked` first:\n{complaint}"
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[test]
fn crates_know_only_the_crates_and_libraries_they_may() {
    let all = metadata(&["--no-deps"]);
    let arrows: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let members: BTreeSet<&str> = array(&all, "packages").iter().map(|one| string(one, "name")).collect();
    let missing: Vec<_> = arrows.keys().filter(|name| !members.contains(*name)).collect();
    assert!(missing.is_empty(), "these of ARROWS are gone: {missing:?}");
    let (mut wrong, mut named) = (Vec::new(), BTreeSet::new());
    for package in array(&all, "packages") {
        let name = string(package, "name");
        let Some(may) = arrows.get(name) else {
            wrong.push(format!("{name} has no line in ARROWS"));
            continue;
        };
        for one in array(package, "dependencies") {
            let dependency = string(one, "name");
            // Dependencies of tests are not shipped.
            if one["kind"] != "dev" && members.contains(dependency) && !may.contains(&dependency) {
                wrong.push(format!("{name} must not know {dependency}"));
            }
            for (library, owner) in OWNED.iter().filter(|(library, _)| dependency.starts_with(library)) {
                named.insert(library);
                if name != *owner {
                    wrong.push(format!("only {owner} may depend on {dependency}, not {name}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(named.len(), OWNED.len(), "no crate depends on some of OWNED any more");
}

/// Libraries banned by deny.toml (all use HTTP or TLS) that are built into the app or the command for a target, with
/// any feature.
fn banned_for(target: &str) -> BTreeSet<String> {
    let deny = std::fs::read_to_string(repository().join("deny.toml")).expect("there is a deny.toml");
    let bans = deny.lines().filter_map(|line| line.trim().strip_prefix("{ crate = \"")?.split('"').next());
    let bans: BTreeSet<&str> = bans.collect();
    assert!(["curl", "hyper", "reqwest", "rustls", "ureq"].iter().all(|one| bans.contains(one)), "{bans:?}");
    let all = metadata(&["--all-features", "--filter-platform", target]);
    let names: BTreeMap<&str, &str> =
        array(&all, "packages").iter().map(|one| (string(one, "id"), string(one, "name"))).collect();
    let nodes: BTreeMap<&str, &Value> =
        array(&all["resolve"], "nodes").iter().map(|node| (string(node, "id"), node)).collect();
    let programs = ["oriel-desktop", "oriel-cli"];
    let mut open: Vec<&str> =
        names.iter().filter(|(_, name)| programs.contains(name)).map(|one| *one.0).collect();
    assert_eq!(open.len(), programs.len());
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let is_built = |one: &&Value| array(one, "dep_kinds").iter().any(|kind| kind["kind"] != "dev");
            open.extend(array(nodes[id], "deps").iter().filter(is_built).map(|one| string(one, "pkg")));
        }
    }
    assert!(seen.len() > 300, "{} packages are not all for {target}", seen.len());
    seen.into_iter().map(|id| names[id]).filter(|name| bans.contains(name)).map(str::to_owned).collect()
}

/// Checks what is built, not the lock file, which also contains dependencies of Tauri on Android and of oriel-remote.
#[test]
fn app_and_command_hold_nothing_that_speaks_http() {
    for target in TARGETS.split(' ') {
        assert_eq!(banned_for(target), BTreeSet::new(), "{target}");
    }
    assert!(
        banned_for("aarch64-linux-android").contains("reqwest"),
        "it would not be found if it were there"
    );
}
