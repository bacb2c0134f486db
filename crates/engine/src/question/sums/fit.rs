//! Matches a question for a sum with one table: columns by their heads, rows by their cells.
//!
//! Every content word must match a column, a cell, a number, a time or the name of the table. If one is left over, the table does not
//! answer: a sum over the wrong rows looks as certain as one over the right rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use jiff::civil::Date;

use crate::library::columns::ColumnKind;
use crate::library::table_query::{Aggregate, Condition, Group, TableQuery};
use crate::library::tables::DocumentTable;
use crate::question::dates::Naming;
use crate::question::sums::SumQuestion;
use crate::question::sums::lists::{LIVING, Sense};
use crate::question::sums::matching::{head_words, is_same, normal, with_endings};
use crate::question::sums::words::AskedWord;
use oriel_text::list_contains;

/// Words that match nothing in a table and are ignored. Negations, "or" and "only" are not ignored: they change the meaning.
pub(super) const FILLERS: &str = "a an the of in on at for from to by with is are was were be been being do does did has have had there what which \
    who whom whose how me us our my we i you your it its their they them all any every these those this that as and than please tell \
    give show list calculate compute find get gets got gave given made make altogether together one ones \
    der die das den dem des ein eine einen einem einer und in im am an auf aus bei von vom zu zum zur für mit ist sind war waren wird \
    werden wurde wurden hat haben hatte hatten gibt es wer was welche welcher welches welchen wie hoch groß alle aller allen meine \
    unsere unserer ihre wir ich uns mir bitte nenne zeige nenn zeig betragen beträgt \
    quelle quel quels quelles qui combien est sont a ont quanto qual quali chi cuál cuanto cuánto quién es son hay hoeveel wie wat zijn quanto quem são \
    le la les de des du et il el los las y en un une una l d i gli dei delle del della het een van os as do da dos das e o";
/// Nouns for any table or row. They are ignored unless a column has that name.
const GENERAL: &str = "name names value values number numbers amount amounts people person persons row rows entry entries record records \
    line lines item items table sheet spreadsheet file column columns csv \
    leute person personen zeile zeilen eintrag einträge datensätze tabelle liste datei spalte wert werte zahl";
/// Negations of a column of yes and no.
pub(super) const NOT: &str = "not haven't hasn't didn't don't doesn't isn't aren't nicht";
/// Words that are understood without the table and need not occur in it.
const SIGNALS: &str = "by per each every pro je nach jede jeden jedes jedem jeder month months monat monate year years jahr jahre \
    or oder except without only other excluding besides no ohne außer nur kein keine keinen keiner";
/// Maximum number of words of a cell or head.
const MAX_WORDS: usize = 6;
/// Heads of columns of years.
pub(super) const YEARS: &str = "year jahr année año anno jaar ano";

/// The result of matching a question with a table.
#[derive(Debug, PartialEq)]
pub(crate) enum Fit {
    /// It answers.
    Query(TableQuery),
    /// It has no column or cell for these words.
    Missing(Vec<String>),
    /// A sum of this column is asked for, but it has no numbers.
    NoNumbers(usize),
}

/// A match of a question with a table.
#[derive(Debug, PartialEq)]
pub(crate) struct Fitted {
    pub fit: Fit,
    /// Whether the user chose the document, or the question names a column, a cell or the table.
    pub is_named: bool,
}

/// The state of matching a question with a table.
pub(super) struct Matching<'a> {
    pub question: &'a SumQuestion,
    pub table: &'a DocumentTable<'a>,
    pub today: Date,
    used: Vec<bool>,
    /// Words that are cells of a column.
    pub cells: Vec<Range<usize>>,
    /// Columns that are named, each with its words.
    pub heads: Vec<(Range<usize>, usize)>,
    pub conditions: Vec<Condition>,
    pub group: Option<Group>,
    /// The words that the table is called by.
    names: Vec<String>,
    pub is_named: bool,
}

