//! Whether a position shows what its class is about: what the stalemates look like to which its proof leads.

use shakmaty::attacks;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square};
use suites::stalemates::{ProvedValue, StalemateClass};

use super::proof::{Answer, played};

/// The deepest stalemate that is looked for, in plies.
const DEEPEST: u16 = 4;

/// Whether a position, with its answer, belongs to a class.
pub fn belongs(class: StalemateClass, position: &Chess, answer: &Answer) -> bool {
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

/// Whether a move to be avoided that is of this kind stalemates at once.
fn stalemating(position: &Chess, answer: &Answer, is_such: impl Fn(Move) -> bool) -> bool {
    answer.losing.iter().any(|&mv| is_such(mv) && played(position, mv).is_stalemate())
}

/// The stalemates that the moves of an answer lead to: at once, or by the replies that force them.
pub fn stalemates(position: &Chess, answer: &Answer) -> Vec<Chess> {
    let mut found = Vec::new();
    let first = match answer.worth {
        ProvedValue::Win => &answer.losing,
        _ => &answer.keeping,
    };
    if answer.legal == 0 {
        found.push(position.clone());
    }
    // Where the side to move can do no better, every move leads there.
    let legal = position.legal_moves();
    let first = if first.is_empty() && answer.worth != ProvedValue::Win { &legal[..] } else { &first[..] };
    for &mv in first {
        collect(&played(position, mv), answer.due.min(DEEPEST).saturating_sub(2), &mut found);
    }
    found
}

fn collect(position: &Chess, plies: u16, found: &mut Vec<Chess>) {
    let moves = position.legal_moves();
    if moves.is_empty() && !position.is_check() {
        found.push(position.clone());
    } else if plies > 0 {
        for mv in moves {
            collect(&played(position, mv), plies - 1, found);
        }
    }
}

/// The men of the side to move that could move, were it not for their king: each with the man that pins it.
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
        if let Some(taken) = taken_in_passing(position, square, piece) {
            without = without.without(taken);
        }
        let pinners = position.king_attackers(king, us.other(), without);
        pins.extend(pinners.into_iter().filter_map(|pinner| Some((board.role_at(pinner)?, piece.role))));
    }
    pins
}

/// The pawn that a pawn could take in passing, its king forgotten.
fn taken_in_passing(position: &Chess, from: Square, piece: Piece) -> Option<Square> {
    let passed = position.pseudo_legal_ep_square()?;
    let takes = piece.role == Role::Pawn && attacks::pawn_attacks(piece.color, from).contains(passed);
    takes.then(|| Square::from_coords(passed.file(), from.rank()))
}

/// Whether a man has a move by the way it moves, its king forgotten.
fn could_move(position: &Chess, from: Square, piece: Piece) -> bool {
    let board = position.board();
    let attacked = attacks::attacks(from, piece, board.occupied());
    if piece.role != Role::Pawn {
        return (attacked & !board.by_color(piece.color)).any();
    }
    let captures = attacked & board.by_color(piece.color.other());
    captures.any()
        || (ahead(from, piece.color) & !board.occupied()).any()
        || taken_in_passing(position, from, piece).is_some()
}

/// The square before a pawn.
fn ahead(from: Square, color: Color) -> Bitboard {
    let step = if color.is_white() { 8 } else { -8 };
    from.offset(step).map_or(Bitboard::EMPTY, Bitboard::from)
}

/// Whether each square beside the king of the side to move is taken by a man of his own.
fn is_smothered(position: &Chess) -> bool {
    let king = position.board().king_of(position.turn());
    king.is_some_and(|king| (attacks::king_attacks(king) & !position.us()).is_empty())
}

/// The pawns of the side to move that have a man before them.
fn blocked_pawns(position: &Chess) -> Bitboard {
    let us = position.turn();
    let pawns = position.our(Role::Pawn).into_iter();
    pawns.filter(|&pawn| (ahead(pawn, us) & position.board().occupied()).any()).collect()
}

/// Whether the side to move has nothing but en passant or promotions.
fn is_near(position: &Chess) -> bool {
    let moves = position.legal_moves();
    let odd = |mv: &Move| mv.is_en_passant() || mv.is_promotion();
    !position.is_check() && !moves.is_empty() && moves.iter().all(odd)
}
