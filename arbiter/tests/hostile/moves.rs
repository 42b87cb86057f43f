//! The moves that it takes for legal, and their counts: those of shakmaty, as the faults change them.

use shakmaty::{CastlingSide, Chess, Color, Move, Piece, Position, Rank, Role, Square, attacks};

use crate::fault::Faults;

/// Its moves in a position.
pub(crate) fn moves(faults: &Faults, position: &Chess) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let is_lesser = |m: &Move| m.promotion().is_some_and(|role| role != Role::Queen);
    moves.retain(|m| !(faults.has("no-en-passant") && m.is_en_passant()));
    moves.retain(|m| !(faults.has("queens-only") && is_lesser(m)));
    let checked = position.is_check();
    if faults.has("castles-through-check") && !checked {
        moves.extend(castles(position));
    }
    if faults.has("no-pins") && !checked || faults.has("no-evasions") && checked {
        moves.extend(pseudo_legal(position).into_iter().filter(|m| m.role() != Role::King));
    }
    if faults.has("rash-king") && !checked {
        moves.extend(pseudo_legal(position).into_iter().filter(|m| m.role() == Role::King));
    }
    if faults.has("jumping-pawns") && !checked {
        moves.extend(jumps(position));
    }
    moves.retain(|m| m.capture() != Some(Role::King));
    let mut seen = Vec::new();
    moves.retain(|m| {
        let is_new = !seen.contains(m);
        seen.push(*m);
        is_new
    });
    moves
}

/// Counts sequences of moves.
pub(crate) fn perft(faults: &Faults, position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return moves(faults, position).len() as u64;
    }
    let after = |m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        perft(faults, &after, depth - 1)
    };
    moves(faults, position).into_iter().map(after).sum()
}

/// Castling whenever the squares between king and rook are empty.
fn castles(position: &Chess) -> Vec<Move> {
    let (turn, castles) = (position.turn(), position.castles());
    let king = position.board().king_of(turn);
    let free = CastlingSide::ALL.into_iter().filter_map(|side| {
        let (rook, king) = (castles.rook(turn, side)?, king?);
        (castles.path(turn, side) & position.board().occupied())
            .is_empty()
            .then_some(Move::Castle { king, rook })
    });
    free.collect()
}

/// Pseudo-legal moves without promotions.
fn pseudo_legal(position: &Chess) -> Vec<Move> {
    let (board, turn) = (position.board(), position.turn());
    let mut moves = Vec::new();
    for from in board.by_color(turn) {
        let Some(role) = board.role_at(from) else { continue };
        let reach = attacks::attacks(from, Piece { color: turn, role }, board.occupied());
        let targets: Vec<Square> = if role == Role::Pawn {
            let ahead = from.offset(ahead(turn)).filter(|&to| board.piece_at(to).is_none());
            (reach & board.by_color(!turn)).into_iter().chain(ahead).collect()
        } else {
            (reach & !board.by_color(turn)).into_iter().collect()
        };
        let last = turn.fold_wb(Rank::Eighth, Rank::First);
        let stays = targets.into_iter().filter(|to| role != Role::Pawn || to.rank() != last);
        moves.extend(stays.map(|to| Move::Normal {
            role,
            from,
            capture: board.role_at(to),
            to,
            promotion: None,
        }));
    }
    moves
}

/// Double steps of pawns over a man.
fn jumps(position: &Chess) -> Vec<Move> {
    let (board, turn) = (position.board(), position.turn());
    let home = turn.fold_wb(Rank::Second, Rank::Seventh);
    let jump = |from: Square| {
        let (over, to) = (from.offset(ahead(turn))?, from.offset(2 * ahead(turn))?);
        let jumps = board.piece_at(over).is_some() && board.piece_at(to).is_none();
        jumps.then_some(Move::Normal { role: Role::Pawn, from, capture: None, to, promotion: None })
    };
    let pawns = board.by_piece(Role::Pawn.of(turn)).into_iter().filter(|from| from.rank() == home);
    pawns.filter_map(jump).collect()
}

fn ahead(turn: Color) -> i32 {
    turn.fold_wb(8, -8)
}
