//! Games between two test engines, without faults and with some. Times that must pass are short, and those
//! that must not are far longer than a busy machine needs.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arbiter::game::{
    Adjudication, Conditions, End, GameRecord, GameResult, Opening, PgnField, PgnTags, Player, Rules,
    TableResult, TableResults, TableRule, TableValue, pgn, play,
};
use shakmaty::{ByColor, Chess, Color, Position};
use uci::{Engine, Program, Timeouts};

use crate::common::{Pids, patient, program};

const WHITE: Color = Color::White;
/// White mates with a1a8.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

/// A program that follows these rules for lines that it reads.
fn heard(name: &str, rules: &[&str]) -> (Program, Pids) {
    let pids = Pids::of(&["game", name]);
    let mut program = program(&[], &pids);
    program.arguments.extend(rules.iter().flat_map(|rule| ["--heard".into(), (*rule).into()]));
    (program, pids)
}

fn faulty(name: &str, faults: &[&str]) -> (Program, Pids) {
    let pids = Pids::of(&["game", name]);
    (program(faults, &pids), pids)
}

fn engine(program: &Program, timeouts: Timeouts) -> Engine {
    Engine::start(program, timeouts).expect("the test engine starts")
}

/// Short deadlines for engines that never answer.
fn impatient() -> Timeouts {
    let short = Duration::from_secs(2);
    Timeouts { ready: short, stop: short, ..patient() }
}

fn opening(fen: &str, moves: &str) -> Opening {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    Opening::new(fen, false, &moves).expect("it is legal")
}

/// The game of these two, with this time control for both.
fn game(white: &mut Engine, black: &mut Engine, control: &str, conditions: &Conditions) -> GameRecord {
    let time_control = control.parse().expect("a time control");
    let player = |engine, name| Player { engine, name, time_control };
    let record =
        play(ByColor { white: player(white, "first"), black: player(black, "second") }, conditions, &|| {
            false
        });
    let json = serde_json::to_string(&record).expect("a record is JSON");
    assert_eq!(serde_json::from_str::<GameRecord>(&json).ok().as_ref(), Some(&record));
    record
}

/// The game of two programs that begins with this opening, at depth 1.
fn quick(white: &Program, black: &Program, timeouts: Timeouts, opening: &Opening) -> GameRecord {
    let (mut white, mut black) = (engine(white, timeouts), engine(black, timeouts));
    game(&mut white, &mut black, "depth=1", &Conditions::new(opening))
}

#[test]
fn a_game_ends_by_mate_with_record_and_pgn() {
    let (program, _pids) = faulty("mate", &[]);
    let opening = opening(MATE_IN_ONE, "g1h1 g8h8");
    let (mut white, mut black) = (engine(&program, patient()), engine(&program, patient()));
    let record = game(&mut white, &mut black, "tc=600+1", &Conditions::new(&opening));
    assert_eq!((&record.end, record.fault.as_ref()), (&End::Checkmate { winner: WHITE }, None));
    assert_eq!((record.white.name.as_str(), record.black.name.as_str()), ("first", "second"));
    let [mate] = &record.moves[..] else { panic!("{record:#?}") };
    assert_eq!((mate.uci.as_str(), mate.score), ("a1a8", Some(uci::Score::Mate(1))));
    assert!(mate.depth.is_some() && mate.nodes.is_some() && !mate.pv.is_empty(), "{mate:?}");
    let clock = mate.clock.unwrap();
    assert_eq!(clock, 600_000 - mate.time + 1000, "the clock follows from the record");
    let text = pgn(&record, &PgnTags::default(), &[PgnField::Nodes]).unwrap();
    assert!(text.contains("1. Kh1 {book} Kh8 {book} 2. Ra8# {+M1/"), "{text}");
    assert!(text.ends_with(", White mates} 1-0\n\n"), "{text}");
    let sent = white.transcript().to_string();
    let go = "go wtime 600000 btime 600000 winc 1000 binc 1000";
    for line in ["ucinewgame", &format!("position fen {MATE_IN_ONE} moves g1h1 g8h8"), go] {
        assert!(sent.contains(&format!("> {line}\n")), "{line}: {sent}");
    }
    assert!(!black.transcript().to_string().contains("> go"));
}

