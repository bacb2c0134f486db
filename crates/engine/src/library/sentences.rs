//! Sentences as the index identifies them and as models read them: their plain text, below the headings that they stand
//! under.
//!
//! The embedder reads a sentence below its innermost heading and the header of its table, because a sentence or a row
//! seldom repeats its subject; `docs/benchmarks.md` has the gain. Both are part of the sentence's identity, so a
//! changed heading gives its sentences new vectors. The terms that find a sentence are its own, those above it and
//! those of the file's name; a rename recomputes them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use oriel_core::{ByteSpan, Heading, Kind, Outline, SentenceId};
use oriel_store::{SentenceHash, View};
use oriel_text::numbers::other_forms;
use oriel_text::{plain, terms};

use crate::error::EngineError;

/// Maximum bytes of the headings that the reranker, the checker and the generator read with a sentence, and of the header of its
/// table.
const MAX_CONTEXT_BYTES: usize = 160;
/// Maximum characters of the heading that the embedder reads with a sentence, and of the header. Longer ones cost time and
/// found no more, see `docs/benchmarks.md`.
const MAX_EMBEDDED_CHARACTERS: usize = 60;

/// The beginning of a text as models read it; a heading may be as long as a hostile file makes it.
fn beginning(whole: &str, kind: Kind, characters: usize) -> String {
    // A character has four bytes at most, and markup takes some.
    let read = plain(&whole[..whole.floor_char_boundary(8 * characters)], kind);
    read.chars().take(characters).collect()
}

/// Sentences with what the embedder reads of them.
pub(crate) type SentenceTexts = Vec<(SentenceId, String)>;

/// What the store keeps of a sentence besides its position.
pub(crate) struct Digest {
    /// Its identity: the hash of what the embedder reads.
    pub hash: SentenceHash,
    /// The terms that find it.
    pub terms: Vec<String>,
}

/// The digests of the sentences, which ascend, of the document at `path`; `None` for a span outside of the text.
pub(crate) fn digests<'a>(
    path: &Path,
    text: &'a str,
    outline: &'a Outline,
    kind: Kind,
    spans: impl Iterator<Item = ByteSpan> + 'a,
) -> impl Iterator<Item = Option<Digest>> + 'a {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut above = (String::new(), context_terms(&name));
    embedded(text, outline, kind, spans).map(move |read| {
        let read = read?;
        let hash = sentence_hash(&read.text());
        let Embedded { context, sentence } = read;
        if above.0 != context {
            let terms = context_terms(&format!("{context}\n{name}"));
            above = (context, terms);
        }
        let mut terms = terms(&sentence);
        let own: HashSet<&str> = terms.iter().map(String::as_str).collect();
        let further: Vec<String> =
            above.1.iter().filter(|term| !own.contains(&term[CONTEXT_MARK.len_utf8()..])).cloned().collect();
        terms.extend(further);
        Some(Digest { hash, terms })
    })
}

/// Marks a term of a sentence's context: the heading above it, the header of its table, and the name of its file. It occurs
/// in no word.
const CONTEXT_MARK: char = '^';

/// The terms of a sentence's context, each once.
pub(crate) fn context_terms(context: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    let terms = terms(context).into_iter().filter(|term| seen.insert(term.clone()));
    terms.map(|term| format!("{CONTEXT_MARK}{term}")).collect()
}

/// Whether a term of a question is one of a sentence's context.
pub(crate) fn is_context_term(term: &str) -> bool {
    term.starts_with(CONTEXT_MARK)
}

/// The terms that find a sentence for a question: each in the sentence or in its context, and numbers in other forms.
pub(crate) fn question_terms(question: &str) -> Vec<String> {
    let mut found = terms(question);
    found.extend(context_terms(question));
    found.extend(other_forms(question));
    found
}

/// A sentence as the embedder reads it.
struct Embedded {
    /// The innermost heading above it and the header of its table.
    context: String,
    /// Its plain text.
    sentence: String,
}

impl Embedded {
    /// The text that the embedder reads.
    fn text(&self) -> String {
        in_context(&self.context, &self.sentence)
    }
}

/// What the embedder reads of each sentence. Sentences ascend; `None` for a span outside of the text.
fn embedded<'a>(
    text: &'a str,
    outline: &'a Outline,
    kind: Kind,
    spans: impl Iterator<Item = ByteSpan> + 'a,
) -> impl Iterator<Item = Option<Embedded>> + 'a {
    let mut walk = outline.walk();
    spans.map(move |span| {
        let sentence = plain(span.of(text)?, kind);
        let context = embedded_context(text, kind, walk.path(span.start), outline.header_at(span.start));
        Some(Embedded { context, sentence })
    })
}

/// The identity of a text that models read.
pub(crate) fn sentence_hash(read: &str) -> SentenceHash {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(read.as_bytes()).as_bytes()[..16]);
    hash
}

