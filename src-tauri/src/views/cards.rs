//! Passages and claims as runs of text with their marks, so that the UI never counts bytes.

use oriel_core::{AlsoIn, AnswerSentence, ByteSpan, Passage};
use oriel_engine::{DocumentRow, DocumentText, PassageDocument, TracedPassage, visible};

use crate::api::{Card, CardPlace, Claim, Layout, Mark, Piece, Run, TextPlace};
use crate::views::documents::{kind_of, milliseconds, name_of, place_of};

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
}

/// A passage. `document` is its document now, `None` if that left the library, and `source` what it was then. `text` is the
/// document's text if it is Markdown, whose markup is not shown.
pub(crate) fn card(
    passage: &Passage,
    document: Option<&DocumentRow>,
    source: Option<&PassageDocument>,
    text: Option<&DocumentText>,
    traced: Option<&TracedPassage>,
    roots: &[std::path::PathBuf],
) -> Card {
    let hits: Vec<ByteSpan> = passage.hits.iter().map(|hit| ByteSpan::new(hit.start, hit.end)).collect();
    // After a rename or move it is shown with its present name.
    let path = document.map_or(&passage.path, |row| &row.path);
    let kind = kind_of(path);
    // If the file was read again since, only the passage's own text is known to fit.
    let window = ByteSpan::new(passage.start, passage.end);
    let text = text.filter(|text| window.of(&text.text) == Some(passage.text.as_str()));
    let marks = Marks::of_passage(passage);
    let unmarked = if kind.is_markdown() { without_markup(passage, text, &marks) } else { Vec::new() };
    Card {
        n: passage.n,
        document: document.map(|row| row.id.0),
        name: name_of(path),
        place: place_of(path, roots),
        kind,
        location: passage.location.clone(),
        headings: passage.headings.clone(),
        sender: document.and_then(|row| row.sender.clone()),
        sent: document.filter(|row| row.kind.is_mail()).map(|row| milliseconds(row.dated)),
        at: TextPlace {
            start: passage.start,
            end: passage.end,
            hits,
            answer: marks.sentences.first().copied(),
            words: marks.words.first().copied(),
            hash: source.map(|source| source.hash.clone()),
        },
        score: traced.and_then(|traced| traced.score.or(traced.rerank)),
        // A passage of nothing but markup is shown as it stands.
        runs: match unmarked.is_empty() {
            true if matches!(Layout::of(kind), Layout::Sheets | Layout::Lines) => {
                in_lines(runs(&passage.text, passage.start, &marks))
            }
            true => flowing(runs(&passage.text, passage.start, &marks)),
            false => unmarked,
        },
        mentioned: Vec::new(),
        lacking: Vec::new(),
        also: Vec::new(),
    }
}

/// A place with nearly the same text as a passage, in a document as it is now.
pub(crate) fn place(also: &AlsoIn, document: &DocumentRow, roots: &[std::path::PathBuf]) -> CardPlace {
    let AlsoIn { path: _, location, start, end, hits, hash } = also.clone();
    let at = TextPlace { start, end, hits, answer: None, words: None, hash };
    let (name, folder) = (name_of(&document.path), place_of(&document.path, roots));
    CardPlace { document: document.id.0, name, place: folder, location, at }
}

/// A sentence with the words in it that were found. It begins at byte `start` of its document, and `words` are in the
/// document's bytes.
pub(crate) fn pieces(sentence: &str, start: u32, words: &[ByteSpan]) -> Vec<Piece> {
    found_pieces(flowing(runs(sentence, start, &Marks { sentences: words.to_vec(), ..Marks::default() })))
}

/// The runs of a passage of a Markdown file, without markup.
fn without_markup(passage: &Passage, document: Option<&DocumentText>, marks: &Marks) -> Vec<Run> {
    let (text, from) = document.map_or((&passage.text, passage.start), |document| (&document.text, 0));
    let mut shown: Vec<Run> = Vec::new();
    for piece in visible(text, ByteSpan::new(passage.start - from, passage.end - from)) {
        add(&mut shown, &piece.text, piece.is_source(), piece.span.start + from, marks);
    }
    shown
}

/// Adds visible text of a Markdown file that stands at byte `start`. Source text is cut where marks begin and end; text that
/// stands for something else stays whole. Neighbours with the same mark are joined.
pub(crate) fn add(shown: &mut Vec<Run>, text: &str, is_source: bool, start: u32, marks: &Marks) {
    let cut = if is_source { runs(text, start, marks) } else { vec![marks.run(text, start)] };
    for run in cut {
        match shown.last_mut() {
            Some(last) if (last.mark, last.hit, last.words) == (run.mark, run.hit, run.words) => {
                last.text.push_str(&run.text);
            }
            _ => shown.push(run),
        }
    }
}