#[test]
fn a_whole_game_is_played_and_can_be_replayed() {
    let (program, _pids) = faulty("whole", &[]);
    let opening = Opening::default();
    let (mut white, mut black) = (engine(&program, patient()), engine(&program, patient()));
    let conditions = Conditions {
        adjudication: Adjudication { max_moves: NonZeroU32::new(60), ..Adjudication::default() },
        ..Conditions::new(&opening)
    };
    let first = game(&mut white, &mut black, "nodes=1", &conditions);
    assert_ne!(first.result(), GameResult::Unfinished);
    assert!(first.moves.len() > 4 && first.fault.is_none(), "{first:#?}");
    assert_eq!(first.game().unwrap().moves().len(), first.moves.len());
    let expected = End::by_rules(&first.game().unwrap()).unwrap_or(End::MaxMoves);
    assert_eq!(first.end, expected);
    assert!(white.transcript().to_string().contains("> position startpos moves "));
    // The engines play the next game as well.
    let again = game(&mut black, &mut white, "nodes=1", &conditions);
    let moves = |record: &GameRecord| record.moves.iter().map(|mv| mv.uci.clone()).collect::<Vec<_>>();
    assert_eq!((moves(&again), &again.end), (moves(&first), &first.end));
}

#[test]
fn repetition_counts_the_moves_of_the_opening() {
    // Knights that go out and back.
    let (program, _pids) = heard(
        "repetition",
        &[
            "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1|go=>say bestmove f6g8",
            "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6|go=>say bestmove f3g1",
        ],
    );
    let opening = opening(Opening::default().fen(), "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
    let record = quick(&program, &program, patient(), &opening);
    assert_eq!(record.end, End::Repetition, "{record:#?}");
    let moves: Vec<&str> = record.moves.iter().map(|mv| mv.uci.as_str()).collect();
    assert_eq!(moves, ["f3g1", "f6g8"]);
}

#[test]
fn an_opening_that_ends_the_game_asks_no_engine() {
    let (program, _pids) = faulty("opening", &["crash-at-go"]);
    let record = quick(&program, &program, patient(), &opening(MATE_IN_ONE, "a1a8"));
    assert_eq!((record.end, record.moves.len()), (End::Checkmate { winner: WHITE }, 0));
    let drawn = quick(&program, &program, patient(), &opening("8/8/8/4k3/8/8/3pK3/8 w - - 0 1", "e2d2"));
    assert_eq!(drawn.end, End::DeadMaterial);
}

/// What an engine does wrong as White, and the end.
#[track_caller]
fn check_fault(record: &GameRecord, expected: &End, failure: Option<&str>, reason: &str) {
    assert_eq!((&record.end, record.moves.len()), (expected, 0), "{record:#?}");
    let fault = record.fault.as_ref().expect("a fault");
    assert_eq!((fault.side, fault.failure.as_deref()), (WHITE, failure));
    assert!(fault.reason.contains(reason), "{}", fault.reason);
    if !fault.commands.is_empty() {
        let plies = record.opening.len() + record.moves.len();
        let commands = record.commands(plies).expect("it is legal").map(Vec::from);
        assert_eq!(commands.as_ref(), Some(&fault.commands));
    }
    let is_flood = failure == Some("process/flood");
    let is_sent = |line: &String| fault.transcript.contains(&format!("> {line}\n"));
    assert!(is_flood || fault.commands.iter().all(is_sent), "{fault:#?}");
    let text = pgn(record, &PgnTags::default(), &[]).expect("the moves are legal");
    assert!(text.contains(&expected.to_string()), "{text}");
}

#[test]
fn answers_that_are_no_legal_move_lose() {
    let (good, _pids) = faulty("good", &[]);
    for (number, (answer, text, is_move)) in [
        ("e2e5", "e2e5", true),
        ("a1a1", "a1a1", true),
        ("(none)", "(none)", false),
        ("0000", "0000", false),
        ("Nf3", "Nf3", false),
        ("", "bestmove without a move", false),
    ]
    .into_iter()
    .enumerate()
    {
        let rule = format!("go=>say bestmove {answer}");
        let (program, _pids) = heard(&format!("answer-{number}"), &[&rule]);
        let record = quick(&program, &good, patient(), &Opening::default());
        let (loser, text) = (WHITE, text.to_owned());
        let expected =
            if is_move { End::IllegalMove { loser, text } } else { End::BadAnswer { loser, text } };
        check_fault(&record, &expected, None, &format!("bestmove {answer}"));
        assert_eq!(record.result(), GameResult::BlackWins);
    }
}

#[test]
fn crashes_and_silence_are_told_apart() {
    let (good, _pids) = faulty("well", &[]);
    let check = |fault: &str, expected: End, failure: &str, reason: &str| {
        let (program, _pids) = faulty(fault, &[fault]);
        let record = quick(&program, &good, impatient(), &Opening::default());
        check_fault(&record, &expected, Some(failure), reason);
        record
    };
    let crash = End::Crash { loser: WHITE };
    let record = check("crash-at-go", crash.clone(), "process/crash", "it ended with");
    assert_eq!(record.fault.unwrap().commands, ["position startpos", "go depth 1"]);
    check("exit-at-go", crash.clone(), "process/exit", "status 0");
    let record = check("crash-at-newgame", crash, "process/crash", "isready");
    assert!(record.fault.unwrap().commands.is_empty());
    let flood = End::BadAnswer { loser: WHITE, text: "too much output".to_owned() };
    check("flood-output", flood, "process/flood", "MiB");
    if cfg!(target_os = "linux") {
        let (program, _pids) = faulty("greedy", &["greedy"]);
        let program = Program { memory: Some(200), ..program };
        let record = quick(&program, &good, patient(), &Opening::default());
        let greedy = End::BadAnswer { loser: WHITE, text: "too much memory".to_owned() };
        check_fault(&record, &greedy, Some("process/memory"), "more than 216 MiB");
    }
    check("hang-at-newgame", End::Hang { loser: WHITE }, "process/hang", "no readyok");
}

#[test]
fn an_engine_that_never_answers_hangs_with_a_clock_and_without() {
    let (good, _pids) = faulty("alert", &[]);
    let (silent, _pids) = faulty("mute", &["no-bestmove"]);
    // It answers `stop`.
    let (slow, _pids) = faulty("forever", &["depth-is-forever"]);
    let opening = Opening::default();
    let conditions = Conditions { patience: Duration::from_millis(100), ..Conditions::new(&opening) };
    let hang = End::Hang { loser: WHITE };
    for (program, control, failure, reason) in [
        (&silent, "tc=0.1", Some("process/hang"), "no bestmove within 2000 ms after \"stop\""),
        (&silent, "depth=1", Some("process/hang"), "no bestmove within 2000 ms after \"stop\""),
        (&slow, "depth=1", None, "no bestmove within 100 ms; it came after stop"),
    ] {
        let (mut white, mut black) = (engine(program, impatient()), engine(&good, patient()));
        let record = game(&mut white, &mut black, control, &conditions);
        check_fault(&record, &hang, failure, reason);
    }
}

/// The game of an engine that answers after 300 ms, with this move if there is one.
fn late(fen: &str, answer: Option<&str>, control: &str, rules: Rules) -> GameRecord {
    let name = format!("late-{}-{}-{rules}", fen.len(), answer.unwrap_or("own"));
    let (mut program, _pids) = heard(&name, &["go=>wait 300"]);
    if let Some(answer) = answer {
        program.arguments.extend(["--said".into(), format!("bestmove =>bestmove {answer} was ").into()]);
    }
    let (good, _others) = faulty(&format!("{name}-other"), &[]);
    let opening = opening(fen, "");
    let (mut white, mut black) = (engine(&program, patient()), engine(&good, patient()));
    let conditions = Conditions { rules, ..Conditions::new(&opening) };
    game(&mut white, &mut black, control, &conditions)
}

#[test]
fn a_late_answer_is_a_loss_on_time_whatever_it_says() {
    let forfeit = End::TimeForfeit { loser: WHITE };
    // It would mate, or it is illegal.
    for answer in [None, Some("e2e5")] {
        let record = late(MATE_IN_ONE, answer, "tc=0.1 timemargin=50", Rules::Fide);
        check_fault(&record, &forfeit, None, "ms on the clock");
        let late = record.fault.unwrap().late.unwrap();
        assert!(late.had == 100 && late.took >= 300, "{late:?}");
    }
    let movetime = late(MATE_IN_ONE, None, "st=0.1", Rules::Fide);
    assert_eq!(movetime.end, forfeit);
    let in_time = late(MATE_IN_ONE, None, "tc=0.1 timemargin=60000", Rules::Fide);
    assert_eq!(in_time.end, End::Checkmate { winner: WHITE });
    assert_eq!(in_time.moves[0].clock, Some(0));
    assert!(in_time.moves[0].time >= 300, "{in_time:?}");
}

#[test]
fn a_late_answer_draws_if_the_other_side_cannot_mate() {
    let lone = "4k3/8/8/8/8/8/4P3/4K2R w - - 0 1";
    for (rules, expected) in [
        (Rules::Fide, End::FlagFallDraw { late: WHITE }),
        (Rules::Fastchess, End::TimeForfeit { loser: WHITE }),
    ] {
        let record = late(lone, None, "tc=0.1", rules);
        check_fault(&record, &expected, None, "ms on the clock");
    }
}

#[test]
fn answers_that_nobody_asked_for_are_counted_and_ignored() {
    let (mut program, _pids) = heard("unasked", &[]);
    program.arguments.extend(["--said".into(), "bestmove =>bestmove e2e4\\nbestmove a2a3 ".into()]);
    let (good, _others) = faulty("asked", &[]);
    let record = quick(&program, &good, patient(), &Opening::default());
    // The second answer to the first question would be legal as the answer to the second one.
    let expected = End::IllegalMove { loser: WHITE, text: "e2e4".to_owned() };
    assert_eq!((&record.end, record.moves.len()), (&expected, 2), "{record:#?}");
    assert_eq!((record.white.unasked, record.black.unasked), (1, 0));
}

#[test]
fn answers_while_the_other_side_thinks_are_ignored() {
    let (slow, _pids) = heard("slow", &["go=>wait 300"]);
    let (mut program, _others) = heard("hasty", &[]);
    program.arguments.extend(["--said".into(), "readyok=>readyok\\nbestmove e7e5".into()]);
    let (mut white, mut black) = (engine(&slow, patient()), engine(&program, patient()));
    let opening = Opening::default();
    let adjudication = Adjudication { max_moves: NonZeroU32::new(1), ..Adjudication::default() };
    let conditions = Conditions { adjudication, ..Conditions::new(&opening) };
    let record = game(&mut white, &mut black, "depth=1", &conditions);
    // One follows each answer to isready: at the start of the engine, of the game, and while White thinks.
    assert_eq!(
        (&record.end, record.white.unasked, record.black.unasked),
        (&End::MaxMoves, 0, 3),
        "{record:#?}"
    );
    assert!(record.moves[1].depth.is_some(), "the answer is not that to the question: {record:#?}");
}

fn at_depth_one(engine: &mut Engine) -> Player<'_> {
    Player { engine, name: "player", time_control: "depth=1".parse().expect("a time control") }
}