impl SumQuestion {
    /// Matches the question, asked on the day `today`, with a table. `names` are names of the table: its file, its sheet. `is_chosen`:
    /// the user chose this document alone.
    pub(crate) fn fit(
        &self,
        table: &DocumentTable<'_>,
        names: &[String],
        is_chosen: bool,
        today: Date,
    ) -> Fitted {
        let used = self.words.iter().map(|word| word.used).collect();
        let mut matching = Matching {
            question: self,
            table,
            today,
            used,
            cells: Vec::new(),
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
    /// The words that a document or its name must contain to answer.
    pub(crate) fn sought(&self) -> impl Iterator<Item = &str> {
        let is_of_time = |at: usize| self.times.iter().any(|time| time.at.contains(&at));
        self.words.iter().enumerate().filter_map(move |(at, word)| {
            let lower = word.lower.as_str();
            let is_free = !word.used && !is_of_time(at) && Sense::of(lower).next().is_none();
            let is_other = is_filler(lower)
                || list_contains(lower, LIVING.0)
                || list_contains(lower, NOT)
                || list_contains(lower, SIGNALS);
            (is_free && !is_other).then_some(lower)
        })
    }
}

impl<'a> Matching<'a> {
    fn fit(&mut self) -> Fit {
        let is_clear = self.take_cells();
        // "This year" is not a column, but "2024" may be one.
        self.take_times(|naming| naming == Naming::Relative);
        self.take_heads();
        self.take_groups();
        let are_compared = self.question.comparisons.iter().all(|one| self.compare(one).is_some());
        self.take_times(|_| true);
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

    pub(super) fn word(&self, at: usize) -> &str {
        self.question.words.get(at).map_or("", |word| &word.lower)
    }

    pub(super) fn is_free(&self, at: &Range<usize>) -> bool {
        self.used[at.clone()].iter().all(|used| !used)
    }

    pub(super) fn mark(&mut self, at: Range<usize>) {
        self.used[at].iter_mut().for_each(|used| *used = true);
        self.is_named = true;
    }

    /// Runs of unmatched words that are not only fillers, longest first.
    fn runs(&self) -> Vec<Range<usize>> {
        let count = self.question.words.len();
        let runs = (1..=MAX_WORDS.min(count))
            .rev()
            .flat_map(|length| (0..=count - length).map(move |at| at..at + length));
        let has_content = |run: &Range<usize>| run.clone().any(|at| !list_contains(self.word(at), FILLERS));
        runs.filter(|run| self.is_free(run) && has_content(run)).collect()
    }

    fn key(&self, run: &Range<usize>) -> String {
        normal(&run.clone().map(|at| self.word(at)).collect::<Vec<_>>().join(" "))
    }

    /// The cells that equal a run of words, by column.
    fn found_cells<'r>(
        &self,
        runs: &'r [Range<usize>],
    ) -> HashMap<&'r Range<usize>, BTreeMap<usize, BTreeSet<&'a str>>> {
        let mut keys: HashMap<String, Vec<&'r Range<usize>>> = HashMap::new();
        for run in runs {
            let key = self.key(run);
            let others = if run.len() == 1 { with_endings(&key) } else { Vec::new() };
            for key in std::iter::once(key).chain(others) {
                keys.entry(key).or_default().push(run);
            }
        }
        let mut found: HashMap<_, BTreeMap<usize, BTreeSet<&'a str>>> = HashMap::new();
        let longest = keys.keys().map(String::len).max().unwrap_or_default();
        let texts = (0..self.table.columns.len())
            .filter(|at| matches!(self.table.columns[*at].kind, ColumnKind::Text));
        for column in texts {
            // Most columns of text have few different cells.
            let mut last = ("", false);
            for row in 0..self.table.rows.len() {
                let cell = self.table.cell(row, column);
                if cell.is_empty() || cell.len() > 2 * longest + 8 || last == (cell, false) {
                    continue;
                }
                let of_key = keys.get(&normal(cell));
                last = (cell, of_key.is_some());
                for run in of_key.into_iter().flatten() {
                    found.entry(*run).or_default().entry(column).or_default().insert(cell);
                }
            }
        }
        found
    }

    /// Takes words that are cells. Returns whether the column of each is clear.
    fn take_cells(&mut self) -> bool {
        let mut runs = self.runs();
        // "Sales" means the numbers of a column with this head.
        runs.retain(|run| {
            run.len() > 1 || !self.numeric().iter().any(|column| self.has_head(*column, self.word(run.start)))
        });
        let found = self.found_cells(&runs);
        let mut is_clear = true;
        for run in &runs {
            let Some(columns) = found.get(&run).filter(|_| self.is_free(run)) else { continue };
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
            // A cell that is spelt exactly as in the question is preferred to one with another ending.
            let key = self.key(run);
            let same: Vec<&&str> = cells.iter().filter(|cell| normal(cell) == key).collect();
            let cells = if same.is_empty() { cells.iter().collect() } else { same };
            self.condition(*column, cells.into_iter().map(|&cell| cell.to_owned()).collect());
            self.cells.push(run.clone());
            self.mark(run.clone());
        }
        is_clear
    }

    /// Whether the question contains a word of a column's head.
    pub(super) fn names_head(&self, column: usize) -> bool {
        self.question
            .words
            .iter()
            .any(|word| !list_contains(&word.lower, FILLERS) && self.has_head(column, &word.lower))
    }

    fn has_head(&self, column: usize, word: &str) -> bool {
        head_words(&self.table.columns[column].head).iter().any(|head| is_same(word, head))
    }

    /// Adds the condition that a row has one of these cells. Cells of a column with such a condition are added to it.
    pub(super) fn condition(&mut self, column: usize, cells: Vec<String>) {
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
        list_contains(self.word(run.start), FILLERS) || list_contains(self.word(run.end - 1), FILLERS)
    }

    /// "By status", "per month", "for each city".
    fn take_groups(&mut self) {
        for at in 0..self.question.words.len() {
            if !list_contains(self.word(at), "by per each every pro je nach jede jeden jedes jedem jeder") {
                continue;
            }
            let unit = self.word(at + 1).to_owned();
            let days: Vec<usize> = self.columns(|kind| matches!(kind, ColumnKind::Date(_)));
            let of_time = match (
                list_contains(&unit, "month months monat monate"),
                list_contains(&unit, "year years jahr jahre"),
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

    pub(super) fn columns(&self, is_it: impl Fn(&ColumnKind) -> bool) -> Vec<usize> {
        (0..self.table.columns.len()).filter(|at| is_it(&self.table.columns[*at].kind)).collect()
    }

    pub(super) fn numeric(&self) -> Vec<usize> {
        self.columns(|kind| matches!(kind, ColumnKind::Number(_)))
    }

    /// The only column with numbers of which the head is one of these words.
    pub(super) fn column_of(&self, heads: &str) -> Option<usize> {
        let is_it = |column: &usize| {
            head_words(&self.table.columns[*column].head).iter().any(|word| list_contains(word, heads))
        };
        match self.numeric().into_iter().filter(is_it).collect::<Vec<_>>()[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    pub(super) fn is_numeric(&self, column: usize) -> bool {
        self.table.columns[column].numbers().is_some()
    }

    /// Columns with numbers that are named.
    pub(super) fn numeric_heads(&self) -> Vec<usize> {
        let mut heads: Vec<usize> =
            self.heads.iter().map(|(_, column)| *column).filter(|one| self.is_numeric(*one)).collect();
        heads.dedup();
        heads
    }

    /// Takes words of the table's names.
    fn take_names(&mut self) {
        for at in 0..self.question.words.len() {
            if !self.used[at] && !is_filler(self.word(at)) && self.is_name(self.word(at)) {
                self.mark(at..at + 1);
            }
        }
    }

    pub(super) fn is_name(&self, word: &str) -> bool {
        self.names.iter().any(|name| is_same(word, name))
    }

    /// Takes verbs that ask for a column or belong to a condition: "cost", "live in".
    fn take_verbs(&mut self) {
        for at in 0..self.question.words.len() {
            if self.used[at] {
                continue;
            }
            let word = self.word(at).to_owned();
            let is_place = |one: &Condition| {
                let head = head_words(&self.table.columns[one.column()].head);
                head.iter().any(|head| list_contains(head, LIVING.1))
            };
            if list_contains(&word, LIVING.0) && self.conditions.iter().any(is_place) {
                self.mark(at..at + 1);
                continue;
            }
            for sense in Sense::of(&word) {
                let compared = self.conditions.iter().map(Condition::column);
                let named: Vec<usize> = self.numeric_heads().into_iter().chain(compared).collect();
                let column = self.column_of(sense.heads);
                let goes_with = |column: &usize| {
                    head_words(&self.table.columns[*column].head)
                        .iter()
                        .any(|head| list_contains(head, sense.heads))
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

    /// Takes "or" between two cells of one column.
    fn take_joints(&mut self) {
        let joins_cells = |one: &Condition| matches!(one, Condition::Is { values, .. } if values.len() > 1);
        if self.conditions.len() == 1 && self.conditions.iter().any(joins_cells) {
            for at in 0..self.question.words.len() {
                if list_contains(self.word(at), "or oder") && !self.used[at] {
                    self.mark(at..at + 1);
                }
            }
        }
    }

    /// Takes remaining names that are part of exactly one cell: "Müller" in "Müller GmbH".
    fn take_parts(&mut self) {
        let is_name = |word: &AskedWord| word.text.starts_with(char::is_uppercase);
        if self.question.aggregate != Aggregate::Sum || !self.left_words().any(is_name) {
            return;
        }
        for run in self.runs() {
            if !self.is_free(&run) || !self.question.words[run.clone()].iter().all(is_name) {
                continue;
            }
            // "Ada" alone is not "Ada Berg".
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

    /// The words that match nothing.
    fn left(&self) -> Vec<String> {
        self.left_words().map(|word| word.text.clone()).collect()
    }
}

/// Whether a word may remain unmatched.
fn is_filler(word: &str) -> bool {
    list_contains(word, FILLERS) || list_contains(word, GENERAL)
}

#[cfg(test)]
mod tests;
