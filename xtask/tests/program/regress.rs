//! `regress`, on repositories whose build writes a script that starts the engine for tests.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reports::{CompareRow, CompareVerdict};

use crate::players::{engine, hostile};
use crate::repository::{AUTHOR, BUILD, CHECKS, CONFIG, DEBUG, Repository, walk};
use crate::sandbox::{Ended, Sandbox, half_written};

#[test]
fn two_revisions() {
    let repository = Repository::new(DEBUG);
    repository.change(AUTHOR, "Mend debug");
    let before = repository.state();
    let ended = repository.regress(&["HEAD~1..HEAD"]);
    ended.says(1, &["building", "page: ../out/report.html"]);
    let rows = repository.rows();
    let expected =
        [(CompareVerdict::Fixed, "protocol/debug"), (CompareVerdict::Broken, "protocol/id-author")];
    assert_eq!(rows, expected.map(|(verdict, check)| (verdict, check.to_owned())));
    assert!(ended.stdout.ends_with("\n1 broken, 1 fixed\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("Mend debug"), "{}", ended.stdout);
    assert_eq!(repository.state(), before);
    // The replay names a program that is still there.
    let row = repository.sandbox.rows::<CompareRow>().pop().unwrap();
    let shown = Command::new("sh").arg("-c").arg(&row.replay).env("HOSTILE", hostile()).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("uciok"), "{} {shown:?}", row.replay);
    // Nothing is built or asked again, and the result is the same.
    let reports = || {
        ["compare.csv", "regress.json", "regress.md", "junit.xml"]
            .map(|name| repository.sandbox.text(&format!("out/{name}")))
    };
    let compared = reports();
    let ended = repository.regress(&["HEAD~1..HEAD"]);
    assert!(!ended.stderr.contains("building"), "{}", ended.stderr);
    assert_eq!(reports(), compared);
    // The other way round.
    repository.regress(&["HEAD..HEAD~1"]).says(1, &[]);
    assert_eq!(repository.rows()[0], (CompareVerdict::Broken, "protocol/debug".to_owned()));
}

#[test]
fn the_working_tree_against_the_main_branch() {
    let repository = Repository::new("");
    let check = |code, verdict: &str| {
        let before = repository.state();
        let ended = repository.regress(&[]);
        assert_eq!(ended.code, code, "{}{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains(verdict), "{}", ended.stdout);
        assert_eq!(repository.state(), before);
    };
    repository.regress(&[]).says(2, &["have the same files", "regress BASE..HEAD"]);
    // A change that is not committed, and a new file that is not added.
    repository.write("notes", "of today");
    check(0, "\nnothing changed\n");
    repository.write("arguments", DEBUG);
    check(1, "new  working tree: ");
    // On a branch, what it has in common with the main branch is the base.
    repository.git(&["checkout", "--quiet", "-b", "other"]);
    repository.commit("Break debug");
    check(1, "1 broken");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.change(AUTHOR, "Break id");
    repository.git(&["checkout", "--quiet", "other"]);
    check(1, "\n1 broken\n");
    // A file that git ignores is no change.
    repository.git(&["checkout", "--quiet", "-b", "third", "main"]);
    repository.write("ignored", "x");
    repository.regress(&[]).says(2, &["have the same files"]);
}

#[test]
fn a_shallow_clone() {
    let repository = Repository::new("");
    repository.change(AUTHOR, "Name nobody");
    let origin = repository.sandbox.path("origin");
    std::fs::rename(repository.sandbox.path("repo"), &origin).unwrap();
    let clone = |depth: &str| {
        let mut git = Command::new("git");
        git.args(["clone", "--quiet", "--depth", depth, &format!("file://{}", origin.display()), "repo"]);
        assert!(git.current_dir(repository.sandbox.path("")).status().unwrap().success());
    };
    let check = |revisions: &str, code: i32, verdict: &str| {
        let ended = repository.regress(&[revisions]);
        ended.says(code, &[]);
        assert!(ended.stdout.ends_with(&format!("\n{verdict}\n")), "{}", ended.stdout);
    };
    clone("1");
    repository.regress(&["HEAD~1..HEAD"]).says(2, &["there is no revision HEAD~1"]);
    repository.write("arguments", "");
    check("HEAD", 0, "nothing broke, 1 fixed");
    // New commits, after the clone in the cache was made.
    repository.change(DEBUG, "Break debug");
    check("HEAD~1..HEAD", 1, "1 broken, 1 fixed");
    repository.git(&["fetch", "--quiet", "--unshallow"]);
    check("HEAD~2..HEAD", 1, "1 broken");
}

#[test]
fn the_index_says_what_belongs_to_the_working_tree() {
    let repository = Repository::new("");
    repository.write("other/arguments", AUTHOR);
    repository.commit("Add a folder");
    repository.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/other"]);
    assert!(!repository.sandbox.path("repo/other").exists());
    repository.write("build.sh", &BUILD.replace("cat arguments", "cat ignored other/arguments"));
    repository.write("ignored", &format!("{DEBUG} "));
    repository.git(&["add", "--force", "ignored"]);
    let state = repository.state();
    let ended = repository.regress(&["HEAD"]);
    ended.says(1, &[]);
    assert!(ended.stdout.ends_with("\n2 broken\n"), "{}", ended.stdout);
    assert_eq!(repository.state(), state);
}

#[test]
fn broken_cases_that_the_author_accepts() {
    let repository = Repository::new("");
    repository.change(DEBUG, "Break debug");
    let accept = |entry: &str| repository.write("touchstone.toml", &format!("{CONFIG}[accept]\n{entry}\n"));
    accept("\"protocol/debug\" = \"it is planned\"");
    let ended = repository.regress(&["HEAD~1..HEAD"]);
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with(", 1 accepted\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n  because   accepted: it is planned"), "{}", ended.stdout);
    assert_eq!(repository.rows(), [(CompareVerdict::Accepted, "protocol/debug".to_owned())]);
    accept("\"protocol/d*\" = { reason = \"for now\", until = \"2001-02-03\" }");
    let ended = repository.regress(&["HEAD~1..HEAD"]);
    ended.says(1, &[]);
    assert!(
        ended.stdout.contains("note: expired: protocol/d* was accepted until 2001-02-03"),
        "{}",
        ended.stdout
    );
    accept("\"protocol/debag\" = \"?\"");
    repository.regress(&["HEAD~1..HEAD"]).says(2, &["did you mean protocol/debug"]);
}

#[test]
fn programs_and_reports() {
    let repository = Repository::new(DEBUG);
    repository.change("", "Mend debug");
    repository.regress(&["HEAD~1..HEAD"]).says(0, &[]);
    let builds = repository.sandbox.path("cache/builds");
    let binaries: Vec<String> = walk(&builds)
        .into_iter()
        .filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()))
        .filter(|path| path.ends_with("bin/mine"))
        .collect();
    let is_faulty = |path: &&String| std::fs::read_to_string(path).unwrap().contains("crash");
    let faulty = binaries.iter().find(is_faulty).unwrap();
    let right = binaries.iter().find(|path| !is_faulty(path)).unwrap();
    repository.regress(&["--old", right, "--new", faulty]).says(1, &[]);
    assert_eq!(repository.rows(), [(CompareVerdict::Broken, "protocol/debug".to_owned())]);
    let verify = |program: &str, out: &str| {
        let out = repository.sandbox.path(out);
        let out = out.to_str().unwrap();
        let asked = ["verify", "--engine", program, "--check", CHECKS, "--out", out];
        let ended = Ended::of(repository.sandbox.program().args(asked).env("HOSTILE", hostile()));
        assert!(ended.code < 2, "{}", ended.stderr);
        out.to_owned()
    };
    let (right_reports, faulty_reports) = (verify(right, "right"), verify(faulty, "faulty"));
    repository.regress(&["--old-report", &faulty_reports, "--new-report", &right_reports]).says(0, &[]);
    assert_eq!(repository.rows(), [(CompareVerdict::Fixed, "protocol/debug".to_owned())]);
    repository.regress(&["--old-report", &right_reports, "--new", faulty]).says(1, &[]);
    repository.regress(&["--old-report", "..", "--new", faulty]).says(2, &["checks.csv"]);
    repository.regress(&["--old", right]).says(2, &["--new"]);
    repository.regress(&["--old", right, "--new", "./nobody"]).says(2, &["./nobody"]);
}

