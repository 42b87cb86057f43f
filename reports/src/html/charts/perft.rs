//! Perft counts by suite, as a table.

use std::collections::{BTreeMap, BTreeSet};

use super::Figure;
use crate::layout::grouped;
use crate::{PerftVerdict, Run};

/// The table; `None` if no positions were counted.
pub(super) fn figure(run: &Run) -> Option<Figure> {
    #[derive(Default)]
    struct Suite<'a> {
        positions: BTreeSet<&'a str>,
        verdicts: [u64; 3],
        depth: u32,
        nodes: u64,
    }
    let mut suites = BTreeMap::<&str, Suite>::new();
    for row in &run.perft {
        let suite = suites.entry(&row.suite).or_default();
        suite.positions.insert(&row.case);
        let verdict = match row.verdict {
            PerftVerdict::Agree => 0,
            PerftVerdict::Differ => 1,
            PerftVerdict::LeftOut => 2,
        };
        suite.verdicts[verdict] += 1;
        if let Some(nodes) = row.nodes {
            suite.depth = suite.depth.max(row.depth);
            suite.nodes = suite.nodes.saturating_add(nodes);
        }
    }
    let header = ["suite", "positions", "counts agree", "differ", "left out", "deepest", "nodes"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for (name, Suite { positions, verdicts: [agree, differ, left_out], depth, nodes }) in suites {
        let figures = [positions.len() as u64, agree, differ, left_out, u64::from(depth), nodes];
        table.push([name.to_owned()].into_iter().chain(figures.map(grouped)).collect());
    }
    (table.len() > 1).then(|| Figure {
        id: "perft".to_owned(),
        title: "Perft".to_owned(),
        caption: "Leaf nodes counted by the move generator, against the expected counts.".to_owned(),
        table,
        wide: true,
        ..Figure::default()
    })
}
