//! What is known of the mate in a position, and whether an announced mate is forced by it.

use std::fmt;

use shakmaty::{Chess, Position};
use suites::mates::MateClaim;
use suites::{Answer, Evidence};

use crate::adjudicator::{Adjudicator, Distance};
use crate::runner::Right;
use oracle::board::{FIFTY_MOVES, Game};
use oracle::prover::{self, ProverLimits, ProverVerdict};
use oracle::table_probe::Wdl;

/// What is known of a mate. Moves are those of the mating side; negative if the side to move is mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// Proved: mate in this many moves is forced, and no shorter one is.
    Mate(i32),
    /// Proved: no mate in this many moves or fewer is forced.
    NoMate(i32),
    /// A draw by the tables.
    Drawn,
    /// Whether the side to move or the other one wins by the tables, in an unknown number of moves.
    Winner(bool),
    /// A file states mate in so many moves, and the prover could not decide it.
    Stated(i32),
    /// Nothing.
    Unknown,
}

/// Whether an announced mate is forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Soundness {
    /// Mate in so many moves or fewer is forced.
    Sound,
    /// No such mate is forced.
    Unsound,
    /// The other side mates.
    WrongSign,
    /// The prover could not decide it.
    Undecided,
}

impl Truth {
    /// The claim of our suite, the proofs of which are replayed in the tests.
    pub(super) fn from_claim(claim: MateClaim) -> Self {
        match claim {
            MateClaim::Mate(moves) => Self::Mate(moves),
            MateClaim::NoMate(moves) => Self::NoMate(moves),
        }
    }

    /// What a search for mate in so many moves or fewer proves; `None` if it decides nothing.
    pub(super) fn of_proof(verdict: &ProverVerdict, within: i32) -> Option<Self> {
        match *verdict {
            ProverVerdict::Mate { moves, .. } => Some(Self::Mate(moves.into())),
            ProverVerdict::Mated { moves, .. } => Some(Self::Mate(-i32::from(moves))),
            ProverVerdict::Refuted => Some(Self::NoMate(within)),
            ProverVerdict::Undecided => None,
        }
    }

    /// By the tables, if they have the position and the mate comes before a draw by the fifty-move rule.
    pub(super) fn of_tables(position: &Chess, adjudicator: &Adjudicator) -> Option<Self> {
        let is_in_tables = position.castles().is_empty() && position.legal_ep_square().is_none();
        let adjudication = is_in_tables.then(|| adjudicator.adjudicate(position))??;
        let Distance::Mate(plies) = adjudication.distance else {
            return Some(match adjudication.wdl {
                Wdl::Draw => Self::Drawn,
                wdl => Self::Winner(wdl == Wdl::Win),
            });
        };
        let moves = (plies.div_ceil(2)) as i32;
        let in_time = position.halfmoves() + plies <= FIFTY_MOVES;
        match adjudication.wdl {
            Wdl::Draw => Some(Self::Drawn),
            Wdl::Win => in_time.then_some(Self::Mate(moves)),
            Wdl::Loss => (in_time && plies > 0).then_some(Self::Mate(-moves)),
        }
    }

    /// Whether mate in so many moves or fewer is forced. If that is not known the prover decides, and its
    /// result is kept.
    pub(super) fn judge(&mut self, game: &Game, moves: i32, limits: &ProverLimits) -> Soundness {
        match *self {
            // Off by one: the side to move mates, and is not mated.
            Self::Mate(1) if moves == 0 => Soundness::Unsound,
            Self::Mate(shortest) if (shortest > 0) != (moves > 0) => Soundness::WrongSign,
            Self::Mate(shortest) if moves.abs() >= shortest.abs() => Soundness::Sound,
            Self::Winner(wins) if wins != (moves > 0) => Soundness::WrongSign,
            Self::Mate(_) | Self::Drawn => Soundness::Unsound,
            Self::NoMate(most) if is_within(moves, most) => Soundness::Unsound,
            Self::Stated(stated) if is_within(stated, moves) => Soundness::Sound,
            Self::NoMate(_) | Self::Stated(_) | Self::Winner(_) | Self::Unknown => {
                self.prove(game, moves, limits)
            }
        }
    }

    fn prove(&mut self, game: &Game, moves: i32, limits: &ProverLimits) -> Soundness {
        match Self::of_proof(&prover::prove_in(game, moves, limits).verdict, moves) {
            Some(refuted @ Self::NoMate(_)) => {
                if *self == Self::Unknown && moves != 0 {
                    *self = refuted;
                }
                Soundness::Unsound
            }
            Some(mate) => {
                *self = mate;
                Soundness::Sound
            }
            None => Soundness::Undecided,
        }
    }

    /// The mate, if one is proved or stated.
    pub(super) fn mate(self) -> Option<i32> {
        match self {
            Self::Mate(moves) | Self::Stated(moves) => Some(moves),
            Self::NoMate(_) | Self::Drawn | Self::Winner(_) | Self::Unknown => None,
        }
    }

    /// What the right answer looks like, if that is known. A blank one announces no mate.
    pub(super) fn right(self) -> Option<Right> {
        match self {
            Self::Mate(_) | Self::Stated(_) => Some(Right::Telling),
            Self::NoMate(_) | Self::Drawn => Some(Right::Blank),
            Self::Winner(_) | Self::Unknown => None,
        }
    }

