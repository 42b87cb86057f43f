//! The squares that each man can ever reach, and whether they allow a mate.
//!
//! The sets may be too large and are never too small. Each man begins on its square alone, and gains squares until
//! nothing changes. It is stopped by men that can never leave their squares, and a king also by squares that such
//! men attack. What several men can do only one after the other counts as possible at once.

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Rank, Role, Square, attacks};

/// Whether these sets allow a mate by this side. A no is a proof that there is none.
pub(super) fn allows_mate(position: &Chess, winner: Color) -> bool {
    // The sets know no castling, and no en passant capture of a pawn that has already passed.
    let is_covered = position.castles().is_empty() && position.legal_ep_square().is_none();
    if !is_covered {
        return true;
    }
    let mut reach = Reach::new(position.board());
    while !reach.allows_mate(winner) {
        if !reach.grow() {
            return false;
        }
    }
    true
}

/// A man with the squares on which it can ever stand.
struct Man {
    piece: Piece,
    start: Square,
    squares: Bitboard,
    /// Those of a pawn that promoted. It moves as a queen and as a knight.
    promoted: Bitboard,
    is_captured: bool,
}

impl Man {
    fn all_squares(&self) -> Bitboard {
        self.squares | self.promoted
    }

    fn is_king(&self) -> bool {
        self.piece.role == Role::King
    }

    /// Whether it can never leave its square.
    fn is_fixed(&self) -> bool {
        !self.is_captured && self.all_squares() == Bitboard::from_square(self.start)
    }

    /// The squares that it attacks from any of its squares, past all men but these.
    fn attacks(&self, fixed: Bitboard) -> Bitboard {
        let attacks = self.squares.into_iter().map(|square| attacks::attacks(square, self.piece, fixed));
        union(attacks) | self.promoted_attacks(fixed)
    }

    fn promoted_attacks(&self, fixed: Bitboard) -> Bitboard {
        let attacks = |square| attacks::queen_attacks(square, fixed) | attacks::knight_attacks(square);
        union(self.promoted.into_iter().map(attacks))
    }

    /// The squares that a pawn gains by a push or a double push.
    fn pushes(&self, fixed: Bitboard) -> Bitboard {
        let color = self.piece.color;
        let forward = |pawns: Bitboard| color.fold_wb(pawns.shift(8), pawns.shift(-8)) & !fixed;
        let once = forward(self.squares);
        once | forward(once & color.fold_wb(Rank::Third, Rank::Sixth))
    }
}

/// What a side meets.
struct Around {
    /// Men of both sides that can never leave their squares.
    fixed: Bitboard,
    /// Those of the own side.
    own: Bitboard,
    /// Squares that such men of the other side always attack.
    guarded: Bitboard,
    /// Squares on which men of the other side can stand, except their king.
    prey: Bitboard,
}

/// What a man reaches with one move.
struct Steps {
    squares: Bitboard,
    promoted: Bitboard,
    /// Those of them on which it can capture.
    captures: Bitboard,
}

impl Around {
    fn steps(&self, man: &Man) -> Steps {
        let squares = man.attacks(self.fixed) & !self.own;
        let promoted = man.promoted_attacks(self.fixed) & !self.own;
        match man.piece.role {
            Role::Pawn => {
                let captures = squares & self.prey;
                let moves = captures | man.pushes(self.fixed);
                let last = Bitboard::from(man.piece.color.fold_wb(Rank::Eighth, Rank::First));
                Steps {
                    squares: moves & !last,
                    promoted: promoted | moves & last,
                    captures: captures | promoted,
                }
            }
            Role::King => {
                let squares = squares & !self.guarded;
                Steps { squares, promoted, captures: squares }
            }
            _ => Steps { squares, promoted, captures: squares },
        }
    }
}

struct Reach {
    men: Vec<Man>,
}

impl Reach {
    fn new(board: &Board) -> Self {
        let man = |(start, piece)| Man {
            piece,
            start,
            squares: Bitboard::from_square(start),
            promoted: Bitboard::EMPTY,
            is_captured: false,
        };
        Self { men: board.iter().map(man).collect() }
    }

