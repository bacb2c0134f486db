//! The whole segmenter: its results for each kind, and properties for any input.

use std::time::{Duration, Instant};

use oriel_core::{Kind, PageMap};
use proptest::prelude::*;

use super::limit;
use crate::sentences;

fn texts(text: &str, kind: Kind) -> Vec<&str> {
    let found = sentences(text, kind, &PageMap::default());
    found.iter().map(|sentence| sentence.span.of(text).expect("a span within the text")).collect()
}

#[test]
fn wrapped_lines_are_one_sentence() {
    let text = "It was a cold \nnight in the city. The\nlamps were out.\n\nA heading\n\nMore.";
    assert_eq!(
        texts(text, Kind::Text),
        ["It was a cold \nnight in the city.", "The\nlamps were out.", "A heading", "More."]
    );
}

#[test]
fn a_heading_above_its_paragraph_stands_by_itself() {
    let text =
        "Scavenger Hunt Trophy\nThe team will judge the hunt and all decisions will be final in this.\n";
    assert_eq!(texts(text, Kind::Text).len(), 2);
}

#[test]
fn lists_rows_and_contents_are_told_from_prose() {
    let text = "Contents ........ 3\nIndex ........ 9\n\n• one item\n• another item\n\nCity   Size   Age\nParis   2   9\n";
    assert_eq!(
        texts(text, Kind::Text),
        [
            "Contents ........ 3",
            "Index ........ 9",
            "• one item",
            "• another item",
            "City   Size   Age",
            "Paris   2   9"
        ]
    );
}

#[test]
fn a_table_row_keeps_its_figures() {
    let text = "                Year  2023  2022\nNet sales  14,694  (28)\nIncome attributable to\n\
                owners (in million)  1,048  805\n(55)  31\n\nThe rates fell in March (2023) but rose later. They fell.\n\n17\n";
    assert_eq!(
        texts(text, Kind::Pdf),
        [
            "Year  2023  2022",
            "Net sales  14,694  (28)",
            "Income attributable to\nowners (in million)  1,048  805\n(55)  31",
            "The rates fell in March (2023) but rose later.",
            "They fell."
        ]
    );
    assert_eq!(texts("Net sales  14,694  (28) A  (31) B\n", Kind::Html).len(), 1);
}

#[test]
fn spaces_and_dots_in_prose_are_no_table() {
    let text = "It was good....... and cheap.   We liked it. Then we left.\n";
    assert_eq!(texts(text, Kind::Text).len(), 3);
}

#[test]
fn notes_in_brackets_make_no_list() {
    let text = "One study (12) Found it. Another did not. A third (13) Agrees with it. So it is.";
    assert_eq!(texts(text, Kind::Text).len(), 4);
}

#[test]
fn numbers_begin_sentences() {
    assert_eq!(texts("他来了。1923年他走了。", Kind::Text), ["他来了。", "1923年他走了。"]);
    assert_eq!(
        texts("Wir waren zufrieden. 5 Sterne! Das Lokal im 6. Stock ist neu.", Kind::Text),
        ["Wir waren zufrieden.", "5 Sterne!", "Das Lokal im 6. Stock ist neu."]
    );
    assert_eq!(
        texts("Dienstag, 14. Mai 2024. Es regnet.", Kind::Text),
        ["Dienstag, 14. Mai 2024.", "Es regnet."]
    );
}

#[test]
fn the_number_of_a_clause_stays_with_it() {
    for clause in [
        "7. Termination",
        "7.2 The lender may end the loan at once.",
        "7.2. The lender may end it.",
        "(a) the fee is unpaid;",
        "a) The fee is unpaid.",
        "a. The fee is unpaid.",
        "iv. The fee is unpaid.",
        "(iv) The fee is unpaid.",
        "IV. The fee is unpaid.",
        "A. The fee is unpaid.",
        "12) The fee is unpaid.",
        "§ 4 The fee is due.",
        "§ 4. The fee is due.",
        "Article II The fee is due.",
        "Article II. The fee is due.",
        "Art. 4 The fee is due.",
        "Section 3. The fee is due.",
        "1st The fee is due.",
        "01. The fee is due.",
        "• The fee is due.",
        "☑ The fee is due.",
    ] {
        assert_eq!(texts(clause, Kind::Docx), [clause]);
    }
}

#[test]
fn latex_quotes_are_quotes() {
    let text = "Der Fall ist alt. ``Wir prüfen das'', sagte er. ``Es dauert.'' Mehr ist nicht bekannt.";
    assert_eq!(texts(text, Kind::Text).len(), 4);
}

#[test]
fn citation_marks_stay_with_their_sentence() {
    let text = "The town grew.[12] It then fell. [3][4] See Fig. 3 for (Smith et al. 2019) more.";
    assert_eq!(
        texts(text, Kind::Text),
        ["The town grew.[12]", "It then fell. [3][4]", "See Fig. 3 for (Smith et al. 2019) more."]
    );
}

#[test]
fn markdown_marks_are_no_part_of_a_sentence_but_for_those_of_tasks() {
    let text = "---\ntitle: A note\n---\n# Head *ing*\n\n> A **quote. It**\n> goes on.\n\n1. First [link](http://a.b/c?d=1). Second.\n- [ ] task `a.b()` done\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```rs\nlet x = 1;\n\nlet y = 2;\n```\n<p>Some <b>bold</b> words.</p>\n";
    assert_eq!(
        texts(text, Kind::Markdown),
        [
            "title: A note",
            "Head *ing*",
            "A **quote.",
            "It**\n> goes on.",
            "First [link](http://a.b/c?d=1).",
            "Second.",
            "[ ] task `a.b()` done",
            "A | B",
            "1 | 2",
            "let x = 1;",
            "let y = 2;",
            "Some <b>bold</b> words.",
        ]
    );
}

