//! Whether a move keeps the mate that was announced with it.
//!
//! Asked in turn, the cheapest first: the prover within few nodes, the tables, the proof that stands beside the suite, the
//! prover within its limits.

use shakmaty::{Move, Position};

use super::claims::{PROVER, TABLES};
use crate::adjudicator::{Adjudicator, Distance};
use oracle::board::Game;
use oracle::prover::{self, Certificate, ProverLimits};
use oracle::table_probe::Wdl;

/// Positions that the prover looks at before others are asked.
const QUICKLY: u64 = 5_000;

/// What is known of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The mate can still be forced in the moves that are left.
    Yes,
    /// It cannot; who says so.
    No(&'static str),
    /// Nobody knows.
    Undecided,
}

/// Who is asked, beside the prover within these limits.
#[derive(Clone, Copy)]
pub(super) struct Keepers<'a> {
    pub(super) tables: &'a Adjudicator<'a>,
    /// The proof of the shortest mate, if one stands beside the suite.
    pub(super) proof: Option<&'a str>,
    pub(super) limits: &'a ProverLimits,
}

impl Keepers<'_> {
    /// Whether after this move mate can still be forced in the rest of so many moves, this one among them. A mate in so many
    /// moves or fewer is there.
    pub(super) fn ask(self, game: &Game, mv: Move, moves: i32) -> Kept {
        let mut after = game.clone();
        after.play(mv);
        let left = 1 - moves;
        let quickly = ProverLimits { nodes: QUICKLY.min(self.limits.nodes), ..*self.limits };
        proved(&after, left, &quickly)
            .or_else(|| self.tables(&after, moves - 1))
            .or_else(|| self.is_of_proof(game, mv).then_some(Kept::Yes))
            .or_else(|| proved(&after, left, self.limits))
            .unwrap_or(Kept::Undecided)
    }

    /// What stood twice before is for the prover.
    fn tables(self, game: &Game, left: i32) -> Option<Kept> {
        let after = game.position();
        let is_in_tables =
            game.twice().is_empty() && after.castles().is_empty() && after.legal_ep_square().is_none();
        let worth = is_in_tables.then(|| self.tables.adjudicate(after))??;
        match (worth.wdl, worth.distance) {
            (Wdl::Loss, Distance::Mate(plies)) if plies > 2 * left.unsigned_abs() => Some(Kept::No(TABLES)),
            // What the halfmove clock forbids is for the prover.
            (Wdl::Loss, Distance::Mate(plies)) if after.halfmoves() + plies <= 100 => Some(Kept::Yes),
            (Wdl::Loss, _) => None,
            (Wdl::Draw | Wdl::Win, _) => Some(Kept::No(TABLES)),
        }
    }

    /// Whether it is the first move of the stored proof, which proves the shortest mate.
    fn is_of_proof(self, game: &Game, mv: Move) -> bool {
        let proven = self.proof.and_then(|proof| Certificate(proof.to_owned()).replay_in(game).ok());
        proven.is_some_and(|proven| proven.line.first() == Some(&mv))
    }
}

fn proved(after: &Game, left: i32, limits: &ProverLimits) -> Option<Kept> {
    if after.occurrences() >= 3 {
        return Some(Kept::No("shakmaty"));
    }
    match prover::prove_in(after, left, limits).verdict {
        prover::ProverVerdict::Refuted => Some(Kept::No(PROVER)),
        prover::ProverVerdict::Undecided => None,
        prover::ProverVerdict::Mate { .. } | prover::ProverVerdict::Mated { .. } => Some(Kept::Yes),
    }
}
