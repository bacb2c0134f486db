//! The command line arguments; their comments are the help texts. Scripts depend on names and meanings, so these do not
//! change.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use jiff::civil::Date;
use oriel_api::{AppError, DEFAULT_PORT, MAX_TABLE_QUESTIONS, day_start};
use oriel_core::Kind;
use oriel_engine::{Mode, RerankMode, Window};
use oriel_eval::Arm;

/// Asks questions of your own documents, offline, and shows the exact place of every answer.
#[derive(Debug, Parser)]
#[command(name = "oriel", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The library's folder; by default in the user's data folder
    #[arg(long, global = true, value_name = "DIR")]
    pub library: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Follow folders, or single files; 'index' reads them
    Add {
        #[arg(required = true, value_name = "FOLDER")]
        paths: Vec<PathBuf>,
        /// Follow symbolic links in these folders, also in one that is followed already
        #[arg(long)]
        follow_links: bool,
        /// No longer follow symbolic links in these folders
        #[arg(long, conflicts_with = "follow_links")]
        no_follow_links: bool,
    },
    /// Stop following a folder or file and forget its documents
    Remove {
        #[arg(value_name = "FOLDER")]
        path: PathBuf,
    },
    /// Read a PDF that is protected by a password; asks for the password, or reads it from standard input
    Unlock {
        #[arg(value_name = "FILE")]
        path: PathBuf,
        /// Keep the password in the system's keyring, so that its pages can be shown later
        #[arg(long)]
        keep: bool,
        /// Forget the password, also in the keyring; text that was read with it stays
        #[arg(long, conflicts_with = "keep")]
        forget: bool,
    },
    /// Bring the library up to date once
    Index {
        /// Make the vectors with this embedder from now on; searches use the old ones until all are made
        #[arg(long, value_name = "ID")]
        embedder: Option<String>,
    },
    /// Keep the library up to date and print changes, until Ctrl-C
    Watch,
    /// Show folders, counts, pending work, and which files failed and why
    Status {
        /// Name every file that could not be read or was left out, not only the first three for each reason
        #[arg(long)]
        all: bool,
    },
    /// Find the passages that answer a question, best first
    Search(SearchArguments),
    /// Answer a question, with citations
    Ask(AskArguments),
    /// Find every document that mentions a thing, by meaning, with its sentences
    Mentions(MentionsArguments),
    /// Make a table: one row per document, one column per question, every cell a quote with its place
    Table(TableArguments),
    /// Say whether the documents support a claim, contradict it, or do not say
    Verify(VerifyArguments),
    /// Let another program ask, with the Model Context Protocol over standard input and output
    Mcp(McpArguments),
    /// Let other programs on this computer ask, with an API like OpenAI's; see docs/serve.md
    Serve(ServeArguments),
    /// Measure the library on a file of questions, and compare settings
    Eval(EvalArguments),
    /// Print a document's text as it was indexed
    Show {
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// Send new, changed and removed documents to a remote index; 'watch' and the app continue to do so; see
    /// docs/shared-index.md
    Publish(PublishArguments),
    /// Make an empty library read a remote index, to which another library is published
    Connect(IndexArguments),
    /// Stop reading a remote index
    Disconnect,
    /// List, download, import, connect and remove models
    Models {
        #[command(subcommand)]
        action: ModelsAction,
    },
    /// Check machine, models and library, and whether the library's parts agree
    Doctor {
        /// Repair the library; what cannot be derived is read from the files by the next 'index'
        #[arg(long)]
        repair: bool,
    },
    /// Write the whole library to one file; others may use it meanwhile
    Backup {
        #[arg(value_name = "FILE")]
        path: PathBuf,
    },
    /// Restore a library from a backup
    Restore {
        #[arg(value_name = "FILE")]
        path: PathBuf,
        /// Also replace an existing library, which is kept beside it under another name
        #[arg(long)]
        replace: bool,
    },
    /// Return unused space in the library to the disk
    Compact,
    /// Run a worker process of Oriel's
    #[command(hide = true)]
    Worker {
        #[command(subcommand)]
        worker: Worker,
    },
    /// Write man pages and completions for a package
    #[command(hide = true)]
    PackageFiles {
        #[arg(value_name = "SHARE")]
        share: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// List the models, where they are and whether they fit this computer; * is in use, + is recommended
    List,
    /// Download a model of the catalog; this, 'connect' and questions to a connected model are all that uses the
    /// network
    Pull {
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Import a model: a GGUF file, or a folder with model.safetensors, tokenizer.json and config.json
    Import {
        #[arg(value_name = "FILE")]
        path: PathBuf,
    },
    /// Use a model of an OpenAI-compatible server such as llama-server, Ollama, LM Studio or vLLM; select it with
    /// --model
    Connect {
        /// The address, such as http://localhost:11434/v1
        #[arg(value_name = "URL")]
        address: String,
        /// The model's name on the server, if it has several
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// A file with the key for the server, readable only by you
        #[arg(long, value_name = "FILE")]
        key_file: Option<PathBuf>,
        /// Do not ask whether another computer may receive questions and passages
        #[arg(long)]
        yes: bool,
    },
    /// Delete a downloaded or imported model, or disconnect one of a server
    Remove {
        #[arg(value_name = "ID")]
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Worker {
    /// Reads documents from standard input
    Extract,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The claim, one sentence
    #[arg(required_unless_present = "batch", conflicts_with = "batch", value_parser = claim)]
    pub claim: Option<String>,
    /// A file of claims, one {"id", "claim"} per line, with "in" for a folder or document; prints one result per line
    #[arg(long, value_name = "FILE")]
    pub batch: Option<PathBuf>,
    /// Only documents in this folder, or this one; may be repeated
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    pub access: AccessArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The port on this computer; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PORT)]
    pub port: u16,
    /// Make a new key; a running server uses the old one until it is restarted
    #[arg(long)]
    pub new_token: bool,
    #[command(flatten)]
    pub access: AccessArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PublishArguments {
    /// The address of Milvus or PostgreSQL, such as http://localhost:19530 or postgres://localhost; by default the last
    /// one used
    #[arg(long, value_name = "URL", requires = "collection")]
    pub to: Option<String>,
    /// The collection, which is created if it is missing
    #[arg(long, value_name = "NAME", requires = "to")]
    pub collection: Option<String>,
    /// A file with NAME:PASSWORD or the token for the server, readable only by you
    #[arg(long, value_name = "FILE", requires = "to")]
    pub key_file: Option<PathBuf>,
    /// Publish to a collection that another library writes; that library is refused from then on
    #[arg(long, requires = "to")]
    pub take_over: bool,
    /// Do not ask whether another computer may receive the texts
    #[arg(long, requires = "to")]
    pub yes: bool,
    /// Stop publishing; what was published stays
    #[arg(long, conflicts_with = "to")]
    pub stop: bool,
}

/// A remote index.
#[derive(Debug, Args)]
pub(crate) struct IndexArguments {
    /// The address of Milvus or PostgreSQL, such as http://localhost:19530 or postgres://localhost
    #[arg(value_name = "URL")]
    pub address: String,
    /// The collection to read
    #[arg(long, value_name = "NAME")]
    pub collection: String,
    /// A file with NAME:PASSWORD or the token for the server, readable only by you
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Do not ask whether another computer may receive your questions
    #[arg(long)]
    pub yes: bool,
}

/// What another program may see, and which model answers it.
#[derive(Debug, Args)]
pub(crate) struct AccessArguments {
    /// Hide this folder or document from the program; may be repeated
    #[arg(long, value_name = "PATH")]
    pub without: Vec<PathBuf>,
    /// The generator: a model's id, or 'quotes' for the best sentences verbatim
    #[arg(long, value_name = "ID")]
    pub model: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MentionsArguments {
    /// The thing, or a question for it: "Which contracts mention a notice period?"
    #[arg(value_parser = question)]
    pub question: String,
    /// Only documents in this folder, or this one; may be repeated
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    /// The questions, one per column
    #[arg(required = true, num_args = 1..=MAX_TABLE_QUESTIONS, value_parser = question)]
    pub questions: Vec<String>,
    /// Only documents in this folder, or this one; may be repeated
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
    /// Only documents that mention a thing: "Which contracts mention a notice period?"
    #[arg(long, value_name = "QUESTION", value_parser = question)]
    pub mentioning: Option<String>,
    /// Write the table to this file as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// The question
    #[arg(required_unless_present = "batch", conflicts_with = "batch", value_parser = question)]
    pub question: Option<String>,
    /// A file of questions, one {"id", "question"} per line; prints one result per line
    #[arg(long, value_name = "FILE")]
    pub batch: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SearchSettings,
    /// Only documents in this folder, or this one; may be repeated
    #[arg(long = "in", value_name = "PATH")]
    pub within: Vec<PathBuf>,
    /// Only these kinds, separated by commas, such as pdf, docx, md, xlsx, eml
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub kind: Vec<Kind>,
    /// Only mails from this sender, by name or address; may be repeated
    #[arg(long, value_name = "NAME", value_parser = sender)]
    pub from: Vec<String>,
    /// Only documents changed, and mails sent, on this day or later: 2026-01-31
    #[arg(long, value_name = "DATE", value_parser = day_begin)]
    pub since: Option<i64>,
    /// Only documents changed, and mails sent, on this day or before
    #[arg(long, value_name = "DATE", value_parser = day_end)]
    pub until: Option<i64>,
    /// The generator: a model's id, or 'quotes' for the best sentences verbatim
    #[arg(long, value_name = "ID")]
    pub model: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    /// Continue from the previous question: "And in 2023?", "Who signed it?"
    #[arg(long = "continue", conflicts_with = "batch")]
    pub follow_up: bool,
    /// Print JSON, with how the answer came about
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub search: SearchArguments,
}

/// How passages are found, for every kind of question.
#[derive(Debug, Args)]
pub(crate) struct SearchSettings {
    /// Sentences around each found one: K, or B,A for before and after
    #[arg(long, value_name = "K|B,A", default_value = "2", value_parser = window, allow_hyphen_values = true)]
    pub window: Window,
    /// Maximum number of passages
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = count)]
    pub top: usize,
    /// Number of sentences to rerank; by default 20, or as many as passages, and more in a large library
    #[arg(long, value_name = "N", value_parser = count)]
    pub candidates: Option<usize>,
    /// How sentences are found: hybrid, two-step, dense, sparse
    #[arg(long, value_name = "MODE", default_value = "hybrid")]
    pub mode: Mode,
    /// What the reranker reads: passage, sentence, or off
    #[arg(long, value_name = "WHAT", default_value = "passage")]
    pub rerank: RerankMode,
    /// The day from which "last month" is counted, as 2026-11-27; by default today
    #[arg(long, value_name = "DATE")]
    pub today: Option<Date>,
    /// Search documents of any time, even if the question names one, as "last month" does
    #[arg(long)]
    pub any_time: bool,
    /// Do not merge overlapping windows
    #[arg(long)]
    pub no_merge: bool,
    /// Search for the question as typed: not divided, without other words from the glossary, in documents of any time
    #[arg(long)]
    pub as_typed: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EvalArguments {
    /// Questions with their answers: lines with spans, SQuAD's JSON, or BEIR's folder
    #[arg(required_unless_present = "generate", conflicts_with = "generate", value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// Ask only this many of the questions, always the same ones
    #[arg(long, value_name = "N", value_parser = positive)]
    pub limit: Option<usize>,
    /// Also answer the questions and score the answers; takes long with a generator
    #[arg(long)]
    pub answers: bool,
    /// Other settings to compare with: unmerged, no-rerank, dense, sparse, chunks-512, chunks-100, recursive
    #[arg(long, value_name = "ARM,…", value_delimiter = ',')]
    pub compare: Vec<Arm>,
    /// Write the report as an HTML page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Make this many questions from the library instead; needs a generator and --out
    #[arg(long, value_name = "N", requires = "out", value_parser = positive)]
    pub generate: Option<usize>,
    /// The file for the generated questions
    #[arg(long, value_name = "FILE", requires = "generate")]
    pub out: Option<PathBuf>,
    /// The generator: a model's id, or 'quotes' for the best sentences verbatim
    #[arg(long, value_name = "ID")]
    pub model: Option<String>,
    #[command(flatten)]
    pub settings: SearchSettings,
}

/// Maximum number of sentences around a hit; a larger window would be most of a document.
const WIDEST: u32 = 50;
/// Maximum number of candidates or passages.
const MOST: usize = 1_000;

fn question(text: &str) -> Result<String, String> {
    not_empty("question", text)
}

fn claim(text: &str) -> Result<String, String> {
    not_empty("claim", text)
}

fn sender(text: &str) -> Result<String, String> {
    not_empty("sender", text)
}

fn not_empty(what: &str, text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err(format!("the {what} is empty")) } else { Ok(text.to_owned()) }
}

fn window(text: &str) -> Result<Window, String> {
    let number =
        |part: &str| {
            part.trim().parse::<u32>().ok().filter(|&number| number <= WIDEST).ok_or_else(|| {
                format!("'{text}' is no window; give a number up to {WIDEST}, or two as in 1,3")
            })
        };
    match text.split_once(',') {
        Some((before, after)) => Ok(Window { before: number(before)?, after: number(after)? }),
        None => number(text).map(|both| Window { before: both, after: both }),
    }
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "give a number from 1".to_owned())
}

fn count(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| (1..=MOST).contains(number))
        .ok_or_else(|| format!("give a number from 1 to {MOST}"))
}

/// The first nanosecond of a day in the local time zone.
fn day_begin(text: &str) -> Result<i64, AppError> {
    day_start(text, 0)
}

/// The first nanosecond after a day in the local time zone.
fn day_end(text: &str) -> Result<i64, AppError> {
    day_start(text, 1)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn windows_are_one_number_or_two() {
        assert_eq!(window("3").unwrap(), Window { before: 3, after: 3 });
        assert_eq!(window("0,4").unwrap(), Window { before: 0, after: 4 });
        for wrong in ["", "-1", "1,2,3", "x", "1000"] {
            assert!(window(wrong).is_err(), "{wrong}");
        }
    }
}
