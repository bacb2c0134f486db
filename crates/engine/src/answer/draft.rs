//! Splits a draft, a text that somebody wrote, into the sentences that are checked.

use oriel_core::{Kind, PageMap};
use oriel_text::sentences;
use serde::Serialize;

/// A sentence of a draft. The draft is the concatenation of all `before` and `text`, and of what follows the last sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub struct DraftSentence {
    /// What stands between the sentence before and this one.
    pub before: String,
    /// The sentence.
    pub text: String,
    /// Whether it begins a paragraph.
    pub begins_paragraph: bool,
}

/// The sentences of a draft in order, and the text after the last one.
#[must_use]
pub fn draft_sentences(text: &str) -> (Vec<DraftSentence>, String) {
    let spans: Vec<_> =
        sentences(text, Kind::Text, &PageMap::default()).into_iter().map(|row| row.span.range()).collect();
    // If no sentence goes on in the next line, lines were not wrapped and each is a paragraph.
    let is_wrapped = spans.iter().any(|span| text[span.clone()].contains('\n'));
    let mut end = 0;
    let all = spans
        .into_iter()
        .map(|span| {
            let before = &text[end..span.start];
            let lines = before.matches('\n').count();
            let begins_paragraph = end == 0 || lines > usize::from(is_wrapped);
            end = span.end;
            DraftSentence { before: before.to_owned(), text: text[span].to_owned(), begins_paragraph }
        })
        .collect();
    (all, text[end..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(String, bool)> {
        let (all, rest) = draft_sentences(text);
        let whole: String = all.iter().flat_map(|one| [one.before.as_str(), &one.text]).collect();
        assert_eq!(whole + &rest, text, "nothing is lost");
        all.into_iter().map(|one| (one.text, one.begins_paragraph)).collect()
    }

    #[test]
    fn a_draft_is_split_without_loss() {
        let of = |text: &str| split(text).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
        assert_eq!(of("  One is so.  Dr. Two is not!\n\n"), ["One is so.", "Dr. Two is not!"]);
        assert_eq!(of("Größe 15 %. Ünlü."), ["Größe 15 %.", "Ünlü."]);
        assert!(of(" \n").is_empty());
    }

    #[test]
    fn paragraphs_begin_after_a_blank_line_and_after_a_line_that_was_not_wrapped() {
        let begins = |text: &str| split(text).into_iter().map(|(_, begins)| begins).collect::<Vec<_>>();
        assert_eq!(begins("One. Two.\n\nThree."), [true, false, true]);
        assert_eq!(begins("One. Two.\nThree."), [true, false, true]);
        let wrapped = "The keys are in the green tin that stands on the shelf beside\nthe window. The pump is old and leaks every winter.\nIt was mended in May, by Idris Vaughan.\n\nNobody lives there.";
        assert_eq!(begins(wrapped), [true, false, false, true]);
    }
}