#[test]
fn a_stopped_match_leaves_the_game_unfinished() {
    let (program, _pids) = faulty("stopped", &[]);
    let (mut white, mut black) = (engine(&program, patient()), engine(&program, patient()));
    let asked = AtomicUsize::new(0);
    let opening = Opening::default();
    let record = play(
        ByColor { white: at_depth_one(&mut white), black: at_depth_one(&mut black) },
        &Conditions::new(&opening),
        &|| asked.fetch_add(1, Ordering::Relaxed) >= 3,
    );
    assert_eq!((record.end, record.fault), (End::Interrupted, None));
    assert!(record.moves.len() <= 3, "{:?}", record.moves);
    // A crash is no loss if the match was stopped meanwhile.
    let (crashing, _pids) = faulty("killed", &["crash-at-go"]);
    let mut crashing = engine(&crashing, patient());
    let asked = AtomicUsize::new(0);
    let record = play(
        ByColor { white: at_depth_one(&mut crashing), black: at_depth_one(&mut black) },
        &Conditions::new(&opening),
        &|| asked.fetch_add(1, Ordering::Relaxed) >= 1,
    );
    assert_eq!((record.end, record.fault), (End::Interrupted, None));
    assert!(crashing.is_over() && !black.is_over());
}

/// The game of an engine whose search does not end, when the match is stopped during that search.
#[track_caller]
fn stopped_meanwhile(fault: &str, dies: bool) {
    let (endless, _pids) = faulty(&format!("meanwhile-{fault}"), &[fault]);
    let (good, _others) = faulty(&format!("meanwhile-{fault}-other"), &[]);
    let (mut white, mut black) = (engine(&endless, patient()), engine(&good, patient()));
    let opening = Opening::default();
    let asked = AtomicUsize::new(0);
    let began = Instant::now();
    let record = play(
        ByColor { white: at_depth_one(&mut white), black: at_depth_one(&mut black) },
        &Conditions::new(&opening),
        &|| asked.fetch_add(1, Ordering::Relaxed) >= 1,
    );
    assert_eq!((record.end, record.moves.len(), record.fault), (End::Interrupted, 0, None));
    assert!(began.elapsed() < Conditions::new(&opening).patience, "{:?}", began.elapsed());
    assert!(white.transcript().to_string().contains("> stop\n"));
    assert_eq!((white.is_over(), black.is_over()), (dies, false), "{fault}");
}

