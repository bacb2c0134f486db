//! Bad input: one clear line, the right exit code, no loss.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::oriel::{Oriel, said, text};

/// The run failed with `code` and printed one line that contains all of `words`.
fn refused(output: &Output, code: i32, words: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", said(output));
    assert!(output.stdout.is_empty(), "nothing belongs on standard output");
    let line = String::from_utf8(output.stderr.clone()).unwrap();
    if code == 1 {
        assert_eq!(line.trim_end().lines().count(), 1, "more than one line: {line}");
    }
    for word in words {
        assert!(line.contains(word), "'{word}' is not in: {line}");
    }
}

#[test]
fn wrong_usage_ends_with_two_and_says_what_is_right() {
    let oriel = Oriel::new();
    for (arguments, word) in [
        (&["search", "x", "--window", "abc"][..], "1,3"),
        (&["search", "x", "--window", "-1"], "--window"),
        (&["search", "x", "--top", "0"], "from 1"),
        (&["search", "x", "--candidates", "many"], "from 1"),
        (&["search", "x", "--mode", "magic"], "hybrid"),
        (&["search", "x", "--rerank", "twice"], "passage"),
        (&["search", "x", "--kind", "exe"], "known are md"),
        (&["search", "x", "--since", "yesterday"], "2026-01-31"),
        (&["search", ""], "empty"),
        (&["search"], "QUESTION"),
        (&["ask", "x", "--batch", "y"], "--batch"),
        (&["add"], "FOLDER"),
        (&["no-such-command"], "no-such-command"),
        (&["index", "--no-such-flag"], "--no-such-flag"),
    ] {
        refused(&oriel.run(arguments), 2, &[word]);
    }
    assert!(!oriel.library().exists(), "wrong usage must not make a library");
}

#[test]
fn folders_that_cannot_be_added_are_refused_together() {
    let oriel = Oriel::new();
    let good = oriel.documents();
    let file = oriel.write("a.txt", "text");
    let missing = oriel.beside("missing");
    refused(
        &oriel.run(&["add", good.to_str().unwrap(), missing.to_str().unwrap()]),
        1,
        &["missing", "does not exist"],
    );
    let picture = oriel.write("picture.xyz", "no text");
    refused(
        &oriel.run(&["add", file.to_str().unwrap(), picture.to_str().unwrap()]),
        1,
        &["picture.xyz", "is a file of a kind that Oriel does not read"],
    );
    assert_eq!(oriel.json(&["status"])["folders"], serde_json::json!([]));
    refused(&oriel.run(&["remove", good.to_str().unwrap()]), 1, &["is not followed"]);
    refused(
        &oriel.run(&["search", "x", "--in", good.to_str().unwrap()]),
        1,
        &["documents", "not in the library"],
    );
    refused(&oriel.run(&["show", file.to_str().unwrap()]), 1, &["a.txt", "not in the library"]);
}

