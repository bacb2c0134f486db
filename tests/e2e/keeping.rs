//! The library as a whole: backed up, compacted, restored, checked and repaired, all from the window.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::asking::{LEASE, RECALL, SERIALS, answered, ask, ready, take};
use crate::harness::{App, Harness};

const PETS: &str = "May the tenant keep a dog on the premises?";

/// Opens the settings page for all of this.
fn storage(app: &App) {
    app.keys("Ctrl+,");
    app.press("Storage and backup");
    app.one("[data-testid=backup-library]");
}

/// The replaced libraries beside the app's.
fn replaced(harness: &Harness) -> Vec<PathBuf> {
    let beside = fs::read_dir(harness.library().parent().unwrap()).unwrap();
    let mut folders: Vec<_> = beside.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|path| path.is_dir() && *path != harness.library());
    folders
}

fn conversations(library: &Path) -> usize {
    fs::read_dir(library.join("conversations")).map_or(0, |kept| {
        kept.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|one| one == "json"))
            .count()
    })
}

#[test]
fn a_library_is_backed_up_compacted_and_brought_back_while_the_window_is_open() {
    let harness = Harness::new();
    take(&harness, &[LEASE, RECALL]);
    let app = ready(&harness, json!({"generator": "quotes", "passages": 4}));
    ask(&app, PETS);
    answered(&app, 1);
    let answer = app.text("[data-testid=answer]");
    let file = harness.home().join("Kept.tar");
    storage(&app);
    app.click("[data-testid=backup-library]");
    app.save_as(&file);
    app.until_text("[data-testid=backup-result]", "Kept.tar holds the library with 1 conversation,");
    assert!(file.is_file());

    // The compacted index replaces the old one, and everything continues with it.
    app.click("[data-testid=compact-library]");
    app.until_text("[data-testid=compact-result]", "The index took");
    app.until_text("[data-testid=status] [role=status]", "Up to date");
    app.keys("Escape");
    app.keys("Ctrl+n");
    app.until("the page is empty", || app.count("[data-turn]") == 0);
    ask(&app, SERIALS);
    answered(&app, 1);
    assert!(app.text("[data-testid=passages]").contains("C2-0411"));

    // Changes since the backup are kept beside the restored library.
    app.press("Rename, delete, more");
    app.press("Delete…");
    app.click("[data-testid=delete-now]");
    app.until("it is gone", || app.count("[data-talk]") == 1);
    ask(&app, "Who may enter the flat?");
    answered(&app, 1);
    ask(&app, SERIALS);
    answered(&app, 2);
    app.until("both are listed", || app.count("[data-talk]") == 2);
    fs::write(harness.library().join("settings.json"), json!({"generator": "quotes"}).to_string()).unwrap();
    storage(&app);
    app.choose(|| app.click("[data-testid=restore-library]"), file.to_str().unwrap());
    app.until_text("[data-testid=restore-asks]", "Kept.tar takes the place of the library that is here now");
    assert!(replaced(&harness).is_empty(), "nothing is done before the person has said so");
    app.click("[data-testid=forget]");
    app.until_text("[data-testid=restore-result]", "The library of Kept.tar is here, with 1 conversation,");
    let beside = replaced(&harness);
    let [old] = beside.as_slice() else { panic!("{beside:?}") };
    assert!(app.text("[data-testid=restore-result]").contains(old.to_str().unwrap()));
    assert_eq!((conversations(old), conversations(&harness.library())), (2, 1));
    let settings = fs::read_to_string(harness.library().join("settings.json")).unwrap();
    assert!(settings.contains("\"passages\":4"), "its settings came back too: {settings}");
    app.keys("Escape");
    app.until("its conversations are listed", || app.count("[data-talk]") == 1);
    app.click("[data-talk]");
    app.until_text("[data-testid=question]", PETS);
    assert_eq!(app.text("[data-testid=answer]"), answer);
    app.until_text("[data-testid=status] [role=status]", "Up to date");
    ask(&app, SERIALS);
    answered(&app, 2);
    assert!(app.text("[data-testid=passages]").contains("C2-0411"));
    assert_eq!(harness.oriel(&["status"])["documents"], 2);
    // A file that is no backup changes nothing.
    let wrong = harness.home().join("Wrong.tar");
    fs::write(&wrong, "Dear Ann").unwrap();
    storage(&app);
    app.choose(|| app.click("[data-testid=restore-library]"), wrong.to_str().unwrap());
    app.click("[data-testid=forget]");
    app.until_text("#setting-restore [role=alert]", "Wrong.tar is no backup of Oriel");
    assert_eq!(replaced(&harness).len(), 1);
    app.keys("Escape");
    app.until("the library is as it was", || app.count("[data-talk]") == 1);
    app.until_text("[data-testid=status] [role=status]", "Up to date");
}

#[test]
#[ignore = "journey: make test-window"]
fn a_check_that_found_something_is_followed_by_a_repair() {
    let harness = Harness::new();
    harness.write("keeper.txt", "Zwentibold keeps the lamp at Skerry Point.\n");
    harness.write("lamp.txt", "The lamp turns once in nine seconds.\n");
    let app = ready(&harness, json!({"generator": "quotes"}));
    app.close();
    // A word is missing in the index, but the text still has it.
    let data = harness.library().join("data.mdb");
    let mut bytes = fs::read(&data).unwrap();
    let word = b"zwentib";
    let places: Vec<usize> =
        bytes.windows(word.len()).enumerate().filter_map(|(at, seen)| (seen == word).then_some(at)).collect();
    assert!(!places.is_empty(), "the index holds the words");
    for at in places {
        bytes[at + word.len() - 1] = b'c';
    }
    fs::write(&data, bytes).unwrap();
    let app = harness.start();
    app.until_text("[data-testid=status] [role=status]", "Up to date");
    storage(&app);
    app.click("[data-testid=check-library]");
    app.until_text("[data-testid=problems]", "keeper.txt: it cannot be found by all of its words");
    app.click("[data-testid=repair-library]");
    app.until_text("[data-testid=check-result]", "Repaired: 2 files rebuilt from the texts");
    app.click("[data-testid=check-library]");
    app.until_text("[data-testid=check-result]", "All is well");
    assert_eq!(app.count("[data-testid=problems]"), 0);
}

#[test]
#[ignore = "journey: make test-window"]
fn a_library_that_is_broken_is_repaired_where_it_cannot_be_opened() {
    let harness = Harness::new();
    take(&harness, &[LEASE]);
    let app = ready(&harness, json!({"generator": "quotes"}));
    ask(&app, PETS);
    answered(&app, 1);
    app.close();
    let data = harness.library().join("data.mdb");
    let length = usize::try_from(fs::metadata(&data).unwrap().len()).unwrap();
    fs::write(&data, vec![0xa5; length]).unwrap();
    let app = harness.start();
    app.until_text("[data-testid=trouble]", "is damaged");
    app.click("[data-testid=trouble-repair]");
    // The same folders are read again, and the user's conversation is there.
    app.until_text("[data-testid=status] [role=status]", "Up to date");
    app.until("its conversation is listed", || app.count("[data-talk]") == 1);
    assert_eq!(harness.oriel(&["status"])["documents"], 1);
    assert!(harness.library().join("data.mdb.broken-1").is_file());
}
