//! What a heuristic is: a name, the tables it speaks of, what its yes claims, and what it promises.
//!
//! Knows no walk and no truth.

use std::cell::OnceCell;

use engine::eval::{Breakdown, Evaluator};
use engine::{Position as EnginePosition, ScoreKind};
use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};

use crate::table_probe::{self, Wdl};

/// One rule of thumb.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heuristic {
    /// The name in reports; in brackets whose version it is.
    pub(super) name: &'static str,
    /// The tables that it is held against.
    pub(super) tables: &'static [&'static str],
    /// What it says of a position.
    pub(super) kind: Kind,
    /// Whether its yes may never be wrong.
    pub(super) yes_is_sure: bool,
}

/// What a heuristic says.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Yes or no to a question; `None` where it does not speak.
    Says(Claimed, fn(&mut Seen) -> Option<bool>),
    /// How good the position is for White: the nearer the mate, the higher it should be. `None` where it does not speak.
    Ranks(fn(&mut Seen) -> Option<i32>),
    /// The same, and from this number on it says that White wins.
    Values(i32, fn(&mut Seen) -> Option<i32>),
}

/// What a yes claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claimed {
    /// White wins.
    Win,
    /// Nobody wins.
    Draw,
    /// White does not win.
    NoWin,
}

impl Claimed {
    /// Whether it is so, where this is White's result.
    pub(super) fn holds(self, white: Wdl) -> bool {
        match self {
            Self::Win => white == Wdl::Win,
            Self::Draw => white == Wdl::Draw,
            Self::NoWin => white != Wdl::Win,
        }
    }

    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Win => "White wins",
            Self::Draw => "drawn",
            Self::NoWin => "White does not win",
        }
    }
}

/// A position as heuristics see it: on shakmaty's board, and as our evaluation sees it.
pub(super) struct Seen<'a> {
    position: &'a Chess,
    evaluator: &'a mut Evaluator,
    bridged: OnceCell<Option<EnginePosition>>,
    score: OnceCell<Option<i32>>,
}

impl<'a> Seen<'a> {
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

    /// The square of a side's first man of a role.
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

    /// The score of our evaluation in centipawns, White's view; `None` if it refuses the position.
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

    /// Our evaluation taken apart; `None` if it refuses the position.
    pub(super) fn explained(&mut self) -> Option<Breakdown> {
        let position = self.bridged()?;
        Some(self.evaluator.explain(&position))
    }

    /// Whether our rules call the material dead.
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

/// Moves of a king from one square to the other on an empty board.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    (file(a) - file(b)).abs().max((rank(a) - rank(b)).abs())
}
