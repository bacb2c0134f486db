//! A block: visible text whose sentences do not continue outside, with a map back to the source.

use std::ops::Range;

/// How a block is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Into sentences, by the rules of the language.
    Prose,
    /// Not divided unless it is too long for the embedder: a heading, a table row, lines of code.
    Whole,
}

/// A run of visible text and its position in the source.
#[derive(Clone, Debug)]
struct Piece {
    /// Where it begins in the visible text.
    at: usize,
    /// Its bytes in the source.
    source: Range<usize>,
    /// The source with the marks that open before it (`**`, `[`) and close after it.
    marked: Range<usize>,
    /// Whether source and visible text are the same bytes.
    exact: bool,
}

/// The visible text of one block, joined over soft line breaks, with an offset map back to the source.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// How it is divided.
    pub shape: Shape,
    visible: String,
    pieces: Vec<Piece>,
    opened: Option<usize>,
}

impl Block {
    /// An empty block.
    pub fn new(shape: Shape) -> Self {
        Self { shape, visible: String::new(), pieces: Vec::new(), opened: None }
    }

    /// Empties the block but keeps its memory.
    pub fn clear(&mut self, shape: Shape) {
        self.shape = shape;
        self.visible.clear();
        self.pieces.clear();
        self.opened = None;
    }

    /// The input for the sentence rules.
    pub fn visible(&self) -> &str {
        &self.visible
    }

    /// Whether it has no visible text.
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }

    /// Appends visible text from `source`.
    pub fn push(&mut self, visible: &str, source: Range<usize>) {
        if visible.is_empty() {
            return;
        }
        let lead = self.opened.take().map_or(source.start, |at| at.min(source.start));
        let marked = lead..source.end;
        let exact = visible.len() == source.len();
        self.pieces.push(Piece { at: self.visible.len(), source, marked, exact });
        self.visible.push_str(visible);
    }

    /// Appends a space for a soft line break or a cell border at `source`.
    pub fn space(&mut self, source: Range<usize>) {
        let opened = self.opened.take();
        self.pieces.push(Piece { at: self.visible.len(), marked: source.clone(), source, exact: false });
        self.visible.push(' ');
        self.opened = opened;
    }

    /// Records an opening mark at `at`; it belongs to the following text.
    pub fn open(&mut self, at: usize) {
        self.opened.get_or_insert(at);
    }

    /// Ends marks at `range`; they belong to the text before. If there is no visible text since they were opened (an
    /// image without words), they belong to nothing.
    pub fn close(&mut self, range: &Range<usize>) {
        match (self.opened, self.pieces.last_mut()) {
            (Some(opened), _) if opened == range.start => self.opened = None,
            (None, Some(piece)) if piece.exact || piece.source.end > piece.source.start => {
                piece.marked.end = piece.marked.end.max(range.end);
            }
            _ => {}
        }
    }

    /// The source of the visible bytes `range`, which must not be empty, with the marks around them.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.piece_at(range.start);
        let last = self.piece_at(range.end - 1);
        let start = match first {
            piece if range.start == piece.at || !piece.exact => piece.marked.start,
            piece => piece.source.start + (range.start - piece.at),
        };
        let end_in_source = last.source.start + (range.end - last.at);
        let end =
            if !last.exact || end_in_source >= last.source.end { last.marked.end } else { end_in_source };
        start..end.max(start)
    }

    fn piece_at(&self, visible: usize) -> &Piece {
        let next = self.pieces.partition_point(|piece| piece.at <= visible);
        &self.pieces[next.saturating_sub(1)]
    }
}
