//! Won endings: how many are won, and how much longer than necessary that takes, by ending and aid.

use std::collections::BTreeMap;

use super::{Bars, Figure};
use crate::ConversionRow;
use crate::html::Named;

/// Classes of colours of the aids.
const CLASSES: [&str; 6] = ["c-1", "c-2", "c-3", "c-4", "c-5", "c-6"];

/// The picture of extra plies; its table has the games too.
pub(super) fn figure(last: &Named, old: Option<&Named>) -> Option<Figure> {
    let runs: Vec<&Named> = old.into_iter().chain([last]).collect();
    // One series for each set of aids of each run.
    let mut series = Vec::<(usize, &str)>::new();
    let mut endings = BTreeMap::<&str, BTreeMap<(usize, &str), &ConversionRow>>::new();
    for (number, named) in runs.iter().enumerate() {
        for row in &named.run.conversion {
            let key = (number, row.aids.as_str());
            if !series.contains(&key) {
                series.push(key);
            }
            endings.entry(&row.ending).or_default().insert(key, row);
        }
    }
    // If there are many sets of aids, the chart draws those with the most endings.
    let count = |key: &(usize, &str)| endings.values().filter(|rows| rows.contains_key(key)).count();
    series.sort_unstable_by_key(|(number, aids)| (*aids, *number));
    series.sort_by_key(|key| std::cmp::Reverse(count(key)));
    let left_out = series.len().saturating_sub(CLASSES.len());
    series.truncate(CLASSES.len());
    let name = |(number, aids): &(usize, &str)| match (runs.len(), *aids) {
        (1, "none") => "no aids of the engine".to_owned(),
        (1, aids) => aids.to_owned(),
        (_, "none") => runs[*number].name.clone(),
        (_, aids) => format!("{}: {aids}", runs[*number].name),
    };
    let plies = |row: &ConversionRow| row.plies_lost.map(|plies| plies.0 as f64 / 1_000.0);
    let groups: Vec<_> = endings
        .iter()
        .map(|(ending, rows)| {
            let values = series.iter().map(|key| rows.get(key).and_then(|row| plies(row))).collect();
            ((*ending).to_owned(), values)
        })
        .collect();
    let bars = Bars {
        id: "conversion",
        title: "Won endings".to_owned(),
        caption: "Plies that games won took beyond the distance to mate, on average. The table has the games won.",
        axes: ["ending", "extra plies"],
        series: series.iter().zip(CLASSES).map(|(key, class)| (name(key), class)).collect(),
        groups,
        stacked: false,
    };
    let mut table = vec![["ending", "aids", "limit", "won", "extra plies"].map(str::to_owned).to_vec()];
    for (ending, rows) in &endings {
        for (key, row) in rows {
            let won = format!("{} of {}", row.won, row.games);
            let extra = row.plies_lost.map(|plies| plies.to_string()).unwrap_or_default();
            table.push(vec![(*ending).to_owned(), name(key), row.limit.clone(), won, extra]);
        }
    }
    let figure = bars.figure();
    let more = if left_out > 0 {
        format!(" {left_out} more sets of aids are in the table alone.")
    } else {
        String::new()
    };
    let caption = figure.caption.clone() + &more;
    (!endings.is_empty()).then_some(Figure { caption, table, ..figure })
}