#[test]
fn a_stopped_match_waits_for_no_search() {
    stopped_meanwhile("depth-is-forever", false);
    stopped_meanwhile("no-bestmove", true);
}

#[test]
fn an_engine_that_reports_a_panic_and_answers_plays_on() {
    let (program, _pids) = heard("panics", &["go=>panic 1500"]);
    let (good, _others) = faulty("panics-not", &[]);
    let record = quick(&program, &good, patient(), &opening(MATE_IN_ONE, ""));
    assert_eq!((record.end, record.fault), (End::Checkmate { winner: WHITE }, None));
}

#[test]
fn games_are_adjudicated_after_a_move() {
    let (program, _pids) = faulty("adjudicated", &[]);
    let start = opening("8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1", "");
    let tables = TableRule { results: TableResults::All, ignores_fifty_moves: false };
    // Wins for White.
    let probe = |position: &Chess| {
        let result = position.turn().fold_wb(TableResult::Win, TableResult::Loss);
        Some(TableValue { result, plies_to_zero: Some(10), is_rounded: false, plies_to_mate: None })
    };
    let conditions = Conditions {
        adjudication: Adjudication { tables: Some(tables), ..Adjudication::default() },
        probe: &probe,
        ..Conditions::new(&start)
    };
    let (mut white, mut black) = (engine(&program, patient()), engine(&program, patient()));
    let record = game(&mut white, &mut black, "depth=1", &conditions);
    assert_eq!((record.end, record.moves.len()), (End::TableWin { winner: WHITE }, 1));
    // Both engines score each position as 0.
    let adjudication = Adjudication {
        draw: Some("movenumber=0 movecount=1 score=0".parse().unwrap()),
        ..Adjudication::default()
    };
    let quiet = opening("8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "");
    let conditions = Conditions { adjudication, ..Conditions::new(&quiet) };
    let record = game(&mut white, &mut black, "depth=1", &conditions);
    assert_eq!((record.end, record.moves.len()), (End::DrawAdjudication, 2));
    // Mate on the same ply goes before.
    let drawn = |_: &Chess| {
        Some(TableValue {
            result: TableResult::Draw,
            plies_to_zero: None,
            is_rounded: false,
            plies_to_mate: None,
        })
    };
    let adjudication = Adjudication { tables: Some(tables), ..adjudication };
    let mate = opening(MATE_IN_ONE, "");
    let conditions = Conditions { adjudication, probe: &drawn, ..Conditions::new(&mate) };
    let record = game(&mut white, &mut black, "depth=1", &conditions);
    assert_eq!((record.end, record.moves.len()), (End::Checkmate { winner: WHITE }, 1));
}

#[test]
fn a_game_of_chess960_uses_its_castling() {
    let (program, _pids) = heard("chess960", &["go=>say bestmove f1g1"]);
    let (good, _others) = faulty("chess960-other", &[]);
    let opening = Opening::new("1k6/8/8/8/8/8/8/5KR1 w K - 0 1", true, &[]).unwrap();
    let adjudication = Adjudication { max_moves: NonZeroU32::new(1), ..Adjudication::default() };
    let conditions = Conditions { adjudication, ..Conditions::new(&opening) };
    let (mut white, mut black) = (engine(&program, patient()), engine(&good, patient()));
    let record = game(&mut white, &mut black, "depth=1", &conditions);
    assert_eq!((record.end.clone(), record.moves.len()), (End::MaxMoves, 2), "{record:#?}");
    assert_eq!(record.moves[0].uci, "f1g1");
    let text = pgn(&record, &PgnTags::default(), &[]).unwrap();
    assert!(record.chess960 && text.contains("1. O-O "), "{text}");
    for engine in [&white, &black] {
        assert!(engine.transcript().to_string().contains("> setoption name UCI_Chess960 value true\n"));
    }
    // The next game is one of standard chess.
    let opening = Opening::default();
    let _ =
        game(&mut black, &mut white, "depth=1", &Conditions { adjudication, ..Conditions::new(&opening) });
    assert!(black.transcript().to_string().contains("> setoption name UCI_Chess960 value false\n"));
}
