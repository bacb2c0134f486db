//! Remote indexes: the library reads one, or is published to one.

use std::sync::Arc;

use oriel_core::Notice;
use oriel_engine::NewIndex;
use oriel_models::{Key, ServerAddress, ServerKey};

use crate::api::{ConnectIndex, IpcError, LeaveIndex, ServerHost, TypedAddress};
use crate::commands::closed_library::with_closed;
use crate::desktop::engine_line::host_of;
use crate::desktop::publish;
use crate::state::app::App;
use crate::state::jobs::Task;

/// The host of the address of an index, to be shown to the user. It is not contacted.
pub(crate) fn host(_: &Arc<App>, typed: &TypedAddress) -> Result<ServerHost, IpcError> {
    Ok(host_of(&ServerAddress::of_index(&typed.address)?))
}

/// Connects to an index whose host the app named before.
pub(crate) fn connect(app: &Arc<App>, wanted: &ConnectIndex) -> Result<(), IpcError> {
    let address = ServerAddress::of_index(&wanted.address)?;
    if address.host() != wanted.host {
        return Err(IpcError::failed(Notice::IndexAddressWrong { address: wanted.address.clone() }));
    }
    let key = Some(wanted.key.0.trim()).filter(|key| !key.is_empty());
    let new = NewIndex {
        address,
        collection: wanted.collection.trim().to_owned(),
        key: key.map_or(ServerKey::None, |key| ServerKey::Keyring(Key(key.to_owned()))),
    };
    let job = app.jobs.begin(Task::Connecting)?;
    let session = app.session()?;
    if wanted.publish {
        session.library.set_published(new, wanted.take_over, &job.cancel)?;
        session.indexer.rescan();
    } else {
        session.library.connect(new, &job.cancel)?;
        drop(session);
        with_closed(app, |_| Ok(()))?;
    }
    publish::library(app, true);
    Ok(())
}

/// Stops reading a remote index, or publishing to it.
pub(crate) fn leave(app: &Arc<App>, &LeaveIndex { publish }: &LeaveIndex) -> Result<(), IpcError> {
    let session = app.session()?;
    if publish {
        session.library.stop_publishing()?;
    } else {
        session.library.disconnect()?;
        drop(session);
        with_closed(app, |_| Ok(()))?;
    }
    publish::library(app, true);
    Ok(())
}
