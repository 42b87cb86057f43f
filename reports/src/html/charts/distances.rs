//! Distances to mate: those of whole tables, and those of wrong entries beside the true ones.

use std::collections::BTreeMap;

use suites::draws::GameResult;
use suites::{Answer, Difference};

use super::{Bars, Figure};
use crate::Run;

/// For each distance in plies: how many entries are stored with it, and how many truly have it.
type Counts = BTreeMap<u32, [u64; 2]>;

/// The most tables with a picture.
const MOST: usize = 6;

/// The distance in plies, if the answer is one.
fn plies(value: &Answer) -> Option<u32> {
    match value {
        Answer::Distance(plies) => plies.map(u32::from).filter(|plies| (1..2_000).contains(plies)),
        _ => None,
    }
}

/// Wrong entries by the distance that is stored and by the true one, for each subject and table.
pub(super) fn wrong_entries(run: &Run) -> Vec<Figure> {
    let mut tables = BTreeMap::<(&str, &str), Counts>::new();
    for found in &run.differences {
        let Difference { subject, case, stored, expected, .. } = found;
        if let Some((stored, expected)) = plies(stored).zip(plies(expected)) {
            let table = case.split('/').next().unwrap_or_default();
            let counts = tables.entry((subject, table)).or_default();
            counts.entry(stored).or_default()[0] += 1;
            counts.entry(expected).or_default()[1] += 1;
        }
    }
    let figure = |(number, ((subject, table), counts)): (usize, ((&str, &str), Counts))| {
        let group = |(plies, counts): (u32, [u64; 2])| {
            (plies.to_string(), counts.map(|count| (count > 0).then_some(count as f64)).to_vec())
        };
        Bars {
            id: &format!("wrong-entries-{}", number + 1),
            title: format!("Wrong entries of {subject} {table}"),
            caption: "Entries that differ by a distance: how many are stored with each distance to mate, and how many have it in truth.",
            axes: ["distance to mate in plies", "entries"],
            series: vec![("stored".to_owned(), "c-bad"), ("true".to_owned(), "c-good")],
            groups: counts.into_iter().map(group).collect(),
            stacked: false,
        }
        .figure()
    };
    tables.into_iter().filter(|(_, counts)| counts.len() > 2).take(MOST).enumerate().map(figure).collect()
}

/// The values of whole tables, from `histogram.csv`.
pub(super) fn tables(run: &Run) -> Vec<Figure> {
    let mut tables = BTreeMap::<&str, BTreeMap<u32, [f64; 2]>>::new();
    for row in &run.histogram {
        if let Some(dtm) = row.dtm {
            let place = usize::from(row.wdl == GameResult::Loss);
            tables.entry(&row.table).or_default().entry(dtm).or_default()[place] += row.positions as f64;
        }
    }
    let figure = |(number, (table, counts)): (usize, (&str, BTreeMap<u32, [f64; 2]>))| {
        let value = |count: f64| (count > 0.0).then_some(count);
        Bars {
            id: &format!("distances-{}", number + 1),
            title: format!("Distance to mate in {table}"),
            caption: "Positions by distance to mate, for the side to move: won and lost.",
            axes: ["distance to mate in plies", "positions"],
            series: vec![("won".to_owned(), "c-good"), ("lost".to_owned(), "c-old")],
            groups: counts
                .into_iter()
                .map(|(dtm, counts)| (dtm.to_string(), counts.map(value).to_vec()))
                .collect(),
            stacked: true,
        }
        .figure()
    };
    tables.into_iter().take(MOST).enumerate().map(figure).collect()
}
