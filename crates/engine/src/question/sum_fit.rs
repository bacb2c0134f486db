//! Finds what a question for a sum names in one table: columns by their heads, rows by their cells.
//!
//! Every word with content has to be accounted for by a column, a cell, a number, a time or the name of the table. If one is left
//! over, the table does not answer: a sum over the wrong rows looks as sure as one over the right ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use oriel_text::{fold, terms, words};

use crate::library::columns::ColumnKind;
use crate::library::table_query::{Aggregate, Condition, Group, Operator, TableQuery};
use crate::library::tables::DocumentTable;
use crate::question::sums::{
    AGE, AskedWord, Comparison, LIVING, Sense, Side, SumQuestion, Time, is_currency,
};
use crate::question::words::among;

/// Words of a question that name nothing in a table. Negations, "or" and "only" are none of them: they change what is meant.
const FILLERS: &str = "a an the of in on at for from to by with is are was were be been being do does did has have had there what which \
    who whom whose how me us our my we i you your it its their they them all any every these those this that as and than please tell \
    give show list calculate compute find get gets got gave given made make currently now today altogether together one ones \
    der die das den dem des ein eine einen einem einer und in im am an auf aus bei von vom zu zum zur für mit ist sind war waren wird \
    werden wurde wurden hat haben hatte hatten gibt es wer was welche welcher welches welchen wie hoch groß alle aller allen meine \
    unsere unserer ihre wir ich uns mir bitte nenne zeige nenn zeig betragen beträgt derzeit jetzt heute \
    quelle quel quels quelles qui combien est sont a ont quanto qual quali chi cuál cuanto cuánto quién es son hay hoeveel wie wat zijn quanto quem são \
    le la les de des du et il el los las y en un une una l d i gli dei delle del della het een van os as do da dos das e o";
/// Nouns that any table may be meant by, unless a column is called so.
const GENERAL: &str = "name names value values number numbers amount amounts people person persons row rows entry entries record records \
    line lines item items table sheet spreadsheet file column columns csv \
    leute person personen zeile zeilen eintrag einträge datensätze tabelle liste datei spalte wert werte zahl";
/// Words in heads of numbers that are not to be added.
const UNITS: &str = "unit per each rate percent percentage average einzelpreis stückpreis stuckpreis satz prozent anteil durchschnitt";
/// Heads of columns that say whose row it is.
const NAMES: &str = "name names nom nombre nome naam";
/// What is no row of a table.
const PARTS: &str = "columns sheets tables files spreadsheets values spalten tabellen dateien blätter werte";
/// Words for cells that say yes or no.
const YES: &str = "yes y true ja wahr oui sí si sim x ✓ ✔ 1";
const NO: &str = "no n false nein falsch non não nee - 0";
/// Words that turn a column of yes and no around.
const NOT: &str = "not haven't hasn't didn't don't doesn't isn't aren't nicht";
/// Words that no table has, and that are accounted for where they are understood.
const SIGNALS: &str = "by per each every pro je nach jede jeden jedes jedem jeder month months monat monate year years jahr jahre or oder";
/// Endings by which a word of a question may differ from a cell or a head.
const ENDINGS: [&str; 5] = ["s", "es", "e", "n", "en"];
/// Words of a cell or head at most.
const MAX_WORDS: usize = 6;
/// A shorter word has no endings.
const MIN_STEM: usize = 4;
/// Words for the numbers of a year, as columns are called.
const YEARS: &str = "year jahr année año anno jaar ano";

/// What a table says to a question.
#[derive(Debug, PartialEq)]
pub(crate) enum Fit {
    /// It answers.
    Query(TableQuery),
    /// It has no such column or cell: the words that are left over.
    Missing(Vec<String>),
    /// This column, of which a sum is asked, has no numbers.
    NoNumbers(usize),
}

/// How well a table fits a question.
#[derive(Debug, PartialEq)]
pub(crate) struct Fitted {
    pub fit: Fit,
    /// Whether the document was chosen, or a word of the question names a column, a cell or the table.
    pub is_named: bool,
}

/// A question as it is matched with a table.
struct Matching<'a> {
    question: &'a SumQuestion,
    table: &'a DocumentTable<'a>,
    used: Vec<bool>,
    /// Columns that are named, each at its words.
    heads: Vec<(Range<usize>, usize)>,
    conditions: Vec<Condition>,
    group: Option<Group>,
    /// The words that the table is called by.
    names: Vec<String>,
    is_named: bool,
}

impl SumQuestion {
    /// What `table` says to the question. `names` are what the table is called: its file, its sheet. `is_chosen` says that the question
    /// is asked of this document alone.
    pub(crate) fn fit(&self, table: &DocumentTable<'_>, names: &[String], is_chosen: bool) -> Fitted {
        let used = self.words.iter().map(|word| word.used).collect();
        let mut matching = Matching {
            question: self,
            table,
            used,
            heads: Vec::new(),
            conditions: Vec::new(),
            group: None,
            names: names.iter().flat_map(|name| head_words(name)).collect(),
            is_named: is_chosen,
        };
        let fit = matching.fit();
        Fitted { fit, is_named: matching.is_named }
    }
}

