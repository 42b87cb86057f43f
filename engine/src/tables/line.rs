//! The principal variation to mate, by DTM.

use crate::tables::{Dtm, ProbeError, TableSet};
use crate::{Move, Position, Role};

impl TableSet {
    /// The moves to mate with best play by both sides: the winner takes the shortest way, the loser the
    /// longest. Of equal moves the first generated is taken. Empty for a draw.
    ///
    /// # Errors
    ///
    /// The position, or a position on the way, is in no table of this set.
    pub fn best_line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut left = self.dtm_of(&position)?.map_or(0, Dtm::plies);
        while left > 0 {
            let neighbours = self.neighbours(position.board(), position.side_to_move()).ok();
            let mut next = None;
            for mv in position.legal_moves() {
                let dtm = match &neighbours {
                    Some(neighbours) if is_quiet(&position, mv) => neighbours.dtm_after(mv.from, mv.to)?,
                    _ => self.dtm_of(&position.play_unchecked(mv))?,
                };
                if dtm.map(Dtm::plies) == Some(left - 1) {
                    next = Some(mv);
                    break;
                }
            }
            let Some(mv) = next else { break };
            line.push(mv);
            position = position.play_unchecked(mv);
            left -= 1;
        }
        Ok(line)
    }
}

/// Whether a move captures nothing, promotes no pawn and allows no en passant capture.
fn is_quiet(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let is_pawn = board.role(Role::Pawn).contains(mv.from);
    let is_step = mv.from.index().abs_diff(mv.to.index()) == 8;
    mv.promotion.is_none() && !board.occupied().contains(mv.to) && (!is_pawn || is_step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::builders::{self, tests::en_passant::SET};
    use crate::tables::{Layout, Metric, Table};
    use crate::{Color, Outcome};

    /// The line by probing the position after each move.
    fn probed(set: &TableSet, position: &Position) -> Vec<Move> {
        let (mut line, mut position) = (Vec::new(), *position);
        while let Some(left) = set.dtm_of(&position).unwrap().and_then(|dtm| dtm.plies().checked_sub(1)) {
            let leads_on =
                |mv: &Move| set.dtm_of(&position.play_unchecked(*mv)).unwrap().map(Dtm::plies) == Some(left);
            let next = position.legal_moves().into_iter().find(leads_on).unwrap();
            line.push(next);
            position = position.play_unchecked(next);
        }
        line
    }

    #[test]
    fn lines_are_those_that_probing_each_position_gives() {
        let set = &*SET;
        let mut compared = 0;
        for table in set.iter().filter(|table: &&Table| table.metric() == Metric::Dtm) {
            let layout: &Layout = table.layout();
            let step = if table.material().men() > 3 { 99_991 } else { 211 };
            for slot in (0..layout.slots()).step_by(step) {
                let board = layout.board(&layout.placement(slot));
                for (board, turn) in [(board, Color::White), (board.flip_colors(), Color::White)] {
                    let Ok(position) = Position::from_board(board, turn) else { continue };
                    assert_eq!(
                        set.best_line(&position).unwrap(),
                        probed(set, &position),
                        "{}",
                        position.to_fen()
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 1_000, "{compared}");
    }

    #[test]
    fn lines_end_in_mate_after_the_distance() {
        let set = builders::production(&["KPvK".parse().unwrap(), "KRvK".parse().unwrap()]).unwrap();
        for fen in [
            "8/1P6/7k/8/4K3/8/8/8 w - - 0 1",
            "8/1P6/k7/8/K7/8/8/8 w - - 0 1",
            "8/8/8/8/8/1KR5/8/1k6 b - - 0 1",
            "8/8/8/8/8/1KR5/8/1k6 w - - 0 1",
        ] {
            let mut position = Position::from_fen(fen).unwrap();
            let dtm = set.dtm(position.board(), position.side_to_move()).unwrap().unwrap();
            let line = set.best_line(&position).unwrap();
            assert_eq!(line.len(), usize::from(dtm.plies()), "{fen}");
            for mv in line {
                position = position.try_play(mv).unwrap();
            }
            assert!(matches!(crate::Game::new(position).outcome(), Some(Outcome::Checkmate { .. })), "{fen}");
        }
    }

    #[test]
    fn a_draw_has_no_line() {
        let set = builders::production(&["KPvK".parse().unwrap()]).unwrap();
        let drawn = Position::from_fen("8/8/8/8/8/k7/p7/K7 w - - 0 1").unwrap();
        assert_eq!(set.best_line(&drawn), Ok(Vec::new()));
    }
}
