//! The changes for a terminal.

use std::fmt::Write as _;

use super::{Regress, Side, details, heading};
use crate::layout::{grouped, plain, rest};
use crate::{CompareRow, Row, SpeedRow, SpeedVerdict};

/// The two versions, the first `shown` groups of changes, the speed, and the result last.
pub(super) fn render(regress: &Regress, shown: usize) -> String {
    let mut text = String::new();
    for (which, side) in [("old", &regress.old), ("new", &regress.new)] {
        let _ = writeln!(text, "{which}  {}", introduction(side));
    }
    let groups = regress.groups();
    let replays = regress.replays();
    for group in groups.iter().take(shown) {
        let row = group.first();
        let more = match group.rows.len() - 1 {
            0 => String::new(),
            more => format!(", and {} more", grouped(more as u64)),
        };
        let _ = writeln!(text, "\n{}{more}", plain(&heading(row, regress.fails_from)));
        for (name, value) in details(row, &replays) {
            let _ = match name {
                "replay" => writeln!(text, "  {}", plain(&value)),
                _ => writeln!(text, "  {name:<8}  {}", plain(&value)),
            };
        }
    }
    let beyond = groups.iter().skip(shown).map(|group| group.rows.len() as u64).sum();
    rest(&mut text, beyond, CompareRow::FILE);
    if let Some(neutral) = regress.neutral() {
        let _ = writeln!(text, "\n{neutral}");
    }
    if !regress.speed.is_empty() {
        text.push('\n');
    }
    for row in &regress.speed {
        let _ = writeln!(text, "{}", measured(row));
    }
    for note in &regress.notes {
        let _ = writeln!(text, "\nnote: {}", plain(note));
    }
    let _ = writeln!(text, "\n{}", regress.verdict());
    text
}

fn introduction(side: &Side) -> String {
    let engine = if side.engine.is_empty() { String::new() } else { format!(": {}", plain(&side.engine)) };
    format!("{}{engine}; {} cases", plain(&side.label), grouped(side.compared))
}

/// A measure of speed on one line.
pub(super) fn measured(row: &SpeedRow) -> String {
    let SpeedRow { measure, rounds, a, b, ratio, low, high, p, verdict, builds } = row;
    let [a, b] = [a, b].map(|rate| match rate.0 {
        1_000_000.. => grouped(rate.0.unsigned_abs() / 1_000),
        _ => rate.to_string(),
    });
    let p = if p.0 == 0 { "p < 0.001".to_owned() } else { format!("p = {p}") };
    let builds = if *builds > 1 { format!(" of each of {builds} builds") } else { String::new() };
    let why = if *verdict == SpeedVerdict::Noise { ", or within 2 %" } else { "" };
    format!(
        "{measure}: {a} and {b}, ratio {ratio} (95 % interval {low} to {high} by bootstrap, {p} by permutation, \
         {rounds} rounds{builds}): {verdict}{why}"
    )
}
