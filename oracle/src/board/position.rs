//! FEN to positions and back.

use shakmaty::fen::{Fen, LossyFenError, ParseFenError};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, PositionError, PositionErrorKinds, Setup, Square,
};

/// Which positions are accepted besides those that shakmaty finds legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// None.
    Legal,
    /// Positions with a check that no last move can have given. Tables hold them.
    ImpossibleCheck,
    /// Such positions, and positions with more men than promotions can explain.
    Unreachable,
    /// Such positions, without the castling rights and the en passant square that they do not allow.
    WrongRights,
}

/// Why a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// It is not a FEN.
    #[error("this is no FEN: {0}")]
    Syntax(#[from] ParseFenError),
    /// The position is not legal, for all these reasons.
    #[error("the position is not legal: {}", reasons(*.0))]
    Illegal(PositionErrorKinds),
}

/// Reads a FEN of standard chess.
///
/// # Errors
/// If it is not a FEN, or the position is not legal.
pub fn position(fen: &str, accept: Accept) -> Result<Chess, FenError> {
    position_in(fen, CastlingMode::Standard, accept)
}

/// Reads a FEN. The position remembers the mode: `position.castles().mode()`.
///
/// # Errors
/// If it is not a FEN, or the position is not legal.
pub fn position_in(fen: &str, mode: CastlingMode, accept: Accept) -> Result<Chess, FenError> {
    from_setup(setup(fen)?, mode, accept).map_err(FenError::Illegal)
}

/// Reads a FEN of standard chess, or of Chess960 if its castling rights need that.
///
/// # Errors
/// If it is not a FEN, or the position is not legal.
pub fn position_of_any_mode(fen: &str, accept: Accept) -> Result<Chess, FenError> {
    let setup = setup(fen)?;
    let mode = CastlingMode::detect(&setup);
    from_setup(setup, mode, accept).map_err(FenError::Illegal)
}

/// The content of a FEN, legal or not.
///
/// # Errors
/// If it is not a FEN.
pub fn setup(fen: &str) -> Result<Setup, FenError> {
    Ok(fen.parse::<Fen>()?.into_setup())
}

/// The position of a setup.
///
/// # Errors
/// All reasons why it is illegal, except those that `accept` allows.
pub fn from_setup(setup: Setup, mode: CastlingMode, accept: Accept) -> Result<Chess, PositionErrorKinds> {
    let read = Chess::from_setup(setup, mode);
    let read = match accept {
        Accept::Legal => read,
        Accept::ImpossibleCheck => read.or_else(PositionError::ignore_impossible_check),
        Accept::Unreachable | Accept::WrongRights => read
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material),
    };
    let read = match accept {
        Accept::WrongRights => read
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square),
        Accept::Legal | Accept::ImpossibleCheck | Accept::Unreachable => read,
    };
    read.map_err(|error| error.kinds())
}

/// The FEN of a position. The en passant square is given only where the capture is legal.
pub fn fen(position: &Chess) -> String {
    fen_with(position, EnPassantMode::Legal)
}

/// The FEN of a position, with the en passant square by the given rule.
pub fn fen_with(position: &Chess, en_passant: EnPassantMode) -> String {
    Fen::from_position(position, en_passant).to_string()
}

/// The FEN of a setup.
pub fn fen_of(setup: Setup) -> String {
    Fen::try_from_setup(setup).unwrap_or_else(LossyFenError::ignore).to_string()
}

/// A FEN as EPD, with the halfmove clock (`hmvc`) and the number of the move (`fmvn`) as operations.
pub fn epd(fen: &str) -> String {
    let mut fields = fen.rsplitn(3, ' ');
    let (number, clock) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
    format!("{} hmvc {clock}; fmvn {number};", fields.next().unwrap_or_default())
}

/// A FEN with another halfmove clock.
///
/// # Errors
/// If the text is not a FEN.
pub fn with_clock(fen: &str, clock: u32) -> Result<String, FenError> {
    let mut setup = setup(fen)?;
    setup.halfmoves = clock;
    Ok(fen_of(setup))
}

