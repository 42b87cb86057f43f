//! Positions about which the two players disagree.

use shakmaty::{ByColor, Color};
use uci::Score;

use oracle::board::fen;

use super::Judged;
use super::finding::Standing;
use super::scores::DECISIVE;
use crate::game::GameResult;

/// The largest score of an even position, in centipawns.
const EVEN: u32 = 100;

/// A position about which the players disagree: over a mate, or over the result that the tables know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The plies that were played before the position.
    pub ply: usize,
    /// The position.
    pub fen: String,
    /// What each side says of it, from its own view.
    pub scores: ByColor<Score>,
    /// What the tables say, if they know the position.
    pub truth: Option<Standing>,
}

/// The first position of each row in which the players disagree. The score of a move is taken for one of the
/// position after it, of which the other player says its own with the next move.
pub(super) fn disagreements(judged: &Judged<'_>) -> Vec<Disagreement> {
    let scored: Vec<(usize, Score)> = judged.scored().collect();
    let mut last = None;
    let mut found = Vec::new();
    for pair in scored.windows(2) {
        let [(before, first), (ply, second)] = [pair[0], pair[1]];
        let side = judged.mover(ply);
        let truth = judged.standing(ply);
        let [one, other] = [(first, !side), (second, side)];
        let is_about_result = truth.is_some() && disagree(says(one), says(other));
        if before + 1 != ply || !(is_about_result || is_about_mate(one, other) || is_about_mate(other, one)) {
            continue;
        }
        if last != Some(before) {
            let scores = side
                .fold_wb(ByColor { white: second, black: first }, ByColor { white: first, black: second });
            found.push(Disagreement { ply, fen: fen(judged.position(ply)), scores, truth });
        }
        last = Some(ply);
    }
    found
}

fn disagree(one: Option<GameResult>, other: Option<GameResult>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// The result that a score of a side clearly says.
fn says((score, side): (Score, Color)) -> Option<GameResult> {
    let winner = |is_own: bool| GameResult::won_by(if is_own { side } else { !side });
    match score {
        Score::Mate(moves) => Some(winner(moves > 0)),
        Score::Centipawns(centipawns) if centipawns.unsigned_abs() <= EVEN => Some(GameResult::Draw),
        Score::Centipawns(centipawns) if centipawns.unsigned_abs() >= DECISIVE.unsigned_abs() => {
            Some(winner(centipawns > 0))
        }
        Score::Centipawns(_) => None,
    }
}

/// Whether the first score announces a mate, and by the second one the winner is not even better.
fn is_about_mate((score, side): (Score, Color), (other, other_side): (Score, Color)) -> bool {
    let Score::Mate(moves) = score else { return false };
    let winner = if moves > 0 { side } else { !side };
    let (for_other, own) = match other {
        Score::Mate(moves) => (moves > 0, true),
        Score::Centipawns(centipawns) => (centipawns > 0, centipawns != 0),
    };
    let favours = own.then_some(if for_other { other_side } else { !other_side });
    favours != Some(winner)
}
