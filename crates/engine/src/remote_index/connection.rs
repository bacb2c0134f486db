//! A connection to a remote index: `oriel-remote-index`, with a collection open.

use std::time::{Duration, Instant};

use oriel_core::notice::listed;
use oriel_core::{CancelToken, Notice};
use oriel_wire::index::{Call, CallReply, Collection, IndexServer, Manifest};
use oriel_wire::remote::Key;
use oriel_wire::{CallError, MissingProgram, REMOTE_INDEX, Remote, RemoteError, shipped_program};
use parking_lot::{Mutex, MutexGuard};

use crate::error::EngineError;
use crate::remote_index::place::IndexPlace;

/// Seconds without an answer after which a search gives a server up.
pub(crate) const SEARCH_SILENCE: u64 = 20;
/// The same for a writer.
pub(crate) const WRITE_SILENCE: u64 = 120;
/// What a collection says about itself is asked for again after this long.
const MANIFEST_AGE: Duration = Duration::from_secs(60);

/// How often to look whether another call has ended.
const LOOK: Duration = Duration::from_millis(10);

/// What a server says of a collection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opened {
    pub collection: Collection,
    /// `None` while nothing was ever published.
    pub manifest: Option<Manifest>,
}

/// A remote index. It is connected with the first call, and again after a failure.
pub(crate) struct IndexConnection {
    place: IndexPlace,
    silence: u64,
    connection: Mutex<Option<Connection>>,
    /// What the collection said about itself when it was last asked.
    manifest: Mutex<Option<Manifest>>,
}

struct Connection {
    remote: Remote,
    opened: Opened,
    since: Instant,
}

impl IndexConnection {
    /// Nothing is connected yet.
    pub(crate) fn new(place: IndexPlace, silence: u64) -> Self {
        Self { place, silence, connection: Mutex::default(), manifest: Mutex::default() }
    }

    /// Where it is.
    pub(crate) fn place(&self) -> &IndexPlace {
        &self.place
    }

    /// What the collection said about itself when it was last asked, if it was. Nothing is connected.
    pub(crate) fn last_manifest(&self) -> Option<Manifest> {
        self.manifest.lock().clone()
    }

    /// What the server says of the collection, not long ago.
    ///
    /// # Errors
    /// If it is not there, or was not made by this version; as [`Self::call`].
    pub(crate) fn opened(&self, cancel: &CancelToken) -> Result<Opened, EngineError> {
        let mut kept = self.connection(cancel)?;
        if let Some(connection) = kept.as_ref().filter(|kept| kept.since.elapsed() < MANIFEST_AGE) {
            return Ok(connection.opened.clone());
        }
        let again = kept.take().map(|kept| self.connect(Some(kept.remote), cancel));
        let connection = match again {
            Some(Ok(connection)) => connection,
            // The process may have ended.
            _ => self.connect(None, cancel)?,
        };
        Ok(kept.insert(connection).opened.clone())
    }

    /// Calls the index. If the connection fails, the call is repeated once over a new one: a repeated call changes nothing.
    ///
    /// # Errors
    /// One line that names the host and says what is wrong; after a cancellation.
    pub(crate) fn call(
        &self,
        call: &Call,
        vectors: &[f32],
        cancel: &CancelToken,
    ) -> Result<CallReply, EngineError> {
        let mut kept = self.connection(cancel)?;
        let mut is_new = kept.is_none();
        loop {
            let mut connection = match kept.take() {
                Some(connection) => connection,
                None => self.connect(None, cancel)?,
            };
            match connection.remote.call(call, vectors, cancel) {
                Ok(reply) => {
                    *kept = Some(connection);
                    return Ok(reply);
                }
                Err(
                    CallError::Broken(_)
                    | CallError::Failed(RemoteError::Unreachable { .. } | RemoteError::Said { .. }),
                ) if !is_new => {
                    is_new = true;
                }
                Err(error) => return Err(failed(&self.place, error)),
            }
        }
    }

