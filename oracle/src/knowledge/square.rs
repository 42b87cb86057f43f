//! The rule of the square in `KPvK`: whether the lone king catches the pawn. Yes: it does not, so White wins.

use shakmaty::{Color, Rank, Role, Square};

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic, Kind, distance, file, rank};

pub(super) const ALL: &[Heuristic] = &[
    heuristic("rule of the square (printed)", |seen| Race::of(seen).map(|race| race.printed())),
    heuristic("rule of the square (by its comment)", |seen| Race::of(seen).map(|race| race.commented())),
    Heuristic {
        yes_is_sure: true,
        ..heuristic("rule of the square (completed)", |seen| Race::of(seen).map(|race| race.completed()))
    },
];

const fn heuristic(name: &'static str, says: fn(&mut EvaluatedPosition) -> Option<bool>) -> Heuristic {
    Heuristic { name, tables: &["KPvK"], kind: Kind::Says(Claimed::Win, says), yes_is_sure: false }
}

/// A pawn that runs from a king.
struct Race {
    king: Square,
    pawn: Square,
    hunter: Square,
    /// Whether the pawn's side is to move.
    pawn_first: bool,
    /// Ranks that the pawn has before it.
    to_go: i32,
    /// Steps of the hunter to where the pawn promotes.
    hunt: i32,
}

impl Race {
    fn of(seen: &EvaluatedPosition) -> Option<Self> {
        let (king, hunter) = seen.kings()?;
        let pawn = seen.only(Color::White, Role::Pawn)?;
        let goal = Square::from_coords(pawn.file(), Rank::Eighth);
        let (to_go, hunt) = (7 - rank(pawn), distance(hunter, goal));
        Some(Self { king, pawn, hunter, pawn_first: seen.white_to_move(), to_go, hunt })
    }

    /// A specimen, as a textbook chapter has it in code: no double step, no king in the way, and a pawn that hangs runs
    /// all the same. The step that a hunter to move has before the pawn is taken off its way, which is right.
    fn printed(&self) -> bool {
        self.hunt - i32::from(!self.pawn_first) > self.to_go
    }

    /// A specimen, the same as the comment beside that line has it: it says to add what the code takes off.
    fn commented(&self) -> bool {
        self.hunt + i32::from(!self.pawn_first) > self.to_go
    }

    /// As the rule is meant: a pawn on the second rank saves a step, the own king before the pawn costs one, and a pawn
    /// that the hunter takes at once does not run.
    fn completed(&self) -> bool {
        let double = i32::from(rank(self.pawn) == 1);
        let in_the_way = i32::from(file(self.king) == file(self.pawn) && rank(self.king) > rank(self.pawn));
        let hangs =
            !self.pawn_first && distance(self.hunter, self.pawn) == 1 && distance(self.king, self.pawn) > 1;
        !hangs && self.hunt - i32::from(!self.pawn_first) > self.to_go - double + in_the_way
    }
}
