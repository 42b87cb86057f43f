//! `UCI_Chess960`: castling is written as king takes rook, and king and rook may stand on other files than in
//! standard chess.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position};
use suites::Answer;
use uci::Search;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::CASTLING_MATES;
use super::rules;
use super::session::CheckSession;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new(
        "protocol/chess960-moves",
        "Games of Chess960 are sent with castling as king takes rook.",
        moves,
    ),
    ProtocolCheck::new(
        "protocol/chess960-form",
        "In Chess960 only king takes rook names castling without doubt.",
        form,
    ),
    ProtocolCheck::new("protocol/chess960-castling", "Illegal castling loses the game.", castling),
    ProtocolCheck::new("protocol/chess960-fen", "User interfaces send castling rights in both forms.", fens),
    ProtocolCheck::new("protocol/chess960-off", "After a game of Chess960 users play standard chess.", off),
];

/// The option.
const OPTION: &str = "UCI_Chess960";
/// The longest search. Then `stop` is sent.
const LONGEST: Duration = Duration::from_secs(1);

/// Games with castling, with rights as Shredder-FEN, which user interfaces send. White and Black are to move
/// in turn, since a program that rejects a game keeps the position before. The moves after it are legal only
/// if king and rook stand on the right squares.
const GAMES: [(&str, &str); 7] = [
    ("standard-squares", "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8 f1f7 d8d2"),
    ("king-in-place", "fen 4k3/8/8/8/8/8/8/6KR w H - 0 1 moves g1h1 e8d8 f1f5 d8c8 g1f1"),
    ("rook-in-place", "fen 4k3/8/8/8/8/8/8/4KR2 w F - 0 1 moves e1f1 e8d8 f1f5 d8c8 g1h1 c8b8"),
    ("change-of-places", "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1 e8d8 f1f5 d8c8 g1h1"),
    ("five-squares", "fen 4k3/8/8/8/8/8/8/1K5R w H - 0 1 moves b1h1 e8d8 f1f5 d8c8 g1h1 c8b8"),
    ("long-from-b1", "fen 4k3/8/8/8/8/8/8/RK6 w A - 0 1 moves b1a1 e8f8 d1d5 f8g8 c1b1"),
    ("black", "fen 1kr5/8/8/8/8/8/8/4K3 b c - 0 1 moves b8c8 e1d1 f8f4 d1c1 g8g7"),
];

/// Positions in which castling is the only mate in one.
const CASTLING: [(&str, &str); 6] = [
    ("standard-squares", "fen 8/8/8/8/8/4B3/4RR2/k3K2R w H - 0 1"),
    ("king-in-place", "fen 8/8/8/8/8/8/7R/3k2KR w H - 0 1"),
    ("rook-in-place", "fen 8/8/8/6R1/8/8/7R/1k2KR2 w F - 0 1"),
    ("change-of-places", "fen 8/6B1/8/8/8/8/7R/2k2KR1 w G - 0 1"),
    ("five-squares", "fen 6b1/7B/8/6B1/8/5k2/6R1/1K5R w H - 0 1"),
    ("long-from-b1", "fen 8/8/8/8/8/8/R7/RK3k2 w A - 0 1"),
];

/// Positions in which castling would mate if it were legal.
const NO_CASTLING: [(&str, &str); 5] = [
    ("out-of-check", "fen 8/8/8/8/4B3/3b4/7R/1k3KR1 w G - 0 1"),
    ("out-of-check-long", "fen 8/8/1r6/8/8/8/4R3/RK4k1 w A - 0 1"),
    ("through-check", "fen 8/R7/b7/8/8/8/6R1/k3KR2 w F - 0 1"),
    ("through-check-of-a-queen", "fen 8/8/8/8/4B3/3q4/5R2/Nk2KR2 w F - 0 1"),
    ("through-check-long", "fen 8/7R/8/7q/8/8/3R4/3RK2k w D - 0 1"),
];