#[test]
fn a_line_is_a_paragraph_in_html_and_docx() {
    let text = "Title\nOne. Two.\nName\tAge\n";
    assert_eq!(texts(text, Kind::Docx), ["Title", "One.", "Two.", "Name\tAge"]);
    assert_eq!(texts(text, Kind::Html), ["Title", "One.", "Two.", "Name\tAge"]);
}

#[test]
fn a_sentence_has_the_page_of_its_first_byte() {
    let text = "One goes\nover the page. Two.";
    let pages = PageMap(vec![0, 9]);
    let found = sentences(text, Kind::Pdf, &pages);
    assert_eq!(found.iter().map(|sentence| sentence.page).collect::<Vec<_>>(), [Some(1), Some(2)]);
}

#[test]
fn the_work_is_linear_in_any_text() {
    const SIZE: usize = 256 << 10;
    let units = [
        "a",
        "a. ",
        "\n",
        "- ",
        "> ",
        "[",
        "(\"",
        "« \"x\" ",
        "a\n",
        "*a ",
        "<a ",
        "1. ",
        "| a ",
        "`",
        "a\n\n",
        "。",
        "  a\n",
        "[a](",
        "\t",
        "A sentence of some words. ",
        "[[",
        "![",
        "- a\n",
        "&",
        "<!-",
        "\n>",
        "*a_ ",
        "``a'' ",
        "(1) A ",
        "a.1 ",
        "end. 1 ",
        "a  b\n",
        "1\n\n",
        "。1",
        "• a ",
        ".)",
    ];
    for unit in units {
        let text = unit.repeat(SIZE / unit.len());
        for kind in [Kind::Text, Kind::Markdown, Kind::Html] {
            let start = Instant::now();
            let found = sentences(&text, kind, &PageMap::default());
            let took = start.elapsed();
            assert!(
                took < Duration::from_secs(60),
                "{unit:?} as {kind}: {took:?}, {} sentences",
                found.len()
            );
        }
    }
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::ALL.to_vec())
}

/// Text with many characters that the segmenter treats specially.
fn texts_like_documents() -> impl Strategy<Value = String> {
    let parts = vec![
        "word",
        "Name",
        "é",
        "語",
        "。",
        ".",
        "?",
        "!",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "- ",
        "* ",
        "> ",
        "# ",
        "1. ",
        "[",
        "]",
        "(",
        ")",
        "[12]",
        "**",
        "`",
        "```\n",
        "|",
        "\n|---|\n",
        "<b>",
        "</p>",
        "<!--",
        "-->",
        "&amp;",
        "Fig.",
        "No.",
        "et al.",
        "\"",
        "'",
        "“",
        "…",
        "...",
        "\u{ad}",
        "\u{200b}",
        "🦀",
        "\u{c}",
        "---\n",
        "\\",
        "[[a|b]]",
        "![x](y)",
        "<script>",
        "~~",
        "    ",
        "http://a.b/c",
        "٣",
        "Ⅷ",
    ];
    prop::collection::vec(prop::sample::select(parts), 0..80).prop_map(|parts| parts.concat())
}

fn check_spans(text: &str, kind: Kind) -> Result<(), TestCaseError> {
    let mut end = 0;
    for sentence in sentences(text, kind, &PageMap(vec![0])) {
        let span = sentence.span;
        prop_assert!(span.start >= end, "overlap at {span:?}");
        let slice = span.of(text);
        prop_assert!(slice.is_some(), "off a boundary: {span:?}");
        let slice = slice.unwrap_or_default();
        prop_assert_eq!(slice, slice.trim());
        prop_assert!(slice.contains(char::is_alphanumeric), "nothing to read in {slice:?}");
        prop_assert!(limit::fits(slice), "too long");
        prop_assert_eq!(sentence.page, Some(1));
        end = span.end;
    }
    Ok(())
}

fn check_cover(text: &str) -> Result<(), TestCaseError> {
    for kind in [Kind::Text, Kind::Pdf, Kind::Html, Kind::Docx] {
        let kept: String = texts(text, kind).concat().chars().filter(|c| c.is_alphabetic()).collect();
        let all: String = text.chars().filter(|c| c.is_alphabetic()).collect();
        prop_assert_eq!(kept, all, "as {}", kind);
    }
    Ok(())
}

#[test]
fn numbers_that_nobody_looks_for_are_no_sentences() {
    for number in ["(28)", "2023)", "17"] {
        assert_eq!(
            texts(&format!("Revenue rose.\n\n{number}\n\nCosts fell."), Kind::Text),
            ["Revenue rose.", "Costs fell."]
        );
    }
    for number in ["+49 30 123456", "€ 950", "12,5 %", "1.3.24", "80331"] {
        assert_eq!(texts(number, Kind::Text), [number]);
    }
    assert_eq!(texts("1.5\t2023\t7", Kind::Csv), ["1.5\t2023\t7"], "a row");
}

proptest! {
    #[test]
    fn spans_are_sound_for_any_string(text in any::<String>(), kind in kinds()) {
        check_spans(&text, kind)?;
    }

    #[test]
    fn spans_are_sound_for_texts_like_documents(text in texts_like_documents(), kind in kinds()) {
        check_spans(&text, kind)?;
    }

    #[test]
    fn no_letter_is_lost(text in texts_like_documents()) {
        check_cover(&text)?;
    }

    #[test]
    fn no_letter_of_any_string_is_lost(text in any::<String>()) {
        check_cover(&text)?;
    }
}
