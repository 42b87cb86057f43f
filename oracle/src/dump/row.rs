//! One row of a dump: a legal position and its value.

use shakmaty::{CastlingMode, Chess};

use super::columns::Layout;
use super::fields::{UnclosedQuote, fields};
use crate::board::{self, Accept, FenError};
use crate::syzygy::fold_fifty_moves;
use crate::table_probe::Wdl;

/// The value of a row: as its columns give it, or after a [`Reading`](super::Reading) was applied, from the
/// view of the side to move and in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowValue {
    /// A result without a distance.
    Wdl(Wdl),
    /// A result and its distance to mate, which a draw does not have.
    Dtm(Wdl, Option<u32>),
    /// A distance of 0 without a result, which may be a draw or checkmate.
    Zero,
}

/// A row that was read.
#[derive(Debug, Clone)]
pub(super) struct ParsedRow {
    pub(super) fen: String,
    pub(super) position: Chess,
    pub(super) value: RowValue,
}

/// Why a row is malformed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowFault {
    #[error("expected {expected} fields, got {found}")]
    Fields { expected: usize, found: usize },
    #[error(transparent)]
    Quote(#[from] UnclosedQuote),
    #[error("{0}")]
    Fen(#[from] FenError),
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

pub(super) fn parse(layout: &Layout, line: &str) -> Result<ParsedRow, RowFault> {
    let columns = &layout.columns;
    let fields = fields(line, layout.separator)?;
    if fields.len() != columns.count {
        return Err(RowFault::Fields { expected: columns.count, found: fields.len() });
    }
    let fen = fields[columns.fen].trim();
    let position = position(fen)?;
    let value = match (columns.wdl, columns.dtm) {
        (Some(result), Some(distance)) => with_result(wdl(&fields[result])?, fields[distance].trim())?,
        (Some(result), None) => RowValue::Wdl(wdl(&fields[result])?),
        (None, Some(distance)) => signed(fields[distance].trim())?,
        (None, None) => return Err(RowFault::Fields { expected: 2, found: 1 }),
    };
    Ok(ParsedRow { fen: fen.to_owned(), position, value })
}

/// A legal position without castling rights.
pub(super) fn position(fen: &str) -> Result<Chess, RowFault> {
    let setup = board::setup(fen)?;
    if setup.castling_rights.any() {
        return Err(RowFault::Castling);
    }
    let position = board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck);
    position.map_err(|kinds| RowFault::Fen(FenError::Illegal(kinds)))
}

/// A result: a word or its first letter in upper or lower case, or a number as in Syzygy tables, of three
/// values or of five.
fn wdl(text: &str) -> Result<Wdl, RowFault> {
    use shakmaty_syzygy::Wdl as Five;
    let text = text.trim();
    let is = |word: &str| text.eq_ignore_ascii_case(word) || text.eq_ignore_ascii_case(&word[..1]);
    if let Some(wdl) = Wdl::ALL.into_iter().find(|wdl| is(wdl.name())) {
        return Ok(wdl);
    }
    let five = match number(text) {
        Some(2) => Five::Win,
        Some(1) => Five::CursedWin,
        Some(0) => Five::Draw,
        Some(-1) => Five::BlessedLoss,
        Some(-2) => Five::Loss,
        _ => return Err(RowFault::Wdl(excerpt(text))),
    };
    Ok(fold_fifty_moves(five))
}

/// An integer. Programs that store integers with missing values as floats write `9.0` for 9.
fn number(text: &str) -> Option<i32> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

fn signed(text: &str) -> Result<RowValue, RowFault> {
    if text.is_empty() {
        return Ok(RowValue::Dtm(Wdl::Draw, None));
    }
    let distance = number(text).ok_or_else(|| RowFault::Plies(excerpt(text)))?;
    Ok(match distance.signum() {
        1 => RowValue::Dtm(Wdl::Win, Some(distance.unsigned_abs())),
        0 => RowValue::Zero,
        _ => RowValue::Dtm(Wdl::Loss, Some(distance.unsigned_abs())),
    })
}

/// A distance next to a result: without a sign, or with the sign of the result.
fn with_result(wdl: Wdl, distance: &str) -> Result<RowValue, RowFault> {
    match (wdl, distance) {
        (Wdl::Draw, "") => Ok(RowValue::Dtm(wdl, None)),
        (_, "") => Err(RowFault::NoPlies(wdl)),
        (_, text) => {
            let fault = || RowFault::Plies(excerpt(text));
            let distance = number(text).ok_or_else(fault)?;
            match wdl {
                Wdl::Draw if distance == 0 => Ok(RowValue::Dtm(wdl, None)),
                Wdl::Draw => Err(RowFault::PliesOfDraw(excerpt(text))),
                Wdl::Win if distance < 0 => Err(fault()),
                _ => Ok(RowValue::Dtm(wdl, Some(distance.unsigned_abs()))),
            }
        }
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::dump::columns::Columns;

    const FEN: &str = "8/1P6/7k/8/4K3/8/8/8 w - - 0 1";

    #[track_caller]
    fn check_parted(list: &str, separator: char, line: &str, expected: &str) {
        let layout = Layout { columns: Columns::listed(list).unwrap(), separator };
        let got = match parse(&layout, line) {
            Ok(row) => format!("{:?}", row.value),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(got, expected, "{line}");
    }

    #[track_caller]
    fn check(list: &str, line: &str, expected: &str) {
        check_parted(list, ',', line, expected);
    }

    #[test]
    fn claims() {
        check("fen,wdl,dtm", &format!("{FEN},win,9"), "Dtm(Win, Some(9))");
        check("fen,wdl,dtm", &format!("\"{FEN}\",\"win\",9"), "Dtm(Win, Some(9))");
        check("fen,wdl,dtm", &format!("{FEN},draw,"), "Dtm(Draw, None)");
        check("fen,wdl,dtm", &format!("{FEN},draw,0"), "Dtm(Draw, None)");
        check("fen,wdl,dtm", &format!(" {FEN} , loss , 4 "), "Dtm(Loss, Some(4))");
        check("fen,wdl,dtm", &format!("{FEN},loss,-4"), "Dtm(Loss, Some(4))");
        check("fen,wdl,dtm", &format!("{FEN},2,9.0"), "Dtm(Win, Some(9))");
        check("fen,dtm", &format!("{FEN},9"), "Dtm(Win, Some(9))");
        check("fen,dtm", &format!("{FEN},-8"), "Dtm(Loss, Some(8))");
        check("fen,dtm", &format!("{FEN},0"), "Zero");
        check("fen,dtm", &format!("{FEN},"), "Dtm(Draw, None)");
        check("fen,wdl", &format!("{FEN},loss"), "Wdl(Loss)");
        check("fen,wdl", "8/1P6/7k/8/4K3/8/8/8 w - -,win", "Wdl(Win)");
    }

    #[test]
    fn columns_in_any_order_and_others_between_them() {
        check("dtm,_,fen,wdl", &format!("9,\"a, b\",{FEN},win"), "Dtm(Win, Some(9))");
        check_parted("wdl,fen", ';', &format!("D;{FEN}"), "Wdl(Draw)");
        check_parted("fen,_,dtm", '\t', &format!("{FEN}\tx, y; z\t-8"), "Dtm(Loss, Some(8))");
        check_parted("fen,_,dtm", ';', &format!("{FEN};\"a;\"\"b\"\"\";-8"), "Dtm(Loss, Some(8))");
        check("fen,_,wdl", &format!("{FEN},win"), "expected 3 fields, got 2");
    }

    #[test]
    fn words_and_numbers_of_results() {
        let results = |texts: &[&str], expected: &str| {
            for text in texts {
                check("fen,wdl", &format!("{FEN},{text}"), &format!("Wdl({expected})"));
            }
        };
        results(&["win", "WIN", "Win", "w", "W", "2", "+2", "1", "+1", " 1 ", "2.0"], "Win");
        results(&["draw", "DRAW", "d", "D", "0", "-0", "0.0"], "Draw");
        results(&["loss", "Loss", "l", "L", "-2", "-1", "-1.0"], "Loss");
        for text in ["", "wi", "won", "drawn", "lost", "3", "-3", "0.5", "1-0", "white", "\u{212a}"] {
            check(
                "fen,wdl",
                &format!("{FEN},{text}"),
                &format!("expected win, draw or loss, got \"{text}\""),
            );
        }
    }

    #[test]
    fn faults() {
        let three = |line: &str, expected: &str| check("fen,wdl,dtm", line, expected);
        three("", "expected 3 fields, got 1");
        three(&format!("{FEN},win"), "expected 3 fields, got 2");
        three(&format!("{FEN},win,9,9"), "expected 3 fields, got 4");
        three(&format!("{FEN},win,9\r{FEN},draw,"), "expected 3 fields, got 5");
        three(&format!("{FEN},\"win,9"), "a quote is not closed");
        three(&format!("\"{FEN},win,9"), "a quote is not closed");
        three(&format!("{FEN},won,9"), "expected win, draw or loss, got \"won\"");
        three(&format!("{FEN},win,"), "a win needs its plies to mate");
        three(&format!("{FEN},win,-9"), "expected plies to mate, got \"-9\"");
        three(&format!("{FEN},win,99999999999"), "expected plies to mate, got \"99999999999\"");
        three(&format!("{FEN},draw,1"), "a draw has no plies to mate, got \"1\"");
        three("8/1P6/7k/8/4K3/8/8 w - - 0 1,win,9", "this is no FEN: invalid board part in fen");
        three("8/8/8/8/8/8/8/K6k w Q - 0 1,draw,", "castling rights: no table has such positions");
        three(
            "8/8/8/8/8/8/8/Kk6 w - - 0 1,draw,",
            "the position is not legal: the side that is not to move is in check",
        );
        three(
            "4k3/8/8/8/1p6/8/8/K7 b - a3 0 1,draw,",
            "the position is not legal: no pawn has just stepped over the en passant square",
        );
    }
}
