//! Static evaluation.
//!
//! A sum of terms, one module each, with the weights of one data file. Known endgames have their own
//! evaluators. Knows no moves and no search: mate and stalemate are not detected here.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

mod attack_map;
mod breakdown;
pub(crate) mod endgame;
mod king_safety;
mod material;
mod minors;
mod mobility;
mod passed;
mod pawn_cache;
mod pawns;
mod race;
mod rooks;
mod shelter;
mod sink;
mod spans;
mod tapered;
#[cfg(test)]
mod tests;
mod threats;
pub mod tuning;
mod weights;

pub use breakdown::{Breakdown, Instead};
pub use sink::Term;
pub use tapered::{Phase, Scales, Tapered};

use self::attack_map::AttackMap;
use self::endgame::{EndgameKnowledge, Scale};
use self::pawn_cache::{PawnCache, PawnScore, Structure};
use self::sink::{TermSink, TermTotal};
use crate::processor::{Kernel, Processor, Work, dispatch};
use crate::side::{Black, Side, White};
use crate::{Bitboard, Color, Position, Role, Score, Square};

/// The parts of the evaluation that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvalOptions {
    /// Endgame knowledge: evaluators and scale functions by material.
    pub knowledge: bool,
    /// The piece-square tables of the kings.
    pub king_tables: bool,
}

impl Default for EvalOptions {
    /// All on.
    fn default() -> Self {
        Self { knowledge: true, king_tables: true }
    }
}

/// Evaluates positions, with a pawn hash table.
#[derive(Debug, Clone)]
pub struct Evaluator {
    options: EvalOptions,
    pawns: PawnCache,
}

/// The largest evaluation, in centipawns.
pub const MOST: i32 = 20_000;

impl Evaluator {
    /// An evaluator with these parts.
    pub fn new(options: EvalOptions) -> Self {
        Self { options, pawns: PawnCache::new() }
    }

    /// The score from the view of the side to move: centipawns, never a mate. Positions without legal moves
    /// are evaluated too; the search detects those. The result depends on the position only.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        dispatch(Evaluation { evaluator: self, position })
    }

    #[inline(always)]
    fn evaluated(&mut self, position: &Position) -> Score {
        let known = match known(position, self.options) {
            Ok((_, score)) => return score,
            Err(known) => known,
        };
        let kings = kings(position);
        let structure = Structure::new(position.board(), kings);
        let found = self.pawns.get(structure, || {
            let mut total = TermTotal::default();
            let passed = pawns::enter(position.board(), kings, &mut total);
            PawnScore { total: total.0, passed }
        });
        let mut total = TermTotal(found.total);
        pieces(position, kings, found.passed, self.options, &mut total);
        let phase = Phase::from_board(position.board());
        let scales = scales(position, phase, total.0, known, self.options);
        view(position, blend(phase, total.0, scales))
    }

    /// The same with a breakdown by terms.
    pub fn explain(&mut self, position: &Position) -> Breakdown {
        let phase = Phase::from_board(position.board());
        let mut breakdown = Breakdown {
            terms: Default::default(),
            phase,
            scales: Scales::FULL,
            instead: None,
            knowledge: self.options.knowledge.then(|| endgame::describe(position)).flatten(),
            score: Score::DRAW,
        };
        enter(position, self.options, &mut breakdown);
        match known(position, self.options) {
            Ok((instead, score)) => {
                breakdown.instead = Some(instead);
                breakdown.score = view(position, score);
            }
            Err(known) => {
                breakdown.scales = scales(position, phase, breakdown.total(), known, self.options);
                breakdown.score = blend(phase, breakdown.total(), breakdown.scales);
            }
        }
        breakdown
    }
}

/// The evaluation of a position. It counts bits, for which some processors have an instruction.
struct Evaluation<'a> {
    evaluator: &'a mut Evaluator,
    position: &'a Position,
}

impl Work for Evaluation<'_> {
    type Output = Score;

    #[inline]
    fn on<P: Processor>(self) -> Score {
        P::run(self)
    }
}

