//! Checkmates and stalemates compared with shakmaty, and the list of all stalemates by kind.

use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};
use suites::rows::{StalemateKind, StalemateRow};
use suites::{Findings, Verdict};

use super::walk;
use super::{Check, DifferenceText, TableJob};
use crate::positions::Placement;
use crate::table_probe::{Dtm, TableValue, Wdl};

const CHECK: Check = Check::Terminal;

/// Judges every legal position of the job's scope: the table has to store it as checkmate if and only if it
/// is checkmate, and as a draw if it is stalemate.
pub(super) fn run(job: &TableJob) -> Findings {
    walk::judge(job, CHECK, &judge)
}

/// How a game ends in a position without a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Checkmate,
    Stalemate,
}

impl Ending {
    /// By shakmaty; `None` if there is a move.
    pub(super) fn of(position: &Chess) -> Option<Self> {
        Self::by_moves(position, &position.legal_moves())
    }

    /// The ending of a position that has these legal moves.
    pub(super) fn by_moves(position: &Chess, moves: &[Move]) -> Option<Self> {
        if !moves.is_empty() {
            return None;
        }
        Some(if position.is_check() { Self::Checkmate } else { Self::Stalemate })
    }
}

pub(super) fn judge(job: &TableJob, placement: &Placement, position: &Chess, value: &TableValue) -> Verdict {
    judge_ending(job, placement, Ending::of(position), value)
}

/// Judges the value of a position in which the game ends so, or does not end.
pub(super) fn judge_ending(
    job: &TableJob,
    placement: &Placement,
    ending: Option<Ending>,
    value: &TableValue,
) -> Verdict {
    let (sound, expected) = match ending {
        Some(Ending::Checkmate) => {
            (value.dtm == Some(Dtm::CHECKMATED) && value.wdl == Wdl::Loss, "checkmated")
        }
        Some(Ending::Stalemate) => (value.dtm.is_none() && value.wdl == Wdl::Draw, "draw"),
        None => (value.dtm != Some(Dtm::CHECKMATED), "not checkmated"),
    };
    if sound {
        return Verdict::Agree;
    }
    let explanation = match expected {
        "checkmated" => "the side to move is in check and has no move",
        "draw" => "the side to move is not in check and has no move: stalemate",
        _ => "the side to move has a move or is not in check",
    };
    let text = DifferenceText {
        stored: value.into(),
        expected: expected.into(),
        best: None,
        source: "shakmaty",
        explanation: explanation.to_owned(),
    };
    job.differ(CHECK, placement, text)
}

/// The row of a stalemate in the report.
pub(super) fn stalemate_row(job: &TableJob, placement: &Placement, position: &Chess) -> StalemateRow {
    StalemateRow { table: job.men.name().to_owned(), fen: placement.fen(), kind: kind(position) }
}

/// The kind of a stalemate: the first that applies.
fn kind(position: &Chess) -> StalemateKind {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return StalemateKind::Inside };
    let ahead = |color: Color| king.offset(color.fold_wb(8, -8));
    let stands =
        |square: Option<Square>, piece: Piece| square.is_some_and(|at| board.piece_at(at) == Some(piece));
    let file = shakmaty::Bitboard::from_file(king.file());
    if (board.by_piece(Piece { color: turn, role: Role::Pawn }) & file).any() {
        StalemateKind::BeforeItsOwnPawn
    } else if stands(ahead(turn), Piece { color: !turn, role: Role::Pawn }) {
        StalemateKind::PawnInFront
    } else if shakmaty::Bitboard::CORNERS.contains(king) {
        StalemateKind::Corner
    } else if shakmaty::Bitboard::EDGES.contains(king) {
        StalemateKind::Edge
    } else {
        StalemateKind::Inside
    }
}