    /// The connection, as soon as no other call uses it.
    fn connection(&self, cancel: &CancelToken) -> Result<MutexGuard<'_, Option<Connection>>, EngineError> {
        loop {
            cancel.check()?;
            if let Some(connection) = self.connection.try_lock_for(LOOK) {
                return Ok(connection);
            }
        }
    }

    /// Connects and opens the collection; with the process of an older connection, if there is one.
    fn connect(&self, remote: Option<Remote>, cancel: &CancelToken) -> Result<Connection, EngineError> {
        let place = &self.place;
        let (remote, reply) = open(place, place.key()?, self.silence, remote, cancel)?;
        let opened = opened(place, reply)?;
        self.manifest.lock().clone_from(&opened.manifest);
        Ok(Connection { remote, opened, since: Instant::now() })
    }
}

/// Connects to the index at a place with this key.
///
/// # Errors
/// As [`IndexConnection::call`].
pub(crate) fn open(
    place: &IndexPlace,
    key: Option<Key>,
    silence: u64,
    remote: Option<Remote>,
    cancel: &CancelToken,
) -> Result<(Remote, CallReply), EngineError> {
    let broken = |error: std::io::Error| failed(place, CallError::Broken(error));
    let mut remote = match remote {
        Some(remote) => remote,
        None => {
            let command = shipped_program(REMOTE_INDEX).map_err(|MissingProgram(program)| {
                EngineError::Index(Notice::NetworkProgramMissing { program })
            })?;
            Remote::start(&command).map_err(broken)?
        }
    };
    let (url, collection) = (place.address()?.to_string(), place.collection.clone());
    let server = IndexServer { url, collection, key, silence };
    let reply = remote.call(&Call::Open(server), &[], cancel).map_err(|error| failed(place, error))?;
    Ok((remote, reply))
}

/// What the reply to [`Call::Open`] says of the collection.
///
/// # Errors
/// If it is not there, or was not made by this version.
pub(crate) fn opened(place: &IndexPlace, reply: CallReply) -> Result<Opened, EngineError> {
    let (host, collection) = (place.address()?.host(), place.collection.clone());
    match reply {
        CallReply::Opened(collection, manifest) => Ok(Opened { collection, manifest }),
        CallReply::Missing(known) if known.is_empty() => {
            Err(EngineError::Index(Notice::IndexHasNoCollection { host, collection }))
        }
        CallReply::Missing(mut known) => {
            known.sort();
            let known = listed(&known);
            Err(EngineError::Index(Notice::IndexLacksCollection { host, collection, known }))
        }
        CallReply::Foreign => Err(EngineError::Index(Notice::CollectionForeign { host, collection })),
        _ => Err(unexpected(place)),
    }
}

/// The error of a reply that does not fit its call.
pub(crate) fn unexpected(place: &IndexPlace) -> EngineError {
    failed(place, CallError::Broken(std::io::Error::other("it answers what was not asked")))
}

/// What is wrong with a call, for a user.
pub(crate) fn failed(place: &IndexPlace, error: CallError) -> EngineError {
    let host = || place.address().map_or_else(|_| place.address.clone(), |address| address.host());
    match error {
        CallError::Cancelled(cancelled) => cancelled.into(),
        CallError::Failed(RemoteError::Unexpected { what, .. }) => {
            EngineError::Index(Notice::IndexUnexpected { host: host(), what })
        }
        CallError::Failed(RemoteError::Said { message, .. }) => {
            EngineError::Index(Notice::IndexSays { host: host(), message })
        }
        CallError::Failed(RemoteError::Unreachable { .. }) => {
            EngineError::Index(Notice::ServerSilent { host: host() })
        }
        CallError::Failed(error) => EngineError::Index(error.server_notice()),
        CallError::Broken(error) => {
            EngineError::Index(Notice::NetworkProgramFailed { reason: error.to_string() })
        }
    }
}
