//! An index in a schema of PostgreSQL with the extension `vector`: the calls of [`oriel_wire::index`], as SQL.
//!
//! Each sentence is a row of one table; each of its terms is a row of another, from which the server computes BM25.
//! Fusion and everything after it stay in Oriel. The only right needed in a schema is to create tables; a missing
//! schema is created.

mod condition;
mod tables;
mod tls;

use std::error::Error as _;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use oriel_core::{DocumentId, Filter, MAX_OCCURRENCES, Ordinal};
use oriel_wire::RemoteError;
use oriel_wire::index::{
    CallReply, Collection, FoundRow, INCOMPLETE, IndexServer, Manifest, Row, SoughtText,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};

use crate::errors::{of_io, of_tls};
use crate::index_client::{Found, IndexClient, other, said, timed, unexpected};
use crate::stored::{Place, StoredRow, cut, dimensions, of_row_id, row_id};
use condition::Condition;
use tables::{About, PREFIX, Tables, VERSION};
use tls::Tls;

/// The prefix of the address of such a server.
pub(crate) const SCHEME: &str = "postgres://";

/// The user if no key names one, and the database if the address names none.
const DEFAULT: &str = "postgres";
/// Maximum bytes of a name; the server cuts longer ones.
const MAX_NAME: usize = 63;
/// The lowest version of the extension `vector` that finds enough rows with a filter.
const MIN_VECTOR: (u32, u32) = (0, 8);
/// Maximum number of rows to rank by meaning if some sentences occur often.
const MAX_RANKED: usize = 65_536;
/// Maximum number of rows that one statement inserts.
const MAX_INSERTED: usize = 200;
/// Maximum number of rows that one statement deletes.
const MAX_DELETED: usize = 1_000;

/// A value of a statement.
type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// A connection to a schema.
pub(crate) struct Postgres {
    client: Client,
    host: String,
    silence: Duration,
    tables: Tables,
}

/// Connects, with encryption unless the server is on this computer.
async fn connect(server: &IndexServer, host: &str) -> Result<Client, RemoteError> {
    let mut config: Config = server.url.parse().map_err(|error| failed(&error, host))?;
    let [Host::Tcp(name)] = config.get_hosts() else {
        return Err(other(host, "the address names no host".into()));
    };
    let is_local = name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback());
    let key = server.key.as_ref().map_or(DEFAULT, |key| &key.0);
    let (user, password) = key.split_once(':').unwrap_or((key, ""));
    if config.get_dbname().is_none() {
        config.dbname(DEFAULT);
    }
    config.user(user).password(password).application_name("oriel");
    if is_local {
        let connected = config.ssl_mode(SslMode::Disable).connect(NoTls).await;
        return connected.map(run).map_err(|error| failed(&error, host));
    }
    let tls = Tls::new().map_err(|error| of_tls(&error, host.to_owned()))?;
    config.ssl_mode(SslMode::Require).connect(tls).await.map(run).map_err(|error| failed(&error, host))
}

/// Runs the connection of a client.
fn run<T>((client, connection): (Client, Connection<Socket, T>)) -> Client
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    // If the connection fails, the client reports it.
    tokio::spawn(connection);
    client
}

/// The result of a task, if it comes before the timeout.
async fn heard<T>(
    host: &str,
    silence: Duration,
    task: impl Future<Output = Result<T, RemoteError>>,
) -> Result<T, RemoteError> {
    match tokio::time::timeout(silence, task).await {
        Ok(result) => result,
        Err(_) => Err(RemoteError::Silent { host: host.to_owned() }),
    }
}

/// The error of a connection or a statement.
fn failed(error: &tokio_postgres::Error, host: &str) -> RemoteError {
    let owned = || host.to_owned();
    if let Some(error) = error.as_db_error() {
        return match *error.code() {
            SqlState::INVALID_PASSWORD => RemoteError::Status { host: owned(), status: 401 },
            SqlState::INSUFFICIENT_PRIVILEGE => RemoteError::Status { host: owned(), status: 403 },
            SqlState::QUERY_CANCELED => RemoteError::Silent { host: owned() },
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => {
                RemoteError::Unreachable { host: owned() }
            }
            _ => said(host, 0, error.message()),
        };
    }
    let Some(source) = error.source() else { return RemoteError::Unreachable { host: owned() } };
    let Some(io) = source.downcast_ref::<std::io::Error>() else { return other(host, source.to_string()) };
    match io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(tls) => of_tls(tls, owned()),
        None => of_io(io, owned()),
    }
}

