//! The commands: name, arguments, result, and the function that does it, one line each.

use std::sync::Arc;

use tauri::ipc::{Channel, Invoke};
use tauri::{State, Wry};
use ts_rs::TS;

use super::*;
use crate::app::App;
use crate::{
    asking, choosing, conversations, downloads, folders, keeping, listing, mentions, modelling, preferences,
    start, viewing,
};

/// A command as TypeScript sees it: what goes in, what comes out, what is streamed in between.
#[derive(TS)]
#[ts(export_to = "types.ts")]
#[expect(dead_code, reason = "only its TypeScript is used")]
pub struct Call<A, R, E = ()> {
    args: A,
    result: R,
    event: E,
}

/// Declares the commands. Each becomes a Tauri command that runs off the window's thread, and a line in [`Commands`],
/// from which TypeScript learns its name: a name or payload that does not match is a compile error on both sides.
macro_rules! commands {
    (
        calls { $($(#[$doc:meta])* $call:ident($args:ty) -> $result:ty = $path:path;)* }
        streams { $($(#[$sdoc:meta])* $stream:ident($sargs:ty) -> $sresult:ty, $event:ty = $spath:path;)* }
    ) => {
        /// Every command of the shell.
        #[derive(TS)]
        #[ts(export_to = "types.ts")]
        #[expect(dead_code, reason = "only its TypeScript is used")]
        pub struct Commands {
            $($(#[$doc])* $call: Call<$args, $result>,)*
            $($(#[$sdoc])* $stream: Call<$sargs, $sresult, $event>,)*
        }

        $(#[tauri::command]
        async fn $call(app: State<'_, Arc<App>>, args: $args) -> Result<$result, IpcError> {
            let app = Arc::clone(&app);
            off_thread(app, move |app| $path(app, &args)).await
        })*

        $(#[tauri::command]
        async fn $stream(
            app: State<'_, Arc<App>>,
            args: $sargs,
            events: Channel<$event>,
        ) -> Result<$sresult, IpcError> {
            let app = Arc::clone(&app);
            off_thread(app, move |app| $spath(app, &args, &events)).await
        })*

        /// What Tauri calls with every message from the window.
        pub(crate) fn handler() -> impl Fn(Invoke<Wry>) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$($call,)* $($stream,)*]
        }
    };
}

/// Runs a command where it may take its time. One that fails may leave a library that refuses everything from then on.
async fn off_thread<T: Send + 'static>(
    app: Arc<App>,
    run: impl FnOnce(&Arc<App>) -> Result<T, IpcError> + Send + 'static,
) -> Result<T, IpcError> {
    let run = move || run(&app).inspect_err(|error| keeping::reopen_if_refused(&app, &error.message));
    match tauri::async_runtime::spawn_blocking(run).await {
        Ok(done) => done,
        Err(error) => Err(IpcError::failed(format!("the command ended early: {error}"))),
    }
}

commands! {
    calls {
        /// Everything the window needs to draw itself.
        start(()) -> Start = start::start;
        /// The library as it stands.
        library_state(()) -> LibraryState = folders::state;

        /// Opens the system's dialog for folders and follows what was chosen; the names, empty where none was.
        choose_folder(()) -> Vec<String> = choosing::folder;
        /// Opens the system's dialog for files; what was chosen waits for `accept_drop` like a drop.
        choose_files(()) -> Option<Drop> = choosing::files;
        /// Ends the copying of what was dropped.
        cancel_copying(()) -> () = choosing::cancel_copying;
        /// Follows the sample that comes with Oriel.
        add_sample(()) -> () = folders::add_sample;
        /// Stops following a folder and forgets its documents.
        remove_folder(FolderRef) -> () = folders::remove;
        /// How many documents the patterns would leave out.
        preview_excludes(Excludes) -> u32 = folders::preview_excludes;
        /// Leaves documents out.
        set_excludes(Excludes) -> () = folders::set_excludes;
        /// Looks through the folders now.
        rescan(()) -> () = folders::rescan;
        /// Pauses indexing until `resume`.
        pause(()) -> () = folders::pause;
        /// Goes on where `pause` or `cancel` stopped.
        resume(()) -> () = folders::resume;
        /// Ends this run of indexing; what is done is kept.
        cancel_indexing(()) -> () = folders::cancel;
        /// Documents that could not be read.
        failures(()) -> Vec<FailureRow> = folders::failures;
        /// Reads them once more.
        retry(Retry) -> () = folders::retry;
        /// Files with nothing to read in them.
        unread(()) -> Unread = folders::unread;
        /// Documents by name.
        documents(FindDocuments) -> Vec<DocumentRow> = folders::documents;
        /// Shows a document in the system's file browser.
        show_in_folder(DocumentRef) -> () = viewing::show_in_folder;
        /// Opens a document in its own app.
        open_document(DocumentRef) -> () = viewing::open_outside;
        /// Whether texts, sentences, postings and vectors agree.
        check_library(()) -> Checkup = keeping::check;
        /// Makes a damaged library sound again; what has to be read again is read by itself.
        repair_library(()) -> Repaired = keeping::repair;
        /// Opens the system's dialog for a backup, which then waits for `restore_library`; `null` where none was chosen.
        choose_backup(()) -> Option<ChosenBackup> = choosing::backup;
        /// Gives up a check, a backup, a compacting, a restoring or a repair.
        stop_keeping(()) -> () = keeping::stop;

        /// Kept conversations, newest first.
        conversations(FindConversations) -> Vec<ConversationRow> = listing::list;
        /// One of them.
        conversation(ConversationRef) -> Conversation = conversations::get;
        /// Gives it another title.
        rename_conversation(Rename) -> () = conversations::rename;
        /// Deletes it.
        delete_conversation(ConversationRef) -> () = conversations::delete;
        /// Asks where to and writes it as Markdown; the file's name, `null` where the person changed their mind.
        export_conversation(ConversationRef) -> Option<String> = choosing::export;
        /// One turn as Markdown with its citations, to be copied.
        turn_markdown(TurnRef) -> String = conversations::turn_markdown;
        /// A conversation with its title and citations as Markdown.
        conversation_markdown(ConversationRef) -> String = conversations::whole_markdown;
        /// Stops answering in a conversation; what is there is kept.
        stop(ConversationRef) -> () = asking::stop;
        /// Passages alone.
        widen(Widen) -> Found = asking::widen;
        /// How an answer came about.
        why(TurnRef) -> Why = asking::why;
        /// Why a document is not in it.
        why_not(AskWhyNot) -> WhyNot = asking::why_not;
        /// Every document that mentions some words.
        mentions(FindMentions) -> Mentions = mentions::list;
        /// More sentences of one of them.
        more_mentions(MoreMentions) -> MentionRow = mentions::more;
        /// Gives up a list of mentions.
        stop_mentions(()) -> () = mentions::stop;
        /// A document with its marks.
        open_view(OpenView) -> View = viewing::open;

        /// Changes the settings; they apply at once.
        set_settings(Settings) -> EngineLine = preferences::set;
        /// The models and the machine.
        models(()) -> ModelsState = modelling::state;
        /// Measures the models in use that were never measured here, in the background; the event `engine` says when it ended.
        measure_models(()) -> () = modelling::measure;
        /// Deletes a model that was imported or downloaded.
        remove_model(ModelRef) -> () = modelling::remove;
        /// Gives up the trial of an embedder.
        cancel_trial(()) -> () = modelling::cancel_trial;
        /// Starts to download a model of the catalog, or goes on with it; the event `downloads` says how far it is.
        download_model(ModelRef) -> () = downloads::start;
        /// Stops a download; what is here is kept.
        pause_download(ModelRef) -> () = downloads::pause;
        /// Takes a download that failed off the list.
        dismiss_download(ModelRef) -> () = downloads::dismiss;
        /// Ends the import of a model.
        cancel_import(()) -> () = modelling::cancel_import;
    }
    streams {
        /// Follows what was dropped; kilobytes where it is copied.
        accept_drop(AcceptDrop) -> (), Work = choosing::accept;
        /// Answers a question.
        ask(Ask) -> Turn, AskEvent = asking::ask;
        /// Tries another embedder on the questions asked last.
        try_embedder(ModelRef) -> Trial, Work = modelling::try_embedder;
        /// Opens the system's dialog and takes a model file for the person's own; its id, `null` where they changed their mind.
        import_model(()) -> Option<String>, ModelProgress = choosing::model;
        /// Asks where to and writes the whole library into one file; `null` where the person changed their mind.
        backup_library(()) -> Option<BackedUp>, Written = keeping::backup;
        /// Gives what is free in the index back to the disk.
        compact_library(()) -> Compacted, Written = keeping::compact;
        /// Puts the library of the backup that was chosen in the place of this one.
        restore_library(()) -> Restored, Written = keeping::restore;
    }
}

/// Every event that the shell sends unasked, by name.
#[derive(TS)]
#[ts(export_to = "types.ts")]
#[expect(dead_code, reason = "only its TypeScript is used")]
pub struct Events {
    /// The library changed, or work on it went on.
    library: LibraryState,
    /// The list of conversations changed.
    conversations: Vec<ConversationRow>,
    /// One of them went on or began, and is the newest now.
    conversation: ConversationRow,
    /// The models in use changed.
    engine: EngineLine,
    /// Downloads that run, or that failed and were not dismissed.
    downloads: Vec<Download>,
    /// Something is dragged over the window or was dropped.
    drag: DragEvent,
    /// The library could not be opened anew after a trouble, or could be at last.
    reopened: (),
}
