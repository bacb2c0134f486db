//! The library as a whole: checked, repaired, backed up, compacted, restored.

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

    /// How many bytes have been written.
    pub struct Written {
        pub done: u64,
        /// At most.
        pub total: u64,
    }

    /// A backup that was written.
    pub struct BackedUp {
        /// The file's name.
        pub name: String,
        pub bytes: u64,
        pub conversations: usize,
    }

    /// A backup that waits to be restored. Its path stays in the shell.
    pub struct ChosenBackup {
        /// The file's name.
        pub name: String,
        /// The folder in which the library that is replaced will lie.
        pub folder: String,
    }

    /// What came back.
    pub struct Restored {
        /// The backup's name.
        pub name: String,
        /// Bytes that were written.
        pub bytes: u64,
        /// Conversations among them.
        pub conversations: usize,
        /// Where the library lies now that was there before; `null` if there was none, or an empty one.
        pub replaced: Option<String>,
    }
}
