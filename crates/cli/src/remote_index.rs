//! The commands for a remote index: publish, connect, disconnect.

use anyhow::bail;
use oriel_engine::{IndexInfo, NewIndex, PublishProgress, ServerAddress, ServerKey};
use serde_json::json;

use crate::arguments::{IndexArguments, PublishArguments};
use crate::consent::confirm;
use crate::output;
use crate::progress::Progress;
use crate::render::{counted, harmless};
use crate::session::Session;

pub(crate) fn publish(session: &Session, arguments: PublishArguments) -> anyhow::Result<()> {
    let library = session.open()?;
    if arguments.stop {
        library.stop_publishing()?;
        return if session.json { output::json(&json!({ "index": null })) } else { Ok(()) };
    }
    if let (Some(address), Some(collection)) = (arguments.to, arguments.collection) {
        let index = IndexArguments { address, collection, key_file: arguments.key_file, yes: arguments.yes };
        let receives = "the text of all documents of this library, and what changes in them";
        let new = named(index, receives, "Publish this library to")?;
        library.set_published(new, arguments.take_over, &session.cancel)?;
    }
    let mut progress = Progress::new();
    let mut show = |PublishProgress { done, total }: PublishProgress| {
        progress.step("publishing", "documents", done as u64, Some(total as u64));
        true
    };
    let published = library.publish(&mut show, &session.cancel);
    progress.finish();
    let published = published?;
    if session.json {
        return output::json(&published);
    }
    let waiting = match published.waiting {
        0 => String::new(),
        waiting => format!("; {} for vectors: run 'oriel index'", waits(waiting)),
    };
    output::text(&format!(
        "{}, {} sent, {} removed, in {:.1} s{waiting}\n{}",
        counted(published.sent, "document"),
        counted(usize::try_from(published.sentences).unwrap_or(usize::MAX), "sentence"),
        published.removed,
        published.seconds,
        published.index.iter().map(|index| line("Published to", index)).collect::<String>(),
    ))
}

pub(crate) fn connect(session: &Session, arguments: IndexArguments) -> anyhow::Result<()> {
    let library = session.open()?;
    let new = named(arguments, "your questions", "Send your questions to")?;
    let index = library.connect(new, &session.cancel)?;
    if session.roles.embedder_with(&index.embedder).is_none() {
        let get = match session.roles.embedder_to_get(&index.embedder) {
            Some(id) => format!("run 'oriel models pull {id}'"),
            None => format!("import the model {}", index.embedder),
        };
        eprintln!(
            "oriel: the model that made its vectors is not installed, so searches use words only; {get}"
        );
    }
    match session.json {
        true => output::json(&json!({ "index": index })),
        false => output::text(&line("Reads", &index)),
    }
}

pub(crate) fn disconnect(session: &Session) -> anyhow::Result<()> {
    let library = session.open()?;
    if !library.is_remote() {
        bail!("this library reads no remote index; 'oriel publish --stop' ends publishing");
    }
    library.disconnect()?;
    if session.json { output::json(&json!({ "index": null })) } else { Ok(()) }
}

/// The index in the arguments, if it is on this computer or the user agrees that it receives the data.
fn named(arguments: IndexArguments, receives: &str, question: &str) -> anyhow::Result<NewIndex> {
    let IndexArguments { address, collection, key_file, yes } = arguments;
    let address = ServerAddress::of_index(&address)?;
    if !address.is_local() && !yes {
        confirm(&address, receives, question)?;
    }
    let key = key_file.map_or(ServerKey::None, ServerKey::File);
    Ok(NewIndex { address, collection, key })
}

/// An index as one line.
pub(crate) fn line(what: &str, index: &IndexInfo) -> String {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let holds = match index.published {
        0 => String::new(),
        _ => format!(
            ": {}, {}",
            counted(count(index.documents), "document"),
            counted(count(index.sentences), "sentence")
        ),
    };
    format!("{what} the collection '{}' at {}{holds}\n", harmless(&index.collection), harmless(&index.host))
}

fn waits(documents: usize) -> String {
    if documents == 1 { "1 document waits".into() } else { format!("{documents} documents wait") }
}
