//! The solver: sets of positions, depth by depth.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::Sets;
use super::en_passant::{DoubleStep, Place};
use super::space::{Direction, Men, Space, Word};
use crate::tables::value::{Cell, Value};
use crate::{Bitboard, Color, Ply};

/// The least number of words that a thread takes.
const CHUNK: usize = 256;
/// No pending value.
const NEVER: u16 = u16::MAX;

/// The positions with one side to move. All sets are words of a [`Space`].
pub(super) struct Half {
    /// Legal positions without a value.
    open: Vec<Bitboard>,
    /// Open positions that are not lost, or not at this depth: a capture or promotion draws, wins, or loses
    /// later.
    held: Vec<Bitboard>,
    /// Legal positions that are not known to be won.
    not_won: Vec<Bitboard>,
    /// The wins and losses of the last depth.
    wins: Vec<AtomicU64>,
    losses: Vec<AtomicU64>,
    /// Candidates for wins and losses of this depth, then the candidates that are wins and losses.
    next_wins: Vec<AtomicU64>,
    next_losses: Vec<AtomicU64>,
    /// 64 cells a word. That of an open position is its best capture or promotion.
    cells: Vec<Cell>,
    /// For each word, the least depth at which the value of a capture or promotion counts.
    due: Vec<u16>,
    /// Moves that are not steps from word to word.
    double_steps: Vec<DoubleStep>,
}

fn empty(words: usize) -> Vec<AtomicU64> {
    std::iter::repeat_with(AtomicU64::default).take(words).collect()
}

fn get(words: &[AtomicU64], index: usize) -> Bitboard {
    Bitboard(words[index].load(Relaxed))
}

impl Half {
    /// Open positions, with the pending values of captures and promotions as their cells.
    pub(super) fn new(open: Vec<Bitboard>, cells: Vec<Cell>, double_steps: Vec<DoubleStep>) -> Self {
        let words = open.len();
        let [wins, losses, next_wins, next_losses] = std::array::from_fn(|_| empty(words));
        let (held, due) =
            cells.par_chunks(64).map(|cells| (pending(cells), next_due(cells, pending(cells), 0))).unzip();
        let not_won = open.clone();
        Self { open, held, not_won, wins, losses, next_wins, next_losses, cells, due, double_steps }
    }

    /// The value of a position, if it is known.
    fn value(&self, Place { word, line }: Place) -> Option<Value> {
        let known = !self.open[word].contains(line);
        self.cells[64 * word + line.index()].value().filter(|_| known)
    }
}

/// The positions with one side to move, all with their values.
pub(super) struct Solved {
    /// 64 cells a word.
    pub(super) cells: Vec<Cell>,
    double_steps: Vec<DoubleStep>,
}

impl Solved {
    /// The double steps with their values for the side then to move.
    pub(super) fn double_steps(&self, other: &Self) -> impl Iterator<Item = (&DoubleStep, Value)> {
        self.double_steps.iter().filter_map(|step| {
            let Place { word, line } = step.after;
            Some((step, step.value(other.cells[64 * word + line.index()].value(), u16::MAX)?))
        })
    }
}

/// The positions with a pending value.
fn pending(cells: &[Cell]) -> Bitboard {
    let squares = cells.iter().enumerate().filter(|(_, cell)| **cell != Cell::UNUSED);
    squares.fold(Bitboard::EMPTY, |set, (line, _)| Bitboard(set.0 | 1 << line))
}

/// The least depth after `depth` of a pending win or loss.
fn next_due(cells: &[Cell], open: Bitboard, depth: u16) -> u16 {
    let plies = open.into_iter().filter_map(|line| match cells[line.index()].value() {
        Some(Value::Win(Ply(plies)) | Value::Loss(Ply(plies))) if plies > depth => Some(plies),
        _ => None,
    });
    plies.min().unwrap_or(NEVER)
}

/// Gives every legal position its value: those in `mates` are checkmates, those in `stalemates` draws. The
/// moves of `men` stay within the table.
pub(super) fn solve(
    space: &Space<'_>,
    men: Men,
    halves: [Half; 2],
    mates: &Sets,
    stalemates: &Sets,
) -> [Solved; 2] {
    let mut solver = Solver { space, men, halves };
    solver.solve(mates, stalemates);
    solver.halves.map(|Half { cells, double_steps, .. }| Solved { cells, double_steps })
}

