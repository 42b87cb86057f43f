//! Tests against brute force, on random positions with a fixed seed.

use super::{brute, length};
use crate::{Board, Color, Game, Piece, Position, Role, Setup, Square};

/// Random numbers: xorshift (Marsaglia 2003).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    /// A legal position: kings, three strong white men, and up to three black men.
    fn position(&mut self) -> Position {
        let strong = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        loop {
            let mut board = Board::EMPTY;
            let mut put = |draw: &mut Self, color, role| {
                let square = Square::ALL[draw.below(64) as usize];
                board.put(square, Piece { color, role });
            };
            for _ in 0..3 {
                let role = strong[self.below(5) as usize];
                put(self, Color::White, role);
            }
            for _ in 0..self.below(4) {
                let role = strong[1 + self.below(4) as usize];
                put(self, Color::Black, role);
            }
            for color in Color::ALL {
                put(self, color, Role::King);
            }
            let side_to_move = Color::ALL[self.below(2) as usize];
            // A third of the clocks are close to the fifty-move draw.
            let halfmove_clock = if self.below(3) == 0 { 95 + self.below(5) as u16 } else { 0 };
            let setup = Setup { halfmove_clock, ..Setup::new(board, side_to_move) };
            if let Ok(position) = Position::from_setup(&setup) {
                return position;
            }
        }
    }
}

/// Over many positions and both kinds of claim, the prover finds exactly what brute force finds.
#[test]
fn distances_equal_those_of_brute_force() {
    let mut draw = Draw(0x5EED);
    let mut found = [0; 6];
    for _ in 0..3_000 {
        let game = Game::new(draw.position());
        for most in [2, 3] {
            let shortest = brute::shortest(&game, most);
            assert_eq!(length(&game, most), shortest, "{}", game.position().to_fen());
            if let Some(plies) = shortest {
                found[usize::from(plies)] += 1;
            }
        }
    }
    assert!(found[1] > 50 && found[2] > 30 && found[3] > 80, "{found:?}");
}

/// Longer mates, with two white men against the bare king.
#[test]
fn longer_distances_equal_those_of_brute_force() {
    let mut draw = Draw(0xFEED);
    let mut found = [0; 6];
    let mut tried = 0;
    while tried < 60 {
        let position = draw.position();
        if position.board().color(Color::Black).many() || position.board().occupied().count() > 4 {
            continue;
        }
        tried += 1;
        let game = Game::new(position);
        for most in [4, 5] {
            let shortest = brute::shortest(&game, most);
            assert_eq!(length(&game, most), shortest, "{}", game.position().to_fen());
            if let Some(plies) = shortest {
                found[usize::from(plies)] += 1;
            }
        }
    }
    assert!(found[4] > 0 && found[5] > 0, "{found:?}");
}
