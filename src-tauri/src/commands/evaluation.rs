//! Measuring the library: questions made, reviewed and asked, and the report.

use std::sync::Arc;

use oriel_api::name_of;
use oriel_core::{ModelError, Notice};
use oriel_engine::Filter;
use oriel_eval::{
    EvaluationOptions, EvaluationProgress, EvaluationStage, MIN_KEPT_QUESTIONS, RunEvent, report_page,
};
use oriel_models::Role;
use tauri::ipc::Channel;

use crate::api::*;
use crate::background::progress::PacedProgress;
use crate::commands::conversations::save_text;
use crate::commands::yield_guard::YieldGuard;
use crate::desktop::{dialogs, publish};
use crate::state::app::App;
use crate::state::jobs::Task;

/// The questions, and the runs with them.
pub(crate) fn state(app: &Arc<App>, (): &()) -> Result<EvaluationState, IpcError> {
    let session = app.session()?;
    let library = &session.library;
    let questions = session.review.questions()?.rows(library)?;
    Ok(EvaluationState { questions, needed: MIN_KEPT_QUESTIONS, runs: session.review.runs()? })
}

/// Decides about a question, or changes its words.
pub(crate) fn decide(app: &Arc<App>, wanted: &DecideQuestion) -> Result<(), IpcError> {
    Ok(app.session()?.review.decide(&wanted.id, &wanted.question, wanted.decision)?)
}

/// Adds the questions of a file that the user chooses.
pub(crate) fn add(app: &Arc<App>, (): &()) -> Result<Option<AddedQuestions>, IpcError> {
    let Some(path) = dialogs::pick_file(app.handle(), None)? else { return Ok(None) };
    let added = app.session()?.review.add_file(&path)?;
    Ok(Some(AddedQuestions { name: name_of(&path), added }))
}

/// Forgets all questions.
pub(crate) fn forget(app: &Arc<App>, (): &()) -> Result<(), IpcError> {
    Ok(app.session()?.review.forget_questions()?)
}

/// Makes questions from the documents, each kept at once.
pub(crate) fn make(
    app: &Arc<App>,
    &MakeQuestions { count }: &MakeQuestions,
    events: &Channel<MakingEvent>,
) -> Result<(), IpcError> {
    let session = &app.session()?;
    let job = app.jobs.begin(Task::Evaluation)?;
    let id = || oriel_api::model_to_get(&session.roles, Role::Generator);
    let generator = session.roles.generator()?.ok_or_else(|| ModelError::Absent { id: id() })?;
    let library = &session.library;
    let mut paced = PacedProgress::new();
    let mut progress = |done, total| {
        app.note_question();
        if let Some(work) = paced.at((), done as u64, total as u64) {
            publish::stream(events, MakingEvent::Progress { work });
        }
    };
    let mut on_made = |question| publish::stream(events, MakingEvent::Made { question: Box::new(question) });
    session.review.make_questions(library, &*generator, count, &mut on_made, &mut progress, &job.cancel)?;
    Ok(())
}

/// Asks the kept questions and keeps the figures. Nothing is indexed meanwhile, as times are measured.
pub(crate) fn run(
    app: &Arc<App>,
    wanted: &RunEvaluation,
    events: &Channel<EvaluationEvent>,
) -> Result<(), IpcError> {
    let session = &app.session()?;
    let job = app.jobs.begin(Task::Evaluation)?;
    let yielding = YieldGuard::new(app, session);
    yielding.publish();
    let options = EvaluationOptions {
        query: session.reach().query("", Filter::default(), session.settings.get().window),
        compare: wanted.compare.clone(),
        answers: wanted.answers,
        generator: if wanted.answers { session.roles.generator()? } else { None },
    };
    let mut paced = PacedProgress::new();
    let mut on_event = |event: RunEvent<'_>| {
        app.note_question();
        let event = match event {
            RunEvent::Finding(done, total) => {
                paced.at(None, done as u64, total as u64).map(|work| EvaluationEvent::Finding { work })
            }
            RunEvent::Progress(EvaluationProgress { stage, done, total }) => {
                paced.at(Some(stage), done as u64, total as u64).map(|work| match stage {
                    EvaluationStage::Embedding(arm) => EvaluationEvent::Embedding { arm, work },
                    EvaluationStage::Asking(arm) => EvaluationEvent::Asking { arm, work },
                })
            }
            RunEvent::Figures(run) => Some(EvaluationEvent::Figures { run: run.clone().into() }),
        };
        if let Some(event) = event {
            publish::stream(events, event);
        }
    };
    session.review.run(&session.assistant.searcher, &options, &mut on_event, &job.cancel)?;
    Ok(())
}

/// Asks for a file, and writes the report of a run as a page of HTML.
pub(crate) fn save_report(app: &Arc<App>, &RunRef { at }: &RunRef) -> Result<Option<String>, IpcError> {
    let runs = app.session()?.review.runs()?;
    let run = runs.into_iter().find(|run| run.at == at).ok_or_else(|| IpcError::gone(Notice::RunGone))?;
    let (title, file, kind) = match app.settings().is_german() {
        true => ("dieser Bibliothek", "Auswertung", "HTML"),
        false => ("this library", "Evaluation", "HTML"),
    };
    save_text(app, file, (kind, "html"), &report_page(&run.report, title))
}
