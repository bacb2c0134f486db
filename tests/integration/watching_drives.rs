//! Watching without help of the system: no more watches, drives that disappear; and the work that a watch saves.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Embedder};
use oriel_engine::{DocumentChange, IndexProgress, LazyEmbedder, Library, Watch};

use crate::fake_embedder::FakeEmbedder;
use crate::oriel::{Oriel, text};
use crate::pausing::write_many;
use crate::watch_command::{PATIENCE, Watching, index, names};

/// A watch in a separate user namespace, after the commands `set_up`; `None` if that is forbidden.
#[cfg(target_os = "linux")]
pub fn watching_in_a_namespace(oriel: &Oriel, set_up: &str) -> Option<Watching> {
    oriel.json(&["add", oriel.documents().to_str().unwrap()]);
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"])
            .args(["sh", "-c", script])
            .env("ORIEL", env!("CARGO_BIN_EXE_oriel"))
            .env("LIBRARY", oriel.library())
            .stdin(Stdio::piped());
        command
    };
    if !unshare(set_up).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: this system allows no user namespaces");
        return None;
    }
    let watch = r#""$ORIEL" --library "$LIBRARY" --json watch &
        while read -r line; do eval "$line"; done; wait"#;
    Some(Watching::spawn(unshare(&format!("{set_up}\n{watch}"))))
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_system_watches_no_more_folders_they_are_looked_through() {
    for (limit, why) in [("max_inotify_watches", "3"), ("max_inotify_instances", "0")] {
        let oriel = Oriel::new();
        for folder in 0..6 {
            oriel.write(&format!("{folder}/a.txt"), format!("Folder {folder} is here."));
        }
        let set_up = format!("echo {why} > /proc/sys/user/{limit}");
        let Some(watching) = watching_in_a_namespace(&oriel, &set_up) else { return };
        let line = watching.says("scanned now and then");
        assert!(line.contains("watches no more folders"), "{line}");
        assert!(text(&oriel.json(&["status"])["timed"][0]["reason"]).contains("max_user_watches"));
        for folder in 0..6 {
            oriel.write(&format!("{folder}/b.txt"), format!("So is its {folder}th neighbour."));
        }
        let begun = Instant::now();
        while names(&oriel).len() < 12 {
            assert!(begun.elapsed() < PATIENCE, "{limit}: {:?}", names(&oriel));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_unplugged_drive_keeps_its_documents() {
    let oriel = Oriel::new();
    let (drive, second) = (oriel.documents().join("drive"), oriel.beside("second"));
    fs::create_dir(&drive).unwrap();
    fs::create_dir(&second).unwrap();
    let path = oriel.write("desk.txt", "The desk stays here.");
    oriel.json(&["add", second.to_str().unwrap()]);
    let mount = |place: &Path| format!("mount -t tmpfs tmpfs '{}'", place.display());
    let set_up = format!(
        "{} && {} && echo 'The drive holds this.' > '{}/a.txt' && echo 'So does the second.' > '{}/b.txt'",
        mount(&drive),
        mount(&second),
        drive.display(),
        second.display()
    );
    let Some(mut watching) = watching_in_a_namespace(&oriel, &set_up) else { return };
    watching.says("up to date, 3 documents");
    let mut shell = watching.child.stdin.take().unwrap();
    writeln!(shell, "umount '{}' '{}'", drive.display(), second.display()).unwrap();
    watching.says("cannot be reached");
    watching.says("cannot be reached");
    for note in oriel.json(&["status"])["unreachable"].as_array().unwrap() {
        assert!(text(&note["reason"]).contains("not connected"), "{note}");
    }
    fs::write(&path, "The desk is moved.").unwrap();
    watching.until("indexed", &path);
    assert_eq!(oriel.json(&["status"])["documents"], 3, "what was on them is kept");
    // Also by a full scan, and by one without a watch.
    assert_eq!(index(&oriel)["documents"], 3);
    writeln!(shell, "{set_up} && echo 'It is back.' > '{}/c.txt'", drive.display()).unwrap();
    let told = watching.until("indexed", &drive.join("c.txt"));
    assert!(told.iter().all(|line| line["event"] != "removed"), "{told:?}");
}

/// A library that is watched and indexed in this process, with a fake embedder that counts.
pub struct Inside {
    pub library: Arc<Library>,
    watch: Watch,
    woken: Receiver<()>,
    pub embedder: Arc<FakeEmbedder>,
}

impl Inside {
    pub fn new(oriel: &Oriel, dimensions: usize) -> Self {
        let library = Arc::new(oriel.open());
        library.add(&[oriel.documents()]).unwrap();
        let (sender, woken) = channel();
        let watch = library.watch(move || {
            let _ = sender.send(());
        });
        Self { library, watch, woken, embedder: Arc::new(FakeEmbedder::new("scattered", dimensions)) }
    }

    /// Waits for a change and indexes it.
    pub fn keep_up(&self, progress: &mut (dyn FnMut(IndexProgress<'_>) + Send)) {
        let begun = Instant::now();
        while !self.watch.is_due() {
            let left = PATIENCE.checked_sub(begun.elapsed()).expect("there is a change");
            let due =
                self.watch.next_look().map_or(left, |due| due.saturating_duration_since(Instant::now()));
            // It is woken, or it is time to look again.
            let _ = self.woken.recv_timeout(due.min(left));
        }
        let load = || Ok(Arc::clone(&self.embedder) as Arc<dyn Embedder>);
        let embedder = LazyEmbedder { fingerprint: Some("scattered".into()), load: &load };
        self.library.keep_up(&self.watch, &embedder, progress, &CancelToken::new(), &|| false).unwrap();
    }

    /// Number of embedded sentences.
    pub fn embedded(&self) -> usize {
        self.embedder.embedded()
    }
}

#[test]
fn moving_a_folder_of_files_reads_and_embeds_nothing() {
    let oriel = Oriel::new();
    write_many(&oriel, 40, 150);
    let inner = oriel.documents().join("inner");
    fs::create_dir(&inner).unwrap();
    for number in 0..40 {
        let name = format!("{number}.txt");
        fs::rename(oriel.documents().join(&name), inner.join(&name)).unwrap();
        // A file written a moment ago is checked twice.
        let file = fs::File::options().append(true).open(inner.join(&name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let inside = Inside::new(&oriel, 256);
    inside.keep_up(&mut |_| {});
    assert_eq!(inside.embedded(), 6_000);
    let before = inside.library.overview().unwrap();
    fs::rename(&inner, oriel.documents().join("outer")).unwrap();
    let (mut read, mut moved) = (0, 0);
    while moved < 40 {
        inside.keep_up(&mut |step| match step {
            IndexProgress::Reading { .. } => read += 1,
            IndexProgress::Changed { change: DocumentChange::Indexed { sentences: 150 }, .. } => moved += 1,
            _ => {}
        });
    }
    assert_eq!((read, moved, inside.embedded()), (0, 40, 6_000));
    assert_eq!(inside.library.overview().unwrap(), before);
}

#[test]
fn what_is_changed_just_now_goes_before_the_work_that_is_going_on() {
    let oriel = Oriel::new();
    write_many(&oriel, 60, 150);
    let inside = Inside::new(&oriel, 256);
    let (mut written, mut order) = (None, Vec::new());
    inside.keep_up(&mut |step| match step {
        // A file is written during embedding; indexing it waits until it is at rest.
        IndexProgress::Embedding { done: 1_000.., .. } if written.is_none() => {
            written = Some(oriel.write("urgent.txt", "This cannot wait."));
            #[expect(clippy::disallowed_methods, reason = "no event says that a file has rested")]
            std::thread::sleep(Duration::from_millis(700));
        }
        IndexProgress::Changed { path, .. } => order.push(path.to_owned()),
        _ => {}
    });
    let at = order.iter().position(|path| Some(path) == written.as_ref()).expect("it was read in this run");
    assert!(at < 40, "it came as number {at} of {}", order.len());
    assert_eq!((order.len(), inside.embedded()), (61, 9_001));
}
