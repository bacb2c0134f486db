//! A harness to run the real app: its own screen, message bus and home, all removed after the test.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::prepared::copy_sample;
use crate::webdriver::Driver;

/// A screen, a bus and a home. The screen is larger than the window.
pub struct Harness {
    place: TempDir,
    display: String,
    bus: String,
    _running: Vec<Running>,
    turn: Turn,
}

/// Number of harnesses at once on any machine: each has a browser engine and the models.
const AT_ONCE: usize = 2;

static TAKEN: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// So many of the slots.
struct Turn(usize);

impl Turn {
    fn take(places: usize) -> Self {
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken + places > AT_ONCE;
        *FREED.wait_while(taken, is_full).unwrap_or_else(PoisonError::into_inner) += places;
        Self(places)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= self.0;
        FREED.notify_all();
    }
}

/// A process that is killed with all its children.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let group = self.0.id().to_string();
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status();
        let _ = self.0.wait();
    }
}

impl Harness {
    pub fn new() -> Self {
        let turn = Turn::take(1);
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("documents")).unwrap();
        let (screen, display) = said(Command::new("Xvfb").args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1600x1000x24",
            "-nolisten",
            "tcp",
            "-noreset",
        ]));
        let (bus, address) = said(Command::new("dbus-daemon").args([
            "--session",
            "--nofork",
            "--nopidfile",
            "--print-address=1",
        ]));
        let display = format!(":{display}");
        // The first key of xdotool changes the keyboard of the screen. A running window manager would then grab its
        // keys again, and a key pressed meanwhile would miss it. The screen keeps the new keyboard because it is never
        // reset.
        let pressed = Command::new("xdotool").env("DISPLAY", &display).args(["key", "shift"]).status();
        assert!(pressed.unwrap().success(), "xdotool cannot press a key");
        let manager = start(
            Command::new("openbox").env("DISPLAY", &display).env("HOME", place.path()).stdout(Stdio::null()),
        );
        Self { place, display, bus: address, _running: vec![manager, bus, screen], turn }
    }

    /// Waits until no other test has one, for a test that measures time or in which a model writes at a low priority.
    pub fn alone(mut self) -> Self {
        self.turn = Turn(0);
        self.turn = Turn::take(AT_ONCE);
        self
    }

    /// A harness whose library follows the sample, already indexed.
    pub fn with_sample() -> Self {
        let harness = Self::new();
        copy_sample(|| harness.command(beside("oriel")), &sample(), &harness.library());
        harness
    }

    pub fn home(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap()
    }

    /// A folder for documents, not yet followed.
    pub fn documents(&self) -> PathBuf {
        self.home().join("documents")
    }

    pub fn library(&self) -> PathBuf {
        self.home().join(".local/share/oriel/library")
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.documents().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A command that runs on this harness.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        // No server answers there, so a download in a test fails at once. A screenshot shows the real name.
        let is_pictured = std::env::var_os("ORIEL_SCREENSHOTS").is_some();
        let hub = if is_pictured { "https://huggingface.co" } else { "https://127.0.0.1:1" };
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("HOME", self.home())
            .env("LANG", "C.UTF-8")
            .env("NO_AT_BRIDGE", "1")
            .env("ORIEL_LOG", "warn")
            .env("GTK_A11Y", "none")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("HF_ENDPOINT", hub)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("ORIEL_LIBRARY");
        command
    }

    /// The output of xdotool: the pointer and the keys of this screen, not of the page.
    pub fn xdotool(&self, arguments: &[&str]) -> String {
        let done = self.command("xdotool").args(arguments).output().unwrap();
        if !done.status.success() {
            // It sometimes fails without harm; if not, the waiting test fails and this is shown.
            eprintln!("xdotool {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        String::from_utf8_lossy(&done.stdout).trim().to_owned()
    }

    /// Runs the command `oriel` on the app's library; panics if it fails.
    pub fn oriel(&self, arguments: &[&str]) -> serde_json::Value {
        let program = beside("oriel");
        let done = self.command(program).arg("--json").args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "oriel {arguments:?}: {said}");
        serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("oriel {arguments:?}: {error}"))
    }

    /// The processes of this name on this harness, without workers, which have arguments.
    pub fn running(&self, name: &str) -> Vec<u32> {
        self.processes(|words| {
            Path::new(words[0]).ends_with(name) && (name != "oriel-desktop" || words.len() == 1)
        })
    }

    /// Suspends the generator: it answers nothing from now on, not even a request to end.
    pub fn freeze_generator(&self) {
        let generators = self.processes(|words| words[0].contains("/oriel-generator"));
        let [generator] = generators[..] else { panic!("one generator is expected, not {generators:?}") };
        assert!(Command::new("kill").args(["-STOP", &generator.to_string()]).status().unwrap().success());
    }

    /// The processes on this harness with such a command line.
    pub fn processes(&self, is_wanted: impl Fn(&[&str]) -> bool) -> Vec<u32> {
        let home = format!("HOME={}", self.home().display());
        let is_ours = |pid: &u32| {
            let of = |part: &str| fs::read(format!("/proc/{pid}/{part}")).unwrap_or_default();
            let words = of("cmdline");
            let words = std::str::from_utf8(&words).unwrap_or_default();
            let words: Vec<&str> = words.split('\0').filter(|word| !word.is_empty()).collect();
            !words.is_empty()
                && is_wanted(&words)
                && of("environ").split(|&byte| byte == 0).any(|one| one == home.as_bytes())
        };
        let processes = fs::read_dir("/proc").unwrap().flatten();
        processes.filter_map(|one| one.file_name().to_str()?.parse().ok()).filter(is_ours).collect()
    }

    pub fn start(&self) -> App<'_> {
        self.start_with(&[])
    }

    /// The same, with additional environment variables.
    pub fn start_with(&self, environment: &[(&str, &Path)]) -> App<'_> {
        let [met, driven] = ports();
        let met = format!("127.0.0.1:{met}");
        let log = fs::File::create(self.home().join("app.log")).unwrap();
        let mut program = start(
            self.command(beside("oriel-desktop"))
                .env("WEBKIT_INSPECTOR_SERVER", &met)
                .envs(environment.iter().copied())
                .stdout(log.try_clone().unwrap())
                .stderr(log),
        );
        wait("the app can be driven", || {
            let ended = program.0.try_wait().unwrap();
            assert!(ended.is_none(), "the app ended at once, {ended:?}:\n{}", self.log());
            TcpStream::connect(&met).is_ok()
        });
        let (driver, page) = self.drive(&met, driven);
        App { page, met, harness: self, _driver: driver, _program: program }
    }

    /// Starts to drive the app at this address, once its page is drawn.
    fn drive(&self, met: &str, port: u16) -> (Running, Driver) {
        let driver = start(
            self.command("WebKitWebDriver")
                .args(["--host=127.0.0.1", &format!("--port={port}"), &format!("--target={met}")])
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        );
        wait("WebKitWebDriver listens", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        let page = Driver::start(port);
        page.one("[data-ready]");
        page.watch();
        (driver, page)
    }

    /// The app's output on standard error.
    pub fn log(&self) -> String {
        fs::read_to_string(self.home().join("app.log")).unwrap_or_default()
    }
}

