//! Balanced openings: walks from the initial position by moves that our engine finds nearly as good as its
//! best one, kept if it then sees neither side ahead.

use std::collections::{BTreeMap, BTreeSet};

use engine::search::AlphaBeta;
use engine::search_api::{Control, Limits, NoClock, Searcher, Settings};
use engine::{Game, Move, Position};

use super::Random;

/// How many openings there are.
const OPENINGS: usize = 200;
/// Their plies.
const PLIES: usize = 8;
/// Nodes of the search behind each move of a walk.
const WALK_NODES: u64 = 300;
/// By how many centipawns a move of a walk may be worse than the best one.
const WORSE: i32 = 35;
/// Nodes of the search of an opening.
const NODES: u64 = 20_000;
/// The largest score of an opening, in centipawns.
const LARGEST: i32 = 20;

/// The lines of the book.
pub(crate) fn lines() -> Vec<String> {
    let mut random = Random::new(39);
    let mut walker = Walker { good: BTreeMap::new() };
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    while lines.len() < OPENINGS {
        let position = walker.walk(&mut random);
        let fen = position.to_fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        if !seen.insert(fields[0].to_owned()) {
            continue;
        }
        let score = score(position, NODES);
        if score.abs() <= LARGEST {
            lines.push(format!("{} ce {score}; acn {NODES};", fields.join(" ")));
        }
    }
    lines.sort();
    let head = [
        format!("# Balanced openings: {PLIES} plies, and at most {LARGEST} centipawns for either side after {NODES} nodes of our engine."),
        "# Built by arbiter/examples/build_openings. ce is the score of the side to move in centipawns, acn its nodes.".to_owned(),
    ];
    head.into_iter().chain(lines).collect()
}

/// Walks, and remembers the good moves of positions.
struct Walker {
    good: BTreeMap<String, Vec<Move>>,
}

impl Walker {
    fn walk(&mut self, random: &mut Random) -> Position {
        let mut position = Position::starting();
        for _ in 0..PLIES {
            let good = self.good.entry(position.to_fen()).or_insert_with(|| good_moves(position));
            let mv = good[random.below(good.len() as u64) as usize];
            position = position.play(mv);
        }
        position
    }
}

/// The moves that are at most [`WORSE`] worse than the best one. No opening is so short that there is none.
fn good_moves(position: Position) -> Vec<Move> {
    let scored: Vec<(Move, i32)> =
        position.legal_moves().iter().map(|&mv| (mv, -score(position.play(mv), WALK_NODES))).collect();
    let best = scored.iter().map(|(_, score)| *score).max().unwrap_or_default();
    scored.into_iter().filter(|(_, score)| best - score <= WORSE).map(|(mv, _)| mv).collect()
}

/// The score of the side to move in centipawns; a mate is far from any bound.
fn score(position: Position, nodes: u64) -> i32 {
    let mut engine = AlphaBeta::new(&Settings { hash: 1, ..Settings::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let result = engine.search(&Game::new(position), &limits, &Control::new(NoClock), &mut |_| ());
    match result.score.kind() {
        engine::ScoreKind::Centipawns(score) => score,
        engine::ScoreKind::Mate(_) => i32::MAX / 4,
        engine::ScoreKind::Mated(_) => i32::MIN / 4,
    }
}
