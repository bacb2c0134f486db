//! Changes the settings.

use std::sync::Arc;

use oriel_core::Notice;
use oriel_models::Role;

use crate::api::{EngineLine, GlossaryText, IpcError, Settings};
use crate::desktop::engine_line::engine_line;
use crate::desktop::{publish, tray, window};
use crate::state::app::App;

/// Changes the settings; they apply at once.
pub(crate) fn set(app: &Arc<App>, wanted: &Settings) -> Result<EngineLine, IpcError> {
    let session = &app.session()?;
    let wanted = wanted.clone();
    if wanted.close_to_tray && !app.settings().close_to_tray && !tray::is_there(app.handle()) {
        return Err(IpcError::failed(Notice::NoTray));
    }
    let (before, settings) = session.settings.change(|kept| {
        // Other commands change these, and the UI may not know their last values.
        let downloading = std::mem::take(&mut kept.downloading);
        let Settings { paused, local_address, local_port, .. } = *kept;
        *kept = Settings { paused, local_address, local_port, downloading, ..wanted };
    })?;
    if before.model_choice() != settings.model_choice() {
        let embedder = || session.roles.serving(Role::Embedder).ok().flatten().map(|model| model.entry.id);
        let embedder_before = embedder();
        session.roles.choose(settings.model_choice());
        session.assistant.searcher.forget_reranker();
        if embedder_before != embedder() {
            // What the former embedder embeds now would have to be embedded again.
            session.indexer.cancel();
            session.indexer.rescan();
        }
        publish::engine(app);
    }
    session.indexer.save_power(settings.save_power);
    if before.theme != settings.theme {
        window::repaint(app.handle(), &settings);
    }
    if before.language != settings.language {
        tray::relabel(app.handle(), &settings);
        publish::library(app, false);
    }
    Ok(engine_line(app))
}

/// The user's own glossary.
pub(crate) fn glossary(app: &Arc<App>, (): &()) -> Result<GlossaryText, IpcError> {
    Ok(GlossaryText { text: app.session()?.library.glossary_text()? })
}

/// Replaces it; the numbers of the lines that are no entries.
pub(crate) fn set_glossary(app: &Arc<App>, wanted: &GlossaryText) -> Result<Vec<usize>, IpcError> {
    Ok(app.session()?.library.replace_glossary(&wanted.text)?)
}
