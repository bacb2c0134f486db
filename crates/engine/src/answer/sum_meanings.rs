//! What words of a question mean in a table that does not have them: "vendor" in one with a column "supplier".
//!
//! The embedder finds the column whose head is most similar to the word, and the generator names the column in which it would look,
//! under a grammar of this table's columns. If both name the same column, the question is asked again with its head in place of the word,
//! and the answer says so. Cells are not guessed: models take "divorced" for "married".

use std::collections::BTreeSet;
use std::time::Duration;

use oriel_core::{CancelToken, Embedder, GenerationRequest, Generator, ModelError, TextForm, TextKind};

use crate::answer::grounding::are_opposite;
use crate::library::columns::{Column, ColumnKind};
use crate::library::tables::DocumentTable;
use crate::question::sums::matching::normal;
use crate::question::sums::{SumQuestion, sum_question};
use crate::question::writing::written_within;
use crate::search::models::QuestionModels;

/// Words that are looked up for a question.
const MAX_WORDS: usize = 2;
/// A table with more columns is not offered to models.
const MAX_COLUMNS: usize = 40;
/// Bytes of a head, and of a cell that the generator reads.
const MAX_BYTES: usize = 48;
/// Cells of a column that the generator reads, from its first rows.
const SHOWN_CELLS: usize = 3;
const READ_ROWS: usize = 100;
/// Tokens of the longest head.
const MAX_TOKENS: usize = 48;
/// How long the generator may write.
const WRITING_TIME: Duration = Duration::from_secs(6);
/// The least cosine similarity of a word and the head of its column, and its least lead over the next head.
const MIN_SIMILARITY: f32 = 0.57;
const MIN_LEAD: f32 = 0.08;

const SYSTEM: &str = "You know SQL and tables. You choose what a word of a question means in a table.";

/// Words of a question that neither the rules nor the document know, with the columns of its table.
pub(crate) struct UnknownWords {
    words: Vec<String>,
    columns: Vec<Head>,
}

struct Head {
    text: String,
    /// With some of its cells: `status: married, single`.
    shown: String,
}

/// A word of a question with the head that is read for it.
pub(crate) type Reading = (String, String);

impl UnknownWords {
    /// `None` if the words or the columns are too many.
    pub(crate) fn of(words: Vec<String>, table: &DocumentTable<'_>) -> Option<Self> {
        if words.is_empty() || words.len() > MAX_WORDS || table.columns.len() > MAX_COLUMNS {
            return None;
        }
        let is_short = |text: &str| (1..=MAX_BYTES).contains(&text.len());
        let mut columns: Vec<Head> = Vec::new();
        for (at, Column { head, kind, .. }) in table.columns.iter().enumerate() {
            if !is_short(head) || columns.iter().any(|other| other.text == *head) {
                continue;
            }
            let cells: BTreeSet<&str> = match kind {
                ColumnKind::Text => {
                    (0..table.rows.len().min(READ_ROWS)).map(|row| table.cell(row, at)).collect()
                }
                ColumnKind::Number(_) | ColumnKind::Date(_) => BTreeSet::new(),
            };
            let some: Vec<&str> = cells.into_iter().filter(|cell| is_short(cell)).take(SHOWN_CELLS).collect();
            let shown = if some.is_empty() { head.clone() } else { format!("{head}: {}", some.join(", ")) };
            columns.push(Head { text: head.clone(), shown });
        }
        Some(Self { words, columns })
    }

    /// The head that each of the words stands for; `None` if there are no models for it, or they do not agree on one of them, or fail.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(crate) fn read(
        &self,
        question: &str,
        models: &dyn QuestionModels,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<Reading>>, ModelError> {
        let generator = models.generator().filter(|generator| generator.keeps_grammar());
        let Some(generator) = generator else { return Ok(None) };
        let Some(embedder) = models.embedder().ok().flatten() else { return Ok(None) };
        let heads: Vec<String> = self.columns.iter().map(|head| head.text.clone()).collect();
        let vectors = embedder.embed(&heads, TextKind::Passage, cancel);
        let read =
            vectors.and_then(|vectors| self.read_with(&vectors, embedder, question, generator, cancel));
        cancel.check()?;
        // Without an answer of the models the question is an ordinary one.
        Ok(read.unwrap_or_else(|error| {
            tracing::warn!(%error, "the columns of a table are not asked for");
            None
        }))
    }

