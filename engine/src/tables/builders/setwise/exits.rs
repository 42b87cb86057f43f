//! Captures and promotions: the values that smaller tables give to them.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;

use super::space::{Space, Word};
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, MAX_MEN, Material, Metric, Placement, Table, TableSet};
use crate::{Bitboard, Color, Piece, Role, Square, attacks};

/// Smaller tables of a material, by the captured man and the promoting man.
pub(super) struct Exits<'a> {
    /// By [`Change::number`]; `None` where no move leads, or where it leads to a table that is not here.
    tables: Vec<Option<ExitTable<'a>>>,
}

/// A smaller table, and the man that each of its men was before.
struct ExitTable<'a> {
    table: &'a Table,
    /// For each man of the smaller table, its number before.
    origins: ArrayVec<usize, MAX_MEN>,
    /// Whether Black is the stronger side.
    mirrored: bool,
}

/// A change of the men: the captured man, and a promoting man with its new role.
#[derive(Clone, Copy)]
struct Change {
    taken: Option<usize>,
    promoted: Option<(usize, Role)>,
}

impl Change {
    /// Below 8 × 49.
    fn number(self) -> usize {
        let taken = self.taken.map_or(0, |man| man + 1);
        let promoted = self.promoted.map_or(0, |(man, role)| 1 + 6 * man + role.index());
        taken * 49 + promoted
    }

    /// The remaining men, by their numbers before.
    fn left(self, men: &[Piece]) -> impl Iterator<Item = (usize, Piece)> {
        let after = move |man: usize| {
            let role = self.promoted.filter(|&(promoted, _)| promoted == man).map(|(_, role)| role);
            Piece { role: role.unwrap_or(men[man].role), ..men[man] }
        };
        (0..men.len()).filter(move |&man| Some(man) != self.taken).map(move |man| (man, after(man)))
    }
}

impl<'a> Exits<'a> {
    /// The captures and promotions that lead to tables of this set, with the values of this metric.
    pub(super) fn new(layout: &Layout, smaller: &'a TableSet, metric: Metric) -> Self {
        let mut tables: Vec<Option<ExitTable<'a>>> = Vec::new();
        tables.resize_with(8 * 49, || None);
        for change in changes(layout.men()) {
            tables[change.number()] = ExitTable::new(layout.men(), change, smaller, metric);
        }
        Self { tables }
    }

    /// The value of a capture or promotion for the side that moves; `None` if it is not legal.
    #[inline]
    fn value(&self, change: Change, squares: &Placement, side: Color) -> Option<Value> {
        let table = self.tables[change.number()].as_ref()?;
        Some(table.value(squares, !side)?.before_move())
    }

    /// The value of an en passant capture for the side that captures; `None` if it is not legal.
    pub(super) fn en_passant(&self, squares: &Placement, taken: usize, side: Color) -> Option<Value> {
        self.value(Change { taken: Some(taken), promoted: None }, squares, side)
    }

    /// Stores the best capture or promotion of each of these positions as its cell, if it is better than the
    /// stored value.
    pub(super) fn store_best(
        &self,
        space: &Space<'_>,
        word: &Word,
        side: Color,
        legal: Bitboard,
        cells: &mut [Cell],
    ) {
        self.visit(space, word, side, legal, |line, value| {
            let cell = &mut cells[line.index()];
            *cell = Cell::from_value(cell.value().map_or(value, |best| best.better(value)));
        });
    }

    /// Visits the captures and promotions of each of these positions: the square of the line man, and the
    /// value for the side that moves.
    pub(super) fn visit(
        &self,
        space: &Space<'_>,
        word: &Word,
        side: Color,
        legal: Bitboard,
        mut visitor: impl FnMut(Square, Value),
    ) {
        let mut add = |change: Change, squares: &Placement, line: Square| {
            if let Some(value) = self.value(change, squares, side) {
                visitor(line, value);
            }
        };
        visit_other_men(space, word, side, legal, &mut add);
        if space.line_man().color == side {
            visit_line_man(space, word, side, legal, &mut add);
        }
    }
}

