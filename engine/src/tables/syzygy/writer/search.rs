//! The choice of the order of the men that makes a table small: kind by kind, by estimates on a sample.

use super::permutations::Permutation;

/// The best order found, and the estimate of the size of the table in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) order: usize,
    pub(super) size: u64,
}

/// Searches for the best order. `estimate` estimates the sizes with some orders.
pub(super) fn best(orders: &[Permutation], estimate: impl Fn(&[usize]) -> Vec<u64>) -> Choice {
    let mut kinds = orders.first().map(|order| order.kinds.clone()).unwrap_or_default();
    kinds.sort_by_key(|&kind| crate::tables::syzygy::file::number_of(kind));
    let mut sizes: Vec<Option<u64>> = vec![None; orders.len()];
    let mut chosen = Vec::new();
    let mut choice = Choice { order: 0, size: 0 };
    for _ in 0..kinds.len().saturating_sub(1) {
        let mut best: Option<Choice> = None;
        let mut better = |order: usize, size: u64| {
            if best.is_none_or(|best| size < best.size) {
                best = Some(Choice { order, size });
            }
        };
        let mut unknown = Vec::new();
        let free = || kinds.iter().copied().filter(|kind| !chosen.contains(kind));
        for one in free() {
            for other in free().filter(|&other| other != one) {
                let begins = |order: &Permutation| {
                    let rest = order.kinds.strip_prefix(chosen.as_slice());
                    rest.is_some_and(|rest| rest.starts_with(&[one, other]))
                };
                let Some(order) = orders.iter().position(begins) else { continue };
                match sizes[order] {
                    Some(size) => better(order, size),
                    None => unknown.push(order),
                }
            }
        }
        unknown.sort_unstable();
        for (&order, size) in unknown.iter().zip(estimate(&unknown)) {
            sizes[order] = Some(size);
            better(order, size);
        }
        choice = best.unwrap_or(choice);
        let kind = orders.get(choice.order).and_then(|order| order.kinds.get(chosen.len())).copied();
        chosen.extend(kind);
    }
    choice
}
