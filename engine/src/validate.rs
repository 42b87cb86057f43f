//! Checks that a setup is a legal position, and lists every reason why it is not.
//!
//! Positions that no game can reach are accepted if they are otherwise legal: for instance checks that no
//! move could have given. Knows no text.

use derive_more::Display;

use crate::castling::CastlingSide;
use crate::{Bitboard, Color, File, Rank, Role, Setup, Square};

/// The largest halfmove clock or move number that is accepted.
pub const MAX_COUNTER: u16 = 9_999;

/// One reason why a setup is not a legal position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SetupFault {
    /// A side has no king.
    #[error("{0} has no king")]
    MissingKing(Color),
    /// A side has several kings.
    #[error("{color} has {found} kings")]
    TooManyKings {
        /// The side.
        color: Color,
        /// How many.
        found: u32,
    },
    /// A side has more than eight pawns.
    #[error("{color} has {found} pawns, more than 8")]
    TooManyPawns {
        /// The side.
        color: Color,
        /// How many.
        found: u32,
    },
    /// A side has more than sixteen men.
    #[error("{color} has {found} men, more than 16")]
    TooManyMen {
        /// The side.
        color: Color,
        /// How many.
        found: u32,
    },
    /// A side has more promoted pieces than missing pawns.
    #[error("{color} has at least {promoted} promoted pieces beside {pawns} pawns")]
    TooManyPromoted {
        /// The side.
        color: Color,
        /// Queens beyond the first, rooks and knights beyond the second, bishops beyond the first of each
        /// square colour.
        promoted: u32,
        /// Pawns on the board.
        pawns: u32,
    },
    /// A pawn stands on the first or the last rank.
    #[error("pawn on {0}")]
    PawnOnBackRank(Square),
    /// The side that is not to move is in check.
    #[error("{color} is in check from {checker}, and it is not {color}'s turn")]
    OpponentInCheck {
        /// The side in check.
        color: Color,
        /// The square of one of the checking pieces.
        checker: Square,
    },
    /// A castling right for a square without a rook of that side.
    #[error("castling right of {0}, where no rook of that side stands on its first rank")]
    CastlingWithoutRook(Square),
    /// A castling right, but the king is not on its first rank between the corners.
    #[error("castling right of {0}, while the king is not on that rank between the corners")]
    CastlingWithoutKing(Square),
    /// Two castling rights of one side on the same side of the king.
    #[error("castling rights of {color} for both {first} and {second}, on one side of the king")]
    CastlingTwice {
        /// The side.
        color: Color,
        /// One rook.
        first: Square,
        /// The other.
        second: Square,
    },
    /// An en passant square that no double step has just passed.
    #[error("en passant square {square}, but {reason}")]
    ImpossibleEnPassant {
        /// The square.
        square: Square,
        /// The reason.
        reason: EnPassantFault,
    },
    /// A halfmove clock beyond [`MAX_COUNTER`].
    #[error("halfmove clock {0}, beyond {MAX_COUNTER}")]
    HalfmoveClock(u16),
    /// A move number of 0 or beyond [`MAX_COUNTER`].
    #[error("move number {0}, not from 1 to {MAX_COUNTER}")]
    FullmoveNumber(u16),
}

/// Why no pawn can have just passed an en passant square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Display)]
pub enum EnPassantFault {
    /// The square is not on the third rank of the side that moved last.
    #[display("it is on a rank that no double step has just passed")]
    WrongRank,
    /// No pawn of the side that moved last stands in front of the square.
    #[display("no pawn that has just passed it stands in front")]
    NoPawn,
    /// The square, or the one the pawn came from, is not empty.
    #[display("it or the square the pawn came from is occupied")]
    Occupied,
}

