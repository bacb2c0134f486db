//! Reading documents that change meanwhile.

use std::fs::File;

use super::*;
use crate::extract::load::load;
use crate::files::stamp;
use crate::library::Library;
use crate::testing::TestLibrary;

/// The result of reading `name` now.
fn read(place: &TestLibrary, name: &str) -> (ReadDocument, DocumentRecord) {
    let id = place.id(name);
    let record = place.library.store.read(|view| view.document(id)).unwrap().unwrap();
    let (bytes, stamp) = load(&record.path, u64::MAX).unwrap_or_else(|_| panic!("{name} is not there"));
    let hash = blake3::hash(&bytes).to_hex().to_string();
    let outcome = if record.hash.as_ref() == Some(&hash) {
        Outcome::Same
    } else {
        let extracted = oriel_text::read(record.kind, &bytes, &oriel_text::Limits::default()).unwrap();
        let unlocked = Unlocked { extracted, locked: false };
        Outcome::Text(
            Box::new(digest(&record.path, unlocked, hash, &CancelToken::new()).unwrap()),
            Vec::new(),
        )
    };
    (ReadDocument { id, stamp, outcome }, record)
}

#[test]
fn what_was_overtaken_while_it_was_read_is_read_again_and_not_written() {
    let place = TestLibrary::with(&[("a.txt", "The tide is low."), ("b.txt", "The boat is dry.")]);
    let store = &place.library.store;
    let write = |(document, task): &(ReadDocument, DocumentRecord)| {
        store.write(|edit| put(edit, document, task)).unwrap().map(|written| written.unseen)
    };
    let text = |name: &str| place.library.text_of(place.id(name)).unwrap().text;
    // Two threads read the file before and after a change; the second one finishes first.
    place.write("a.txt", "The tide is turning.");
    let slow = read(&place, "a.txt");
    place.write("a.txt", "The tide is high.");
    assert_eq!(write(&read(&place, "a.txt")), Some(1));
    assert_eq!(write(&slow), None);
    assert_eq!(text("a.txt"), "The tide is high.");
    assert_eq!(store.read(|view| view.read_queue()).unwrap(), [place.id("a.txt")]);
    // Changed and changed back: the bytes are those of the task, but the text in the store is not.
    let undone = read(&place, "b.txt");
    assert!(matches!(undone.0.outcome, Outcome::Same));
    place.write("b.txt", "The boat is afloat.");
    assert_eq!(write(&read(&place, "b.txt")), Some(1));
    assert_eq!(write(&undone), None);
    // A document that was renamed meanwhile.
    let renamed = read(&place, "a.txt");
    std::fs::rename(place.documents().join("a.txt"), place.documents().join("c.txt")).unwrap();
    place.scan();
    assert_eq!(write(&renamed), None);
    place.read();
    assert_eq!(store.read(|view| view.read_queue()).unwrap(), []);
    assert_eq!(
        (text("b.txt").as_str(), text("c.txt").as_str()),
        ("The boat is afloat.", "The tide is high.")
    );
}

#[test]
fn a_file_that_was_written_just_now_is_kept_as_doubtful() {
    let place = TestLibrary::with(&[("a.txt", "The tide is low.")]);
    let id = place.id("a.txt");
    let record = place.library.store.read(|view| view.document(id)).unwrap().unwrap();
    let stamps = [Duration::ZERO, Duration::from_secs(60)].map(|age| {
        let file = File::options().append(true).open(&record.path).unwrap();
        // Whole seconds, as some disks store them: such files look recent long enough to be read.
        let second = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(second) - age).unwrap();
        let now = stamp(&file.metadata().unwrap());
        let Library { store, worker, limits, passwords, .. } = &place.library;
        let cancel = &CancelToken::new();
        let mut reader = Reader::new(store, Reading { worker, limits: *limits, passwords, cancel });
        // The same bytes as last time: nothing is extracted.
        let read = reader.read_one(id, &record).unwrap();
        assert!(matches!(read.outcome, Outcome::Same));
        read.stamp == now
    });
    assert_eq!(stamps, [false, true]);
}
