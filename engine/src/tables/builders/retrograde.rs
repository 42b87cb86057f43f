//! The reference builder: retrograde analysis, backwards from the mates, depth by depth, one position at a
//! time.
//!
//! At depth n the builder stores all wins and losses in n plies; un-moves then find their predecessors. A
//! predecessor of a loss in n becomes a candidate for a win in n + 1. A predecessor whose moves all lead to
//! wins becomes a candidate for a loss in one ply more than the longest. Captures and promotions are
//! candidates from the start. Distances count plies to mate, or (DTZ) to the next zeroing move.
//!
//! A slot has no en passant rights. A double step that allows an en passant capture leads to the better of
//! the slot and the capture, for the side that may capture. If the capture wins in k and the slot is no win
//! of at most k plies, the capture is the value. Possibly nothing else shows this once the slot turns out not
//! to be a win, so the builder looks at the position before the double step again at depth k.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use rayon::prelude::*;

use super::successors::{Rules, Successors, TableMove, visit_unmoves};
use super::{BuildError, Builder, load_smaller};
use crate::Ply;
use crate::parallel::collected;
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, Material, Metric, Placement, Table, TableSet};
use crate::{Bitboard, Color};

/// The reference for tests of the production builder.
#[derive(Debug, Clone, Copy)]
pub struct Retrograde;

impl Builder for Retrograde {
    fn name(&self) -> &'static str {
        "retrograde"
    }

    fn about(&self) -> &'static str {
        "the reference: un-moves from the mates, one position after the other"
    }

    fn builds(&self, _: Material) -> bool {
        true
    }

    fn metrics(&self) -> &'static [Metric] {
        &Metric::ALL
    }

    fn build(
        &self,
        material: Material,
        metrics: &[Metric],
        smaller: &TableSet,
        emit: &mut dyn FnMut(Table),
    ) -> Result<(), BuildError> {
        let smaller = &load_smaller(material, smaller)?;
        let dtm = dtm(material, smaller, Rules::CHESS);
        let dtz = metrics.contains(&Metric::Dtz).then(|| dtz(material, smaller, &dtm));
        [dtm].into_iter().chain(dtz).for_each(emit);
        Ok(())
    }
}

/// Builds the DTM table of a material by these rules.
pub(super) fn dtm(material: Material, smaller: &TableSet, rules: Rules) -> Table {
    let layout = Layout::new(material);
    let successors = Successors { layout: &layout, smaller, rules };
    let cells = Solver::new(successors, None).solve();
    Table::new(layout, Metric::Dtm, cells)
}

/// Builds the DTZ table of a material from its DTM table.
fn dtz(material: Material, smaller: &TableSet, results: &Table) -> Table {
    let layout = Layout::new(material);
    if !material.has_pawns() && material.smaller().into_iter().all(Material::is_dead) {
        // Only mate ends the count: DTZ equals DTM.
        return Table::new(layout, Metric::Dtz, results.cells().clone());
    }
    let successors = Successors { layout: &layout, smaller, rules: Rules::CHESS };
    let cells = Solver::new(successors, Some(results)).solve();
    Table::new(layout, Metric::Dtz, cells)
}

/// A queued position: its slot, and in the lowest bit whether Black is to move.
#[derive(Clone, Copy)]
struct QueueEntry(u32);

impl QueueEntry {
    fn new(slot: usize, side_to_move: Color) -> Self {
        Self((slot << 1 | side_to_move.index()) as u32)
    }

    fn slot(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn side_to_move(self) -> Color {
        Color::ALL[(self.0 & 1) as usize]
    }
}

/// The candidates of one depth.
#[derive(Default)]
struct Proposals {
    wins: Vec<QueueEntry>,
    losses: Vec<QueueEntry>,
    /// Undecided positions to look at again once all wins of this depth are decided.
    rechecks: Vec<QueueEntry>,
}

/// Candidates by depth in plies.
#[derive(Default)]
struct Agenda(Vec<Proposals>);

impl Agenda {
    fn propose(&mut self, entry: QueueEntry, value: Value) {
        match value {
            Value::Win(ply) => self.at(ply).wins.push(entry),
            Value::Loss(ply) => self.at(ply).losses.push(entry),
            Value::Draw => {}
        }
    }

    fn at(&mut self, Ply(plies): Ply) -> &mut Proposals {
        let depth = usize::from(plies);
        if self.0.len() <= depth {
            self.0.resize_with(depth + 1, Proposals::default);
        }
        &mut self.0[depth]
    }

    fn absorb(mut self, other: Self) -> Self {
        if self.0.len() < other.0.len() {
            return other.absorb(self);
        }
        for (mine, mut theirs) in self.0.iter_mut().zip(other.0) {
            mine.wins.append(&mut theirs.wins);
            mine.losses.append(&mut theirs.losses);
            mine.rechecks.append(&mut theirs.rechecks);
        }
        self
    }
}

struct Solver<'a> {
    successors: Successors<'a>,
    /// For DTZ: the results of this table, so that a pawn move counts as leaving it.
    results: Option<&'a Table>,
    cells: [Vec<AtomicU16>; 2],
}

