//! Publishes a library to a remote index: what is new, changed or gone since the last time.
//!
//! The index is a copy. The library does not record what was sent: each document has a generation, which is a hash of
//! everything that its rows are made from, and the index lists the generations that it has. So a publication that was
//! killed can continue, and a lost index is made again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use oriel_core::{ByteSpan, CancelToken, DocumentId, Heading, Notice, Ordinal, SentenceId, SentenceRow};
use oriel_store::{DocumentRecord, DocumentState, EmbedderRecord, SentenceTable, StoreError, View};
use oriel_wire::Remote;
use oriel_wire::index::{Call, CallReply, Collection, INCOMPLETE, MAX_ROWS, MAX_VECTORS, Manifest, Row};
use oriel_wire::remote::Key;
use serde::Serialize;

use crate::error::EngineError;
use crate::files::now;
use crate::library::Library;
use crate::library::sentences::digests;
use crate::remote_index::connection::{
    IndexConnection, Opened, WRITE_SILENCE, failed, open, opened, unexpected,
};
use crate::remote_index::place::{
    IndexInfo, IndexPlace, KeptPublisher, NewIndex, PUBLISH_FILE, keep, read_kept,
};

/// Change this whenever rows are made from other data.
const ROW_VERSION: u8 = 1;
/// Maximum bytes of the texts of rows that are sent at once.
const MAX_BYTES: usize = 8 << 20;
/// Maximum bytes of a row's text.
const MAX_TEXT: usize = 32 << 10;
/// Maximum bytes of the headings above a row, and of its table's header; the server has space for twice as much of
/// both.
const MAX_CONTEXT: usize = 14 << 10;
/// Number of documents requested at once.
const PAGE: u32 = 10_000;

/// The result of a publication.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Published {
    /// Documents sent.
    pub sent: usize,
    pub sentences: u64,
    /// Documents that were removed.
    pub removed: usize,
    /// Documents of the library that wait for vectors; they are published once they have them.
    pub waiting: usize,
    /// The index.
    pub index: Option<IndexInfo>,
    /// How long it took.
    pub seconds: f64,
}

/// The progress of a publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishProgress {
    /// Documents sent.
    pub done: usize,
    /// Documents to send.
    pub total: usize,
}

/// The last publication: state and target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastPublished {
    /// The state of the store.
    version: u64,
    target: IndexPlace,
}

/// The generation of a document.
struct Generation {
    hash: u64,
    sentences: u64,
}

/// A document as it is published.
struct PublishedDocument {
    rows: Vec<Row>,
    vectors: Vec<Vec<f32>>,
}

impl Library {
    /// The index that this library publishes to.
    ///
    /// # Errors
    /// If its record cannot be used.
    pub fn publishes_to(&self) -> Result<Option<IndexInfo>, EngineError> {
        let Some(KeptPublisher { to: Some(place), .. }) = self.publisher()? else { return Ok(None) };
        let embedder = self.embedder_fingerprint()?.unwrap_or_default();
        place.info(embedder, &Manifest::default()).map(Some)
    }

    fn publisher(&self) -> Result<Option<KeptPublisher>, EngineError> {
        read_kept(&self.path().join(PUBLISH_FILE))
    }

    fn keep_publisher(&self, writer: &str, to: Option<&IndexPlace>) -> Result<(), EngineError> {
        let kept = KeptPublisher { writer: writer.to_owned(), to: to.cloned() };
        keep(&self.path().join(PUBLISH_FILE), &kept)
    }

    /// Publishes to this index from now on. Its collection is created if it is missing. `takes_over` takes over a
    /// collection from the library that writes it, which is refused from then on.
    ///
    /// # Errors
    /// If the index cannot be used, or belongs to another library: one line that names the host. Nothing is changed
    /// then.
    pub fn set_published(
        &self,
        new: NewIndex,
        takes_over: bool,
        cancel: &CancelToken,
    ) -> Result<IndexInfo, EngineError> {
        self.writable()?;
        let (writer, before) = match self.publisher()? {
            Some(KeptPublisher { writer, to }) => (writer, to),
            None => (format!("{:032x}", rand::random::<u128>()), None),
        };
        let (place, key) = IndexPlace::new(new)?;
        let of_library = CollectionOfLibrary { library: self, place: &place, key: key.as_ref(), cancel };
        let (remote, manifest) = of_library.open(&writer, takes_over)?;
        // The key is stored before the collection belongs to this library, so that the library can reach it whatever
        // happens in between.
        place.keep_key(key.as_ref())?;
        self.keep_publisher(&writer, Some(&place))?;
        let manifest = Manifest { writer: writer.clone(), ..manifest };
        if let Err(error) = announce(remote, &place, manifest, cancel) {
            self.keep_publisher(&writer, before.as_ref())?;
            place.forget_key()?;
            return Err(error);
        }
        if let Some(before) = before {
            before.forget_key()?;
        }
        place.info(self.collection()?.embedder, &Manifest::default())
    }

