//! Filters the text of a server's model: removes its reasoning, and numbers of passages that the prompt did not have.
//! The local model cannot write these.

const THOUGHT: &str = "<think>";
const THOUGHT_END: &str = "</think>";

/// Receives text in pieces that may end anywhere.
pub(crate) struct WrittenText {
    /// The number of passages; 0 leaves brackets unchanged.
    passages: usize,
    state: State,
    /// Text that cannot be passed on yet: a possible beginning or end of reasoning, or a possible number in brackets.
    held: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Only white space has arrived so far.
    Beginning,
    Thinking,
    /// White space before the text is removed.
    AfterThought,
    Text,
}

impl WrittenText {
    pub(crate) fn new(passages: usize) -> Self {
        Self { passages, state: State::Beginning, held: String::new() }
    }

    /// Adds a piece and passes on all text that certainly belongs to the answer.
    pub(crate) fn add(&mut self, received: &str, piece: &mut dyn FnMut(&str)) {
        self.held.push_str(received);
        if self.state == State::Beginning {
            let begun = self.held.trim_start();
            if THOUGHT.starts_with(begun) && begun.len() < THOUGHT.len() {
                return;
            }
            self.state = if begun.starts_with(THOUGHT) { State::Thinking } else { State::AfterThought };
        }
        if self.state == State::Thinking {
            let Some(end) = self.held.find(THOUGHT_END) else {
                // The end tag may have begun in the last bytes.
                let kept = self.held.len().saturating_sub(THOUGHT_END.len());
                self.held.drain(..self.held.floor_char_boundary(kept));
                return;
            };
            self.held.drain(..end + THOUGHT_END.len());
            self.state = State::AfterThought;
        }
        if self.state == State::AfterThought {
            let begun = self.held.trim_start().len();
            self.held.drain(..self.held.len() - begun);
            if self.held.is_empty() {
                return;
            }
            self.state = State::Text;
        }
        let text = self.known();
        if !text.is_empty() {
            piece(&text);
        }
    }

    /// Passes on the rest, such as a bracket that was never closed.
    pub(crate) fn end(self, piece: &mut dyn FnMut(&str)) {
        if self.state == State::Text && !self.held.is_empty() {
            piece(&self.held);
        }
    }

    /// Takes the text up to a bracket that may become a passage number, and removes numbers without a passage.
    fn known(&mut self) -> String {
        let mut text = String::new();
        while let Some(at) = self.held.find('[') {
            text.extend(self.held.drain(..at));
            let digits = self.held[1..].find(|c: char| !c.is_ascii_digit()).map(|end| end + 1);
            let Some(end) = digits else {
                // Passage numbers are short; more digits belong to the text.
                if self.held.len() > 8 {
                    break;
                } else {
                    return text;
                };
            };
            let is_number = end > 1 && self.held[end..].starts_with(']');
            let is_passage =
                || self.held[1..end].parse().is_ok_and(|number: usize| (1..=self.passages).contains(&number));
            if is_number && self.passages > 0 && !is_passage() {
                self.held.drain(..=end);
            } else {
                text.extend(self.held.drain(..end));
            }
        }
        text.push_str(&std::mem::take(&mut self.held));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that is passed on; the same for every length of pieces.
    fn left(passages: usize, text: &str) -> String {
        let mut by_length = Vec::new();
        for length in 1..=text.len() {
            let (mut written, mut left) = (WrittenText::new(passages), String::new());
            let mut rest = text;
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.ceil_char_boundary(length.min(rest.len())));
                written.add(piece, &mut |piece| left.push_str(piece));
                rest = after;
            }
            written.end(&mut |piece| left.push_str(piece));
            by_length.push(left);
        }
        by_length.dedup();
        assert_eq!(by_length.len(), 1, "{by_length:?}");
        by_length.remove(0)
    }

    #[test]
    fn numbers_of_no_passage_are_left_out() {
        assert_eq!(
            left(2, "Zürich [1][3] pays [0]50 € [2]. [note] a[7"),
            "Zürich [1] pays 50 € [2]. [note] a[7"
        );
        assert_eq!(left(0, "see [3]"), "see [3]");
        assert_eq!(left(2, "[123456789012"), "[123456789012");
    }

    #[test]
    fn thoughts_are_left_out() {
        assert_eq!(left(1, "\n<think>\nIs it [9]? < / think>\n</think>\n\nYes [1]."), "Yes [1].");
        assert_eq!(left(1, "<think>never ending"), "");
        assert_eq!(left(1, "  <thin air> [1]"), "<thin air> [1]");
        assert_eq!(left(1, "Say <think>"), "Say <think>");
    }
}
