//! The context `movegen/*` on an engine without faults, and with each of some: it is silent there, and names the right rule here.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use arbiter::movegen::{self, Extent};
use arbiter::player::ProgramFactory;
use arbiter::{Effort, Incident, NoProgress, Outcome};
use suites::{Difference, Findings, SkipReason};
use uci::{Engine, Message, Program, Timeouts};

fn program(faults: &[&str]) -> Program {
    let arguments = faults.iter().flat_map(|fault| ["--fault".into(), (*fault).into()]).collect();
    let path = env!("CARGO_BIN_EXE_hostile").into();
    Program { name: "hostile".to_owned(), path, arguments, ..Program::default() }
}

fn try_it(faults: &[&str]) -> Vec<Findings> {
    tried(program(faults), 2_000).findings
}

fn tried(program: Program, most_nodes: u64) -> Outcome<()> {
    let players = ProgramFactory::new(program, Timeouts::default(), None);
    let extent = Extent { most_nodes, ..Effort::Thorough.into() };
    movegen::run(&players, &extent, &NoProgress).expect("suites that can be read")
}

/// One with these faults that aborts when it hears this line.
fn crashing(faults: &[&str], line: &str) -> Program {
    let mut program = program(faults);
    program.arguments.extend(["--heard".into(), format!("{line}=>crash").into()]);
    program
}

/// Over which cases it broke, how, and after what; its transcripts are never twice the same.
fn broken(outcome: &Outcome<()>) -> Vec<(&str, &str, &str, &str)> {
    for Incident { fen, transcript, .. } in &outcome.incidents {
        assert!(transcript.contains(&format!("> position fen {fen}")), "{fen}: {transcript}");
    }
    let rows = outcome.incidents.iter();
    rows.map(|row| (row.case.as_str(), row.failure.id(), row.fen.as_str(), row.replay.as_str())).collect()
}

fn differences(found: &[Findings]) -> Vec<&Difference> {
    found.iter().flat_map(|findings| &findings.differences).collect()
}

fn ids(found: &[Findings]) -> BTreeSet<&str> {
    differences(found).into_iter().map(|difference| difference.check.as_str()).collect()
}

/// How many men stand in the position of a difference.
fn men(difference: &Difference) -> usize {
    difference.fen.chars().take_while(|c| *c != ' ').filter(char::is_ascii_alphabetic).count()
}

/// What it says to the lines of a replay command: its last line but for those that are empty.
fn replayed(faults: &[&str], difference: &Difference) -> String {
    let text = difference.replay.strip_prefix("(printf '%s\\n' uci '").expect("a replay");
    let (lines, _) = text.split_once("'; sleep ").expect("its lines");
    let mut engine = Engine::launch(&program(faults), Timeouts::default()).expect("a process");
    lines.split("' '").for_each(|line| engine.say(line));
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match engine.listen(until).expect("a line").expect("an answer") {
            Message::BestMove(best) => return format!("bestmove {}", best.text),
            Message::Other(line) if line.starts_with("Nodes searched: ") => return line,
            _ => {}
        }
    }
}

/// A fault of plain UCI: it alone is named, in small positions that show it.
#[track_caller]
fn check(fault: &str, id: &str, kind: &str, most_men: usize) {
    let faults = [fault, "no-perft"];
    let found = try_it(&faults);
    assert_eq!(ids(&found), [id].into(), "{fault}: {:#?}", differences(&found));
    let differences = differences(&found);
    for difference in &differences {
        assert!(difference.explanation.starts_with(&format!("{kind} moves: ")), "{difference:#?}");
        let men = men(difference);
        assert!(men <= most_men, "{men} men: {difference:#?}");
    }
    let said = replayed(&faults, differences[0]);
    assert!(differences[0].stored.starts_with(&said), "{said}: {:#?}", differences[0]);
}

#[test]
fn who_has_no_fault_has_no_finding() {
    let found = try_it(&[]);
    assert_eq!(differences(&found), [] as [&Difference; 0]);
    for findings in &found {
        let tally = &findings.tally;
        if tally.case_set == "chess960" {
            assert_eq!(tally.skipped, [(SkipReason::Unsupported, tally.total())].into());
        } else {
            assert_eq!(tally.skipped_total(), 0, "{tally:?}");
            assert!(tally.agreed >= 8, "{tally:?}");
        }
    }
}