    /// The same with the vectors of the heads.
    fn read_with(
        &self,
        vectors: &[Vec<f32>],
        embedder: &dyn Embedder,
        question: &str,
        generator: &dyn Generator,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<Reading>>, ModelError> {
        let read = self.words.iter().map(|word| {
            let head = self.most_similar(word, vectors, embedder, cancel)?;
            let Some(head) = head.filter(|head| !are_opposite(word, head)) else { return Ok(None) };
            let named = self.column_of(word, question, generator, cancel)?;
            Ok((named == head).then(|| (word.clone(), head.to_owned())))
        });
        read.collect()
    }

    fn most_similar(
        &self,
        word: &str,
        vectors: &[Vec<f32>],
        embedder: &dyn Embedder,
        cancel: &CancelToken,
    ) -> Result<Option<&str>, ModelError> {
        let own = embedder.embed(&[word.to_owned()], TextKind::Query, cancel)?;
        let Some(own) = own.first() else { return Ok(None) };
        let similarity = |vector: &Vec<f32>| own.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
        let mut ranked: Vec<(f32, &str)> =
            vectors.iter().map(similarity).zip(self.columns.iter().map(|head| &*head.text)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let next = ranked.get(1).map_or(0.0, |(similarity, _)| *similarity);
        let best = ranked.first().filter(|(best, _)| *best >= MIN_SIMILARITY && best - next >= MIN_LEAD);
        Ok(best.map(|(_, head)| *head))
    }

    /// The head of the column in which the generator would look for a word.
    fn column_of(
        &self,
        word: &str,
        question: &str,
        generator: &dyn Generator,
        cancel: &CancelToken,
    ) -> Result<String, ModelError> {
        let shown: String = self.columns.iter().map(|head| format!("- {}\n", head.shown)).collect();
        let heads: Vec<String> = self.columns.iter().map(|head| quoted(&head.text)).collect();
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
        let (text, _) = written_within(WRITING_TIME, generator, &request, cancel)?;
        Ok(text.trim().to_owned())
    }
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
    /// The question with the heads of a table in place of its own words; `None` if it asks for something else then.
    pub(crate) fn in_words_of(&self, question: &str, read: &[Reading]) -> Option<Self> {
        let mut reworded = question.to_owned();
        for word in self.words.iter().rev() {
            let Some((_, head)) = read.iter().find(|(own, _)| *own == word.text) else { continue };
            let place = word.end.saturating_sub(word.text.len())..word.end;
            if reworded.get(place.clone()) == Some(&word.text) {
                reworded.replace_range(place, head);
            }
        }
        let other = sum_question(&reworded)?;
        let is_same = other.aggregate == self.aggregate
            && other.comparisons.len() == self.comparisons.len()
            && other.times.len() == self.times.len()
            && normal(&reworded) != normal(question);
        is_same.then_some(Self { is_german: self.is_german, ..other })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use oriel_core::{Calibration, Finish, Generation};

    use super::*;
    use crate::answer::AnswerModels;
    use crate::answer::sums::tests::said_with;
    use crate::search::models::SearchModels;
    use crate::testing::TestLibrary;

    /// Places "wage" at "salary" and everything else apart.
    struct Similar;

    impl Embedder for Similar {
        fn fingerprint(&self) -> &str {
            "similar"
        }

        fn dimensions(&self) -> usize {
            2
        }

        fn calibration(&self) -> Option<Calibration> {
            None
        }

        fn token_spans(&self, _: &str) -> Result<Vec<Range<usize>>, ModelError> {
            Ok(Vec::new())
        }

        fn embed(&self, texts: &[String], _: TextKind, _: &CancelToken) -> Result<Vec<Vec<f32>>, ModelError> {
            let vector = |text: &String| match text.as_str() {
                "wage" | "salary" => vec![1.0, 0.0],
                "bonus" => vec![-1.0, 0.0],
                _ => vec![0.0, 1.0],
            };
            Ok(texts.iter().map(vector).collect())
        }
    }

    /// Names this column, or fails.
    struct Names(Option<&'static str>);

    impl Generator for Names {
        fn id(&self) -> &str {
            "names"
        }

        fn keeps_grammar(&self) -> bool {
            true
        }

        fn context_length(&self, _: &CancelToken) -> Result<usize, ModelError> {
            Ok(4096)
        }

        fn prompt_tokens(&self, _: &GenerationRequest, _: &CancelToken) -> Result<usize, ModelError> {
            Ok(1)
        }

        fn generate(
            &self,
            request: &GenerationRequest,
            piece: &mut dyn FnMut(&str),
            _: &CancelToken,
        ) -> Result<Generation, ModelError> {
            let TextForm::Grammar(grammar) = &request.form else { panic!("free text") };
            assert!(grammar.contains("\"salary\" | \"joined\""), "{grammar}");
            let name = self.0.ok_or(ModelError::TooLong { tokens: 5000, limit: 4096 })?;
            piece(name);
            Ok(Generation {
                prompt_tokens: 1,
                tokens: 1,
                refusal: None,
                certainties: Vec::new(),
                finish: Finish::Stop,
            })
        }
    }

    #[test]
    fn a_word_is_read_as_a_column_only_where_both_models_name_it() {
        let csv = "employee,salary,joined\nAda,3000,2020\nBo,4000,2021\n";
        let place = TestLibrary::with(&[("staff.csv", csv)]);
        let said = |question: &str, named| {
            let search = SearchModels { embedder: Some(&Similar), reranker: None };
            let models = AnswerModels { search, generator: Some(&Names(named)), checker: None };
            said_with(&place, question, "staff.csv", &models)
        };
        let wage = "What is the highest wage?";
        assert_eq!(
            said(wage, Some("salary")),
            "Bo (4,000): highest salary, 2 rows. I read “wage” as “salary”. [1]"
        );
        let lacks = "staff.csv has no column “wage”. Its columns are: employee, salary, joined. [1]";
        assert_eq!(said(wage, Some("joined")), lacks, "the generator names another column");
        assert_eq!(said(wage, None), lacks, "the generator fails");
        let bonus = lacks.replace("wage", "bonus");
        assert_eq!(said("What is the highest bonus?", Some("salary")), bonus, "no head is similar");
    }

    #[test]
    fn a_grammar_holds_any_text() {
        assert_eq!(quoted("6\" \\ x\ny"), "\"6\\\" \\\\ x y\"");
    }
}
