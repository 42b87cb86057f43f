//! Random positions and games.

use std::num::NonZeroU32;

use oracle::board::{self, Accept, Spelling, after, fen_of, fen_with, legal_move, uci_text};
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Setup, Square,
};

/// A case without its result.
#[derive(Clone)]
pub(crate) struct Proposal {
    pub(crate) fen: String,
    pub(crate) moves: Vec<String>,
}

impl Proposal {
    pub(crate) fn of(fen: String) -> Self {
        Self { fen, moves: Vec::new() }
    }

    /// The proposal with colours exchanged.
    pub(crate) fn mirrored(&self) -> Option<Self> {
        let setup = board::setup(&self.fen).ok()?.into_mirrored();
        let rank = |c: char| c.to_digit(10).and_then(|rank| char::from_digit(9 - rank, 10)).unwrap_or(c);
        let moves = self.moves.iter().map(|text| text.chars().map(rank).collect()).collect();
        Some(Self { fen: fen_of(setup), moves })
    }
}

/// `SplitMix64` (Steele, Lea, Flood, 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.next().is_multiple_of(2)
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    pub(crate) fn turn(&mut self) -> Color {
        if self.coin() { Color::White } else { Color::Black }
    }

    pub(crate) fn square(&mut self) -> Square {
        Square::new(self.below(64) as u32)
    }

    /// The men of a table such as `KQvK` on random squares; `None` if one is not `allowed`, or the position
    /// is not legal.
    pub(crate) fn place(
        &mut self,
        men: &str,
        turn: Color,
        allowed: fn(Piece, Square) -> bool,
    ) -> Option<Chess> {
        let mut setup = Setup { turn, ..Setup::empty() };
        let (white, black) = men.split_once('v')?;
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            for letter in letters.chars() {
                let piece = Piece { color, role: Role::from_char(letter)? };
                let square = self.square();
                if setup.board.piece_at(square).is_some() || !allowed(piece, square) {
                    return None;
                }
                setup.board.set_piece_at(square, piece);
            }
        }
        legal(setup)
    }

    /// A random move that is no capture, pawn move or castling.
    pub(crate) fn quiet(&mut self, position: &Chess) -> Option<Move> {
        let legal = position.legal_moves();
        let quiet: Vec<Move> = legal.into_iter().filter(|mv| !mv.is_zeroing() && !mv.is_castle()).collect();
        if quiet.is_empty() { None } else { Some(*self.pick(&quiet)) }
    }

    /// A random game of `plies` plies in which no position repeats. With `captures`, men are taken after a
    /// few plies.
    pub(crate) fn walk(&mut self, start: &Chess, plies: usize, captures: bool) -> Option<Vec<String>> {
        let mut seen = vec![start.clone()];
        let mut moves = Vec::new();
        while moves.len() < plies {
            let position = seen.last()?;
            let taking = position.legal_moves().into_iter().find(|mv| mv.is_capture());
            let mv = taking.filter(|_| captures && moves.len() > 2).or_else(|| self.quiet(position))?;
            let after = after(position, mv);
            if after.is_game_over() || seen.contains(&after) {
                return None;
            }
            moves.push(text(mv));
            seen.push(after);
        }
        Some(moves)
    }

    /// Seven plies in which both sides move back and forth. The position after them has occurred once before,
    /// and the next move can repeat the first position for the third time.
    pub(crate) fn there_and_back(&mut self, first: &Chess) -> Option<Vec<String>> {
        let out = self.quiet(first)?;
        let out = [out, self.quiet(&after(first, out))?];
        let mut position = first.clone();
        let mut moves = Vec::new();
        for mv in
            [text(out[0]), text(out[1]), back(&text(out[0])), back(&text(out[1]))].iter().cycle().take(7)
        {
            position = after(&position, legal_move(&position, mv, Spelling::Tolerant)?);
            moves.push(mv.clone());
        }
        Some(moves)
    }
}

pub(crate) fn legal(setup: Setup) -> Option<Chess> {
    board::from_setup(setup, CastlingMode::Standard, Accept::Legal).ok()
}

pub(crate) fn text(mv: Move) -> String {
    uci_text(mv, CastlingMode::Standard)
}

fn back(text: &str) -> String {
    format!("{}{}", &text[2..], &text[..2])
}

/// The FEN with this halfmove clock and a move number that fits it.
pub(crate) fn clocked(position: &Chess, clock: u32) -> String {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.halfmoves = clock;
    setup.fullmoves = NonZeroU32::MIN.saturating_add(clock / 2 + 19);
    fen_of(setup)
}

/// The FEN with the en passant square, even if the capture is not legal.
pub(crate) fn with_square(position: &Chess) -> String {
    fen_with(position, EnPassantMode::Always)
}

/// Pawns that block each other on all files, each file one rank higher or lower than the one before, with
/// kings behind them. White's bishops stand on squares of the colour on which no black pawn stands.
pub(crate) fn blocked_pawns(random: &mut Random, bishops: usize) -> Option<Chess> {
    let mut board = Board::empty();
    let mut rank = 3 + random.below(2);
    let put = |board: &mut Board, file: usize, rank: usize, color, role| {
        let square = Square::new((rank * 8 + file) as u32);
        let empty = board.piece_at(square).is_none();
        board.set_piece_at(square, Piece { color, role });
        empty.then_some(square)
    };
    let mut harmless = false;
    for file in 0..8 {
        put(&mut board, file, rank, Color::White, Role::Pawn)?;
        harmless = put(&mut board, file, rank + 1, Color::Black, Role::Pawn)?.is_light();
        rank = match rank {
            2 | 4 => 3,
            _ if random.coin() => 2,
            _ => 4,
        };
    }
    put(&mut board, random.below(8), 0, Color::White, Role::King)?;
    put(&mut board, random.below(8), 7, Color::Black, Role::King)?;
    for _ in 0..bishops {
        let square = put(&mut board, random.below(8), random.below(3), Color::White, Role::Bishop)?;
        if square.is_light() == harmless {
            return None;
        }
    }
    legal(Setup { board, turn: random.turn(), ..Setup::empty() })
}
