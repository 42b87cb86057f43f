//! `verify --engine` with players that know nothing, print wrong values, or crash.

use std::collections::BTreeSet;

use reports::{CheckRow, DifferenceRow};
use suites::catalogue::{Severity, severity};
use suites::{Answer, Difference, EngineScore, ToldScore};

use crate::players::{engine, hostile, proxy};
use crate::sandbox::{Ended, Sandbox};

/// Mates of one and two moves, lost and won, a position without a mate, and the first position of a game.
pub(crate) const SHORT: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
5rk1/1pp3p1/p1nN4/3pp3/P2q4/1P6/2P1P2p/2K5 b - - 1 28 dm 1;\n\
2kr4/1p3pp1/ppn5/2b5/4q3/PPPp4/5P2/6K1 b - - 0 26 dm 2;\n\
r1b3k1/pp3pp1/7B/3p4/8/2Pn4/PP1K1q2/R7 w - - 4 24 dm -1;\n\
3R4/2p2R1k/p6p/2p5/4P3/P1B3P1/P6P/2K5 b - - 2 32 dm -2;\n\
7r/Bp3pk1/1rP5/PR1p1R2/4Q3/3P2p1/3KN1B1/8 w - - 3 45\n";
const SHORT_MATES: &str = "--suite mates --epd short.epd";
/// Mates, lost and won, false ones, and the first position of a game.
const FEW: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
5rk1/1pp3p1/p1nN4/3pp3/P2q4/1P6/2P1P2p/2K5 b - - 1 28 dm 1;\n\
r1b1kb2/pp5r/4p3/7p/2R1pn2/3q4/P4P1P/4B1K1 b - - 3 27 dm 2;\n\
2kr4/1p3pp1/ppn5/2b5/4q3/PPPp4/5P2/6K1 b - - 0 26 dm 2;\n\
2k4r/1pp3p1/p6n/4Bb1P/8/P7/1P3PK1/R2rq3 b - - 0 28 dm 3;\n\
5k2/8/1b1P2p1/3Q1P1p/P4P2/BP1N2P1/2P1N1KP/5R2 w - - 0 33 dm 3;\n\
rn4k1/p5bp/bpp3p1/3n4/3P4/6QP/P1qBr1P1/R4K1R b - - 1 23 dm 4;\n\
r1b3k1/pp3pp1/7B/3p4/8/2Pn4/PP1K1q2/R7 w - - 4 24 dm -1;\n\
r1b3k1/pp3pp1/7B/3p4/8/2Pn1q2/PP6/R3K3 w - - 2 23 dm -2;\n\
3R4/2p2R1k/p6p/2p5/4P3/P1B3P1/P6P/2K5 b - - 2 32 dm -2;\n\
5N1r/1p3kp1/p2r2Pp/4Q3/2p1BB2/8/PP2PP2/R4K1R b - - 0 28 dm -3;\n\
3q1rk1/5p2/1P5Q/5Np1/3Pp3/8/r4PPP/1R2K2R b - - 6 24 dm -3;\n\
7r/Bp3pk1/1rP5/PR1p1R2/4Q3/3P2p1/3KN1B1/8 w - - 3 45\n\
6nr/2p2kb1/rp3ppp/PQ1pp3/P1NN2qP/B2PP3/4b3/R3K2R w - - 6 31\n\
8/8/P7/k7/P3PK1p/7P/1R6/8 w - - 11 63 dm 2;\n";
const MATES: &str = "--suite mates --epd few.epd";

/// A program with these arguments, asked for these checks.
fn verify(sandbox: &Sandbox, program: &str, arguments: &[&str], asked: &str) -> Ended {
    sandbox.write("few.epd", FEW);
    sandbox.write("short.epd", SHORT);
    let mut args = vec!["verify", "--out", "out", "--engine", program, "--time-limit", "600"];
    let arguments: Vec<String> = arguments.iter().map(|argument| format!("--args={argument}")).collect();
    args.extend(arguments.iter().map(String::as_str));
    args.extend(asked.split_whitespace());
    sandbox.run(args)
}

/// The engine for tests with this fault, asked for mates.
fn faulty(sandbox: &Sandbox, faults: &[&str], asked: &str) -> Ended {
    let arguments: Vec<&str> = faults.iter().flat_map(|fault| ["--fault", fault]).collect();
    let arguments = [&arguments[..], &["--once", "once"]].concat();
    verify(sandbox, hostile(), &arguments, asked)
}

