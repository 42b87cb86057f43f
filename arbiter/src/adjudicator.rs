//! Who knows what a position of an ending is worth: the certified tables where they have it, else Syzygy tables.

use shakmaty::{Chess, Position};
use suites::SkipReason;

use oracle::authorities::Authorities;
use oracle::syzygy::Syzygy;
use oracle::table_probe::{TableProbe, Wdl};

const TABLE: &str = "certified production table";
const SYZYGY: &str = "Syzygy tables";

/// The judges at hand.
pub(crate) struct Judge<'a> {
    truth: Option<&'a dyn TableProbe>,
    syzygy: Option<&'a Syzygy>,
}

/// What is known of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Worth {
    pub(crate) wdl: Wdl,
    /// How far it is, in plies; 0 for a draw.
    pub(crate) distance: Distance,
    /// Who says so.
    pub(crate) source: &'static str,
}

/// A distance in plies, and to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    /// To mate.
    Mate(u32),
    /// To mate or to the next capture or pawn's move, whichever is forced first; perhaps one ply short.
    Zeroing(u32),
}

impl Distance {
    pub(crate) fn plies(self) -> u32 {
        match self {
            Self::Mate(plies) | Self::Zeroing(plies) => plies,
        }
    }
}

impl<'a> Judge<'a> {
    pub(crate) fn of(authorities: &Authorities<'a>) -> Self {
        Self { truth: authorities.truth, syzygy: authorities.syzygy }
    }

    /// `None` where no judge knows the position.
    pub(crate) fn worth(&self, position: &Chess) -> Option<Worth> {
        let claim = self.truth.and_then(|truth| truth.probe(position.board(), position.turn()).ok());
        if let Some(claim) = claim {
            let plies = claim.dtm.map_or(0, u32::from);
            return Some(Worth { wdl: claim.wdl, distance: Distance::Mate(plies), source: TABLE });
        }
        let syzygy = self.syzygy?;
        let wdl = syzygy.wdl(position).ok()?;
        let dtz = syzygy.dtz(position).ok()?;
        let plies = if position.is_checkmate() { 0 } else { dtz.plies.unsigned_abs() };
        if !zeroes_by_mate_alone(position) || wdl == Wdl::Draw {
            return Some(Worth { wdl, distance: Distance::Zeroing(plies), source: SYZYGY });
        }
        // Wins take an odd number of plies: that tells where the table has rounded.
        let rounded = (plies % 2 == 1) != (wdl == Wdl::Win);
        Some(Worth { wdl, distance: Distance::Mate(plies + u32::from(rounded)), source: SYZYGY })
    }

    /// Why a sample could not be played: nobody knows its positions.
    pub(crate) fn absent(&self, men: &str) -> SkipReason {
        if is_of_three(men) && self.truth.is_none() {
            SkipReason::NotCertified
        } else {
            SkipReason::TableMissing
        }
    }
}

/// Whether the men are those of a table that the program certifies itself.
fn is_of_three(men: &str) -> bool {
    men.len() <= "KQvK".len()
}

/// Whether the winner can zero the clock by mate alone: against a lone king, without pawns, and with no piece that can be given
/// away, since nothing is won any more once one is captured.
fn zeroes_by_mate_alone(position: &Chess) -> bool {
    let board = position.board();
    let lone = [board.white(), board.black()].into_iter().any(|side| side.count() == 1);
    let needs_all = match board.occupied().count() {
        ..=3 => true,
        4 => board.rooks_and_queens().is_empty(),
        _ => false,
    };
    lone && board.pawns().is_empty() && needs_all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rook that is given away zeroes the clock, and the other one still mates.
    #[test]
    fn the_clock_is_zeroed_by_mate_alone_where_every_piece_is_needed() {
        let zeroes = |board: &str| {
            let fen: shakmaty::fen::Fen = format!("{board} w - - 0 1").parse().unwrap();
            zeroes_by_mate_alone(&fen.into_position(shakmaty::CastlingMode::Standard).unwrap())
        };
        for (board, expected) in [
            ("8/8/8/8/8/1K6/2R5/k7", true),
            ("8/8/8/8/8/1K6/2BN4/k7", true),
            ("8/8/8/8/8/1K6/2BB4/k7", true),
            ("8/8/8/8/8/1K6/2RR4/k7", false),
            ("8/8/8/8/8/1K6/2QB4/k7", false),
            ("8/8/8/8/8/1K6/2P5/k7", false),
            ("8/8/7n/8/8/1K6/2Q5/k7", false),
        ] {
            assert_eq!(zeroes(board), expected, "{board}");
        }
    }

    #[test]
    fn without_a_judge_nothing_is_known() {
        let judge = Judge::of(&Authorities::default());
        assert_eq!(judge.worth(&Chess::default()), None);
        assert_eq!(judge.absent("KRvK"), SkipReason::NotCertified);
        assert_eq!(judge.absent("KBNvK"), SkipReason::TableMissing);
    }
}
