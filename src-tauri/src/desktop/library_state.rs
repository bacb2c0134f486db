//! The library's state as the window shows it: its folders, its counts and what is being done.

use oriel_api::{Activity, Indexer, name_of};
use oriel_core::Notice;
use oriel_engine::{FolderOverview, IndexInfo, Library, Overview};

use crate::api::{Folder, IndexPlace, KindCount, LibraryState};
use crate::state::sample::own_folder;

/// The library with these counts.
pub(crate) fn library_state(library: &Library, indexer: &Indexer, overview: &Overview) -> LibraryState {
    let mut kinds: Vec<KindCount> =
        overview.kinds.iter().map(|(&kind, &number)| KindCount { kind, count: number }).collect();
    kinds.sort_by_key(|one| std::cmp::Reverse(one.count));
    LibraryState {
        folders: overview.folders.iter().map(|folder| folder_row(library, folder)).collect(),
        documents: overview.documents,
        sentences: overview.sentences,
        distinct: overview.distinct,
        unembedded: overview.unembedded,
        unembedded_next: overview.unembedded_next,
        waiting: overview.waiting,
        failed: overview.failed,
        empty: overview.empty,
        skipped: overview.skipped.unwrap_or(0),
        links: overview.links,
        bytes: overview.bytes,
        kinds,
        read_only: library.is_read_only(),
        reads_from: library.reads_from().ok().flatten().map(|index| index_place(index, None)),
        publishes_to: (library.publishes_to().ok().flatten())
            .map(|index| index_place(index, indexer.publish_trouble())),
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

fn folder_row(library: &Library, folder: &FolderOverview) -> Folder {
    Folder {
        id: folder.number,
        name: name_of(&folder.path),
        path: folder.path.to_string_lossy().into_owned(),
        is_file: folder.is_file,
        own: own_folder(library, &folder.path),
        documents: folder.documents,
        waiting: folder.waiting,
        failed: folder.failed,
        known: folder.known,
        unreachable: folder.unreachable.clone(),
        timed: folder.timed,
        excludes: folder.excludes.clone(),
        follow_links: folder.follow_links,
    }
}

fn index_place(index: IndexInfo, trouble: Option<Notice>) -> IndexPlace {
    let IndexInfo { address, host, is_local, collection, .. } = index;
    IndexPlace { address, host, is_local, collection, trouble }
}
