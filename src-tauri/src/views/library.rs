//! The library's state: its folders, its counts and what is being done.

use std::path::Path;

use oriel_app::{Activity, Indexer};
use oriel_core::Notice;
use oriel_engine::{Library, Overview};

use crate::api::{Folder, KindCount, LibraryState, OwnFolder, Timed, count};
use crate::state::sample;
use crate::views::documents::name_of;

/// The library with these counts.
pub(crate) fn library_state(library: &Library, indexer: &Indexer, overview: &Overview) -> LibraryState {
    let mut kinds: Vec<KindCount> =
        overview.kinds.iter().map(|(&kind, &number)| KindCount { kind, count: count(number) }).collect();
    kinds.sort_by_key(|one| std::cmp::Reverse(one.count));
    LibraryState {
        folders: overview
            .folders
            .iter()
            .map(|folder| Folder {
                id: folder.number,
                name: name_of(&folder.path),
                path: folder.path.to_string_lossy().into_owned(),
                is_file: folder.is_file,
                own: own_folder(library, &folder.path),
                documents: count(folder.documents),
                waiting: count(folder.waiting),
                failed: count(folder.failed),
                known: count(folder.known),
                unreachable: folder.unreachable.clone(),
                timed: folder.timed.map(timed),
                excludes: folder.excludes.clone(),
            })
            .collect(),
        documents: count(overview.documents),
        sentences: count(overview.sentences),
        distinct: count(overview.distinct),
        unembedded: count(overview.unembedded),
        unembedded_next: overview.unembedded_next.map(count),
        waiting: count(overview.waiting),
        failed: count(overview.failed),
        empty: count(overview.empty),
        skipped: count(overview.skipped.unwrap_or(0)),
        bytes: overview.bytes,
        kinds,
        activity: match indexer.activity() {
            Activity::Stopped { notice: Notice::ModelAbsent { .. } } => {
                Activity::Stopped { notice: Notice::NoEmbedder }
            }
            activity => activity,
        },
        yielding: indexer.is_yielding(),
        meaning_left: indexer.meaning_left(overview.unembedded + overview.expected),
    }
}

/// Which of the library's own folders this is.
pub(crate) fn own_folder(library: &Library, path: &Path) -> Option<OwnFolder> {
    if path == sample::folder(library.path()) {
        Some(OwnFolder::Sample)
    } else if path == library.files() {
        Some(OwnFolder::Copies)
    } else {
        None
    }
}

fn timed(why: oriel_engine::Timed) -> Timed {
    match why {
        oriel_engine::Timed::Limit => Timed::Limit,
        oriel_engine::Timed::Network => Timed::Network,
        oriel_engine::Timed::Refused => Timed::Refused,
    }
}
