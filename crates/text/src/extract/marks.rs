//! Positions of a document's sentences on its pages: request and reply.

use oriel_core::{ByteSpan, Failure, PageMap, RecognisedPages};
use serde::{Deserialize, Serialize};

use super::{iwork, pdf};

/// Spans of a text, and the text of the pages that contain them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkRequest {
    /// The pages, each once, ascending.
    pub pages: Vec<PageText>,
    /// The spans, in bytes of the document's text.
    pub spans: Vec<ByteSpan>,
}

/// The text of one page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageText {
    /// The page number, from 1.
    pub page: u32,
    /// Where it begins, in bytes of the document's text.
    pub start: u32,
    pub text: String,
}

/// A box around one line of a span; a line with wide gaps, as in tables, has one box per cell.
///
/// The edges are fractions, from 0 to 1, of the page as a viewer shows it: the crop box inside the media box, with the
/// page's rotation, and the origin at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The index of the span in the request.
    pub span: usize,
    /// The page, from 1.
    pub page: u32,
    /// The left edge.
    pub left: f32,
    /// The upper edge.
    pub top: f32,
    /// The right edge.
    pub right: f32,
    /// The lower edge.
    pub bottom: f32,
}

impl Mark {
    /// Whether it has an area that is on the page.
    #[must_use]
    pub fn is_on_page(&self) -> bool {
        let ordered = |low: f32, high: f32| 0.0 <= low && low < high && high <= 1.0;
        ordered(self.left, self.right) && ordered(self.top, self.bottom)
    }
}

impl PageText {
    /// Whether the page contains a byte of `span`.
    pub(super) fn overlaps(&self, span: ByteSpan) -> bool {
        span.start.max(self.start) < span.end.min(self.end())
    }

    fn end(&self) -> u32 {
        u32::try_from(self.text.len()).map_or(u32::MAX, |length| self.start.saturating_add(length))
    }
}

impl MarkRequest {
    /// A request for `spans` of `text`. Spans outside of the text are on no page.
    #[must_use]
    pub fn new(text: &str, pages: &PageMap, spans: &[ByteSpan]) -> Self {
        let ends = pages.0.iter().skip(1).map(|&end| end as usize).chain([text.len()]);
        let parts = pages.0.iter().zip(ends).zip(1..).filter_map(|((&start, end), page)| {
            let wanted =
                spans.iter().any(|span| span.start.max(start) < span.end && (span.start as usize) < end);
            let text = text.get(start as usize..end).filter(|text| wanted && !text.is_empty())?;
            Some(PageText { page, start, text: text.to_owned() })
        });
        Self { pages: parts.collect(), spans: spans.to_vec() }
    }

    /// Whether `marks`, from an untrusted process, are a valid reply: every box belongs to a span on a page of the
    /// request, is on that page and has an area, and there are no more boxes than bytes to mark.
    #[must_use]
    pub fn admits(&self, marks: &[Mark]) -> bool {
        let bytes: u64 = self.spans.iter().map(|span| u64::from(span.len())).sum();
        let asked = |mark: &Mark| {
            let page = self.pages.iter().find(|page| page.page == mark.page);
            let span = self.spans.get(mark.span);
            page.zip(span).is_some_and(|(page, span)| page.overlaps(*span))
        };
        marks.len() as u64 <= bytes && marks.iter().all(|mark| mark.is_on_page() && asked(mark))
    }
}

/// The boxes of spans in the text of a PDF file or of recognised pages, by span and then in reading order; `None` if
/// the text is not that of the pages. If all pages of the request were recognised, the file is not needed.
///
/// # Errors
/// Why the file could not be read.
pub fn marks(
    bytes: &[u8],
    recognised: &RecognisedPages,
    request: &MarkRequest,
) -> Result<Option<Vec<Mark>>, Failure> {
    pdf::marks(&iwork::pages(bytes)?, recognised, request)
}

/// The words on recognised pages that may be wrong, each as a mark of span 0.
#[must_use]
pub fn unsure_words(recognised: &RecognisedPages) -> Vec<Mark> {
    pdf::unsure_words(recognised)
}
