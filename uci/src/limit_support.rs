//! Which limits a program limits, found out by trying them; and what is asked in place of one that it does not keep.
//!
//! Whatever it limits, a search ends by a clock of ours.

use std::fmt;
use std::time::Duration;

use crate::engine::{Engine, Search};
use crate::failure::Failure;
use crate::program::Program;
use crate::timeouts::Timeouts;
use crate::{Limit, Question, Score};

/// A position of the middle game, in which no depth is soon exhausted.
const POSITION: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
/// The limits that are tried.
const NODES: u64 = 2000;
const DEPTH: u16 = 4;
const TIME: Duration = Duration::from_millis(100);
/// How long each is tried at most.
const TRIED: Duration = Duration::from_secs(3);
/// Times as many nodes as it was given that count as none of its limits.
const BEYOND: u64 = 50;
/// How much later than it should an answer is that is late.
const LATE: Duration = Duration::from_millis(250);
/// How much later than it should an answer may be before it is told to stop.
const OVERRUN: Duration = Duration::from_secs(2);
/// So many nodes are a time for whoever does not count them, and fewer are a depth.
const MANY: u64 = 100_000;
/// How often it is started to see whether it can be: where it ends little time is lost, else it is waited for.
const STARTS: [usize; 2] = [3, 2];

/// What a program limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitSupport {
    /// `go nodes`.
    pub nodes: Support,
    /// `go depth`.
    pub depth: Support,
    /// `go movetime`.
    pub move_time: Support,
    /// How it broke over `ucinewgame` and the `isready` after it, if it did: then it is started anew for a new game.
    pub new_game: Option<Failure>,
}

/// Whether a limit is kept. It was tried once, on a machine that may have been busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It is, as far as can be seen.
    Yes,
    /// It thinks far less than it may.
    Early,
    /// It answers much later than it should, but does.
    Late,
    /// It goes on beyond it, or is so slow that nobody can tell.
    No,
    /// It broke.
    Unknown,
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "kept",
            Self::Early => "stops early",
            Self::Late => "late",
            Self::No => "not kept",
            Self::Unknown => "unknown",
        })
    }
}

impl Support {
    fn is_of_use(self) -> bool {
        !matches!(self, Self::No | Self::Early)
    }
}

/// What is asked, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// `None`: it is to think until it is told to stop.
    pub limit: Option<Limit>,
    /// After that it is told to stop.
    pub within: Duration,
}

impl fmt::Display for Asked {
    /// The line that asks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.limit {
            Some(limit) => write!(f, "go {limit}"),
            None => f.write_str("go infinite"),
        }
    }
}

impl LimitSupport {
    /// All, for all that is known.
    pub const UNKNOWN: Self = Self {
        nodes: Support::Unknown,
        depth: Support::Unknown,
        move_time: Support::Unknown,
        new_game: None,
    };

    /// What is asked where this limit is wanted. Where no limit is a time, it is told to stop after `think`.
    pub fn asked(&self, wanted: Limit, think: Duration) -> Asked {
        let asked = |limit, within| Asked { limit: Some(limit), within };
        match wanted {
            Limit::Nodes(_) if self.nodes.is_of_use() => asked(wanted, think),
            Limit::Depth(_) if self.depth.is_of_use() => asked(wanted, think),
            // A depth says little of a search that is to see far where few men are left.
            Limit::Nodes(nodes) if nodes >= MANY && self.move_time.is_of_use() => {
                self.for_time(quick(nodes).min(think))
            }
            Limit::Nodes(nodes) if self.depth.is_of_use() => asked(Limit::Depth(depth_of(nodes)), think),
            Limit::Depth(depth) if self.nodes.is_of_use() => asked(Limit::Nodes(nodes_of(depth)), think),
            Limit::Nodes(nodes) => self.for_time(time_of(nodes).min(think)),
            Limit::Depth(depth) => self.for_time(time_of(nodes_of(depth)).min(think)),
            Limit::MoveTime(time) => self.for_time(time),
        }
    }

    fn for_time(&self, time: Duration) -> Asked {
        if self.move_time.is_of_use() {
            Asked { limit: Some(Limit::MoveTime(time)), within: time + OVERRUN }
        } else {
            Asked { limit: None, within: time }
        }
    }
}

/// A depth that takes about so many nodes: each ply four times as many.
fn depth_of(nodes: u64) -> u16 {
    (nodes.max(4).ilog2() / 2) as u16
}

fn nodes_of(depth: u16) -> u64 {
    1 << (2 * depth.clamp(1, 12))
}