#[test]
fn forgotten_moves_are_named() {
    check("no-en-passant", "movegen/en-passant", "missing", 4);
    check("queens-only", "movegen/promotion", "missing", 5);
}

#[test]
fn moves_that_are_too_many_are_named() {
    check("castles-through-check", "movegen/castling", "extra", 5);
    check("no-pins", "movegen/pins", "extra", 5);
    check("no-evasions", "movegen/checks", "extra", 6);
    check("rash-king", "movegen/king", "extra", 5);
    check("jumping-pawns", "movegen/pieces", "extra", 5);
}

#[test]
fn wrong_counts_lead_to_the_smallest_position() {
    for faults in [&["no-en-passant"][..], &["no-en-passant", "bare-perft"]] {
        let found = try_it(faults);
        assert_eq!(ids(&found), ["movegen/perft", "movegen/en-passant"].into(), "{:#?}", differences(&found));
        let is_count = |difference: &&&Difference| difference.check == "movegen/perft";
        let differences = differences(&found);
        let counts: Vec<_> = differences.iter().filter(is_count).collect();
        assert!(counts.len() > 5, "{}", counts.len());
        for difference in counts {
            let men = men(difference);
            assert!(men <= 4, "{difference:#?}");
            assert!(difference.expected.ends_with(" nodes at depth 1"), "{difference:#?}");
            let explanation = &difference.explanation;
            let bare = faults.len() > 1;
            let said = if bare { "it does not name them" } else { "missing moves: " };
            assert!(explanation.contains(said), "{difference:#?}");
        }
    }
}

#[test]
fn a_count_that_is_added_up_wrongly_is_no_fault_of_the_moves() {
    let faults = ["miscount"];
    let found = try_it(&faults);
    assert_eq!(ids(&found), ["movegen/perft"].into());
    let first = differences(&found)[0];
    assert!(first.explanation.starts_with("the moves are right"), "{first:#?}");
    let nodes = replayed(&faults, first).replace("Nodes searched: ", "");
    assert_eq!(first.stored, format!("{nodes} nodes at depth 2"));
}

#[test]
fn who_breaks_is_asked_on_and_given_up_at_last() {
    let outcome = tried(program(&["crash-at-castling", "no-perft"]), 2_000);
    let found = outcome.findings;
    let castling = found.iter().find(|findings| findings.tally.check == "movegen/castling").unwrap();
    assert_eq!(castling.tally.differed, 0, "{:?}", castling.tally);
    let broken: Vec<&Incident> =
        outcome.incidents.iter().filter(|broken| broken.case.contains("castling")).collect();
    assert_eq!(broken.len(), 4, "{broken:#?}");
    assert!(broken.iter().all(|broken| broken.reproduced && broken.failure.id() == "process/crash"));
    assert!(castling.tally.skipped[&SkipReason::GivenUp] > 4);
    let pins = found.iter().find(|findings| findings.tally.check == "movegen/pins").unwrap();
    assert_eq!((pins.tally.differed, pins.tally.skipped_total()), (0, 0));
}

#[test]
fn what_cannot_be_started_has_no_verdict() {
    let program = Program { path: "/no/such/program".into(), ..program(&[]) };
    let players = ProgramFactory::new(program, Timeouts::default(), None);
    let outcome = movegen::run(&players, &Effort::Quick.into(), &NoProgress).unwrap();
    let found = outcome.findings;
    // Once, whatever was tried.
    let [Incident { failure, case, fen, .. }] = &outcome.incidents[..] else {
        panic!("{:#?}", outcome.incidents)
    };
    assert_eq!((failure.id(), case.as_str(), fen.as_str()), ("process/start", "start", ""));
    assert!(found.iter().all(|findings| findings.tally.compared() == 0 && findings.tally.total() > 0));
}

