//! Programs that tests write and start; the tests of `bench` and `faults` have this file too.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program. Another process does it: what another thread starts meanwhile would hold a file of ours open, and a program that is
/// open for writing cannot be run.
pub(crate) fn write_program(path: &Path, bytes: &[u8]) {
    let mut install = Command::new("install");
    let mut install = install
        .args(["-m", "755", "/dev/stdin"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("install starts");
    install.stdin.take().expect("a pipe").write_all(bytes).expect("install reads");
    assert!(install.wait().expect("install ends").success(), "{}", path.display());
}
