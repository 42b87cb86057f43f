//! `.ci/commits`: the rules for new commits, in repositories that keep or break them.

use std::path::Path;
use std::process::Command;

use crate::sandbox::{Ended, Sandbox};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/commits");

/// A command of git in a folder. Returns what it prints.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=tests", "-c", "user.email=tests"]).args(arguments);
    let ended = Ended::of(git.current_dir(folder));
    ended.says(0, &[]);
    ended.stdout.trim().to_owned()
}

/// A repository with one commit, which is left out of the check.
fn repository() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("");
    git(&folder, &["init", "--quiet", "--initial-branch", "main"]);
    commit(&sandbox, "begin");
    let base = git(&folder, &["rev-parse", "HEAD"]);
    (sandbox, base)
}

fn commit(sandbox: &Sandbox, message: &str) {
    git(&sandbox.path(""), &["commit", "--quiet", "--allow-empty", "-m", message]);
}

fn commits(folder: &Path, arguments: &[&str]) -> Ended {
    Ended::of(Command::new(SCRIPT).args(arguments).current_dir(folder).env_remove("COMMITS"))
}

/// A commit with this message has these faults.
#[track_caller]
fn check(message: &str, faults: &[&str]) {
    let (sandbox, base) = repository();
    commit(&sandbox, message);
    let ended = commits(&sandbox.path(""), &[&base]);
    ended.says(i32::from(!faults.is_empty()), faults);
    assert_eq!(ended.stderr.lines().count(), faults.len(), "{}", ended.stderr);
}

#[test]
fn a_commit_has_a_short_subject_a_reason_and_no_path_of_a_machine() {
    const WHY: &str = "\n\nTwo kings next to each other are no position.";
    let subject = |length: usize| "ü".repeat(length);
    check(&format!("Refuse kings next to each other{WHY}"), &[]);
    check(&format!("{}{WHY}", subject(72)), &[]);
    check(&format!("{}{WHY}", subject(73)), &["the subject has 73 characters"]);
    check("Refuse kings next to each other", &["there is no body"]);
    check("Refuse kings\n\nSigned-off-by: A\nCo-authored-by: B", &["there is no body"]);
    for path in ["/tmp/a", "/home/user", "/mnt/repo", "/root/.cache", "/Users/me/a", "C:\\Users"] {
        check(&format!("Take the fix of {path}{WHY}"), &["has a path of a machine"]);
        check(&format!("Take the fix{WHY} It was in '{path}'."), &["has a path of a machine"]);
    }
    for path in ["https://example.org/home/a", "src/home/a.rs", "~/.cache/tmp/a", "/tmp", "and/or"] {
        check(&format!("Say what is in {path}{WHY}"), &[]);
    }
    check("Fix /tmp/a", &["there is no body", "has a path of a machine"]);
}

#[test]
fn a_merge_is_a_fault() {
    let (sandbox, base) = repository();
    let folder = sandbox.path("");
    git(&folder, &["checkout", "--quiet", "-b", "other"]);
    commit(&sandbox, "One\n\nWhy.");
    git(&folder, &["checkout", "--quiet", "main"]);
    commit(&sandbox, "Two\n\nWhy.");
    let straight = git(&folder, &["rev-parse", "HEAD"]);
    git(&folder, &["merge", "--quiet", "--no-ff", "-m", "Merge\n\nWhy.", "other"]);
    commits(&folder, &[&base]).says(1, &["\"Merge\": is a merge: rebase the branch"]);
    // The head of a pull request, where HEAD is the merge that the service made.
    let mut head = Command::new(SCRIPT);
    Ended::of(head.arg(&base).current_dir(&folder).env("COMMITS", straight)).says(0, &[]);
}

#[test]
fn of_another_history_nothing_is_checked() {
    let (sandbox, _) = repository();
    commit(&sandbox, "no body");
    // The base that the script has is a commit of this project.
    let ended = commits(&sandbox.path(""), &[]);
    ended.says(0, &[]);
    assert!(ended.stdout.contains("does not reach da001f5"), "{}", ended.stdout);
    assert!(ended.stdout.contains("no commit is checked"), "{}", ended.stdout);
    let empty = Sandbox::new();
    let ended = commits(&empty.path(""), &[]);
    ended.says(0, &[]);
    assert!(ended.stdout.contains("no commit is checked"), "{}", ended.stdout);
}

/// A shallow clone of the last commit.
fn shallow(sandbox: &Sandbox) -> Sandbox {
    let clone = Sandbox::new();
    let from = format!("file://{}", sandbox.path("").display());
    git(&clone.path(""), &["clone", "--quiet", "--depth", "1", &from, "."]);
    clone
}

#[test]
fn of_a_shallow_clone_the_commits_that_are_there_are_checked() {
    let (sandbox, base) = repository();
    for (message, code) in [("One\n\nWhy.", 0), ("Two", 1)] {
        commit(&sandbox, message);
        let ended = commits(&shallow(&sandbox).path(""), &[&base]);
        ended.says(code, &[]);
        assert!(ended.stdout.contains("the commits that are there are checked"), "{}", ended.stdout);
    }
    let folder = sandbox.path("");
    git(&folder, &["checkout", "--quiet", "-b", "other", &base]);
    commit(&sandbox, "Three\n\nWhy.");
    git(&folder, &["merge", "--quiet", "--no-ff", "-m", "Merge\n\nWhy.", "main"]);
    commits(&shallow(&sandbox).path(""), &[&base]).says(1, &["\"Merge\": is a merge"]);
}
