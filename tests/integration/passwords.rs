//! A PDF with a password is read once the user gives it; the password is saved only if the user says so.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use oriel_core::CancelToken;
use oriel_engine::{EngineError, Library};

use crate::members::{first_path, zipped};
use crate::oriel::{Oriel, repository, said};

#[test]
fn a_locked_pdf_is_read_with_its_password_and_marked() {
    let oriel = Oriel::new();
    let locked = fs::read(repository().join("tests/fixtures/locked.pdf")).unwrap();
    let path = oriel.write("locked.pdf", &locked);
    let other = [&locked[..], b"\n"].concat();
    oriel.write("letters.zip", zipped(&[("attached.pdf", &other)]));
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    for number in [0, 1] {
        assert_eq!(oriel.json(&["status"])["failed"][number]["code"], "encrypted");
    }
    let give = |password: &str, path: &Path| {
        let mut command = oriel.command(&["unlock", path.to_str().unwrap()]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let refused = give("low water", &path);
    assert!(!refused.status.success() && said(&refused).contains("password"), "{}", said(&refused));
    assert!(give("high water\n", &path).status.success());
    assert_eq!(first_path(&oriel, "When was the lighthouse lit?"), "locked.pdf");
    let attached = oriel.documents().join("letters.zip/attached.pdf");
    assert!(give("high water", &attached).status.success());
    assert_eq!(oriel.json(&["status"])["failed"], serde_json::json!([]));
    let library = oriel.open();
    let shown = library.show(&path).unwrap();
    let marks =
        |library: &Library| library.highlights(shown.row.id, &[shown.sentences[0].span], &CancelToken::new());
    assert!(
        matches!(marks(&library), Err(EngineError::Unmarked { .. })),
        "nobody knows the password any more"
    );
    library.unlock(shown.row.id, "high water", false, &CancelToken::new()).unwrap();
    assert_eq!(marks(&library).unwrap()[0].page, 1);
    assert!(library.pages_of(shown.row.id, &CancelToken::new()).unwrap().starts_with(b"%PDF-"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_password_is_kept_in_the_keyring_only_if_asked() {
    let oriel = Oriel::new();
    let locked = fs::read(repository().join("tests/fixtures/locked.pdf")).unwrap();
    oriel.write("locked.pdf", &locked);
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    // A separate keyring on a separate D-Bus.
    let script = r#"
        printf login | gnome-keyring-daemon --unlock --components=secrets >/dev/null
        oriel() { "$ORIEL" --library "$LIBRARY" "$@"; }
        oriel index
        printf 'high water' | oriel unlock "$DOCUMENTS/locked.pdf"
        cp "$DOCUMENTS/locked.pdf" "$DOCUMENTS/before.pdf"; oriel index
        printf 'high water' | oriel unlock --keep "$DOCUMENTS/locked.pdf"
        cp "$DOCUMENTS/locked.pdf" "$DOCUMENTS/kept.pdf"; oriel index
        oriel unlock --forget "$DOCUMENTS/locked.pdf"
        cp "$DOCUMENTS/locked.pdf" "$DOCUMENTS/later.pdf"; oriel index
        oriel --json status"#;
    let run = oriel.beside("run");
    fs::create_dir(&run).unwrap();
    let mut session = std::process::Command::new("dbus-run-session");
    session.args(["--", "sh", "-ec", script]).env("ORIEL", env!("CARGO_BIN_EXE_oriel"));
    session.env("LIBRARY", oriel.library()).env("DOCUMENTS", oriel.documents());
    session.env("XDG_DATA_HOME", &run).env("XDG_RUNTIME_DIR", &run);
    let output = session.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let failed = oriel.json(&["status"])["failed"].as_array().unwrap().clone();
    let names: Vec<_> =
        failed.iter().map(|one| Path::new(crate::oriel::text(&one["path"])).file_name().unwrap()).collect();
    assert_eq!(names, ["before.pdf", "later.pdf"], "{}", said(&output));
}
