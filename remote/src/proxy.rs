//! The proxy from the environment, with curl's convention: `HTTPS_PROXY`, otherwise `ALL_PROXY`, but not for the hosts
//! in `NO_PROXY`. Lower-case names count too.

use ureq::{Proxy, ProxyProtocol};

use oriel_wire::RemoteError;

/// The proxy settings of the environment.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    address: Option<String>,
    exceptions: Vec<String>,
}

impl Proxies {
    /// Reads the environment.
    pub(crate) fn from_environment() -> Self {
        Self::from_variables(&|name| std::env::var(name).ok())
    }

    fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let first = |names: [&str; 4]| {
            names
                .into_iter()
                .filter_map(variable)
                .map(|value| value.trim().to_owned())
                .find(|value| !value.is_empty())
        };
        let exceptions = first(["no_proxy", "NO_PROXY", "", ""]).unwrap_or_default();
        Self {
            address: first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
            exceptions: exceptions.split(',').map(|one| one.trim().to_ascii_lowercase()).collect(),
        }
    }

    /// The proxy for `host`, or `None` for a direct connection.
    pub(crate) fn for_host(&self, host: &str) -> Result<Option<Proxy>, RemoteError> {
        let Some(address) = self.address.as_ref().filter(|_| !self.is_exception(host)) else {
            return Ok(None);
        };
        let unusable =
            |proxy: &str, reason: &str| RemoteError::Proxy { proxy: proxy.into(), reason: reason.into() };
        // The address may contain a password, so the error does not repeat it.
        let proxy =
            Proxy::new(address).map_err(|_| unusable("of the environment", "its address is not valid"))?;
        match proxy.protocol() {
            ProxyProtocol::Http | ProxyProtocol::Https => Ok(Some(proxy)),
            other => Err(unusable(proxy.host(), &format!("{other} is not supported"))),
        }
    }

    fn is_exception(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        self.exceptions.iter().any(|exception| {
            let domain = exception.trim_start_matches('*').trim_start_matches('.');
            exception == "*"
                || (!domain.is_empty()
                    && host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(pairs: &'static [(&str, &str)]) -> Proxies {
        Proxies::from_variables(&|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_names_the_proxy_and_its_exceptions() {
        let with = proxies(&[
            ("HTTPS_PROXY", "http://ada:secret@proxy.example.org:3128"),
            ("ALL_PROXY", "http://other:1"),
            ("NO_PROXY", "localhost, .intern.example.org,10.0.0.1"),
        ]);
        let named = |host: &str| with.for_host(host).unwrap().map(|proxy| proxy.host().to_owned());
        assert_eq!(named("huggingface.co").as_deref(), Some("proxy.example.org"));
        for direct in ["localhost", "hub.intern.example.org", "HUB.INTERN.example.org", "10.0.0.1"] {
            assert_eq!(named(direct), None, "{direct}");
        }
        assert!(named("notlocalhost").is_some() && named("localhost.org").is_some());
        assert!(proxies(&[("HTTP_PROXY", "http://p:1")]).for_host("h").unwrap().is_none(), "for http alone");
        let all = proxies(&[("all_proxy", "http://p:1"), ("no_proxy", "*")]);
        assert!(all.for_host("h").unwrap().is_none());
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_an_error_without_its_password() {
        for address in ["socks5://ada:secret@proxy:1080", "ftp://ada:secret@proxy"] {
            let proxies = Proxies { address: Some(address.into()), exceptions: Vec::new() };
            let line = proxies.for_host("h").unwrap_err().to_string();
            assert!(!line.contains("secret"), "{line}");
        }
    }
}
