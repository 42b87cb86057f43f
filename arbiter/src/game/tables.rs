//! Adjudication by endgame tables. Knows no tables: the caller looks the position up.

use shakmaty::Color;

use oracle::board::FIFTY_MOVES;

use super::end::End;

/// The value of a position in tables, for a game whose halfmove clock is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableValue {
    /// The result.
    pub result: TableResult,
    /// Plies until the winner has mated, captured or moved a pawn at the latest, if the table knows. A table
    /// that rounds gives the larger number.
    pub plies_to_zero: Option<u32>,
}

/// The result of a position from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableResult {
    /// It wins.
    Win,
    /// It would win without the fifty-move rule.
    CursedWin,
    /// Nobody wins.
    Draw,
    /// It would lose without the fifty-move rule.
    BlessedLoss,
    /// It loses.
    Loss,
}

/// Which positions of tables are adjudicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableRule {
    /// Which results.
    pub results: TableResults,
    /// Whether wins are adjudicated that the fifty-move rule draws.
    pub ignores_fifty_moves: bool,
}

/// Which results of tables are adjudicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableResults {
    /// Wins and draws.
    All,
    /// Wins of either side.
    Wins,
    /// Draws.
    Draws,
}

impl TableRule {
    /// The end of a game in a position with this value; `None` if it goes on.
    ///
    /// A win counts if it comes before the fifty moves are over: with a clock at 0 it does, and with a
    /// running `clock` (plies without a capture or pawn move) only if the table knows the distance.
    pub(super) fn end(self, value: TableValue, side_to_move: Color, clock: u32) -> Option<End> {
        let (winner, is_cursed) = match value.result {
            TableResult::Win => (Some(side_to_move), false),
            TableResult::CursedWin => (Some(side_to_move), true),
            TableResult::Draw => (None, false),
            TableResult::BlessedLoss => (Some(!side_to_move), true),
            TableResult::Loss => (Some(!side_to_move), false),
        };
        let counts = |results| self.results == TableResults::All || self.results == results;
        let drawn = counts(TableResults::Draws).then_some(End::TableDraw);
        match winner {
            None => drawn,
            Some(_) if is_cursed && !self.ignores_fifty_moves => drawn,
            Some(winner) => {
                let is_in_time = clock == 0
                    || value.plies_to_zero.is_some_and(|plies| plies.saturating_add(clock) <= FIFTY_MOVES);
                let is_won = self.ignores_fifty_moves || is_in_time;
                (is_won && counts(TableResults::Wins)).then_some(End::TableWin { winner })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Color = Color::White;

    fn end(results: TableResults, ignores_fifty_moves: bool, result: TableResult, clock: u32) -> Option<End> {
        let value = TableValue { result, plies_to_zero: Some(20) };
        TableRule { results, ignores_fifty_moves }.end(value, WHITE, clock)
    }

    #[test]
    fn results_are_those_of_the_side_to_move() {
        let check = |result, expected| assert_eq!(end(TableResults::All, false, result, 0), Some(expected));
        check(TableResult::Win, End::TableWin { winner: WHITE });
        check(TableResult::Loss, End::TableWin { winner: !WHITE });
        for drawn in [TableResult::Draw, TableResult::CursedWin, TableResult::BlessedLoss] {
            check(drawn, End::TableDraw);
        }
    }

    #[test]
    fn wins_alone_and_draws_alone() {
        assert_eq!(end(TableResults::Wins, false, TableResult::Draw, 0), None);
        assert_eq!(end(TableResults::Wins, false, TableResult::CursedWin, 0), None);
        assert!(end(TableResults::Wins, false, TableResult::Loss, 0).is_some());
        assert_eq!(end(TableResults::Draws, false, TableResult::Loss, 0), None);
        assert_eq!(end(TableResults::Draws, false, TableResult::BlessedLoss, 0), Some(End::TableDraw));
    }

    #[test]
    fn a_win_must_come_before_the_fifty_moves_are_over() {
        let all = TableResults::All;
        let won = Some(End::TableWin { winner: WHITE });
        assert_eq!(end(all, false, TableResult::Win, 80), won);
        assert_eq!(end(all, false, TableResult::Win, 81), None);
        assert_eq!(end(all, true, TableResult::Win, 81), won);
        assert_eq!(end(all, true, TableResult::CursedWin, 81), won);
        assert_eq!(end(all, true, TableResult::BlessedLoss, 0), Some(End::TableWin { winner: !WHITE }));
        let unknown = TableValue { result: TableResult::Win, plies_to_zero: None };
        let rule = TableRule { results: all, ignores_fifty_moves: false };
        assert_eq!(rule.end(unknown, WHITE, 0), won);
        assert_eq!(rule.end(unknown, WHITE, 1), None);
        let far = TableValue { plies_to_zero: Some(u32::MAX), ..unknown };
        assert_eq!(rule.end(far, WHITE, 1), None);
    }
}
