//! A job of a build server: a folder with an engine, the program, and the shell and tools of a machine.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::players::hostile;
use crate::release::program;
use crate::sandbox::{Ended, Sandbox};

/// The root of the workspace.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Arguments of an engine that has no author: the finding `protocol/id-author`, a note.
pub(crate) const WRONG: &str = "--said 'id author the tests=>id author'";
/// What is asked in these tests.
pub(crate) const ASKED: &str = "--fail-on note --check protocol/id-author";

/// Where the shell and the tools come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tools {
    /// The machine of the tests.
    Machine,
    /// Busybox alone, as in an image of Alpine, with git and curl.
    Busybox,
}

impl Tools {
    /// All that are here. A word on standard error says that busybox is not: `.ci/run` installs it.
    pub(crate) fn all() -> Vec<Self> {
        static BUSYBOX: LazyLock<bool> = LazyLock::new(|| {
            let is_there = found("busybox").is_some();
            if !is_there {
                let word = "busybox is not installed: the scripts are not tested with its shell and tools\n";
                // Not captured, as what a test prints is.
                std::io::stderr().write_all(word.as_bytes()).unwrap();
            }
            is_there
        });
        if *BUSYBOX { vec![Self::Machine, Self::Busybox] } else { vec![Self::Machine] }
    }
}

/// A program in the PATH.
fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A job in a sandbox. Programs in its folder `bin` come before the tools.
pub(crate) struct Job {
    pub(crate) sandbox: Sandbox,
    tools: Tools,
}

impl Job {
    /// With the program in `bin`, and an engine `mine` that is started with these arguments.
    pub(crate) fn new(tools: Tools, arguments: &str) -> Self {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.path("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_touchstone"), sandbox.path("bin/touchstone")).unwrap();
        if tools == Tools::Busybox {
            let busybox = found("busybox").unwrap();
            let listed = Ended::of(Command::new(&busybox).arg("--list"));
            std::fs::create_dir(sandbox.path("tools")).unwrap();
            let link = |name: &str, to: PathBuf| symlink(to, sandbox.path("tools").join(name)).unwrap();
            for applet in listed.stdout.lines() {
                link(applet, busybox.clone());
            }
            for name in ["git", "curl"] {
                link(name, found(name).unwrap());
            }
        }
        let job = Self { sandbox, tools };
        job.engine("mine", arguments);
        job
    }

    /// Writes an engine that is started with these arguments.
    pub(crate) fn engine(&self, name: &str, arguments: &str) {
        program(&self.sandbox, name, &format!("exec {} {arguments}", hostile()));
    }

    /// The folders of programs, these first.
    pub(crate) fn path(&self, first: &[String]) -> String {
        let text = |name: &str| self.sandbox.path(name).display().to_string();
        let tools = match self.tools {
            Tools::Machine => std::env::var("PATH").unwrap(),
            Tools::Busybox => text("tools"),
        };
        [first, &[text("bin"), tools]].concat().join(":")
    }

    /// The shell, with the variables that a workflow sets.
    pub(crate) fn shell(&self, variables: &[(&str, &str)]) -> Command {
        let mut shell = match self.tools {
            Tools::Machine => Command::new("sh"),
            Tools::Busybox => Command::new(self.sandbox.path("tools/sh")),
        };
        shell.current_dir(self.sandbox.path("")).env("PATH", self.path(&[])).env("GITHUB_ACTION_PATH", ROOT);
        shell.env("TOUCHSTONE_CACHE", self.sandbox.path("cache")).env("HOSTILE", hostile());
        shell.env("HOME", self.sandbox.path("home")).env("GIT_CONFIG_NOSYSTEM", "1");
        for (variable, file) in [
            ("GITHUB_OUTPUT", "output"),
            ("GITHUB_PATH", "path"),
            ("GITHUB_ENV", "env"),
            ("GITHUB_STEP_SUMMARY", "summary"),
            ("RUNNER_TEMP", "temp"),
        ] {
            shell.env(variable, self.sandbox.path(file));
        }
        shell.envs(variables.iter().copied());
        shell
    }

    /// Runs lines of the shell, which end at the first that fails.
    pub(crate) fn lines(&self, lines: &str, variables: &[(&str, &str)]) -> Ended {
        Ended::of(self.shell(variables).args(["-e", "-c", lines]))
    }

    /// Runs a script of the action.
    pub(crate) fn script(&self, name: &str, variables: &[(&str, &str)]) -> Ended {
        Ended::of(self.shell(variables).arg(script(name)))
    }
}

/// A script of the action.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(ROOT).join("scripts/action").join(name)
}
