//! The doctor: machine, models and library, and whether its parts agree.

use std::process::ExitCode;

use oriel_engine::{EngineError, Findings, Library, Repaired};
use oriel_models::backend;
use serde_json::json;

use crate::output;
use crate::session::Session;

pub(crate) fn run(session: &Session, repair: bool) -> anyhow::Result<ExitCode> {
    let repaired = if repair { Some(mend(session)?) } else { None };
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
            "repaired": repaired,
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
        text.extend(repaired.as_ref().map(said));
        for problem in &problems {
            text.push_str(&format!("  {problem}\n"));
        }
        text.push_str(if ok { "All is well.\n" } else { "Something needs a hand; it stands above.\n" });
        output::text(&text)?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes the library sound again, whatever state it is in.
fn mend(session: &Session) -> anyhow::Result<Repaired> {
    let mended = match session.open() {
        Ok(library) => library.repair(&session.cancel),
        Err(error) => Err(error.downcast::<EngineError>()?),
    };
    match mended {
        Err(error) if error.is_beyond_repair() => {
            let set_aside = Library::set_aside(session.library_path())?;
            // Opening it makes a new index that follows the same folders.
            session.open()?;
            Ok(Repaired { set_aside: Some(set_aside), ..Repaired::default() })
        }
        mended => Ok(mended?),
    }
}

fn said(repaired: &Repaired) -> String {
    if let Some(path) = &repaired.set_aside {
        return format!(
            "The index was damaged beyond use; it lies in {} now. 'oriel index' reads all documents again.\n",
            path.display()
        );
    }
    let Repaired { recomputed, reread, forgotten, refollowed, unfollowed, unembedded, .. } = repaired;
    let left = match reread + forgotten + unembedded {
        0 => "",
        _ => "; 'oriel index' does the rest",
    };
    let mut text = format!(
        "Repaired: {recomputed} documents worked out anew, {reread} to be read again, {forgotten} to be found again, \
         {unembedded} sentences to be embedded again{left}\n"
    );
    if *refollowed > 0 {
        text.push_str(&format!("{refollowed} folders were lost from the index and are followed again\n"));
    }
    if *unfollowed > 0 {
        text.push_str(&format!(
            "{unfollowed} folders were lost from the index; run 'oriel add FOLDER' for them before 'oriel index', \
             which forgets their documents otherwise\n"
        ));
    }
    text
}
