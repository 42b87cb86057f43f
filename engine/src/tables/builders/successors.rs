//! Moves and un-moves of the men of a table, from attacks alone.

use std::ops::ControlFlow;

use crate::tables::value::Value;
use crate::tables::{Layout, Metric, Placement, TableSet};
use crate::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

/// A move, by its destination.
pub(super) enum TableMove {
    /// Within the table: the placement after the move, whether a pawn moved, and the best legal en passant
    /// capture as a reply, by its value for the side that captures.
    Within { squares: Placement, pawn: bool, en_passant: Option<Value> },
    /// To a smaller table by capture or promotion, or by a double step with en passant as the only reply: the
    /// value for the side then to move.
    Exit(Value),
}

/// The moves of one material.
pub(super) struct Successors<'a> {
    pub(super) layout: &'a Layout,
    /// The tables that captures and promotions lead to.
    pub(super) smaller: &'a TableSet,
    pub(super) rules: Rules,
}

/// What a move may do: the rules of chess, except in specimens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The roles that pawns promote to.
    pub(super) promotions: &'static [Role],
    pub(super) en_passant: bool,
    /// Whether the en passant captures that a move allows are seen when it is taken back.
    pub(super) en_passant_unmoves: bool,
    /// The role that a man has in the table to which a capture leads.
    pub(super) after_capture: fn(Role) -> Role,
}

impl Rules {
    /// The rules of chess.
    pub(super) const CHESS: Self = Self {
        promotions: &Role::PROMOTIONS,
        en_passant: true,
        en_passant_unmoves: true,
        after_capture: std::convert::identity,
    };
}

