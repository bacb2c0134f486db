//! Publishes a library to an index elsewhere: what is new, changed or gone since the last time.
//!
//! The index is a copy. Nothing is remembered of what was sent: each document has a generation, a hash of all that its rows are
//! made from, and the index says which generation it has. So a publication that was killed goes on, and an index that was lost is
//! made anew.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use oriel_core::{ByteSpan, CancelToken, DocumentId, Heading, Notice, Ordinal, SentenceId, SentenceRow};
use oriel_store::{DocumentRecord, DocumentState, EmbedderRecord, SentenceTable, StoreError, View};
use oriel_wire::index::{Call, CallReply, Collection, INCOMPLETE, MAX_ROWS, Manifest, Row};
use serde::Serialize;

use crate::error::EngineError;
use crate::files::now;
use crate::library::Library;
use crate::library::sentences::digests;
use crate::remote_index::connection::{Opened, RemoteIndex, WRITE_SILENCE, failed, open, opened, unexpected};
use crate::remote_index::place::{
    IndexInfo, IndexPlace, NewIndex, PUBLISH_FILE, PublishTo, forget, keep, read_kept,
};

/// What rows are made from has changed if this has.
const ROW_VERSION: u8 = 1;
/// Maximum bytes of the texts of rows that are sent at once.
const MAX_BYTES: usize = 8 << 20;
/// Maximum bytes of a row's text, and of the headings above it.
const MAX_TEXT: usize = 32 << 10;
/// Documents that are asked for at once.
const PAGE: u32 = 10_000;

/// What a publication did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Published {
    /// Documents that were sent.
    pub sent: usize,
    /// Their sentences.
    pub sentences: u64,
    /// Documents that were removed.
    pub removed: usize,
    /// Documents of the library that wait for vectors; they are published when they have them.
    pub waiting: usize,
    /// Where.
    pub index: Option<IndexInfo>,
    /// How long it took.
    pub seconds: f64,
}

