//! The rules of the house: which room knows which, which dependencies may be in the tree, how sources are written.
//!
//! Owns no behaviour of Oriel; it reads manifests and sources. What a rule means stands in CONTRIBUTING.md.

mod interface;
mod licence;
mod module_cycles;
mod shell;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Which crates of the workspace each room may know.
const ARROWS: [(&str, &[&str]); 12] = [
    ("oriel-core", &[]),
    ("oriel-text", &["oriel-core"]),
    ("oriel-store", &["oriel-core"]),
    ("oriel-wire", &["oriel-core"]),
    ("oriel-download", &["oriel-core", "oriel-wire"]),
    ("oriel-generator", &["oriel-core", "oriel-wire"]),
    ("oriel-endpoint", &["oriel-core", "oriel-wire"]),
    ("oriel-models", &["oriel-core", "oriel-download", "oriel-endpoint", "oriel-wire"]),
    ("oriel-engine", &["oriel-core", "oriel-endpoint", "oriel-store", "oriel-text", "oriel-wire"]),
    ("oriel-app", &["oriel-core", "oriel-endpoint", "oriel-engine", "oriel-models", "oriel-wire"]),
    // The text room for one thing: the subcommand that runs the extractor's process.
    ("oriel-cli", &["oriel-app", "oriel-core", "oriel-engine", "oriel-models", "oriel-text"]),
    // The text room for the same one thing.
    ("oriel-desktop", &["oriel-app", "oriel-core", "oriel-engine", "oriel-models", "oriel-text"]),
];

/// Libraries that one room alone may name, by the beginning of their names.
const OWNED: [(&str, &str); 9] = [
    ("heed", "oriel-store"),
    ("candle-", "oriel-models"),
    ("llama-cpp-", "oriel-generator"),
    ("rten-", "oriel-models"),
    ("tokenizers", "oriel-models"),
    ("lopdf", "oriel-text"),
    ("hayro-", "oriel-text"),
    ("tauri", "oriel-desktop"),
    ("gtk", "oriel-desktop"),
];

/// The folder of the workspace whose programs open sockets; it has a lock and a `deny.toml` of its own.
const REMOTE: &str = "remote";

/// The folders of both workspaces.
const WORKSPACES: [&str; 2] = ["", REMOTE];

/// The root of the repository.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the crate lies two folders below the root")
}

/// What cargo prints when it is run in a workspace with these arguments.
fn cargo(workspace: &str, arguments: &[&str]) -> String {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = root().join(workspace);
    let output =
        Command::new(program).args(arguments).current_dir(folder).output().expect("cargo can be started");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "cargo {} failed; where a crate is missing run `cargo fetch --locked` first:\n{complaint}",
        arguments.join(" ")
    );
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

fn metadata(workspace: &str, arguments: &[&str]) -> Value {
    // Locked: a test leaves Cargo.lock as it is.
    let mut all = vec!["metadata", "--locked", "--offline", "--format-version", "1"];
    all.extend(arguments);
    serde_json::from_str(&cargo(workspace, &all)).expect("cargo metadata is JSON")
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The `deny.toml` of a workspace, which cargo-deny reads too.
fn deny(workspace: &str) -> toml::Table {
    let path = root().join(workspace).join("deny.toml");
    let text = std::fs::read_to_string(path).expect("each workspace has a deny.toml");
    text.parse().expect("deny.toml is TOML")
}

fn table<'t>(from: &'t toml::Table, key: &str) -> &'t toml::Table {
    from.get(key).and_then(toml::Value::as_table).expect("deny.toml has the table")
}

fn allowed_licences(workspace: &str) -> BTreeSet<String> {
    let deny = deny(workspace);
    let allow = table(&deny, "licenses").get("allow").and_then(toml::Value::as_array).expect("an allow-list");
    let allow: BTreeSet<String> = allow.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
    assert!(allow.contains("MIT"), "deny.toml allows nothing");
    allow
}

/// The targets that a workspace is built for, as its `deny.toml` names them.
fn targets(workspace: &str) -> Vec<String> {
    let deny = deny(workspace);
    let targets =
        table(&deny, "graph").get("targets").and_then(toml::Value::as_array).expect("a list of targets");
    let targets: Vec<_> = targets.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
    assert_eq!(targets.len(), 4, "a target came or went: {targets:?}");
    targets
}

/// Name and version of every package that is built for `target` with any feature, our own included, each with its
/// licence.
fn packages(workspace: &str, target: &str) -> BTreeMap<String, String> {
    let all = metadata(workspace, &["--all-features", "--filter-platform", target]);
    let packages = array(&all, "packages").iter().map(|package| {
        let name = format!("{} {}", string(package, "name"), string(package, "version"));
        (name, string(package, "license").to_owned())
    });
    let packages: BTreeMap<_, _> = packages.collect();
    let least = if workspace == REMOTE { 50 } else { 300 };
    assert!(packages.len() > least, "{} packages are not the whole tree for {target}", packages.len());
    packages
}

/// The trees of all targets together.
fn all_packages(workspace: &str) -> BTreeMap<String, String> {
    targets(workspace).iter().flat_map(|target| packages(workspace, target)).collect()
}

