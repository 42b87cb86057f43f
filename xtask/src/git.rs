//! Reads the user's repository, and makes clones of it in the cache. Revisions are checked out and built in
//! the clones.
//!
//! A clone shares the objects of the repository, so that it is made at once, and nothing is ever written into
//! the repository: no worktree, no reference, no object, no index. Uncommitted changes become a commit of the
//! clone.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::files;
use crate::store::{self, Kind, Store};

/// A repository of the user.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    /// The root of its working tree.
    top: PathBuf,
}

/// The name that `git describe` gives the checkout in which a file lies; `None` if the file is in no
/// repository.
pub(crate) fn described(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    git(folder, ["--no-optional-locks", "describe", "--always", "--dirty"]).ok()
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    /// Its full id.
    pub(crate) commit: String,
    /// The id of its tree: commits with the same files have the same.
    pub(crate) tree: String,
    /// Its short id and its subject, or `working tree`.
    pub(crate) label: String,
}

/// Names of the main branch. The first one that exists is used.
const MAIN: [&str; 5] = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];
/// Variables by which git hands its own state to the programs that it starts.
pub(crate) const STATE: [&str; 7] = [
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_PREFIX",
];

impl Repository {
    /// The repository of the current folder.
    pub(crate) fn here() -> anyhow::Result<Self> {
        let top =
            git(Path::new("."), ["rev-parse", "--show-toplevel"]).context("this is no git repository")?;
        Ok(Self { top: top.into() })
    }

    /// The root of its working tree.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// A revision by any name that git knows.
    pub(crate) fn revision(&self, name: &str) -> anyhow::Result<Revision> {
        let commit = self
            .git(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])
            .ok()
            .with_context(|| format!("there is no revision {name} in {}", self.top.display()))?;
        revision(&self.top, &commit)
    }

    /// The commit that the current branch has in common with the main branch.
    pub(crate) fn base(&self) -> anyhow::Result<Revision> {
        let is_known = |name: &&str| self.revision(name).is_ok();
        let main = MAIN
            .into_iter()
            .find(is_known)
            .context("there is no main branch; name the base: regress BASE")?;
        let base = self.git(["merge-base", "HEAD", main]).ok();
        let base = base
            .with_context(|| format!("HEAD and {main} have no common commit; name the base: regress BASE"))?;
        revision(&self.top, &base)
    }

    /// A clone in the cache. `slot` tells clones of one repository apart. It waits until no other run uses
    /// the clone.
    pub(crate) fn checkout(&self, slot: &str, waiting: impl FnOnce()) -> anyhow::Result<Checkout> {
        let clones = Store::open(Kind::Clones)?;
        let top = fs::canonicalize(&self.top)?;
        let key = format!("{}-{slot}", &store::key([top.as_os_str().as_encoded_bytes()])[..16]);
        let folder = clones.path(&key);
        let lock = files::lock(&folder)?;
        if lock.try_lock().is_err() {
            waiting();
            lock.lock()?;
        }
        if in_clone(&folder, ["rev-parse", "--verify", "HEAD"]).is_err() {
            store::remove(&folder)?;
            let made = clones.stage()?;
            let arguments = ["clone", "--shared", "--no-checkout", "--quiet", "--"].map(OsStr::new);
            let paths = [top.as_os_str(), made.path().as_os_str()];
            git(&top, arguments.into_iter().chain(paths)).context("cannot clone the repository")?;
            made.rename(&folder)?;
        }
        self.share_objects(&folder)?;
        clones.describe(&key, &format!("{slot} of {}", top.display()))?;
        clones.evict(&key)?;
        Ok(Checkout { folder, user: Self { top }, _lock: lock })
    }

    /// Lets a clone find all commits that the repository has now. Git copies a shallow repository instead of
    /// sharing its objects.
    fn share_objects(&self, clone: &Path) -> anyhow::Result<()> {
        let own = clone.join(".git");
        let mut objects = self.git_path("objects")?.into_os_string();
        objects.push("\n");
        fs::create_dir_all(own.join("objects/info"))?;
        fs::write(own.join("objects/info/alternates"), objects.as_encoded_bytes())?;
        let (theirs, ours) = (self.git_path("shallow")?, own.join("shallow"));
        if theirs.is_file() {
            fs::copy(theirs, ours)?;
        } else if ours.is_file() {
            fs::remove_file(ours)?;
        }
        Ok(())
    }

    /// The path of a file or folder of git.
    fn git_path(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(self.git(["rev-parse", "--path-format=absolute", "--git-path", name])?.into())
    }

    fn git<const N: usize>(&self, arguments: [&str; N]) -> anyhow::Result<String> {
        git(&self.top, arguments)
    }
}

