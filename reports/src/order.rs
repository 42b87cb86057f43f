//! The order of rows and of other items.
//!
//! The standard library's sort is compiled anew for each type, several kilobytes each time. Here one plain
//! function sorts the places of items of all types.

use std::cmp::Ordering;

/// The places of so many items in ascending order. Equal items keep theirs.
pub(crate) fn order(items: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..items).collect();
    places.sort_by(|&one, &other| compare(one, other));
    places
}

/// The items in ascending order. Equal items keep theirs.
pub(crate) fn sorted<T: Ord>(items: Vec<T>) -> Vec<T> {
    let places = order(items.len(), &|one, other| items[one].cmp(&items[other]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    places.into_iter().map(|place| items[place].take().expect("each place comes once")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal by the first number only.
    #[derive(Debug, Clone, Copy)]
    struct Item(u8, u8);

    impl PartialEq for Item {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    impl Eq for Item {}

    impl PartialOrd for Item {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Item {
        fn cmp(&self, other: &Self) -> Ordering {
            self.0.cmp(&other.0)
        }
    }

    #[test]
    fn equal_items_keep_their_order() {
        let items = vec![Item(2, 0), Item(1, 1), Item(2, 2), Item(1, 3), Item(0, 4)];
        let numbers: Vec<u8> = sorted(items).into_iter().map(|item| item.1).collect();
        assert_eq!(numbers, [4, 1, 3, 0, 2]);
        assert!(sorted(Vec::<Item>::new()).is_empty());
    }
}
