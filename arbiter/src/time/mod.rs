//! The suite `time/*`: games of a program against itself at a fast time control, and searches with `movetime`.
//!
//! The clocks are kept here, and shakmaty decides which moves are legal. Measured times differ from run to run, so that baselines
//! hold no finding of this suite.

mod game;
mod lateness;
mod openings;

use std::time::Duration;

use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};
use uci::Failure;

use super::{Incident, Outcome, ProgressObserver};
use crate::player::ProgramFactory;
use crate::runner::{Deadline, EnginePool};
use game::{GameFault, GameFaultKind};
use openings::OPENINGS;

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
    pub asking: Option<Duration>,
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
            asking: None,
        }
    }
}

/// The values of `movetime`, in milliseconds.
const MOVE_TIMES: [u64; 2] = [50, 200];
/// How much longer than `movetime` a search may take.
const TOLERANCE: Duration = Duration::from_millis(50);
/// A search is too long only if this number of searches are: the machine may have been busy.
const TRIES: usize = 3;
/// Time after the end of `movetime` at which `stop` is sent.
const GRACE: Duration = Duration::from_secs(1);

const OVERRUN: &str = "time/overrun";
/// The id of a note: a finding that did not come again.
const FLAKY: &str = "time/flaky";
/// The checks of games.
const GAMES: [(GameFaultKind, &str); 2] =
    [(GameFaultKind::Forfeit, "time/forfeit"), (GameFaultKind::IllegalMove, "time/illegal-move")];

/// Runs the suite: single searches, then games. One after the other, since a program may have threads of its own.
pub fn run(
    players: &ProgramFactory,
    conditions: &Conditions,
    progress: &dyn ProgressObserver,
) -> Outcome<()> {
    let pool = EnginePool::new(players.program().for_session("time"), players.timeouts());
    let deadline = Deadline::after(conditions.asking);
    progress.begin((conditions.games + conditions.searched * MOVE_TIMES.len()) as u64);
    let mut incidents = Vec::new();
    // Games take longest and come last, so that there is time for the searches.
    let moves = moves(&pool, conditions.searched, deadline, progress, &mut incidents);
    let mut findings = games(&pool, conditions, deadline, progress, &mut incidents);
    findings.push(moves);
    Outcome::new(pool.name(), findings, Vec::new(), incidents)
}

/// How a game ended.
enum GameEnd {
    /// By the rules, or after `most_plies`.
    Over,
    /// With a fault, which came again.
    Fault(GameFault),
    /// With a fault that did not come again when the game was played again. `true` if that game was over without a fault.
    Flaky(GameFault, bool),
    /// The program failed. The incident is a finding of `process/*`.
    Failed,
    /// It was not begun, or could not be played again before the deadline.
    OutOfTime,
}

fn games(
    pool: &EnginePool,
    conditions: &Conditions,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Vec<Findings> {
    let ends: Vec<(&str, GameEnd)> = (0..conditions.games)
        .map(|number| {
            let opening = OPENINGS[number % OPENINGS.len()];
            let end = if deadline.is_over() {
                GameEnd::OutOfTime
            } else {
                let pool = pool.for_case(game_named(number + 1));
                let end = play_confirmed(&pool, conditions, opening, deadline);
                incidents.extend(pool.into_incidents());
                end
            };
            progress.advance(1);
            (opening, end)
        })
        .collect();
    let (time, increment) = (conditions.time.as_millis(), conditions.increment.as_millis());
    let case_set = format!("{time} ms + {increment} ms");
    let of_kind = |(kind, check): (GameFaultKind, &str)| {
        let evidence =
            if kind == GameFaultKind::IllegalMove { Evidence::Agreement } else { Evidence::Specification };
        let mut findings = Findings::new(Tally::new(pool.name(), check, evidence, &case_set));
        for (number, (opening, end)) in (1..).zip(&ends) {
            findings.record(match end {
                GameEnd::OutOfTime => Verdict::Skip(SkipReason::OutOfTime),
                GameEnd::Fault(fault) if fault.kind == kind => {
                    Verdict::Differ(Box::new(difference(pool, check, number, opening, fault)))
                }
                GameEnd::Flaky(fault, _) if fault.kind == kind => {
                    Verdict::Differ(Box::new(difference(pool, FLAKY, number, opening, fault)))
                }
                GameEnd::Over | GameEnd::Flaky(_, true) => Verdict::Agree,
                // A game that ended for another reason decides nothing.
                GameEnd::Fault(_) | GameEnd::Flaky(_, false) => Verdict::Skip(SkipReason::Undecided),
                GameEnd::Failed => Verdict::Skip(SkipReason::GivenUp),
            });
        }
        findings
    };
    GAMES.into_iter().map(of_kind).collect()
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
        GameFaultKind::Forfeit => ("a move within its time".to_owned(), "UCI", "its time was over"),
        GameFaultKind::IllegalMove => ("a legal move".to_owned(), "shakmaty", "its move is not legal"),
    };
    Difference {
        subject: pool.name().to_owned(),
        check: check.to_owned(),
        case: game_named(number),
        fen: fault.fen.clone(),
        stored: fault.stored.clone(),
        expected,
        source: source.to_owned(),
        explanation: format!(
            "{what} at ply {} of a game from {opening}{}",
            fault.ply,
            if check == FLAKY { "; it came once: the same game was played again without it" } else { "" }
        ),
        replay: pool.replay(&fault.commands),
    }
}

fn game_named(number: usize) -> String {
    format!("game-{number:02}")
}

/// Searches with `movetime`, one after the other.
fn moves(
    pool: &EnginePool,
    searched_in: usize,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Findings {
    let mut findings = Findings::new(Tally::new(pool.name(), OVERRUN, Evidence::Specification, "movetime"));
    for (number, opening) in (1..).zip(OPENINGS.iter().cycle().take(searched_in)) {
        for time in MOVE_TIMES {
            let pool = pool.for_case(format!("movetime-{time}-{number:02}"));
            let verdict = if deadline.is_over() {
                Verdict::Skip(SkipReason::OutOfTime)
            } else {
                // The incident tells how it failed.
                let verdict = movetime(&pool, opening, time).or_else(|_| movetime(&pool, opening, time));
                verdict.unwrap_or(Verdict::Skip(SkipReason::GivenUp))
            };
            findings.record(verdict);
            incidents.extend(pool.into_incidents());
            progress.advance(1);
        }
    }
    findings
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
        stored: format!("{} ms", least.as_millis()),
        expected: format!("{time} ms, and {} ms more at most", TOLERANCE.as_millis()),
        source: "UCI".to_owned(),
        explanation: format!("the shortest of {TRIES} searches, which all took too long"),
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
