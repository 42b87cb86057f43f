//! Programs that are killed at any moment: each file that they have written is whole, and the next run writes what
//! an undisturbed run writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::sandbox::{Ended, Sandbox};

/// The files below a folder, by their paths in it. Lock files are empty and stay; times are never the same.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder.join(&below)) else { continue };
        for entry in entries.map(Result::unwrap) {
            let name = below.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(name);
            } else if !name.ends_with("timings.csv") && name.extension().is_none_or(|end| end != "lock") {
                found.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

fn is_temporary(name: &Path) -> bool {
    name.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Runs a command that writes into `written`, kills it so many times, and then lets it end.
fn killed(command: &str, times: u32) {
    let sandbox = Sandbox::new();
    let program = |folder: &str| {
        let mut program = sandbox.program();
        std::fs::create_dir_all(sandbox.path(folder)).unwrap();
        program.current_dir(sandbox.path(folder)).args(command.split(' '));
        program.env("TOUCHSTONE_CACHE", sandbox.path(folder).join("written/cache"));
        program
    };
    let begun = Instant::now();
    let expected = Ended::of(&mut program("whole"));
    assert_eq!(expected.code, 0, "{}", expected.stderr);
    let longest = begun.elapsed();
    let whole = files(&sandbox.path("whole/written"));
    assert!(!whole.is_empty());
    let mut random: u64 = 41;
    for _ in 0..times {
        // The generator of Knuth's MMIX.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (random >> 33) as u32 & 0xff;
        let mut program = program("killed").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(longest.min(Duration::from_mins(1)) * part / 0x100);
        program.kill().unwrap();
        program.wait().unwrap();
        for (name, bytes) in files(&sandbox.path("killed/written")) {
            assert!(is_temporary(&name) || whole.get(&name) == Some(&bytes), "{command}: {}", name.display());
        }
    }
    let ended = Ended::of(&mut program("killed"));
    assert_eq!(ended.code, 0, "{command}: {}", ended.stderr);
    let mut left = files(&sandbox.path("killed/written"));
    left.retain(|name, _| !is_temporary(name));
    assert!(left == whole, "{command}: {:?} and {:?}", left.keys(), whole.keys());
}

const COMMANDS: [&str; 5] = [
    "tables fetch --men 3",
    "tables build KQvK --out written",
    "tables syzygy KRvK --out written",
    "verify --tables KBvK --out written",
    "verify --quick --suite stalemates --out written",
];

#[test]
fn commands_killed_twice_leave_nothing_half_written() {
    for command in COMMANDS {
        killed(command, 2);
    }
}

#[test]
#[ignore = "nightly: two kills of each command are tested by default"]
fn commands_killed_forty_times_leave_nothing_half_written() {
    for command in COMMANDS {
        killed(command, 40);
    }
}

/// A table of four men that a run found right is in the reports of the next run as it is in its own.
#[test]
#[ignore = "nightly: a table of four men is checked twice"]
fn a_table_is_checked_once_by_each_build() {
    let sandbox = Sandbox::new();
    let verify = |out: &str, more: &[&str]| {
        let mut program = sandbox.program();
        program.args(["verify", "--tables", "KBvKN", "--quick", "--out", out]).args(more);
        program.current_dir(sandbox.path("")).env("TOUCHSTONE_CACHE", sandbox.path("cache"));
        let ended = Ended::of(&mut program);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        (ended.stderr.contains("found in KBvKN before"), files(&sandbox.path(out)))
    };
    let (known, first) = verify("first", &[]);
    assert!(!known);
    assert_eq!(verify("second", &[]), (true, first.clone()));
    assert_eq!(verify("again", &["--again"]), (false, first));
}
