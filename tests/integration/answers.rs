//! Answers: cited, checked, or refused.

use serde_json::Value;

use crate::oriel::{Oriel, folded, text};

const BATTERY: &str = "How long does the battery keep the hands of a Petrel moving after a power cut?";
const UNANSWERABLE: &str = "Who won the football world cup in 1998?";

fn check_shape(answer: &Value) {
    let passages = answer["passages"].as_array().unwrap();
    for sentence in answer["sentences"].as_array().unwrap() {
        assert!(!text(&sentence["text"]).is_empty());
        let citations = sentence["citations"].as_array().unwrap();
        for citation in citations {
            let n = citation.as_u64().unwrap();
            assert!((1..=passages.len() as u64).contains(&n), "citation {n} leads nowhere");
        }
        assert!(sentence["supported"] == false || !citations.is_empty(), "supported by nothing: {sentence}");
    }
    assert!((0.0..=1.0).contains(&answer["confidence"].as_f64().unwrap()));
}

#[test]
fn quotes_are_verbatim_and_cited() {
    let oriel = Oriel::with_sample();
    let answer = oriel.json(&["ask", BATTERY, "--model", "quotes"]);
    check_shape(&answer);
    assert_eq!((text(&answer["model"]), &answer["abstained"]), ("quotes", &Value::Bool(false)));
    assert!(text(&answer["answer"]).contains("72 hours"), "{}", answer["answer"]);
    for sentence in answer["sentences"].as_array().unwrap() {
        let n = usize::try_from(sentence["citations"][0].as_u64().unwrap()).unwrap();
        let passage = text(&answer["passages"][n - 1]["text"]);
        assert!(passage.contains(text(&sentence["text"])), "not verbatim: {sentence}");
    }
    assert!(text(&answer["passages"][0]["path"]).ends_with(".pdf"));
    assert!(answer["passages"][0]["page"].as_u64().unwrap() > 1);
}

#[test]
fn typing_errors_are_mended_and_the_other_language_is_read() {
    let oriel = Oriel::with(&[(
        "lease.txt",
        "Lease of the studio in Heron Lane.\n\nThe notice period is three months to the end of a quarter.\n\n\
         The coats in the cellar belong to the landlord.\n",
    )]);
    let asked = |question: &str| {
        let answer = oriel.json(&["ask", question, "--model", "quotes"]);
        let searched = text(&answer["parts"][0]["question"]).to_owned();
        (searched, text(&answer["answer"]).to_owned())
    };
    for question in [
        "How long is the notce perid?",
        "Wie lang ist die Kündigungsfrist?",
        "How long is the noitce period?",
    ] {
        let (searched, answer) = asked(question);
        assert_eq!(searched, "How long is the notice period?");
        assert!(answer.contains("three months"), "{question}: {answer}");
    }
    for question in ["Who owns the boats in the cellar?", "Who is Landlorn?"] {
        assert_eq!(asked(question).0, question, "what is a word, or a name, stays");
    }
    let verified = oriel.json(&["verify", "Die Kündigungsfrist ist drei Monate zum Ende des Quartals."]);
    assert_eq!(text(&verified["verdict"]), "supported", "{verified}");
}