    /// The mate, if it is proved to be the shortest.
    pub(super) fn shortest(self) -> Option<i32> {
        match self {
            Self::Mate(moves) => Some(moves),
            Self::NoMate(_) | Self::Drawn | Self::Winner(_) | Self::Stated(_) | Self::Unknown => None,
        }
    }

    /// The evidence for it.
    pub(super) fn evidence(self) -> Option<Evidence> {
        match self {
            Self::Mate(_) | Self::NoMate(_) | Self::Drawn => Some(Evidence::Certificate),
            Self::Stated(_) => Some(Evidence::Word),
            Self::Winner(_) | Self::Unknown => None,
        }
    }
}

/// Whether a mate in `moves` would be one in `most` or fewer.
fn is_within(moves: i32, most: i32) -> bool {
    (moves > 0) == (most > 0) && moves.abs() <= most.abs()
}

/// A mate in words. The number of moves is negative if the side to move is mated.
pub(super) struct MateIn(pub(super) i32);

impl From<MateIn> for Answer {
    fn from(mate: MateIn) -> Self {
        let plies = if mate.0 > 0 { 2 * mate.0 - 1 } else { 2 * -mate.0 };
        match u16::try_from(plies) {
            Ok(plies @ 1..) => Self::Distance(Some(plies)),
            _ => mate.to_string().into(),
        }
    }
}

impl From<Truth> for Answer {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::Mate(moves) | Truth::Stated(moves) => MateIn(moves).into(),
            other => other.to_string().into(),
        }
    }
}

impl fmt::Display for MateIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            moves @ 1.. => write!(f, "mate in {moves}"),
            0 => f.write_str("checkmate"),
            moves => write!(f, "mated in {}", moves.unsigned_abs()),
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Mate(moves) | Self::Stated(moves) => write!(f, "{}", MateIn(moves)),
            Self::NoMate(moves) => write!(f, "not {} or fewer", MateIn(moves)),
            Self::Drawn => f.write_str("a draw"),
            Self::Winner(true) => f.write_str("a win for the side to move"),
            Self::Winner(false) => f.write_str("a win for the other side"),
            Self::Unknown => f.write_str("no such mate"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mates::position;

    const TWO: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

    #[track_caller]
    fn check(fen: &str, truth: Truth, moves: i32, expected: Soundness, then: Truth) {
        let mut known = truth;
        assert_eq!(
            known.judge(&Game::at(position(fen).unwrap()), moves, &ProverLimits::default()),
            expected,
            "{moves}"
        );
        assert_eq!(known, then);
    }

    #[test]
    fn what_is_known_is_not_proved_again() {
        let stays = |truth, moves, expected| check(TWO, truth, moves, expected, truth);
        stays(Truth::Mate(2), 2, Soundness::Sound);
        stays(Truth::Mate(2), 9, Soundness::Sound);
        stays(Truth::Mate(2), 1, Soundness::Unsound);
        stays(Truth::Mate(2), -2, Soundness::WrongSign);
        stays(Truth::Mate(2), 0, Soundness::WrongSign);
        stays(Truth::Mate(1), 0, Soundness::Unsound);
        stays(Truth::Mate(-3), -3, Soundness::Sound);
        stays(Truth::Mate(-3), -2, Soundness::Unsound);
        stays(Truth::Mate(-3), 0, Soundness::Unsound);
        stays(Truth::Mate(-3), 3, Soundness::WrongSign);
        // These are wrong for the position, so that a proof would fail.
        stays(Truth::NoMate(4), 4, Soundness::Unsound);
        stays(Truth::NoMate(-4), -1, Soundness::Unsound);
        stays(Truth::Stated(5), 5, Soundness::Sound);
        stays(Truth::Stated(5), 6, Soundness::Sound);
    }

    #[test]
    fn what_is_not_known_is_proved() {
        check(TWO, Truth::Unknown, 5, Soundness::Sound, Truth::Mate(2));
        check(TWO, Truth::Unknown, 1, Soundness::Unsound, Truth::NoMate(1));
        check(TWO, Truth::Unknown, 0, Soundness::Unsound, Truth::Unknown);
        check(TWO, Truth::Unknown, -300, Soundness::Undecided, Truth::Unknown);
        check(TWO, Truth::NoMate(1), 2, Soundness::Sound, Truth::Mate(2));
        check(TWO, Truth::NoMate(1), -3, Soundness::Unsound, Truth::NoMate(1));
        check(TWO, Truth::Stated(5), 4, Soundness::Sound, Truth::Mate(2));
        check(TWO, Truth::Stated(5), 1, Soundness::Unsound, Truth::Stated(5));
        let none = ProverLimits { nodes: 1, memory: 1 };
        let mut word = Truth::Stated(5);
        assert_eq!(word.judge(&Game::at(position(TWO).unwrap()), 4, &none), Soundness::Undecided);
        assert_eq!((word, word.evidence()), (Truth::Stated(5), Some(Evidence::Word)));
    }

    #[test]
    fn the_halfmove_clock_counts() {
        let late = "8/8/8/8/8/1K6/2R5/1k6 w - - 98 80";
        check(late, Truth::Unknown, 40, Soundness::Unsound, Truth::NoMate(40));
        let in_time = "8/8/8/8/8/1K6/2R5/1k6 w - - 97 80";
        check(in_time, Truth::Unknown, 40, Soundness::Sound, Truth::Mate(2));
    }
}