impl Successors<'_> {
    /// Whether the king of `color` is attacked.
    pub(super) fn is_check(&self, squares: &Placement, color: Color) -> bool {
        self.in_check(squares, color, squares.occupied(), None)
    }

    /// The same with given occupied squares and one man removed.
    fn in_check(&self, squares: &Placement, color: Color, occupied: Bitboard, taken: Option<usize>) -> bool {
        let king = squares.get(color.index());
        self.layout.men().iter().zip(squares.iter()).enumerate().any(|(man, (piece, square))| {
            piece.color != color
                && Some(man) != taken
                && attacks::hits(piece.role, piece.color, square, king, occupied)
        })
    }

    /// Visits every legal move of `side` until the visitor breaks.
    pub(super) fn visit<B>(
        &self,
        squares: &Placement,
        side: Color,
        mut visitor: impl FnMut(TableMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let occupied = squares.occupied();
        let own = self.of_side(squares, side);
        let bare = self.is_bare(!side);
        for (man, (&Piece { color, role }, from)) in self.layout.men().iter().zip(squares.iter()).enumerate()
        {
            if color != side {
                continue;
            }
            let targets = match role {
                Role::Pawn => {
                    pawn_pushes(color, from, occupied) | attacks::pawn(color, from) & occupied & !own
                }
                _ => attacks::of(role, color, from, occupied) & !own,
            };
            for to in targets {
                let moved = squares.with(man, to);
                let taken = squares.iter().position(|at| at == to && occupied.contains(to));
                let exposed = if bare {
                    // A bare king attacks only neighbouring squares, where the other king cannot stand.
                    role == Role::King && attacks::king(to).contains(squares.get((!side).index()))
                } else {
                    self.in_check(&moved, side, occupied.without(from).with(to), taken)
                };
                if exposed {
                    continue;
                }
                let pawn = role == Role::Pawn;
                if pawn && Bitboard::BACK_RANKS.contains(to) {
                    for &role in self.rules.promotions {
                        visitor(TableMove::Exit(self.exit(&moved, man, Some(role), taken, side)))?;
                    }
                } else if taken.is_some() {
                    visitor(TableMove::Exit(self.exit(&moved, man, None, taken, side)))?;
                } else {
                    visitor(self.within(moved, man, from, side))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A move that is neither a capture nor a promotion.
    fn within(&self, squares: Placement, man: usize, from: Square, side: Color) -> TableMove {
        match self.en_passant(&squares, man, from) {
            Some(value) if !self.has_move(&squares, !side) => TableMove::Exit(value),
            en_passant => {
                let pawn = self.layout.men()[man].role == Role::Pawn;
                TableMove::Within { squares, pawn, en_passant }
            }
        }
    }

    /// Whether a side has a legal move without en passant.
    fn has_move(&self, squares: &Placement, side: Color) -> bool {
        self.visit(squares, side, |_| ControlFlow::Break(())).is_break()
    }

    /// The best legal en passant capture after a man's move from a square: its value for the side that
    /// captures. `None` if there is none.
    pub(super) fn en_passant(&self, squares: &Placement, man: usize, from: Square) -> Option<Value> {
        let Piece { color, role } = self.layout.men()[man];
        let to = squares.get(man);
        let passed =
            from.offset(0, color.pick(1, -1)).filter(|_| role == Role::Pawn && self.rules.en_passant)?;
        if passed.offset(0, color.pick(1, -1)) != Some(to) || !self.layout.material().has_opposing_pawns() {
            return None;
        }
        let pawn = Piece { color: !color, role: Role::Pawn };
        let beside = attacks::pawn(color, passed);
        let men = self.layout.men().iter().zip(squares.iter()).enumerate();
        let capturing = men.filter(|(_, (piece, at))| **piece == pawn && beside.contains(*at));
        let values = capturing.filter_map(|(capturing, (_, at))| {
            let captured = squares.with(capturing, passed);
            let occupied = squares.occupied().without(to).without(at).with(passed);
            let exposed = self.in_check(&captured, !color, occupied, Some(man));
            (!exposed).then(|| self.exit(&captured, capturing, None, Some(man), !color).before_move())
        });
        values.reduce(Value::better)
    }

    /// The value in a smaller table, for the side then to move.
    fn exit(
        &self,
        moved: &Placement,
        man: usize,
        promoted: Option<Role>,
        taken: Option<usize>,
        side: Color,
    ) -> Value {
        let mut board = crate::Board::EMPTY;
        for (other, (&piece, square)) in self.layout.men().iter().zip(moved.iter()).enumerate() {
            if Some(other) != taken {
                let role = promoted.filter(|_| other == man).unwrap_or(piece.role);
                let role = if taken.is_some() { (self.rules.after_capture)(role) } else { role };
                board.put(square, Piece { role, ..piece });
            }
        }
        self.smaller
            .value(Metric::Dtm, &board, !side)
            .expect("all smaller tables are there, and a legal move leads to a legal position")
    }

    /// Whether a side can capture or move a pawn, so that a move may reset the count or leave the table.
    pub(super) fn may_leave(&self, side: Color) -> bool {
        let pawn = Piece { color: side, role: Role::Pawn };
        !self.is_bare(!side) || self.layout.men().contains(&pawn)
    }

    /// Whether a side has only its king.
    fn is_bare(&self, side: Color) -> bool {
        self.layout.men().iter().skip(2).all(|piece| piece.color != side)
    }

    fn of_side(&self, squares: &Placement, side: Color) -> Bitboard {
        let men = self.layout.men().iter().zip(squares.iter());
        men.filter(|(piece, _)| piece.color == side).map(|(_, square)| square).collect()
    }
}

/// Visits every placement from which `mover` could have come by a move that is neither a capture nor a
/// promotion, with the man that moved: one on these squares. Some may be illegal; the table decides which.
pub(super) fn visit_unmoves(
    layout: &Layout,
    squares: &Placement,
    mover: Color,
    moved_to: Bitboard,
    pawns: bool,
    mut visitor: impl FnMut(Placement, usize),
) {
    let occupied = squares.occupied();
    for (man, (&Piece { color, role }, to)) in layout.men().iter().zip(squares.iter()).enumerate() {
        if color != mover || !moved_to.contains(to) {
            continue;
        }
        let sources = match role {
            Role::Pawn if pawns => pawn_unpushes(color, to, occupied),
            Role::Pawn => Bitboard::EMPTY,
            _ => attacks::of(role, color, to, occupied) & !occupied,
        };
        for from in sources {
            visitor(squares.with(man, from), man);
        }
    }
}

/// The squares that a pawn can step to.
fn pawn_pushes(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    steps(from, color.pick(1, -1), from.rank() == Rank::Second.relative_to(color), occupied)
}

/// The squares that a pawn can have stepped from. Pawns never come from the first rank.
fn pawn_unpushes(color: Color, to: Square, occupied: Bitboard) -> Bitboard {
    let back = steps(to, color.pick(-1, 1), to.rank() == Rank::Fourth.relative_to(color), occupied);
    back & !Bitboard::BACK_RANKS
}

/// One step along the file, or two if `double`, over empty squares.
fn steps(from: Square, ranks: i8, double: bool, occupied: Bitboard) -> Bitboard {
    let mut free = Bitboard::EMPTY;
    let mut at = from;
    for _ in 0..=usize::from(double) {
        match at.offset(0, ranks) {
            Some(next) if !occupied.contains(next) => {
                free = free.with(next);
                at = next;
            }
            _ => break,
        }
    }
    free
}
