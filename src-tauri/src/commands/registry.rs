//! The list of commands: name, arguments, result, and the handler, one line each; and the list of events.

use std::sync::Arc;

use oriel_api::{
    Ask, AskEvent, AskWhyNot, CellRef, CheckDraft, CheckedSentence, ChosenDocument, Conversation,
    ConversationRef, DocumentRow, Draft, DraftReport, FailureRow, FillTable, FindMentions, Found, MentionRow,
    Mentions, MoreMentions, OpenView, ReviewSurvey, TableEvent, Turn, TurnRef, View, Why, Widen, Work,
};
use oriel_core::Notice;
use oriel_engine::{Compacted, ConversationRow, Repaired, WhyNot};
use tauri::ipc::{Channel, Invoke};
use tauri::{State, Wry};
use ts_rs::TS;

use crate::api::*;
use crate::commands::reopen::reopen_if_refused;
use crate::commands::{
    ask, conversations, documents, downloads, draft, drops, evaluation, folders, indexing, local_address,
    maintenance, models, programs, remote_index, settings, start, table, viewer,
};
use crate::desktop::conversation_list;
use crate::state::app::App;

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

/// Runs a command off the window's thread. After a command that fails, the library may refuse everything.
async fn off_thread<T: Send + 'static>(
    app: Arc<App>,
    run: impl FnOnce(&Arc<App>) -> Result<T, IpcError> + Send + 'static,
) -> Result<T, IpcError> {
    let run = move || run(&app).inspect_err(|error| reopen_if_refused(&app, &error.notice));
    match tauri::async_runtime::spawn_blocking(run).await {
        Ok(done) => done,
        Err(error) => Err(IpcError::failed(Notice::CommandEnded { error: error.to_string() })),
    }
}

