//! The working index: all positions of a table as 64-bit words, without moves.

use super::fills;
use crate::tables::fold::{KingPairs, PAWNLESS, Symmetry, WITH_PAWNS};
use crate::tables::runs::Run;
use crate::tables::value::Cell;
use crate::tables::{Layout, MAX_MEN, Material, Placement};
use crate::{Bitboard, Color, Piece, Rank, Role, Square, attacks};
use arrayvec::ArrayVec;

/// The positions of a material, one bit each: a *word* for each class of king pairs and each choice of
/// squares of all other men but one, the *line man*. The bits of a word are the squares of the line man.
///
/// Unlike the slots of a [`Layout`], identical men are told apart, and so are the two images of a position
/// with both kings on the diagonal.
pub(super) struct Space<'a> {
    layout: &'a Layout,
    kings: &'static KingPairs,
    /// The number of the line man in a [`Placement`].
    line: usize,
    fixed: ArrayVec<FixedMan, MAX_MEN>,
    /// The number of words for each class of king pairs.
    span: usize,
    /// For each colour and class, the words that a move of that king leads to: both images if both kings are
    /// then on the diagonal.
    king_steps: [Vec<Vec<KingStep>>; 2],
}

/// A man beside the kings whose square is a digit of the index of a word.
pub(super) struct FixedMan {
    /// Its number in a [`Placement`].
    pub(super) man: usize,
    /// Its first square: pawns start on the second rank.
    base: usize,
    squares: usize,
    /// The increase of the index when the man moves up one square.
    stride: usize,
}

/// A move of a king: the class of the new pair, and the symmetry that folds it.
#[derive(Clone, Copy)]
struct KingStep {
    class: usize,
    symmetry: Symmetry,
}

/// A word, decoded. The line man stands on no square.
pub(super) struct Word {
    pub(super) index: usize,
    class: usize,
    /// The squares of all men. The square of the line man has no meaning.
    pub(super) squares: Placement,
    /// The squares of all men but the line man.
    pub(super) occupied: Bitboard,
    /// The squares that the line man can stand on; empty if two of the other men share a square.
    pub(super) free: Bitboard,
}

/// The men whose moves are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Men {
    All,
    /// All but pawns.
    Pieces,
    /// Only pawns.
    Pawns,
}

