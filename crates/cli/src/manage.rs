//! Models and the doctor.

use std::process::ExitCode;

use oriel_engine::Findings;
use oriel_models::{Stage, backend};
use serde_json::json;

use crate::arguments::ModelsAction;
use crate::output;
use crate::progress::Progress;
use crate::session::{Session, own_worker};

pub(crate) fn models(session: &Session, action: ModelsAction) -> anyhow::Result<()> {
    let models = session.roles.models();
    match action {
        ModelsAction::List => {}
        ModelsAction::Pull { id } => {
            let mut progress = Progress::new();
            let pulled = models.pull(
                &id,
                &mut |step| {
                    let stage = match step.stage {
                        Stage::Downloading => "downloading",
                        Stage::Installing => "installing",
                    };
                    progress.step(stage, "bytes", step.done, Some(step.total));
                },
                &session.cancel,
            );
            progress.finish();
            pulled?;
        }
        ModelsAction::Import { path } => {
            let imported = models.import(&path, &own_worker("generate")?)?;
            if !session.json {
                output::text(&format!("{} is here and works\n", imported.entry.id))?;
            }
        }
    }
    let all = models.list();
    if session.json {
        return output::json(&json!({ "models": all }));
    }
    let mut text = String::new();
    for model in &all {
        let entry = &model.entry;
        let place = model.folder.as_ref().map_or_else(
            || format!("not here; oriel models pull {}", entry.id),
            |folder| folder.display().to_string(),
        );
        let role = format!("{:?}", entry.role).to_lowercase();
        let megabytes = entry.size() as f64 / 1e6;
        text.push_str(&format!(
            "{:<28} {role:<10} {megabytes:>7.1} MB  {:<12} {place}\n",
            entry.id, entry.licence
        ));
    }
    output::text(&text)
}

pub(crate) fn doctor(session: &Session) -> anyhow::Result<ExitCode> {
    let mut problems = Vec::new();
    let machine = json!({
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "threads": std::thread::available_parallelism().map_or(1, usize::from),
    });
    for model in session.roles.models().list() {
        if model.folder.is_none() {
            let id = &model.entry.id;
            problems.push(format!("the model {id} is not here; run 'oriel models pull {id}'"));
        }
    }
    let findings = match session.open().map(|library| library.check(&session.cancel)) {
        Ok(Ok(findings)) => findings,
        Ok(Err(error)) => Findings { problems: vec![error.to_string()], ..Findings::default() },
        Err(error) => Findings { problems: vec![error.to_string()], ..Findings::default() },
    };
    problems.extend(findings.problems.iter().cloned());
    let ok = problems.is_empty();
    let backend = backend();
    if session.json {
        output::json(&json!({
            "ok": ok,
            "problems": problems,
            "version": env!("CARGO_PKG_VERSION"),
            "machine": machine,
            "backend": backend,
            "models": session.roles.models().list(),
            "library": {
                "path": session.library_path().to_string_lossy(),
                "documents": findings.documents,
                "sentences": findings.sentences,
                "distinct": findings.distinct,
                "vectors": findings.vectors + findings.fresh,
                "waiting": findings.waiting,
            },
        }))?;
    } else {
        let mut text = format!(
            "Oriel {} on {} {}, {} with {} threads\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            backend.device,
            backend.threads
        );
        if let Some(note) = &backend.note {
            text.push_str(&format!("{note}\n"));
        }
        text.push_str(&format!(
            "Library {}: {} documents, {} sentences ({} distinct), {} vectors, {} waiting for one\n",
            session.library_path().display(),
            findings.documents,
            findings.sentences,
            findings.distinct,
            findings.vectors + findings.fresh,
            findings.waiting
        ));
        for problem in &problems {
            text.push_str(&format!("  {problem}\n"));
        }
        text.push_str(if ok { "All is well.\n" } else { "Something needs a hand; it stands above.\n" });
        output::text(&text)?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
