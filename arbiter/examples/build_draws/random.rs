//! Positions and walks drawn at random.

use oracle::board::fen as fen_of;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Setup, Square,
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

    /// The same with the colours exchanged.
    pub(crate) fn mirrored(&self) -> Option<Self> {
        let setup = self.fen.parse::<Fen>().ok()?.into_setup().into_mirrored();
        let rank = |c: char| c.to_digit(10).and_then(|rank| char::from_digit(9 - rank, 10)).unwrap_or(c);
        let moves = self.moves.iter().map(|text| text.chars().map(rank).collect()).collect();
        Some(Self { fen: Fen::try_from_setup(setup).ok()?.to_string(), moves })
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

    /// The men of a table such as `KQvK` on squares of `allowed`, if that is a legal position.
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

    /// A move that takes nothing and is none of a pawn's.
    pub(crate) fn quiet(&mut self, position: &Chess) -> Option<Move> {
        let legal = position.legal_moves();
        let quiet: Vec<Move> = legal.into_iter().filter(|mv| !mv.is_zeroing() && !mv.is_castle()).collect();
        if quiet.is_empty() { None } else { Some(*self.pick(&quiet)) }
    }

    /// A walk of so many plies in which no position comes twice.
    pub(crate) fn walk(&mut self, start: &Chess, plies: usize, captures: bool) -> Option<Vec<String>> {
        let mut seen = vec![start.clone()];
        let mut moves = Vec::new();
        while moves.len() < plies {
            let position = seen.last()?;
            let taking = position.legal_moves().into_iter().find(|mv| mv.is_capture());
            let mv = taking.filter(|_| captures && moves.len() > 2).or_else(|| self.quiet(position))?;
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.is_game_over() || seen.contains(&after) {
                return None;
            }
            moves.push(text(mv));
            seen.push(after);
        }
        Some(moves)
    }

    /// To and fro and to and fro and to: the position after it stood on the board once before, and the other side can
    /// now bring about the first one again.
    pub(crate) fn there_and_back(&mut self, first: &Chess) -> Option<Vec<String>> {
        let out = self.quiet(first)?;
        let out = [out, self.quiet(&after(first, out))?];
        let mut position = first.clone();
        let mut moves = Vec::new();
        for mv in
            [text(out[0]), text(out[1]), back(&text(out[0])), back(&text(out[1]))].iter().cycle().take(7)
        {
            position = after(&position, mv.parse::<UciMove>().ok()?.to_move(&position).ok()?);
            moves.push(mv.clone());
        }
        Some(moves)
    }
}

pub(crate) fn legal(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

pub(crate) fn text(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

fn back(text: &str) -> String {
    format!("{}{}", &text[2..], &text[..2])
}

pub(crate) fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// The FEN with this clock, and a move number that fits it.
pub(crate) fn clocked(position: &Chess, clock: u32) -> String {
    let fen = arbiter::draws::with_clock(&fen_of(position), clock);
    let fields: Vec<&str> = fen.split(' ').collect();
    format!("{} {}", fields[..5].join(" "), clock / 2 + 20)
}

/// With the en passant square even where nobody can use it.
pub(crate) fn with_square(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}

/// Pawns that block each other on all files, each file a rank higher or lower than the one before, and kings behind them,
/// with bishops for White on squares that no black pawn stands on.
pub(crate) fn wall(random: &mut Random, bishops: usize) -> Option<Chess> {
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
