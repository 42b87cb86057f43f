//! The action for workflows of other repositories: its description, and the script of each step, with the
//! tools of this machine and with busybox's.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};

use crate::job::{ASKED, Job, Tools, WRONG, script};
use crate::players::hostile;
use crate::release::{program, release, releases};
use crate::sandbox::Ended;

const DESCRIPTION: &str = include_str!("../../../action.yml");
const PAGE: &str = include_str!("../../../docs/src/how-to/ci.md");

fn check(job: &Job, variables: &[(&str, &str)]) -> Ended {
    let usual = [("ENGINE", "./mine"), ("OUT", "out"), ("ARGUMENTS", ASKED)];
    job.script("check.sh", &[&usual, variables].concat())
}

#[test]
fn the_description_names_scripts_and_inputs_that_are_there() {
    let action = Yaml::load_from_str(DESCRIPTION).unwrap().remove(0);
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
        assert!(DESCRIPTION.contains(&format!(" inputs.{name} ")), "{name} is not used");
    }
}

#[test]
fn the_cache_is_named_by_what_is_installed() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        let key = |folder: &str, build: &str| {
            let action = job.sandbox.path(folder);
            let variables = [("GITHUB_ACTION_PATH", action.to_str().unwrap()), ("BUILD", build)];
            job.script("key.sh", &variables).says(0, &[]);
            let key = job.sandbox.text("output");
            std::fs::remove_file(job.sandbox.path("output")).unwrap();
            key
        };
        let sums = "scripts/release/SHA256SUMS";
        for (name, text) in [
            ("one/a.rs", "a"),
            (&*format!("one/{sums}"), "1"),
            ("two/a.rs", "b"),
            (&*format!("two/{sums}"), "1"),
            ("two/.git/HEAD", "other"),
            ("three/a.rs", "a"),
            (&*format!("three/{sums}"), "2"),
            ("four/a.rs", "a"),
            (&*format!("four/{sums}"), "1"),
            ("four/.git/HEAD", "other"),
            ("four/target/a", "other"),
        ] {
            job.sandbox.write(name, text);
        }
        assert!(key("one", "false").starts_with("key=touchstone-Linux-X64-released-"));
        assert!(key("one", "true").starts_with("key=touchstone-Linux-X64-built-"));
        // The release that is pinned; or the sources, without what git and cargo keep.
        for (folder, released, built) in [("two", true, false), ("three", false, false), ("four", true, true)]
        {
            assert_eq!(key("one", "false") == key(folder, "false"), released, "{folder}");
            assert_eq!(key("one", "true") == key(folder, "true"), built, "{folder}");
        }
    }
}

/// Runs the step that installs, in a copy of the action that pins a release.
fn install(job: &Job, build: &str) -> Ended {
    let [action, folder] = ["tree", "kept"].map(|name| job.sandbox.path(name).to_str().unwrap().to_owned());
    let releases = releases(&job.sandbox);
    let variables = [
        ("GITHUB_ACTION_PATH", &*action),
        ("TOUCHSTONE_FOLDER", &folder),
        ("TOUCHSTONE_RELEASES", &releases),
        ("BUILD", build),
    ];
    job.script("install.sh", &variables)
}

/// What the steps that follow get: the folder of the program in their PATH, and the cache, with tables of
/// three men.
#[track_caller]
fn gives(job: &Job, times: usize) {
    let path = |name: &str| job.sandbox.path(name).display().to_string();
    assert_eq!(job.sandbox.text("path"), format!("{}\n", path("kept/bin")).repeat(times));
    assert_eq!(job.sandbox.text("env"), format!("TOUCHSTONE_CACHE={}\n", path("kept/cache")).repeat(times));
    assert!(job.sandbox.path("kept/bin/touchstone").exists());
    assert!(job.sandbox.path("kept/cache/syzygy/KPvK.rtbz").exists());
}

#[test]
fn the_released_program_is_taken_once_and_nothing_is_built() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        release(&job.sandbox);
        program(&job.sandbox, "bin/cargo", "touch built; exit 1");
        install(&job, "false").says(0, &[]);
        std::fs::remove_dir_all(job.sandbox.path("releases")).unwrap();
        install(&job, "false").says(0, &[]);
        gives(&job, 2);
        assert!(!job.sandbox.path("built").exists());
    }
}