/// All faults of a setup; none if it is a legal position.
pub(crate) fn faults(setup: &Setup) -> Vec<SetupFault> {
    let mut faults = Vec::new();
    for color in Color::ALL {
        faults.extend(kings(setup, color));
        material(setup, color, &mut faults);
    }
    let pawns = setup.board.role(Role::Pawn);
    faults.extend((pawns & Bitboard::BACK_RANKS).into_iter().map(SetupFault::PawnOnBackRank));
    faults.extend(opponent_in_check(setup));
    castling(setup, &mut faults);
    faults.extend(en_passant(setup));
    if setup.halfmove_clock > MAX_COUNTER {
        faults.push(SetupFault::HalfmoveClock(setup.halfmove_clock));
    }
    if !(1..=MAX_COUNTER).contains(&setup.fullmove_number) {
        faults.push(SetupFault::FullmoveNumber(setup.fullmove_number));
    }
    faults
}

fn kings(setup: &Setup, color: Color) -> Option<SetupFault> {
    match setup.board.pieces(color, Role::King).count() {
        0 => Some(SetupFault::MissingKing(color)),
        1 => None,
        found => Some(SetupFault::TooManyKings { color, found }),
    }
}

fn material(setup: &Setup, color: Color, faults: &mut Vec<SetupFault>) {
    const LIGHT: Bitboard = Bitboard::LIGHT_SQUARES;
    let board = &setup.board;
    let of = |role| board.pieces(color, role);
    let pawns = of(Role::Pawn).count();
    let men = board.color(color).count();
    let beyond = |pieces: Bitboard, first: u32| pieces.count().saturating_sub(first);
    let promoted = beyond(of(Role::Queen), 1)
        + beyond(of(Role::Rook), 2)
        + beyond(of(Role::Knight), 2)
        + beyond(of(Role::Bishop) & LIGHT, 1)
        + beyond(of(Role::Bishop) & !LIGHT, 1);
    if pawns > 8 {
        faults.push(SetupFault::TooManyPawns { color, found: pawns });
    } else if promoted + pawns > 8 {
        faults.push(SetupFault::TooManyPromoted { color, promoted, pawns });
    }
    if men > 16 {
        faults.push(SetupFault::TooManyMen { color, found: men });
    }
}

fn opponent_in_check(setup: &Setup) -> Option<SetupFault> {
    let color = !setup.side_to_move;
    let attackers = |king| setup.board.attackers(king, setup.side_to_move, setup.board.occupied());
    let checker =
        setup.board.pieces(color, Role::King).into_iter().find_map(|king| attackers(king).first())?;
    Some(SetupFault::OpponentInCheck { color, checker })
}

fn castling(setup: &Setup, faults: &mut Vec<SetupFault>) {
    let rights = setup.castling.rooks();
    faults.extend((rights & !Bitboard::BACK_RANKS).into_iter().map(SetupFault::CastlingWithoutRook));
    for color in Color::ALL {
        let back_rank = Bitboard::rank(Rank::First.relative_to(color));
        let rights = setup.castling.rooks_of(color);
        let rooks = setup.board.pieces(color, Role::Rook);
        faults.extend((rights & !rooks).into_iter().map(SetupFault::CastlingWithoutRook));
        let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
        let Some(king) = (setup.board.pieces(color, Role::King) & back_rank & !corners).first() else {
            faults.extend(rights.into_iter().map(SetupFault::CastlingWithoutKing));
            continue;
        };
        for side in CastlingSide::ALL {
            let mut same = rights.into_iter().filter(|&rook| CastlingSide::from_squares(king, rook) == side);
            if let (Some(first), Some(second)) = (same.next(), same.next()) {
                faults.push(SetupFault::CastlingTwice { color, first, second });
            }
        }
    }
}

fn en_passant(setup: &Setup) -> Option<SetupFault> {
    let square = setup.en_passant?;
    let them = !setup.side_to_move;
    let fault = |reason| Some(SetupFault::ImpossibleEnPassant { square, reason });
    if square.rank() != Rank::Third.relative_to(them) {
        return fault(EnPassantFault::WrongRank);
    }
    let (pawn, origin) = (
        Square::new(square.file(), Rank::Fourth.relative_to(them)),
        Square::new(square.file(), Rank::Second.relative_to(them)),
    );
    if !setup.board.pieces(them, Role::Pawn).contains(pawn) {
        return fault(EnPassantFault::NoPawn);
    }
    if setup.board.occupied().contains(square) || setup.board.occupied().contains(origin) {
        return fault(EnPassantFault::Occupied);
    }
    None
}
