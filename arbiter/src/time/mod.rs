//! The suite `time/*`: games of a program against itself at a fast time control, and searches with
//! `movetime`.
//!
//! The clocks are kept here, and shakmaty decides which moves are legal. Measured times differ from run to
//! run, so that baselines hold no finding of this suite.

mod game;
mod lateness;

use std::time::{Duration, Instant};

use suites::{Answer, Difference, Evidence, Findings, SkipReason, Tally, Verdict};
use uci::Failure;

use super::{Incident, ProgressObserver, SuiteOutcome};
use crate::openings::OPENINGS;
use crate::player::ProgramFactory;
use crate::runner::{Deadline, EnginePool};
use game::{GameFault, GameFaultKind};

/// The games and searches of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// The number of games. The openings are taken in turn.
    pub games: usize,
    /// The time of each side at the start.
    pub time: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// A game ends without a winner after this number of plies.
    pub most_plies: usize,
    /// The number of openings that are searched with each `movetime`.
    pub searched: usize,
    /// The time after which no search or game is begun.
    pub until: Option<Instant>,
}

impl Default for Conditions {
    /// 20 games with a second for each side and an increment of 10 ms.
    fn default() -> Self {
        Self {
            games: 20,
            time: Duration::from_secs(1),
            increment: Duration::from_millis(10),
            most_plies: 400,
            searched: 5,
            until: None,
        }
    }
}

/// The values of `movetime`, in milliseconds.
const MOVE_TIMES: [u64; 2] = [50, 200];
/// How much longer than `movetime` a search may take.
const TOLERANCE: Duration = Duration::from_millis(50);
/// A search counts as too long only if this number of tries are too long: the machine may have been busy.
const TRIES: usize = 3;
/// Time after the end of `movetime` at which `stop` is sent.
const GRACE: Duration = Duration::from_secs(1);

const OVERRUN: &str = "time/overrun";
/// The id of a note: a finding that did not come again.
const FLAKY: &str = "time/flaky";
/// The checks of games.
const GAMES: [(GameFaultKind, &str); 2] =
    [(GameFaultKind::Forfeit, "time/forfeit"), (GameFaultKind::IllegalMove, "time/illegal-move")];

/// Runs the suite: single searches, then games. They run one after the other, since a program may have
/// threads of its own.
pub fn run(
    players: &ProgramFactory,
    conditions: &Conditions,
    progress: &dyn ProgressObserver,
) -> SuiteOutcome<()> {
    let pool = EnginePool::new(players.program().for_session("time"), players.timeouts());
    let deadline = Deadline::at(conditions.until);
    progress.begin((conditions.games + conditions.searched * MOVE_TIMES.len()) as u64);
    let mut run = TimeRun { pool: &pool, conditions, deadline, progress, incidents: Vec::new() };
    // Games take longest and come last, so that there is time for the searches.
    let moves = run.moves();
    let mut findings = run.games();
    findings.push(moves);
    SuiteOutcome::new(pool.name(), findings, Vec::new(), run.incidents)
}

/// A run of the suite.
struct TimeRun<'a> {
    pool: &'a EnginePool,
    conditions: &'a Conditions,
    deadline: Deadline,
    progress: &'a dyn ProgressObserver,
    incidents: Vec<Incident>,
}

impl TimeRun<'_> {
    /// Runs a case, unless the deadline has passed.
    fn case<T>(&mut self, case: String, run: impl FnOnce(&EnginePool) -> T) -> Option<T> {
        let done = (!self.deadline.is_over()).then(|| {
            let pool = self.pool.for_case(case);
            let done = run(&pool);
            self.incidents.extend(pool.into_incidents());
            done
        });
        self.progress.advance(1);
        done
    }

    /// Plays the games.
    fn games(&mut self) -> Vec<Findings> {
        let (conditions, deadline) = (self.conditions, self.deadline);
        let play = |number| {
            let opening = OPENINGS[number % OPENINGS.len()];
            let play = |pool: &EnginePool| play_confirmed(pool, conditions, opening, deadline);
            (opening, self.case(game_named(number + 1), play).unwrap_or(GameEnd::OutOfTime))
        };
        let ends: Vec<(&str, GameEnd)> = (0..conditions.games).map(play).collect();
        let (time, increment) = (conditions.time.as_millis(), conditions.increment.as_millis());
        let case_set = format!("{time} ms + {increment} ms");
        GAMES.into_iter().map(|(kind, check)| judged(self.pool, kind, check, &case_set, &ends)).collect()
    }

    /// Searches with `movetime`, one after the other.
    fn moves(&mut self) -> Findings {
        let tally = Tally::new(self.pool.name(), OVERRUN, Evidence::Specification, "movetime");
        let mut findings = Findings::new(tally);
        for (number, opening) in (1..).zip(OPENINGS.iter().cycle().take(self.conditions.searched)) {
            for time in MOVE_TIMES {
                let verdict = self.case(format!("movetime-{time}-{number:02}"), |pool| {
                    let verdict = movetime(pool, opening, time).or_else(|_| movetime(pool, opening, time));
                    // The incident tells how it failed.
                    verdict.unwrap_or(Verdict::Skip(SkipReason::GivenUp))
                });
                findings.record(verdict.unwrap_or(Verdict::Skip(SkipReason::OutOfTime)));
            }
        }
        findings
    }
}

