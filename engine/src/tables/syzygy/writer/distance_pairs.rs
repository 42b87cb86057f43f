//! The pairs of DTZ tables, which have no open symbols.

use super::pairing::{Candidate, Pairing, Passed, Replacement, best};

/// Pairs symbols until there are `limit`, or no pair is frequent enough.
pub(super) fn pair(pairing: &mut Pairing, limit: usize, least: u32) {
    while pairing.symbols.len() < limit {
        let candidates = candidates(pairing, least);
        let selected = select(pairing.symbols.len(), &candidates, limit);
        if selected.is_empty() {
            break;
        }
        let add = |&Candidate { left, right, .. }: &Candidate| Replacement {
            left,
            right,
            by: pairing.add(left, right),
        };
        let replacements: Vec<Replacement> = selected.iter().map(add).collect();
        pairing.replace(&replacements);
    }
}

/// The most frequent pairs, in the order of the selection.
fn candidates(pairing: &Pairing, least: u32) -> Vec<Candidate> {
    let mut found = Vec::new();
    for left in 0..pairing.symbols.len() as u16 {
        let room = pairing.room_beside(left);
        for (right, &count) in pairing.followers(left).iter().enumerate() {
            if count >= least && pairing.symbols[right].positions <= room {
                found.push(Candidate { left, right: right as u16, count });
            }
        }
    }
    best(found)
}

/// The candidates that do not disturb an earlier one: no symbol begins one pair and ends another.
fn select(symbols: usize, candidates: &[Candidate], limit: usize) -> Vec<Candidate> {
    let (mut begins, mut ends) = (vec![false; symbols], vec![false; symbols]);
    let mut passed = Passed::new(candidates);
    let mut selected = Vec::new();
    for (place, candidate) in candidates.iter().enumerate() {
        if symbols + selected.len() + passed.places > limit {
            break;
        }
        passed.look_at(place, candidate.count);
        let (left, right) = (usize::from(candidate.left), usize::from(candidate.right));
        if ends[left] || begins[right] {
            passed.places += 1;
        } else {
            selected.push(*candidate);
        }
        begins[left] = true;
        ends[right] = true;
    }
    selected.truncate(limit - symbols);
    selected
}