impl<'a> Solver<'a> {
    fn new(successors: Successors<'a>, results: Option<&'a Table>) -> Self {
        let cells = Color::ALL.map(|_| {
            std::iter::repeat_with(|| AtomicU16::new(Cell::UNUSED.0))
                .take(successors.layout.slots())
                .collect()
        });
        Self { successors, results, cells }
    }

    fn solve(self) -> [Vec<Cell>; 2] {
        let mut agenda = self.first_agenda();
        let mut depth = 0;
        while depth < agenda.0.len() && depth < usize::from(Cell::LONGEST) {
            let due = std::mem::take(&mut agenda.0[depth]);
            let ply = Ply(depth as u16);
            let losses = self.decide(due.losses, Value::Loss(ply));
            let wins = self.decide(due.wins, Value::Win(ply));
            let before_losses = propose(&losses, |entry, agenda| self.propose_wins(entry, ply, agenda));
            let before_wins = propose(&wins, |entry, agenda| self.propose_losses(entry, ply, agenda));
            let rechecked = propose(&due.rechecks, |entry, agenda| self.recheck(entry, ply, agenda));
            agenda = agenda.absorb(before_losses).absorb(before_wins).absorb(rechecked);
            depth += 1;
        }
        self.cells.map(|half| {
            let cell = |cell: AtomicU16| match Cell(cell.into_inner()) {
                Cell::UNDECIDED => Cell::from_value(Value::Draw),
                cell => cell,
            };
            collected(half.into_par_iter().map(cell))
        })
    }

    /// Marks every legal position, decides those without a move, and queues the results of captures and
    /// promotions.
    fn first_agenda(&self) -> Agenda {
        let slots = self.successors.layout.slots();
        (0..2 * slots)
            .into_par_iter()
            .with_min_len(512)
            .fold(Agenda::default, |mut agenda, number| {
                let entry = QueueEntry(number as u32);
                let squares = self.successors.layout.placement(entry.slot());
                let used = match self.results {
                    Some(results) => {
                        results.cells()[entry.side_to_move().index()][entry.slot()] != Cell::UNUSED
                    }
                    None => self.successors.layout.is_used(entry.slot(), entry.side_to_move()),
                };
                if used {
                    self.open(entry, &squares, &mut agenda);
                }
                agenda
            })
            .reduce(Agenda::default, Agenda::absorb)
    }

    fn open(&self, entry: QueueEntry, squares: &Placement, agenda: &mut Agenda) {
        let side = entry.side_to_move();
        if self.successors.layout.material().is_dead() {
            self.cell(entry).store(Cell::from_value(Value::Draw).0, Relaxed);
            return;
        }
        let (mut within, mut best) = (false, None::<Value>);
        let may_leave = self.successors.may_leave(side);
        let _ = self.successors.visit(squares, side, |step| {
            match self.exit(&step, side) {
                None if !may_leave => {
                    // The queue does not distinguish moves within the table: one stands for all.
                    within = true;
                    return ControlFlow::Break(());
                }
                None => {
                    within = true;
                    if let TableMove::Within { en_passant: Some(Value::Win(ply)), .. } = step {
                        agenda.at(ply).rechecks.push(entry);
                    }
                }
                Some(value) if best.is_none_or(|best| value.preference() > best.preference()) => {
                    best = Some(value);
                }
                Some(_) => {}
            }
            ControlFlow::Continue(())
        });
        let (cell, proposal) = match (within, best) {
            (false, None) if self.successors.is_check(squares, side) => (Cell::UNDECIDED, Some(Value::MATED)),
            (false, None | Some(Value::Draw)) => (Cell::from_value(Value::Draw), None),
            (true, Some(Value::Win(_))) | (false, Some(_)) => (Cell::UNDECIDED, best),
            (true, _) => (Cell::UNDECIDED, None),
        };
        self.cell(entry).store(cell.0, Relaxed);
        if let Some(value) = proposal {
            agenda.propose(entry, value);
        }
    }

    /// The value of a move out of the table, for the side that moves; `None` for a move within the table.
    fn exit(&self, step: &TableMove, side: Color) -> Option<Value> {
        let after = match (step, self.results) {
            (TableMove::Exit(value), None) => return Some(value.before_move()),
            (TableMove::Exit(value), Some(_)) => *value,
            (TableMove::Within { squares, pawn: true, en_passant }, Some(results)) => {
                let slot = results.value(squares, !side).expect("a legal move leads to a legal position");
                en_passant.map_or(slot, |capture| capture.better(slot))
            }
            (TableMove::Within { .. }, _) => return None,
        };
        Some(after.before_zeroing_move())
    }

