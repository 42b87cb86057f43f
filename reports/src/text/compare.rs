//! The comparison of two engines.

use std::fmt::Write as _;

use crate::layout::{grouped, plain, rest};
use crate::{CompareRow, EngineCard, Row};

/// The two engines, how many cases they answer differently, and the first `shown` of these.
pub fn compare(a: &EngineCard, b: &EngineCard, rows: &[CompareRow], shown: usize) -> String {
    let mut text = String::new();
    for (side, card) in [("a", a), ("b", b)] {
        let _ = write!(text, "{side}  {}", super::engine(card));
    }
    if rows.is_empty() {
        text.push_str("\nboth do the same\n");
        return text;
    }
    let worse = rows.iter().filter(|row| row.is_worse()).count();
    let _ = writeln!(text, "\nb is wrong where a is right: {}", grouped(worse as u64));
    let better = rows.iter().filter(|row| row.is_better()).count();
    let _ = writeln!(text, "a is wrong where b is right: {}", grouped(better as u64));
    let others = rows.len() - worse - better;
    if others > 0 {
        let _ = writeln!(text, "only one was compared: {}", grouped(others as u64));
    }
    text.push('\n');
    let mut sorted: Vec<&CompareRow> = rows.iter().collect();
    sorted.sort_by_key(|row| (!row.is_worse(), !row.is_open(), !row.is_better(), *row));
    for CompareRow { check, case, a, b, fen, expected, replay, .. } in sorted.iter().take(shown) {
        let _ = writeln!(text, "{}: {}\n  a  {}\n  b  {}", plain(check), plain(case), plain(a), plain(b));
        for (name, value) in [("position  ", fen), ("expected  ", expected), ("", replay)] {
            if !value.is_empty() {
                let _ = writeln!(text, "  {name}{}", plain(value));
            }
        }
    }
    rest(&mut text, rows.len().saturating_sub(shown) as u64, CompareRow::FILE);
    text
}
