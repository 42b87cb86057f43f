//! What is said of a row that is not true, and of a file that is meant in another way.

use shakmaty::{Chess, Position};
use suites::Difference;

use super::Request;
use super::judge::Judged;
use super::reading::Reading;
use super::row::RowClaim;
use super::sources::{Answer, Source};
use crate::table_probe::{TableProbe, Wdl, describe_dtm};

/// The check of a row.
const ROW: &str = "dump/row";
/// The check of sources that contradict each other.
const SOURCES: &str = "dump/sources";
/// The check of how a file is meant.
pub(super) const READING: &str = "dump/reading";

/// The finding of a row, if it is wrong under this reading.
pub(super) fn of_row(
    row: &Judged,
    reading: Reading,
    truth: Option<&dyn TableProbe>,
    program: &str,
) -> Option<Difference> {
    let position = row.position()?;
    let claim = row.read(reading, position.turn());
    if row.answers.contradict_each_other() {
        return Some(of_sources(row, claim, &position, program));
    }
    let against = row.against(claim, &position);
    let best = row.answers.best().filter(|_| !against.is_empty())?;
    let of_table = row.answers.of(Source::Table).and_then(|answer| Some((truth?, answer.dtm?)));
    let explanation = match of_table {
        Some((truth, dtm)) => crate::checks::move_to(truth, &position, dtm),
        None if best.dtm.is_some() => "tables of distances to mate say so".to_owned(),
        None => "Syzygy tables say so".to_owned(),
    };
    Some(Difference {
        subject: "dump".to_owned(),
        check: ROW.to_owned(),
        case: format!("line {}", row.line),
        fen: row.fen.clone(),
        stored: stored(claim, &position),
        expected: match claim {
            RowClaim::Wdl(_) => best.wdl.to_string(),
            _ => says(best),
        },
        source: names(&against),
        explanation,
        replay: replay(row, claim, program),
    })
}

/// The finding of a row of which the sources say different things.
fn of_sources(row: &Judged, claim: RowClaim, position: &Chess, program: &str) -> Difference {
    let each = row.answers.known().map(|(source, answer)| format!("{} ({})", says(answer), source.name()));
    let sources: Vec<Source> = row.answers.known().map(|(source, _)| source).collect();
    Difference {
        subject: "dump".to_owned(),
        check: SOURCES.to_owned(),
        case: format!("line {}", row.line),
        fen: row.fen.clone(),
        stored: stored(claim, position),
        expected: each.collect::<Vec<_>>().join("; "),
        source: names(&sources),
        explanation: "the sources contradict each other: one of them is wrong, and the row may be right"
            .to_owned(),
        replay: replay(row, claim, program),
    }
}

/// The finding of a file whose values are meant in another way: one for all its rows.
pub(super) fn of_reading(
    request: &Request,
    meant: Reading,
    rows: (u64, u64),
    sources: &[Source],
) -> Difference {
    let Request { reading: stated, program, arguments, .. } = request;
    let (only_so, read) = rows;
    let options = meant.options_beside(*stated);
    let replayed = meant.options_beside(Reading::default());
    let replay = format!("{program} verify {arguments} {replayed}").trim_end().to_owned();
    Difference {
        subject: "dump".to_owned(),
        check: READING.to_owned(),
        case: "all rows".to_owned(),
        fen: String::new(),
        stored: stated.to_string(),
        expected: meant.to_string(),
        source: names(sources),
        explanation: format!(
            "{only_so} of {read} rows are wrong as they stand and right with {options}; the other rows are judged with it too"
        ),
        replay,
    }
}

fn names(sources: &[Source]) -> String {
    sources.iter().map(|source| source.name()).collect::<Vec<_>>().join("; ")
}

/// What a source says, in words.
fn says(answer: Answer) -> String {
    answer.dtm.map_or_else(|| answer.wdl.to_string(), describe_dtm)
}

/// What a row says, in the words of the expected value where it has sense.
fn stored(claim: RowClaim, position: &Chess) -> String {
    match claim {
        RowClaim::Wdl(wdl) | RowClaim::Dtm(wdl, None) => wdl.to_string(),
        RowClaim::Zero if position.is_check() => "draw or checkmated".to_owned(),
        RowClaim::Zero | RowClaim::Dtm(Wdl::Draw, Some(_)) => "draw".to_owned(),
        RowClaim::Dtm(wdl, Some(plies)) => match u16::try_from(plies) {
            Ok(plies) if Wdl::of_dtm(Some(plies)) == wdl => describe_dtm(Some(plies)),
            _ => format!("{wdl} in {plies} plies"),
        },
    }
}

/// The table's answer where it has one; else this row alone, put to the same check.
fn replay(row: &Judged, claim: RowClaim, program: &str) -> String {
    let fen = &row.fen;
    if row.answers.of(Source::Table).is_some() {
        return format!("{program} tables probe \"{fen}\"");
    }
    let (columns, value) = match claim {
        RowClaim::Zero => ("fen,dtm", "0".to_owned()),
        RowClaim::Wdl(wdl) => ("fen,wdl", wdl.to_string()),
        RowClaim::Dtm(wdl, plies) => {
            ("fen,wdl,dtm", format!("{wdl},{}", plies.map(|plies| plies.to_string()).unwrap_or_default()))
        }
    };
    format!("printf '%s\\n' {columns} '{fen},{value}' | {program} verify --tables KvK --dump -")
}
