//! A slow reference implementation of the rules: an array of squares, every move tried, king safety checked
//! afterwards. It shares basic types with the engine, but no rules.

use engine::{Color, Move, Piece, Position, Role, Setup, Square};

/// A position as an array of squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferencePosition {
    squares: [Option<Piece>; 64],
    side_to_move: Color,
    /// The rooks that may castle.
    rooks: Vec<Square>,
    /// The square behind a pawn that has just stepped twice.
    passed: Option<Square>,
}

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

impl ReferencePosition {
    /// The position of a legal setup.
    pub fn new(setup: &Setup) -> Self {
        Self {
            squares: Square::ALL.map(|square| setup.board.piece_at(square)),
            side_to_move: setup.side_to_move,
            rooks: setup.castling.rooks().into_iter().collect(),
            passed: setup.en_passant,
        }
    }

    /// Whether board, side to move and castling rights are equal.
    pub fn matches(&self, position: &Position) -> bool {
        let other = Self::new(&position.to_setup());
        (self.squares, self.side_to_move, &self.rooks) == (other.squares, other.side_to_move, &other.rooks)
    }

    /// Every legal move, sorted; tries all squares and promotions.
    pub fn legal_moves(&self) -> Vec<Move> {
        let promotions = [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];
        let others = [Some(Role::Pawn), Some(Role::King)];
        let mut moves = Vec::new();
        for from in Square::ALL.into_iter().filter(|&from| self.is(from, self.side_to_move)) {
            for to in Square::ALL {
                let tries = promotions.into_iter().chain(others);
                let tries = tries.map(|promotion| Move { from, to, promotion });
                moves.extend(tries.filter(|&mv| self.is_legal(mv)));
            }
        }
        moves.sort_unstable();
        moves
    }

    /// Whether a pawn may legally capture en passant.
    pub fn can_take_en_passant(&self) -> bool {
        self.legal_moves().iter().any(|&mv| self.is_en_passant(mv))
    }

    fn is(&self, square: Square, color: Color) -> bool {
        self.squares[square.index()].is_some_and(|piece| piece.color == color)
    }

    fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let Some(piece) = self.squares[mv.from.index()] else { return false };
        if piece.color != us {
            return false;
        }
        let last_rank = mv.to.relative_to(us).index() >= 56;
        let promotion_fits = match mv.promotion {
            None => !(piece.role == Role::Pawn && last_rank),
            Some(role) => piece.role == Role::Pawn && last_rank && !matches!(role, Role::Pawn | Role::King),
        };
        if !promotion_fits {
            return false;
        }
        if self.is(mv.to, us) {
            return piece.role == Role::King && self.may_castle(mv.from, mv.to);
        }
        let reaches = match piece.role {
            Role::Pawn => self.pawn_reaches(mv),
            role => self.reaches(role, mv.from, mv.to),
        };
        reaches && !self.after(mv).in_check(us)
    }

    fn pawn_reaches(&self, mv: Move) -> bool {
        let forward: i8 = self.side_to_move.pick(1, -1);
        let step = |files: i8, ranks: i8| mv.from.offset(files, ranks * forward);
        let empty = |square: Square| self.squares[square.index()].is_none();
        if step(-1, 1) == Some(mv.to) || step(1, 1) == Some(mv.to) {
            return self.is(mv.to, !self.side_to_move) || self.passed == Some(mv.to);
        }
        let at_home = mv.from.relative_to(self.side_to_move).index() / 8 == 1;
        step(0, 1).is_some_and(|one| {
            empty(one) && (one == mv.to || at_home && step(0, 2) == Some(mv.to) && empty(mv.to))
        })
    }

    fn reaches(&self, role: Role, from: Square, to: Square) -> bool {
        let leaps = |steps: &[(i8, i8)]| steps.iter().any(|&(f, r)| from.offset(f, r) == Some(to));
        let runs = |steps: &[(i8, i8)]| {
            steps.iter().any(|&(f, r)| {
                let mut at = from.offset(f, r);
                while at.is_some_and(|at| at != to && self.squares[at.index()].is_none()) {
                    at = at.and_then(|at| at.offset(f, r));
                }
                at == Some(to)
            })
        };
        match role {
            Role::Knight => leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]),
            Role::King => leaps(&STRAIGHT) || leaps(&DIAGONAL),
            Role::Bishop => runs(&DIAGONAL),
            Role::Rook => runs(&STRAIGHT),
            Role::Queen => runs(&STRAIGHT) || runs(&DIAGONAL),
            Role::Pawn => false,
        }
    }

    fn attacked(&self, square: Square, by: Color) -> bool {
        Square::ALL.into_iter().any(|from| match self.squares[from.index()] {
            Some(Piece { color, role: Role::Pawn }) if color == by => {
                let rank = by.pick(1, -1);
                from.offset(-1, rank) == Some(square) || from.offset(1, rank) == Some(square)
            }
            Some(Piece { color, role }) => color == by && self.reaches(role, from, square),
            None => false,
        })
    }

    fn in_check(&self, color: Color) -> bool {
        let king = Some(Piece { color, role: Role::King });
        let king = Square::ALL.into_iter().find(|square| self.squares[square.index()] == king).unwrap();
        self.attacked(king, !color)
    }

    fn castling_targets(&self, king: Square, rook: Square) -> (Square, Square) {
        let (king, rook) = if rook > king { (Square::G1, Square::F1) } else { (Square::C1, Square::D1) };
        (king.relative_to(self.side_to_move), rook.relative_to(self.side_to_move))
    }

    /// FIDE Laws of Chess, 3.8.2, and the guidelines for Chess960.
    fn may_castle(&self, king: Square, rook: Square) -> bool {
        let us = self.side_to_move;
        if !self.rooks.contains(&rook) || self.in_check(us) {
            return false;
        }
        let (king_to, rook_to) = self.castling_targets(king, rook);
        let path = |a: Square, b: Square| {
            let range = a.index().min(b.index())..=a.index().max(b.index());
            range.map(Square::from_index).collect::<Vec<_>>()
        };
        let way = [path(king, king_to), path(rook, rook_to)].concat();
        if way.iter().any(|&at| at != king && at != rook && self.squares[at.index()].is_some()) {
            return false;
        }
        let mut without_king = self.clone();
        without_king.squares[king.index()] = None;
        !path(king, king_to).iter().any(|&at| without_king.attacked(at, !us))
            && !self.after(Move::new(king, rook)).in_check(us)
    }

    fn is_en_passant(&self, mv: Move) -> bool {
        let pawn = self.squares[mv.from.index()].is_some_and(|piece| piece.role == Role::Pawn);
        pawn && self.passed == Some(mv.to) && mv.from.file() != mv.to.file()
    }

    /// The position after a move.
    pub fn after(&self, mv: Move) -> Self {
        let us = self.side_to_move;
        let mut next = self.clone();
        let moved = self.squares[mv.from.index()].unwrap();
        next.squares[mv.from.index()] = None;
        if moved.role == Role::King && self.is(mv.to, us) {
            let (king_to, rook_to) = self.castling_targets(mv.from, mv.to);
            next.squares[mv.to.index()] = None;
            next.squares[king_to.index()] = Some(moved);
            next.squares[rook_to.index()] = Some(Piece { color: us, role: Role::Rook });
        } else {
            next.squares[mv.to.index()] = Some(Piece { color: us, role: mv.promotion.unwrap_or(moved.role) });
        }
        if self.is_en_passant(mv) {
            next.squares[Square::new(mv.to.file(), mv.from.rank()).index()] = None;
        }
        let home = |square: &Square| square.relative_to(us).index() < 8;
        next.rooks
            .retain(|rook| *rook != mv.from && *rook != mv.to && !(moved.role == Role::King && home(rook)));
        let middle = usize::midpoint(mv.from.index(), mv.to.index());
        let stepped_twice = moved.role == Role::Pawn && mv.from.index().abs_diff(mv.to.index()) == 16;
        next.passed = stepped_twice.then_some(Square::from_index(middle));
        next.side_to_move = !us;
        next
    }
}
