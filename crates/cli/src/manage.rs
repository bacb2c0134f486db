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
