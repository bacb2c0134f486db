//! Passages as the app window shows them.

use oriel_core::{AlsoIn, ByteSpan, Passage};
use oriel_engine::{DocumentRow, DocumentText, PassageDocument, Trace};

use crate::documents::{PlaceRef, Resolver, kind_of, milliseconds};
use crate::marks::{Marks, flowing};
use crate::payload::payload;
use crate::text::{Run, TextPlace};
use crate::viewer::view::Layout;

payload! {
    /// A passage.
    pub struct Card {
        /// Its number in the answer, from 1.
        pub n: usize,
        #[serde(flatten)]
        pub place: PlaceRef,
        /// The headings above it, from the outermost to the innermost.
        pub headings: Vec<String>,
        /// Who sent it; only for a mail.
        pub sender: Option<String>,
        /// When it was sent, in milliseconds since 1970; only for a mail.
        pub sent: Option<i64>,
        /// What the order follows, from 0 to 1: the reranker's score, less a little for each place after fusion; `None`
        /// without a reranker.
        pub score: Option<f32>,
        /// The text in reading order.
        pub runs: Vec<Run>,
        /// The words of a question that was not answered which it mentions; empty if the question was answered.
        pub mentioned: Vec<String>,
        /// Those that it lacks.
        pub lacking: Vec<String>,
        /// Where nearly the same text stands too.
        pub also: Vec<PlaceRef>,
    }
}

impl Resolver<'_> {
    /// Passages. `sources` are their documents as they were when the question was asked.
    pub(crate) fn cards(
        &self,
        passages: &[Passage],
        sources: &[Option<PassageDocument>],
        trace: Option<&Trace>,
    ) -> Vec<Card> {
        let card = |(at, passage): (usize, &Passage)| {
            let source = sources.get(at).and_then(Option::as_ref);
            let row = self.document_of(passage, source);
            // Only Markdown has markup in its text.
            let text = row.as_ref().filter(|row| row.kind.is_markdown());
            let text = text.and_then(|row| self.library.text_of(row.id).ok());
            let traced = trace.and_then(|trace| {
                trace.passages.iter().find(|one| one.start == passage.start && one.path == passage.path)
            });
            Card {
                n: passage.n,
                place: self.place(passage, row.as_ref(), source),
                headings: passage.headings.clone(),
                sender: row.as_ref().and_then(|row| row.sender.clone()),
                sent: row.as_ref().filter(|row| row.kind.is_mail()).map(|row| milliseconds(row.dated)),
                score: traced.and_then(|traced| traced.score.or(traced.rerank)),
                runs: runs(passage, row.as_ref(), text.as_ref()),
                mentioned: Vec::new(),
                lacking: Vec::new(),
                also: passage.also.iter().filter_map(|also| self.also(also)).collect(),
            }
        };
        passages.iter().enumerate().map(card).collect()
    }

    fn place(
        &self,
        passage: &Passage,
        now: Option<&DocumentRow>,
        source: Option<&PassageDocument>,
    ) -> PlaceRef {
        let window = ByteSpan::new(passage.start, passage.end);
        let hits = passage.hits.iter().map(|hit| ByteSpan::new(hit.start, hit.end)).collect();
        let at = TextPlace {
            answer: passage.answer.map(|answer| ByteSpan::new(answer.start, answer.end)),
            words: passage.answer.and_then(|answer| answer.words),
            ..TextPlace::window(window, hits, source.map(|source| source.hash.clone()))
        };
        PlaceRef { document: self.document(&passage.path, now), location: passage.location.clone(), at }
    }

    /// A place with nearly the same text as a passage; `None` if its document left the library.
    fn also(&self, also: &AlsoIn) -> Option<PlaceRef> {
        let now = self.library.document_at(&also.path).ok()?;
        let at = TextPlace::window(ByteSpan::new(also.start, also.end), also.hits.clone(), also.hash.clone());
        let document = self.document(&also.path, Some(&now));
        Some(PlaceRef { document, location: also.location.clone(), at })
    }

    /// The document of a passage, where it lies now.
    pub(crate) fn document_of(
        &self,
        passage: &Passage,
        source: Option<&PassageDocument>,
    ) -> Option<DocumentRow> {
        let sentences: Vec<&str> = passage.hits.iter().map(|hit| hit.text.as_str()).collect();
        self.relocated(&passage.path, source, &sentences)
    }
}

/// The text of a passage with its marks. `text` is the text of its document `now` if that is Markdown, whose markup is not
/// shown.
fn runs(passage: &Passage, now: Option<&DocumentRow>, text: Option<&DocumentText>) -> Vec<Run> {
    let kind = kind_of(now.map_or(&passage.path, |row| &row.path));
    let window = ByteSpan::new(passage.start, passage.end);
    let marks = Marks::of_passage(passage);
    if kind.is_markdown() {
        // If the file was read again since, only the passage's own text is known to fit.
        let text = text.filter(|text| window.of(&text.text) == Some(passage.text.as_str()));
        let (text, from) = text.map_or((&passage.text, passage.start), |text| (&text.text, 0));
        let within = ByteSpan::new(passage.start - from, passage.end - from);
        let shown = marks.visible_runs(text, within, from);
        // A passage of nothing but markup is shown as it stands.
        if !shown.is_empty() {
            return shown;
        }
    }
    let runs = marks.runs(&passage.text, passage.start);
    match Layout::of(kind) {
        Layout::Sheets | Layout::Lines => in_lines(runs),
        _ => flowing(runs),
    }
}

/// Rows and lines stay lines; cells are separated by points.
fn in_lines(mut runs: Vec<Run>) -> Vec<Run> {
    for run in &mut runs {
        run.text = run.text.replace('\t', " · ");
    }
    runs
}

#[cfg(test)]
mod tests {
    use oriel_core::{AnsweringSentence, Location};

    use super::*;
    use crate::marks::offset;
    use crate::text::Mark;

    #[test]
    fn a_card_of_a_markdown_file_shows_no_marks_and_marks_its_sentences() {
        let text = "# Clocks\n\nThe **Petrel** runs.\nIt is [small](x.md) &amp; `fast`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let place = |words: &str| {
            let start = offset(text.find(words).unwrap());
            ByteSpan::new(start, start + offset(words.len()))
        };
        let (first, second) = (place("The **Petrel** runs."), place("It is [small](x.md) &amp; `fast`."));
        let answer = AnsweringSentence { start: second.start, end: second.end, words: None, confidence: 0.5 };
        let passage = Passage {
            n: 1,
            path: "/papers/clocks.md".into(),
            headings: Vec::new(),
            location: Location::default(),
            start: first.start,
            end: offset(text.len()),
            text: text[first.start as usize..].into(),
            score: 0.5,
            hits: Vec::new(),
            answer: Some(answer),
            also: Vec::new(),
        };
        // The document may have left the library, and its text with it.
        let runs = runs(&passage, None, None);
        let texts: Vec<_> = runs.iter().map(|run| (run.text.as_str(), run.mark)).collect();
        let expected = [
            ("The Petrel runs. ", Mark::Window),
            ("It is small & fast.", Mark::Sentence),
            ("\n\n| a | b |\n| 1 | 2 |", Mark::Window),
        ];
        assert_eq!(texts, expected);
    }
}
