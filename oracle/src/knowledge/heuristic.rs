//! A heuristic: its name, its tables, the meaning of its yes, and whether its yes is never wrong. It does not
//! know the true values.

use std::cell::OnceCell;

use engine::eval::{Breakdown, Evaluator};
use engine::{Position as EnginePosition, ScoreKind};
use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};

use crate::table_probe::{self, Wdl};

/// One rule of thumb.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heuristic {
    /// The name in reports. The version is in brackets.
    pub(super) name: &'static str,
    /// The tables that it is compared with.
    pub(super) tables: &'static [&'static str],
    /// What it computes.
    pub(super) kind: Kind,
    /// Whether a wrong yes is a difference.
    pub(super) yes_is_sure: bool,
}

impl Heuristic {
    /// A heuristic that says yes or no, and may be wrong.
    pub(super) const fn says(
        name: &'static str,
        tables: &'static [&'static str],
        claimed: Claimed,
        says: fn(&mut EvaluatedPosition) -> Option<bool>,
    ) -> Self {
        Self { name, tables, kind: Kind::Says(claimed, says), yes_is_sure: false }
    }

    /// The same, with a yes that must never be wrong.
    pub(super) const fn sure(self) -> Self {
        Self { yes_is_sure: true, ..self }
    }

    /// The number of the heuristic for a position.
    pub(super) fn number(&self, seen: &mut EvaluatedPosition) -> Option<i32> {
        match self.kind {
            Kind::Says(..) => None,
            Kind::Ranks(number) | Kind::Values(_, number) => number(seen),
        }
    }
}

/// What a heuristic computes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Yes or no; `None` where it does not apply.
    Says(Claimed, fn(&mut EvaluatedPosition) -> Option<bool>),
    /// A number that should be higher the nearer White is to mate. `None` where it does not apply.
    Ranks(fn(&mut EvaluatedPosition) -> Option<i32>),
    /// A number as in `Ranks`; from the first field on, the heuristic says that White wins.
    Values(i32, fn(&mut EvaluatedPosition) -> Option<i32>),
}

/// The meaning of a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claimed {
    /// White wins.
    Win,
    /// The position is drawn.
    Draw,
    /// White does not win.
    NoWin,
}

impl Claimed {
    /// Whether the claim is true, given White's result.
    pub(super) fn holds(self, white: Wdl) -> bool {
        match self {
            Self::Win => white == Wdl::Win,
            Self::Draw => white == Wdl::Draw,
            Self::NoWin => white != Wdl::Win,
        }
    }

    /// In words for reports.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Win => "White wins",
            Self::Draw => "drawn",
            Self::NoWin => "White does not win",
        }
    }
}

/// A position in the form that heuristics read: on shakmaty's board, and with the score of our evaluation.
pub(super) struct EvaluatedPosition<'a> {
    position: &'a Chess,
    evaluator: &'a mut Evaluator,
    bridged: OnceCell<Option<EnginePosition>>,
    score: OnceCell<Option<i32>>,
}

impl<'a> EvaluatedPosition<'a> {
    pub(super) fn new(position: &'a Chess, evaluator: &'a mut Evaluator) -> Self {
        Self { position, evaluator, bridged: OnceCell::new(), score: OnceCell::new() }
    }

    pub(super) fn position(&self) -> &'a Chess {
        self.position
    }

    pub(super) fn board(&self) -> &'a Board {
        self.position.board()
    }

    pub(super) fn white_to_move(&self) -> bool {
        self.position.turn().is_white()
    }

    /// The square of a side's first man with a role.
    pub(super) fn only(&self, color: Color, role: Role) -> Option<Square> {
        self.board().by_piece(Piece { color, role }).first()
    }

    /// The squares of both kings, White's first.
    pub(super) fn kings(&self) -> Option<(Square, Square)> {
        Some((self.board().king_of(Color::White)?, self.board().king_of(Color::Black)?))
    }

    fn bridged(&self) -> Option<EnginePosition> {
        let (board, turn) = (self.position.board(), self.position.turn());
        let bridge = || {
            EnginePosition::from_board(table_probe::engine_board(board), table_probe::engine_color(turn)).ok()
        };
        *self.bridged.get_or_init(bridge)
    }

    /// The score of our evaluation in centipawns, from White's view. `None` if the engine refuses the
    /// position.
    pub(super) fn score(&mut self) -> Option<i32> {
        if let Some(&score) = self.score.get() {
            return score;
        }
        let score = self.bridged().and_then(|position| match self.evaluator.evaluate(&position).kind() {
            ScoreKind::Centipawns(score) => Some(if self.white_to_move() { score } else { -score }),
            _ => None,
        });
        *self.score.get_or_init(|| score)
    }

    /// The terms of our evaluation. `None` if the engine refuses the position.
    pub(super) fn explained(&mut self) -> Option<Breakdown> {
        let position = self.bridged()?;
        Some(self.evaluator.explain(&position))
    }

    /// Whether the material is insufficient by the rules of our engine.
    pub(super) fn is_dead_to_engine(&self) -> Option<bool> {
        Some(self.bridged()?.board().is_dead_material())
    }
}

/// The number of a file, 0 for the a-file.
pub(super) fn file(square: Square) -> i32 {
    u32::from(square.file()).cast_signed()
}

/// The number of a rank, 0 for the first.
pub(super) fn rank(square: Square) -> i32 {
    u32::from(square.rank()).cast_signed()
}

/// The number of king moves between two squares on an empty board.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    (file(a) - file(b)).abs().max((rank(a) - rank(b)).abs())
}
