//! The action for workflows of other repositories: its description, and the script of each step.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};

use crate::players::hostile;
use crate::release::{program, release, releases};
use crate::sandbox::{Ended, Sandbox};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const DESCRIPTION: &str = include_str!("../../../action.yml");
const PAGE: &str = include_str!("../../../docs/src/how-to/ci.md");
const WRONG: &str = "--said 'id author the tests=>id author'";

/// A job: a folder with the program in `bin`, and an engine `mine` that is started with these arguments.
fn job(arguments: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_touchstone"), sandbox.path("bin/touchstone")).unwrap();
    program(&sandbox, "mine", &format!("exec {} {arguments}", hostile()));
    sandbox
}

/// Runs a command in a job with the variables that a workflow sets.
fn step(sandbox: &Sandbox, mut command: Command, variables: &[(&str, &str)]) -> Ended {
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());
    command.current_dir(sandbox.path("")).env("PATH", path).env("GITHUB_ACTION_PATH", ROOT);
    command.env("TOUCHSTONE_CACHE", sandbox.path("cache")).env("HOSTILE", hostile());
    for (variable, file) in [
        ("GITHUB_OUTPUT", "output"),
        ("GITHUB_PATH", "path"),
        ("GITHUB_ENV", "env"),
        ("GITHUB_STEP_SUMMARY", "summary"),
        ("RUNNER_TEMP", "temp"),
    ] {
        command.env(variable, sandbox.path(file));
    }
    Ended::of(command.envs(variables.iter().copied()))
}

fn script(name: &str) -> PathBuf {
    Path::new(ROOT).join("scripts/action").join(name)
}

fn check(sandbox: &Sandbox, variables: &[(&str, &str)]) -> Ended {
    let usual =
        [("ENGINE", "./mine"), ("OUT", "out"), ("ARGUMENTS", "--fail-on note --check protocol/id-author")];
    step(sandbox, Command::new(script("check.sh")), &[&usual, variables].concat())
}

fn yaml(text: &str) -> Yaml<'_> {
    Yaml::load_from_str(text).unwrap().remove(0)
}

#[test]
fn the_description_names_scripts_and_inputs_that_are_there() {
    let action = yaml(DESCRIPTION);
    let steps = action["runs"]["steps"].as_sequence().unwrap();
    let mut ran = 0;
    for step in steps.iter().filter_map(|step| step.as_mapping_get("run")) {
        let line = step.as_str().unwrap();
        let name = line.split("scripts/action/").nth(1).unwrap().trim_end_matches('"');
        let mode =
            script(name).metadata().unwrap_or_else(|error| panic!("{name}: {error}")).permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{name}");
        ran += 1;
    }
    assert_eq!(ran, std::fs::read_dir(script("")).unwrap().count());
    let inputs = action["inputs"].as_mapping().unwrap();
    for name in inputs.keys().map(|name| name.as_str().unwrap()) {
        assert!(PAGE.contains(&format!("\n| `{name}` |")), "{name} is not on the page");
        assert!(DESCRIPTION.contains(&format!("${{{{ inputs.{name} }}}}")), "{name} is not used");
    }
}

#[test]
fn the_cache_is_named_by_the_sources() {
    let sandbox = job("");
    let key = |folder: &str| {
        let action = sandbox.path(folder);
        step(&sandbox, Command::new(script("key.sh")), &[("GITHUB_ACTION_PATH", action.to_str().unwrap())])
            .says(0, &[]);
        let key = sandbox.text("output");
        std::fs::remove_file(sandbox.path("output")).unwrap();
        key
    };
    sandbox.write("one/a.rs", "a");
    sandbox.write("two/a.rs", "a");
    sandbox.write("two/.git/HEAD", "other");
    sandbox.write("three/b.rs", "a");
    assert!(key("one").starts_with("key=touchstone-Linux-"), "{}", key("one"));
    assert_eq!(key("one"), key("two"));
    assert_ne!(key("one"), key("three"));
}

