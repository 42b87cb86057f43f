//! Published counts: how many positions each table has, and how they end.
//!
//! The comments at the start of `data/census.csv` define the columns and name the sources. An empty field is
//! a figure that is not published; it is never filled with a count of our own.

use crate::reader::{CsvCase, CsvRow, csv};
use crate::{FormatError, FormatFault, table_name};

crate::words! {
    /// The side to move of a table; White is the stronger side.
    pub enum SideToMove: "side to move" {
        /// The side named first in the table's name.
        White = "white",
        /// The other side.
        Black = "black",
    }
}

/// Numbers of positions by outcome, from the view of the side to move.
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
pub struct PublishedCounts {
    /// Name of the table, such as `KPvK`.
    pub table: String,
    /// The side to move.
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
    /// Those of the unique wins that the fifty-move rule makes draws.
    pub cursed_wins_unique: Option<u64>,
    /// Those of the unique losses that the fifty-move rule makes draws.
    pub cursed_losses_unique: Option<u64>,
}

/// The published counts that are compiled in: both sides of every table up to five men.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<PublishedCounts>, FormatError> {
    parse("census.csv", include_str!("../data/census.csv"))
}

/// Reads published counts; `file` names it in errors.
///
/// # Errors
/// A malformed field, outcomes that do not add up, a repeated row, or another number of rows than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<PublishedCounts>, FormatError> {
    csv(file, text)
}

impl CsvCase for PublishedCounts {
    const COLUMNS: &'static [&'static str] = &[
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
        "cursed_wins_unique",
        "cursed_losses_unique",
    ];

    fn from_row(row: &CsvRow<'_>) -> Result<Self, FormatError> {
        let place = row.place();
        let count = |column| row.optional(column, "a count or nothing");
        let (table, side) = (row.get(0), row.get(1));
        if table_name::men(table).is_none() {
            return Err(place.unexpected("a table such as KPvK", table));
        }
        Ok(Self {
            table: table.to_owned(),
            side_to_move: side.parse().map_err(|_| place.unexpected("white or black", side))?,
            unique: outcomes(row, [2, 3, 4, 5])?
                .ok_or_else(|| place.unexpected("counts of unique positions", &row.text()))?,
            raw: outcomes(row, [6, 7, 8, 9])?,
            checkmates_unique: count(10)?,
            checkmates: count(11)?,
            longest_plies: row.optional(12, "plies or nothing")?,
            longest_count: count(13)?,
            cursed_wins_unique: count(14)?,
            cursed_losses_unique: count(15)?,
        })
    }

    fn id(&self) -> String {
        format!("{} {}", self.table, self.side_to_move)
    }
}

/// Four columns, which are all empty or add up.
fn outcomes(row: &CsvRow<'_>, columns: [usize; 4]) -> Result<Option<Outcomes>, FormatError> {
    let [legal, wins, draws, losses] = columns.map(|column| row.optional(column, "a count or nothing"));
    let outcomes = match (legal?, wins?, draws?, losses?) {
        (Some(legal), Some(wins), Some(draws), Some(losses)) => Outcomes { legal, wins, draws, losses },
        (None, None, None, None) => return Ok(None),
        _ => return Err(row.place().unexpected("all four outcomes or none", &row.text())),
    };
    let Outcomes { legal, wins, draws, losses } = outcomes;
    match wins.checked_add(draws).and_then(|sum| sum.checked_add(losses)) {
        Some(sum) if sum == legal => Ok(Some(outcomes)),
        sum => Err(row.place().error(FormatFault::Sum { sum: sum.unwrap_or(u64::MAX), legal })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "table,side_to_move,legal_unique,wins_unique,draws_unique,losses_unique,legal,wins,draws,losses,\
                          checkmates_unique,checkmates,longest_plies,longest_count,cursed_wins_unique,cursed_losses_unique";

    #[track_caller]
    fn check(rows: &str, expected: &str) {
        let text = format!("# cases: 1\n{HEADER}\n{rows}\n");
        assert_eq!(parse("test.csv", &text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn errors_name_file_and_line() {
        check("KQK,white,1,1,0,0,,,,,,,,,,", "test.csv:3: expected a table such as KPvK, got \"KQK\"");
        check("KQvK,w,1,1,0,0,,,,,,,,,,", "test.csv:3: expected white or black, got \"w\"");
        check("KQvK,white,1,one,0,0,,,,,,,,,,", "test.csv:3: expected a count or nothing, got \"one\"");
        check("KQvK,white,3,1,1,0,,,,,,,,,,", "test.csv:3: wins, draws and losses are 2, legal positions 3");
        check(
            "KQvK,white,1,1,0,0,2,1,0,0,,,,,,",
            "test.csv:3: wins, draws and losses are 1, legal positions 2",
        );
        check(
            "KQvK,white,1,1,0,0,1,1,,,,,,,,",
            "test.csv:3: expected all four outcomes or none, got \"KQvK,white,1,1,0,0,1,1,,,,,,,,\"",
        );
        check(
            "KQvK,white,,,,,1,1,0,0,,,,,,",
            "test.csv:3: expected counts of unique positions, got \"KQvK,white,,,,,1,1,0,0,,,,,,\"",
        );
        check("KQvK,white,1,1,0,0,,,,,,,-3,,,", "test.csv:3: expected plies or nothing, got \"-3\"");
        check("KQvK,white,1", "test.csv:3: expected 16 fields, got \"KQvK,white,1\"");
        check("", "test.csv:1: 1 cases declared, 0 found");
        let row = "KQvK,white,1,1,0,0,,,,,,,,,,";
        check(&format!("{row}\n{row}"), "test.csv:4: \"KQvK white\" is in line 3 already");
    }

    #[test]
    fn both_sides_of_all_tables_up_to_five_men_are_there() {
        let rows = embedded().unwrap();
        let men = |row: &PublishedCounts| table_name::men(&row.table).unwrap();
        let of = |count| rows.iter().filter(|row| men(row) == count).count();
        assert_eq!([of(2), of(3), of(4), of(5)], [2, 10, 60, 220]);
        let cursed = |count: fn(&PublishedCounts) -> Option<u64>| rows.iter().filter_map(count).sum::<u64>();
        assert_eq!(cursed(|row| row.cursed_wins_unique), 33_205_648);
        assert_eq!(cursed(|row| row.cursed_losses_unique), 38_951_980);
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