/// Games with castling rights as X-FEN and as Shredder-FEN. `K` is the outer rook of two.
const FENS: [(&str, &str); 6] = [
    ("x-fen", "fen 1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1 moves e1g1 e8b8 f1f7 d8d2"),
    ("shredder-fen", "fen 1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1 moves e1g1 e8b8 f1f7"),
    ("shredder-fen-of-standard-chess", "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8 f1f7 d8d2"),
    ("x-fen-outer-rook", "fen 4k3/8/8/8/8/8/8/4KR1R w K - 0 1 moves f1f5 e8d8 e1h1 d8c8 f1f3 c8b8 g1f2"),
    ("shredder-fen-outer-rook", "fen 4k3/8/8/8/8/8/8/4KR1R w H - 0 1 moves f1f5 e8d8 e1h1 d8c8 f1f3 c8b8"),
    ("inner-rook", "fen 4k3/8/8/8/8/8/8/4KR1R w F - 0 1 moves e1f1 e8d8 f1f5 d8c8 g1f1"),
];

/// Sets the option.
fn play_chess960(session: &mut CheckSession) -> Result<(), Abort> {
    session.option(OPTION)?;
    session.set_option(OPTION, "true")
}

/// A position of a check.
///
/// # Panics
/// If it is not legal. A test reads them all.
fn board(position: &str) -> Chess {
    rules::read_in(position, CastlingMode::Chess960).expect("the positions of the checks are legal")
}

/// A search with the option on.
fn search(session: &mut CheckSession, position: &str, depth: u16) -> Result<Search, Abort> {
    play_chess960(session)?;
    session.search(position, depth, LONGEST)
}

/// Castling rights in a form that the program reads.
type CastlingForm = fn(&str) -> String;

/// The form that the program reads: X-FEN if it fails with Shredder-FEN alone, which another check reports.
fn form_of(session: &mut CheckSession) -> CastlingForm {
    let forms: [CastlingForm; 2] = [str::to_owned, x_fen];
    let position = GAMES[0].1;
    let reads = |form: &CastlingForm| {
        let search = search(session, &form(position), 2);
        let is_read = search.is_ok_and(|search| rules::problem_on(&board(position), &search.best).is_none());
        if !is_read {
            session.kill_process();
        }
        is_read
    };
    forms.into_iter().find(reads).unwrap_or(str::to_owned)
}

/// A position with castling rights as X-FEN.
fn x_fen(position: &str) -> String {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let fen = oracle::board::fen(&board(start));
    if moves.is_empty() { format!("fen {fen}") } else { format!("fen {fen} moves {moves}") }
}

/// What is wrong with the best move of a search.
fn illegal(session: &mut CheckSession, position: &str, depth: u16) -> Result<CaseProblem, Abort> {
    search(session, position, depth).map(|search| rules::problem_on(&board(position), &search.best))
}

/// The best move of a search is legal in each position.
fn legal(check: &mut CheckContext, cases: &[(&str, &str)], expected: &str, depth: u16) -> CheckResult {
    let form = form_of(check.session());
    check.each(cases.iter().copied(), expected, |session, (_, position)| {
        illegal(session, &form(position), depth)
    })
}

fn moves(check: &mut CheckContext) -> CheckResult {
    legal(check, &GAMES, "a legal move of the position after them", 2)
}

fn fens(check: &mut CheckContext) -> CheckResult {
    let expected = "a legal move of the position after the moves";
    check.each(FENS, expected, |session, (_, position)| illegal(session, position, 2))
}

fn castling(check: &mut CheckContext) -> CheckResult {
    legal(check, &NO_CASTLING, "a legal move, which castling is not", 4)
}

fn form(check: &mut CheckContext) -> CheckResult {
    let form = form_of(check.session());
    check.each(CASTLING, "castling as king takes rook", |session, (_, position)| {
        let search = search(session, &form(position), 4)?;
        castling_or(unclear(&board(position), &search), &board(position), &search.best.text)
    })
}

