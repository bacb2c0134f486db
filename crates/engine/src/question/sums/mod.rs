//! Questions for a count, a sum, an average or a highest number over the rows of a table: "How many are married?"
//!
//! The words alone decide what is computed, and which comparisons and times it has; `words` parses them with `lists`. The remaining
//! words must match a table: `fit` does that with `matching` and `conditions`, and `query` builds the query.

mod conditions;
pub(crate) mod fit;
pub(crate) mod lists;
pub(crate) mod matching;
pub(crate) mod query;
pub(crate) mod words;

use oriel_text::numbers::{Value, value};

use crate::library::table_query::Aggregate;
use crate::question::language::detect::is_german;
use crate::question::sums::lists::{
    AVERAGE, CHECKING, COMMON, COUNT, DIFFERENCE, DIFFERENT, HIGHEST, LOWEST, MOST, MUCH, SHARE, SUM, Sense,
    is_currency,
};
use crate::question::sums::words::{AskedWord, Comparison, Time, Words, is_number};
use oriel_text::list_contains;

/// A question for a number over the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SumQuestion {
    pub(crate) words: Vec<AskedWord>,
    pub(crate) aggregate: Aggregate,
    /// What is computed for each group, if the group with the highest or lowest result is asked for.
    pub(crate) of_groups: Option<Aggregate>,
    /// The index after "how many".
    pub(crate) count_end: Option<usize>,
    /// Whether the question names the sum or the average, not only "how much".
    pub(crate) is_plain: bool,
    /// Whether only "by" or "per" shows that a sum is asked for.
    pub(crate) is_grouped: bool,
    pub(crate) is_different: bool,
    /// Whether "most" is asked for, not "highest": several rows may be added for it.
    pub(crate) is_most: bool,
    /// Whether the most frequent cell is asked for.
    pub(crate) is_common: bool,
    /// Whether the difference of two groups is asked for.
    pub(crate) is_difference: bool,
    pub(crate) top: Option<usize>,
    /// The kind of column whose highest or lowest number is asked for, if a word such as "oldest" shows it.
    pub(crate) sense: Option<Sense>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) times: Vec<Time>,
    /// Whether it is asked in German.
    pub is_german: bool,
}

/// What a question asks to compute over a table; `None` if it asks for no number.
pub(crate) fn sum_question(question: &str) -> Option<SumQuestion> {
    // A question mark inside separates two questions.
    if question.trim_end_matches(['?', '!', '.', ' ']).contains('?') {
        return None;
    }
    let mut words = Words::of(question);
    // A question for yes or no does not ask for a number.
    if words.0.first().is_none_or(|word| list_contains(&word.lower, CHECKING)) {
        return None;
    }
    let times = words.times(question);
    let comparisons = words.comparisons(&times);
    let difference = words.take_one(DIFFERENCE).is_some();
    let (sense, direction) = words.superlative();
    let share = words.take_one(SHARE).is_some();
    let count = words.take_one(COUNT).or_else(|| words.take_count()).or_else(|| words.take_number_of());
    let average = words.take_one(AVERAGE).is_some();
    // "The average number of members per city" needs two steps.
    if average && count.is_some() {
        return None;
    }
    let highest = words.take_one(HIGHEST);
    let lowest = words.take_one(LOWEST);
    let much = words.take_one(MUCH);
    let is_plain = words.take_all(SUM);
    let is_different = words.take_one(DIFFERENT).is_some();
    let found = highest.clone().or(lowest.clone());
    let top = found.as_ref().and_then(|at| words.take_number_beside(at));
    let money = count.as_ref().is_some_and(|at| words.takes_currency(at.end));
    let extreme = match (highest.is_some(), lowest.is_some(), direction) {
        (true, true, None) if difference => Some(Aggregate::Range),
        (true, false, None) => Some(Aggregate::Highest),
        (false, true, None) => Some(Aggregate::Lowest),
        (false, false, direction) => direction,
        _ => return None,
    };
    let has = |list: &str| {
        found.clone().is_some_and(|at| words.0[at].iter().any(|word| list_contains(&word.lower, list)))
    };
    let (is_most, is_common) = (has(MOST), has(COMMON));
    let computed = match (average, is_plain || much.is_some() || money || difference && count.is_none()) {
        (true, _) => Some(Aggregate::Average),
        (false, true) => Some(Aggregate::Sum),
        _ => None,
    };
    let is_grouped = words.0.iter().any(|word| matches!(word.lower.as_str(), "by" | "per" | "pro" | "je"));
    let (aggregate, of_groups) = match (extreme, computed) {
        (Some(extreme), _) if count.is_none() && !share && much.is_none() => (extreme, computed),
        (Some(_), _) => return None,
        (None, _) if share => (Aggregate::Share, None),
        (None, Some(Aggregate::Average)) => (Aggregate::Average, None),
        (None, _) if count.is_some() && !money => (Aggregate::Count, None),
        (None, Some(computed)) => (computed, None),
        (None, None) if is_grouped => (Aggregate::Sum, None),
        (None, None) => return None,
    };
    Some(SumQuestion {
        aggregate,
        of_groups,
        count_end: count.map(|at| at.end),
        is_plain: is_plain || average,
        is_grouped: is_grouped && computed.is_none(),
        is_different,
        is_most,
        is_common,
        top,
        sense,
        comparisons,
        times,
        is_difference: difference && aggregate != Aggregate::Range,
        is_german: is_german(question) || words.has_german(),
        words: words.0,
    })
}

