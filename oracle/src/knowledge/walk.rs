//! The walk over one table: every heuristic is computed for every position, and along best play.

use engine::eval::{EvalOptions, Evaluator};
use shakmaty::{Chess, Position};

use super::heuristic::{EvaluatedPosition, Heuristic};
use super::tallies::{Tallies, TrueValue};
use super::{Audit, scope};
use crate::board;
use crate::checks::{Placed, fold, resolved};
use crate::positions::{Men, Placement, Scope};
use crate::table_probe::{Dtm, TableProbe, Wdl};

/// The result of a walk.
pub(super) struct AuditedTable {
    /// Legal positions.
    pub(super) positions: u64,
    /// Legal positions for which the tables state no value.
    pub(super) unknown: u64,
    /// The counts of each heuristic.
    pub(super) tallies: Vec<Tallies>,
}

impl AuditedTable {
    fn new(heuristics: &[Heuristic]) -> Self {
        Self { positions: 0, unknown: 0, tallies: vec![Tallies::default(); heuristics.len()] }
    }

    /// Joins the next part of the walk.
    fn join(mut self, next: Self) -> Self {
        self.positions += next.positions;
        self.unknown += next.unknown;
        for (tallies, next) in self.tallies.iter_mut().zip(next.tallies) {
            tallies.absorb(next);
        }
        self
    }
}

/// Walks a table, with White to move first. The order of the results does not depend on the number of
/// threads.
pub(super) fn table(audit: &Audit, men: &Men, heuristics: &[Heuristic]) -> AuditedTable {
    let placed = match scope(men) {
        Scope::Raw => Placed::All,
        Scope::Unique => Placed::Classes,
    };
    let empty = || (AuditedTable::new(heuristics), Evaluator::new(EvalOptions::default()));
    let visit = |(walked, evaluator): &mut (AuditedTable, Evaluator), placement: &Placement| {
        if let Some(position) = &placement.legal {
            visit(audit, heuristics, position, evaluator, walked);
        }
    };
    let progress = |placements| audit.progress.advance(placements);
    fold(placed, men, &progress, empty, visit, |(walked, evaluator), (next, _)| {
        (walked.join(next), evaluator)
    })
    .0
}

fn visit(
    audit: &Audit,
    heuristics: &[Heuristic],
    position: &Chess,
    evaluator: &mut Evaluator,
    walked: &mut AuditedTable,
) {
    walked.positions += 1;
    let Ok(value) = audit.truth.probe(position.board(), position.turn()) else {
        walked.unknown += 1;
        return;
    };
    let white = if position.turn().is_white() { value.wdl } else { value.wdl.turned() };
    let truth = TrueValue { white, dtm: value.dtm };
    let mut seen = EvaluatedPosition::new(position, evaluator);
    let before: Vec<_> = heuristics
        .iter()
        .zip(&mut walked.tallies)
        .map(|(heuristic, tallies)| tallies.ask(heuristic, &mut seen, truth))
        .collect();
    let leads_on = position.turn().is_white() && before.iter().any(Option::is_some);
    let Some(after) = value.dtm.filter(|_| leads_on && value.wdl == Wdl::Win) else { return };
    let Some(after) = two_plies_on(audit.truth, position, after) else { return };
    let mut seen = EvaluatedPosition::new(&after, evaluator);
    for ((heuristic, tallies), before) in heuristics.iter().zip(&mut walked.tallies).zip(before) {
        if let Some((before, after)) = before.zip(heuristic.number(&mut seen)) {
            tallies.step(before, after);
        }
    }
}

/// The position after White's best move and Black's best reply, each the first of equally good ones in the
/// order of shakmaty's generator. `None` if White mates with its move.
fn two_plies_on(truth: &dyn TableProbe, position: &Chess, dtm: Dtm) -> Option<Chess> {
    let after_one = dtm.one_less()?;
    let after_two = after_one.one_less()?;
    follow(truth, &follow(truth, position, after_one)?, after_two)
}

/// The first position after a legal move with this distance to mate.
fn follow(truth: &dyn TableProbe, position: &Chess, left: Dtm) -> Option<Chess> {
    position.legal_moves().into_iter().find_map(|mv| {
        let after = board::after(position, mv);
        let value = resolved(truth, &after).ok()?;
        (value.dtm == Some(left)).then_some(after)
    })
}
