//! Looks up the result of a position in tables: the certified ones first, else Syzygy tables.

use shakmaty::{Chess, Position};
use suites::SkipReason;

use oracle::authorities::Authorities;
use oracle::checks::resolved;
use oracle::syzygy::Syzygy;
use oracle::table_probe::{TableProbe, Wdl};

const TABLE: &str = "certified production table";
const SYZYGY: &str = "Syzygy tables";

/// Adjudicates positions by the tables of a run.
pub(crate) struct Adjudicator<'a> {
    truth: Option<&'a dyn TableProbe>,
    syzygy: Option<&'a Syzygy>,
}

/// The result of a position by tables, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Adjudication {
    pub(crate) wdl: Wdl,
    /// The distance in plies; 0 for a draw.
    pub(crate) distance: Distance,
    /// The name of the tables.
    pub(crate) source: &'static str,
}

/// A distance in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Distance {
    /// To mate.
    Mate(u32),
    /// To mate or to the next capture or pawn move, whichever is forced first. It may be one ply too short,
    /// since Syzygy tables round.
    Zeroing(u32),
}

impl Distance {
    pub(crate) fn plies(self) -> u32 {
        match self {
            Self::Mate(plies) | Self::Zeroing(plies) => plies,
        }
    }
}

impl<'a> Adjudicator<'a> {
    pub(crate) fn new(authorities: &Authorities<'a>) -> Self {
        Self { truth: authorities.truth, syzygy: authorities.syzygy }
    }

    /// `None` if no table has the position.
    pub(crate) fn adjudicate(&self, position: &Chess) -> Option<Adjudication> {
        let claim = self.truth.and_then(|truth| resolved(truth, position).ok());
        if let Some(claim) = claim {
            let plies = claim.dtm.map_or(0, |dtm| u32::from(dtm.plies()));
            return Some(Adjudication { wdl: claim.wdl, distance: Distance::Mate(plies), source: TABLE });
        }
        let syzygy = self.syzygy?;
        let wdl = syzygy.wdl(position).ok()?;
        let dtz = syzygy.dtz(position).ok()?;
        let plies = if position.is_checkmate() { 0 } else { dtz.plies.unsigned_abs() };
        if !zeroes_by_mate_alone(position) || wdl == Wdl::Draw {
            return Some(Adjudication { wdl, distance: Distance::Zeroing(plies), source: SYZYGY });
        }
        // A win takes an odd number of plies and a loss an even one, which shows whether the table has
        // rounded.
        let rounded = (plies % 2 == 1) != (wdl == Wdl::Win);
        Some(Adjudication { wdl, distance: Distance::Mate(plies + u32::from(rounded)), source: SYZYGY })
    }

    /// Why the positions of an ending cannot be adjudicated.
    pub(crate) fn absent(&self, men: &str) -> SkipReason {
        // The tables of three men are certified in each run.
        if men.len() <= "KQvK".len() && self.truth.is_none() {
            SkipReason::NotCertified
        } else {
            SkipReason::TableMissing
        }
    }
}

/// The result from the view of the other side.
pub(crate) fn opposite(value: Wdl) -> Wdl {
    match value {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

/// Whether the winner can reset the halfmove clock by mate alone: it has no pawns and plays against a lone
/// king, and a capture of any of its pieces is a draw.
fn zeroes_by_mate_alone(position: &Chess) -> bool {
    let board = position.board();
    let has_lone_king = [board.white(), board.black()].into_iter().any(|side| side.count() == 1);
    let needs_all = match board.occupied().count() {
        ..=3 => true,
        4 => board.rooks_and_queens().is_empty(),
        _ => false,
    };
    has_lone_king && board.pawns().is_empty() && needs_all
}

#[cfg(test)]
mod tests {
    use super::*;
    use oracle::board::{Accept, position};

    /// With two rooks one can be sacrificed, and the other one still mates.
    #[test]
    fn only_mate_zeroes_where_every_piece_is_needed() {
        let zeroes = |board: &str| {
            zeroes_by_mate_alone(&position(&format!("{board} w - - 0 1"), Accept::Legal).unwrap())
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
    fn without_tables_nothing_is_adjudicated() {
        let adjudicator = Adjudicator::new(&Authorities::default());
        assert_eq!(adjudicator.adjudicate(&Chess::default()), None);
        assert_eq!(adjudicator.absent("KRvK"), SkipReason::NotCertified);
        assert_eq!(adjudicator.absent("KBNvK"), SkipReason::TableMissing);
    }
}
