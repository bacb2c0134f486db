//! Progress on standard error: a bar in a terminal, plain lines elsewhere.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use oriel_core::Survey;
use oriel_engine::IndexProgress;

use crate::render::harmless;

/// Minimum time between two plain lines of the same stage.
const PAUSE: Duration = Duration::from_secs(5);

/// Shows the progress of a long task: count, rate and estimate.
pub(crate) struct Progress {
    bar: ProgressBar,
    plain: bool,
    stage: &'static str,
    begun: Instant,
    printed: Option<Instant>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::no_length();
        let plain = bar.is_hidden();
        Self { bar, plain, stage: "", begun: Instant::now(), printed: None }
    }

    /// Shows one step of indexing.
    pub(crate) fn indexing(&mut self, progress: IndexProgress<'_>) {
        match progress {
            IndexProgress::Scanning { files } => self.step("scanning", "files", files as u64, None),
            IndexProgress::Reading { done, total, path } => {
                self.bar.set_message(name(path));
                self.step("reading", "documents", done as u64, Some(total as u64));
            }
            IndexProgress::Embedding { done, total } => {
                self.step("embedding", "sentences", done as u64, Some(total as u64));
            }
            IndexProgress::Recognising { path, page, pages } => {
                self.bar.set_message(name(path));
                self.step("recognising", "pages", page.into(), Some(pages.into()));
            }
            IndexProgress::Sampled { .. } | IndexProgress::Changed { .. } => {}
        }
    }

    /// Shows the number of documents read for a survey.
    pub(crate) fn survey(&mut self, survey: &Survey) {
        let readable = survey.total - survey.unreadable;
        self.step("judging", "documents", survey.read as u64, Some(readable as u64));
    }

    /// Shows `done` of `total`; a new `stage` starts from the beginning.
    pub(crate) fn step(&mut self, stage: &'static str, unit: &'static str, done: u64, total: Option<u64>) {
        if stage != self.stage {
            self.stage = stage;
            self.begun = Instant::now();
            self.printed = None;
            self.bar.reset();
            self.bar.set_prefix(stage);
            if !matches!(stage, "reading" | "recognising") {
                self.bar.set_message("");
            }
            self.bar.set_style(style(unit, total.is_some()));
        }
        if self.plain {
            let finished = total.is_some_and(|total| done >= total);
            if finished || self.printed.is_none_or(|printed| printed.elapsed() >= PAUSE) {
                self.printed = Some(Instant::now());
                eprintln!("{}", self.line(unit, done, total));
            }
            return;
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, unit: &str, done: u64, total: Option<u64>) -> String {
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = if seconds > 0.5 { done as f64 / seconds } else { 0.0 };
        let of = total.map_or_else(String::new, |total| format!(" of {total}"));
        let mut line = format!("{} {done}{of} {unit}", self.stage);
        if rate > 0.0 {
            line.push_str(&format!(", {rate:.0} a second"));
            if let Some(left) = total.map(|total| total.saturating_sub(done)).filter(|&left| left > 0) {
                line.push_str(&format!(", about {:.0} s left", left as f64 / rate));
            }
        }
        line
    }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| harmless(&name.to_string_lossy()))
}

fn style(unit: &str, bounded: bool) -> ProgressStyle {
    let template = if bounded {
        format!("{{prefix:>13}} {{bar:24}} {{pos}} of {{len}} {unit}, {{per_sec}}, {{eta}} left {{wide_msg}}")
    } else {
        format!("{{prefix:>13}} {{pos}} {unit} {{wide_msg}}")
    };
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
