//! What is known of the mate in a position, and whether an announcement is true by it.

use std::fmt;

use shakmaty::{Chess, Position};
use suites::Evidence;
use suites::mates::MateClaim;

use crate::adjudicator::{Adjudicator, Distance};
use crate::runner::Right;
use oracle::board::Game;
use oracle::prover::{self, ProverLimits, ProverVerdict};
use oracle::table_probe::Wdl;

/// Plies without capture or move of a pawn after which the game is drawn.
const FIFTY_MOVES: u32 = 100;

/// What is known. Moves are those of the side that mates, negative for the side to move that is mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    /// Mate in so many is forced, and in no fewer: proven.
    Mate(i32),
    /// Mate in so many or fewer is not forced: proven.
    NoMate(i32),
    /// Nobody mates: tables say so.
    Drawn,
    /// The side to move wins, or else the other side does: tables say so, and not in how many moves.
    Winner(bool),
    /// A file says that mate in so many is forced, and the prover could not decide it.
    Word(i32),
    /// Nothing.
    Unknown,
}

/// Whether an announcement is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Soundness {
    /// Mate in so many moves or fewer is forced.
    Sound,
    /// It is not.
    Unsound,
    /// The other side mates.
    WrongSign,
    /// Nobody knows.
    Undecided,
}

impl Truth {
    /// As a suite says it, whose proofs are replayed in the tests.
    pub(super) fn of(claim: MateClaim) -> Self {
        match claim {
            MateClaim::Mate(moves) => Self::Mate(moves),
            MateClaim::NoMate(moves) => Self::NoMate(moves),
        }
    }

    /// As tables say it, if they have the position, and if the fifty moves are not over before the mate.
    pub(super) fn of_tables(position: &Chess, judge: &Adjudicator) -> Option<Self> {
        let is_in_tables = position.castles().is_empty() && position.legal_ep_square().is_none();
        let worth = is_in_tables.then(|| judge.adjudicate(position))??;
        let Distance::Mate(plies) = worth.distance else {
            return Some(match worth.wdl {
                Wdl::Draw => Self::Drawn,
                wdl => Self::Winner(wdl == Wdl::Win),
            });
        };
        let moves = (plies.div_ceil(2)) as i32;
        let in_time = position.halfmoves() + plies <= FIFTY_MOVES;
        match worth.wdl {
            Wdl::Draw => Some(Self::Drawn),
            Wdl::Win => in_time.then_some(Self::Mate(moves)),
            Wdl::Loss => (in_time && plies > 0).then_some(Self::Mate(-moves)),
        }
    }

    /// Whether mate in so many moves, or fewer, is forced. What is not known is put to the prover, and then known.
    pub(super) fn judge(&mut self, game: &Game, moves: i32, limits: &ProverLimits) -> Soundness {
        match *self {
            Self::Mate(shortest) if (shortest > 0) != (moves > 0) => Soundness::WrongSign,
            Self::Mate(shortest) if moves.abs() >= shortest.abs() => Soundness::Sound,
            Self::Winner(wins) if wins != (moves > 0) => Soundness::WrongSign,
            Self::Mate(_) | Self::Drawn => Soundness::Unsound,
            Self::NoMate(most) if is_within(moves, most) => Soundness::Unsound,
            Self::Word(word) if is_within(word, moves) => Soundness::Sound,
            Self::NoMate(_) | Self::Word(_) | Self::Winner(_) | Self::Unknown => {
                self.prove(game, moves, limits)
            }
        }
    }

    fn prove(&mut self, game: &Game, moves: i32, limits: &ProverLimits) -> Soundness {
        match prover::prove_in(game, moves, limits).verdict {
            ProverVerdict::Mate { moves, .. } => *self = Self::Mate(moves.into()),
            // A position that is checkmate already is no case of any suite of ours.
            ProverVerdict::Mated { moves, .. } => *self = Self::Mate(-i32::from(moves)),
            ProverVerdict::Refuted => {
                if *self == Self::Unknown && moves != 0 {
                    *self = Self::NoMate(moves);
                }
                return Soundness::Unsound;
            }
            ProverVerdict::Undecided => return Soundness::Undecided,
        }
        Soundness::Sound
    }

    /// The mate, if one is known.
    pub(super) fn mate(self) -> Option<i32> {
        match self {
            Self::Mate(moves) | Self::Word(moves) => Some(moves),
            Self::NoMate(_) | Self::Drawn | Self::Winner(_) | Self::Unknown => None,
        }
    }

