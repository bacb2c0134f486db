//! A document on the screen, with its marks.
//!
//! `view` has what the window is sent. `marked` decides what is marked, `layout` finds slides, sheets and lines, and `blocks` cuts
//! the text into paragraphs.

mod blocks;
mod layout;
mod marked;
pub(crate) mod view;

use oriel_core::{ByteSpan, CancelToken, DocumentId, Notice};
use oriel_engine::{EngineError, Freshness};

use crate::assistant::Assistant;
use crate::documents::{Resolver, name_of};
use crate::error::AppError;
use crate::marks::Marks;
use crate::text::Mark;
use crate::turn_ref::TurnRef;
use blocks::blocks;
use layout::{parts, rows};
use marked::Marked;
use view::{Layout, OpenView, PageBox, PageMark, View, ViewHit};

/// The most files inside a document that are listed.
const MAX_LISTED_MEMBERS: usize = 1000;

/// How many pages before and after the shown one get marks on words that may be wrong; more would take long to read.
const UNSURE_PAGES: u32 = 20;

impl Assistant {
    /// A document with its marks. `address` gives the address under which the viewer gets its pages.
    pub fn open_view(
        &self,
        wanted: &OpenView,
        address: impl Fn(DocumentId) -> String,
    ) -> Result<View, AppError> {
        let library = self.searcher.library();
        let resolver = Resolver::new(library)?;
        let (document, marked) = match wanted {
            &OpenView::Document { document } => (DocumentId(document), Marked::none()),
            OpenView::Place { document, at } => {
                let id = DocumentId(*document);
                (id, Marked::place(&library.text_of(id)?, at))
            }
            OpenView::Mention { document, words, start } => {
                let id = DocumentId(*document);
                (id, Marked::mentions(library, id, words, *start)?)
            }
            OpenView::Passage { at, n, claim } => self.passage(&resolver, at, *n, *claim)?,
        };
        Ok(resolver.view(document, marked, address)?)
    }

    /// The document of a passage, and what to mark in it.
    fn passage(
        &self,
        resolver: &Resolver<'_>,
        at: &TurnRef,
        n: usize,
        claim: Option<usize>,
    ) -> Result<(DocumentId, Marked), AppError> {
        let gone = || AppError::Gone(Notice::PassageGone);
        // The passages of an answer in progress are in no conversation yet.
        let basis = self.answers.basis(&at.conversation, at.turn);
        let turn = if basis.is_none() { Some(self.kept_turn(at)?) } else { None };
        let answer = turn.as_ref().and_then(|turn| turn.answer.as_ref());
        let (passages, documents) = match (&basis, &turn) {
            (Some(basis), _) => (&basis.passages, &basis.documents),
            (None, Some(turn)) => (&answer.ok_or_else(gone)?.passages, &turn.documents),
            (None, None) => return Err(gone()),
        };
        let at = passages.iter().position(|passage| passage.n == n).ok_or_else(gone)?;
        let passage = &passages[at];
        let source = documents.get(at).and_then(Option::as_ref);
        let left = || AppError::Gone(Notice::PlaceGone { name: name_of(&passage.path) });
        let id = resolver.document_of(passage, source).ok_or_else(left)?.id;
        let cited = claim.and_then(|claim| answer?.sentences.get(claim)).and_then(|sentence| {
            let place = sentence.places.iter().find(|place| place.n == n)?;
            Some(ByteSpan::new(place.start, place.end))
        });
        Ok((id, Marked::passage(passage, source, cited)))
    }
}

impl Resolver<'_> {
    /// A document with these marks.
    fn view(
        &self,
        id: DocumentId,
        marked: Marked,
        address: impl Fn(DocumentId) -> String,
    ) -> Result<View, EngineError> {
        let library = self.library;
        let text = library.text_of(id)?;
        let freshness = library.freshness(id)?;
        let was_reread = marked.is_outdated(&text);
        let marked = marked.relocated(&text);
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
        let marks = if is_paged && is_same { self.page_marks(id, &marked.marks) } else { Vec::new() };
        let shown = marked.first.and_then(|first| hits.get(first)?.page).unwrap_or(1);
        let unsure = if is_paged && is_same { self.unsure_words(id, shown) } else { Vec::new() };
        // A file that is not here has no pages to draw, but its text is kept.
        let is_drawn = is_paged && !matches!(freshness, Freshness::Gone | Freshness::Elsewhere);
        let is_only_drawn = is_drawn && text.recognised.is_none();
        let has_rows = matches!(layout, Layout::Sheets | Layout::Lines);
        let has_blocks = !(is_only_drawn || has_rows || text.row.kind.is_container());
        let blocks = if has_blocks { blocks(&text, layout, &marked.marks) } else { Vec::new() };
        Ok(View {
            document: self.row(&text.row),
            freshness: if is_same && was_reread { Freshness::Changed } else { freshness },
            inside: self.rows(&library.containers_of(id)?),
            members: self.rows(&library.members_of(id, MAX_LISTED_MEMBERS)?),
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
    fn page_marks(&self, id: DocumentId, marks: &Marks) -> Vec<PageMark> {
        let spans: Vec<ByteSpan> = marks.spans().copied().collect();
        if spans.is_empty() {
            return Vec::new();
        }
        let boxes = self.library.highlights(id, &spans, &CancelToken::new()).unwrap_or_else(|error| {
            tracing::warn!(%error, "a page cannot be marked by its glyphs");
            Vec::new()
        });
        let windows = marks.windows.len();
        let mark = |one: &oriel_engine::Mark| {
            let hit = one.span.checked_sub(windows).filter(|hit| *hit < marks.sentences.len());
            PageMark {
                at: PageBox::of(one),
                mark: if one.span < windows { Mark::Window } else { Mark::Sentence },
                hit,
                words: one.span >= windows && hit.is_none(),
            }
        };
        boxes.iter().map(mark).collect()
    }

    /// The words that may be wrong on the pages around the one that is shown.
    fn unsure_words(&self, id: DocumentId, shown: u32) -> Vec<PageBox> {
        let pages = (shown.saturating_sub(UNSURE_PAGES), shown.saturating_add(UNSURE_PAGES));
        let words = self.library.unsure_words(id, pages, &CancelToken::new()).unwrap_or_else(|error| {
            tracing::warn!(%error, "words that may be wrong are not marked");
            Vec::new()
        });
        words.iter().map(PageBox::of).collect()
    }
}
