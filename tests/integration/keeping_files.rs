//! Documents that were copied into the library belong to the user too: a backup contains them.

use std::fs;

use crate::oriel::{Oriel, text};

#[test]
fn documents_that_were_copied_into_the_library_come_back_under_their_names() {
    let oriel = Oriel::new();
    let own = oriel.library().join("files");
    fs::create_dir_all(&own).unwrap();
    // Longer than a name in a TAR header, a name that looks like a number there, and a name that is not a document's.
    let long = format!("{} Pläne für die Fähre.md", "sehr ".repeat(30));
    let files =
        [(long.as_str(), "The ferry leaves at nine."), ("1", "no document"), ("b c.txt", "It is late.")];
    for (name, content) in files {
        fs::write(own.join(name), content).unwrap();
    }
    oriel.json(&["add", own.to_str().unwrap()]);
    oriel.json(&["index"]);
    let file = oriel.beside("backup.tar");
    oriel.json(&["backup", file.to_str().unwrap()]);
    fs::remove_dir_all(oriel.library()).unwrap();
    oriel.json(&["restore", file.to_str().unwrap()]);
    let mut names: Vec<_> = fs::read_dir(&own).unwrap().map(|one| one.unwrap().file_name()).collect();
    names.sort();
    let mut wanted: Vec<_> = files.iter().map(|(name, _)| std::ffi::OsString::from(name)).collect();
    wanted.sort();
    assert_eq!(names, wanted);
    for (name, content) in files {
        assert_eq!(fs::read_to_string(own.join(name)).unwrap(), content);
    }
    let again = oriel.json(&["index"]);
    assert_eq!((&again["documents"], &again["embedded"]), (&2.into(), &0.into()));
    let found = oriel.search(&["When does the ferry leave?", "--top", "1"]);
    assert_eq!(text(&found[0]["text"]), "The ferry leaves at nine.");
}