/// A program that is wrong only in its first starts.
#[test]
fn a_difference_that_does_not_come_again_is_flaky() {
    let sandbox = Sandbox::new();
    let hostile = hostile();
    let engine = |name: &str, script: String| sandbox.write_program(name, script);
    engine("right/mine", format!("#!/bin/sh\nexec {hostile}\n"));
    let starts = sandbox.path("starts");
    let count = format!("echo x >> '{}'", starts.display());
    engine("wrong/mine", format!("#!/bin/sh\n{count}\nexec {hostile} {DEBUG}\n"));
    let counting = ["verify", "--engine", "wrong/mine", "--check", CHECKS, "--jobs", "1"];
    sandbox.run(counting).says(0, &[]);
    let first = std::fs::read_to_string(&starts).unwrap().lines().count();
    std::fs::remove_file(&starts).unwrap();
    engine(
        "flaky/mine",
        format!(
            "#!/bin/sh\n{count}\nif test $(wc -l < '{}') -le {first}; then exec {hostile} {DEBUG}; fi\nexec {hostile}\n",
            starts.display()
        ),
    );
    let cache = sandbox.path("cache");
    let regress = |new: &str| {
        let usual = "regress --no-speed --out out --jobs 2 --fail-on note --old right/mine --new";
        let arguments = usual.split(' ').chain([new]);
        Ended::of(sandbox.program().args(arguments).args(["--check", CHECKS]).env("TOUCHSTONE_CACHE", &cache))
    };
    let ended = regress("flaky/mine");
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with(", 1 flaky\n"), "{}", ended.stdout);
    regress("wrong/mine").says(1, &[]);
}

