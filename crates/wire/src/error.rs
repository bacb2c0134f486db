//! Errors of requests to a server.

use oriel_core::Notice;
use oriel_core::notice::DownloadAdvice;
use serde::{Deserialize, Serialize};

/// Why a request to a server failed. Each variant names the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[error("{}", self.notice())]
pub enum RemoteError {
    /// The address is not an https address; only its scheme and host are included.
    Insecure { address: String },
    /// The server redirects to a foreign host.
    ForeignRedirect { host: String, target: String },
    /// The server redirects too often.
    TooManyRedirects { host: String },
    /// The host's name cannot be resolved.
    UnknownHost { host: String },
    /// There is no route to the host.
    Unreachable { host: String },
    /// The host refuses the connection.
    Refused { host: String },
    /// The host does not answer, or stopped sending.
    Silent { host: String },
    /// The connection ended before the file was complete.
    Cut { host: String },
    /// The host's certificate is not trusted.
    Certificate { host: String, reason: String },
    /// The encryption failed for another reason.
    Tls { host: String, reason: String },
    /// The proxy cannot be used.
    Proxy { proxy: String, reason: String },
    /// The host answers with an error.
    Status { host: String, status: u16 },
    /// The file has an unexpected length.
    Length { host: String, size: u64, found: u64 },
    /// The host sends a range that was not requested.
    Range { host: String },
    /// The server explains why it refuses the request.
    Said { host: String, status: u16, message: String },
    /// The server's reply has an unexpected form.
    Unexpected { host: String, what: String },
    /// Anything else.
    Other { host: String, reason: String },
}

impl RemoteError {
    /// Whether a retry may soon succeed.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Cut { .. } | Self::Silent { .. } => true,
            Self::Status { status, .. } => *status == 429 || *status >= 500,
            _ => false,
        }
    }

    /// Whether the network may be down for a while; such an error is temporary if the connection worked before.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        matches!(
            self,
            Self::UnknownHost { .. } | Self::Unreachable { .. } | Self::Refused { .. } | Self::Proxy { .. }
        )
    }

    /// The message for the user.
    #[must_use]
    pub fn notice(&self) -> Notice {
        match self.clone() {
            Self::Insecure { address } => Notice::AddressNotHttps { address },
            Self::ForeignRedirect { host, target } => Notice::ForeignRedirect { host, target },
            Self::TooManyRedirects { host } => Notice::EndlessRedirect { host },
            Self::UnknownHost { host } => Notice::HostUnknown { host },
            Self::Unreachable { host } => Notice::HostUnreachable { host },
            Self::Refused { host } => Notice::HostRefuses { host },
            Self::Silent { host } => Notice::HostSilent { host },
            Self::Cut { host } => Notice::ConnectionCut { host },
            Self::Certificate { host, reason } => Notice::CertificateNotTrusted { host, reason },
            Self::Tls { host, reason } => Notice::NoSecureConnection { host, reason },
            Self::Proxy { proxy, reason } => Notice::ProxyRefuses { proxy, reason },
            Self::Status { host, status: status @ (401 | 403) } => Notice::HostDeniesAccess { host, status },
            Self::Status { host, status: 404 } => Notice::HostLacksFile { host },
            Self::Status { host, status: 429 } => Notice::HostAsksToWait { host },
            Self::Status { host, status: status @ 500.. } => Notice::HostHasFault { host, status },
            Self::Status { host, status } => Notice::HostAnswersWithStatus { host, status },
            Self::Length { host, size, found } => Notice::FileOfOtherLength { host, found, size },
            Self::Range { host } => Notice::OtherPartOfFile { host },
            Self::Said { host, status, message } => Notice::ServerSays { host, status, message },
            Self::Unexpected { host, what } => Notice::ServerUnexpected { host, what },
            Self::Other { host, reason } => Notice::about(host, Notice::text(reason)),
        }
    }

    /// The message for the user who connected the server.
    #[must_use]
    pub fn server_notice(self) -> Notice {
        match self {
            Self::Status { host, status: status @ (401 | 403) } => {
                Notice::ServerDeniesAccess { host, status }
            }
            Self::Status { host, status: 404 } => Notice::ServerLacksPath { host },
            Self::Status { host, status: 300..=399 } => Notice::ServerRedirects { host },
            Self::Refused { host } => Notice::ServerRefuses { host },
            Self::Silent { host } => Notice::ServerSilent { host },
            error => error.notice(),
        }
    }

    /// What the user can do about it.
    #[must_use]
    pub fn advice(&self) -> DownloadAdvice {
        match self {
            Self::Insecure { .. } => DownloadAdvice::CheckEndpoint,
            Self::ForeignRedirect { .. } | Self::TooManyRedirects { .. } => DownloadAdvice::SignIn,
            Self::UnknownHost { .. }
            | Self::Unreachable { .. }
            | Self::Refused { .. }
            | Self::Silent { .. }
            | Self::Cut { .. }
            | Self::Tls { .. }
            | Self::Unexpected { .. }
            | Self::Other { .. } => DownloadAdvice::CheckNetwork,
            Self::Certificate { .. } => DownloadAdvice::InstallCertificate,
            Self::Proxy { .. } => DownloadAdvice::CheckProxy,
            Self::Status { status: 401 | 403, .. } => DownloadAdvice::AccountNeeded,
            Self::Status { status: 404, .. } | Self::Length { .. } => DownloadAdvice::UpdateOriel,
            Self::Status { .. } | Self::Said { .. } | Self::Range { .. } => DownloadAdvice::TryLater,
        }
    }
}
