//! A line for each engine and file of best moves: solved positions and points.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::layout::{grouped, plain};
use crate::{BestMoveRow, BestMoveVerdict};

/// The counts of one file.
#[derive(Default)]
struct Sum {
    solved: u64,
    asked: u64,
    points: Option<(u64, u64)>,
    /// Positions with other verdicts that are printed.
    others: BTreeMap<BestMoveVerdict, u64>,
}

impl Sum {
    fn add(&mut self, row: &BestMoveRow) {
        use BestMoveVerdict::{Malformed, Missed, NotAsked, Overruled, Solved};
        if !matches!(row.verdict, Solved | Missed) {
            *self.others.entry(row.verdict).or_default() += 1;
        }
        if matches!(row.verdict, Overruled | NotAsked | Malformed) {
            return;
        }
        self.asked += 1;
        self.solved += u64::from(row.verdict == Solved);
        if let Some(most) = row.most_points {
            let (points, of) = self.points.get_or_insert_default();
            *points += u64::from(row.points.unwrap_or_default());
            *of += u64::from(most);
        }
    }
}

/// One line an engine and file, such as `wac.epd: engine solved 201 of 300`.
pub fn best_moves(rows: &[BestMoveRow]) -> String {
    let mut files = BTreeMap::<(&str, &str), Sum>::new();
    for row in rows {
        files.entry((&row.suite, &row.subject)).or_default().add(row);
    }
    let mut text = String::new();
    for ((suite, subject), sum) in files {
        let Sum { solved, asked, points, others } = sum;
        let points = points.map(|(points, of)| format!(" (points {} of {})", grouped(points), grouped(of)));
        let others: Vec<String> =
            others.iter().map(|(verdict, count)| format!(", {} {verdict}", grouped(*count))).collect();
        let _ = writeln!(
            text,
            "{}: {} solved {} of {}{}{}",
            plain(suite),
            plain(subject),
            grouped(solved),
            grouped(asked),
            points.unwrap_or_default(),
            others.concat()
        );
    }
    text
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
        let expected = "sts.epd: mine solved 300 of 302 (points 3,003 of 3,020), 1 unanswered\n\
                        wac.epd: mine solved 1 of 3, 1 malformed, 1 not asked, 1 overruled, 1 thrown\n";
        assert_eq!(best_moves(&rows), expected);
        assert_eq!(best_moves(&[]), "");
    }
}