/// The running app.
pub struct App<'d> {
    page: Driver,
    met: String,
    pub harness: &'d Harness,
    _driver: Running,
    _program: Running,
}

impl std::ops::Deref for App<'_> {
    type Target = Driver;

    fn deref(&self) -> &Driver {
        &self.page
    }
}

impl<'d> App<'d> {
    /// Closes the window as the desktop does and waits until the app has ended.
    pub fn close(self) {
        let window = self.window();
        self.harness.xdotool(&["windowactivate", "--sync", &window, "key", "alt+F4"]);
        self.ended();
    }

    /// Kills the app, as a crash would.
    pub fn kill(self) {
        for pid in self.harness.running("oriel-desktop") {
            assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
        }
        self.ended();
    }

    pub fn page_process(&self) -> u32 {
        let pages = self.harness.processes(|words| words[0].ends_with("WebKitWebProcess"));
        let [page] = pages[..] else { panic!("one page is expected, not {pages:?}") };
        page
    }

    /// Waits until the page has another process than this one. The driver ends with the page, so a new one is started.
    pub fn until_another_page(&mut self, than: u32, patience: Duration) {
        let pages = || self.harness.processes(|words| words[0].ends_with("WebKitWebProcess"));
        self.until_within(patience, "the page has another process", || {
            pages().iter().any(|&page| page != than)
        });
        (self._driver, self.page) = self.harness.drive(&self.met, ports()[1]);
    }

    /// Waits until the app has ended.
    pub fn ended(&self) {
        let begun = Instant::now();
        wait("the app has ended", || {
            let running = self.harness.running("oriel-desktop");
            // The message cannot say whether the key did not arrive or the app does not end.
            assert!(
                running.is_empty() || begun.elapsed() < Duration::from_secs(25),
                "{running:?} has not ended; in front is '{}', the page answers: {}",
                self.harness.xdotool(&["getactivewindow", "getwindowname"]),
                self.page.answers()
            );
            running.is_empty()
        });
    }

