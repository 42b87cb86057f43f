//! Mates are announced only when they are sure: what the search believes is proven first.

use super::proof::{Proof, Prover};
use super::root::RootMove;
use super::worker::Worker;
use crate::Ply;
use crate::{Game, Move, Position, Score, ScoreKind};

/// A proof may use this share of the nodes of the search before it, and never less than the least.
const SHARE: u64 = 4;
const LEAST: u64 = 4_000;

/// What was proven in this search, and what could not be.
#[derive(Default)]
pub(super) struct Confirmed {
    proven: Vec<Proven>,
    /// Claims that were too hard, each with its nodes.
    failed: Vec<(Score, Move, u64)>,
}

/// A mate that is sure, whatever follows the first moves it speaks of.
struct Proven {
    score: Score,
    line: Vec<Move>,
    moves: Vec<Move>,
}

/// What is to be proven: a score, of the position or of one first move.
struct MateClaim<'m> {
    score: Score,
    first: Move,
    /// The first moves it speaks of.
    moves: &'m [Move],
}

impl Confirmed {
    /// The shortest proof that covers a claim: one winning move is enough, but that one move loses says nothing of the
    /// others.
    fn known(&self, claim: &MateClaim<'_>) -> Option<&Proven> {
        let is_win = claim.score.is_win();
        let covers = |proven: &&Proven| {
            proven.score.is_win() == is_win
                && proven.line.first().is_some_and(|mv| claim.moves.contains(mv))
                && (is_win || claim.moves.iter().all(|mv| proven.moves.contains(mv)))
        };
        self.proven.iter().filter(covers).min_by_key(|proven| proven.line.len())
    }

    /// The quickest mate that was proven, with its line.
    pub(super) fn quickest_win(&self) -> Option<(Score, Vec<Move>)> {
        let wins = self.proven.iter().filter(|proven| proven.score.is_win());
        wins.max_by_key(|proven| proven.score).map(|proven| (proven.score, proven.line.clone()))
    }
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
        let claim = MateClaim { score: root.score, first: root.mv, moves };
        self.confirm(game, &claim, confirmed).unwrap_or_else(|| (unconfirmed(root.score), root.line.clone()))
    }

    fn confirm(
        &mut self,
        game: &Game,
        claim: &MateClaim<'_>,
        confirmed: &mut Confirmed,
    ) -> Option<(Score, Vec<Move>)> {
        let known = confirmed.known(claim);
        // A sure mate is as long as it is at most: only a shorter one is worth proving, of either side.
        let better = known.is_none_or(|known| {
            if claim.score.is_win() { claim.score > known.score } else { claim.score < known.score }
        });
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
                confirmed.proven.push(Proven { score, line: line.clone(), moves: claim.moves.to_vec() });
                return Some((score, line));
            }
            confirmed.failed.push((claim.score, claim.first, budget));
        }
        confirmed.known(claim).map(|known| (known.score, known.line.clone()))
    }

    fn prove(&mut self, game: &Game, claim: &MateClaim<'_>, budget: u64) -> Option<Proof> {
        let table = self.shared.table;
        let hint = |position: &Position| table.get(position.key())?.best.unpack();
        let shared = self.shared;
        let is_over = || shared.is_late();
        let mut prover =
            Prover::new(game, shared.tables, &hint, &is_over, budget).with_mutation(shared.mutation);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    /// A proof that the first of two moves loses says nothing of both; one that both lose speaks of its line's move too.
    #[test]
    fn a_lost_move_is_not_a_lost_position() {
        let [one, other] = [Move::new(Square::A1, Square::A2), Move::new(Square::A1, Square::B1)];
        let (win, loss) = (Score::mate_in(Ply(3)), Score::mated_in(Ply(4)));
        let known = |score: Score, proven: &[Move], claimed: &[Move]| {
            let proven = Proven { score, line: vec![one, other], moves: proven.to_vec() };
            let confirmed = Confirmed { proven: vec![proven], failed: Vec::new() };
            confirmed.known(&MateClaim { score, first: claimed[0], moves: claimed }).is_some()
        };
        assert!(!known(loss, &[one], &[one, other]));
        assert!(known(loss, &[one, other], &[one, other]));
        assert!(known(loss, &[one, other], &[one]));
        assert!(!known(loss, &[one, other], &[other]));
        assert!(known(win, &[one], &[one]));
        assert!(!known(win, &[one], &[other]));
    }
}