/// The changes by moves of the men that are not on the line.
fn visit_other_men(
    space: &Space<'_>,
    word: &Word,
    side: Color,
    legal: Bitboard,
    add: &mut impl FnMut(Change, &Placement, Square),
) {
    let enemy_line = space.line_man().color != side;
    for man in space.men_of(side) {
        let (Piece { color, role }, from) = (space.man(man), word.squares.get(man));
        let attacked = attacks::of(role, color, from, word.occupied);
        let mut visit = |to: Square, taken: Option<usize>, lines: Bitboard| {
            for line in lines {
                let squares = word.squares.with(space.line(), line).with(man, to);
                for_each_role(role, to, |promoted| {
                    add(Change { taken, promoted: promoted.map(|role| (man, role)) }, &squares, line);
                });
            }
        };
        for taken in space.men_of(!side).skip(1) {
            let to = word.squares.get(taken);
            if attacked.contains(to) {
                visit(to, Some(taken), legal & !attacks::between(from, to));
            }
        }
        if enemy_line {
            for line in attacked & legal {
                visit(line, Some(space.line()), Bitboard::from_square(line));
            }
        }
        if let Some(to) = promotion(Piece { color, role }, from).filter(|&to| !word.occupied.contains(to)) {
            visit(to, None, legal.without(to));
        }
    }
}

/// The changes by moves of the man on the line.
fn visit_line_man(
    space: &Space<'_>,
    word: &Word,
    side: Color,
    legal: Bitboard,
    add: &mut impl FnMut(Change, &Placement, Square),
) {
    let (man, piece) = (space.line(), space.line_man());
    let mut visit = |from: Square, to: Square, taken: Option<usize>| {
        let squares = word.squares.with(man, to);
        for_each_role(piece.role, to, |promoted| {
            add(Change { taken, promoted: promoted.map(|role| (man, role)) }, &squares, from);
        });
    };
    for taken in space.men_of(!side).skip(1) {
        let to = word.squares.get(taken);
        for from in space.line_sources(word, to) & legal {
            visit(from, to, Some(taken));
        }
    }
    if piece.role == Role::Pawn {
        for from in legal {
            if let Some(to) = promotion(piece, from).filter(|&to| !word.occupied.contains(to)) {
                visit(from, to, None);
            }
        }
    }
}

/// All captures and promotions of these men.
fn changes(men: &[Piece]) -> Vec<Change> {
    let takes = (2..men.len()).map(Some).chain([None]);
    let promotions = |man: usize| Role::PROMOTIONS.map(|role| Some((man, role)));
    let pawns = (2..men.len()).filter(|&man| men[man].role == Role::Pawn);
    let promotes: Vec<_> = pawns.flat_map(promotions).chain([None]).collect();
    let of = |taken| promotes.iter().map(move |&promoted| Change { taken, promoted });
    takes.flat_map(of).filter(|change| change.taken.is_some() || change.promoted.is_some()).collect()
}

/// The materials that captures and promotions of these men lead to, each once.
pub(super) fn materials(men: &[Piece]) -> Vec<Material> {
    let after = |change: Change| Some(Material::of_men(change.left(men).map(|(_, piece)| piece))?.0);
    changes(men).into_iter().filter_map(after).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The square on which a pawn promotes with its next step.
fn promotion(Piece { color, role }: Piece, from: Square) -> Option<Square> {
    let to = from.offset(0, color.pick(1, -1)).filter(|_| role == Role::Pawn)?;
    Bitboard::BACK_RANKS.contains(to).then_some(to)
}

/// Calls `visit` with each role to which a man that moves to a square promotes, or once with `None` if it
/// does not promote.
#[inline]
fn for_each_role(role: Role, to: Square, mut visit: impl FnMut(Option<Role>)) {
    if role == Role::Pawn && Bitboard::BACK_RANKS.contains(to) {
        for role in Role::PROMOTIONS {
            visit(Some(role));
        }
    } else {
        visit(None);
    }
}

impl<'a> ExitTable<'a> {
    fn new(men: &[Piece], change: Change, smaller: &'a TableSet, metric: Metric) -> Option<Self> {
        let mut left: Vec<(usize, Piece)> = change.left(men).collect();
        let (material, mirrored) = Material::of_men(left.iter().map(|&(_, piece)| piece))?;
        let table = smaller.get(material, metric)?;
        let origins = table.layout().men().iter().map(|&piece| {
            let color = if mirrored { !piece.color } else { piece.color };
            let place = left.iter().position(|&(_, other)| other == Piece { color, ..piece })?;
            Some(left.swap_remove(place).0)
        });
        Some(Self { table, origins: origins.collect::<Option<_>>()?, mirrored })
    }

    /// The value of a position after the change, for the side then to move; `None` if it is not legal.
    #[inline]
    fn value(&self, squares: &Placement, side_to_move: Color) -> Option<Value> {
        let mut after = Placement::new(self.origins.len());
        for (man, &origin) in self.origins.iter().enumerate() {
            let square = squares.get(origin);
            after = after.with(man, if self.mirrored { square.flip_vertical() } else { square });
        }
        self.table.value(&after, if self.mirrored { !side_to_move } else { side_to_move })
    }
}
