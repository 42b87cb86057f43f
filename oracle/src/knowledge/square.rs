//! The rule of the square in `KPvK`: whether the lone king catches the pawn. A yes means that it does not, so
//! that White wins.

use shakmaty::{Color, Rank, Role, Square};

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic, distance, file, rank};

pub(super) const ALL: &[Heuristic] = &[
    heuristic("rule of the square (printed)", |seen| Race::new(seen).map(|race| race.printed())),
    heuristic("rule of the square (by its comment)", |seen| Race::new(seen).map(|race| race.commented())),
    heuristic("rule of the square (completed)", |seen| Race::new(seen).map(|race| race.completed())).sure(),
];

const fn heuristic(name: &'static str, says: fn(&mut EvaluatedPosition) -> Option<bool>) -> Heuristic {
    Heuristic::says(name, &["KPvK"], Claimed::Win, says)
}

/// A pawn that runs, and the king that chases it.
struct Race {
    king: Square,
    pawn: Square,
    hunter: Square,
    /// Whether White, the side with the pawn, is to move.
    pawn_first: bool,
    /// The number of ranks in front of the pawn.
    to_go: i32,
    /// King moves from the chasing king to the promotion square.
    hunt: i32,
}

impl Race {
    fn new(seen: &EvaluatedPosition) -> Option<Self> {
        let (king, hunter) = seen.kings()?;
        let pawn = seen.only(Color::White, Role::Pawn)?;
        let goal = Square::from_coords(pawn.file(), Rank::Eighth);
        let (to_go, hunt) = (7 - rank(pawn), distance(hunter, goal));
        Some(Self { king, pawn, hunter, pawn_first: seen.white_to_move(), to_go, hunt })
    }

    /// A specimen: the code of a textbook chapter. It ignores the double step, a king in the way of the pawn,
    /// and a capture of the pawn. If Black is to move, its distance is one less, which is right.
    fn printed(&self) -> bool {
        self.hunt - i32::from(!self.pawn_first) > self.to_go
    }

    /// A specimen: the comment next to that code, which adds where the code subtracts.
    fn commented(&self) -> bool {
        self.hunt + i32::from(!self.pawn_first) > self.to_go
    }

    /// The complete rule: a pawn on the second rank saves a step, its own king in front of it costs one, and
    /// a pawn that is captured at once does not run.
    fn completed(&self) -> bool {
        let double = i32::from(rank(self.pawn) == 1);
        let in_the_way = i32::from(file(self.king) == file(self.pawn) && rank(self.king) > rank(self.pawn));
        let hangs =
            !self.pawn_first && distance(self.hunter, self.pawn) == 1 && distance(self.king, self.pawn) > 1;
        !hangs && self.hunt - i32::from(!self.pawn_first) > self.to_go - double + in_the_way
    }
}
