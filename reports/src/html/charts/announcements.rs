//! Announcements of mates: how many are exact, too long, wrong or missing, by distance; and the nodes that
//! they took.

use std::collections::BTreeMap;

use super::{Bars, Figure};
use crate::html::Named;
use crate::{MateRow, MateVerdict};

/// Exact, longer, none, wrong; `None` if the row says nothing of a mate.
fn kind(row: &MateRow) -> Option<usize> {
    use MateVerdict::{
        BadLine, BadMove, Exact, Flaky, Longer, Malformed, Missed, None as NoMate, NotAsked, NotFound,
        NotToldApart, Thrown, Unanswered, Undecided, Unknown, Unsound, WrongSign,
    };
    match row.verdict {
        Exact => Some(0),
        Longer => Some(1),
        Missed | NotFound | Unanswered => Some(2),
        BadLine | BadMove | Thrown | Unsound | WrongSign => Some(3),
        Flaky | Malformed | NoMate | NotAsked | NotToldApart | Undecided | Unknown => None,
    }
}

const KINDS: [(&str, &str); 4] =
    [("exact", "c-good"), ("longer", "c-warn"), ("none", "c-none"), ("wrong", "c-bad")];

type ByDistance = BTreeMap<u32, [u64; 4]>;

fn by_distance(rows: &[MateRow]) -> ByDistance {
    let mut counts = ByDistance::new();
    for row in rows {
        if let Some((mate, kind)) = row.mate.zip(kind(row)) {
            counts.entry(mate.unsigned_abs()).or_default()[kind] += 1;
        }
    }
    counts
}

/// Two pictures: the announcements by distance, and the median of nodes.
pub(super) fn figures(last: &Named, old: Option<&Named>) -> Vec<Figure> {
    let counts = by_distance(&last.run.mates);
    if counts.is_empty() {
        return Vec::new();
    }
    let value = |count: u64| (count > 0).then_some(count as f64);
    let groups = counts.iter().map(|(mate, counts)| (mate.to_string(), counts.map(value).to_vec())).collect();
    let all = Bars {
        id: "announcements",
        title: "Mates announced".to_owned(),
        caption: "Positions with a known mate, by its distance, and what was announced of them.",
        axes: ["mate in moves", "positions"],
        series: KINDS.map(|(name, class)| (name.to_owned(), class)).to_vec(),
        groups,
        stacked: true,
    };
    [Some(all.figure()), nodes(last, old)].into_iter().flatten().collect()
}

/// The median of nodes up to the first true announcement, by distance.
fn nodes(last: &Named, old: Option<&Named>) -> Option<Figure> {
    let runs: Vec<&Named> = old.into_iter().chain([last]).collect();
    let medians: Vec<BTreeMap<u32, f64>> = runs.iter().map(|named| median_nodes(&named.run.mates)).collect();
    let mut distances: Vec<u32> = medians.iter().flat_map(|medians| medians.keys().copied()).collect();
    distances.sort_unstable();
    distances.dedup();
    let groups: Vec<_> = distances
        .iter()
        .map(|mate| (mate.to_string(), medians.iter().map(|medians| medians.get(mate).copied()).collect()))
        .collect();
    let classes = if runs.len() > 1 { ["c-old", "c-new"] } else { ["c-new"; 2] };
    let series = runs.iter().zip(classes).map(|(named, class)| (named.name.clone(), class)).collect();
    let chart = Bars {
        id: "nodes",
        title: "Nodes to announce a mate".to_owned(),
        caption: "The median of nodes up to the first true announcement, by distance. Less is better.",
        axes: ["mate in moves", "nodes"],
        series,
        groups,
        stacked: false,
    };
    (!distances.is_empty()).then(|| chart.figure())
}

fn median_nodes(rows: &[MateRow]) -> BTreeMap<u32, f64> {
    let mut nodes = BTreeMap::<u32, Vec<u64>>::new();
    for row in rows {
        if let Some((mate, count)) = row.mate.zip(row.nodes) {
            nodes.entry(mate.unsigned_abs()).or_default().push(count);
        }
    }
    let median = |mut counts: Vec<u64>| {
        counts.sort_unstable();
        let half = counts.len() / 2;
        let middle = if counts.len() % 2 == 1 { half } else { half - 1 };
        f64::midpoint(counts[middle] as f64, counts[half] as f64)
    };
    nodes.into_iter().map(|(mate, counts)| (mate, median(counts))).collect()
}
