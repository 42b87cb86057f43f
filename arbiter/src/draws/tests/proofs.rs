//! The results of the suite are proved, and no other results are.

use rayon::prelude::*;

use super::super::prove::{check, is_dead};
use super::*;

/// Every third case of the suite.
fn sample() -> Vec<DrawCase> {
    CASES.iter().step_by(3).cloned().collect()
}

#[test]
fn the_results_of_a_sample_are_proved_and_no_others_are() {
    check_proofs(&sample());
}

#[test]
#[ignore = "nightly: all cases"]
fn the_results_of_all_cases_are_proved_and_no_others_are() {
    check_proofs(&CASES);
}

fn check_proofs(cases: &[DrawCase]) {
    // Built before the threads of rayon need them.
    let tables = *TABLES;
    let wrong: Vec<String> = cases
        .par_iter()
        .flat_map_iter(|case| {
            let proved = check(case, tables).err().map(|why| format!("{}: {why}", case.id));
            let others = [GameResult::Win, GameResult::Draw, GameResult::Loss].into_iter();
            let others = others.filter(|&result| result != case.result).filter_map(|result| {
                let due = case.due.filter(|_| result == GameResult::Draw);
                check(&DrawCase { result, due, ..case.clone() }, tables)
                    .is_ok()
                    .then(|| format!("{}: {result} is proved too", case.id))
            });
            proved.into_iter().chain(others).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_draw_is_due_at_the_plies_that_prove_it() {
    check_due(15);
}

#[test]
#[ignore = "nightly: three times as many cases"]
fn more_draws_are_due_at_the_plies_that_prove_them() {
    check_due(5);
}

/// Checks every `step`-th draw.
fn check_due(step: usize) {
    for case in CASES.iter().filter(|case| case.due.is_some()).step_by(step) {
        for due in [None, case.due.map(|due| due + 1)] {
            assert!(check(&DrawCase { due, ..case.clone() }, *TABLES).is_err(), "{}", case.id);
        }
    }
}

#[track_caller]
fn prove(fen: &str, moves: &str, most: u32, expected: Option<GameResult>) {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let game = Game::new(fen, &moves).unwrap();
    assert_eq!(
        DrawProver::default().prove(&game, most).map(|proof| proof.result),
        expected,
        "{fen} {moves:?}"
    );
}

#[test]
fn results_by_the_rules_alone() {
    use GameResult::{Draw, Loss, Win};
    const MATE: &str = "7k/8/6K1/8/8/8/8/R7 w - - CLOCK 80";
    const BACK_AND_FORTH: &str = "a1a2 h8g8 a2a1 g8h8 a1a2 h8g8 a2a1";
    const LATE: &str = "7k/8/5K2/8/8/8/8/R7 w - - CLOCK 80";
    let clocked = |fen: &str, clock: &str| fen.replace("CLOCK", clock);
    prove(&clocked(MATE, "0"), "", 1, Some(Win));
    prove(&clocked(MATE, "0"), "", 0, None);
    prove(&clocked(MATE, "99"), "", 1, Some(Win));
    prove(&clocked(LATE, "98"), "", 3, Some(Draw));
    prove(&clocked(LATE, "97"), "", 3, Some(Win));
    prove(&clocked(LATE, "96"), "f6f7", 3, Some(Loss));
    prove(&clocked(LATE, "98"), "f6f7", 3, Some(Draw));
    prove("8/8/8/8/8/5k2/7q/7K w - - 99 80", "", 1, Some(Draw));
    // The king can repeat the position for the third time.
    prove(&clocked(LATE, "0"), BACK_AND_FORTH, 1, Some(Draw));
    prove("6k1/8/5K2/8/8/8/8/R7 b - - 7 80", "", 4, Some(Loss));
}

#[test]
fn illegal_and_finished_games_are_errors() {
    const ROOK: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 80";
    let no_game = |fen: &str, moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        Game::new(fen, &moves).unwrap_err().to_string()
    };
    assert_eq!(no_game("8/8 w", &[]), "\"8/8 w\" is no legal position");
    assert_eq!(no_game(ROOK, &["a1a2", "h8h6"]), "h8h6 is not legal after 1 moves");
    assert_eq!(no_game("7k/8/5K2/8/8/8/8/R7 w - - 100 80", &[]), "the game is over after 0 moves");
    assert_eq!(no_game("7k/8/6K1/8/8/8/8/R7 w - - 9 80", &["a1a8"]), "the game is over after 1 moves");
    let around = ["a1a2", "h8g8", "a2a1", "g8h8"].repeat(2);
    assert_eq!(no_game(ROOK, &around), "the game is over after 8 moves");
}

#[test]
fn a_position_is_dead_if_no_mate_can_be_reached() {
    let dead = |fen: &str| is_dead(Game::new(fen, &[]).unwrap().position());
    assert_eq!(dead("8/8/8/3k4/8/3K4/8/8 w - - 0 1"), Ok(()));
    assert!(dead("7k/8/5K2/8/8/8/8/R7 w - - 0 80").unwrap_err().starts_with("mate can be reached"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(dead(start).is_err());
    // A blocked position, and a queen that opens it.
    let blocked = "6k1/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/2B5/2K5 w - - 0 1";
    assert_eq!(dead(blocked), Ok(()));
    assert!(dead(&blocked.replace('B', "Q")).is_err());
}
