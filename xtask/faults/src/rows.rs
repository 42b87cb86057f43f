//! The rows of a table, as `tables export` writes them and `verify --dump` reads them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};

const HEADING: &str = "fen,wdl,dtm\n";

/// What stands after the FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value<'a> {
    pub(crate) result: &'a str,
    /// To mate; none for a draw.
    pub(crate) plies: Option<u16>,
}

impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let plies = self.plies.map_or(String::new(), |plies| plies.to_string());
        write!(f, "{},{plies}", self.result)
    }
}

impl Value<'_> {
    pub(crate) fn in_words(self) -> String {
        self.plies.map_or(self.result.to_owned(), |plies| format!("{} in {plies}", self.result))
    }
}

/// A row of a dump.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) fen: &'a str,
    pub(crate) value: Value<'a>,
}

/// The same men with the other side to move.
pub(crate) fn with_other_side(fen: &str) -> String {
    if fen.contains(" w ") { fen.replace(" w ", " b ") } else { fen.replace(" b ", " w ") }
}

fn row(line: &str) -> anyhow::Result<Row<'_>> {
    let mut fields = line.splitn(3, ',');
    let mut field = || fields.next().with_context(|| format!("an export has the line {line}"));
    let (fen, result, plies) = (field()?, field()?, field()?);
    let plies = if plies.is_empty() { None } else { Some(plies.parse()?) };
    Ok(Row { fen, value: Value { result, plies } })
}

/// A table as the program exports it. It has at least one row.
pub(crate) struct Table<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// The numbers of rows by FEN.
    by_fen: BTreeMap<&'a str, usize>,
    /// The stalemates that the program lists, one of each symmetry class.
    stalemates: BTreeSet<String>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(text: &'a str, stalemates: BTreeSet<String>) -> anyhow::Result<Self> {
        let lines = text.strip_prefix(HEADING).context("an export has other columns")?.lines();
        let rows = lines.map(row).collect::<anyhow::Result<Vec<_>>>()?;
        if rows.is_empty() {
            bail!("an export has no rows");
        }
        let by_fen = rows.iter().enumerate().map(|(number, row)| (row.fen, number)).collect();
        Ok(Self { rows, by_fen, stalemates })
    }

    pub(crate) fn value(&self, row: usize) -> Value<'a> {
        self.rows[row].value
    }

    /// The value of a position.
    pub(crate) fn value_of(&self, fen: &str) -> Option<Value<'a>> {
        Some(self.value(*self.by_fen.get(fen)?))
    }

    pub(crate) fn is_stalemate(&self, row: usize) -> bool {
        self.stalemates.contains(self.rows[row].fen)
    }

    /// A dump with these rows, some of them with other values.
    pub(crate) fn dump(&self, written: &[usize], values: &BTreeMap<usize, Value>) -> String {
        let line = |&row: &usize| {
            let Row { fen, value } = &self.rows[row];
            format!("{fen},{}\n", values.get(&row).unwrap_or(value))
        };
        let lines: Vec<String> = written.iter().map(line).collect();
        format!("{HEADING}{}", lines.concat())
    }
}
