//! The production builder: retrograde analysis on sets of positions.
//!
//! A word holds the positions that differ in the square of one man only, one bit each (`space`). A move of
//! another man is then one operation on words, and moves of that man are fills (`fills`). Captures and
//! promotions are looked up in smaller tables once (`exits`). The solver goes depth by depth as
//! [`Retrograde`](super::Retrograde) does, the reference that it is tested against: wins are the predecessors
//! of losses, losses those predecessors of wins from which no move leads elsewhere (`solver`). A legal move
//! is one that leads to a legal position.
//!
//! A double step that allows an en passant capture leads to no position of the table: its value is the better
//! of the position and the capture. These steps are kept one by one (`en_passant`).
//!
//! DTZ follows from DTM in a second run: captures, promotions and pawn moves end the count, and only pieces
//! move within the table (`zeroing`).

mod en_passant;
mod exits;
mod fills;
mod solver;
mod space;
mod zeroing;

use rayon::prelude::*;

use self::en_passant::{DoubleStep, double_steps};
use self::exits::Exits;
use self::solver::{Half, Solved, forced, unresolved};
use self::space::{Men, Space};
use super::{BuildError, Builder, demand_smaller, load};
use crate::parallel::collected;
use crate::tables::runs::Run;
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, Material, Metric, Table, TableSet};
use crate::{Bitboard, Color};

/// The production builder.
#[derive(Debug, Clone, Copy)]
pub struct Setwise;

impl Builder for Setwise {
    fn name(&self) -> &'static str {
        "setwise"
    }

    fn about(&self) -> &'static str {
        "the production builder: sets of positions, from the mates, depth by depth"
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
        demand_smaller(material, smaller)?;
        let layout = Layout::new(material);
        if material.is_dead() {
            for &metric in metrics {
                emit(drawn(&layout, metric));
            }
            return Ok(());
        }
        let space = Space::new(&layout);
        let (start, solved) = Start::dtm(&space, smaller)?;
        let dtm = table(&space, Metric::Dtm, &solved);
        let same = !material.has_pawns() && material.smaller().into_iter().all(Material::is_dead);
        // Where only mate ends the count, DTZ equals DTM.
        let copied = same.then(|| Table::new(layout.clone(), Metric::Dtz, dtm.cells().clone()));
        emit(dtm);
        if metrics.contains(&Metric::Dtz) {
            emit(match copied {
                Some(copied) => copied,
                None => table(&space, Metric::Dtz, &zeroing::solve(&space, start, solved, smaller)?),
            });
        }
        Ok(())
    }
}

fn table(space: &Space<'_>, metric: Metric, solved: &[Solved; 2]) -> Table {
    let cells = solved
        .each_ref()
        .map(|half| fill(space.layout(), |run, cells| space.export(&half.cells, run, cells)));
    Table::new(space.layout().clone(), metric, cells)
}

/// A table of draws.
fn drawn(layout: &Layout, metric: Metric) -> Table {
    let draw = |run: &Run, side, cells: &mut [Cell]| {
        run.places(layout.used(run, side)).for_each(|place| cells[place] = Cell::from_value(Value::Draw));
    };
    Table::new(
        layout.clone(),
        metric,
        Color::ALL.map(|side| fill(layout, |run, cells| draw(run, side, cells))),
    )
}

/// Cells for all slots of a layout, filled in run by run.
fn fill(layout: &Layout, fill: impl Fn(&Run, &mut [Cell]) + Sync) -> Vec<Cell> {
    const CHUNK: usize = 1 << 14;
    let mut cells = vec![Cell::UNUSED; layout.slots()];
    cells.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, cells)| {
        let first = chunk * CHUNK;
        for run in layout.runs(first..first + cells.len()) {
            fill(&run, &mut cells[run.slots.start - first..run.slots.end - first]);
        }
    });
    cells
}

/// A set of positions for each side to move, as words of a [`Space`].
type Sets = [Vec<Bitboard>; 2];

/// The facts that are known before the first depth.
struct Start {
    legal: Sets,
    /// The positions with a capture or promotion that wins.
    winning_exits: Sets,
    mates: Sets,
}

