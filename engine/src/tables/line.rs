//! The principal variation to mate, by DTM.

use crate::tables::{Dtm, ProbeError, TableSet};
use crate::{Move, Position};

impl TableSet {
    /// The moves to mate with best play by both sides: the winner takes the shortest way, the loser the longest. Of
    /// equal moves the first generated is taken. Empty for a draw.
    ///
    /// # Errors
    ///
    /// The position, or a position on the way, is in no table of this set.
    pub fn best_line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut left = self.dtm_of(&position)?.map_or(0, Dtm::plies);
        while left > 0 {
            let mut next = None;
            for mv in position.legal_moves() {
                let after = position.play_unchecked(mv);
                let dtm = self.dtm_of(&after)?;
                if dtm.map(Dtm::plies) == Some(left - 1) {
                    next = Some((mv, after));
                    break;
                }
            }
            let Some((mv, after)) = next else { break };
            line.push(mv);
            position = after;
            left -= 1;
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use crate::tables::builders;
    use crate::{Outcome, Position};

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
