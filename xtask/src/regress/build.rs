//! Builds a revision, and keeps its engine in the cache.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::git::{self, Checkout, Revision};
use crate::store::{self, Kind, Store};
use crate::verify::{Build, CONFIG_FILE};
use crate::{console, program};

/// The longest build.
const LONGEST: Duration = Duration::from_hours(1);
/// The last lines of the log of a failed build that are shown.
const SHOWN: usize = 20;
/// The most bytes of them.
const MOST_LOG: u64 = 64 << 20;
/// Folders of cargo whose programs are no engines.
const NO_ENGINES: [&str; 5] = ["deps", "build", "examples", "incremental", ".fingerprint"];
/// The most programs that an error lists.
const LISTED: usize = 10;

/// A revision that does not build.
#[derive(Debug, thiserror::Error)]
#[error("{label} does not build: {why}")]
pub(crate) struct BuildFailure {
    label: String,
    why: String,
}

/// The usual build of the sources in a folder, with a sentence that describes it.
pub(crate) fn guess(folder: &Path) -> Option<(Build, String)> {
    let guesses = [
        ("Cargo.toml", "cargo build --release"),
        (
            "CMakeLists.txt",
            "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel",
        ),
        ("Makefile", "make"),
        ("makefile", "make"),
        ("GNUmakefile", "make"),
        ("src/Makefile", "make -C src"),
    ];
    let (file, command) = guesses.into_iter().find(|(file, _)| folder.join(file).is_file())?;
    let binary = executable(folder).map_or_else(
        || "\"mine\"   # the engine that it makes".to_owned(),
        |(path, _)| format!("\"{}\"", path.display()),
    );
    let said = format!(
        "note: there is no [build] in {CONFIG_FILE}; {file} is built with: {command}\n\
         write it down:\n  [build]\n  command = \"{command}\"\n  binary = {binary}"
    );
    Some((Build { command: command.to_owned(), ..Build::default() }, said))
}

/// The engine that a makefile of a folder makes, by its line `EXE = mine`, and the makefile.
pub(crate) fn executable(folder: &Path) -> Option<(PathBuf, &'static str)> {
    if ["Cargo.toml", "CMakeLists.txt"].iter().any(|file| folder.join(file).is_file()) {
        return None;
    }
    let of_makefile = |file: &'static str| {
        let text = fs::read_to_string(folder.join(file)).ok()?;
        let value = |line: &str| {
            let (name, value) = line.trim_start().split_once('=')?;
            let is_exe = name.trim_end_matches([' ', '\t', ':', '?']) == "EXE";
            Some(value.trim()).filter(|value| is_exe && is_file_name(value)).map(str::to_owned)
        };
        let first = || text.lines().find_map(value);
        // A makefile may have another line for Windows.
        let made = text
            .lines()
            .filter_map(value)
            .find(|name| cfg!(windows) == is_of_windows(name))
            .or_else(first)?;
        Some((Path::new(file).with_file_name(made), file))
    };
    ["Makefile", "makefile", "GNUmakefile", "src/Makefile", "src/makefile"].into_iter().find_map(of_makefile)
}

fn is_of_windows(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exe"))
}

/// Whether this is a plain name, without variables of make.
fn is_file_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-+".contains(letter))
}

/// What a revision was built to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Built {
    /// The engine.
    pub(crate) binary: PathBuf,
    /// The engine by its path in the repository.
    pub(crate) within: PathBuf,
    /// The reports that the revision writes of itself, if it does.
    pub(crate) reports: Option<PathBuf>,
}

/// Which build of a revision is meant. The second build is made in a clean folder. It shows how much of a
/// difference in speed comes from the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// The build whose engine is asked.
    First,
    /// Another one, whose speed is measured.
    Second,
}

/// The key of a revision's build.
fn key(revision: &Revision, build: &Build, which: Which) -> String {
    let told = format!("{build:?}{}", if which == Which::Second { " again" } else { "" });
    store::key([revision.tree.as_bytes(), told.as_bytes()])
}

/// The engine of a revision: from the cache, or built in the checkout.
pub(crate) fn known_or_build(
    checkout: &Checkout,
    revision: &Revision,
    build: &Build,
    log: &Path,
    which: Which,
) -> anyhow::Result<Built> {
    let known = Store::open(Kind::Builds)?.get(&key(revision, build, which));
    if let Some(built) = known.and_then(|folder| built(&folder, build)) {
        return Ok(built);
    }
    let again = if which == Which::Second { ", once more to compare the speed" } else { "" };
    console::message(&format!("building {}{again}", revision.label));
    self::build(checkout, revision, build, log, which)
}

/// Whether the build of a folder knows what to compile again. Cargo knows it; other tools may not.
pub(crate) fn is_incremental(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file()
}

/// What is in the folder of an entry.
fn built(folder: &Path, build: &Build) -> Option<Built> {
    let name = fs::read_to_string(folder.join(NAME)).ok()?;
    let reports = build.reports.is_some().then(|| folder.join(REPORTS));
    Some(Built { binary: folder.join(&name), within: name.into(), reports })
}

/// A file of an entry with the path of the engine in it.
const NAME: &str = ".engine";
/// The folder of an entry with the reports that the revision writes of itself.
const REPORTS: &str = "reports";

