//! The numbers of pruning and reduction, as functions of depth. Margins are in hundredths of a pawn.
//!
//! Each names where its idea comes from; the sizes are ours, of the usual order.

/// Depth is counted in plies to go; from here on nothing is searched but captures.
pub(super) const HORIZON: i32 = 0;

/// With so many plies left of the fifty moves or fewer, nothing is left out for its evaluation.
pub(super) const LAST_OF_FIFTY_MOVES: i32 = 5;

/// Down to this depth a position far above beta is not searched (reverse futility: Heinz, Extended futility pruning,
/// 1998, seen from the other side).
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// How far above beta.
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    75 * (depth - i32::from(improving))
}

/// Below alpha by this much, captures alone are looked at (razoring: Birmingham, Kent: Tree-searching and
/// tree-pruning techniques, 1977).
pub(super) fn razoring(depth: i32) -> i32 {
    200 + 180 * depth * depth
}

/// Razoring is done down from this depth.
pub(super) const RAZORING_DEPTH: i32 = 3;

/// From this depth on passing is tried (null move: Beal 1989, Donninger 1993).
pub(super) const NULL_MOVE_DEPTH: i32 = 3;

/// From this depth on what passing suggests is verified without passing (Tabibi, Netanyahu: Verified null-move
/// pruning, 2002).
pub(super) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 10;

/// How many plies less deep the answer to passing is searched.
pub(super) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    4 + depth / 4 + (above_beta / 200).clamp(0, 3)
}

/// From this depth on a node without hash move is searched one ply less (internal iterative reduction: Schröder, 2020).
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// From this depth on a capture that gains a lot in a shallower search cuts (`ProbCut`: Buro, 1995).
pub(super) const PROBCUT_DEPTH: i32 = 5;

/// How far above beta it must come.
pub(super) const PROBCUT: i32 = 180;

/// From this depth on the hash move is extended if all others fall far behind it (singular extension: Anantharaman,
/// Campbell, Hsu, 1988).
pub(super) const SINGULAR_DEPTH: i32 = 7;

/// How far behind.
pub(super) fn singular(depth: i32) -> i32 {
    2 * depth
}

/// How many quiet moves are tried at a low depth (late move pruning, also called move count based pruning).
pub(super) fn late_moves(depth: i32, improving: bool) -> i32 {
    (4 + depth * depth) / if improving { 1 } else { 2 }
}

/// Down from this depth quiet moves that cannot reach alpha are left out (futility: Schaeffer 1986).
pub(super) const FUTILITY_DEPTH: i32 = 8;

/// How far below alpha a position is hopeless for quiet moves.
pub(super) fn futility(depth: i32) -> i32 {
    90 + 80 * depth
}

/// Down from this depth moves that lose material by exchange are left out.
pub(super) const EXCHANGE_DEPTH: i32 = 8;

/// What a quiet move may lose.
pub(super) fn quiet_exchange(depth: i32) -> i32 {
    -30 * depth * depth
}

/// What a capture may lose.
pub(super) fn capture_exchange(depth: i32) -> i32 {
    -95 * depth
}

/// Down from this depth quiet moves of bad history are left out.
pub(super) const HISTORY_DEPTH: i32 = 5;

/// How bad.
pub(super) fn history(depth: i32) -> i32 {
    -3_500 * depth
}

/// What a good or bad move's history is moved by.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (170 * depth - 80).clamp(0, 1_600)
}

/// The window around the last score that a new iteration begins with (aspiration windows: Baudet, 1978).
pub(super) const ASPIRATION: i32 = 14;

/// From this depth on iterations begin with a narrow window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// In quiescence: what a capture must bring to come near alpha, beside the piece taken (delta pruning).
pub(super) const DELTA: i32 = 180;

/// How many plies less a late move is searched (late move reductions: Romstad and others, 2005), growing with the
/// logarithms of depth and number.
pub(super) fn late_move_reduction(depth: i32, number: i32) -> i32 {
    let [depth, number] = [depth, number].map(|n| LOG2[n.clamp(1, 63) as usize]);
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

/// In integers, so that it is the same on every machine: each squaring of a number in [1, 2) gives one more binary digit.
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
    fn reductions_grow() {
        for (depth, number, plies) in [(1, 1, 0), (3, 3, 1), (8, 8, 2), (20, 30, 5), (63, 63, 8)] {
            assert_eq!(late_move_reduction(depth, number), plies, "{depth} {number}");
        }
    }
}