/// With the toolchain that is there, or with another one where it is too old.
#[test]
fn touchstone_is_built_once_if_that_is_asked_for() {
    let least = env!("CARGO_PKG_RUST_VERSION");
    let versions = [("99.0.0", ""), ("1.9.0", "+stable "), (&*format!("{least}.0"), ""), ("1.100.0", "")];
    for (tools, (version, toolchain)) in
        Tools::all().into_iter().flat_map(|tools| versions.map(|v| (tools, v)))
    {
        let job = Job::new(tools, "");
        release(&job.sandbox);
        program(
            &job.sandbox,
            "bin/cargo",
            &format!(
                "if test \"$1\" = --version; then echo 'cargo {version} (a 2026-01-01)'; exit; fi\n\
                 echo \"$@\" >> asked\nmkdir -p kept/bin && cp bin/touchstone kept/bin"
            ),
        );
        program(&job.sandbox, "bin/rustup", "echo \"$@\" >> toolchains");
        install(&job, "true").says(0, &[]);
        install(&job, "true").says(0, &[]);
        let asked = job.sandbox.text("asked");
        assert_eq!(asked.lines().count(), 1, "{asked}");
        assert!(asked.starts_with(&format!("{toolchain}install --locked --path ")), "{version}: {asked}");
        assert!(asked.contains("/xtask --bin touchstone --root "), "{asked}");
        assert_eq!(job.sandbox.path("toolchains").exists(), !toolchain.is_empty(), "{version}");
        gives(&job, 2);
    }
}

#[test]
fn a_program_that_cannot_be_installed_ends_the_job() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        release(&job.sandbox);
        let ended = install(&job, "maybe");
        ended.says(2, &[]);
        assert!(ended.stdout.starts_with("::error::the input build is \"maybe\""), "{}", ended.stdout);
        job.sandbox.write("tree/scripts/release/SHA256SUMS", "");
        install(&job, "false").says(2, &["has no sum for", "build: true"]);
        assert!(!job.sandbox.path("path").exists() && !job.sandbox.path("kept").exists());
    }
}

#[test]
fn a_push_is_verified() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        check(&job, &[]).says(0, &[]);
        let summary = job.sandbox.text("summary");
        assert!(summary.starts_with("**Touchstone: mine: the only case agrees**"), "{summary}");
        assert!(job.sandbox.text("out/badge.svg").contains("touchstone: all agree"));
        assert!(job.sandbox.text("out/report.html").contains("<title>"));
        let job = Job::new(tools, WRONG);
        let ended = check(&job, &[]);
        ended.says(1, &[]);
        assert!(ended.stdout.contains("protocol/id-author"), "{}", ended.stdout);
        let summary = job.sandbox.text("summary");
        assert!(
            summary.contains("\n| note | does not print its author | protocol/id-author | 1 |"),
            "{summary}"
        );
        let job = Job::new(tools, "");
        check(&job, &[("ENGINE", "./other")]).says(2, &["./other"]);
        let summary = job.sandbox.text("summary");
        assert_eq!(summary, "**Touchstone: no report was written** (exit code 2)\n");
        let ended = check(&job, &[("ENGINE", "")]);
        ended.says(2, &[]);
        assert!(ended.stdout.starts_with("::error::the input engine is empty"), "{}", ended.stdout);
    }
}

/// Arguments are words of a line, or of several. A star stays one.
#[test]
fn arguments_are_words() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        program(&job.sandbox, "bin/touchstone", "printf '<%s>' \"$@\" >asked; echo '<>' >>asked");
        std::fs::write(job.sandbox.path("a-file"), "").unwrap();
        check(&job, &[("ARGUMENTS", " --quick\n--check 'a *\n")]).says(0, &[]);
        let expected =
            "<verify><--engine><./mine><--out><out><--format><github><--quick><--check><'a><*><>\n";
        assert_eq!(job.sandbox.text("asked"), expected);
    }
}

#[test]
fn a_pull_request_is_compared_with_its_base() {
    for tools in Tools::all() {
        let job = Job::new(tools, WRONG);
        let base = origin(&job);
        // As the checkout of a workflow: only the last commit.
        let origin = format!("file://{}", job.sandbox.path("origin").display());
        git(&job, "", &["clone", "--quiet", "--depth", "1", &origin, "repo"]);
        let arguments = "--fail-on note --no-speed --check protocol/id-author";
        let variables = [("BASE", &*base), ("OUT", "../out"), ("ARGUMENTS", arguments)];
        let mut command = job.shell(&variables);
        command.arg(script("check.sh")).current_dir(job.sandbox.path("repo"));
        Ended::of(&mut command).says(1, &[]);
        let summary = job.sandbox.text("summary");
        assert!(summary.starts_with("**Touchstone: 1 broken**"), "{summary}");
        assert!(summary.contains("Name nobody"), "{summary}");
        assert!(job.sandbox.text("out/report.html").contains("Name nobody"));
    }
}

