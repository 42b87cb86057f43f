//! The walk over one table: every heuristic is asked for every position, and along the way of best play.

use engine::eval::{EvalOptions, Evaluator};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

use super::heuristic::{Heuristic, Seen};
use super::tallies::Tallies;
use super::{Audit, scope};
use crate::checks::Scope;
use crate::positions::{Men, Placement};
use crate::table_probe::{TableProbe, Wdl};

/// Placements walked between two words on progress.
const STRIDE: u64 = 1 << 14;

/// What a walk has found.
pub(super) struct Walked {
    /// Legal positions.
    pub(super) positions: u64,
    /// Of these, what the truth does not know.
    pub(super) unknown: u64,
    /// A tally for each heuristic.
    pub(super) tallies: Vec<Tallies>,
}

impl Walked {
    fn new(heuristics: &[Heuristic]) -> Self {
        Self { positions: 0, unknown: 0, tallies: vec![Tallies::default(); heuristics.len()] }
    }

    /// Joins what the next part of the walk has found.
    fn join(mut self, next: Self) -> Self {
        self.positions += next.positions;
        self.unknown += next.unknown;
        for (tallies, next) in self.tallies.iter_mut().zip(next.tallies) {
            tallies.absorb(next);
        }
        self
    }
}

/// The truth of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Truth {
    /// White's result.
    pub(super) white: Wdl,
    /// Plies to mate, if anybody wins.
    pub(super) plies: Option<u16>,
}

/// Walks a table, White's moves first. The order of what is found does not depend on the number of threads.
pub(super) fn table(audit: &Audit, men: &Men, heuristics: &[Heuristic]) -> Walked {
    let strides = (men.numbers() / STRIDE).max(1);
    let numbers = men.numbers() / strides;
    (0..2 * strides)
        .into_par_iter()
        .map_init(
            || Evaluator::new(EvalOptions::default()),
            |evaluator, part| {
                let turn = Color::from_white(part < strides);
                let first = part % strides * numbers;
                let mut walked = Walked::new(heuristics);
                for number in first..first + numbers {
                    let placement = match scope(men) {
                        Scope::Raw => Placement::numbered(men, number, turn),
                        Scope::Unique => Placement::of_class(men, number, turn),
                    };
                    if let Some(position) = placement.and_then(|placement| placement.legal) {
                        visit(audit, heuristics, &position, evaluator, &mut walked);
                    }
                }
                audit.progress.advance(numbers);
                walked
            },
        )
        .reduce(|| Walked::new(heuristics), Walked::join)
}

fn visit(
    audit: &Audit,
    heuristics: &[Heuristic],
    position: &Chess,
    evaluator: &mut Evaluator,
    walked: &mut Walked,
) {
    walked.positions += 1;
    let Ok(claim) = audit.truth.probe(position.board(), position.turn()) else {
        walked.unknown += 1;
        return;
    };
    let white = match (claim.wdl, position.turn()) {
        (Wdl::Draw, _) => Wdl::Draw,
        (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => Wdl::Win,
        _ => Wdl::Loss,
    };
    let truth = Truth { white, plies: claim.dtm };
    let mut seen = Seen::new(position, evaluator);
    let before: Vec<_> = heuristics
        .iter()
        .zip(&mut walked.tallies)
        .map(|(heuristic, tallies)| tallies.ask(heuristic, &mut seen, truth))
        .collect();
    let leads_on = position.turn().is_white() && before.iter().any(Option::is_some);
    let Some(after) = claim.dtm.filter(|_| leads_on && claim.wdl == Wdl::Win) else { return };
    let Some(after) = two_plies_on(audit.truth, position, after) else { return };
    let mut seen = Seen::new(&after, evaluator);
    for ((heuristic, tallies), before) in heuristics.iter().zip(&mut walked.tallies).zip(before) {
        if let Some((before, after)) = before.zip(heuristic.number(&mut seen)) {
            tallies.step(before, after);
        }
    }
}

/// The position after White's best move and Black's best answer, of equally good ones the first that shakmaty has.
/// `None` where White mates at once.
fn two_plies_on(truth: &dyn TableProbe, position: &Chess, plies: u16) -> Option<Chess> {
    let reply = follow(truth, position, plies.checked_sub(1).filter(|&left| left > 0)?)?;
    follow(truth, &reply, plies - 2)
}

/// The first position after a legal move from which so many plies are left.
fn follow(truth: &dyn TableProbe, position: &Chess, left: u16) -> Option<Chess> {
    position.legal_moves().into_iter().find_map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let claim = truth.probe(after.board(), after.turn()).ok()?;
        (claim.dtm == Some(left)).then_some(after)
    })
}
