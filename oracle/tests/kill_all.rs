//! What runs ends when it is to end at once, and nothing is started any more: alone in its process.

mod common;

use common::{Pids, patient, program};
use oracle::uci::{Engine, kill_all};

#[test]
fn all_are_killed_from_another_thread() {
    let pids = Pids::of(&["kill-all"]);
    let program = program(&["child", "ignore-quit"], &pids);
    let mut engines: Vec<Engine> = (0..3).map(|_| Engine::start(&program, patient()).unwrap()).collect();
    assert_eq!(pids.count(), 6);
    let killer = std::thread::spawn(kill_all);
    // Who listens hears of it.
    let failure = engines[0].go("startpos", "infinite", patient().think).unwrap_err();
    assert_eq!(failure.id(), "process/crash", "{failure}");
    killer.join().unwrap();
    pids.assert_gone();
    let failure = Engine::start(&program, patient()).err().unwrap();
    assert_eq!(failure.id(), "process/start", "{failure}");
    assert_eq!(pids.count(), 6);
}
