//! `kill_all` ends every program of a process and lets none start afterwards. The test starts itself again, in a
//! process without other tests.

use std::process::Command;

use uci::{Engine, kill_all};

use crate::common::{Pids, patient, program};

/// It is set in the process that has only this test.
const ALONE: &str = "TOUCHSTONE_TEST_ALONE";

#[test]
fn all_programs_are_killed_from_another_thread() {
    if std::env::var_os(ALONE).is_none() {
        let mut tests = Command::new(std::env::current_exe().unwrap());
        tests.args(["kill_all::all_programs_are_killed_from_another_thread", "--exact"]).env(ALONE, "1");
        let ended = tests.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
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