impl SumQuestion {
    /// The words that a document or its name has to have if it is to answer.
    pub(crate) fn sought(&self) -> impl Iterator<Item = &str> {
        let is_of_time = |at: usize| self.times.iter().any(|time| time.at.contains(&at));
        self.words.iter().enumerate().filter_map(move |(at, word)| {
            let lower = word.lower.as_str();
            let is_free = !word.used && !is_of_time(at) && Sense::of(lower).next().is_none();
            let is_other =
                is_filler(lower) || among(lower, LIVING.0) || among(lower, NOT) || among(lower, SIGNALS);
            (is_free && !is_other).then_some(lower)
        })
    }
}

impl Matching<'_> {
    fn fit(&mut self) -> Fit {
        let is_clear = self.take_cells();
        self.take_heads();
        self.take_groups();
        let are_compared = self.question.comparisons.iter().all(|one| self.compare(one).is_some());
        for time in &self.question.times {
            self.take_time(time);
        }
        self.take_flags();
        self.take_names();
        self.take_verbs();
        self.take_joints();
        self.take_parts();
        let left = self.left();
        if !left.is_empty() || !are_compared || !is_clear {
            return Fit::Missing(left);
        }
        self.query()
    }

    fn word(&self, at: usize) -> &str {
        self.question.words.get(at).map_or("", |word| &word.lower)
    }

    fn is_free(&self, at: &Range<usize>) -> bool {
        self.used[at.clone()].iter().all(|used| !used)
    }

    fn mark(&mut self, at: Range<usize>) {
        self.used[at].iter_mut().for_each(|used| *used = true);
        self.is_named = true;
    }

    /// Runs of free words, the longest first, that are more than fillers.
    fn runs(&self) -> Vec<Range<usize>> {
        let count = self.question.words.len();
        let runs = (1..=MAX_WORDS.min(count))
            .rev()
            .flat_map(|length| (0..=count - length).map(move |at| at..at + length));
        let has_content = |run: &Range<usize>| run.clone().any(|at| !among(self.word(at), FILLERS));
        runs.filter(|run| self.is_free(run) && has_content(run)).collect()
    }

    fn key(&self, run: &Range<usize>) -> String {
        normal(&run.clone().map(|at| self.word(at)).collect::<Vec<_>>().join(" "))
    }

    /// Takes words that are cells of a column. Returns whether each is of one column.
    fn take_cells(&mut self) -> bool {
        let mut runs = self.runs();
        // "Sales" are numbers where a column with numbers is called so.
        runs.retain(|run| {
            run.len() > 1 || !self.numeric().iter().any(|column| self.has_head(*column, self.word(run.start)))
        });
        let mut keys: HashMap<String, Vec<&Range<usize>>> = HashMap::new();
        for run in &runs {
            let key = self.key(run);
            let others = if run.len() == 1 { with_endings(&key) } else { Vec::new() };
            for key in std::iter::once(key).chain(others) {
                keys.entry(key).or_default().push(run);
            }
        }
        let mut found: HashMap<&Range<usize>, BTreeMap<usize, BTreeSet<&str>>> = HashMap::new();
        let longest = keys.keys().map(String::len).max().unwrap_or_default();
        let texts = (0..self.table.columns.len())
            .filter(|at| matches!(self.table.columns[*at].kind, ColumnKind::Text));
        for column in texts {
            // Most columns of words have few different cells.
            let mut last = ("", false);
            for row in 0..self.table.rows.len() {
                let cell = self.table.cell(row, column);
                if cell.is_empty() || cell.len() > 2 * longest + 8 || last == (cell, false) {
                    continue;
                }
                let of_key = keys.get(&normal(cell));
                last = (cell, of_key.is_some());
                for run in of_key.into_iter().flatten() {
                    found.entry(run).or_default().entry(column).or_default().insert(cell);
                }
            }
        }
        let mut is_clear = true;
        for run in &runs {
            let Some(columns) = found.get(run).filter(|_| self.is_free(run)) else { continue };
            let mut cells = columns.iter();
            let (column, cells) = match (cells.next(), cells.next()) {
                (Some(only), None) => only,
                _ => match columns.iter().filter(|(column, _)| self.names_head(**column)).collect::<Vec<_>>()
                    [..]
                {
                    [only] => only,
                    _ => {
                        is_clear = false;
                        continue;
                    }
                },
            };
            // A cell that is spelt as the question has it is meant, not one with another ending.
            let key = self.key(run);
            let same: Vec<&&str> = cells.iter().filter(|cell| normal(cell) == key).collect();
            let cells = if same.is_empty() { cells.iter().collect() } else { same };
            self.condition(*column, cells.into_iter().map(|&cell| cell.to_owned()).collect());
            self.mark(run.clone());
        }
        is_clear
    }

    /// Whether the question has a word of a column's head.
    fn names_head(&self, column: usize) -> bool {
        self.question
            .words
            .iter()
            .any(|word| !among(&word.lower, FILLERS) && self.has_head(column, &word.lower))
    }

    fn has_head(&self, column: usize, word: &str) -> bool {
        head_words(&self.table.columns[column].head).iter().any(|head| is_same(word, head))
    }

    /// Rows with one of these cells; more cells of a column that has a condition are added to it.
    fn condition(&mut self, column: usize, cells: Vec<String>) {
        for condition in &mut self.conditions {
            if let Condition::Is { column: other, values } = condition
                && *other == column
            {
                values.extend(cells);
                return;
            }
        }
        self.conditions.push(Condition::Is { column, values: cells });
    }

    /// Takes words that are the heads of columns.
    fn take_heads(&mut self) {
        for run in self.runs() {
            if !self.is_free(&run) || run.len() > 1 && self.has_filler_end(&run) {
                continue;
            }
            // "2022-23" is two words, as in a head.
            let asked: Vec<String> = run.clone().flat_map(|at| head_words(self.word(at))).collect();
            let heads: Vec<(usize, bool)> = (0..self.table.columns.len())
                .filter_map(|column| {
                    let head = head_words(&self.table.columns[column].head);
                    let is_there = asked.iter().all(|word| head.iter().any(|head| is_same(word, head)));
                    is_there.then_some((column, head.len() == asked.len()))
                })
                .collect();
            let whole: Vec<usize> =
                heads.iter().filter(|(_, is_whole)| *is_whole).map(|(column, _)| *column).collect();
            let parts: Vec<usize> = heads.iter().map(|(column, _)| *column).collect();
            if let ([column], _) | ([], [column]) = (&whole[..], &parts[..]) {
                self.heads.push((run.clone(), *column));
                self.mark(run);
            }
        }
        self.heads.sort_by_key(|(at, _)| at.start);
    }

    fn has_filler_end(&self, run: &Range<usize>) -> bool {
        among(self.word(run.start), FILLERS) || among(self.word(run.end - 1), FILLERS)
    }

    /// "By status", "per month", "for each city".
    fn take_groups(&mut self) {
        for at in 0..self.question.words.len() {
            if !among(self.word(at), "by per each every pro je nach jede jeden jedes jedem jeder") {
                continue;
            }
            let unit = self.word(at + 1).to_owned();
            let days: Vec<usize> = self.columns(|kind| matches!(kind, ColumnKind::Date(_)));
            let of_time = match (
                among(&unit, "month months monat monate"),
                among(&unit, "year years jahr jahre"),
                &days[..],
            ) {
                (true, _, [column]) => Some(Group::Month(*column)),
                (_, true, [column]) => Some(Group::Year(*column)),
                _ => None,
            };
            let head = self.heads.iter().position(|(head, _)| head.start == at + 1);
            match (of_time, head) {
                (Some(group), None) => {
                    self.group = Some(group);
                    self.mark(at + 1..at + 2);
                }
                (None, Some(head)) => {
                    self.group = Some(Group::Cell(self.heads.remove(head).1));
                }
                _ => continue,
            }
            self.mark(at..at + 1);
            return;
        }
    }

    fn columns(&self, is_it: impl Fn(&ColumnKind) -> bool) -> Vec<usize> {
        (0..self.table.columns.len()).filter(|at| is_it(&self.table.columns[*at].kind)).collect()
    }

    fn numeric(&self) -> Vec<usize> {
        self.columns(|kind| matches!(kind, ColumnKind::Number(_)))
    }

    /// The only column with numbers of which the head is one of these words.
    fn column_of(&self, heads: &str) -> Option<usize> {
        let is_it = |column: &usize| {
            head_words(&self.table.columns[*column].head).iter().any(|word| among(word, heads))
        };
        match self.numeric().into_iter().filter(is_it).collect::<Vec<_>>()[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    fn is_numeric(&self, column: usize) -> bool {
        self.table.columns[column].numbers().is_some()
    }

    /// Columns with numbers that are named.
    fn numeric_heads(&self) -> Vec<usize> {
        let mut heads: Vec<usize> =
            self.heads.iter().map(|(_, column)| *column).filter(|one| self.is_numeric(*one)).collect();
        heads.dedup();
        heads
    }

    /// Adds the condition of a comparison, with the column that it is about.
    fn compare(&mut self, comparison: &Comparison) -> Option<()> {
        let number = comparison.value(self.question.is_german)?;
        let column = self.compared(comparison)?;
        self.conditions.push(Condition::Compares { column, operator: comparison.operator, number });
        Some(())
    }

    fn compared(&mut self, comparison: &Comparison) -> Option<usize> {
        let age = self.column_of(AGE.heads);
        if comparison.is_age {
            return age;
        }
        let Range { start, end } = comparison.at;
        let joins = "of is are was were with a an the ist sind von mit";
        let before = (0..start).rev().find(|at| !among(self.word(*at), joins));
        let adjacent = |head: &&(Range<usize>, usize)| {
            before.is_some_and(|at| head.0.contains(&at)) || head.0.start == end
        };
        if let Some((_, column)) =
            self.heads.iter().find(adjacent).filter(|(_, column)| self.is_numeric(*column))
        {
            return Some(*column);
        }
        let named = self.numeric_heads();
        let is_money = is_currency(self.word(end));
        let said = |at: usize| Sense::of(self.word(at)).find_map(|sense| self.column_of(sense.heads));
        if let Some(column) = (0..self.question.words.len()).find_map(said).filter(|_| named.is_empty()) {
            if is_money {
                self.mark(end..end + 1);
            }
            return Some(column);
        }
        if among(self.word(end), "years jahre") && age.is_some() {
            let is_long = among(self.word(end + 1), "old alt");
            self.mark(end..end + 1 + usize::from(is_long));
            return age;
        }
        if is_money {
            self.mark(end..end + 1);
        }
        let others: Vec<usize> = self.numeric().into_iter().filter(|column| Some(*column) != age).collect();
        match (&named[..], &others[..], age) {
            ([only], ..) if is_money || self.question.count_end.is_some() => Some(*only),
            ([], [only], _) if is_money => Some(*only),
            ([], _, Some(age)) if !is_money => Some(age),
            ([], [only], None) => Some(*only),
            _ => None,
        }
    }

    /// A time limits the only column with days, or that of the year.
    fn take_time(&mut self, time: &Time) {
        if !self.is_free(&time.at) {
            return;
        }
        let all = self.columns(|kind| matches!(kind, ColumnKind::Date(_)));
        let named: Vec<usize> = all.iter().copied().filter(|column| self.names_head(*column)).collect();
        let column = match (&all[..], &named[..]) {
            ([only], _) | (_, [only]) => Some(*only),
            _ => None,
        };
        let condition = match (column, time.year, self.column_of(YEARS)) {
            (Some(column), ..) => Some(day_condition(column, time)),
            (None, Some(year), Some(column)) if time.month.is_none() => {
                let operator = match time.side {
                    Side::In => Operator::Equals,
                    Side::Before => Operator::Under,
                    Side::After => Operator::Over,
                    Side::Since => Operator::AtLeast,
                    Side::Until => Operator::AtMost,
                };
                Some(Condition::Compares { column, operator, number: f64::from(year) })
            }
            _ => None,
        };
        if let Some(condition) = condition {
            self.conditions.push(condition);
            self.mark(time.at.clone());
        }
    }

    /// A named column of yes and no: "How many have paid?", "… have not paid?"
    fn take_flags(&mut self) {
        for (at, column) in self.heads.clone() {
            let cells: BTreeSet<&str> =
                (0..self.table.rows.len()).map(|row| self.table.cell(row, column)).take(1000).collect();
            let lower = |cell: &&str| cell.to_lowercase();
            let is_flag = cells.len() < 6
                && cells.iter().any(|cell| among(&lower(cell), YES))
                && cells
                    .iter()
                    .all(|cell| cell.is_empty() || among(&lower(cell), YES) || among(&lower(cell), NO));
            if !is_flag || self.conditions.iter().any(|one| one.column() == column) || self.is_numeric(column)
            {
                continue;
            }
            let not = (at.start.saturating_sub(3)..at.start).find(|before| among(self.word(*before), NOT));
            if let Some(not) = not {
                self.mark(not..not + 1);
            }
            let wanted = if not.is_some() { NO } else { YES };
            // A blank among crosses means no.
            let is_it = |cell: &&str| among(&lower(cell), wanted) || cell.is_empty() && not.is_some();
            self.condition(column, cells.iter().copied().filter(is_it).map(str::to_owned).collect());
        }
    }

    /// Words that the table is called by.
    fn take_names(&mut self) {
        for at in 0..self.question.words.len() {
            if !self.used[at] && !is_filler(self.word(at)) && self.is_name(self.word(at)) {
                self.mark(at..at + 1);
            }
        }
    }

    fn is_name(&self, word: &str) -> bool {
        self.names.iter().any(|name| is_same(word, name))
    }

    /// Verbs that ask for a column or go with a condition: "cost", "live in".
    fn take_verbs(&mut self) {
        for at in 0..self.question.words.len() {
            if self.used[at] {
                continue;
            }
            let word = self.word(at).to_owned();
            let is_place = |one: &Condition| {
                let head = head_words(&self.table.columns[one.column()].head);
                head.iter().any(|head| among(head, LIVING.1))
            };
            if among(&word, LIVING.0) && self.conditions.iter().any(is_place) {
                self.mark(at..at + 1);
                continue;
            }
            for sense in Sense::of(&word) {
                let compared = self.conditions.iter().map(Condition::column);
                let named: Vec<usize> = self.numeric_heads().into_iter().chain(compared).collect();
                let column = self.column_of(sense.heads);
                let goes_with = |column: &usize| {
                    head_words(&self.table.columns[*column].head).iter().any(|head| among(head, sense.heads))
                };
                if named.iter().any(goes_with) {
                    self.mark(at..at + 1);
                } else if let Some(column) = column.filter(|_| self.numeric_heads().is_empty()) {
                    self.heads.push((at..at + 1, column));
                    self.mark(at..at + 1);
                }
            }
        }
    }

    /// "Or" between two cells of one column.
    fn take_joints(&mut self) {
        let joins_cells = |one: &Condition| matches!(one, Condition::Is { values, .. } if values.len() > 1);
        if self.conditions.len() == 1 && self.conditions.iter().any(joins_cells) {
            for at in 0..self.question.words.len() {
                if among(self.word(at), "or oder") && !self.used[at] {
                    self.mark(at..at + 1);
                }
            }
        }
    }

    /// Names that are left over and stand in one cell of the table alone: "Müller" in "Müller GmbH".
    fn take_parts(&mut self) {
        let is_name = |word: &AskedWord| word.text.starts_with(char::is_uppercase);
        if self.question.aggregate != Aggregate::Sum || !self.left_words().any(|word| is_name(word)) {
            return;
        }
        for run in self.runs() {
            if !self.is_free(&run) || !self.question.words[run.clone()].iter().all(is_name) {
                continue;
            }
            // "Ada" of "Ada Berg" is another Ada.
            let goes_on =
                |at: usize| self.question.words.get(at).is_some_and(|word| is_name(word) && !self.used[at]);
            if run.start > 0 && goes_on(run.start - 1) || goes_on(run.end) {
                continue;
            }
            let key = format!(" {} ", self.key(&run));
            let mut cells: BTreeSet<(usize, &str)> = BTreeSet::new();
            for column in self.columns(|kind| matches!(kind, ColumnKind::Text)) {
                let texts = (0..self.table.rows.len()).map(|row| self.table.cell(row, column));
                let holds =
                    |cell: &&str| cell.len() >= key.len() - 2 && format!(" {} ", normal(cell)).contains(&key);
                cells.extend(texts.filter(holds).map(|cell| (column, cell)));
            }
            if let ([(column, cell)], 1) = (&cells.iter().collect::<Vec<_>>()[..], cells.len()) {
                self.condition(*column, vec![(*cell).to_owned()]);
                self.mark(run);
            }
        }
    }

    fn left_words(&self) -> impl Iterator<Item = &AskedWord> {
        let words = self.question.words.iter().zip(&self.used);
        words.filter(|(word, used)| !**used && !is_filler(&word.lower)).map(|(word, _)| word)
    }

    /// The words that nothing accounts for.
    fn left(&self) -> Vec<String> {
        self.left_words().map(|word| word.text.clone()).collect()
    }

    /// The query, now that all words are accounted for.
    fn query(&mut self) -> Fit {
        let question = self.question;
        let group = self.group.map(Group::column);
        let compared: Vec<usize> = self.conditions.iter().map(Condition::column).chain(group).collect();
        let numeric = self.numeric_heads();
        let mut measures: Vec<usize> =
            numeric.iter().copied().filter(|column| !compared.contains(column)).collect();
        let sums = matches!(question.aggregate, Aggregate::Sum | Aggregate::Average | Aggregate::Range);
        let is_extreme = matches!(question.aggregate, Aggregate::Highest | Aggregate::Lowest);
        if measures.is_empty() && (sums || is_extreme) {
            measures.clone_from(&numeric);
        }
        if let Some(sense) = question.sense {
            measures.extend(self.column_of(sense.heads).filter(|column| !measures.contains(column)));
        }
        let is_text = |column: &usize| !self.is_numeric(*column) && !compared.contains(column);
        let texts = self.heads.iter().filter(|(_, column)| is_text(column)).cloned();
        // "The open invoices" are the rows of invoices.csv.
        let is_row = |at: &Range<usize>| sums && at.clone().all(|at| self.is_name(self.word(at)));
        let texts: Vec<(Range<usize>, usize)> = texts.filter(|(at, _)| !is_row(at)).collect();
        let missing = || Fit::Missing(Vec::new());
        if measures.len() > 1 {
            return missing();
        }
        let measure = measures.first().copied();
        let query = TableQuery {
            aggregate: question.aggregate,
            measure,
            conditions: self.conditions.clone(),
            group: self.group,
            name: None,
            top: None,
            is_difference: false,
            lowest_first: question.aggregate == Aggregate::Lowest,
        };
        if question.is_difference {
            return self.difference(query, &texts).map_or_else(missing, Fit::Query);
        }
        match question.aggregate {
            Aggregate::Count | Aggregate::Share | Aggregate::Different => {
                self.count(query, &texts).map_or_else(missing, Fit::Query)
            }
            Aggregate::Sum | Aggregate::Average | Aggregate::Range => match (measure, &texts[..]) {
                (Some(column), []) if question.aggregate == Aggregate::Sum && self.is_of_one(column) => {
                    missing()
                }
                (Some(_), []) if question.is_grouped && query.group.is_none() => missing(),
                (Some(_), []) => Fit::Query(query),
                (None, [(_, column)]) => Fit::NoNumbers(*column),
                (None, []) if question.is_plain => match self.numeric()[..] {
                    [only] if self.is_named => Fit::Query(TableQuery { measure: Some(only), ..query }),
                    _ => missing(),
                },
                _ => missing(),
            },
            Aggregate::Highest | Aggregate::Lowest => self.extreme(query, &texts),
        }
    }

    /// Whether the numbers of a column are each of one thing, so that their sum says nothing.
    fn is_of_one(&self, column: usize) -> bool {
        head_words(&self.table.columns[column].head).iter().any(|word| among(word, UNITS))
    }

    /// "The difference between the donations of married and single members": of the two cells that are named.
    fn difference(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Option<TableQuery> {
        let cells = |one: &Condition| match one {
            Condition::Is { column, values } => {
                let different: BTreeSet<String> = values.iter().map(|cell| normal(cell)).collect();
                (different.len() == 2).then_some(*column)
            }
            _ => None,
        };
        let [column] = query.conditions.iter().filter_map(cells).collect::<Vec<_>>()[..] else { return None };
        let has_measure = query.measure.is_some() != (query.aggregate == Aggregate::Count);
        let is_plain = has_measure && query.group.is_none() && texts.is_empty();
        is_plain.then_some(TableQuery { group: Some(Group::Cell(column)), is_difference: true, ..query })
    }

    fn count(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Option<TableQuery> {
        let question = self.question;
        let is_counted = |at: usize| question.count_end == Some(at);
        let has_numbers = query.measure.is_some();
        let mut query = query;
        if has_numbers {
            // "How many hours" asks for their sum.
            let is_asked =
                self.heads.iter().any(|(at, column)| Some(*column) == query.measure && is_counted(at.start));
            let is_sum = is_asked && question.aggregate == Aggregate::Count && !question.is_different;
            return (is_sum && texts.is_empty()).then_some(TableQuery { aggregate: Aggregate::Sum, ..query });
        }
        if question.count_end.is_some_and(|at| among(self.word(at), PARTS)) {
            return None;
        }
        for (at, column) in texts {
            let is_first = is_counted(at.start) || question.is_different;
            let is_had = (at.start.saturating_sub(2)..at.start)
                .any(|before| among(self.word(before), "have has with haben hat mit"));
            if is_first && question.aggregate == Aggregate::Count {
                if question.is_different || self.repeats(*column) {
                    query = TableQuery { aggregate: Aggregate::Different, measure: Some(*column), ..query };
                }
            } else if is_had && matches!(self.table.columns[*column].kind, ColumnKind::Text) {
                query.conditions.push(Condition::HasText { column: *column });
            } else {
                return None;
            }
        }
        let is_whole =
            question.aggregate != Aggregate::Share || query.conditions.len() == 1 && query.group.is_none();
        let is_of_other = question.is_different && query.aggregate != Aggregate::Different;
        (is_whole && !is_of_other).then_some(query)
    }

    /// "Who has the highest donation?", "Which city has the most members?"
    fn extreme(&self, query: TableQuery, texts: &[(Range<usize>, usize)]) -> Fit {
        let question = self.question;
        let missing = || Fit::Missing(Vec::new());
        let asked = match texts {
            [] => None,
            [(_, column)] => Some(*column),
            _ => return missing(),
        };
        let top = Some(question.top.unwrap_or(1));
        // "Who donated the most?" adds up where a name has several rows.
        let name = asked.or_else(|| self.name_column());
        let adds_up =
            question.is_most && question.of_groups.is_none() && name.is_some_and(|name| self.repeats(name));
        if let (Some(_), Some(name), true, None) = (query.measure, name, adds_up, query.group) {
            return Fit::Query(TableQuery {
                aggregate: Aggregate::Sum,
                group: Some(Group::Cell(name)),
                top,
                ..query
            });
        }
        let group = query.group.or(asked.map(Group::Cell));
        match (query.measure, question.of_groups, group) {
            (Some(_), None, None) => Fit::Query(TableQuery { name: self.name_column(), top, ..query }),
            (Some(_), None, Some(Group::Cell(name))) if query.group.is_none() => {
                Fit::Query(TableQuery { name: Some(name), top, ..query })
            }
            (Some(_), Some(aggregate), Some(_)) => Fit::Query(TableQuery { aggregate, group, top, ..query }),
            (None, None, Some(_)) if query.group.is_none() && !self.is_person_asked() => {
                Fit::Query(TableQuery { aggregate: Aggregate::Count, group, top, ..query })
            }
            (None, ..) if asked.is_some_and(|_| self.is_person_asked()) => {
                Fit::NoNumbers(asked.unwrap_or_default())
            }
            _ => missing(),
        }
    }

    /// Whether cells of a column are the same.
    fn repeats(&self, column: usize) -> bool {
        let cells: BTreeSet<&str> =
            (0..self.table.rows.len()).map(|row| self.table.cell(row, column)).collect();
        cells.len() < self.table.rows.len()
    }

    /// "Who has the highest …" asks for the row of a number.
    fn is_person_asked(&self) -> bool {
        self.question.words.iter().any(|word| matches!(word.lower.as_str(), "who" | "wer" | "whose"))
    }

    /// The column that says whose row it is: one that is called so, else that of words with the most different cells.
    fn name_column(&self) -> Option<usize> {
        let texts = self.columns(|kind| matches!(kind, ColumnKind::Text));
        let free =
            texts.into_iter().filter(|column| !self.conditions.iter().any(|one| one.column() == *column));
        let different = |column: usize| {
            let cells: BTreeSet<&str> =
                (0..self.table.rows.len()).map(|row| self.table.cell(row, column)).collect();
            let head = head_words(&self.table.columns[column].head);
            (head.iter().any(|word| among(word, NAMES)), cells.len())
        };
        // Of equal columns the first.
        free.map(|column| (different(column), std::cmp::Reverse(column))).max().map(|(_, column)| column.0)
    }
}

/// Whether a word may be left over.
fn is_filler(word: &str) -> bool {
    among(word, FILLERS) || among(word, GENERAL)
}

/// The condition of a time on a column of days.
fn day_condition(column: usize, time: &Time) -> Condition {
    let Some(year) = time.year else {
        return Condition::InMonth { column, month: time.month.unwrap_or(1) };
    };
    let first = match time.month {
        Some(month) => format!("{year:04}-{month:02}-01"),
        None => format!("{year:04}-01-01"),
    };
    let next = match time.month {
        Some(12) | None => format!("{:04}-01-01", year + 1),
        Some(month) => format!("{year:04}-{:02}-01", month + 1),
    };
    let (from, before) = match time.side {
        Side::In => (Some(first), Some(next)),
        Side::Before => (None, Some(first)),
        Side::After => (Some(next), None),
        Side::Since => (Some(first), None),
        Side::Until => (None, Some(next)),
    };
    Condition::In { column, from, before }
}

/// The words of a text as they are compared: in lower case, without accents.
fn normal(text: &str) -> String {
    let lower = text.to_lowercase();
    if lower.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return lower;
    }
    words(&lower).into_iter().map(|place| fold(&lower[place]).into_owned()).collect::<Vec<_>>().join(" ")
}

/// The words of a column's head or a table's name: `unit_price (EUR)` has three.
pub(crate) fn head_words(head: &str) -> Vec<String> {
    let apart = head.replace(['_', '-', '.', '/'], " ");
    normal(&apart).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A word with and without the endings that it may have elsewhere.
pub(crate) fn with_endings(word: &str) -> Vec<String> {
    if word.chars().count() < MIN_STEM || !word.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let bare =
        ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending)).filter(|bare| bare.len() >= MIN_STEM);
    bare.map(str::to_owned).chain(ENDINGS.iter().map(|ending| format!("{word}{ending}"))).collect()
}

/// Whether a word of a question is one of a head, in whatever form.
fn is_same(word: &str, head: &str) -> bool {
    let word = normal(word);
    word == head
        || with_endings(&word).iter().any(|other| other == head)
        || word.len().min(head.len()) > 2 && terms(&word) == terms(head)
}

#[cfg(test)]
mod tests {
    use oriel_core::{CancelToken, Kind};

    use super::*;
    use crate::question::sums::sum_question;

    const MEMBERS: &str = "name,age,city,status,donation,joined,paid\nAda Abt,20,Bonn,married,5,2023-05-03,yes\n\
        Bo Mohr,61,Köln,single,940,2024-05-13,no\nCleo Orth,46,Bonn,married,79,2024-06-01,yes\n\
        Dag Brix,59,Berlin,single,,2024-07-09,no\n";

    fn ask<T>(question: &str, csv: &str, and: impl FnOnce(Fit, &DocumentTable<'_>) -> T) -> T {
        let read = oriel_text::read(Kind::Csv, csv.as_bytes(), &oriel_text::Limits::default()).unwrap();
        let tables = DocumentTable::all(&read.text, &read.outline, Kind::Csv);
        let asked = sum_question(question).unwrap_or_else(|| panic!("{question}"));
        and(asked.fit(&tables[0], &["members".to_owned()], true).fit, &tables[0])
    }

    /// The number of the answer; of groups all of them.
    fn number(question: &str) -> String {
        ask(question, MEMBERS, |fit, table| match fit {
            Fit::Query(query) => {
                let found = query.run(table, "members", &CancelToken::new()).unwrap().unwrap();
                match (query.group, query.name) {
                    (Some(_), _) => {
                        let groups = found
                            .groups
                            .iter()
                            .take(query.top.unwrap_or(9))
                            .map(|(group, number, _)| format!("{group} {number}"));
                        groups.collect::<Vec<_>>().join(", ")
                    }
                    (None, Some(name)) => {
                        let rows = found.rows.iter().take(query.top.unwrap_or(1));
                        rows.map(|row| table.cell(*row, name)).collect::<Vec<_>>().join(", ")
                    }
                    _ => found.value.unwrap_or_default().to_string(),
                }
            }
            Fit::NoNumbers(column) => format!("no numbers in {}", table.columns[column].head),
            Fit::Missing(words) => format!("missing {}", words.join(" ")),
        })
    }

    #[test]
    fn questions_are_answered_from_the_rows_that_they_name() {
        for (question, wanted) in [
            ("How many are married?", "2"),
            ("How many members are there?", "4"),
            ("How many members live in Bonn?", "2"),
            ("How many members live in Bonn or Köln?", "3"),
            ("How many married members live in Bonn?", "2"),
            ("How many are over 50?", "2"),
            ("How many are older than 50 and single?", "2"),
            ("How many members have paid?", "2"),
            ("How many members have not paid?", "2"),
            ("How many joined in May?", "2"),
            ("How many joined in May 2024?", "1"),
            ("How many members joined before 2024?", "1"),
            ("How many different cities are there?", "3"),
            ("What is the sum of the donations?", "1024"),
            ("What is the total donation of the married members?", "84"),
            ("How much did Bo Mohr donate?", "940"),
            ("What is the average age?", "46.5"),
            ("Who has the highest donation?", "Bo Mohr"),
            ("Who is the youngest member?", "Ada Abt"),
            ("What are the two highest donations?", "Bo Mohr, Cleo Orth"),
            ("What is the sum of donations by status?", "single 940, married 84"),
            ("Which city has the most members?", "Bonn 2"),
            ("Which city has the most donations?", "Köln 940"),
            ("What is the number of single members?", "2"),
            ("Which status has the highest total donation?", "single 940"),
            ("How many members joined per year?", "2023 1, 2024 3"),
            ("What is the difference between the highest and the lowest donation?", "935"),
            (
                "What is the difference between the donations of married and single members?",
                "single 940, married 84",
            ),
            ("How much did Orth donate?", "79"),
            ("What is the sum of the statuses?", "no numbers in status"),
            ("Wie viele Members wohnen in Köln?", "1"),
        ] {
            assert_eq!(number(question), wanted, "{question}");
        }
    }

    #[test]
    fn a_word_that_nothing_accounts_for_is_no_answer() {
        for (question, left) in [
            ("What is the sum of the bonuses?", "bonuses"),
            ("How many are divorced?", "divorced"),
            ("How many members live in Hamburg?", "live Hamburg"),
            ("How many members are not married?", "not"),
            ("How many members were born in 1980?", "born"),
            ("What is the total donation without Bo Mohr?", "without"),
            ("How many members are married or over 50?", "or"),
            ("What is the highest mountain?", "mountain"),
            ("How much did Ada Berg donate?", "Ada Berg"),
        ] {
            assert_eq!(number(question), format!("missing {left}"), "{question}");
        }
        assert_eq!(sum_question("What is the phone number of Ada Abt?"), None);
        assert!(ask("How many columns are there?", MEMBERS, |fit, _| matches!(fit, Fit::Missing(_))));
        let unclear = |fit, _: &DocumentTable<'_>| matches!(fit, Fit::Missing(_));
        let places = "name,birthplace,residence\nAda,Bonn,Köln\nBo,Köln,Bonn\n";
        assert!(ask("How many live in Bonn?", places, unclear), "it is in two columns");
        let prices = "part,unit price,total price\nPipe,2,4\nTap,3,9\n";
        assert!(ask("What is the average price?", prices, unclear), "two columns are prices");
    }
}
