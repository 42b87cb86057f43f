//! The proofs of the cases are repeated, and the cases are put to players that misread the game in one way.

mod faulty;
mod faulty_once;
mod found_deeper;
mod proofs;
mod unsearched;

use std::collections::{BTreeSet, HashMap};
use std::sync::{LazyLock, OnceLock};

use suites::Findings;
use suites::draws::{DrawClass, embedded};

use super::*;
use crate::NoProgress;
use crate::player::{InProcess, NoAnswer};
use crate::scripted::ScriptedPlayer;
use oracle::authorities::Authorities;
use oracle::board::{fen as fen_of, uci_text};
use oracle::knowledge::three_men;
use oracle::table_probe::EngineTables;
use uci::{Bound, Line, Reply, Score};

static CASES: LazyLock<Vec<DrawCase>> = LazyLock::new(|| embedded().unwrap());
static TABLES: LazyLock<&EngineTables> = LazyLock::new(|| three_men().unwrap());

fn put_to(players: &dyn PlayerFactory, effort: Effort, cases: &[DrawCase]) -> SuiteOutcome<DrawRow> {
    // The tables are built on the threads of rayon, before one of these waits for them.
    LazyLock::force(&TABLES);
    let authorities = &Authorities::default();
    run(&SuiteContext { players, authorities, effort, seed: 0, limit: None, progress: &NoProgress }, cases)
}

/// Whether this is the limit of a deeper search.
fn is_deeper(limit: Limit) -> bool {
    [NODES, NODES_DEEP].map(|nodes| Limit::Nodes(nodes * DEEPER)).contains(&limit)
}

/// The classes in which something differed.
fn failed(outcome: &SuiteOutcome<DrawRow>) -> BTreeSet<&str> {
    let failed = outcome.findings.iter().filter(|findings| findings.tally.differed > 0);
    failed.map(|findings| findings.tally.case_set.as_str()).collect()
}

fn key(game: &Game) -> (String, usize) {
    (fen_of(game.position()), game.length())
}

/// The right answer to a game. That to a game of the suite is computed once.
fn answer(game: &Game) -> Reply {
    type Solved = OnceLock<Reply>;
    static ANSWERS: LazyLock<HashMap<(String, usize), Solved>> = LazyLock::new(|| {
        let unsolved =
            |case: &DrawCase| (key(&Game::new(&case.fen, &case.moves).unwrap()), Solved::default());
        let answers: HashMap<_, _> = CASES.iter().map(unsolved).collect();
        assert_eq!(answers.len(), CASES.len());
        answers
    });
    match ANSWERS.get(&key(game)) {
        Some(solved) => solved.get_or_init(|| solve(game)).clone(),
        // A control.
        None => solve(game),
    }
}

/// The answer to a game, misread or not, by the prover with tables.
fn solve(game: &Game) -> Reply {
    let result = DrawProver { tables: Some(*TABLES) }.prove(game, MOST_PLIES).map(|proof| proof.result);
    let score = match result {
        Some(GameResult::Win) => 500,
        Some(GameResult::Loss) => -500,
        Some(GameResult::Draw) | None => 0,
    };
    reply(Score::Centipawns(score), Some(best(game, result)))
}

fn reply(score: Score, best: Option<String>) -> Reply {
    let pv = best.iter().cloned().collect();
    Reply { lines: vec![Line { depth: 10, score, bound: Bound::Exact, nodes: None, pv }], best, cut: false }
}

/// The quickest mate, else the first move that gives nothing away.
fn best(game: &Game, result: Option<GameResult>) -> String {
    use shakmaty::Position;
    let (rules, turn) = (DrawProver::default(), game.position().turn());
    let moves = game.position().legal_moves();
    let mates = |plies| moves.iter().find(|&&mv| rules.forces_after(game, mv, turn, GameResult::Win, plies));
    let quick = || [0, 2, 4].into_iter().find_map(mates);
    let worse = match result {
        Some(GameResult::Win) => GameResult::Draw,
        _ => GameResult::Win,
    };
    let keeps = || moves.iter().find(|&&mv| !rules.forces_after(game, mv, !turn, worse, 2));
    let mv = quick().or_else(keeps).unwrap_or(&moves[0]);
    uci_text(*mv, shakmaty::CastlingMode::Standard)
}

/// Checks that our engine has no finding in these cases, with its tables and without.
fn check_engine(cases: &[DrawCase]) -> SuiteOutcome<DrawRow> {
    let outcome = put_to(&InProcess::engine(), Effort::Plain, cases);
    let found: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(outcome.rows.len(), 2 * cases.len());
    let missed = outcome.rows.iter().filter(|row| row.verdict == DrawVerdict::Missed);
    assert!(missed.clone().count() > 0 && missed.clone().all(|row| row.class == "fortress"));
    for Findings { tally, .. } in &outcome.findings {
        let [agreed, observed] =
            if tally.case_set == "fortress" { [0, tally.total()] } else { [tally.total(), 0] };
        assert_eq!((tally.agreed, tally.observed), (agreed, observed), "{tally:?}");
    }
    outcome
}

#[test]
#[ignore = "nightly: all cases"]
fn our_engine_has_no_finding_in_any_case() {
    check_engine(&CASES);
}

#[test]
fn our_engine_has_no_finding_in_a_sample() {
    let sample: Vec<DrawCase> = CASES.iter().step_by(4).cloned().collect();
    let outcome = check_engine(&sample);
    let some = [&sample[..1], &sample[6..7]].concat();
    assert!(some[0].result == GameResult::Draw && some[1].result != GameResult::Draw);
    let quick = put_to(&InProcess::engine(), Effort::Quick, &some);
    assert_eq!(quick.rows, [&outcome.rows[..1], &outcome.rows[6..7]].concat());
    // Draws alone do not show whether it scores everything as a draw.
    let quick = put_to(&InProcess::engine(), Effort::Quick, &CASES[..3]);
    assert!(quick.rows.iter().all(|row| row.verdict == DrawVerdict::NotToldApart), "{:?}", quick.rows);
    assert_eq!(quick.findings[0].tally.observed, 3);
}

/// micro-Max knows neither the halfmove clock nor the game, and evaluates material; its search finds mates.
#[test]
fn micromax_fails_the_classes_of_rules_that_it_does_not_know() {
    let outcome = put_to(&InProcess::specimen("micromax").unwrap(), Effort::Plain, &CASES);
    let failed = failed(&outcome);
    for class in ["fifty-clock", "fifty-moves", "mate-too-late", "repetition", "dead-material", "perpetual"] {
        assert!(failed.contains(class), "{class}");
    }
    for class in ["mate-at-100", "not-dead"] {
        assert!(!failed.contains(class), "{class}");
    }
    assert!(outcome.rows.iter().all(|row| !row.tables));
}
