//! A document with its marks, as the viewer shows it.

use oriel_core::{ByteSpan, CancelToken, DocumentId, Passage};
use oriel_engine::{DocumentText, EngineError, Freshness, Library, PassageDocument};

use crate::api::{Layout, Mark, PageBox, PageMark, TextPlace, View, ViewHit};
use crate::views::blocks::blocks;
use crate::views::cards::Marks;
use crate::views::documents::row;
use crate::views::layout::{parts, rows};

/// The most sentences that are marked in one document for a list of mentions.
const MAX_MARKED_MENTIONS: usize = 60;

/// The most files inside a document that are listed.
const MAX_LISTED_MEMBERS: usize = 1000;

/// Words that may be wrong are marked on so many pages before and after the one that is shown: more takes long to read.
const UNSURE_PAGES: u32 = 20;

/// What to mark, and what to show first.
pub(crate) struct Marked {
    marks: Marks,
    /// The sentence that is shown first.
    first: Option<usize>,
    /// BLAKE3 of the file that the spans belong to, if it is known.
    hash: Option<String>,
    /// The text of the sentences, to find them again if the file has been read since.
    texts: Vec<String>,
}

impl Marked {
    /// Nothing is marked.
    pub(crate) fn none() -> Self {
        Self { marks: Marks::default(), first: None, hash: None, texts: Vec::new() }
    }

    /// A passage with the sentence that answers, and `cited`, the sentence that supports a claim, which is shown first. In a
    /// passage with neither the best hit.
    pub(crate) fn passage(
        passage: &Passage,
        source: Option<&PassageDocument>,
        cited: Option<ByteSpan>,
    ) -> Self {
        let mut marks = Marks::of_passage(passage);
        let shown = cited.or_else(|| marks.sentences.first().copied()).or_else(|| {
            let best = passage.hits.iter().max_by(|a, b| a.score.total_cmp(&b.score));
            best.map(|best| ByteSpan::new(best.start, best.end))
        });
        if let Some(shown) = shown
            && !marks.sentences.contains(&shown)
        {
            marks.sentences.push(shown);
            marks.sentences.sort_unstable();
        }
        let first = marks.sentences.iter().position(|sentence| Some(*sentence) == shown);
        let texts = marks
            .sentences
            .iter()
            .map(|hit| {
                let from = (hit.start.saturating_sub(passage.start)) as usize;
                let to = (hit.end.saturating_sub(passage.start)) as usize;
                passage.text.get(from..to).unwrap_or_default().to_owned()
            })
            .collect();
        Self { marks, first, hash: source.map(|source| source.hash.clone()), texts }
    }

    /// A window and its sentences. If the file has been read since, what they said is not known.
    pub(crate) fn place(text: &DocumentText, at: &TextPlace) -> Self {
        let window = ByteSpan::new(at.start, at.end);
        if at.hash.as_ref().is_some_and(|hash| *hash != text.hash) || window.of(&text.text).is_none() {
            return Self { hash: Some(at.hash.clone().unwrap_or_default()), ..Self::none() };
        }
        let within = |one: &ByteSpan| one.start < window.end && window.start < one.end;
        let all = text.sentences.iter().map(|one| one.span).filter(within);
        // Answers that were kept by old versions have a window without hits.
        let hits: Vec<_> = match at.answer {
            Some(answer) => vec![answer],
            None if at.hits.is_empty() => all.collect(),
            None => at.hits.clone(),
        };
        let texts = hits.iter().map(|hit| hit.of(&text.text).unwrap_or_default().to_owned()).collect();
        let marks = Marks { windows: vec![window], sentences: hits, words: at.words.into_iter().collect() };
        Self { marks, first: Some(0), hash: Some(text.hash.clone()), texts }
    }

    /// The sentences that mention some words, around the one that begins at `start`. They are found in the present text, so
    /// they are right even if the file has been read since.
    pub(crate) fn mentions(
        library: &Library,
        id: DocumentId,
        words: &str,
        start: u32,
    ) -> Result<Self, EngineError> {
        let found = library.mentions_in(words, id, 0, usize::MAX)?;
        let mut mentions = found.map(|found| found.shown).unwrap_or_default();
        let at = mentions.iter().position(|one| one.span.start >= start);
        let at = at.unwrap_or(mentions.len().saturating_sub(1));
        // Pages with marks are read again, so a long document cannot have all of them marked.
        let from = at.saturating_sub(MAX_MARKED_MENTIONS / 2);
        mentions.truncate(from.saturating_add(MAX_MARKED_MENTIONS));
        let around = mentions.split_off(from.min(mentions.len()));
        let first = (!around.is_empty()).then_some(at - from);
        let (sentences, texts) = around.into_iter().map(|one| (one.span, one.text)).unzip();
        Ok(Self { marks: Marks { sentences, ..Marks::default() }, first, hash: None, texts })
    }