#[test]
fn a_generated_answer_is_divided_checked_and_cited() {
    let oriel = Oriel::with(&[(
        "notes.txt",
        "The pump in the cellar was repaired in May 2023 by Idris Vaughan. It had been leaking for a year.\n\n\
         The keys of the workshop are kept in the green tin above the stove. Only Hester has a second set.\n\n\
         The rent of the workshop is £1,150 a month. It is paid on the first.\n",
    )]);
    let questions = [
        "Who repaired the pump in the cellar?",
        "Where are the keys of the workshop kept?",
        "What is the rent of the workshop?",
    ];
    let phrases = ["Idris Vaughan", "green tin", "£1,150"];
    let mut written = 0;
    for (answer, phrase) in oriel.batch("ask", &questions, &[]).into_iter().zip(phrases) {
        check_shape(&answer);
        let said = text(&answer["answer"]);
        assert!(said.contains(phrase) && said.split_whitespace().count() <= 8, "{said}");
        let (passage, place) = (&answer["passages"][0], &answer["sentences"][0]["places"][0]);
        let at = |key: &str| (place[key].as_u64().unwrap() - passage["start"].as_u64().unwrap()) as usize;
        let sentence = &text(&passage["text"])[at("start")..at("end")];
        assert!(sentence.contains(phrase), "{phrase} is cited with {sentence}");
        assert_eq!(answer["abstained"], false, "{answer}");
        let sentences = answer["sentences"].as_array().unwrap();
        assert!(sentences.iter().any(|sentence| sentence["supported"] == true), "{}", answer["answer"]);
        let timings = &answer["timings"];
        let first = timings["first_token_ms"].as_f64().unwrap();
        assert!(first > 0.0 && first <= timings["total_ms"].as_f64().unwrap(), "{timings}");
        assert!(timings["generate_ms"].as_f64().unwrap() > 0.0);
        written += usize::from(answer["model"] != "quotes");
    }
    assert!(written > 0, "nothing that the generator wrote was supported");
}

#[test]
fn a_claim_in_a_language_that_the_checker_does_not_read_is_compared_by_its_words() {
    let oriel = Oriel::with(&[(
        "gutschrift.txt",
        "Die Hälfte des Kaufpreises der Uhrwerke beträgt 4.717,50 Euro. Die Summe der Gutschrift ist 6.800,00 Euro. Die \
         Gutschrift wird mit Ihren nächsten beiden Rechnungen verrechnet.\n",
    )]);
    let verdict = |claim: &str| oriel.json(&["verify", claim])["verdict"].clone();
    assert_eq!(verdict("Die Gutschrift ist 6.800,00 Euro."), "supported");
    assert_eq!(verdict("Die Summe der Gutschrift ist 5.800,00 Euro."), "contradicted");
}

#[test]
fn a_question_in_parts_is_answered_part_by_part() {
    let oriel = Oriel::with(&[
        (
            "pump.txt",
            "The pump in the cellar was repaired in May 2023 by Idris Vaughan. It had been leaking.\n",
        ),
        ("keys.txt", "The keys of the workshop are kept in the green tin above the stove.\n"),
    ]);
    let question = "Who repaired the pump in the cellar, and where are the keys of the workshop kept?";
    let answer = oriel.json(&["ask", question, "--model", "quotes"]);
    check_shape(&answer);
    let parts = answer["parts"].as_array().unwrap();
    let of = |name: &str| parts.iter().map(|part| text(&part[name])).collect::<Vec<_>>();
    assert_eq!(
        of("question"),
        ["Who repaired the pump in the cellar?", "Where are the keys of the workshop kept?"]
    );
    assert!(of("text")[0].contains("Idris Vaughan") && of("text")[1].contains("green tin"), "{answer}");
    let cited = |sentence: &Value| {
        let n = usize::try_from(sentence["citations"][0].as_u64().unwrap()).unwrap();
        text(&answer["passages"][n - 1]["path"]).to_owned()
    };
    for sentence in answer["sentences"].as_array().unwrap() {
        let file = if text(&sentence["text"]).contains("keys") { "keys.txt" } else { "pump.txt" };
        assert!(cited(sentence).ends_with(file), "{sentence}");
    }

    let half = "Who repaired the pump in the cellar, and who won the football world cup in 1998?";
    let answer = oriel.json(&["ask", half, "--model", "quotes"]);
    let abstained: Vec<_> =
        answer["parts"].as_array().unwrap().iter().map(|part| &part["abstained"]).collect();
    assert_eq!(
        (abstained, &answer["abstained"]),
        (vec![&Value::Bool(false), &Value::Bool(true)], &Value::Bool(false))
    );
    let last = text(&answer["answer"]).lines().last().unwrap();
    assert_eq!(last, "Not found in your documents: Who won the football world cup in 1998?");

    let whole = oriel.json(&["search", question, "--as-typed"]);
    assert_eq!(whole["parts"].as_array().unwrap().len(), 1);
}