/// Runs the step that installs, in a copy of the action that pins a release.
fn install(sandbox: &Sandbox, build: &str) -> Ended {
    let [action, folder] = ["tree", "kept"].map(|name| sandbox.path(name).to_str().unwrap().to_owned());
    let releases = releases(sandbox);
    let variables = [
        ("GITHUB_ACTION_PATH", &*action),
        ("TOUCHSTONE_FOLDER", &folder),
        ("TOUCHSTONE_RELEASES", &releases),
        ("BUILD", build),
    ];
    step(sandbox, Command::new(script("install.sh")), &variables)
}

/// What the steps that follow get: the folder of the program in their PATH, and the cache.
#[track_caller]
fn gives(sandbox: &Sandbox, bin: &str, times: usize) {
    let path = |name: &str| sandbox.path(name).display().to_string();
    assert_eq!(sandbox.text("path"), format!("{}\n", path(bin)).repeat(times));
    assert_eq!(sandbox.text("env"), format!("TOUCHSTONE_CACHE={}\n", path("kept/cache")).repeat(times));
    assert!(sandbox.path(bin).join("touchstone").exists());
}

#[test]
fn the_released_program_is_taken_once_and_nothing_is_built() {
    let sandbox = job("");
    release(&sandbox);
    program(&sandbox, "bin/cargo", "touch built; exit 1");
    install(&sandbox, "false").says(0, &[]);
    std::fs::remove_dir_all(sandbox.path("releases")).unwrap();
    install(&sandbox, "false").says(0, &[]);
    gives(&sandbox, "kept/released", 2);
    assert!(!sandbox.path("built").exists());
}

#[test]
fn touchstone_is_built_once_if_that_is_asked_for() {
    let sandbox = job("");
    release(&sandbox);
    program(
        &sandbox,
        "bin/cargo",
        "if test \"$1\" = --version; then echo cargo 99.0.0; exit; fi\n\
         echo \"$@\" >> asked\nmkdir -p kept/built/bin && cp bin/touchstone kept/built/bin",
    );
    install(&sandbox, "true").says(0, &[]);
    install(&sandbox, "true").says(0, &[]);
    let asked = sandbox.text("asked");
    assert_eq!(asked.lines().count(), 1, "{asked}");
    assert!(
        asked.starts_with("install --locked --path ") && asked.contains("/xtask --bin touchstone --root ")
    );
    gives(&sandbox, "kept/built/bin", 2);
}

#[test]
fn a_program_that_cannot_be_installed_ends_the_job() {
    let sandbox = job("");
    release(&sandbox);
    let ended = install(&sandbox, "maybe");
    ended.says(2, &[]);
    assert!(ended.stdout.starts_with("::error::the input build is \"maybe\""), "{}", ended.stdout);
    sandbox.write("tree/scripts/release/SHA256SUMS", "");
    install(&sandbox, "false").says(2, &["has no sum for", "build: true"]);
    assert!(!sandbox.path("path").exists() && !sandbox.path("kept").exists());
}

#[test]
fn a_push_is_verified() {
    let sandbox = job("");
    check(&sandbox, &[]).says(0, &[]);
    assert!(
        sandbox.text("summary").starts_with("**Touchstone: The only case agrees**"),
        "{}",
        sandbox.text("summary")
    );
    assert!(sandbox.text("out/badge.svg").contains("touchstone: all agree"));
    assert!(sandbox.text("out/report.html").contains("<title>"));
    let sandbox = job(WRONG);
    let ended = check(&sandbox, &[]);
    ended.says(1, &[]);
    assert!(ended.stdout.contains("protocol/id-author"), "{}", ended.stdout);
    assert!(
        sandbox.text("summary").contains("\n| note | protocol/id-author | 1 |"),
        "{}",
        sandbox.text("summary")
    );
    let sandbox = job("");
    check(&sandbox, &[("ENGINE", "./other")]).says(2, &["./other"]);
    assert_eq!(sandbox.text("summary"), "**Touchstone: no report was written** (exit code 2)\n");
    let ended = check(&sandbox, &[("ENGINE", "")]);
    ended.says(2, &[]);
    assert!(ended.stdout.starts_with("::error::the input engine is empty"), "{}", ended.stdout);
}

