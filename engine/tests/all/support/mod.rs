//! Shared helpers: data files, random positions with fixed seeds, and reference rules.

#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

pub mod reference_rules;

use engine::{Board, CastlingRights, Color, Piece, Position, Role, Setup, Square};

/// The lines of a data file, without comments and empty lines.
pub fn lines(data: &str) -> impl Iterator<Item = &str> {
    data.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A random number generator with a seed: splitmix64.
pub struct Rng(pub u64);

impl Rng {
    /// A random number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    /// A random element.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A random Chess960 starting position.
    pub fn chess960(&mut self) -> Position {
        const BACK: [Role; 8] = {
            use Role::{Bishop, King, Knight, Queen, Rook};
            [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]
        };
        loop {
            let mut rank = BACK;
            for index in (1..8).rev() {
                rank.swap(index, self.below(index + 1));
            }
            let text: String = rank.iter().map(|role| role.to_char()).collect();
            let (rooks, king) = (text.match_indices('r').map(|(at, _)| at), text.find('k').unwrap());
            let [first, second] = rooks.collect::<Vec<_>>()[..] else { unreachable!("two rooks") };
            let bishops: usize = text.match_indices('b').map(|(at, _)| at).sum();
            if first < king && king < second && bishops % 2 == 1 {
                let fen = format!("{text}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", text.to_uppercase());
                return Position::from_fen(&fen).unwrap();
            }
        }
    }

    /// A random position of up to twelve men, with many pins, checks and promotions.
    pub fn scattered(&mut self) -> Position {
        loop {
            let mut board = Board::EMPTY;
            for color in Color::ALL {
                board.put(self.pick(&Square::ALL), Piece { color, role: Role::King });
            }
            for _ in 0..self.below(11) {
                let piece = Piece { color: self.pick(&Color::ALL), role: self.pick(&Role::ALL[..5]) };
                let square = self.pick(&Square::ALL);
                if board.piece_at(square).is_none() {
                    board.put(square, piece);
                }
            }
            let mut setup = Setup::new(board, self.pick(&Color::ALL));
            setup.castling = CastlingRights::from_rooks(
                [Square::A1, Square::H1, Square::A8, Square::H8][..self.below(5)].iter().copied().collect(),
            );
            setup.en_passant = Some(self.pick(&Square::ALL)).filter(|_| self.below(2) == 0);
            if let Ok(position) = Position::from_setup(&setup) {
                return position;
            }
        }
    }

    /// The first position of a random game.
    pub fn beginning(&mut self) -> Position {
        match self.below(4) {
            0 => Position::starting(),
            1 => self.chess960(),
            2 => self.scattered(),
            _ => {
                let fens: Vec<&str> = lines(include_str!("../../data/perft.txt")).collect();
                Position::from_fen(self.pick(&fens).split(" ; ").next().unwrap()).unwrap()
            }
        }
    }

    /// The positions of a random game, up to its end or 120 plies.
    pub fn game(&mut self) -> Vec<Position> {
        let mut positions = vec![self.beginning()];
        while positions.len() <= 120 {
            let last = positions[positions.len() - 1];
            let moves = last.legal_moves();
            if moves.is_empty() {
                break;
            }
            positions.push(last.play(self.pick(&moves)));
        }
        positions
    }
}
