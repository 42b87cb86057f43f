//! A repository whose build writes a script that starts the engine for tests.

use std::path::Path;
use std::process::Command;

use reports::{CompareRow, CompareVerdict};

use crate::players::hostile;
use crate::sandbox::{Ended, Sandbox};

/// A repository in the folder `repo`. Its file `arguments` has the arguments of the engine, and its build
/// fails where there is a file `broken`.
pub(crate) struct Repository {
    pub(crate) sandbox: Sandbox,
}

pub(crate) const CONFIG: &str = "[build]\ncommand = \"sh build.sh\"\nbinary = \"bin/mine\"\n";
pub(crate) const BUILD: &str = "\
if test -e broken; then echo 'mine.c:7: error: no such piece' >&2; exit 1; fi
mkdir bin
printf '#!/bin/sh\\nexec %s %s\\n' \"$HOSTILE\" \"$(cat arguments)\" > bin/mine
chmod +x bin/mine
";
/// A crash that `protocol/debug` finds.
pub(crate) const DEBUG: &str = "--heard 'debug off=>crash'";
/// A missing name that `protocol/id-author` finds.
pub(crate) const AUTHOR: &str = "--said 'id author the tests=>id author'";
pub(crate) const CHECKS: &str = "protocol/debug,protocol/id-author,protocol/id-name";

impl Repository {
    pub(crate) fn new(arguments: &str) -> Self {
        let repository = Self { sandbox: Sandbox::new() };
        repository.write("touchstone.toml", CONFIG);
        repository.write("build.sh", BUILD);
        repository.write("arguments", arguments);
        repository.write(".gitignore", "ignored\n");
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository.commit("Begin");
        repository
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.sandbox.write(&format!("repo/{name}"), text);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=tests", "-c", "user.email=tests"]).args(arguments);
        let output = git.current_dir(self.sandbox.path("repo")).output().unwrap();
        assert!(output.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Commits all files and returns the id.
    pub(crate) fn commit(&self, subject: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits other arguments of the engine.
    pub(crate) fn change(&self, arguments: &str, subject: &str) -> String {
        self.write("arguments", arguments);
        self.commit(subject)
    }

    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        let mut program = self.sandbox.program();
        program.current_dir(self.sandbox.path("repo")).args(arguments);
        program.env("TOUCHSTONE_CACHE", self.sandbox.path("cache")).env("HOSTILE", hostile());
        program.args(["--out", "../out"]);
        program
    }

    /// Compares the checks of these tests, without the speed.
    pub(crate) fn regress(&self, arguments: &[&str]) -> Ended {
        let usual = ["regress", "--no-speed", "--fail-on", "note", "--check", CHECKS];
        Ended::of(&mut self.program(&[&usual, arguments].concat()))
    }

    pub(crate) fn rows(&self) -> Vec<(CompareVerdict, String)> {
        self.sandbox.rows::<CompareRow>().into_iter().map(|row| (row.verdict, row.check)).collect()
    }

    /// Everything that git knows, and the files of the working tree.
    pub(crate) fn state(&self) -> Vec<String> {
        let mut files: Vec<String> = walk(&self.sandbox.path("repo"));
        files.push(self.git(&["status", "--porcelain"]));
        files.push(self.git(&["for-each-ref"]));
        files.push(self.git(&["worktree", "list"]));
        files
    }
}

/// All files in a folder, with their lengths.
pub(crate) fn walk(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            files.extend(walk(&entry.path()));
        } else {
            files.push(format!("{} {}", entry.path().display(), entry.metadata().unwrap().len()));
        }
    }
    files.sort();
    files
}