#[test]
fn a_pull_request_is_compared_with_its_base() {
    let sandbox = job(WRONG);
    let git = |folder: &str, arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=tests", "-c", "user.email=tests"]).args(arguments);
        let ended = Ended::of(git.current_dir(sandbox.path(folder)));
        ended.says(0, &[]);
        ended.stdout.trim().to_owned()
    };
    let commit = |subject: &str| {
        git("origin", &["add", "--all"]);
        git("origin", &["commit", "--quiet", "-m", subject]);
        git("origin", &["rev-parse", "HEAD"])
    };
    sandbox.write(
        "origin/touchstone.toml",
        "[build]\ncommand = \"cp source mine && chmod +x mine\"\nbinary = \"mine\"\n",
    );
    sandbox.write("origin/source", format!("#!/bin/sh\nexec {}\n", hostile()));
    git("origin", &["init", "--quiet"]);
    git("origin", &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let base = commit("Begin");
    sandbox.write("origin/source", format!("#!/bin/sh\nexec {} {WRONG}\n", hostile()));
    commit("Name nobody");
    // As the checkout of a workflow: only the last commit.
    let origin = format!("file://{}", sandbox.path("origin").display());
    git("", &["clone", "--quiet", "--depth", "1", &origin, "repo"]);
    let mut command = Command::new("sh");
    command.args(["-c", "cd repo && exec \"$0\""]).arg(script("check.sh"));
    let arguments = "--fail-on note --no-speed --check protocol/id-author";
    let variables = [("BASE", &*base), ("OUT", "../out"), ("ARGUMENTS", arguments)];
    step(&sandbox, command, &variables).says(1, &[]);
    let summary = sandbox.text("summary");
    assert!(summary.starts_with("**Touchstone: 1 broken**") && summary.contains("Name nobody"), "{summary}");
    assert!(sandbox.text("out/report.html").contains("Name nobody"));
}

/// The lines of the GitLab job on the page, with a clone of a repository that pins a release, and a `make` that makes nothing.
#[test]
fn the_job_for_gitlab() {
    let block = PAGE.split("```yaml\n").find(|text| text.starts_with("touchstone:\n")).unwrap();
    let job_of_page = yaml(block.split("```").next().unwrap());
    let lines = job_of_page["touchstone"]["script"].as_sequence().unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    let text = lines.join("\n");
    for (arguments, code) in [("", 0), (WRONG, 1)] {
        let sandbox = job(arguments);
        release(&sandbox);
        program(&sandbox, "bin/make", "");
        std::fs::remove_file(sandbox.path("bin/touchstone")).unwrap();
        let origin = sandbox.path("tree").display().to_string();
        let mut commit = Command::new("sh");
        commit.args(["-c", COMMIT]).current_dir(&origin);
        let commit = Ended::of(&mut commit);
        commit.says(0, &[]);
        let text = text
            .replace(&repository(), &origin)
            .replace("COMMIT", commit.stdout.trim())
            .replace("--engine ./mine", "--engine ./mine --fail-on note --check protocol/id-author");
        let mut command = Command::new("sh");
        command.args(["-e", "-c", &text]);
        let ended = step(&sandbox, command, &[("TOUCHSTONE_RELEASES", &releases(&sandbox))]);
        ended.says(code, &[]);
        assert!(ended.stdout.starts_with("touchstone 9.9.9 is in .touchstone/bin\n"), "{}", ended.stdout);
        for path in ["report.html", "badge.svg", "junit.xml"] {
            assert!(sandbox.path(&format!("target/touchstone/{path}")).is_file(), "{path}");
        }
    }
}

/// Commits all files and prints the commit.
const COMMIT: &str = "git init --quiet && git add --all && \
    git -c user.name=tests -c user.email=tests commit --quiet -m begin && git rev-parse HEAD";

/// Where the manifest says that the sources are.
fn repository() -> String {
    let manifest = include_str!("../../../Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix("repository = ")).unwrap();
    line.trim_matches('"').to_owned()
}