/// A time in which a fast program visits so many positions.
fn quick(nodes: u64) -> Duration {
    Duration::from_millis((nodes / 1000).min(60_000))
}

/// A time in which a slow program visits so many positions.
fn time_of(nodes: u64) -> Duration {
    Duration::from_millis((nodes / 100).clamp(20, 60_000))
}

/// How a program broke while it was found out what it limits.
#[derive(Debug, Clone)]
pub struct Broken {
    pub failure: Failure,
    /// Over what; `None` if at its start.
    pub question: Option<Question>,
    /// What went over the pipes.
    pub transcript: String,
}

/// What is found out of a program before it is asked anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub limits: LimitSupport,
    /// The options that are set at its start.
    pub options: Vec<(String, String)>,
}

/// Finds out what a program limits, in one process as long as it lives, and how it broke over some of it; the error is how one breaks
/// that breaks whatever it is asked.
pub fn find(program: &Program, timeouts: Timeouts) -> Result<(Found, Vec<Broken>), Vec<Broken>> {
    let program = program.for_session("limits");
    let engine = first_start(&program, timeouts)?;
    let options = engine.identity().set_up(&program.options);
    let mut probe =
        Probe { running: Some(engine), program, timeouts, broken: Vec::new(), broke_again: false };
    let depth = probe.search(Limit::Depth(DEPTH), depth_kept);
    let nodes = probe.search(Limit::Nodes(NODES), nodes_kept);
    let move_time = probe.search(Limit::MoveTime(TIME), time_kept);
    if [depth, nodes, move_time] == [Support::Unknown; 3] && !probe.broken.is_empty() {
        return Err(probe.broken);
    }
    let new_game = probe.new_game().err().map(|broken| broken.failure);
    Ok((Found { limits: LimitSupport { nodes, depth, move_time, new_game }, options }, probe.broken))
}

/// Starts it, more than once if it breaks.
fn first_start(program: &Program, timeouts: Timeouts) -> Result<Engine, Vec<Broken>> {
    let mut broken = Vec::new();
    loop {
        match Engine::begin(program, timeouts) {
            Ok(engine) => return Ok(engine),
            Err((failure, transcript)) => {
                let [ended, other] = STARTS;
                let most = if matches!(failure, Failure::Ended { .. }) { ended } else { other };
                broken.push(Broken { failure, question: None, transcript });
                if broken.len() >= most {
                    return Err(broken);
                }
            }
        }
    }
}

/// A process that is tried, started again after it broke.
struct Probe {
    program: Program,
    timeouts: Timeouts,
    running: Option<Engine>,
    /// How it broke over what was put to it again.
    broken: Vec<Broken>,
    /// Whether it broke twice over the same: over the rest it is not asked again, and nothing is told of that.
    broke_again: bool,
}

impl Probe {
    fn search(&mut self, limit: Limit, judge: fn(&Search) -> Support) -> Support {
        let tried = TRIED.min(self.timeouts.think);
        let question = Question::of(POSITION, limit);
        let position = format!("fen {POSITION}");
        let put = |probe: &mut Self| {
            probe.does(Some(&question), |engine| engine.go(&position, &limit.to_string(), tried))
        };
        let first = match put(self) {
            Ok(search) => return judge(&search),
            Err(broken) => broken,
        };
        if self.broke_again {
            return Support::Unknown;
        }
        self.broken.push(*first);
        match put(self) {
            Ok(search) => judge(&search),
            Err(broken) => {
                self.broken.push(*broken);
                self.broke_again = true;
                Support::Unknown
            }
        }
    }

    fn new_game(&mut self) -> Result<(), Box<Broken>> {
        self.does(None, |engine| {
            engine.say("ucinewgame");
            engine.ready().map(|_| ())
        })
    }

