//! The endgame knowledge of our evaluation, by material.

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic, Kind};

/// From this many centipawns on, a score counts as a win for White: a rook or more.
const WON: i32 = 500;

pub(super) const ALL: &[Heuristic] = &[
    Heuristic {
        name: "evaluator",
        tables: &[
            "KPvK", "KQvK", "KRvK", "KNNvK", "KBBvK", "KBNvK", "KRvKB", "KRvKN", "KQvKR", "KRvKP", "KQvKP",
        ],
        kind: Kind::Values(WON, score),
        yes_is_sure: false,
    },
    Heuristic {
        name: "evaluator: certain draws",
        tables: &[
            "KvK", "KNvK", "KBvK", "KPvK", "KQvK", "KRvK", "KNNvK", "KBBvK", "KBNvK", "KRvKB", "KRvKN",
            "KQvKR", "KBPvK", "KRvKP", "KQvKP",
        ],
        kind: Kind::Says(Claimed::Draw, |seen| Some(seen.score()? == 0)),
        yes_is_sure: true,
    },
];

fn score(seen: &mut EvaluatedPosition) -> Option<i32> {
    seen.score()
}
