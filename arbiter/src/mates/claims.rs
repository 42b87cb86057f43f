//! What files say of their own positions, put to the prover: a suite is no authority on itself.

use suites::mates::{MateCase, MateClaim};
use suites::{Difference, Replay, SkipReason, Verdict};

use super::truth::{Moves, Truth};
use oracle::board::Game;
use oracle::prover::{self, ProverLimits};

/// Who decides where no tables do.
pub(super) const PROVER: &str = "mate prover";
/// Who decides where they have the position.
pub(super) const TABLES: &str = "tables";
/// Who decides where the position stands in our suite.
pub(super) const STORED: &str = "stored proof";

/// Where a file speaks of a position.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) id: &'a str,
    pub(super) fen: &'a str,
    /// The moves of the game since.
    pub(super) moves: &'a [String],
}

/// Whether a case of our suite is as it says: the mate there, and none shorter.
pub(super) fn judge_case(file: &str, case: &MateCase, game: Option<&Game>, limits: &ProverLimits) -> Verdict {
    let Some(game) = game else { return Verdict::Skip(SkipReason::Malformed) };
    let (MateClaim::Mate(moves) | MateClaim::NoMate(moves)) = case.claim;
    let found = match prover::prove_in(game, moves, limits).verdict {
        prover::ProverVerdict::Mate { moves, .. } => Truth::Mate(moves.into()),
        prover::ProverVerdict::Mated { moves, .. } => Truth::Mate(-i32::from(moves)),
        prover::ProverVerdict::Refuted => Truth::NoMate(moves),
        prover::ProverVerdict::Undecided => return Verdict::Skip(SkipReason::Undecided),
    };
    let claimed = Truth::of(case.claim);
    if found == claimed {
        return Verdict::Agree;
    }
    let place = Place { file, id: &case.id, fen: &case.fen, moves: &case.moves };
    place.differs(moves, claimed, found, PROVER)
}

/// Whether a mate is there of which a file of others speaks, where this is true; `None` if that does not decide it.
pub(super) fn judge_known(place: Place<'_>, moves: i32, truth: Truth, source: &str) -> Option<Verdict> {
    match truth {
        Truth::Mate(shortest) if (shortest > 0) == (moves > 0) && shortest.abs() <= moves.abs() => {
            Some(Verdict::Agree)
        }
        Truth::Winner(wins) if wins == (moves > 0) => None,
        _ => Some(place.differs(moves, Truth::Word(moves), truth, source)),
    }
}

/// Whether a mate is there of which a file of others speaks, by what the prover says, and what is known of the position then. A
/// shorter mate is no fault of the file: such files hold the best that is known.
pub(super) fn judge_mate(place: Place<'_>, moves: i32, proved: &prover::ProverVerdict) -> (Truth, Verdict) {
    match *proved {
        prover::ProverVerdict::Mate { moves, .. } => (Truth::Mate(moves.into()), Verdict::Agree),
        prover::ProverVerdict::Mated { moves, .. } => (Truth::Mate(-i32::from(moves)), Verdict::Agree),
        prover::ProverVerdict::Refuted => {
            let truth = Truth::NoMate(moves);
            (truth, place.differs(moves, Truth::Word(moves), truth, PROVER))
        }
        prover::ProverVerdict::Undecided => (Truth::Word(moves), Verdict::Skip(SkipReason::Undecided)),
    }
}

impl Place<'_> {
    fn differs(&self, moves: i32, claimed: Truth, found: Truth, source: &str) -> Verdict {
        let played = match self.moves {
            [] => String::new(),
            played => format!(" --moves \"{}\"", played.join(" ")),
        };
        Verdict::Differ(Box::new(Difference {
            subject: self.file.to_owned(),
            check: "mate/claim".to_owned(),
            case: self.id.to_owned(),
            fen: self.fen.to_owned(),
            stored: claimed.to_string(),
            expected: found.to_string(),
            source: source.to_owned(),
            explanation: format!("the file is wrong: {} is not what is there", Moves(moves)),
            replay: Replay::touchstone(format_args!("prove \"{}\" --mate {moves}{played}", self.fen)),
        }))
    }
}
