//! A desk to run the real app on: a screen, a message bus and a home of its own, all gone with the test.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::driver::Driver;

/// A screen, a bus and a home.
pub struct Desk {
    place: TempDir,
    display: String,
    bus: String,
    _running: Vec<Running>,
}

/// A process that ends with everything it started.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let group = self.0.id().to_string();
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status();
        let _ = self.0.wait();
    }
}

impl Desk {
    /// An empty desk.
    pub fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("documents")).unwrap();
        let (screen, display) = said(Command::new("Xvfb").args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1440x900x24",
            "-nolisten",
            "tcp",
        ]));
        let (bus, address) = said(Command::new("dbus-daemon").args([
            "--session",
            "--nofork",
            "--nopidfile",
            "--print-address=1",
        ]));
        let display = format!(":{display}");
        let manager = start(
            Command::new("openbox").env("DISPLAY", &display).env("HOME", place.path()).stdout(Stdio::null()),
        );
        Self { place, display, bus: address, _running: vec![manager, bus, screen] }
    }

    /// The user's home.
    pub fn home(&self) -> PathBuf {
        self.place.path().canonicalize().unwrap()
    }

    /// A folder for documents, followed by nobody yet.
    pub fn documents(&self) -> PathBuf {
        self.home().join("documents")
    }

    /// Where the app keeps its library.
    pub fn library(&self) -> PathBuf {
        self.home().join(".local/share/oriel/library")
    }

    /// Writes a document.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.documents().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A program on this desk.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.bus)
            .env("HOME", self.home())
            .env("LANG", "C.UTF-8")
            .env("NO_AT_BRIDGE", "1")
            .env("GTK_A11Y", "none")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("ORIEL_LIBRARY");
        command
    }

    /// Starts the app; what it shows is looked at through the result.
    pub fn start(&self) -> App<'_> {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let log = fs::File::create(self.home().join("app.log")).unwrap();
        let driver = start(
            self.command("WebKitWebDriver")
                .args(["--host=127.0.0.1", &format!("--port={port}")])
                .stdout(log.try_clone().unwrap())
                .stderr(log),
        );
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "WebKitWebDriver does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        let page = Driver::start(port, Path::new(env!("CARGO_BIN_EXE_oriel-desktop")));
        page.one("[data-ready]");
        App { page, desk: self, _driver: driver }
    }

    /// What the app said on its standard error.
    pub fn log(&self) -> String {
        fs::read_to_string(self.home().join("app.log")).unwrap_or_default()
    }
}

/// The running app.
pub struct App<'d> {
    page: Driver,
    pub desk: &'d Desk,
    _driver: Running,
}

impl std::ops::Deref for App<'_> {
    type Target = Driver;

    fn deref(&self) -> &Driver {
        &self.page
    }
}

impl App<'_> {
    /// Closes the window and starts the app again.
    pub fn restart(self) -> Self {
        let desk = self.desk;
        drop(self);
        desk.start()
    }
}

impl Drop for App<'_> {
    fn drop(&mut self) {
        self.page.quit();
        if std::thread::panicking() {
            eprintln!("the app said:\n{}", self.desk.log());
        }
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

/// Starts a process and reads the first line it says.
fn said(command: &mut Command) -> (Running, String) {
    let mut running = start(command.stdout(Stdio::piped()).stderr(Stdio::null()));
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (running, line.trim().to_owned())
}
