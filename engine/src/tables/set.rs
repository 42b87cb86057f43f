//! A set of tables, probed by board.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Ply;
use crate::tables::file::TableFile;
use crate::tables::table::MOST_WITHOUT_ZEROING;
use crate::tables::value::Value;
use crate::tables::{Dtm, Dtz, Layout, Material, Metric, Placement, Table, Wdl};
use crate::{Board, Color, Move, Position, Role, Square};

/// The result of a probe, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    wdl: Wdl,
    /// Distance to mate; `None` for a draw.
    pub dtm: Option<Dtm>,
    /// Distance to the next zeroing move, if the set has the DTZ table.
    pub dtz: Option<Dtz>,
}

impl Probe {
    fn new(dtm: Value, dtz: Option<Value>) -> Self {
        Self { wdl: dtm.wdl(), dtm: distance(dtm), dtz: dtz.map(self::dtz) }
    }

    /// The result, as stored in the DTM table, independent of the distance.
    pub fn wdl(&self) -> Wdl {
        self.wdl
    }
}

/// Why a probe failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// A side does not have exactly one king, or there are too many men.
    #[error("tables need one king a side and at most {} men", crate::tables::MAX_MEN)]
    NoMaterial,
    /// More men than any table of this set, or castling rights.
    #[error("the position has more men than the tables, or castling rights")]
    Special,
    /// The table is not in this set.
    #[error("no table {0} here")]
    NoTable(Material),
    /// The file of the table is damaged; [`TableSet::new_faults`] gives the place.
    #[error("the file of the table {0} is damaged")]
    Damaged(Material),
    /// Adjacent kings, a pawn on a back rank, or the side not to move in check.
    #[error("the position is not legal")]
    Illegal,
}

/// A table in memory, or in a file that reads its blocks on demand.
#[derive(Debug, Clone)]
enum Stored {
    Memory(Arc<Table>),
    File(Arc<TableFile>),
}

impl Stored {
    fn layout(&self) -> &Layout {
        match self {
            Self::Memory(table) => table.layout(),
            Self::File(file) => file.layout(),
        }
    }
}

/// The tables of one material. Both have the same layout, so one slot serves both.
#[derive(Debug, Clone, Default)]
struct Pair {
    dtm: Option<Stored>,
    dtz: Option<Stored>,
}

impl Pair {
    fn of(&self, metric: Metric) -> Option<&Stored> {
        match metric {
            Metric::Dtm => self.dtm.as_ref(),
            Metric::Dtz => self.dtz.as_ref(),
        }
    }
}

/// Tables by material and metric.
#[derive(Debug, Clone, Default)]
pub struct TableSet {
    tables: BTreeMap<Material, Pair>,
    /// The most men of any table.
    most_men: usize,
}

