//! How a text is divided into sentences.

/// What divides a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segmenter {
    /// As Markdown.
    Markdown,
    /// Each line is a paragraph or a row.
    Lines,
    /// Lines may be wrapped; blank lines separate paragraphs.
    Paragraphs,
    /// Not divided: the text is a list of names.
    Names,
}