    /// Moves each man from all its squares, White first. Whether anything changed.
    fn grow(&mut self) -> bool {
        Color::ALL.map(|side| self.grow_side(side)).contains(&true)
    }

    fn men_of(&self, side: Color) -> impl Iterator<Item = &Man> {
        self.men.iter().filter(move |man| man.piece.color == side)
    }

    fn fixed(&self, side: Color) -> Bitboard {
        union(self.men_of(side).filter(|man| man.is_fixed()).map(|man| man.squares))
    }

    fn around(&self, side: Color) -> Around {
        let own = self.fixed(side);
        // Nothing stands between a man and the squares next to it.
        let guard = |man: &Man| attacks::attacks(man.start, man.piece, Bitboard::FULL);
        Around {
            fixed: own | self.fixed(!side),
            own,
            guarded: union(self.men_of(!side).filter(|man| man.is_fixed()).map(guard)),
            prey: union(self.men_of(!side).filter(|man| !man.is_king()).map(Man::all_squares)),
        }
    }

    fn grow_side(&mut self, side: Color) -> bool {
        let around = self.around(side);
        let (mut captures, mut is_changed) = (Bitboard::EMPTY, false);
        for man in self.men.iter_mut().filter(|man| man.piece.color == side) {
            let steps = around.steps(man);
            let (squares, promoted) = (man.squares | steps.squares, man.promoted | steps.promoted);
            is_changed |= (squares, promoted) != (man.squares, man.promoted);
            (man.squares, man.promoted) = (squares, promoted);
            captures |= steps.captures;
        }
        let prey = |man: &&mut Man| man.piece.color != side && !man.is_king() && !man.is_captured;
        for man in self.men.iter_mut().filter(prey) {
            man.is_captured = !(man.all_squares() & captures).is_empty();
            is_changed |= man.is_captured;
        }
        is_changed
    }

    /// Whether a mate of the other king is possible: some man attacks it, and each square next to it is attacked by
    /// a man, is next to the king of the winner, or is taken by a man of the loser.
    fn allows_mate(&self, winner: Color) -> bool {
        let king =
            |side| self.men_of(side).find(|man| man.is_king()).map_or(Bitboard::EMPTY, |man| man.squares);
        let kings = union(self.men.iter().filter(|man| man.is_king()).map(|man| man.squares));
        let fixed = (self.fixed(winner) | self.fixed(!winner)) & !kings;
        let attacked = union(self.men_of(winner).filter(|man| !man.is_king()).map(|man| man.attacks(fixed)));
        let blockers: Vec<Bitboard> =
            self.men_of(!winner).filter(|man| !man.is_king()).map(Man::all_squares).collect();
        (king(!winner) & attacked).into_iter().any(|mated| {
            let near = attacks::king_attacks(mated);
            let helpers = king(winner) & !near & !Bitboard::from_square(mated);
            helpers.into_iter().any(|helper| {
                let open = near & !attacked & !attacks::king_attacks(helper);
                all_taken(open, &blockers)
            })
        })
    }
}

/// Whether a different man can stand on each of these squares.
fn all_taken(squares: Bitboard, men: &[Bitboard]) -> bool {
    /// Gives a square a man, and the square that had it another one.
    fn takes(square: Square, men: &[Bitboard], tried: &mut [bool], on: &mut [Option<Square>]) -> bool {
        (0..men.len()).any(|man| {
            if tried[man] || !men[man].contains(square) {
                return false;
            }
            tried[man] = true;
            let is_free = on[man].is_none_or(|other| takes(other, men, tried, on));
            if is_free {
                on[man] = Some(square);
            }
            is_free
        })
    }
    let mut on = vec![None; men.len()];
    squares.into_iter().all(|square| takes(square, men, &mut vec![false; men.len()], &mut on))
}

fn union(sets: impl Iterator<Item = Bitboard>) -> Bitboard {
    sets.fold(Bitboard::EMPTY, |all, set| all | set)
}
