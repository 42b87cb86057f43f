//! Men are taken off while a fault stays.

use super::place::Place;

/// The position with as few men as show a fault, found by taking one after the other off; at most so many positions are
/// tried. `holds` is asked of legal positions only; where it is `None`, nothing more can be asked, and what was found so far
/// stands.
pub(super) fn minimise(place: &Place, most: u32, holds: &mut dyn FnMut(&Place) -> Option<bool>) -> Place {
    let mut smallest = place.clone();
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
    fn what_shows_the_fault_stays() {
        use shakmaty::Position;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let start = Place::read(start, CastlingMode::Standard).unwrap();
        let mut asked = 0;
        let smallest = minimise(&start, 200, &mut |place| {
            asked += 1;
            Some(place.position.board().by_role(Role::Rook).count() >= 2)
        });
        assert_eq!(smallest.position.board().occupied().count(), 4, "{}", smallest.fen);
        assert_eq!(smallest.position.board().by_role(Role::Rook).count(), 2);
        assert!(asked < 100, "{asked}");
        assert_eq!(minimise(&start, 0, &mut |_| Some(true)).fen, start.fen);
    }

    #[test]
    fn what_was_found_stands_where_no_more_can_be_asked() {
        use shakmaty::Position;
        let start = Place::read("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", CastlingMode::Standard).unwrap();
        let mut left = 2;
        let smallest = minimise(&start, 200, &mut |_| {
            left -= 1;
            (left >= 0).then_some(true)
        });
        assert_eq!((smallest.position.board().occupied().count(), left), (4, -1));
    }
}
