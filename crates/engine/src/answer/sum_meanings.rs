//! What words of a question mean in a table that does not have them: "vendor" in one with a column "supplier".
//!
//! The embedder says which column or cell is likest, and the generator, which writes under a grammar of this table's columns, in which
//! column it would look. The question is asked again with the table's own words only if they agree, and the answer says what was read
//! for what.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use oriel_core::{CancelToken, Embedder, GenerationRequest, Generator, ModelError, TextForm, TextKind};

use crate::library::columns::{Column, ColumnKind};
use crate::library::tables::DocumentTable;
use crate::question::sums::SumQuestion;
use crate::question::sums::matching::normal;

/// Words that are looked up for a question.
const MAX_WORDS: usize = 2;
/// Cells of a column that has few different ones; another has only its head looked at.
const MAX_CELLS: usize = 24;
/// Bytes of a cell or head.
const MAX_BYTES: usize = 48;
/// Rows that are looked at for different cells.
const MAX_READ: usize = 10_000;
/// What a word may mean, over the whole table.
const MAX_MEANINGS: usize = 200;
/// Cells of a column that the generator reads.
const SHOWN_CELLS: usize = 3;
/// Tokens of the longest head.
const MAX_TOKENS: usize = 48;
/// The generator may take this long for a word.
const TIME_BUDGET: Duration = Duration::from_secs(6);
/// The cosine of a word and what it means, and its lead over the next.
const MIN_LIKENESS: f32 = 0.5;
const MIN_LEAD: f32 = 0.08;

const SYSTEM: &str = "You know SQL and tables. You choose what a word of a question means in a table.";

/// Words of a question that neither rules nor the document know, with what they may mean in its table.
pub(crate) struct UnknownWords {
    words: Vec<String>,
    meanings: Vec<Meaning>,
    /// The heads of the columns, each with some of its cells: `status: married, single`.
    columns: Vec<(String, String)>,
}

/// A column or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The words of the table: `married`.
    pub text: String,
    /// The head of its column if it is a cell.
    head: Option<String>,
}

impl Meaning {
    /// With the column, as models read it: `status: married`.
    fn shown(&self) -> String {
        match &self.head {
            Some(head) => format!("{head}: {}", self.text),
            None => self.text.clone(),
        }
    }
}

impl UnknownWords {
    /// `None` if they are too many to be understood.
    pub(crate) fn of(words: Vec<String>, table: &DocumentTable<'_>) -> Option<Self> {
        if words.is_empty() || words.len() > MAX_WORDS {
            return None;
        }
        let is_short = |text: &str| (1..=MAX_BYTES).contains(&text.len());
        let (mut meanings, mut columns) = (Vec::new(), Vec::new());
        for (at, Column { head, kind, .. }) in table.columns.iter().enumerate() {
            if !is_short(head) || columns.iter().any(|(other, _)| other == head) {
                continue;
            }
            meanings.push(Meaning { text: head.clone(), head: None });
            let mut cells = BTreeSet::new();
            if matches!(kind, ColumnKind::Text) {
                let all = (0..table.rows.len()).map(|row| table.cell(row, at));
                cells = all.filter(|cell| is_short(cell)).take(MAX_READ).collect();
            }
            let some: Vec<&str> = cells.iter().copied().take(SHOWN_CELLS).collect();
            let shown = if some.is_empty() { head.clone() } else { format!("{head}: {}", some.join(", ")) };
            columns.push((head.clone(), shown));
            // Others are names.
            if cells.len() <= MAX_CELLS {
                let cell = |cell: &str| Meaning { text: cell.to_owned(), head: Some(head.clone()) };
                meanings.extend(cells.into_iter().map(cell));
            }
        }
        meanings.truncate(MAX_MEANINGS);
        Some(Self { words, meanings, columns })
    }

