//! `oriel-remote` and a real index: Milvus's own core as a wheel has it (milvus-lite 2.5.1), on a socket of this machine.
//! `.ci/milvus` fetches it and runs this.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use oriel_core::{
    ByteSpan, CancelToken, DocumentId, Filter, Heading, Kind, MAX_OCCURRENCES, Ordinal, WorkerCommand,
};
use oriel_wire::index::{Call, CallReply, Collection, FoundRow, IndexServer, Manifest, Row, SoughtText};
use oriel_wire::{CallError, Remote, RemoteError};

const DIMENSIONS: u32 = 8;
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with its data in a folder.
struct Server {
    child: Child,
    folder: PathBuf,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let wheel =
            std::env::var_os("ORIEL_MILVUS").expect("ORIEL_MILVUS is the folder of milvus-lite 2.5.1");
        let lib = Path::new(&wheel).join("milvus_lite/lib");
        let socket = folder.join("socket");
        let _ = std::fs::remove_file(&socket);
        let child = Command::new(lib.join("milvus"))
            .args([folder.join("data.db"), format!("unix:{}", socket.display()).into(), "ERROR".into()])
            .env("LD_LIBRARY_PATH", &lib)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, folder: folder.to_owned() }
    }

    fn at(&self) -> IndexServer {
        let url = format!("unix:{}", self.folder.join("socket").display());
        IndexServer { url, collection: "test".into(), key: None, silence: 20 }
    }
}

impl Drop for Server {
    /// Ends it as a crash would.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program() -> Remote {
    Remote::start(&WorkerCommand::new(env!("CARGO_BIN_EXE_oriel-remote"), [""; 0])).unwrap()
}

fn call(remote: &mut Remote, call: &Call, vectors: &[f32]) -> CallReply {
    remote.call(call, vectors, &CancelToken::new()).unwrap()
}

/// Connects as soon as the server is there.
fn open(remote: &mut Remote, server: &Server) -> Option<Collection> {
    let begun = Instant::now();
    loop {
        match remote.call(&Call::Open(server.at()), &[], &CancelToken::new()) {
            Ok(CallReply::Opened(collection, _)) => return Some(collection),
            Ok(CallReply::Missing(_)) => return None,
            Err(CallError::Failed(RemoteError::Unreachable { .. })) if begun.elapsed() < PATIENCE => {}
            other => panic!("{other:?}"),
        }
    }
}

fn collection() -> Collection {
    Collection { embedder: "model \"é\"".into(), dimensions: DIMENSIONS }
}

