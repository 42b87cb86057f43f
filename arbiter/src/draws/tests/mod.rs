//! Every case is proved again, and subjects that misread the game in one way are put to them.

mod faulty;
mod faulty_once;
mod found_deeper;
mod proofs;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use rayon::prelude::*;
use suites::draws::embedded;

use super::*;
use crate::NoProgress;
use crate::player::{InProcess, NoAnswer};
use oracle::authorities::Authorities;
use oracle::board::fen as fen_of;
use oracle::knowledge::three_men;
use oracle::table_probe::EngineTables;
use uci::{Bound, Line, Reply, Score};

static CASES: LazyLock<Vec<DrawCase>> = LazyLock::new(|| embedded().unwrap());
static TABLES: LazyLock<&EngineTables> = LazyLock::new(|| three_men().unwrap());

fn put_to(subjects: &dyn PlayerFactory, effort: Effort, cases: &[DrawCase]) -> Outcome<Row> {
    let authorities = Authorities::default();
    run(
        &SuiteContext {
            players: subjects,
            authorities: &authorities,
            effort,
            seed: 0,
            limit: None,
            progress: &NoProgress,
        },
        cases,
    )
}

/// The classes in which something differed.
fn failed(outcome: &Outcome<Row>) -> BTreeSet<&str> {
    let failed = outcome.findings.iter().filter(|findings| findings.tally.differed > 0);
    failed.map(|findings| findings.tally.case_set.as_str()).collect()
}

/// The true answers, which many subjects give.
static ANSWERS: LazyLock<HashMap<(String, usize), Reply>> = LazyLock::new(|| {
    let solved = |case: &DrawCase| {
        let game = Game::new(&case.fen, &case.moves).unwrap();
        (key(&game), solve(&game))
    };
    let answers: HashMap<_, _> = CASES.par_iter().map(solved).collect();
    assert_eq!(answers.len(), CASES.len());
    answers
});

fn key(game: &Game) -> (String, usize) {
    (fen_of(game.position()), game.length())
}

/// The true answer to a game of the suite.
fn answer(game: &Game) -> Reply {
    ANSWERS[&key(game)].clone()
}

/// A game, misread or not, as somebody answers it who knows all rules and the tables.
fn solve(game: &Game) -> Reply {
    let result = Prover { tables: Some(*TABLES) }.prove(game, MOST_PLIES).map(|proof| proof.result);
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
    let (rules, turn) = (Prover::default(), game.position().turn());
    let moves = game.position().legal_moves();
    let mates = |plies| moves.iter().find(|&&mv| rules.forces_after(game, mv, turn, GameResult::Win, plies));
    let quick = || [0, 2, 4].into_iter().find_map(mates);
    let worse = match result {
        Some(GameResult::Win) => GameResult::Draw,
        _ => GameResult::Win,
    };
    let keeps = || moves.iter().find(|&&mv| !rules.forces_after(game, mv, !turn, worse, 2));
    let mv = quick().or_else(keeps).unwrap_or(&moves[0]);
    mv.to_uci(shakmaty::CastlingMode::Standard).to_string()
}

/// The classes that a subject may be wrong in without being told so have their scores in the rows.
#[test]
fn our_engine_errs_in_nothing_that_is_asked_of_it() {
    let outcome = put_to(&InProcess::engine(), Effort::Plain, &CASES);
    let told: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert_eq!(outcome.rows.len(), 2 * CASES.len());
    let missed = outcome.rows.iter().filter(|row| row.verdict == "missed");
    assert!(missed.clone().count() > 0 && missed.clone().all(|row| row.class == "fortress"));
    for Findings { tally, .. } in &outcome.findings {
        let [agreed, observed] =
            if tally.case_set == "fortress" { [0, tally.total()] } else { [tally.total(), 0] };
        assert_eq!((tally.agreed, tally.observed), (agreed, observed), "{tally:?}");
    }
    let some = [&CASES[..3], &CASES[24..27]].concat();
    assert!(some[3..].iter().all(|case| case.result != GameResult::Draw));
    let quick = put_to(&InProcess::engine(), Effort::Quick, &some);
    assert_eq!(quick.rows, [&outcome.rows[..3], &outcome.rows[24..27]].concat());
    // Of draws alone nobody knows whether it calls everything one.
    let quick = put_to(&InProcess::engine(), Effort::Quick, &CASES[..3]);
    assert!(quick.rows.iter().all(|row| row.verdict == "not told apart"), "{:?}", quick.rows);
    assert_eq!(quick.findings[0].tally.observed, 3);
}

/// It knows neither a clock nor a game, and counts men; what its search sees are mates.
#[test]
fn micromax_knows_few_of_the_rules() {
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
