//! The answer to a question for a sum, a count or a highest number: computed over the rows of a table, with these rows.

use std::path::Path;
use std::time::Instant;

use oriel_core::{
    AnswerRow, AnswerRows, AnsweringSentence, ByteSpan, CancelToken, Candidate, CitedPlace, DocumentId,
    Ordinal, Passage, RowPlace,
};
use oriel_store::{DocumentRecord, View};

use crate::answer::stated::{Stated, statement};
use crate::answer::sum_documents::{documents, file_stem, forms, has_term, is_table};
use crate::answer::sum_meanings::UnknownWords;
use crate::answer::wording::sums::{Said, more_tables, no_column, no_numbers, read_as, too_many_cells};
use crate::answer::{AnswerEvent, Answered};
use crate::error::EngineError;
use crate::files::name_of;
use crate::library::Library;
use crate::library::source::store_state::whole_document;
use crate::library::table_query::{Aggregate, TableQuery};
use crate::library::tables::{DocumentTable, Tables};
use crate::question::sums::fit::Fit;
use crate::question::sums::lists::Sense;
use crate::question::sums::{SumQuestion, sum_question};
use crate::question::translation::translated;
use crate::search::loaded::LoadedDocument;
use crate::search::models::QuestionModels;
use crate::search::query::Query;
use crate::search::window::widen;

/// Tables that a question is answered from, a line each.
const MAX_LINES: usize = 10;
/// Rows that an answer cites.
const CITED_ROWS: usize = 3;
/// Rows that are shown below it.
const SHOWN_ROWS: usize = 100;
/// The confidence of an answer in which every word of the question is accounted for.
const CONFIDENCE: f32 = 0.95;
/// The same if models said what a word means in the table.
const CONFIDENCE_OF_MODELS: f32 = 0.6;

/// What a table answers.
pub(crate) struct TableAnswer {
    pub document: DocumentId,
    /// What the table is called: "members.csv", "halls.xlsx, Costs".
    name: String,
    text: String,
    /// The number, of a share in a hundred, and as it is said.
    pub value: Option<(f64, String)>,
    /// Where the rows stand that are cited.
    cited: Vec<ByteSpan>,
    columns: Vec<String>,
    rows: Vec<(Vec<String>, ByteSpan)>,
    total: usize,
    sql: Option<String>,
}

/// What the tables of some documents answer.
#[derive(Default)]
pub(crate) struct FromTables {
    pub answers: Vec<TableAnswer>,
    /// What is unknown to the only table of the document that was chosen.
    unknown: Option<UnknownWords>,
}

impl FromTables {
    /// Whether a number was computed; else a table says at most why it does not answer.
    fn has_number(&self) -> bool {
        self.answers.iter().any(|answer| answer.sql.is_some())
    }
}

/// Leaves out the tables without such rows, if another one has some.
fn with_rows(mut answers: Vec<TableAnswer>) -> Vec<TableAnswer> {
    if answers.iter().any(|answer| answer.total > 0) {
        answers.retain(|answer| answer.total > 0);
    }
    answers
}

