//! Endgame knowledge: evaluators and scale functions by material signature.
//!
//! A rule is one entry in the table of `entries`; rules for families of materials are tried after it. Knows
//! no search and no tables.

mod distance;
mod entries;
mod heavy;
mod kpvk;
mod lone_king;
mod minor;
mod rook;
mod rook_pawn;
mod scale;
mod signature;
mod view;

use entries::{FAMILIES, Rule};
use signature::Signature;
use view::View;

use crate::{Color, Position, Score};

pub(crate) use scale::scale;

/// The result of endgame knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndgameKnowledge {
    /// The score from the view of the side to move, instead of the general evaluation.
    Value(Score),
    /// The scale for the advantage of the side that the general evaluation prefers.
    Scale(Scale),
}

/// A share of an advantage, in 64ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scale(pub(crate) u8);

impl Scale {
    /// All of it: no scaling.
    pub(crate) const FULL: Self = Self(64);
    /// Nothing of it: a draw.
    pub(crate) const NONE: Self = Self(0);
}

/// The base score of a known win, above all scores of the general evaluation. With the terms for progress,
/// known wins stay below twice this score.
const KNOWN_WIN: i32 = 10_000;

/// The score of a certain draw. Uncertain positions score higher for the stronger side, so that a search
/// without tables never prefers stalemate to a move that keeps the win.
const DRAWN: i32 = 0;

/// The most men of an entry.
const MOST_MEN: u32 = 5;

/// The knowledge of a position's material, if any.
#[inline]
pub(crate) fn look_up(position: &Position) -> Option<EndgameKnowledge> {
    known_side(position).then(|| find(position)).flatten().map(|found| found.says(position))
}

/// The name and idea of the rule for a position's material.
pub(crate) fn describe(position: &Position) -> Option<(&'static str, &'static str)> {
    known_side(position).then(|| find(position)).flatten().map(|found| (found.name, found.idea))
}

/// A quick test that excludes middlegames: few men, or a lone king.
#[inline]
fn known_side(position: &Position) -> bool {
    let board = position.board();
    board.occupied().count() <= MOST_MEN || Color::ALL.iter().any(|&color| !board.color(color).many())
}

/// A matching entry or family.
struct EndgameMatch {
    name: &'static str,
    idea: &'static str,
    rule: Rule,
    strong: Color,
    view: View,
}

/// The entry of the material, or else the first family it belongs to.
#[inline(never)]
fn find(position: &Position) -> Option<EndgameMatch> {
    if let Some((entry, strong)) = entries::find(Signature::from_board(position.board())) {
        let view = View::new(position, strong);
        return Some(EndgameMatch { name: entry.name, idea: entry.idea, rule: entry.rule, strong, view });
    }
    Color::ALL.into_iter().find_map(|strong| {
        let view = View::new(position, strong);
        let family = FAMILIES.iter().find(|family| (family.fits)(&view))?;
        Some(EndgameMatch { name: family.name, idea: family.idea, rule: family.rule, strong, view })
    })
}

impl EndgameMatch {
    fn says(&self, position: &Position) -> EndgameKnowledge {
        match self.rule {
            Rule::Scale(scale) => EndgameKnowledge::Scale(scale(&self.view)),
            Rule::Value(value) => {
                let score = Score::centipawns(value(&self.view));
                EndgameKnowledge::Value(if position.side_to_move() == self.strong { score } else { -score })
            }
        }
    }
}

#[cfg(test)]
mod tests;