/// Builds a revision in a checkout. The log goes to `log`.
///
/// # Errors
/// [`BuildFailure`] if the command fails, or makes no engine.
pub(crate) fn build(
    checkout: &Checkout,
    revision: &Revision,
    build: &Build,
    log: &Path,
    which: Which,
) -> anyhow::Result<Built> {
    let is_kept = which == Which::First && is_incremental(checkout.folder());
    checkout.switch(revision, if is_kept { &["target"] } else { &[] })?;
    // A kept folder may hold a program of an earlier revision, which is not the engine of this one.
    for old in build.binary.iter().chain(&build.files).filter(|path| !checkout.is_tracked(path)) {
        let path = checkout.folder().join(old);
        if path.is_file() {
            fs::remove_file(path)?;
        }
    }
    let failure = |why: String| BuildFailure { label: revision.label.clone(), why };
    run(checkout.folder(), &build.command, log).map_err(failure)?;
    let binary = match &build.binary {
        Some(binary) if checkout.folder().join(binary).is_file() => binary.clone(),
        Some(binary) => {
            bail!(failure(format!("{} is not there after: {}", binary.display(), build.command)))
        }
        None => only_program(checkout).map_err(failure)?,
    };
    let store = Store::open(Kind::Builds)?;
    let staged = store.stage()?;
    for file in build.files.iter().chain([&binary]) {
        copy(&checkout.folder().join(file), &staged.path().join(file))
            .map_err(|error| failure(format!("cannot keep {}: {error}", file.display())))?;
    }
    if let Some(command) = &build.reports {
        let out = staged.path().join(REPORTS);
        let log = log.with_extension("reports.log");
        let command = command.replace("{out}", &uci::quoted(&out.to_string_lossy()));
        // A run that finds differences ends with 1.
        let ended = run(checkout.folder(), &command, &log);
        if !out.join("checks.csv").is_file() {
            bail!(failure(format!("no reports: {}", ended.err().unwrap_or(command))));
        }
    }
    fs::write(staged.path().join(NAME), binary.as_os_str().as_encoded_bytes())?;
    let folder = store.put(&key(revision, build, which), staged, &revision.label)?;
    built(&folder, build).context("the build is not in the cache")
}

/// Runs a shell command in a folder. Its output goes to `log`; the error has the last lines.
fn run(folder: &Path, line: &str, log: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", log.display());
    let file = File::create(log).map_err(failed)?;
    let mut command = program::shell(line);
    command.current_dir(folder);
    // The variables that cargo sets for a program that it starts must not reach another build.
    for (name, _) in std::env::vars_os() {
        let own = name.to_string_lossy();
        if own.starts_with("CARGO_PKG_") || own.starts_with("CARGO_MANIFEST_") || own == "CARGO_TARGET_DIR" {
            command.env_remove(&name);
        }
    }
    for name in git::STATE {
        command.env_remove(name);
    }
    command.stdout(file.try_clone().map_err(failed)?).stderr(file);
    let status =
        uci::run_to_end(command, LONGEST).map_err(|error| format!("cannot start a shell: {error}"))?;
    let why = match status {
        Some(status) if status.success() => return Ok(()),
        Some(status) => status.to_string(),
        None => format!("not over after {} s", LONGEST.as_secs()),
    };
    Err(format!("{why}: {line}\n{}  the whole log: {}", last_lines(log), log.display()))
}

fn last_lines(log: &Path) -> String {
    let bytes = crate::files::read(log, MOST_LOG).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let last: Vec<String> =
        lines[lines.len().saturating_sub(SHOWN)..].iter().map(|line| format!("  {line}\n")).collect();
    last.concat()
}

/// The path of the only program that the build has made.
fn only_program(checkout: &Checkout) -> Result<PathBuf, String> {
    let mut found = Vec::new();
    programs(checkout.folder(), Path::new(""), 0, &mut found);
    found.retain(|path| !checkout.is_tracked(path));
    match &found[..] {
        [only] => Ok(only.clone()),
        [] => Err(format!("the build makes no program; name it in {CONFIG_FILE}: [build] binary")),
        several => {
            let names: Vec<String> =
                several.iter().take(LISTED).map(|path| path.display().to_string()).collect();
            let names = names.join(", ");
            Err(format!(
                "the build makes several programs; name the engine in {CONFIG_FILE}: [build] binary ({names})"
            ))
        }
    }
}

/// Adds the paths of the programs in a folder of the checkout. The folder has the path `path` there.
fn programs(folder: &Path, path: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    const DEEPEST: usize = 6;
    let Ok(files) = fs::read_dir(folder) else { return };
    let mut files: Vec<_> = files.filter_map(Result::ok).collect();
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let name = file.file_name();
        let path = path.join(&name);
        match file.file_type() {
            Ok(kind) if kind.is_dir() => {
                let is_left_out = name == ".git"
                    || NO_ENGINES.iter().any(|left_out| name == *left_out)
                        && folder.join(".fingerprint").is_dir();
                if depth < DEEPEST && !is_left_out {
                    programs(&file.path(), &path, depth + 1, found);
                }
            }
            Ok(kind) if kind.is_file() && is_program(&file.path()) => found.push(path),
            _ => {}
        }
    }
}

/// Whether a file is a program that the system can run: an executable ELF, Mach-O or PE file.
fn is_program(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    let is_binary =
        read.is_ok() && (start == *b"\x7fELF" || start[..2] == *b"MZ" || start[..3] == [0xcf, 0xfa, 0xed]);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_library = [".so", ".o", ".dll", ".dylib", ".a"].iter().any(|end| name.contains(end));
    is_binary && !is_library && which::which(path).is_ok()
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for file in fs::read_dir(from)? {
            let name = file?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}
