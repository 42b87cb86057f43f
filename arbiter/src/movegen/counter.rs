//! Programs that count: `go perft N`, or `perft N`.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use suites::perft::Castling;

use super::counts::{Printed, Sum, moves};
use super::place::Place;
use crate::runner::{Deadline, EnginePool};
use oracle::perft::{MoveSource, MoveSourceError};
use uci::{Engine, Failure, Message};

/// The commands that are tried.
const COMMANDS: [&str; 2] = ["go perft", "perft"];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// What there is to be counted from the start, by depth.
const KNOWN: [u64; 3] = [20, 400, 8_902];
/// A count that shows how fast it is, and how long that may take of whoever is not slow.
const SPEED: (u32, Duration) = (4, Duration::from_secs(1));
/// Longest time for the first counts.
const FIRST: Duration = Duration::from_secs(2);
/// Longest time for any count.
const LONGEST: Duration = Duration::from_secs(10);
/// How long nothing more must come where nothing tells the end.
const QUIET: Duration = Duration::from_millis(200);

/// How a program counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manner {
    pub(super) command: &'static str,
    sum: Sum,
    /// Whether it prints each move.
    lists: bool,
    /// Whether it counts less than 200,000 positions a second.
    pub(super) is_slow: bool,
}

/// What came after a command to count.
enum Came {
    Lines(Printed),
    /// It searches: the command is none of its own.
    Search,
    /// Too little within the time.
    Late,
}

impl Manner {
    /// Finds out whether a program counts, and how. Each command is tried on a new process, which is then ended: some take
    /// `go perft` for a search without limits.
    pub(super) fn find_out(stable: &EnginePool) -> Option<Self> {
        COMMANDS
            .into_iter()
            .find_map(|command| stable.attempt(|engine| Ok(Self::of(engine, command))).ok().flatten())
    }

    fn of(engine: &mut Engine, command: &'static str) -> Option<Self> {
        let mut printed = Vec::new();
        for (depth, known) in (1..).zip(KNOWN) {
            match count(engine, command, START, depth, None, FIRST).ok()? {
                Came::Lines(lines) => printed.push((known, lines)),
                Came::Search | Came::Late => return None,
            }
        }
        let sum = Sum::find_out(&printed)?;
        let mut listed = moves(&printed[0].1);
        listed.sort_unstable();
        listed.dedup();
        let lists = listed.len() as u64 == KNOWN[0];
        let (depth, usual) = SPEED;
        let asked = Instant::now();
        let is_done = matches!(count(engine, command, START, depth, Some(&sum), LONGEST), Ok(Came::Lines(_)));
        Some(Self { command, sum, lists, is_slow: !is_done || asked.elapsed() > usual })
    }
}

/// Says the command and hears what is printed. Without a way to read the sum it listens until nothing more comes.
fn count(
    engine: &mut Engine,
    command: &str,
    fen: &str,
    depth: u32,
    sum: Option<&Sum>,
    within: Duration,
) -> Result<Came, Failure> {
    engine.send(&format!("position fen {fen}"));
    engine.send(&format!("{command} {depth}"));
    // Who counts before it hears anything else is ready when all is printed.
    engine.send("isready");
    let until = Instant::now() + within;
    let (mut printed, mut is_ready) = (Printed::new(), false);
    loop {
        let told = sum.is_some_and(|sum| *sum != Sum::Added && sum.read(&printed).is_some());
        if is_ready && told {
            return Ok(Came::Lines(printed));
        }
        let listens =
            if is_ready && sum.is_none_or(|sum| *sum == Sum::Added) { Instant::now() + QUIET } else { until };
        match engine.receive(listens.min(until))? {
            Some(Message::ReadyOk) => is_ready = true,
            Some(Message::Other(line)) => printed.push(line),
            Some(Message::Info(info)) => match info.string {
                Some(text) => printed.push(text),
                None if info.score.is_some() || info.pv.is_some() || info.depth.is_some() => {
                    return stop(engine);
                }
                None => {}
            },
            Some(Message::BestMove(_)) => return Ok(Came::Search),
            Some(_) => {}
            None if is_ready && Instant::now() < until => return Ok(Came::Lines(printed)),
            None => return Ok(Came::Late),
        }
    }
}

/// Ends a search that was not asked for.
fn stop(engine: &mut Engine) -> Result<Came, Failure> {
    engine.receive_search(Duration::ZERO).map(|_| Came::Search)
}