impl TableSet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table; replaces one of the same material and metric.
    pub fn add(&mut self, table: Table) {
        self.put(table.material(), table.metric(), Stored::Memory(Arc::new(table)));
    }

    /// Adds a table file, to be probed block by block; replaces a table of the same material and metric.
    pub fn add_file(&mut self, file: TableFile) {
        self.put(file.material(), file.metric(), Stored::File(Arc::new(file)));
    }

    fn put(&mut self, material: Material, metric: Metric, stored: Stored) {
        self.most_men = self.most_men.max(material.men());
        let pair = self.tables.entry(material).or_default();
        let place = match metric {
            Metric::Dtm => &mut pair.dtm,
            Metric::Dtz => &mut pair.dtz,
        };
        *place = Some(stored);
    }

    /// The table of a material and metric, if it is in memory.
    pub fn get(&self, material: Material, metric: Metric) -> Option<&Table> {
        match self.tables.get(&material)?.of(metric)? {
            Stored::Memory(table) => Some(table),
            Stored::File(_) => None,
        }
    }

    /// The tables of these materials in memory: those of files are decoded. Tables that are not in the set
    /// are left out.
    ///
    /// # Errors
    ///
    /// The first table whose file is damaged, and the fault, with the name of the file.
    pub(super) fn in_memory(
        &self,
        materials: &[Material],
        metric: Metric,
    ) -> Result<Self, (Material, String)> {
        let mut set = Self::new();
        for &material in materials {
            match self.tables.get(&material).and_then(|pair| pair.of(metric).cloned()) {
                Some(Stored::File(file)) => set.add(file.decode().map_err(|fault| (material, fault))?),
                Some(stored) => set.put(material, metric, stored),
                None => {}
            }
        }
        Ok(set)
    }

    /// Whether the table of a material and metric is here, in memory or in a file.
    pub fn has(&self, material: Material, metric: Metric) -> bool {
        self.tables.get(&material).is_some_and(|pair| pair.of(metric).is_some())
    }

    /// Whether the DTZ table of a material is here and has a win or a loss that needs more than a hundred
    /// plies, which the fifty-move rule makes a draw.
    pub(super) fn has_cursed(&self, material: Material) -> bool {
        match self.tables.get(&material).and_then(|pair| pair.dtz.as_ref()) {
            Some(Stored::Memory(table)) => {
                Color::ALL.into_iter().any(|side| table.longest(side) > Some(MOST_WITHOUT_ZEROING))
            }
            Some(Stored::File(file)) => file.longest() > Some(MOST_WITHOUT_ZEROING),
            None => false,
        }
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// All tables that are in memory, by material.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.tables.keys().flat_map(move |&material| {
            Metric::ALL.into_iter().filter_map(move |metric| self.get(material, metric))
        })
    }

    /// The table files that probes found to be damaged, each with its fault. Each is reported once.
    pub fn new_faults(&self) -> impl Iterator<Item = String> {
        let stored = self.tables.values().flat_map(|pair| pair.dtm.iter().chain(&pair.dtz));
        stored.filter_map(|stored| match stored {
            Stored::Memory(_) => None,
            Stored::File(file) => file.new_fault(),
        })
    }

    /// Probes a position without castling rights and en passant.
    ///
    /// # Errors
    ///
    /// The set has no DTM table for its men, no table can have such men, or the position is not legal.
    pub fn probe(&self, board: &Board, side_to_move: Color) -> Result<Probe, ProbeError> {
        let place = self.place(board, side_to_move)?;
        Ok(Probe::new(place.value(Metric::Dtm)?, place.value(Metric::Dtz).ok()))
    }

    /// Probes a position. If a pawn may capture en passant, the value follows from these captures and from
    /// the same position without them.
    ///
    /// # Errors
    ///
    /// As [`TableSet::probe`]; also for positions with castling rights, which tables do not cover.
    pub fn probe_of(&self, position: &Position) -> Result<Probe, ProbeError> {
        let dtz = self.value_of(Metric::Dtz, position).ok();
        Ok(Probe::new(self.value_of(Metric::Dtm, position)?, dtz))
    }

    /// Probes the distance to mate; `None` for a draw.
    ///
    /// # Errors
    /// As [`TableSet::probe`].
    pub fn dtm(&self, board: &Board, side_to_move: Color) -> Result<Option<Dtm>, ProbeError> {
        Ok(distance(self.value(Metric::Dtm, board, side_to_move)?))
    }

    /// Probes the distance to mate of a position in a search; `None` for a draw. The halfmove clock is
    /// ignored.
    ///
    /// # Errors
    ///
    /// As [`TableSet::probe_of`].
    #[inline]
    pub fn dtm_of(&self, position: &Position) -> Result<Option<Dtm>, ProbeError> {
        Ok(distance(self.value_of(Metric::Dtm, position)?))
    }

    #[inline]
    pub(super) fn value_of(&self, metric: Metric, position: &Position) -> Result<Value, ProbeError> {
        let board = position.board();
        if board.occupied().count() as usize > self.most_men || position.castling().rooks().any() {
            return Err(ProbeError::Special);
        }
        match position.en_passant() {
            None => self.value(metric, board, position.side_to_move()),
            Some(square) => self.with_captures_on(square, metric, position),
        }
    }

    /// The better of the slot and the en passant captures; the best capture alone if there is no other move.
    #[cold]
    fn with_captures_on(
        &self,
        square: Square,
        metric: Metric,
        position: &Position,
    ) -> Result<Value, ProbeError> {
        let board = position.board();
        let pawns = board.pieces(position.side_to_move(), Role::Pawn);
        let (captures, others): (Vec<Move>, Vec<Move>) =
            position.legal_moves().iter().partition(|mv| mv.to == square && pawns.contains(mv.from));
        let captures = captures.into_iter().map(|capture| {
            let after = position.play_unchecked(capture);
            let value = self.value(Metric::Dtm, after.board(), after.side_to_move())?;
            Ok(match metric {
                Metric::Dtm => value.before_move(),
                Metric::Dtz => value.before_zeroing_move(),
            })
        });
        let slot = (!others.is_empty()).then(|| self.value(metric, board, position.side_to_move()));
        let values = captures.chain(slot).collect::<Result<Vec<_>, _>>()?;
        values.into_iter().reduce(Value::better).ok_or(ProbeError::Illegal)
    }

    #[inline]
    pub(crate) fn value(
        &self,
        metric: Metric,
        board: &Board,
        side_to_move: Color,
    ) -> Result<Value, ProbeError> {
        self.place(board, side_to_move)?.value(metric)
    }

    /// The DTM table of these men, for the positions after moves of `side_to_move` that change no other man.
    ///
    /// # Errors
    /// As [`TableSet::probe`], but it does not check that the position is legal.
    pub fn neighbours(&self, board: &Board, side_to_move: Color) -> Result<Neighbours<'_>, ProbeError> {
        let (material, mirrored) = Material::from_board(board).ok_or(ProbeError::NoMaterial)?;
        let table = self.get(material, Metric::Dtm).ok_or(ProbeError::NoTable(material))?;
        let next = if mirrored { side_to_move } else { !side_to_move };
        Ok(Neighbours { table, squares: table.layout().squares(board, mirrored), mirrored, next })
    }

    /// Looks up the slot of a position.
    #[inline]
    fn place(&self, board: &Board, side_to_move: Color) -> Result<TableSlot<'_>, ProbeError> {
        let (material, mirrored) = Material::from_board(board).ok_or(ProbeError::NoMaterial)?;
        let missing = ProbeError::NoTable(material);
        let pair = self.tables.get(&material).ok_or(missing)?;
        let layout = pair.dtm.as_ref().or(pair.dtz.as_ref()).ok_or(missing)?.layout();
        let squares = layout.squares(board, mirrored);
        let slot = layout.slot(&squares).ok_or(ProbeError::Illegal)?;
        let side_to_move = if mirrored { !side_to_move } else { side_to_move };
        Ok(TableSlot { pair, material, side_to_move, slot, squares })
    }
}

