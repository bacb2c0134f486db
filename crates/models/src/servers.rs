//! Servers whose models write answers: the list of those that the user connected, and their keys.
//!
//! Oriel connects to no server that is not in this list. Requests go through `oriel-remote`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use oriel_core::notice::{listed, shown};
use oriel_core::{CancelToken, GenerationRequest, ModelError, Notice};
use oriel_download::DownloadError;
use oriel_endpoint::{KeyPlace, ServerAddress, ServerKey};
use oriel_wire::remote::{Key, Prompt, Reply, Request, Server, Written};
use oriel_wire::{REMOTE, Remote, shipped_program};
use serde::{Deserialize, Serialize};

use crate::generate::WrittenText;
use crate::model::{Model, ModelServer};
use crate::{Entry, Role};

/// The file with the list, beside the imported models.
const LIST: &str = "servers.json";
/// The assumed context length of a server's model; it is more than the longest prompt with its answer.
const CONTEXT_LENGTH: usize = 4096;
/// Seconds that a server has to list its models.
const DESCRIBE_SILENCE: u64 = 20;
/// Seconds that a server has to write the next word. It may have to load the model first.
const WRITE_SILENCE: u64 = 180;
/// The prompt for a trial, when a server is connected; it contains no text of a document.
const TRIAL: [&str; 2] = ["You answer in one word.", "What is the opposite of 'left'?"];
/// Maximum tokens of the answer to the trial.
const TRIAL_TOKENS: u32 = 256;

/// A server to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewServer {
    pub address: ServerAddress,
    /// The name of the model on it; `None` if the server has only one.
    pub model: Option<String>,
    pub key: ServerKey,
}

/// A server in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Listed {
    id: String,
    address: String,
    model: String,
    #[serde(default, skip_serializing_if = "KeyPlace::is_none")]
    key: KeyPlace,
}

/// The servers that the user connected.
#[derive(Clone, Debug)]
pub(crate) struct Servers {
    path: PathBuf,
}

impl Servers {
    /// The list in the folder of imported models.
    pub(crate) fn in_folder(imported: &Path) -> Self {
        Self { path: imported.join(LIST) }
    }

    /// The models of the listed servers.
    ///
    /// # Errors
    /// If the list cannot be read.
    pub(crate) fn models(&self) -> Result<Vec<Model>, ModelError> {
        Ok(self.read_list()?.iter().filter_map(Listed::as_model).collect())
    }

    /// Connects to a server, lets its model write a word, and lists it under an id that `is_free`, or under its old id
    /// if it is already listed.
    ///
    /// # Errors
    /// One line that names the host and says what is wrong, or [`ModelError::Cancelled`]; nothing is listed then.
    pub(crate) fn add(
        &self,
        new: NewServer,
        is_free: impl Fn(&str) -> bool,
        cancel: &CancelToken,
    ) -> Result<Model, ModelError> {
        let NewServer { address, model, key } = new;
        let host = address.host();
        let (secret, place) = key.read()?;
        let server = |silence| server_at(&address, secret.clone(), silence);
        let model = chosen(&host, model.clone(), &describe(server(DESCRIBE_SILENCE), model, cancel)?)?;
        let mut written = WrittenText::new(0);
        let mut text = String::new();
        let prompt = prompt(server(WRITE_SILENCE), &model, TRIAL);
        let request = Request::Write { prompt, max_tokens: TRIAL_TOKENS };
        ask(&request, TRIAL, &mut |piece| written.add(piece, &mut |piece| text.push_str(piece)), cancel)?;
        if text.trim().is_empty() {
            return Err(ModelError::Failed(Notice::ModelWroteNothing { id: model }));
        }
        place.keep(&address, &address.to_string(), secret.as_ref())?;
        let mut all = self.read_list()?;
        let address = address.to_string();
        let at = all.iter().position(|one| one.address == address && one.model == model);
        let before = at.map(|at| all.remove(at));
        let id = before.as_ref().map_or_else(|| free_id(&host, &model, is_free), |before| before.id.clone());
        let listed = Listed { id, address, model, key: place };
        all.push(listed.clone());
        self.write_list(&all)?;
        if let Some(before) = before {
            forget_key(&before, &all)?;
        }
        listed.as_model().ok_or(ModelError::Failed(Notice::ServerAddressWrong { address: listed.address }))
    }

    /// Removes a model from the list, and the key of its server from the keyring if no other model needs it.
    ///
    /// # Errors
    /// If the list cannot be written, or the keyring cannot delete the key.
    pub(crate) fn remove(&self, id: &str) -> Result<(), ModelError> {
        let (removed, left): (Vec<_>, Vec<_>) = self.read_list()?.into_iter().partition(|one| one.id == id);
        self.write_list(&left)?;
        removed.iter().try_for_each(|one| forget_key(one, &left))
    }

    /// Lets the model with this id write; `piece` receives text as it comes.
    ///
    /// # Errors
    /// If the request fails; [`ModelError::Cancelled`].
    pub(crate) fn write(
        &self,
        id: &str,
        request: &GenerationRequest,
        piece: &mut dyn FnMut(&str),
        cancel: &CancelToken,
    ) -> Result<Written, ModelError> {
        let (server, model) = self.server_of(id)?;
        let texts = [request.system.as_str(), request.user.as_str()];
        let max_tokens = u32::try_from(request.max_tokens).unwrap_or(u32::MAX);
        let request = Request::Write { prompt: prompt(server, &model, texts), max_tokens };
        match ask(&request, texts, piece, cancel)? {
            Reply::Wrote(written) => Ok(written),
            _ => Err(failed("it breaks the protocol")),
        }
    }

