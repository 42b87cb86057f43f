//! Programs that count with `go perft N` or `perft N`.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use oracle::perft::{MoveSource, MoveSourceError};
use suites::perft::Castling;
use uci::{Engine, Failure, Message};

use super::perft_output::{Printed, TotalFormat, moves};
use super::test_position::TestPosition;
use crate::runner::{Deadline, EnginePool};
use crate::sync::locked;

/// The commands that are tried.
const COMMANDS: [&str; 2] = ["go perft", "perft"];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The counts of the starting position, by depth.
const KNOWN: [u64; 3] = [20, 400, 8_902];
/// The depth of the count that measures speed, and the time above which a program is slow.
const SPEED: (u32, Duration) = (4, Duration::from_secs(1));
/// The longest time for each count while the dialect is detected.
const FIRST: Duration = Duration::from_secs(2);
/// The longest time for a count.
const LONGEST: Duration = Duration::from_secs(10);
/// The silence after which a count is over, if its output has no last line that is known.
const QUIET: Duration = Duration::from_millis(200);

/// The command with which a program counts, and the form of what it prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PerftDialect {
    pub(super) command: &'static str,
    total: TotalFormat,
    /// Whether it prints a count for each move.
    lists_moves: bool,
    /// Whether it counts fewer than 200,000 positions a second.
    pub(super) is_slow: bool,
}

impl PerftDialect {
    /// Detects whether a program counts, and how. Each command is tried in a fresh process, which is then
    /// ended: some programs take `go perft` for a search without limits.
    pub(super) fn detect(pool: &EnginePool) -> Option<Self> {
        COMMANDS
            .into_iter()
            .find_map(|command| pool.attempt(|engine| Ok(Self::from_command(engine, command))).ok().flatten())
    }

    fn from_command(engine: &mut Engine, command: &'static str) -> Option<Self> {
        let mut printed = Vec::new();
        for (depth, known) in (1..).zip(KNOWN) {
            printed.push((known, count(engine, command, START, depth, None, FIRST).ok()??));
        }
        let total = TotalFormat::detect(&printed)?;
        let mut listed = moves(&printed[0].1);
        listed.sort_unstable();
        listed.dedup();
        let lists_moves = listed.len() as u64 == KNOWN[0];
        let (depth, usual) = SPEED;
        let asked = Instant::now();
        let is_done = matches!(count(engine, command, START, depth, Some(&total), LONGEST), Ok(Some(_)));
        Some(Self { command, total, lists_moves, is_slow: !is_done || asked.elapsed() > usual })
    }
}

/// Sends the command and reads what is printed. If the form of the total is not known, the count ends with a
/// silence. `None` if it is not complete in time, or if the program searches, since it does not know the
/// command.
fn count(
    engine: &mut Engine,
    command: &str,
    fen: &str,
    depth: u32,
    total: Option<&TotalFormat>,
    within: Duration,
) -> Result<Option<Printed>, Failure> {
    engine.send(&format!("position fen {fen}"));
    engine.send(&format!("{command} {depth}"));
    // A program that counts in its main thread answers this when all is printed.
    engine.send("isready");
    let until = Instant::now() + within;
    let (mut printed, mut is_ready) = (Printed::new(), false);
    loop {
        let is_total_known =
            total.is_some_and(|total| *total != TotalFormat::SumOfMoves && total.read(&printed).is_some());
        if is_ready && is_total_known {
            return Ok(Some(printed));
        }
        let listens = if is_ready && total.is_none_or(|total| *total == TotalFormat::SumOfMoves) {
            Instant::now() + QUIET
        } else {
            until
        };
        match engine.receive(listens.min(until))? {
            Some(Message::ReadyOk) => is_ready = true,
            Some(Message::Other(line)) => printed.push(line),
            Some(Message::Info(info)) => match info.string {
                Some(text) => printed.push(text),
                None if info.score.is_some() || info.pv.is_some() || info.depth.is_some() => {
                    // This ends the search.
                    engine.receive_search(Duration::ZERO)?;
                    return Ok(None);
                }
                None => {}
            },
            Some(Message::BestMove(_)) => return Ok(None),
            Some(_) => {}
            None if is_ready && Instant::now() < until => return Ok(Some(printed)),
            None => return Ok(None),
        }
    }
}

/// A program as a source of moves and counts, for one case. After a count that failed or was late, or after
/// the deadline, it is not asked any more.
pub(super) struct PerftSource<'a> {
    pub(super) pool: &'a EnginePool,
    pub(super) dialect: &'a PerftDialect,
    deadline: Deadline,
    log: Mutex<PerftLog>,
}