    /// What each of the words means; `None` if that is not sure for one of them.
    ///
    /// # Errors
    /// If a model fails, or it is cancelled.
    pub(crate) fn understood(
        self,
        question: &str,
        embedder: &dyn Embedder,
        generator: &dyn Generator,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<(String, Meaning)>>, ModelError> {
        if !generator.keeps_grammar() {
            return Ok(None);
        }
        let texts: Vec<String> = self.meanings.iter().map(Meaning::shown).collect();
        let vectors = embedder.embed(&texts, TextKind::Passage, cancel)?;
        let mut understood = Vec::new();
        for word in &self.words {
            let own = embedder.embed(std::slice::from_ref(word), TextKind::Query, cancel)?;
            let [own] = &own[..] else { return Ok(None) };
            let likeness = |vector: &Vec<f32>| own.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
            let mut ranked: Vec<(f32, &Meaning)> = vectors.iter().map(likeness).zip(&self.meanings).collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            let best = match &ranked[..] {
                [(first, best), (second, _), ..] if *first >= MIN_LIKENESS && first - second >= MIN_LEAD => {
                    *best
                }
                _ => return Ok(None),
            };
            if is_opposite(word, &best.text) {
                return Ok(None);
            }
            let column = self.column_of(word, question, generator, cancel)?;
            if column != *best.head.as_ref().unwrap_or(&best.text) {
                return Ok(None);
            }
            understood.push((word.clone(), best.clone()));
        }
        Ok(Some(understood))
    }

    /// The head of the column in which the generator would look for a word.
    fn column_of(
        &self,
        word: &str,
        question: &str,
        generator: &dyn Generator,
        cancel: &CancelToken,
    ) -> Result<String, ModelError> {
        let shown: String = self.columns.iter().map(|(_, shown)| format!("- {shown}\n")).collect();
        let heads: Vec<String> = self.columns.iter().map(|(head, _)| quoted(head)).collect();
        let request = GenerationRequest {
            system: SYSTEM.to_owned(),
            user: format!(
                "Question: {question}\n\nThe columns of the table, with some of their values:\n{shown}\n\
                Which column does \"{word}\" belong to? Write only its name."
            ),
            form: TextForm::Grammar(format!("root ::= {}\n", heads.join(" | "))),
            max_tokens: MAX_TOKENS,
            refusal: None,
        };
        let (begun, stop) = (Instant::now(), cancel.child());
        let mut text = String::new();
        let mut piece = |piece: &str| {
            text.push_str(piece);
            if begun.elapsed() > TIME_BUDGET {
                stop.cancel();
            }
        };
        generator.generate(&request, &mut piece, &stop)?;
        cancel.check()?;
        Ok(text.trim().to_owned())
    }
}

/// Whether one of two words is the other with a syllable before it, as "unpaid" and "paid": a model takes them for alike.
fn is_opposite(word: &str, other: &str) -> bool {
    let (word, other) = (normal(word), normal(other));
    other.split(' ').any(|other| other != word && (word.ends_with(other) || other.ends_with(&word)))
}

/// A text as a grammar (GBNF) has it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' | '\r' | '\t' | '\0' => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

impl SumQuestion {
    /// The question with the words of a table in place of its own.
    pub(crate) fn in_words_of(&self, question: &str, understood: &[(String, Meaning)]) -> String {
        let mut question = question.to_owned();
        for word in self.words.iter().rev() {
            let Some((_, meaning)) = understood.iter().find(|(own, _)| *own == word.text) else { continue };
            let place = word.end.saturating_sub(word.text.len())..word.end;
            if question.get(place.clone()) == Some(&word.text) {
                question.replace_range(place, &meaning.text);
            }
        }
        question
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_not_read_as_its_opposite_and_a_grammar_holds_any_text() {
        for (word, other, is_it) in [
            ("unpaid", "paid", true),
            ("paid", "unpaid", true),
            ("unmarried", "married", true),
            ("vendor", "supplier", false),
            ("paid", "paid", false),
        ] {
            assert_eq!(is_opposite(word, other), is_it, "{word} {other}");
        }
        assert_eq!(quoted("6\" \\ x\ny"), "\"6\\\" \\\\ x y\"");
    }
}
