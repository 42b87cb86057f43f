//! The differences of a dump: of a wrong row, and of a file with another reading.

use shakmaty::{Chess, Position};
use suites::{Answer, Difference, Replay};

use super::judge::AnsweredRow;
use super::reading::Reading;
use super::row::RowValue;
use super::sources::{Source, SourceAnswer};
use super::{Coverage, Request};
use crate::table_probe::{Dtm, TableProbe, Wdl, distance};

/// The check of a row.
const ROW: &str = "dump/row";
/// The check that the sources agree with each other.
const SOURCES: &str = "dump/sources";
/// The check of the reading of a file.
pub(super) const READING: &str = "dump/reading";

/// The check that no position is missing.
pub(super) const COVERAGE: &str = "dump/coverage";

/// The difference of a row, if it is wrong under this reading.
pub(super) fn of_row(
    row: &AnsweredRow,
    reading: Reading,
    truth: Option<&dyn TableProbe>,
) -> Option<Difference> {
    let position = row.position()?;
    let value = row.read(reading, position.turn());
    if row.answers.contradict_each_other() {
        return Some(of_sources(row, value, &position));
    }
    let against = row.against(value, &position);
    let best = row.answers.best().filter(|_| !against.is_empty())?;
    let of_table = row.answers.of(Source::Table).and_then(|answer| Some((truth?, answer.dtm?)));
    let (right, explanation) = match of_table {
        Some((truth, dtm)) => crate::checks::move_to(truth, &position, dtm),
        None if best.dtm.is_some() => (None, "tables of distances to mate say so".to_owned()),
        None => (None, "Syzygy tables say so".to_owned()),
    };
    Some(Difference {
        subject: "dump".to_owned(),
        check: ROW.to_owned(),
        case: format!("line {}", row.line),
        fen: row.fen.clone(),
        played: None,
        limit: None,
        stored: stored(value, &position),
        given: None,
        expected: match value {
            RowValue::Wdl(_) => best.wdl.to_string().into(),
            _ => says(best),
        },
        best: right.into_iter().collect(),
        source: names(&against),
        explanation,
        cause: None,
        replay: replay(row, value),
    })
}

/// The difference of a row on which the sources disagree.
fn of_sources(row: &AnsweredRow, value: RowValue, position: &Chess) -> Difference {
    let each = row.answers.known().map(|(source, answer)| format!("{} ({})", says(answer), source));
    let sources: Vec<Source> = row.answers.known().map(|(source, _)| source).collect();
    Difference {
        subject: "dump".to_owned(),
        check: SOURCES.to_owned(),
        case: format!("line {}", row.line),
        fen: row.fen.clone(),
        played: None,
        limit: None,
        stored: stored(value, position),
        given: None,
        expected: each.collect::<Vec<_>>().join("; ").into(),
        best: Vec::new(),
        source: names(&sources),
        explanation: "the sources contradict each other: one of them is wrong, and the row may be right"
            .to_owned(),
        cause: None,
        replay: replay(row, value),
    }
}

/// The difference of a file with another reading, which covers all its rows.
pub(super) fn of_reading(
    request: &Request,
    recognised: Reading,
    rows: (u64, u64),
    sources: &[Source],
) -> Difference {
    let Request { reading: stated, arguments, .. } = request;
    let (only_so, read) = rows;
    let options = recognised.options_beside(*stated);
    let replayed = recognised.options_beside(Reading::default());
    let replay = Replay::touchstone(format!("verify {arguments} {replayed}").trim_end());
    Difference {
        subject: "dump".to_owned(),
        check: READING.to_owned(),
        case: "all rows".to_owned(),
        fen: String::new(),
        played: None,
        limit: None,
        stored: stated.to_string().into(),
        given: None,
        expected: recognised.to_string().into(),
        best: Vec::new(),
        source: names(sources),
        explanation: format!(
            "{only_so} of {read} rows are wrong as they stand and right with {options}; the other rows are judged with it too"
        ),
        cause: None,
        replay,
    }
}

/// The difference of a file that lacks positions of a table.
pub(super) fn of_coverage(request: &Request, coverage: &Coverage) -> Difference {
    let Coverage { table, positions, published, .. } = coverage;
    Difference {
        subject: "dump".to_owned(),
        check: COVERAGE.to_owned(),
        case: table.clone(),
        fen: String::new(),
        played: None,
        limit: None,
        stored: format!("{positions} positions").into(),
        given: None,
        best: Vec::new(),
        expected: format!("{} positions", published.unwrap_or_default()).into(),
        source: "published counts".to_owned(),
        explanation: format!(
            "{} positions of {table} are missing; if the file is a part of the table, say so with --partial",
            coverage.missing()
        ),
        cause: None,
        replay: Replay::touchstone(format!("verify {}", request.arguments)),
    }
}

fn names(sources: &[Source]) -> String {
    sources.iter().map(|source| source.name()).collect::<Vec<_>>().join("; ")
}

/// The value of a source as an answer.
fn says(answer: SourceAnswer) -> Answer {
    answer.dtm.map_or_else(|| answer.wdl.to_string().into(), distance)
}

/// The value of a row, in the words of the expected value where possible.
fn stored(value: RowValue, position: &Chess) -> Answer {
    match value {
        RowValue::Wdl(wdl) | RowValue::Dtm(wdl, None) => wdl.to_string().into(),
        RowValue::Zero if position.is_check() => "draw or checkmated".into(),
        RowValue::Zero | RowValue::Dtm(Wdl::Draw, Some(_)) => "draw".into(),
        RowValue::Dtm(wdl, Some(plies)) => match u16::try_from(plies).map(Dtm::from_plies) {
            Ok(dtm) if dtm.wdl() == wdl => distance(Some(dtm)),
            _ => format!("{wdl} in {plies} plies").into(),
        },
    }
}

/// The probe of the table if it has the position, otherwise a check of this row alone.
fn replay(row: &AnsweredRow, value: RowValue) -> Replay {
    let fen = &row.fen;
    if row.answers.of(Source::Table).is_some() {
        return Replay::touchstone(format_args!("tables probe \"{fen}\""));
    }
    let (columns, value) = match value {
        RowValue::Zero => ("fen,dtm", "0".to_owned()),
        RowValue::Wdl(wdl) => ("fen,wdl", wdl.to_string()),
        RowValue::Dtm(wdl, plies) => {
            ("fen,wdl,dtm", format!("{wdl},{}", plies.map(|plies| plies.to_string()).unwrap_or_default()))
        }
    };
    let feed = format_args!("printf '%s\\n' {columns} '{fen},{value}'");
    Replay::fed(feed, "verify --tables KvK --dump -")
}
