//! Downloads one file over HTTPS: redirects, range requests, and its bytes to the pipe.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use oriel_core::frame::write_head;
use oriel_wire::RemoteError;
use oriel_wire::remote::{Fetch, PIECE, Reply};
use ureq::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, IF_RANGE, LOCATION, RANGE};
use ureq::http::{Response, Uri};
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body};

use crate::errors::{named, while_receiving};
use crate::proxy::Proxies;

/// Timeout in seconds for resolving and connecting to a host.
const CONNECT: Duration = Duration::from_secs(20);

/// Maximum number of redirects.
const REDIRECTS: usize = 5;

/// Why a request ended early.
pub(crate) enum Stop {
    /// The network or the server failed.
    Failed(RemoteError),
    /// The pipe to the parent failed.
    Pipe(io::Error),
}

impl From<RemoteError> for Stop {
    fn from(cause: RemoteError) -> Self {
        Self::Failed(cause)
    }
}

/// A part of a file, as the server offers it.
struct Part {
    host: String,
    from: u64,
    etag: Option<String>,
    body: Body,
}

/// Sends requests, and keeps the connection for the next one.
pub(crate) struct Client {
    pub(crate) agent: Agent,
    pub(crate) proxies: Proxies,
}

impl Client {
    /// A client that trusts the system's certificates.
    pub(crate) fn new() -> Self {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(RootCerts::PlatformVerifier)
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .https_only(true)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent("oriel")
            .accept_encoding("identity")
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .build();
        Self { agent: config.new_agent(), proxies: Proxies::from_environment() }
    }

    /// Sends the file, or its missing part, to `output`.
    pub(crate) fn fetch(&self, fetch: &Fetch, output: &mut impl Write) -> Result<(), Stop> {
        let part = match self.part(fetch, fetch.from > 0)? {
            Some(part) => part,
            // The parent's bytes belong to another file.
            None => {
                self.part(fetch, false)?.ok_or_else(|| RemoteError::Range { host: host_of(&fetch.url) })?
            }
        };
        let Part { host, from, etag, body } = part;
        let start = Reply::Start { from, etag, total: fetch.size };
        write_head(output, &start).and_then(|()| output.flush()).map_err(Stop::Pipe)?;
        let mut left = fetch.size - from;
        let mut body = body.into_reader();
        let mut piece = vec![0; PIECE as usize];
        loop {
            let read = match body.read(&mut piece) {
                Ok(0) if left > 0 => return Err(RemoteError::Cut { host }.into()),
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(while_receiving(&error, &host).into()),
            };
            left = left.checked_sub(read as u64).ok_or_else(|| RemoteError::Length {
                host: host.clone(),
                size: fetch.size,
                found: fetch.size + read as u64 - left,
            })?;
            let length = u32::try_from(read).map_err(|e| Stop::Pipe(io::Error::other(e)))?;
            write_head(output, &Reply::Bytes { length })
                .and_then(|()| output.write_all(&piece[..read]))
                .and_then(|()| output.flush())
                .map_err(Stop::Pipe)?;
        }
    }

    /// Requests the file, or with `is_rest` its rest, and follows redirects. `None` if the server does not have this
    /// rest.
    fn part(&self, fetch: &Fetch, is_rest: bool) -> Result<Option<Part>, RemoteError> {
        let origin = host_of(&fetch.url);
        let mut url = fetch.url.clone();
        for _ in 0..=REDIRECTS {
            let host = checked_host(&url)?;
            let response = self.get(&url, &host, fetch, is_rest)?;
            match response.status().as_u16() {
                301 | 302 | 303 | 307 | 308 => {
                    let to = header(&response, LOCATION.as_str()).unwrap_or_default();
                    url = redirected(&url, &to);
                    let target = checked_host(&url)?;
                    if !is_followed(&origin, &target) {
                        return Err(RemoteError::ForeignRedirect { host, target });
                    }
                }
                206 if is_rest => return rest(fetch, host, response),
                416 if is_rest => return Ok(None),
                200 => return whole(fetch, host, response).map(Some),
                206 => return Err(RemoteError::Range { host }),
                status => return Err(RemoteError::Status { host, status }),
            }
        }
        Err(RemoteError::TooManyRedirects { host: origin })
    }

    fn get(
        &self,
        url: &str,
        host: &str,
        fetch: &Fetch,
        is_rest: bool,
    ) -> Result<Response<Body>, RemoteError> {
        let proxy = self.proxies.for_host(host)?;
        let mut request = self.agent.get(url);
        if is_rest {
            request = request.header(RANGE, format!("bytes={}-", fetch.from));
            // A weak tag must not be sent; the reply's tag is compared with it instead.
            if let Some(etag) = fetch.etag.as_ref().filter(|etag| !etag.starts_with("W/")) {
                request = request.header(IF_RANGE, etag);
            }
        }
        let silence = Duration::from_secs(fetch.silence);
        request
            .config()
            .proxy(proxy.clone())
            .timeout_per_read(Some(silence))
            .timeout_per_write(Some(silence))
            .build()
            .call()
            .map_err(|error| named(&error, host, proxy.as_ref()))
    }
}

