//! The TypeScript of commands, events and payloads is up to date.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use oriel_core::Notice;
use serde_json::{Value, json};
use ts_rs::{Config, TS as _};

use super::{Commands, Events, IpcError};

/// Fails if the generated files are out of date. `ORIEL_WRITE_TYPES=1 cargo test typescript` writes them.
#[test]
fn typescript() {
    let made = tempfile::tempdir().unwrap();
    let config = Config::new().with_out_dir(made.path()).with_large_int("number");
    Commands::export_all(&config).unwrap();
    Events::export_all(&config).unwrap();
    IpcError::export_all(&config).unwrap();
    let types = std::fs::read_to_string(made.path().join("types.ts")).unwrap();
    // Comments without lines of their own for their marks.
    let short = types.replace("/**\n * ", "/** ").replace("\n */\n", " */\n");
    assert_up_to_date("ui/src/ipc/types.ts", &short);
    let samples: Vec<_> = samples(&types)
        .into_iter()
        .map(|notice| {
            let english = serde_json::from_value::<Notice>(notice.clone()).unwrap().to_string();
            json!({"notice": notice, "english": english}).to_string()
        })
        .collect();
    assert_up_to_date("ui/tests/fixtures/notices.json", &format!("[\n{}\n]\n", samples.join(",\n")));
}

fn assert_up_to_date(file: &str, made: &str) {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("ORIEL_WRITE_TYPES").is_some() {
        std::fs::write(&file, made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(made == kept, "{} is out of date; run make types", file.display());
}

/// Notices of every code, for the UI's test of its English texts. They are made from the TypeScript, so that none is
/// missing: each field has a value, and each value of a field that is one of a few occurs.
fn samples(types: &str) -> Vec<Value> {
    let declared: HashMap<&str, &str> = types
        .split("\nexport type ")
        .filter_map(|one| one.split_once(" = "))
        .map(|(name, rest)| (name, rest.split(";\n").next().unwrap_or(rest)))
        .collect();
    let values = |name: &str, kind: &str| {
        let kind_of_value = kind.trim_end_matches(" | null");
        let mut values = match kind_of_value {
            "string" => vec![json!(format!("the {name}"))],
            "number" => vec![json!(2)],
            "boolean" => vec![json!(false), json!(true)],
            "Notice" => vec![json!({"code": "text", "text": format!("the {name}")})],
            word => declared[word].split('"').skip(1).step_by(2).map(|word| json!(word)).collect(),
        };
        values.extend((kind != kind_of_value).then_some(Value::Null));
        values
    };
    let mut samples = Vec::new();
    for variant in declared["Notice"].split(" } | { ") {
        let (code, rest) = variant.split_once("\"code\": \"").unwrap().1.split_once('"').unwrap();
        let fields: Vec<_> = rest
            .split(',')
            .filter_map(|field| field.trim().trim_end_matches(" }").split_once(": "))
            .map(|(name, kind)| (name, values(name, kind)))
            .collect();
        let turns = fields.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
        samples.extend((0..turns).map(|turn| {
            let fields =
                fields.iter().map(|(name, values)| ((*name).to_owned(), values[turn % values.len()].clone()));
            Value::Object(fields.chain([("code".to_owned(), json!(code))]).collect())
        }));
    }
    samples
}
