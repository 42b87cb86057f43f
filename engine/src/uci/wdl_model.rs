//! The WDL model of `UCI_ShowWDL`: win, draw and loss rates from score and material.
//!
//! As in Stockfish (2020), the win rate is a logistic curve of the score and the loss rate its mirror image:
//! the win rate is one half at a score of `EVEN`, and the curve is flatter with more material. The parameters
//! are not fitted to games. They assume that a clean pawn ahead wins every second game, and that each side
//! wins about a fifth of level games with all men on the board, and one in fourteen level endgames.

use crate::{Board, Role, Score, ScoreKind};

/// Rates in thousandths, from the view of the side to move. They sum to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WdlModel {
    pub(super) win: u16,
    pub(super) draw: u16,
    pub(super) loss: u16,
}

/// The score in centipawns with a win rate of one half.
const EVEN: f64 = 100.0;

/// The rates for a score.
pub(super) fn of(score: Score, board: &Board) -> WdlModel {
    let hundredths = match score.kind() {
        ScoreKind::Mate(_) => return WdlModel { win: 1000, draw: 0, loss: 0 },
        ScoreKind::Mated(_) => return WdlModel { win: 0, draw: 0, loss: 1000 },
        ScoreKind::Centipawns(hundredths) => f64::from(hundredths),
    };
    let spread = 38.0 + 0.4 * f64::from(material(board));
    let thousandths = |score: f64| (1000.0 / (1.0 + ((EVEN - score) / spread).exp())).round();
    // Rounded values are between 0 and 1000.
    #[expect(clippy::cast_sign_loss, reason = "both are positive")]
    let (win, loss) = (thousandths(hundredths) as u16, thousandths(-hundredths) as u16);
    WdlModel { win, draw: 1000_u16.saturating_sub(win + loss), loss }
}

/// Material of both sides in the usual points: 78 at the start of a game.
fn material(board: &Board) -> u32 {
    let points = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    points.into_iter().map(|(role, points)| points * board.role(role).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ply;
    use crate::Position;

    fn boards() -> [Board; 2] {
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]
            .map(|fen| *Position::from_fen(fen).unwrap().board())
    }

    #[test]
    fn rates_sum_to_a_thousand_and_the_win_rate_grows_with_the_score() {
        for board in boards() {
            let mut before = 0;
            for hundredths in -3000..=3000 {
                let score = Score::centipawns(hundredths * 10);
                let (here, mirrored) = (of(score, &board), of(-score, &board));
                assert_eq!(here.win + here.draw + here.loss, 1000, "{hundredths}");
                assert_eq!((here.win, here.loss), (mirrored.loss, mirrored.win), "{hundredths}");
                assert!(here.win >= before, "{hundredths}");
                before = here.win;
            }
        }
    }

    #[test]
    fn known_points() {
        let [full, bare] = boards();
        assert_eq!(of(Score::DRAW, &full), WdlModel { win: 191, draw: 618, loss: 191 });
        assert_eq!(of(Score::DRAW, &bare), WdlModel { win: 71, draw: 858, loss: 71 });
        assert_eq!(of(Score::centipawns(100), &full).win, 500);
        assert_eq!(of(Score::mate_in(Ply(31)), &bare), WdlModel { win: 1000, draw: 0, loss: 0 });
        assert_eq!(of(Score::mated_in(Ply(0)), &bare), WdlModel { win: 0, draw: 0, loss: 1000 });
    }
}
