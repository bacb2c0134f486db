//! The list of kept conversations, and what the window is told of it.

use std::sync::Arc;

use crate::app::{App, lock};
use crate::ipc::{ConversationRow, FindConversations, IpcError};

/// Kept conversations, newest first.
pub(crate) fn list(app: &Arc<App>, wanted: &FindConversations) -> Result<Vec<ConversationRow>, IpcError> {
    let rows = app.opened()?.conversations.list(&wanted.query)?;
    Ok(rows
        .into_iter()
        .map(|row| ConversationRow { id: row.id.to_string(), title: row.title, changed: row.changed })
        .collect())
}

/// All of them for a window that is drawn anew; from now on it is told what changes.
pub(crate) fn all(app: &Arc<App>) -> Result<Vec<ConversationRow>, IpcError> {
    let mut told = lock(&app.told);
    let rows = list(app, &FindConversations { query: String::new() })?;
    told.clone_from(&rows);
    Ok(rows)
}

/// Tells the window what has changed in the list: mostly that one goes on, and is the newest now.
pub(crate) fn tell(app: &Arc<App>) {
    let mut told = lock(&app.told);
    let rows = match list(app, &FindConversations { query: String::new() }) {
        Ok(rows) => rows,
        Err(error) => return tracing::warn!("{}", error.message),
    };
    if *told == rows {
        return;
    }
    match gone_on(&told, &rows) {
        Some(row) => app.send("conversation", row.clone()),
        None => app.send("conversations", rows.clone()),
    }
    *told = rows;
}

/// The newest one, where all others are as they were.
fn gone_on<'a>(before: &[ConversationRow], now: &'a [ConversationRow]) -> Option<&'a ConversationRow> {
    let newest = now.first()?;
    let others = before.iter().filter(|row| row.id != newest.id);
    others.eq(&now[1..]).then_some(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_begins_goes_on_or_is_renamed_at_the_top_is_told_alone() {
        let row = |id: &str, changed| ConversationRow { id: id.into(), title: id.into(), changed };
        let (a, b) = (row("a", 1), row("b", 2));
        let before = [b.clone(), a.clone()];
        let begun = [row("c", 3), b.clone(), a.clone()];
        assert_eq!(gone_on(&before, &begun), Some(&begun[0]));
        let gone_on_now = [row("a", 3), b.clone()];
        assert_eq!(gone_on(&before, &gone_on_now), Some(&gone_on_now[0]));
        let renamed = [ConversationRow { title: "B".into(), ..b.clone() }, a.clone()];
        assert_eq!(gone_on(&before, &renamed), Some(&renamed[0]));
        // Deleted, renamed below, or another process did something too.
        assert_eq!(gone_on(&before, std::slice::from_ref(&a)), None);
        assert_eq!(gone_on(&before, &[]), None);
        assert_eq!(gone_on(&before, &[b.clone(), row("A", 1)]), None);
        assert_eq!(gone_on(&before, &[row("d", 4), row("c", 3), b, a]), None);
    }
}
