//! The pairs of WDL tables. Open symbols take part: a pair stands for all values that its parts may become.

use super::pairing::{Candidate, Pairing, Passed, Replacement, best};
use super::symbols::{OPEN, Results, lowest_open};

/// Results and open symbols.
pub(super) const BASE: usize = 9;
const LAST_OPEN: u16 = 8;
/// The most pairs of symbols that are replaced in one round.
const MOST_REPLACEMENTS: usize = 250;

/// Pairs symbols until there are `limit`, or no pair is frequent enough.
pub(super) fn pair(pairing: &mut Pairing, results: &Results, limit: usize, least: u32) {
    while pairing.symbols.len() < limit {
        let candidates = candidates(pairing, results, least);
        let replacements = select(pairing, &candidates, limit);
        if replacements.is_empty() {
            break;
        }
        pairing.replace(&replacements);
    }
}

/// The open symbols that may become a symbol; none for a pair.
fn open_for(symbol: u16) -> std::ops::RangeInclusive<u16> {
    let first = if symbol < OPEN { lowest_open(symbol) } else { LAST_OPEN + 1 };
    first..=LAST_OPEN
}

/// A symbol, and the open symbols that may become it.
fn may_be(symbol: u16) -> impl Iterator<Item = u16> + Clone {
    std::iter::once(symbol).chain(open_for(symbol))
}

/// The most frequent pairs, in the order of the selection.
fn candidates(pairing: &Pairing, results: &Results, least: u32) -> Vec<Candidate> {
    let symbols = pairing.symbols.len() as u16;
    let values: Vec<u16> = (0..5).filter(|&value| results.exist[usize::from(value)]).collect();
    let mut found = Vec::new();
    let mut add = |left: u16, right: u16, count: u32| {
        if count >= least {
            found.push(Candidate { left, right, count });
        }
    };
    let fits =
        |left: u16, right: u16| pairing.symbols[usize::from(right)].positions <= pairing.room_beside(left);
    for &left in &values {
        for &right in &values {
            let count = may_be(left).flat_map(|one| may_be(right).map(move |other| (one, other)));
            add(left, right, count.map(|(one, other)| pairing.count(one, other)).sum());
        }
    }
    for &left in &values {
        for right in (BASE as u16..symbols).filter(|&right| fits(left, right)) {
            add(left, right, may_be(left).map(|one| pairing.count(one, right)).sum());
        }
    }
    for left in BASE as u16..symbols {
        for &right in values.iter().filter(|&&right| fits(left, right)) {
            add(left, right, may_be(right).map(|other| pairing.count(left, other)).sum());
        }
    }
    for left in BASE as u16..symbols {
        let followers = pairing.followers(left);
        for (right, &count) in followers.iter().enumerate().skip(BASE) {
            if count >= least && fits(left, right as u16) {
                add(left, right as u16, count);
            }
        }
    }
    best(found)
}

/// Takes candidates that do not disturb earlier ones, and adds their symbols.
fn select(pairing: &mut Pairing, candidates: &[Candidate], limit: usize) -> Vec<Replacement> {
    let mut replacements: Vec<Replacement> = Vec::new();
    let mut passed = Passed::new(candidates);
    let counts = Counts::from_pairing(pairing);
    for (place, candidate) in candidates.iter().enumerate() {
        if pairing.symbols.len() + passed.places >= limit {
            break;
        }
        passed.look_at(place, candidate.count);
        if candidates[..place].iter().any(|earlier| counts.conflict(candidate, earlier)) {
            passed.places += 1;
            continue;
        }
        let by = pairing.symbols.len() as u16;
        let pairs = counts.pairs(candidate);
        if replacements.len() + pairs.len() > MOST_REPLACEMENTS {
            break;
        }
        replacements.extend(pairs.into_iter().map(|(left, right)| Replacement { left, right, by }));
        pairing.add(candidate.left, candidate.right);
    }
    replacements
}

