//! One row of a dump: a legal position and what is claimed of it.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError};

use crate::claims::Wdl;

/// Which columns a dump has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Columns {
    WdlDtm,
    Dtm,
    Wdl,
}

impl Columns {
    pub(super) fn parse(header: &str) -> Option<Self> {
        match header.trim().to_ascii_lowercase().replace('"', "").as_str() {
            "fen,wdl,dtm" => Some(Self::WdlDtm),
            "fen,dtm" => Some(Self::Dtm),
            "fen,wdl" => Some(Self::Wdl),
            _ => None,
        }
    }

    fn count(self) -> usize {
        match self {
            Self::WdlDtm => 3,
            Self::Dtm | Self::Wdl => 2,
        }
    }
}

/// What a row claims, as far as its columns go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowClaim {
    /// A result alone.
    Wdl(Wdl),
    /// A result and its plies to mate; none for a draw.
    Dtm(Wdl, Option<u32>),
    /// Signed plies of 0, which stand for a draw and for a side checkmated.
    Zero,
}

/// A row that can be judged.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) fen: String,
    pub(super) position: Chess,
    pub(super) claim: RowClaim,
}

/// Why a row says nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowFault {
    #[error("expected {expected} fields, got {found}")]
    Fields { expected: usize, found: usize },
    #[error("a quote is not closed")]
    Quote,
    #[error("{0}")]
    Fen(#[from] ParseFenError),
    #[error("{0}")]
    Illegal(#[from] Box<PositionError<Chess>>),
    #[error("castling rights: no table has such positions")]
    Castling,
    #[error("expected win, draw or loss, got \"{0}\"")]
    Wdl(String),
    #[error("expected plies to mate, got \"{0}\"")]
    Plies(String),
    #[error("a {0} needs its plies to mate")]
    NoPlies(Wdl),
    #[error("a draw has no plies to mate, got \"{0}\"")]
    PliesOfDraw(String),
}

pub(super) fn parse(columns: Columns, line: &str) -> Result<Row, RowFault> {
    let fields = fields(line)?;
    if fields.len() != columns.count() {
        return Err(RowFault::Fields { expected: columns.count(), found: fields.len() });
    }
    let fen = fields[0].trim();
    let setup = Fen::from_ascii(fen.as_bytes())?.into_setup();
    if setup.castling_rights.any() {
        return Err(RowFault::Castling);
    }
    let position = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(Box::new)?;
    let claim = match columns {
        Columns::Wdl => RowClaim::Wdl(wdl(&fields[1])?),
        Columns::Dtm => signed(&fields[1])?,
        Columns::WdlDtm => with_result(wdl(&fields[1])?, fields[2].trim())?,
    };
    Ok(Row { fen: fen.to_owned(), position, claim })
}

/// The fields of one line alone: a quote that is not closed spoils this row and no other.
fn fields(line: &str) -> Result<Vec<String>, RowFault> {
    if line.matches('"').count() % 2 == 1 {
        return Err(RowFault::Quote);
    }
    // A line feed alone ends a record: a stray carriage return would hide what stands after it.
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(line.as_bytes());
    match reader.records().next() {
        Some(Ok(record)) => Ok(record.iter().map(str::to_owned).collect()),
        _ => Err(RowFault::Quote),
    }
}

fn wdl(text: &str) -> Result<Wdl, RowFault> {
    match text.trim() {
        "win" => Ok(Wdl::Win),
        "draw" => Ok(Wdl::Draw),
        "loss" => Ok(Wdl::Loss),
        other => Err(RowFault::Wdl(excerpt(other))),
    }
}

fn signed(text: &str) -> Result<RowClaim, RowFault> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(RowClaim::Dtm(Wdl::Draw, None));
    }
    let plies: i32 = text.parse().map_err(|_| RowFault::Plies(excerpt(text)))?;
    Ok(match plies.signum() {
        1 => RowClaim::Dtm(Wdl::Win, Some(plies.unsigned_abs())),
        0 => RowClaim::Zero,
        _ => RowClaim::Dtm(Wdl::Loss, Some(plies.unsigned_abs())),
    })
}

fn with_result(wdl: Wdl, plies: &str) -> Result<RowClaim, RowFault> {
    match (wdl, plies) {
        (Wdl::Draw, "") => Ok(RowClaim::Dtm(wdl, None)),
        (Wdl::Draw, plies) => Err(RowFault::PliesOfDraw(excerpt(plies))),
        (_, "") => Err(RowFault::NoPlies(wdl)),
        (_, plies) => {
            let plies = plies.parse().map_err(|_| RowFault::Plies(excerpt(plies)))?;
            Ok(RowClaim::Dtm(wdl, Some(plies)))
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(columns: Columns, line: &str, expected: &str) {
        let got = match parse(columns, line) {
            Ok(row) => format!("{:?}", row.claim),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(got, expected, "{line}");
    }

    #[test]
    fn claims() {
        let fen = "8/1P6/7k/8/4K3/8/8/8 w - - 0 1";
        check(Columns::WdlDtm, &format!("{fen},win,9"), "Dtm(Win, Some(9))");
        check(Columns::WdlDtm, &format!("\"{fen}\",\"win\",9"), "Dtm(Win, Some(9))");
        check(Columns::WdlDtm, &format!("{fen},draw,"), "Dtm(Draw, None)");
        check(Columns::WdlDtm, &format!(" {fen} , loss , 4 "), "Dtm(Loss, Some(4))");
        check(Columns::Dtm, &format!("{fen},9"), "Dtm(Win, Some(9))");
        check(Columns::Dtm, &format!("{fen},-8"), "Dtm(Loss, Some(8))");
        check(Columns::Dtm, &format!("{fen},0"), "Zero");
        check(Columns::Dtm, &format!("{fen},"), "Dtm(Draw, None)");
        check(Columns::Wdl, &format!("{fen},loss"), "Wdl(Loss)");
        check(Columns::Wdl, "8/1P6/7k/8/4K3/8/8/8 w - -,win", "Wdl(Win)");
    }

    #[test]
    fn faults() {
        let fen = "8/1P6/7k/8/4K3/8/8/8 w - - 0 1";
        let three = |line: &str, expected: &str| check(Columns::WdlDtm, line, expected);
        three("", "a quote is not closed");
        three(&format!("{fen},win"), "expected 3 fields, got 2");
        three(&format!("{fen},win,9,9"), "expected 3 fields, got 4");
        three(&format!("{fen},win,9\r{fen},draw,"), "expected 3 fields, got 5");
        three(&format!("{fen},\"win,9"), "a quote is not closed");
        three(&format!("\"{fen},win,9"), "a quote is not closed");
        three(&format!("{fen},won,9"), "expected win, draw or loss, got \"won\"");
        three(&format!("{fen},win,"), "a win needs its plies to mate");
        three(&format!("{fen},win,-9"), "expected plies to mate, got \"-9\"");
        three(&format!("{fen},win,99999999999"), "expected plies to mate, got \"99999999999\"");
        three(&format!("{fen},draw,0"), "a draw has no plies to mate, got \"0\"");
        three("8/1P6/7k/8/4K3/8/8 w - - 0 1,win,9", "invalid board part in fen");
        three("8/8/8/8/8/8/8/K6k w Q - 0 1,draw,", "castling rights: no table has such positions");
        three("8/8/8/8/8/8/8/Kk6 w - - 0 1,draw,", "illegal position: opposite check");
    }
}
