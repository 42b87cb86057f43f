//! Iterative deepening: depth 1, 2, 3 and so on, and when to stop (Slate, Atkin: Chess 4.5, 1977).

use super::confirm::{MateProofs, unconfirmed};
use super::root::RootMove;
use super::worker::{MOST_PLIES, Worker};
use crate::search_api::{Bound, SearchInfo};
use crate::{Game, Position, Score, ScoreKind};

/// A principal variation with its score.
pub(super) struct ScoredLine {
    pub(super) line: Vec<crate::Move>,
    pub(super) score: Score,
}

impl Worker<'_> {
    /// Searches with increasing depth until a limit is reached, and reports each iteration. `moves` must not
    /// be empty.
    pub(super) fn deepen(
        &mut self,
        game: &Game,
        mut moves: Vec<RootMove>,
        lines: usize,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> ScoredLine {
        let position = game.position();
        let mut found = ScoredLine { line: moves[0].line.clone(), score: self.evaluate(position) };
        let mut silent = true;
        let mut proofs = MateProofs::default();
        let mut stability = Stability::default();
        let mut settled = moves[0].mv;
        for depth in 1..=self.deepest() {
            self.root_depth = depth;
            self.iterate_lines(position, &mut moves, depth, lines);
            if self.stopped {
                break;
            }
            self.publish();
            for (rank, said) in self.lines_to_report(game, &moves, lines, &mut proofs).into_iter().enumerate()
            {
                let said_by = moves.iter().find(|root| said.line.first() == Some(&root.mv));
                let selective_depth = said_by.map_or(0, |root| root.selective_depth);
                listener(&self.report(depth, rank, selective_depth, Bound::Exact, &said));
                silent = false;
                if rank == 0 {
                    found = said;
                }
            }
            settled = moves[0].mv;
            stability.note(&moves, self.nodes, found.score);
            if self.is_enough(depth, &found, &moves, &stability) {
                break;
            }
        }
        if silent || settled != moves[0].mv {
            // At least one report is printed for the best move, even with little time.
            found = changed(&moves[0], &found);
            let best = &moves[0];
            listener(&self.report(self.root_depth, 0, best.selective_depth, best.bound, &found));
        }
        found
    }

    /// The best lines in order of their reported scores. A proof can change their order.
    pub(super) fn lines_to_report(
        &mut self,
        game: &Game,
        moves: &[RootMove],
        lines: usize,
        proofs: &mut MateProofs,
    ) -> Vec<ScoredLine> {
        let shown = moves.len().min(lines);
        let mut said: Vec<ScoredLine> = (0..shown)
            .map(|rank| {
                let (score, line) = self.score_to_report(game, moves, rank, proofs);
                ScoredLine { line, score }
            })
            .collect();
        if let [only] = &mut said[..]
            && moves[0].score.is_win()
            && !only.score.is_mate()
            && let Some((score, line)) = proofs.quickest_win()
        {
            // A proven mate is better than a shorter unproven one.
            *only = ScoredLine { line, score };
        }
        said.sort_by_key(|found| std::cmp::Reverse(found.score));
        said
    }

    /// Searches as a helper thread to fill the hash table, until stopped (Lazy SMP: Östensson and others,
    /// 2013). Every other helper is one iteration ahead.
    pub(super) fn search_as_helper(&mut self, game: &Game, mut moves: Vec<RootMove>) {
        let ahead = (self.index % 2) as i32;
        for depth in 1..=self.deepest() {
            self.root_depth = depth + ahead;
            self.iterate_lines(game.position(), &mut moves, depth + ahead, 1);
            if self.stopped {
                break;
            }
        }
        self.publish();
    }

    /// The last iteration allowed by the limits.
    fn deepest(&self) -> i32 {
        self.shared
            .limits
            .depth
            .map_or(MOST_PLIES as i32, |depth| i32::from(depth).clamp(1, MOST_PLIES as i32))
    }

    /// One iteration: for each line, the best of the moves that no earlier line uses.
    fn iterate_lines(&mut self, position: &Position, moves: &mut [RootMove], depth: i32, lines: usize) {
        for root in moves.iter_mut() {
            root.previous = root.score;
            root.score = -Score::INFINITE;
        }
        let shown = lines.min(moves.len());
        for rank in 0..shown {
            self.iterate(position, &mut moves[rank..], depth);
            if self.stopped {
                break;
            }
        }
        moves[..shown].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    fn report(
        &self,
        depth: i32,
        rank: usize,
        selective_depth: usize,
        bound: Bound,
        found: &ScoredLine,
    ) -> SearchInfo {
        let (depth, selective_depth) = (depth as u16, selective_depth as u16);
        SearchInfo {
            depth,
            // Tables and proofs lengthen a line beyond what was searched.
            selective_depth: selective_depth.max(depth).max(found.line.len() as u16),
            rank: rank + 1,
            score: found.score,
            bound,
            nodes: self.shared.nodes(),
            hash_full: self.shared.table.fullness(),
            table_hits: self.shared.table_hits(),
            line: found.line.clone(),
        }
    }

    /// Whether to stop before the next iteration.
    fn is_enough(&self, depth: i32, found: &ScoredLine, moves: &[RootMove], stability: &Stability) -> bool {
        let limits = self.shared.limits;
        let mate = match found.score.kind() {
            ScoreKind::Mate(plies) => Some(plies.0),
            _ => None,
        };
        if let (Some(wanted), Some(plies)) = (limits.mate, mate)
            && plies.div_ceil(2) <= wanted
        {
            return true;
        }
        let time = limits.time.filter(|_| !self.shared.control.is_pondering());
        let Some((soft, hard)) = time.and_then(|budget| Some((budget.soft?, budget.hard))) else {
            return self.shared.must_stop();
        };
        // A proven mate searched to this depth will hardly get shorter.
        let mated = mate.is_some_and(|plies| depth >= i32::from(plies));
        let soft = soft.mul_f64(stability.share(moves)).min(hard);
        let elapsed = self.shared.control.elapsed();
        mated || elapsed >= soft || moves.len() == 1 && elapsed >= soft / 10
    }
}

/// The line of an unfinished iteration whose best move changed. Its score may be less exact, and its mates
/// are unproven.
fn changed(best: &RootMove, before: &ScoredLine) -> ScoredLine {
    let known = if best.score == -Score::INFINITE { before.score } else { best.score };
    let score = if known.is_mate() { unconfirmed(known) } else { known };
    ScoredLine { line: best.line.clone(), score }
}

/// How clear the choice of the best move is. An unclear choice gets more time.
#[derive(Default)]
struct Stability {
    best: Option<crate::Move>,
    /// Iterations since the best move last changed.
    steady: u32,
    /// Share of the nodes spent on the best move.
    share: f64,
    last: Option<Score>,
    /// Drop of the score since the last iteration, in centipawns.
    fallen: i32,
}

impl Stability {
    fn note(&mut self, moves: &[RootMove], nodes: u64, score: Score) {
        let best = &moves[0];
        self.steady = if self.best == Some(best.mv) { self.steady + 1 } else { 0 };
        self.best = Some(best.mv);
        self.share = best.nodes as f64 / nodes.max(1) as f64;
        self.fallen = self.last.map_or(0, |last| (last.raw() - score.raw()).clamp(0, 100));
        self.last = Some(score);
    }

    /// The factor for the soft limit.
    fn share(&self, moves: &[RootMove]) -> f64 {
        if moves.len() == 1 {
            return 1.0;
        }
        let steady = [1.6, 1.3, 1.1, 1.0, 0.9][self.steady.min(4) as usize];
        let nodes = (1.9 - 1.4 * self.share).max(0.5);
        let falling = 1.0 + f64::from(self.fallen) / 120.0;
        steady * nodes * falling
    }
}
