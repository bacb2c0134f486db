//! The address of a server, as users type it and as it is stored.

use std::fmt;
use std::net::Ipv4Addr;

use oriel_core::Notice;
use url::{Host, Url};

use crate::EndpointError;

/// The default path of an OpenAI-compatible API.
const MODELS_PATH: &str = "/v1";
/// The prefix of a socket's address on this computer.
const SOCKET: &str = "unix:";
/// The scheme of PostgreSQL as it is stored, its other form, and the default port.
const POSTGRES: &str = "postgres";
const POSTGRESQL: &str = "postgresql";
const POSTGRES_PORT: u16 = 5432;

/// The address of a server, checked and normalised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress(Url);

impl ServerAddress {
    /// Parses the address of an OpenAI-compatible API, with or without `http` or `https`. Does not connect.
    ///
    /// # Errors
    /// If it is not an http or https address, or contains a user, a question mark or a hash.
    pub fn of_models(address: &str) -> Result<Self, EndpointError> {
        let wrong = || EndpointError(Notice::ServerAddressWrong { address: address.to_owned() });
        let mut url = read(address).ok_or_else(wrong)?;
        let path = match url.path().trim_end_matches('/') {
            "" => MODELS_PATH.to_owned(),
            path => path.to_owned(),
        };
        url.set_path(&path);
        Ok(Self(url))
    }

    /// Parses the address of an index: an http or https address without a path; `postgres://host:port/database`; or a
    /// socket on this computer, `unix:/path`. Does not connect.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn of_index(address: &str) -> Result<Self, EndpointError> {
        let wrong = || EndpointError(Notice::IndexAddressWrong { address: address.to_owned() });
        let url = match address.trim().strip_prefix(SOCKET) {
            Some(path) if path.starts_with('/') => Url::parse(address.trim()).ok(),
            Some(_) => None,
            None => read_postgres(address).or_else(|| read(address).filter(|url| url.path() == "/")),
        };
        url.map(Self).ok_or_else(wrong)
    }

    /// The host, with the port unless that is the default; the path of a socket.
    #[must_use]
    pub fn host(&self) -> String {
        let Some(host) = self.0.host_str().filter(|host| !host.is_empty()) else {
            return self.0.path().to_owned();
        };
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether the server is on this computer.
    #[must_use]
    pub fn is_local(&self) -> bool {
        match self.0.host() {
            // For other schemes than those of the web, the parser returns an IP address as a name.
            Some(Host::Domain(name)) => {
                name == "localhost" || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
            }
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => true,
        }
    }

    /// Whether the connection is encrypted. Connections to PostgreSQL are, except on this computer.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        match self.0.scheme() {
            POSTGRES => !self.is_local(),
            scheme => scheme == "https",
        }
    }
}

/// Parses an http or https address without a user, query or fragment. Without a scheme it becomes https, or http on
/// this computer.
fn read(address: &str) -> Option<Url> {
    let typed = address.trim();
    if typed.strip_prefix(SOCKET).is_some_and(|path| path.starts_with('/')) {
        return None;
    }
    let has_scheme = typed.contains("://");
    let mut url =
        if has_scheme { Url::parse(typed) } else { Url::parse(&format!("https://{typed}")) }.ok()?;
    url.host()?;
    if !has_scheme && ServerAddress(url.clone()).is_local() {
        url.set_scheme("http").ok()?;
    }
    (["http", "https"].contains(&url.scheme()) && is_place(&url)).then_some(url)
}

/// Parses an address of PostgreSQL that has only a host, a port and the name of a database.
fn read_postgres(address: &str) -> Option<Url> {
    let mut url = Url::parse(address.trim()).ok()?;
    if ![POSTGRES, POSTGRESQL].contains(&url.scheme()) || !is_place(&url) {
        return None;
    }
    url.set_scheme(POSTGRES).ok()?;
    // Normalises the host as for web addresses.
    let host = Host::parse(url.host_str()?).ok()?;
    url.set_host(Some(&host.to_string())).ok()?;
    if url.port() == Some(POSTGRES_PORT) {
        url.set_port(None).ok()?;
    }
    let database = url.path().trim_matches('/').to_owned();
    url.set_path(&database);
    (!database.contains('/')).then_some(url)
}

