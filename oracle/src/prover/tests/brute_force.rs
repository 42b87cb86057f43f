//! Random small positions, compared with a search of all moves.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use shakmaty::{Board, CastlingMode, Color, Piece, Position, Role, Setup, Square};

use super::*;

/// Whether the side to move mates, by the plain rules.
fn mates(position: &Chess, moves: u32) -> bool {
    moves > 0 && position.halfmoves() < 100 && after_each(position).any(|after| is_mated(&after, moves - 1))
}

fn is_mated(position: &Chess, moves: u32) -> bool {
    if position.is_checkmate() {
        return true;
    }
    let over = position.is_stalemate() || position.halfmoves() >= 100;
    !over && moves > 0 && after_each(position).all(|after| mates(&after, moves))
}

fn after_each(position: &Chess) -> impl Iterator<Item = Chess> {
    position.legal_moves().into_iter().map(|mv| board::after(position, mv))
}

/// A king at the edge, the other king near it, some men of both sides, and often a halfmove clock near 100.
pub(super) fn drawn(random: &mut ChaCha8Rng) -> Option<Chess> {
    const MEN: [Role; 8] = [
        Role::Queen,
        Role::Rook,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
        Role::Pawn,
        Role::Queen,
    ];
    let mut below = |most: u32| random.next_u32() % most;
    let mut board = Board::empty();
    let mut put = |square: u32, color: Color, role: Role| {
        let square = Square::new(square);
        let free = board.piece_at(square).is_none();
        board.set_piece_at(square, Piece { color, role });
        free
    };
    let mut free = put(below(8), Color::Black, Role::King) && put(16 + below(8), Color::White, Role::King);
    for _ in 0..=below(2) {
        free &= put(below(64), Color::White, MEN[below(8) as usize]);
    }
    for _ in 0..below(3) {
        free &= put(below(64), Color::Black, MEN[3 + below(4) as usize]);
    }
    let halfmoves = if below(2) == 0 { 94 + below(8) } else { 0 };
    let turn = if below(3) == 0 { Color::Black } else { Color::White };
    let setup = Setup { board, turn, halfmoves, ..Setup::empty() };
    let position = board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck);
    position.ok().filter(|_| free)
}

#[test]
fn mates_in_small_positions_are_those_of_a_full_search() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut counts = std::collections::BTreeMap::new();
    let mut asked = 0;
    while asked < 1_500 {
        let Some(position) = drawn(&mut random) else { continue };
        asked += 1;
        let few = position.board().occupied().count() <= 3;
        let most = if few { 3 } else { 2 };
        let mate = (1..=most).find(|&moves| mates(&position, moves)).map(|moves| moves as i32);
        assert_eq!(proven(&position, most as i32), mate, "{}", crate::board::fen(&position));
        let most = if few { 2 } else { 1 };
        let mated = (0..=most).find(|&moves| is_mated(&position, moves)).map(|moves| -(moves as i32));
        assert_eq!(proven(&position, -(most as i32)), mated, "{}", crate::board::fen(&position));
        *counts.entry((mate, position.halfmoves() > 90)).or_insert(0) += 1;
        *counts.entry((mated, position.halfmoves() > 90)).or_insert(0) += 1;
    }
    // There are some of each kind.
    for mate in [Some(1), Some(2), Some(3), Some(-1), Some(-2), None] {
        for late in [false, true] {
            assert!(counts.get(&(mate, late)).is_some_and(|&count| count > 0), "{mate:?} {late}: {counts:?}");
        }
    }
}