    /// Stores a value for those candidates that are undecided, and returns them.
    fn decide(&self, entries: Vec<QueueEntry>, value: Value) -> Vec<QueueEntry> {
        let cell = Cell::from_value(value).0;
        let store = |entry: &QueueEntry| {
            self.cell(*entry).compare_exchange(Cell::UNDECIDED.0, cell, Relaxed, Relaxed).is_ok()
        };
        entries.into_iter().filter(store).collect()
    }

    /// Every predecessor of this loss is a win one ply longer, unless an en passant capture is better than
    /// the loss.
    fn propose_wins(&self, entry: QueueEntry, ply: Ply, agenda: &mut Agenda) {
        self.visit_undecided_before(entry, |before, _, en_passant| {
            let loss = Value::Loss(ply);
            let after = en_passant.map_or(loss, |capture| capture.better(loss));
            if matches!(after, Value::Loss(_)) {
                agenda.propose(before, after.before_move());
            }
        });
    }

    /// Every predecessor of this win may now be a loss.
    fn propose_losses(&self, entry: QueueEntry, decided: Ply, agenda: &mut Agenda) {
        self.visit_undecided_before(entry, |before, squares, _| {
            self.propose_loss(before, squares, decided, agenda);
        });
    }

    /// This position may now be a loss.
    fn recheck(&self, entry: QueueEntry, decided: Ply, agenda: &mut Agenda) {
        if self.cell(entry).load(Relaxed) == Cell::UNDECIDED.0 {
            self.propose_loss(entry, &self.successors.layout.placement(entry.slot()), decided, agenda);
        }
    }

    fn propose_loss(&self, entry: QueueEntry, squares: &Placement, decided: Ply, agenda: &mut Agenda) {
        if let Some(value) = self.forced_loss(squares, entry.side_to_move(), decided) {
            agenda.propose(entry, value);
        }
    }

    /// Visits the undecided predecessors, each with the best en passant capture that its move to this
    /// position allows.
    fn visit_undecided_before(
        &self,
        entry: QueueEntry,
        mut visitor: impl FnMut(QueueEntry, &Placement, Option<Value>),
    ) {
        let mover = !entry.side_to_move();
        let squares = self.successors.layout.placement(entry.slot());
        let pawns = self.results.is_none();
        visit_unmoves(self.successors.layout, &squares, mover, Bitboard::FULL, pawns, |before, man| {
            let Some(slot) = self.successors.layout.slot(&before) else { return };
            let earlier = QueueEntry::new(slot, mover);
            if self.cell(earlier).load(Relaxed) == Cell::UNDECIDED.0 {
                let en_passant = self.successors.rules.en_passant_unmoves;
                let allowed = || self.successors.en_passant(&squares, man, before.get(man));
                visitor(earlier, &before, en_passant.then(allowed).flatten());
            }
        });
    }

    /// The longest loss, if all moves are known to lose. All wins of at most `decided` plies are stored.
    fn forced_loss(&self, squares: &Placement, side: Color, decided: Ply) -> Option<Value> {
        let mut longest = Value::MATED;
        let walk = self.successors.visit(squares, side, |step| {
            let value = match (self.exit(&step, side), step) {
                (Some(value), _) => Some(value),
                (None, TableMove::Within { squares, en_passant, .. }) => {
                    self.known(&squares, !side, en_passant, decided).map(Value::before_move)
                }
                (None, TableMove::Exit(_)) => None,
            };
            match value {
                Some(loss @ Value::Loss(_)) => longest = longest.better(loss),
                _ => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        walk.is_continue().then_some(longest)
    }

    /// The value of a position, and of the best en passant capture in it, if it is already known.
    fn known(
        &self,
        squares: &Placement,
        side: Color,
        en_passant: Option<Value>,
        decided: Ply,
    ) -> Option<Value> {
        let slot = self.successors.layout.slot(squares).expect("a legal move leads to a legal position");
        let stored = Cell(self.cells[side.index()][slot].load(Relaxed)).value();
        match (stored, en_passant) {
            (Some(value), Some(capture)) => Some(value.better(capture)),
            (None, Some(Value::Win(ply))) if ply <= decided => en_passant,
            _ => stored,
        }
    }

    fn cell(&self, entry: QueueEntry) -> &AtomicU16 {
        &self.cells[entry.side_to_move().index()][entry.slot()]
    }
}

/// Collects the candidates of all entries of one depth.
fn propose(entries: &[QueueEntry], visit: impl Fn(QueueEntry, &mut Agenda) + Sync) -> Agenda {
    entries
        .par_iter()
        .with_min_len(128)
        .fold(Agenda::default, |mut agenda, &entry| {
            visit(entry, &mut agenda);
            agenda
        })
        .reduce(Agenda::default, Agenda::absorb)
}
