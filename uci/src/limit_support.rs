//! Which limits of `go` a program respects, found out by trying them, and what to send in place of one that it ignores.
//!
//! Whatever the program respects, every search also has a timeout of ours, after which `stop` is sent.

use std::fmt;
use std::time::Duration;

use crate::engine::{Engine, Search};
use crate::failure::Failure;
use crate::info::Info;
use crate::program::Program;
use crate::timeouts::Timeouts;
use crate::{Limit, Question, Score};

/// A middlegame position, in which no depth is soon exhausted.
const POSITION: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
/// The limits that are probed.
const NODES: u64 = 2000;
const DEPTH: u16 = 4;
const TIME: Duration = Duration::from_millis(100);
/// The clock that is probed.
const CLOCK: Duration = Duration::from_secs(2);
/// How many times the time of a search stands on the clock: engines use a part of it for a move.
const MOVES_OF_CLOCK: u32 = 20;
/// How many times the time of a search an engine may take for a move by the clock before `stop` is sent.
const LONG_MOVE: u32 = 4;
/// The timeout of each probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// Above this many times the nodes that were asked for, `go nodes` counts as ignored.
const EXCESS_NODES: u64 = 50;
/// Above this much past `movetime`, an answer is late.
const LATE: Duration = Duration::from_millis(250);
/// How much past `movetime` an answer may come before `stop` is sent.
const OVERRUN: Duration = Duration::from_secs(2);
/// From this many nodes on, engines that ignore `go nodes` get `movetime` instead; below, they get a depth.
const MANY_NODES: u64 = 100_000;
/// Attempts to start a program that exits at its start: they take little time.
const ATTEMPTS_IF_EXITED: usize = 3;
/// Attempts to start a program that fails in another way: each takes a whole timeout.
const ATTEMPTS: usize = 2;

/// Which limits of `go` a program respects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitSupport {
    /// `go nodes`.
    pub nodes: Support,
    /// `go depth`.
    pub depth: Support,
    /// `go movetime`.
    pub move_time: Support,
    /// The clocks of `go wtime btime`. It is tried only if no other limit can be used.
    pub clock: Support,
    /// How it failed at `ucinewgame` and the `isready` after it, if it did. Such a program is restarted for each game.
    pub new_game: Option<Failure>,
}

/// Whether a limit is respected. It was tried once, on a machine that may have been busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The engine respects it, as far as one search shows.
    Yes,
    /// The engine stops long before the limit.
    Early,
    /// The engine answers well after the limit, but without `stop`.
    Late,
    /// The engine searches on past the limit, or is too slow to tell.
    No,
    /// The search failed.
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
    fn is_usable(self) -> bool {
        !matches!(self, Self::No | Self::Early)
    }
}

/// The limit that is sent for a question, and the timeout of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchRequest {
    /// The limit of `go`; `None` for `go infinite`.
    pub limit: Option<Limit>,
    /// The time after which `stop` is sent.
    pub within: Duration,
}

impl fmt::Display for SearchRequest {
    /// The `go` command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.limit {
            Some(limit) => write!(f, "go {limit}"),
            None => f.write_str("go infinite"),
        }
    }
}

impl LimitSupport {
    /// Nothing was probed: every limit is sent as it is.
    pub const UNKNOWN: Self = Self {
        nodes: Support::Unknown,
        depth: Support::Unknown,
        move_time: Support::Unknown,
        clock: Support::Unknown,
        new_game: None,
    };

    /// The request for a search within the limit `wanted`. If no limit of time is sent, `stop` follows after `think`.
    pub fn request(&self, wanted: Limit, think: Duration) -> SearchRequest {
        let request = |limit| SearchRequest { limit: Some(limit), within: think };
        match wanted {
            Limit::Nodes(_) if self.nodes.is_usable() => request(wanted),
            Limit::Depth(_) if self.depth.is_usable() => request(wanted),
            // With few pieces left, a depth says little about how long a search takes.
            Limit::Nodes(nodes) if nodes >= MANY_NODES && self.move_time.is_usable() => {
                self.for_time(fast_time(nodes).min(think))
            }
            Limit::Nodes(nodes) if self.depth.is_usable() => request(Limit::Depth(depth_of(nodes))),
            Limit::Depth(depth) if self.nodes.is_usable() => request(Limit::Nodes(nodes_of(depth))),
            Limit::Nodes(nodes) => self.for_time(slow_time(nodes).min(think)),
            Limit::Depth(depth) => self.for_time(slow_time(nodes_of(depth)).min(think)),
            Limit::MoveTime(time) => self.for_time(time),
            Limit::Clock(time) => request(Limit::Clock(time)),
        }
    }

