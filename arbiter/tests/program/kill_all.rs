//! `kill_all` ends every program of a process and lets none start afterwards. The test runs in a process of
//! its own.

use std::process::Command;

use uci::{Engine, kill_all};

use crate::common::{Pids, patient, program};

#[test]
fn all_programs_are_killed_from_another_thread() {
    let alone = ["kill_all::in_this_process", "--exact", "--ignored"];
    let ended = Command::new(std::env::current_exe().unwrap()).args(alone).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "kills the programs of all tests of its process: the test above starts it in one of its own"]
fn in_this_process() {
    let pids = Pids::of(&["kill-all"]);
    let program = program(&["child", "ignore-quit"], &pids);
    let mut engines: Vec<Engine> = (0..3).map(|_| Engine::start(&program, patient()).unwrap()).collect();
    assert_eq!(pids.count(), 6);
    let killer = std::thread::spawn(kill_all);
    // A session that waits for a line gets the failure.
    let failure = engines[0].go("startpos", "infinite", patient().think).unwrap_err();
    assert_eq!(failure.id(), "process/crash", "{failure}");
    killer.join().unwrap();
    pids.assert_gone();
    let failure = Engine::start(&program, patient()).err().unwrap();
    assert_eq!(failure.id(), "process/start", "{failure}");
    assert_eq!(pids.count(), 6);
}
