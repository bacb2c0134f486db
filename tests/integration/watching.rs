//! `oriel watch`: changes in a folder are in the answers soon after, however they are made.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::oriel::{Oriel, said, text};
use crate::watch_command::{Watching, documents, names, says};

#[test]
fn it_catches_up_and_a_change_is_in_the_answers_within_two_seconds() {
    let oriel = Oriel::new();
    oriel.write("before.txt", "The kettle is on the stove.");
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let watching = Watching::spawn(oriel.command(&["watch", "--json"]));
    let told = watching.until("indexed", &oriel.documents().join("before.txt"));
    assert_eq!((told.len(), &told[0]["sentences"]), (1, &Value::from(1)));
    watching.says("up to date, 1 document; watching 1 folder");

    for (turn, place) in ["on the shelf", "in the cellar", "at the smithy"].into_iter().enumerate() {
        let path = oriel.write("new.txt", format!("The ladle hangs {place}."));
        let begun = Instant::now();
        watching.until("indexed", &path);
        let took = begun.elapsed();
        println!("turn {turn}: told after {took:.0?}");
        assert!(took < Duration::from_secs(2), "turn {turn}: {took:?}");
        // By meaning only: its vector exists too.
        let found = oriel.search(&["Where does the ladle hang?", "--mode", "dense", "--top", "1"]);
        assert_eq!(text(&found[0]["text"]), format!("The ladle hangs {place}."));
    }
    let path = oriel.documents().join("new.txt");
    fs::remove_file(&path).unwrap();
    watching.until("removed", &path);
    assert!(!says(&oriel, "Where does the ladle hang?", "ladle"));
    let path = oriel.write("broken.pdf", "%PDF-1.7\nthis goes nowhere");
    let told = watching.until("failed", &path);
    assert_eq!(told.last().unwrap()["code"], "broken");
    watching.end();
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

/// A package manager replaces the program while it runs.
#[cfg(target_os = "linux")]
#[test]
fn an_upgrade_under_a_running_program_does_not_stop_its_workers() {
    let oriel = Oriel::new();
    let program = oriel.beside("oriel");
    fs::copy(env!("CARGO_BIN_EXE_oriel"), &program).unwrap();
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let mut command = Command::new(&program);
    command.arg("--library").arg(oriel.library()).args(["watch", "--json"]);
    let watching = Watching::spawn(command);
    watching.says("up to date");
    fs::remove_file(&program).unwrap();
    fs::write(&program, "another version").unwrap();
    watching.until("indexed", &oriel.write("new.txt", "The kettle is on the stove."));
}

#[test]
fn a_file_that_is_saved_by_renaming_another_over_it_keeps_its_document() {
    let oriel = Oriel::new();
    let path = oriel.write("a.txt", "The lease ends in March.");
    let watching = Watching::begin(&oriel);
    let before = documents(&oriel);
    for (number, month) in ["April", "May", "June"].into_iter().enumerate() {
        // As editors save: through a file beside it, hidden or not, or from another folder.
        let name = [".a.txt.swp", "a.txt~", "../a.txt.new"][number];
        let beside = oriel.documents().join(name);
        fs::write(&beside, format!("The lease ends in {month}.")).unwrap();
        fs::rename(&beside, &path).unwrap();
        watching.until("indexed", &path);
        assert!(says(&oriel, "When does the lease end?", month));
    }
    assert_eq!(documents(&oriel), before);
    watching.end();
}

#[test]
fn folders_come_with_everything_in_them_and_go_with_it() {
    let oriel = Oriel::new();
    let watching = Watching::begin(&oriel);
    // Created and written before a watch can be set on the new folders.
    let deep = oriel.write("a/b/c/d/e/deep.txt", "The well is deep.");
    watching.until("indexed", &deep);
    let later = oriel.write("a/b/c/later.txt", "The bucket came later.");
    watching.until("indexed", &later);

    let away = oriel.beside("away");
    fs::create_dir_all(away.join("inner")).unwrap();
    fs::write(away.join("one.txt"), "One came by cart.").unwrap();
    fs::write(away.join("inner/two.txt"), "Two came by cart.").unwrap();
    let here = oriel.documents().join("cart");
    fs::rename(&away, &here).unwrap();
    watching.until("indexed", &here.join("one.txt"));
    let two = here.join("inner/two.txt");
    if !names(&oriel).contains(&"cart/inner/two.txt".to_owned()) {
        watching.until("indexed", &two);
    }
    fs::write(&two, "Two came by boat.").unwrap();
    watching.until("indexed", &two);

    fs::rename(&here, &away).unwrap();
    watching.until("removed", &here.join("one.txt"));
    assert_eq!(names(&oriel), ["a/b/c/d/e/deep.txt", "a/b/c/later.txt"]);
    // The folder is now outside the documents: changes in it are ignored, also to a file with an old name.
    fs::write(away.join("one.txt"), "One has left.").unwrap();
    fs::remove_dir_all(oriel.documents().join("a")).unwrap();
    watching.until("removed", &later);
    assert_eq!(names(&oriel), [""; 0]);
    watching.end();
}

#[cfg(target_os = "linux")]
#[test]
fn changes_behind_a_link_are_noticed_where_links_are_followed() {
    use std::os::unix::fs::symlink;
    let oriel = Oriel::new();
    let (root, outside, single) = (oriel.documents(), oriel.beside("outside"), oriel.beside("single.txt"));
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("far.txt"), "The beacon is red.").unwrap();
    fs::write(&single, "The buoy is green.").unwrap();
    oriel.json(&["add", "--follow-links", root.to_str().unwrap()]);
    let watching = Watching::spawn(oriel.command(&["watch", "--json"]));
    watching.says("up to date");
    symlink(&outside, root.join("out")).unwrap();
    watching.until("indexed", &root.join("out/far.txt"));
    fs::write(outside.join("new.txt"), "The beacon is new.").unwrap();
    watching.until("indexed", &root.join("out/new.txt"));
    symlink(&single, root.join("one.txt")).unwrap();
    watching.until("indexed", &root.join("one.txt"));
    for colour in ["white", "black"] {
        let beside = oriel.beside("single.new");
        fs::write(&beside, format!("The buoy is {colour}.")).unwrap();
        fs::rename(&beside, &single).unwrap();
        watching.until("indexed", &root.join("one.txt"));
        assert!(says(&oriel, "Which colour is the buoy?", colour));
    }
    fs::remove_file(root.join("out")).unwrap();
    watching.until("removed", &root.join("out/far.txt"));
    watching.end();
    assert_eq!(names(&oriel), ["one.txt"]);
}

