//! Each program does its work and nothing else, in a process that gives up the rights.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::linux::close_files;
use crate::{Program, enter};

fn is_denied<T>(what: io::Result<T>) -> bool {
    what.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}

fn changes_nothing(folder: &Path) {
    assert!(is_denied(fs::write(folder.join("new"), "x")));
    assert!(is_denied(fs::write(folder.join("there"), "x")));
    assert!(is_denied(OpenOptions::new().append(true).open(folder.join("there"))));
    assert!(is_denied(fs::remove_file(folder.join("there"))));
    assert!(is_denied(fs::rename(folder.join("there"), folder.join("new"))));
}

fn starts_nothing() {
    assert!(is_denied(Command::new("true").status()));
}

/// The folder with the file `there`, and a port at which this process listens.
fn place() -> (PathBuf, TcpListener) {
    let folder = std::env::var_os("TEST_FOLDER").unwrap();
    (folder.into(), TcpListener::bind("127.0.0.1:0").unwrap())
}

#[test]
#[ignore = "run by the test below in a process of its own"]
fn extractor() {
    let (folder, listener) = place();
    enter(Program::Extractor { memory: 1 << 30 }).unwrap();
    changes_nothing(&folder);
    starts_nothing();
    assert!(is_denied(fs::read(folder.join("there"))), "it reads no file");
    assert!(is_denied(TcpStream::connect(listener.local_addr().unwrap())));
    assert!(is_denied(UnixStream::pair()));
    assert!(is_denied(listener.accept()));
    assert!(Vec::<u8>::new().try_reserve_exact(2 << 30).is_err(), "its memory is limited");
    assert!(std::thread::spawn(|| 1).join().is_ok(), "it computes with several threads");
}

#[test]
#[ignore = "run by the test below in a process of its own"]
fn generator() {
    let (folder, listener) = place();
    enter(Program::Generator).unwrap();
    starts_nothing();
    assert!(fs::read(folder.join("there")).is_ok(), "it reads a model file");
    assert!(is_denied(TcpStream::connect(listener.local_addr().unwrap())));
    assert!(is_denied(TcpListener::bind("127.0.0.1:0")));
}

#[test]
#[ignore = "run by the test below in a process of its own"]
fn client() {
    let (folder, listener) = place();
    enter(Program::Client).unwrap();
    changes_nothing(&folder);
    starts_nothing();
    assert!(fs::read(folder.join("there")).is_ok(), "it reads, as certificates must be");
    assert!(TcpStream::connect(listener.local_addr().unwrap()).is_ok());
    assert!(is_denied(TcpListener::bind("127.0.0.1:0")));
    assert!(is_denied(listener.accept()));
}

#[test]
#[ignore = "run by the test below in a process of its own"]
fn server() {
    let (folder, listener) = place();
    let mut peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    enter(Program::Server).unwrap();
    changes_nothing(&folder);
    starts_nothing();
    assert!(is_denied(fs::read(folder.join("there"))), "it reads no file");
    assert!(is_denied(TcpStream::connect(listener.local_addr().unwrap())));
    assert!(is_denied(TcpListener::bind("127.0.0.1:0")));
    let (mut accepted, _) = listener.accept().unwrap();
    accepted.write_all(b"x").unwrap();
    peer.read_exact(&mut [0]).unwrap();
}

#[test]
fn each_program_does_its_work_and_nothing_else() {
    for program in ["extractor", "generator", "client", "server"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("there"), "there").unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("tests::{program}"), "--ignored", "--nocapture"])
            .env("TEST_FOLDER", folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 passed"), "{program}: {said}{complaint}");
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().flatten().map(|item| item.file_name()).collect();
        assert_eq!(left, ["there"]);
        assert_eq!(fs::read(folder.path().join("there")).unwrap(), b"there");
    }
}

#[test]
fn landlock_alone_closes_every_file() {
    let own = std::env::current_exe().unwrap();
    let restricted = std::thread::spawn({
        let own = own.clone();
        move || (close_files().unwrap().ruleset, File::open(own))
    });
    let (status, opened) = restricted.join().unwrap();
    if status != landlock::RulesetStatus::NotEnforced {
        assert_eq!(opened.unwrap_err().kind(), ErrorKind::PermissionDenied);
    }
    assert!(File::open(own).is_ok(), "another thread is not restricted");
}
