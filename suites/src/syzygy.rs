//! The accepted SHA-256 sums of the Syzygy table files with three and four men, and the published checksums
//! of those with five.
//!
//! `data/syzygy.csv` has one row a file and one column a version: some files exist in two versions that
//! differ in bytes and agree in every value. `data/syzygy_five_men.csv` has the checksums at the end of the
//! files. This module hashes no file.

use crate::reader::{CsvCase, CsvRow, csv};
use crate::{FormatError, table_name};

/// The names of the versions, in the order of their columns.
pub const VERSIONS: [&str; 2] = ["pypi", "generator"];

/// A SHA-256 sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256(pub [u8; 32]);

impl Sha256 {
    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }
}

impl std::fmt::Display for Sha256 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// The accepted versions of one table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// Name of the file, such as `KPvK.rtbw`.
    pub file: String,
    /// Pieces on the board, kings included.
    pub men: u8,
    /// The accepted sums, in the order of [`VERSIONS`].
    pub sums: [Sha256; 2],
}

impl Pin {
    /// Which version has this sum: `pypi`, `generator`, `pypi and generator` where they are the same; or
    /// none.
    pub fn version(&self, sum: Sha256) -> Option<String> {
        let names: Vec<_> = VERSIONS
            .into_iter()
            .zip(self.sums)
            .filter(|(_, known)| *known == sum)
            .map(|(name, _)| name)
            .collect();
        if names.is_empty() { None } else { Some(names.join(" and ")) }
    }
}

/// The pins that are compiled in: the 70 files of all tables with three and four men.
///
/// # Errors
/// As [`parse`].
pub fn embedded() -> Result<Vec<Pin>, FormatError> {
    parse("syzygy.csv", include_str!("../data/syzygy.csv"))
}

/// Reads pins; `file` names it in errors.
///
/// # Errors
/// A malformed field, a repeated file, or another number of rows than declared.
pub fn parse(file: &str, text: &str) -> Result<Vec<Pin>, FormatError> {
    csv(file, text)
}

impl CsvCase for Pin {
    const COLUMNS: &'static [&'static str] = &["file", "men", VERSIONS[0], VERSIONS[1]];

    fn from_row(row: &CsvRow<'_>) -> Result<Self, FormatError> {
        let sum = |column| {
            Sha256::from_hex(row.get(column)).ok_or_else(|| {
                row.place().unexpected("a SHA-256 sum in 64 hexadecimal digits", row.get(column))
            })
        };
        let file = row.get(0);
        let Some(men) = men_of(file).filter(|men| men.to_string() == row.get(1)) else {
            return Err(row.place().unexpected("a table file and its number of men", &row.text()));
        };
        Ok(Self { file: file.to_owned(), men, sums: [sum(2)?, sum(3)?] })
    }

    fn id(&self) -> String {
        self.file.clone()
    }
}

/// The checksum at the end of an official file of five men.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checksum {
    /// Name of the file, such as `KRPvKR.rtbw`.
    pub file: String,
    /// The last 16 bytes of the file.
    pub sum: [u8; 16],
}

/// The checksums that are compiled in: those of the 220 files of all tables with five men.
///
/// # Errors
/// As [`parse`].
pub fn five_men() -> Result<Vec<Checksum>, FormatError> {
    csv("syzygy_five_men.csv", include_str!("../data/syzygy_five_men.csv"))
}

impl CsvCase for Checksum {
    const COLUMNS: &'static [&'static str] = &["file", "checksum"];

    fn from_row(row: &CsvRow<'_>) -> Result<Self, FormatError> {
        let file = row.get(0);
        if men_of(file) != Some(5) {
            return Err(row.place().unexpected("a table file of five men", file));
        }
        let sum = from_hex(row.get(1));
        let sum = sum.ok_or_else(|| row.place().unexpected("32 hexadecimal digits", row.get(1)))?;
        Ok(Self { file: file.to_owned(), sum })
    }

    fn id(&self) -> String {
        self.file.clone()
    }
}

/// Reads two hexadecimal digits a byte.
fn from_hex<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    if text.len() != 2 * BYTES || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; BYTES];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(bytes)
}

