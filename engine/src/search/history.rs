//! History heuristics for move ordering, and corrections of the evaluation.
//!
//! History: Schaeffer, The history heuristic and alpha-beta enhancements in practice, 1989. Continuation
//! history as in Stockfish; correction history as in Caissa and others since.

use crate::{Bitboard, Color, Move, Position, Role, Score, Square};

/// Bound of a history value, of either sign.
const MOST: i32 = 16_384;
/// Number of correction slots for each side.
const CORRECTIONS: usize = 1 << 14;
/// Corrections are stored in this many parts of a centipawn.
const GRAIN: i32 = 256;
/// Bound of a correction, in centipawns.
const MOST_CORRECTION: i32 = 64;

/// A piece and its destination: the key of continuation histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = 2 * 6 * 64;

    #[inline]
    pub(super) fn new(color: Color, role: Role, to: Square) -> Self {
        Self(((color.index() * 6 + role.index()) * 64 + to.index()) as u16)
    }

    /// The key of a move by the side to move.
    #[inline]
    pub(super) fn from_move(position: &Position, mv: Move) -> Self {
        let role = position.board().role_at(mv.from).unwrap_or(Role::Pawn);
        Self::new(position.side_to_move(), role, mv.to)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The histories of one thread.
pub(super) struct Histories {
    /// By side, from and to.
    quiet: Vec<[[i16; 64]; 64]>,
    /// By the key of an earlier move and of this move.
    continuation: Vec<[i16; PieceTo::COUNT]>,
    /// By key and captured role.
    capture: Vec<[i16; 6]>,
    /// By side and pawn structure.
    correction: [Vec<i32>; 2],
}

/// The keys of the moves one, two and four plies ago.
pub(super) type Earlier = [Option<PieceTo>; 3];

/// The histories of the quiet moves of a node.
#[derive(Clone, Copy)]
pub(super) struct QuietHistory<'a> {
    moves: &'a [[i16; 64]; 64],
    continuations: [&'a [i16; PieceTo::COUNT]; 3],
}

impl QuietHistory<'_> {
    /// The history score of a move, at most four times the bound.
    #[inline]
    pub(super) fn of(&self, mv: Move, step: PieceTo) -> i32 {
        let [one, two, four] = self.continuations;
        let continued = [one[step.index()], two[step.index()], four[step.index()]];
        let played = self.moves[mv.from.index()][mv.to.index()];
        i32::from(played) + i32::from(continued[0]) + i32::from(continued[1]) + i32::from(continued[2])
    }
}

/// Moves a value towards its bound; the step shrinks near the bound ("gravity").
#[inline]
fn nudge(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MOST) as i16;
}

impl Histories {
    pub(super) fn new() -> Self {
        Self {
            quiet: vec![[[0; 64]; 64]; 2],
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT],
            capture: vec![[0; 6]; PieceTo::COUNT],
            correction: [vec![0; CORRECTIONS], vec![0; CORRECTIONS]],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.quiet.fill([[0; 64]; 64]);
        self.continuation.fill([0; PieceTo::COUNT]);
        self.capture.fill([0; 6]);
        self.correction.iter_mut().for_each(|side| side.fill(0));
    }

    /// The histories of quiet moves of a side after these moves.
    #[inline]
    pub(super) fn quiet(&self, color: Color, earlier: &Earlier) -> QuietHistory<'_> {
        static NOTHING: [i16; PieceTo::COUNT] = [0; PieceTo::COUNT];
        let after = |before: Option<PieceTo>| before.map_or(&NOTHING, |key| &self.continuation[key.index()]);
        let [one, two, four] = *earlier;
        QuietHistory {
            moves: &self.quiet[color.index()],
            continuations: [after(one), after(two), after(four)],
        }
    }

    #[inline]
    pub(super) fn nudge_quiet(
        &mut self,
        color: Color,
        mv: Move,
        step: PieceTo,
        earlier: &Earlier,
        bonus: i32,
    ) {
        nudge(&mut self.quiet[color.index()][mv.from.index()][mv.to.index()], bonus);
        for before in earlier.iter().flatten() {
            nudge(&mut self.continuation[before.index()][step.index()], bonus);
        }
    }

    /// The history score of a capture.
    #[inline]
    pub(super) fn capture(&self, step: PieceTo, taken: Role) -> i32 {
        i32::from(self.capture[step.index()][taken.index()])
    }

    #[inline]
    pub(super) fn nudge_capture(&mut self, step: PieceTo, taken: Role, bonus: i32) {
        nudge(&mut self.capture[step.index()][taken.index()], bonus);
    }

    /// The evaluation, corrected by the results of earlier searches for the same pawn structure.
    #[inline]
    pub(super) fn corrected(&self, position: &Position, eval: Score) -> Score {
        if !is_uncertain(position) {
            return eval;
        }
        let correction = self.correction[position.side_to_move().index()][pawns(position)] / GRAIN;
        Score::centipawns(eval.raw() + correction)
    }

    /// Learns the difference between the evaluation and the score of a search of this depth.
    pub(super) fn correct(&mut self, position: &Position, depth: i32, eval: Score, found: Score) {
        if !is_uncertain(position) {
            return;
        }
        let entry = &mut self.correction[position.side_to_move().index()][pawns(position)];
        let error = (found.raw() - eval.raw()) * GRAIN;
        let weight = (depth + 1).min(16);
        let most = MOST_CORRECTION * GRAIN;
        *entry =
            ((*entry * (256 - weight) + error.clamp(-4 * most, 4 * most) * weight) / 256).clamp(-most, most);
    }
}

/// Whether corrections apply. They do not with few men or a bare king: the evaluation of such endgames must
/// keep wins above draws.
#[inline]
fn is_uncertain(position: &Position) -> bool {
    let board = position.board();
    board.occupied().count() > 6 && Color::ALL.iter().all(|&color| board.color(color).many())
}

/// The correction slot of a pawn structure.
#[inline]
fn pawns(position: &Position) -> usize {
    let of = |color| {
        let Bitboard(bits) = position.board().pieces(color, Role::Pawn);
        bits
    };
    let mixed = of(Color::White).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ of(Color::Black).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
    (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 50) as usize % CORRECTIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_bounds() {
        let mut value = 0;
        for bonus in [2_000; 200] {
            nudge(&mut value, bonus);
        }
        assert!((15_000..=16_384).contains(&value), "{value}");
        for bonus in [-2_000; 400] {
            nudge(&mut value, bonus);
        }
        assert!((-16_384..=-15_000).contains(&value), "{value}");
    }

    #[test]
    fn corrections_approach_the_score_of_the_search() {
        let mut histories = Histories::new();
        let position = Position::starting();
        let eval = Score::centipawns(20);
        assert_eq!(histories.corrected(&position, eval), eval);
        for _ in 0..100 {
            histories.correct(&position, 10, eval, Score::centipawns(60));
        }
        let corrected = histories.corrected(&position, eval).raw();
        assert!((50..=60).contains(&corrected), "{corrected}");
    }
}
