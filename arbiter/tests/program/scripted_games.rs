//! The suite `arbiter` on our own runner: each scripted game ends as it has to, in the record and in its PGN. Games that
//! need tables are played by the tests of `xtask`.
//!
//! Answers that are late come long after the flag; those that are in time have minutes.

use arbiter::game::{
    Adjudication, Conditions, DrawScoreRule, End, GameRecord, Opening, PgnTags, Player, ResignRule, Rules,
    pgn, play,
};
use arbiter::pgn::{Block, read};
use arbiter::scripted_games;
use rayon::prelude::*;
use shakmaty::ByColor;
use suites::arbiter::{ArbiterCase, GameEnd, MatchSettings, Policy, Resign, ScoreDraw, embedded};
use uci::{Engine, Program};

use crate::common::patient;

/// Games at the same time: they wait more than they work.
const AT_ONCE: usize = 24;

fn adjudication(settings: &MatchSettings) -> Adjudication {
    let resign = settings.resign.map(|Resign { move_count, score, two_sided }| ResignRule {
        move_count,
        score,
        two_sided,
    });
    let draw = settings.draw.map(|ScoreDraw { move_number, move_count, score }| DrawScoreRule {
        move_number,
        move_count,
        score,
    });
    let max_moves = settings.max_moves.and_then(std::num::NonZeroU32::new);
    Adjudication { resign, draw, max_moves, tables: None }
}

fn played(case: &ArbiterCase, rules: Rules) -> GameRecord {
    let program = Program {
        name: "scripted".to_owned(),
        path: env!("CARGO_BIN_EXE_scripted").into(),
        arguments: vec![case.id.clone().into()],
        ..Program::default()
    };
    let opening = Opening::new(&case.fen, case.chess960, &case.book).expect("it is legal");
    let adjudication = adjudication(&case.settings);
    let conditions = Conditions { rules, adjudication, ..Conditions::new(&opening) };
    let control = match &case.settings.clock {
        Some(clock) => format!("tc={clock} timemargin={}", case.settings.margin.unwrap_or_default()),
        None => "nodes=1".to_owned(),
    };
    let time_control = control.parse().expect("a time control");
    let [mut white, mut black] =
        [0, 1].map(|_| Engine::start(&program, patient()).expect("the scripted engine starts"));
    let players = ByColor {
        white: Player { engine: &mut white, name: "first", time_control },
        black: Player { engine: &mut black, name: "second", time_control },
    };
    play(players, &conditions, &|| false)
}

/// The end of a record in the words of the suite.
fn end(record: &GameRecord) -> Option<GameEnd> {
    Some(match record.end {
        End::Checkmate { .. } => GameEnd::Checkmate,
        End::Stalemate => GameEnd::Stalemate,
        End::Repetition => GameEnd::Repetition,
        End::FiftyMoves => GameEnd::FiftyMoves,
        End::DeadMaterial => GameEnd::DeadMaterial,
        End::TimeForfeit { .. } => GameEnd::Time,
        End::FlagFallDraw { .. } => GameEnd::TimeDraw,
        End::IllegalMove { .. } | End::BadAnswer { .. } => GameEnd::Illegal,
        End::Crash { .. } => GameEnd::Crash,
        End::ResignAdjudication { .. } => GameEnd::Resign,
        End::DrawAdjudication => GameEnd::ScoreDraw,
        End::TableWin { .. } => GameEnd::TableWin,
        End::TableDraw => GameEnd::TableDraw,
        End::MaxMoves => GameEnd::MaxMoves,
        End::Hang { .. } | End::Interrupted => return None,
    })
}

/// What is wrong with the game of a case.
fn fault(case: &ArbiterCase, policy: Policy, rules: Rules) -> Option<String> {
    let expected = case.end_under(policy);
    let record = played(case, rules);
    let plies = record.opening.len() + record.moves.len();
    let found = (record.result().name(), end(&record), plies);
    if found != (expected.result.name(), Some(expected.end), expected.plies) {
        return Some(format!("{} ({policy}): {expected:?}, got {found:?}", case.id));
    }
    let text = pgn(&record, &PgnTags::default(), &[]).expect("the moves are legal");
    let block = Block { bytes: text.clone().into_bytes(), line: 1, is_cut: false };
    let [Ok(game)] = &read(&block)[..] else { return Some(format!("{}: {text}", case.id)) };
    let judged = scripted_games::judge(game, case, expected);
    judged.err().map(|fault| format!("{} ({policy}): {fault}: {text}", case.id))
}

#[test]
fn our_runner_ends_scripted_games_as_it_has_to() {
    let cases = embedded().unwrap();
    let is_played = |case: &&ArbiterCase| !case.settings.tables;
    let by_fide = cases.iter().filter(is_played).map(|case| (case, Policy::Fide, Rules::Fide));
    // The rules differ in flag falls alone.
    let is_timed = |case: &&ArbiterCase| case.class() == "time";
    let others = [
        (Policy::Lichess, Rules::Lichess),
        (Policy::Cutechess, Rules::Cutechess),
        (Policy::Fastchess, Rules::Fastchess),
    ];
    let others = others.iter().flat_map(|(policy, rules)| {
        let timed = cases.iter().filter(is_timed).map(|case| (case, *policy, *rules));
        // Our runner judges time before legality under all rules.
        timed.filter(|(case, policy, _)| case.end_under(*policy).end != GameEnd::Illegal)
    });
    let games: Vec<_> = by_fide.chain(others).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(AT_ONCE).build().unwrap();
    let faults: Vec<String> = pool.install(|| {
        games.par_iter().filter_map(|(case, policy, rules)| fault(case, *policy, *rules)).collect()
    });
    assert!(games.len() > 400 && faults.is_empty(), "{} of {}: {faults:#?}", faults.len(), games.len());
}
