//! Measuring the library with questions from it.

use oriel_api::{Work, payload, request};
use oriel_eval::{Arm, Decision, EvaluationRun, QuestionRow};

payload! {
    /// The questions to review, and the runs with them.
    pub struct EvaluationState {
        /// In the order in which they came.
        pub questions: Vec<QuestionRow>,
        /// How many must be kept for a run.
        pub needed: usize,
        /// The last runs, newest first.
        pub runs: Vec<EvaluationRun>,
    }

    /// Questions of a file were added.
    pub struct AddedQuestions {
        /// The file's name.
        pub name: String,
        /// How many were not there yet.
        pub added: usize,
    }

    /// Questions are being made.
    #[serde(tag = "is")]
    pub enum MakingEvent {
        /// How many are made.
        Progress { work: Work },
        /// One was made, and is kept in the library's folder.
        Made { question: Box<QuestionRow> },
    }

    /// A run goes on.
    #[serde(tag = "is")]
    pub enum EvaluationEvent {
        /// Searches the documents for the places of the answers.
        Finding { work: Work },
        /// Embeds the documents again for a setting.
        Embedding { arm: Arm, work: Work },
        /// Questions are asked in a setting.
        Asking { arm: Arm, work: Work },
        /// The figures of what was asked so far.
        Figures { run: Box<EvaluationRun> },
    }
}

request! {
    /// The user's decision about a question.
    pub struct DecideQuestion {
        pub id: String,
        /// Its new wording.
        pub question: String,
        /// Whether it is kept.
        pub decision: Option<Decision>,
    }

    /// Asks for questions.
    pub struct MakeQuestions {
        pub count: usize,
    }

    /// Asks the kept questions.
    pub struct RunEvaluation {
        /// Whether answers are written and checked too.
        pub answers: bool,
        /// The settings that are compared with the one in use.
        pub compare: Vec<Arm>,
    }

    /// Names a run.
    pub struct RunRef {
        /// When it began.
        pub at: u64,
    }
}