#[test]
fn the_findings_do_not_depend_on_the_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| tried(program(&["no-pins", "crash-at-castling"]), 2_000))
    };
    let (one, four) = (with(1), with(4));
    assert_eq!(one.findings, four.findings);
    assert_eq!(broken(&one), broken(&four));
    // It is told of each case over which it broke, up to the one at which it is given up.
    let told: Vec<&str> =
        broken(&one).into_iter().map(|row| row.0).filter(|case| case.starts_with("castling-")).collect();
    assert_eq!(told, ["castling-01", "castling-02", "castling-03", "castling-07"]);
}

#[test]
fn a_break_is_told_with_what_it_was_asked_last() {
    let outcome = tried(program(&["crash-at-castling", "no-perft"]), 2_000);
    let broken = broken(&outcome);
    let (case, way, fen, replay) = broken[0];
    assert_eq!((case, way), ("castling-01", "process/crash"));
    assert_eq!(fen, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let asked =
        format!("(printf '%s\\n' uci 'setoption name OwnBook value false' 'position fen {fen}' 'go depth 1 ");
    assert!(replay.starts_with(&asked), "{replay}");
}

#[test]
fn what_was_found_stands_if_it_breaks_over_a_smaller_position() {
    // One rook is taken off; over the position without the other, it breaks.
    let fen = "r3k2r/8/3Q4/8/8/5q2/8/4K3 b kq - 0 1";
    let program = crashing(&["castles-through-check", "no-perft"], &format!("position fen {fen}$"));
    let outcome = tried(program, 2_000);
    let differences = differences(&outcome.findings);
    let found = differences.iter().find(|difference| difference.case == "castling-15").expect("a finding");
    assert_eq!(found.fen, "r3k2r/8/3Q4/8/8/5q2/8/4K2R b Kkq - 0 1");
    assert!(found.explanation.starts_with("extra moves: e8c8 e8g8, in r3k2r/"), "{found:#?}");
    let broken: Vec<_> = broken(&outcome).into_iter().map(|(case, way, fen, _)| (case, way, fen)).collect();
    assert_eq!(broken, [("castling-15", "process/crash", fen)]);
}

#[test]
fn what_was_found_stands_if_it_breaks_over_the_next_move() {
    let line = "position fen r3k2r/8/3Q4/8/8/5q2/8/R3K2R b|go depth 1 searchmoves e8g8";
    let outcome = tried(crashing(&["castles-through-check", "no-perft"], line), 2_000);
    let differences = differences(&outcome.findings);
    let found = differences.iter().find(|difference| difference.case == "castling-15").expect("a finding");
    assert!(found.explanation.starts_with("extra moves: e8c8, in r3k2r/"), "{found:#?}");
    let broken: Vec<_> = broken(&outcome).into_iter().map(|(case, way, ..)| (case, way)).collect();
    assert_eq!(broken, [("castling-15", "process/crash")]);
}

#[test]
fn a_wrong_count_stands_if_it_breaks_on_the_way_down() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/1R2K2R b Kkq - 1 1";
    let outcome = tried(crashing(&["no-en-passant"], &format!("position fen {fen}$")), 3_000);
    let differences = differences(&outcome.findings);
    let found =
        differences.iter().find(|difference| difference.case.ends_with("kiwipete")).expect("a finding");
    assert_eq!(found.expected, "2039 nodes at depth 2");
    assert_eq!(found.stored, "2038 nodes at depth 2");
    assert!(found.explanation.contains("not found: it ended with"), "{found:#?}");
    let broken: Vec<_> = broken(&outcome).into_iter().map(|(case, way, fen, _)| (case, way, fen)).collect();
    // Asked for its move there, it breaks again.
    assert_eq!(broken[0], ("perft/kiwipete", "process/crash", fen));
}

#[test]
fn what_was_found_is_not_counted_deeper() {
    let root = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let outcome = tried(crashing(&["no-en-passant"], &format!("position fen {root}|go perft 3")), 100_000);
    let differences = differences(&outcome.findings);
    let found =
        differences.iter().find(|difference| difference.case.ends_with("kiwipete")).expect("a finding");
    assert!(found.explanation.contains("missing moves: "), "{found:#?}");
    assert!(outcome.incidents.is_empty(), "{:#?}", outcome.incidents);
}
