//! Names of conversations and turns, as a front sends them.

use oriel_engine::ConversationId;

use crate::payload::request;

request! {
    /// Names a conversation.
    pub struct ConversationRef {
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        pub conversation: ConversationId,
    }

    /// Names a turn of a conversation.
    pub struct TurnRef {
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        pub conversation: ConversationId,
        /// From 0.
        pub turn: usize,
    }
}
