//! Moves and positions in the notation of UCI.

use std::time::Duration;

use super::abort::CheckResult;
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{
    CASTLING_MATES, ENDING, FORCED, MATE_IN_1, MATE_IN_2, MIDDLE, PROMOTION, RICH, START,
};
use super::rules;
use crate::answer;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/bestmove-legal", "An illegal move loses the game.", legal),
    ProtocolCheck::new("protocol/bestmove-form", "User interfaces compare moves as text.", form),
    ProtocolCheck::new(
        "protocol/position-moves",
        "Games are sent as moves, special moves included.",
        understood,
    ),
    ProtocolCheck::new(
        "protocol/position-forms",
        "User interfaces send positions in all these forms.",
        forms,
    ),
];

fn legal(check: &mut CheckContext) -> CheckResult {
    let others = [
        // Double check; a pin; en passant that would expose the king; a promotion with capture.
        "fen 4k3/8/8/8/4r3/8/5n2/3QK2R w K - 0 1",
        "fen 4r1k1/8/8/8/8/4B3/8/4K3 w - - 0 1",
        "fen 8/8/8/K2pP2r/8/8/8/6k1 w - d6 0 2",
        "fen 1n5k/P7/8/8/8/8/8/7K w - - 0 1",
    ];
    let named = [START, RICH, MIDDLE, ENDING, FORCED, MATE_IN_1, MATE_IN_2, PROMOTION, CASTLING_MATES];
    check.each(named.into_iter().chain(others), "a legal move", |session, position| {
        let search = session.search(position, 3, Duration::from_secs(1))?;
        Ok(session.problem(position, &search))
    })
}

fn form(check: &mut CheckContext) -> CheckResult {
    check.each(
        [("promotion", PROMOTION), ("castling", CASTLING_MATES), ("start", START)],
        "a move written as e2e4, a7a8q, e1g1",
        |session, (_, position)| {
            let search = session.search(position, 4, Duration::from_secs(1))?;
            let best = search.best.text;
            let legal = rules::after(&rules::board(position), &best).is_some();
            Ok((!legal).then(|| answer::best_move(&best, "")))
        },
    )
}

/// Games in which a program that misreads the last moves generates illegal ones.
const GAMES: [(&str, &str); 8] = [
    ("castling-short", "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8d7"),
    ("castling-long", "fen r3k3/8/8/8/8/8/8/4K3 b q - 0 1 moves e8c8 e1f2"),
    ("castling-rook-checks", "fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1"),
    ("en-passant", "fen 7k/8/8/8/1p6/8/P7/K7 w - - 0 1 moves a2a4 b4a3"),
    ("en-passant-opens-file", "fen 3rk3/3p4/8/2P5/8/8/8/3K4 b - - 0 1 moves d7d5 c5d6 e8f7"),
    ("promotion-to-knight", "fen 8/5P1k/8/8/8/8/8/K7 w - - 0 1 moves f7f8n"),
    ("promotion-by-capture", "fen 1n5k/P7/8/8/8/8/8/7K w - - 0 1 moves a7b8q"),
    ("black-promotion", "fen 7k/8/8/8/8/8/p7/7K b - - 0 1 moves a2a1r"),
];

fn understood(check: &mut CheckContext) -> CheckResult {
    check.each(GAMES, "a legal move of the position after them", |session, (_, position)| {
        session.short_search(position)
    })
}

/// The forms of the `position` command.
const FORMS: [(&str, &str); 7] = [
    ("startpos", "startpos"),
    ("startpos-moves", "startpos moves e2e4 c7c5 g1f3"),
    ("fen", "fen rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"),
    ("fen-moves", "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves d2d4 d7d5 c2c4"),
    ("fen-late-clocks", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 98 250"),
    ("fen-black", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 3 40"),
    ("fen-some-castling", "fen r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 20"),
];

fn forms(check: &mut CheckContext) -> CheckResult {
    check.each(FORMS, "a legal move", |session, (_, position)| session.short_search(position))
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;

    #[test]
    fn the_games_and_forms_are_legal() {
        for (case, position) in GAMES.into_iter().chain(FORMS) {
            assert!(rules::read(position).is_some_and(|board| !board.legal_moves().is_empty()), "{case}");
        }
    }
}
