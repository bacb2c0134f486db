//! What is marked in a document, and which sentence is shown first.

use oriel_core::{ByteSpan, DocumentId, Passage};
use oriel_engine::{DocumentText, EngineError, Library, PassageDocument};

use crate::marks::Marks;
use crate::text::TextPlace;

/// The most sentences that are marked in one document for a list of mentions.
const MAX_MARKED_MENTIONS: usize = 60;

/// What to mark, and what to show first.
pub(super) struct Marked {
    pub marks: Marks,
    /// The sentence that is shown first.
    pub first: Option<usize>,
    /// BLAKE3 of the file that the spans belong to, if it is known.
    hash: Option<String>,
    /// The text of the sentences, to find them again if the file has been read since.
    pub texts: Vec<String>,
}

impl Marked {
    /// Nothing is marked.
    pub(super) fn none() -> Self {
        Self { marks: Marks::default(), first: None, hash: None, texts: Vec::new() }
    }

    /// A passage with the sentence that answers, and `cited`, the sentence that supports a claim, which is shown first. In a
    /// passage with neither the best hit.
    pub(super) fn passage(
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
        let text = |hit: &ByteSpan| {
            let from = hit.start.saturating_sub(passage.start);
            let to = hit.end.saturating_sub(passage.start);
            ByteSpan::new(from, to).of(&passage.text).unwrap_or_default().to_owned()
        };
        let texts = marks.sentences.iter().map(text).collect();
        Self { marks, first, hash: source.map(|source| source.hash.clone()), texts }
    }

    /// A window and its sentences. If the file has been read since, what they said is not known.
    pub(super) fn place(text: &DocumentText, at: &TextPlace) -> Self {
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
        let texts = texts_of(text, &hits);
        let marks = Marks { windows: vec![window], sentences: hits, words: at.words.into_iter().collect() };
        Self { marks, first: Some(0), hash: Some(text.hash.clone()), texts }
    }

    /// The sentences that mention some words, around the one that begins at `start`. They are found in the present text, so
    /// they are right even if the file has been read since.
    pub(super) fn mentions(
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
        Ok(Self { marks: Marks::of_sentences(sentences), first, hash: None, texts })
    }

    /// Whether the file has been read since the marks were made.
    pub(super) fn is_outdated(&self, text: &DocumentText) -> bool {
        self.hash.as_ref().is_some_and(|hash| *hash != text.hash)
    }

    /// Finds the sentences in the present text if the file has been read since. One that is gone is not marked.
    pub(super) fn relocated(self, text: &DocumentText) -> Self {
        if !self.is_outdated(text) {
            return self;
        }
        let find = |wanted: &String| {
            let same = |span: &ByteSpan| span.of(&text.text) == Some(wanted.as_str());
            text.sentences.iter().map(|sentence| sentence.span).find(same)
        };
        let found: Vec<Option<ByteSpan>> = self.texts.iter().map(find).collect();
        let first = self.first.and_then(|first| found.get(first).copied().flatten());
        let mut hits: Vec<ByteSpan> = found.into_iter().flatten().collect();
        hits.sort_unstable();
        hits.dedup();
        let first = first.and_then(|first| hits.iter().position(|hit| *hit == first));
        let texts = texts_of(text, &hits);
        Self { marks: Marks::of_sentences(hits), first, hash: None, texts }
    }
}

fn texts_of(document: &DocumentText, spans: &[ByteSpan]) -> Vec<String> {
    spans.iter().map(|span| span.of(&document.text).unwrap_or_default().to_owned()).collect()
}