struct Solver<'a> {
    space: &'a Space<'a>,
    /// The men whose moves stay within the table.
    men: Men,
    halves: [Half; 2],
}

impl Solver<'_> {
    fn solve(&mut self, mates: &Sets, stalemates: &Sets) {
        for (half, (mates, stalemates)) in self.halves.iter_mut().zip(mates.iter().zip(stalemates)) {
            for (index, &draws) in stalemates.iter().enumerate().filter(|(_, draws)| draws.any()) {
                half.close(index, draws, Value::Draw);
            }
            half.losses = mates.iter().map(|&Bitboard(bits)| AtomicU64::new(bits)).collect();
        }
        self.mark_only_captures();
        for half in &mut self.halves {
            half.store(0);
        }
        let mut depth = 1;
        while depth < Cell::LONGEST && self.is_unfinished(depth) {
            for side in Color::ALL {
                self.spread(side);
                self.resolve_double_steps(side, depth);
            }
            for side in Color::ALL {
                self.decide(side, depth);
            }
            for half in &mut self.halves {
                half.advance();
                half.store(depth);
            }
            depth += 1;
        }
        for half in &mut self.halves {
            let Half { cells, open, .. } = half;
            cells.par_chunks_mut(64).zip(&*open).with_min_len(CHUNK).for_each(|(cells, &open)| {
                open.into_iter().for_each(|line| cells[line.index()] = Cell::from_value(Value::Draw));
            });
        }
    }

    fn is_unfinished(&self, depth: u16) -> bool {
        self.halves.iter().any(|half| {
            let any = |words: &[AtomicU64]| words.par_iter().any(|word| word.load(Relaxed) != 0);
            any(&half.wins)
                || any(&half.losses)
                || half.due.par_iter().any(|&due| due != NEVER)
                || half.double_steps.par_iter().any(|step| step.plies() >= depth)
        })
    }

    fn mark_only_captures(&mut self) {
        for side in Color::ALL {
            let (half, other) = self.pair(side);
            for step in &mut half.double_steps {
                step.only_capture = other.value(step.after) == Some(Value::Draw);
            }
        }
    }

    /// The positions with `side` to move, and those with the other.
    fn pair(&mut self, side: Color) -> (&mut Half, &mut Half) {
        let [white, black] = &mut self.halves;
        match side {
            Color::White => (white, black),
            Color::Black => (black, white),
        }
    }

    /// Makes the predecessors of the last depth's losses candidates for wins, and the predecessors of its
    /// wins candidates for losses.
    fn spread(&self, side: Color) {
        let (half, other) = (&self.halves[side.index()], &self.halves[(!side).index()]);
        (0..half.open.len()).into_par_iter().with_min_len(CHUNK).for_each(|index| {
            let (losses, wins) = (get(&other.losses, index), get(&other.wins, index));
            if (losses | wins).is_empty() {
                return;
            }
            let word = self.space.word(index);
            let add = |to: &[AtomicU64], index: usize, set: Bitboard| {
                if set.any() {
                    to[index].fetch_or(set.0, Relaxed);
                }
            };
            self.space.visit_steps(&word, side, self.men, Direction::Backward, |index, symmetry, mask| {
                add(&half.next_wins, index, symmetry.images(losses & mask) & half.open[index]);
                add(&half.next_losses, index, symmetry.images(wins & mask) & half.open[index]);
            });
            if self.space.line_man().color == side {
                let before = |targets| self.space.before_line_moves(&word, targets, self.men);
                add(&half.next_wins, index, before(losses) & half.open[index]);
                add(&half.next_losses, index, before(wins) & half.open[index]);
            }
        });
    }

    /// Makes the positions before double steps candidates once their values are known.
    fn resolve_double_steps(&mut self, side: Color, depth: u16) {
        let (half, other) = self.pair(side);
        let mut steps = std::mem::take(&mut half.double_steps);
        for step in steps.iter_mut().filter(|step| !step.lost) {
            let Place { word, line } = step.before;
            match step.value(other.value(step.after), depth) {
                Some(Value::Loss(_)) => {
                    half.next_wins[word].fetch_or((Bitboard::from_square(line) & half.open[word]).0, Relaxed);
                }
                Some(Value::Win(_)) => {
                    step.lost = true;
                    half.next_losses[word]
                        .fetch_or((Bitboard::from_square(line) & half.open[word]).0, Relaxed);
                }
                _ => {}
            }
        }
        half.double_steps = steps;
    }

    /// Keeps only the candidates that are wins and losses of this depth.
    fn decide(&mut self, side: Color, depth: u16) {
        let (space, men) = (self.space, self.men);
        let (half, other) = self.pair(side);
        let Half { open, held, next_wins, next_losses, cells, due, double_steps, .. } = half;
        let (not_won, steps) = (&other.not_won, &*double_steps);
        open.par_iter()
            .zip(held)
            .zip(next_wins)
            .zip(next_losses)
            .zip(cells.par_chunks(64))
            .zip(due)
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(index, (((((&open, held), wins), losses), cells), due))| {
                let (wins, losses) = (wins.get_mut(), losses.get_mut());
                if *due == depth {
                    for line in open {
                        match cells[line.index()].value() {
                            Some(Value::Win(ply)) if ply == Ply(depth) => *wins |= 1 << line.index(),
                            Some(Value::Loss(ply)) if ply == Ply(depth) => {
                                *held = held.without(line);
                                *losses |= 1 << line.index();
                            }
                            _ => {}
                        }
                    }
                    *due = next_due(cells, open, depth);
                }
                *wins &= open.0;
                *losses &= (open & !*held).0 & !*wins;
                if *losses != 0 {
                    let word = space.word(index);
                    let kept = forced(space, men, &word, side, Bitboard(*losses), not_won);
                    *losses = (kept & !unresolved(steps, index)).0;
                }
            });
    }
}

