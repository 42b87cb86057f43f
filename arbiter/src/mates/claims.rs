//! Checks the mates that files state, since a file is no authority on itself.

use std::cmp::Ordering;

use suites::mates::{MateCase, MateClaim};
use suites::{Replay, SkipReason, Verdict};

use super::truth::{MateIn, Truth};
use crate::asked;
use crate::findings::{Fault, FaultCase};
use oracle::board::{self, Game};
use oracle::prover::{self, ProverLimits, ProverVerdict};

/// The authority for positions that are not in tables.
pub(super) const PROVER: &str = "mate prover";
/// The authority for positions that are in tables.
pub(super) const TABLES: &str = "tables";
/// The authority for positions of our suite.
pub(super) const STORED: &str = "stored proof";

/// The id of the check of files that state longer mates than there are.
pub(super) const LONGER: &str = "file/longer";

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
    let claimed = Truth::from_claim(case.claim);
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

/// Judges the mate that a third-party file states by the prover, and returns what is then known of the
/// position. [`FilePosition::judge_length`] judges whether there is a shorter mate.
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

/// The line of the shortest mate, if the prover shows it within its limits.
pub(super) fn shortest_line(game: &Game, shortest: i32, limits: &ProverLimits) -> Option<String> {
    let outcome = prover::prove_in(game, shortest, limits);
    let (ProverVerdict::Mate { proof, .. } | ProverVerdict::Mated { proof, .. }) = outcome.verdict else {
        return None;
    };
    let proven = proof.replay_in(game).ok()?;
    Some(board::numbered(game.position(), &proven.line))
}

impl FilePosition<'_> {
    /// Judges whether the mate that a third-party file states is the shortest; `None` if the shortest is not
    /// known, or another check says that the stated one is not there. `line` gives the line of a mate in so
    /// many moves.
    pub(super) fn judge_length(
        &self,
        moves: i32,
        truth: Truth,
        source: &str,
        line: impl FnOnce(i32) -> Option<String>,
    ) -> Option<Verdict> {
        let shortest = truth.shortest().filter(|shortest| (*shortest > 0) == (moves > 0))?;
        match shortest.abs().cmp(&moves.abs()) {
            Ordering::Equal => return Some(Verdict::Agree),
            Ordering::Greater => return None,
            Ordering::Less => {}
        }
        let line = line(shortest).map(|line| format!(": {line}")).unwrap_or_default();
        let fault = Fault {
            kind: (),
            stored: MateIn(moves).into(),
            given: None,
            best: Vec::new(),
            expected: MateIn(shortest).into(),
            source: source.to_owned(),
            explanation: format!(
                "the file is wrong, or can be improved: {} is forced{line}",
                MateIn(shortest)
            ),
            cause: None,
        };
        Some(self.verdict(fault, LONGER, shortest))
    }

    fn differ(&self, moves: i32, claimed: Truth, found: Truth, source: &str) -> Verdict {
        let fault = Fault {
            kind: (),
            stored: claimed.into(),
            given: None,
            best: Vec::new(),
            expected: found.into(),
            source: source.to_owned(),
            explanation: format!("the file is wrong: {} is not forced", MateIn(moves)),
            cause: None,
        };
        self.verdict(fault, "mate/claim", moves)
    }

    /// The verdict on a file that is wrong here, with the command that looks for a mate in so many moves.
    fn verdict(&self, fault: Fault<()>, check: &str, moves: i32) -> Verdict {
        let played = match self.moves {
            [] => String::new(),
            played => format!(" --moves \"{}\"", played.join(" ")),
        };
        fault.verdict(FaultCase {
            player: self.file,
            check: check.to_owned(),
            case: self.id.clone(),
            fen: self.fen,
            played: asked::played(self.fen, self.moves.iter().map(String::as_str)),
            limit: None,
            replay: Replay::touchstone(format_args!("prove \"{}\" --mate {moves}{played}", self.fen)),
        })
    }
}
