//! What the window's shell promises about the page: its policy, what the page may ask of Tauri, and the licences of the
//! packages that the page is built from.

use serde_json::{Value, json};

use super::{allowed_licences, array, licence, root, string};

/// Where the page may load from or connect to: nowhere, itself, the shell's own schemes.
const SOURCES: [&str; 6] = ["'none'", "'self'", "blob:", "ipc:", "http://ipc.localhost", "doc:"];

/// What the page may connect to on Windows, which has no schemes of its own: `doc:` has this address there.
const DOCUMENTS_ON_WINDOWS: &str = "http://doc.localhost";

/// What the page may ask of Tauri itself, beside our own commands.
const PERMISSIONS: [&str; 2] = ["core:event:allow-listen", "core:event:allow-unlisten"];

fn json_of(path: &str) -> Value {
    let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What is wrong with `tauri.conf.json`.
fn config_faults(config: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if !config["build"]["devUrl"].is_null() {
        wrong.push(
            "devUrl belongs into ui/tauri.dev.json: a plain build would load the page from there".into(),
        );
    }
    let security = &config["app"]["security"];
    if security["freezePrototype"] != true {
        wrong.push("freezePrototype must be true".into());
    }
    for loose in ["devCsp", "dangerousDisableAssetCspModification", "assetProtocol"] {
        if !security[loose].is_null() {
            wrong.push(format!("{loose} loosens the policy"));
        }
    }
    let named = security["capabilities"].as_array();
    if !named.is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_string)) {
        wrong.push("capabilities are named here and stand in src-tauri/capabilities".into());
    }
    let Some(policy) = security["csp"].as_object() else {
        wrong.push("there is no csp, directive by directive".into());
        return wrong;
    };
    if policy.get("default-src") != Some(&json!("'none'")) {
        wrong.push("default-src must be 'none'".into());
    }
    for (directive, value) in policy {
        let Some(value) = value.as_str() else {
            wrong.push(format!("{directive} is no text"));
            continue;
        };
        let foreign = value.split_whitespace().filter(|source| !SOURCES.contains(source));
        wrong.extend(foreign.map(|source| format!("{directive} admits {source}")));
    }
    // What `default-src` does not stand in for.
    for directive in ["base-uri", "form-action", "frame-ancestors"] {
        if policy.get(directive) != Some(&json!("'none'")) {
            wrong.push(format!("{directive} must be 'none'"));
        }
    }
    wrong
}

/// What is wrong with a file of `src-tauri/capabilities`.
fn capability_faults(capability: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if !capability["remote"].is_null() {
        wrong.push("no other page may ask anything".into());
    }
    let permissions = array(capability, "permissions");
    if permissions.is_empty() {
        wrong.push("it permits nothing; delete it".into());
    }
    let known = |one: &Value| one.as_str().is_some_and(|one| PERMISSIONS.contains(&one));
    wrong.extend(permissions.iter().filter(|one| !known(one)).map(|one| format!("it permits {one}")));
    wrong
}

#[test]
fn the_page_is_held_to_a_strict_policy() {
    let wrong = config_faults(&json_of("tauri.conf.json"));
    assert!(wrong.is_empty(), "tauri.conf.json: {}", wrong.join("; "));
}

/// What is wrong with `tauri.windows.conf.json`, which Tauri lays over `tauri.conf.json`: it may give documents their
/// address there, and nothing else.
fn windows_faults(windows: &Value, config: &Value) -> Vec<String> {
    let connect = string(&config["app"]["security"]["csp"], "connect-src");
    let sources =
        connect.split_whitespace().map(|one| if one == "doc:" { DOCUMENTS_ON_WINDOWS } else { one });
    let connect = sources.collect::<Vec<_>>().join(" ");
    let mut only = json!({"app": {"security": {"csp": {"connect-src": connect}}}});
    only["$schema"] = config["$schema"].clone();
    match *windows == only {
        true => Vec::new(),
        false => vec![format!("it is {only} and nothing else")],
    }
}

#[test]
fn on_windows_documents_have_their_own_address_and_nothing_else_changes() {
    let (config, windows) = (json_of("tauri.conf.json"), json_of("tauri.windows.conf.json"));
    let wrong = windows_faults(&windows, &config);
    assert!(wrong.is_empty(), "tauri.windows.conf.json: {}", wrong.join("; "));
    for (pointer, loose) in [
        ("/app/security/csp/connect-src", json!("'self' ipc: http://ipc.localhost doc:")),
        ("/app/security/csp/connect-src", json!("'self' ipc: http://ipc.localhost http://doc.localhost *")),
        ("/app/security/csp/script-src", json!("'self' 'unsafe-eval'")),
        ("/app/security/freezePrototype", json!(false)),
        ("/build", json!({"devUrl": "http://localhost:5183"})),
    ] {
        let mut windows = windows.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
        windows.pointer_mut(parent).expect("the configuration has it")[key] = loose;
        assert_eq!(windows_faults(&windows, &config).len(), 1, "{pointer}");
    }
    let others: Vec<String> = std::fs::read_dir(root())
        .expect("the root can be listed")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("tauri.") && name.contains("conf"))
        .filter(|name| !matches!(name.as_str(), "tauri.conf.json" | "tauri.windows.conf.json"))
        .collect();
    assert_eq!(others, [""; 0], "no other system has a policy of its own");
}