    /// The server of the model with this id, and the model's name on it.
    fn server_of(&self, id: &str) -> Result<(Server, String), ModelError> {
        let listed = self.read_list()?.into_iter().find(|one| one.id == id);
        let listed = listed.ok_or_else(|| ModelError::Absent { id: id.to_owned() })?;
        let address = ServerAddress::of_models(&listed.address)?;
        let key = listed.key.key(&address, &listed.address)?;
        Ok((server_at(&address, key, WRITE_SILENCE), listed.model))
    }

    fn read_list(&self) -> Result<Vec<Listed>, ModelError> {
        match std::fs::read(&self.path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| self.unusable(Notice::text(error))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.unusable(Notice::io(&error))),
        }
    }

    fn write_list(&self, all: &[Listed]) -> Result<(), ModelError> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let write = || {
            std::fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&serde_json::to_vec_pretty(all)?)?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            io::Result::Ok(())
        };
        write().map_err(|error| self.unusable(Notice::io(&error)))
    }

    fn unusable(&self, cause: Notice) -> ModelError {
        ModelError::Failed(Notice::ServerListUnusable { path: shown(&self.path), cause: cause.into() })
    }
}

impl Listed {
    /// `None` if the address in the list was edited and is invalid.
    fn as_model(&self) -> Option<Model> {
        let address = ServerAddress::of_models(&self.address).ok()?;
        let entry = Entry {
            id: self.id.clone(),
            name: shown_name(&self.model).to_owned(),
            licence: "unknown".into(),
            ..Entry::of(Role::Generator, CONTEXT_LENGTH, Vec::new())
        };
        let server =
            ModelServer { address: self.address.clone(), host: address.host(), is_local: address.is_local() };
        Some(Model { entry, folder: None, imported: false, program: None, server: Some(server) })
    }
}

/// A model's name to show to the user: some servers name a model by the path of its file.
fn shown_name(model: &str) -> &str {
    let file = Path::new(model).file_name().and_then(|name| name.to_str());
    file.and_then(|name| name.strip_suffix(".gguf")).unwrap_or(model)
}

/// An id made of the host and the model's name, with a number added if it is taken.
fn free_id(host: &str, model: &str, is_free: impl Fn(&str) -> bool) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-:/".contains(c) { c } else { '-' };
    let id: String = format!("{host}/{}", shown_name(model)).to_lowercase().chars().map(plain).collect();
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    std::iter::once(id.clone()).chain(numbered).find(|id| is_free(id)).unwrap_or(id)
}

/// Selects one of the models that a server has.
fn chosen(host: &str, name: Option<String>, served: &[String]) -> Result<String, ModelError> {
    let host = host.to_owned();
    let known = listed(served);
    let found = match (name, served) {
        (_, []) => Err(Notice::ServerHasNoModel { host }),
        (Some(name), _) if served.contains(&name) => Ok(name),
        (Some(model), _) => Err(Notice::ServerLacksModel { host, model, known }),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(Notice::ServerHasModels { host, known }),
    };
    found.map_err(ModelError::Failed)
}

/// Deletes a key from the keyring if none of the servers in `left` needs it.
fn forget_key(listed: &Listed, left: &[Listed]) -> Result<(), ModelError> {
    let is_needed = left.iter().any(|one| one.address == listed.address && one.key == KeyPlace::Keyring);
    if is_needed {
        return Ok(());
    }
    Ok(listed.key.forget(&ServerAddress::of_models(&listed.address)?, &listed.address)?)
}

/// The names of a server's models.
fn describe(server: Server, wanted: Option<String>, cancel: &CancelToken) -> Result<Vec<String>, ModelError> {
    match ask(&Request::Describe { server, wanted }, ["", ""], &mut |_| (), cancel)? {
        Reply::Described(models) => Ok(models),
        _ => Err(failed("it breaks the protocol")),
    }
}

/// Sends a request with its prompt to a server; `text` receives what the model writes. Each request has its own
/// process: ending it closes the connection, which tells the server to stop.
fn ask(
    request: &Request,
    texts: [&str; 2],
    text: &mut dyn FnMut(&str),
    cancel: &CancelToken,
) -> Result<Reply, ModelError> {
    let command = shipped_program(REMOTE).map_err(DownloadError::from)?;
    let mut remote = Remote::start(&command).map_err(failed)?;
    let texts = if request.prompt().is_some() { texts } else { ["", ""] };
    remote.ask(request, &texts.map(str::as_bytes)).map_err(failed)?;
    loop {
        match remote.next(cancel)?.map_err(failed)?.0 {
            Reply::Text(piece) => text(&piece),
            Reply::Failed(error) => return Err(ModelError::Died(error.server_notice())),
            reply => return Ok(reply),
        }
    }
}

fn server_at(address: &ServerAddress, key: Option<Key>, silence: u64) -> Server {
    let (host, is_local) = (address.host(), address.is_local());
    Server { url: address.to_string(), host, key, is_local, silence }
}

fn prompt(server: Server, model: &str, [system, user]: [&str; 2]) -> Prompt {
    let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
    Prompt { server, model: model.to_owned(), system: length(system), user: length(user) }
}

#[expect(clippy::needless_pass_by_value, reason = "it takes an error as map_err hands it over")]
fn failed(reason: impl ToString) -> ModelError {
    ModelError::Died(Notice::NetworkProgramFailed { reason: reason.to_string() })
}
