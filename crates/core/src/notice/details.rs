//! Fields of notices with a fixed set of values.

use std::io;

use serde::{Deserialize, Serialize};

/// The kinds of system error for which the UI has its own texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum IoKind {
    NotFound,
    PermissionDenied,
    DiskFull,
    ReadOnly,
    /// The disk failed (`EIO`).
    InputOutput,
    /// Any other error; the message has the system's text.
    Other,
}

impl IoKind {
    #[must_use]
    pub fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::PermissionDenied,
            io::ErrorKind::StorageFull => Self::DiskFull,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            // `ErrorKind` has no stable name for `EIO`.
            _ if cfg!(unix) && error.raw_os_error() == Some(5) => Self::InputOutput,
            _ => Self::Other,
        }
    }
}

/// What a misnamed file seems to be. The variants' texts complete the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum FileLooks {
    #[error("a picture")]
    Picture,
    #[error("a PostScript file")]
    PostScript,
    #[error("a packed file")]
    Packed,
    #[error("a program")]
    Program,
    #[error("an XML file")]
    Xml,
    #[error("plain text; give it the matching ending")]
    PlainText,
}

/// What is damaged in a document of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum Damage {
    #[error("it is incomplete")]
    Incomplete,
    #[error("a part cannot be unpacked")]
    PartPacked,
    #[error("its parts are not linked")]
    PartsNotLinked,
    #[error("its main part is missing")]
    MainPartMissing,
    #[error("its main part holds no XML")]
    NoXml,
    #[error("its content makes no sense")]
    Senseless,
    #[error("its XML is malformed")]
    XmlMalformed,
    #[error("its XML breaks off")]
    XmlBreaksOff,
}

/// How a model's process violated the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum ModelSpoke {
    #[error("it sent invalid data")]
    Garbage,
    #[error("it sent an unexpected message")]
    OutOfTurn,
}

/// What the user can do about a failed download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export_to = "types.ts"))]
pub enum DownloadAdvice {
    #[error("check HF_ENDPOINT, which must be an https address")]
    CheckEndpoint,
    #[error("a network that asks for a sign-in does this; sign in, or check HF_ENDPOINT, and try again")]
    SignIn,
    #[error("check the network and try again")]
    CheckNetwork,
    #[error("if your company inspects traffic, install its certificate in the system's store and try again")]
    InstallCertificate,
    #[error("check HTTPS_PROXY and ALL_PROXY and try again")]
    CheckProxy,
    #[error("this model cannot be fetched without an account there")]
    AccountNeeded,
    #[error("update Oriel, or choose another model")]
    UpdateOriel,
    #[error("try again later")]
    TryLater,
}
