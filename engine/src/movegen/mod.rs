//! The legal move generator.
//!
//! It passes target sets to a [`MoveSink`], which lists, counts or plays the moves. Knows no clocks and no
//! history.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

mod pins;
mod sink;

use crate::castling::CastlingSide;
use crate::side::{Side, shift};
use crate::state::{State, is_en_passant_legal};
use crate::{Bitboard, File, Role, Square, attacks};

use pins::Pins;
pub(crate) use sink::{MoveCounter, MoveFinder, MoveSink};

const A_FILE: Bitboard = Bitboard::file(File::A);
const H_FILE: Bitboard = Bitboard::file(File::H);

/// Generates all legal moves of side `S`, which is to move.
#[inline(always)]
pub(crate) fn generate<S: Side>(state: &State, sink: &mut impl MoveSink) {
    let Some(king) = state.board.king(S::US) else { return };
    let scene = Scene::new::<S>(state, king);
    match scene.pins.checkers {
        Bitboard::EMPTY => {
            scene.king_moves_and_castling::<S>(sink);
            scene.officers::<S>(Bitboard::FULL, sink);
            scene.pawns::<S>(Bitboard::FULL, sink);
        }
        checkers if checkers.many() => scene.king_moves::<S>(Bitboard::FULL, sink),
        checkers => {
            scene.king_moves::<S>(Bitboard::FULL, sink);
            let answers = checkers.into_iter().fold(checkers, |all, at| all | attacks::between(king, at));
            scene.officers::<S>(answers, sink);
            scene.pawns::<S>(answers, sink);
        }
    }
}

/// Generates captures and promotions of a side that is not in check.
#[inline]
pub(crate) fn generate_noisy<S: Side>(state: &State, sink: &mut impl MoveSink) {
    let Some(king) = state.board.king(S::US) else { return };
    let scene = Scene::new::<S>(state, king);
    scene.king_moves::<S>(scene.them, sink);
    scene.officers::<S>(scene.them, sink);
    scene.pawns::<S>(scene.them | S::LAST_RANK, sink);
}

/// Whether side `S`, which is to move, has a legal move. In most positions, one step of a piece that is not
/// pinned answers this at once.
#[inline]
pub(crate) fn any<S: Side>(state: &State) -> bool {
    let Some(king) = state.board.king(S::US) else { return false };
    let scene = Scene::new::<S>(state, king);
    if scene.pins.checkers.is_empty() {
        let free = scene.us & !(scene.pins.straight | scene.pins.diagonal);
        let steps = shift(free & state.board.role(Role::Pawn), S::FORWARD) & !scene.occupied;
        let (board, queens) = (&state.board, state.board.role(Role::Queen));
        let moves = |men: Bitboard, targets: fn(Square) -> Bitboard| {
            (free & men).into_iter().any(|from| !(targets(from) & !scene.us).is_empty())
        };
        if steps.any()
            || moves(board.role(Role::Knight), attacks::knight)
            || moves(board.role(Role::Rook) | queens, |from| attacks::rook_lines(from) & attacks::king(from))
            || moves(board.role(Role::Bishop), |from| attacks::bishop_lines(from) & attacks::king(from))
        {
            return true;
        }
    }
    let mut counter = MoveCounter::default();
    scene.king_moves::<S>(Bitboard::FULL, &mut counter);
    if counter.0 == 0 {
        generate::<S>(state, &mut counter);
    }
    counter.0 > 0
}

/// The squares from which enemy pieces may attack squares that are asked for.
struct Zones {
    knights: Bitboard,
    straight: Bitboard,
    diagonal: Bitboard,
}

impl Zones {
    const ALL: Self = Self { knights: Bitboard::FULL, straight: Bitboard::FULL, diagonal: Bitboard::FULL };

    /// For the squares around the king.
    #[inline(always)]
    fn around(king: Square) -> Self {
        Self {
            knights: attacks::knight_zone(king),
            straight: attacks::rook_zone(king),
            diagonal: attacks::bishop_zone(king),
        }
    }
}