    /// Stops publishing. What was published stays.
    ///
    /// # Errors
    /// If it cannot be written, or the keyring refuses.
    pub fn stop_publishing(&self) -> Result<(), EngineError> {
        let Some(KeptPublisher { writer, to: Some(place) }) = self.publisher()? else { return Ok(()) };
        self.keep_publisher(&writer, None)?;
        place.forget_key()
    }

    /// The properties of a collection for this library.
    fn collection(&self) -> Result<Collection, EngineError> {
        let embedder = self.store.read(|view| view.embedder())?;
        let Some(EmbedderRecord { fingerprint, dimensions }) = embedder else {
            return Err(EngineError::Index(Notice::NothingToPublish));
        };
        let dimensions = u32::try_from(dimensions).unwrap_or(u32::MAX);
        Ok(Collection { embedder: fingerprint, dimensions })
    }

    /// Publishes if this library is published and has changed since `last` was set, which is then replaced.
    /// # Errors
    /// Those of [`Self::publish`], unless publishing was stopped meanwhile.
    pub fn publish_changes(
        &self,
        last: &mut Option<LastPublished>,
        progress: &mut dyn FnMut(PublishProgress) -> bool,
        cancel: &CancelToken,
    ) -> Result<(), EngineError> {
        let Some(KeptPublisher { to: Some(target), .. }) = self.publisher()? else { return Ok(()) };
        let version = self.store.read(|view| Ok::<_, StoreError>(view.version()))?;
        let now = LastPublished { version, target };
        if last.as_ref() == Some(&now) {
            return Ok(());
        }
        match self.publish(progress, cancel) {
            // The target was changed or removed meanwhile.
            Err(_) if self.publisher()?.and_then(|kept| kept.to).as_ref() != Some(&now.target) => Ok(()),
            published => {
                published?;
                *last = Some(now);
                Ok(())
            }
        }
    }

    /// Sends new and changed documents to the index that this library publishes to, and removes those that are gone. A
    /// document with a sentence without a vector waits. `progress` decides whether to continue.
    ///
    /// # Errors
    /// If the library is not published, the index fails, or `cancel` is cancelled. Documents already sent stay; the
    /// next call continues.
    pub fn publish(
        &self,
        progress: &mut dyn FnMut(PublishProgress) -> bool,
        cancel: &CancelToken,
    ) -> Result<Published, EngineError> {
        let begun = Instant::now();
        let _lock = self.own_index()?.lock_writer()?;
        let Some(KeptPublisher { writer, to: Some(place) }) = self.publisher()? else {
            return Err(EngineError::Index(Notice::NotPublished));
        };
        let key = place.key()?;
        let of_library = CollectionOfLibrary { library: self, place: &place, key: key.as_ref(), cancel };
        let (remote, manifest) = of_library.open(&writer, false)?;
        if manifest.writer.is_empty() {
            announce(remote, &place, Manifest { writer: writer.clone(), ..manifest }, cancel)?;
        }
        let index = IndexConnection::new(place.clone(), WRITE_SILENCE);
        let there = published(&index, cancel)?;
        let (here, waiting) = self.store.read(|view| generations(&view))?;
        let gone: Vec<(DocumentId, Option<u64>)> =
            there.keys().filter(|id| !here.contains_key(id)).map(|id| (*id, None)).collect();
        let removed = gone.len();
        if !gone.is_empty() {
            done(&index, &Call::Remove { documents: gone }, &[], cancel)?;
        }
        let is_new = |(id, one): &(&DocumentId, &Generation)| {
            !waiting.contains(id) && there.get(id) != Some(&one.hash)
        };
        let changed: Vec<DocumentId> = here.iter().filter(is_new).map(|(id, _)| *id).collect();
        let is_stopped = || {
            // Another library may have taken the collection over.
            let there = index.opened(cancel)?.manifest.unwrap_or_default();
            check_writer(&place, &there, &writer)?;
            let now = self.publisher()?.and_then(|kept| kept.to);
            Ok::<_, EngineError>(now.as_ref() != Some(&place))
        };
        let mut sending = Sending {
            index: &index,
            cancel,
            is_stopped: &is_stopped,
            rows: Vec::new(),
            vectors: Vec::new(),
            bytes: 0,
            old: Vec::new(),
        };
        let mut report = Published { removed, waiting: waiting.len(), ..Published::default() };
        for (at, &id) in changed.iter().enumerate() {
            cancel.check()?;
            if !progress(PublishProgress { done: at, total: changed.len() }) {
                sending.flush()?;
                return Err(EngineError::Cancelled);
            }
            // The document may have changed since, or its vectors with the embedder.
            let Some(document) = self.store.read(|view| published_document(&view, id))? else { continue };
            report.sent += 1;
            report.sentences += document.rows.len() as u64;
            sending.add(id, document)?;
        }
        sending.flush()?;
        sending.check()?;
        // Checks again that the collection still belongs to this library.
        of_library.open(&writer, false)?;
        progress(PublishProgress { done: changed.len(), total: changed.len() });
        let held = here.iter().filter(|(id, _)| !waiting.contains(id) || there.contains_key(id));
        let (documents, sentences) =
            held.fold((0, 0), |(documents, sentences), (_, one)| (documents + 1, sentences + one.sentences));
        let frequent_terms = self.store.read(|view| view.frequent_terms())?;
        let manifest = Manifest { writer, frequent_terms, documents, sentences, published: now() };
        done(&index, &Call::Announce(manifest.clone()), &[], cancel)?;
        report.index = Some(place.info(self.collection()?.embedder, &manifest)?);
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }
}