/// Rows and lines stay lines; cells are separated by points.
fn in_lines(mut runs: Vec<Run>) -> Vec<Run> {
    for run in &mut runs {
        run.text = run.text.replace('\t', " · ");
    }
    runs
}

/// Joins the lines of paragraphs, as a card has its own width. Blank lines stay.
fn flowing(mut runs: Vec<Run>) -> Vec<Run> {
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

/// Cuts `text` where marks begin and end. It begins at byte `start` of its document.
pub(crate) fn runs(text: &str, start: u32, marks: &Marks) -> Vec<Run> {
    let end = start.saturating_add(offset(text.len()));
    let inside = |at: u32| at > start && at < end;
    let mut cuts = vec![start, end];
    for span in marks.spans() {
        cuts.extend([span.start, span.end].into_iter().filter(|&at| inside(at)));
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2)
        .filter_map(|pair| {
            // A span off a character boundary marks nothing.
            let piece = text.get((pair[0] - start) as usize..(pair[1] - start) as usize)?;
            Some(marks.run(piece, pair[0]))
        })
        .collect()
}

/// A place in a text as documents count it. They are shorter than 4 GB.
pub(crate) fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

pub(crate) fn is_heading(line: &str) -> bool {
    let depth = line.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&depth) && line[depth..].starts_with(' ')
}

/// The sentences of an answer with their places in its text, in UTF-16 units. A sentence that is not found in the text gets
/// no length and keeps its citations. `passages` are those of the answer.
pub(crate) fn claims(answer: &str, sentences: &[AnswerSentence], passages: &[Passage]) -> Vec<Claim> {
    let mut from = 0;
    sentences
        .iter()
        .map(|sentence| {
            let found = place_in(answer, from, &sentence.text);
            let (start, end) = found.unwrap_or((from, from));
            from = end;
            Claim {
                start: utf16(&answer[..start]),
                end: utf16(&answer[..end]),
                text: sentence.text.clone(),
                supported: sentence.supported,
                reason: sentence.reason,
                difference: sentence.difference.clone(),
                citations: sentence.citations.clone(),
                held: held(sentence, passages).unwrap_or_default(),
            }
        })
        .collect()
}

/// The sentence of a passage that holds a phrase of an answer word for word; `None` if it is no more than the phrase.
fn held(phrase: &AnswerSentence, passages: &[Passage]) -> Option<Vec<Piece>> {
    let place = phrase.places.first().filter(|_| phrase.supported)?;
    let passage = passages.iter().find(|passage| passage.n == place.n)?;
    let within =
        ByteSpan::new(place.start.checked_sub(passage.start)?, place.end.checked_sub(passage.start)?);
    let sentence = within.of(&passage.text)?;
    let wanted = phrase.text.trim_end_matches('.');
    let at = sentence
        .find(wanted)
        .filter(|_| !wanted.is_empty() && wanted.len() < sentence.trim_end_matches('.').len())?;
    let start = within.start + offset(at);
    let marks =
        Marks { sentences: vec![ByteSpan::new(start, start + offset(wanted.len()))], ..Marks::default() };
    let shown = if kind_of(&passage.path).is_markdown() {
        let mut shown = Vec::new();
        for piece in visible(&passage.text, within) {
            add(&mut shown, &piece.text, piece.is_source(), piece.span.start, &marks);
        }
        shown
    } else {
        flowing(runs(sentence, within.start, &marks))
    };
    Some(found_pieces(shown))
}

/// Runs whose sentences are what was found.
fn found_pieces(runs: Vec<Run>) -> Vec<Piece> {
    runs.into_iter().map(|run| Piece { found: run.mark == Mark::Sentence, text: run.text }).collect()
}