/// A clone with a checkout of some revision. It is for one run at a time.
#[derive(Debug)]
pub(crate) struct Checkout {
    folder: PathBuf,
    user: Repository,
    _lock: File,
}

impl Checkout {
    /// The root of the checkout.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A commit of the files in the user's working tree: with changes that are not committed, and with new
    /// files that are not ignored.
    pub(crate) fn working_tree(&self) -> anyhow::Result<Revision> {
        let head =
            self.user.git(["rev-parse", "--verify", "HEAD"]).context("the repository has no commit")?;
        let own = self.folder.join(".git");
        fs::create_dir_all(own.join("info"))?;
        let ignored = self.user.git_path("info/exclude")?;
        if ignored.is_file() {
            fs::copy(&ignored, own.join("info/exclude"))?;
        }
        let index = own.join("touchstone-index");
        let in_user_tree = |arguments: &[&str]| {
            let mut command = command(self.user.top());
            command.env("GIT_DIR", &own).env("GIT_WORK_TREE", self.user.top()).env("GIT_INDEX_FILE", &index);
            output(command.args(["-c", "core.autocrlf=false"]).args(arguments))
        };
        // The user's index knows which files a sparse checkout left out, and which ignored files were added.
        let copied = copy_index(&self.user.git_path("index")?, &index);
        if copied.is_err() || in_user_tree(&["add", "--all", "."]).is_err() {
            in_user_tree(&["read-tree", &head])?;
            in_user_tree(&["add", "--all", "."]).context("cannot read the working tree")?;
        }
        let tree = in_user_tree(&["write-tree"])?;
        if tree == self.user.git(["rev-parse", "HEAD^{tree}"])? {
            return revision(self.user.top(), &head);
        }
        let mut commit = clone_command(&self.folder);
        // The commit is never shown; its author and date are fixed, so that the same files make the same
        // commit.
        for who in ["AUTHOR", "COMMITTER"] {
            commit.env(format!("GIT_{who}_NAME"), "touchstone").env(format!("GIT_{who}_EMAIL"), "touchstone");
            commit.env(format!("GIT_{who}_DATE"), "2000-01-01T00:00:00Z");
        }
        let commit = output(commit.args(["commit-tree", &tree, "-p", &head, "-m", "working tree"]))?;
        Ok(Revision { commit, tree, label: "working tree".to_owned() })
    }

    /// Checks a revision out. Everything else in the folder is removed, but for the names in `kept`.
    pub(crate) fn switch(&self, revision: &Revision, kept: &[&str]) -> anyhow::Result<()> {
        let label = &revision.label;
        in_clone(&self.folder, ["checkout", "--quiet", "--detach", "--force", &revision.commit])
            .with_context(|| format!("cannot check out {label}"))?;
        let kept = kept.iter().chain([&store::ABOUT]).flat_map(|name| ["-e", name]);
        in_clone(&self.folder, ["clean", "-ffdxq"].into_iter().chain(kept))?;
        if self.folder.join(".gitmodules").is_file() {
            in_clone(&self.folder, ["submodule", "foreach", "--quiet", "--recursive", "git clean -ffdxq"])?;
            in_clone(&self.folder, ["submodule", "update", "--init", "--recursive", "--force", "--quiet"])
                .with_context(|| format!("cannot fetch the submodules of {label}"))?;
        }
        Ok(())
    }