/// Answers a question from the tables of the documents that `query` admits; `None` if none of them accounts for all of its words.
/// `models` are asked for words that the chosen table does not have.
///
/// # Errors
/// If the store is damaged, or it is cancelled.
pub(crate) fn answer_sum(
    library: &Library,
    query: &Query,
    question: &SumQuestion,
    models: &dyn QuestionModels,
    event: &mut dyn FnMut(AnswerEvent<'_>),
    cancel: &CancelToken,
) -> Result<Option<Answered>, EngineError> {
    let begun = Instant::now();
    let index = library.own_index()?;
    let mut found = index.read(|view| {
        let found = table_answers(&view, question, query, cancel)?;
        if !found.has_number()
            && matches!(query.filter.within[..], [_])
            && let Some(other) = in_other_language(&query.question, question)
        {
            let others = table_answers(&view, &other, query, cancel)?;
            if others.has_number() {
                return Ok(others);
            }
        }
        Ok::<_, EngineError>(found)
    })?;
    let mut confidence = CONFIDENCE;
    if !found.has_number()
        && let Some(unknown) = found.unknown.take()
        && let Some(read) = unknown.read(&query.question, models, cancel)?
        && let Some(other) = question.in_words_of(&query.question, &read)
    {
        let mut others = index.read(|view| table_answers(&view, &other, query, cancel))?;
        if others.has_number() {
            let read = read_as(&read, question.is_german);
            others.answers.iter_mut().for_each(|answer| answer.text.push_str(&read));
            (found, confidence) = (others, CONFIDENCE_OF_MODELS);
        }
    }
    let stated = index.read(|view| stated(&view, found.answers, query, question.is_german))?;
    let stated = stated.map(|stated| Stated { confidence, ..stated });
    Ok(stated.map(|stated| stated.answered(query, begun, event)))
}

/// The question as a table in the other language is asked it, to be answered in its own.
fn in_other_language(question: &str, asked: &SumQuestion) -> Option<SumQuestion> {
    let other = sum_question(&translated(question)?)?;
    Some(SumQuestion { is_german: asked.is_german, ..other })
}

/// What the tables of the documents that `query` admits answer, by document.
pub(crate) fn table_answers(
    view: &View<'_>,
    question: &SumQuestion,
    query: &Query,
    cancel: &CancelToken,
) -> Result<FromTables, EngineError> {
    let (documents, is_chosen) = documents(view, question, &query.filter)?;
    let mut answers = Vec::new();
    let mut refusals = Vec::new();
    let mut unknown = None;
    for (document, record) in documents {
        cancel.check()?;
        let Some(text) = view.text(document)? else { continue };
        let Tables { read: tables, too_large } =
            Tables::of(&text, &view.outline(document)?, record.kind, cancel)?;
        if let Some(header) = too_large.first().filter(|_| is_chosen) {
            let name = table_name(&record, &[], 1);
            let text = too_many_cells(&name, question.is_german);
            refusals.push(TableAnswer::refusing(document, name, text, *header));
        }
        for table in &tables {
            let name = table_name(&record, &table.headings, tables.len());
            let names = names(&record.path, table);
            let fitted = question.fit(table, &names, is_chosen, query.today);
            if !fitted.is_named {
                continue;
            }
            let refuse = |text: String| TableAnswer::refusing(document, name.clone(), text, table.header);
            match fitted.fit {
                Fit::Query(query) => {
                    let stem = names.first().map_or("table", String::as_str);
                    answers.extend(answer(document, &query, table, (&name, stem), question, cancel)?);
                }
                Fit::NoNumbers(column) => {
                    refusals.push(refuse(no_numbers(column, table, &name, question.is_german)));
                }
                Fit::Missing(words)
                    if is_chosen
                        && is_table(record.kind)
                        && are_unknown(view, document, question, &words)? =>
                {
                    if asks_for_column(question) {
                        refusals.push(refuse(no_column(&words, table, &name, question.is_german)));
                    }
                    if tables.len() == 1 {
                        unknown = UnknownWords::of(words, table);
                    }
                }
                Fit::Missing(_) => {}
            }
        }
    }
    // A document that was chosen says why it does not answer; one of many may just not be meant.
    if answers.is_empty() && refusals.len() == 1 {
        answers = refusals;
    }
    Ok(FromTables { answers: with_rows(answers), unknown })
}

/// Whether a question plainly asks a number of a column.
fn asks_for_column(question: &SumQuestion) -> bool {
    question.is_plain
        || matches!(question.aggregate, Aggregate::Highest | Aggregate::Lowest | Aggregate::Range)
}

/// Whether the words that are left over stand nowhere in the document.
fn are_unknown(
    view: &View<'_>,
    document: DocumentId,
    question: &SumQuestion,
    words: &[String],
) -> Result<bool, EngineError> {
    let sought: Vec<&str> = question.sought().collect();
    for word in words {
        let word = word.to_lowercase();
        // A negation or the like is no name.
        if !sought.contains(&word.as_str()) || has_term(view, document, &forms(&word))? {
            return Ok(false);
        }
    }
    Ok(!words.is_empty())
}

/// What a table may be called in a question.
fn names(path: &Path, table: &DocumentTable<'_>) -> Vec<String> {
    let headings = table.headings.iter().map(|&heading| heading.to_owned());
    std::iter::once(file_stem(path)).chain(headings).collect()
}

/// The name of the file, with the heading above the table if it has several.
fn table_name(record: &DocumentRecord, headings: &[&str], tables: usize) -> String {
    let file = name_of(&record.path);
    match headings.last().filter(|_| tables > 1) {
        Some(heading) => format!("{file}, {}", heading.trim_start_matches(['#', ' '])),
        None => file,
    }
}

/// What a query finds in a table.
fn answer(
    document: DocumentId,
    query: &TableQuery,
    table: &DocumentTable<'_>,
    (name, stem): (&str, &str),
    question: &SumQuestion,
    cancel: &CancelToken,
) -> Result<Option<TableAnswer>, EngineError> {
    let Some(found) = query.run(table, stem, cancel)? else { return Ok(None) };
    // "How much does paint cost?" asks for one price, not for the sum of several.
    let is_price = || question.words.iter().any(|word| Sense::is_price(&word.lower));
    if query.aggregate == Aggregate::Sum
        && !question.is_plain
        && query.group.is_none()
        && found.met > 1
        && is_price()
    {
        return Ok(None);
    }
    let said = Said { query, found: &found, table, name, is_german: question.is_german };
    // The first rows of groups show most.
    let rows = match &found.groups[..] {
        [] => found.rows.clone(),
        groups => groups.iter().map(|(.., row)| *row).collect(),
    };
    let cells =
        |row: usize| (0..table.columns.len()).map(|column| table.cell(row, column).to_owned()).collect();
    Ok(Some(TableAnswer {
        document,
        name: name.to_owned(),
        text: said.sentence(),
        value: said.value(),
        cited: rows.iter().take(query.top.unwrap_or(CITED_ROWS)).map(|row| table.rows[*row]).collect(),
        columns: table.columns.iter().map(|column| column.head.clone()).collect(),
        rows: rows.iter().take(SHOWN_ROWS).map(|row| (cells(*row), table.rows[*row])).collect(),
        total: rows.len(),
        sql: Some(found.sql),
    }))
}

impl TableAnswer {
    /// Says why a table does not answer, with its header.
    fn refusing(document: DocumentId, name: String, text: String, header: ByteSpan) -> Self {
        Self {
            document,
            name,
            text,
            value: None,
            cited: vec![header],
            columns: Vec::new(),
            rows: Vec::new(),
            total: 0,
            sql: None,
        }
    }

    /// The passages around the cited rows, numbered from `first`, with the places of these rows.
    pub(crate) fn passages(
        &self,
        loaded: &LoadedDocument,
        query: &Query,
        first: usize,
    ) -> (Vec<Passage>, Vec<CitedPlace>) {
        let candidate = |&row: &ByteSpan| {
            let ordinal = sentence_in(loaded, row)?;
            Some(Candidate { document: self.document, ordinal, score: CONFIDENCE })
        };
        let candidates: Vec<Candidate> = self.cited.iter().filter_map(candidate).collect();
        let windows = widen(&candidates, query.window, query.merge, |_, ordinal| loaded.unit(ordinal));
        let (mut passages, mut places) = (Vec::new(), Vec::new());
        for window in &windows {
            let n = first + passages.len();
            let rows = window.hits.iter().filter_map(|hit| loaded.excerpt.rows.get(hit.ordinal));
            let cited: Vec<CitedPlace> =
                rows.map(|row| CitedPlace { n, start: row.span.start, end: row.span.end }).collect();
            let answer = cited.first().map(|place| AnsweringSentence {
                start: place.start,
                end: place.end,
                words: None,
                confidence: CONFIDENCE,
            });
            if let Some(passage) = loaded.passage(n, window, CONFIDENCE, answer) {
                passages.push(passage);
                places.extend(cited);
            }
        }
        (passages, places)
    }

    /// The rows as they are shown below the answer.
    fn shown_rows(self, loaded: &LoadedDocument) -> Option<AnswerRows> {
        let place = |row: ByteSpan| {
            let page = loaded.excerpt.rows.get(sentence_in(loaded, row)?)?.page;
            let location = loaded.excerpt.location(page, row.start);
            Some(RowPlace { path: loaded.excerpt.path.clone(), location, start: row.start, end: row.end })
        };
        let rows = self.rows.into_iter().map(|(cells, row)| AnswerRow { cells, place: place(row) }).collect();
        self.sql.is_some().then_some(AnswerRows {
            columns: self.columns,
            rows,
            total: self.total,
            query: self.sql,
        })
    }
}

/// The first sentence in a row.
fn sentence_in(loaded: &LoadedDocument, row: ByteSpan) -> Option<Ordinal> {
    let (first, rows) = loaded.excerpt.rows.run(Ordinal(0))?;
    let at = rows.partition_point(|sentence| sentence.span.end <= row.start);
    let is_in = rows.get(at).is_some_and(|sentence| sentence.span.start < row.end);
    is_in.then(|| u32::try_from(at).ok().map(|at| Ordinal(first + at))).flatten()
}

/// The answer of these tables; `None` if there are none.
fn stated(
    view: &View<'_>,
    answers: Vec<TableAnswer>,
    query: &Query,
    is_german: bool,
) -> Result<Option<Stated>, EngineError> {
    if answers.is_empty() {
        return Ok(None);
    }
    let mut stated = Stated { confidence: CONFIDENCE, ..Stated::default() };
    let count = answers.len();
    for answer in answers.into_iter().take(MAX_LINES) {
        let loaded = LoadedDocument { excerpt: whole_document(view, answer.document)? };
        let (passages, places) = answer.passages(&loaded, query, stated.passages.len() + 1);
        stated.passages.extend(passages);
        let text = if count > 1 { format!("{}: {}", answer.name, answer.text) } else { answer.text.clone() };
        stated.sentences.push(statement(text, places));
        if stated.rows.is_none() {
            stated.rows = answer.shown_rows(&loaded);
        }
    }
    if count > MAX_LINES {
        stated.sentences.push(statement(more_tables(is_german).to_owned(), Vec::new()));
    }
    Ok(Some(stated))
}

#[cfg(test)]
pub(crate) mod tests {
    use jiff::civil::date;
    use oriel_core::Filter;

    use super::*;
    use crate::answer::AnswerModels;
    use crate::testing::TestLibrary;

    /// The answer of one file, with models that say what a word means.
    pub(crate) fn said_with(
        place: &TestLibrary,
        question: &str,
        file: &str,
        models: &dyn QuestionModels,
    ) -> String {
        let filter = Filter { within: vec![place.documents().join(file)], ..Filter::default() };
        let query = Query { filter, ..Query::new(question) };
        let asked = sum_question(question).unwrap();
        let never = CancelToken::new();
        let answered = answer_sum(&place.library, &query, &asked, models, &mut |_| {}, &never).unwrap();
        answered.map_or_else(String::new, |answered| answered.answer.answer)
    }

    fn ask(place: &TestLibrary, question: &str, within: &[&str]) -> Option<Answered> {
        let within = within.iter().map(|name| place.documents().join(name)).collect();
        let filter = Filter { within, ..Filter::default() };
        let query = Query { filter, today: date(2026, 11, 29), ..Query::new(question) };
        let asked = sum_question(question).unwrap_or_else(|| panic!("{question}"));
        answer_sum(&place.library, &query, &asked, &AnswerModels::default(), &mut |_| {}, &CancelToken::new())
            .unwrap()
    }

    fn said(place: &TestLibrary, question: &str, within: &[&str]) -> String {
        ask(place, question, within).map_or_else(String::new, |answered| answered.answer.answer)
    }

    const MEMBERS: &str = "name,age,status,donation\nAda Abt,20,married,\"1,005.50\"\nBo Mohr,61,single,940.00\n\
        Cleo Orth,46,married,n/a\nTotal,,,\"1,945.50\"\n";

    #[test]
    fn a_sum_says_its_rows_and_cites_them() {
        let place =
            TestLibrary::with(&[("members.csv", MEMBERS), ("letter.txt", "The members are married.")]);
        for (question, answer) in [
            ("How many are married?", "status = married: 2 of 3 rows. [1]"),
            (
                "What is the sum of the donations?",
                "1,945.50 (sum of donation, 3 rows; 1 row without a number). [1]",
            ),
            (
                "Who has the highest donation?",
                "Ada Abt (1,005.50): highest donation, 3 rows; 1 row without a number. [1]",
            ),
            ("What is the average age of the members?", "42.33 (average of age, 3 rows). [1]"),
            ("Wie viele sind verheiratet?", "status = married: 2 von 3 Zeilen. [1]"),
            (
                "Wie hoch ist die Summe donation?",
                "1,945.50 (Summe von donation, 3 Zeilen; 1 Zeile ohne Zahl). [1]",
            ),
            (
                "What is the total of the bonuses?",
                "members.csv has no column “bonuses”. Its columns are: name, age, status, donation. [1]",
            ),
            (
                "What is the sum of the statuses?",
                "The column status of members.csv holds words, not numbers. [1]",
            ),
        ] {
            assert_eq!(said(&place, question, &["members.csv"]), answer, "{question}");
        }
        let answered = ask(&place, "How many are married?", &[]).unwrap();
        let rows = answered.answer.rows.unwrap();
        assert_eq!((rows.total, rows.columns.len()), (2, 4));
        assert_eq!(rows.rows[1].cells, ["Cleo Orth", "46", "married", "n/a"]);
        assert_eq!(rows.rows[1].place.as_ref().unwrap().location.row, Some(4));
        assert!(rows.query.unwrap().contains("\"status\" IN ('married')"));
        let cited = &answered.answer.sentences[0].places;
        let passage = &answered.answer.passages[0];
        let text = |place: &CitedPlace| {
            &passage.text[(place.start - passage.start) as usize..(place.end - passage.start) as usize]
        };
        assert_eq!(
            cited.iter().map(text).collect::<Vec<_>>(),
            ["Ada Abt\t20\tmarried\t1,005.50", "Cleo Orth\t46\tmarried\tn/a"]
        );
    }

    #[test]
    fn without_a_file_all_words_decide_which_tables_answer() {
        let place = TestLibrary::with(&[
            ("2025.csv", "item,amount\nRope,10\nPaint,20\n"),
            ("2026.csv", "item,amount\nRope,11\nOil,5\n"),
            ("notes.md", "The highest amount of rain fell in May. How many people were there?"),
        ]);
        assert_eq!(
            said(&place, "What is the total amount?", &[]),
            "2025.csv: 30 (sum of amount, 2 rows). [1]\n2026.csv: 16 (sum of amount, 2 rows). [2]"
                .replace('\n', " ")
        );
        assert_eq!(
            said(&place, "What is the total amount of Oil?", &[]),
            "5 (sum of amount; item = Oil: 1 of 2 rows). [1]"
        );
        assert_eq!(said(&place, "What is the total amount in 2026?", &[]), "16 (sum of amount, 2 rows). [1]");
        for question in [
            "How many people are there?",
            "What is the total amount of rain?",
            "What is the highest amount of rain in May?",
        ] {
            assert_eq!(said(&place, question, &[]), "", "{question}");
        }
    }

    #[test]
    fn rows_times_and_pieces_are_those_that_are_meant() {
        let place = TestLibrary::with(&[
            ("budget.csv", "Department,Budget\nGeneral,100\nMedia,200\nSales,300\n"),
            (
                "pivot.csv",
                "Region,Sales\nNorth,1\nNorth,2\nNorth Total,3\nSouth,5\nSouth Total,5\nGrand Total,8\n",
            ),
            ("stock.csv", "item,quantity\nChair,40\nTable,6\nLamp,2\n"),
            ("spent.csv", "date,amount\n2026-11-28,10\n2026-11-29,7\n2025-01-05,1\n"),
            ("foot.csv", "Region,Sales\nNorth,1\nSouth,2\nWest,3\nAll regions,6\n"),
        ]);
        for (file, question, answer) in [
            ("budget.csv", "What is the total budget?", "600 (sum of Budget, 3 rows). [1]"),
            ("pivot.csv", "What is the sum of the sales?", "8 (sum of Sales, 3 rows). [1]"),
            (
                "stock.csv",
                "How many chairs do we have?",
                "40 (sum of quantity; item = Chair: 1 of 3 rows). [1]",
            ),
            (
                "spent.csv",
                "How much did we spend today?",
                "7 (sum of amount; 2026-11-29 ≤ date < 2026-11-30: 1 of 3 rows). [1]",
            ),
            (
                "spent.csv",
                "What is the sum of the amounts from 2025 to 2026?",
                "18 (sum of amount; 2025-01-01 ≤ date < 2027-01-01: 3 of 3 rows). [1]",
            ),
            ("foot.csv", "What is the sum of the sales?", ""),
        ] {
            assert_eq!(said(&place, question, &[file]), answer, "{question}");
        }
    }

    #[test]
    fn a_table_that_is_too_wide_says_so() {
        let heads: Vec<String> = (0..501).map(|at| format!("amount {at}")).collect();
        let row = vec!["1"; 501].join(",");
        let place = TestLibrary::with(&[("wide.csv", &format!("{}\n{row}\n", heads.join(",")))]);
        assert_eq!(
            said(&place, "What is the sum of amount 7?", &["wide.csv"]),
            "wide.csv is too large to compute: it has more than 8000000 cells or 500 columns. [1]"
        );
        assert_eq!(said(&place, "What is the sum of amount 7?", &[]), "");
    }

    #[test]
    fn a_sum_over_100_000_rows_takes_less_than_a_second() {
        let mut csv = "name,city,amount\n".to_owned();
        for row in 0..100_000 {
            csv.push_str(&format!(
                "Person {row},{},{}.50\n",
                ["Bonn", "Köln", "Berlin"][row % 3],
                row % 1000
            ));
        }
        let place = TestLibrary::with(&[("big.csv", &csv)]);
        let begun = Instant::now();
        let answer = said(&place, "What is the sum of the amounts in Bonn?", &["big.csv"]);
        let took = begun.elapsed();
        assert_eq!(answer, "16,667,000.00 (sum of amount; city = Bonn: 33334 of 100000 rows). [1]");
        assert!(took.as_secs_f32() < 1.0, "{took:?}");
    }
}
