//! A document in the viewer: its text or its pages, with the marks of a passage.

use std::sync::Arc;

use anyhow::Context as _;
use oriel_core::{ByteSpan, CancelToken, DocumentId, Kind};
use oriel_engine::DocumentText;
use tauri_plugin_opener::OpenerExt as _;

use crate::app::{App, Opened};
use crate::blocks::blocks;
use crate::conversations::{document_of, turn};
use crate::folders::{count, name_of, roots, row};
use crate::ipc::*;

/// What is to be marked: the windows pale, the sentences deep, and which of these comes first.
struct Marked {
    windows: Vec<ByteSpan>,
    hits: Vec<ByteSpan>,
    first: Option<usize>,
    /// BLAKE3 of the file that the spans belong to, where it is known.
    hash: Option<String>,
    /// The sentences as they stood then, to be looked for where the text has been read anew.
    texts: Vec<String>,
}

/// Sentences that are marked in one document at most, where it mentions some words more often.
const MENTIONS: usize = 60;

/// A document with its marks.
pub(crate) fn open(app: &Arc<App>, wanted: &OpenView) -> Result<View, IpcError> {
    let opened = &app.opened()?;
    let (document, marked) = match wanted {
        &OpenView::Document { document } => (DocumentId(document), Marked::none()),
        OpenView::Place { document, at } => {
            let id = DocumentId(*document);
            (id, Marked::at(&text_of(opened, id)?, at))
        }
        OpenView::Mention { document, words, start } => {
            let id = DocumentId(*document);
            (id, Marked::mentions(opened, id, words, *start)?)
        }
        OpenView::Passage { conversation, turn: number, n, claim } => {
            of_passage(opened, conversation, *number, *n, *claim)?
        }
    };
    view(opened, document, marked)
}

fn of_passage(
    opened: &Opened,
    conversation: &str,
    number: u32,
    n: u32,
    claim: Option<u32>,
) -> Result<(DocumentId, Marked), IpcError> {
    let gone = || IpcError::gone("this passage is not there any more; ask again");
    // Those of an answer that is being written stand in no conversation yet.
    let basis = opened.answering.basis(conversation, number);
    let turn = if basis.is_none() { Some(turn(opened, conversation, number)?) } else { None };
    let answer = turn.as_ref().and_then(|turn| turn.answer.as_ref());
    let passages = match &basis {
        Some(basis) => &basis.passages,
        None => &answer.ok_or_else(gone)?.passages,
    };
    let documents = basis.as_ref().map(|basis| &basis.sources).or(turn.as_ref().map(|turn| &turn.documents));
    let at = passages.iter().position(|passage| passage.n == n as usize).ok_or_else(gone)?;
    let passage = &passages[at];
    let source = documents.and_then(|documents| documents.get(at)?.as_ref());
    let left = || {
        let name = name_of(&passage.path);
        IpcError::gone(format!("{name} is not in the library any more; add it again to see the place"))
    };
    let id = document_of(opened, passage, source).ok_or_else(left)?.id;
    // The sentence that supports the claim comes first, whether it was a hit or not.
    let cited = claim.and_then(|claim| answer?.sentences.get(claim as usize)).and_then(|sentence| {
        let place = sentence.places.iter().find(|place| place.n == n as usize)?;
        Some(ByteSpan::new(place.start, place.end))
    });
    let mut hits: Vec<ByteSpan> = passage.hits.iter().map(|hit| ByteSpan::new(hit.start, hit.end)).collect();
    if let Some(cited) = cited
        && !hits.contains(&cited)
    {
        hits.push(cited);
        hits.sort_unstable();
    }
    let first = match cited {
        Some(cited) => hits.iter().position(|hit| *hit == cited),
        // Without a claim the best hit comes first.
        None => {
            let best = passage.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score));
            best.and_then(|best| hits.iter().position(|hit| hit.start == best.start))
        }
    };
    let texts = hits
        .iter()
        .map(|hit| {
            let from = (hit.start.saturating_sub(passage.start)) as usize;
            let to = (hit.end.saturating_sub(passage.start)) as usize;
            passage.text.get(from..to).unwrap_or_default().to_owned()
        })
        .collect();
    let windows = vec![ByteSpan::new(passage.start, passage.end)];
    Ok((id, Marked { windows, hits, first, hash: source.map(|source| source.hash.clone()), texts }))
}

impl Marked {
    fn none() -> Self {
        Self { windows: Vec::new(), hits: Vec::new(), first: None, hash: None, texts: Vec::new() }
    }

    /// A window and its sentences. Where the text was read anew since, nobody knows what they said.
    fn at(text: &DocumentText, at: &TextPlace) -> Self {
        let window = ByteSpan::new(at.start, at.end);
        if at.hash.as_ref().is_some_and(|hash| *hash != text.hash) || window.of(&text.text).is_none() {
            return Self { hash: Some(at.hash.clone().unwrap_or_default()), ..Self::none() };
        }
        let within = |one: &ByteSpan| one.start < window.end && window.start < one.end;
        let all = text.sentences.iter().map(|one| one.span).filter(within);
        // What was kept before hits were noted has its window alone.
        let hits: Vec<_> = if at.hits.is_empty() { all.collect() } else { at.hits.clone() };
        let texts = hits.iter().map(|hit| hit.of(&text.text).unwrap_or_default().to_owned()).collect();
        Self { windows: vec![window], first: Some(0), hits, hash: Some(text.hash.clone()), texts }
    }

