//! Mates that an engine prints in centipawns.

use crate::Score;

/// The longest mate that is recognised, in moves.
const MOST_MOVES: i32 = 100;
/// The least value that counts as a mate. Nine queens are worth less.
const LEAST: i32 = 10_000;

/// From this value on, a score is not an evaluation, and two of them make a scale.
const SURE: i32 = 20_000;
/// The greatest step of such a scale: two for each ply.
const MOST_STEP: i32 = 4;

/// How an engine prints mates in centipawns: a value for mate in one, and less for each further move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MateScale {
    /// The value of a mate in one of the side to move.
    win: i32,
    /// The value of being mated in one, without its sign.
    loss: i32,
    /// The step: a mate that is one move longer is worth this much less.
    step: i32,
}

impl MateScale {
    /// The scale of an engine with these values of mate in one, two and three, and of being mated in one.
    /// `None` if they do not form a scale. If the third value is an evaluation, the engine did not find the
    /// mate in three, and the value is ignored.
    pub(crate) fn new(wins: [i32; 3], loss: i32) -> Option<Self> {
        let [win, two, three] = wins;
        let step = win.checked_sub(two)?;
        let is_found = three.unsigned_abs() >= LEAST.unsigned_abs();
        let is_scale = step > 0
            && if is_found {
                two.checked_sub(three) == Some(step) && three > LEAST
            } else {
                two > SURE && step <= MOST_STEP
            };
        let loss = loss.checked_neg()?;
        (is_scale && loss.abs_diff(win) <= step.unsigned_abs()).then_some(Self { win, loss, step })
    }

    /// The value of a mate in one.
    pub fn of_mate_in_one(self) -> i32 {
        self.win
    }

    /// The mate that a value stands for, in moves; negative if the side to move is mated. `None` if it is an
    /// evaluation.
    pub fn mate(self, centipawns: i32) -> Option<Score> {
        if centipawns.unsigned_abs() < LEAST.unsigned_abs() {
            return None;
        }
        let (first, least) = if centipawns > 0 { (self.win, 1) } else { (self.loss, 0) };
        let less = first.checked_sub(centipawns.checked_abs()?)?;
        let moves = 1 + less.div_euclid(self.step);
        let is_mate = less % self.step == 0 && (least..=MOST_MOVES).contains(&moves);
        is_mate.then(|| Score::Mate(if centipawns > 0 { moves } else { -moves }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_certain_mates_form_a_scale() {
        // 32000 less the plies: 1, 3 and 5; and 2 for being mated in one.
        let plies = MateScale::new([31_999, 31_997, 31_995], -31_998).unwrap();
        let mates = |scale: MateScale, values: &[i32]| -> Vec<Option<Score>> {
            values.iter().map(|&value| scale.mate(value)).collect()
        };
        let mate = |moves| Some(Score::Mate(moves));
        assert_eq!(
            mates(plies, &[31_999, 31_991, -31_998, -31_990, -32_000]),
            [mate(1), mate(5), mate(-1), mate(-5), mate(0)]
        );
        assert_eq!(mates(plies, &[31_998, 250, -9000, 31_700, 32_001, i32::MIN, i32::MAX]), [None; 7]);
        let moves = MateScale::new([9_999_900, 9_999_800, 9_999_700], -9_999_900).unwrap();
        assert_eq!(mates(moves, &[9_999_600, -9_999_700]), [mate(4), mate(-3)]);
        assert_eq!([plies, moves].map(MateScale::of_mate_in_one), [31_999, 9_999_900]);
    }

    #[test]
    fn two_mates_near_the_limit_form_a_scale() {
        let scale = MateScale::new([32_766, 32_764, 1562], -32_765).unwrap();
        assert_eq!(
            [32_762, -32_763, 1562].map(|value| scale.mate(value)),
            [Some(Score::Mate(3)), Some(Score::Mate(-2)), None]
        );
        for (wins, loss) in [([12_766, 12_764, 1562], -12_765), ([32_766, 32_700, 1562], -32_733)] {
            assert_eq!(MateScale::new(wins, loss), None, "{wins:?}");
        }
    }

    #[test]
    fn other_values_form_none() {
        for (wins, loss) in [
            ([900, 898, 896], -899),
            ([31_999, 31_999, 31_999], -31_999),
            ([31_999, 31_997, 31_996], -31_998),
            ([31_999, 31_997, 31_995], 31_998),
            ([31_999, 31_997, 31_995], i32::MIN),
            ([31_999, 31_997, 31_995], -500),
            ([i32::MIN, i32::MAX, 0], 0),
        ] {
            assert_eq!(MateScale::new(wins, loss), None, "{wins:?}");
        }
    }
}
