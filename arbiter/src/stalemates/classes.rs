//! Whether a position belongs to a class. The stalemates at the end of its proof decide that.

use oracle::board::after;
use shakmaty::attacks;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square};
use suites::stalemates::{ProvedValue, StalemateClass};

use super::proof::ProvedAnswer;

/// The longest way to a stalemate, in plies.
const DEEPEST: u16 = 4;

/// Whether a position with its proved answer belongs to a class.
pub fn belongs(class: StalemateClass, position: &Chess, answer: &ProvedAnswer) -> bool {
    let any = |shows: &dyn Fn(&Chess) -> bool| stalemates(position, answer).iter().any(shows);
    match class {
        StalemateClass::BareKing => any(&|end| end.us().count() == 1),
        StalemateClass::KingAndPawn => {
            let board = position.board();
            let promotes = belongs(StalemateClass::Promotion, position, answer);
            board.occupied().count() == 3 && board.pawns().any() && !promotes && any(&|_| true)
        }
        StalemateClass::LastMovePinned => any(&|end| !pins(end).is_empty()),
        StalemateClass::Smothered => any(&is_smothered),
        StalemateClass::Promotion => {
            answer.worth == ProvedValue::Win
                && stalemating(position, answer, |mv| mv.promotion() == Some(Role::Queen))
        }
        StalemateClass::Capture => {
            answer.worth == ProvedValue::Win && stalemating(position, answer, Move::is_capture)
        }
        StalemateClass::Resource => {
            let forced = answer.worth != ProvedValue::Win || answer.due > 3;
            forced && answer.legal > 0 && any(&|_| true)
        }
        StalemateClass::BlockedPawns => any(&|end| blocked_pawns(end).any()),
        StalemateClass::NearStalemate => match answer.worth {
            ProvedValue::Win if stalemating(position, answer, Move::is_castle) => true,
            ProvedValue::Win | ProvedValue::Loss => is_near(position),
            _ => false,
        },
    }
}

/// Whether a losing move of this kind stalemates at once.
fn stalemating(position: &Chess, answer: &ProvedAnswer, is_such: impl Fn(Move) -> bool) -> bool {
    answer.losing.iter().any(|&mv| is_such(mv) && after(position, mv).is_stalemate())
}

/// The stalemates that the moves of an answer lead to, at once or by force.
pub fn stalemates(position: &Chess, answer: &ProvedAnswer) -> Vec<Chess> {
    let mut found = Vec::new();
    let first = match answer.worth {
        ProvedValue::Win => &answer.losing,
        _ => &answer.keeping,
    };
    if answer.legal == 0 {
        found.push(position.clone());
    }
    // If no move keeps or loses a result, all moves lead to stalemate.
    let legal = position.legal_moves();
    let first = if first.is_empty() && answer.worth != ProvedValue::Win { &legal[..] } else { &first[..] };
    for &mv in first {
        collect(&after(position, mv), answer.due.min(DEEPEST).saturating_sub(2), &mut found);
    }
    found
}

fn collect(position: &Chess, plies: u16, found: &mut Vec<Chess>) {
    let moves = position.legal_moves();
    if moves.is_empty() && !position.is_check() {
        found.push(position.clone());
    } else if plies > 0 {
        for mv in moves {
            collect(&after(position, mv), plies - 1, found);
        }
    }
}

/// The pinned men of the side to move that would otherwise have a move, as pairs of the pinning and the
/// pinned role.
pub fn pins(position: &Chess) -> Vec<(Role, Role)> {
    let board = position.board();
    let us = position.turn();
    let Some(king) = board.king_of(us) else { return Vec::new() };
    let mut pins = Vec::new();
    for (square, piece) in board.clone() {
        if piece.color != us || piece.role == Role::King || !could_move(position, square, piece) {
            continue;
        }
        let mut without = board.occupied().without(square);
        if let Some(taken) = taken_en_passant(position, square, piece) {
            without = without.without(taken);
        }
        let pinners = position.king_attackers(king, us.other(), without);
        pins.extend(pinners.into_iter().filter_map(|pinner| Some((board.role_at(pinner)?, piece.role))));
    }
    pins
}

/// The square of the pawn that a pawn could take en passant, whether that leaves its king in check or not.
fn taken_en_passant(position: &Chess, from: Square, piece: Piece) -> Option<Square> {
    let passed = position.pseudo_legal_ep_square()?;
    let takes = piece.role == Role::Pawn && attacks::pawn_attacks(piece.color, from).contains(passed);
    takes.then(|| Square::from_coords(passed.file(), from.rank()))
}

/// Whether a man has a pseudo-legal move.
fn could_move(position: &Chess, from: Square, piece: Piece) -> bool {
    let board = position.board();
    let attacked = attacks::attacks(from, piece, board.occupied());
    if piece.role != Role::Pawn {
        return (attacked & !board.by_color(piece.color)).any();
    }
    let captures = attacked & board.by_color(piece.color.other());
    captures.any()
        || (ahead(from, piece.color) & !board.occupied()).any()
        || taken_en_passant(position, from, piece).is_some()
}

/// The square in front of a pawn.
fn ahead(from: Square, color: Color) -> Bitboard {
    let step = if color.is_white() { 8 } else { -8 };
    from.offset(step).map_or(Bitboard::EMPTY, Bitboard::from)
}

/// Whether men of the side to move stand on all squares around its king.
fn is_smothered(position: &Chess) -> bool {
    let king = position.board().king_of(position.turn());
    king.is_some_and(|king| (attacks::king_attacks(king) & !position.us()).is_empty())
}

/// The pawns of the side to move with a man in front of them.
fn blocked_pawns(position: &Chess) -> Bitboard {
    let us = position.turn();
    let pawns = position.our(Role::Pawn).into_iter();
    pawns.filter(|&pawn| (ahead(pawn, us) & position.board().occupied()).any()).collect()
}

/// Whether all legal moves are en passant captures or promotions.
fn is_near(position: &Chess) -> bool {
    let moves = position.legal_moves();
    let is_special = |mv: &Move| mv.is_en_passant() || mv.is_promotion();
    !position.is_check() && !moves.is_empty() && moves.iter().all(is_special)
}
