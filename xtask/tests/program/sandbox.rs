//! A sandbox for each run of the program, and the result of the run.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use reports::Row;
use tempfile::TempDir;

#[cfg(unix)]
use crate::write_program::write_program;

/// Where a run stands: its working folder, in which its reports go to `out`.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Writes a program that can be run.
    #[cfg(unix)]
    pub(crate) fn write_program(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_program(&path, text.as_ref());
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The rows of a report in `out`.
    pub(crate) fn rows<R: Row>(&self) -> Vec<R> {
        let text = self.text(&format!("out/{}", R::FILE));
        reports::read(text.as_bytes()).unwrap()
    }

    /// The files of a folder by name; what is no file is left out.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<String, String> {
        let text = |path: PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let entries = std::fs::read_dir(self.path(folder)).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        files.map(|entry| (entry.file_name().into_string().unwrap(), text(entry.path()))).collect()
    }

    /// Copies the files of a folder to the folder of that name in another sandbox.
    pub(crate) fn copy(&self, folder: &str, to: &Self) {
        for (name, text) in self.files(folder) {
            to.write(&format!("{folder}/{name}"), text);
        }
    }

    /// A new sandbox with the files of these folders.
    pub(crate) fn with_folders(&self, folders: &[&str]) -> Self {
        let copy = Self::new();
        for folder in folders {
            self.copy(folder, &copy);
        }
        copy
    }

    /// The program, to be run here.
    pub(crate) fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command.current_dir(self.folder.path());
        command
    }

    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ended {
        Ended::of(self.program().args(args))
    }

    /// `verify` with reports in `out`, the arguments separated by spaces.
    pub(crate) fn verify(&self, args: &str) -> Ended {
        self.run(["verify", "--out", "out"].into_iter().chain(args.split_whitespace()))
    }
}

impl Ended {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code().expect("it ends by itself"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// It ended with this code, and standard error says all of this.
    #[track_caller]
    pub(crate) fn says(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not in\n{}", self.stderr);
        }
    }
}

/// Runs the program in a folder that nobody looks into.
pub(crate) fn run(args: &[&str]) -> Ended {
    Sandbox::new().run(args)
}

/// The file names in a folder and below it that the program uses for what is not yet whole.
pub(crate) fn half_written(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with('.')).collect()
}
