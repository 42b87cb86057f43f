//! The distance to the next zeroing move: captures, promotions and pawn moves end the count.
//!
//! A zeroing move counts 1 ply if its result outlasts the fifty-move rule. It counts 101 if the win or loss
//! is then more than a hundred plies from the next zeroing move, or this holds after a later zeroing move:
//! the rule then makes it a draw. So a win or loss of more than 100 plies is cursed or blessed, as in Syzygy
//! tables. With four men there is none.
//!
//! The results of pawn moves within the table are known only once the table is solved. The first run assumes
//! that all results outlast the rule. Each further run uses the results that the run before found not to
//! outlast it, until nothing changes. This ends, because pawns only go forward.

use rayon::prelude::*;

use super::en_passant::Place;
use super::exits::{self, Exits};
use super::solver::{self, Half, Solved, forced};
use super::space::{Men, Space};
use super::{Sets, Start, losses, wins};
use crate::parallel::collected;
use crate::tables::builders::{BuildError, MAX_QUICK_MEN, load};
use crate::tables::table::MOST_WITHOUT_ZEROING;
use crate::tables::value::{Cell, Value};
use crate::tables::{Material, Metric, TableSet};
use crate::{Bitboard, Color, Ply};

/// The positions with zeroing moves of each kind, by the side that makes them.
struct Zeroing {
    /// The positions with a winning zeroing move.
    winning: Sets,
    /// Of these, the positions with a winning zeroing move whose result outlasts the fifty-move rule.
    lasting: Sets,
    /// The lost positions with a zeroing move after which the rule saves the side.
    saving: Sets,
}

/// The positions won and lost with each side to move.
struct Results {
    wins: Sets,
    losses: Sets,
}

/// Solves the positions with each side to move for the distance to the next zeroing move. They are already
/// solved for the distance to mate.
pub(super) fn solve(
    space: &Space<'_>,
    start: Start,
    solved: [Solved; 2],
    smaller: &TableSet,
) -> Result<[Solved; 2], BuildError> {
    let all = Results::from_solved(&solved);
    let steps = decided_steps(&solved);
    let mut cells = solved.map(|half| half.cells);
    let Start { legal, winning_exits, mates } = start;
    let exits = by_exits(space, winning_exits, &all, smaller)?;
    let none = || Color::ALL.map(|_| Vec::new());
    let mut cursed = Results { wins: none(), losses: none() };
    loop {
        let zeroing = with_pawn_moves(space, &legal, &exits, &all, &cursed, &steps);
        let halves = Color::ALL.map(|side| {
            let at = side.index();
            let mut cells = std::mem::take(&mut cells[at]);
            let words = cells.par_chunks_mut(64).enumerate();
            let begin = |(index, cells): (usize, &mut [Cell])| {
                begin(cells, legal[at][index], &all, &zeroing, at, index)
            };
            let open = collected(words.map(begin));
            Half::new(open, cells, Vec::new())
        });
        drop(zeroing);
        let solved = solver::solve(space, Men::Pieces, halves, &mates, &[Vec::new(), Vec::new()]);
        if !space.material().has_pawns() {
            return Ok(solved);
        }
        let found = Results::cursed(&solved);
        if found.is_same(&cursed) {
            return Ok(solved);
        }
        cursed = found;
        cells = solved.map(|half| half.cells);
    }
}

impl Results {
    fn from_solved(solved: &[Solved; 2]) -> Self {
        let sets = |of: fn(&[Cell]) -> Bitboard| {
            solved.each_ref().map(|half| collected(half.cells.par_chunks(64).map(of)))
        };
        Self { wins: sets(wins), losses: sets(losses) }
    }

    /// The results that do not outlast the fifty-move rule. The sets have no words if there are no such
    /// results.
    fn cursed(solved: &[Solved; 2]) -> Self {
        let is_late = |cell: &Cell| matches!(cell.value(), Some(Value::Win(ply) | Value::Loss(ply)) if ply.0 > MOST_WITHOUT_ZEROING);
        if !solved.iter().any(|half| half.cells.par_iter().any(is_late)) {
            return Self { wins: Default::default(), losses: Default::default() };
        }
        let late = |cells: &[Cell]| {
            let late = cells.iter().enumerate().filter(|(_, cell)| is_late(cell));
            late.fold(Bitboard::EMPTY, |set, (square, _)| Bitboard(set.0 | 1 << square))
        };
        let sets = |of: fn(&[Cell]) -> Bitboard| {
            let part =
                |half: &Solved| collected(half.cells.par_chunks(64).map(|cells| of(cells) & late(cells)));
            solved.each_ref().map(part)
        };
        Self { wins: sets(wins), losses: sets(losses) }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.wins == other.wins && self.losses == other.losses
    }
}

