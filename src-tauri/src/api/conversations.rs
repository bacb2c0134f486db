//! Conversations in their list, and files that a draft is read from.

use oriel_engine::ConversationId;

request! {
    /// Looks through conversations.
    pub struct FindConversations {
        /// What title, questions or answers hold; empty for all.
        pub query: String,
    }

    /// A new title.
    pub struct Rename {
        #[ts(type = "string")]
        pub conversation: ConversationId,
        pub title: String,
    }

    pub struct DraftText {
        pub text: String,
    }

    /// Asks for the text of a file.
    pub struct ReadDraft {
        /// What was dropped; the system's dialog asks for a file if it is `null`.
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