/// Our engine behind a proxy, which alters so what it prints.
fn altered(sandbox: &Sandbox, rule: &str, when: &str, asked: &str) -> Ended {
    let arguments = ["--rule", rule, "--when", when, "--once", "once", engine()];
    verify(sandbox, proxy(), &arguments, asked)
}

fn findings(sandbox: &Sandbox) -> Vec<Difference> {
    sandbox.rows::<DifferenceRow>().into_iter().map(|row| row.0).collect()
}

/// It ends with this code, and its findings are all of these checks, each of which there is.
#[track_caller]
fn finds(sandbox: &Sandbox, ended: &Ended, code: i32, checks: &[&str]) -> Vec<Difference> {
    let found = findings(sandbox);
    assert_eq!(ended.code, code, "{}\n{}", ended.stdout, ended.stderr);
    let ids: BTreeSet<&str> = found.iter().map(|found| &*found.check).collect();
    assert_eq!(ids, checks.iter().copied().collect(), "{found:#?}");
    found
}

/// It plays any legal move and scores 0 whatever it sees: it agrees in nothing that it does not know.
#[test]
fn a_player_without_knowledge_agrees_to_nothing() {
    let epd = "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n8/8/8/4k3/4P3/4K3/8/8 w - - 0 1\n";
    for asked in ["--quick --suite stalemates,mates,draws,conversion", "--suite mates --epd their.epd"] {
        let sandbox = Sandbox::new();
        sandbox.write("their.epd", epd);
        let ended = faulty(&sandbox, &["blank"], asked);
        let rows: Vec<CheckRow> = sandbox.rows();
        let own = rows.iter().filter(|row| row.subject == "hostile");
        let knowing = own.filter(|row| !row.check.starts_with("process/"));
        let (agreed, observed) =
            knowing.fold((0, 0), |(agreed, observed), row| (agreed + row.agreed, observed + row.observed));
        assert_eq!(agreed, 0, "{asked}: {}{rows:#?}", ended.stdout);
        assert!(observed > 0, "{}", ended.stdout);
    }
}

/// A win that is given away at a depth at which a search need not see that is a note, and all notes are one
/// finding.
#[test]
fn shallow_stalemates_are_one_finding() {
    let sandbox = Sandbox::new();
    let ended = faulty(&sandbox, &["shallow-stalemate"], "--suite stalemates");
    let found = findings(&sandbox);
    let shallow: Vec<_> = found.iter().filter(|found| found.check == "stalemate/shallow").collect();
    assert!(shallow.len() > 1, "{found:#?}");
    assert!(shallow.iter().all(|found| severity(&found.check) == Severity::Note), "{shallow:#?}");
    assert_eq!(
        ended.stdout.matches("note: hostile: won positions are stalemated at small depths\n").count(),
        1,
        "{}",
        ended.stdout
    );
}

/// An engine that answers long after its limit and after `stop` is one finding, and no hang.
#[test]
#[ignore = "nightly: it waits for each answer"]
fn late_answers_are_one_finding() {
    let sandbox = Sandbox::new();
    let checks = "--check draw,movegen/king,protocol/stop --time-limit 90";
    let ended = sandbox.verify(&format!("--engine {} --args=--fault --args=thinks-on {checks}", hostile()));
    let found = finds(&sandbox, &ended, 1, &["process/late"]);
    assert!(found[0].stored.to_string().starts_with("bestmove after 6 s, and without a score"), "{found:#?}");
}

/// Another limit does not take the place of a false answer, nor another process that was not asked before.
#[test]
fn occasional_false_mates_are_found() {
    let after_others = "; a fresh process repeats it only after the ";
    // What is true by chance, or longer than it has to be, has a line or a move that does not mate.
    for (faults, checks, explanation) in [
        (&["unsound-in-nodes"][..], &["mate/line", "mate/sign", "mate/unsound"][..], ""),
        (&["unsound-in-nodes", "one-line"], &["mate/sign", "mate/thrown", "mate/unsound"], ""),
        (&["unsound-later"], &["mate/line", "mate/sign", "mate/unsound"], after_others),
    ] {
        let sandbox = Sandbox::new();
        // One thread asks, so that each question is always the same search of its process.
        let ended = faulty(&sandbox, faults, &format!("{MATES} --jobs 1"));
        let found = finds(&sandbox, &ended, 1, checks);
        assert!(found.len() > 7, "{faults:?}: {}", found.len());
        assert!(found.iter().all(|found| found.explanation.contains(explanation)), "{found:#?}");
    }
}

