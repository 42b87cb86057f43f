//! Rank correlation (Spearman, The proof and measurement of association between two things, 1904). Equal
//! values share the mean of their ranks.

use std::collections::BTreeMap;

/// How often each pair of numbers was seen.
pub(super) type Pairs = BTreeMap<(i32, i32), u64>;

/// The correlation of the first numbers with the second in thousandths. All but the last step is computed in
/// integers, so that the result is the same on every machine. `None` if the first or the second numbers are
/// all equal.
pub(super) fn spearman(pairs: &Pairs) -> Option<i64> {
    let firsts = ranks(pairs.iter().map(|(&(first, _), &count)| (first, count)));
    let seconds = ranks(pairs.iter().map(|(&(_, second), &count)| (second, count)));
    let (mut both, mut first_alone, mut second_alone) = (0, 0, 0);
    for (&(first, second), &count) in pairs {
        let (x, y, count) = (firsts[&first], seconds[&second], i128::from(count));
        both += count * x * y;
        first_alone += count * x * x;
        second_alone += count * y * y;
    }
    if first_alone == 0 || second_alone == 0 {
        return None;
    }
    let correlation = both as f64 / ((first_alone as f64).sqrt() * (second_alone as f64).sqrt());
    Some((correlation * 1_000.0).round() as i64)
}

/// For each number, twice its rank minus twice the mean of all ranks, which is an integer.
fn ranks(counted: impl Iterator<Item = (i32, u64)>) -> BTreeMap<i32, i128> {
    let mut counts = BTreeMap::<i32, u64>::new();
    for (number, count) in counted {
        *counts.entry(number).or_default() += count;
    }
    let all = i128::from(counts.values().sum::<u64>());
    let mut before = 0;
    let rank = |(number, count)| {
        let count = i128::from(count);
        // Ranks before + 1 to before + count, whose mean is before + (count + 1) / 2; the mean of all is (all
        // + 1) / 2.
        let rank = 2 * before + count - all;
        before += count;
        (number, rank)
    };
    counts.into_iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(i32, i32)], expected: Option<i64>) {
        let mut counted = Pairs::new();
        for &pair in pairs {
            *counted.entry(pair).or_default() += 1;
        }
        assert_eq!(spearman(&counted), expected, "{pairs:?}");
    }

    #[test]
    fn by_hand() {
        check(&[(1, 10), (2, 20), (3, 30)], Some(1_000));
        check(&[(1, 30), (2, 20), (3, 10)], Some(-1_000));
        check(&[(1, 1), (1_000_000, 2), (1_000_001, 3)], Some(1_000));
        // Without ties 1 - 6 sum(d^2) / (n (n^2 - 1)): d is 0, 1, 1, 0 and n is 4, so 1 - 12 / 60.
        check(&[(1, 1), (2, 3), (3, 2), (4, 4)], Some(800));
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
        check(&[(1, 1), (2, 2), (2, 3), (3, 4)], Some(949));
        // Ranks 1.5, 1.5, 3 against 1, 2.5, 2.5: 0.75 / 1.5.
        check(&[(1, 1), (1, 2), (2, 2)], Some(500));
        check(&[(1, 1), (2, 1)], None);
        check(&[(1, 1)], None);
        check(&[], None);
    }

    /// A pair with the count 3 is three pairs.
    #[test]
    fn counts_are_pairs() {
        let counted = Pairs::from([((1, 5), 3), ((2, 6), 1), ((3, 4), 2)]);
        let mut single = vec![(1, 5); 3];
        single.extend([(2, 6), (3, 4), (3, 4)]);
        check(&single, spearman(&counted));
    }
}
