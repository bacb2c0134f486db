//! Downloads whose process is killed.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use oriel_core::{CancelToken, WorkerCommand};
use oriel_download::{Download, RemoteFile};

use crate::setup::{SILENCE, Setup};

const MEGABYTE: u64 = 1 << 20;

/// Number of kills.
const KILLS: u64 = 40;

/// The process to kill: this test again, with its task in the environment.
#[test]
#[ignore = "run by the test below in a process of its own"]
fn the_parent() {
    let variable = |name: &str| std::env::var(name).unwrap();
    let files = [RemoteFile {
        url: variable("TEST_URL"),
        name: "model.gguf".into(),
        size: variable("TEST_SIZE").parse().unwrap(),
        sha256: variable("TEST_SHA256"),
    }];
    let remote = WorkerCommand::new("env", variable("TEST_REMOTE").split('\n'));
    let cache = PathBuf::from(variable("TEST_CACHE"));
    let pause = Duration::from_millis(10);
    Download { id: "m", files: &files, cache: &cache, remote: &remote, silence: SILENCE, pause }
        .run(&mut |_| (), &CancelToken::new())
        .unwrap();
}

/// The command that starts it.
fn parent(setup: &Setup) -> Command {
    let remote: Vec<_> =
        setup.server.remote(&[]).arguments.into_iter().map(|one| one.into_string().unwrap()).collect();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "kills::the_parent", "--ignored", "--nocapture"])
        .env("TEST_URL", &setup.files[0].url)
        .env("TEST_SIZE", setup.files[0].size.to_string())
        .env("TEST_SHA256", &setup.files[0].sha256)
        .env("TEST_REMOTE", remote.join("\n"))
        .env("TEST_CACHE", &setup.cache)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn a_second_process_is_told_that_the_file_is_being_downloaded() {
    let setup = Setup::new(2_000_000);
    setup.server.state().pace = Duration::from_millis(20);
    let mut first = parent(&setup).spawn().unwrap();
    while setup.partial().is_none_or(|bytes| bytes == 0) {
        std::thread::park_timeout(Duration::from_millis(1));
    }
    let error = setup.failure();
    assert_eq!(error.code(), "in_use");
    assert!(error.to_string().starts_with("model.gguf is being downloaded already"), "{error}");
    assert!(first.wait().unwrap().success());
    setup.check_installed();
    assert_eq!(setup.server.state().served, 2_000_000);
}

#[test]
fn killed_at_any_moment_a_download_goes_on_and_leaves_no_program() {
    let mut random = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    println!("seed {random}");
    let mut below = |limit: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % limit
    };
    let mut kills = 0;
    while kills < KILLS {
        // Small files are also killed during installation.
        let size = [6_000_000, 300_000][below(2) as usize];
        let setup = Setup::new(size);
        setup.server.state().pace = Duration::from_millis(2);
        let (mut here, mut killed) = (0, 0);
        loop {
            let mut parent = parent(&setup).spawn().unwrap();
            let until = Instant::now() + Duration::from_millis(below(120));
            let status = loop {
                let status = parent.try_wait().unwrap();
                if status.is_some() || Instant::now() >= until {
                    break status;
                }
                std::thread::park_timeout(Duration::from_millis(1));
            };
            if let Some(status) = status {
                assert!(status.success(), "the download failed: {status}");
                break;
            }
            parent.kill().unwrap();
            // It may have ended by itself just before.
            if parent.wait().unwrap().success() {
                break;
            }
            killed += 1;
            // It was installed all at once, perhaps with the partial file still there.
            if setup.cache.join("m").exists() {
                break;
            }
            let left = setup.partial().unwrap_or(here);
            assert!(left >= here, "{left} bytes of {here} are left");
            here = left;
        }
        let file = std::fs::read(setup.cache.join("m/model.gguf")).unwrap();
        assert!(file == setup.content, "another file was installed");
        let served = setup.server.state().served;
        assert!(served <= size as u64 + killed * MEGABYTE, "{served} bytes of {size} after {killed} kills");
        // The kernel ends it with its parent, but perhaps not at once.
        let until = Instant::now() + Duration::from_secs(2);
        while setup.server.programs() > 0 {
            assert!(Instant::now() < until, "a program outlives its parent");
            std::thread::park_timeout(Duration::from_millis(10));
        }
        kills += killed;
    }
}
