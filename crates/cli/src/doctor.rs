//! The command `doctor`: checks the machine, the models, and whether the library's parts agree.

use std::process::ExitCode;

use oriel_api::model_to_get;
use oriel_core::Notice;
use oriel_engine::{Findings, Repaired};
use oriel_models::{Role, Speed, backend};
use serde::Serialize;
use serde_json::json;

use crate::library::not_read;
use crate::output;
use crate::render::{self, counted};
use crate::session::Session;

pub(crate) fn run(session: &Session, repair: bool) -> anyhow::Result<ExitCode> {
    let repaired = if repair { Some(repair_library(session)?) } else { None };
    let mut problems = Vec::new();
    let machine = json!({
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "threads": std::thread::available_parallelism().map_or(1, usize::from),
    });
    let models = roles(session, &mut problems);
    let findings = session
        .open()
        .and_then(|library| oriel_api::check_library(&library, &session.cancel))
        .unwrap_or_else(|error| Findings { problems: vec![error.notice()], ..Findings::default() });
    let library = session.open().ok();
    let recognition = library.as_ref().and_then(|library| library.recognition().ok());
    problems.extend(findings.problems.iter().map(Notice::to_string));
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
            "models": models,
            "recognition": recognition,
            "failed": library.as_ref().and_then(|library| library.failures().ok()),
            "left_out": library.as_ref().and_then(|library| library.unsearchable(usize::MAX).ok()),
            "library": {
                "path": session.library_path().to_string_lossy(),
                "documents": findings.documents,
                "sentences": findings.sentences,
                "distinct": findings.distinct,
                "vectors": findings.vectors,
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
        text.extend(models.iter().map(RoleReport::line));
        text.extend(recognition.as_ref().map(render::recognition));
        text.push_str(&format!(
            "Library {}: {}, {} ({} distinct), {}, {} waiting for one\n",
            session.library_path().display(),
            counted(findings.documents, "document"),
            counted(findings.sentences, "sentence"),
            findings.distinct,
            counted(findings.vectors, "vector"),
            findings.waiting
        ));
        text.extend(library.as_ref().and_then(|library| not_read(library, false).ok()));
        text.extend(repaired.as_ref().map(repair_report));
        for problem in &problems {
            text.push_str(&format!("  {problem}\n"));
        }
        text.push_str(if ok { "All is well.\n" } else { "There are problems, see above.\n" });
        output::text(&text)?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The model of a role, its device and its speed.
#[derive(Serialize)]
struct RoleReport {
    role: Role,
    /// The model's id; `None` if the role has no model.
    id: Option<String>,
    /// The adapter that a generator uses.
    adapter: Option<String>,
    speed: Option<Speed>,
}

impl RoleReport {
    fn line(&self) -> String {
        let (task, what, without) = match self.role {
            Role::Generator => {
                ("Writes the answer", "words", "no model, answers are quotes; see 'oriel models list'")
            }
            Role::Embedder => ("Finds by meaning", "sentences", "no model, the search is by words alone"),
            Role::Reranker => {
                ("Puts passages in order", "passages", "no model, passages stand in the order found")
            }
            Role::Checker => ("Checks claims", "pairs", "no model, claims are compared word by word"),
        };
        let Some(id) = &self.id else { return format!("{task}: {without}\n") };
        let name = self.adapter.as_ref().map_or_else(|| id.clone(), |adapter| format!("{id} with {adapter}"));
        let Some(Speed { device, per_second, notice, .. }) = &self.speed else {
            return format!("{task}: {name}\n");
        };
        let notice = notice.as_ref().map_or(String::new(), |notice| format!("; {notice}"));
        format!("{task}: {name} on {device}, {per_second:.0} {what} a second{notice}\n")
    }
}

/// Checks the model of each role, and measures it if that was never done. Missing and broken models become problems.
fn roles(session: &Session, problems: &mut Vec<String>) -> Vec<RoleReport> {
    let mut reports = Vec::new();
    for role in Role::ALL {
        let serving = session.roles.serving(role).unwrap_or_else(|error| {
            problems.push(error.to_string());
            None
        });
        if serving.is_none() && role != Role::Generator {
            problems.push(if role == Role::Checker {
                "the checker, which comes with Oriel, is not here; install Oriel again".to_owned()
            } else {
                let id = model_to_get(&session.roles, role);
                format!("the {role} {id} is not here; run 'oriel models pull {id}'")
            });
        }
        let speed = session.roles.speed(role, &session.cancel).unwrap_or_else(|error| {
            problems.push(error.to_string());
            None
        });
        let adapter = serving.as_ref().and_then(|model| session.roles.models().adapter_name(model));
        let adapter = adapter.map(str::to_owned);
        reports.push(RoleReport { role, id: serving.map(|model| model.entry.id), adapter, speed });
    }
    reports
}

/// Repairs the library in any state.
fn repair_library(session: &Session) -> anyhow::Result<Repaired> {
    let repaired = match session.open() {
        Ok(library) => oriel_api::repair_library(&library, &session.cancel)?,
        Err(error) if error.is_beyond_repair() => None,
        Err(error) => return Err(error.into()),
    };
    match repaired {
        Some(repaired) => Ok(repaired),
        None => {
            let set_aside = oriel_api::set_library_aside(session.library_path())?;
            session.open()?;
            Ok(set_aside)
        }
    }
}

fn repair_report(repaired: &Repaired) -> String {
    if let Some(path) = &repaired.set_aside {
        return format!(
            "The index cannot be used; it lies in {} now. 'oriel index' reads all documents again.\n",
            path.display()
        );
    }
    let Repaired { recomputed, reread, forgotten, refollowed, unfollowed, unembedded, .. } = repaired;
    let left = match reread + forgotten + unembedded {
        0 => "",
        _ => "; 'oriel index' does the rest",
    };
    let mut text = format!(
        "Repaired: {} recomputed, {reread} to be read again, {forgotten} to be found again, {} to be embedded again{left}\n",
        counted(*recomputed, "document"),
        counted(*unembedded, "sentence"),
    );
    if *refollowed > 0 {
        let lost = counted(*refollowed, "folder");
        text.push_str(&format!("{lost} had been lost from the index; Oriel follows them again\n"));
    }
    if *unfollowed > 0 {
        let lost = counted(*unfollowed, "folder");
        text.push_str(&format!(
            "{lost} had been lost from the index; run 'oriel add FOLDER' for them before 'oriel index', which forgets their \
             documents otherwise\n"
        ));
    }
    text
}
