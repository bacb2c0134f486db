//! Full and read-only disks, as in-memory file systems that a separate process may mount.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use oriel_core::CancelToken;

use crate::setup::Setup;

/// Bytes of the file, and of the disk that it just fits on.
const SIZE: usize = 3_000_000;

/// The actual test, run by the next one with a small disk mounted.
#[test]
#[ignore = "run by the test below in a process of its own"]
fn on_a_small_disk() {
    let disk = Path::new(&std::env::var_os("TEST_DISK").unwrap()).to_owned();
    let mut setup = Setup::new(SIZE);
    setup.cache = disk.join("models");
    setup.server.state().pace = Duration::from_millis(2);

    // The disk fills up during the download.
    let ballast = disk.join("ballast");
    let mut progress = |step: oriel_download::Progress| {
        if step.done > 1_000_000 && !ballast.exists() {
            let _ = std::fs::write(&ballast, vec![0; 2_500_000]);
        }
    };
    let remote = setup.server.remote(&[]);
    let error = setup.download_with(&remote, &mut progress, &CancelToken::new()).unwrap_err();
    assert_eq!(error.code(), "disk_full", "{error}");
    assert!(error.to_string().contains("the disk is full; make room and try again"), "{error}");
    let kept = setup.partial().unwrap();
    assert!(kept > 1_000_000, "{kept}");

    // It reports that the rest does not fit before it downloads anything.
    let before = setup.server.state().requests.len();
    let error = setup.failure();
    assert_eq!(error.code(), "no_space", "{error}");
    assert_eq!(setup.server.state().requests.len(), before);

    let remount = |options: &str| {
        let mounted = Command::new("mount").args(["-o", options]).arg(&disk).status().unwrap();
        assert!(mounted.success());
    };
    std::fs::remove_file(&ballast).unwrap();
    remount("remount,ro");
    assert_eq!(setup.failure().code(), "permission");
    remount("remount,rw");

    setup.download().unwrap();
    setup.check_installed();
    let served = setup.server.state().served;
    assert!(served <= (SIZE + (1 << 20)) as u64, "{served}");
}

#[test]
fn a_full_disk_keeps_what_came_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let own_mounts = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "--mount", "sh", "-euc", script, "sh"])
            .arg(std::env::current_exe().unwrap())
            .env("TEST_DISK", folder.path());
        command
    };
    let mount = r#"mount -t tmpfs -o size=4m none "$TEST_DISK""#;
    if !own_mounts(mount).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no file system can be mounted here");
        return;
    }
    let test = format!(r#"{mount}; exec "$1" --exact disks::on_a_small_disk --ignored --nocapture"#);
    let output = own_mounts(&test).output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
