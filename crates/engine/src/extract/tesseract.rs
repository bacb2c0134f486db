//! Runs Tesseract, the program that recognises text in images, if the user has installed it.
//!
//! It only gets pixels that the worker process has drawn, never a file, and its arguments are fixed.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, bounded};
use oriel_core::CancelToken;
use oriel_text::Picture;

use crate::error::EngineError;
use crate::extract::process::PageDrawing;

/// Timeout for a page. A page takes a few seconds, or minutes while other work goes first.
const PAGE_TIMEOUT: Duration = Duration::from_secs(600);
/// Timeout for the list of languages, which takes a moment.
const LIST_TIMEOUT: Duration = Duration::from_secs(10);
/// The niceness of the process, the same as for other background work.
#[cfg(unix)]
const NICENESS: i32 = 15;
/// Windows: no separate console, and a priority below that of the user's programs (`CREATE_NO_WINDOW`,
/// `BELOW_NORMAL_PRIORITY_CLASS`).
#[cfg(windows)]
const CREATION_FLAGS: u32 = 0x0800_0000 | 0x0000_4000;
/// How often a waiting thread checks for cancellation.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum bytes of the program's output, such as the hOCR of a page.
const MAX_OUTPUT_BYTES: u64 = 32 << 20;
/// The data for detecting the script of a page.
const SCRIPT_DATA: &str = "osd";
/// Other data files that are not languages.
const NO_LANGUAGES: [&str; 2] = ["equ", "snum"];
/// Up to this number of languages are all used at once: with twelve, a page takes a few times as long as with one, and
/// nearly as many words are right. Users with more languages have not selected them.
const MAX_LANGUAGES: usize = 12;
/// The number of pages on which the script of a document is searched: the first may have little text.
const SCRIPT_PAGES: usize = 3;
/// The main languages of scripts, used if no model for the whole script is installed. Latin has too many.
const LANGUAGES_OF_SCRIPTS: [(&str, &[&str]); 17] = [
    ("Arabic", &["ara", "fas", "urd"]),
    ("Armenian", &["hye"]),
    ("Bengali", &["ben"]),
    ("Cyrillic", &["rus", "ukr", "bul", "srp", "mkd", "bel"]),
    ("Devanagari", &["hin", "mar", "nep"]),
    ("Georgian", &["kat"]),
    ("Greek", &["ell"]),
    ("Gujarati", &["guj"]),
    ("Han", &["chi_sim", "chi_tra"]),
    ("Hangul", &["kor"]),
    ("Hebrew", &["heb"]),
    ("Japanese", &["jpn"]),
    ("Kannada", &["kan"]),
    ("Malayalam", &["mal"]),
    ("Tamil", &["tam"]),
    ("Telugu", &["tel"]),
    ("Thai", &["tha"]),
];
/// Folders where installers put the program without adding them to `PATH`. A program that is started from a desktop may
/// also lack the `PATH` of a terminal.
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
    installed: Installed,
}