/// Those of these positions from which no move within the table leads into the set `escapes`.
pub(super) fn forced(
    space: &Space<'_>,
    men: Men,
    word: &Word,
    side: Color,
    positions: Bitboard,
    escapes: &[Bitboard],
) -> Bitboard {
    let mut left = positions;
    if space.line_man().color == side {
        left &= !space.before_line_moves(word, escapes[word.index], men);
    }
    space.visit_steps(word, side, men, Direction::Forward, |index, symmetry, mask| {
        left &= !(symmetry.origins(escapes[index]) & mask);
    });
    left
}

/// The positions of a word with a double step that is not known to lose.
pub(super) fn unresolved(steps: &[DoubleStep], word: usize) -> Bitboard {
    let first = steps.partition_point(|step| step.before.word < word);
    let of_word = steps[first..].iter().take_while(|step| step.before.word == word);
    of_word.filter(|step| !step.lost).map(|step| step.before.line).collect()
}

impl Half {
    fn close(&mut self, index: usize, positions: Bitboard, value: Value) {
        self.open[index] &= !positions;
        positions
            .into_iter()
            .for_each(|line| self.cells[64 * index + line.index()] = Cell::from_value(value));
    }

    /// Makes the candidates of this depth, which are now decided, those of the last depth.
    fn advance(&mut self) {
        std::mem::swap(&mut self.wins, &mut self.next_wins);
        std::mem::swap(&mut self.losses, &mut self.next_losses);
        for words in [&mut self.next_wins, &mut self.next_losses] {
            words.par_iter_mut().with_min_len(CHUNK).for_each(|word| *word.get_mut() = 0);
        }
    }

    /// Stores the wins and losses of the last depth.
    fn store(&mut self, depth: u16) {
        let (win, loss) =
            (Cell::from_value(Value::Win(Ply(depth))), Cell::from_value(Value::Loss(Ply(depth))));
        let Self { open, not_won, wins, losses, cells, .. } = self;
        open.par_iter_mut()
            .zip(not_won)
            .zip(wins)
            .zip(losses)
            .zip(cells.par_chunks_mut(64))
            .with_min_len(CHUNK)
            .for_each(|((((open, not_won), wins), losses), cells)| {
                let (wins, losses) = (Bitboard(*wins.get_mut()), Bitboard(*losses.get_mut()));
                if (wins | losses).any() {
                    *open &= !(wins | losses);
                    *not_won &= !wins;
                    wins.into_iter().for_each(|line| cells[line.index()] = win);
                    losses.into_iter().for_each(|line| cells[line.index()] = loss);
                }
            });
    }
}
