//! Finds out which limits of `go` a program respects. It tries each of them.

use std::time::Duration;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::info::Info;
use crate::limit_support::{LateAnswer, LimitSupport, MOVES_OF_CLOCK, Support};
use crate::program::Program;
use crate::search::Search;
use crate::timeouts::Timeouts;
use crate::{Limit, Question, Score};

/// A middlegame position, in which no engine exhausts its depths soon.
const POSITION: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
/// Mate in two: the tree of each depth is small, so that a search soon reaches the greatest depth of the
/// program.
const MATE: &str = "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1";
/// A search that reaches this depth in plies has run out of depths, not of nodes.
pub const EXHAUSTED: u32 = 50;
/// The nodes of a search for that mate: more than the trees of all depths have.
const MATE_NODES: u64 = 50_000;
/// The limits that are probed.
const NODES: u64 = 2000;
/// How many times [`NODES`] further searches get, one after the other.
const MORE: [u64; 2] = [25, 500];
/// A search ends long before its nodes if it has less than one of so many of them.
const FEW_OF: u64 = 10;
/// A search that ends within this, on a busy machine too, has not had the greatest number of [`MORE`].
const AT_ONCE: Duration = Duration::from_millis(250);
const DEPTH: u16 = 4;
const TIME: Duration = Duration::from_millis(100);
/// The clock that is probed.
const CLOCK: Duration = Duration::from_secs(2);
/// The timeout of a limit, and of the answer to `stop`, if the program plays by its clock.
const PATIENCE: Duration = Duration::from_secs(1);
/// The timeout of each probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// Above this many times the nodes that were asked for, `go nodes` counts as ignored.
const EXCESS_NODES: u64 = 50;
/// An answer is late if it comes more than this after `movetime`.
const LATE: Duration = Duration::from_millis(250);
/// How many times the timeout of a search the probe waits once for an answer, if no limit and no `stop` ends
/// a search.
const LATE_TIMEOUTS: u32 = 4;
/// Attempts to start a program that exits at its start: they take little time.
const ATTEMPTS_IF_EXITED: usize = 3;
/// Attempts to start a program that fails in another way: each takes a whole timeout.
const ATTEMPTS: usize = 2;

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

/// Facts about a program that are known before the first question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineProfile {
    /// The limits that it respects.
    pub limits: LimitSupport,
    /// The options that are set at each start.
    pub options: Vec<(String, String)>,
}

