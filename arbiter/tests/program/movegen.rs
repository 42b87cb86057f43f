//! The suite `movegen/*` on the test engine: no finding without faults, and the right check with each fault.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use arbiter::movegen::{self, Extent};
use arbiter::player::ProgramFactory;
use arbiter::{Effort, Incident, NoProgress, SuiteOutcome};
use suites::{Difference, Findings, SkipReason};
use uci::{Engine, Message, Program, Timeouts};

fn program(faults: &[&str]) -> Program {
    let arguments = faults.iter().flat_map(|fault| ["--fault".into(), (*fault).into()]).collect();
    let path = env!("CARGO_BIN_EXE_hostile").into();
    Program { name: "hostile".to_owned(), path, arguments, ..Program::default() }
}

fn findings(faults: &[&str]) -> Vec<Findings> {
    run(program(faults), 2_000).findings
}

fn run(program: Program, most_nodes: u64) -> SuiteOutcome<()> {
    let players = ProgramFactory::new(program, Timeouts::default(), None);
    let extent = Extent { most_nodes, ..Effort::Thorough.into() };
    movegen::run(&players, &extent, &NoProgress).expect("suites that can be read")
}

/// The engine with these faults, which aborts at this line.
fn crashing(faults: &[&str], line: &str) -> Program {
    let mut program = program(faults);
    program.arguments.extend(["--heard".into(), format!("{line}=>crash").into()]);
    program
}

/// The case, the failure, the FEN and the replay of each incident. Transcripts differ from run to run.
fn incidents(outcome: &SuiteOutcome<()>) -> Vec<(&str, &str, &str, &str)> {
    for Incident { fen, transcript, .. } in &outcome.incidents {
        assert!(transcript.contains(&format!("> position fen {fen}")), "{fen}: {transcript}");
    }
    let rows = outcome.incidents.iter();
    rows.map(|row| (row.case.as_str(), row.failure.id(), row.fen.as_str(), &*row.replay)).collect()
}

fn differences(found: &[Findings]) -> Vec<&Difference> {
    found.iter().flat_map(|findings| &findings.differences).collect()
}

fn ids(found: &[Findings]) -> BTreeSet<&str> {
    differences(found).into_iter().map(|difference| difference.check.as_str()).collect()
}

/// The number of men in the position of a difference.
fn men(difference: &Difference) -> usize {
    difference.fen.chars().take_while(|c| *c != ' ').filter(char::is_ascii_alphabetic).count()
}

/// The answer to the lines of a replay: the last line that is not empty.
fn replayed(faults: &[&str], difference: &Difference) -> String {
    let text = difference.replay.strip_prefix("(printf '%s\\n' uci '").expect("a replay");
    let (lines, _) = text.split_once("'; sleep ").expect("its lines");
    let mut engine = Engine::launch(&program(faults), Timeouts::default()).expect("a process");
    lines.split("' '").for_each(|line| engine.send(line));
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match engine.receive(until).expect("a line").expect("an answer") {
            Message::BestMove(best) => return format!("bestmove {}", best.text),
            Message::Other(line) if line.starts_with("Nodes searched: ") => return line,
            _ => {}
        }
    }
}

/// Only this check finds the fault in plain UCI, and shows it in small positions.
#[track_caller]
fn check(fault: &str, id: &str, kind: &str, most_men: usize, cause: &str) {
    let faults = [fault, "no-perft"];
    let found = findings(&faults);
    assert_eq!(ids(&found), [id].into(), "{fault}: {:#?}", differences(&found));
    let differences = differences(&found);
    for difference in &differences {
        assert!(difference.explanation.starts_with(&format!("{kind} moves: ")), "{difference:#?}");
        assert_eq!(difference.cause_words(), cause, "{difference:#?}");
        let men = men(difference);
        assert!(men <= most_men, "{men} men: {difference:#?}");
    }
    let answer = replayed(&faults, differences[0]);
    assert!(differences[0].stored.to_string().starts_with(&answer), "{answer}: {:#?}", differences[0]);
}

#[test]
fn an_engine_without_faults_has_no_finding() {
    let found = findings(&[]);
    assert_eq!(differences(&found), [] as [&Difference; 0]);
    for findings in &found {
        let tally = &findings.tally;
        assert_eq!(tally.skipped_total(), 0, "{tally:?}");
        assert!(tally.agreed >= 8, "{tally:?}");
    }
}

