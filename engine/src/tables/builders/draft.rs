//! A table that is built by scans over all its positions.

use std::ops::ControlFlow;

use super::successors::{Successors, TableMove};
use crate::Color;
use crate::tables::value::{Cell, Value};
use crate::tables::{Metric, Placement, Table};

/// Every legal position, decided or not.
pub(super) struct Draft<'a> {
    successors: Successors<'a>,
    cells: [Vec<Cell>; 2],
}

impl<'a> Draft<'a> {
    /// All legal positions, undecided.
    pub(super) fn new(successors: Successors<'a>) -> Self {
        let layout = successors.layout;
        let cells = Color::ALL.map(|side| {
            let cell = |slot| if layout.is_used(slot, side) { Cell::UNDECIDED } else { Cell::UNUSED };
            (0..layout.slots()).map(cell).collect()
        });
        Self { successors, cells }
    }

    /// Calls `decide` for every undecided position of a side, then stores the answers, so that answers of one
    /// scan do not depend on each other. Returns whether the scan decided any position.
    pub(super) fn scan(&mut self, side: Color, decide: impl Fn(&Self, &Placement) -> Option<Value>) -> bool {
        let cells = self.cells[side.index()].iter().enumerate();
        let found: Vec<(usize, Value)> = cells
            .filter(|(_, cell)| **cell == Cell::UNDECIDED)
            .filter_map(|(slot, _)| Some((slot, decide(self, &self.successors.layout.placement(slot))?)))
            .collect();
        for &(slot, value) in &found {
            self.cells[side.index()][slot] = Cell::from_value(value);
        }
        !found.is_empty()
    }

    /// The known values of the legal moves, for the side that moves. No builder by scans has pawns on both
    /// sides.
    pub(super) fn moves(&self, squares: &Placement, side: Color) -> Vec<Option<Value>> {
        let mut values = Vec::new();
        let _ = self.successors.visit(squares, side, |step| {
            let after = match step {
                TableMove::Exit(value) => Some(value),
                TableMove::Within { squares, .. } => self
                    .successors
                    .layout
                    .slot(&squares)
                    .and_then(|slot| self.cells[(!side).index()][slot].value()),
            };
            values.push(after.map(Value::before_move));
            ControlFlow::<()>::Continue(())
        });
        values
    }

    /// Whether the king of `color` is attacked.
    pub(super) fn is_check(&self, squares: &Placement, color: Color) -> bool {
        self.successors.is_check(squares, color)
    }

    /// Every decided position that is not a draw: its plies, side to move and slot, shortest distances first.
    pub(super) fn decisive(&self) -> Vec<(u16, Color, usize)> {
        let mut found = Vec::new();
        for side in Color::ALL {
            for (slot, cell) in self.cells[side.index()].iter().enumerate() {
                if let Some(Value::Win(ply) | Value::Loss(ply)) = cell.value() {
                    found.push((ply.0, side, slot));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Decides one position again; `None` makes it undecided. Returns whether the value changed.
    pub(super) fn revise(
        &mut self,
        side: Color,
        slot: usize,
        decide: impl Fn(&Self, &Placement) -> Option<Value>,
    ) -> bool {
        let value = decide(self, &self.successors.layout.placement(slot));
        let cell = value.map_or(Cell::UNDECIDED, Cell::from_value);
        std::mem::replace(&mut self.cells[side.index()][slot], cell) != cell
    }

    /// The DTM table; undecided positions are draws.
    pub(super) fn finish(self) -> Table {
        let cells = self.cells.map(|half| {
            let draw = |cell| if cell == Cell::UNDECIDED { Cell::from_value(Value::Draw) } else { cell };
            half.into_iter().map(draw).collect()
        });
        Table::new(self.successors.layout.clone(), Metric::Dtm, cells)
    }
}
