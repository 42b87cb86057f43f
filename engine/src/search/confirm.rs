//! Mates are announced only when they are sure: what the search believes is proven first.

use super::proof::{Proof, Prover};
use super::root::RootMove;
use super::worker::Worker;
use crate::tables::Ply;
use crate::{Game, Move, Position, Score, ScoreKind};

/// A proof may use this share of the nodes of the search before it, and never less than the least.
const SHARE: u64 = 4;
const LEAST: u64 = 4_000;

/// What was proven in this search, and what could not be.
#[derive(Default)]
pub(super) struct Confirmed {
    proven: Vec<(Score, Vec<Move>)>,
    /// Claims that were too hard, each with its nodes.
    failed: Vec<(Score, Move, u64)>,
}

impl Confirmed {
    /// The quickest mate that was proven, with its line.
    pub(super) fn quickest_win(&self) -> Option<(Score, Vec<Move>)> {
        self.proven.iter().filter(|(score, _)| score.is_win()).max_by_key(|(score, _)| *score).cloned()
    }
}

/// What is to be proven: a score, of the position or of one first move.
struct Claim<'m> {
    score: Score,
    first: Move,
    /// The first moves it speaks of.
    moves: &'m [Move],
}

impl Worker<'_> {
    /// What is said of the line of this rank among the root's: its score, unless that is a mate that cannot be proven.
    pub(super) fn announced(
        &mut self,
        game: &Game,
        roots: &[RootMove],
        rank: usize,
        confirmed: &mut Confirmed,
    ) -> (Score, Vec<Move>) {
        let root = &roots[rank];
        if !root.score.is_mate() {
            return (root.score, root.line.clone());
        }
        // The first line's loss says that every move loses; a win, and the other lines, speak of one move alone.
        let all: Vec<Move> = roots.iter().map(|root| root.mv).collect();
        let only = [root.mv];
        let moves = if rank == 0 && root.score.is_loss() { &all[..] } else { &only };
        let claim = Claim { score: root.score, first: root.mv, moves };
        self.confirm(game, &claim, confirmed).unwrap_or_else(|| (unconfirmed(root.score), root.line.clone()))
    }

    fn confirm(
        &mut self,
        game: &Game,
        claim: &Claim<'_>,
        confirmed: &mut Confirmed,
    ) -> Option<(Score, Vec<Move>)> {
        let known = confirmed.proven.iter().position(|(score, line)| {
            score.is_win() == claim.score.is_win() && line.first().is_some_and(|mv| claim.moves.contains(mv))
        });
        let better = known.is_none_or(|index| claim.score > confirmed.proven[index].0);
        let left = self.shared.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.shared.nodes()));
        let budget = (self.nodes / SHARE).max(LEAST).min(left);
        let hopeless = confirmed
            .failed
            .iter()
            .any(|&(score, first, nodes)| first == claim.first && score == claim.score && nodes * 2 > budget);
        if better && !hopeless {
            if let Some(Proof { line }) = self.prove(game, claim, budget) {
                let plies = Ply(line.len() as u16);
                let score = if claim.score.is_win() { Score::mate_in(plies) } else { Score::mated_in(plies) };
                confirmed.proven.retain(|(_, line)| line.first().is_some_and(|mv| !claim.moves.contains(mv)));
                confirmed.proven.push((score, line.clone()));
                return Some((score, line));
            }
            confirmed.failed.push((claim.score, claim.first, budget));
        }
        known.map(|index| confirmed.proven[index].clone())
    }

    fn prove(&mut self, game: &Game, claim: &Claim<'_>, budget: u64) -> Option<Proof> {
        let table = self.shared.table;
        let hint = |position: &Position| table.get(position.key())?.best.unpack();
        let shared = self.shared;
        let is_over = || shared.is_late();
        let mut prover = Prover::new(game, shared.tables, &hint, &is_over, budget);
        let proof = match claim.score.kind() {
            ScoreKind::Mate(plies) => prover.mates(plies, claim.moves),
            ScoreKind::Mated(plies) => prover.is_mated(plies, claim.moves),
            ScoreKind::Centipawns(_) => None,
        };
        self.nodes += prover.nodes();
        self.publish();
        proof
    }
}

/// What is said of a mate that is not sure: that the side wins or loses.
pub(super) fn unconfirmed(score: Score) -> Score {
    const DECISIVE: i32 = 25_000;
    Score::centipawns(if score.is_win() { DECISIVE } else { -DECISIVE })
}
