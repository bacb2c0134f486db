//! The command `eval`: measures a library on a file of questions, or makes such a file from it.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use oriel_api::{Searcher, model_to_get};
use oriel_core::ModelError;
use oriel_engine::{absolute, replace_file};
use oriel_eval::{
    EvaluationOptions, EvaluationProgress, EvaluationReport, EvaluationStage, Metric, QuestionFile, evaluate,
    generate_questions, report_page,
};
use oriel_models::{Choice, Role};
use serde_json::json;

use crate::arguments::EvalArguments;
use crate::output;
use crate::progress::Progress;
use crate::render::{counted, harmless};
use crate::search::{query_of, searcher};
use crate::session::Session;

pub(crate) fn run(session: &Session, arguments: &EvalArguments) -> anyhow::Result<()> {
    session.roles.choose(Choice { generator: arguments.model.clone(), ..Choice::default() });
    if arguments.answers || arguments.generate.is_some() {
        session.name_receiver();
    }
    match (&arguments.path, arguments.generate, &arguments.out) {
        (Some(path), _, _) => measure(session, arguments, path),
        (None, Some(wanted), Some(out)) => generate(session, wanted, out),
        // The arguments require one or the other.
        (None, _, _) => Ok(()),
    }
}

fn measure(session: &Session, arguments: &EvalArguments, path: &Path) -> anyhow::Result<()> {
    // Checks the file before the models are loaded, so that a bad one fails fast.
    let mut file = QuestionFile::read(path)?;
    if let Some(limit) = arguments.limit {
        file.limit(limit);
    }
    let searcher = searcher(session, &arguments.settings)?;
    let mut progress = Progress::new();
    let mut looking = |done: usize, total: usize| {
        progress.step("finding answers", "documents", done as u64, Some(total as u64));
    };
    let exam = file.find_in(searcher.library(), &mut looking, &session.cancel);
    progress.finish();
    let exam = exam?;
    for missing in &exam.missing {
        eprintln!("oriel: the library does not have {}; its questions count as missed", harmless(missing));
    }
    let generator = if arguments.answers { session.roles.generator()? } else { None };
    let options = EvaluationOptions {
        query: query_of(&arguments.settings, ""),
        compare: arguments.compare.clone(),
        answers: arguments.answers,
        generator,
    };
    let mut show = |EvaluationProgress { stage, done, total }| {
        let (arm, unit) = match stage {
            EvaluationStage::Embedding(arm) => (arm, "chunks"),
            EvaluationStage::Asking(arm) => (arm, "questions"),
        };
        progress.step(arm.name(), unit, done as u64, Some(total as u64));
    };
    let report = evaluate(&searcher, &exam, &options, &mut show, &session.cancel);
    progress.finish();
    let report = report?;
    // The figures are printed even if the report cannot be written.
    if session.json {
        output::json(&report)?;
    } else {
        output::text(&table(&report))?;
    }
    if let Some(target) = &arguments.report {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let target = absolute(target);
        replace_file(&target, report_page(&report, &name).as_bytes())
            .with_context(|| format!("the report {} cannot be written", target.display()))?;
    }
    Ok(())
}

fn generate(session: &Session, wanted: usize, out: &Path) -> anyhow::Result<()> {
    let generator = session
        .roles
        .generator()?
        .ok_or_else(|| ModelError::Absent { id: model_to_get(&session.roles, Role::Generator) })?;
    let searcher = Searcher::new(Arc::new(session.open()?), Arc::clone(&session.roles));
    let mut progress = Progress::new();
    let mut show = |done: usize, total: usize| {
        progress.step("making", "questions", done as u64, Some(total as u64));
    };
    let mut made = Vec::new();
    let mut keep = |question| {
        made.push(question);
        Ok(())
    };
    let (library, cancel) = (searcher.library(), &session.cancel);
    let ended =
        generate_questions(library, &*generator, wanted, &HashSet::new(), &mut keep, &mut show, cancel);
    progress.finish();
    ended?;
    let mut lines = String::new();
    for question in &made {
        lines.push_str(&serde_json::to_string(question)?);
        lines.push('\n');
    }
    let out = absolute(out);
    replace_file(&out, lines.as_bytes())
        .with_context(|| format!("the questions {} cannot be written", out.display()))?;
    if session.json {
        return output::json(&json!({ "questions": made.len(), "path": out.to_string_lossy() }));
    }
    output::text(&format!("{} in {}\n", counted(made.len(), "question"), harmless(&out.to_string_lossy())))
}

/// The most important figures, one row per arm; the report has all of them.
fn table(report: &EvaluationReport) -> String {
    let mut text = format!(
        "{}, {} with an answer; {}, {}; {:.0} s\n\n{:<24}",
        counted(report.questions, "question"),
        report.answerable,
        counted(report.documents, "document"),
        counted(report.sentences, "sentence"),
        report.seconds,
        ""
    );
    const COLUMNS: [(Metric, &str); 8] = [
        (Metric::Hit1, "hit@1"),
        (Metric::Hit5, "hit@5"),
        (Metric::Mrr, "MRR"),
        (Metric::Ndcg10, "nDCG@10"),
        (Metric::ContextPrecision, "precision"),
        (Metric::ContextRecall, "recall"),
        (Metric::PassageCharacters, "characters"),
        (Metric::RefusedAnswerable, "refused"),
    ];
    for (_, name) in COLUMNS {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{name:>11}");
    }
    text.push_str("         ms\n");
    for arm in &report.arms {
        let _ = write!(text, "{:<24}", arm.title);
        for (metric, _) in COLUMNS {
            let value = arm.metrics.get(&metric).map_or("-".to_owned(), |one| metric.shown(one.value));
            let _ = write!(text, "{value:>11}");
        }
        let median = arm.latency.get("total_ms").map_or(0.0, |one| one.median);
        let _ = writeln!(text, "{median:>11.0}");
        let Some(difference) = arm.metrics.get(&Metric::Hit1).and_then(|hit| hit.difference) else {
            continue;
        };
        let _ = writeln!(
            text,
            "  {:+.4} hit@1, 95% interval {:+.4} to {:+.4}",
            difference.value, difference.interval.low, difference.interval.high
        );
    }
    let in_use = &report.arms[0];
    let mut lines = String::new();
    if let Some(auroc) = in_use.auroc {
        let _ = writeln!(lines, "AUROC of the confidence: {auroc:.4}");
    }
    for metric in [
        Metric::RefusedUnanswerable,
        Metric::ExactMatch,
        Metric::F1,
        Metric::HoldsAnswer,
        Metric::AnswerWords,
        Metric::Grounded,
        Metric::UnansweredAnswerable,
        Metric::UnansweredUnanswerable,
    ] {
        if let Some(measured) = in_use.metrics.get(&metric) {
            let low = metric.shown(measured.interval.low);
            let high = metric.shown(measured.interval.high);
            let _ = writeln!(lines, "{}: {} ({low} to {high})", metric.title(), metric.shown(measured.value));
        }
    }
    if !lines.is_empty() {
        text.push('\n');
    }
    text + &lines
}