commands! {
    calls {
        /// Everything the window needs to draw itself.
        start(()) -> Start = start::start;
        /// The library as it stands.
        library_state(()) -> LibraryState = folders::state;

        /// Opens the system's dialog for folders and follows what was chosen; the names, empty where none was.
        choose_folder(()) -> Vec<String> = folders::choose;
        /// Opens the system's dialog for files; what was chosen waits for `accept_drop` like a drop.
        choose_files(()) -> Option<Drop> = drops::choose_files;
        /// Ends the copying of what was dropped.
        cancel_copying(()) -> () = drops::cancel_copying;
        /// Follows the sample that comes with Oriel.
        add_sample(()) -> () = folders::add_sample;
        /// Stops following a folder and forgets its documents.
        remove_folder(FolderRef) -> () = folders::remove;
        /// How many documents the patterns would leave out.
        preview_excludes(Excludes) -> usize = folders::preview_excludes;
        /// Leaves documents out.
        set_excludes(Excludes) -> () = folders::set_excludes;
        /// Follows symbolic links in a folder, or no more.
        follow_links(FollowLinks) -> () = folders::follow_links;
        /// Looks through the folders now.
        rescan(()) -> () = indexing::rescan;
        /// Pauses indexing until `resume`.
        pause(()) -> () = indexing::pause;
        /// Goes on where `pause` or `cancel` stopped.
        resume(()) -> () = indexing::resume;
        /// Ends this run of indexing; what is done is kept.
        cancel_indexing(()) -> () = indexing::cancel;
        /// Documents that could not be read.
        failures(()) -> Vec<FailureRow> = documents::failures;
        /// Reads them once more.
        retry(Retry) -> () = documents::retry;
        /// Reads a PDF that asks for a password; an error where the password is wrong.
        unlock(Unlock) -> () = documents::unlock;
        /// Files with nothing to read in them.
        unread(()) -> Unread = documents::unread;
        /// Documents by name.
        documents(FindDocuments) -> Vec<DocumentRow> = documents::find;
        /// Who sent the mails of the library, the most frequent first.
        senders(()) -> Vec<SenderCount> = documents::senders;
        /// Shows a document in the system's file browser.
        show_in_folder(ChosenDocument) -> () = viewer::show_in_folder;
        /// Opens a document in its own app.
        open_document(ChosenDocument) -> () = viewer::open_outside;
        /// Whether texts, sentences, postings and vectors agree.
        check_library(()) -> Checkup = maintenance::check;
        /// Makes a damaged library sound again; what has to be read again is read by itself.
        repair_library(()) -> Repaired = maintenance::repair;
        /// Opens the system's dialog for a backup, which then waits for `restore_library`; `null` where none was chosen.
        choose_backup(()) -> Option<ChosenBackup> = maintenance::choose_backup;
        /// Gives up a check, a backup, a compacting, a restoring or a repair.
        stop_keeping(()) -> () = maintenance::stop;

        /// Kept conversations, newest first.
        conversations(FindConversations) -> Vec<ConversationRow> = conversation_list::list;
        /// One of them.
        conversation(ConversationRef) -> Conversation = conversations::get;
        /// Gives it another title.
        rename_conversation(Rename) -> () = conversations::rename;
        delete_conversation(ConversationRef) -> () = conversations::delete;
        /// Asks where to and writes it as Markdown; the file's name, `null` where the user changed their mind.
        export_conversation(ConversationRef) -> Option<String> = conversations::export;
        /// One turn as Markdown with its citations, to be copied.
        turn_markdown(TurnRef) -> String = conversations::turn_markdown;
        /// Includes a document of a list, or leaves it out; the turn with its new count.
        review_survey(ReviewSurvey) -> Turn = conversations::review;
        /// Asks where to and writes the list of an answer as CSV; the file's name, `null` where the user changed their mind.
        save_survey(TurnRef) -> Option<String> = conversations::save_survey;
        /// Prepares for a question that is being typed: loads what will write the answer.
        prepare_answer(()) -> () = ask::prepare;
        /// Questions that the documents answer, for a conversation that has none yet.
        suggestions(()) -> Vec<String> = ask::suggestions;
        /// A question that the closest passage of a turn without an answer answers; `null` where none is good enough.
        suggest(TurnRef) -> Option<String> = ask::suggest;
        /// Gives that up.
        stop_suggesting(()) -> () = ask::stop_suggesting;
        /// Stops the table in progress; what was read is kept.
        stop_table(()) -> () = table::stop;
        /// Empties a cell of a table; the turn without it.
        empty_cell(CellRef) -> Turn = table::empty_cell;
        /// Asks where to and writes the table of an answer as CSV; the file's name, `null` where the user changed their mind.
        save_table(TurnRef) -> Option<String> = table::save_csv;
        /// A conversation with its title and citations as Markdown.
        conversation_markdown(ConversationRef) -> String = conversations::whole_markdown;
        /// Stops answering in a conversation; what is there is kept.
        stop(ConversationRef) -> () = ask::stop;
        /// Passages alone.
        widen(Widen) -> Found = ask::widen;
        /// How an answer came about.
        why(TurnRef) -> Why = ask::why;
        /// Why a document is not in it.
        why_not(AskWhyNot) -> WhyNot = ask::why_not;
        /// Every document that mentions some words.
        mentions(FindMentions) -> Mentions = ask::mentions;
        /// More sentences of one of them.
        more_mentions(MoreMentions) -> MentionRow = ask::more_mentions;
        /// Gives up a list of mentions.
        stop_mentions(()) -> () = ask::stop_mentions;
        /// A text by sentence.
        split_draft(DraftText) -> Draft = draft::split;
        /// Stops checking a draft; what is found is kept.
        stop_draft(()) -> () = draft::stop;
        /// The text of a file that was dropped or that the user chooses; `null` where they changed their mind.
        read_draft(ReadDraft) -> Option<DraftFile> = draft::read;
        /// Asks where to and writes a checked draft as Markdown; the file's name, `null` where the user changed their mind.
        save_draft_report(DraftReport) -> Option<String> = draft::save_report;
        /// The questions that the library is measured with, and the runs.
        evaluation(()) -> EvaluationState = evaluation::state;
        /// Keeps a question or leaves it out, and gives it other words.
        decide_question(DecideQuestion) -> () = evaluation::decide;
        /// Opens the system's dialog and adds the questions of a file; `null` where the user changed their mind.
        add_questions(()) -> Option<AddedQuestions> = evaluation::add;
        /// Forgets all questions.
        forget_questions(()) -> () = evaluation::forget;
        /// Stops making or asking questions; what is made and measured is kept.
        stop_evaluation(()) -> () = evaluation::stop;
        /// Asks where to and writes the report of a run as HTML; the file's name, `null` where the user changed their mind.
        save_evaluation_report(RunRef) -> Option<String> = evaluation::save_report;
        /// A document with its marks.
        open_view(OpenView) -> View = viewer::open;

        /// Changes the settings; they apply at once.
        set_settings(Settings) -> EngineLine = settings::set;
        /// The user's own glossary.
        glossary(()) -> GlossaryText = settings::glossary;
        /// Replaces it; the numbers of the lines that are no entries, from 1.
        set_glossary(GlossaryText) -> Vec<usize> = settings::set_glossary;
        /// Programs that can ask this library, and what is hidden from them.
        programs(()) -> Programs = programs::state;
        /// Hides a followed folder from other programs, or shows it to them.
        hide_folder(HideFolder) -> Programs = programs::hide;
        /// Opens the system's dialog for folders and hides what was chosen.
        hide_other_folders(()) -> Programs = programs::hide_others;
        /// Shows something hidden to other programs again.
        unhide(HiddenRef) -> Programs = programs::unhide;
        /// Deletes what is kept of the requests of other programs.
        clear_asked(()) -> Programs = programs::clear_asked;
        /// Switches the local address on or off.
        set_local_address(SetLocalAddress) -> Programs = local_address::set;
        /// The key of the local address, to be copied.
        local_key(()) -> LocalKey = local_address::key;
        /// Makes a new key; programs with the old one are refused.
        renew_local_key(()) -> Programs = local_address::renew_key;
        /// The models and the machine.
        models(()) -> ModelsState = models::state;
        /// Measures the models in use that were never measured here, in the background; the event `engine` says when it ended.
        measure_models(()) -> () = models::measure;
        /// Deletes a model that was imported or downloaded, or forgets one of a server.
        remove_model(ModelRef) -> () = models::remove;
        /// Gives up the trial of an embedder.
        cancel_trial(()) -> () = models::cancel_trial;
        /// Starts to download a model of the catalog, or goes on with it; the event `downloads` says how far it is.
        download_model(ModelRef) -> () = downloads::start;
        /// Stops a download; what is here is kept.
        pause_download(ModelRef) -> () = downloads::pause;
        /// Takes a download that failed off the list.
        dismiss_download(ModelRef) -> () = downloads::dismiss;
        /// Ends the import of a model.
        cancel_import(()) -> () = models::cancel_import;
        /// Whom an address leads to; nothing is connected.
        server_host(TypedAddress) -> ServerHost = models::server_host;
        /// Tries a server whose host the app named before. Returns the id of its model.
        connect_server(ConnectServer) -> String = models::connect_server;
        /// Whom the address of an index leads to; nothing is connected.
        index_host(TypedAddress) -> ServerHost = remote_index::host;
        /// Reads a remote index, or publishes to it; the app named its host before.
        connect_index(ConnectIndex) -> () = remote_index::connect;
        /// Reads or publishes to an index elsewhere no longer.
        leave_index(LeaveIndex) -> () = remote_index::leave;
        /// Gives up the trial of a server.
        cancel_connect(()) -> () = models::cancel_connect;
    }
    streams {
        /// Follows what was dropped; bytes where it is copied.
        accept_drop(AcceptDrop) -> (), Work = drops::accept;
        /// Answers a question.
        ask(Ask) -> Turn, AskEvent = ask::ask;
        /// Makes the table of an answer, or reads it on; the turn with it.
        fill_table(FillTable) -> Turn, TableEvent = table::fill;
        /// Checks sentences of a draft one after the other.
        check_draft(CheckDraft) -> (), CheckedSentence = draft::check;
        /// Makes questions from the documents with the model that writes answers.
        make_questions(MakeQuestions) -> (), MakingEvent = evaluation::make;
        /// Asks the kept questions, setting against setting.
        run_evaluation(RunEvaluation) -> (), EvaluationEvent = evaluation::run;
        /// Tries another embedder on the questions asked last.
        try_embedder(ModelRef) -> Trial, Work = models::try_embedder;
        /// Opens the system's dialog and takes a model file for the user's own; its id, `null` where they changed their mind.
        import_model(()) -> Option<String>, ModelProgress = models::import;
        /// Asks where to and writes the whole library into one file; `null` where the user changed their mind.
        backup_library(()) -> Option<BackedUp>, Written = maintenance::backup;
        /// Gives what is free in the index back to the disk.
        compact_library(()) -> Compacted, Written = maintenance::compact;
        /// Puts the library of the backup that was chosen in the place of this one.
        restore_library(()) -> Restored, Written = maintenance::restore;
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

#[cfg(test)]
mod tests;