/// Another check reports it.
#[test]
fn an_engine_that_keeps_searchmoves_is_not_asked_so() {
    assert_eq!(differences(&findings(&["keeps-searchmoves"])), [] as [&Difference; 0]);
}

const EN_PASSANT: &str = "en passant captures that are legal are not known";
const IN_CHECK: &str = "moves that leave the king in check are allowed";

#[test]
fn missing_and_extra_moves_are_found() {
    let faults = [
        ("no-en-passant", "movegen/en-passant", "missing", 4, EN_PASSANT),
        ("queens-only", "movegen/promotion", "missing", 5, "promotions that are legal are not known"),
        ("castles-through-check", "movegen/castling", "extra", 5, "castling that is not legal is allowed"),
        ("no-pins", "movegen/pins", "extra", 5, IN_CHECK),
        ("no-evasions", "movegen/checks", "extra", 6, IN_CHECK),
        ("rash-king", "movegen/king", "extra", 5, IN_CHECK),
        ("jumping-pawns", "movegen/pieces", "extra", 5, ""),
    ];
    std::thread::scope(|scope| {
        for (fault, id, kind, most_men, cause) in faults {
            scope.spawn(move || check(fault, id, kind, most_men, cause));
        }
    });
}

#[test]
fn wrong_counts_lead_to_the_smallest_position() {
    let check = |faults: &[&str]| {
        let found = findings(faults);
        assert_eq!(ids(&found), ["movegen/perft", "movegen/en-passant"].into(), "{:#?}", differences(&found));
        let is_count = |difference: &&&Difference| difference.check == "movegen/perft";
        let differences = differences(&found);
        let counts: Vec<_> = differences.iter().filter(is_count).collect();
        assert!(counts.len() > 5, "{}", counts.len());
        for difference in counts {
            let men = men(difference);
            assert!(men <= 4, "{difference:#?}");
            assert!(difference.expected.to_string().ends_with(" nodes at depth 1"), "{difference:#?}");
            let explanation = &difference.explanation;
            let bare = faults.len() > 1;
            let named = if bare { "it does not name them" } else { "missing moves: " };
            assert!(explanation.contains(named), "{difference:#?}");
            assert_eq!(difference.cause_words(), if bare { "" } else { EN_PASSANT }, "{difference:#?}");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| check(&["no-en-passant"]));
        scope.spawn(|| check(&["no-en-passant", "bare-perft"]));
    });
}

#[test]
fn a_wrong_total_of_right_moves_is_named() {
    let faults = ["miscount"];
    let found = findings(&faults);
    assert_eq!(ids(&found), ["movegen/perft"].into());
    let first = differences(&found)[0];
    assert!(first.explanation.starts_with("the moves are right"), "{first:#?}");
    let nodes = replayed(&faults, first).replace("Nodes searched: ", "");
    assert_eq!(first.stored.to_string(), format!("{nodes} nodes at depth 2"));
}

#[test]
fn a_program_that_fails_is_asked_on_and_given_up_at_last() {
    let outcome = run(program(&["crash-at-castling", "no-perft"]), 2_000);
    let found = &outcome.findings;
    let castling = found.iter().find(|findings| findings.tally.check == "movegen/castling").unwrap();
    assert_eq!(castling.tally.differed, 0, "{:?}", castling.tally);
    let over_castling: Vec<&Incident> =
        outcome.incidents.iter().filter(|incident| incident.case.contains("castling")).collect();
    assert_eq!(over_castling.len(), 4, "{over_castling:#?}");
    let is_crash = |incident: &&Incident| incident.reproduced && incident.failure.id() == "process/crash";
    assert!(over_castling.iter().all(is_crash));
    assert!(castling.tally.skipped[&SkipReason::GivenUp] > 4);
    let pins = found.iter().find(|findings| findings.tally.check == "movegen/pins").unwrap();
    assert_eq!((pins.tally.differed, pins.tally.skipped_total()), (0, 0));
    // The incident has the last question.
    let (case, id, fen, replay) = incidents(&outcome)[0];
    assert_eq!((case, id), ("castling-01", "process/crash"));
    assert_eq!(fen, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let asked = format!(
        "(printf '%s\\n' uci 'setoption name Threads value 1' 'setoption name OwnBook value false' \
         'position fen {fen}' 'go depth 1 "
    );
    assert!(replay.starts_with(&asked), "{replay}");
}

#[test]
fn a_program_that_does_not_start_has_no_verdict() {
    let program = Program { path: "/no/such/program".into(), ..program(&[]) };
    let players = ProgramFactory::new(program, Timeouts::default(), None);
    let outcome = movegen::run(&players, &Effort::Quick.into(), &NoProgress).unwrap();
    let found = outcome.findings;
    // One incident for all attempts.
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
        pool.install(|| run(program(&["no-pins", "crash-at-castling"]), 2_000))
    };
    let (one, four) = std::thread::scope(|scope| {
        let [one, four] = [1, 4].map(|threads| scope.spawn(move || with(threads)));
        (one.join().unwrap(), four.join().unwrap())
    });
    assert_eq!(one.findings, four.findings);
    assert_eq!(incidents(&one), incidents(&four));
    // There is an incident for each failure, up to the case at which the program is given up.
    let cases: Vec<&str> =
        incidents(&one).into_iter().map(|row| row.0).filter(|case| case.starts_with("castling-")).collect();
    assert_eq!(cases, ["castling-01", "castling-02", "castling-03", "castling-07"]);
}