/// Makes the collection as soon as the server can: it listens before its core is there.
fn create(remote: &mut Remote) {
    let begun = Instant::now();
    loop {
        match remote.call(&Call::Create(collection()), &[], &CancelToken::new()) {
            Ok(reply) => return assert_eq!(reply, CallReply::Done),
            Err(CallError::Failed(RemoteError::Said { message, .. }))
                if message.contains("has not been init") && begun.elapsed() < PATIENCE => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// A unit vector that leans from the first axis by an angle.
fn vector(angle: f32) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS as usize];
    (vector[0], vector[1]) = (angle.cos(), angle.sin());
    vector
}

fn row(document: u32, ordinal: u32, generation: u64, text: &str) -> Row {
    let start = 100 * ordinal;
    let is_mail = document == 3;
    Row {
        document: DocumentId(document),
        ordinal: Ordinal(ordinal),
        generation,
        path: format!("/library/folder {document}/a_b%\"{document}\".txt").into(),
        kind: if is_mail { Kind::Eml } else { Kind::Text },
        dated: i64::from(document) * 1_000,
        sender: is_mail.then(|| "priya raman <p.raman@north.example>".into()),
        file_hash: Some(format!("file {document}")),
        hash: format!("{text:.32}"),
        span: ByteSpan::new(start, start + u32::try_from(text.len()).unwrap()),
        page: (document == 1).then_some(ordinal + 1),
        text: format!("{text}\n"),
        headings: vec![(Heading { span: ByteSpan::new(0, 5), level: 1 }, "Größe".into())],
        header: (ordinal == 1).then(|| (ByteSpan::new(6, 9), 80, "a b".into())),
        terms: text.split(' ').map(str::to_owned).collect(),
    }
}

fn rows() -> Vec<(Row, Vec<f32>)> {
    let mut rows = Vec::new();
    for (document, texts) in [
        (1, vec!["tide low noon", "boat wait tide", "light red"]),
        (2, vec!["gull loud"; 20]),
        (3, vec!["storm south", "berth free north"]),
    ] {
        for (ordinal, text) in (0..).zip(texts) {
            let angle = if document == 2 { 0.1 } else { 0.3 * (document + ordinal) as f32 };
            rows.push((row(document, ordinal, 1, text), vector(angle)));
        }
    }
    rows
}

fn put(remote: &mut Remote, rows: &[(Row, Vec<f32>)]) {
    let (rows, vectors): (Vec<Row>, Vec<Vec<f32>>) = rows.iter().cloned().unzip();
    assert_eq!(call(remote, &Call::Put { rows }, &vectors.concat()), CallReply::Done);
}

fn find(
    remote: &mut Remote,
    words: &str,
    angle: Option<f32>,
    filter: Filter,
) -> (Vec<FoundRow>, Vec<FoundRow>) {
    let words = words.split_whitespace().map(str::to_owned).collect();
    let texts = vec![SoughtText { has_vector: angle.is_some(), words }];
    let vectors = angle.map(vector).unwrap_or_default();
    match call(remote, &Call::Find { texts, filter, depth: 12 }, &vectors) {
        CallReply::Found { mut lists, .. } => lists.remove(0),
        other => panic!("{other:?}"),
    }
}

fn at(list: &[FoundRow]) -> Vec<(u32, u32)> {
    list.iter().map(|row| (row.document.0, row.ordinal.0)).collect()
}

#[test]
#[ignore = "needs milvus-lite, see .ci/milvus"]
fn rows_are_kept_found_read_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut remote = program();
    assert_eq!(open(&mut remote, &server), None, "there is no collection yet");
    create(&mut remote);
    assert_eq!(open(&mut remote, &server), Some(collection()));
    let all = rows();
    put(&mut remote, &all);
    put(&mut remote, &all[..2]);

    // By words: BM25 of the terms as they were given. By meaning: cosines, and what stands often takes few places.
    let (_, sparse) = find(&mut remote, "tide xylophone", None, Filter::default());
    assert_eq!(at(&sparse).len(), 2);
    let (count, mean) = (all.len() as f32, all.iter().map(|(row, _)| row.terms.len()).sum::<usize>() as f32);
    let mean = mean / count;
    let weight = (1.0 + (count - 2.0 + 0.5) / 2.5).ln();
    let truth = weight * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 3.0 / mean));
    assert!(sparse.iter().all(|row| (row.score - truth).abs() < 1e-3), "{sparse:?}, not {truth}");
    let (dense, sparse) = find(&mut remote, "", Some(0.1), Filter::default());
    assert!(sparse.is_empty());
    let (often, others): (Vec<_>, Vec<_>) = dense.iter().cloned().partition(|row| row.document.0 == 2);
    assert_eq!((often.len(), at(&others)), (MAX_OCCURRENCES, vec![(1, 0), (1, 1), (1, 2), (3, 0)]));
    assert!((others[0].score - 0.2f32.cos()).abs() < 1e-4, "{others:?}");
    assert!(dense.iter().all(|row| row.generation == 1));

    // Filters, with paths that have marks of the expression's language.
    let found = |remote: &mut Remote, filter| at(&find(remote, "tide gull storm", None, filter).1);
    let within = |path: &str| Filter { within: vec![path.into()], ..Filter::default() };
    assert_eq!(found(&mut remote, within("/library/folder 3")), [(3, 0)]);
    assert_eq!(found(&mut remote, within("/library/folder 1/a_b%\"1\".txt")).len(), 2);
    let hidden =
        Filter { without: vec!["/library/folder 2".into(), "/library/folder".into()], ..Filter::default() };
    assert_eq!(found(&mut remote, hidden).len(), 3);
    assert_eq!(found(&mut remote, Filter { kinds: vec![Kind::Eml], ..Filter::default() }), [(3, 0)]);
    let from = |name: &str| Filter { from: vec![name.into()], ..Filter::default() };
    assert_eq!(found(&mut remote, from("Raman PRIYA")), [(3, 0)]);
    assert!(found(&mut remote, from("p_raman")).is_empty());
    let between = Filter { since: Some(1_000), until: Some(2_000), ..Filter::default() };
    assert_eq!(found(&mut remote, between).len(), 2);
    let texts = vec![SoughtText { has_vector: false, words: vec!["tide".into()] }];
    let unknown = Call::Find { texts, filter: within("/library/folder"), depth: 9 };
    assert_eq!(call(&mut remote, &unknown, &[]), CallReply::UnknownPath("/library/folder".into()));

    // Rows come back as they were put.
    let ranges = vec![(DocumentId(1), 1, 9), (DocumentId(3), 0, 0)];
    let CallReply::Read(mut read) = call(&mut remote, &Call::Read { ranges }, &[]) else { panic!("no rows") };
    read.sort_by_key(|row| (row.document, row.ordinal));
    let wanted: Vec<Row> = [1, 2, 23].iter().map(|&at| all[at].0.clone()).collect();
    assert_eq!(read, wanted);
    let given = vec![(DocumentId(3), Ordinal(1)), (DocumentId(1), Ordinal(0)), (DocumentId(1), Ordinal(2))];
    let CallReply::Ranked(ranked) = call(&mut remote, &Call::Rank { rows: given }, &vector(0.3)) else {
        panic!("not ranked")
    };
    assert_eq!(at(&ranked), [(1, 0), (1, 2), (3, 1)]);

    // A new generation replaces the old one; what is left of that is removed.
    put(&mut remote, &[(row(1, 0, 2, "ebb low"), vector(0.3))]);
    let documents = vec![(DocumentId(1), Some(2)), (DocumentId(2), None)];
    assert_eq!(call(&mut remote, &Call::Remove { documents }, &[]), CallReply::Done);
    assert_eq!(found(&mut remote, Filter::default()), [(3, 0)]);
    let (_, ebb) = find(&mut remote, "ebb", None, Filter::default());
    assert_eq!(ebb.iter().map(|row| (row.document.0, row.generation)).collect::<Vec<_>>(), [(1, 2)]);

    // The collection says what it holds.
    let published = |remote: &mut Remote, after: Option<u32>| {
        call(remote, &Call::Published { after: after.map(DocumentId), limit: 1 }, &[])
    };
    assert_eq!(published(&mut remote, None), CallReply::Published(vec![(DocumentId(1), 2)]));
    assert_eq!(published(&mut remote, Some(1)), CallReply::Published(vec![(DocumentId(3), 1)]));
    assert_eq!(published(&mut remote, Some(3)), CallReply::Published(Vec::new()));
    let locate = |path: &str| Call::Locate { path: path.into() };
    let path = "/library/folder 3/a_b%\"3\".txt";
    assert_eq!(call(&mut remote, &locate(path), &[]), CallReply::Located(Some(DocumentId(3))));
    assert_eq!(call(&mut remote, &locate("/library"), &[]), CallReply::Located(None));
    for documents in [2, 3] {
        let manifest = Manifest { writer: "é".into(), documents, ..Manifest::default() };
        assert_eq!(call(&mut remote, &Call::Announce(manifest.clone()), &[]), CallReply::Done);
        let opened = call(&mut remote, &Call::Open(server.at()), &[]);
        assert_eq!(opened, CallReply::Opened(collection(), Some(manifest)));
    }
    let elsewhere = IndexServer { collection: "another".into(), ..server.at() };
    let missing = call(&mut remote, &Call::Open(elsewhere), &[]);
    assert_eq!(missing, CallReply::Missing(vec!["test".into()]));

    open(&mut remote, &server);
    assert_eq!(call(&mut remote, &Call::Drop, &[]), CallReply::Done);
    assert_eq!(open(&mut remote, &server), None);
}

#[test]
#[ignore = "needs milvus-lite, see .ci/milvus"]
fn a_server_that_was_killed_comes_back_with_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let mut remote = program();
    open(&mut remote, &server);
    create(&mut remote);
    put(&mut remote, &rows());
    drop(server);
    let texts = vec![SoughtText { has_vector: false, words: vec!["tide".into()] }];
    let question = Call::Find { texts, filter: Filter::default(), depth: 9 };
    let failed = remote.call(&question, &[], &CancelToken::new()).unwrap_err();
    assert!(matches!(&failed, CallError::Failed(RemoteError::Unreachable { .. })), "{failed:?}");
    let server = Server::start(folder.path());
    assert_eq!(open(&mut remote, &server), Some(collection()));
    assert_eq!(find(&mut remote, "tide", None, Filter::default()).1.len(), 2);
    // The other side is killed.
    drop(remote);
    let mut remote = program();
    assert_eq!(open(&mut remote, &server), Some(collection()));
    assert_eq!(find(&mut remote, "tide", None, Filter::default()).1.len(), 2);
}