/// A state with the facts that the generator derives from it.
struct Scene<'a> {
    state: &'a State,
    king: Square,
    us: Bitboard,
    them: Bitboard,
    occupied: Bitboard,
    pins: Pins,
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn new<S: Side>(state: &'a State, king: Square) -> Self {
        let (us, them) = (state.board.color(S::US), state.board.color(S::THEM));
        let pins = Pins::new::<S>(&state.board, king);
        Self { state, king, us, them, occupied: us | them, pins }
    }

    #[inline(always)]
    fn ours(&self, role: Role) -> Bitboard {
        self.us & self.state.board.role(role)
    }

    #[inline(always)]
    fn theirs(&self, role: Role) -> Bitboard {
        self.them & self.state.board.role(role)
    }

    /// Moves of the king alone.
    #[inline(always)]
    fn king_moves<S: Side>(&self, wanted: Bitboard, sink: &mut impl MoveSink) {
        let targets = attacks::king(self.king) & !self.us & wanted;
        if targets.is_empty() {
            return;
        }
        let targets = targets & !self.attacked_by_pawns_and_king::<S>();
        if targets.any() {
            let attacked = self.attacked_by_officers::<S>(&Zones::around(self.king));
            sink.piece(Role::King, self.king, targets & !attacked);
        }
    }

    /// Moves of a king that is not in check, and castling. The attacked squares are derived once for both.
    #[inline(always)]
    fn king_moves_and_castling<S: Side>(&self, sink: &mut impl MoveSink) {
        let mut rooks = self.state.castling.rooks_of(S::US);
        for rook in rooks {
            if !self.is_way_free::<S>(rook) {
                rooks = rooks.without(rook);
            }
        }
        if rooks.is_empty() {
            return self.king_moves::<S>(Bitboard::FULL, sink);
        }
        let attacked = self.attacked_by_pawns_and_king::<S>() | self.attacked_by_officers::<S>(&Zones::ALL);
        sink.piece(Role::King, self.king, attacks::king(self.king) & !self.us & !attacked);
        for rook in rooks {
            if self.may_castle::<S>(rook, attacked) {
                sink.castling(self.king, rook);
            }
        }
    }

    #[inline(always)]
    fn attacked_by_pawns_and_king<S: Side>(&self) -> Bitboard {
        let mut attacked = pawn_attacks::<S::Them>(self.theirs(Role::Pawn));
        for king in self.theirs(Role::King) {
            attacked |= attacks::king(king);
        }
        attacked
    }

    /// The squares that enemy knights, bishops, rooks and queens in the zones attack. The king does not count as
    /// a blocker: it may not step back along the line of a check.
    #[inline(always)]
    fn attacked_by_officers<S: Side>(&self, zones: &Zones) -> Bitboard {
        let board = &self.state.board;
        let mut attacked = Bitboard::EMPTY;
        for knight in self.theirs(Role::Knight) & zones.knights {
            attacked |= attacks::knight(knight);
        }
        let through = self.occupied.without(self.king);
        let queens = board.role(Role::Queen);
        for from in (board.role(Role::Bishop) | queens) & self.them & zones.diagonal {
            attacked |= attacks::bishop_on::<S::Processor>(from, through);
        }
        for from in (board.role(Role::Rook) | queens) & self.them & zones.straight {
            attacked |= attacks::rook_on::<S::Processor>(from, through);
        }
        attacked
    }

    /// Whether the squares that king and rook pass when they castle are free. Together they pass all squares
    /// between them.
    #[inline(always)]
    fn is_way_free<S: Side>(&self, rook: Square) -> bool {
        if !attacks::between(self.king, rook).is_disjoint(self.occupied) {
            return false;
        }
        let rook_to = CastlingSide::from_squares(self.king, rook).rook_target(S::US);
        let way = self.king_path::<S>(rook) | attacks::between(rook, rook_to).with(rook_to);
        way.is_disjoint(self.occupied.without(self.king).without(rook))
    }

    /// The squares that the king passes when it castles, and its destination.
    #[inline(always)]
    fn king_path<S: Side>(&self, rook: Square) -> Bitboard {
        let king_to = CastlingSide::from_squares(self.king, rook).king_target(S::US);
        attacks::between(self.king, king_to).with(king_to)
    }

    /// Whether castling over a free way is legal: the king may not pass an attacked square.
    #[inline(always)]
    fn may_castle<S: Side>(&self, rook: Square, attacked: Bitboard) -> bool {
        if !self.king_path::<S>(rook).is_disjoint(attacked) {
            return false;
        }
        // The rook may leave the rank open behind it, unless it stands on an edge.
        let side = CastlingSide::from_squares(self.king, rook);
        let after = self.occupied.without(self.king).without(rook).with(side.rook_target(S::US));
        (A_FILE | H_FILE).contains(rook) || !self.is_attacked::<S>(side.king_target(S::US), after)
    }

    /// Whether the other side attacks a square, given the occupied squares.
    #[inline(always)]
    fn is_attacked<S: Side>(&self, square: Square, occupied: Bitboard) -> bool {
        let leapers = attacks::pawn(S::US, square) & self.state.board.role(Role::Pawn)
            | attacks::knight(square) & self.state.board.role(Role::Knight)
            | attacks::king(square) & self.state.board.role(Role::King);
        let queens = self.state.board.role(Role::Queen);
        let straight = self.them & (self.state.board.role(Role::Rook) | queens);
        let diagonal = self.them & (self.state.board.role(Role::Bishop) | queens);
        !self.them.is_disjoint(leapers)
            || !attacks::rook_lines(square).is_disjoint(straight)
                && !attacks::rook_on::<S::Processor>(square, occupied).is_disjoint(straight)
            || !attacks::bishop_lines(square).is_disjoint(diagonal)
                && !attacks::bishop_on::<S::Processor>(square, occupied).is_disjoint(diagonal)
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    fn officers<S: Side>(&self, answers: Bitboard, sink: &mut impl MoveSink) {
        let targets = answers & !self.us;
        let pinned = self.pins.straight | self.pins.diagonal;
        let free = self.us & !pinned;
        for from in free & self.state.board.role(Role::Knight) {
            sink.piece(Role::Knight, from, attacks::knight(from) & targets);
        }
        for from in free & self.state.board.role(Role::Bishop) {
            sink.piece(Role::Bishop, from, attacks::bishop_on::<S::Processor>(from, self.occupied) & targets);
        }
        for from in free & self.state.board.role(Role::Rook) {
            sink.piece(Role::Rook, from, attacks::rook_on::<S::Processor>(from, self.occupied) & targets);
        }
        for from in free & self.state.board.role(Role::Queen) {
            sink.piece(Role::Queen, from, self.queen::<S>(from) & targets);
        }
        if !pinned.is_disjoint(self.us) {
            self.pinned_officers::<S>(targets, sink);
        }
    }

    #[inline(always)]
    fn queen<S: Side>(&self, from: Square) -> Bitboard {
        attacks::rook_on::<S::Processor>(from, self.occupied)
            | attacks::bishop_on::<S::Processor>(from, self.occupied)
    }

    /// Pinned pieces move along their pin. (A pinned knight cannot move.)
    #[inline(always)]
    fn pinned_officers<S: Side>(&self, targets: Bitboard, sink: &mut impl MoveSink) {
        let straight = self.pins.straight & self.us;
        let diagonal = self.pins.diagonal & self.us;
        for role in [Role::Rook, Role::Queen] {
            for from in straight & self.state.board.role(role) {
                let along = attacks::rook_on::<S::Processor>(from, self.occupied) & self.pins.straight;
                sink.piece(role, from, along & targets);
            }
        }
        for role in [Role::Bishop, Role::Queen] {
            for from in diagonal & self.state.board.role(role) {
                let along = attacks::bishop_on::<S::Processor>(from, self.occupied) & self.pins.diagonal;
                sink.piece(role, from, along & targets);
            }
        }
    }

    #[inline(always)]
    fn pawns<S: Side>(&self, answers: Bitboard, sink: &mut impl MoveSink) {
        let pawns = self.ours(Role::Pawn);
        let pinned = self.pins.straight | self.pins.diagonal;
        if pawns.is_disjoint(pinned | shift(S::LAST_RANK, -S::FORWARD)) {
            self.free_pawns::<S>(pawns, answers, sink);
        } else {
            self.pawn_steps::<S>(pawns, answers, sink);
            self.pawn_captures::<S>(pawns & !A_FILE, S::FORWARD - 1, answers, sink);
            self.pawn_captures::<S>(pawns & !H_FILE, S::FORWARD + 1, answers, sink);
        }
        if let Some(to) = self.state.en_passant {
            for from in attacks::pawn(S::THEM, to) & pawns {
                if is_en_passant_legal::<S>(self.state, from, to) {
                    sink.en_passant(from, to);
                }
            }
        }
    }

    /// Moves pawns of which none is pinned or can promote, as in most positions.
    #[inline(always)]
    fn free_pawns<S: Side>(&self, pawns: Bitboard, answers: Bitboard, sink: &mut impl MoveSink) {
        let single = shift(pawns, S::FORWARD) & !self.occupied;
        let double = shift(single & S::THIRD_RANK, S::FORWARD) & !self.occupied;
        sink.pawns(single & answers, S::FORWARD);
        sink.pawns(double & answers, 2 * S::FORWARD);
        let captures = self.them & answers;
        sink.pawns(shift(pawns & !A_FILE, S::FORWARD - 1) & captures, S::FORWARD - 1);
        sink.pawns(shift(pawns & !H_FILE, S::FORWARD + 1) & captures, S::FORWARD + 1);
    }

    /// A pawn pinned along its file may step, because it stays on the pin. Other pins forbid the step.
    #[inline(always)]
    fn pawn_steps<S: Side>(&self, pawns: Bitboard, answers: Bitboard, sink: &mut impl MoveSink) {
        let pawns = pawns & !self.pins.diagonal;
        let free = shift(pawns & !self.pins.straight, S::FORWARD);
        let along = shift(pawns & self.pins.straight, S::FORWARD) & self.pins.straight;
        let single = (free | along) & !self.occupied;
        let double = shift(single & S::THIRD_RANK, S::FORWARD) & !self.occupied;
        hand_over::<S>(single & answers, S::FORWARD, sink);
        sink.pawns(double & answers, 2 * S::FORWARD);
    }

    /// A pawn pinned diagonally may capture along the pin. Other pins forbid the capture.
    #[inline(always)]
    fn pawn_captures<S: Side>(&self, pawns: Bitboard, step: i8, answers: Bitboard, sink: &mut impl MoveSink) {
        let pawns = pawns & !self.pins.straight;
        let free = shift(pawns & !self.pins.diagonal, step);
        let along = shift(pawns & self.pins.diagonal, step) & self.pins.diagonal;
        hand_over::<S>((free | along) & self.them & answers, step, sink);
    }
}

/// The squares that pawns of side `S` attack.
#[inline(always)]
pub(crate) fn pawn_attacks<S: Side>(pawns: Bitboard) -> Bitboard {
    let [west, east] = pawn_attacks_west_and_east::<S>(pawns);
    west | east
}

/// The squares that pawns of side `S` attack, towards the a-file and towards the h-file.
#[inline(always)]
pub(crate) fn pawn_attacks_west_and_east<S: Side>(pawns: Bitboard) -> [Bitboard; 2] {
    [shift(pawns & !A_FILE, S::FORWARD - 1), shift(pawns & !H_FILE, S::FORWARD + 1)]
}

/// Separates promotions from other pawn moves.
#[inline(always)]
fn hand_over<S: Side>(targets: Bitboard, step: i8, sink: &mut impl MoveSink) {
    sink.pawns(targets & !S::LAST_RANK, step);
    sink.promotions(targets & S::LAST_RANK, step);
}