/// A program as a source of moves and counts, for one case. When it was late or broke, or time is over, it is asked no more.
pub(super) struct Counter<'a> {
    pub(super) stable: &'a EnginePool,
    pub(super) manner: &'a Manner,
    deadline: Deadline,
    heard: Mutex<Heard>,
}

/// What was heard of it.
#[derive(Default)]
struct Heard {
    /// The last count that was wrong.
    wrong: Option<Wrong>,
    end: Option<End>,
}

/// A wrong count.
#[derive(Debug, Clone)]
pub(super) struct Wrong {
    pub(super) fen: String,
    pub(super) depth: u32,
    pub(super) counted: u64,
    pub(super) nodes: u64,
}

/// Why it is asked no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// A count did not come in time, or there is none left for it.
    Late(String),
    /// It broke.
    Broke(String),
}

impl<'a> Counter<'a> {
    pub(super) fn new(stable: &'a EnginePool, manner: &'a Manner, deadline: Deadline) -> Self {
        Self { stable, manner, deadline, heard: Mutex::default() }
    }

    /// Why it is asked no more, if so.
    pub(super) fn end(&self) -> Option<End> {
        self.heard().end.clone()
    }

    /// The last count that was wrong: the way down goes from one to the next.
    pub(super) fn wrong(&self) -> Option<Wrong> {
        self.heard().wrong.clone()
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn printed(&self, fen: &str, depth: u32) -> Result<Printed, MoveSourceError> {
        if self.deadline.is_over() {
            self.heard().end.get_or_insert_with(|| End::Late("the time for the run is over".to_owned()));
        }
        if let Some(End::Late(why) | End::Broke(why)) = self.end() {
            return Err(MoveSourceError::Broke(why));
        }
        let Manner { command, sum, .. } = self.manner;
        let came = self.stable.lend(|engine| match count(engine, command, fen, depth, Some(sum), LONGEST) {
            Ok(Came::Lines(lines)) => Ok(lines),
            // Whoever counts on cannot be asked anything else: it is ended.
            Ok(Came::Search | Came::Late) => Err(Failure::Silent {
                awaited: "count".to_owned(),
                waited: LONGEST,
                after: format!("{command} {depth}"),
            }),
            Err(failure) => {
                if !is_late(&failure) {
                    self.stable.note(engine, &failure);
                }
                Err(failure)
            }
        });
        came.map_err(|failure| {
            let why = failure.to_string();
            let end = if is_late(&failure) { End::Late(why.clone()) } else { End::Broke(why.clone()) };
            self.heard().end = Some(end);
            MoveSourceError::Broke(why)
        })
    }
}

/// Whether it may be no more than slow.
fn is_late(failure: &Failure) -> bool {
    matches!(failure, Failure::Silent { .. })
}

impl MoveSource for Counter<'_> {
    fn name(&self) -> &str {
        self.stable.name()
    }

    fn legal_moves(&self, fen: &str, _: Castling) -> Result<Vec<String>, MoveSourceError> {
        if !self.manner.lists {
            return Err(MoveSourceError::Untold);
        }
        Ok(moves(&self.printed(fen, 1)?))
    }

    fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, MoveSourceError> {
        let printed = self.printed(fen, depth)?;
        // Without any move there is nothing to be added up.
        let counted = self.manner.sum.read(&printed).unwrap_or_default();
        let nodes = Place::read(fen, mode(castling)).map(|place| shakmaty::perft(&place.position, depth));
        if let Some(nodes) = nodes.filter(|&nodes| nodes != counted) {
            self.heard().wrong = Some(Wrong { fen: fen.to_owned(), depth, counted, nodes });
        }
        Ok(counted)
    }
}

pub(super) fn mode(castling: Castling) -> shakmaty::CastlingMode {
    match castling {
        Castling::Standard => shakmaty::CastlingMode::Standard,
        Castling::Chess960 => shakmaty::CastlingMode::Chess960,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use uci::{Program, Timeouts};

    #[test]
    fn nothing_is_counted_when_time_is_over() {
        let counted = |time| {
            let program = Program { path: "/no/such/program".into(), ..Program::default() };
            let stable = EnginePool::new(program, Timeouts::default());
            let manner = Manner { command: "perft", sum: Sum::Added, lists: true, is_slow: false };
            let counter = Counter::new(&stable, &manner, Deadline::after(time));
            assert!(counter.perft(START, 1, Castling::Standard).is_err());
            let late = matches!(counter.end(), Some(End::Late(_)));
            (late, stable.into_incidents().len())
        };
        assert_eq!(counted(Some(Duration::ZERO)), (true, 0));
        assert_eq!(counted(None), (false, 1));
    }
}