/// How far a publication is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishProgress {
    /// Documents that were sent.
    pub done: usize,
    /// Documents that are to be sent.
    pub total: usize,
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
    /// If what is kept of it cannot be used.
    pub fn publishes_to(&self) -> Result<Option<IndexInfo>, EngineError> {
        let Some(PublishTo { place, .. }) = self.publish_to()? else { return Ok(None) };
        let embedder = self.embedder_fingerprint()?.unwrap_or_default();
        place.info(embedder, &Manifest::default()).map(Some)
    }

    fn publish_to(&self) -> Result<Option<PublishTo>, EngineError> {
        read_kept(&self.path().join(PUBLISH_FILE))
    }

    /// Publishes to this index from now on. Its collection is made if it is missing. `takes_over` takes a collection from the
    /// library that writes it, which is refused from then on.
    ///
    /// # Errors
    /// If the index cannot be used, or belongs to another library: one line that names the host; nothing is changed then.
    pub fn set_published(
        &self,
        new: NewIndex,
        takes_over: bool,
        cancel: &CancelToken,
    ) -> Result<IndexInfo, EngineError> {
        self.writable()?;
        let writer = match self.publish_to()? {
            Some(kept) => kept.writer,
            None => format!("{:032x}", rand::random::<u128>()),
        };
        let (place, key) = IndexPlace::new(new)?;
        let (mut remote, reply) = open(&place, key.clone(), WRITE_SILENCE, None, cancel)?;
        let mut call = |call: &Call| match remote.call(call, &[], cancel) {
            Ok(CallReply::Done) => Ok(()),
            Ok(_) => Err(unexpected(&place)),
            Err(error) => Err(failed(&place, error)),
        };
        let made_for = self.collection()?;
        let manifest = match reply {
            CallReply::Missing(_) => {
                call(&Call::Create(made_for.clone()))?;
                None
            }
            reply => {
                let Opened { collection, manifest } = opened(&place, reply)?;
                check_embedder(&place, &collection, &made_for)?;
                manifest
            }
        };
        let mut manifest = manifest.unwrap_or_default();
        if !takes_over {
            check_writer(&place, &manifest, &writer)?;
        }
        manifest.writer.clone_from(&writer);
        call(&Call::Announce(manifest))?;
        place.key.keep(&place.address()?, key.as_ref())?;
        let info = place.info(made_for.embedder, &Manifest::default())?;
        keep(&self.path().join(PUBLISH_FILE), &PublishTo { place, writer })?;
        Ok(info)
    }

    /// Publishes no longer. What was published stays.
    ///
    /// # Errors
    /// If it cannot be written, or the keyring refuses.
    pub fn stop_publishing(&self) -> Result<(), EngineError> {
        let Some(kept) = self.publish_to()? else { return Ok(()) };
        forget(&self.path().join(PUBLISH_FILE))?;
        kept.place.forget_key()
    }

    /// What a collection for this library is made for.
    fn collection(&self) -> Result<Collection, EngineError> {
        let embedder = self.store.read(|view| view.embedder())?;
        let Some(EmbedderRecord { fingerprint, dimensions }) = embedder else {
            return Err(EngineError::Index(Notice::NothingToPublish));
        };
        let dimensions = u32::try_from(dimensions).unwrap_or(u32::MAX);
        Ok(Collection { embedder: fingerprint, dimensions })
    }

    /// Publishes if this library is published and is not in the state `last`, which is replaced.
    ///
    /// # Errors
    /// As [`Self::publish`].
    pub fn publish_changes(&self, last: &mut Option<u64>, cancel: &CancelToken) -> Result<(), EngineError> {
        let state = self.store.read(|view| Ok::<_, StoreError>(view.version()))?;
        if *last != Some(state) && self.publish_to()?.is_some() {
            self.publish(&mut |_| (), cancel)?;
            *last = Some(state);
        }
        Ok(())
    }

    /// Sends to the index that this library publishes to what is new or changed, and removes what is gone. A document whose
    /// sentences do not all have vectors waits.
    ///
    /// # Errors
    /// If the library is not published, the index fails, or `cancel` is cancelled. What was sent stays; the next call goes on.
    pub fn publish(
        &self,
        progress: &mut dyn FnMut(PublishProgress),
        cancel: &CancelToken,
    ) -> Result<Published, EngineError> {
        let begun = Instant::now();
        let kept = self.publish_to()?.ok_or(EngineError::Index(Notice::NotPublished))?;
        let PublishTo { place, writer } = kept;
        let index = RemoteIndex::new(place.clone(), WRITE_SILENCE);
        let Opened { collection, manifest } = index.opened(cancel)?;
        check_embedder(&place, &collection, &self.collection()?)?;
        check_writer(&place, &manifest.unwrap_or_default(), &writer)?;
        let there = published(&index, cancel)?;
        let (here, waiting) = self.store.read(|view| generations(&view))?;
        let gone: Vec<(DocumentId, Option<u64>)> =
            there.keys().filter(|id| !here.contains_key(id)).map(|id| (*id, None)).collect();
        let removed = gone.len();
        if !gone.is_empty() {
            done(&index, &Call::Remove { documents: gone }, &[], cancel)?;
        }
        let is_new = |(id, generation): &(&DocumentId, &u64)| {
            !waiting.contains(id) && there.get(id) != Some(generation)
        };
        let changed: Vec<DocumentId> = here.iter().filter(is_new).map(|(id, _)| *id).collect();
        let mut sending = Sending {
            index: &index,
            cancel,
            rows: Vec::new(),
            vectors: Vec::new(),
            bytes: 0,
            old: Vec::new(),
        };
        let mut report = Published { removed, waiting: waiting.len(), ..Published::default() };
        for (at, &id) in changed.iter().enumerate() {
            cancel.check()?;
            progress(PublishProgress { done: at, total: changed.len() });
            // It may have changed since, or its vectors with the embedder.
            let Some(document) = self.store.read(|view| published_document(&view, id))? else { continue };
            report.sent += 1;
            report.sentences += document.rows.len() as u64;
            sending.add(id, document, there.contains_key(&id))?;
        }
        sending.flush()?;
        progress(PublishProgress { done: changed.len(), total: changed.len() });
        let manifest = self.store.read(|view| {
            let totals = view.totals()?;
            let documents = here.len() as u64;
            Ok::<_, StoreError>(Manifest {
                writer,
                common_terms: view.common_terms()?,
                documents,
                sentences: totals.sentences,
                published: now(),
            })
        })?;
        done(&index, &Call::Announce(manifest.clone()), &[], cancel)?;
        report.index = Some(place.info(collection.embedder, &manifest)?);
        report.seconds = begun.elapsed().as_secs_f64();
        Ok(report)
    }
}

