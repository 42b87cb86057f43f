//! The test engine, and whether processes of it are left.

use std::path::PathBuf;
use std::time::Duration;

use uci::{Program, Timeouts};

/// Deadlines that do not pass, even on a busy machine.
pub(crate) fn patient() -> Timeouts {
    let long = Duration::from_mins(1);
    Timeouts { start: long, ready: long, think: long, stop: long, quit: long }
}

/// The engine with these faults. It writes the ids of its processes to `pids`.
pub(crate) fn program(faults: &[&str], pids: &Pids) -> Program {
    let faults = faults.iter().flat_map(|&fault| ["--fault".into(), fault.into()]);
    Program {
        name: "hostile".to_owned(),
        path: env!("CARGO_BIN_EXE_hostile").into(),
        arguments: faults.chain(["--pids".into(), pids.0.clone().into()]).collect(),
        ..Program::default()
    }
}

/// A file with the ids of the processes that were started.
pub(crate) struct Pids(PathBuf);

impl Pids {
    /// An empty file with this name.
    pub(crate) fn of(name: &[&str]) -> Self {
        let file = format!("pids-{}-{}", std::process::id(), name.join("-"));
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    fn read(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(&self.0).expect("one was started");
        text.lines().map(|line| line.parse().expect("a process id")).collect()
    }

    /// How many processes were started.
    pub(crate) fn count(&self) -> usize {
        self.read().len()
    }

    /// Asserts that no process is left. Some outlive their session by up to a second.
    #[track_caller]
    pub(crate) fn assert_gone(&self) {
        let pids = self.read();
        assert!(!pids.is_empty());
        for _ in 0..400 {
            if !pids.iter().any(|&pid| is_alive(pid)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("some of {pids:?} are left");
    }
}

impl Drop for Pids {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Whether a process of the test engine runs. Zombies do not, and without `/proc` none does.
fn is_alive(pid: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let is_ours = stat.contains("(hostile)");
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    is_ours && state != Some('Z')
}