/// The set of a word; empty if there are no words.
fn word(sets: &[Bitboard], index: usize) -> Bitboard {
    sets.get(index).copied().unwrap_or(Bitboard::EMPTY)
}

/// The positions with captures and promotions of each kind.
fn by_exits(
    space: &Space<'_>,
    winning: Sets,
    all: &Results,
    smaller: &TableSet,
) -> Result<Zeroing, BuildError> {
    let of_five = |step: &Material| step.men() > MAX_QUICK_MEN;
    let targets: Vec<Material> = exits::materials(space.layout().men()).into_iter().filter(of_five).collect();
    if let Some(&missing) = targets.iter().find(|&&step| !smaller.has(step, Metric::Dtz)) {
        return Err(BuildError::MissingDtz { material: space.material(), missing });
    }
    let cursed: Vec<Material> = targets.into_iter().filter(|&step| smaller.has_cursed(step)).collect();
    let mut saving: Sets = Default::default();
    if cursed.is_empty() {
        return Ok(Zeroing { lasting: winning.clone(), winning, saving });
    }
    let mut lasting = lasting_exits(space, &winning, smaller, &cursed)?;
    for side in Color::ALL {
        saving[side.index()] = vec![Bitboard::EMPTY; space.words()];
    }
    for &step in &cursed {
        let tables = load(space.material(), &[step], smaller, Metric::Dtz)?;
        let exits = Exits::new(space.layout(), &tables, Metric::Dtz);
        for side in Color::ALL {
            let at = side.index();
            lasting[at].par_iter_mut().zip(&mut saving[at]).enumerate().for_each(
                |(index, (lasting, saving))| {
                    let positions = all.wins[at][index] | all.losses[at][index];
                    if positions.is_empty() {
                        return;
                    }
                    // One ply more than from the position after the move.
                    exits.visit(space, &space.word(index), side, positions, |line, value| match value {
                        Value::Win(Ply(plies)) if plies <= MOST_WITHOUT_ZEROING + 1 => {
                            *lasting = lasting.with(line);
                        }
                        Value::Loss(Ply(plies)) if plies > MOST_WITHOUT_ZEROING + 1 => {
                            *saving = saving.with(line);
                        }
                        _ => {}
                    });
                },
            );
        }
    }
    Ok(Zeroing { winning, lasting, saving })
}

/// The positions with a winning capture or promotion that does not lead to one of these tables.
fn lasting_exits(
    space: &Space<'_>,
    winning: &Sets,
    smaller: &TableSet,
    without: &[Material],
) -> Result<Sets, BuildError> {
    let mut sets = Color::ALL.map(|_| vec![Bitboard::EMPTY; space.words()]);
    let targets = exits::materials(space.layout().men());
    for step in targets.into_iter().filter(|step| !without.contains(step)) {
        let tables = load(space.material(), &[step], smaller, Metric::Dtm)?;
        let exits = Exits::new(space.layout(), &tables, Metric::Dtm);
        for side in Color::ALL {
            let winning = &winning[side.index()];
            sets[side.index()].par_iter_mut().zip(winning).enumerate().for_each(
                |(index, (set, &winning))| {
                    let positions = winning & !*set;
                    if positions.any() {
                        exits.visit(space, &space.word(index), side, positions, |line, value| {
                            if matches!(value, Value::Win(_)) {
                                *set = set.with(line);
                            }
                        });
                    }
                },
            );
        }
    }
    Ok(sets)
}

/// A double step that allows an en passant capture.
struct Step {
    before: Place,
    after: Place,
    /// For the side then to move.
    value: Value,
    rests_on_slot: bool,
}

/// All decided double steps, by the side that makes them.
fn decided_steps(solved: &[Solved; 2]) -> [Vec<Step>; 2] {
    Color::ALL.map(|side| {
        let (half, other) = (&solved[side.index()], &solved[(!side).index()]);
        let decided = half.double_steps(other).filter(|(_, value)| *value != Value::Draw);
        decided
            .map(|(step, value)| Step {
                before: step.before,
                after: step.after,
                value,
                rests_on_slot: step.rests_on_slot(value),
            })
            .collect()
    })
}