/// Probes which limits a program respects, in one process as long as it lives. Returns them with the failures
/// on the way.
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
    let mut probe = Probe {
        running: Some(engine),
        program,
        timeouts,
        failures: Vec::new(),
        clock: None,
        failed_twice: false,
    };
    let depth = probe.support(Limit::Depth(DEPTH), depth_support);
    let mut nodes = probe.support(Limit::Nodes(NODES), nodes_support);
    if nodes == Support::Yes && probe.ignores_nodes() {
        nodes = Support::Early;
    } else if nodes == Support::Yes && probe.waits_at_mate() {
        nodes = Support::Waits;
    }
    let move_time = probe.support(Limit::MoveTime(TIME), time_support);
    let mut limits = [depth, nodes, move_time];
    if !limits.iter().any(|support| matches!(support, Support::Yes | Support::Late)) {
        probe.play_by_clock();
    }
    let (clock, moves_of_clock) = probe.clock.unwrap_or((Support::Unknown, MOVES_OF_CLOCK));
    if clock == Support::Yes {
        // The program is silent at limits that it does not know: the checks of limits report that.
        probe.failures.retain(|failed| !matches!(failed.failure, Failure::Silent { .. }));
        limits = limits.map(|support| if support == Support::Unknown { Support::No } else { support });
    }
    let late = probe.late_answer(limits, clock);
    if clock != Support::Yes
        && late.is_none()
        && limits == [Support::Unknown; 3]
        && !probe.failures.is_empty()
    {
        return Err(probe.failures);
    }
    let [depth, nodes, move_time] = limits;
    let new_game = probe.attempt(None, |engine| {
        engine.send("ucinewgame");
        engine.ready()
    });
    let new_game = new_game.err().map(|failed| failed.failure);
    Ok((
        EngineProfile {
            limits: LimitSupport { nodes, depth, move_time, clock, moves_of_clock, new_game, late },
            options,
        },
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
    /// Whether it plays by its clock, and how many moves the clock would last. `None` until that is tried.
    clock: Option<(Support, u32)>,
    /// Whether it failed twice at one question. The other questions are then asked once, and their failures
    /// are not recorded.
    failed_twice: bool,
}

impl Probe {
    /// The support of a limit.
    fn support(&mut self, limit: Limit, judge: fn(&Search) -> Support) -> Support {
        self.search(limit, judge).unwrap_or(Support::Unknown)
    }

    /// Whether it plays by its clock. It is tried once, and a failure is not recorded.
    fn play_by_clock(&mut self) -> Support {
        if let Some((support, _)) = self.clock {
            return support;
        }
        let (position, limit) = (format!("fen {POSITION}"), Limit::Clock(CLOCK).to_string());
        let timeout = PROBE_TIMEOUT.min(self.timeouts.think);
        let found = match self.attempt(None, |engine| engine.go(&position, &limit, timeout)) {
            Ok(search) => (clock_support(&search), moves_of_clock_of(search.took)),
            Err(_) => (Support::Unknown, MOVES_OF_CLOCK),
        };
        self.clock = Some(found);
        found.0
    }

    /// The answer to a search if no limit ends a search and `stop` did not end one either. The probe waits
    /// for it once.
    fn late_answer(&mut self, limits: [Support; 3], clock: Support) -> Option<LateAnswer> {
        let is_kept = |support: &Support| !matches!(support, Support::No | Support::Unknown);
        let is_silent = |failed: &ProbeFailure| matches!(failed.failure, Failure::Silent { panic: None, .. });
        if limits.iter().any(is_kept) || clock == Support::Yes || !self.failures.iter().any(is_silent) {
            return None;
        }
        let stopped_after = PROBE_TIMEOUT.min(self.timeouts.think);
        let usual = self.timeouts.stop;
        (self.running, self.timeouts.stop) = (None, LATE_TIMEOUTS * self.timeouts.think);
        let question = Question::new(POSITION, Limit::Depth(DEPTH));
        let lines = question.commands();
        let search = self.attempt(None, |engine| engine.search(&lines, stopped_after)).ok();
        (self.running, self.timeouts.stop) = (None, usual);
        let Search { took, infos, .. } = search.filter(|search| search.took > stopped_after + usual)?;
        let has_score = infos.iter().any(|(_, info)| info.score.is_some());
        Some(LateAnswer { question, stopped_after, took, has_score })
    }

    /// Whether searches by few, many and very many nodes end as if the limit were unknown: at the same depth with
    /// about the same nodes, or at once, long before their nodes.
    fn ignores_nodes(&mut self) -> bool {
        let mut ends = |times| {
            let limit = Limit::Nodes(NODES * times).to_string();
            let timeout = PROBE_TIMEOUT.min(self.timeouts.think);
            let ask = |engine: &mut Engine| engine.go(&format!("fen {POSITION}"), &limit, timeout);
            let search = self.attempt(None, ask).ok().filter(|search| !search.stopped)?;
            let (nodes, depth) =
                greatest(&search, |info| info.nodes).zip(greatest(&search, |info| info.depth))?;
            Some(Ended { nodes, depth, took: search.took })
        };
        let Some(few) = ends(1) else { return false };
        MORE.into_iter().all(|times| ends(times).is_some_and(|many| many.ignores(times, few)))
    }

    /// Whether a search by nodes for a short mate does not end. A failure is left to the suites, which ask
    /// the same question.
    fn waits_at_mate(&mut self) -> bool {
        let (position, limit) = (format!("fen {MATE}"), Limit::Nodes(MATE_NODES).to_string());
        let timeout = PROBE_TIMEOUT.min(self.timeouts.think);
        self.attempt(None, |engine| engine.go(&position, &limit, timeout))
            .is_ok_and(|search| ends_nowhere(&search))
    }

    /// The judgement of a search; `None` if the search failed.
    fn search<T>(&mut self, limit: Limit, judge: impl FnOnce(&Search) -> T) -> Option<T> {
        let timeout = PROBE_TIMEOUT.min(self.timeouts.think);
        let question = Question::new(POSITION, limit);
        let position = format!("fen {POSITION}");
        for _ in 0..2 {
            let ask = |engine: &mut Engine| engine.go(&position, &limit.to_string(), timeout);
            match self.attempt(Some(&question), ask) {
                Ok(search) => return Some(judge(&search)),
                Err(_) if self.failed_twice => return None,
                Err(failed) => {
                    let is_silent = matches!(failed.failure, Failure::Silent { .. });
                    self.failures.push(*failed);
                    // The program may know neither `stop` nor any limit but the clock: each other limit then
                    // costs seconds. Or a race has swallowed the line, and the next process answers.
                    if is_silent && self.play_by_clock() == Support::Yes {
                        self.timeouts.think = self.timeouts.think.min(PATIENCE);
                        self.timeouts.stop = self.timeouts.stop.min(PATIENCE);
                    }
                }
            }
        }
        self.failed_twice = true;
        None
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

/// Whether a search for a short mate was stopped at a depth that no search of its nodes reaches: it had
/// ended, and waited for `stop`.
fn ends_nowhere(search: &Search) -> bool {
    search.stopped && greatest(search, |info| info.depth).is_some_and(|depth| depth >= EXHAUSTED)
}

/// How many moves of this length [`CLOCK`] would last.
fn moves_of_clock_of(took: Duration) -> u32 {
    let moves = CLOCK.as_millis() / took.as_millis().max(1);
    u32::try_from(moves).unwrap_or(MOVES_OF_CLOCK).clamp(2, MOVES_OF_CLOCK)
}

fn clock_support(search: &Search) -> Support {
    if search.stopped || search.took >= CLOCK { Support::No } else { Support::Yes }
}

/// How a search by nodes ended.
#[derive(Clone, Copy)]
struct Ended {
    nodes: u64,
    depth: u32,
    took: Duration,
}

impl Ended {
    /// Whether a search by so many times [`NODES`] ended as if the limit were unknown; a search by [`NODES`] ended as
    /// `few` tells.
    fn ignores(self, times: u64, few: Self) -> bool {
        self.depth == few.depth && self.nodes < few.nodes.saturating_mul(2)
            || self.nodes < NODES * times / FEW_OF && self.took < AT_ONCE && self.depth < EXHAUSTED
    }
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
    fn a_limit_of_nodes_is_unknown_if_many_nodes_change_nothing_or_are_not_searched() {
        let ended = |nodes, depth, took| Ended { nodes, depth, took: Duration::from_millis(took) };
        let check = |(nodes, depth, took), expected| {
            let many = ended(nodes, depth, took);
            assert_eq!(many.ignores(25, ended(2000, 5, 10)), expected, "{nodes} {depth} {took}");
        };
        check((3999, 5, 2000), true);
        check((4000, 5, 2000), false);
        check((3999, 6, 2000), false);
        check((4999, 6, 249), true);
        check((5000, 6, 249), false);
        check((4999, 6, 250), false);
        check((4999, 49, 249), true);
        check((4999, 50, 249), false);
        check((50_000, 9, 2000), false);
    }

    #[cfg(unix)]
    #[test]
    fn a_search_for_a_short_mate_that_has_no_depth_left_waits() {
        use crate::engine::tests::{patient, shell};

        let timeouts = Timeouts { think: Duration::from_millis(100), ..patient() };
        let waits = |go: &str| {
            let program = shell(&format!("go*) {go};; stop) echo bestmove a1a8;;"));
            let failures = Vec::new();
            Probe { running: None, program, timeouts, failures, clock: None, failed_twice: false }
                .waits_at_mate()
        };
        assert!(waits("echo info depth 120 nodes 900 score mate 2"));
        assert!(!waits("echo info depth 3 nodes 900 score mate 2; echo bestmove a1a8"));
    }

    #[test]
    fn a_search_that_runs_out_of_depths_waits_for_stop() {
        let check = |line: &str, stopped, expected| {
            assert_eq!(ends_nowhere(&search(line, stopped, 3000)), expected, "{line}");
        };
        check("info depth 120 nodes 900 score mate 2", true, true);
        check("info depth 120 nodes 900 score mate 2", false, false);
        check("info depth 7 nodes 900 score mate 2", true, false);
        check("", true, false);
    }

    #[test]
    fn a_clock_is_filled_for_the_share_that_a_move_takes() {
        let (no, yes, think) = (Support::No, Support::Yes, Duration::from_secs(10));
        let support =
            LimitSupport { depth: no, nodes: no, move_time: no, clock: yes, ..LimitSupport::UNKNOWN };
        let support = LimitSupport { moves_of_clock: moves_of_clock_of(CLOCK / 3), ..support };
        let request = support.request(Limit::MoveTime(think), think);
        assert_eq!((request.to_string().as_str(), request.within), ("go wtime 30000 btime 30000", 3 * think));
        assert_eq!([0, 1, 99, 1990].map(|ms| moves_of_clock_of(Duration::from_millis(ms))), [20, 20, 20, 2]);
    }
}
