//! Static exchange evaluation (SEE): the outcome of a series of captures on one square.
//!
//! The least valuable piece captures first, and either side stops when going on would lose material
//! (Spracklen, Spracklen: An exchange evaluator for computer chess, 1978; the swap algorithm). Pins are
//! ignored.

use crate::{Bitboard, Board, Move, Position, Role, Square, attacks};

/// The value of a piece in exchanges, in centipawns.
pub(super) const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 975,
        Role::King => 20_000,
    }
}

/// Whether the exchange that starts with this move gains at least `wanted` for the side that moves.
pub(super) fn gains(position: &Position, mv: Move, wanted: i32) -> bool {
    let board = position.board();
    let us = position.side_to_move();
    let Some(mover) = board.role_at(mv.from) else { return false };
    if mover == Role::King && board.color(us).contains(mv.to) {
        return wanted <= 0;
    }
    let en_passant =
        mover == Role::Pawn && position.en_passant() == Some(mv.to) && mv.from.file() != mv.to.file();
    let taken = if en_passant { Some(Role::Pawn) } else { board.role_at(mv.to) };
    let promoted = mv.promotion.map_or(0, |role| worth(role) - worth(Role::Pawn));
    let balance = taken.map_or(0, worth) + promoted - wanted;
    let at_stake = mv.promotion.map_or(worth(mover), worth);
    if balance < 0 {
        return false;
    }
    if balance >= at_stake {
        return true;
    }
    let mut occupied = board.occupied().without(mv.from).with(mv.to);
    if en_passant {
        occupied = occupied.without(Square::new(mv.to.file(), mv.from.rank()));
    }
    swap(board, mv.to, occupied, !us, balance - at_stake) == us
}

/// The side that has to stop the exchange: the other side wins it. `balance` is the material of the side that
/// moved last, if its piece on the square is captured next.
fn swap(
    board: &Board,
    square: Square,
    mut occupied: Bitboard,
    mut side: crate::Color,
    mut balance: i32,
) -> crate::Color {
    let straight = board.role(Role::Rook) | board.role(Role::Queen);
    let diagonal = board.role(Role::Bishop) | board.role(Role::Queen);
    let mut attackers = board.attackers(square, side, occupied) | board.attackers(square, !side, occupied);
    loop {
        attackers &= occupied;
        let ours = attackers & board.color(side);
        let cheapest =
            Role::ALL.into_iter().find_map(|role| Some((role, (ours & board.role(role)).first()?)));
        let Some((role, from)) = cheapest else { return !side };
        if role == Role::King && !(attackers & board.color(!side)).is_empty() {
            return !side;
        }
        occupied = occupied.without(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop(square, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook(square, occupied) & straight;
        }
        balance = -balance - 1 - worth(role);
        side = !side;
        if balance >= 0 {
            return !side;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CastlingMode;

    /// Finds the value of a move by trying thresholds.
    #[test]
    fn exchange_values() {
        for (fen, mv, value) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", -225),
            ("4k3/8/4p3/3p4/8/2N5/6B1/4K3 w - - 0 1", "c3d5", -125),
            ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", -400),
            ("3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", 100),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("1r5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8q", 1375),
            ("5r1k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", -100),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
            ("8/8/3k4/3p4/8/8/3R4/3K4 w - - 0 1", "d2d5", -400),
            ("8/8/3k4/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", 100),
            ("6k1/8/8/4q3/8/8/8/4RK2 w - - 0 1", "e1e5", 975),
            ("6k1/8/8/3pq3/8/8/8/4QRK1 w - - 0 1", "e1e5", 975),
            ("6k1/8/3p4/4q3/8/8/8/4Q1K1 w - - 0 1", "e1e5", 0),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv, CastlingMode::Standard).unwrap();
            let found = (-1000..=1500).rev().find(|&wanted| gains(&position, mv, wanted));
            assert_eq!(found, Some(value), "{fen} {mv}");
        }
    }
}
