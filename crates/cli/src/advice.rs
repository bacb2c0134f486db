//! The commands that help with an error. The engine's messages only say what is wrong, because the engine knows no
//! terminal.

use oriel_api::AppError;
use oriel_core::{ModelError, Notice};
use oriel_engine::EngineError;

/// The command that helps with an error, if the error's message does not say it already.
pub(crate) fn of(error: &anyhow::Error) -> Option<String> {
    let engine = match error.downcast_ref() {
        Some(AppError::Failed(Notice::PortTaken { .. })) => {
            return Some("--port 0 takes one that is free".to_owned());
        }
        Some(AppError::Failed(Notice::NoLibraryYet { .. })) => {
            return Some("or run 'oriel add FOLDER' and 'oriel index'".to_owned());
        }
        Some(AppError::File { why: Notice::KeyReadableByOthers | Notice::NoKeyInFile, .. }) => {
            return Some("run 'oriel serve --new-token'".to_owned());
        }
        Some(AppError::Engine(engine)) => Some(engine),
        _ => error.downcast_ref::<EngineError>(),
    };
    let model = match engine {
        Some(EngineError::Model(model)) => Some(model),
        _ => error.downcast_ref(),
    };
    match model {
        Some(ModelError::Absent { id }) => return Some(format!("run 'oriel models pull {id}'")),
        Some(ModelError::Failed(Notice::ModelUnknown { .. })) => {
            return Some("'oriel models list' shows all".to_owned());
        }
        _ => {}
    }
    let advice = match engine? {
        EngineError::UnknownDocument { .. } => {
            "run 'oriel add FOLDER' and 'oriel index', or see 'oriel status'"
        }
        EngineError::NotFollowed { .. } => "'oriel status' lists what is",
        EngineError::Unread { .. } | EngineError::Changed { .. } | EngineError::OtherEmbedder { .. } => {
            "run 'oriel index'"
        }
        EngineError::Occupied { .. } => "with --replace it is kept beside the one that is restored",
        damaged if damaged.is_damage() || damaged.is_beyond_repair() => "run 'oriel doctor --repair'",
        _ => return None,
    };
    Some(advice.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_engine_and_models_get_a_command() {
        let absent = || ModelError::Absent { id: "m".into() };
        let told = |error: anyhow::Error| of(&error).unwrap_or_default();
        assert_eq!(told(absent().into()), "run 'oriel models pull m'");
        assert_eq!(told(EngineError::from(absent()).into()), "run 'oriel models pull m'");
        let unknown = Notice::ModelUnknown { id: "m".into(), nearest: "n".into() };
        assert_eq!(told(ModelError::Failed(unknown).into()), "'oriel models list' shows all");
        let changed = EngineError::Changed { path: "a.pdf".into() };
        assert_eq!(told(changed.into()), "run 'oriel index'");
        assert_eq!(told(anyhow::anyhow!("something else")), "");
        assert_eq!(told(EngineError::Cancelled.into()), "");
    }
}