/// A claim about a number that rows of a table have.
pub(crate) struct Claimed {
    /// The question that it answers.
    pub question: SumQuestion,
    pub number: ClaimedNumber,
}

/// A number as a claim has it.
pub(crate) struct ClaimedNumber {
    pub text: String,
    /// Whether it is a percentage.
    pub is_percent: bool,
}

impl ClaimedNumber {
    /// Whether it equals this number, rounded to its own decimals. Decimal points and commas of all languages count.
    pub(crate) fn is(&self, number: f64) -> bool {
        let unsigned = self.text.trim_start_matches('-');
        let sign = if unsigned.len() < self.text.len() { -1.0 } else { 1.0 };
        let rounds_to = |value: f64, decimals: usize| {
            let unit = (0..decimals).fold(1.0, |unit, _| unit / 10.0);
            (sign * value - number).abs() <= unit / 2.0 + 1e-9 * number.abs()
        };
        let decimals = || unsigned.rsplit(['.', ',']).next().map_or(0, str::len);
        match value(unsigned) {
            Some(Value::Plain(value)) if value.fract() == 0.0 => rounds_to(value, 0),
            Some(Value::Plain(value)) => rounds_to(value, decimals()),
            Some(Value::Ambiguous { whole, decimal, .. }) => rounds_to(whole, 0) || rounds_to(decimal, 3),
            None => false,
        }
    }
}

/// Words before the number of a claim.
const SAYS: &str = "is are was were to at ist sind war beträgt betragen bei";
/// Openings of claims that something exists.
const THERE: [&[&str]; 4] = [&["there", "are"], &["there", "is"], &["es", "gibt"], &["es", "sind"]];

