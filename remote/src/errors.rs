//! Converts errors of ureq, rustls and the system.

use std::io;

use oriel_wire::RemoteError;
use rustls::Error as TlsError;
use ureq::Proxy;

/// The error of a request to `host`, through `proxy` if there is one.
pub(crate) fn named(error: &ureq::Error, host: &str, proxy: Option<&Proxy>) -> RemoteError {
    let host = host.to_owned();
    if let ureq::Error::ConnectProxyFailed(reason) = error {
        return refused_by_proxy(proxy, reason.trim());
    }
    if let Some(tls) = tls_error(error) {
        return of_tls(tls, host);
    }
    match (connection_error(error, &host), proxy) {
        // The proxy could not be reached. It would have resolved the host itself.
        (Some(cause), Some(proxy)) if cause.is_offline() => {
            refused_by_proxy(Some(proxy), &without_host(&cause))
        }
        (Some(cause), _) => cause,
        (None, _) => RemoteError::Other { host, reason: error.to_string() },
    }
}

fn refused_by_proxy(proxy: Option<&Proxy>, reason: &str) -> RemoteError {
    let proxy = proxy.map_or_else(String::new, |proxy| format!("{}:{}", proxy.host(), proxy.port()));
    RemoteError::Proxy { proxy, reason: reason.to_owned() }
}

/// The reason without the host, for messages about the proxy.
fn without_host(cause: &RemoteError) -> String {
    match cause {
        RemoteError::UnknownHost { .. } => "its address cannot be found",
        RemoteError::Refused { .. } => "it refuses the connection",
        _ => "it cannot be reached",
    }
    .into()
}

/// The error of the connection itself.
fn connection_error(error: &ureq::Error, host: &str) -> Option<RemoteError> {
    let host = host.to_owned();
    match error {
        ureq::Error::HostNotFound => Some(RemoteError::UnknownHost { host }),
        ureq::Error::Timeout(_) => Some(RemoteError::Silent { host }),
        ureq::Error::ConnectionFailed => Some(RemoteError::Unreachable { host }),
        ureq::Error::Io(error) => Some(of_io(error, host)),
        _ => None,
    }
}

/// The error of a connection that the system reports.
pub(crate) fn of_io(error: &io::Error, host: String) -> RemoteError {
    use io::ErrorKind;
    match error.kind() {
        ErrorKind::ConnectionRefused => RemoteError::Refused { host },
        ErrorKind::TimedOut | ErrorKind::WouldBlock => RemoteError::Silent { host },
        ErrorKind::NetworkUnreachable
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::AddrNotAvailable
        | ErrorKind::PermissionDenied => RemoteError::Unreachable { host },
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => RemoteError::Cut { host },
        // The standard library has no kind for it. On Unix the text is the standard library's, on Windows the numbers
        // are the system's.
        _ if error.to_string().starts_with("failed to lookup address")
            || matches!(error.raw_os_error(), Some(11001..=11004)) =>
        {
            RemoteError::UnknownHost { host }
        }
        _ => RemoteError::Other { host, reason: error.to_string() },
    }
}

/// The error of rustls, also if an error of the stream wraps it.
fn tls_error(error: &ureq::Error) -> Option<&TlsError> {
    match error {
        ureq::Error::Rustls(error) => Some(error),
        ureq::Error::Io(error) => error.get_ref()?.downcast_ref::<TlsError>(),
        _ => None,
    }
}

/// The error of an encryption.
pub(crate) fn of_tls(error: &TlsError, host: String) -> RemoteError {
    match error {
        TlsError::InvalidCertificate(reason) => RemoteError::Certificate { host, reason: reason.to_string() },
        // The verifier's message if the system has no certificates at all.
        TlsError::General(reason) if reason.contains("CA certificates") => {
            RemoteError::Certificate { host, reason: reason.clone() }
        }
        other => RemoteError::Tls { host, reason: other.to_string() },
    }
}

/// The error while a file is received.
pub(crate) fn while_receiving(error: &io::Error, host: &str) -> RemoteError {
    let host = host.to_owned();
    match error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>()) {
        Some(ureq::Error::Timeout(_)) => RemoteError::Silent { host },
        _ if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => {
            RemoteError::Silent { host }
        }
        // Any other error that ends a file early; the same request can resume it.
        _ => RemoteError::Cut { host },
    }
}
