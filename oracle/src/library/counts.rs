//! Perft with threads and a hash table, and the lists of `divide`.

use engine::{CastlingMode, PerftOptions, Position};
use suites::perft::Castling;
use suites::{Evidence, Findings, Verdict};

use super::{Asked, Wrong, ask, gather};
use crate::perft::true_counts;

const CHECK: &str = "library/counts";
/// One position in this many is counted, to this depth.
const EACH: usize = 8;
const DEPTH: u32 = 3;
/// A hash table so small that entries replace each other, one that holds all, and none.
const OPTIONS: [PerftOptions; 3] = [
    PerftOptions { threads: 1, hash_mb: 1 },
    PerftOptions { threads: 2, hash_mb: 4 },
    PerftOptions { threads: 2, hash_mb: 0 },
];

pub(super) fn run(positions: &[Asked]) -> Findings {
    let some: Vec<&Asked> = positions.iter().step_by(EACH).collect();
    let mut found = gather(CHECK, Evidence::Agreement, "positions", &some, |asked| {
        judge(asked, DEPTH, ask(|| told(asked, DEPTH)))
    });
    let deep = Asked { case: "rights/00".to_owned(), fen: RIGHTS.to_owned(), castling: Castling::Standard };
    found.record(judge(&deep, DEEP, ask(|| told(&deep, DEEP))));
    found
}

/// A position that comes again with other castling rights, at this depth.
const RIGHTS: &str = "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1";
const DEEP: u32 = 5;

/// The counts of each way to count, one a line.
fn told(asked: &Asked, depth: u32) -> Vec<String> {
    let mode = match asked.castling {
        Castling::Standard => CastlingMode::Standard,
        Castling::Chess960 => CastlingMode::Chess960,
    };
    let Ok(position) = Position::from_fen(&asked.fen) else {
        return vec!["the position is refused".to_owned()];
    };
    let list = |counts: Vec<(engine::Move, u64)>| {
        let mut lines: Vec<String> =
            counts.into_iter().map(|(mv, nodes)| format!("{} {nodes}", position.to_uci(mv, mode))).collect();
        lines.sort();
        lines.join(", ")
    };
    let mut lines = vec![list(engine::divide(&position, depth)), engine::perft(&position, depth).to_string()];
    for options in OPTIONS {
        let listed = engine::divide_with(&position, depth, options).map(list);
        lines.push(listed.unwrap_or_else(|error| error.to_string()));
        let counted = engine::perft_with(&position, depth, options).map(|nodes| nodes.to_string());
        lines.push(counted.unwrap_or_else(|error| error.to_string()));
    }
    lines
}

fn judge(asked: &Asked, depth: u32, got: Result<Vec<String>, String>) -> Verdict {
    let mut counts = true_counts(&asked.fen, asked.castling, depth);
    counts.sort();
    let listed: Vec<String> = counts.iter().map(|(text, nodes)| format!("{text} {nodes}")).collect();
    let sum: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    let pair = [listed.join(", "), sum.to_string()];
    let expected: Vec<String> = std::iter::repeat_n(pair, 1 + OPTIONS.len()).flatten().collect();
    let got = got.unwrap_or_else(|panic| vec![panic]);
    let Some((got, expected)) = super::first_difference(&got, &expected) else { return Verdict::Agree };
    let because = format!("perft {depth}, alone, with threads and with a hash table, has one count");
    Wrong { check: CHECK, case: &asked.case, fen: &asked.fen, got, expected, source: "shakmaty", because }
        .verdict()
}
