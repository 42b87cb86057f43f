//! The context `time/*`: games of a program against itself at a fast time control, and moves for which it is told the time.
//!
//! The clocks are kept here and shakmaty is the arbiter. Times are never twice the same, so nothing of this enters a
//! baseline.

mod game;
mod lateness;
mod openings;

use std::time::Duration;

use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use super::{Incident, Outcome, ProgressObserver};
use crate::runner::{Deadline, EnginePool};
use uci::Failure;

use crate::player::ProgramFactory;
use game::{Fault, Kind};
use openings::OPENINGS;

/// How the games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// How many; each opening is taken in turn.
    pub games: usize,
    /// The time of each side at the start.
    pub time: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// A game of so many plies is broken off, without a winner.
    pub most_plies: usize,
    /// Openings in which it is told the time for one move; each is searched for some times.
    pub searched: usize,
    /// How long searches and games are begun.
    pub asking: Option<Duration>,
}

impl Default for Conditions {
    /// 20 games with a second for each side and 10 ms more for each move.
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

/// The times that are told with `movetime`, in milliseconds.
const MOVE_TIMES: [u64; 2] = [50, 200];
/// How much longer a search may take than it was told.
const TOLERANCE: Duration = Duration::from_millis(50);
/// So often it is asked before it counts as too long: the machine may have been busy.
const TRIES: usize = 3;
/// After so much more than its time it is told to stop.
const GRACE: Duration = Duration::from_secs(1);

const OVERRUN: &str = "time/overrun";
/// The id of what did not come again.
const FLAKY: &str = "time/flaky";
/// The checks of games.
const GAMES: [(Kind, &str); 2] = [(Kind::Forfeit, "time/forfeit"), (Kind::IllegalMove, "time/illegal-move")];

/// Tries a program: single moves, then games, one after the other, for a program may have threads of its own. The rows are
/// how it broke.
pub fn run(
    subjects: &ProgramFactory,
    conditions: &Conditions,
    progress: &dyn ProgressObserver,
) -> Outcome<()> {
    let stable = EnginePool::new(subjects.program().for_session("time"), subjects.timeouts());
    let deadline = Deadline::after(conditions.asking);
    progress.begin((conditions.games + conditions.searched * MOVE_TIMES.len()) as u64);
    let mut incidents = Vec::new();
    // What takes long comes last, lest it leave no time.
    let moves = moves(&stable, conditions.searched, deadline, progress, &mut incidents);
    let mut findings = games(&stable, conditions, deadline, progress, &mut incidents);
    findings.push(moves);
    Outcome::new(stable.name(), findings, Vec::new(), incidents)
}

/// How a game came to its end.
enum End {
    /// As games do.
    Over,
    Fault(Fault),
    /// Something was wrong that did not come again, and whether the game that was played again came to its end.
    Flaky(Fault, bool),
    /// The program broke, which is told as `process/*`.
    Broke,
    /// It was not begun, or could not be played again: there was no time.
    OutOfTime,
}

fn games(
    stable: &EnginePool,
    conditions: &Conditions,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Vec<Findings> {
    let ends: Vec<(&str, End)> = (0..conditions.games)
        .map(|number| {
            let opening = OPENINGS[number % OPENINGS.len()];
            let end = if deadline.is_over() {
                End::OutOfTime
            } else {
                let stable = stable.for_case(game_named(number + 1));
                let end = played(&stable, conditions, opening, deadline);
                incidents.extend(stable.into_incidents());
                end
            };
            progress.advance(1);
            (opening, end)
        })
        .collect();
    let (time, increment) = (conditions.time.as_millis(), conditions.increment.as_millis());
    let case_set = format!("{time} ms + {increment} ms");
    let of_kind = |(kind, check): (Kind, &str)| {
        let evidence = if kind == Kind::IllegalMove { Evidence::Agreement } else { Evidence::Specification };
        let mut findings = Findings::new(Tally::new(stable.name(), check, evidence, &case_set));
        for (number, (opening, end)) in (1..).zip(&ends) {
            findings.record(match end {
                End::OutOfTime => Verdict::Skip(SkipReason::OutOfTime),
                End::Fault(fault) if fault.kind == kind => {
                    Verdict::Differ(Box::new(difference(stable, check, number, opening, fault)))
                }
                End::Flaky(fault, _) if fault.kind == kind => {
                    Verdict::Differ(Box::new(difference(stable, FLAKY, number, opening, fault)))
                }
                End::Over | End::Flaky(_, true) => Verdict::Agree,
                // What ended for another reason says too little.
                End::Fault(_) | End::Flaky(_, false) => Verdict::Skip(SkipReason::Undecided),
                End::Broke => Verdict::Skip(SkipReason::GivenUp),
            });
        }
        findings
    };
    GAMES.into_iter().map(of_kind).collect()
}

/// Plays a game, and the same again if something was wrong with it.
fn played(stable: &EnginePool, conditions: &Conditions, opening: &str, deadline: Deadline) -> End {
    let play = || game::play(stable, conditions, opening);
    let first = match play() {
        Ok(None) => return End::Over,
        Ok(Some(fault)) => Some(fault),
        Err(_) => None,
    };
    if deadline.is_over() {
        return End::OutOfTime;
    }
    match (first, play()) {
        (Some(fault), Ok(Some(again))) if again.kind == fault.kind => End::Fault(again),
        (Some(fault), again) => End::Flaky(fault, matches!(again, Ok(None))),
        (None, Ok(Some(fault))) => End::Flaky(fault, false),
        (None, Ok(None)) => End::Over,
        (None, Err(_)) => End::Broke,
    }
}

fn difference(stable: &EnginePool, check: &str, number: usize, opening: &str, fault: &Fault) -> Difference {
    let (expected, source, what) = match fault.kind {
        Kind::Forfeit => ("a move within its time".to_owned(), "UCI", "its time was over"),
        Kind::IllegalMove => ("a legal move".to_owned(), "shakmaty", "its move is not legal"),
    };
    Difference {
        subject: stable.name().to_owned(),
        check: check.to_owned(),
        case: game_named(number),
        fen: fault.fen.clone(),
        stored: fault.stored.clone(),
        expected,
        source: source.to_owned(),
        explanation: format!(
            "{what} at ply {} of a game from {opening}{}",
            fault.ply,
            if check == FLAKY { "; it came once: played again, the game did not end so" } else { "" }
        ),
        replay: stable.replay(&fault.lines),
    }
}

fn game_named(number: usize) -> String {
    format!("game-{number:02}")
}

/// Searches for which it is told the time, one after the other.
fn moves(
    stable: &EnginePool,
    searched_in: usize,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Findings {
    let mut findings = Findings::new(Tally::new(stable.name(), OVERRUN, Evidence::Specification, "movetime"));
    for (number, opening) in (1..).zip(OPENINGS.iter().cycle().take(searched_in)) {
        for time in MOVE_TIMES {
            let stable = stable.for_case(format!("movetime-{time}-{number:02}"));
            let verdict = if deadline.is_over() {
                Verdict::Skip(SkipReason::OutOfTime)
            } else {
                // How it breaks is told of all cases together.
                let searched = searched(&stable, opening, time).or_else(|_| searched(&stable, opening, time));
                searched.unwrap_or(Verdict::Skip(SkipReason::GivenUp))
            };
            findings.record(verdict);
            incidents.extend(stable.into_incidents());
            progress.advance(1);
        }
    }
    findings
}

fn searched(stable: &EnginePool, opening: &str, time: u64) -> Result<Verdict, Failure> {
    let allowed = Duration::from_millis(time);
    let (position, limit) = (format!("fen {opening}"), format!("movetime {time}"));
    let mut least = Duration::MAX;
    for _ in 0..TRIES {
        let search = stable.with(|engine| engine.go(&position, &limit, allowed + GRACE))?;
        least = least.min(search.took);
        if least <= allowed + TOLERANCE {
            return Ok(Verdict::Agree);
        }
    }
    Ok(Verdict::Differ(Box::new(Difference {
        subject: stable.name().to_owned(),
        check: OVERRUN.to_owned(),
        case: stable.case().to_owned(),
        fen: (*opening).to_owned(),
        stored: format!("{} ms", least.as_millis()),
        expected: format!("{time} ms, and {} ms more at most", TOLERANCE.as_millis()),
        source: "UCI".to_owned(),
        explanation: format!("the least of {TRIES} searches, all of which took too long"),
        replay: stable.replay(&[format!("position {position}"), format!("go {limit}")]),
    })))
}

#[cfg(test)]
mod tests {
    use super::game::MARGIN;
    use super::*;

    #[test]
    fn the_page_states_what_is_allowed() {
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
