//! A sort by exchanges. It is not stable, and the order of equal items reaches the file.

/// Exchanges an item with each later one that must stand before it, and goes on with that one in its place.
pub(super) fn exchange_sort<T>(items: &mut [T], stands_behind: impl Fn(&T, &T) -> bool) {
    for first in 0..items.len() {
        for second in first + 1..items.len() {
            if stands_behind(&items[first], &items[second]) {
                items.swap(first, second);
            }
        }
    }
}