#[test]
fn a_folder_that_goes_away_keeps_its_documents() {
    let oriel = Oriel::with(&[("a.txt", "The kettle is on the stove.")]);
    let away = oriel.beside("away");
    fs::rename(oriel.documents(), &away).unwrap();
    let output = oriel.command(&["index", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("cannot be reached"), "{}", said(&output));
    assert_eq!(oriel.json(&["status"])["documents"], 1);
    assert!(!oriel.search(&["Where is the kettle?"]).is_empty());
    fs::rename(&away, oriel.documents()).unwrap();
    let back = oriel.json(&["index"]);
    assert_eq!((back["documents"].as_u64(), back["embedded"].as_u64()), (Some(1), Some(0)));
}

#[test]
fn a_library_that_is_none_is_refused() {
    let oriel = Oriel::new();
    fs::write(oriel.library(), "a file").unwrap();
    refused(&oriel.run(&["status"]), 1, &["library"]);
    fs::remove_file(oriel.library()).unwrap();
    fs::create_dir(oriel.library()).unwrap();
    fs::write(oriel.library().join("data.mdb"), vec![7u8; 20_000]).unwrap();
    refused(&oriel.run(&["status"]), 1, &["is not an Oriel library"]);
}

#[test]
fn wrong_models_are_refused_and_nothing_is_installed() {
    let oriel = Oriel::new();
    let here = oriel.beside("models");
    let import = |path: &std::path::Path| {
        oriel
            .command(&["models", "import", path.to_str().unwrap()])
            .env("XDG_DATA_HOME", &here)
            .output()
            .unwrap()
    };
    let garbage = oriel.write("garbage.gguf", vec![1u8; 5000]);
    refused(&import(&garbage), 1, &["garbage.gguf"]);
    let truncated =
        oriel.write("short.gguf", b"GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\x01\0\0\0\0\0\0\0");
    refused(&import(&truncated), 1, &["short.gguf"]);
    refused(&import(&oriel.beside("absent.gguf")), 1, &["absent.gguf"]);
    refused(&import(&oriel.documents()), 1, &["documents"]);
    assert!(
        !here.join("oriel/models").exists()
            || fs::read_dir(here.join("oriel/models")).unwrap().next().is_none()
    );
    refused(&oriel.run(&["ask", "x", "--model", "no-such-model"]), 1, &["no-such-model"]);
    refused(&oriel.run(&["ask", "x", "--model", "all-minilm-l6-v2"]), 1, &["not as generator"]);
}

#[test]
fn a_batch_with_a_wrong_line_is_refused_before_the_first_answer() {
    let oriel = Oriel::with(&[("a.txt", "Text.")]);
    let file = oriel.write("questions.jsonl", "{\"id\": 1, \"question\": \"What?\"}\nnonsense\n");
    refused(&oriel.run(&["search", "--batch", file.to_str().unwrap()]), 1, &["questions.jsonl", "line 2"]);
    refused(&oriel.run(&["search", "--batch", "/no/such/file"]), 1, &["/no/such/file"]);
}

/// Runs a command in its own user namespace, where a small file system can be mounted; `None` if that is forbidden.
#[cfg(target_os = "linux")]
fn in_small_file_system(oriel: &Oriel, kilobytes: u32, script: &str) -> Option<Output> {
    let unshare = |script: &str| {
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
            .env("ORIEL", env!("CARGO_BIN_EXE_oriel"))
            .env("DOCUMENTS", oriel.documents())
            .env("DISK", oriel.library())
            .stdin(Stdio::null())
            .output()
    };
    fs::create_dir_all(oriel.library()).unwrap();
    let mount = format!("mount -t tmpfs -o size={kilobytes}k tmpfs \"$DISK\"");
    let possible = unshare(&mount).is_ok_and(|output| output.status.success());
    if !possible {
        println!("skipped: this system allows no user namespaces");
        return None;
    }
    Some(unshare(&format!("{mount} && {script}")).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line_and_loses_nothing() {
    let oriel = Oriel::new();
    for number in 0..200 {
        let sentences: String =
            (0..20).map(|n| format!("Entry {n} of book {number} weighs {} grams. ", n * number)).collect();
        oriel.write(&format!("{number:03}.txt"), sentences);
    }
    // The disk has room for some documents only; with more room the same library continues.
    let script = r#"
        "$ORIEL" --library "$DISK/l" add "$DOCUMENTS" > /dev/null || exit 90
        "$ORIEL" --library "$DISK/l" --json index > /dev/null 2> "$DISK/../error"; code=$?
        "$ORIEL" --library "$DISK/l" --json status > "$DISK/../status" || exit 91
        mount -o remount,size=200m "$DISK" || exit 92
        "$ORIEL" --library "$DISK/l" --json index 2> /dev/null > "$DISK/../after" || exit 93
        "$ORIEL" --library "$DISK/l" --json doctor > /dev/null || exit 94
        exit $code"#;
    let Some(output) = in_small_file_system(&oriel, 3000, script) else { return };
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let error = fs::read_to_string(oriel.beside("error")).unwrap();
    let last = error.trim_end().lines().last().unwrap();
    assert!(
        last.starts_with("oriel: the disk with the library") && last.contains("free some space"),
        "{error}"
    );
    let status: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(oriel.beside("status")).unwrap()).unwrap();
    assert!(status["pending"].as_u64().unwrap() > 0, "the disk was large enough: {status}");
    let after: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(oriel.beside("after")).unwrap()).unwrap();
    assert_eq!((after["documents"].as_u64(), after["sentences"].as_u64()), (Some(200), Some(4_000)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_cannot_begin_on_a_full_disk() {
    let oriel = Oriel::new();
    let script = r#"
        head -c 100M /dev/zero > "$DISK/filler" 2> /dev/null
        "$ORIEL" --library "$DISK/l" status"#;
    let Some(output) = in_small_file_system(&oriel, 2000, script) else { return };
    refused(&output, 1, &["is full"]);
}

#[test]
fn a_second_indexer_is_told_who_is_at_work() {
    let oriel = Oriel::new();
    oriel.write("a.txt", "One sentence.");
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    // The lock of another indexer.
    let path = oriel.library().join("writer.lock");
    let lock = fs::File::options().create(true).truncate(false).read(true).write(true).open(&path).unwrap();
    lock.try_lock().unwrap();
    fs::write(&path, "4711\n").unwrap();
    refused(&oriel.run(&["index"]), 1, &["another Oriel", "process 4711", "wait"]);
    // Everything that does not index works.
    assert_eq!(oriel.json(&["status"])["pending"], 0);
    drop(lock);
    assert_eq!(oriel.json(&["index"])["documents"], 1);
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read_are_listed() {
    use std::os::unix::fs::PermissionsExt as _;
    let oriel = Oriel::new();
    let path = oriel.write("locked.txt", "secret");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    oriel.json(&["index"]);
    let failed = oriel.json(&["status"])["failed"].clone();
    assert_eq!(failed[0]["code"], "unreadable");
    assert!(text(&failed[0]["reason"]).contains("right to read"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(oriel.json(&["index"])["failed"], 0, "it is read once it may be");
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let oriel = Oriel::with_sample();
    let mut child =
        oriel.command(&["--json", "status"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", said(&output));
}
