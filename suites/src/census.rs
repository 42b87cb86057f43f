//! Published counts: how many positions each table has, and how they end.
//!
//! `data/census.csv` says at its head what each column means and where the figures come from. An empty field
//! is a figure that nobody published; it is never filled with a count of our own.

use crate::csv_rows::{self, Row};
use crate::format::{Fault, FormatError, Reader};
use crate::table_name;

const COLUMNS: [&str; 14] = [
    "table",
    "side_to_move",
    "legal_unique",
    "wins_unique",
    "draws_unique",
    "losses_unique",
    "legal",
    "wins",
    "draws",
    "losses",
    "checkmates_unique",
    "checkmates",
    "longest_plies",
    "longest_count",
];

/// Who is to move; the stronger side is White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SideToMove {
    /// The side named first in the table's name.
    White,
    /// The other side.
    Black,
}

impl SideToMove {
    /// `white` or `black`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}

/// Positions by outcome, from the side to move's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcomes {
    /// All legal positions.
    pub legal: u64,
    /// Won ones.
    pub wins: u64,
    /// Drawn ones.
    pub draws: u64,
    /// Lost ones.
    pub losses: u64,
}

/// What is published of one table with one side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CensusRow {
    /// Name of the table, such as `KPvK`.
    pub table: String,
    /// Who is to move.
    pub side_to_move: SideToMove,
    /// One position per symmetry class, identical pieces distinct.
    pub unique: Outcomes,
    /// Every placement on 64 squares.
    pub raw: Option<Outcomes>,
    /// Positions where the side to move is checkmated, one per symmetry class.
    pub checkmates_unique: Option<u64>,
    /// Positions where the side to move is checkmated, on 64 squares.
    pub checkmates: Option<u64>,
    /// The longest forced mate for or against the side to move, in plies.
    pub longest_plies: Option<u32>,
    /// How many positions on 64 squares need so long.
    pub longest_count: Option<u64>,
}

/// The published counts that the program carries in itself: both sides of every table up to four men.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<CensusRow>, FormatError> {
    parse("census.csv", include_str!("../data/census.csv"))
}

/// Reads published counts; `file` names them in errors.
///
/// # Errors
/// A malformed field, outcomes that do not add up, a repeated row, or another number of rows than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<CensusRow>, FormatError> {
    let mut reader = Reader::new(file, text)?;
    let mut rows = Vec::new();
    for row in csv_rows::read(&reader, &COLUMNS, text)? {
        let parsed = parse_row(&reader, &row)?;
        reader.count(row.line, &format!("{} {}", parsed.table, parsed.side_to_move.as_str()))?;
        rows.push(parsed);
    }
    reader.finish()?;
    Ok(rows)
}