impl Tesseract {
    /// Finds the program and its languages; `None` if it is not installed, does not answer, or has no language.
    pub(crate) fn find() -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain(USUAL_FOLDERS.iter().map(PathBuf::from));
        let name = format!("tesseract{}", std::env::consts::EXE_SUFFIX);
        // A relative folder could be one of the user's documents.
        let programs = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name));
        programs.filter(|program| program.is_file()).find_map(|program| {
            let mut listing = Command::new(&program);
            listing.arg("--list-langs");
            let listed = output(listing, Vec::new(), LIST_TIMEOUT, &CancelToken::new()).ok()??;
            let installed = Installed::of(&listed, sys_locale::get_locale().as_deref());
            (!installed.languages.is_empty()).then_some(Self { program, installed })
        })
    }

    /// The installed languages, by Tesseract's names.
    pub(crate) fn languages(&self) -> &[String] {
        &self.installed.languages
    }

    /// The languages for documents in a script, joined by `+`.
    pub(crate) fn languages_of(&self, script: Option<&str>) -> String {
        self.installed.languages_of(script)
    }

    /// Whether the languages for a document depend on its script.
    pub(crate) fn knows_scripts(&self) -> bool {
        self.installed.knows_scripts
    }

    /// The script of the first of these pages that has enough text, by Tesseract's name; `None` if none has.
    pub(crate) fn script(
        &self,
        drawing: &mut PageDrawing<'_>,
        pages: &[u32],
        cancel: &CancelToken,
    ) -> Result<Option<String>, EngineError> {
        for &page in pages.iter().take(SCRIPT_PAGES) {
            let Ok(picture) = drawing.page(page, cancel)? else { continue };
            let written = self.run(&picture, &["--psm", "0", "-l", SCRIPT_DATA], cancel)?.unwrap_or_default();
            if let Some(script) = written.lines().find_map(|line| line.strip_prefix("Script: ")) {
                return Ok(Some(script.trim().to_owned()));
            }
        }
        Ok(None)
    }

    /// Recognises the words of a page. Returns hOCR, or `None` if the program fails or takes too long.
    pub(crate) fn recognise(
        &self,
        picture: &Picture,
        languages: &str,
        cancel: &CancelToken,
    ) -> Result<Option<String>, EngineError> {
        self.run(picture, &["-l", languages, "-c", "tessedit_create_hocr=1"], cancel)
    }

    fn run(
        &self,
        picture: &Picture,
        arguments: &[&str],
        cancel: &CancelToken,
    ) -> Result<Option<String>, EngineError> {
        let Picture { width, height, dpi, grey, .. } = picture;
        let mut command = Command::new(&self.program);
        command.args(["stdin", "stdout", "--dpi", &dpi.to_string()]).args(arguments);
        let mut pixels = format!("P5\n{width} {height}\n255\n").into_bytes();
        pixels.extend_from_slice(grey);
        output(command, pixels, PAGE_TIMEOUT, cancel)
    }
}

/// The program's output for `input`, or `None` if it fails or takes longer than `limit`. The process has the lowest
/// priority.
fn output(
    mut command: Command,
    input: Vec<u8>,
    limit: Duration,
    cancel: &CancelToken,
) -> Result<Option<String>, EngineError> {
    command.env("OMP_THREAD_LIMIT", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut command, CREATION_FLAGS);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            tracing::warn!(%error, "Tesseract cannot be started");
            return Ok(None);
        }
    };
    #[cfg(unix)]
    lower_priority(&child);
    let (Some(mut pixels), Some(written)) = (child.stdin.take(), child.stdout.take()) else {
        return Ok(None);
    };
    let (sender, answers) = bounded(1);
    // Ends with the pipes, when the program does. The program reads everything before it writes.
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = pixels.write_all(&input).and_then(|()| {
            drop(pixels);
            written.take(MAX_OUTPUT_BYTES).read_to_string(&mut text)
        });
        // After a cancellation the receiver is gone.
        let _ = sender.send(read.is_ok().then_some(text));
    });
    let begun = Instant::now();
    loop {
        match answers.recv_timeout(CANCEL_POLL_INTERVAL) {
            Ok(text) => {
                let is_done = child.wait().is_ok_and(|status| status.success());
                return Ok(text.filter(|_| is_done));
            }
            Err(RecvTimeoutError::Timeout) if !cancel.is_cancelled() && begun.elapsed() < limit => {}
            Err(_) => {
                // An error means that the process has already exited.
                let _ = child.kill();
                let _ = child.wait();
                cancel.check()?;
                return Ok(None);
            }
        }
    }
}

#[cfg(unix)]
fn lower_priority(child: &std::process::Child) {
    use rustix::process::{Pid, setpriority_process};
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Err(error) = setpriority_process(pid, NICENESS) {
        tracing::debug!(%error, "the priority stays as it is");
    }
}

/// The installed data files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Installed {
    languages: Vec<String>,
    /// Models for all languages of a script.
    scripts: Vec<String>,
    knows_scripts: bool,
    /// The languages that are always used: English and the user's own, or else the first.
    usual: Vec<String>,
}

