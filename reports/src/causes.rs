//! Differences grouped by cause: one finding each, the gravest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use suites::catalogue::{self, Severity};
use suites::{Cause, Difference};

use suites::natural;

/// The differences of one subject that have one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseGroup<'a> {
    /// The difference that stands for the group: the gravest one. Of several equally grave ones, it is the
    /// one with the fewest men.
    pub first: &'a Difference,
    /// How many others there are, by check.
    pub others: BTreeMap<&'a str, u64>,
}

impl<'a> CauseGroup<'a> {
    /// The severity of the gravest difference.
    pub fn severity(&self) -> Severity {
        catalogue::severity(&self.first.check)
    }

    /// The number of differences.
    pub fn count(&self) -> u64 {
        1 + self.others.values().sum::<u64>()
    }

    /// The checks of the differences.
    pub fn checks(&self) -> impl Iterator<Item = &'a str> {
        std::iter::once(&*self.first.check).chain(self.others.keys().copied())
    }

    /// How many others there are, by check: `31 in draw/score, 43 in mate/unsound`. `None` if there is none.
    pub fn more(&self) -> Option<String> {
        let checks: Vec<String> =
            self.others.iter().map(|(check, count)| format!("{count} in {check}")).collect();
        (!checks.is_empty()).then(|| checks.join(", "))
    }
}

/// Groups differences by subject and cause. A difference without a cause is a group of its own.
pub fn causes<'a>(differences: impl IntoIterator<Item = &'a Difference>) -> Vec<CauseGroup<'a>> {
    let sorted = by_gravity(differences);
    let mut known = BTreeMap::<(&str, &str), usize>::new();
    let mut groups = Vec::<CauseGroup>::new();
    for found in sorted {
        let first = CauseGroup { first: found, others: BTreeMap::new() };
        if found.cause.is_none() {
            groups.push(first);
            continue;
        }
        match known.entry((&found.subject, found.cause_words())) {
            Entry::Vacant(place) => {
                place.insert(groups.len());
                groups.push(first);
            }
            Entry::Occupied(place) => *groups[*place.get()].others.entry(&found.check).or_default() += 1,
        }
    }
    groups
}

/// The cause of a difference, or its check if no cause is known.
pub(crate) fn cause_or_check(found: &Difference) -> &str {
    found.cause.as_ref().map_or(&found.check, Cause::words)
}

/// Differences in the order in which they are listed, the gravest first.
pub(crate) fn by_gravity<'a>(differences: impl IntoIterator<Item = &'a Difference>) -> Vec<&'a Difference> {
    sorted_by_gravity(differences.into_iter().collect())
}

fn sorted_by_gravity(mut differences: Vec<&Difference>) -> Vec<&Difference> {
    differences.sort_by(|one, other| natural::differences(one, other));
    differences.sort_by_cached_key(|found| gravity(found));
    differences
}

/// The sort key of a difference: the gravest one has the least value. A difference with a cause stands for
/// others; of these, the one with the fewest men comes first.
fn gravity(found: &Difference) -> impl Ord + use<> {
    let men =
        found.fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic).count();
    let size = if found.cause.is_none() { 0 } else { men };
    (Reverse(catalogue::severity(&found.check)), catalogue::rank(&found.check), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(check: &str, case: &str, fen: &str, cause: &str) -> Difference {
        let cause = Cause::read(cause.to_owned(), check);
        let [subject, check, case, fen] = ["mine", check, case, fen].map(str::to_owned);
        Difference { subject, check, case, fen, cause, ..Difference::default() }
    }

    #[test]
    fn differences_of_one_cause_are_one_group() {
        const CLOCK: &str = "the halfmove clock is not counted";
        let all = [
            found("draw/score", "fifty-clock/02", "8/8/8/8/8/k7/1r6/K7 w", CLOCK),
            found("draw/score", "fifty-clock/01", "8/8/8/8/8/k7/1r6/KN6 w", CLOCK),
            found("mate/unsound", "clock/03", "8/8/8/8/8/k7/1r6/KNN5 w", CLOCK),
            found("draw/score", "dead/01", "", ""),
            found("draw/score", "dead/02", "", ""),
            found("protocol/bad-fen", "empty", "", "protocol/bad-fen"),
            found("movegen/pins", "01", "", ""),
        ];
        let groups = causes(&all);
        let listed: Vec<_> = groups.iter().map(|group| (&*group.first.case, group.more())).collect();
        let expected = [
            ("01", None),
            ("clock/03", Some("2 in draw/score".to_owned())),
            ("dead/01", None),
            ("dead/02", None),
            ("empty", None),
        ];
        assert_eq!(listed, expected);
        assert_eq!(groups.iter().map(CauseGroup::count).sum::<u64>(), 7);
        let mut other = all[0].clone();
        other.subject = "theirs".to_owned();
        assert_eq!(causes([&all[0], &other]).len(), 2);
        assert_eq!(causes(&all[..2])[0].first.case, "fifty-clock/02", "the fewest men");
    }
}