fn parse_row(reader: &Reader<'_>, row: &Row) -> Result<CensusRow, FormatError> {
    let count = |column| {
        let text = row.get(column);
        if text.is_empty() { Ok(None) } else { reader.number(row.line, "a count or nothing", text).map(Some) }
    };
    let outcomes = |columns: [usize; 4]| {
        let [legal, wins, draws, losses] = columns.map(count);
        let outcomes = match (legal?, wins?, draws?, losses?) {
            (Some(legal), Some(wins), Some(draws), Some(losses)) => Outcomes { legal, wins, draws, losses },
            (None, None, None, None) => return Ok(None),
            _ => return Err(reader.unexpected(row.line, "all four outcomes or none", &row.text())),
        };
        match [outcomes.draws, outcomes.losses].into_iter().try_fold(outcomes.wins, u64::checked_add) {
            Some(sum) if sum == outcomes.legal => Ok(Some(outcomes)),
            sum => {
                Err(reader
                    .error(row.line, Fault::Sum { sum: sum.unwrap_or(u64::MAX), legal: outcomes.legal }))
            }
        }
    };
    if table_name::men(row.get(0)).is_none() {
        return Err(reader.unexpected(row.line, "a table such as KPvK", row.get(0)));
    }
    let longest_plies = match row.get(12) {
        "" => None,
        text => Some(reader.number(row.line, "plies or nothing", text)?),
    };
    Ok(CensusRow {
        table: row.get(0).to_owned(),
        side_to_move: match row.get(1) {
            "white" => SideToMove::White,
            "black" => SideToMove::Black,
            got => return Err(reader.unexpected(row.line, "white or black", got)),
        },
        unique: outcomes([2, 3, 4, 5])?
            .ok_or_else(|| reader.unexpected(row.line, "counts of unique positions", &row.text()))?,
        raw: outcomes([6, 7, 8, 9])?,
        checkmates_unique: count(10)?,
        checkmates: count(11)?,
        longest_plies,
        longest_count: count(13)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "table,side_to_move,legal_unique,wins_unique,draws_unique,losses_unique,legal,wins,draws,losses,\
                          checkmates_unique,checkmates,longest_plies,longest_count";

    #[track_caller]
    fn check(rows: &str, expected: &str) {
        let text = format!("# cases: 1\n{HEADER}\n{rows}\n");
        assert_eq!(parse("test.csv", &text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn faults_are_named_with_file_and_line() {
        check("KQK,white,1,1,0,0,,,,,,,,", "test.csv:3: expected a table such as KPvK, got \"KQK\"");
        check("KQvK,w,1,1,0,0,,,,,,,,", "test.csv:3: expected white or black, got \"w\"");
        check("KQvK,white,1,one,0,0,,,,,,,,", "test.csv:3: expected a count or nothing, got \"one\"");
        check("KQvK,white,3,1,1,0,,,,,,,,", "test.csv:3: wins, draws and losses are 2, legal positions 3");
        check(
            "KQvK,white,1,1,0,0,2,1,0,0,,,,",
            "test.csv:3: wins, draws and losses are 1, legal positions 2",
        );
        check(
            "KQvK,white,1,1,0,0,1,1,,,,,,",
            "test.csv:3: expected all four outcomes or none, got \"KQvK,white,1,1,0,0,1,1,,,,,,\"",
        );
        check(
            "KQvK,white,,,,,1,1,0,0,,,,",
            "test.csv:3: expected counts of unique positions, got \"KQvK,white,,,,,1,1,0,0,,,,\"",
        );
        check("KQvK,white,1,1,0,0,,,,,,,-3,", "test.csv:3: expected plies or nothing, got \"-3\"");
        check("KQvK,white,1", "test.csv:3: expected as many fields as columns, got \"KQvK,white,1\"");
        check("", "test.csv:1: 1 cases declared, 0 found");
        let row = "KQvK,white,1,1,0,0,,,,,,,,";
        check(&format!("{row}\n{row}"), "test.csv:4: \"KQvK white\" stands in line 3 already");
    }

    #[test]
    fn both_sides_of_all_tables_up_to_four_men_are_there() {
        let rows = embedded().unwrap();
        let men = |row: &CensusRow| table_name::men(&row.table).unwrap();
        let of = |count| rows.iter().filter(|row| men(row) == count).count();
        assert_eq!([of(2), of(3), of(4)], [2, 10, 60]);
        let three_men_with_placements =
            rows.iter().filter(|row| men(row) == 3 && row.raw.is_some() && row.longest_count.is_some());
        assert_eq!(three_men_with_placements.count(), 6);
    }

    #[test]
    fn a_position_stands_for_at_most_eight_placements() {
        for row in embedded().unwrap() {
            let most = if row.table.contains('P') { 2 } else { 8 };
            let Some(raw) = row.raw else { continue };
            for (raw, unique) in [
                (raw.legal, row.unique.legal),
                (raw.wins, row.unique.wins),
                (raw.draws, row.unique.draws),
                (raw.losses, row.unique.losses),
            ] {
                assert!((unique..=most * unique).contains(&raw), "{row:?}");
            }
        }
    }
}