impl Kernel for Evaluation<'_> {
    type Output = Score;

    #[inline(always)]
    fn compute(self) -> Score {
        self.evaluator.evaluated(self.position)
    }
}

/// Adds all terms.
fn enter<K: TermSink>(position: &Position, options: EvalOptions, sink: &mut K) {
    let kings = kings(position);
    let passed = pawns::enter(position.board(), kings, sink);
    pieces(position, kings, passed, options, sink);
}

/// Adds all terms that need more than pawns and kings.
#[inline(always)]
fn pieces<K: TermSink>(
    position: &Position,
    kings: [Square; 2],
    passed: Bitboard,
    options: EvalOptions,
    sink: &mut K,
) {
    let board = position.board();
    let mut map = AttackMap::new(board, kings);
    mobility::enter::<White, K>(board, &mut map, sink);
    mobility::enter::<Black, K>(board, &mut map, sink);
    side::<White, K>(position, kings, passed, options, &map, sink);
    side::<Black, K>(position, kings, passed, options, &map, sink);
    // The tempo bonus, as in Stockfish.
    sink.add(Term::Tempo, position.side_to_move(), &weights::TEMPO, 1);
}

/// Adds the terms of one side that need the complete attack map.
#[inline(always)]
fn side<S: Side, K: TermSink>(
    position: &Position,
    kings: [Square; 2],
    passed: Bitboard,
    options: EvalOptions,
    map: &AttackMap,
    sink: &mut K,
) {
    let board = position.board();
    material::enter::<S, K>(board, options, sink);
    king_safety::enter::<S, K>(board, kings[S::US.index()], map, sink);
    passed::enter::<S, K>(board, kings, passed, map, sink);
    race::enter::<S, K>(position, kings, passed, sink);
    minors::enter::<S, K>(board, sink);
    rooks::enter::<S, K>(board, kings[S::THEM.index()], sink);
    threats::enter::<S, K>(board, map, sink);
}

/// A result without the terms: a score from the view of the side to move, or a scale.
fn known(position: &Position, options: EvalOptions) -> Result<(Instead, Score), Option<Scale>> {
    if position.board().is_dead_material() {
        return Ok((Instead::DeadMaterial, Score::DRAW));
    }
    match options.knowledge.then(|| endgame::look_up(position)).flatten() {
        Some(EndgameKnowledge::Value(score)) => Ok((Instead::KnownEndgame, bounded(score.raw()))),
        Some(EndgameKnowledge::Scale(scale)) => Err(Some(scale)),
        None => Err(None),
    }
}

/// The scale of each half. Scales of known materials and of sides without pawns hold for both halves, because
/// they hold with any number of pieces. Other scales are for the endgame half only, as in Stockfish:
/// opposite-coloured bishops help an attack. Scaling both halves is our own idea.
fn scales(
    position: &Position,
    phase: Phase,
    total: Tapered,
    known: Option<Scale>,
    options: EvalOptions,
) -> Scales {
    if let Some(Scale(scale)) = known {
        return Scales::whole(scale);
    }
    if !options.knowledge {
        return Scales::FULL;
    }
    let preferred = |value: i32| if value > 0 { Color::White } else { Color::Black };
    let strong = preferred(phase.blend(total, Scales::FULL));
    let scale = endgame::scale(position, strong);
    if scale == Scale::NONE || position.board().pieces(strong, Role::Pawn).is_empty() {
        return Scales::whole(scale.0);
    }
    let strong_later = preferred(total.endgame());
    if strong_later == strong {
        Scales::endgame(scale.0)
    } else {
        Scales::endgame(endgame::scale(position, strong_later).0)
    }
}

/// The score of a blended sum, from White's view.
fn blend(phase: Phase, total: Tapered, scales: Scales) -> Score {
    bounded(phase.blend(total, scales))
}

/// Converts between White's view and that of the side to move.
fn view(position: &Position, score: Score) -> Score {
    position.side_to_move().pick(score, -score)
}

fn bounded(centipawns: i32) -> Score {
    Score::centipawns(centipawns.clamp(-MOST, MOST))
}

fn kings(position: &Position) -> [Square; 2] {
    [position.king(Color::White), position.king(Color::Black)]
}