/// Whether an address contains no user, query or fragment.
fn is_place(url: &Url) -> bool {
    let is_plain = url.username().is_empty() && url.password().is_none();
    is_plain && url.query().is_none() && url.fragment().is_none()
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_type_them() {
        for (typed, address, is_local) in [
            ("localhost:11434", "http://localhost:11434/v1", true),
            ("127.0.0.2:8080/v1/", "http://127.0.0.2:8080/v1", true),
            ("http://[::1]:8080/api", "http://[::1]:8080/api", true),
            ("GPU.example", "https://gpu.example/v1", false),
            ("http://gpu.example:8000/v1", "http://gpu.example:8000/v1", false),
            ("localhost.evil.example/v1", "https://localhost.evil.example/v1", false),
            ("0.0.0.0:80", "https://0.0.0.0:80/v1", false),
        ] {
            let read = ServerAddress::of_models(typed).unwrap();
            assert_eq!((read.to_string().as_str(), read.is_local()), (address, is_local), "{typed}");
        }
        for wrong in [
            "",
            "ftp://host",
            "https://ada:secret@host/v1",
            "https://host/v1?key=x",
            "https://host/#x",
            "unix:/run/socket",
            "a b",
        ] {
            let error = ServerAddress::of_models(wrong).err().map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.contains("is not the address of a server")), "{wrong}");
        }
    }

    #[test]
    fn an_index_has_a_host_and_a_port_or_a_socket() {
        for (typed, host, is_local) in [
            ("localhost:19530", "localhost:19530", true),
            ("milvus.example:19530", "milvus.example:19530", false),
            ("http://milvus.example:19530/", "milvus.example:19530", false),
            ("unix:/run/milvus.sock", "/run/milvus.sock", true),
        ] {
            let read = ServerAddress::of_index(typed).unwrap();
            assert_eq!((read.host().as_str(), read.is_local()), (host, is_local), "{typed}");
            assert_eq!(ServerAddress::of_index(&read.to_string()), Ok(read), "{typed}");
        }
        for (typed, address, host, is_encrypted) in [
            ("postgres://localhost", "postgres://localhost", "localhost", false),
            ("postgres://127.0.0.1:5433/", "postgres://127.0.0.1:5433", "127.0.0.1:5433", false),
            ("postgres://[::1]:5432/oriel", "postgres://[::1]/oriel", "[::1]", false),
            ("postgresql://PG.example:5432/oriel/", "postgres://pg.example/oriel", "pg.example", true),
            ("postgres://0.0.0.0", "postgres://0.0.0.0", "0.0.0.0", true),
            (
                "postgres://localhost.evil.example",
                "postgres://localhost.evil.example",
                "localhost.evil.example",
                true,
            ),
        ] {
            let read = ServerAddress::of_index(typed).unwrap();
            assert_eq!((read.to_string().as_str(), read.host().as_str()), (address, host), "{typed}");
            assert_eq!((read.is_encrypted(), read.is_local()), (is_encrypted, !is_encrypted), "{typed}");
            assert_eq!(ServerAddress::of_index(address), Ok(read), "{typed}");
        }
        for wrong in [
            "",
            "https://milvus.example/v1",
            "unix:milvus.sock",
            "ada:secret@milvus.example",
            "a b",
            "postgres:///oriel",
            "postgres://",
            "postgres://ada@pg.example",
            "postgres://ada:secret@pg.example/oriel",
            "postgres://pg.example/oriel/sentence",
            "postgres://pg.example/oriel?sslmode=disable",
            "postgres://%2Frun%2Fpostgresql/oriel",
            "postgres:pg.example",
            "mysql://pg.example",
        ] {
            let error = ServerAddress::of_index(wrong).err().map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.contains("is not the address of an index")), "{wrong}");
        }
    }
}