#[test]
fn a_loose_policy_is_found() {
    let sound = json_of("tauri.conf.json");
    for (pointer, loose, what) in [
        ("/build/devUrl", json!("http://localhost:5183"), "devUrl"),
        ("/app/security/freezePrototype", json!(false), "freezePrototype"),
        ("/app/security/devCsp", json!({}), "devCsp"),
        ("/app/security/capabilities", json!([{"identifier": "main"}]), "capabilities"),
        ("/app/security/csp", Value::Null, "no csp"),
        ("/app/security/csp/default-src", json!("'self'"), "default-src"),
        ("/app/security/csp/base-uri", json!("'self'"), "base-uri"),
        ("/app/security/csp/script-src", json!("'self' 'unsafe-eval'"), "'unsafe-eval'"),
        ("/app/security/csp/style-src", json!("'self' 'unsafe-inline'"), "'unsafe-inline'"),
        ("/app/security/csp/connect-src", json!("'self' https://example.com"), "https://example.com"),
        ("/app/security/csp/img-src", json!("*"), "admits *"),
        ("/app/security/csp/font-src", json!("data:"), "admits data:"),
        ("/app/security/csp/frame-src", json!(["'self'"]), "no text"),
    ] {
        let mut config = sound.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
        config.pointer_mut(parent).expect("the configuration has it")[key] = loose;
        let found = config_faults(&config);
        assert!(found.len() == 1 && found[0].contains(what), "{pointer}: {found:?}");
    }
}

#[test]
fn the_page_may_only_listen() {
    let folder = root().join("src-tauri/capabilities");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("there are capabilities").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let wrong = capability_faults(&json_of(&format!("src-tauri/capabilities/{name}")));
        assert!(wrong.is_empty(), "src-tauri/capabilities/{name}: {}", wrong.join("; "));
        seen += 1;
    }
    assert!(seen > 0, "there are no capabilities");
    for (loose, what) in [
        (json!({"permissions": ["core:default"]}), "core:default"),
        (json!({"permissions": [{"identifier": "opener:allow-open-url"}]}), "opener"),
        (json!({"permissions": PERMISSIONS, "remote": {"urls": ["https://example.com"]}}), "no other page"),
        (json!({}), "nothing"),
    ] {
        let found = capability_faults(&loose);
        assert!(found.len() == 1 && found[0].contains(what), "{loose}: {found:?}");
    }
}

/// What a user gets of npm's packages, each with its licence: those that are not for development alone.
fn shipped(lock: &Value) -> Vec<(String, String)> {
    let packages = lock["packages"].as_object().into_iter().flatten();
    let shipped = packages.filter(|(path, one)| !path.is_empty() && one["dev"] != true);
    shipped.map(|(path, one)| (path.clone(), string(one, "license").to_owned())).collect()
}

/// Packages whose licence is not allowed.
fn unlicensed(packages: &[(String, String)]) -> Vec<String> {
    let allow = allowed_licences("");
    let met = |path: &str, licence: &str| {
        // The Open Font Licence lets a font be shipped beside a program, under its own name; it is for fonts alone.
        let is_font = path.contains("node_modules/@fontsource");
        licence::allows(licence, &|name| allow.contains(name) || (is_font && name == "OFL-1.1"))
    };
    let wrong = packages.iter().filter(|(path, licence)| !met(path, licence));
    wrong
        .map(|(path, licence)| format!("{path}: its licence '{licence}' is not allowed by deny.toml"))
        .collect()
}

#[test]
fn every_package_of_the_page_has_a_licence_that_is_allowed() {
    let packages = shipped(&json_of("ui/package-lock.json"));
    assert!(packages.len() > 15, "{} packages are not all", packages.len());
    for known in ["svelte", "pdfjs-dist", "@tauri-apps/api", "@fontsource-variable/inter"] {
        let path = format!("node_modules/{known}");
        assert!(packages.iter().any(|(one, _)| *one == path), "{known} is not among the packages");
    }
    let wrong = unlicensed(&packages);
    assert!(wrong.is_empty(), "ui/package-lock.json:\n{}", wrong.join("\n"));
    let lock = json!({"packages": {
        "": {"license": "none of ours"},
        "node_modules/a": {"license": "GPL-3.0-only"},
        "node_modules/b": {},
        "node_modules/c": {"license": "OFL-1.1"},
        "node_modules/d": {"license": "GPL-3.0-only", "dev": true},
        "node_modules/e": {"license": "MIT"},
        "node_modules/@fontsource-variable/f": {"license": "OFL-1.1"},
    }});
    assert_eq!(unlicensed(&shipped(&lock)).len(), 3, "a, b and c");
}