/// How a game ended.
enum GameEnd {
    /// By the rules, or after `most_plies`.
    Over,
    /// With a fault, which came again.
    Fault(GameFault),
    /// With a fault that did not come again when the game was played again. `true` if that game was over
    /// without a fault.
    Flaky(GameFault, bool),
    /// The program failed. The incident is a finding of `process/*`.
    Failed,
    /// It was not begun, or could not be played again before the deadline.
    OutOfTime,
}

/// The findings of the check that reports games lost in this way.
fn judged(
    pool: &EnginePool,
    kind: GameFaultKind,
    check: &str,
    case_set: &str,
    ends: &[(&str, GameEnd)],
) -> Findings {
    let evidence = match kind {
        GameFaultKind::IllegalMove => Evidence::Agreement,
        GameFaultKind::Forfeit => Evidence::Specification,
    };
    let mut findings = Findings::new(Tally::new(pool.name(), check, evidence, case_set));
    for (number, (opening, end)) in (1..).zip(ends) {
        let differ =
            |check, fault| Verdict::Differ(Box::new(difference(pool, check, number, opening, fault)));
        findings.record(match end {
            GameEnd::OutOfTime => Verdict::Skip(SkipReason::OutOfTime),
            GameEnd::Fault(fault) if fault.kind == kind => differ(check, fault),
            GameEnd::Flaky(fault, _) if fault.kind == kind => differ(FLAKY, fault),
            GameEnd::Over | GameEnd::Flaky(_, true) => Verdict::Agree,
            // A game that ended for another reason decides nothing.
            GameEnd::Fault(_) | GameEnd::Flaky(_, false) => Verdict::Skip(SkipReason::Undecided),
            GameEnd::Failed => Verdict::Skip(SkipReason::GivenUp),
        });
    }
    findings
}

/// Plays a game, and plays it again after a fault or a failure.
fn play_confirmed(pool: &EnginePool, conditions: &Conditions, opening: &str, deadline: Deadline) -> GameEnd {
    let play = || game::play(pool, conditions, opening);
    let first = match play() {
        Ok(None) => return GameEnd::Over,
        Ok(Some(fault)) => Some(fault),
        Err(_) => None,
    };
    if deadline.is_over() {
        return GameEnd::OutOfTime;
    }
    match (first, play()) {
        (Some(fault), Ok(Some(again))) if again.kind == fault.kind => GameEnd::Fault(again),
        (Some(fault), again) => GameEnd::Flaky(fault, matches!(again, Ok(None))),
        (None, Ok(Some(fault))) => GameEnd::Flaky(fault, false),
        (None, Ok(None)) => GameEnd::Over,
        (None, Err(_)) => GameEnd::Failed,
    }
}

fn difference(pool: &EnginePool, check: &str, number: usize, opening: &str, fault: &GameFault) -> Difference {
    let (expected, source, what) = match fault.kind {
        GameFaultKind::Forfeit => ("a move within its time".into(), "UCI", "its time was over"),
        GameFaultKind::IllegalMove => ("a legal move".into(), "shakmaty", "its move is not legal"),
    };
    Difference {
        subject: pool.name().to_owned(),
        check: check.to_owned(),
        case: game_named(number),
        fen: fault.fen.clone(),
        played: None,
        limit: None,
        given: match &fault.stored {
            Answer::BestMove { text, .. } => Some(text.clone()),
            _ => None,
        },
        stored: fault.stored.clone(),
        expected,
        best: Vec::new(),
        source: source.to_owned(),
        explanation: format!(
            "{what} at ply {} of a game from {opening}{}",
            fault.ply,
            if check == FLAKY { "; it came once: the same game was played again without it" } else { "" }
        ),
        cause: None,
        replay: pool.replay(&fault.commands),
    }
}

fn game_named(number: usize) -> String {
    format!("game-{number:02}")
}

/// The verdict on `movetime` in a position.
fn movetime(pool: &EnginePool, opening: &str, time: u64) -> Result<Verdict, Failure> {
    let allowed = Duration::from_millis(time);
    let (position, limit) = (format!("fen {opening}"), format!("movetime {time}"));
    let mut least = Duration::MAX;
    for _ in 0..TRIES {
        let search = pool.with(|engine| engine.go(&position, &limit, allowed + GRACE))?;
        least = least.min(search.took);
        if least <= allowed + TOLERANCE {
            return Ok(Verdict::Agree);
        }
    }
    Ok(Verdict::Differ(Box::new(Difference {
        subject: pool.name().to_owned(),
        check: OVERRUN.to_owned(),
        case: pool.case().to_owned(),
        fen: (*opening).to_owned(),
        played: None,
        limit: None,
        stored: format!("{} ms", least.as_millis()).into(),
        given: None,
        best: Vec::new(),
        expected: format!("{time} ms, and {} ms more at most", TOLERANCE.as_millis()).into(),
        source: "UCI".to_owned(),
        explanation: format!("the shortest of {TRIES} searches, which all took too long"),
        cause: None,
        replay: pool.replay(&[format!("position {position}"), format!("go {limit}")]),
    })))
}

#[cfg(test)]
mod tests {
    use super::game::MARGIN;
    use super::*;

    #[test]
    fn the_pages_state_the_tolerances() {
        let stated = |id: &str, time: Duration| {
            let page = suites::catalogue::find(id).unwrap();
            assert_eq!(page.id, id);
            assert!(page.text.contains(&format!("{} ms", time.as_millis())), "{id}");
        };
        stated("time/forfeit", MARGIN);
        stated("time/forfeit", Conditions::default().increment);
        stated(OVERRUN, TOLERANCE);
        stated("time/illegal-move", Conditions::default().increment);
    }
}
