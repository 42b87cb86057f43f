//! Work on all cores. rayon compiles its machinery anew for each closure, so that all closures share one copy here.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Numbers that one core takes at once: a part of all. The last parts end at about the same time.
const PART: usize = 256;

/// Calls the task for each number below `count`.
pub fn for_each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len((count / PART).max(1)).for_each(task);
}

/// The same, begun in the order of the numbers: for tasks that take long.
pub fn for_each_in_order(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).par_bridge().for_each(task);
}

/// The results of the task for each number below `count`, in their order.
pub fn map<T: Send>(count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    gather(count, for_each, task)
}

/// The same, begun in the order of the numbers: for tasks that take long.
pub fn map_in_order<T: Send>(count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    gather(count, for_each_in_order, task)
}

/// The results of the task for each number below `count`, joined in their order as soon as they are there; `None`
/// for no number.
pub fn reduce<T: Send>(
    count: usize,
    task: impl Fn(usize) -> T + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> Option<T> {
    let joined = Mutex::new(Joined { next: 0, all: None, waiting: BTreeMap::new() });
    for_each_in_order(count, &|number| {
        let result = task(number);
        joined.lock().unwrap_or_else(PoisonError::into_inner).add(number, result, &join);
    });
    joined.into_inner().unwrap_or_else(PoisonError::into_inner).all
}

/// Results that are joined in the order of their numbers.
struct Joined<T> {
    /// The first number that is not joined.
    next: usize,
    all: Option<T>,
    /// Results of later numbers.
    waiting: BTreeMap<usize, T>,
}

impl<T> Joined<T> {
    fn add(&mut self, number: usize, result: T, join: &impl Fn(T, T) -> T) {
        self.waiting.insert(number, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.all = Some(match self.all.take() {
                Some(all) => join(all, result),
                None => result,
            });
        }
    }
}

fn gather<T: Send>(
    count: usize,
    for_each: fn(usize, &(dyn Fn(usize) + Sync)),
    task: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|number| {
        let result = task(number);
        *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let result = |slot: Mutex<Option<T>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// The results of the task for each of these, in their order.
pub fn map_each<'a, I: Sync, T: Send>(items: &'a [I], task: impl Fn(&'a I) -> T + Sync) -> Vec<T> {
    map(items.len(), |number| task(&items[number]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_their_numbers() {
        let twice: Vec<usize> = (0..1000).map(|number| 2 * number).collect();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                assert_eq!(map(1000, |number| 2 * number), twice);
                assert_eq!(map_in_order(1000, |number| 2 * number), twice);
                assert_eq!(map_each(&twice, |number| *number), twice);
                let all = reduce(1000, |number| vec![2 * number], |one, other| [one, other].concat());
                assert_eq!(all, Some(twice.clone()));
            });
        }
        assert_eq!(map(0, |number| number), Vec::<usize>::new());
        assert_eq!(reduce(0, |number| number, |one, _| one), None);
    }
}
