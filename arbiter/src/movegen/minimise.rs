//! The smallest position that shows a fault.

use super::test_position::TestPosition;

/// Removes one man after the other while the position shows a fault. At most `most` positions are tried.
/// `holds` is called with legal positions only. If it returns `None`, the smallest position so far is the
/// result.
pub(super) fn minimise(
    position: &TestPosition,
    most: u32,
    holds: &mut dyn FnMut(&TestPosition) -> Option<bool>,
) -> TestPosition {
    let mut smallest = position.clone();
    let mut left = most;
    loop {
        let mut smaller = false;
        for square in smallest.removable() {
            let Some(without) = smallest.without(square).filter(|without| !without.is_over()) else {
                continue;
            };
            if left == 0 {
                return smallest;
            }
            left -= 1;
            let Some(stays) = holds(&without) else { return smallest };
            if stays {
                smallest = without;
                smaller = true;
            }
        }
        if !smaller {
            return smallest;
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Role};

    use super::*;

    #[test]
    fn men_that_show_the_fault_remain() {
        use shakmaty::Position;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let start = TestPosition::read(start, CastlingMode::Standard).unwrap();
        let mut asked = 0;
        let smallest = minimise(&start, 200, &mut |position| {
            asked += 1;
            Some(position.chess.board().by_role(Role::Rook).count() >= 2)
        });
        assert_eq!(smallest.chess.board().occupied().count(), 4, "{}", smallest.fen);
        assert_eq!(smallest.chess.board().by_role(Role::Rook).count(), 2);
        assert!(asked < 100, "{asked}");
        assert_eq!(minimise(&start, 0, &mut |_| Some(true)).fen, start.fen);
    }

    #[test]
    fn the_smallest_position_so_far_stands_if_no_more_can_be_asked() {
        use shakmaty::Position;
        let start = TestPosition::read("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", CastlingMode::Standard).unwrap();
        let mut left = 2;
        let smallest = minimise(&start, 200, &mut |_| {
            left -= 1;
            (left >= 0).then_some(true)
        });
        assert_eq!((smallest.chess.board().occupied().count(), left), (4, -1));
    }
}
