//! The documents that a question looks at.

use anyhow::Context as _;
use oriel_core::DocumentId;
use oriel_engine::Filter;

use crate::api::{IpcError, Missing, Scope, count};
use crate::state::session::LibrarySession;

/// The documents that a scope admits. A document or folder that has left the library is left out if something else is in
/// the scope.
pub(crate) fn filter(session: &LibrarySession, scope: &Scope) -> Result<Filter, IpcError> {
    if !scope.gone.is_empty() {
        let names = scope.gone.join(", ");
        return Err(IpcError::gone(format!(
            "{names} is not in the library any more; take it out of the question"
        )));
    }
    let mut within = Vec::new();
    if !scope.folders.is_empty() {
        let folders = session.library.overview()?.folders;
        let wanted = |number: u32| scope.folders.iter().any(|folder| folder.id == number);
        within.extend(folders.into_iter().filter(|folder| wanted(folder.number)).map(|folder| folder.path));
    }
    for document in &scope.documents {
        if let Ok(row) = session.library.document(DocumentId(document.id)) {
            within.push(row.path);
        }
    }
    if within.is_empty() && !(scope.folders.is_empty() && scope.documents.is_empty()) {
        return Err(IpcError::gone(
            "what the question was limited to is not in the library any more; remove the limit",
        ));
    }
    Ok(Filter {
        within,
        kinds: scope.kinds.iter().map(|&kind| kind.into()).collect(),
        since: scope.since.as_deref().map(|day| midnight(day, 0)).transpose()?,
        until: scope.until.as_deref().map(|day| midnight(day, 1)).transpose()?,
    })
}

/// What a search cannot look at yet.
pub(crate) fn missing(session: &LibrarySession) -> Result<Missing, IpcError> {
    let overview = session.library.overview()?;
    Ok(Missing { unread: count(overview.waiting), unembedded: count(overview.unembedded) })
}

/// The beginning of a local day, or of the one `after` days later, in nanoseconds since 1970.
fn midnight(day: &str, after: i64) -> Result<i64, IpcError> {
    let time = day.parse::<jiff::civil::Date>().and_then(|date| {
        let date = date.checked_add(jiff::Span::new().days(after))?;
        date.to_zoned(jiff::tz::TimeZone::system())
    });
    let time = time.with_context(|| format!("{day} is no date such as 2024-01-31"))?;
    i64::try_from(time.timestamp().as_nanosecond())
        .map_err(|_| IpcError::failed(format!("{day} is too far away")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let day = midnight("2024-02-29", 1).unwrap() - midnight("2024-02-29", 0).unwrap();
        assert_eq!(day, 86_400_000_000_000);
        assert!(midnight("2024-02-30", 0).is_err());
        assert!(midnight("yesterday", 0).is_err());
    }
}
