//! Scan, pause, resume and cancel the indexing.

use std::sync::Arc;

use oriel_api::Activity;

use crate::api::IpcError;
use crate::desktop::publish;
use crate::state::app::App;

/// Scans the folders now.
pub(crate) fn rescan(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.session()?.indexer.rescan();
    Ok(())
}

/// Pauses until `resume`, also over a restart.
pub(crate) fn pause(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.session()?.indexer.pause();
    app.change_settings(|settings| settings.paused = true)?;
    publish::library(app, true);
    Ok(())
}

/// Resumes after `pause` or `cancel`, and what waits for mains power.
pub(crate) fn resume(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.change_settings(|settings| settings.paused = false)?;
    app.session()?.indexer.resume();
    publish::library(app, true);
    Ok(())
}

/// Pauses or resumes, whichever fits.
pub(crate) fn toggle_pause(app: &Arc<App>) {
    let activity = app.session().map(|session| session.indexer.activity());
    let waits = matches!(activity, Ok(Activity::Paused | Activity::Deferred));
    let done = if waits { resume(app, &()) } else { pause(app, &()) };
    if let Err(error) = done {
        tracing::warn!("{}", error.notice);
    }
}

/// Ends this run.
pub(crate) fn cancel(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    app.session()?.indexer.cancel();
    publish::library(app, true);
    Ok(())
}
