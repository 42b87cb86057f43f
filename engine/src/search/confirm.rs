//! Mate announcements: a mate score is printed only after a proof.

use super::proof::{Proof, Prover};
use super::root::RootMove;
use super::worker::Worker;
use crate::Ply;
use crate::{Game, Move, Position, Score, ScoreKind};

/// The node budget of a proof: this share of the nodes searched so far, and at least `LEAST`.
const SHARE: u64 = 4;
const LEAST: u64 = 4_000;

/// The proofs of this search, successful and failed.
#[derive(Default)]
pub(super) struct MateProofs {
    proven: Vec<Proven>,
    /// Claims without a proof, each with the nodes spent on it.
    failed: Vec<(Score, Move, u64)>,
}

/// A proven mate.
struct Proven {
    score: Score,
    line: Vec<Move>,
    moves: Vec<Move>,
}

/// A mate claim: the score, for the position or for one root move.
struct MateClaim<'m> {
    score: Score,
    first: Move,
    /// The root moves that the score covers.
    moves: &'m [Move],
}

impl MateProofs {
    /// The shortest proof that covers a claim. A win needs one winning move; a loss needs all moves of the
    /// claim to lose.
    fn known(&self, claim: &MateClaim<'_>) -> Option<&Proven> {
        let is_win = claim.score.is_win();
        let covers = |proven: &&Proven| {
            proven.score.is_win() == is_win
                && proven.line.first().is_some_and(|mv| claim.moves.contains(mv))
                && (is_win || claim.moves.iter().all(|mv| proven.moves.contains(mv)))
        };
        self.proven.iter().filter(covers).min_by_key(|proven| proven.line.len())
    }

    /// The shortest proven mate, with its line.
    pub(super) fn quickest_win(&self) -> Option<(Score, Vec<Move>)> {
        let wins = self.proven.iter().filter(|proven| proven.score.is_win());
        wins.max_by_key(|proven| proven.score).map(|proven| (proven.score, proven.line.clone()))
    }
}

impl Worker<'_> {
    /// The score and line to report at this rank. A mate that cannot be proven is replaced by a large
    /// centipawn score.
    pub(super) fn score_to_report(
        &mut self,
        game: &Game,
        roots: &[RootMove],
        rank: usize,
        proofs: &mut MateProofs,
    ) -> (Score, Vec<Move>) {
        let root = &roots[rank];
        if !root.score.is_mate() {
            return (root.score, root.line.clone());
        }
        // A loss on the first line claims that all moves lose; all other claims are about one move.
        let all: Vec<Move> = roots.iter().map(|root| root.mv).collect();
        let only = [root.mv];
        let moves = if rank == 0 && root.score.is_loss() { &all[..] } else { &only };
        let claim = MateClaim { score: root.score, first: root.mv, moves };
        self.confirm(game, &claim, proofs).unwrap_or_else(|| (unconfirmed(root.score), root.line.clone()))
    }

    fn confirm(
        &mut self,
        game: &Game,
        claim: &MateClaim<'_>,
        proofs: &mut MateProofs,
    ) -> Option<(Score, Vec<Move>)> {
        let known = proofs.known(claim);
        // A proven mate is an upper bound of the distance, so only shorter mates need a proof.
        let better = known.is_none_or(|known| {
            if claim.score.is_win() { claim.score > known.score } else { claim.score < known.score }
        });
        let left = self.shared.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.shared.nodes()));
        let budget = (self.nodes / SHARE).max(LEAST).min(left);
        let hopeless = proofs
            .failed
            .iter()
            .any(|&(score, first, nodes)| first == claim.first && score == claim.score && nodes * 2 > budget);
        if better && !hopeless {
            if let Some(Proof { line }) = self.prove(game, claim, budget) {
                let plies = Ply(line.len() as u16);
                let score = if claim.score.is_win() { Score::mate_in(plies) } else { Score::mated_in(plies) };
                proofs.proven.push(Proven { score, line: line.clone(), moves: claim.moves.to_vec() });
                return Some((score, line));
            }
            proofs.failed.push((claim.score, claim.first, budget));
        }
        proofs.known(claim).map(|known| (known.score, known.line.clone()))
    }

    fn prove(&mut self, game: &Game, claim: &MateClaim<'_>, budget: u64) -> Option<Proof> {
        let table = self.shared.table;
        let hint = |position: &Position| table.get(position.key())?.best.unpack();
        let shared = self.shared;
        let must_stop = || shared.is_stopped_or_out_of_time();
        let mut prover =
            Prover::new(game, shared.tables, &hint, &must_stop, budget).with_mutation(shared.mutation);
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

/// The score that replaces an unproven mate.
pub(super) fn unconfirmed(score: Score) -> Score {
    const DECISIVE: i32 = 25_000;
    Score::centipawns(if score.is_win() { DECISIVE } else { -DECISIVE })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    /// A proof that one of two moves loses does not prove the position lost; a proof for both covers each of
    /// them.
    #[test]
    fn a_lost_move_does_not_make_a_lost_position() {
        let [one, other] = [Move::new(Square::A1, Square::A2), Move::new(Square::A1, Square::B1)];
        let (win, loss) = (Score::mate_in(Ply(3)), Score::mated_in(Ply(4)));
        let known = |score: Score, proven: &[Move], claimed: &[Move]| {
            let proven = Proven { score, line: vec![one, other], moves: proven.to_vec() };
            let proofs = MateProofs { proven: vec![proven], failed: Vec::new() };
            proofs.known(&MateClaim { score, first: claimed[0], moves: claimed }).is_some()
        };
        assert!(!known(loss, &[one], &[one, other]));
        assert!(known(loss, &[one, other], &[one, other]));
        assert!(known(loss, &[one, other], &[one]));
        assert!(!known(loss, &[one, other], &[other]));
        assert!(known(win, &[one], &[one]));
        assert!(!known(win, &[one], &[other]));
    }
}