/// Finds a sentence in the answer from `from` on: its words in order, with only space and citations between them.
fn place_in(answer: &str, from: usize, sentence: &str) -> Option<(usize, usize)> {
    let mut words = sentence.split_whitespace();
    let first = words.next()?;
    let mut search = from;
    while let Some(found) = answer[search..].find(first).map(|at| at + search) {
        let mut at = found + first.len();
        let is_whole = words.clone().all(|word| {
            at += skipped(&answer[at..]);
            let is_next = answer[at..].starts_with(word);
            at += if is_next { word.len() } else { 0 };
            is_next
        });
        if is_whole {
            return Some((found, at));
        }
        search = found + answer[found..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// The length of the space and citations that the text begins with.
fn skipped(text: &str) -> usize {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let after = trimmed
            .strip_prefix('[')
            .and_then(|inner| inner.split_once(']'))
            .filter(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|(_, after)| after);
        match after {
            Some(after) => rest = after,
            None => return text.len() - trimmed.len(),
        }
    }
}

fn utf16(text: &str) -> u32 {
    offset(text.encode_utf16().count())
}

#[cfg(test)]
mod tests {
    use oriel_core::{AnsweringSentence, Location};

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
        let runs = runs("one two six four ", 10, &marks);
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
        let marks = Marks { sentences: vec![ByteSpan::new(0, 4)], ..Marks::default() };
        let runs = flowing(runs("one\ntwo\n\nthree\n", 0, &marks));
        assert_eq!(texts(&runs), [("one ", Mark::Sentence), ("two\n\nthree\n", Mark::Plain)]);
    }

    #[test]
    fn the_found_words_of_a_sentence_are_marked() {
        let pieces = pieces("Über die\nMiete", 20, &[ByteSpan::new(30, 35)]);
        let texts: Vec<_> = pieces.iter().map(|piece| (piece.text.as_str(), piece.found)).collect();
        assert_eq!(texts, [("Über die ", false), ("Miete", true)]);
    }

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
        let card = card(&passage, None, None, None, None, &[]);
        assert_eq!(
            texts(&card.runs),
            [
                ("The Petrel runs. ", Mark::Window),
                ("It is small & fast.", Mark::Sentence),
                ("\n\n| a | b |\n| 1 | 2 |", Mark::Window)
            ]
        );
    }

    #[test]
    fn a_span_off_a_character_boundary_marks_nothing() {
        let marks = Marks { sentences: vec![ByteSpan::new(1, 3)], ..Marks::default() };
        let runs = runs("äb", 0, &marks);
        assert!(runs.iter().all(|run| !run.text.contains('ä')), "no half letter is shown");
    }

    #[test]
    fn claims_are_found_through_citations_and_line_breaks() {
        let sentence = |text: &str| AnswerSentence {
            text: text.into(),
            supported: true,
            citations: vec![1],
            places: Vec::new(),
            reason: None,
            difference: None,
        };
        let answer = "Ünder way [1]: it costs\n5 € [2]. It ends. It ends.";
        let sentences = [sentence("Ünder way : it costs 5 €"), sentence("It ends."), sentence("It ends.")];
        let claims = claims(answer, &sentences[1..], &[]);
        let units: Vec<u16> = answer.encode_utf16().collect();
        let of =
            |claim: &Claim| String::from_utf16(&units[claim.start as usize..claim.end as usize]).unwrap();
        assert_eq!(claims.iter().map(of).collect::<Vec<_>>(), ["It ends.", "It ends."]);
        assert!(claims[0].end <= claims[1].start, "two sentences alike are two places");
        let lost = super::claims(answer, &[sentence("Not there at all.")], &[]);
        assert_eq!((lost[0].start, lost[0].end), (0, 0));
    }

    #[test]
    fn a_phrase_is_shown_in_the_sentence_that_holds_it() {
        let text = "It was let in 2019. Since the review the **rent** is £20,600 a year.";
        let start = u32::try_from(text.find("Since").unwrap()).unwrap();
        let passage = Passage {
            n: 2,
            path: "/papers/rent.md".into(),
            headings: Vec::new(),
            location: Location::default(),
            start: 100,
            end: 100 + offset(text.len()),
            text: text.into(),
            score: 0.0,
            hits: Vec::new(),
            answer: None,
            also: Vec::new(),
        };
        let place = oriel_core::CitedPlace { n: 2, start: 100 + start, end: passage.end };
        let phrase = |text: &str| AnswerSentence {
            text: text.into(),
            supported: true,
            citations: vec![2],
            places: vec![place],
            reason: None,
            difference: None,
        };
        let shown = |text: &str| {
            let pieces = held(&phrase(text), std::slice::from_ref(&passage)).unwrap_or_default();
            pieces
                .iter()
                .map(|piece| if piece.found { format!("<{}>", piece.text) } else { piece.text.clone() })
                .collect::<String>()
        };
        assert_eq!(shown("£20,600 a year."), "Since the review the rent is <£20,600 a year>.");
        assert_eq!(shown("Since the review the **rent** is £20,600 a year."), "", "it is the sentence");
        assert_eq!(shown("£18,400."), "");
    }
}