    /// Begins a bisection between two revisions. It checks nothing out, so files that a build changed do not
    /// stop it.
    pub(crate) fn bisect(&self, good: &Revision, bad: &Revision) -> anyhow::Result<Bisection> {
        // The reset may fail, since there may be no bisection to reset.
        let _ = in_clone(&self.folder, ["bisect", "reset"]);
        in_clone(&self.folder, ["bisect", "start", "--no-checkout", &bad.commit, &good.commit])
            .context("cannot begin the bisection")?;
        self.step(None)
    }

    /// Tells the bisection how the revision did: `good`, `bad` or `skip`.
    pub(crate) fn bisect_mark(&self, tested: &Revision, mark: &str) -> anyhow::Result<Bisection> {
        // Git ends with 2 if only skipped revisions are left. The log says so.
        let _ = in_clone(&self.folder, ["bisect", mark, &tested.commit]);
        self.step(Some(tested))
    }

    /// What was asked and answered, as `git bisect replay` reads it.
    pub(crate) fn bisect_log(&self) -> anyhow::Result<String> {
        in_clone(&self.folder, ["bisect", "log"])
    }

    fn step(&self, tested: Option<&Revision>) -> anyhow::Result<Bisection> {
        let log = self.bisect_log()?;
        let first = log.lines().find_map(|line| line.strip_prefix("# first bad commit: [")?.split_once(']'));
        if let Some((commit, _)) = first {
            return Ok(Bisection::Found(self.revision(commit)?));
        }
        if log.contains("# only skipped commits left to test") {
            let possible = log.lines().filter_map(|line| line.strip_prefix("# possible first bad commit: ["));
            let commits = possible.filter_map(|line| line.split_once(']'));
            let commits: Result<_, _> = commits.map(|(commit, _)| self.revision(commit)).collect();
            return Ok(Bisection::Among(commits?));
        }
        let next = self.revision(&in_clone(&self.folder, ["rev-parse", "--verify", "BISECT_HEAD"])?)?;
        if tested.is_some_and(|tested| tested.commit == next.commit) {
            bail!("git bisect does not go on after {}:\n{log}", next.label);
        }
        Ok(Bisection::Next(next))
    }

    fn revision(&self, commit: &str) -> anyhow::Result<Revision> {
        revision_of(commit, |arguments| in_clone(&self.folder, arguments))
    }

    /// Whether git has this file under version control.
    pub(crate) fn is_tracked(&self, file: &Path) -> bool {
        let arguments = ["ls-files", "--error-unmatch", "--"].map(OsStr::new);
        in_clone(&self.folder, arguments.into_iter().chain([file.as_os_str()])).is_ok()
    }
}

/// Where a bisection stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bisection {
    /// This revision is to be tested.
    Next(Revision),
    /// This is the first bad one.
    Found(Revision),
    /// The first bad one is among these, and the others of them cannot be tested.
    Among(Vec<Revision>),
}

fn revision(folder: &Path, commit: &str) -> anyhow::Result<Revision> {
    revision_of(commit, |arguments| git(folder, arguments))
}

fn revision_of(commit: &str, git: impl Fn(&[&str]) -> anyhow::Result<String>) -> anyhow::Result<Revision> {
    let tree = git(&["rev-parse", &format!("{commit}^{{tree}}")])?;
    let label = git(&["-c", "log.showSignature=false", "log", "-1", "--format=%h %s", commit])?;
    Ok(Revision { commit: commit.to_owned(), tree, label })
}

/// Copies an index with its time. Git needs the time to know which files it must read again.
fn copy_index(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

/// What git prints in the user's repository, without the last line end.
fn git<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> anyhow::Result<String> {
    output(command(folder).args(arguments))
}

/// The same in a clone.
fn in_clone<A: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> anyhow::Result<String> {
    output(clone_command(folder).args(arguments))
}

/// A command that finds no repository but this clone: a cache may lie within the user's repository.
fn clone_command(folder: &Path) -> Command {
    let mut command = command(folder);
    command.env("GIT_DIR", folder.join(".git")).env("GIT_WORK_TREE", folder);
    command
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).env("LC_ALL", "C");
    for name in STATE {
        command.env_remove(name);
    }
    command
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().context("cannot start git; is it installed?")?;
    if !output.status.success() {
        bail!("git: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}
