//! A table for each engine: games won, by ending and aids.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::ConversionRow;
use crate::layout::{Align, plain, table};

/// The column `aids` of a row without aids.
const NONE: &str = "none";

/// A row for each ending, a column for each set of aids, the largest sets to the left.
pub fn conversion(rows: &[ConversionRow]) -> String {
    let mut text = String::new();
    let subjects: BTreeSet<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    for subject in subjects {
        let played: BTreeMap<(&str, &str), &ConversionRow> = rows
            .iter()
            .filter(|row| row.subject == subject)
            .map(|row| ((row.ending.as_str(), row.aids.as_str()), row))
            .collect();
        let all = played.keys().map(|(_, aids)| *aids).max_by_key(|aids| count(aids)).unwrap_or_default();
        let mut columns: Vec<&str> = played.keys().map(|(_, aids)| *aids).collect();
        columns.sort_by_key(|aids| (std::cmp::Reverse(count(aids)), *aids));
        columns.dedup();
        let heading = std::iter::once(String::new()).chain(columns.iter().map(|aids| named(aids, all)));
        let mut lines = vec![heading.collect::<Vec<String>>()];
        let endings: BTreeSet<&str> = played.keys().map(|(ending, _)| *ending).collect();
        for ending in endings {
            let cell = |aids: &&str| {
                played
                    .get(&(ending, *aids))
                    .map_or(String::new(), |row| format!("{} of {}", row.won, row.games))
            };
            lines.push(std::iter::once(plain(ending)).chain(columns.iter().map(cell)).collect());
        }
        let mut sides = vec![Align::Right; columns.len() + 1];
        sides[0] = Align::Left;
        let _ = writeln!(text, "games won by {}", plain(subject));
        for line in table(&sides, &lines) {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

/// How many aids a set has.
fn count(aids: &str) -> usize {
    if aids == NONE { 0 } else { aids.split('+').count() }
}

/// A short name for a set of aids: what is missing, or the only one that is on.
fn named(aids: &str, all: &str) -> String {
    if aids == NONE {
        return "no aids".to_owned();
    }
    if aids == all {
        return "all aids".to_owned();
    }
    let on: BTreeSet<&str> = aids.split('+').collect();
    let off: Vec<&str> = all.split('+').filter(|aid| !on.contains(aid)).collect();
    plain(&match (on.len(), &off[..]) {
        (1, _) => format!("{aids} alone"),
        (_, [off]) => format!("no {off}"),
        _ => aids.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_aids_have_short_names() {
        let check = |aids, expected| assert_eq!(named(aids, "tables+knowledge+hash"), expected);
        check("tables+knowledge+hash", "all aids");
        check("knowledge+hash", "no tables");
        check("hash", "hash alone");
        check("none", "no aids");
        assert_eq!(named("hash", "hash"), "all aids");
        assert_eq!(named("none", "none"), "no aids");
    }
}
