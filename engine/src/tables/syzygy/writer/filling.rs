//! Open symbols become values before symbols are paired: some in a WDL table, all in a DTZ table.

use super::runs::{Run, Runs};
use super::symbols::{OPEN, Results, lowest_open};

/// Open runs longer than this become the most useful value for their table, whatever values stand beside
/// them.
const LONG_OPEN_RUN: u32 = 5;
/// Open runs shorter than this become a value beside them, in DTZ tables.
const SHORT_RUN: u32 = 32;

/// Fills open runs of a WDL table by a result beside them.
pub(super) fn fill_results(data: &Runs, results: &Results) -> Runs {
    let mut filled = Runs::default();
    let mut rest = data.as_slice();
    while let Some(run) = rest.first() {
        if run.symbol < OPEN {
            filled.push(run.symbol, run.len);
            rest = &rest[1..];
            continue;
        }
        let count = rest.iter().take_while(|run| run.symbol >= OPEN).count();
        let (open, after) = rest.split_at(count);
        let lowest = open.iter().map(|run| run.symbol).min().unwrap_or(OPEN);
        let len = open.iter().map(|run| run.len).sum();
        if let Some(result) = beside(filled.last(), after, lowest) {
            filled.push(result, len);
        } else if len > LONG_OPEN_RUN {
            filled.push(results.fillings[usize::from(lowest - OPEN)], len);
        } else {
            for run in open {
                filled.push(run.symbol, run.len);
            }
        }
        rest = after;
    }
    filled
}

/// The result that open runs take from beside them, if they may.
fn beside(before: Option<Run>, after: &[Run], lowest: u16) -> Option<u16> {
    let allowed = |run: &Run| lowest >= lowest_open(run.symbol);
    let left = before.filter(allowed);
    if let Some(Run { symbol, len: 2.. }) = left {
        return Some(symbol);
    }
    let right = after.first().copied().filter(allowed);
    let goes_on = |run: Run| {
        let next = after.get(1).map(|next| next.symbol);
        run.len > 1 || next.is_some_and(|next| next >= OPEN && next >= lowest_open(run.symbol))
    };
    let chosen = match (left, right) {
        (Some(_), Some(run)) if goes_on(run) => right,
        (left, right) => left.or(right),
    };
    chosen.map(|run| run.symbol)
}

/// Fills all open symbols of a DTZ table, which has symbols up to `open`. `first_rare` is the first number
/// that fills nothing.
pub(super) fn fill_distances(data: &Runs, open: u16, first_rare: u16) -> Runs {
    let data = fill_short_runs(data, open, first_rare);
    Neighbours::count(&data, open).fill(&data)
}

/// Short runs become the more frequent of the two values beside them.
fn fill_short_runs(data: &Runs, open: u16, first_rare: u16) -> Runs {
    let mut filled = Runs::default();
    let runs = data.as_slice();
    for (place, run) in runs.iter().enumerate() {
        let left = filled.last().map(|run: Run| run.symbol);
        let right = runs.get(place + 1).map(|run| run.symbol);
        let value = match (left, right) {
            _ if run.symbol != open || run.len >= SHORT_RUN => None,
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        };
        filled.push(value.filter(|&value| value < first_rare).unwrap_or(run.symbol), run.len);
    }
    filled
}

/// How often values stand beside each other.
struct Neighbours {
    open: u16,
    /// For each value the one that follows most often, and how often.
    next: Vec<(u16, u32)>,
    /// For each value the one that comes before most often, and how often.
    previous: Vec<(u16, u32)>,
    /// The most frequent pair, and how often it occurs.
    best: (u16, u16, u32),
}

impl Neighbours {
    fn count(data: &Runs, open: u16) -> Self {
        let values = usize::from(open);
        let width = values + 1;
        let mut counts = vec![0_u32; width * width];
        let runs = data.as_slice();
        for run in runs {
            counts[usize::from(run.symbol) * (width + 1)] += run.len - 1;
        }
        for pair in runs.windows(2) {
            counts[usize::from(pair[0].symbol) * width + usize::from(pair[1].symbol)] += 1;
        }
        let at = |one: usize, other: usize| counts[one * width + other];
        let first_most = |of: &dyn Fn(usize) -> u32| {
            let mut best = (0, of(0));
            for value in 1..values {
                if of(value) > best.1 {
                    best = (value as u16, of(value));
                }
            }
            best
        };
        let next: Vec<_> = (0..values).map(|one| first_most(&|other| at(one, other))).collect();
        let previous = (0..values).map(|other| first_most(&|one| at(one, other))).collect();
        let mut best = (0, next[0].0, next[0].1);
        for (one, &(other, count)) in next.iter().enumerate() {
            if count > best.2 {
                best = (one as u16, other, count);
            }
        }
        Self { open, next, previous, best }
    }

    /// Fills open runs so that frequent pairs arise.
    fn fill(&self, data: &Runs) -> Runs {
        let mut filled = Runs::default();
        let mut values = Vec::new();
        let runs = data.as_slice();
        for (place, run) in runs.iter().enumerate() {
            if run.symbol != self.open {
                filled.push(run.symbol, run.len);
                continue;
            }
            let left = filled.last().map(|run: Run| run.symbol);
            let right = runs.get(place + 1).map(|run| run.symbol);
            values.clear();
            values.resize(run.len as usize, self.open);
            self.fill_run(&mut values, left, right);
            // The last value may have stayed open: it is then a run of its own.
            if let [.., before, last] = &mut values[..]
                && *last == self.open
            {
                self.fill_run(std::slice::from_mut(last), Some(*before), right);
            }
            for &value in &values {
                filled.push(value, 1);
            }
        }
        filled
    }

    /// Fills an open run between two values.
    fn fill_run(&self, run: &mut [u16], left: Option<u16>, right: Option<u16>) {
        let (first, second, most) = self.best;
        let wanted = if run.len() > 1 {
            most
        } else {
            let after = left.map(|value| self.next[usize::from(value)].1);
            let before = right.map(|value| self.previous[usize::from(value)].1);
            after.max(before).unwrap_or(most)
        };
        let follower = |value: u16| {
            let (next, count) = self.next[usize::from(value)];
            (count == wanted).then_some(next)
        };
        let mut last = left.and_then(follower);
        if let Some(value) = last {
            run[0] = value;
        }
        for place in 1..run.len() {
            last = match last {
                None => {
                    run[place - 1] = first;
                    run[place] = second;
                    Some(second)
                }
                Some(value) => {
                    let next = follower(value);
                    if let Some(next) = next {
                        run[place] = next;
                    }
                    next
                }
            };
        }
        if let (None, Some(right), Some(end)) = (last, right, run.last_mut()) {
            let (before, count) = self.previous[usize::from(right)];
            if count == wanted {
                *end = before;
            }
        }
    }
}
