//! The checks `library/*`: the results that a user of the crate `engine` gets from its functions, beyond
//! tables, counts and search.
//!
//! A check compares each answer of the engine, as text, with the answer of shakmaty, of a definition or of
//! another way to compute it. If a function panics, the panic is its answer.

mod attacks;
mod counts;
mod evaluation;
mod files;
mod games;
mod positions;
mod search;
mod sessions;
mod syzygy;
mod time;

#[cfg(test)]
mod tests;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::tables::TableSet;
use engine::tables::syzygy::SyzygySet;
use suites::perft::{Castling, PerftSuite};
use suites::stalemates::StalemateCase;
use suites::{Cause, Difference, Evidence, Findings, Replay, Tally, Verdict};

use crate::parallel;
use crate::perft::RandomPositions;
use crate::syzygy::Syzygy;

pub use syzygy::TABLES as SYZYGY_TABLES;

/// The family of the checks.
pub const FAMILY: &str = "library";
/// The name of the subject.
const SUBJECT: &str = "engine";

/// The inputs of the checks.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The seed of the random positions and games.
    pub seed: u64,
    /// How many random positions.
    pub drawn: usize,
    /// The perft suites whose positions are asked.
    pub suites: &'a [PerftSuite],
    /// The cases of the suite `stalemates`. In some of them the only men that are not blocked are pinned.
    pub stalemates: &'a [StalemateCase],
    /// The certified tables. Their files are read back.
    pub tables: Option<&'a TableSet>,
    /// Syzygy tables as the engine reads them, and as shakmaty-syzygy does.
    pub syzygy: Option<(&'a SyzygySet, &'a Syzygy)>,
}

/// Runs all checks. The order of the findings does not depend on the number of threads.
pub fn run(job: &Job) -> Vec<Findings> {
    let positions = job.positions();
    let with_stalemates = [positions.clone(), job.stalemates()].concat();
    let mut found = positions::run(job, &with_stalemates);
    found.extend([
        games::run(job),
        counts::run(&positions),
        evaluation::run(job, &positions),
        sessions::run(job.seed, &positions),
        search::run(&with_stalemates),
        attacks::run(job),
        time::run(),
    ]);
    found.extend(job.tables.map(|tables| files::run(job, tables)).into_iter().flatten());
    found.extend(job.syzygy.map(|(ours, truth)| syzygy::run(job, ours, truth)));
    found
}

/// Endings with few men, with and without sufficient material.
const ENDINGS: [&str; 8] = [
    "8/8/4b3/3k4/8/8/3B4/K7 w - - 0 1",
    "8/8/4b3/3k4/8/8/4B3/K7 w - - 0 1",
    "8/8/4n3/3k4/8/8/3B4/K7 b - - 0 1",
    "8/8/4n3/3k4/8/8/3N4/K7 w - - 0 1",
    "8/8/8/3k4/8/8/3N4/K2N4 w - - 0 1",
    "8/8/8/3k4/8/8/3B4/K1B5 w - - 0 1",
    "8/8/8/3k4/8/4B3/3B4/K1B5 w - - 0 1",
    "8/8/8/3k4/8/4B3/8/K7 b - - 149 90",
];

/// A position to ask about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    /// The id of the case.
    case: String,
    fen: String,
    castling: Castling,
}

impl Job<'_> {
    /// The positions of the perft suites, the endings, then the random ones.
    fn positions(&self) -> Vec<Asked> {
        let of_suite = |suite: &PerftSuite| {
            let castling = suite.castling;
            suite
                .cases
                .iter()
                .map(|case| Asked {
                    case: format!("{}/{}", suite.name, case.id),
                    fen: case.fen.clone(),
                    castling,
                })
                .collect::<Vec<_>>()
        };
        let draw = RandomPositions { seed: self.seed, count: self.drawn, depth: 0 };
        let random = (0..self.drawn).map(|index| {
            let (castling, fen) = draw.position(index);
            Asked { case: format!("random/{index:04}"), fen, castling }
        });
        let extra = ENDINGS.into_iter().enumerate().map(|(index, fen)| Asked {
            case: format!("endings/{index:02}"),
            fen: fen.to_owned(),
            castling: Castling::Standard,
        });
        self.suites.iter().flat_map(of_suite).chain(extra).chain(random).collect()
    }

    /// The positions of the suite `stalemates`.
    fn stalemates(&self) -> Vec<Asked> {
        let asked = |case: &StalemateCase| Asked {
            case: format!("stalemates/{}", case.id),
            fen: case.fen.clone(),
            castling: Castling::Standard,
        };
        self.stalemates.iter().map(asked).collect()
    }

    /// The evidence of random samples.
    fn sample(&self) -> Evidence {
        Evidence::Sample { seed: self.seed }
    }
}

/// A wrong answer of a function.
struct Wrong<'a> {
    check: &'a str,
    case: &'a str,
    fen: &'a str,
    got: String,
    expected: String,
    source: &'a str,
    because: String,
}

impl Wrong<'_> {
    fn verdict(self) -> Verdict {
        let fen = self.fen;
        let replay = if fen.is_empty() {
            Replay::touchstone("verify --suite library")
        } else {
            Replay::fed(format_args!("printf 'position fen {fen}\\nd\\ngo perft 1\\n'"), "engine")
        };
        self.replayed_by(replay)
    }

    /// The verdict on the answer to a line of a session.
    fn said_to(self, line: &str) -> Verdict {
        self.replayed_by(Replay::fed(format_args!("printf '{line}\\n'"), "engine"))
    }

    fn replayed_by(self, replay: Replay) -> Verdict {
        let Wrong { check, case, fen, got, expected, source, because } = self;
        Verdict::Differ(Box::new(Difference {
            subject: SUBJECT.to_owned(),
            check: check.to_owned(),
            case: case.to_owned(),
            fen: fen.to_owned(),
            played: None,
            limit: None,
            stored: got.into(),
            given: None,
            expected: expected.into(),
            best: Vec::new(),
            source: source.to_owned(),
            explanation: because,
            cause: Some(Cause::Check(check.to_owned())),
            replay,
        }))
    }
}

/// The findings of a check whose cases are independent.
fn gather<C: Sync>(
    check: &str,
    evidence: Evidence,
    case_set: &str,
    cases: &[C],
    judge: impl Fn(&C) -> Verdict + Sync,
) -> Findings {
    let verdicts = parallel::map_each(cases, judge);
    let mut findings = Findings::new(Tally::new(SUBJECT, check, evidence, case_set));
    for verdict in verdicts {
        findings.record(verdict);
    }
    findings
}

/// An answer of the engine; a panic is an answer too.
fn ask<T>(question: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(question)).map_err(|payload| {
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
        format!("panics: {}", message.unwrap_or("without a message"))
    })
}

/// What a session or a program prints, or why it prints nothing.
fn printed(said: impl FnOnce() -> io::Result<String>) -> String {
    ask(|| said().unwrap_or_else(|error| error.to_string())).unwrap_or_else(|panic| panic)
}

/// The first line in which two answers differ, as it is and as it should be; `None` if they are equal.
fn first_difference(got: &[String], expected: &[String]) -> Option<(String, String)> {
    let line =
        |lines: &[String], place: usize| lines.get(place).cloned().unwrap_or_else(|| "no more".to_owned());
    let most = got.len().max(expected.len());
    (0..most)
        .find(|&place| got.get(place) != expected.get(place))
        .map(|place| (line(got, place), line(expected, place)))
}
