//! Heuristics compared with tables: a heading for each table, a line for each heuristic.

use std::fmt::Write as _;

use crate::KnowledgeRow;
use crate::layout::{Align, grouped, plain, table};
use suites::Decimal3;

/// The rows under a heading for each table, smaller tables first; empty without rows.
pub fn knowledge(rows: &[KnowledgeRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut rows: Vec<&KnowledgeRow> = rows.iter().collect();
    rows.sort_by(|a, b| (a.table.len(), &a.table, *a).cmp(&(b.table.len(), &b.table, *b)));
    let header =
        ["", "positions", "true +", "false +", "true -", "false -", "precision", "recall", "spearman"];
    let mut cells = vec![header.map(str::to_owned)];
    cells.extend(rows.iter().map(|row| line(row)));
    let right = Align::Right;
    let columns = [Align::Left, right, right, right, right, right, right, right, right];
    let mut text = String::new();
    let mut heading = None;
    let named = std::iter::once(None).chain(rows.iter().map(|row| Some(&row.table)));
    for (name, line) in named.zip(table(&columns, &cells)) {
        if let Some(name) = name
            && heading.replace(name) != Some(name)
        {
            let _ = writeln!(text, "{}", plain(name));
        }
        let _ = writeln!(text, "  {line}");
    }
    text
}

fn line(row: &KnowledgeRow) -> [String; 9] {
    let count = |count: Option<u64>| count.map(grouped).unwrap_or_default();
    let share = |share: Option<Decimal3>| share.map(|share| share.to_string()).unwrap_or_default();
    [
        plain(&row.heuristic),
        grouped(row.positions),
        count(row.true_positive),
        count(row.false_positive),
        count(row.true_negative),
        count(row.false_negative),
        share(row.precision),
        share(row.recall),
        share(row.spearman),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(heuristic: &str, table: &str, answers: Option<u64>, spearman: Option<i64>) -> KnowledgeRow {
        KnowledgeRow {
            heuristic: heuristic.to_owned(),
            table: table.to_owned(),
            positions: 1_200,
            true_positive: answers,
            false_positive: answers.map(|_| 0),
            true_negative: None,
            false_negative: None,
            precision: answers.map(|_| Decimal3(1_000)),
            recall: None,
            spearman: spearman.map(Decimal3),
        }
    }

    #[test]
    fn tables_with_fewer_men_come_first() {
        let rows = [
            row("evaluator", "KRvK", Some(1_000), Some(-40)),
            row("evaluator", "KBNvK", None, Some(735)),
            row("b", "KRvK", None, None),
        ];
        let expected = [
            "              positions   true +   false +   true -   false -   precision   recall   spearman",
            "KRvK",
            "  b               1,200",
            "  evaluator       1,200    1,000         0                          1.000              -0.040",
            "KBNvK",
            "  evaluator       1,200                                                                 0.735",
        ];
        assert_eq!(knowledge(&rows).lines().collect::<Vec<_>>(), expected);
        assert_eq!(knowledge(&[]), "");
    }
}