/// The wrong counts of a case, and why it ended.
#[derive(Default)]
struct PerftLog {
    /// The last count that was wrong.
    wrong: Option<WrongCount>,
    stopped: Option<StopReason>,
}

/// A wrong count.
#[derive(Debug, Clone)]
pub(super) struct WrongCount {
    pub(super) fen: String,
    pub(super) depth: u32,
    pub(super) counted: u64,
    pub(super) nodes: u64,
}

/// Why a program is not asked any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StopReason {
    pub(super) why: String,
    /// Whether it failed. Otherwise a count was late, or the deadline passed.
    pub(super) failed: bool,
}

impl<'a> PerftSource<'a> {
    pub(super) fn new(pool: &'a EnginePool, dialect: &'a PerftDialect, deadline: Deadline) -> Self {
        Self { pool, dialect, deadline, log: Mutex::default() }
    }

    /// Why it is not asked any more.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        self.log().stopped.clone()
    }

    /// The last count that was wrong. The search for a wrong move goes from one to the next.
    pub(super) fn wrong(&self) -> Option<WrongCount> {
        self.log().wrong.clone()
    }

    fn log(&self) -> MutexGuard<'_, PerftLog> {
        locked(&self.log)
    }

    fn printed(&self, fen: &str, depth: u32) -> Result<Printed, MoveSourceError> {
        if self.deadline.is_over() {
            self.log().stopped.get_or_insert_with(|| StopReason {
                why: "the time for the run is over".to_owned(),
                failed: false,
            });
        }
        if let Some(StopReason { why, .. }) = self.stopped() {
            return Err(MoveSourceError::Broke(why));
        }
        let PerftDialect { command, total, .. } = self.dialect;
        let came = self.pool.lend(|engine| match count(engine, command, fen, depth, Some(total), LONGEST) {
            Ok(Some(lines)) => Ok(lines),
            // A program that is still counting cannot be asked anything else. It is ended.
            Ok(None) => Err(Failure::Silent {
                awaited: "count".to_owned(),
                waited: LONGEST,
                after: format!("{command} {depth}"),
                panic: None,
            }),
            Err(failure) => {
                if !is_late(&failure) {
                    self.pool.note(engine, &failure);
                }
                Err(failure)
            }
        });
        came.map_err(|failure| {
            let why = failure.to_string();
            self.log().stopped = Some(StopReason { why: why.clone(), failed: !is_late(&failure) });
            MoveSourceError::Broke(why)
        })
    }
}

/// Whether the program may just be slow.
fn is_late(failure: &Failure) -> bool {
    matches!(failure, Failure::Silent { .. })
}

impl MoveSource for PerftSource<'_> {
    fn name(&self) -> &str {
        self.pool.name()
    }

    fn legal_moves(&self, fen: &str, _: Castling) -> Result<Vec<String>, MoveSourceError> {
        if !self.dialect.lists_moves {
            return Err(MoveSourceError::Untold);
        }
        Ok(moves(&self.printed(fen, 1)?))
    }

    fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, MoveSourceError> {
        let printed = self.printed(fen, depth)?;
        // A position without moves has no counts to add up.
        let counted = self.dialect.total.read(&printed).unwrap_or_default();
        let nodes =
            TestPosition::read(fen, mode(castling)).map(|position| shakmaty::perft(&position.chess, depth));
        if let Some(nodes) = nodes.filter(|&nodes| nodes != counted) {
            self.log().wrong = Some(WrongCount { fen: fen.to_owned(), depth, counted, nodes });
        }
        Ok(counted)
    }
}

/// The castling mode of a suite, as shakmaty names it.
pub(super) fn mode(castling: Castling) -> shakmaty::CastlingMode {
    match castling {
        Castling::Standard => shakmaty::CastlingMode::Standard,
        Castling::Chess960 => shakmaty::CastlingMode::Chess960,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::{Program, Timeouts};

    #[test]
    fn nothing_is_counted_after_the_deadline() {
        let counted = |until| {
            let program = Program { path: "/no/such/program".into(), ..Program::default() };
            let pool = EnginePool::new(program, Timeouts::default());
            let dialect = PerftDialect {
                command: "perft",
                total: TotalFormat::SumOfMoves,
                lists_moves: true,
                is_slow: false,
            };
            let source = PerftSource::new(&pool, &dialect, Deadline::at(until));
            assert!(source.perft(START, 1, Castling::Standard).is_err());
            let late = source.stopped().is_some_and(|stopped| !stopped.failed);
            (late, pool.into_incidents().len())
        };
        assert_eq!(counted(Some(Instant::now())), (true, 0));
        assert_eq!(counted(None), (false, 1));
    }
}