/// Refuses to mix vectors of two embedders.
fn check_embedder(place: &IndexPlace, there: &Collection, here: &Collection) -> Result<(), EngineError> {
    if there == here {
        return Ok(());
    }
    let (host, collection, stored) =
        (place.address()?.host(), place.collection.clone(), there.embedder.clone());
    Err(EngineError::Index(Notice::CollectionOfOtherEmbedder { host, collection, stored }))
}

/// Refuses a second writer.
fn check_writer(place: &IndexPlace, manifest: &Manifest, writer: &str) -> Result<(), EngineError> {
    if manifest.writer.is_empty() || manifest.writer == writer {
        return Ok(());
    }
    let (host, collection) = (place.address()?.host(), place.collection.clone());
    Err(EngineError::Index(Notice::CollectionOfOtherLibrary { host, collection }))
}

fn done(index: &RemoteIndex, call: &Call, vectors: &[f32], cancel: &CancelToken) -> Result<(), EngineError> {
    match index.call(call, vectors, cancel)? {
        CallReply::Done => Ok(()),
        _ => Err(unexpected(index.place())),
    }
}

/// The generation of each document that the index has.
fn published(index: &RemoteIndex, cancel: &CancelToken) -> Result<HashMap<DocumentId, u64>, EngineError> {
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

/// The generation of each document that has sentences, and the documents among them that wait for vectors.
fn generations(view: &View<'_>) -> Result<(BTreeMap<DocumentId, u64>, BTreeSet<DocumentId>), EngineError> {
    let mut waiting = view.documents_without_vectors()?;
    let mut all = BTreeMap::new();
    for entry in view.documents()? {
        let (id, record) = entry?;
        let table = view.table(id)?;
        if record.state == DocumentState::Indexed && !table.is_empty() {
            all.insert(id, generation(&record, table));
        }
    }
    waiting.retain(|id| all.contains_key(id));
    Ok((all, waiting))
}

/// A hash of what a document's rows are made from.
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

/// A document as it is now; `None` if it has no text, or a sentence of it has no vector.
fn published_document(view: &View<'_>, id: DocumentId) -> Result<Option<PublishedDocument>, EngineError> {
    let (Some(record), Some(text)) = (view.document(id)?, view.text(id)?) else { return Ok(None) };
    let (outline, table) = (view.outline(id)?, view.table(id)?);
    let sentences: Vec<SentenceRow> = table.rows().collect();
    let ids: Vec<SentenceId> = sentences.iter().map(|row| row.id).collect();
    let Some(vectors) = view.vectors_of(&ids)?.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let generation = generation(&record, table);
    let digests = digests(&text, &outline, record.kind, sentences.iter().map(|row| row.span));
    let damaged = || StoreError::Corrupt(format!("document {} has sentences outside of its text", id.0));
    let piece = |span: ByteSpan| {
        let whole = span.of(&text).ok_or_else(damaged)?;
        Ok::<_, EngineError>(whole[..whole.floor_char_boundary(MAX_TEXT)].to_owned())
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
            text: piece(ByteSpan::new(start, next.max(row.span.end)))?,
            headings: headings(path.collect(), &piece)?,
            header: header
                .map(|table| Ok::<_, EngineError>((table.span, table.end, piece(table.span)?)))
                .transpose()?,
            terms: digest.terms,
        });
    }
    Ok(Some(PublishedDocument { rows, vectors }))
}