/// What a workspace's `deny.toml` bans and its tree for `target` has: crates, each with one that depends on it although it is
/// none of the `wrappers`.
fn banned_for(workspace: &str, target: &str) -> Vec<String> {
    let deny = deny(workspace);
    let list = table(&deny, "bans").get("deny").and_then(toml::Value::as_array).expect("a list of bans");
    let banned: BTreeMap<&str, BTreeSet<&str>> = list
        .iter()
        .filter_map(|one| {
            let wrappers = one.get("wrappers").and_then(toml::Value::as_array).into_iter().flatten();
            Some((one.get("crate")?.as_str()?, wrappers.filter_map(toml::Value::as_str).collect()))
        })
        .collect();
    for known in ["reqwest", "hyper", "openssl", "curl", "ureq"] {
        assert!(banned.contains_key(known), "deny.toml does not ban {known}");
    }
    let is_exempt = banned.values().any(|wrappers| !wrappers.is_empty());
    assert_eq!(is_exempt, workspace == REMOTE, "only {REMOTE} may speak HTTP");
    let all = metadata(workspace, &["--all-features", "--filter-platform", target]);
    let names: BTreeMap<&str, &str> = array(&all, "packages")
        .iter()
        .map(|package| (string(package, "id"), string(package, "name")))
        .collect();
    let mut found = Vec::new();
    for node in array(&all["resolve"], "nodes") {
        let by = names[string(node, "id")];
        for dependency in array(node, "deps").iter().map(|one| names[string(one, "pkg")]) {
            if banned.get(dependency).is_some_and(|wrappers| !wrappers.contains(by)) {
                found.push(format!("{dependency}, by {by}"));
            }
        }
    }
    found
}

#[test]
fn rooms_know_only_the_rooms_they_may() {
    let all = metadata("", &["--no-deps"]);
    let rooms: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let members: BTreeSet<&str> =
        array(&all, "packages").iter().map(|package| string(package, "name")).collect();
    let mut seen = 0;
    let mut wrong = Vec::new();
    for package in array(&all, "packages") {
        let name = string(package, "name");
        let Some(may) = rooms.get(name) else {
            wrong.push(format!("{name} has no line in ARROWS of tests/integration/house.rs"));
            continue;
        };
        seen += 1;
        // What tests use is not shipped.
        let shipped = array(package, "dependencies").iter().filter(|one| one["kind"] != "dev");
        for dependency in shipped.map(|one| string(one, "name")) {
            if members.contains(dependency) && !may.contains(&dependency) {
                wrong
                    .push(format!("{}: {name} must not know {dependency}", string(package, "manifest_path")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(seen, ARROWS.len(), "a room of ARROWS is gone");
}

#[test]
fn one_room_alone_names_each_native_library() {
    let all = metadata("", &["--no-deps"]);
    let mut found = BTreeSet::new();
    let mut wrong = Vec::new();
    for package in array(&all, "packages") {
        let name = string(package, "name");
        for dependency in array(package, "dependencies").iter().map(|one| string(one, "name")) {
            for (library, owner) in OWNED {
                if dependency.starts_with(library) && name == owner {
                    found.insert(library);
                } else if dependency.starts_with(library) {
                    let manifest = string(package, "manifest_path");
                    wrong.push(format!("{manifest}: only {owner} may depend on {dependency}, not {name}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<_> = OWNED.iter().filter(|(library, _)| !found.contains(library)).collect();
    assert!(missing.is_empty(), "no room depends on these any more: {missing:?}");
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    for workspace in WORKSPACES {
        let allow = allowed_licences(workspace);
        let wrong: Vec<_> = all_packages(workspace)
            .iter()
            .filter(|(_, licence)| !licence::allows(licence, &|name| allow.contains(name)))
            .map(|(name, licence)| format!("{name}: its licence '{licence}' is not allowed by deny.toml"))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// The list is as short as it can be, so that a licence that comes in anew is looked at by a person.
#[test]
fn every_licence_that_is_allowed_is_needed() {
    for workspace in WORKSPACES {
        let allow = allowed_licences(workspace);
        let packages = all_packages(workspace);
        for one in &allow {
            let without = |name: &str| name != one && allow.contains(name);
            let with = |name: &str| allow.contains(name);
            let mut licences = packages.values();
            let needed = licences.any(|all| licence::allows(all, &with) && !licence::allows(all, &without));
            assert!(needed, "{workspace}/deny.toml allows {one}, which no dependency needs");
        }
    }
}

/// Each tree, not the lock file: that one names what Tauri would use on Android, reqwest among it, and Oriel is not
/// built for Android.
#[test]
fn nothing_in_the_tree_speaks_http() {
    for target in targets("") {
        let found = banned_for("", &target);
        assert!(found.is_empty(), "for {target} the tree has what deny.toml bans: {found:?}");
    }
}

/// The programs that open sockets are the exception: one has one client, the other one server.
#[test]
fn the_programs_that_open_sockets_have_one_http_library_each() {
    for target in targets(REMOTE) {
        let found = banned_for(REMOTE, &target);
        assert!(found.is_empty(), "for {target} the tree has what {REMOTE}/deny.toml bans: {found:?}");
        for library in ["ureq ", "hyper ", "rustls "] {
            let found = packages(REMOTE, &target).into_keys().filter(|package| package.starts_with(library));
            assert_eq!(found.count(), 1, "{library}");
        }
    }
}

/// The rule above can fail: it looks as deep as Tauri's own dependencies.
#[test]
fn what_speaks_http_is_found_where_it_is_in_a_tree() {
    let found = banned_for("", "aarch64-linux-android");
    assert!(
        found.iter().any(|package| package.starts_with("reqwest,")),
        "Tauri does without reqwest now: hold Cargo.lock itself to the bans again"
    );
}

#[test]
fn dependencies_come_from_crates_io_alone() {
    for workspace in WORKSPACES {
        let path = root().join(workspace).join("Cargo.lock");
        let lock = std::fs::read_to_string(&path).expect("Cargo.lock is committed");
        for (at, line) in (1..).zip(lock.lines()) {
            let Some(source) = line.strip_prefix("source = ") else { continue };
            let known = "\"registry+https://github.com/rust-lang/crates.io-index\"";
            assert_eq!(source, known, "{}:{at}", path.display());
        }
    }
}