    /// Does something with a process; the error is how it broke.
    fn does<T>(
        &mut self,
        question: Option<&Question>,
        what: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Box<Broken>> {
        let broken = |failure, question: Option<&Question>, transcript| {
            Box::new(Broken { failure, question: question.cloned(), transcript })
        };
        let mut engine = match self.running.take() {
            Some(engine) => engine,
            None => Engine::begin(&self.program, self.timeouts)
                .map_err(|(failure, transcript)| broken(failure, None, transcript))?,
        };
        let done = what(&mut engine)
            .map_err(|failure| broken(failure, question, engine.transcript().to_string()))?;
        self.running = Some(engine);
        Ok(done)
    }
}

/// The greatest of what its lines tell.
fn most<T: Ord>(search: &Search, tells: impl Fn(&crate::info::Info) -> Option<T>) -> Option<T> {
    search.infos.iter().filter_map(|(_, info)| tells(info)).max()
}

fn nodes_kept(search: &Search) -> Support {
    let nodes = most(search, |info| info.nodes);
    let depth = most(search, |info| info.depth);
    match nodes {
        _ if search.stopped => Support::No,
        Some(nodes) if nodes > BEYOND * NODES => Support::No,
        Some(nodes) if nodes >= NODES / 2 => Support::Yes,
        _ if depth.is_none_or(|depth| depth <= 1) => Support::Early,
        _ => Support::Yes,
    }
}

fn depth_kept(search: &Search) -> Support {
    let mates = most(search, |info| matches!(info.score, Some((Score::Mate(_), _))).then_some(()));
    match most(search, |info| info.depth).unwrap_or_default() {
        depth if search.stopped || depth > u32::from(DEPTH) + 2 => Support::No,
        depth if depth < u32::from(DEPTH) && mates.is_none() => Support::Early,
        _ => Support::Yes,
    }
}

fn time_kept(search: &Search) -> Support {
    match search {
        Search { stopped: true, .. } => Support::No,
        Search { took, .. } if *took > TIME + LATE => Support::Late,
        _ => Support::Yes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    fn search(line: &str, stopped: bool, took: u64) -> Search {
        let infos = match Message::read(line) {
            Message::Info(info) => vec![(Duration::ZERO, *info)],
            _ => Vec::new(),
        };
        Search { infos, stopped, took: Duration::from_millis(took), ..Search::default() }
    }

    #[test]
    fn limits_are_kept_or_not() {
        let check = |judge: fn(&Search) -> Support, line, stopped, expected| {
            assert_eq!(judge(&search(line, stopped, 50)), expected, "{line}");
        };
        check(nodes_kept, "info depth 5 nodes 2003", false, Support::Yes);
        check(nodes_kept, "info depth 5", false, Support::Yes);
        check(nodes_kept, "info depth 1 nodes 30", false, Support::Early);
        check(nodes_kept, "", false, Support::Early);
        check(nodes_kept, "info depth 20 nodes 2000000", true, Support::No);
        check(nodes_kept, "info depth 20 nodes 2000000", false, Support::No);
        check(nodes_kept, "", true, Support::No);
        check(depth_kept, "info depth 4", false, Support::Yes);
        check(depth_kept, "info depth 1", false, Support::Early);
        check(depth_kept, "info depth 2 score mate 1", false, Support::Yes);
        check(depth_kept, "info depth 20", true, Support::No);
        check(depth_kept, "", true, Support::No);
        let took = |took, stopped| time_kept(&search("", stopped, took));
        assert_eq!(
            [took(90, false), took(400, false), took(3000, true)],
            [Support::Yes, Support::Late, Support::No]
        );
    }

    #[test]
    fn what_is_not_kept_is_asked_for_in_another_way() {
        let think = Duration::from_secs(10);
        let check = |limits: [Support; 3], wanted, line: &str, within| {
            let [nodes, depth, move_time] = limits;
            let asked = LimitSupport { nodes, depth, move_time, new_game: None }.asked(wanted, think);
            assert_eq!((asked.to_string().as_str(), asked.within), (line, Duration::from_millis(within)));
        };
        let (yes, no) = (Support::Yes, Support::No);
        let (nodes, depth) = (Limit::Nodes(10_000), Limit::Depth(6));
        let time = Limit::MoveTime(Duration::from_millis(300));
        check([yes, yes, yes], nodes, "go nodes 10000", 10_000);
        check([Support::Early, yes, yes], nodes, "go depth 6", 10_000);
        check([no, no, yes], nodes, "go movetime 100", 2_100);
        check([Support::Early, yes, yes], Limit::Nodes(MANY - 1), "go depth 8", 10_000);
        check([Support::Early, yes, yes], Limit::Nodes(2_400_000), "go movetime 2400", 4_400);
        check([no, yes, no], Limit::Nodes(2_400_000), "go depth 10", 10_000);
        check([no, no, no], nodes, "go infinite", 100);
        check([no, yes, yes], depth, "go depth 6", 10_000);
        check([yes, no, yes], depth, "go nodes 4096", 10_000);
        check([no, no, Support::Late], depth, "go movetime 40", 2_040);
        check([yes, yes, Support::Late], time, "go movetime 300", 2_300);
        check([yes, yes, no], time, "go infinite", 300);
        check([no, no, no], Limit::Nodes(u64::MAX), "go infinite", 10_000);
        check([Support::Unknown; 3], nodes, "go nodes 10000", 10_000);
    }
}