impl IndexClient for Postgres {
    async fn connect(server: &IndexServer, host: String) -> Result<Self, RemoteError> {
        if server.collection.len() > MAX_NAME {
            return Err(other(&host, format!("a schema's name has at most {MAX_NAME} bytes there")));
        }
        let silence = Duration::from_secs(server.silence);
        let client = heard(&host, silence, connect(server, &host)).await?;
        let connected = Self { client, host, silence, tables: Tables::new(&server.collection) };
        connected.prepare().await?;
        Ok(connected)
    }

    async fn describe(&self) -> Result<CallReply, RemoteError> {
        let tables = "SELECT c.relname = 'about' AND a.attname IS NOT NULL FROM pg_class c
             JOIN pg_namespace n ON n.oid = c.relnamespace
             LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'oriel_version'
             WHERE n.nspname = $1 ORDER BY 1 DESC LIMIT 1";
        let found = self.query(tables, &[(&self.tables.schema, Type::TEXT)]).await?;
        let Some(row) = found.first() else { return self.missing().await };
        if !self.get::<bool>(row, 0)? {
            return Ok(CallReply::Foreign);
        }
        let about = format!("SELECT row_to_json(about)::text FROM {} AS about", self.tables.about);
        let found = self.query(&about, &[]).await?;
        let row: Option<&str> = found.first().map(|row| self.get(row, 0)).transpose()?;
        let about: Option<About> = row.and_then(|row| serde_json::from_str(row).ok());
        let Some(about) = about.filter(|about| about.oriel_version == VERSION) else {
            return Ok(CallReply::Foreign);
        };
        let manifest = about.manifest.and_then(|manifest| serde_json::from_str(&manifest).ok());
        let About { embedder, dimensions, .. } = about;
        Ok(CallReply::Opened(Collection { embedder, dimensions }, manifest))
    }

    async fn create(&self, made_for: &Collection) -> Result<(), RemoteError> {
        if !matches!(self.describe().await?, CallReply::Missing(_)) {
            return Ok(());
        }
        if !self.prepare().await? {
            self.run("CREATE EXTENSION vector").await.map_err(|error| {
                let reason = match error {
                    RemoteError::Said { message, .. } => message,
                    error => error.to_string(),
                };
                let missing = "the database lacks the extension vector (pgvector), which cannot be made";
                said(&self.host, 0, &format!("{missing}: {reason}"))
            })?;
            self.prepare().await?;
        }
        let Tables { schema, quoted, about, .. } = &self.tables;
        let there = "SELECT FROM pg_namespace WHERE nspname = $1";
        let is_there = !self.query(there, &[(schema, Type::TEXT)]).await?.is_empty();
        self.transact(async {
            if !is_there {
                self.run(&format!("CREATE SCHEMA {quoted}")).await?;
            }
            self.run(&self.tables.create(made_for.dimensions)).await?;
            let insert = format!(
                "INSERT INTO {about} (oriel_version, embedder, dimensions, sentences, terms)
                 VALUES ({VERSION}, $1, {}, 0, 0)",
                made_for.dimensions
            );
            self.query(&insert, &[(&made_for.embedder, Type::TEXT)]).await?;
            Ok(())
        })
        .await
    }

