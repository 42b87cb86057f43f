//! The parameters of pruning and reductions, as functions of depth. Margins are in centipawns.
//!
//! Each names the source of the idea. The values are our own, of the usual order.

/// Depth is in plies; at this depth or less, quiescence search begins.
pub(super) const HORIZON: i32 = 0;

/// With at most this many plies left until the fifty-move draw, pruning by evaluation is off.
pub(super) const LAST_OF_FIFTY_MOVES: i32 = 5;

/// Up to this depth a node far above beta is not searched (reverse futility pruning: Heinz, Extended futility
/// pruning, 1998, seen from the other side).
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// The margin above beta.
#[inline]
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    75 * (depth - i32::from(improving))
}

/// This much below alpha, only quiescence search is done (razoring: Birmingham, Kent: Tree-searching and
/// tree-pruning techniques, 1977).
#[inline]
pub(super) fn razoring(depth: i32) -> i32 {
    200 + 180 * depth * depth
}

/// Razoring is done up to this depth.
pub(super) const RAZORING_DEPTH: i32 = 3;

/// From this depth on null moves are tried (Beal 1989, Donninger 1993).
pub(super) const NULL_MOVE_DEPTH: i32 = 3;

/// From this depth on a null-move cutoff is verified without null moves (Tabibi, Netanyahu: Verified
/// null-move pruning, 2002).
pub(super) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 10;

/// The depth reduction after a null move, in plies.
#[inline]
pub(super) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    4 + depth / 4 + (above_beta / 200).clamp(0, 3)
}

/// From this depth on a node without hash move is searched one ply less (internal iterative reduction:
/// Schröder, 2020).
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// From this depth on a capture that gains much in a shallower search causes a cutoff (`ProbCut`: Buro,
/// 1995).
pub(super) const PROBCUT_DEPTH: i32 = 5;

/// The margin above beta.
pub(super) const PROBCUT: i32 = 180;

/// From this depth on the hash move is extended if all other moves are far worse (singular extension:
/// Anantharaman, Campbell, Hsu, 1988).
pub(super) const SINGULAR_DEPTH: i32 = 7;

/// The margin below the hash score.
#[inline]
pub(super) fn singular(depth: i32) -> i32 {
    2 * depth
}

/// The number of quiet moves that are tried at low depth (late move pruning, or move count based pruning).
#[inline]
pub(super) fn late_moves(depth: i32, improving: bool) -> i32 {
    (4 + depth * depth) / if improving { 1 } else { 2 }
}

/// Up to this depth quiet moves that cannot reach alpha are pruned (futility pruning: Schaeffer 1986).
pub(super) const FUTILITY_DEPTH: i32 = 8;

/// The margin below alpha.
#[inline]
pub(super) fn futility(depth: i32) -> i32 {
    90 + 80 * depth
}

/// Up to this depth moves that lose material by SEE are pruned.
pub(super) const EXCHANGE_DEPTH: i32 = 8;

/// The loss allowed for a quiet move.
#[inline]
pub(super) fn quiet_exchange(depth: i32) -> i32 {
    -30 * depth * depth
}

/// The loss allowed for a capture.
#[inline]
pub(super) fn capture_exchange(depth: i32) -> i32 {
    -95 * depth
}

/// Up to this depth quiet moves with bad history are pruned.
pub(super) const HISTORY_DEPTH: i32 = 5;

/// The history threshold.
#[inline]
pub(super) fn history(depth: i32) -> i32 {
    -3_500 * depth
}

/// The history bonus of a move that fails high, and the malus of the moves before it.
#[inline]
pub(super) fn history_bonus(depth: i32) -> i32 {
    (170 * depth - 80).clamp(0, 1_600)
}

/// Half the aspiration window (Baudet, 1978).
pub(super) const ASPIRATION: i32 = 14;

/// From this depth on iterations start with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Delta pruning in quiescence search: the margin beside the captured piece.
pub(super) const DELTA: i32 = 180;

/// The reduction of a late move, in plies (late move reductions: Romstad and others, 2005). It grows with the
/// logarithms of depth and move number.
#[inline]
pub(super) fn late_move_reduction(depth: i32, number: i32) -> i32 {
    let log = |n: i32| LOG2[n.clamp(1, 63) as usize];
    let (depth, number) = (log(depth), log(number));
    // 0.7 + 0.21 * log2 * log2, in plies.
    (7 * 65_536 + 21 * depth * number / 10) / 655_360
}

/// Logarithms to the base 2, in 256ths.
static LOG2: [i32; 64] = logarithms();

const fn logarithms() -> [i32; 64] {
    let mut table = [0; 64];
    let mut n = 1;
    while n < 64 {
        table[n] = log2(n as u64);
        n += 1;
    }
    table
}

/// In integers, so that it is the same on every machine: each squaring of a number in [1, 2) yields one more
/// binary digit.
const fn log2(n: u64) -> i32 {
    let whole = n.ilog2();
    let mut rest = n << (32 - whole);
    let mut result = (whole as i32) << 8;
    let mut digit = 7;
    while digit >= 0 {
        rest = ((rest as u128 * rest as u128) >> 32) as u64;
        if rest >= 2 << 32 {
            rest >>= 1;
            result += 1 << digit;
        }
        digit -= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_in_256ths() {
        for (n, expected) in [(1, 0), (2, 256), (3, 405), (10, 850), (63, 1_530)] {
            assert_eq!(log2(n), expected, "{n}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        for (depth, number, plies) in [(1, 1, 0), (3, 3, 1), (8, 8, 2), (20, 30, 5), (63, 63, 8)] {
            assert_eq!(late_move_reduction(depth, number), plies, "{depth} {number}");
        }
    }
}