/// The headings above a sentence and the header of its table, as models read them; empty if there are none. The innermost
/// heading comes last, and of a long path the outer ones are left out. `slice` gives the document's text at a span.
pub(crate) fn context<'t>(
    slice: impl Fn(ByteSpan) -> Option<&'t str>,
    kind: Kind,
    path: &[Heading],
    header: Option<ByteSpan>,
) -> String {
    let read = |span: ByteSpan| beginning(slice(span).unwrap_or_default(), kind, MAX_CONTEXT_BYTES + 1);
    let mut context = String::new();
    for heading in path.iter().rev() {
        let heading = read(heading.span);
        let joined = match context.is_empty() {
            true => heading,
            false => format!("{heading} > {context}"),
        };
        if joined.len() > MAX_CONTEXT_BYTES {
            break;
        }
        context = joined;
    }
    match header.map(read).filter(|header| header.len() <= MAX_CONTEXT_BYTES) {
        Some(header) => in_context(&context, &header),
        None => context,
    }
}

/// The innermost heading above a sentence and the header of its table, as the embedder reads them. Words that begin a paragraph are read
/// with the heading above them.
fn embedded_context(text: &str, kind: Kind, path: &[Heading], header: Option<ByteSpan>) -> String {
    let read_at_most =
        |span: ByteSpan, characters| beginning(span.of(text).unwrap_or_default(), kind, characters);
    let read = |span: ByteSpan| read_at_most(span, MAX_EMBEDDED_CHARACTERS);
    let heading = match path {
        [.., above, words] if words.level >= Heading::RUN_IN => {
            let words = read(words.span);
            let left = MAX_EMBEDDED_CHARACTERS.saturating_sub(words.chars().count() + 3);
            let above = read_at_most(above.span, left);
            if above.is_empty() { words } else { format!("{above} > {words}") }
        }
        [.., innermost] => read(innermost.span),
        [] => String::new(),
    };
    match header.map(read) {
        Some(header) => in_context(&heading, &header),
        None => heading,
    }
}

/// A text below its context.
pub(crate) fn in_context(context: &str, text: &str) -> String {
    match context.is_empty() {
        true => text.to_owned(),
        false => format!("{context}: {text}"),
    }
}

/// Reads sentences as the embedder does. A document is read once for a run of its sentences, since it may have very many.
pub(crate) fn sentence_texts(
    view: &View<'_>,
    sentences: &[SentenceId],
) -> Result<SentenceTexts, EngineError> {
    let wanted: HashSet<SentenceId> = sentences.iter().copied().collect();
    let mut batch = Vec::new();
    let mut open: Option<(_, HashMap<SentenceId, String>)> = None;
    for &sentence in sentences {
        let Some(document) = view.occurrences(sentence)?.next().transpose()? else { continue };
        if open.as_ref().is_none_or(|(id, _)| *id != document) {
            open = match view.document(document)? {
                Some(record) => {
                    let (text, outline) = (view.text(document)?.unwrap_or_default(), view.outline(document)?);
                    let table = view.table(document)?;
                    let rows = || table.rows().filter(|row| wanted.contains(&row.id));
                    let read = embedded(&text, &outline, record.kind, rows().map(|row| row.span));
                    let read = rows()
                        .zip(read)
                        .map(|(row, read)| (row.id, read.map(|read| read.text()).unwrap_or_default()));
                    let read = read.collect();
                    Some((document, read))
                }
                None => None,
            };
        }
        let Some((_, read)) = &open else { continue };
        batch.push((sentence, read.get(&sentence).cloned().unwrap_or_default()));
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use oriel_core::HeaderRow;

    use super::*;

    #[test]
    fn a_sentence_is_read_below_its_headings() {
        let text = "Lease\nRent\nItem\tSum\nFlat\t900\nIt is due.";
        let heading = |start, end, level| Heading::new(ByteSpan::new(start, end), level);
        let outline = Outline {
            headings: vec![heading(0, 5, 1), heading(6, 10, 2)],
            tables: vec![HeaderRow { span: ByteSpan::new(11, 19), end: 28 }],
            ..Outline::default()
        };
        let read = |start, end| {
            let span = ByteSpan::new(start, end);
            let slice = |span: ByteSpan| span.of(text);
            let context = context(slice, Kind::Docx, outline.walk().path(start), outline.header_at(start));
            in_context(&context, &plain(span.of(text).unwrap(), Kind::Docx))
        };
        assert_eq!(read(0, 5), "Lease");
        assert_eq!(read(20, 28), "Lease > Rent: Item Sum: Flat 900");
        assert_eq!(read(29, 39), "Lease > Rent: It is due.");
    }

    #[test]
    fn words_that_begin_a_paragraph_are_embedded_with_the_heading_above() {
        let text = "Lease\nRent\nNotice. One month. Or two.";
        let heading = |start, end, level| Heading::new(ByteSpan::new(start, end), level);
        let context = |headings: &[Heading]| embedded_context(text, Kind::Docx, headings, None);
        let section = [heading(0, 5, 1), heading(6, 10, 2)];
        assert_eq!(context(&section), "Rent");
        let words = heading(11, 17, Heading::RUN_IN);
        assert_eq!(context(&[section[0], section[1], words]), "Rent > Notice");
        assert_eq!(context(&[words]), "Notice");
    }
}
