//! A line for each engine and file of best moves: solved positions and points; then the positions that were
//! not solved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::layout::{grouped, plain, rest};
use crate::{BestMoveRow, BestMoveVerdict, Row};

/// The counts of one file.
#[derive(Default)]
struct Sum<'a> {
    solved: u64,
    asked: u64,
    points: Option<(u64, u64)>,
    /// Positions with other verdicts that are printed.
    others: BTreeMap<BestMoveVerdict, u64>,
    /// The limits of the searches.
    limits: BTreeSet<&'a str>,
}

impl<'a> Sum<'a> {
    fn add(&mut self, row: &'a BestMoveRow) {
        use BestMoveVerdict::{Malformed, Missed, NotAsked, Overruled, Solved};
        if !matches!(row.verdict, Solved | Missed) {
            *self.others.entry(row.verdict).or_default() += 1;
        }
        if matches!(row.verdict, Overruled | NotAsked | Malformed) {
            return;
        }
        self.asked += 1;
        self.limits.insert(&row.limit);
        self.solved += u64::from(row.verdict == Solved);
        if let Some(most) = row.most_points {
            let (points, of) = self.points.get_or_insert_default();
            *points += u64::from(row.points.unwrap_or_default());
            *of += u64::from(most);
        }
    }
}

/// One line an engine and file, such as `wac.epd: engine solved 201 of 300, limit nodes 1000000`, and one for
/// each of the first `shown` positions that were not solved, with the move that was played.
pub fn best_moves(rows: &[BestMoveRow], shown: usize) -> String {
    let mut files = BTreeMap::<(&str, &str), Sum>::new();
    for row in rows {
        files.entry((&row.suite, &row.subject)).or_default().add(row);
    }
    let mut text = String::new();
    for ((suite, subject), sum) in files {
        let Sum { solved, asked, points, others, limits } = sum;
        let limits = limits.into_iter().filter(|limit| !limit.is_empty());
        let limits: Vec<String> = limits.map(|limit| format!(", limit {}", plain(limit))).collect();
        let points = points.map(|(points, of)| format!(" (points {} of {})", grouped(points), grouped(of)));
        let others: Vec<String> =
            others.iter().map(|(verdict, count)| format!(", {} {verdict}", grouped(*count))).collect();
        let _ = writeln!(
            text,
            "{}: {} solved {} of {}{}{}{}",
            plain(suite),
            plain(subject),
            grouped(solved),
            grouped(asked),
            points.unwrap_or_default(),
            others.concat(),
            limits.concat()
        );
    }
    let mut unsolved: Vec<&BestMoveRow> =
        rows.iter().filter(|row| row.verdict != BestMoveVerdict::Solved).collect();
    unsolved.sort();
    for row in unsolved.iter().take(shown) {
        let _ = writeln!(text, "  {}", not_solved(row));
    }
    rest(&mut text, unsolved.len().saturating_sub(shown) as u64, BestMoveRow::FILE);
    text
}

/// A position that was not solved: its line, what is best, and what was played.
fn not_solved(row: &BestMoveRow) -> String {
    let BestMoveRow { suite, line, id, best, avoid, played, verdict, .. } = row;
    let wanted = [("best", best), ("to avoid", avoid)].into_iter().filter(|(_, moves)| !moves.is_empty());
    let played = if played.is_empty() { String::new() } else { format!(": {played}") };
    let parts = std::iter::once(format!("{suite}:{line}: {verdict}{played}"))
        .chain(wanted.map(|(name, moves)| format!("{name} {moves}")))
        .chain((!id.is_empty()).then(|| id.clone()));
    plain(&parts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(suite: &str, verdict: BestMoveVerdict, points: Option<(u32, u32)>) -> BestMoveRow {
        BestMoveRow {
            subject: "mine".to_owned(),
            suite: suite.to_owned(),
            line: 1,
            id: String::new(),
            best: "Qg6".to_owned(),
            avoid: String::new(),
            played: "Qg6".to_owned(),
            points: points.map(|(points, _)| points),
            most_points: points.map(|(_, most)| most),
            verdict,
            limit: "depth 9".to_owned(),
        }
    }

    #[test]
    fn solved_positions_and_points_are_counted_by_file() {
        use BestMoveVerdict::{Malformed, Missed, NotAsked, Overruled, Solved, Thrown, Unanswered};
        let mut rows = vec![row("wac.epd", Solved, None), row("wac.epd", Missed, None)];
        rows.extend([Overruled, NotAsked, Malformed, Thrown].map(|verdict| row("wac.epd", verdict, None)));
        rows.extend((0..300).map(|_| row("sts.epd", Solved, Some((10, 10)))));
        rows.push(row("sts.epd", Missed, Some((3, 10))));
        rows.push(row("sts.epd", Unanswered, Some((0, 10))));
        let expected = "sts.epd: mine solved 300 of 302 (points 3,003 of 3,020), 1 unanswered, limit depth 9\n\
                        wac.epd: mine solved 1 of 3, 1 malformed, 1 not asked, 1 overruled, 1 thrown, limit depth 9\n";
        assert_eq!(best_moves(&rows, 0).lines().take(2).collect::<Vec<_>>().join("\n") + "\n", expected);
        assert_eq!(best_moves(&[], 9), "");
    }

    #[test]
    fn positions_that_were_not_solved_are_named() {
        let missed = BestMoveRow {
            line: 7,
            id: "WAC.007".to_owned(),
            played: "Kh1".to_owned(),
            ..row("wac.epd", BestMoveVerdict::Missed, None)
        };
        let malformed = BestMoveRow {
            best: String::new(),
            played: String::new(),
            ..row("wac.epd", BestMoveVerdict::Malformed, None)
        };
        let rows = [missed, malformed, row("wac.epd", BestMoveVerdict::Solved, None)];
        let expected = "wac.epd: mine solved 1 of 2, 1 malformed, limit depth 9\n  wac.epd:1: malformed\n  \
                        wac.epd:7: missed: Kh1, best Qg6, WAC.007\n";
        assert_eq!(best_moves(&rows, 9), expected);
        assert!(best_moves(&rows, 1).ends_with("and 1 more: all are in bestmove.csv\n"));
    }
}