#[test]
fn a_question_is_asked_on_from_the_one_before() {
    let oriel =
        Oriel::with(&[("rent.txt", "The rent of the workshop was £900 in 2022. In 2023 it was £1,150.\n")]);
    let ask = |question: &str, flags: &[&str]| {
        oriel.json(&[&["ask", question, "--model", "quotes"], flags].concat())
    };
    assert_eq!(ask("What was the rent of the workshop in 2022?", &[]).get("searched"), None);
    let on = ask("And in 2023?", &["--continue"]);
    assert_eq!(text(&on["searched"]), "What was the rent of the workshop in 2023?");
    let on = ask("And in 2022?", &["--continue"]);
    assert_eq!(text(&on["searched"]), "What was the rent of the workshop in 2022?");
    ask("Who is the tenant?", &[]);
    assert_eq!(ask("Since when?", &["--continue"])["searched"], "Who is the tenant? Since when?");
}

#[test]
fn a_persons_own_words_find_what_the_documents_call_otherwise() {
    let oriel = Oriel::with(&[
        ("register.txt", "Parcel 117 at the mill race belongs to Demelza Pellow since 2019.\n"),
        ("minutes.txt", "Nobody spoke of K7 in the meeting of May.\n"),
    ]);
    let found = |oriel: &Oriel| {
        let parts = oriel.json(&["search", "Who owns K7?"])["parts"].clone();
        parts[0]["wordings"].as_array().unwrap().clone()
    };
    assert!(found(&oriel).is_empty());
    std::fs::write(oriel.library().join("glossary.txt"), "# ours\nK7: parcel 117 at the mill race\n")
        .unwrap();
    assert_eq!(found(&oriel), ["parcel 117 at the mill race"]);
    let passages = oriel.search(&["Who owns K7?"]);
    assert!(passages.iter().any(|passage| text(&passage["path"]).ends_with("register.txt")), "{passages:?}");
}

#[test]
fn what_is_not_in_the_documents_is_not_answered() {
    let oriel = Oriel::with_sample();
    for flags in [&["--model", "quotes"][..], &[]] {
        let answer = oriel.json(&[&["ask", UNANSWERABLE], flags].concat());
        assert_eq!(answer["abstained"], true, "{answer}");
        assert_eq!(text(&answer["answer"]), "I could not find an answer in your documents.");
        assert!(!answer["passages"].as_array().unwrap().is_empty(), "the nearest passages are still shown");
        assert_eq!(answer["sentences"], serde_json::json!([]));
    }
}

#[test]
fn a_claim_is_held_against_the_documents() {
    let oriel = Oriel::with(&[
        (
            "notes.txt",
            "The pump in the cellar was repaired in May 2023 by Idris Vaughan. It had been leaking for a year.\n\n\
             The keys of the workshop are kept in the green tin above the stove. Only Hester has a second set.\n",
        ),
        ("rent.txt", "The rent of the workshop rose to £1,150 a month. It is paid on the first."),
    ]);
    let verify = |claim: &str, flags: &[&str]| oriel.json(&[&["verify", claim], flags].concat());
    let held = verify("Idris Vaughan repaired the pump in May 2023.", &[]);
    assert_eq!(text(&held["verdict"]), "supported", "{held}");
    let place = &held["places"][0];
    let says = "The pump in the cellar was repaired in May 2023 by Idris Vaughan.";
    assert_eq!((text(&place["text"]), &place["page"]), (says, &Value::Null));
    assert_eq!((place["start"].as_u64(), place["end"].as_u64()), (Some(0), Some(says.len() as u64)));
    assert!(text(&place["path"]).ends_with("notes.txt"));
    for (claim, reason, words) in [
        ("The rent of the workshop rose to £1,250 a month.", "other-number", Some(("1,250", "1,150"))),
        ("The rent of the workshop fell to £1,150 a month.", "opposite", Some(("fell", "rose"))),
        ("The keys of the workshop are not kept in the green tin above the stove.", "denial", None),
    ] {
        let held = verify(claim, &[]);
        assert_eq!((text(&held["verdict"]), text(&held["reason"])), ("contradicted", reason), "{held}");
        let pair = |of: &Value| Some((text(&of["claim"]).to_owned(), text(&of["passage"]).to_owned()));
        let difference = held.get("difference").and_then(pair);
        assert_eq!(difference, words.map(|(claim, passage)| (claim.to_owned(), passage.to_owned())));
        assert_eq!(held["places"].as_array().map(Vec::len), Some(1), "the sentence that says otherwise");
    }
    let elsewhere = verify(
        "The pump was repaired in May 2023.",
        &["--in", oriel.documents().join("rent.txt").to_str().unwrap()],
    );
    assert_eq!((text(&elsewhere["verdict"]), &elsewhere["places"]), ("not-found", &serde_json::json!([])));
    let printed = oriel.run(&["verify", "The rent of the workshop rose to £1,250 a month."]).stdout;
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.starts_with("Contradicted: the passage says “1,150”, not “1,250”"), "{printed}");
}

