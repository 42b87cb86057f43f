//! The first differences, each with the command that reproduces it.

use std::fmt::Write as _;

use suites::Difference;
use suites::catalogue::Severity;

use super::layout::{plain, rest};
use crate::{DifferenceRow, Row, Run};

/// The first `shown` differences, the gravest first, each with its replay command on a line of its own. The rest is counted.
pub fn differences(run: &Run, shown: usize) -> String {
    let mut text = String::new();
    let gravest_first = Severity::ALL.into_iter().rev();
    let all = gravest_first.flat_map(|severity| {
        run.differences_with(severity).into_iter().map(move |difference| (severity, difference))
    });
    let first: Vec<_> = all.take(shown).collect();
    for (severity, difference) in &first {
        let is_program = run.engine.as_ref().is_some_and(|card| card.name == difference.subject);
        write(&mut text, *severity, difference, if is_program { "got" } else { "stored" });
    }
    rest(&mut text, run.differed() - first.len() as u64, DifferenceRow::FILE);
    text
}

fn write(text: &mut String, severity: Severity, difference: &Difference, claim: &str) {
    let Difference { subject, check, case, fen, stored, expected, source, explanation, replay } = difference;
    let _ = writeln!(text, "{severity}: {} {}: {}", plain(subject), plain(check), plain(case));
    let lines = [
        ("position", fen),
        (claim, stored),
        ("expected", expected),
        ("source", source),
        ("because", explanation),
    ];
    for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "  {name:<8}  {}", plain(value));
    }
    let _ = writeln!(text, "  {}", plain(replay));
}