impl Start {
    /// The facts that are known at the start, and the positions solved for the distance to mate.
    fn dtm(space: &Space<'_>, smaller: &TableSet) -> Result<(Self, [Solved; 2]), BuildError> {
        let legal = Color::ALL.map(|side| {
            let legal = |index| {
                let word = space.word(index);
                word.free & !space.in_check(&word, side)
            };
            collected((0..space.words()).into_par_iter().map(legal))
        });
        let cells = best_exits(space, &legal, smaller)?;
        let winning_exits = cells.each_ref().map(|cells| collected(cells.par_chunks(64).map(wins)));
        let mut steps = steps(space, &legal, smaller)?;
        let [mut mates, mut stalemates] = [[const { Vec::new() }; 2], [const { Vec::new() }; 2]];
        let mut cells = cells.map(Some);
        let halves = Color::ALL.map(|side| {
            let [legal, legal_after] = [side, !side].map(|side| &legal[side.index()]);
            let cells = cells[side.index()].take().unwrap_or_default();
            let steps = std::mem::take(&mut steps[side.index()]);
            let of_word = |(index, (&legal, cells)): (usize, (&Bitboard, &[Cell]))| {
                let positions = legal & !pending(cells) & !unresolved(&steps, index);
                forced(space, Men::All, &space.word(index), side, positions, legal_after)
            };
            let words = legal.par_iter().zip(cells.par_chunks(64)).enumerate();
            let without_moves = collected(words.map(of_word));
            // The side to move is in check if and only if the position would not be legal with the other to
            // move.
            let split = |keep: fn(Bitboard) -> Bitboard| {
                without_moves.iter().zip(legal_after).map(|(&set, &after)| set & keep(after)).collect()
            };
            mates[side.index()] = split(|after| !after);
            stalemates[side.index()] = split(|after| after);
            Half::new(legal.clone(), cells, steps)
        });
        let solved = solver::solve(space, Men::All, halves, &mates, &stalemates);
        Ok((Self { legal, winning_exits, mates }, solved))
    }
}

/// The best capture or promotion of each legal position. Tables in files are decoded one after the other.
fn best_exits(space: &Space<'_>, legal: &Sets, smaller: &TableSet) -> Result<[Vec<Cell>; 2], BuildError> {
    let mut cells = Color::ALL.map(|_| vec![Cell::UNUSED; 64 * space.words()]);
    let (in_memory, in_files): (Vec<Material>, Vec<Material>) = exits::materials(space.layout().men())
        .into_iter()
        .partition(|&step| smaller.get(step, Metric::Dtm).is_some());
    for group in std::iter::once(&in_memory[..]).chain(in_files.chunks(1)) {
        let tables = load(space.material(), group, smaller, Metric::Dtm)?;
        let exits = Exits::new(space.layout(), &tables, Metric::Dtm);
        for side in Color::ALL {
            let words = cells[side.index()].par_chunks_mut(64).zip(&legal[side.index()]).enumerate();
            words.filter(|(_, (_, legal))| legal.any()).for_each(|(index, (cells, &legal))| {
                exits.store_best(space, &space.word(index), side, legal, cells);
            });
        }
    }
    Ok(cells)
}

/// All double steps of each side that allow an en passant capture.
fn steps(space: &Space<'_>, legal: &Sets, smaller: &TableSet) -> Result<[Vec<DoubleStep>; 2], BuildError> {
    if !space.material().has_opposing_pawns() {
        return Ok([Vec::new(), Vec::new()]);
    }
    let mut with_less = exits::materials(space.layout().men());
    with_less.retain(|step| step.men() < space.material().men());
    let tables = load(space.material(), &with_less, smaller, Metric::Dtm)?;
    let exits = Exits::new(space.layout(), &tables, Metric::Dtm);
    Ok(Color::ALL.map(|side| {
        let [legal, legal_after] = [side, !side].map(|side| &legal[side.index()]);
        double_steps(space, &exits, side, legal, legal_after)
    }))
}

/// The positions of a word whose cells satisfy a condition.
fn filter(cells: &[Cell], is: impl Fn(Option<Value>) -> bool) -> Bitboard {
    let bits = cells.iter().enumerate().map(|(square, cell)| u64::from(is(cell.value())) << square);
    Bitboard(bits.sum())
}

fn pending(cells: &[Cell]) -> Bitboard {
    filter(cells, |value| value.is_some())
}

fn wins(cells: &[Cell]) -> Bitboard {
    filter(cells, |value| matches!(value, Some(Value::Win(_))))
}

fn losses(cells: &[Cell]) -> Bitboard {
    filter(cells, |value| matches!(value, Some(Value::Loss(_))))
}