/// The collection that a library writes or will write.
struct CollectionOfLibrary<'a> {
    library: &'a Library,
    place: &'a IndexPlace,
    key: Option<&'a Key>,
    cancel: &'a CancelToken,
}

impl CollectionOfLibrary<'_> {
    /// Opens it, or creates it if it is missing, and returns it with its manifest.
    ///
    /// # Errors
    /// If it has the vectors of another embedder, or belongs to another library and must not be taken over.
    fn open(&self, writer: &str, takes_over: bool) -> Result<(Remote, Manifest), EngineError> {
        let Self { library, place, key, cancel } = *self;
        let (mut remote, reply) = open(place, key.cloned(), WRITE_SILENCE, None, cancel)?;
        let made_for = library.collection()?;
        if let CallReply::Missing(_) = reply {
            let create = Call::Create(made_for);
            remote.call(&create, &[], cancel).map_err(|error| failed(place, error))?;
            return Ok((remote, Manifest::default()));
        }
        let Opened { collection: there, manifest } = opened(place, reply)?;
        let manifest = manifest.unwrap_or_default();
        let (host, collection) = (place.address()?.host(), place.collection.clone());
        if there != made_for {
            let stored = there.embedder;
            return Err(EngineError::Index(Notice::CollectionOfOtherEmbedder { host, collection, stored }));
        }
        if !takes_over {
            check_writer(place, &manifest, writer)?;
        }
        Ok((remote, manifest))
    }
}

/// Refuses a second writer.
fn check_writer(place: &IndexPlace, manifest: &Manifest, writer: &str) -> Result<(), EngineError> {
    if manifest.writer.is_empty() || manifest.writer == writer {
        return Ok(());
    }
    let (host, collection) = (place.address()?.host(), place.collection.clone());
    Err(EngineError::Index(Notice::CollectionOfOtherLibrary { host, collection }))
}

/// Replaces the manifest of a collection.
fn announce(
    mut remote: Remote,
    place: &IndexPlace,
    manifest: Manifest,
    cancel: &CancelToken,
) -> Result<(), EngineError> {
    match remote.call(&Call::Announce(manifest), &[], cancel) {
        Ok(CallReply::Done) => Ok(()),
        Ok(_) => Err(unexpected(place)),
        Err(error) => Err(failed(place, error)),
    }
}

fn done(
    index: &IndexConnection,
    call: &Call,
    vectors: &[f32],
    cancel: &CancelToken,
) -> Result<(), EngineError> {
    match index.call(call, vectors, cancel)? {
        CallReply::Done => Ok(()),
        _ => Err(unexpected(index.place())),
    }
}

