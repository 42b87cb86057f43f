//! Reads the counts that programs print. Each program prints them in a form of its own, so the form is
//! detected.
//!
//! The text before a number on its line identifies the number. In this text `#` stands for each number.
//! Positions with known counts show which number is the total.

use crate::move_text::is_uci_move;

/// The printed lines that are not part of UCI.
pub(super) type Printed = Vec<String>;

/// How a program prints the total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TotalFormat {
    /// After this text.
    After(String),
    /// It prints no total. The counts of the moves are added up.
    SumOfMoves,
}

impl TotalFormat {
    /// Detects it from what was printed for depths with known counts. `None` if no count was printed.
    ///
    /// One total must be right and the others within a factor of two, so that programs with wrong counts are
    /// recognised too. A printed total is preferred to one that is added up.
    pub(super) fn detect(printed: &[(u64, Printed)]) -> Option<Self> {
        let (_, first) = printed.first()?;
        let figures = first.iter().flat_map(|line| figures(line)).map(|(before, _)| Self::After(before));
        let ways = figures.filter_map(|way| Some((way.correct_totals(printed)?, way)));
        let best = ways.max_by_key(|(right, _)| *right);
        let added = || TotalFormat::SumOfMoves.correct_totals(printed).map(|_| TotalFormat::SumOfMoves);
        best.map(|(_, way)| way).or_else(added)
    }

    /// How many totals are right in this format. `None` if it cannot be the format.
    fn correct_totals(&self, printed: &[(u64, Printed)]) -> Option<usize> {
        let values: Option<Vec<(u64, u64)>> =
            printed.iter().map(|(count, lines)| Some((*count, self.read(lines)?))).collect();
        let values = values?;
        let is_near = |&(count, value): &(u64, u64)| value <= 2 * count && 2 * value >= count;
        let right = values.iter().filter(|(count, value)| count == value).count();
        (right > 0 && values.iter().all(is_near)).then_some(right)
    }

    /// The total that was printed, or the last of several.
    pub(super) fn read(&self, printed: &[String]) -> Option<u64> {
        match self {
            Self::After(text) => {
                let figures = printed.iter().rev().flat_map(|line| figures(line));
                figures.into_iter().find(|(before, _)| before == text).map(|(_, figure)| figure)
            }
            TotalFormat::SumOfMoves => {
                let counts: Vec<u64> =
                    printed.iter().filter_map(|line| by_move(line)).map(|(_, n)| n).collect();
                (!counts.is_empty()).then(|| counts.iter().fold(0, |sum: u64, &n| sum.saturating_add(n)))
            }
        }
    }
}

/// The moves that were printed with a count, in the order of the lines.
pub(super) fn moves(printed: &[String]) -> Vec<String> {
    printed.iter().filter_map(|line| by_move(line)).map(|(mv, _)| mv).collect()
}

/// A line such as `e2e4: 20`, ` 1. e7e8=Q 20` or `Move: e2e4 Nodes: 20`.
fn by_move(line: &str) -> Option<(String, u64)> {
    let mut tokens = line.split(|c: char| c.is_whitespace() || c == ':').filter(|token| !token.is_empty());
    let mv = tokens.by_ref().take(3).find_map(a_move)?;
    let count = tokens.find_map(number)?;
    Some((mv, count))
}

/// A move in UCI notation. `e7-e8=Q` and `e7e8Q` are read too.
fn a_move(token: &str) -> Option<String> {
    let token = token.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
    let plain: String = token.chars().filter(|&c| c != '=' && c != '-').collect();
    is_uci_move(&plain).then_some(plain)
}

fn number(token: &str) -> Option<u64> {
    let token = token.trim_matches(|c: char| !c.is_ascii_digit());
    let digits: String = token.chars().filter(|c| !matches!(c, ',' | '\'' | '_')).collect();
    digits.parse().ok()
}

/// The numbers of a line, each with the text before it. A line with the count of a move has none.
fn figures(line: &str) -> Vec<(String, u64)> {
    if by_move(line).is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut before = String::new();
    let mut rest = line.trim();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, ',' | '\'' | '_');
        let end = rest[start..].find(|c| !is_part(c)).map_or(rest.len(), |end| start + end);
        before.push_str(&rest[..start]);
        if let Some(figure) = number(&rest[start..end]) {
            found.push((before.clone(), figure));
        }
        before.push('#');
        rest = &rest[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Printed {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(texts: [&str; 3], expected: Option<&str>) {
        let answers: Vec<(u64, Printed)> = [20, 400, 8_902].into_iter().zip(texts.map(printed)).collect();
        let found = TotalFormat::detect(&answers).map(|sum| match sum {
            TotalFormat::After(text) => text,
            TotalFormat::SumOfMoves => "added".to_owned(),
        });
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn totals_are_found_in_many_formats() {
        check(
            ["e2e4: 1\n\nNodes searched: 20\n", "e2e4: 20\nNodes searched: 400", "Nodes searched: 8902"],
            Some("Nodes searched: "),
        );
        check(["20", "400", "8902"], Some(""));
        check(
            ["perft 1 = 20 in 0.000 s", "perft 2 = 400 in 0.001 s", "perft 3 = 8,902 in 0.02 s"],
            Some("perft # = "),
        );
        check(
            ["info string 20 nodes", "info string 400 nodes", "info string 8902 nodes"],
            Some("info string "),
        );
        check(
            ["Perft(1): 20", "Perft(1): 20\nPerft(2): 400", "Perft(1): 20\nPerft(2): 400\nPerft(3): 8902"],
            Some("Perft(#): "),
        );
        check(["a2a3 10\n b2b3 10", "1. a2a3: 200\n2. b2b3: 200", "a2-a3 8900\nb2b3 2"], Some("added"));
        // A printed total is preferred, even if the counts of the moves add up to a better one.
        check(["a2a3: 20\nsum 20", "a2a3: 400\nsum 401", "a2a3: 8902\nsum 8902"], Some("sum "));
        // Wrong totals at one or two depths are accepted.
        check(["nodes 20", "nodes 399", "nodes 8902"], Some("nodes "));
        check(["nodes 20", "nodes 399", "nodes 8900"], Some("nodes "));
    }

    #[test]
    fn output_without_counts_is_not_recognised() {
        check(["", "", ""], None);
        check(
            ["Unknown command: perft 1\n1", "Unknown command: perft 2\n2", "Unknown command: perft 3\n3"],
            None,
        );
        check(["20 options", "20 options", "20 options"], None);
        check(["nodes 19", "nodes 399", "nodes 8900"], None);
    }

    #[test]
    fn moves_are_read_in_any_form() {
        let lines = "e2e4: 20\n 12. e7e8=Q 4\nMove: a2-a1n Nodes: 1,000\nNodes searched: 400\ne2e9: 4\n";
        assert_eq!(moves(&printed(lines)), ["e2e4", "e7e8q", "a2a1n"]);
        assert_eq!(TotalFormat::SumOfMoves.read(&printed(lines)), Some(1024));
        assert_eq!(TotalFormat::SumOfMoves.read(&[]), None);
    }
}
