//! Adjudication by endgame tables. Knows no tables: the caller looks the position up.

use shakmaty::Color;

use oracle::board::FIFTY_MOVES;

use super::end::End;

/// The value of a position in tables, for a game whose halfmove clock is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableValue {
    /// The result.
    pub result: TableResult,
    /// Plies until the winner has mated, or a man is captured or a pawn moves, at the latest, if the table
    /// knows. A table that rounds gives the larger number. Of no meaning in a draw.
    pub plies_to_zero: Option<u32>,
    /// Whether the table rounds, so that it may be one ply less.
    pub is_rounded: bool,
    /// Plies to mate if both sides play well, the fifty-move rule ignored. `None` in a draw, and if the table
    /// does not know.
    pub plies_to_mate: Option<u32>,
}

impl TableValue {
    /// The side that wins if the fifty-move rule is ignored.
    pub fn winner(&self, side_to_move: Color) -> Option<Color> {
        match self.result {
            TableResult::Win | TableResult::CursedWin => Some(side_to_move),
            TableResult::Draw => None,
            TableResult::BlessedLoss | TableResult::Loss => Some(!side_to_move),
        }
    }

    /// Whether the fifty-move rule draws the game even with a halfmove clock of 0.
    pub fn is_cursed(&self) -> bool {
        matches!(self.result, TableResult::CursedWin | TableResult::BlessedLoss)
    }

    /// Whether the winner is in time for the fifty-move rule: yes, no, or not known. `clock` counts the plies
    /// without a capture or pawn move so far.
    pub(crate) fn is_in_time(&self, clock: u32) -> Option<bool> {
        if self.is_cursed() || clock == 0 {
            return Some(!self.is_cursed());
        }
        let latest = self.plies_to_zero?;
        let is_in_time = |plies: u32| plies.saturating_add(clock) <= FIFTY_MOVES;
        let earliest = latest.saturating_sub(self.is_rounded.into());
        (is_in_time(latest) == is_in_time(earliest)).then(|| is_in_time(latest))
    }
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

suites::words! {
    /// Which results of tables are adjudicated.
    pub enum TableResults: "kind of results" {
        /// Wins and draws.
        All = "all",
        /// Wins of either side.
        Wins = "wins",
        /// Draws.
        Draws = "draws",
    }
}

impl TableRule {
    /// The end of a game in a position with this value; `None` if it goes on.
    ///
    /// A win counts if it comes before the fifty moves are over: with a clock at 0 it does, and with a
    /// running `clock` (plies without a capture or pawn move) only if the table knows the distance.
    pub(super) fn end(self, value: TableValue, side_to_move: Color, clock: u32) -> Option<End> {
        let counts = |results| self.results == TableResults::All || self.results == results;
        let drawn = counts(TableResults::Draws).then_some(End::TableDraw);
        match value.winner(side_to_move) {
            None => drawn,
            Some(_) if value.is_cursed() && !self.ignores_fifty_moves => drawn,
            Some(winner) => {
                let is_won = self.ignores_fifty_moves || value.is_in_time(clock) == Some(true);
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
        let value = TableValue { result, plies_to_zero: Some(20), is_rounded: false, plies_to_mate: None };
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
        let unknown = TableValue {
            result: TableResult::Win,
            plies_to_zero: None,
            is_rounded: false,
            plies_to_mate: None,
        };
        let rule = TableRule { results: all, ignores_fifty_moves: false };
        assert_eq!(rule.end(unknown, WHITE, 0), won);
        assert_eq!(rule.end(unknown, WHITE, 1), None);
        let far = TableValue { plies_to_zero: Some(u32::MAX), ..unknown };
        assert_eq!(rule.end(far, WHITE, 1), None);
    }

    #[test]
    fn a_rounded_distance_leaves_one_ply_open() {
        let value = |plies, is_rounded| TableValue {
            result: TableResult::Loss,
            plies_to_zero: Some(plies),
            is_rounded,
            plies_to_mate: None,
        };
        assert_eq!(
            [79, 80, 81, 82].map(|clock| value(20, false).is_in_time(clock)),
            [Some(true), Some(true), Some(false), Some(false)]
        );
        assert_eq!(
            [80, 81, 82].map(|clock| value(20, true).is_in_time(clock)),
            [Some(true), None, Some(false)]
        );
        let cursed = TableValue { result: TableResult::BlessedLoss, ..value(101, true) };
        assert_eq!(cursed.is_in_time(0), Some(false));
    }
}
