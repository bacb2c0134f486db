//! The list of kept conversations, and the events that keep the UI's list up to date.
//!
//! Only the conversation that went on is sent, so that thousands of them cost nothing with each question.

use std::sync::Arc;

use oriel_api::lock;
use oriel_engine::ConversationRow;

use crate::api::{FindConversations, IpcError};
use crate::desktop::publish::send;
use crate::state::app::App;

/// Kept conversations, newest first.
pub(crate) fn list(app: &Arc<App>, wanted: &FindConversations) -> Result<Vec<ConversationRow>, IpcError> {
    Ok(app.session()?.assistant.conversations.list(&wanted.query)?)
}

/// All of them, for a UI that starts. From now on it is sent what changes.
pub(crate) fn all(app: &Arc<App>) -> Result<Vec<ConversationRow>, IpcError> {
    let mut last_sent = lock(&app.last_sent);
    let rows = list(app, &FindConversations { query: String::new() })?;
    last_sent.clone_from(&rows);
    Ok(rows)
}

/// Sends what has changed in the list. Usually one conversation went on and is the newest now.
pub(crate) fn publish(app: &Arc<App>) {
    let mut last_sent = lock(&app.last_sent);
    let rows = match list(app, &FindConversations { query: String::new() }) {
        Ok(rows) => rows,
        Err(error) => return tracing::warn!("{}", error.notice),
    };
    if *last_sent == rows {
        return;
    }
    match newest_changed(&last_sent, &rows) {
        Some(row) => send(app, "conversation", row.clone()),
        None => send(app, "conversations", rows.clone()),
    }
    *last_sent = rows;
}

/// The newest conversation, if all others are unchanged.
fn newest_changed<'a>(before: &[ConversationRow], now: &'a [ConversationRow]) -> Option<&'a ConversationRow> {
    let newest = now.first()?;
    let others = before.iter().filter(|row| row.id != newest.id);
    others.eq(&now[1..]).then_some(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_begins_goes_on_or_is_renamed_at_the_top_is_sent_alone() {
        let row = |title: &str, changed| {
            let id = format!("{:0>16}", title.to_lowercase()).parse().unwrap();
            ConversationRow { id, title: title.into(), changed }
        };
        let (a, b) = (row("a", 1), row("b", 2));
        let before = [b.clone(), a.clone()];
        let begun = [row("c", 3), b.clone(), a.clone()];
        assert_eq!(newest_changed(&before, &begun), Some(&begun[0]));
        let gone_on_now = [row("a", 3), b.clone()];
        assert_eq!(newest_changed(&before, &gone_on_now), Some(&gone_on_now[0]));
        let renamed = [ConversationRow { title: "B".into(), ..b.clone() }, a.clone()];
        assert_eq!(newest_changed(&before, &renamed), Some(&renamed[0]));
        // Deleted, renamed below, or another process did something too.
        assert_eq!(newest_changed(&before, std::slice::from_ref(&a)), None);
        assert_eq!(newest_changed(&before, &[]), None);
        assert_eq!(newest_changed(&before, &[b.clone(), row("A", 1)]), None);
        assert_eq!(newest_changed(&before, &[row("d", 4), row("c", 3), b, a]), None);
    }
}
