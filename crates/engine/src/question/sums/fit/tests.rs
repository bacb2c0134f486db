//! Questions over one table, with what it says to them.

use jiff::civil::date;
use oriel_core::{CancelToken, Kind};

use super::*;
use crate::library::tables::Tables;
use crate::question::sums::sum_question;

const MEMBERS: &str = "name,age,city,status,donation,joined,paid\nAda Abt,20,Bonn,married,5,2023-05-03,yes\n\
    Bo Mohr,61,Köln,single,940,2024-05-13,no\nCleo Orth,46,Bonn,married,79,2024-06-01,yes\n\
    Dag Brix,59,Berlin,single,,2024-07-09,no\n";

fn ask<T>(question: &str, csv: &str, and: impl FnOnce(Fit, &DocumentTable<'_>) -> T) -> T {
    let read = oriel_text::read(Kind::Csv, csv.as_bytes(), &oriel_text::Limits::default()).unwrap();
    let tables = Tables::of(&read.text, &read.outline, Kind::Csv, &CancelToken::new()).unwrap().read;
    let asked = sum_question(question).unwrap_or_else(|| panic!("{question}"));
    let today = date(2024, 7, 20);
    and(asked.fit(&tables[0], &["members".to_owned()], true, today).fit, &tables[0])
}

/// The number of the answer; of groups all of them.
fn number(question: &str) -> String {
    number_of(question, MEMBERS)
}

fn number_of(question: &str, csv: &str) -> String {
    ask(question, csv, |fit, table| match fit {
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

#[test]
fn a_time_limits_the_days_or_the_years() {
    for (question, wanted) in [
        ("What is the sum of the donations from 2023 to 2024?", "1024"),
        ("Wie hoch ist die Summe der Donations von Januar bis Mai 2024?", "940"),
        ("What is the sum of the donations between 2022 and 2023?", "5"),
        ("How many joined last month?", "1"),
        ("How many joined since June?", "2"),
        ("How many joined today?", "0"),
    ] {
        assert_eq!(number(question), wanted, "{question}");
    }
    assert_eq!(number_of("How much did Ada donate today?", "name,donation\nAda,5\nBo,6\n"), "missing today");
    assert_eq!(number_of("How many members are there now?", "name,donation\nAda,5\nBo,6\n"), "missing now");
    let years = "year,amount\n2021,1\n2022,2\n2023,4\n2024,8\n";
    for (question, wanted) in [
        ("What is the total amount from 2022 to 2023?", "6"),
        ("What is the total amount before 2023?", "3"),
        ("What is the total amount this year?", "8"),
    ] {
        assert_eq!(number_of(question, years), wanted, "{question}");
    }
}

#[test]
fn a_number_is_of_the_column_that_is_meant() {
    let stock = "item,colour,quantity,price\nChair,red,40,9\nTable,red,6,20\nChair,blue,2,8\n";
    for (question, wanted) in [
        ("How many chairs do we have?", "42"),
        ("How many red chairs are there?", "40"),
        ("How many rows are there?", "3"),
        ("How many different items are there?", "2"),
        ("How many items do we have?", "missing "),
        ("How many are red?", "missing "),
        ("How many items cost more than 10?", "1"),
        ("What is the total quantity by price?", "9 40, 20 6, 8 2"),
    ] {
        assert_eq!(number_of(question, stock), wanted, "{question}");
    }
    assert_eq!(number_of("How many chairs do we have?", "item,number\nChair,40\nTable,6\n"), "missing ");
    let children = "name,city,status,children count\nAda,Bonn,married,2\nBo,Köln,single,1\n";
    assert_eq!(number_of("How many married members live in Bonn?", children), "1", "they are no children");
    let gave = "How many members gave more than 100?";
    assert_eq!(number(gave), "missing ", "an age is no gift");
    assert_eq!(number_of("How many are more than 50?", "name,age\nAda,5\nBo,60\n"), "1");
    for head in ["id", "member no", "year", "age", "unit price"] {
        let csv = format!("city,{head}\nBonn,2001\nBonn,2003\n");
        assert_eq!(number_of("What is the total for Bonn?", &csv), "missing ", "{head}");
    }
    assert_eq!(number_of("What is the total for Bonn?", "city,amount\nBonn,1\nBonn,3\n"), "4");
    let mails = "name,email\nAda,a@b.de\nBo,n/a\nCleo,-\nDag,\n";
    assert_eq!(number_of("How many have an email?", mails), "1");
}
