//! Conversations in their list, work that can be stopped, and files that a draft is read from.

use oriel_api::{payload, request};
use oriel_engine::ConversationId;

request! {
    /// Searches conversations.
    pub struct FindConversations {
        /// Words in the title, the questions or the answers; empty for all conversations.
        pub query: String,
    }

    /// A new title.
    pub struct Rename {
        #[ts(type = "string")]
        pub conversation: ConversationId,
        pub title: String,
    }

    /// Work that can be stopped. What it has found so far is kept; of copies, imports and connections nothing stays.
    #[derive(Copy, PartialEq, Eq, Hash)]
    pub enum Stoppable {
        /// The list of mentions.
        Mentions,
        /// The suggestion of a question.
        Suggestion,
        Table,
        /// The check of a draft.
        Draft,
        /// The copying of what was dropped.
        Copying,
        /// The import of a model.
        Importing,
        /// The trial of a server.
        Connecting,
        /// The trial of an embedder.
        Trial,
        /// Making or asking questions.
        Evaluation,
        /// A check, a repair, a backup, a compaction or a restore.
        Maintenance,
    }

    pub struct DraftText {
        pub text: String,
    }

    /// Asks for the text of a file.
    pub struct ReadDraft {
        /// The id of a drop; `null` opens the system's dialog.
        pub drop: Option<u32>,
    }
}

payload! {
    /// The text of a file.
    pub struct DraftFile {
        /// The file's name.
        pub name: String,
        pub text: String,
    }
}
