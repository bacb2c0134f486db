//! Models: what there is, what is here.

use oriel_models::Stage;
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
            let pulled = models.pull(&id, &mut |step| show(&mut progress, step), &session.cancel);
            progress.finish();
            pulled?;
        }
        ModelsAction::Import { path } => {
            let mut progress = Progress::new();
            let worker = own_worker("generate")?;
            let told = &mut |step| show(&mut progress, step);
            let imported = models.import(&path, &worker, told, &session.cancel);
            progress.finish();
            let id = imported?.entry.id;
            if !session.json {
                output::text(&format!("{id} is here and works\n"))?;
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

/// Shows how far the coming of a model is.
fn show(progress: &mut Progress, step: oriel_models::Progress) {
    let stage = match step.stage {
        Stage::Downloading => "downloading",
        Stage::Reading => "reading",
        Stage::Trying => "trying",
        Stage::Copying => "copying",
        Stage::Installing => "installing",
    };
    // How far a trial is cannot be told.
    let total = (step.stage != Stage::Trying).then_some(step.total);
    progress.step(stage, "bytes", step.done, total);
}