#[test]
fn every_document_that_mentions_a_thing_is_counted() {
    let clause = "The goods are delivered to the warehouse in Hull. Payment is due within thirty days.";
    let oriel = Oriel::with(&[
        (
            "a.txt",
            &format!("{clause} Either party may end this agreement with three months' notice in writing."),
        ),
        ("b.txt", &format!("{clause} The notice period is six weeks to the end of a quarter.")),
        ("c.txt", &format!("{clause} The warranty lasts two years.")),
        ("d.txt", clause),
        ("broken.pdf", "%PDF-1.7\nthis goes nowhere"),
    ]);
    let survey = oriel.json(&["mentions", "Which contracts mention a notice period?"]);
    let names = |documents: &Value| -> Vec<String> {
        let path = |one: &Value| text(&one["path"]).rsplit('/').next().unwrap().to_owned();
        documents.as_array().unwrap().iter().map(path).collect()
    };
    assert_eq!(names(&survey["documents"]), ["a.txt", "b.txt"], "{survey}");
    let counts = ["total", "read", "unreadable"].map(|name| survey[name].as_u64().unwrap());
    assert_eq!(counts, [5, 4, 1]);
    let sentence = &survey["documents"][1]["sentences"][0];
    assert_eq!(text(&sentence["text"]), "The notice period is six weeks to the end of a quarter.");
    let answer = oriel.json(&["ask", "How many contracts mention a notice period?", "--model", "quotes"]);
    check_shape(&answer);
    let count = text(&answer["answer"]);
    assert!(count.starts_with("2 of 4 documents ") && count.contains(" mention a notice period"), "{count}");
    assert!(count.ends_with("[1][2]"), "{count}");
    assert_eq!(answer["survey"]["documents"], survey["documents"]);
    for (passage, document) in answer["passages"].as_array().unwrap().iter().zip(["a.txt", "b.txt"]) {
        assert!(text(&passage["path"]).ends_with(document));
    }
    let none = oriel.json(&["ask", "How many contracts mention a helicopter?", "--model", "quotes"]);
    assert_eq!(text(&none["answer"]), "None of 4 documents mentions a helicopter.");
}

#[test]
fn a_table_quotes_what_each_document_answers() {
    let oriel = Oriel::with(&[
        ("a.txt", "The lease of the flat begins in May 2021. The yearly rent of the flat is £9,600."),
        ("b.txt", "The lease of the garage begins in June 2022. The yearly rent of the garage is £1,300."),
        ("c.txt", "The keys are kept in the green tin above the stove."),
    ]);
    let csv = oriel.documents().with_file_name("table.csv");
    let questions = ["What is the yearly rent?", "When does the lease begin?"];
    let table = oriel.json(&["table", questions[0], questions[1], "--csv", csv.to_str().unwrap()]);
    let words = |row: usize, column: usize| {
        let quotes = table["rows"][row]["cells"][column]["quotes"].as_array().unwrap();
        quotes.iter().map(|quote| text(&quote["words"]).to_owned()).collect::<Vec<_>>()
    };
    assert!(words(0, 0)[0].contains("9,600") && words(0, 1)[0].contains("May 2021"), "{table}");
    assert!(words(1, 0)[0].contains("1,300") && words(1, 1)[0].contains("June 2022"), "{table}");
    assert_eq!((words(2, 0), words(2, 1)), (Vec::new(), Vec::new()));
    let lines = std::fs::read_to_string(csv).unwrap();
    assert_eq!(lines.lines().count(), 4);
    assert!(lines.contains("not found"), "{lines}");
}