#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let by = |jobs: &str| {
        let sandbox = Sandbox::new();
        faulty(&sandbox, &["unsound-in-nodes"], &format!("{MATES} --jobs {jobs}"));
        (sandbox.text("out/checks.csv"), sandbox.text("out/differences.csv"), sandbox.text("out/mates.csv"))
    };
    assert_eq!(by("1"), by("2"));
}

/// What comes once is a note, with all that was said.
#[test]
fn a_finding_that_is_not_reproduced_is_a_note() {
    let sandbox = Sandbox::new();
    let ended = faulty(&sandbox, &["unsound-once"], &format!("{SHORT_MATES} --transcripts all"));
    let [found] = &finds(&sandbox, &ended, 0, &["mate/flaky"])[..] else { panic!("{}", ended.stdout) };
    assert_eq!(severity(&found.check), Severity::Note);
    let is_mate_in_2 = matches!(&found.stored, Answer::Score(ToldScore { score: EngineScore::Mate(2), .. }));
    assert!(is_mate_in_2 && found.explanation.contains("it came in 1 of "), "{found:#?}");
    assert!(
        ended.stdout.contains("1 differs (note)") || ended.stdout.contains("1 differ (note)"),
        "{}",
        ended.stdout
    );
    let question = format!("> position fen {}\n", found.fen);
    let asked = sandbox.files("all").values().map(|text| text.matches(&question).count()).sum::<usize>();
    assert!(asked >= 3, "first, of another process, and again; then after earlier questions: {asked}");
    for (fault, awaited) in [("crash-once", "process/crash"), ("hang-once", "process/hang")] {
        let sandbox = Sandbox::new();
        let ended = faulty(&sandbox, &[fault], SHORT_MATES);
        let [found] = &finds(&sandbox, &ended, 0, &["process/flaky"])[..] else { panic!("{}", ended.stdout) };
        assert!(
            found.explanation.starts_with("it came once in 2 tries: asked the same again, it answered"),
            "{found:#?}"
        );
        let rows: Vec<CheckRow> = sandbox.rows();
        let row = rows.iter().find(|row| row.check == awaited).unwrap();
        assert_eq!((row.differed, row.errors), (1, 0));
        assert!(rows.iter().all(|row| row.skipped == 0), "{rows:#?}");
        assert_eq!(sandbox.files("out/transcripts").len(), 1);
    }
}

/// A process that breaks only once it was asked something is found, with both transcripts.
#[test]
fn a_late_failure_is_found() {
    let sandbox = Sandbox::new();
    let ended = faulty(&sandbox, &["crash-later"], SHORT_MATES);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    let found = findings(&sandbox);
    let crash = found.iter().find(|found| found.check == "process/crash").expect("a crash");
    let quoted = "its last line on standard error is \"no node at #\"";
    assert!(crash.explanation.contains(quoted), "{crash:#?}");
    let transcripts = sandbox.files("out/transcripts");
    let both = |text: &&String| {
        text.split("# the same, asked again").filter(|text| text.contains("it ended with")).count() == 2
    };
    assert!(transcripts.values().any(|text| both(&text)), "{transcripts:#?}");
}

/// What comes at the third question of a process only is shown by a process that is asked two others before.
#[test]
fn altered_output_of_a_third_question_is_shown_with_the_others() {
    let sandbox = Sandbox::new();
    // One thread asks, so that the third questions are always the same.
    let ended = altered(&sandbox, "win-1", "every=3", &format!("{MATES} --jobs 1"));
    let found = finds(&sandbox, &ended, 1, &["mate/line", "mate/unsound"]);
    assert!(found.iter().all(|found| found.replay.matches("position fen ").count() > 2), "{found:#?}");
    let ended = altered(&sandbox, "win+1", "never", SHORT_MATES);
    ended.says(2, &[]);
}
