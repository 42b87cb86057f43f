//! Several tables together, asked by board.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::tables::value::Value;
use crate::tables::{Dtm, Dtz, Material, Metric, Ply, Table, Wdl};
use crate::{Board, Color};

/// What the tables say of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// Distance to mate; `None` for a draw.
    pub dtm: Option<Dtm>,
    /// Distance to the next zeroing move, where a table for it is at hand.
    pub dtz: Option<Dtz>,
}

impl Probe {
    /// Who wins.
    pub fn wdl(&self) -> Wdl {
        self.dtm.map_or(Wdl::Draw, Dtm::wdl)
    }
}

/// Why a position has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// A side has no king or two, or there are too many men.
    #[error("tables need one king a side and at most {} men", crate::tables::MAX_MEN)]
    NoMaterial,
    /// The table is not in this set.
    #[error("no table {0} here")]
    NoTable(Material),
    /// Kings that touch, a pawn on a back rank, or the side not to move in check.
    #[error("the position is not legal")]
    Illegal,
}

/// Tables by material and metric.
#[derive(Debug, Clone, Default)]
pub struct TableSet {
    tables: BTreeMap<(Material, Metric), Arc<Table>>,
}

impl TableSet {
    /// No table yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table, in place of one of the same material and metric.
    pub fn add(&mut self, table: Table) {
        self.tables.insert((table.material(), table.metric()), Arc::new(table));
    }

    /// The table of a material and metric.
    pub fn get(&self, material: Material, metric: Metric) -> Option<&Table> {
        self.tables.get(&(material, metric)).map(AsRef::as_ref)
    }

    /// All tables, by material.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().map(AsRef::as_ref)
    }

    /// What the tables say of a position without castling rights and without en passant.
    pub fn probe(&self, board: &Board, side_to_move: Color) -> Result<Probe, ProbeError> {
        let dtm = match self.value(Metric::Dtm, board, side_to_move)? {
            Value::Draw => None,
            Value::Win(ply) | Value::Loss(ply) => Some(Dtm(ply)),
        };
        let dtz = match self.value(Metric::Dtz, board, side_to_move) {
            Ok(value) => Some(dtz(value)),
            Err(_) => None,
        };
        Ok(Probe { dtm, dtz })
    }

    /// Who wins and in how many plies, or `None` for a draw; DTM alone, which is half the work of [`Self::probe`].
    pub fn dtm(&self, board: &Board, side_to_move: Color) -> Result<Option<Dtm>, ProbeError> {
        Ok(match self.value(Metric::Dtm, board, side_to_move)? {
            Value::Draw => None,
            Value::Win(ply) | Value::Loss(ply) => Some(Dtm(ply)),
        })
    }

    #[inline]
    pub(crate) fn value(
        &self,
        metric: Metric,
        board: &Board,
        side_to_move: Color,
    ) -> Result<Value, ProbeError> {
        let (material, mirrored) = Material::of(board).ok_or(ProbeError::NoMaterial)?;
        let table = self.get(material, metric).ok_or(ProbeError::NoTable(material))?;
        let squares = table.layout().squares(board, mirrored);
        let side = if mirrored { !side_to_move } else { side_to_move };
        table.value(&squares, side).ok_or(ProbeError::Illegal)
    }
}

/// A distance to zeroing with its sign; checkmate reads -1.
fn dtz(value: Value) -> Dtz {
    let plies = |Ply(plies): Ply| i16::try_from(plies).unwrap_or(i16::MAX);
    match value {
        Value::Draw => Dtz::DRAW,
        Value::Win(ply) => Dtz(plies(ply)),
        Value::Loss(ply) => Dtz(-plies(ply).max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_dtz() {
        let cases = [
            (Value::Draw, 0),
            (Value::Win(Ply(1)), 1),
            (Value::MATED, -1),
            (Value::Loss(Ply(1)), -1),
            (Value::Loss(Ply(32)), -32),
        ];
        for (value, expected) in cases {
            assert_eq!(dtz(value), Dtz(expected));
        }
    }
}
