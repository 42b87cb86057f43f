//! Differences, one for each cause, the gravest first.

use std::fmt::Write as _;

use suites::Difference;

use super::layout::{plain, rest};
use crate::{CauseGroup, DifferenceRow, Row, Run, causes};

/// The first `shown` causes, each with its smallest difference, how many others it has, and the command that shows it.
pub fn differences(run: &Run, shown: usize) -> String {
    let mut text = String::new();
    let mut listed = 0;
    for group in causes(&run.differences).iter().take(shown) {
        write(&mut text, group, run.answer_word(&group.first.subject));
        listed += group.count();
    }
    rest(&mut text, run.differed().saturating_sub(listed), DifferenceRow::FILE);
    text
}

fn write(text: &mut String, group: &CauseGroup, claim: &str) {
    let Difference { subject, check, case, fen, stored, expected, source, explanation, cause, replay } =
        group.first;
    let _ = writeln!(text, "{}: {} {}: {}", group.severity(), plain(subject), plain(check), plain(case));
    // Where no more is known of the cause than the check, the heading has it.
    let cause = if cause == check { "" } else { cause };
    let more = group.more().unwrap_or_default();
    let lines = [
        ("position", fen.as_str()),
        (claim, stored),
        ("expected", expected),
        ("source", source),
        ("because", explanation),
        ("cause", cause),
        ("more", &more),
    ];
    for (name, value) in lines.into_iter().filter(|(_, value)| !value.is_empty()) {
        let _ = writeln!(text, "  {name:<8}  {}", plain(value));
    }
    let _ = writeln!(text, "  {}", plain(replay));
}