#[test]
fn claims_of_a_file_are_each_held_against_their_own_documents() {
    let oriel = Oriel::with(&[
        ("a.txt", "The rent of the workshop is £1,150 a month."),
        ("b.txt", "The rent of the boathouse is £900 a month."),
    ]);
    let line = |id: &str, claim: &str, file: &str| {
        serde_json::json!({"id": id, "claim": claim, "in": oriel.documents().join(file)}).to_string()
    };
    let claim = "The rent of the workshop is £1,150 a month.";
    let batch =
        oriel.write("claims.jsonl", [line("1", claim, "a.txt"), line("2", claim, "b.txt")].join("\n"));
    let held = oriel.run(&["--json", "verify", "--batch", batch.to_str().unwrap()]);
    let lines: Vec<Value> = String::from_utf8(held.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let verdicts: Vec<_> = lines.iter().map(|line| (text(&line["id"]), text(&line["verdict"]))).collect();
    assert_eq!(verdicts[0], ("1", "supported"));
    assert!(verdicts[1].0 == "2" && verdicts[1].1 != "supported", "{verdicts:?}");
}

#[test]
fn an_empty_library_answers_that_it_found_nothing() {
    let oriel = Oriel::new();
    let answer = oriel.json(&["ask", "What is the rent?"]);
    assert_eq!((&answer["abstained"], answer["confidence"].as_f64()), (&Value::Bool(true), Some(0.0)));
}

#[test]
fn a_batch_answers_each_question_with_its_id() {
    let oriel =
        Oriel::with(&[("rent.txt", "The rent of the workshop is £1,150 a month. It is paid on the first.")]);
    let answers =
        oriel.batch("ask", &["What is the rent of the workshop?", UNANSWERABLE], &["--model", "quotes"]);
    assert!(text(&answers[0]["answer"]).contains("£1,150"));
    assert_eq!(answers[1]["abstained"], true);
}

#[test]
fn an_answer_in_the_terminal_shows_the_sentence_in_its_window() {
    let oriel = Oriel::with_sample();
    let output = oriel.run(&["ask", BATTERY, "--model", "quotes"]);
    let printed = folded(&String::from_utf8(output.stdout).unwrap());
    assert!(printed.contains("72 hours") && printed.contains(".pdf, page "), "{printed}");
    let sentence =
        printed.split('»').nth(1).and_then(|rest| rest.split('«').next()).expect("a marked sentence");
    assert!(!sentence.trim().is_empty());
    assert!(!printed.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn a_passage_of_a_spreadsheet_names_its_sheet_and_row() {
    let row = |cells: [&str; 2]| {
        let cells = cells.map(|cell| format!("<table:table-cell><text:p>{cell}</text:p></table:table-cell>"));
        format!("<table:table-row>{}</table:table-row>", cells.concat())
    };
    let rows = [["Item", "Price"], ["Paint", "£4"], ["Anchor rope", "£9"]].map(row).concat();
    let book = format!(
        "<office:document office:mimetype='application/vnd.oasis.opendocument.spreadsheet'><office:body><office:spreadsheet>\
         <table:table table:name='Prices'>{rows}</table:table></office:spreadsheet></office:body></office:document>"
    );
    let oriel = Oriel::with(&[("shop.fods", &book)]);
    let search = ["search", "What is the price of the anchor rope?"];
    let passage = &oriel.json(&search)["passages"][0];
    assert_eq!((text(&passage["sheet"]), passage["row"].as_u64()), ("Prices", Some(3)), "{passage}");
    let printed = String::from_utf8(oriel.run(&search).stdout).unwrap();
    assert!(printed.contains("shop.fods, Prices, row 3"), "{printed}");
}

#[test]
fn a_document_cannot_steer_the_terminal() {
    let oriel =
        Oriel::with(&[("evil.txt", "The red\u{1b}[31m pump\u{7} was repaired in \u{1b}]0;owned\u{7} May.")]);
    let output = oriel.run(&["search", "When was the pump repaired?"]);
    assert!(!output.stdout.contains(&0x1b) && !output.stdout.contains(&0x07));
}
