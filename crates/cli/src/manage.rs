//! The command `models`: lists, downloads, imports, connects and removes models.

use oriel_models::{
    Fit, Listed, Machine, NewServer, Role, ServerAddress, ServerKey, Stage, State, download_host, size_text,
};
use serde_json::json;

use crate::arguments::ModelsAction;
use crate::consent::confirm;
use crate::output;
use crate::progress::Progress;
use crate::session::Session;

pub(crate) fn models(session: &Session, action: ModelsAction) -> anyhow::Result<()> {
    let models = session.roles.models();
    match action {
        ModelsAction::List => {}
        ModelsAction::Pull { id } => {
            let model = models.find(&id)?;
            if model.state() == State::Available {
                let (name, size) = (model.entry.display_name(), size_text(model.entry.size()));
                eprintln!(
                    "{name}: {size} from {}; Ctrl-C pauses, the same command continues",
                    download_host()
                );
            }
            let mut progress = Progress::new();
            let pulled = models.download(&id, &mut |step| show(&mut progress, step), &session.cancel);
            progress.finish();
            pulled?;
        }
        ModelsAction::Import { path } => {
            let mut progress = Progress::new();
            let imported =
                session.roles.import(&path, &mut |step| show(&mut progress, step), &session.cancel);
            progress.finish();
            let entry = imported?.entry;
            if !session.json {
                output::text(&format!("{} is installed and works ({})\n", entry.id, entry.about))?;
            }
        }
        ModelsAction::Connect { address, model, key_file, yes } => {
            let address = ServerAddress::of_models(&address)?;
            if !address.is_local() && !yes {
                let receives = "your questions and the passages of your documents that answer them";
                confirm(&address, receives, "Send passages of your documents to")?;
            }
            let key = key_file.map_or(ServerKey::None, ServerKey::File);
            let server = NewServer { address, model, key };
            let model = models.connect(server, &session.cancel)?;
            if !session.json {
                output::text(&format!("{0} answers; ask with --model {0}\n", model.entry.id))?;
            }
        }
        ModelsAction::Remove { id } => models.remove(&id)?,
    }
    let machine = Machine::now();
    let all = session.roles.list(machine, session.is_foreign());
    if session.json {
        return output::json(&json!({ "models": all, "machine": machine }));
    }
    let mut text = String::new();
    for (role, title) in [
        (Role::Generator, "Write the answer"),
        (Role::Embedder, "Find by meaning"),
        (Role::Reranker, "Put passages in order"),
        (Role::Checker, "Check claims"),
    ] {
        text.push_str(&format!("{title}\n"));
        for model in all.iter().filter(|listed| listed.model.entry.role == role) {
            text.push_str(&line(model, models.adapter_name(&model.model)));
        }
    }
    output::text(&text)
}

/// One line for a model, with the adapter that it uses.
fn line(listed: &Listed, adapter: Option<&str>) -> String {
    let entry = &listed.model.entry;
    let fits = match listed.fits {
        Fit::Fits => "fits",
        Fit::Tight => "tight",
        Fit::TooLarge => "too large",
        Fit::Unknown => "",
    };
    if let Some(server) = &listed.model.server {
        let mark = if listed.in_use { '*' } else { ' ' };
        return format!("{mark} {:<40} at {}\n", entry.id, server.address);
    }
    let place = match (&listed.model.folder, listed.model.program) {
        (Some(folder), Some(program)) => format!("in {program}, {}", folder.display()),
        (Some(folder), None) => folder.display().to_string(),
        (None, _) => format!("oriel models pull {}", entry.id),
    };
    let mark = match (listed.in_use, listed.recommended) {
        (true, _) => '*',
        (false, true) => '+',
        (false, false) => ' ',
    };
    let (size, memory) = (size_text(listed.size), size_text(listed.memory));
    let with = adapter.filter(|_| listed.model.folder.is_some());
    let with = with.map_or_else(String::new, |adapter| format!(", with {adapter}"));
    format!(
        "{mark} {:<40} {size:>8}  needs {memory:>8} {fits:<9}  {:<12} {place}{with}\n",
        entry.id, entry.licence
    )
}

/// Shows the progress of a download or an import.
fn show(progress: &mut Progress, step: oriel_models::Progress) {
    let stage = match step.stage {
        Stage::Downloading => "downloading",
        Stage::Reading => "reading",
        Stage::Trying => "trying",
        Stage::Copying => "copying",
        Stage::Installing => "installing",
    };
    // The duration of a trial is unknown.
    let total = (step.stage != Stage::Trying).then_some(step.total);
    progress.step(stage, "bytes", step.done, total);
}
