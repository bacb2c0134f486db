//! Documents that the user asks about or adds do not wait for the rest of a folder that is being read.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use oriel_core::{Calibration, CancelToken, Embedder, ModelError, Notice, TextKind};
use oriel_engine::{DocumentChange, IndexProgress, LazyEmbedder, Query, SearchModels};

use crate::fake_embedder::{FakeEmbedder, index};
use crate::oriel::Oriel;

/// More than fit into two transactions.
const FILES: usize = 1_200;

#[test]
fn a_document_that_is_asked_about_is_read_before_the_others_and_has_its_vectors_at_once() {
    let oriel = Oriel::new();
    // Small and recent files are read youngest first, so this one would come last.
    let path = oriel.write("asked.txt", "The ferry to Lannow leaves at nine.");
    std::fs::File::options().append(true).open(&path).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    for number in 0..FILES {
        oriel.write(&format!("{number}.txt"), format!("Number {number} has this to say. It is all."));
    }
    let library = oriel.open();
    library.add(&[oriel.documents()]).unwrap();
    let mut query = Query::new("When does the ferry leave?");
    query.filter.within = vec![path.clone()];
    let (mut order, mut told) = (Vec::new(), None);
    let mut progress = |progress: IndexProgress<'_>| match progress {
        IndexProgress::Reading { path, .. } => {
            if order.is_empty() {
                let nobody = SearchModels { embedder: None, reranker: None };
                let found = library.search(&query, &nobody, &CancelToken::new()).unwrap();
                assert!(found.passages.is_empty(), "it has been read already");
            }
            order.push(path.to_owned());
        }
        IndexProgress::Changed { path: changed, change: DocumentChange::Indexed { .. } }
            if changed == path =>
        {
            told.get_or_insert(order.len());
        }
        _ => {}
    };
    let embedder: Arc<dyn Embedder> = Arc::new(FakeEmbedder::new("first", 16));
    index(&library, &embedder, &mut progress, &CancelToken::new()).unwrap();
    assert!(order.len() > FILES);
    let at = order.iter().position(|one| *one == path).unwrap();
    assert!(at < FILES / 2, "it was read as number {at} of {}", order.len());
    assert!(told.unwrap() < FILES, "its vectors had to wait until all was read");
}

#[test]
fn a_folder_that_is_added_while_sentences_get_their_vectors_is_read_before_they_have_them() {
    let oriel = Oriel::new();
    for number in 0..60 {
        let lines = (0..100).map(|line| format!("Line {line} of {number} has this to say. "));
        oriel.write(&format!("{number}.txt"), lines.collect::<String>());
    }
    let library = Arc::new(oriel.open());
    library.add(&[oriel.documents()]).unwrap();
    let more = oriel.beside("more");
    std::fs::create_dir(&more).unwrap();
    std::fs::write(more.join("new.txt"), "The ferry to Lannow leaves at nine.").unwrap();
    let watch = library.watch(|| {});
    let (mut embedded, mut at) = (None, None);
    let mut progress = |progress: IndexProgress<'_>| match progress {
        IndexProgress::Embedding { done, total } if done > 0 && embedded.replace((done, total)).is_none() => {
            library.add(std::slice::from_ref(&more)).unwrap();
            watch.look_again();
        }
        IndexProgress::Reading { path, .. } if path.ends_with("new.txt") => at = embedded,
        _ => {}
    };
    let embedder: Arc<dyn Embedder> = Arc::new(FakeEmbedder::new("first", 16));
    let load = || Ok(Arc::clone(&embedder));
    let lazy = LazyEmbedder { fingerprint: Some(embedder.fingerprint().to_owned()), load: &load };
    library.keep_up(&watch, &lazy, &mut progress, &CancelToken::new(), &|| false).unwrap();
    let (done, total) = at.unwrap();
    assert!(done < total / 2, "{done} of {total} sentences had their vectors by then");
    assert_eq!(library.overview().unwrap().unembedded, 0);
}

#[test]
fn where_reading_takes_a_while_the_pace_of_the_embedder_is_told_before_it_ends() {
    let oriel = Oriel::new();
    for number in 0..FILES {
        oriel.write(
            &format!("{number}.txt"),
            format!("Number {number} has this to say. It is all of {number}."),
        );
    }
    let library = oriel.open();
    library.add(&[oriel.documents()]).unwrap();
    let (mut read, mut embedding, mut samples) = (0, false, Vec::new());
    let mut progress = |step: IndexProgress<'_>| match step {
        IndexProgress::Reading { done: 1, .. } => {
            #[expect(clippy::disallowed_methods, reason = "reading takes a while")]
            std::thread::sleep(Duration::from_millis(1100));
        }
        IndexProgress::Reading { done, .. } => read = done,
        IndexProgress::Embedding { total, .. } if !std::mem::replace(&mut embedding, true) => {
            assert_eq!(total, 2 * FILES - 160, "what has a vector waits for none");
        }
        IndexProgress::Sampled { sentences, took } => {
            assert!(read < FILES && !embedding && !took.is_zero());
            samples.push(sentences);
        }
        _ => {}
    };
    let fake = Arc::new(FakeEmbedder::new("first", 16));
    let embedder: Arc<dyn Embedder> = fake.clone();
    index(&library, &embedder, &mut progress, &CancelToken::new()).unwrap();
    assert_eq!((read, embedding, samples), (FILES, true, vec![128]));
    assert_eq!(fake.embedded(), 2 * FILES, "each sentence got its vector once");
    assert_eq!(library.overview().unwrap().unembedded, 0);
}

/// An embedder that always fails.
struct Failing;

impl Embedder for Failing {
    fn fingerprint(&self) -> &str {
        "failing"
    }

    fn dimensions(&self) -> usize {
        16
    }

    fn calibration(&self) -> Option<Calibration> {
        None
    }

    fn token_spans(&self, _: &str) -> Result<Vec<Range<usize>>, ModelError> {
        Ok(Vec::new())
    }

    fn embed(&self, _: &[String], _: TextKind, _: &CancelToken) -> Result<Vec<Vec<f32>>, ModelError> {
        Err(ModelError::Failed(Notice::text("the card has no room")))
    }
}

#[test]
fn an_embedder_that_fails_while_documents_are_read_keeps_none_from_being_found_by_its_words() {
    let oriel = Oriel::new();
    for number in 0..FILES {
        oriel.write(
            &format!("{number}.txt"),
            format!("Number {number} has this to say. It is all of {number}."),
        );
    }
    let library = oriel.open();
    library.add(&[oriel.documents()]).unwrap();
    let mut progress = |step: IndexProgress<'_>| {
        if let IndexProgress::Reading { done: 1, .. } = step {
            #[expect(clippy::disallowed_methods, reason = "reading takes a while")]
            std::thread::sleep(Duration::from_millis(1100));
        }
    };
    let embedder: Arc<dyn Embedder> = Arc::new(Failing);
    let error = index(&library, &embedder, &mut progress, &CancelToken::new()).unwrap_err();
    assert!(error.to_string().contains("the card has no room"), "{error}");
    let overview = library.overview().unwrap();
    assert_eq!((overview.documents, overview.waiting, overview.unembedded), (FILES, 0, 2 * FILES as u64));
}