/// Headings with their texts. Of a path that is too long the outer ones are left out.
fn headings(
    path: Vec<Heading>,
    text: &dyn Fn(ByteSpan) -> Result<String, EngineError>,
) -> Result<Vec<(Heading, String)>, EngineError> {
    let (mut kept, mut bytes) = (Vec::new(), 0);
    for heading in path.into_iter().rev() {
        let text = text(heading.span)?;
        bytes += text.len();
        if bytes > MAX_TEXT {
            break;
        }
        kept.push((heading, text));
    }
    kept.reverse();
    Ok(kept)
}

/// Rows on their way.
struct Sending<'a> {
    index: &'a RemoteIndex,
    cancel: &'a CancelToken,
    rows: Vec<Row>,
    vectors: Vec<f32>,
    bytes: usize,
    /// Documents of them that the index has in another generation.
    old: Vec<(DocumentId, Option<u64>)>,
}

impl Sending<'_> {
    /// Adds a document. One with very many sentences is sent in parts.
    fn add(
        &mut self,
        id: DocumentId,
        document: PublishedDocument,
        is_there: bool,
    ) -> Result<(), EngineError> {
        let PublishedDocument { rows, vectors } = document;
        let bytes = rows.iter().map(size).sum::<usize>();
        if self.rows.len() + rows.len() > MAX_ROWS || self.bytes + bytes > MAX_BYTES {
            self.flush()?;
        }
        let Some(generation) = rows.first().map(|row| row.generation) else { return Ok(()) };
        if rows.len() > MAX_ROWS || bytes > MAX_BYTES {
            return self.send_parts((id, Some(generation)), &rows, &vectors);
        }
        self.old.extend(is_there.then_some((id, Some(generation))));
        self.bytes += bytes;
        self.rows.extend(rows);
        self.vectors.extend(vectors.into_iter().flatten());
        Ok(())
    }

    /// Sends what was added. Rows of older generations go first, so that none of them can stay.
    fn flush(&mut self) -> Result<(), EngineError> {
        let old = std::mem::take(&mut self.old);
        if !old.is_empty() {
            done(self.index, &Call::Remove { documents: old }, &[], self.cancel)?;
        }
        let (rows, vectors) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.vectors));
        self.bytes = 0;
        if rows.is_empty() { Ok(()) } else { done(self.index, &Call::Put { rows }, &vectors, self.cancel) }
    }

    /// Sends a document in parts. Until the last one is there, its first row says that it is incomplete.
    fn send_parts(
        &self,
        document: (DocumentId, Option<u64>),
        rows: &[Row],
        vectors: &[Vec<f32>],
    ) -> Result<(), EngineError> {
        let put = |rows: &[Row], vectors: &[Vec<f32>]| {
            let call = Call::Put { rows: rows.to_vec() };
            done(self.index, &call, &vectors.concat(), self.cancel)
        };
        let first = Row { generation: INCOMPLETE, ..rows[0].clone() };
        put(&[first], &vectors[..1])?;
        let (mut from, mut bytes) = (0, 0);
        let mut parts = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            if at - from == MAX_ROWS || bytes + size(row) > MAX_BYTES && at > from {
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

/// About how many bytes a row takes.
fn size(row: &Row) -> usize {
    let headings: usize = row.headings.iter().map(|(_, text)| text.len()).sum();
    let terms: usize = row.terms.iter().map(|term| term.len() + 3).sum();
    row.text.len() + headings + terms + row.path.as_os_str().len() + 500
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
