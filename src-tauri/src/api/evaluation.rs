//! Measuring the library with questions from it, as the UI sees it.

use oriel_api::Work;
use oriel_eval::{Arm, Decision, EvaluationRun};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::draft::FindingPlace;

/// The questions to review, and the runs with them.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct EvaluationState {
    /// In the order in which they came.
    pub questions: Vec<QuestionRow>,
    /// How many have to be kept for a run.
    pub needed: usize,
    /// The last runs, newest first.
    pub runs: Vec<EvaluationRun>,
}

/// A question to review.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct QuestionRow {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// What was decided; `null` if it is still to be reviewed.
    pub decision: Option<Decision>,
    /// The name of the file of its answer; `null` if it is not known.
    pub file: Option<String>,
    /// Where its answer is; `null` if that is not known or not in the library.
    pub place: Option<FindingPlace>,
}

/// What was decided about a question.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct DecideQuestion {
    /// The question's id.
    pub id: String,
    /// Its words from now on.
    pub question: String,
    /// Whether it is kept.
    pub decision: Option<Decision>,
}

/// Questions of a file were added.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct AddedQuestions {
    /// The file's name.
    pub name: String,
    /// How many were not there yet.
    pub added: usize,
}

/// Asks for questions.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct MakeQuestions {
    /// How many.
    pub count: usize,
}

/// Questions are being made.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum MakingEvent {
    /// How many are made.
    Progress {
        /// Questions.
        work: Work,
    },
    /// One was made, and is kept in the library's folder.
    Made {
        /// The question.
        question: Box<QuestionRow>,
    },
}

/// Asks the kept questions.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct RunEvaluation {
    /// Whether answers are written and checked too.
    pub answers: bool,
    /// The settings that are compared with the one in use.
    pub compare: Vec<Arm>,
}

/// A run goes on.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "is")]
#[ts(export_to = "types.ts")]
pub enum EvaluationEvent {
    /// Documents are looked through for the places of answers.
    Finding {
        /// Documents.
        work: Work,
    },
    /// Documents are embedded anew for a setting.
    Embedding {
        /// The setting.
        arm: Arm,
        /// Pieces of documents.
        work: Work,
    },
    /// Questions are asked in a setting.
    Asking {
        /// The setting.
        arm: Arm,
        /// Questions.
        work: Work,
    },
    /// The figures of what was asked so far.
    Figures {
        /// The run as it stands.
        run: Box<EvaluationRun>,
    },
}

/// Names a run.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "types.ts")]
pub struct RunRef {
    /// When it began.
    pub at: u64,
}
