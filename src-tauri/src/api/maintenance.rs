//! The library as a whole: checked, repaired, backed up, compacted, restored.

use oriel_api::payload;
use oriel_core::Notice;

payload! {
    /// What a check of the library found.
    pub struct Checkup {
        /// Documents whose text was checked.
        pub documents: usize,
        pub sentences: usize,
        /// What disagrees; empty if all is well.
        pub problems: Vec<Notice>,
    }

    /// A backup that was written.
    pub struct BackedUp {
        /// The file's name.
        pub name: String,
        #[serde(flatten)]
        pub done: oriel_engine::BackedUp,
    }

    /// A backup that waits to be restored. Its path stays in the shell.
    pub struct ChosenBackup {
        /// The file's name.
        pub name: String,
        /// The folder in which the library that is replaced will lie.
        pub folder: String,
    }

    /// A backup that was restored.
    pub struct Restored {
        /// The file's name.
        pub name: String,
        #[serde(flatten)]
        pub done: oriel_engine::Restored,
    }
}
