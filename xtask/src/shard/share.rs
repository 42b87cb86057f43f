//! Which units of a run a shard does. The rule depends only on the units, not on threads, time or the
//! machine.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Shard;

/// The units of this shard, from all units of a run and their costs. The dearest unit goes first, and each
/// unit goes to the shard that has least so far. Of equal units, the one with the smaller name goes first. Of
/// equal shards, the one with the smaller number takes the unit. Units have different names.
pub(crate) fn share(units: impl IntoIterator<Item = (String, u64)>, shard: Shard) -> BTreeSet<String> {
    share_of(units.into_iter().collect(), shard)
}

fn share_of(mut units: Vec<(String, u64)>, shard: Shard) -> BTreeSet<String> {
    units.sort_by(|one, other| (Reverse(one.1), &one.0).cmp(&(Reverse(other.1), &other.0)));
    let mut loads = vec![0_u64; shard.of as usize];
    let mut own = BTreeSet::new();
    for (unit, cost) in units {
        let least = (0..loads.len()).min_by_key(|&number| loads[number]).unwrap_or_default();
        // A unit without cost counts too, so that such units are dealt out evenly.
        loads[least] = loads[least].saturating_add(cost.max(1));
        if least + 1 == shard.number as usize {
            own.insert(unit);
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(units: &[(&str, u64)], of: u32) -> Vec<String> {
        let units = || units.iter().map(|&(name, cost)| (name.to_owned(), cost));
        (1..=of).map(|number| share(units(), Shard { number, of }).into_iter().collect()).collect()
    }

    #[test]
    fn the_dearest_unit_goes_to_the_shard_that_has_least() {
        let units = [("c", 3), ("a", 5), ("b", 4), ("d", 2)];
        assert_eq!(shares(&units, 1), ["abcd"]);
        assert_eq!(shares(&units, 2), ["ad", "bc"]);
        assert_eq!(shares(&units, 3), ["a", "b", "cd"]);
        assert_eq!(shares(&units, 5), ["a", "b", "c", "d", ""]);
    }

    #[test]
    fn the_order_of_the_units_does_not_matter() {
        let mut units = [("a", 7), ("b", 7), ("c", 7), ("d", 0), ("e", 0), ("f", 1)];
        let before = shares(&units, 4);
        units.reverse();
        assert_eq!(shares(&units, 4), before);
        assert_eq!(before, ["a", "b", "c", "def"]);
    }
}
