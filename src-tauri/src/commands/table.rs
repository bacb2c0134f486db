//! The table of an answer.

use std::sync::Arc;

use oriel_api::{CellRef, FillTable, TableEvent, Turn, TurnRef, lock, table_csv};
use tauri::ipc::Channel;

use crate::api::{IpcError, Stoppable};
use crate::commands::conversations::save_text;
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::publish;
use crate::state::app::App;

/// Fills the table of a turn. A table in progress is stopped.
pub(crate) fn fill(
    app: &Arc<App>,
    wanted: &FillTable,
    events: &Channel<TableEvent>,
) -> Result<Turn, IpcError> {
    let session = &app.session()?;
    let cancel = session.latest.begin(Stoppable::Table);
    // The one before keeps its last row first.
    let _filling = lock(&session.filling);
    let yielding = YieldGuard::new(app, session);
    yielding.publish();
    Ok(session.assistant.fill_table(wanted, &mut |event| publish::stream(events, event), &cancel)?)
}

/// Empties a cell.
pub(crate) fn empty_cell(app: &Arc<App>, wanted: &CellRef) -> Result<Turn, IpcError> {
    Ok(app.session()?.assistant.empty_cell(wanted)?)
}

/// Asks for a file, and writes the table as CSV.
pub(crate) fn save_csv(app: &Arc<App>, wanted: &TurnRef) -> Result<Option<String>, IpcError> {
    // The library is not kept open any longer: a dialog follows.
    let turn = app.session()?.assistant.kept_turn(wanted)?;
    let Some(table) = &turn.table else { return Ok(None) };
    save_text(app, &turn.question, ("CSV", "csv"), &table_csv(table))
}