/// A repository in the folder `origin` with two commits: the second one's engine has no author. Returns the
/// first.
pub(crate) fn origin(job: &Job) -> String {
    let commit = |subject: &str| {
        git(job, "origin", &["add", "--all"]);
        git(job, "origin", &["commit", "--quiet", "-m", subject]);
        git(job, "origin", &["rev-parse", "HEAD"])
    };
    job.sandbox.write(
        "origin/touchstone.toml",
        "[build]\ncommand = \"cp source mine && chmod +x mine\"\nbinary = \"mine\"\n",
    );
    job.sandbox.write("origin/source", format!("#!/bin/sh\nexec {}\n", hostile()));
    git(job, "origin", &["init", "--quiet"]);
    git(job, "origin", &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let base = commit("Begin");
    job.sandbox.write("origin/source", format!("#!/bin/sh\nexec {} {WRONG}\n", hostile()));
    commit("Name nobody");
    base
}

/// A command of git in a folder. Returns what it prints.
pub(crate) fn git(job: &Job, folder: &str, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=tests", "-c", "user.email=tests"]).args(arguments);
    let ended = Ended::of(git.current_dir(job.sandbox.path(folder)));
    ended.says(0, &[]);
    ended.stdout.trim().to_owned()
}

/// Stands in for `gh`: it keeps the comment in a file, and says what it was asked.
pub(crate) const GH: &str = "\
echo \"$@\" >>asked
if test -e refuses; then echo 'gh: Resource not accessible by integration (HTTP 403)' >&2; exit 1; fi
for last; do :; done
case $* in
    *' --paginate '*) if test -e comment; then printf '7\\n9\\n'; fi ;;
    *) cp \"${last#body=@}\" comment ;;
esac";

fn comment(job: &Job, variables: &[(&str, &str)]) -> Ended {
    let usual = [
        ("PULL_REQUEST", "12"),
        ("NAME", "touchstone"),
        ("OUT", "out"),
        ("GITHUB_REPOSITORY", "me/mine"),
        ("GITHUB_SERVER_URL", "https://example.org"),
        ("GITHUB_RUN_ID", "34"),
    ];
    job.script("comment.sh", &[&usual, variables].concat())
}

#[test]
fn a_pull_request_has_one_comment_which_is_updated() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        program(&job.sandbox, "bin/gh", GH);
        let asked = || {
            let asked = job.sandbox.text("asked");
            std::fs::remove_file(job.sandbox.path("asked")).unwrap();
            asked.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let says = |lines: &str| {
            let link =
                "Reports: artifact `touchstone` of [this run](https://example.org/me/mine/actions/runs/34).";
            assert_eq!(job.sandbox.text("comment"), format!("<!-- touchstone -->\n{lines}\n\n{link}\n"));
        };
        job.sandbox.write("out/summary.md", "of a push\n");
        job.sandbox.write("out/regress.md", "1 broken\n");
        comment(&job, &[("BASE", "1234")]).says(0, &[]);
        says("1 broken");
        let [find, post] = &asked()[..] else { panic!("it asks twice") };
        assert!(find.ends_with(" repos/me/mine/issues/12/comments?per_page=100"), "{find}");
        assert!(find.contains("startswith(env.marker)"), "{find}");
        assert!(
            post.starts_with("api --silent --method POST repos/me/mine/issues/12/comments --field body=@")
        );
        comment(&job, &[]).says(0, &[]);
        says("of a push");
        let patch = asked().pop().unwrap();
        assert!(
            patch.starts_with("api --silent --method PATCH repos/me/mine/issues/comments/7 --field body=@")
        );
        std::fs::remove_dir_all(job.sandbox.path("out")).unwrap();
        comment(&job, &[]).says(0, &[]);
        says("**Touchstone: no report was written**");
    }
}

/// The token of a fork may not write.
#[test]
fn a_comment_that_is_refused_is_a_warning() {
    for tools in Tools::all() {
        let job = Job::new(tools, "");
        program(&job.sandbox, "bin/gh", GH);
        job.sandbox.write("refuses", "");
        let ended = comment(&job, &[]);
        ended.says(0, &["HTTP 403"]);
        assert!(ended.stdout.starts_with("::warning::Touchstone cannot comment"), "{}", ended.stdout);
        assert!(ended.stdout.contains("pull-requests: write"), "{}", ended.stdout);
        if tools == Tools::Busybox {
            std::fs::remove_file(job.sandbox.path("bin/gh")).unwrap();
            let ended = comment(&job, &[]);
            ended.says(0, &[]);
            assert!(ended.stdout.ends_with("gh is not installed\n"), "{}", ended.stdout);
        }
    }
}
