//! Measures how well a library answers a file of questions, setting against setting.
//!
//! - `questions` reads the file and finds its gold in the library.
//! - `metrics` scores one question, `bootstrap` gives intervals.
//! - `naive` is the search by chunks that Oriel is compared with.
//! - `run` asks every question and makes the report; `report` draws it as a page.
//! - `generate` makes questions from a library.
//! - `review` keeps the questions that a person reviews, and the runs with them.

mod bootstrap;
mod generate;
mod metrics;
mod naive;
mod questions;
mod report;
mod review;
mod run;

pub use bootstrap::{Interval, RESAMPLES};
pub use generate::{GeneratedQuestion, generate_questions};
pub use metrics::Metric;
pub use questions::{Exam, ExamQuestion, Form, Gold, GoldDocument, QuestionFile};
pub use report::report_page;
pub use review::{Decision, EvaluationRun, MIN_KEPT_QUESTIONS, QuestionRow, QuestionSet, Review, RunEvent};
pub use run::{
    Arm, ArmDifference, ArmReport, AskedQuestion, CalibrationGroup, Evaluation, EvaluationOptions,
    EvaluationProgress, EvaluationReport, EvaluationStage, Measured, Quantiles, QuestionStage, StageMedian,
    evaluate,
};
