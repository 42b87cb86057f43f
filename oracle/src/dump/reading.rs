//! How the values of a dump are read: the unit of distances, and the view of results.

use derive_more::Display;
use shakmaty::Color;

use super::row::RowValue;
use crate::table_probe::Wdl;

suites::words! {
    /// The unit of distances to mate.
    #[derive(Default)]
    pub enum Unit: "unit" {
        /// Plies: mate in 5 is 9, mated in 5 is 10.
        #[default]
        Plies = "plies",
        /// Moves of the side that mates: mate in 5 is 5, mated in 5 is 5.
        Moves = "moves",
    }
}

suites::words! {
    /// The side whose view results and signs take.
    #[derive(Default)]
    pub enum View: "view" {
        /// The side to move: `win` means that it wins.
        #[default]
        SideToMove = "side-to-move",
        /// White.
        White = "white",
        /// The side that is not to move.
        Opponent = "opponent",
        /// Black.
        Black = "black",
    }
}

impl View {
    /// Whether results have to be exchanged to become those of the side to move.
    fn is_swapped(self, turn: Color) -> bool {
        match self {
            Self::SideToMove => false,
            Self::White => turn == Color::Black,
            Self::Opponent => true,
            Self::Black => turn == Color::White,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::SideToMove => "the side to move",
            Self::White => "White",
            Self::Opponent => "the side that is not to move",
            Self::Black => "Black",
        }
    }
}

/// The unit and the view of the values of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Display)]
#[display("distances in {unit}, results from the view of {}", view.words())]
pub struct Reading {
    /// The unit of distances.
    pub unit: Unit,
    /// The view of results and signs.
    pub view: View,
}

impl Reading {
    /// All readings, the more likely ones first.
    pub(super) const ALL: [Self; 8] = [
        Self { unit: Unit::Plies, view: View::SideToMove },
        Self { unit: Unit::Moves, view: View::SideToMove },
        Self { unit: Unit::Plies, view: View::White },
        Self { unit: Unit::Plies, view: View::Opponent },
        Self { unit: Unit::Plies, view: View::Black },
        Self { unit: Unit::Moves, view: View::White },
        Self { unit: Unit::Moves, view: View::Opponent },
        Self { unit: Unit::Moves, view: View::Black },
    ];

    /// The value of a row from the view of the side to move and in plies.
    pub(super) fn read(self, value: RowValue, turn: Color) -> RowValue {
        let of_mover = |wdl: Wdl| if self.view.is_swapped(turn) { wdl.turned() } else { wdl };
        match value {
            RowValue::Zero => RowValue::Zero,
            RowValue::Wdl(wdl) => RowValue::Wdl(of_mover(wdl)),
            RowValue::Dtm(wdl, distance) => {
                let wdl = of_mover(wdl);
                let plies = |distance: u32| match (self.unit, wdl) {
                    (Unit::Plies, _) => distance,
                    // There is no win in 0 moves, and no win in 0 plies.
                    (Unit::Moves, Wdl::Win) => distance.saturating_mul(2).saturating_sub(1),
                    (Unit::Moves, _) => distance.saturating_mul(2),
                };
                RowValue::Dtm(wdl, distance.map(plies))
            }
        }
    }

    /// The options that change the other reading to this one: `--unit moves --view white`.
    pub fn options_beside(self, other: Self) -> String {
        let unit = (self.unit != other.unit).then(|| format!("--unit {}", self.unit));
        let view = (self.view != other.view).then(|| format!("--view {}", self.view));
        unit.into_iter().chain(view).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(unit: Unit, view: View, value: RowValue, white: RowValue, black: RowValue) {
        let reading = Reading { unit, view };
        assert_eq!(reading.read(value, Color::White), white, "{reading}");
        assert_eq!(reading.read(value, Color::Black), black, "{reading}");
    }

    #[test]
    fn units_and_views() {
        let win = |plies| RowValue::Dtm(Wdl::Win, Some(plies));
        let loss = |plies| RowValue::Dtm(Wdl::Loss, Some(plies));
        let draw = RowValue::Dtm(Wdl::Draw, None);
        check(Unit::Plies, View::SideToMove, win(9), win(9), win(9));
        check(Unit::Moves, View::SideToMove, win(5), win(9), win(9));
        check(Unit::Moves, View::SideToMove, loss(5), loss(10), loss(10));
        check(Unit::Moves, View::SideToMove, loss(0), loss(0), loss(0));
        check(Unit::Moves, View::SideToMove, win(0), win(0), win(0));
        check(Unit::Moves, View::SideToMove, win(u32::MAX), win(u32::MAX - 1), win(u32::MAX - 1));
        check(Unit::Plies, View::White, win(9), win(9), loss(9));
        check(Unit::Plies, View::Opponent, win(9), loss(9), loss(9));
        check(Unit::Plies, View::Black, win(9), loss(9), win(9));
        check(Unit::Moves, View::White, win(5), win(9), loss(10));
        for view in View::ALL {
            check(Unit::Moves, view, draw, draw, draw);
            check(Unit::Moves, view, RowValue::Zero, RowValue::Zero, RowValue::Zero);
            check(
                Unit::Moves,
                view,
                RowValue::Wdl(Wdl::Draw),
                RowValue::Wdl(Wdl::Draw),
                RowValue::Wdl(Wdl::Draw),
            );
        }
    }

    #[test]
    fn options_are_those_that_are_not_asked_for_yet() {
        let check = |reading: usize, other: usize, expected: &str| {
            assert_eq!(Reading::ALL[reading].options_beside(Reading::ALL[other]), expected);
        };
        check(1, 0, "--unit moves");
        check(2, 0, "--view white");
        check(6, 0, "--unit moves --view opponent");
        check(6, 1, "--view opponent");
        check(0, 6, "--unit plies --view side-to-move");
        check(0, 0, "");
    }
}