#[cfg(unix)]
#[test]
fn a_signal_that_asks_it_to_end_ends_it_well_and_nohup_keeps_it() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        Watching::begin(&Oriel::new()).end_by(signal);
    }
    let oriel = Oriel::new();
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let watch = oriel.command(&["watch", "--json"]);
    let mut kept = Command::new("nohup");
    kept.arg(watch.get_program()).args(watch.get_args()).stdin(Stdio::null());
    let watching = Watching::spawn(kept);
    watching.says("up to date");
    watching.signal("-HUP");
    let path = oriel.write("a.txt", "The kettle is on the stove.");
    watching.until("indexed", &path);
    watching.end_by("-TERM");
}

#[test]
fn names_change_and_documents_stay() {
    let oriel = Oriel::new();
    // The same letter in two forms: one code point, or a letter and a combining mark.
    let (composed, divided) = ("M\u{fc}hle.txt", "Mu\u{308}hle.txt");
    oriel.write("Notes.txt", "The notes are in the drawer.");
    oriel.write("inner/deep/a.txt", "The mill stands still.");
    oriel.write(composed, "The wheel turns.");
    oriel.write("first.txt", "The first of two.");
    oriel.write("second.txt", "The second of two, which is longer.");
    let watching = Watching::begin(&oriel);
    let before = documents(&oriel);
    let id = |name: &str| before.iter().find(|(one, _)| one == name).unwrap().1;
    let root = oriel.documents();
    let rename = |from: &str, to: &str| {
        fs::rename(root.join(from), root.join(to)).unwrap();
        root.join(to)
    };
    watching.until("indexed", &rename("Notes.txt", "notes.txt"));
    watching.until("indexed", &rename(composed, divided));
    rename("inner", "outer");
    watching.until("indexed", &root.join("outer/deep/a.txt"));
    // In a cycle.
    rename("first.txt", "kept.tmp");
    rename("second.txt", "first.txt");
    watching.until("indexed", &rename("kept.tmp", "second.txt"));
    let mut wanted = vec![
        ("notes.txt".to_owned(), id("Notes.txt")),
        (divided.to_owned(), id(composed)),
        ("outer/deep/a.txt".to_owned(), id("inner/deep/a.txt")),
        ("first.txt".to_owned(), id("second.txt")),
        ("second.txt".to_owned(), id("first.txt")),
    ];
    wanted.sort();
    assert_eq!(documents(&oriel), wanted);
    assert!(says(&oriel, "Where are the notes?", "in the drawer"));
    watching.end();
    assert_eq!(oriel.json(&["doctor"])["ok"], true);
}

#[test]
fn a_file_that_is_being_written_is_read_once_it_rests() {
    let oriel = Oriel::new();
    let watching = Watching::begin(&oriel);
    let path = oriel.documents().join("slow.txt");
    let mut file = fs::File::create(&path).unwrap();
    for number in 0..8 {
        writeln!(file, "Sentence {number} was written slowly.\n").unwrap();
        #[expect(clippy::disallowed_methods, reason = "the writer's slowness is what is tested")]
        std::thread::sleep(Duration::from_millis(600));
    }
    drop(file);
    let told = watching.until("indexed", &path);
    assert_eq!(told.len(), 1, "it was read while it was written: {told:?}");
    assert_eq!(told[0]["sentences"], 8);
    watching.end();
}

