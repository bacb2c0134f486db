//! The page's content policy and permissions, repeated here so that loosening them needs two changes; and the licences
//! of the page's npm packages, which cargo-deny does not read.

use serde_json::{Value, json};

use super::string;
use crate::oriel::repository;

fn json_of(path: &str) -> Value {
    let text = std::fs::read_to_string(repository().join(path)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_page_is_held_to_a_strict_policy() {
    let config = json_of("tauri.conf.json");
    let policy = json!({
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "worker-src": "'self'",
        "img-src": "'self' blob:",
        "connect-src": "'self' ipc: http://ipc.localhost doc:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "object-src": "'none'",
    });
    let security = json!({"freezePrototype": true, "csp": policy, "capabilities": ["main"]});
    assert_eq!(config["app"]["security"], security);
    assert_eq!(config["build"]["devUrl"], Value::Null, "a plain build would load the page from there");
}

/// Windows has no custom schemes: `doc:` has this address there. No other difference is allowed.
#[test]
fn on_windows_documents_have_their_own_address_and_nothing_else_changes() {
    let connect = "'self' ipc: http://ipc.localhost http://doc.localhost";
    let only = json!({"app": {"security": {"csp": {"connect-src": connect}}}});
    assert_eq!(json_of("tauri.windows.conf.json")["app"], only["app"]);
    assert_eq!(json_of("tauri.windows.conf.json").as_object().unwrap().len(), 2, "the app and the schema");
    let names =
        std::fs::read_dir(repository()).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.starts_with("tauri.")).collect();
    names.sort();
    assert_eq!(names, ["tauri.conf.json", "tauri.windows.conf.json"]);
}

#[test]
fn the_page_may_only_listen() {
    let folder = std::fs::read_dir(repository().join("src-tauri/capabilities")).unwrap();
    assert_eq!(folder.count(), 1);
    let mut capability = json_of("src-tauri/capabilities/main.json");
    capability.as_object_mut().unwrap().remove("description");
    let permissions = ["core:event:allow-listen", "core:event:allow-unlisten"];
    assert_eq!(capability, json!({"identifier": "main", "windows": ["main"], "permissions": permissions}));
}

#[test]
fn every_package_of_the_page_has_a_licence_that_is_allowed() {
    let lock = json_of("ui/package-lock.json");
    let packages = lock["packages"].as_object().unwrap().iter();
    let shipped: Vec<_> = packages.filter(|(path, one)| !path.is_empty() && one["dev"] != true).collect();
    assert!(shipped.len() > 15, "{} packages are not all", shipped.len());
    for (path, package) in shipped {
        // The Open Font Licence allows shipping a font with a program.
        let is_font = path.starts_with("node_modules/@fontsource");
        let licence = string(package, "license");
        let is_allowed = ["MIT", "Apache-2.0", "Apache-2.0 OR MIT", "ISC"].contains(&licence);
        assert!(is_allowed || (is_font && licence == "OFL-1.1"), "{path}: '{licence}' is not allowed");
    }
}