    /// Finds the sentences in the present text if the file has been read since. One that is gone is not marked.
    fn relocate(self, text: &DocumentText) -> Self {
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
        Self { marks: Marks { sentences: hits, ..Marks::default() }, first, hash: None, texts }
    }
}

/// A document with these marks.
pub(crate) fn view(library: &Library, id: DocumentId, marked: Marked) -> Result<View, EngineError> {
    let roots = library.folders()?;
    let text = library.text_of(id)?;
    let freshness = library.freshness(id)?;
    let was_reread = marked.hash.as_ref().is_some_and(|hash| *hash != text.hash);
    let marked = marked.relocate(&text);
    let page_of = |span: &ByteSpan| {
        let sentence = text.sentences.iter().find(|sentence| sentence.span.start >= span.start)?;
        sentence.page
    };
    let hits = marked.marks.sentences.iter().zip(&marked.texts);
    let hits: Vec<ViewHit> =
        hits.map(|(span, text)| ViewHit { text: text.clone(), page: page_of(span) }).collect();
    let layout = Layout::of(text.row.kind);
    let is_paged = text.row.kind.is_drawn();
    let is_same = freshness == Freshness::Same;
    let marks = if is_paged && is_same { page_marks(library, id, &marked.marks) } else { Vec::new() };
    let shown = marked.first.and_then(|first| hits.get(first)?.page).unwrap_or(1);
    let unsure = if is_paged && is_same { unsure_words(library, id, shown) } else { Vec::new() };
    // A file that is not here has no pages to draw, but its text is kept.
    let is_drawn = is_paged && !matches!(freshness, Freshness::Gone | Freshness::Elsewhere);
    let is_only_drawn = is_drawn && text.recognised.is_none();
    let has_rows = matches!(layout, Layout::Sheets | Layout::Lines);
    let has_blocks = !(is_only_drawn || has_rows || text.row.kind.is_container());
    let listed = |rows: Vec<oriel_engine::DocumentRow>| rows.iter().map(|one| row(one, &roots)).collect();
    let blocks = if has_blocks { blocks(&text, layout, &marked.marks) } else { Vec::new() };
    Ok(View {
        document: row(&text.row, &roots),
        freshness: if is_same && was_reread { Freshness::Changed } else { freshness },
        inside: listed(library.containers_of(id)?),
        members: listed(library.members_of(id, MAX_LISTED_MEMBERS)?),
        layout,
        parts: parts(&text, layout, &blocks),
        rows: rows(&text, layout, &marked.marks),
        blocks: blocks.into_iter().map(|(_, block)| block).collect(),
        marks,
        unsure,
        first: marked.first,
        hits,
        address: is_drawn.then(|| address(id)),
        recognised: text.recognised,
    })
}

/// The rectangles of windows, sentences and words. Without any, the viewer looks for the sentences in the page's text.
fn page_marks(library: &Library, id: DocumentId, marks: &Marks) -> Vec<PageMark> {
    let spans: Vec<ByteSpan> = marks.spans().copied().collect();
    if spans.is_empty() {
        return Vec::new();
    }
    let boxes = match library.highlights(id, &spans, &CancelToken::new()) {
        Ok(boxes) => boxes,
        Err(error) => {
            tracing::warn!(%error, "a page cannot be marked by its glyphs");
            return Vec::new();
        }
    };
    let windows = marks.windows.len();
    boxes
        .into_iter()
        .map(|one| {
            let hit = one.span.checked_sub(windows).filter(|hit| *hit < marks.sentences.len());
            PageMark {
                page: one.page,
                left: one.left,
                top: one.top,
                right: one.right,
                bottom: one.bottom,
                mark: if one.span < windows { Mark::Window } else { Mark::Sentence },
                hit,
                words: one.span >= windows && hit.is_none(),
            }
        })
        .collect()
}

/// The words that may be wrong on the pages around the one that is shown.
fn unsure_words(library: &Library, id: DocumentId, shown: u32) -> Vec<PageBox> {
    let pages = (shown.saturating_sub(UNSURE_PAGES), shown.saturating_add(UNSURE_PAGES));
    let words = library.unsure_words(id, pages, &CancelToken::new()).unwrap_or_else(|error| {
        tracing::warn!(%error, "words that may be wrong are not marked");
        Vec::new()
    });
    words
        .into_iter()
        .map(|one| PageBox {
            page: one.page,
            left: one.left,
            top: one.top,
            right: one.right,
            bottom: one.bottom,
        })
        .collect()
}

/// The address under which the viewer gets a document's pages.
fn address(id: DocumentId) -> String {
    // Windows knows no custom schemes.
    if cfg!(windows) { format!("http://doc.localhost/{}", id.0) } else { format!("doc://localhost/{}", id.0) }
}
