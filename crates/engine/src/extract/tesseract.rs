//! Tesseract, the program that recognises text in pictures, if the person has installed it.
//!
//! It gets pixels that the worker process has drawn, never a file, and fixed arguments.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, bounded};
use oriel_core::CancelToken;
use oriel_text::Picture;

use crate::error::EngineError;

/// A page takes a few seconds, or minutes while everything else goes first; one that takes longer is given up.
const PAGE_TIMEOUT: Duration = Duration::from_secs(600);
/// Its niceness, as that of other work in the background.
#[cfg(unix)]
const NICENESS: i32 = 15;
/// How often a waiting thread checks for cancellation.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum bytes of hOCR for one page.
const MAX_HOCR_BYTES: u64 = 32 << 20;
/// Data files that are no languages.
const NO_LANGUAGES: [&str; 3] = ["osd", "equ", "snum"];
/// With more languages than this, recognition gets slow and unsure, so only some of them are used.
const MAX_LANGUAGES: usize = 6;
/// Where installers put the program without adding the folder to `PATH`; a program that is started from a desktop may not
/// have the `PATH` of a terminal either.
const USUAL_FOLDERS: &[&str] = if cfg!(target_os = "macos") {
    &["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"]
} else if cfg!(windows) {
    &[r"C:\Program Files\Tesseract-OCR"]
} else {
    &[]
};

/// The installed program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tesseract {
    program: PathBuf,
    /// The languages that it recognises, joined by `+`.
    pub(crate) languages: String,
}

impl Tesseract {
    /// Finds the program and its languages; `None` if it is not installed, or without a language.
    pub(crate) fn find() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain(USUAL_FOLDERS.iter().map(PathBuf::from));
        let name = format!("tesseract{}", std::env::consts::EXE_SUFFIX);
        // A relative folder would be one of the person's documents.
        let programs = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name));
        programs.filter(|program| program.is_file()).find_map(|program| {
            let listed = Command::new(&program).arg("--list-langs").stdin(Stdio::null()).output().ok()?;
            let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
            let languages = languages(&listed, std::env::var("LANG").ok().as_deref());
            (!languages.is_empty()).then_some(Self { program, languages })
        })
    }

    /// Recognises the words of a page. Returns hOCR, or `None` if the program fails or takes too long.
    pub(crate) fn recognise(
        &self,
        picture: Picture,
        cancel: &CancelToken,
    ) -> Result<Option<String>, EngineError> {
        let dpi = picture.dpi.to_string();
        let child = Command::new(&self.program)
            .args(["stdin", "stdout", "--dpi", &dpi, "-l", &self.languages, "-c", "tessedit_create_hocr=1"])
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => {
                tracing::warn!(%error, "Tesseract cannot be started");
                return Ok(None);
            }
        };
        lower_priority(&child);
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Ok(None);
        };
        let (sender, answers) = bounded(1);
        // Ends with the pipes, when the program does. It reads all pixels before it writes.
        std::thread::spawn(move || {
            let Picture { width, height, grey, .. } = picture;
            let mut hocr = String::new();
            let read = write!(input, "P5\n{width} {height}\n255\n")
                .and_then(|()| input.write_all(&grey))
                .and_then(|()| {
                    drop(input);
                    output.take(MAX_HOCR_BYTES).read_to_string(&mut hocr)
                });
            // Nobody waits any more after a cancellation.
            let _ = sender.send(read.is_ok().then_some(hocr));
        });
        let begun = Instant::now();
        loop {
            match answers.recv_timeout(CANCEL_POLL_INTERVAL) {
                Ok(hocr) => {
                    let is_done = child.wait().is_ok_and(|status| status.success());
                    return Ok(hocr.filter(|_| is_done));
                }
                Err(RecvTimeoutError::Timeout)
                    if !cancel.is_cancelled() && begun.elapsed() < PAGE_TIMEOUT => {}
                Err(_) => {
                    // An error means that it has already exited.
                    let _ = child.kill();
                    let _ = child.wait();
                    cancel.check()?;
                    return Ok(None);
                }
            }
        }
    }
}

/// Lets everything else on the machine go first.
#[cfg(unix)]
fn lower_priority(child: &Child) {
    use rustix::process::{Pid, setpriority_process};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Err(error) = setpriority_process(pid, NICENESS) {
        tracing::debug!(%error, "the priority stays as it is");
    }
}

#[cfg(not(unix))]
fn lower_priority(_: &Child) {}

/// The languages of `listed`, the program's own list, joined by `+`. Of very many only English and that of `locale`.
fn languages(listed: &str, locale: Option<&str>) -> String {
    let names =
        listed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains([' ', ':', '/']));
    let mut names: Vec<&str> = names.filter(|name| !NO_LANGUAGES.contains(name)).collect();
    names.sort_unstable();
    if names.len() > MAX_LANGUAGES {
        let own = locale.and_then(|locale| isolang::Language::from_639_1(locale.get(..2)?));
        let own = own.map_or("eng", |language| language.to_639_3());
        let some: Vec<&str> =
            names.iter().copied().filter(|name| *name == "eng" || name.starts_with(own)).collect();
        names.truncate(MAX_LANGUAGES);
        if !some.is_empty() {
            names = some;
        }
    }
    names.join("+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_read_from_the_list_of_the_program() {
        let listed =
            "List of available languages in \"/usr/share/tessdata/\" (4):\nosd\neng\ndeu\nscript/Latin\n";
        assert_eq!(languages(listed, None), "deu+eng");
        assert_eq!(languages("", None), "");
        let many = "ara\nces\nchi_sim\nchi_tra\ndeu\neng\nfra\nita\nspa\n";
        assert_eq!(languages(many, Some("de_DE.UTF-8")), "deu+eng");
        assert_eq!(languages(many, Some("C")), "eng");
        assert_eq!(languages(many, None), "eng");
        assert_eq!(languages(&many.replace("eng", "nld"), None), "ara+ces+chi_sim+chi_tra+deu+fra");
    }
}
