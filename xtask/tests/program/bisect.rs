//! `bisect`, and the `cache` that it and `regress` fill.

use crate::repository::{BUILD, DEBUG, Repository};
use crate::sandbox::Ended;

#[test]
fn the_revision_that_broke_a_check() {
    let repository = Repository::new("");
    let mut commits = vec![repository.git(&["rev-parse", "HEAD"])];
    for number in 1..12 {
        match number {
            4 => repository.write("broken", ""),
            5 => std::fs::remove_file(repository.sandbox.path("repo/broken")).unwrap(),
            7 => repository.write("arguments", DEBUG),
            _ => repository.write("notes", &number.to_string()),
        }
        commits.push(repository.commit(&format!("Change {number}")));
    }
    // A build may change files that git knows.
    repository.sandbox.write("repo/build.sh", format!("{BUILD}echo built >> notes\n"));
    let built = repository.commit("Note each build");
    let before = repository.state();
    let bisect = |arguments: &[&str]| {
        let usual = ["bisect", "--check", "protocol/debug"];
        Ended::of(&mut repository.program(&[&usual, arguments].concat()))
    };
    let ended = bisect(&[&commits[0]]);
    ended.says(0, &["good", "bad", "log in ../out/bisect.log"]);
    assert!(ended.stdout.starts_with("first bad: "), "{}", ended.stdout);
    assert!(ended.stdout.contains("Change 7\n") && ended.stdout.contains(&commits[7]), "{}", ended.stdout);
    assert!(ended.stdout.contains("protocol/debug"), "{}", ended.stdout);
    assert!(repository.sandbox.text("out/bisect.log").contains("first bad commit"));
    // The revision that does not build is asked for where it is the middle.
    let ended = bisect(&[&format!("{}..{}", commits[3], commits[5])]);
    ended.says(2, &["has no finding of protocol/debug"]);
    bisect(&[&commits[8]]).says(2, &["Change 8 has the finding too"]);
    bisect(&[&commits[4]]).says(2, &["Change 4 does not build", "name another revision"]);
    bisect(&[&built]).says(2, &["has the finding too"]);
    assert_eq!(before, repository.state());
}

#[test]
fn a_revision_that_cannot_be_tested_may_be_the_first_bad_one() {
    let repository = Repository::new("");
    repository.write("broken", "");
    repository.commit("Break the build");
    std::fs::remove_file(repository.sandbox.path("repo/broken")).unwrap();
    repository.change(DEBUG, "Break debug");
    let ended = Ended::of(&mut repository.program(&["bisect", "--check", "protocol/debug", "HEAD~2"]));
    ended.says(2, &["skip", "Break the build"]);
    assert!(ended.stdout.starts_with("the first bad one is among these"), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("Break the build") && ended.stdout.contains("Break debug"),
        "{}",
        ended.stdout
    );
}

#[test]
fn what_is_kept_is_listed_and_cleared() {
    let repository = Repository::new(DEBUG);
    repository.change("", "Mend debug");
    repository.regress(&["HEAD~1..HEAD"]).says(0, &[]);
    let cache = |arguments: &[&str]| {
        let cache = repository.sandbox.path("cache");
        Ended::of(repository.sandbox.program().arg("cache").args(arguments).env("TOUCHSTONE_CACHE", cache))
    };
    let listed = cache(&["list"]).stdout;
    for kind in ["builds", "results", "clones"] {
        assert_eq!(listed.lines().filter(|line| line.starts_with(kind)).count(), 2, "{listed}");
    }
    assert!(listed.contains("Mend debug"), "{listed}");
    cache(&["clear"]).says(0, &[]);
    assert_eq!(cache(&["list"]).stdout, "");
}
