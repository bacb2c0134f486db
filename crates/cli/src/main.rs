//! The command `oriel`: all functions of the engine, without a window.
//!
//! It handles arguments, the terminal and exit codes, and decides nothing about documents. Results go to standard
//! output, everything else to standard error; 0 means success, 2 wrong usage, 1 a failure with one clear line.

mod advice;
mod arguments;
mod ask;
mod batch;
mod consent;
mod doctor;
mod eval;
mod library;
mod maintenance;
mod manage;
mod mcp;
mod mentions;
mod output;
mod package_files;
mod progress;
mod remote_index;
mod render;
mod search;
mod serve;
mod session;
mod table;
mod verify;
mod watch;
mod worker;

use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use arguments::{Arguments, Command};
use session::Session;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt().with_env_filter(log_filter()).with_writer(std::io::stderr).init();
    match run(arguments) {
        Ok(code) => code,
        // The reader of our output has closed the pipe on purpose.
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Errors are printed as one line, whatever their text contains.
            let mut line = render::harmless(&format!("{error:#}")).replace('\n', " ");
            if let Some(advice) = advice::of(&error) {
                line = format!("{line}; {advice}");
            }
            eprintln!("oriel: {line}");
            ExitCode::FAILURE
        }
    }
}

/// The filter in `ORIEL_LOG`. The MCP library is excluded, because it would log questions and texts.
fn log_filter() -> EnvFilter {
    EnvFilter::from_env("ORIEL_LOG").add_directive("rmcp=off".parse().expect("it is a directive"))
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    if let Command::Worker { worker } = &arguments.command {
        return worker::run(worker);
    }
    if let Command::PackageFiles { share } = &arguments.command {
        package_files::write(share)?;
        return Ok(ExitCode::SUCCESS);
    }
    let session = Session::new(&arguments)?;
    match arguments.command {
        Command::Add { paths, follow_links, no_follow_links } => {
            let follow_links = (follow_links || no_follow_links).then_some(follow_links);
            library::add(&session, &paths, follow_links)?;
        }
        Command::Remove { path } => library::remove(&session, &path)?,
        Command::Unlock { path, forget: true, .. } => library::forget_password(&session, &path)?,
        Command::Unlock { path, keep, .. } => library::unlock(&session, &path, keep)?,
        Command::Index { embedder } => library::index(&session, embedder.as_deref())?,
        Command::Watch => watch::run(&session)?,
        Command::Status { all } => library::status(&session, all)?,
        Command::Eval(eval) => eval::run(&session, &eval)?,
        Command::Show { path } => library::show(&session, &path)?,
        Command::Search(search) => search::run(&session, &search)?,
        Command::Ask(ask) => ask::run(&session, &ask)?,
        Command::Mentions(thing) => mentions::run(&session, &thing)?,
        Command::Table(table) => table::run(&session, &table)?,
        Command::Verify(claim) => verify::run(&session, &claim)?,
        Command::Mcp(mcp) => mcp::run(&session, &mcp)?,
        Command::Serve(serve) => serve::run(&session, &serve)?,
        Command::Publish(publish) => remote_index::publish(&session, publish)?,
        Command::Connect(index) => remote_index::connect(&session, index)?,
        Command::Disconnect => remote_index::disconnect(&session)?,
        Command::Models { action } => manage::models(&session, action)?,
        Command::Doctor { repair } => return doctor::run(&session, repair),
        Command::Backup { path } => maintenance::backup(&session, &path)?,
        Command::Restore { path, replace } => maintenance::restore(&session, &path, replace)?,
        Command::Compact => maintenance::compact(&session)?,
        Command::Worker { .. } | Command::PackageFiles { .. } => {}
    }
    Ok(ExitCode::SUCCESS)
}
