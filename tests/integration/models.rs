//! The catalog for the user: the list, recommendations, models of other programs, messages of a download.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};

use crate::generator;
use crate::oriel::{Oriel, said};

const DEFAULT: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

fn find<'a>(listed: &'a Value, id: &str) -> &'a Value {
    let models = listed["models"].as_array().unwrap();
    models.iter().find(|model| model["id"] == id).unwrap_or_else(|| panic!("no {id} in {listed}"))
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_list_says_what_fits_and_recommends_one_of_each_role() {
    let oriel = Oriel::new();
    let listed = oriel.json(&["models", "list"]);
    let models = listed["models"].as_array().unwrap();
    assert!(models.len() > 20, "the catalog is short");
    for model in models {
        for field in ["id", "role", "state", "size", "memory", "fits", "licence", "languages", "recommended"]
        {
            assert!(!model[field].is_null(), "{field} is missing: {model}");
        }
    }
    for role in ["generator", "embedder", "reranker"] {
        let recommended = |model: &&Value| model["role"] == role && model["recommended"] == true;
        assert_eq!(models.iter().filter(recommended).count(), 1, "{role}");
    }
    let default = find(&listed, DEFAULT);
    assert_eq!((&default["state"], &default["in_use"]), (&json!("here"), &json!(true)));
    assert_eq!(find(&listed, "qwen3-8b-q4_k_m")["state"], "available");
    // A terminal shows the same, and the adapter of the default model.
    let adapter = default["adapter"]["id"].as_str().unwrap();
    let text = printed(&oriel.run(&["models", "list"]));
    assert!(
        text.contains("oriel models pull qwen3-8b-q4_k_m") && text.contains(&format!("* {DEFAULT}")),
        "{text}"
    );
    assert_eq!(text.matches(&format!(", with {adapter}\n")).count(), 1, "{text}");
}

#[test]
fn a_model_of_another_program_answers_where_it_lies() {
    let oriel = Oriel::with(&[("clock.md", "The battery keeps the hands moving for 72 hours.")]);
    let home = oriel.beside("home");
    let theirs = home.join(".lmstudio/models/qwen/coder/Tiny.gguf");
    fs::create_dir_all(theirs.parent().unwrap()).unwrap();
    let weights = generator::weights();
    fs::hard_link(&weights, &theirs).or_else(|_| fs::copy(&weights, &theirs).map(drop)).unwrap();
    let at_home = |arguments: &[&str]| {
        let mut command = oriel.command(arguments);
        command.env("HOME", &home).env_remove("XDG_CACHE_HOME").arg("--json");
        command.output().unwrap()
    };
    let json = |arguments: &[&str]| -> Value {
        let output = at_home(arguments);
        assert!(output.status.success(), "{}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let listed = json(&["models", "list"]);
    let found = find(&listed, "lm-studio/tiny");
    assert_eq!((&found["state"], &found["program"]), (&json!("found"), &json!("LM Studio")));
    assert_eq!(found["quantisation"], "Q4_K_M");
    assert_eq!(found["in_use"], false, "it serves only when chosen");
    let question = "How long does the battery keep the hands moving?";
    let answer = json(&["ask", question, "--model", "lm-studio/tiny"]);
    assert!(answer["answer"].as_str().unwrap().contains("72"), "{answer}");
    fs::remove_file(&theirs).unwrap();
    let gone = at_home(&["ask", question, "--model", "lm-studio/tiny"]);
    assert!(said(&gone).contains("there is no model 'lm-studio/tiny'"), "{}", said(&gone));
}

#[test]
fn a_download_that_cannot_begin_names_host_reason_and_way_out() {
    let oriel = Oriel::new();
    let output = oriel
        .command(&["models", "pull", "qwen3-0.6b-q8_0"])
        .env("HF_ENDPOINT", "https://127.0.0.1:1")
        .env("ORIEL_MODELS", oriel.beside("models"))
        .output()
        .unwrap();
    let line = said(&output);
    assert_eq!(output.status.code(), Some(1), "{line}");
    assert!(line.contains("639 MB from 127.0.0.1") && line.contains("try again"), "{line}");
    let left = fs::read_dir(oriel.beside("models")).map_or(0, |items| {
        items.flatten().filter(|item| !item.file_name().to_string_lossy().starts_with('.')).count()
    });
    assert_eq!(left, 0, "nothing is installed");
    let shipped = said(&oriel.run(&["models", "pull", "no-such-model"]));
    assert!(shipped.contains("there is no model 'no-such-model'"), "{shipped}");
}

#[test]
fn the_doctor_says_what_each_model_runs_on_and_how_fast() {
    let oriel = Oriel::new();
    let report = oriel.json(&["doctor"]);
    assert_eq!(report["ok"], true, "{report}");
    for role in ["generator", "embedder", "reranker"] {
        let models = report["models"].as_array().unwrap();
        let model = models.iter().find(|model| model["role"] == role).unwrap();
        assert!(model["speed"]["per_second"].as_f64().unwrap() > 0.1, "{model}");
        assert!(!model["speed"]["device"].as_str().unwrap().is_empty(), "{model}");
        assert!(model["speed"]["notice"].is_null(), "it is asked in its own form: {model}");
    }
    let listed = oriel.json(&["models", "list"]);
    let adapter = find(&listed, DEFAULT)["adapter"]["id"].as_str().unwrap();
    let generator = report["models"].as_array().unwrap().iter().find(|model| model["role"] == "generator");
    assert_eq!(generator.unwrap()["adapter"], adapter);
    let text = printed(&oriel.run(&["doctor"]));
    assert!(
        text.contains(&format!("Writes the answer: {DEFAULT} with {adapter} on "))
            && text.contains("words a second"),
        "{text}"
    );
}