/// Compares the engine for tests with the same one with these arguments, in checks or suites.
fn against(arguments: &str, asked: &str) -> (Ended, Sandbox) {
    let sandbox = Sandbox::new();
    for (name, arguments) in [("old/mine", ""), ("new/mine", arguments)] {
        sandbox.write_program(name, format!("#!/bin/sh\nexec {} {arguments}\n", hostile()));
    }
    let usual = "regress --quick --no-speed --out out --jobs 2 --old old/mine --new new/mine";
    let arguments = usual.split(' ').chain(asked.split(' '));
    let ended = Ended::of(sandbox.program().args(arguments).env("TOUCHSTONE_CACHE", sandbox.path("cache")));
    (ended, sandbox)
}

/// The crash is asked again where it was found: over the moves of positions.
#[test]
fn a_crash_over_moves_is_broken() {
    let crash = "--heard 'position fen 8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1=>crash'";
    let (ended, sandbox) = against(crash, "--check movegen");
    ended.says(1, &[]);
    let rows: Vec<CompareRow> = sandbox.rows();
    let crashes: Vec<&CompareRow> = rows.iter().filter(|row| row.check == "process/crash").collect();
    assert!(!crashes.is_empty(), "{rows:#?}");
    assert!(crashes.iter().all(|row| row.verdict == CompareVerdict::Broken), "{crashes:#?}");
    assert!(crashes[0].case.starts_with("movegen/"), "{crashes:#?}");
    assert_eq!(crashes[0].explanation, "what went over the pipes is in process-crash-001.txt");
    let transcript = sandbox.text("out/new/transcripts/process-crash-001.txt");
    assert!(transcript.contains("KPp4r"), "{transcript}");
    assert!(sandbox.path("out/new/transcripts/again-process-crash-001.txt").exists());
    assert!(sandbox.text("out/report.html").contains("The end of process-crash-001.txt"));
    assert!(!ended.stdout.contains("flaky"), "{}", ended.stdout);
}

/// All searches that `stop` does not end are one fault, whatever the check asked.
#[test]
fn a_version_that_ignores_stop_is_broken_for_one_cause() {
    let asked = "--check protocol/isready-searching,protocol/stop";
    let (ended, sandbox) = against("--fault ignore-stop", asked);
    ended.says(1, &[]);
    let rows: Vec<CompareRow> = sandbox.rows();
    let broken: Vec<&CompareRow> = rows.iter().filter(|row| row.verdict == CompareVerdict::Broken).collect();
    for check in ["protocol/isready-searching", "protocol/stop"] {
        assert!(broken.iter().any(|row| row.check == check), "{check}: {rows:#?}");
    }
    assert!(broken.iter().all(|row| row.cause == "stop does not end a search"), "{broken:#?}");
    assert_eq!(ended.stdout.matches("\nbroken: ").count(), 1, "{}", ended.stdout);
}

