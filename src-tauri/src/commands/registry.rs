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
        /// Everything that the window needs before it can draw anything.
        start(()) -> Start = start::start;
        /// The library as it stands.
        library_state(()) -> LibraryState = folders::state;

        /// Opens the system's dialog for folders, follows the chosen ones and returns their names.
        choose_folder(()) -> Vec<String> = folders::choose;
        /// Opens the system's dialog for files; what was chosen waits for `accept_drop` like a drop.
        choose_files(()) -> Option<Drop> = drops::choose_files;
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
        /// Scans the folders now.
        rescan(()) -> () = indexing::rescan;
        /// Pauses indexing until `resume`.
        pause(()) -> () = indexing::pause;
        /// Resumes after `pause` or `cancel_indexing`.
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
        /// Repairs a damaged library; documents that have to be read again are read automatically.
        repair_library(()) -> Repaired = maintenance::repair;
        /// Opens the system's dialog for a backup, which then waits for `restore_library`; `null` if none was chosen.
        choose_backup(()) -> Option<ChosenBackup> = maintenance::choose_backup;

        /// Kept conversations, newest first.
        conversations(FindConversations) -> Vec<ConversationRow> = conversation_list::list;
        /// One of them.
        conversation(ConversationRef) -> Conversation = conversations::get;
        /// Gives it another title.
        rename_conversation(Rename) -> () = conversations::rename;
        delete_conversation(ConversationRef) -> () = conversations::delete;
        /// Asks for a file and writes it as Markdown; returns the file's name, `null` if the user cancelled.
        export_conversation(ConversationRef) -> Option<String> = conversations::export;
        /// One turn as Markdown with its citations, to be copied.
        turn_markdown(TurnRef) -> String = conversations::turn_markdown;
        /// Includes a document of a list, or leaves it out; the turn with its new count.
        review_survey(ReviewSurvey) -> Turn = conversations::review;
        /// Asks for a file and writes the list of an answer as CSV; the file's name, `null` if the user cancelled.
        save_survey(TurnRef) -> Option<String> = conversations::save_survey;
        /// Prepares for a question that is being typed: loads what will write the answer.
        prepare_answer(()) -> () = ask::prepare;
        /// Questions that the documents answer, for a conversation that has none yet.
        suggestions(()) -> Vec<String> = ask::suggestions;
        /// A question that the closest passage of an unanswered turn does answer; `null` if none is good enough.
        suggest(TurnRef) -> Option<String> = ask::suggest;
        /// Empties a cell of a table; the turn without it.
        empty_cell(CellRef) -> Turn = table::empty_cell;
        /// Asks for a file and writes the table of an answer as CSV; the file's name, `null` if the user cancelled.
        save_table(TurnRef) -> Option<String> = table::save_csv;
        /// A conversation with its title and citations as Markdown.
        conversation_markdown(ConversationRef) -> String = conversations::whole_markdown;
        /// Stops answering in a conversation; what is there is kept.
        stop(ConversationRef) -> () = ask::stop;
        /// Stops other work.
        stop_work(Stoppable) -> () = ask::stop_work;
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
        /// Splits a text into sentences.
        split_draft(DraftText) -> Draft = draft::split;
        /// The text of a file that was dropped or that the user chooses; `null` if they cancelled.
        read_draft(ReadDraft) -> Option<DraftFile> = draft::read;
        /// Asks for a file and writes a checked draft as Markdown; the file's name, `null` if the user cancelled.
        save_draft_report(DraftReport) -> Option<String> = draft::save_report;
        /// The questions that the library is measured with, and the runs.
        evaluation(()) -> EvaluationState = evaluation::state;
        /// Keeps a question or leaves it out, and gives it other words.
        decide_question(DecideQuestion) -> () = evaluation::decide;
        /// Opens the system's dialog and adds the questions of a file; `null` if the user cancelled.
        add_questions(()) -> Option<AddedQuestions> = evaluation::add;
        /// Forgets all questions.
        forget_questions(()) -> () = evaluation::forget;
        /// Asks for a file and writes the report of a run as HTML; the file's name, `null` if the user cancelled.
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
        /// Measures the models in use that were never measured here, in the background; then sends the event `engine`.
        measure_models(()) -> () = models::measure;
        /// Deletes a model that was imported or downloaded, or forgets one of a server.
        remove_model(ModelRef) -> () = models::remove;
        /// Starts or resumes the download of a model; the event `downloads` reports its progress.
        download_model(ModelRef) -> () = downloads::start;
        /// Stops a download; what is here is kept.
        pause_download(ModelRef) -> () = downloads::pause;
        /// Removes a failed download from the list.
        dismiss_download(ModelRef) -> () = downloads::dismiss;
        /// The host of an address; it is not contacted.
        server_host(TypedAddress) -> ServerHost = models::server_host;
        /// Tries a server whose host the app named before. Returns the id of its model.
        connect_server(ConnectServer) -> String = models::connect_server;
        /// The host of the address of an index; it is not contacted.
        index_host(TypedAddress) -> ServerHost = remote_index::host;
        /// Reads a remote index, or publishes to it; the app named its host before.
        connect_index(ConnectIndex) -> () = remote_index::connect;
        /// Stops reading a remote index, or publishing to it.
        leave_index(LeaveIndex) -> () = remote_index::leave;
    }
    streams {
        /// Follows what was dropped; bytes where it is copied.
        accept_drop(AcceptDrop) -> (), Work = drops::accept;
        /// Answers a question.
        ask(Ask) -> Turn, AskEvent = ask::ask;
        /// Makes the table of an answer, or continues it; returns the turn with it.
        fill_table(FillTable) -> Turn, TableEvent = table::fill;
        /// Checks sentences of a draft one after the other.
        check_draft(CheckDraft) -> (), CheckedSentence = draft::check;
        /// Makes questions from the documents with the model that writes answers.
        make_questions(MakeQuestions) -> (), MakingEvent = evaluation::make;
        /// Asks the kept questions, setting against setting.
        run_evaluation(RunEvaluation) -> (), EvaluationEvent = evaluation::run;
        /// Tries another embedder on the questions asked last.
        try_embedder(ModelRef) -> Trial, Work = models::try_embedder;
        /// Opens the system's dialog and takes a model file for the user's own; its id, `null` if they cancelled.
        import_model(()) -> Option<String>, ModelProgress = models::import;
        /// Asks for a file and writes the whole library into one file; `null` if the user cancelled.
        backup_library(()) -> Option<BackedUp>, Work = maintenance::backup;
        /// Returns free space in the index to the disk.
        compact_library(()) -> Compacted, Work = maintenance::compact;
        /// Replaces this library by that of the chosen backup.
        restore_library(()) -> Restored, Work = maintenance::restore;
    }
}

/// Every event that the shell sends by itself, by name.
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
    /// Reopening the library after a failure did not work, or has worked at last.
    reopened: (),
}

#[cfg(test)]
mod tests;