/// The open symbols of a round: whether they stand before or after each symbol.
struct Counts {
    /// For each open symbol, whether each symbol follows it.
    after: Vec<Vec<bool>>,
    /// For each open symbol, whether it follows each symbol.
    before: Vec<Vec<bool>>,
}

impl Counts {
    fn from_pairing(pairing: &Pairing) -> Self {
        let symbols = pairing.symbols.len() as u16;
        let row = |of: &dyn Fn(u16) -> u32| (0..symbols).map(|symbol| of(symbol) != 0).collect();
        let after = (0..BASE as u16).map(|open| row(&|symbol| pairing.count(open, symbol))).collect();
        let before = (0..BASE as u16).map(|open| row(&|symbol| pairing.count(symbol, open))).collect();
        Self { after, before }
    }

    /// Whether the second symbol follows the first, one of which is open or a result.
    fn follows(&self, left: u16, right: u16) -> bool {
        if usize::from(left) < BASE {
            self.after[usize::from(left)][usize::from(right)]
        } else {
            self.before[usize::from(right)][usize::from(left)]
        }
    }

    /// The pairs of symbols that a pair stands for.
    fn pairs(&self, candidate: &Candidate) -> Vec<(u16, u16)> {
        let Candidate { left, right, .. } = *candidate;
        let opened = open_for(left).map(|open| (open, right));
        let followed = open_for(right).map(|open| (left, open));
        let both = open_for(left).flat_map(|one| open_for(right).map(move |other| (one, other)));
        let all = opened.chain(followed).chain(both);
        let real = all.filter(|&(left, right)| self.follows(left, right));
        std::iter::once((left, right)).chain(real).collect()
    }

    /// Whether a pair and an earlier one of a round may both need a symbol of the data.
    fn conflict(&self, later: &Candidate, earlier: &Candidate) -> bool {
        let (s1, s2) = (later.left, later.right);
        let (t1, t2) = (earlier.left, earlier.right);
        if s2 == t1 || s1 == t2 {
            return true;
        }
        let is_value = |symbol: u16| symbol < OPEN;
        let shared = |one: u16, other: u16| lowest_open(one).max(lowest_open(other))..=LAST_OPEN;
        // An open symbol that ends one pair and begins the other.
        let meets = |first: (u16, u16), second: (u16, u16)| {
            is_value(first.1)
                && is_value(second.0)
                && shared(first.1, second.0).any(|open| {
                    may_be(first.0).any(|symbol| self.follows(symbol, open))
                        && may_be(second.1).any(|symbol| self.follows(open, symbol))
                })
        };
        if meets((s1, s2), (t1, t2)) || meets((t1, t2), (s1, s2)) {
            return true;
        }
        let both_begin = is_value(s1) && is_value(t1);
        let both_end = is_value(s2) && is_value(t2);
        both_begin && s2 == t2 && shared(s1, t1).any(|open| self.follows(open, s2))
            || both_begin
                && both_end
                && shared(s1, t1).any(|one| shared(s2, t2).any(|other| self.follows(one, other)))
            || both_end && s1 == t1 && shared(s2, t2).any(|open| self.follows(s1, open))
    }
}

/// Turns the remaining open symbols into results: each becomes the most frequent one that it may become.
pub(super) fn close(pairing: &mut Pairing, results: &Results) -> Vec<u64> {
    let mut frequencies = pairing.frequencies();
    for open in OPEN..=LAST_OPEN {
        let count = frequencies[usize::from(open)];
        if count == 0 {
            continue;
        }
        let mut value = results.exist.iter().position(|&exists| exists).unwrap_or_default();
        for other in value + 1..5 {
            if lowest_open(other as u16) <= open && frequencies[other] > frequencies[value] {
                value = other;
            }
        }
        pairing.data = pairing.data.map(|symbol| if symbol == open { value as u16 } else { symbol });
        frequencies[value] += count;
        frequencies[usize::from(open)] = 0;
    }
    frequencies
}
