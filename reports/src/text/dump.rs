//! The counts for each source of a dump.

use crate::DumpRow;
use crate::layout::{Align, grouped, plain, table};

/// A line for each source; empty if no dump was checked.
pub fn dump(rows: &[DumpRow]) -> String {
    let mut rows: Vec<&DumpRow> = rows.iter().collect();
    rows.sort();
    let cells = rows.iter().map(|row| {
        let DumpRow { source, agreed, differed, unknown } = row;
        let known = format!("{} of {}", grouped(*agreed), grouped(agreed + differed));
        let counted = |count: u64, word: &str| (count > 0).then(|| format!("{} {word}", grouped(count)));
        let words =
            [Some("agree".to_owned()), counted(*differed, "differ"), counted(*unknown, "unknown to it")];
        [plain(source), known, words.into_iter().flatten().collect::<Vec<_>>().join(", ")]
    });
    let cells: Vec<[String; 3]> = cells.collect();
    let lines = table(&[Align::Left, Align::Right, Align::Left], &cells);
    let lines = lines.iter().map(|line| format!("  {line}\n"));
    if rows.is_empty() {
        String::new()
    } else {
        ["rows of the dump by source\n".to_owned()].into_iter().chain(lines).collect()
    }
}