/// A claim about a number of rows as the question that it answers, with its number: "The total of the donations is 940", "69 members
/// are married"; `None` if it is none.
pub(crate) fn sum_claim(claim: &str) -> Option<Claimed> {
    let words = Words::of(claim).0;
    let join =
        |words: &[AskedWord]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let is_percent = |word: &AskedWord| list_contains(&word.lower, "percent prozent");
    let number = |at: usize| {
        let after = words.get(at + 1).is_some_and(is_percent);
        let is_percent = after || claim[words[at].end..].trim_start().starts_with('%');
        ClaimedNumber { text: words[at].text.clone(), is_percent }
    };
    let is_claimed = |at: &usize| words.get(*at).is_some_and(|word| is_number(&word.lower));
    let last = (0..words.len()).rfind(is_claimed)?;
    let is_end = words[last + 1..].iter().all(|word| is_currency(&word.lower) || is_percent(word));
    if is_end && last > 0 && list_contains(&words[last - 1].lower, SAYS) {
        let question = sum_question(&join(&words[..last]))?;
        return Some(Claimed { question, number: number(last) });
    }
    let begins = |begin: &&&[&str]| begin.iter().zip(&words).all(|(one, word)| *one == word.lower);
    let first = THERE.iter().find(begins).map_or(0, |begin| begin.len());
    if !is_claimed(&first) {
        return None;
    }
    let number = number(first);
    let begin = first + 1 + usize::from(words.get(first + 1).is_some_and(is_percent));
    let rest = words.get(begin..).filter(|rest| !rest.is_empty())?;
    let is_german = words.iter().any(|word| list_contains(&word.lower, "sind gibt wohnen haben"));
    let (asking, aggregate) = match (number.is_percent, is_german) {
        (false, false) => ("How many", Aggregate::Count),
        (false, true) => ("Wie viele", Aggregate::Count),
        (true, false) => ("What percentage", Aggregate::Share),
        (true, true) => ("Wie viel Prozent", Aggregate::Share),
    };
    let question = sum_question(&format!("{asking} {}", join(rest)))?;
    (question.aggregate == aggregate).then_some(Claimed { question, number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::table_query::Operator;

    #[test]
    fn a_question_for_a_number_over_rows_says_what_is_computed() {
        use Aggregate::{Average, Count, Highest, Lowest, Range, Share, Sum};
        for (question, aggregate) in [
            ("How many are married?", Count),
            ("How many members are there in total?", Count),
            ("Wie viele Mitglieder wohnen in Bonn?", Count),
            ("What is the sum of the donations?", Sum),
            ("How much did Bo Mohr donate altogether?", Sum),
            ("How many euros were donated?", Sum),
            ("Wie hoch ist die Summe der Spenden?", Sum),
            ("What is the average age?", Average),
            ("Who has the highest donation?", Highest),
            ("Who is the youngest member?", Lowest),
            ("Which is the most expensive part?", Highest),
            ("What percentage of the members is married?", Share),
            ("What is the difference between the highest and the lowest donation?", Range),
        ] {
            let asked = sum_question(question).unwrap_or_else(|| panic!("{question}"));
            assert_eq!(asked.aggregate, aggregate, "{question}");
        }
        for question in
            ["When does the lease end?", "Who signed it?", "", "What does the report say about tides?"]
        {
            assert_eq!(sum_question(question), None, "{question}");
        }
    }

    #[test]
    fn a_claim_is_the_answer_to_a_question() {
        let claim = |text| sum_claim(text).map(|claimed| (claimed.question.aggregate, claimed.number.text));
        let wanted = |aggregate, number: &str| Some((aggregate, number.to_owned()));
        assert_eq!(claim("the total of the donations is 18,173"), wanted(Aggregate::Sum, "18,173"));
        assert_eq!(claim("Die Summe der Spenden beträgt 18.173 Euro."), wanted(Aggregate::Sum, "18.173"));
        assert_eq!(claim("69 members are married."), wanted(Aggregate::Count, "69"));
        assert_eq!(claim("The flea market paid 620 euros for the South Hall."), None);
        assert_eq!(claim("VAT is 19%"), None);
        assert_eq!(claim("50% of the members are married."), wanted(Aggregate::Share, "50"));
        assert_eq!(claim("50 Prozent der Mitglieder sind verheiratet."), wanted(Aggregate::Share, "50"));
        assert_eq!(claim("The total of the balances is -527.50."), wanted(Aggregate::Sum, "-527.50"));
    }

    #[test]
    fn numbers_times_and_counts_of_a_question_are_known() {
        let asked =
            sum_question("How many members over 50 donated between 1,000 and 2,000 in May 2024?").unwrap();
        let compared = asked.comparisons.iter().map(|one| (one.operator, one.value(false).unwrap()));
        assert_eq!(
            compared.collect::<Vec<_>>(),
            [(Operator::Over, 50.0), (Operator::AtLeast, 1000.0), (Operator::AtMost, 2000.0)]
        );
        assert_eq!(asked.times[0].text, "in May 2024");
        for (question, time) in [
            ("What is the sum of the donations from 2022 to 2024?", "from 2022 to 2024"),
            ("Wie hoch ist die Summe der Spenden von 2022 bis 2024?", "von 2022 bis 2024"),
            ("What is the total between 2022 and 2024?", "between 2022 and 2024"),
            ("Wie hoch ist die Summe von Januar bis März 2024?", "von Januar bis März 2024"),
            ("What is the total from January until March 2024?", "from January until March 2024"),
            ("How much did we spend today?", "today"),
        ] {
            let asked = sum_question(question).unwrap();
            assert_eq!((&asked.comparisons[..], &asked.times[0].text[..]), (&[][..], time), "{question}");
        }
        let under = &sum_question("How many members have a balance under -100?").unwrap().comparisons[0];
        assert_eq!(under.value(false), Some(-100.0));
        assert_eq!(sum_question("What is the average number of members per city?"), None);
        assert_eq!(sum_question("How many live in Bonn? And in Köln?"), None, "these are two questions");
        let top = |question| sum_question(question).unwrap().top;
        assert_eq!(
            (top("What are the top 3 donations?"), top("Nenne die drei höchsten Spenden")),
            (Some(3), Some(3))
        );
        assert!(sum_question("Wie viele sind älter als 50?").unwrap().comparisons[0].is_age);
    }
}