#[test]
fn a_finding_stands_if_the_program_fails_over_a_smaller_position() {
    // Without one rook the position shows the fault. Without the other one the program fails.
    let fen = "r3k2r/8/3Q4/8/8/5q2/8/4K3 b kq - 0 1";
    let program = crashing(&["castles-through-check", "no-perft"], &format!("position fen {fen}$"));
    let outcome = run(program, 2_000);
    let differences = differences(&outcome.findings);
    let found = differences.iter().find(|difference| difference.case == "castling-15").expect("a finding");
    assert_eq!(found.fen, "r3k2r/8/3Q4/8/8/5q2/8/4K2R b Kkq - 0 1");
    assert!(found.explanation.starts_with("extra moves: e8c8 e8g8, in r3k2r/"), "{found:#?}");
    let failures: Vec<_> =
        incidents(&outcome).into_iter().map(|(case, id, fen, _)| (case, id, fen)).collect();
    assert_eq!(failures, [("castling-15", "process/crash", fen)]);
}

#[test]
fn a_finding_stands_if_the_program_fails_over_the_next_move() {
    let line = "position fen r3k2r/8/3Q4/8/8/5q2/8/R3K2R b|go depth 1 searchmoves e8g8";
    let outcome = run(crashing(&["castles-through-check", "no-perft"], line), 2_000);
    let differences = differences(&outcome.findings);
    let found = differences.iter().find(|difference| difference.case == "castling-15").expect("a finding");
    assert!(found.explanation.starts_with("extra moves: e8c8, in r3k2r/"), "{found:#?}");
    let failures: Vec<_> = incidents(&outcome).into_iter().map(|(case, id, ..)| (case, id)).collect();
    assert_eq!(failures, [("castling-15", "process/crash")]);
}

#[test]
fn a_wrong_count_stands_if_the_program_fails_in_the_descent() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/1R2K2R b Kkq - 1 1";
    let outcome = run(crashing(&["no-en-passant"], &format!("position fen {fen}$")), 3_000);
    let differences = differences(&outcome.findings);
    let found =
        differences.iter().find(|difference| difference.case.ends_with("kiwipete")).expect("a finding");
    assert_eq!(found.expected.to_string(), "2039 nodes at depth 2");
    assert_eq!(found.stored.to_string(), "2038 nodes at depth 2");
    assert!(found.explanation.contains("not found: it ended with"), "{found:#?}");
    let failures: Vec<_> =
        incidents(&outcome).into_iter().map(|(case, id, fen, _)| (case, id, fen)).collect();
    // It fails there again when it is asked for its best move.
    assert_eq!(failures[0], ("perft/kiwipete", "process/crash", fen));
}

#[test]
fn greater_depths_are_not_counted_after_a_wrong_count() {
    let root = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let outcome = run(crashing(&["no-en-passant"], &format!("position fen {root}|go perft 3")), 100_000);
    let differences = differences(&outcome.findings);
    let found =
        differences.iter().find(|difference| difference.case.ends_with("kiwipete")).expect("a finding");
    assert!(found.explanation.contains("missing moves: "), "{found:#?}");
    assert!(outcome.incidents.is_empty(), "{:#?}", outcome.incidents);
}