#[cfg(unix)]
#[test]
fn what_is_passed_over_is_passed_over_as_it_comes() {
    let oriel = Oriel::new();
    let kept = oriel.write("drafts/kept.txt", "The draft was kept.");
    let watching = Watching::begin(&oriel);
    let root = oriel.documents();
    oriel.write(".hidden/a.txt", "The hidden word is albatross.");
    oriel.write(".b.txt", "The hidden word is bittern.");
    oriel.write("~$c.docx", "lock");
    std::os::unix::fs::symlink(&root, root.join("loop")).unwrap();
    let outside = oriel.beside("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("d.txt"), "The word outside is dunlin.").unwrap();
    std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
    std::os::unix::fs::symlink(outside.join("d.txt"), root.join("d.txt")).unwrap();
    let plain = oriel.write("plain.txt", "The plain word is gull.");
    let told = watching.until("indexed", &plain);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(names(&oriel), ["drafts/kept.txt", "plain.txt"]);
    // Patterns in a folder, and their removal.
    let patterns = oriel.write(".orielignore", "drafts/\n*.log.txt\n");
    watching.until("removed", &kept);
    oriel.write("a.log.txt", "Not this.");
    oriel.write("drafts/new.txt", "Nor this.");
    let again = oriel.write("again.txt", "But this.");
    assert_eq!(watching.until("indexed", &again).len(), 1);
    fs::remove_file(&patterns).unwrap();
    watching.until("indexed", &root.join("drafts/new.txt"));
    watching.end();
    let all = ["a.log.txt", "again.txt", "drafts/kept.txt", "drafts/new.txt", "plain.txt"];
    oriel.json(&["index"]);
    assert_eq!(names(&oriel), all);
}

#[cfg(unix)]
#[test]
fn rights_that_are_given_are_noticed() {
    use std::os::unix::fs::PermissionsExt as _;
    let oriel = Oriel::new();
    let path = oriel.write("locked.txt", "The lock is open.");
    let inner = oriel.write("inner/a.txt", "The inner door is open.");
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    allow(&path, 0o000);
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let mut watch = oriel.command(&["watch", "--json"]);
    if fs::read(&path).is_ok() {
        // Root can read everything, but not in a separate user namespace.
        let mut within = Command::new("unshare");
        within.arg("--user").arg(watch.get_program()).args(watch.get_args()).stdin(Stdio::null());
        watch = within;
        let possible = Command::new("unshare").args(["--user", "cat"]).arg(&path).output();
        if !possible.is_ok_and(|output| said(&output).contains("denied")) {
            println!("skipped: rights_that_are_given_are_noticed (this user may read everything)");
            return;
        }
    }
    let watching = Watching::spawn(watch);
    watching.until("failed", &path);
    allow(&path, 0o600);
    watching.until("indexed", &path);
    allow(inner.parent().unwrap(), 0o000);
    watching.says("cannot be reached");
    assert_eq!(names(&oriel), ["inner/a.txt", "locked.txt"], "what cannot be looked at is kept");
    allow(inner.parent().unwrap(), 0o700);
    oriel.write("inner/b.txt", "So is the second.");
    watching.until("indexed", &oriel.documents().join("inner/b.txt"));
    watching.end();
}

#[test]
fn a_folder_that_goes_away_is_kept_and_noticed_when_it_is_back() {
    let oriel = Oriel::new();
    oriel.write("a.txt", "The kettle is on the stove.");
    let watching = Watching::begin(&oriel);
    let away = oriel.beside("away");
    fs::rename(oriel.documents(), &away).unwrap();
    watching.says("cannot be reached (it is not there");
    assert!(says(&oriel, "Where is the kettle?", "on the stove"));
    assert_eq!(oriel.json(&["status"])["unreachable"][0]["path"], oriel.documents().to_str().unwrap());
    fs::write(away.join("b.txt"), "The kettle is in the shed.").unwrap();
    fs::rename(&away, oriel.documents()).unwrap();
    watching.until("indexed", &oriel.documents().join("b.txt"));
    let path = oriel.write("c.txt", "It is watched as before.");
    watching.until("indexed", &path);
    assert_eq!(oriel.json(&["status"])["unreachable"], serde_json::json!([]));
    watching.end();
}

#[test]
fn what_another_oriel_does_is_noticed_and_an_indexer_is_waited_for() {
    let oriel = Oriel::new();
    let watching = Watching::begin(&oriel);
    let beside = oriel.beside("beside");
    fs::create_dir(&beside).unwrap();
    let beside = beside.canonicalize().unwrap();
    fs::write(beside.join("a.txt"), "The other folder is here.").unwrap();
    oriel.json(&["add", beside.to_str().unwrap()]);
    watching.until("indexed", &beside.join("a.txt"));
    // The lock of another indexer.
    let path = oriel.library().join("writer.lock");
    let lock = fs::File::options().read(true).write(true).open(&path).unwrap();
    lock.lock().unwrap();
    fs::write(&path, "4711\n").unwrap();
    let path = oriel.write("b.txt", "This one has to wait.");
    let line = watching.says("another Oriel");
    assert!(line.contains("process 4711") && line.contains("wait"), "{line}");
    drop(lock);
    watching.until("indexed", &path);
    watching.end();
}
