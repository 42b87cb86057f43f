//! Open symbols become values before symbols are paired: in a WDL table some, in a DTZ table all.

use super::symbols::{OPEN, Results, lowest_open};

/// Open runs of more symbols become what is most useful for their table, whatever stands beside them.
const LONG_OPEN_RUN: usize = 5;
/// Open runs of fewer symbols become a value beside them, in DTZ tables.
const SHORT_RUN: usize = 32;

/// Fills open runs of a WDL table by a result beside them.
pub(super) fn fill_results(data: &mut [u16], results: &Results) {
    let mut start = 0;
    while start < data.len() {
        if data[start] < OPEN {
            start += 1;
            continue;
        }
        let len = data[start..].iter().take_while(|&&symbol| symbol >= OPEN).count();
        let end = start + len;
        let lowest = data[start..end].iter().copied().min().unwrap_or(OPEN);
        if let Some(result) = beside(data, start, end, lowest) {
            data[start..end].fill(result);
        } else if len > LONG_OPEN_RUN {
            data[start..end].fill(results.fillings[usize::from(lowest - OPEN)]);
        }
        start = end;
    }
}

/// The result beside an open run that it becomes, if it may.
fn beside(data: &[u16], start: usize, end: usize, lowest: u16) -> Option<u16> {
    let allowed = |result: u16| lowest >= lowest_open(result);
    let left = start.checked_sub(1).map(|place| data[place]).filter(|&result| allowed(result));
    if left.is_some() && start > 1 && Some(data[start - 2]) == left {
        return left;
    }
    let right = data.get(end).copied().filter(|&result| allowed(result));
    match (left, right) {
        (Some(_), Some(result)) => {
            let goes_on = data
                .get(end + 1)
                .is_some_and(|&next| next == result || next >= OPEN && next >= lowest_open(result));
            if goes_on { right } else { left }
        }
        (left, right) => left.or(right),
    }
}

/// Fills all open symbols of a DTZ table, which has symbols up to `open`. `first_rare` is the first number that fills nothing.
pub(super) fn fill_distances(data: &mut [u16], open: u16, first_rare: u16) {
    fill_short_runs(data, open, first_rare);
    Neighbours::count(data, open).fill(data);
}

/// Short runs become the more frequent of the two values beside them.
fn fill_short_runs(data: &mut [u16], open: u16, first_rare: u16) {
    let mut start = 0;
    while start < data.len() {
        if data[start] != open {
            start += 1;
            continue;
        }
        let len = data[start..].iter().take_while(|&&symbol| symbol == open).count();
        let end = start + len;
        let left = start.checked_sub(1).map(|place| data[place]);
        let right = data.get(end).copied();
        let value = match (left, right) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        };
        if let Some(value) = value.filter(|&value| len < SHORT_RUN && value < first_rare) {
            data[start..end].fill(value);
        }
        start = end;
    }
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
    fn count(data: &[u16], open: u16) -> Self {
        let values = usize::from(open);
        let width = values + 1;
        let mut counts = vec![0_u32; width * width];
        for pair in data.windows(2) {
            counts[usize::from(pair[0]) * width + usize::from(pair[1])] += 1;
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

    /// Fills what is open, so that frequent pairs arise.
    fn fill(&self, data: &mut [u16]) {
        let mut place = 0;
        while place < data.len() {
            if data[place] == self.open {
                self.fill_run(data, place);
            }
            // The last of a run may have stayed open: then it is a run of its own.
            if data[place] != self.open {
                place += 1;
            }
        }
    }

    fn fill_run(&self, data: &mut [u16], start: usize) {
        let len = data[start..].iter().take_while(|&&symbol| symbol == self.open).count();
        let end = start + len;
        let left = start.checked_sub(1).map(|place| data[place]);
        let right = data.get(end).copied();
        let (first, second, most) = self.best;
        let wanted = if len > 1 {
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
            data[start] = value;
        }
        for place in start + 1..end {
            last = match last {
                None => {
                    data[place - 1] = first;
                    data[place] = second;
                    Some(second)
                }
                Some(value) => {
                    let next = follower(value);
                    if let Some(next) = next {
                        data[place] = next;
                    }
                    next
                }
            };
        }
        if let (None, Some(right)) = (last, right) {
            let (before, count) = self.previous[usize::from(right)];
            if count == wanted {
                data[end - 1] = before;
            }
        }
    }
}
