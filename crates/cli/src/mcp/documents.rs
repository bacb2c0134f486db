//! Documents as resources, and the tool that reads them in parts.

use anyhow::{bail, ensure};
use oriel_api::{DATA_NOTE, DOCUMENT_SCHEME, Searcher, name_of, provenance};
use oriel_core::{ByteSpan, CancelToken, DocumentId};
use oriel_engine::{DocumentRow, DocumentState, DocumentText, EngineError};
use serde_json::{Value, json};

use crate::mcp::arguments::Fetch;
use crate::mcp::tools::{Tools, rows};

/// Maximum bytes of a document that is read as a resource; `fetch` reads longer ones in parts.
const MAX_RESOURCE_BYTES: usize = 4 << 20;
const MAX_FETCHED_BYTES: u32 = 1_000_000;

impl Tools {
    pub(crate) fn fetch(&self, arguments: &Fetch, cancel: &CancelToken) -> anyhow::Result<Value> {
        ensure!(
            (1..=MAX_FETCHED_BYTES).contains(&arguments.length),
            "length is from 1 to {MAX_FETCHED_BYTES}"
        );
        let (id, place, version) = parse_id(&arguments.id)?;
        let searcher = self.open()?;
        let document = self.document(&searcher, id, version)?;
        let total = u32::try_from(document.text.len()).unwrap_or(u32::MAX);
        let length = arguments.length;
        let start = arguments.start.unwrap_or_else(|| match place {
            // The text around the place, or the whole document if it is short.
            Some(place) if total > length => {
                place.start.saturating_sub(length.saturating_sub(place.len()) / 2).min(total - length)
            }
            _ => 0,
        });
        ensure!(
            start < total.max(1),
            "the text of document {} has {total} bytes; start before its end",
            id.0
        );
        let start = document.text.floor_char_boundary(start as usize);
        let end = document.text.floor_char_boundary((start + length as usize).min(document.text.len()));
        // A character longer than `length` is returned whole.
        let end = if end > start { end } else { document.text.ceil_char_boundary(start + 1) };
        let file = provenance(searcher.library(), &document.row.path, cancel);
        let location = document.location(u32::try_from(start).unwrap_or(u32::MAX));
        Ok(json!({
            "id": arguments.id,
            "title": name_of(&document.row.path),
            "text": document.text[start..end],
            "url": format!("{DOCUMENT_SCHEME}{}", id.0),
            "metadata": {
                "path": document.row.path.to_string_lossy(),
                "kind": document.row.kind,
                "page": location.page,
                "sheet": location.sheet,
                "row": location.row,
                "pages": document.row.pages,
                "span": { "start": start, "end": end },
                "bytes": total,
                "next_start": (end < document.text.len()).then_some(end),
                "sha256": file.and_then(|file| file.sha256),
            },
            "note": DATA_NOTE,
        }))
    }

    /// The documents that can be read as resources, by path.
    pub(crate) fn documents(&self, client: &str) -> anyhow::Result<Vec<DocumentRow>> {
        let rows = self.indexed();
        self.note(client, "list", String::new(), rows.as_ref().map(|_| &Value::Null));
        rows
    }

    fn indexed(&self) -> anyhow::Result<Vec<DocumentRow>> {
        let searcher = self.open()?;
        let mut rows = rows(&searcher, &self.access.filter()?)?;
        rows.retain(|row| row.state == DocumentState::Indexed);
        rows.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(rows)
    }

    /// The text of a document, or of the place in it, by its URI.
    pub(crate) fn resource(&self, client: &str, uri: &str) -> anyhow::Result<String> {
        let read = self.read(uri);
        let title = read.as_ref().map(|(title, _)| json!({ "title": title }));
        self.note(client, "fetch", uri.to_owned(), title.as_ref().map_err(|error| *error));
        Ok(read?.1)
    }

    /// The title and the text of a resource.
    fn read(&self, uri: &str) -> anyhow::Result<(String, String)> {
        let (id, place, version) = parse_id(uri)?;
        let DocumentText { row, text, .. } = self.document(&*self.open()?, id, version)?;
        let Some(place) = place else {
            ensure!(
                text.len() <= MAX_RESOURCE_BYTES,
                "document {} has {} bytes of text, too many for one resource; read it in parts with the tool fetch",
                id.0,
                text.len()
            );
            return Ok((name_of(&row.path), text));
        };
        match place.of(&text) {
            Some(text) => Ok((name_of(&row.path), text.to_owned())),
            None => bail!("document {} was read anew since; search again", id.0),
        }
    }

    /// A document that this program may see; a hidden one is reported as missing. Its hash must begin with `version`.
    fn document(&self, searcher: &Searcher, id: DocumentId, version: &str) -> anyhow::Result<DocumentText> {
        let hidden = self.access.filter()?;
        match searcher.library().text_of(id) {
            Ok(document) if !hidden.hides(&document.row.path) => {
                let is_same = document.hash.starts_with(version);
                ensure!(is_same, "document {} was read anew since; search again", id.0);
                Ok(document)
            }
            Ok(_) | Err(EngineError::NoDocument { .. }) => {
                bail!("there is no document {} (any more); search again", id.0)
            }
            // The error's message contains the path.
            Err(_) if searcher.library().document(id).is_ok_and(|row| hidden.hides(&row.path)) => {
                bail!("there is no document {} (any more); search again", id.0)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Parses an id such as `17` or `17:340-402@5f0c1a`, or a URI with it, into document, place and version. The version is
/// empty if the id has none.
fn parse_id(id: &str) -> anyhow::Result<(DocumentId, Option<ByteSpan>, &str)> {
    let parse = || {
        let id = id.strip_prefix(DOCUMENT_SCHEME).unwrap_or(id);
        let (id, version) = id.split_once('@').unwrap_or((id, ""));
        let (document, place) = id.split_once(':').map_or((id, None), |(id, place)| (id, Some(place)));
        let span = match place {
            Some(place) => {
                let (start, end) = place.split_once('-')?;
                Some(ByteSpan::new(start.parse().ok()?, end.parse().ok()?))
            }
            None => None,
        };
        Some((DocumentId(document.parse().ok()?), span, version))
    };
    match parse() {
        Some(parsed) => Ok(parsed),
        None => bail!("'{id}' is not an id; use one from a result, such as 17 or 17:340-402@5f0c1a"),
    }
}