impl Installed {
    /// Parses `listed`, the program's own list. `locale` is the user's, such as `de-DE`.
    fn of(listed: &str, locale: Option<&str>) -> Self {
        let names =
            listed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.contains([' ', ':']));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        let has_script_data = names.iter().any(|name| name == SCRIPT_DATA);
        names.retain(|name| name != SCRIPT_DATA && !NO_LANGUAGES.contains(&name.as_str()));
        // Names of scripts: `script/Latin`, on Debian `Latin`.
        let (scripts, languages) =
            names.into_iter().partition::<Vec<_>, _>(|name| name.contains(char::is_uppercase));
        let own = locale.map(own_language);
        let is_usual = |name: &&String| {
            let code = name.split('_').next().unwrap_or_default();
            code == "eng" || own.as_deref() == Some(code)
        };
        let mut usual: Vec<String> = languages.iter().filter(is_usual).cloned().collect();
        if usual.is_empty() {
            usual = languages.iter().take(MAX_LANGUAGES).cloned().collect();
        }
        let knows_scripts = has_script_data && languages.len() > MAX_LANGUAGES;
        Self { languages, scripts, knows_scripts, usual }
    }

    fn languages_of(&self, script: Option<&str>) -> String {
        if self.languages.len() <= MAX_LANGUAGES {
            return self.languages.join("+");
        }
        let script = match script {
            Some("Korean") => "Hangul",
            Some("Hiragana" | "Katakana") => "Japanese",
            script => script.unwrap_or_default(),
        };
        let is_model = |file: &&String| {
            let name = file.rsplit('/').next().unwrap_or_default();
            name == script || (script == "Han" && matches!(name, "HanS" | "HanT"))
        };
        let mut used: Vec<&String> = self.scripts.iter().filter(is_model).collect();
        if used.is_empty() {
            let known = LANGUAGES_OF_SCRIPTS.iter().find(|(name, _)| *name == script);
            let of_script = known.map_or(&[][..], |(_, languages)| languages);
            used.extend(self.languages.iter().filter(|name| of_script.contains(&name.as_str())));
        }
        // The usual languages too: a document may quote them, and its script may be misdetected.
        let usual: Vec<_> = self.usual.iter().filter(|name| !used.contains(name)).collect();
        used.into_iter().chain(usual).map(String::as_str).collect::<Vec<_>>().join("+")
    }
}

/// The language of a locale such as `de-DE`, by Tesseract's name.
fn own_language(locale: &str) -> String {
    let code = locale.split(['-', '_', '.', '@']).next().unwrap_or_default();
    match isolang::Language::from_639_1(code).map(|language| language.to_639_3()) {
        Some("zho") => "chi".to_owned(),
        Some("nob" | "nno") => "nor".to_owned(),
        Some(language) => language.to_owned(),
        None => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_languages_are_all_used() {
        let listed = "List of available languages in \"/usr/share/tessdata/\" (5):\nosd\neng\ndeu\nscript/Latin\nequ\n";
        let few = Installed::of(listed, None);
        assert_eq!((few.languages_of(Some("Latin")).as_str(), few.knows_scripts), ("deu+eng", false));
        assert_eq!(Installed::of("", None), Installed::default());
    }

    #[test]
    fn of_very_many_languages_the_script_decides_or_the_persons_own() {
        let languages =
            "ara ces chi_sim chi_sim_vert chi_tra deu eng fra ita jpn kor nor pol rus spa tur ukr";
        let plain = languages.replace(' ', "\n");
        let all = format!("{plain}\nosd\nscript/Latin\nCyrillic\nHanS\nHanS_vert\nHanT\nHangul");
        let german = Installed::of(&all, Some("de-DE"));
        assert!(german.knows_scripts);
        for (script, used) in [
            (Some("Latin"), "script/Latin+deu+eng"),
            (Some("Cyrillic"), "Cyrillic+deu+eng"),
            (Some("Han"), "HanS+HanT+deu+eng"),
            (Some("Korean"), "Hangul+deu+eng"),
            (Some("Arabic"), "ara+deu+eng"),
            (Some("Greek"), "deu+eng"),
            (None, "deu+eng"),
        ] {
            assert_eq!(german.languages_of(script), used, "{script:?}");
        }
        for (locale, used) in [("nb_NO.UTF-8", "eng+nor"), ("zh-Hans-CN", "chi_sim+chi_sim_vert+chi_tra+eng")]
        {
            assert_eq!(Installed::of(&plain, Some(locale)).languages_of(None), used);
        }
        assert!(!Installed::of(&plain, None).knows_scripts);
        assert_eq!(Installed::of(&plain, Some("C")).languages_of(None), "eng");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let begun = Instant::now();
        let nothing = output(command, Vec::new(), Duration::from_millis(100), &CancelToken::new());
        assert!(nothing.is_ok_and(|written| written.is_none()));
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}