/// The DTM table of one position's men, to probe positions that differ from it in the square of one man.
#[derive(Debug, Clone, Copy)]
pub struct Neighbours<'a> {
    table: &'a Table,
    squares: Placement,
    /// Whether Black is the stronger side.
    mirrored: bool,
    /// The side to move after a move, in the table.
    next: Color,
}

impl Neighbours<'_> {
    /// The distance to mate after a man's move from one square to another, an empty one; `None` for a draw.
    ///
    /// # Errors
    /// The position after the move is not legal, or no man is on the first square.
    #[inline]
    pub fn dtm_after(&self, from: Square, to: Square) -> Result<Option<Dtm>, ProbeError> {
        let oriented = |square: Square| if self.mirrored { square.flip_vertical() } else { square };
        let (from, to) = (oriented(from), oriented(to));
        let man = self.squares.iter().position(|square| square == from).ok_or(ProbeError::Illegal)?;
        let value = self.table.value(&self.squares.with(man, to), self.next).ok_or(ProbeError::Illegal)?;
        Ok(distance(value))
    }
}

/// The slot of a position in the tables of its material.
struct TableSlot<'a> {
    pair: &'a Pair,
    material: Material,
    side_to_move: Color,
    slot: usize,
    squares: Placement,
}

impl TableSlot<'_> {
    #[inline]
    fn value(&self, metric: Metric) -> Result<Value, ProbeError> {
        let cell = match self.pair.of(metric).ok_or(ProbeError::NoTable(self.material))? {
            Stored::Memory(table) => table.cells()[self.side_to_move.index()][self.slot],
            Stored::File(file) => file
                .cell(self.slot, &self.squares, self.side_to_move)
                .ok_or(ProbeError::Damaged(self.material))?,
        };
        cell.value().ok_or(ProbeError::Illegal)
    }
}

fn distance(value: Value) -> Option<Dtm> {
    match value {
        Value::Draw => None,
        Value::Win(ply) | Value::Loss(ply) => Some(Dtm(ply)),
    }
}

/// A signed distance to zeroing; checkmate is -1.
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
    use crate::Position;
    use crate::tables::Layout;
    use crate::tables::value::Cell;

    /// The result is taken from the tag, even if it contradicts the distance.
    #[test]
    fn the_result_is_the_stored_one() {
        let layout = Layout::new("KQvK".parse().unwrap());
        let board = *Position::from_fen("8/8/8/8/8/1K6/2Q5/k7 w - - 0 1").unwrap().board();
        for (value, expected) in [
            (Value::Win(Ply(16)), Wdl::Win),
            (Value::Win(Ply(1)), Wdl::Win),
            (Value::Loss(Ply(31)), Wdl::Loss),
            (Value::Loss(Ply(0)), Wdl::Loss),
            (Value::Draw, Wdl::Draw),
        ] {
            let cells = Color::ALL.map(|_| vec![Cell::from_value(value); layout.slots()]);
            let mut set = TableSet::new();
            set.add(Table::new(layout.clone(), Metric::Dtm, cells));
            assert_eq!(set.probe(&board, Color::White).unwrap().wdl(), expected, "{value:?}");
        }
    }

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