impl Men {
    fn include(self, role: Role) -> bool {
        match self {
            Self::All => true,
            Self::Pieces => role != Role::Pawn,
            Self::Pawns => role == Role::Pawn,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Moves of a side.
    Forward,
    /// Un-moves of a side.
    Backward,
}

impl<'a> Space<'a> {
    /// The space of a material with a man beside the kings.
    pub(super) fn new(layout: &'a Layout) -> Self {
        let men = layout.men();
        // Pawns stand on 48 squares only, so a piece wastes fewer bits of a word.
        let line = (2..men.len()).rfind(|&man| men[man].role != Role::Pawn).unwrap_or(men.len() - 1);
        let kings = if layout.material().has_pawns() { &WITH_PAWNS } else { &PAWNLESS };
        let mut fixed = ArrayVec::new();
        let mut span = 1;
        for man in (2..men.len()).rev().filter(|&man| man != line) {
            let base = if men[man].role == Role::Pawn { 8 } else { 0 };
            fixed.push(FixedMan { man, base, squares: 64 - 2 * base, stride: span });
            span *= 64 - 2 * base;
        }
        let king_steps = Color::ALL
            .map(|color| (0..kings.classes()).map(|class| king_steps(kings, class, color)).collect());
        Self { layout, kings, line, fixed, span, king_steps }
    }

    pub(super) fn material(&self) -> Material {
        self.layout.material()
    }

    pub(super) fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The number of words for each side to move.
    pub(super) fn words(&self) -> usize {
        self.kings.classes() * self.span
    }

    pub(super) fn man(&self, man: usize) -> Piece {
        self.layout.men()[man]
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn line_man(&self) -> Piece {
        self.man(self.line)
    }

    pub(super) fn word(&self, index: usize) -> Word {
        let class = index / self.span;
        let (white, black) = self.kings.representative(class);
        let mut squares = Placement::new(self.layout.men().len()).with(0, white).with(1, black);
        let mut occupied = Bitboard::from_square(white).with(black);
        let mut rest = index % self.span;
        for fixed in &self.fixed {
            let square = Square::from_index(fixed.base + rest % fixed.squares);
            rest /= fixed.squares;
            squares = squares.with(fixed.man, square);
            occupied = occupied.with(square);
        }
        let apart = occupied.count() as usize == 2 + self.fixed.len();
        let board = if self.line_man().role == Role::Pawn { !Bitboard::BACK_RANKS } else { Bitboard::FULL };
        let free = if apart { board & !occupied } else { Bitboard::EMPTY };
        Word { index, class, squares, occupied, free }
    }

    /// The word of a placement whose kings are folded, and the square of its line man.
    pub(super) fn place(&self, squares: &Placement) -> (usize, Square) {
        let class = self.kings.pair(squares.get(0), squares.get(1)).class().unwrap_or_default();
        (self.index(class, squares, Symmetry::IDENTITY), squares.get(self.line))
    }

    /// Copies the cells of a run of slots, from 64 cells a word.
    pub(super) fn export(&self, cells: &[Cell], run: &Run, to: &mut [Cell]) {
        let (word, line) = self.place(&run.squares);
        let at = 64 * word + line.index();
        match self.fixed.iter().find(|fixed| fixed.man == run.man) {
            Some(fixed) => {
                let words = cells[at..].iter().step_by(64 * fixed.stride);
                to.iter_mut().zip(words).for_each(|(to, &cell)| *to = cell);
            }
            None => to.copy_from_slice(&cells[at..at + to.len()]),
        }
        let last = run.first().index() + to.len();
        let all = (run.first().index()..last).map(Square::from_index).collect();
        run.places(all & !self.layout.of_images(run, all)).for_each(|place| to[place] = Cell::UNUSED);
    }

    fn index(&self, class: usize, squares: &Placement, symmetry: Symmetry) -> usize {
        let digit =
            |fixed: &FixedMan| (symmetry.image(squares.get(fixed.man)).index() - fixed.base) * fixed.stride;
        class * self.span + self.fixed.iter().map(digit).sum::<usize>()
    }

    /// The kings and the fixed men of a side, by their numbers in a [`Placement`].
    pub(super) fn men_of(&self, side: Color) -> impl Iterator<Item = usize> {
        let fixed = self.fixed.iter().map(|fixed| fixed.man);
        [side.index()].into_iter().chain(fixed.filter(move |&man| self.man(man).color == side))
    }

    /// The squares of the line man for which `by` attacks the king of the other side.
    pub(super) fn in_check(&self, word: &Word, by: Color) -> Bitboard {
        let king = word.squares.get((!by).index());
        let mut check = Bitboard::EMPTY;
        for man in self.men_of(by).skip(1) {
            let (Piece { color, role }, at) = (self.man(man), word.squares.get(man));
            if attacks::hits(role, color, at, king, word.occupied) {
                check |= !attacks::between(at, king);
            }
        }
        if self.line_man().color == by {
            check |= self.line_sources(word, king);
        }
        check
    }

    /// The squares from which the line man attacks a square.
    pub(super) fn line_sources(&self, word: &Word, target: Square) -> Bitboard {
        let Piece { color, role } = self.line_man();
        match role {
            Role::Pawn => attacks::pawn(!color, target),
            _ => attacks::of(role, color, target, word.occupied),
        }
    }

    /// Visits the words that moves of a side's kings and fixed men lead to (or come from) without a capture
    /// or promotion: the index, the symmetry that maps this word's board to that of the other, and the
    /// squares of the line man that do not block the move. A double step that a pawn could capture en passant
    /// is left out.
    ///
    /// Squares where two men would share a square are not excluded.
    #[inline]
    pub(super) fn visit_steps(
        &self,
        word: &Word,
        side: Color,
        men: Men,
        direction: Direction,
        mut visitor: impl FnMut(usize, Symmetry, Bitboard),
    ) {
        let kings = &self.king_steps[side.index()][word.class];
        for step in kings.iter().filter(|_| men != Men::Pawns) {
            visitor(self.index(step.class, &word.squares, step.symmetry), step.symmetry, Bitboard::FULL);
        }
        for fixed in &self.fixed {
            let Piece { color, role } = self.man(fixed.man);
            if color != side {
                continue;
            }
            let from = word.squares.get(fixed.man);
            let mut visit = |to: Square, open: Bitboard| {
                let index = word.index + to.index() * fixed.stride - from.index() * fixed.stride;
                visitor(index, Symmetry::IDENTITY, open);
            };
            if !men.include(role) {
                continue;
            }
            if role == Role::Pawn {
                self.visit_pawn_steps(word, color, from, direction, &mut visit);
            } else {
                for to in attacks::of(role, color, from, word.occupied) & !word.occupied {
                    visit(to, !attacks::between(from, to));
                }
            }
        }
    }

    #[inline]
    fn visit_pawn_steps(
        &self,
        word: &Word,
        color: Color,
        from: Square,
        direction: Direction,
        visit: &mut impl FnMut(Square, Bitboard),
    ) {
        let ahead = color.pick(1, -1);
        let step = if direction == Direction::Forward { ahead } else { -ahead };
        let free = |square: &Square| !(word.occupied | Bitboard::BACK_RANKS).contains(*square);
        let Some(next) = from.offset(0, step).filter(free) else { return };
        visit(next, Bitboard::FULL);
        let Some(second) = next.offset(0, step).filter(free) else { return };
        let (start, end) = if direction == Direction::Forward { (from, second) } else { (second, from) };
        let double =
            Rank::Second.relative_to(color) == start.rank() && Rank::Fourth.relative_to(color) == end.rank();
        if double {
            let beside = attacks::pawn(color, next);
            if (beside & self.fixed_pawns(word, !color)).is_empty() {
                let line = self.line_man() == Piece { color: !color, role: Role::Pawn };
                let capturing = if line { beside } else { Bitboard::EMPTY };
                visit(second, !capturing.with(next));
            }
        }
    }

    /// The squares of a side's pawns, without the line man.
    fn fixed_pawns(&self, word: &Word, color: Color) -> Bitboard {
        let pawn = Piece { color, role: Role::Pawn };
        let pawns = self.fixed.iter().filter(|fixed| self.man(fixed.man) == pawn);
        pawns.map(|fixed| word.squares.get(fixed.man)).collect()
    }

    /// The pawns that could capture en passant on a square that a pawn of `color` passes.
    pub(super) fn pawns_beside(
        &self,
        squares: &Placement,
        color: Color,
        passed: Square,
    ) -> ArrayVec<usize, MAX_MEN> {
        let pawn = Piece { color: !color, role: Role::Pawn };
        let beside = attacks::pawn(color, passed);
        let men = squares.iter().enumerate();
        men.filter(|&(man, at)| self.man(man) == pawn && beside.contains(at)).map(|(man, _)| man).collect()
    }

    /// The squares from which the line man moves to one of these squares without a capture or promotion. As
    /// in [`Space::visit_steps`], double steps that could be captured en passant are left out.
    #[inline]
    pub(super) fn before_line_moves(&self, word: &Word, targets: Bitboard, men: Men) -> Bitboard {
        let Piece { color, role } = self.line_man();
        if !men.include(role) {
            return Bitboard::EMPTY;
        }
        let before = match role {
            Role::Pawn => self.before_pawn_moves(word, color, targets),
            Role::King | Role::Knight => fills::knight(targets),
            Role::Bishop => fills::bishop(targets, !word.occupied),
            Role::Rook => fills::rook(targets, !word.occupied),
            Role::Queen => fills::bishop(targets, !word.occupied) | fills::rook(targets, !word.occupied),
        };
        before & word.free
    }

    fn before_pawn_moves(&self, word: &Word, color: Color, targets: Bitboard) -> Bitboard {
        let one = |squares: Bitboard| Bitboard(color.pick(squares.0 >> 8, squares.0 << 8));
        let beside = fills::beside(self.fixed_pawns(word, !color));
        let passed =
            one(targets & Bitboard::rank(Rank::Fourth.relative_to(color)) & !beside) & !word.occupied;
        one(targets) | one(passed)
    }
}

fn king_steps(kings: &KingPairs, class: usize, color: Color) -> Vec<KingStep> {
    let (white, black) = kings.representative(class);
    let mut steps = Vec::new();
    for to in attacks::king(color.pick(white, black)) {
        let (white, black) = color.pick((to, black), (white, to));
        let pair = kings.pair(white, black);
        let Some(class) = pair.class() else { continue };
        steps.push(KingStep { class, symmetry: pair.symmetry });
        if pair.on_diagonal {
            steps.push(KingStep { class, symmetry: pair.symmetry.then_diagonal() });
        }
    }
    steps
}
