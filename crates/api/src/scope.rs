//! The documents that a question looks at.

use std::path::PathBuf;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};
use oriel_core::notice::listed;
use oriel_core::{DocumentId, Kind, Notice};
use oriel_engine::{EngineError, Filter, Library, Turn};
use serde::Deserialize;

use crate::documents::{Resolver, name_of};
use crate::error::AppError;
use crate::payload::payload;

payload! {
    /// What the user limited a question to. Empty lists limit nothing.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    pub struct Scope {
        pub documents: Vec<Named>,
        /// Followed folders.
        pub folders: Vec<Named>,
        pub kinds: Vec<Kind>,
        /// Senders of mails, by name or address.
        pub from: Vec<String>,
        /// The first local day of change, or of sending a mail, such as `2026-01-31`.
        pub since: Option<String>,
        /// The last local day of it.
        pub until: Option<String>,
        /// Names of what a kept question was limited to and is not in the library any more.
        pub gone: Vec<String>,
    }

    /// A number with the name that the user knows it by.
    #[derive(Deserialize)]
    pub struct Named {
        pub id: u32,
        pub name: String,
    }
}

impl Scope {
    /// The documents that the scope admits. A document or folder that has left the library since it was chosen is left out if
    /// something else is in the scope.
    pub fn filter(&self, library: &Library) -> Result<Filter, AppError> {
        if !self.gone.is_empty() {
            return Err(AppError::Gone(Notice::ScopeGone { names: listed(&self.gone) }));
        }
        let mut within = Vec::new();
        if !self.folders.is_empty() {
            let is_chosen = |number: u32| self.folders.iter().any(|folder| folder.id == number);
            let folders = library.overview()?.folders.into_iter();
            within.extend(folders.filter(|one| is_chosen(one.number)).map(|one| one.path));
        }
        let documents = self.documents.iter().filter_map(|one| library.document(DocumentId(one.id)).ok());
        within.extend(documents.map(|row| row.path));
        if within.is_empty() && !(self.folders.is_empty() && self.documents.is_empty()) {
            return Err(AppError::Gone(Notice::ScopeEmpty));
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

/// Something that a question was limited to.
enum Limit {
    Folder(Named, PathBuf),
    Document(Named, PathBuf),
    /// It is not in the library any more.
    Gone(PathBuf),
}

impl Resolver<'_> {
    /// The scope of a kept question, with its documents where they lie now.
    pub(crate) fn filter(&self, turn: &Turn) -> Result<Filter, EngineError> {
        let within = self.limits(turn)?.into_iter().map(|limit| match limit {
            Limit::Folder(_, path) | Limit::Document(_, path) | Limit::Gone(path) => path,
        });
        Ok(Filter { within: within.collect(), ..turn.scope.clone() })
    }

    /// The scope of a kept question, as the window shows it.
    pub(crate) fn scope(&self, turn: &Turn) -> Result<Scope, EngineError> {
        let filter = &turn.scope;
        let mut scope = Scope {
            kinds: filter.kinds.clone(),
            from: filter.from.clone(),
            since: filter.since.and_then(|since| day(since, 0)),
            // It is kept as the beginning of the next day.
            until: filter.until.and_then(|until| day(until, -1)),
            ..Scope::default()
        };
        for limit in self.limits(turn)? {
            match limit {
                Limit::Folder(named, _) => scope.folders.push(named),
                Limit::Document(named, _) => scope.documents.push(named),
                Limit::Gone(path) => scope.gone.push(name_of(&path)),
            }
        }
        Ok(scope)
    }

    fn limits(&self, turn: &Turn) -> Result<Vec<Limit>, EngineError> {
        if turn.scope.within.is_empty() {
            return Ok(Vec::new());
        }
        let folders = self.library.overview()?.folders;
        let limit = |(at, path): (usize, &PathBuf)| {
            let named = |id, path: &PathBuf| Named { id, name: name_of(path) };
            if let Some(folder) = folders.iter().find(|folder| folder.path == *path) {
                return Ok(Limit::Folder(named(folder.number, path), path.clone()));
            }
            let source = turn.scoped.get(at).and_then(Option::as_ref);
            let sentences = turn.answer.as_ref().map_or_else(Vec::new, |answer| answer.sentences_of(path));
            Ok(match self.library.relocate(path, source, &sentences) {
                Ok(Some(row)) => Limit::Document(named(row.id.0, &row.path), row.path),
                Ok(None) => Limit::Gone(path.clone()),
                // A remote index that does not answer says nothing of it.
                Err(EngineError::Index(_)) => {
                    Limit::Document(named(source.map_or(0, |source| source.id.0), path), path.clone())
                }
                Err(error) => return Err(error),
            })
        };
        turn.scope.within.iter().enumerate().map(limit).collect()
    }
}

/// The first nanosecond since 1970 of a local day such as `2026-01-31`, or of the day `after` days later.
pub fn day_start(day: &str, after: i64) -> Result<i64, AppError> {
    let start = || -> Result<Zoned, jiff::Error> {
        day.parse::<Date>()?.checked_add(Span::new().days(after))?.to_zoned(TimeZone::system())
    };
    let nanoseconds = start().ok().and_then(|time| i64::try_from(time.timestamp().as_nanosecond()).ok());
    nanoseconds.ok_or_else(|| Notice::NoDate { day: day.to_owned() }.into())
}

/// The local day of a time, or the one `after` days later.
fn day(nanoseconds: i64, after: i64) -> Option<String> {
    let time = Timestamp::from_nanosecond(i128::from(nanoseconds)).ok()?;
    let date = time.to_zoned(TimeZone::system()).date();
    Some(date.checked_add(Span::new().days(after)).ok()?.to_string())
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

    #[test]
    fn a_day_comes_back_as_it_was_given() {
        let midnight = day_start("2024-03-31", 0).unwrap();
        assert_eq!(day(midnight, 0).as_deref(), Some("2024-03-31"));
        assert_eq!(day(midnight, -1).as_deref(), Some("2024-03-30"));
    }
}
