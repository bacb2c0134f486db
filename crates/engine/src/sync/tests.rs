//! Random changes to a folder, compared with a model of it: after each indexing, search finds exactly what the model
//! contains.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use oriel_core::CancelToken;
use proptest::prelude::*;

use crate::testing::TestLibrary;

/// Each word is a separate term.
const WORDS: [&str; 8] = ["anchor", "basil", "candle", "dragon", "ember", "falcon", "ginger", "harbor"];
/// Possible paths: some in folders that come and go as a whole.
const NAMES: [&str; 9] =
    ["a.txt", "b.txt", "c.md", "one/a.txt", "one/d.txt", "one/deep/e.txt", "two/f.txt", "two/a.txt", "G.txt"];
const FOLDERS: [&str; 4] = ["one", "two", "one/deep", "three"];

#[derive(Clone, Debug)]
enum Step {
    /// Rewrites a file, one sentence per word.
    Write(usize, Vec<usize>),
    /// Replaces a file by one written beside it, as editors do to be safe.
    Swap(usize, Vec<usize>),
    Append(usize, usize),
    Delete(usize),
    Rename(usize, usize),
    /// A copy has the same sentences, but is a separate document.
    Copy(usize, usize),
    /// Moves a whole folder.
    Move(usize, usize),
    DeleteFolder(usize),
    /// Changes times, but not bytes.
    Touch(usize),
    /// Ignores a folder, or nothing.
    Exclude(Option<usize>),
    /// Ends the process and starts a new one.
    Index,
}

