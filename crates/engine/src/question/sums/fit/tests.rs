//! Questions over one table, with what it says to them.

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
        ("What is the most common city?", "Bonn 2"),
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
