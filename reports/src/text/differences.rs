//! Differences, one for each cause, the gravest first.

use std::fmt::Write as _;

use crate::layout::{plain, rest};
use crate::replays::Replays;
use crate::{CauseGroup, DifferenceRow, Row, Run, causes, finding};

/// The first `shown` causes, each with its smallest difference, how many others it has, and the command that
/// shows it.
pub fn differences(run: &Run, shown: usize) -> String {
    let mut text = String::new();
    let mut listed = 0;
    let replays = run.replays();
    for group in causes(&run.differences).iter().take(shown) {
        write(&mut text, group, run.answer_word(&group.first.check, &group.first.subject), &replays);
        listed += group.count();
    }
    rest(&mut text, run.differed().saturating_sub(listed), DifferenceRow::FILE);
    text
}

fn write(text: &mut String, group: &CauseGroup, answer: &'static str, replays: &Replays) {
    let found = group.first;
    let title = finding::title_of(found);
    let _ = writeln!(text, "{}: {}: {}", group.severity(), plain(&found.subject), plain(title));
    for (name, value) in finding::lines(group, answer, replays) {
        let _ = match name {
            "replay" => writeln!(text, "  {}", plain(&value)),
            _ => writeln!(text, "  {name:<8}  {}", plain(&value)),
        };
    }
}