/// The generation of each document in the index.
fn published(index: &IndexConnection, cancel: &CancelToken) -> Result<HashMap<DocumentId, u64>, EngineError> {
    let (mut all, mut after) = (HashMap::new(), None);
    loop {
        let call = Call::Published { after, limit: PAGE };
        let CallReply::Published(page) = index.call(&call, &[], cancel)? else {
            return Err(unexpected(index.place()));
        };
        let is_last = page.len() < PAGE as usize;
        after = page.last().map(|(id, _)| *id);
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}

/// The generation of each document with sentences, and which of them wait for vectors.
fn generations(
    view: &View<'_>,
) -> Result<(BTreeMap<DocumentId, Generation>, BTreeSet<DocumentId>), EngineError> {
    let mut waiting = view.documents_without_vectors()?;
    let mut all = BTreeMap::new();
    for entry in view.documents()? {
        let (id, record) = entry?;
        let table = view.table(id)?;
        if record.state == DocumentState::Indexed && !table.is_empty() {
            let (hash, sentences) = (generation(&record, table), table.len() as u64);
            all.insert(id, Generation { hash, sentences });
        }
    }
    waiting.retain(|id| all.contains_key(id));
    Ok((all, waiting))
}

/// A hash of the data that a document's rows are made from.
fn generation(record: &DocumentRecord, table: SentenceTable<'_>) -> u64 {
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    field(&[ROW_VERSION]);
    field(record.path.as_os_str().as_encoded_bytes());
    field(record.kind.name().as_bytes());
    field(record.text_hash().unwrap_or_default().as_bytes());
    field(record.sender().unwrap_or_default().as_bytes());
    field(&record.dated().to_le_bytes());
    for SentenceRow { span, page, id } in table.rows() {
        [span.start, span.end, page.unwrap_or(0), id.0].iter().for_each(|value| field(&value.to_le_bytes()));
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first).max(INCOMPLETE + 1)
}

/// A document in its current state; `None` if it has no text, or a sentence without a vector.
fn published_document(view: &View<'_>, id: DocumentId) -> Result<Option<PublishedDocument>, EngineError> {
    let (Some(record), Some(text)) = (view.document(id)?, view.text(id)?) else { return Ok(None) };
    let (outline, table) = (view.outline(id)?, view.table(id)?);
    let sentences: Vec<SentenceRow> = table.rows().collect();
    let ids: Vec<SentenceId> = sentences.iter().map(|row| row.id).collect();
    let Some(vectors) = view.vectors_of(&ids)?.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let generation = generation(&record, table);
    let spans = sentences.iter().map(|row| row.span);
    let digests = digests(&record.path, &text, &outline, record.kind, spans);
    let damaged = || StoreError::Corrupt(format!("document {} has sentences outside of its text", id.0));
    let piece = |span: ByteSpan, most: usize| {
        let whole = span.of(&text).ok_or_else(damaged)?;
        Ok::<_, EngineError>(whole[..whole.floor_char_boundary(most)].to_owned())
    };
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let starts = sentences.iter().skip(1).map(|row| row.span.start).chain([end]);
    let (mut walk, mut rows) = (outline.walk(), Vec::with_capacity(sentences.len()));
    for (((ordinal, row), digest), next) in (0..).map(Ordinal).zip(&sentences).zip(digests).zip(starts) {
        let digest = digest.ok_or_else(damaged)?;
        let start = row.span.start;
        let own = outline.headings.binary_search_by_key(&start, |heading| heading.span.start).ok();
        let path = walk.path(start).iter().copied().chain(own.map(|at| outline.headings[at]));
        let header = outline.tables.iter().find(|table| Some(table.span) == outline.header_at(start));
        rows.push(Row {
            document: id,
            ordinal,
            generation,
            path: PathBuf::from(record.path.to_string_lossy().into_owned()),
            kind: record.kind,
            dated: record.dated(),
            sender: record.sender().map(str::to_lowercase),
            file_hash: record.text_hash(),
            hash: digest.hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            span: row.span,
            page: row.page,
            text: piece(ByteSpan::new(start, next.max(row.span.end)), MAX_TEXT)?,
            headings: headings(path.collect(), &|span| piece(span, MAX_CONTEXT))?,
            header: header
                .map(|table| Ok::<_, EngineError>((table.span, table.end, piece(table.span, MAX_CONTEXT)?)))
                .transpose()?,
            terms: digest.terms,
        });
    }
    Ok(Some(PublishedDocument { rows, vectors }))
}

/// Headings with their texts. If the path is too long, the outer ones are left out.
fn headings(
    path: Vec<Heading>,
    text: &dyn Fn(ByteSpan) -> Result<String, EngineError>,
) -> Result<Vec<(Heading, String)>, EngineError> {
    let (mut kept, mut bytes) = (Vec::new(), 0);
    for heading in path.into_iter().rev() {
        let text = text(heading.span)?;
        bytes += text.len();
        if bytes > MAX_CONTEXT {
            break;
        }
        kept.push((heading, text));
    }
    kept.reverse();
    Ok(kept)
}

/// Rows to be sent.
struct Sending<'a> {
    index: &'a IndexConnection,
    cancel: &'a CancelToken,
    /// Whether the user has stopped the publication.
    is_stopped: &'a dyn Fn() -> Result<bool, EngineError>,
    rows: Vec<Row>,
    vectors: Vec<f32>,
    bytes: usize,
    /// Their documents, whose rows of other generations are removed.
    old: Vec<(DocumentId, Option<u64>)>,
}