/// How many men the table of a file name such as `KPvK.rtbw` has; `None` if it names no table file.
pub fn men_of(file: &str) -> Option<u8> {
    let (table, suffix) = file.rsplit_once('.')?;
    if matches!(suffix, "rtbw" | "rtbz") { table_name::men(table) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    #[track_caller]
    fn check(rows: &str, expected: &str) {
        let text = format!("# cases: 1\nfile,men,pypi,generator\n{}\n", rows.replace("SUM", SUM));
        assert_eq!(parse("test.csv", &text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn errors_name_file_and_line() {
        let expected = "test.csv:3: expected a table file and its number of men, got ";
        check("KPvK.zip,3,SUM,SUM", &format!("{expected}\"{}\"", &format!("KPvK.zip,3,{SUM}")[..60]));
        check("KPvK.rtbw,4,SUM,SUM", &format!("{expected}\"{}\"", &format!("KPvK.rtbw,4,{SUM}")[..60]));
        check(
            "KPvK.rtbw,3,SUM,0011",
            "test.csv:3: expected a SHA-256 sum in 64 hexadecimal digits, got \"0011\"",
        );
        check(
            "KPvK.rtbw,3,SUM",
            &format!("test.csv:3: expected 4 fields, got \"{}\"", &format!("KPvK.rtbw,3,{SUM}")[..60]),
        );
        check("KPvK.rtbw,3,SUM,SUM\nKPvK.rtbw,3,SUM,SUM", "test.csv:4: \"KPvK.rtbw\" is in line 3 already");
        check("", "test.csv:1: 1 cases declared, 0 found");
    }

    #[test]
    fn all_tables_of_three_and_four_men_are_pinned_once_per_metric() {
        let pins = embedded().unwrap();
        let of = |men, suffix: &str| {
            pins.iter().filter(|pin| pin.men == men && pin.file.ends_with(suffix)).count()
        };
        assert_eq!([of(3, "w"), of(3, "z"), of(4, "w"), of(4, "z")], [5, 5, 30, 30]);
        let two_versions: Vec<_> =
            pins.iter().filter(|pin| pin.sums[0] != pin.sums[1]).map(|pin| pin.file.as_str()).collect();
        assert_eq!(
            two_versions,
            ["KPvK.rtbw", "KPvK.rtbz", "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"]
        );
    }

    #[test]
    fn all_tables_of_five_men_have_a_checksum_per_metric() {
        let sums = five_men().unwrap();
        let of = |suffix: &str| sums.iter().filter(|sum| sum.file.ends_with(suffix)).count();
        assert_eq!([of(".rtbw"), of(".rtbz")], [110, 110]);
    }

    #[test]
    fn a_sum_names_its_versions() {
        let [first, second, other] = [1, 2, 3].map(|byte| Sha256([byte; 32]));
        let pin = |sums| Pin { file: "KPvK.rtbw".into(), men: 3, sums };
        assert_eq!(pin([first, second]).version(first).as_deref(), Some("pypi"));
        assert_eq!(pin([first, second]).version(second).as_deref(), Some("generator"));
        assert_eq!(pin([first, first]).version(first).as_deref(), Some("pypi and generator"));
        assert_eq!(pin([first, second]).version(other), None);
    }

    #[test]
    fn file_names_tell_their_men() {
        for (name, men) in [
            ("KPvK.rtbw", Some(3)),
            ("KBNvKQ.rtbz", Some(5)),
            ("KPvK", None),
            ("PvK.rtbw", None),
            ("KPvK.RTBW", None),
            ("../KPvK.rtbw", None),
            ("KXvK.rtbw", None),
        ] {
            assert_eq!(men_of(name), men, "{name}");
        }
    }

    #[test]
    fn sums_are_printed_as_they_are_read() {
        assert_eq!(Sha256::from_hex(SUM).unwrap().to_string(), SUM);
        assert_eq!(Sha256::from_hex(&SUM[1..]), None);
        assert_eq!(Sha256::from_hex(&SUM.replace('f', "g")), None);
    }
}
