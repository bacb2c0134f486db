//! A question about a sentence, as the generator writes it.

use oriel_core::{ByteSpan, CancelToken, GenerationRequest, Generator, TextForm};
use oriel_engine::DocumentText;

use crate::error::AppError;

/// Sentences on each side that the generator reads too.
const AROUND: usize = 2;
/// Tokens of a question.
const MAX_TOKENS: usize = 60;

const SYSTEM: &str = "You write questions for an exam. You answer with one question and nothing else.";

/// A question that the sentence `at` of a document answers; `None` if what the generator wrote is not good enough.
pub fn question_about(
    document: &DocumentText,
    at: usize,
    generator: &dyn Generator,
    cancel: &CancelToken,
) -> Result<Option<String>, AppError> {
    let mut written = String::new();
    generator.generate(&request(document, at), &mut |piece| written.push_str(piece), cancel)?;
    cancel.check()?;
    let question = written.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    Ok(is_good_question(question, sentence_at(document, at)).then(|| question.to_owned()))
}

pub fn sentence_at(document: &DocumentText, at: usize) -> &str {
    document.sentences[at].span.of(&document.text).unwrap_or_default()
}

fn request(document: &DocumentText, at: usize) -> GenerationRequest {
    let (first, last) = (at.saturating_sub(AROUND), (at + AROUND).min(document.sentences.len() - 1));
    let hull = document.sentences[first].span.hull(document.sentences[last].span);
    let around = one_line(ByteSpan::of(hull, &document.text).unwrap_or_default());
    let sentence = one_line(sentence_at(document, at));
    let user = format!(
        "Text: {around}\n\nWrite one short question in the language of the text. The answer is in this sentence: \
         \"{sentence}\"\nName in the question what it is about, use other words than the sentence, and do not give the \
         answer away."
    );
    GenerationRequest {
        system: SYSTEM.to_owned(),
        user,
        form: TextForm::Free,
        max_tokens: MAX_TOKENS,
        refusal: None,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text, without its signs.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words of questions about the text instead of its subject.
const ABOUT_THE_TEXT: [&str; 7] = ["text", "passage", "sentence", "paragraph", "document", "author", "this"];
/// A word of at least this many letters in both ties a question to its sentence rather than to a neighbour.
const TYING_LETTERS: usize = 5;
/// A sentence with fewer words probably has a script without spaces.
const SPACED_WORDS: usize = 4;

/// Whether a question stands by itself, is no copy of its sentence, and asks.
fn is_good_question(question: &str, sentence: &str) -> bool {
    let lower = question.to_lowercase();
    let asked: Vec<&str> = words(&lower).collect();
    let sentence = sentence.to_lowercase();
    let held: Vec<&str> = words(&sentence).collect();
    let is_shared = |word: &&str| word.chars().count() >= TYING_LETTERS && held.contains(word);
    let is_tied = held.len() < SPACED_WORDS || asked.iter().any(is_shared);
    let runs = asked.windows(3).count().max(1);
    let copied = asked.windows(3).filter(|run| held.windows(3).any(|other| other == *run)).count();
    question.ends_with(['?', '？', '؟', '।'])
        && (asked.len() >= 3 || held.len() < SPACED_WORDS)
        && !asked.iter().any(|word| ABOUT_THE_TEXT.contains(word))
        && is_tied
        && 2 * copied <= runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_and_a_question_about_the_text_are_thrown_away() {
        let sentence = "The lease of the Ropewalk ends on 31 March 2027.";
        assert!(is_good_question("When does the Ropewalk contract run out?", sentence));
        assert!(!is_good_question("The lease of the Ropewalk ends on 31 March?", sentence), "a copy");
        assert!(!is_good_question("When does the Ropewalk contract run out.", sentence), "no question");
        assert!(!is_good_question("What does the text say about leases?", sentence));
        assert!(!is_good_question("When does the Ferry leave from Lannow?", sentence), "of a neighbour");
        assert!(!is_good_question("When?", sentence));
        assert!(is_good_question("合同什么时候到期？", "制绳厂的租约于2027年3月31日到期。"));
        assert!(!is_good_question("", sentence));
    }
}