/// The position without the man on a square, and without the castling right of that man. `None` if it is not
/// legal.
pub fn without(position: &Chess, square: Square) -> Option<Chess> {
    let mut setup = shakmaty::Position::to_setup(position, EnPassantMode::Always);
    setup.board.discard_piece_at(square);
    setup.castling_rights.discard(square);
    from_setup(setup, shakmaty::Position::castles(position).mode(), Accept::Legal).ok()
}

fn reasons(kinds: PositionErrorKinds) -> String {
    let known = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a side has no king"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
        (PositionErrorKinds::INVALID_CASTLING_RIGHTS, "castling rights without king or rook in place"),
        (PositionErrorKinds::INVALID_EP_SQUARE, "no pawn has just stepped over the en passant square"),
        (PositionErrorKinds::IMPOSSIBLE_CHECK, "no last move can have given this check"),
        (PositionErrorKinds::TOO_MUCH_MATERIAL, "a side has more men than promotions can explain"),
    ];
    let named: Vec<_> =
        known.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, name)| *name).collect();
    named.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fen: &str, expected: [&str; 3]) {
        let all = [Accept::Legal, Accept::ImpossibleCheck, Accept::Unreachable];
        let read = all.map(|accept| match position(fen, accept) {
            Ok(position) => super::fen(&position),
            Err(error) => error.to_string(),
        });
        assert_eq!(read, expected.map(|text| if text.is_empty() { fen } else { text }.to_owned()));
    }

    #[test]
    fn accept_says_which_illegal_positions_are_read() {
        check("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", [""; 3]);
        let double = "the position is not legal: no last move can have given this check";
        check("7k/8/8/8/8/8/8/r2K3r w - - 0 1", [double, "", ""]);
        let many = "the position is not legal: a side has more men than promotions can explain";
        check("4k3/8/8/8/8/PPPPPPPP/Q7/Q3K3 w - - 0 1", [many, many, ""]);
        check(
            "8/8/8/8/8/8/8/Kk6 w - - 0 1",
            ["the position is not legal: the side that is not to move is in check"; 3],
        );
        check("8/8", ["this is no FEN: invalid board part in fen"; 3]);
        let two = "the position is not legal: a side has no king; a pawn stands on the first or last rank";
        check("P7/8/8/8/8/1K6/8/8 w - - 0 1", [two; 3]);
    }

    #[test]
    fn wrong_rights_are_left_out_if_asked() {
        let read = |fen| position(fen, Accept::WrongRights).map(|position| super::fen(&position));
        assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1").unwrap(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let king = "the position is not legal: a side has no king";
        assert_eq!(read("4k3/8/8/8/8/8/8/7R w KQ e6 0 1").unwrap_err().to_string(), king);
    }

    #[test]
    fn epd_has_the_counters_as_operations() {
        let expected = "8/8/8/8/8/1K6/2R5/1k6 w - - hmvc 12; fmvn 30;";
        assert_eq!(epd("8/8/8/8/8/1K6/2R5/1k6 w - - 12 30"), expected);
    }

    #[test]
    fn the_mode_decides_on_castling_rights() {
        let fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
        let rights = "the position is not legal: castling rights without king or rook in place";
        assert_eq!(position(fen, Accept::Unreachable).unwrap_err().to_string(), rights);
        let read = position_of_any_mode(fen, Accept::Legal).unwrap();
        assert_eq!(shakmaty::Position::castles(&read).mode(), CastlingMode::Chess960);
        assert_eq!(position_in(fen, CastlingMode::Chess960, Accept::Legal), Ok(read));
    }

    #[test]
    fn a_man_is_removed_with_its_castling_right() {
        let read = |fen| position(fen, Accept::Legal).unwrap();
        let left =
            |fen, square| without(&read(fen), square).map(|left| fen_with(&left, EnPassantMode::Always));
        let rooks = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(left(rooks, Square::H1).unwrap(), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(left("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", Square::D5), None);
        assert_eq!(left("4k3/4n3/8/8/4R3/8/8/4K3 w - - 0 1", Square::E7), None);
    }
}
