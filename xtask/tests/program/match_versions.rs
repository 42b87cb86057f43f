//! `--match` of `regress` and `compare`: a match of two versions after the suites.

use crate::players::{engine, hostile};
use crate::repository::{DEBUG, Repository};
use crate::sandbox::{Ended, Sandbox};

/// Compares two engines in one check, and lets them play.
fn compare(sandbox: &Sandbox, [a, b]: [&str; 2], words: &str) -> Ended {
    let usual = "--quick --check protocol/id-name --time-limit 600 --out out";
    let asked = ["compare", a, b].into_iter().chain(usual.split(' ')).map(str::to_owned);
    sandbox.run(asked.chain([format!("--match={words}")]))
}

/// Our engine plays far better than that for tests.
const WORDS: &str = "elo0=-200 elo1=0 --each nodes=100 --openings book.epd";
const BOOK: &str = "\
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

#[test]
fn a_version_that_is_weaker_is_a_regression() {
    let sandbox = Sandbox::new();
    sandbox.write("book.epd", BOOK);
    let weaker = compare(&sandbox, [engine(), hostile()], WORDS);
    weaker.says(1, &["games in out/match/games.pgn"]);
    assert!(weaker.stdout.contains("\nb against a: lost all 14 games"), "{}", weaker.stdout);
    assert!(
        weaker.stdout.ends_with(" games the test elo0=-200 elo1=0 says H0: a regression\n"),
        "{}",
        weaker.stdout
    );
    assert!(sandbox.path("out/a/engine.json").exists() && sandbox.path("out/match/standings.csv").exists());
    // The match stays, and nobody waits for the suites to hear that.
    let again = compare(&sandbox, [engine(), hostile()], WORDS);
    again.says(2, &["--match", "out/match holds a match", "--resume"]);
    assert!(!again.stderr.contains("reports in"), "{}", again.stderr);
    let resumed = compare(&sandbox, [engine(), hostile()], &format!("{WORDS} --resume"));
    resumed.says(1, &[]);
    let stronger = compare(&sandbox, [hostile(), engine()], &format!("{WORDS} --out stronger"));
    stronger.says(0, &["games in stronger/games.pgn"]);
    assert!(stronger.stdout.ends_with(" says H1: no regression\n"), "{}", stronger.stdout);
    let undecided = compare(&sandbox, [hostile(), engine()], &format!("{WORDS} --out few --rounds 1"));
    undecided.says(0, &[]);
    let told = "\nmatch: after 2 games the test elo0=-200 elo1=0 is undecided: no regression is shown\n";
    assert!(undecided.stdout.ends_with(told), "{}", undecided.stdout);
}

/// Words for one version make it another program. It is broken if it does not play at all.
#[test]
fn a_version_that_crashes_is_broken() {
    let sandbox = Sandbox::new();
    let words = "--each depth=1 --rounds 20 --of b:arg=--fault b:arg=exit-at-go";
    let crashing = compare(&sandbox, [hostile(), hostile()], words);
    crashing.says(1, &["error: game 1: b: it ended with status 0"]);
    assert!(crashing.stdout.contains("\nmatch: after 5 games the test "), "{}", crashing.stdout);
}

/// A test that asks for a gain says nothing of a regression.
#[test]
fn no_gain_is_no_regression() {
    let sandbox = Sandbox::new();
    sandbox.write("book.epd", BOOK);
    let words = WORDS.replace("elo0=-200 elo1=0", "elo0=0 elo1=200");
    let weaker = compare(&sandbox, [engine(), hostile()], &words);
    weaker.says(0, &[]);
    assert!(weaker.stdout.ends_with(" says H0: no gain of 200 Elo\n"), "{}", weaker.stdout);
}

#[test]
fn versions_that_play_alike_need_no_match() {
    let sandbox = Sandbox::new();
    let alike = compare(&sandbox, [hostile(), hostile()], "--each nodes=300");
    alike.says(0, &[]);
    let last = alike.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("no match: both versions search the same nodes to depth "), "{}", alike.stdout);
    assert!(!sandbox.path("out/match").exists());
    // The build copies the same file.
    let repository = Repository::new("");
    repository.write("build.sh", "mkdir bin; cp \"$HOSTILE\" bin/mine\n");
    repository.commit("Build a program");
    repository.write("notes", "of today");
    let same = repository.regress(&["HEAD", "--match"]);
    same.says(0, &[]);
    assert!(same.stdout.ends_with("\nno match: both versions are the same program\n"), "{}", same.stdout);
}

#[test]
fn the_new_version_of_regress_plays_first() {
    let repository = Repository::new(DEBUG);
    repository.change("", "Mend debug");
    let words = "--match=--each nodes=1 --rounds 1 --maxmoves 4";
    let mended = repository.regress(&["HEAD~1..HEAD", words]);
    mended.says(0, &[]);
    assert!(mended.stdout.contains("\ngame 1 of 2: new - old  "), "{}", mended.stdout);
    let told = "\nmatch: after 2 games the test elo0=-5 elo1=0 is undecided: no regression is shown\n";
    assert!(mended.stdout.ends_with(told), "{}", mended.stdout);
    let header = repository.sandbox.text("out/match/match.jsonl");
    assert!(header.starts_with("{\"format\":1,\"engines\":[{\"name\":\"new\","), "{header}");
    // What is worse already plays no match.
    let words = format!("{words} --out ../other");
    let broken = repository.regress(&["HEAD..HEAD~1", &words]);
    broken.says(1, &[]);
    assert!(broken.stdout.ends_with("\nno match: the new version is worse already\n"), "{}", broken.stdout);
    assert!(!repository.sandbox.path("other").exists());
}

#[test]
fn words_that_make_no_match() {
    let sandbox = Sandbox::new();
    sandbox.write("book.epd", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n");
    let check = |words: &str, parts: &[&str]| {
        let ended = compare(&sandbox, [hostile(), hostile()], words);
        ended.says(2, &[parts, &["--match"]].concat());
        assert!(!sandbox.path("out").exists(), "{words}");
    };
    check("--roundz 5", &["unexpected argument '--roundz'"]);
    check("--rounds 5 \"", &["quote"]);
    check("elo0=5", &["elo1= is missing"]);
    check("--rounds 5 ./other", &["\"./other\" is no word"]);
    check("--openings nowhere.epd", &["nowhere.epd"]);
    check("--openings book.epd", &["book.epd", "line 1"]);
    check("--each tc=abc", &["\"abc\" is no number of seconds"]);
    check("--resume", &["out/match holds no match to go on with"]);
    let repository = Repository::new("");
    let json = ["HEAD", "--format", "json", "--match"];
    repository.regress(&json).says(2, &["--match prints its games", "--out"]);
    let reports = ["--old-report", "a", "--new-report", "b", "--match"];
    repository.regress(&reports).says(2, &["--match", "cannot be used with"]);
}