    fn for_time(&self, time: Duration) -> SearchRequest {
        if self.move_time.is_usable() {
            SearchRequest { limit: Some(Limit::MoveTime(time)), within: time + OVERRUN }
        } else if self.clock == Support::Yes {
            let clock = time.saturating_mul(MOVES_OF_CLOCK);
            SearchRequest {
                limit: Some(Limit::Clock(clock)),
                within: clock.min(time.saturating_mul(LONG_MOVE) + OVERRUN),
            }
        } else {
            SearchRequest { limit: None, within: time }
        }
    }
}

/// The depth that takes about this many nodes, at four times as many for each ply.
fn depth_of(nodes: u64) -> u16 {
    (nodes.max(4).ilog2() / 2) as u16
}

/// The nodes that a depth takes, by the same estimate.
fn nodes_of(depth: u16) -> u64 {
    1 << (2 * depth.clamp(1, 12))
}

/// The time in which a fast engine searches this many nodes: a million a second.
fn fast_time(nodes: u64) -> Duration {
    Duration::from_millis((nodes / 1000).min(60_000))
}

/// The time in which a slow engine searches this many nodes: 100,000 a second.
fn slow_time(nodes: u64) -> Duration {
    Duration::from_millis((nodes / 100).clamp(20, 60_000))
}

/// A failure of a program while its limits were probed.
#[derive(Debug, Clone)]
pub struct ProbeFailure {
    /// How it failed.
    pub failure: Failure,
    /// The question at which it failed; `None` at its start.
    pub question: Option<Question>,
    /// The transcript of the session.
    pub transcript: String,
}

/// What is known of a program before the first question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineProfile {
    /// The limits that it respects.
    pub limits: LimitSupport,
    /// The options that are set at each start.
    pub options: Vec<(String, String)>,
}

/// Probes which limits a program respects, in one process as long as that lives. Returns them with the failures on the way.
///
/// # Errors
/// The failures of a program that fails at every question, or does not start.
pub fn probe(
    program: &Program,
    timeouts: Timeouts,
) -> Result<(EngineProfile, Vec<ProbeFailure>), Vec<ProbeFailure>> {
    let program = program.for_session("limits");
    let engine = first_start(&program, timeouts)?;
    let options = engine.identity().initial_options(&program.options);
    let mut probe =
        Probe { running: Some(engine), program, timeouts, failures: Vec::new(), failed_twice: false };
    let depth = probe.search(Limit::Depth(DEPTH), depth_support);
    let nodes = probe.search(Limit::Nodes(NODES), nodes_support);
    let move_time = probe.search(Limit::MoveTime(TIME), time_support);
    let mut limits = [depth, nodes, move_time];
    let mut clock = Support::Unknown;
    if !limits.iter().any(|support| matches!(support, Support::Yes | Support::Late)) {
        clock = probe.search(Limit::Clock(CLOCK), clock_support);
    }
    if clock == Support::Yes {
        // It is silent at limits that it does not know: the checks of limits report that.
        probe.failures.retain(|failed| !matches!(failed.failure, Failure::Silent { .. }));
        limits = limits.map(|support| if support == Support::Unknown { Support::No } else { support });
    } else if limits == [Support::Unknown; 3] && !probe.failures.is_empty() {
        return Err(probe.failures);
    }
    let [depth, nodes, move_time] = limits;
    let new_game = probe.attempt(None, |engine| {
        engine.send("ucinewgame");
        engine.ready()
    });
    let new_game = new_game.err().map(|failed| failed.failure);
    Ok((
        EngineProfile { limits: LimitSupport { nodes, depth, move_time, clock, new_game }, options },
        probe.failures,
    ))
}

/// Starts a program, more than once if it fails.
fn first_start(program: &Program, timeouts: Timeouts) -> Result<Engine, Vec<ProbeFailure>> {
    let mut failures = Vec::new();
    loop {
        match Engine::start_with_transcript(program, timeouts) {
            Ok(engine) => return Ok(engine),
            Err((failure, transcript)) => {
                let exited = matches!(failure, Failure::Ended { .. });
                let attempts = if exited { ATTEMPTS_IF_EXITED } else { ATTEMPTS };
                failures.push(ProbeFailure { failure, question: None, transcript });
                if failures.len() >= attempts {
                    return Err(failures);
                }
            }
        }
    }
}

/// A process that is probed. After a failure another one is started.
struct Probe {
    program: Program,
    timeouts: Timeouts,
    running: Option<Engine>,
    /// The failures so far.
    failures: Vec<ProbeFailure>,
    /// Whether it failed twice at one question. The other questions are then asked once, and their failures are not recorded.
    failed_twice: bool,
}

impl Probe {
    fn search(&mut self, limit: Limit, judge: fn(&Search) -> Support) -> Support {
        let timeout = PROBE_TIMEOUT.min(self.timeouts.think);
        let question = Question::of(POSITION, limit);
        let position = format!("fen {POSITION}");
        for _ in 0..2 {
            let ask = |engine: &mut Engine| engine.go(&position, &limit.to_string(), timeout);
            match self.attempt(Some(&question), ask) {
                Ok(search) => return judge(&search),
                Err(_) if self.failed_twice => return Support::Unknown,
                Err(failed) => self.failures.push(*failed),
            }
        }
        self.failed_twice = true;
        Support::Unknown
    }