/// This problem. Without one the best move has to be castling: another legal move tells nothing.
fn castling_or(problem: CaseProblem, board: &Chess, best: &str) -> Result<CaseProblem, Abort> {
    let castles = || board.legal_moves().into_iter().filter(|mv| mv.is_castle());
    let is_castling = |mode| castles().any(|mv| oracle::board::uci_text(mv, mode) == best);
    if problem.is_some() || is_castling(CastlingMode::Chess960) || is_castling(CastlingMode::Standard) {
        Ok(problem)
    } else {
        Err(Abort::Unsupported)
    }
}

/// What is wrong with the moves of a search, which have to be written as in Chess960.
fn unclear(board: &Chess, search: &Search) -> CaseProblem {
    let best = &search.best.text;
    if rules::after(board, best).is_none() {
        return Some(Answer::BestMove { text: best.clone(), more: String::new() });
    }
    let mut pvs = search.infos.iter().filter_map(|(_, info)| info.pv.as_ref());
    let illegal = pvs.find_map(|pv| rules::first_illegal(board, pv));
    illegal.map(|(index, mv)| format!("{mv} as move {} of a pv", index + 1).into())
}

fn off(check: &mut CheckContext) -> CheckResult {
    let expected = "castling as a move of the king over two squares";
    let form = form_of(check.session());
    check.case("bestmove", expected, |session| {
        switched_off(session, form)?;
        let search = session.search(CASTLING_MATES, 4, LONGEST)?;
        let board = rules::board(CASTLING_MATES);
        castling_or(unclear(&board, &search), &board, &search.best.text)
    })?;
    check.case("moves", "a legal move of the position after e1g1", |session| {
        switched_off(session, form)?;
        session.short_search("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8d8 f1f5")
    })
}

/// Switches the option on, and off after a search.
fn switched_off(session: &mut CheckSession, form: CastlingForm) -> Result<(), Abort> {
    search(session, &form(CASTLING[1].1), 2)?;
    session.set_option(OPTION, "false")
}

#[cfg(test)]
mod tests {
    use oracle::board::uci_moves;

    use super::*;

    #[test]
    fn the_same_position_in_both_forms() {
        for (case, position) in GAMES.iter().chain(&CASTLING).chain(&NO_CASTLING) {
            let written = x_fen(position);
            assert!(written.contains(['K', 'Q', 'k', 'q']), "{case}");
            assert_eq!(board(&written), board(position), "{case}");
        }
        let [_, shredder, ..] = FENS;
        assert!(x_fen(shredder.1).starts_with("fen 1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1 moves e1g1"));
    }

    #[test]
    fn the_games_are_legal() {
        for games in [&GAMES[..], &FENS] {
            for (index, (case, position)) in games.iter().enumerate() {
                let board = board(position);
                assert!(!board.legal_moves().is_empty(), "{case}");
                assert_eq!(board.turn().is_white(), index % 2 == 0, "{case}");
            }
        }
    }

    #[test]
    fn castling_is_the_only_mate_or_not_legal() {
        for (case, position) in CASTLING {
            let board = board(position);
            let mates = |mv: &String| rules::after(&board, mv).is_some_and(|after| after.is_checkmate());
            let mates: Vec<String> = uci_moves(&board).into_iter().filter(mates).collect();
            let castles: Vec<String> = castles(&board);
            assert_eq!((mates.len(), &mates), (1, &castles), "{case}");
        }
        for (case, position) in NO_CASTLING {
            let board = board(position);
            assert!(castles(&board).is_empty() && !board.legal_moves().is_empty(), "{case}");
            assert!(!board.castles().is_empty(), "{case}");
            assert_eq!(board.is_check(), case.starts_with("out-of-check"), "{case}");
        }
    }

    fn castles(board: &Chess) -> Vec<String> {
        let castles = board.legal_moves().into_iter().filter(|mv| mv.is_castle());
        castles.map(|mv| oracle::board::uci_text(mv, CastlingMode::Chess960)).collect()
    }
}
