//! Judges the line (PV) of an announcement: its moves have to be legal, and it has to mate in time.

use oracle::board::{FIFTY_MOVES, Game, Spelling, legal_move};
use shakmaty::Position;
use suites::SharedCause;

/// The verdict on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineVerdict {
    /// It ends in the announced mate, or in a shorter one.
    Mates,
    /// It ends before the mate, which is no fault: many engines truncate their lines.
    Short,
    /// It is wrong, for this reason; with the cause that it may share with others.
    Wrong(String, Option<SharedCause>),
}

/// Judges the line of a mate in `moves` moves; negative if the side to move is mated.
pub(super) fn judge(game: &Game, moves: i32, pv: &[String]) -> LineVerdict {
    let plies = plies(moves);
    let (root, twice) = (game.position(), game.twice());
    let mut position = root.clone();
    for (ply, text) in (1..).zip(pv) {
        if position.halfmoves() >= FIFTY_MOVES && !position.is_checkmate() {
            let why = format!("the game is drawn by the fifty-move rule before {text}");
            return LineVerdict::Wrong(why, Some(SharedCause::Clock));
        }
        if position != *root && twice.contains(&&position) {
            let why = format!("the game is drawn by repetition before {text}");
            return LineVerdict::Wrong(why, Some(SharedCause::Repetition));
        }
        let Some(mv) = legal_move(&position, text, Spelling::Tolerant) else {
            return LineVerdict::Wrong(format!("{text} at ply {ply} is not legal"), None);
        };
        position.play_unchecked(mv);
        if position.is_checkmate() {
            if (ply % 2 == 1) != (moves > 0) {
                return LineVerdict::Wrong(format!("{text} at ply {ply} mates the other side"), None);
            }
        } else if ply == plies {
            return LineVerdict::Wrong(format!("it does not mate within its {plies} plies"), None);
        }
    }
    if position.is_checkmate() { LineVerdict::Mates } else { LineVerdict::Short }
}

/// The plies of a mate in so many moves.
pub(super) fn plies(moves: i32) -> u64 {
    let twice = 2 * u64::from(moves.unsigned_abs());
    if moves > 0 { twice - 1 } else { twice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mates::position;

    #[track_caller]
    fn check(fen: &str, moves: i32, pv: &str, expected: &str) {
        let pv: Vec<String> = pv.split_whitespace().map(str::to_owned).collect();
        let verdict = match judge(&Game::at(position(fen).unwrap()), moves, &pv) {
            LineVerdict::Mates => "mates".to_owned(),
            LineVerdict::Short => "short".to_owned(),
            LineVerdict::Wrong(why, _) => why,
        };
        assert_eq!(verdict, expected);
    }

    #[test]
    fn lines_of_mates() {
        let two = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
        check(two, 2, "c2c8 b1a1 c8c1", "mates");
        check(two, 3, "c2c8 b1a1 c8c1", "mates");
        check(two, 2, "c2c8 b1a1", "short");
        check(two, 2, "", "short");
        check(two, 2, "c2c8 b1a1 c8c2", "it does not mate within its 3 plies");
        check(two, 2, "c2c8 b1a1 c8c1 a1a2", "a1a2 at ply 4 is not legal");
        check(two, 2, "c2c8 b1b2", "b1b2 at ply 2 is not legal");
        check(two, 2, "0000", "0000 at ply 1 is not legal");
        check(two, 2, "x", "x at ply 1 is not legal");
        let mated = "8/8/8/8/8/1K6/3R4/k7 b - - 0 1";
        check(mated, -1, "a1b1 d2d1", "mates");
        check(mated, 1, "a1b1 d2d1", "it does not mate within its 1 plies");
        check(mated, 2, "a1b1 d2d1", "d2d1 at ply 2 mates the other side");
    }

    #[test]
    fn lines_beyond_the_fifty_move_rule() {
        let late = "8/8/8/8/8/1K6/2R5/1k6 w - - 98 80";
        check(late, 2, "c2c8 b1a1 c8c1", "the game is drawn by the fifty-move rule before c8c1");
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 97 80", 2, "c2c8 b1a1 c8c1", "mates");
    }
}