/// The whole file from its beginning.
fn whole(fetch: &Fetch, host: String, response: Response<Body>) -> Result<Part, RemoteError> {
    check_encoding(&response, &host)?;
    // A proxy may have removed the length; the bytes are counted in any case.
    let length = header(&response, CONTENT_LENGTH.as_str()).and_then(|length| length.parse().ok());
    if let Some(found) = length.filter(|found| *found != fetch.size) {
        return Err(RemoteError::Length { host, size: fetch.size, found });
    }
    let etag = header(&response, ETAG.as_str());
    Ok(Part { host, from: 0, etag, body: response.into_body() })
}

/// The rest of the file, or `None` if it belongs to another file than the existing bytes.
fn rest(fetch: &Fetch, host: String, response: Response<Body>) -> Result<Option<Part>, RemoteError> {
    check_encoding(&response, &host)?;
    let range = header(&response, CONTENT_RANGE.as_str()).as_deref().and_then(content_range);
    let Some((from, last, total)) = range else { return Err(RemoteError::Range { host }) };
    if total != fetch.size {
        return Err(RemoteError::Length { host, size: fetch.size, found: total });
    }
    if from != fetch.from || last + 1 != total {
        return Err(RemoteError::Range { host });
    }
    let etag = header(&response, ETAG.as_str());
    if let (Some(had), Some(now)) = (&fetch.etag, &etag)
        && had != now
    {
        return Ok(None);
    }
    Ok(Some(Part { host, from, etag: etag.or_else(|| fetch.etag.clone()), body: response.into_body() }))
}

fn check_encoding(response: &Response<Body>, host: &str) -> Result<(), RemoteError> {
    match header(response, CONTENT_ENCODING.as_str()).filter(|encoding| encoding != "identity") {
        Some(encoding) => {
            let reason = format!("it sends the file as {encoding}");
            Err(RemoteError::Other { host: host.into(), reason })
        }
        None => Ok(()),
    }
}

fn header(response: &Response<Body>, name: &str) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(|value| value.trim().to_owned())
}

/// First byte, last byte and total of `bytes 5-9/10`.
fn content_range(value: &str) -> Option<(u64, u64, u64)> {
    let (range, total) = value.strip_prefix("bytes")?.trim_start().split_once('/')?;
    let (first, last) = range.split_once('-')?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?, total.trim().parse().ok()?))
}

/// The host of an address; empty if it has none.
pub(crate) fn host_of(url: &str) -> String {
    url.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_ascii_lowercase)).unwrap_or_default()
}

/// The host of an https address; an error for others.
fn checked_host(url: &str) -> Result<String, RemoteError> {
    let host = host_of(url);
    let scheme = url.split(':').next().unwrap_or_default();
    if scheme.eq_ignore_ascii_case("https") && !host.is_empty() {
        return Ok(host);
    }
    // The rest of the address may contain a password or a signature.
    Err(RemoteError::Insecure { address: format!("{scheme}://{host}") })
}

/// Whether a server at `origin` may redirect to `target`: to itself, or to the hosts of the Hub.
fn is_followed(origin: &str, target: &str) -> bool {
    target == origin
        || target == "huggingface.co"
        || target.ends_with(".huggingface.co")
        || target.ends_with(".hf.co")
}

/// The address that a redirect from `url` to `to` leads to.
fn redirected(url: &str, to: &str) -> String {
    if to.contains("://") {
        return to.to_owned();
    }
    if let Some(rest) = to.strip_prefix("//") {
        return format!("https://{rest}");
    }
    let authority = url.find("://").map_or(0, |at| at + 3);
    let path = url[authority..].find('/').map_or(url.len(), |at| authority + at);
    if to.starts_with('/') {
        return format!("{}{to}", &url[..path]);
    }
    let folder = url[path..].split(['?', '#']).next().and_then(|path| path.rfind('/')).unwrap_or_default();
    format!("{}/{to}", &url[..path + folder])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_or_refused() {
        assert_eq!(content_range("bytes 5-9/10"), Some((5, 9, 10)));
        for wrong in ["bytes */10", "bytes 5-9/*", "items 5-9/10", "bytes 5/10", "bytes -1-9/10", ""] {
            assert_eq!(content_range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_the_hosts_of_the_hub_are_followed() {
        for target in
            ["mirror.example.org", "huggingface.co", "cdn-lfs.huggingface.co", "cas-bridge.xethub.hf.co"]
        {
            assert!(is_followed("mirror.example.org", target), "{target}");
        }
        for target in ["example.org", "evilhf.co", "huggingface.co.example.org", "hf.co.evil", ""] {
            assert!(!is_followed("mirror.example.org", target), "{target}");
        }
    }

    #[test]
    fn redirects_are_absolute_or_relative() {
        let url = "https://h:1/a/b?c/d";
        for (to, wanted) in [
            ("https://x.hf.co/y", "https://x.hf.co/y"),
            ("//x.hf.co/y", "https://x.hf.co/y"),
            ("/y?z", "https://h:1/y?z"),
            ("y", "https://h:1/a/y"),
        ] {
            assert_eq!(redirected(url, to), wanted);
        }
        assert_eq!(redirected("https://h", "y"), "https://h/y");
    }

    #[test]
    fn only_https_is_spoken() {
        assert_eq!(checked_host("https://HuggingFace.co/x").ok().as_deref(), Some("huggingface.co"));
        for url in ["http://h/x", "ftp://h/x", "file:///x", "h/x", "https:///x", ""] {
            assert!(matches!(checked_host(url), Err(RemoteError::Insecure { .. })), "{url}");
        }
    }
}