    /// The sentences that mention some words, around the one that begins at `start`. They are looked for in the text as
    /// it is now, so that they are right where it was read anew.
    fn mentions(opened: &Opened, id: DocumentId, words: &str, start: u32) -> Result<Self, IpcError> {
        let found = opened.library.mentions_in(words, id, 0, usize::MAX)?;
        let mut mentions = found.map(|found| found.shown).unwrap_or_default();
        let at = mentions.iter().position(|one| one.span.start >= start);
        let at = at.unwrap_or(mentions.len().saturating_sub(1));
        // The pages of a mark are read once more, so not all of a long document's can be drawn.
        let from = at.saturating_sub(MENTIONS / 2);
        mentions.truncate(from.saturating_add(MENTIONS));
        let around = mentions.split_off(from.min(mentions.len()));
        let first = (!around.is_empty()).then_some(at - from);
        let (hits, texts) = around.into_iter().map(|one| (one.span, one.text)).unzip();
        Ok(Self { windows: Vec::new(), hits, first, hash: None, texts })
    }

    /// Where the document was read anew since, the sentences are looked for in the new text; one that is not there any
    /// more is not marked.
    fn follow(self, text: &DocumentText) -> Self {
        if self.hash.as_ref().is_none_or(|hash| *hash == text.hash) {
            return self;
        }
        let found: Vec<Option<ByteSpan>> = self
            .texts
            .iter()
            .map(|wanted| {
                let same = |span: &ByteSpan| span.of(&text.text) == Some(wanted.as_str());
                text.sentences.iter().map(|sentence| sentence.span).find(same)
            })
            .collect();
        let first = self.first.and_then(|first| found.get(first).copied().flatten());
        let mut hits: Vec<ByteSpan> = found.into_iter().flatten().collect();
        hits.sort_unstable();
        hits.dedup();
        let first = first.and_then(|first| hits.iter().position(|hit| *hit == first));
        let texts = hits.iter().map(|hit| hit.of(&text.text).unwrap_or_default().to_owned()).collect();
        Self { windows: Vec::new(), hits, first, hash: None, texts }
    }
}

fn view(opened: &Opened, id: DocumentId, marked: Marked) -> Result<View, IpcError> {
    let roots = roots(opened)?;
    let text = text_of(opened, id)?;
    let freshness = opened.library.freshness(id)?;
    let was_read_anew = marked.hash.as_ref().is_some_and(|hash| *hash != text.hash);
    let marked = marked.follow(&text);
    let page_of = |span: &ByteSpan| {
        let sentence = text.sentences.iter().find(|sentence| sentence.span.start >= span.start)?;
        sentence.page
    };
    let hits = marked.hits.iter().zip(&marked.texts);
    let hits: Vec<ViewHit> =
        hits.map(|(span, text)| ViewHit { text: text.clone(), page: page_of(span) }).collect();
    let is_pdf = text.row.kind == Kind::Pdf;
    let is_same = freshness == oriel_engine::Freshness::Same;
    let marks = if is_pdf && is_same { page_marks(opened, id, &marked)? } else { Vec::new() };
    Ok(View {
        document: row(&text.row, &roots),
        freshness: match freshness {
            oriel_engine::Freshness::Gone => Freshness::Gone,
            oriel_engine::Freshness::Same if !was_read_anew => Freshness::Same,
            _ => Freshness::Changed,
        },
        // The pages of a file that is gone cannot be drawn; its text can.
        blocks: match is_pdf && freshness != oriel_engine::Freshness::Gone {
            true => Vec::new(),
            false => blocks(&text, &marked.windows, &marked.hits),
        },
        marks,
        first: marked.first.map(count),
        hits,
        address: (is_pdf && freshness != oriel_engine::Freshness::Gone).then(|| address(id)),
    })
}

/// The rectangles of windows and sentences. Where there are none the viewer looks for the sentences in the page's text.
fn page_marks(opened: &Opened, id: DocumentId, marked: &Marked) -> Result<Vec<PageMark>, IpcError> {
    let spans: Vec<ByteSpan> = marked.windows.iter().chain(&marked.hits).copied().collect();
    if spans.is_empty() {
        return Ok(Vec::new());
    }
    let boxes = match opened.library.highlights(id, &spans, &CancelToken::new()) {
        Ok(boxes) => boxes,
        Err(error) => {
            tracing::warn!(%error, "a page cannot be marked by its glyphs");
            return Ok(Vec::new());
        }
    };
    let windows = marked.windows.len();
    Ok(boxes
        .into_iter()
        .map(|one| PageMark {
            page: one.page,
            left: one.left,
            top: one.top,
            right: one.right,
            bottom: one.bottom,
            mark: if one.span < windows { Mark::Window } else { Mark::Sentence },
            hit: one.span.checked_sub(windows).map(count),
        })
        .collect())
}

fn address(id: DocumentId) -> String {
    // Windows has no schemes of its own.
    if cfg!(windows) { format!("http://doc.localhost/{}", id.0) } else { format!("doc://localhost/{}", id.0) }
}

fn text_of(opened: &Opened, id: DocumentId) -> Result<DocumentText, IpcError> {
    Ok(opened.library.text_of(id)?)
}

/// Shows a document in the system's file browser.
pub(crate) fn show_in_folder(
    app: &Arc<App>,
    &DocumentRef { document }: &DocumentRef,
) -> Result<(), IpcError> {
    let path = app.opened()?.library.document(DocumentId(document))?.path;
    let shown = app.handle().opener().reveal_item_in_dir(&path);
    Ok(shown.with_context(|| format!("{} cannot be shown; open its folder by hand", path.display()))?)
}

/// Opens a document in its own app.
pub(crate) fn open_outside(app: &Arc<App>, &DocumentRef { document }: &DocumentRef) -> Result<(), IpcError> {
    let path = app.opened()?.library.document(DocumentId(document))?.path;
    let opened = app.handle().opener().open_path(path.to_string_lossy(), None::<&str>);
    Ok(opened.with_context(|| format!("{} cannot be opened; open it by hand", path.display()))?)
}