    async fn drop_all(&self) -> Result<(), RemoteError> {
        match self.describe().await? {
            CallReply::Opened(..) => {}
            CallReply::Missing(_) => return Ok(()),
            _ => return Err(unexpected(&self.host, "the schema is none of Oriel's")),
        }
        let Tables { schema, quoted, sentence, posting, about } = &self.tables;
        let is_spare = "SELECT FROM pg_namespace n WHERE n.nspname = $1 AND n.nspname <> 'public'
             AND pg_has_role(n.nspowner, 'USAGE')
             AND NOT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = n.oid)";
        self.transact(async {
            self.run(&format!("DROP TABLE {sentence}, {posting}, {about}")).await?;
            if !self.query(is_spare, &[(schema, Type::TEXT)]).await?.is_empty() {
                self.run(&format!("DROP SCHEMA {quoted}")).await?;
            }
            Ok(())
        })
        .await
    }

    async fn announce(&self, manifest: &Manifest) -> Result<(), RemoteError> {
        let json = serde_json::to_string(manifest).map_err(|error| other(&self.host, error.to_string()))?;
        let update = format!("UPDATE {} SET manifest = $1", self.tables.about);
        self.query(&update, &[(&json, Type::TEXT)]).await.map(drop)
    }

    async fn published(
        &self,
        after: Option<DocumentId>,
        limit: u32,
    ) -> Result<Vec<(DocumentId, u64)>, RemoteError> {
        let after = after.map_or(-1, |document| row_id(document, Ordinal(u32::MAX)));
        let statement = format!(
            "SELECT id, generation FROM {} WHERE ordinal = 0 AND id > $1 ORDER BY id LIMIT $2",
            self.tables.sentence
        );
        let found = self.query(&statement, &[(&after, Type::INT8), (&i64::from(limit), Type::INT8)]).await?;
        let document = |row: &tokio_postgres::Row| {
            Ok((of_row_id(self.get(row, 0)?).0, self.get::<i64>(row, 1)?.cast_unsigned()))
        };
        found.iter().map(document).collect()
    }

    async fn locate(&self, path: &Path) -> Result<Option<DocumentId>, RemoteError> {
        let statement = format!(
            "SELECT id FROM {} WHERE path = $1 AND left(path, {PREFIX}) = left($1, {PREFIX})
             AND ordinal = 0 ORDER BY id LIMIT 1",
            self.tables.sentence
        );
        let path = path.to_string_lossy();
        let found = self.query(&statement, &[(&path, Type::TEXT)]).await?;
        let id = found.first().map(|row| self.get(row, 0)).transpose()?;
        Ok(id.map(|id| of_row_id(id).0))
    }

    async fn has_any(&self, filter: &Filter) -> Result<bool, RemoteError> {
        let condition = Condition::of_filter(filter, 0);
        let statement = format!("SELECT FROM {} s WHERE {} LIMIT 1", self.tables.sentence, condition.sql);
        Ok(!self.query(&statement, &condition.after(&[])).await?.is_empty())
    }

    async fn search(
        &self,
        texts: &[SoughtText],
        filter: &Filter,
        depth: u32,
        vectors: &[f32],
    ) -> Result<Found, RemoteError> {
        let dense_texts = texts.iter().filter(|text| text.has_vector).count();
        let (dense, dense_ms) = timed(self.by_meaning(dense_texts, vectors, filter, depth)).await?;
        let (sparse, sparse_ms) = timed(self.by_words(texts, filter, depth)).await?;
        Ok(Found { dense, sparse, dense_ms, sparse_ms })
    }

    async fn rank(
        &self,
        among: &[(DocumentId, Ordinal)],
        vector: &[f32],
    ) -> Result<Vec<FoundRow>, RemoteError> {
        let ids: Vec<i64> = among.iter().map(|&(document, ordinal)| row_id(document, ordinal)).collect();
        let statement = format!(
            "SELECT s.id, s.generation, (1 - (s.v <=> $2::vector))::real AS score
             FROM unnest($1) WITH ORDINALITY AS given(id, n) JOIN {} s ON s.id = given.id
             ORDER BY score DESC, given.n",
            self.tables.sentence
        );
        let values: [Value<'_>; 2] = [(&ids, Type::INT8_ARRAY), (&vector, Type::FLOAT4_ARRAY)];
        let found = self.query(&statement, &values).await?;
        found.iter().map(|row| self.found(row, 0)).collect()
    }

    async fn read(&self, ranges: &[(DocumentId, u32, u32)]) -> Result<Vec<Row>, RemoteError> {
        let bounds = |&(document, first, last): &(DocumentId, u32, u32)| {
            (row_id(document, Ordinal(first)), row_id(document, Ordinal(last)))
        };
        let (first, last): (Vec<i64>, Vec<i64>) = ranges.iter().map(bounds).unzip();
        let statement = format!(
            "SELECT DISTINCT ON (s.id) s.id, s.generation, s.dated, s.kind, s.path, s.sender, s.hash, s.text, s.place,
                 s.terms
             FROM unnest($1, $2) AS range(first, last) JOIN {} s ON s.id BETWEEN range.first AND range.last
             ORDER BY s.id",
            self.tables.sentence
        );
        let values: [Value<'_>; 2] = [(&first, Type::INT8_ARRAY), (&last, Type::INT8_ARRAY)];
        let found = self.query(&statement, &values).await?;
        found.iter().map(|row| self.row(row)).collect()
    }

    async fn put(&self, rows: &[Row], vectors: &[f32]) -> Result<(), RemoteError> {
        if rows.is_empty() {
            return Ok(());
        }
        let length = dimensions(rows.len(), vectors);
        let length = length.ok_or_else(|| unexpected(&self.host, "a row has no vector"))?;
        let ids: Vec<i64> = rows.iter().map(|row| row_id(row.document, row.ordinal)).collect();
        self.transact(async {
            self.delete(&ids).await?;
            let vectors = vectors.chunks(MAX_INSERTED * length);
            for (rows, vectors) in rows.chunks(MAX_INSERTED).zip(vectors) {
                self.insert(rows, vectors, length).await?;
            }
            Ok(())
        })
        .await
    }

    async fn remove(&self, documents: &[(DocumentId, Option<u64>)]) -> Result<(), RemoteError> {
        let bound =
            |ordinal| documents.iter().map(|one| row_id(one.0, Ordinal(ordinal))).collect::<Vec<i64>>();
        let (first, last) = (bound(0), bound(u32::MAX));
        let kept: Vec<Option<i64>> = documents.iter().map(|one| one.1.map(u64::cast_signed)).collect();
        let incomplete = INCOMPLETE.cast_signed();
        let values: [Value<'_>; 4] = [
            (&first, Type::INT8_ARRAY),
            (&last, Type::INT8_ARRAY),
            (&kept, Type::INT8_ARRAY),
            (&incomplete, Type::INT8),
        ];
        self.transact(async {
            let old = self.query(&self.tables.old(), &values).await?;
            let ids: Vec<i64> = old.iter().map(|row| self.get(row, 0)).collect::<Result<_, _>>()?;
            self.delete(&ids).await
        })
        .await
    }
}

impl Postgres {
    /// The rows that a statement returns.
    async fn query(
        &self,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<tokio_postgres::Row>, RemoteError> {
        let query = async {
            self.client.query_typed(statement, values).await.map_err(|error| failed(&error, &self.host))
        };
        heard(&self.host, self.silence, query).await
    }

    /// Runs statements without values.
    async fn run(&self, statements: &str) -> Result<(), RemoteError> {
        let run =
            async { self.client.batch_execute(statements).await.map_err(|error| failed(&error, &self.host)) };
        heard(&self.host, self.silence, run).await
    }

    /// Runs a task in a transaction.
    async fn transact(&self, task: impl Future<Output = Result<(), RemoteError>>) -> Result<(), RemoteError> {
        self.run("BEGIN").await?;
        match task.await {
            Ok(()) => self.run("COMMIT").await,
            // Rolling back would wait for a silent server once more; the transaction ends with the connection.
            Err(silent @ RemoteError::Silent { .. }) => Err(silent),
            Err(error) => {
                self.run("ROLLBACK").await?;
                Err(error)
            }
        }
    }

    /// A column of a row.
    fn get<'a, T: FromSql<'a>>(&self, row: &'a tokio_postgres::Row, at: usize) -> Result<T, RemoteError> {
        row.try_get(at).map_err(|_| self.foreign_row())
    }

    fn foreign_row(&self) -> RemoteError {
        unexpected(&self.host, "a row is none of Oriel's")
    }

    /// Sets the session's parameters; false if the extension `vector` is missing.
    ///
    /// The index over the vectors returns rows, nearest first, until enough of them pass the filter. Only types and
    /// operators of the extension are found without their schema.
    async fn prepare(&self) -> Result<bool, RemoteError> {
        let extension = "SELECT quote_ident(n.nspname), e.extversion FROM pg_extension e
             JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'";
        let found = self.query(extension, &[]).await?;
        let Some(row) = found.first() else { return Ok(false) };
        let (schema, version): (&str, &str) = (self.get(row, 0)?, self.get(row, 1)?);
        let mut numbers = version.split('.').map_while(|number| number.parse().ok());
        if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < MIN_VECTOR {
            let needed = format!("the extension vector is {version} there; 0.8 or later is needed");
            return Err(other(&self.host, needed));
        }
        let settings =
            "SELECT set_config('search_path', $1, false), set_config('statement_timeout', $2, false),
             set_config('jit', 'off', false), set_config('hnsw.ef_search', '200', false),
             set_config('hnsw.iterative_scan', 'strict_order', false)";
        let silence = self.silence.as_millis().to_string();
        self.query(settings, &[(&schema, Type::TEXT), (&silence, Type::TEXT)]).await?;
        Ok(true)
    }

    /// The schemas that Oriel created.
    async fn missing(&self) -> Result<CallReply, RemoteError> {
        let schemas = "SELECT n.nspname::text FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid
             JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relname = 'about' AND a.attname = 'oriel_version' ORDER BY 1";
        let found = self.query(schemas, &[]).await?;
        Ok(CallReply::Missing(found.iter().map(|row| self.get(row, 0)).collect::<Result<_, _>>()?))
    }

    /// The rows nearest to each vector, nearest first. Further rows are requested if one sentence occurs often. All
    /// rows are ranked if the index over the vectors returns too few: it stops early if a filter accepts few rows.
    async fn by_meaning(
        &self,
        count: usize,
        vectors: &[f32],
        filter: &Filter,
        depth: u32,
    ) -> Result<Vec<Vec<FoundRow>>, RemoteError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let length =
            dimensions(count, vectors).ok_or_else(|| unexpected(&self.host, "a vector is missing"))?;
        let condition = Condition::of_filter(filter, 3);
        let texts = i32::try_from(count).unwrap_or(i32::MAX);
        let depth = depth as usize;
        let (mut limit, mut is_exact) = (depth, false);
        loop {
            let statement = self.tables.nearest(length, &condition.sql, is_exact);
            let rows = i64::try_from(limit).unwrap_or(i64::MAX);
            let values =
                [(&vectors as _, Type::FLOAT4_ARRAY), (&texts as _, Type::INT4), (&rows as _, Type::INT8)];
            let lists = self.lists(count, &self.query(&statement, &condition.after(&values)).await?)?;
            if !is_exact && lists.iter().any(|list| list.len() < limit) {
                is_exact = true;
                continue;
            }
            let (lists, is_short) = cut(lists, limit, depth, MAX_OCCURRENCES);
            if !is_short || limit >= MAX_RANKED {
                return Ok(lists);
            }
            limit *= 4;
        }
    }

    /// The rows that contain the words of each text, best first.
    async fn by_words(
        &self,
        texts: &[SoughtText],
        filter: &Filter,
        depth: u32,
    ) -> Result<Vec<Vec<FoundRow>>, RemoteError> {
        let worded: Vec<&SoughtText> = texts.iter().filter(|text| !text.words.is_empty()).collect();
        if worded.is_empty() {
            return Ok(Vec::new());
        }
        let (mut words, mut numbers) = (Vec::new(), Vec::new());
        for (number, text) in (1_i32..).zip(&worded) {
            words.extend(text.words.iter().map(String::as_str));
            numbers.resize(words.len(), number);
        }
        let condition = Condition::of_filter(filter, 3);
        let depth = i64::from(depth);
        let values =
            [(&words as _, Type::TEXT_ARRAY), (&numbers as _, Type::INT4_ARRAY), (&depth as _, Type::INT8)];
        let found = self.query(&self.tables.worded(&condition.sql), &condition.after(&values)).await?;
        let list = |list: Vec<(FoundRow, String)>| list.into_iter().map(|(row, _)| row).collect();
        Ok(self.lists(worded.len(), &found)?.into_iter().map(list).collect())
    }

    /// The lists of `count` texts, from rows that begin with the index of the text; with the hashes of the sentences.
    fn lists(
        &self,
        count: usize,
        rows: &[tokio_postgres::Row],
    ) -> Result<Vec<Vec<(FoundRow, String)>>, RemoteError> {
        let mut lists = vec![Vec::new(); count];
        for row in rows {
            let number = usize::try_from(self.get::<i32>(row, 0)?).unwrap_or_default();
            let list = number.checked_sub(1).and_then(|at| lists.get_mut(at));
            list.ok_or_else(|| self.foreign_row())?.push((self.found(row, 1)?, self.get(row, 4)?));
        }
        Ok(lists)
    }

    /// Reads a found row (id, generation and score) from column `at` on.
    fn found(&self, row: &tokio_postgres::Row, at: usize) -> Result<FoundRow, RemoteError> {
        let (document, ordinal) = of_row_id(self.get(row, at)?);
        let (generation, score) = (self.get::<i64>(row, at + 1)?.cast_unsigned(), self.get(row, at + 2)?);
        Ok(FoundRow { document, ordinal, generation, score })
    }

    fn row(&self, row: &tokio_postgres::Row) -> Result<Row, RemoteError> {
        let stored = StoredRow {
            position: of_row_id(self.get(row, 0)?),
            generation: self.get(row, 1)?,
            dated: self.get(row, 2)?,
            kind: self.get(row, 3)?,
            path: self.get(row, 4)?,
            sender: self.get(row, 5)?,
            hash: self.get(row, 6)?,
            text: self.get(row, 7)?,
            place: self.get(row, 8)?,
            terms: self.get(row, 9)?,
        };
        stored.read().ok_or_else(|| self.foreign_row())
    }

    async fn insert(&self, rows: &[Row], vectors: &[f32], length: usize) -> Result<(), RemoteError> {
        let longs = |value: fn(&Row) -> i64| rows.iter().map(value).collect::<Vec<i64>>();
        let texts = |value: fn(&Row) -> String| rows.iter().map(value).collect::<Vec<String>>();
        let ids = longs(|row| row_id(row.document, row.ordinal));
        let generations = longs(|row| row.generation.cast_signed());
        let dated = longs(|row| row.dated);
        let kinds: Vec<&str> = rows.iter().map(|row| row.kind.name()).collect();
        let paths = texts(|row| row.path.to_string_lossy().into());
        let senders = texts(|row| storable(row.sender.as_deref().unwrap_or_default()));
        let hashes: Vec<&str> = rows.iter().map(|row| row.hash.as_str()).collect();
        let sentences = texts(|row| storable(&row.text));
        let places: Option<Vec<String>> = rows.iter().map(Place::of).collect();
        let places = places.ok_or_else(|| unexpected(&self.host, "a row has no place"))?;
        let terms = texts(|row| row.terms.join(" "));
        let count = |row: &Row| i32::try_from(row.terms.len()).unwrap_or(i32::MAX);
        let lengths: Vec<i32> = rows.iter().map(count).collect();
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        let values: [Value<'_>; 13] = [
            (&ids, Type::INT8_ARRAY),
            (&generations, Type::INT8_ARRAY),
            (&dated, Type::INT8_ARRAY),
            (&kinds, Type::TEXT_ARRAY),
            (&paths, Type::TEXT_ARRAY),
            (&senders, Type::TEXT_ARRAY),
            (&hashes, Type::TEXT_ARRAY),
            (&sentences, Type::TEXT_ARRAY),
            (&places, Type::TEXT_ARRAY),
            (&terms, Type::TEXT_ARRAY),
            (&lengths, Type::INT4_ARRAY),
            (&vectors, Type::FLOAT4_ARRAY),
            (&length, Type::INT4),
        ];
        self.query(&self.tables.insert(), &values).await.map(drop)
    }

    async fn delete(&self, ids: &[i64]) -> Result<(), RemoteError> {
        let statement = self.tables.delete();
        for ids in ids.chunks(MAX_DELETED) {
            self.query(&statement, &[(&ids, Type::INT8_ARRAY)]).await?;
        }
        Ok(())
    }
}

/// Replaces characters that PostgreSQL cannot store in a text; the length stays the same.
fn storable(text: &str) -> String {
    text.replace('\0', " ")
}