impl Sending<'_> {
    /// Adds a document. One with very many sentences is sent in parts.
    fn add(&mut self, id: DocumentId, document: PublishedDocument) -> Result<(), EngineError> {
        let PublishedDocument { rows, vectors } = document;
        let bytes = rows.iter().map(size).sum::<usize>();
        let most = most_rows(&vectors);
        if self.rows.len() + rows.len() > most || self.bytes + bytes > MAX_BYTES {
            self.flush()?;
        }
        let Some(generation) = rows.first().map(|row| row.generation) else { return Ok(()) };
        if rows.len() > most || bytes > MAX_BYTES {
            return self.send_parts((id, Some(generation)), &rows, &vectors);
        }
        self.old.push((id, Some(generation)));
        self.bytes += bytes;
        self.rows.extend(rows);
        self.vectors.extend(vectors.into_iter().flatten());
        Ok(())
    }

    /// Sends the added rows. Rows of older generations are removed first, so that none of them can stay.
    fn flush(&mut self) -> Result<(), EngineError> {
        let old = std::mem::take(&mut self.old);
        if old.is_empty() {
            return Ok(());
        }
        self.check()?;
        done(self.index, &Call::Remove { documents: old }, &[], self.cancel)?;
        let (rows, vectors) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.vectors));
        self.bytes = 0;
        done(self.index, &Call::Put { rows }, &vectors, self.cancel)
    }

    /// Stops sending once the user has stopped the publication.
    fn check(&self) -> Result<(), EngineError> {
        if (self.is_stopped)()? { Err(EngineError::Index(Notice::NotPublished)) } else { Ok(()) }
    }

    /// Sends a document in parts. Until the last one is written, its first row marks it as incomplete.
    fn send_parts(
        &self,
        document: (DocumentId, Option<u64>),
        rows: &[Row],
        vectors: &[Vec<f32>],
    ) -> Result<(), EngineError> {
        let put = |rows: &[Row], vectors: &[Vec<f32>]| {
            self.check()?;
            let call = Call::Put { rows: rows.to_vec() };
            done(self.index, &call, &vectors.concat(), self.cancel)
        };
        let first = Row { generation: INCOMPLETE, ..rows[0].clone() };
        put(&[first], &vectors[..1])?;
        let (mut from, mut bytes) = (0, 0);
        let mut parts = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            if at - from == most_rows(vectors) || bytes + size(row) > MAX_BYTES && at > from {
                parts.push(from..at);
                (from, bytes) = (at, 0);
            }
            bytes += size(row);
        }
        parts.push(from..rows.len());
        for part in parts.drain(1..).rev() {
            put(&rows[part.clone()], &vectors[part])?;
        }
        done(self.index, &Call::Remove { documents: vec![document] }, &[], self.cancel)?;
        parts.into_iter().try_for_each(|part| put(&rows[part.clone()], &vectors[part]))
    }
}

/// The number of rows with such vectors that can be sent at once.
fn most_rows(vectors: &[Vec<f32>]) -> usize {
    let bytes = size_of::<f32>() * vectors.first().map_or(1, Vec::len).max(1);
    MAX_ROWS.min(MAX_VECTORS as usize / bytes).max(1)
}

/// The approximate size of a row in bytes.
fn size(row: &Row) -> usize {
    let headings: usize = row.headings.iter().map(|(_, text)| text.len()).sum();
    let header = row.header.as_ref().map_or(0, |(_, _, text)| text.len());
    let terms: usize = row.terms.iter().map(|term| term.len() + 3).sum();
    row.text.len() + headings + header + terms + row.path.as_os_str().len() + 500
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
