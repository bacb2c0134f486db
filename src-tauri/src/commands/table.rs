//! The table of an answer.

use std::sync::Arc;

use oriel_api::{TableDocuments, TableRequest, lock, table_csv};
use tauri::ipc::Channel;

use crate::api::{CellRef, FillTable, IpcError, TableEvent, TableSource, Turn, TurnRef};
use crate::commands::conversations::{kept_turn, parse_id, save_text};
use crate::commands::scope::filter;
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::publish;
use crate::state::app::App;
use crate::state::session::take_over;
use crate::views::table::{cell as cell_view, table as table_view};
use crate::views::turns::turn as turn_view;

/// Fills the table of a turn. A table in progress is stopped.
pub(crate) fn fill(
    app: &Arc<App>,
    wanted: &FillTable,
    events: &Channel<TableEvent>,
) -> Result<Turn, IpcError> {
    let session = &app.session()?;
    let cancel = take_over(&session.table);
    // The one before keeps its last row first.
    let _filling = lock(&session.filling);
    let yielding = YieldGuard::new(app, session);
    yielding.publish();
    let roots = session.library.folders()?;
    let request = TableRequest {
        conversation: parse_id(&wanted.conversation)?,
        turn: wanted.turn as usize,
        questions: wanted.questions.clone(),
        documents: match &wanted.documents {
            TableSource::Kept => TableDocuments::Kept,
            TableSource::Listed => TableDocuments::Listed,
            TableSource::All => TableDocuments::All,
            TableSource::Chosen(scope) => TableDocuments::Chosen(filter(session, scope)?),
        },
    };
    let turn = session.assistant.fill_table(
        request,
        &mut |table| {
            let table = table_view(&session.library, table, &roots);
            publish::stream(events, TableEvent::Begun { table });
        },
        &mut |filled| {
            let cell = cell_view(filled.cell, filled.hash);
            publish::stream(events, TableEvent::Filled { row: filled.row, column: filled.column, cell });
        },
        &cancel,
    )?;
    Ok(turn_view(&session.library, &turn)?)
}

/// Stops the table in progress; what was read is kept.
pub(crate) fn stop(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    lock(&app.session()?.table).cancel();
    Ok(())
}

/// Empties a cell.
pub(crate) fn empty_cell(app: &Arc<App>, wanted: &CellRef) -> Result<Turn, IpcError> {
    let session = &app.session()?;
    let place = (wanted.row as usize, wanted.column as usize);
    let id = parse_id(&wanted.conversation)?;
    let turn = session.assistant.empty_cell(&id, wanted.turn as usize, place)?;
    Ok(turn_view(&session.library, &turn)?)
}

/// Asks where to, and writes the table as CSV.
pub(crate) fn save_csv(app: &Arc<App>, wanted: &TurnRef) -> Result<Option<String>, IpcError> {
    // The library is not kept open any longer: a dialog follows.
    let turn = kept_turn(&*app.session()?, &wanted.conversation, wanted.turn)?;
    let Some(table) = &turn.table else { return Ok(None) };
    save_text(app, &turn.question, ("CSV", "csv"), &table_csv(table))
}