    /// What the right answer looks like, if it is known: a blank one announces no mate.
    pub(super) fn right(self) -> Option<Right> {
        match self {
            Self::Mate(_) | Self::Word(_) => Some(Right::Telling),
            Self::NoMate(_) | Self::Drawn => Some(Right::Blank),
            Self::Winner(_) | Self::Unknown => None,
        }
    }

    /// The mate, if it is proved that there is no shorter one.
    pub(super) fn shortest(self) -> Option<i32> {
        match self {
            Self::Mate(moves) => Some(moves),
            Self::NoMate(_) | Self::Drawn | Self::Winner(_) | Self::Word(_) | Self::Unknown => None,
        }
    }

    /// What stands behind it.
    pub(super) fn evidence(self) -> Option<Evidence> {
        match self {
            Self::Mate(_) | Self::NoMate(_) | Self::Drawn => Some(Evidence::Certificate),
            Self::Word(_) => Some(Evidence::Word),
            Self::Winner(_) | Self::Unknown => None,
        }
    }
}

/// Whether a mate in `moves` would be one in `most` or fewer.
fn is_within(moves: i32, most: i32) -> bool {
    (moves > 0) == (most > 0) && moves.abs() <= most.abs()
}

/// Whether the game is over.
pub(super) fn is_over(position: &Chess) -> bool {
    position.legal_moves().is_empty()
}

/// A mate in words.
pub(super) struct Moves(pub(super) i32);

impl fmt::Display for Moves {
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
            Self::Mate(moves) | Self::Word(moves) => write!(f, "{}", Moves(moves)),
            Self::NoMate(moves) => write!(f, "not {} or fewer", Moves(moves)),
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
    fn what_is_proven_is_not_asked_again() {
        let stays = |truth, moves, expected| check(TWO, truth, moves, expected, truth);
        stays(Truth::Mate(2), 2, Soundness::Sound);
        stays(Truth::Mate(2), 9, Soundness::Sound);
        stays(Truth::Mate(2), 1, Soundness::Unsound);
        stays(Truth::Mate(2), -2, Soundness::WrongSign);
        stays(Truth::Mate(2), 0, Soundness::WrongSign);
        stays(Truth::Mate(-3), -3, Soundness::Sound);
        stays(Truth::Mate(-3), -2, Soundness::Unsound);
        stays(Truth::Mate(-3), 0, Soundness::Unsound);
        stays(Truth::Mate(-3), 3, Soundness::WrongSign);
        // These are not true of the position: that is not asked.
        stays(Truth::NoMate(4), 4, Soundness::Unsound);
        stays(Truth::NoMate(-4), -1, Soundness::Unsound);
        stays(Truth::Word(5), 5, Soundness::Sound);
        stays(Truth::Word(5), 6, Soundness::Sound);
    }

    #[test]
    fn what_is_not_known_is_proven() {
        check(TWO, Truth::Unknown, 5, Soundness::Sound, Truth::Mate(2));
        check(TWO, Truth::Unknown, 1, Soundness::Unsound, Truth::NoMate(1));
        check(TWO, Truth::Unknown, 0, Soundness::Unsound, Truth::Unknown);
        check(TWO, Truth::Unknown, -300, Soundness::Undecided, Truth::Unknown);
        check(TWO, Truth::NoMate(1), 2, Soundness::Sound, Truth::Mate(2));
        check(TWO, Truth::NoMate(1), -3, Soundness::Unsound, Truth::NoMate(1));
        check(TWO, Truth::Word(5), 4, Soundness::Sound, Truth::Mate(2));
        check(TWO, Truth::Word(5), 1, Soundness::Unsound, Truth::Word(5));
        let none = ProverLimits { nodes: 1, memory: 1 };
        let mut word = Truth::Word(5);
        assert_eq!(word.judge(&Game::at(position(TWO).unwrap()), 4, &none), Soundness::Undecided);
        assert_eq!((word, word.evidence()), (Truth::Word(5), Some(Evidence::Word)));
    }

    #[test]
    fn the_clock_counts() {
        let late = "8/8/8/8/8/1K6/2R5/1k6 w - - 98 80";
        check(late, Truth::Unknown, 40, Soundness::Unsound, Truth::NoMate(40));
        let in_time = "8/8/8/8/8/1K6/2R5/1k6 w - - 97 80";
        check(in_time, Truth::Unknown, 40, Soundness::Sound, Truth::Mate(2));
    }
}
