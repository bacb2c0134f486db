//! The sample library: the real command indexes it once, and each test gets a copy.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

/// Lock files, which are not copied.
const LOCKS: [&str; 2] = ["lock.mdb", "writer.lock"];

/// Copies the indexed sample library to `library`, which must not exist. `command` runs `oriel`. The sample is indexed again when the
/// executable or a file of the sample has changed.
pub fn copy_sample(command: impl Fn() -> Command, sample: &Path, library: &Path) {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sample");
    fs::create_dir_all(&place).unwrap();
    // Held until the copy is finished: other tests are other processes.
    let lock = File::create(place.join("lock")).unwrap();
    lock.lock().unwrap();
    let (prepared, made_from) = (place.join("library"), place.join("made-from"));
    let key = key(Path::new(command().get_program()), sample);
    if fs::read_to_string(&made_from).ok().as_ref() != Some(&key) {
        let unfinished = place.join("unfinished");
        for old in [&unfinished, &prepared] {
            drop(fs::remove_dir_all(old));
        }
        let oriel = |arguments: &[&str]| {
            let done = command().arg("--library").arg(&unfinished).args(arguments).output().unwrap();
            assert!(done.status.success(), "oriel {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        };
        oriel(&["add", sample.to_str().unwrap()]);
        oriel(&["index"]);
        fs::rename(&unfinished, &prepared).unwrap();
        fs::write(&made_from, key).unwrap();
    }
    fs::create_dir_all(library).unwrap();
    for entry in fs::read_dir(&prepared).unwrap().map(Result::unwrap) {
        if !LOCKS.iter().any(|lock| entry.file_name() == *lock) {
            fs::copy(entry.path(), library.join(entry.file_name())).unwrap();
        }
    }
}

/// The inputs of the library: the executable, which contains the checksums of the models, and the sample's files.
fn key(program: &Path, sample: &Path) -> String {
    let mut files = vec![program.to_owned()];
    let mut open = vec![sample.to_owned()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() { &mut open } else { &mut files }.push(path);
        }
    }
    files.sort();
    let line = |path: &PathBuf| {
        let about = path.metadata().unwrap();
        let written = about.modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
        format!("{} {} {}\n", path.display(), about.len(), written.as_nanos())
    };
    files.iter().map(line).collect()
}
