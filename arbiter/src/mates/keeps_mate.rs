//! Whether a move keeps the mate that was announced with it.
//!
//! The sources are asked in the order of their cost: the prover with few nodes, the tables, the proof of the
//! suite, the prover with its limits.

use shakmaty::{Move, Position};

use oracle::board::{FIFTY_MOVES, Game, REPETITION};

use super::claims::{PROVER, TABLES};
use crate::adjudicator::{Adjudicator, Distance};
use oracle::prover::{self, Certificate, ProverLimits};
use oracle::table_probe::Wdl;

/// Nodes of the prover before the other sources are asked.
const QUICKLY: u64 = 5_000;

/// Whether a move keeps a mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeepsMate {
    /// The mate can still be forced in the moves that are left.
    Yes,
    /// It cannot, by this authority.
    No(&'static str),
    /// The sources do not decide it.
    Undecided,
}

/// The sources that are asked.
#[derive(Clone, Copy)]
pub(super) struct MateSources<'a> {
    pub(super) adjudicator: &'a Adjudicator<'a>,
    /// The proof of the shortest mate, if the suite has one.
    pub(super) proof: Option<&'a str>,
    /// The limits of the prover.
    pub(super) limits: &'a ProverLimits,
}

impl MateSources<'_> {
    /// Whether mate can still be forced within `moves` moves if `mv` is the first of them. Before `mv`, it
    /// can.
    pub(super) fn keeps_mate(self, game: &Game, mv: Move, moves: i32) -> KeepsMate {
        let mut after = game.clone();
        after.play(mv);
        let left = 1 - moves;
        let quickly = ProverLimits { nodes: QUICKLY.min(self.limits.nodes), ..*self.limits };
        proved(&after, left, &quickly)
            .or_else(|| self.by_tables(&after, moves - 1))
            .or_else(|| self.starts_proof(game, mv).then_some(KeepsMate::Yes))
            .or_else(|| proved(&after, left, self.limits))
            .unwrap_or(KeepsMate::Undecided)
    }

    /// By the tables, unless a repetition matters.
    fn by_tables(self, game: &Game, left: i32) -> Option<KeepsMate> {
        let after = game.position();
        let is_in_tables =
            game.twice().is_empty() && after.castles().is_empty() && after.legal_ep_square().is_none();
        let adjudication = is_in_tables.then(|| self.adjudicator.adjudicate(after))??;
        match (adjudication.wdl, adjudication.distance) {
            (Wdl::Loss, Distance::Mate(plies)) if plies > 2 * left.unsigned_abs() => {
                Some(KeepsMate::No(TABLES))
            }
            // The prover decides if the fifty-move rule matters.
            (Wdl::Loss, Distance::Mate(plies)) if after.halfmoves() + plies <= FIFTY_MOVES => {
                Some(KeepsMate::Yes)
            }
            (Wdl::Loss, _) => None,
            (Wdl::Draw | Wdl::Win, _) => Some(KeepsMate::No(TABLES)),
        }
    }

    /// Whether a move is the first one of the proof of the suite, which is of the shortest mate.
    fn starts_proof(self, game: &Game, mv: Move) -> bool {
        let proven = self.proof.and_then(|proof| Certificate(proof.to_owned()).replay_in(game).ok());
        proven.is_some_and(|proven| proven.line.first() == Some(&mv))
    }
}

/// By the prover.
fn proved(after: &Game, left: i32, limits: &ProverLimits) -> Option<KeepsMate> {
    if after.occurrences() >= REPETITION {
        return Some(KeepsMate::No("shakmaty"));
    }
    match prover::prove_in(after, left, limits).verdict {
        prover::ProverVerdict::Refuted => Some(KeepsMate::No(PROVER)),
        prover::ProverVerdict::Undecided => None,
        prover::ProverVerdict::Mate { .. } | prover::ProverVerdict::Mated { .. } => Some(KeepsMate::Yes),
    }
}