fn step() -> impl Strategy<Value = Step> {
    let words = || proptest::collection::vec(0..WORDS.len(), 0..5);
    prop_oneof![
        4 => (0..NAMES.len(), words()).prop_map(|(name, words)| Step::Write(name, words)),
        2 => (0..NAMES.len(), words()).prop_map(|(name, words)| Step::Swap(name, words)),
        2 => (0..NAMES.len(), 0..WORDS.len()).prop_map(|(name, word)| Step::Append(name, word)),
        2 => (0..NAMES.len()).prop_map(Step::Delete),
        2 => (0..NAMES.len(), 0..NAMES.len()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (0..NAMES.len(), 0..NAMES.len()).prop_map(|(from, to)| Step::Copy(from, to)),
        1 => (0..FOLDERS.len(), 0..FOLDERS.len()).prop_map(|(from, to)| Step::Move(from, to)),
        1 => (0..FOLDERS.len()).prop_map(Step::DeleteFolder),
        1 => (0..NAMES.len()).prop_map(Step::Touch),
        1 => proptest::option::of(0..FOLDERS.len()).prop_map(Step::Exclude),
        4 => Just(Step::Index),
    ]
}

/// The content of the folder.
#[derive(Default)]
struct Model {
    files: BTreeMap<PathBuf, Vec<usize>>,
    excluded: Option<PathBuf>,
}

impl Model {
    /// The files that contain a word.
    fn with(&self, word: usize) -> BTreeSet<PathBuf> {
        let seen = self
            .files
            .iter()
            .filter(|(path, _)| self.excluded.as_ref().is_none_or(|folder| !path.starts_with(folder)));
        seen.filter(|(_, words)| words.contains(&word)).map(|(path, _)| path.clone()).collect()
    }
}

fn text(words: &[usize]) -> String {
    words.iter().map(|&word| format!("The {} was seen again.\n\n", WORDS[word])).collect()
}

/// Does a step on the disk and in the model.
fn take(place: &TestLibrary, model: &mut Model, step: &Step) {
    let documents = place.documents();
    let name = |at: usize| PathBuf::from(NAMES[at]);
    let folder = |at: usize| PathBuf::from(FOLDERS[at]);
    match step {
        Step::Write(at, words) => {
            place.write(NAMES[*at], &text(words));
            model.files.insert(name(*at), words.clone());
        }
        Step::Swap(at, words) => {
            let beside = place.write(&format!("{}.tmp", NAMES[*at]), &text(words));
            fs::rename(beside, documents.join(name(*at))).unwrap();
            model.files.insert(name(*at), words.clone());
        }
        Step::Append(at, word) => {
            if let Some(words) = model.files.get_mut(&name(*at)) {
                words.push(*word);
                place.write(NAMES[*at], &text(words));
            }
        }
        Step::Delete(at) => {
            if model.files.remove(&name(*at)).is_some() {
                fs::remove_file(documents.join(name(*at))).unwrap();
            }
        }
        Step::Rename(from, to) => {
            if let Some(words) = model.files.remove(&name(*from)) {
                fs::create_dir_all(documents.join(name(*to)).parent().unwrap()).unwrap();
                fs::rename(documents.join(name(*from)), documents.join(name(*to))).unwrap();
                model.files.insert(name(*to), words);
            }
        }
        Step::Copy(from, to) => {
            if let Some(words) = model.files.get(&name(*from)).filter(|_| from != to).cloned() {
                place.write(NAMES[*to], &text(&words));
                model.files.insert(name(*to), words);
            }
        }
        Step::Move(from, to) => {
            let (from, to) = (folder(*from), folder(*to));
            let fits = documents.join(&from).is_dir() && !documents.join(&to).exists();
            if fits && !to.starts_with(&from) && documents.join(to.parent().unwrap()).is_dir() {
                fs::rename(documents.join(&from), documents.join(&to)).unwrap();
                let moved: Vec<_> =
                    model.files.keys().filter(|path| path.starts_with(&from)).cloned().collect();
                for path in moved {
                    let words = model.files.remove(&path).unwrap();
                    model.files.insert(to.join(path.strip_prefix(&from).unwrap()), words);
                }
            }
        }
        Step::DeleteFolder(at) => {
            if documents.join(folder(*at)).is_dir() {
                fs::remove_dir_all(documents.join(folder(*at))).unwrap();
                model.files.retain(|path, _| !path.starts_with(folder(*at)));
            }
        }
        Step::Touch(at) => {
            if model.files.contains_key(&name(*at)) {
                let file = fs::File::options().append(true).open(documents.join(name(*at))).unwrap();
                file.set_modified(std::time::SystemTime::now()).unwrap();
            }
        }
        Step::Exclude(at) => {
            let patterns: Vec<_> = at.iter().map(|&at| format!("/{}/", FOLDERS[at])).collect();
            let number = place.library.overview().unwrap().folders[0].number;
            place.library.set_excludes(number, &patterns).unwrap();
            model.excluded = at.map(folder);
        }
        Step::Index => place.read(),
    }
}

/// Search finds exactly what the model contains, and the store's parts agree.
fn compare(place: &TestLibrary, model: &Model) -> Result<(), TestCaseError> {
    let documents = place.documents();
    for (word, term) in WORDS.iter().enumerate() {
        let terms = oriel_text::terms(term);
        let hits = place.library.store.read(|view| view.search_sparse(&terms, None, 1000)).unwrap();
        let found: BTreeSet<PathBuf> = hits
            .iter()
            .map(|hit| place.library.document(hit.document).unwrap().path)
            .map(|path| path.strip_prefix(&documents).unwrap().to_owned())
            .collect();
        prop_assert_eq!(found, model.with(word), "who speaks of {}", term);
    }
    let findings = place.library.check(&CancelToken::new()).unwrap();
    prop_assert!(findings.problems.is_empty(), "{:?}", findings.problems);
    Ok(())
}

proptest! {
    // 2,000 steps; `make stress` takes 10,000.
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn what_can_be_found_is_what_the_folder_holds(steps in proptest::collection::vec(step(), 50)) {
        let place = TestLibrary::with(&[]);
        let mut model = Model::default();
        for step in &steps {
            take(&place, &mut model, step);
            if matches!(step, Step::Index) {
                compare(&place, &model)?;
            }
        }
        place.read();
        compare(&place, &model)?;
    }
}
