//! The trial `movegen/*`: which moves a program takes for legal, by its own counts and by plain UCI.
//!
//! Whoever counts (`go perft`, `perft`) is held against shakmaty and the published figures, and followed down to the
//! smallest position that is counted wrongly. Everybody is asked for moves by `searchmoves`, by `position ... moves` and by
//! its best lines, as far as it is found to obey them on moves that nobody disputes. What it takes for legal is decided by
//! shakmaty. Then men are taken off while the fault stays.
//!
//! In reading order: a position, and its moves by the rule that decides them; the positions that are asked; the questions;
//! the verdict on a case; counting; processes.

mod ask;
mod class;
mod counter;
mod counting;
mod counts;
mod in_turn;
mod judge;
mod minimise;
mod place;
mod positions;
mod stable;

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::CastlingMode;
use suites::FormatError;
use suites::perft::PerftSuite;
use suites::{Evidence, Findings, SkipReason, Tally};

use super::{Effort, Watch};
use crate::uci::UciSubjects;
use ask::Abilities;
use class::Class;
use counter::Manner;
use in_turn::in_turn;
use judge::{Case, Court, id};
use place::Place;
use stable::{Deadline, Stable};

/// The option without which a program knows no Chess960.
const CHESS960: &str = "UCI_Chess960";
/// The name of the set of positions that are asked by plain UCI.
const PLAIN: &str = "moves";
/// Of a class's positions, a quick run asks so many, the first ones.
const QUICK_POSITIONS: usize = 3;

/// How long the counts, and the questions by plain UCI, may take; after that no new case is begun.
fn time(effort: Effort) -> [Option<Duration>; 2] {
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    match effort {
        Effort::Quick => [seconds(3), seconds(4)],
        Effort::Plain => [seconds(15), seconds(20)],
        Effort::Thorough => [None, None],
    }
}

/// Tries a program. There are findings for each check, whether or not it could be made.
///
/// # Errors
/// If a suite of positions cannot be read.
pub fn run(
    subjects: &UciSubjects,
    effort: Effort,
    watch: &dyn Watch,
) -> Result<Vec<Findings>, FormatError> {
    let stable = Stable::new(subjects.program().clone(), subjects.patience());
    let [counts, questions] = time(effort);
    let mut findings = counting(&stable, effort, Deadline::after(counts), watch)?;
    findings.extend(asking(&stable, effort, Deadline::after(questions), watch));
    Ok(findings)
}

/// The perft suites, that of Chess960 if the program knows it.
fn counting(
    stable: &Stable,
    effort: Effort,
    deadline: Deadline,
    watch: &dyn Watch,
) -> Result<Vec<Findings>, FormatError> {
    let [standard, chess960] = PerftSuite::embedded()?;
    let manner = Manner::find_out(stable);
    let declares = stable.afresh(|engine| Ok(engine.identity().option(CHESS960).is_some())).unwrap_or(false);
    let with_option = stable.with_option(CHESS960, "true");
    Ok(vec![
        counting::run(stable, manner.as_ref(), &standard, effort, deadline, watch),
        counting::run(&with_option, manner.as_ref().filter(|_| declares), &chess960, effort, deadline, watch),
    ])
}

/// The positions by class, and the program's answers in all of them.
fn asking(stable: &Stable, effort: Effort, deadline: Deadline, watch: &dyn Watch) -> Vec<Findings> {
    let cases = cases(effort);
    watch.begin(cases.iter().map(|(_, cases)| cases.len() as u64).sum());
    let abilities = Abilities::find_out(stable);
    let findings = cases.into_iter().map(|(class, cases)| {
        let mut findings =
            Findings::new(Tally::new(stable.name(), &id(class), Evidence::Agreement, PLAIN));
        match &abilities {
            Ok(abilities) => {
                let court = Court { stable, abilities };
                let verdicts = in_turn(&cases, deadline, watch, |case| court.judge(case));
                verdicts.into_iter().for_each(|verdict| findings.record(verdict));
            }
            Err(_) => {
                findings.tally.skip(SkipReason::NotCertified, cases.len() as u64);
                watch.advance(cases.len() as u64);
            }
        }
        findings
    });
    findings.collect()
}

/// What is asked, by check.
fn cases(effort: Effort) -> Vec<(Option<Class>, Vec<Case>)> {
    let most = if effort == Effort::Quick { QUICK_POSITIONS } else { usize::MAX };
    let mut all = BTreeSet::new();
    let mut by_class = Vec::new();
    for class in Class::ALL {
        let fens = &positions::of(class)[..most.min(positions::of(class).len())];
        all.extend(fens.iter().copied());
        by_class.push((Some(class), numbered(class.name(), fens.iter().copied(), Some(class))));
    }
    by_class.push((None, numbered("answer", all.into_iter(), None)));
    by_class
}

fn numbered<'a>(name: &str, fens: impl Iterator<Item = &'a str>, class: Option<Class>) -> Vec<Case> {
    let places = (1..).zip(fens).filter_map(|(number, fen)| {
        let place = Place::read(fen, CastlingMode::Standard)?;
        Some(Case { id: format!("{name}-{number:02}"), place, class })
    });
    places.collect()
}
