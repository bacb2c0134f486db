//! Other programs that ask the library, and what they can see.

use oriel_api::{Program, ProgramRequest, payload, request};
use oriel_core::Notice;

payload! {
    /// Programs that can ask this library, and what is hidden from them.
    pub struct Programs {
        /// Those whose setup Oriel knows.
        pub programs: Vec<ProgramRow>,
        /// The lines for a program's file; `null` if the command `oriel` is not beside the app.
        pub lines: Option<String>,
        /// What the library follows.
        pub folders: Vec<VisibleFolder>,
        /// What is hidden inside of these.
        pub hidden: Vec<HiddenFolder>,
        /// The address at which programs on this computer ask by the API of OpenAI.
        pub local: LocalAddress,
        /// What they asked in the last thirty days, newest first.
        pub asked: Vec<ProgramRequest>,
    }

    /// A program that can start Oriel.
    pub struct ProgramRow {
        pub program: Program,
        pub name: &'static str,
        /// The file that the lines belong in.
        pub file: String,
        /// Whether the file names Oriel.
        pub is_set_up: bool,
    }

    /// The address at which programs on this computer ask.
    pub struct LocalAddress {
        /// Whether the user has switched it on.
        pub is_on: bool,
        /// The port that the user chose.
        pub port: u16,
        /// The address while the server runs.
        pub address: Option<String>,
        /// Why the server does not run although it is switched on.
        pub error: Option<Notice>,
        /// The file with the key.
        pub file: String,
    }

    /// The key of the local address.
    pub struct LocalKey {
        /// The key that a program must send.
        pub key: String,
    }

    /// A followed folder as other programs see it.
    pub struct VisibleFolder {
        pub id: u32,
        /// The last part of its path.
        pub name: String,
        pub path: String,
        /// Documents in it that were read.
        pub documents: usize,
        /// Whether it is hidden as a whole.
        pub is_hidden: bool,
        /// Whether it can be hidden and shown by itself; a folder inside a hidden one cannot.
        pub can_change: bool,
    }

    /// A hidden folder or document.
    pub struct HiddenFolder {
        /// The last part of its path.
        pub name: String,
        pub path: String,
        /// Documents in it that were read.
        pub documents: usize,
    }
}

request! {
    /// Switches the local address on or off.
    pub struct SetLocalAddress {
        pub on: bool,
        pub port: u16,
    }

    /// Hides a followed folder or shows it.
    pub struct HideFolder {
        pub folder: u32,
        pub hide: bool,
    }

    /// Something hidden.
    pub struct HiddenRef {
        /// Its whole path as it was sent.
        pub path: String,
    }
}
