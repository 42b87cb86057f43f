//! Positions drawn at random: possible stalemates of each class, and positions before them.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use oracle::board::{self, Accept, after};
use oracle::positions;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Setup, Square,
    attacks,
};
use suites::stalemates::StalemateClass;

/// Seeded random numbers.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    fn square_of(&mut self, set: Bitboard) -> Option<Square> {
        let squares: Vec<Square> = set.into_iter().collect();
        self.pick(&squares)
    }

    fn roles(&mut self, choices: &[Role], count: usize) -> Vec<Role> {
        (0..count).filter_map(|_| self.pick(choices)).collect()
    }
}

const PIECES: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
const STRONG: [Role; 7] =
    [Role::Queen, Role::Queen, Role::Rook, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
const FILLING: [Role; 6] = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A position of a class with White to move, which may be a stalemate; most are not.
pub(crate) fn placement(random: &mut Random, class: StalemateClass) -> Option<Chess> {
    let own = match class {
        StalemateClass::BareKing | StalemateClass::KingAndPawn => Vec::new(),
        StalemateClass::LastMovePinned => {
            let mut own = random.roles(&[Role::Bishop, Role::Knight, Role::Rook, Role::Pawn], 1);
            let more = random.below(2);
            own.extend(random.roles(&FILLING, more));
            own
        }
        StalemateClass::Smothered => {
            let count = 3 + random.below(3);
            random.roles(&FILLING, count)
        }
        StalemateClass::BlockedPawns | StalemateClass::NearStalemate => {
            let pawns = 1 + random.below(2);
            let mut own = random.roles(&[Role::Pawn], pawns);
            let more = random.below(2);
            own.extend(random.roles(&FILLING, more));
            own
        }
        StalemateClass::Promotion | StalemateClass::Capture | StalemateClass::Resource => {
            let count = random.below(3);
            random.roles(&FILLING, count)
        }
    };
    let mut board = Board::empty();
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    let edge = Bitboard::EDGES;
    let king = if random.one_in(3) { random.square_of(edge) } else { random.pick(&corners) }?;
    put(&mut board, king, Color::White, Role::King)?;
    for role in own {
        let near = around(king, if random.one_in(4) { 2 } else { 1 });
        let square = random.square_of(near & !board.occupied())?;
        put(&mut board, square, Color::White, role)?;
    }
    let square = random.square_of(around(king, 4) & !board.occupied())?;
    put(&mut board, square, Color::Black, Role::King)?;
    let count = 1 + random.below(3) + usize::from(class == StalemateClass::Smothered);
    for role in random.roles(&STRONG, count) {
        let square = random.square_of(!board.occupied())?;
        put(&mut board, square, Color::Black, role)?;
    }
    positions::position(board, Color::White).ok()
}

fn around(square: Square, distance: u32) -> Bitboard {
    Bitboard::FULL.into_iter().filter(|&other| square.distance(other) <= distance).collect()
}

fn put(board: &mut Board, square: Square, color: Color, role: Role) -> Option<()> {
    let on_edge = matches!(square.rank(), Rank::First | Rank::Eighth);
    if board.piece_at(square).is_some() || role == Role::Pawn && on_edge {
        return None;
    }
    board.set_piece_at(square, Piece { color, role });
    Some(())
}

/// A position from which a move of the other side leads here: with the man on `man`, if one is given, and
/// with a capture if `takes`.
pub(crate) fn before(
    random: &mut Random,
    position: &Chess,
    man: Option<Square>,
    takes: bool,
) -> Option<Chess> {
    let mover = position.turn().other();
    let mut board = position.board().clone();
    let to = man.or_else(|| random.square_of(board.by_color(mover)))?;
    let piece = board.piece_at(to).filter(|piece| piece.color == mover)?;
    let home = if mover.is_white() { Rank::Eighth } else { Rank::First };
    let promoted = to.rank() == home && !matches!(piece.role, Role::King | Role::Pawn) && random.one_in(2);
    let moved = if promoted { Role::Pawn } else { piece.role };
    board.discard_piece_at(to);
    let from = if moved == Role::Pawn {
        let back = if mover.is_white() { -8 } else { 8 };
        let behind = to.offset(back)?;
        let sides = attacks::pawn_attacks(mover.other(), to);
        if takes { random.square_of(sides & !board.occupied())? } else { behind }
    } else {
        random.square_of(attacks::attacks(to, piece, board.occupied()) & !board.occupied())?
    };
    put(&mut board, from, mover, moved)?;
    if takes {
        let role = if random.one_in(3) { Role::Pawn } else { random.pick(&PIECES)? };
        put(&mut board, to, mover.other(), role)?;
    }
    let earlier = positions::position(board, mover).ok()?;
    leads_to(&earlier, position).then_some(earlier)
}

fn leads_to(earlier: &Chess, position: &Chess) -> bool {
    earlier.legal_moves().into_iter().any(|mv| after(earlier, mv).board() == position.board())
}

/// A position after White castled, which may be a stalemate of Black.
pub(crate) fn castled(random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    let (king, rook) = if random.one_in(2) { (Square::G1, Square::F1) } else { (Square::C1, Square::D1) };
    put(&mut board, king, Color::White, Role::King)?;
    put(&mut board, rook, Color::White, Role::Rook)?;
    let square = random.square_of(Bitboard::EDGES)?;
    put(&mut board, square, Color::Black, Role::King)?;
    let count = 1 + random.below(2);
    for role in random.roles(&STRONG, count) {
        let square = random.square_of(!board.occupied())?;
        put(&mut board, square, Color::White, role)?;
    }
    if random.one_in(2) {
        let square = random.square_of(!board.occupied())?;
        put(&mut board, square, Color::Black, Role::Pawn)?;
    }
    positions::position(board, Color::Black).ok()
}

/// The position before White castled.
pub(crate) fn uncastled(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.turn = Color::White;
    for (king, rook, from) in [(Square::G1, Square::F1, Square::H1), (Square::C1, Square::D1, Square::A1)] {
        let has = |square, role| setup.board.piece_at(square) == Some(Piece { color: Color::White, role });
        if has(king, Role::King) && has(rook, Role::Rook) {
            setup.board.discard_piece_at(king);
            setup.board.discard_piece_at(rook);
            put(&mut setup.board, Square::E1, Color::White, Role::King)?;
            put(&mut setup.board, from, Color::White, Role::Rook)?;
            setup.castling_rights = Bitboard::from(from);
            let earlier = legal(setup)?;
            return leads_to(&earlier, position).then_some(earlier);
        }
    }
    None
}

/// The position with a black pawn that has just made a double step past a white pawn, which may be able to
/// take it en passant.
pub(crate) fn with_en_passant(random: &mut Random, position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let file = random.below(8) as i32;
    let square =
        |rank: i32| u32::try_from(rank * 8 + file).ok().and_then(|index| Square::try_from(index).ok());
    let (passed, to, from) = (square(5)?, square(4)?, square(6)?);
    if setup.board.piece_at(passed).is_some() || setup.board.piece_at(from).is_some() {
        return None;
    }
    put(&mut setup.board, to, Color::Black, Role::Pawn)?;
    for side in attacks::pawn_attacks(Color::Black, passed) {
        let _ = put(&mut setup.board, side, Color::White, Role::Pawn);
        if random.one_in(2) {
            break;
        }
    }
    setup.ep_square = Some(passed);
    legal(setup)
}

/// The position with colours exchanged.
pub(crate) fn mirrored(position: &Chess) -> Option<Chess> {
    let setup = position.to_setup(EnPassantMode::Always).into_mirrored();
    board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck).ok()
}

fn legal(setup: Setup) -> Option<Chess> {
    board::from_setup(setup, CastlingMode::Standard, Accept::Legal).ok()
}
