//! What a server that keeps an index must do: the calls of [`oriel_wire::index`], one method for each.

use std::path::Path;
use std::time::Instant;

use oriel_core::{DocumentId, Filter, Ordinal};
use oriel_wire::RemoteError;
use oriel_wire::index::{Call, CallReply, Collection, FoundRow, IndexServer, Manifest, Row, SoughtText};

/// Maximum bytes of a server's own error message.
const MAX_REASON: usize = 300;

/// A connection to the collection of a server.
pub(crate) trait IndexClient: Sized {
    /// Connects. `host` is the server's name in errors.
    async fn connect(server: &IndexServer, host: String) -> Result<Self, RemoteError>;

    /// What the collection was made for: [`CallReply::Opened`], [`CallReply::Missing`] or [`CallReply::Foreign`].
    async fn describe(&self) -> Result<CallReply, RemoteError>;

    /// Makes the collection as far as it is missing.
    async fn create(&self, made_for: &Collection) -> Result<(), RemoteError>;

    /// Deletes the collection with all it holds.
    async fn drop_all(&self) -> Result<(), RemoteError>;

    /// Replaces what the collection says about itself.
    async fn announce(&self, manifest: &Manifest) -> Result<(), RemoteError>;

    /// At most `limit` documents with higher ids than `after`, by id, with their generations.
    async fn published(
        &self,
        after: Option<DocumentId>,
        limit: u32,
    ) -> Result<Vec<(DocumentId, u64)>, RemoteError>;

    /// The document at a path.
    async fn locate(&self, path: &Path) -> Result<Option<DocumentId>, RemoteError>;

    /// Whether a row passes the filter.
    async fn has_any(&self, filter: &Filter) -> Result<bool, RemoteError>;

    /// The best rows of each text. `vectors` are those of the texts that have one, one after the other.
    async fn search(
        &self,
        texts: &[SoughtText],
        filter: &Filter,
        depth: u32,
        vectors: &[f32],
    ) -> Result<Found, RemoteError>;

    /// The similarity of these rows to the vector, nearest first; equal ones in their order.
    async fn rank(
        &self,
        among: &[(DocumentId, Ordinal)],
        vector: &[f32],
    ) -> Result<Vec<FoundRow>, RemoteError>;

    /// The rows of ranges: document, ordinals of the first and the last row.
    async fn read(&self, ranges: &[(DocumentId, u32, u32)]) -> Result<Vec<Row>, RemoteError>;

    /// Writes rows with their vectors. They replace those at the same position.
    async fn put(&self, rows: &[Row], vectors: &[f32]) -> Result<(), RemoteError>;

    /// Removes the rows of documents, but those of the generation that stays and of an incomplete one.
    async fn remove(&self, documents: &[(DocumentId, Option<u64>)]) -> Result<(), RemoteError>;
}

/// The rows that texts find.
#[derive(Default)]
pub(crate) struct Found {
    /// A list for each text with a vector.
    pub(crate) dense: Vec<Vec<FoundRow>>,
    /// A list for each text with words.
    pub(crate) sparse: Vec<Vec<FoundRow>>,
    /// How long the search by meaning took, in milliseconds.
    pub(crate) dense_ms: f64,
    /// How long the search by words took, in milliseconds.
    pub(crate) sparse_ms: f64,
}

/// Answers a call; `vectors` are those of the call, one after the other.
pub(crate) async fn answer(
    client: &impl IndexClient,
    call: Call,
    vectors: &[f32],
) -> Result<CallReply, RemoteError> {
    let done = |()| CallReply::Done;
    match call {
        Call::Open(_) => client.describe().await,
        Call::Create(collection) => client.create(&collection).await.map(done),
        Call::Drop => client.drop_all().await.map(done),
        Call::Announce(manifest) => client.announce(&manifest).await.map(done),
        Call::Published { after, limit } => client.published(after, limit).await.map(CallReply::Published),
        Call::Locate { path } => client.locate(&path).await.map(CallReply::Located),
        Call::Find { texts, filter, depth } => find(client, &texts, &filter, depth, vectors).await,
        Call::Rank { rows } => client.rank(&rows, vectors).await.map(CallReply::Ranked),
        Call::Read { ranges } => client.read(&ranges).await.map(CallReply::Read),
        Call::Put { rows } => client.put(&rows, vectors).await.map(done),
        Call::Remove { documents } => client.remove(&documents).await.map(done),
    }
}

/// The best rows for each text, or the first path of the filter that has no documents.
async fn find(
    client: &impl IndexClient,
    texts: &[SoughtText],
    filter: &Filter,
    depth: u32,
    vectors: &[f32],
) -> Result<CallReply, RemoteError> {
    for path in &filter.within {
        let only =
            Filter { within: vec![path.clone()], without: filter.without.clone(), ..Filter::default() };
        if !client.has_any(&only).await? {
            return Ok(CallReply::UnknownPath(path.clone()));
        }
    }
    let Found { dense, sparse, dense_ms, sparse_ms } = client.search(texts, filter, depth, vectors).await?;
    let (mut dense, mut sparse) = (dense.into_iter(), sparse.into_iter());
    let lists = |text: &SoughtText| {
        let by_meaning = text.has_vector.then(|| dense.next()).flatten();
        let by_words = (!text.words.is_empty()).then(|| sparse.next()).flatten();
        (by_meaning.unwrap_or_default(), by_words.unwrap_or_default())
    };
    Ok(CallReply::Found { lists: texts.iter().map(lists).collect(), dense_ms, sparse_ms })
}

/// The result of a task, with its time in milliseconds.
pub(crate) async fn timed<T>(
    task: impl Future<Output = Result<T, RemoteError>>,
) -> Result<(T, f64), RemoteError> {
    let begun = Instant::now();
    Ok((task.await?, begun.elapsed().as_secs_f64() * 1000.0))
}

/// The error for a reply with an unexpected form.
pub(crate) fn unexpected(host: &str, what: &str) -> RemoteError {
    RemoteError::Unexpected { host: host.to_owned(), what: what.into() }
}

/// The error with the server's own message.
pub(crate) fn said(host: &str, status: u16, reason: &str) -> RemoteError {
    let end = reason.floor_char_boundary(MAX_REASON);
    RemoteError::Said { host: host.to_owned(), status, message: reason[..end].to_owned() }
}

/// Any other error.
pub(crate) fn other(host: &str, reason: String) -> RemoteError {
    RemoteError::Other { host: host.to_owned(), reason }
}