    /// Closes the window and starts the app again.
    pub fn restart(self) -> App<'d> {
        let harness = self.harness;
        self.close();
        harness.start()
    }

    /// The id of the window on the screen.
    pub fn window(&self) -> String {
        let mut found = String::new();
        wait("the window is on the screen", || {
            found = self.harness.xdotool(&["search", "--onlyvisible", "--name", "^Oriel$"]);
            !found.is_empty()
        });
        found.lines().next().unwrap_or_default().to_owned()
    }

    /// Types a path into the system's dialog for saving a file.
    pub fn save_as(&self, file: &Path) {
        let mut dialog = String::new();
        wait("the system asks where to", || {
            dialog = self.harness.xdotool(&["search", "--onlyvisible", "--name", "Save"]);
            !dialog.is_empty()
        });
        self.harness.xdotool(&["windowfocus", "--sync", dialog.lines().next().unwrap_or_default()]);
        self.harness.xdotool(&["key", "ctrl+a"]);
        self.harness.xdotool(&["type", "--delay", "20", &file.to_string_lossy()]);
        self.harness.xdotool(&["key", "Return"]);
    }

    /// Runs `opens`, which opens the system's dialog for files or folders, and types a path into it.
    pub fn choose(&self, opens: impl FnOnce(), path: &str) {
        let window = self.window();
        opens();
        let mut dialog = String::new();
        wait("the dialog is there and has the focus", || {
            dialog = self.harness.xdotool(&["getactivewindow"]);
            !dialog.is_empty() && dialog != window
        });
        // A slash opens the dialog's line for a path, which loses keys while it opens: so it is emptied a few times
        // before the path is typed.
        let empty = ["ctrl+a", "BackSpace"].repeat(6);
        self.harness.xdotool(&[["key", "--delay", "40", "slash"].as_slice(), &empty].concat());
        self.harness.xdotool(&["type", "--delay", "20", path]);
        // The first Enter may only accept a completion. None may reach the window behind the dialog, so each gets some
        // time.
        let mut looks = 0;
        wait("the dialog has taken the path", || {
            if looks % 100 == 0 {
                self.harness.xdotool(&["key", "Return"]);
            }
            looks += 1;
            self.harness.xdotool(&["getactivewindow"]) != dialog
        });
    }

    /// Drags files or folders over the window with the pointer, calls `over`, and drops them.
    pub fn drop_files(&self, files: &[&Path], over: impl FnOnce(&Self)) {
        let mut source = self.harness.command(beside("examples/drag-source"));
        let (_source, said) = said(source.args(files));
        assert_eq!(said, "ready");
        let at = self.harness.xdotool(&["getwindowgeometry", "--shell", &self.window()]);
        let number = |name: &str| {
            let line = at.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.parse::<i32>().ok()).unwrap_or_else(|| panic!("no {name} in {at}"))
        };
        let to = (number("X=") + number("WIDTH=") / 2, number("Y=") + number("HEIGHT=") / 2);
        let (mut x, mut y) = (30, 30);
        let step =
            |x: i32, y: i32| self.harness.xdotool(&["mousemove", "--sync", &x.to_string(), &y.to_string()]);
        step(x, y);
        self.harness.xdotool(&["mousedown", "1"]);
        for part in 1..=20 {
            (x, y) = (30 + (to.0 - 30) * part / 20, 30 + (to.1 - 30) * part / 20);
            step(x, y);
        }
        // The window reacts to a drag only while the pointer moves.
        self.until("the window sees what is dragged over it", || {
            x += if x > to.0 { -3 } else { 3 };
            step(x, y);
            self.count("[data-testid=drop-overlay], .zone.over") == 1
        });
        over(self);
        self.harness.xdotool(&["mouseup", "1"]);
        self.until("nothing is dragged any more", || {
            self.count("[data-testid=drop-overlay], .zone.over") == 0
        });
    }
}

impl Drop for App<'_> {
    fn drop(&mut self) {
        let errors = self.page.errors();
        self.page.quit();
        if std::thread::panicking() {
            eprintln!("errors in the page: {errors:?}\nthe app said:\n{}", self.harness.log());
        } else {
            assert!(errors.is_empty(), "errors in the page: {errors:?}");
        }
    }
}

pub fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sample")
}

/// A program that was built with these tests, or from the folder in `ORIEL_PROGRAMS`, because figures need a release
/// build.
pub fn beside(name: &str) -> PathBuf {
    let program = std::env::var_os("ORIEL_PROGRAMS").map_or_else(
        || Path::new(env!("CARGO_BIN_EXE_oriel-desktop")).with_file_name(name),
        |folder| Path::new(&folder).join(name),
    );
    assert!(program.is_file(), "{} is not built; run make test", program.display());
    program
}

/// Ports for this start only: of the app's automation and of the driver. They differ between tests in processes and
/// threads, and lie below the range from which the system assigns ports. The driver would choose one of that range for
/// the app and release it, and another process that takes it before the app would be driven instead.
fn ports() -> [u16; 2] {
    static STARTS: AtomicU32 = AtomicU32::new(0);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let own = std::process::id() + 997 * STARTS.fetch_add(1, Ordering::Relaxed);
    let pairs = (0..10_000).map(|k| 10_000 + 2 * u16::try_from((own + k) % 10_000).unwrap());
    pairs.map(|port| [port, port + 1]).find(|pair| pair.iter().all(is_free)).expect("two ports are free")
}

/// Waits until a condition outside the page is true.
pub fn wait(what: &str, mut is_true: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain until {what}");
        #[expect(clippy::disallowed_methods, reason = "between two looks at what another process does")]
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Starts a process as the leader of its own group.
fn start(command: &mut Command) -> Running {
    let program = command.get_program().to_owned();
    let child = command.process_group(0).stdin(Stdio::null()).spawn();
    Running(
        child.unwrap_or_else(|error| {
            panic!("{} cannot be started: {error}; run make test", program.display())
        }),
    )
}

/// Starts a process and reads its first line.
fn said(command: &mut Command) -> (Running, String) {
    let mut running = start(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (running, line.trim().to_owned())
}
