//! `oriel serve`: lets other programs on this computer query the library, with an API like OpenAI's.
//!
//! `oriel-serve` has the socket; this process has the library and opens no socket.

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;

use anyhow::bail;
use oriel_api::{AppError, ProgramAccess, ServeKey, ServedLibrary, Serving};
use oriel_core::Notice;
use serde_json::json;

use crate::arguments::ServeArguments;
use crate::output;
use crate::session::{Session, wake_up};

pub(crate) fn run(session: &Session, arguments: &ServeArguments) -> anyhow::Result<()> {
    let access = Arc::new(session.program_access(&arguments.access)?);
    if !access.is_there() {
        let path = access.library().display().to_string();
        return Err(AppError::from(Notice::NoLibraryYet { path }).into());
    }
    let key = match arguments.new_token {
        true => ServeKey::renew(access.library())?,
        false => ServeKey::open(access.library())?,
    };
    let waker = session.waker.clone();
    let served: Arc<dyn ServedLibrary> = Arc::clone(&access) as _;
    let serving = Serving::start(served, &key, arguments.port, move || wake_up(&waker))?;
    let address = format!("http://127.0.0.1:{}/v1", serving.port());
    match session.json {
        true => output::json(&json!({ "address": address, "key": key.path().to_string_lossy() }))?,
        false => output::text(&format!("address  {address}\nkey      in {}\n", key.path().display()))?,
    }
    loop {
        match session.woken.recv_timeout(ProgramAccess::IDLE_CHECK_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => access.close_idle(ProgramAccess::IDLE),
            _ if session.cancel.is_cancelled() => return Ok(()),
            _ => bail!("the process that answers other programs has ended; start it again"),
        }
    }
}