/// Games at a fixed time for each move are lost by it.
#[test]
fn a_version_that_overruns_movetime_is_broken() {
    let (ended, sandbox) =
        against("--heard 'go movetime 200=>hear go movetime 1200'", "--check protocol/movetime");
    ended.says(1, &[]);
    let rows: Vec<CompareRow> = sandbox.rows();
    assert!(rows.iter().all(|row| row.verdict == CompareVerdict::Broken) && !rows.is_empty(), "{rows:#?}");
}

/// What the new version does not support any more, and what the time limit cuts off, is no success.
#[test]
fn what_only_the_old_version_answers_is_not_passed_over() {
    let (ended, sandbox) = against(
        "--said 'option name MultiPV=>option name Other'",
        "--check protocol/multipv,protocol/id-name",
    );
    ended.says(2, &[]);
    assert!(ended.stdout.ends_with("\nincomplete, 1 compared only before\n"), "{}", ended.stdout);
    let rows: Vec<CompareRow> = sandbox.rows();
    let row = rows.iter().map(|row| (row.verdict, &*row.check, &*row.b)).collect::<Vec<_>>();
    assert_eq!(row, [(CompareVerdict::OnlyA, "protocol/multipv", "not compared: not supported")]);
    assert!(sandbox.text("out/report.html").contains("incomplete, 1 compared only before"));

    let sandbox = Sandbox::new();
    let same = ["--old", engine(), "--new", engine(), "--suite", "stalemates,mates", "--time-limit", "1"];
    let usual = ["regress", "--no-speed", "--out", "out"];
    let ended =
        Ended::of(sandbox.program().args(usual).args(same).env("TOUCHSTONE_CACHE", sandbox.path("cache")));
    ended.says(2, &[]);
    assert!(ended.stdout.contains("\nincomplete: the time limit was reached"), "{}", ended.stdout);
    assert!(ended.stdout.contains("--time-limit N"), "{}", ended.stdout);
}

#[test]
fn a_revision_that_does_not_build() {
    let repository = Repository::new("");
    repository.regress(&["nobody"]).says(2, &["no revision nobody"]);
    repository.write("broken", "");
    let ended = repository.regress(&[]);
    ended.says(2, &["working tree does not build", "mine.c:7: error: no such piece", "../out/new-build.log"]);
    assert!(repository.sandbox.text("out/new-build.log").contains("no such piece"));
    std::fs::remove_file(repository.sandbox.path("repo/broken")).unwrap();
    repository.write("touchstone.toml", "[build]\ncommand = \"sh build.sh\"\nbinary = \"bin/other\"\n");
    repository.regress(&["HEAD..HEAD"]).says(2, &["have the same files"]);
    repository.regress(&[]).says(2, &["bin/other is not there after: sh build.sh"]);
    std::fs::remove_file(repository.sandbox.path("repo/touchstone.toml")).unwrap();
    repository.regress(&[]).says(2, &["no file says how to build", "[build]"]);
}

/// The cache lies in the repository, as in many a CI, and a killed run has left a clone without its `.git`.
#[test]
fn a_broken_clone_is_made_anew_and_the_repository_stays() {
    let repository = Repository::new(DEBUG);
    repository.change("", "Mend debug");
    repository.write(".gitignore", "cache\n");
    repository.commit("Ignore the cache");
    let regress = || {
        let arguments = ["regress", "--no-speed", "--check", CHECKS, "HEAD~2..HEAD~1"];
        let cache = repository.sandbox.path("repo/cache");
        Ended::of(repository.program(&arguments).env("TOUCHSTONE_CACHE", cache))
    };
    regress().says(0, &[]);
    for clone in std::fs::read_dir(repository.sandbox.path("repo/cache/clones")).unwrap().map(Result::unwrap)
    {
        if clone.path().is_dir() {
            std::fs::remove_dir_all(clone.path().join(".git")).unwrap();
        }
    }
    std::fs::remove_dir_all(repository.sandbox.path("repo/cache/builds")).unwrap();
    repository.write("arguments", "of today");
    repository.write("notes", "new");
    repository.git(&["add", "notes"]);
    let state = || [repository.git(&["status", "--porcelain"]), repository.git(&["rev-parse", "HEAD"])];
    let before = state();
    regress().says(0, &["building"]);
    assert_eq!(state(), before);
    assert_eq!(repository.sandbox.text("repo/arguments"), "of today");
}

