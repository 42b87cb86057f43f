//! The command, with shell scripts in the place of the programs that it judges.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod blindness;
mod mutants;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program. Another process does it: what another thread starts meanwhile would hold a file of ours open, and a program that is
/// open for writing cannot be run.
fn write_program(path: &Path, text: &str) {
    let mut install = Command::new("install");
    let mut install = install
        .args(["-m", "755", "/dev/stdin"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("install starts");
    install.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("install reads");
    assert!(install.wait().expect("install ends").success());
}
