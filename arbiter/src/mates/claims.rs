//! Checks the mates that files state, since a file is no authority on itself.

use suites::mates::{MateCase, MateClaim};
use suites::{Replay, SkipReason, Verdict};

use super::truth::{MateIn, Truth};
use crate::findings::{Fault, FaultCase};
use oracle::board::Game;
use oracle::prover::{self, ProverLimits};

/// The authority for positions that are not in tables.
pub(super) const PROVER: &str = "mate prover";
/// The authority for positions that are in tables.
pub(super) const TABLES: &str = "tables";
/// The authority for positions of our suite.
pub(super) const STORED: &str = "stored proof";

/// A position of a file.
pub(super) struct FilePosition<'a> {
    pub(super) file: &'a str,
    pub(super) id: String,
    pub(super) fen: &'a str,
    /// The moves of the game since the FEN.
    pub(super) moves: &'a [String],
}

/// Proves a case of our suite: its mate, and that there is no shorter one.
pub(super) fn judge_case(file: &str, case: &MateCase, game: Option<&Game>, limits: &ProverLimits) -> Verdict {
    let Some(game) = game else { return Verdict::Skip(SkipReason::Malformed) };
    let (MateClaim::Mate(moves) | MateClaim::NoMate(moves)) = case.claim;
    let Some(found) = Truth::of_proof(&prover::prove_in(game, moves, limits).verdict, moves) else {
        return Verdict::Skip(SkipReason::Undecided);
    };
    let claimed = Truth::of(case.claim);
    if found == claimed {
        return Verdict::Agree;
    }
    let position = FilePosition { file, id: case.id.clone(), fen: &case.fen, moves: &case.moves };
    position.differ(moves, claimed, found, PROVER)
}

/// Judges the mate that a third-party file states by what is known; `None` if that does not decide it.
pub(super) fn judge_known(
    position: &FilePosition<'_>,
    moves: i32,
    truth: Truth,
    source: &str,
) -> Option<Verdict> {
    match truth {
        Truth::Mate(shortest) if (shortest > 0) == (moves > 0) && shortest.abs() <= moves.abs() => {
            Some(Verdict::Agree)
        }
        Truth::Winner(wins) if wins == (moves > 0) => None,
        _ => Some(position.differ(moves, Truth::Stated(moves), truth, source)),
    }
}

/// Judges the mate that a third-party file states by the prover, and returns what is known of the position then. A shorter mate is no
/// difference: such files hold the shortest mates that were known.
pub(super) fn judge_mate(
    position: &FilePosition<'_>,
    moves: i32,
    proved: &prover::ProverVerdict,
) -> (Truth, Verdict) {
    match Truth::of_proof(proved, moves) {
        Some(truth @ Truth::NoMate(_)) => {
            (truth, position.differ(moves, Truth::Stated(moves), truth, PROVER))
        }
        Some(truth) => (truth, Verdict::Agree),
        None => (Truth::Stated(moves), Verdict::Skip(SkipReason::Undecided)),
    }
}

impl FilePosition<'_> {
    fn differ(&self, moves: i32, claimed: Truth, found: Truth, source: &str) -> Verdict {
        let played = match self.moves {
            [] => String::new(),
            played => format!(" --moves \"{}\"", played.join(" ")),
        };
        let fault = Fault {
            kind: (),
            stored: claimed.to_string(),
            expected: found.to_string(),
            source: source.to_owned(),
            explanation: format!("the file is wrong: {} is not forced", MateIn(moves)),
        };
        fault.verdict(FaultCase {
            player: self.file,
            check: "mate/claim".to_owned(),
            case: self.id.clone(),
            fen: self.fen,
            replay: Replay::touchstone(format_args!("prove \"{}\" --mate {moves}{played}", self.fen)),
        })
    }
}