#[test]
fn files_of_a_build_are_within_the_repository() {
    let repository = Repository::new("");
    repository.sandbox.write("mine.nnue", "a net");
    let outside = repository.sandbox.path("mine.nnue");
    for path in [outside.to_str().unwrap(), "../mine.nnue"] {
        repository.write("touchstone.toml", &format!("{CONFIG}files = [{path:?}]\n"));
        repository.regress(&[]).says(2, &[path, "is not within the repository"]);
    }
    assert_eq!(repository.sandbox.text("mine.nnue"), "a net");
}

/// The reports go into a folder of the repository that git does not ignore.
#[test]
fn reports_are_no_change() {
    let repository = Repository::new("");
    repository.write("notes", "of today");
    let regress = || {
        let mut program = repository.sandbox.program();
        program.current_dir(repository.sandbox.path("repo"));
        program.env("TOUCHSTONE_CACHE", repository.sandbox.path("cache")).env("HOSTILE", hostile());
        Ended::of(program.args(["regress", "--no-speed", "--check", CHECKS]))
    };
    regress().says(0, &["building", "target/touchstone/regress"]);
    assert_eq!(repository.git(&["status", "--porcelain"]), "?? notes");
    let again = regress();
    assert!(again.code == 0 && !again.stderr.contains("building"), "{}", again.stderr);
}

/// So are those of `verify`, in a folder that it makes.
#[test]
fn reports_of_verify_are_no_change() {
    let repository = Repository::new("");
    let verify = |out: &str| {
        let mut program = repository.sandbox.program();
        program.current_dir(repository.sandbox.path("repo"));
        let asked = ["verify", "--engine", hostile(), "--check", "protocol/id-name", "--out", out];
        Ended::of(program.args(asked)).says(0, &[]);
        repository.git(&["status", "--porcelain"])
    };
    assert_eq!(verify("target/reports"), "");
    assert_eq!(verify("target/reports"), "");
    // A folder that is there already may be one for reports that are committed.
    repository.write("kept/notes", "");
    assert_eq!(verify("kept"), "?? kept/");
}

#[test]
fn a_speed_that_was_not_measured_is_not_fast_enough() {
    let repository = Repository::new("");
    repository.write("notes", "of today");
    repository.regress(&[]).says(0, &[]);
    repository.regress(&["--fail-on", "slower:5%"]).says(2, &[]);
}

/// Two revisions of which the builds are one file have one speed.
#[test]
fn equal_builds_have_no_difference_of_speed() {
    let repository = Repository::new("");
    repository.write("build.sh", "mkdir bin; cp \"$HOSTILE\" bin/mine\n");
    repository.commit("Build a program");
    repository.write("notes", "of today");
    let slower = ["regress", "--quick", "--check", CHECKS, "--fail-on", "slower:5%", "HEAD"];
    let ended = Ended::of(&mut repository.program(&slower));
    ended.says(0, &[]);
    let told = "note: both are the same program, so that there is no difference of speed\n";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    assert_eq!(repository.sandbox.text("out/speed.csv").lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn nothing_stays_of_a_run_that_is_ended_in_a_build() {
    let repository = Repository::new("");
    let before = repository.state();
    repository.write("build.sh", "echo $$ > \"$BUILDS\"; sleep 1000 & wait");
    let pid = repository.sandbox.path("pid");
    let mut program = repository.program(&["regress", "--no-speed", "--check", CHECKS]);
    let mut run = program.env("BUILDS", &pid).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    while std::fs::read_to_string(&pid).unwrap_or_default().trim().is_empty() {
        assert!(Instant::now() < until, "the build does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap().success());
    assert!(!run.wait().unwrap().success());
    std::thread::sleep(Duration::from_millis(200));
    let build = std::fs::read_to_string(&pid).unwrap();
    let state = Command::new("ps").args(["-o", "stat=", "-p", build.trim()]).output().unwrap().stdout;
    // Where nobody waits for it, it stays a zombie.
    assert!(state.is_empty() || state.starts_with(b"Z"), "{}", String::from_utf8_lossy(&state));
    assert_eq!(half_written(&repository.sandbox.path("cache/builds")), [""; 0]);
    assert!(!repository.sandbox.path("out/compare.csv").exists());
    repository.git(&["checkout", "--quiet", "build.sh"]);
    assert_eq!(repository.state(), before);
}