    /// Runs `action` in a process; the error is how the process failed.
    fn attempt<T>(
        &mut self,
        question: Option<&Question>,
        action: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Box<ProbeFailure>> {
        let failed = |failure, question: Option<&Question>, transcript| {
            Box::new(ProbeFailure { failure, question: question.cloned(), transcript })
        };
        let mut engine = match self.running.take() {
            Some(engine) => engine,
            None => Engine::start_with_transcript(&self.program, self.timeouts)
                .map_err(|(failure, transcript)| failed(failure, None, transcript))?,
        };
        let done = action(&mut engine)
            .map_err(|failure| failed(failure, question, engine.transcript().to_string()))?;
        self.running = Some(engine);
        Ok(done)
    }
}

/// The greatest value of a field in the lines of a search.
fn greatest<T: Ord>(search: &Search, field: impl Fn(&Info) -> Option<T>) -> Option<T> {
    search.infos.iter().filter_map(|(_, info)| field(info)).max()
}

fn nodes_support(search: &Search) -> Support {
    let nodes = greatest(search, |info| info.nodes);
    let depth = greatest(search, |info| info.depth);
    match nodes {
        _ if search.stopped => Support::No,
        Some(nodes) if nodes > EXCESS_NODES * NODES => Support::No,
        Some(nodes) if nodes >= NODES / 2 => Support::Yes,
        _ if depth.is_none_or(|depth| depth <= 1) => Support::Early,
        _ => Support::Yes,
    }
}

fn depth_support(search: &Search) -> Support {
    let mates = greatest(search, |info| matches!(info.score, Some((Score::Mate(_), _))).then_some(()));
    match greatest(search, |info| info.depth).unwrap_or_default() {
        depth if search.stopped || depth > u32::from(DEPTH) + 2 => Support::No,
        depth if depth < u32::from(DEPTH) && mates.is_none() => Support::Early,
        _ => Support::Yes,
    }
}

fn clock_support(search: &Search) -> Support {
    if search.stopped || search.took >= CLOCK { Support::No } else { Support::Yes }
}

fn time_support(search: &Search) -> Support {
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
    fn support_is_judged_by_one_search() {
        let check = |judge: fn(&Search) -> Support, line, stopped, expected| {
            assert_eq!(judge(&search(line, stopped, 50)), expected, "{line}");
        };
        check(nodes_support, "info depth 5 nodes 2003", false, Support::Yes);
        check(nodes_support, "info depth 5", false, Support::Yes);
        check(nodes_support, "info depth 1 nodes 30", false, Support::Early);
        check(nodes_support, "", false, Support::Early);
        check(nodes_support, "info depth 20 nodes 2000000", true, Support::No);
        check(nodes_support, "info depth 20 nodes 2000000", false, Support::No);
        check(nodes_support, "", true, Support::No);
        check(depth_support, "info depth 4", false, Support::Yes);
        check(depth_support, "info depth 1", false, Support::Early);
        check(depth_support, "info depth 2 score mate 1", false, Support::Yes);
        check(depth_support, "info depth 20", true, Support::No);
        check(depth_support, "", true, Support::No);
        let took = |took, stopped| time_support(&search("", stopped, took));
        assert_eq!(
            [took(90, false), took(400, false), took(3000, true)],
            [Support::Yes, Support::Late, Support::No]
        );
    }

    #[test]
    fn an_ignored_limit_is_replaced_by_another() {
        let think = Duration::from_secs(10);
        let by_clock = |clock, limits: [Support; 3], wanted, line: &str, within| {
            let [nodes, depth, move_time] = limits;
            let support = LimitSupport { nodes, depth, move_time, clock, new_game: None };
            let request = support.request(wanted, think);
            assert_eq!((request.to_string().as_str(), request.within), (line, Duration::from_millis(within)));
        };
        let check =
            |limits, wanted, line: &str, within| by_clock(Support::Unknown, limits, wanted, line, within);
        let (yes, no) = (Support::Yes, Support::No);
        let (nodes, depth) = (Limit::Nodes(10_000), Limit::Depth(6));
        let time = Limit::MoveTime(Duration::from_millis(300));
        check([yes, yes, yes], nodes, "go nodes 10000", 10_000);
        check([Support::Early, yes, yes], nodes, "go depth 6", 10_000);
        check([no, no, yes], nodes, "go movetime 100", 2_100);
        check([Support::Early, yes, yes], Limit::Nodes(MANY_NODES - 1), "go depth 8", 10_000);
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
        by_clock(yes, [no, no, no], nodes, "go wtime 2000 btime 2000", 2_000);
        by_clock(yes, [no, no, no], time, "go wtime 6000 btime 6000", 3_200);
        by_clock(yes, [no, no, yes], time, "go movetime 300", 2_300);
    }
}
