//! Cuts a document's text where marks begin and end, so that the UI never counts bytes.

use oriel_core::{ByteSpan, Passage};
use oriel_engine::visible;

use crate::text::{Mark, Piece, Run};

/// What is marked in a document, in its bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// Pale.
    pub windows: Vec<ByteSpan>,
    /// Deep. They ascend and do not overlap.
    pub sentences: Vec<ByteSpan>,
    /// The words of the answer, within a sentence.
    pub words: Vec<ByteSpan>,
}

impl Marks {
    /// A passage with the sentence that answers.
    pub(crate) fn of_passage(passage: &Passage) -> Self {
        Self {
            windows: vec![ByteSpan::new(passage.start, passage.end)],
            sentences: passage.answer.iter().map(|answer| ByteSpan::new(answer.start, answer.end)).collect(),
            words: passage.answer.and_then(|answer| answer.words).into_iter().collect(),
        }
    }

    /// These sentences alone.
    pub(crate) fn of_sentences(sentences: Vec<ByteSpan>) -> Self {
        Self { sentences, ..Self::default() }
    }

    /// All spans: windows, sentences, words.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &ByteSpan> {
        self.windows.iter().chain(&self.sentences).chain(&self.words)
    }

    /// A text with the mark of the byte at which it begins.
    fn run(&self, text: &str, at: u32) -> Run {
        let holds = |span: &ByteSpan| span.start <= at && at < span.end;
        let hit = self.sentences.iter().position(holds);
        let mark = match hit {
            Some(_) => Mark::Sentence,
            None if self.windows.iter().any(holds) => Mark::Window,
            None => Mark::Plain,
        };
        Run { text: text.to_owned(), mark, hit, words: hit.is_some() && self.words.iter().any(holds) }
    }

    /// Cuts `text` where marks begin and end. It begins at byte `start` of its document.
    pub(crate) fn runs(&self, text: &str, start: u32) -> Vec<Run> {
        let end = start.saturating_add(offset(text.len()));
        let inside = |at: u32| at > start && at < end;
        let mut cuts = vec![start, end];
        for span in self.spans() {
            cuts.extend([span.start, span.end].into_iter().filter(|&at| inside(at)));
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2)
            .filter_map(|pair| {
                // A span off a character boundary marks nothing.
                let piece = text.get((pair[0] - start) as usize..(pair[1] - start) as usize)?;
                Some(self.run(piece, pair[0]))
            })
            .collect()
    }

    /// The visible runs of a Markdown text whose byte 0 is byte `from` of its document.
    pub(crate) fn visible_runs(&self, text: &str, within: ByteSpan, from: u32) -> Vec<Run> {
        let mut shown = Vec::new();
        for piece in visible(text, within) {
            self.add(&mut shown, &piece.text, piece.is_source(), piece.span.start + from);
        }
        shown
    }

    /// Adds visible text of a Markdown file that stands at byte `start`. Source text is cut where marks begin and end; text
    /// that stands for something else stays whole. Neighbours with the same mark are joined.
    pub(crate) fn add(&self, shown: &mut Vec<Run>, text: &str, is_source: bool, start: u32) {
        let cut = if is_source { self.runs(text, start) } else { vec![self.run(text, start)] };
        for run in cut {
            match shown.last_mut() {
                Some(last) if (last.mark, last.hit, last.words) == (run.mark, run.hit, run.words) => {
                    last.text.push_str(&run.text);
                }
                _ => shown.push(run),
            }
        }
    }
}

/// A sentence with the words in it that were found. It begins at byte `start` of its document, and `words` are in the
/// document's bytes.
pub(crate) fn pieces(sentence: &str, start: u32, words: &[ByteSpan]) -> Vec<Piece> {
    found_pieces(flowing(Marks::of_sentences(words.to_vec()).runs(sentence, start)))
}

/// Runs whose sentences are what was found.
pub(crate) fn found_pieces(runs: Vec<Run>) -> Vec<Piece> {
    runs.into_iter().map(|run| Piece { found: run.mark == Mark::Sentence, text: run.text }).collect()
}

/// Joins the lines of paragraphs, as a card has its own width. Blank lines stay.
pub(crate) fn flowing(mut runs: Vec<Run>) -> Vec<Run> {
    let all: Vec<char> = runs.iter().flat_map(|run| run.text.chars()).collect();
    let is_soft = |at: usize| {
        let neighbour = |at: Option<usize>| at.and_then(|at| all.get(at)).is_none_or(|one| *one == '\n');
        all[at] == '\n' && !neighbour(at.checked_sub(1)) && !neighbour(Some(at + 1))
    };
    let mut at = 0;
    for run in &mut runs {
        let text = run.text.chars().map(|one| {
            let shown = if is_soft(at) { ' ' } else { one };
            at += 1;
            shown
        });
        run.text = text.collect();
    }
    runs
}

/// A place in a text as documents count it. They are shorter than 4 GB.
pub(crate) fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(runs: &[Run]) -> Vec<(&str, Mark)> {
        runs.iter().map(|run| (run.text.as_str(), run.mark)).collect()
    }

    #[test]
    fn text_is_cut_where_marks_begin_and_end() {
        let marks = Marks {
            windows: vec![ByteSpan::new(10, 22)],
            sentences: vec![ByteSpan::new(14, 21)],
            words: vec![ByteSpan::new(14, 17)],
        };
        let runs = marks.runs("one two six four ", 10);
        assert_eq!(
            texts(&runs),
            [
                ("one ", Mark::Window),
                ("two", Mark::Sentence),
                (" six", Mark::Sentence),
                (" ", Mark::Window),
                ("four ", Mark::Plain)
            ]
        );
        assert_eq!(runs.iter().map(|run| run.words).collect::<Vec<_>>(), [false, true, false, false, false]);
        assert_eq!(runs.iter().map(|run| run.text.as_str()).collect::<String>(), "one two six four ");
        assert_eq!(runs[1].hit, Some(0));
    }

    #[test]
    fn a_card_has_its_own_lines_and_keeps_paragraphs() {
        let marks = Marks::of_sentences(vec![ByteSpan::new(0, 4)]);
        let runs = flowing(marks.runs("one\ntwo\n\nthree\n", 0));
        assert_eq!(texts(&runs), [("one ", Mark::Sentence), ("two\n\nthree\n", Mark::Plain)]);
    }

    #[test]
    fn the_found_words_of_a_sentence_are_marked() {
        let pieces = pieces("Über die\nMiete", 20, &[ByteSpan::new(30, 35)]);
        let texts: Vec<_> = pieces.iter().map(|piece| (piece.text.as_str(), piece.found)).collect();
        assert_eq!(texts, [("Über die ", false), ("Miete", true)]);
    }

    #[test]
    fn a_span_off_a_character_boundary_marks_nothing() {
        let runs = Marks::of_sentences(vec![ByteSpan::new(1, 3)]).runs("äb", 0);
        assert!(runs.iter().all(|run| !run.text.contains('ä')), "no half letter is shown");
    }
}
