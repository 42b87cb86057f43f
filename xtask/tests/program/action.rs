//! The action for workflows of other repositories: its description, and the script of each step.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};

use crate::players::hostile;
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

/// Writes a shell script that can be run.
fn program(sandbox: &Sandbox, name: &str, text: &str) {
    sandbox.write(name, format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(sandbox.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
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

#[test]
fn touchstone_is_built_once() {
    let sandbox = job("");
    program(
        &sandbox,
        "bin/cargo",
        "if test \"$1\" = --version; then echo cargo 99.0.0; exit; fi\n\
         echo \"$@\" >> asked\nmkdir -p kept/bin && cp bin/touchstone kept/bin",
    );
    let folder = sandbox.path("kept");
    let install = || {
        let variables = [("TOUCHSTONE_FOLDER", folder.to_str().unwrap())];
        step(&sandbox, Command::new(script("install.sh")), &variables).says(0, &[]);
    };
    install();
    install();
    let asked = sandbox.text("asked");
    assert_eq!(asked.lines().count(), 1, "{asked}");
    assert!(
        asked.starts_with("install --locked --path ") && asked.contains("/xtask --bin touchstone --root ")
    );
    assert_eq!(sandbox.text("path"), format!("{0}/bin\n{0}/bin\n", folder.display()));
    assert!(sandbox.text("env").starts_with(&format!("TOUCHSTONE_CACHE={}/cache\n", folder.display())));
}

#[test]
fn a_push_is_verified() {
    let sandbox = job("");
    check(&sandbox, &[]).says(0, &[]);
    assert!(
        sandbox.text("summary").starts_with("**Touchstone: All 1 case agree**"),
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

/// The lines of the GitLab job on the page, after one that makes the engine.
#[test]
fn the_job_for_gitlab() {
    let block = PAGE.split("```yaml\n").find(|text| text.starts_with("touchstone:\n")).unwrap();
    let job_of_page = yaml(block.split("```").next().unwrap());
    let lines = job_of_page["touchstone"]["script"].as_sequence().unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(lines[0], "make");
    let text = lines[1..]
        .join("\n")
        .replace("--engine ./mine", "--engine ./mine --fail-on note --check protocol/id-author");
    for (arguments, code) in [("", 0), (WRONG, 1)] {
        let sandbox = job(arguments);
        let mut command = Command::new("sh");
        command.args(["-e", "-c", &text]);
        step(&sandbox, command, &[]).says(code, &[]);
        for path in ["report.html", "badge.svg", "junit.xml"] {
            assert!(sandbox.path(&format!("target/touchstone/{path}")).is_file(), "{path}");
        }
    }
}