/// Adds the positions with pawn moves of each kind within the table.
fn with_pawn_moves(
    space: &Space<'_>,
    legal: &Sets,
    exits: &Zeroing,
    all: &Results,
    cursed: &Results,
    steps: &[Vec<Step>; 2],
) -> Zeroing {
    let join = |exits: &Sets, mut sets: Sets| {
        for (exits, sets) in exits.iter().zip(&mut sets) {
            sets.par_iter_mut().enumerate().for_each(|(index, set)| *set |= word(exits, index));
        }
        sets
    };
    let to_losses =
        Color::ALL.map(|side| leading(space, side, &legal[side.index()], &all.losses[(!side).index()]));
    let to_lasting = if cursed.losses[0].is_empty() {
        to_losses.clone()
    } else {
        Color::ALL.map(|side| {
            let other = (!side).index();
            let pairs = all.losses[other].par_iter().zip(&cursed.losses[other]);
            let lasting = collected(pairs.map(|(&losses, &late)| losses & !late));
            leading(space, side, &legal[side.index()], &lasting)
        })
    };
    let to_saving =
        Color::ALL.map(|side| leading(space, side, &all.losses[side.index()], &cursed.wins[(!side).index()]));
    let mut zeroing = Zeroing {
        winning: join(&exits.winning, to_losses),
        lasting: join(&exits.lasting, to_lasting),
        saving: join(&exits.saving, to_saving),
    };
    add_steps(&mut zeroing, cursed, steps);
    zeroing
}

/// The positions from which a pawn move leads into a set.
fn leading(space: &Space<'_>, side: Color, positions: &[Bitboard], to: &[Bitboard]) -> Vec<Bitboard> {
    if !space.material().has_pawns() || to.is_empty() {
        return vec![Bitboard::EMPTY; positions.len()];
    }
    let of_word = |(index, &positions): (usize, &Bitboard)| {
        positions & !forced(space, Men::Pawns, &space.word(index), side, positions, to)
    };
    collected(positions.par_iter().enumerate().map(of_word))
}

/// Adds single steps: captures and promotions into smaller tables, and double steps that allow en passant.
fn add_steps(zeroing: &mut Zeroing, cursed: &Results, steps: &[Vec<Step>; 2]) {
    for side in Color::ALL {
        let (own, other) = (side.index(), (!side).index());
        for step in &steps[own] {
            let late = |sets: &Sets| {
                step.rests_on_slot && word(&sets[other], step.after.word).contains(step.after.line)
            };
            let add = |sets: &mut Sets| {
                let set = &mut sets[own][step.before.word];
                *set = set.with(step.before.line);
            };
            match step.value {
                Value::Loss(_) => {
                    add(&mut zeroing.winning);
                    if !late(&cursed.losses) {
                        add(&mut zeroing.lasting);
                    }
                }
                Value::Win(_) if late(&cursed.wins) => add(&mut zeroing.saving),
                _ => {}
            }
        }
    }
}

/// Sets the cells of a word to the values known before the first depth, and returns the won and lost
/// positions.
fn begin(
    cells: &mut [Cell],
    legal: Bitboard,
    all: &Results,
    zeroing: &Zeroing,
    side: usize,
    index: usize,
) -> Bitboard {
    let [wins, losses] = [&all.wins, &all.losses].map(|sets| sets[side][index]);
    let [winning, lasting, saving] =
        [&zeroing.winning, &zeroing.lasting, &zeroing.saving].map(|sets| sets[side][index]);
    for square in legal {
        let value = match (wins.contains(square), losses.contains(square)) {
            (true, _) if lasting.contains(square) => Value::Win(Ply(1)),
            (true, _) if winning.contains(square) => Value::Win(Ply(MOST_WITHOUT_ZEROING + 1)),
            (_, true) if saving.contains(square) => Value::Loss(Ply(MOST_WITHOUT_ZEROING + 1)),
            (_, true) => Value::Loss(Ply(1)),
            _ => Value::Draw,
        };
        cells[square.index()] = Cell::from_value(value);
    }
    wins | losses
}
