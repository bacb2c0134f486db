//! The documents that a question looks at.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use oriel_core::notice::listed;
use oriel_core::{DocumentId, Kind};
use oriel_engine::{Filter, Library};

use crate::error::AppError;

/// What a person limited a question to. Empty lists limit nothing.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Followed folders, by number.
    pub folders: Vec<u32>,
    /// Documents.
    pub documents: Vec<DocumentId>,
    /// Names of folders and documents that are known to have left the library.
    pub gone: Vec<String>,
    /// Formats.
    pub kinds: Vec<Kind>,
    /// Senders of mails, by name or address.
    pub from: Vec<String>,
    /// The first local day of change, or of sending a mail, such as `2026-01-31`.
    pub since: Option<String>,
    /// The last local day of it.
    pub until: Option<String>,
}

impl Scope {
    /// The documents that the scope admits. A document or folder that has left the library since it was chosen is left out if
    /// something else is in the scope.
    ///
    /// # Errors
    /// If nothing of the scope is left, a day is not a date, or the library cannot be read.
    pub fn filter(&self, library: &Library) -> Result<Filter, AppError> {
        if !self.gone.is_empty() {
            return Err(AppError::ScopeGone { names: listed(&self.gone) });
        }
        let mut within = Vec::new();
        if !self.folders.is_empty() {
            let folders = library.overview()?.folders.into_iter();
            within.extend(folders.filter(|one| self.folders.contains(&one.number)).map(|one| one.path));
        }
        within.extend(self.documents.iter().filter_map(|&id| library.document(id).ok()).map(|row| row.path));
        if within.is_empty() && !(self.folders.is_empty() && self.documents.is_empty()) {
            return Err(AppError::ScopeEmpty);
        }
        Ok(Filter {
            within,
            kinds: self.kinds.clone(),
            from: self.from.clone(),
            since: self.since.as_deref().map(|day| day_start(day, 0)).transpose()?,
            until: self.until.as_deref().map(|day| day_start(day, 1)).transpose()?,
            ..Filter::default()
        })
    }
}

/// The first nanosecond since 1970 of a local day such as `2026-01-31`, or of the day `after` days later.
///
/// # Errors
/// If `day` is not a date, or too far away.
pub fn day_start(day: &str, after: i64) -> Result<i64, AppError> {
    let start = || -> Result<Zoned, jiff::Error> {
        day.parse::<Date>()?.checked_add(Span::new().days(after))?.to_zoned(TimeZone::system())
    };
    let nanoseconds = start().ok().and_then(|time| i64::try_from(time.timestamp().as_nanosecond()).ok());
    nanoseconds.ok_or_else(|| AppError::NoDate { day: day.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let day = day_start("2024-02-29", 1).unwrap() - day_start("2024-02-29", 0).unwrap();
        assert_eq!(day, 86_400_000_000_000);
        assert_eq!(day_start("2026-01-31", 1).unwrap(), day_start("2026-02-01", 0).unwrap());
        for wrong in ["2024-02-30", "yesterday", "31.1.2026", "9999-12-31"] {
            assert!(day_start(wrong, 0).is_err(), "{wrong}");
        }
    }
}
