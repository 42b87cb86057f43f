//! What is known of endgames by their material: dispatch by signature to an evaluator or to a scale function.
//!
//! A rule is one entry in the table of `entries`; rules for whole families of materials are tried after it. Knows no
//! search and no tables.

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

/// What the knowledge of a material says of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndgameKnowledge {
    /// What it is worth, from the view of the side to move: in place of the general evaluation.
    Value(Score),
    /// How much of the advantage of the side that the general evaluation prefers is left.
    Scale(Scale),
}

/// A share of an advantage, in 64ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scale(pub(crate) u8);

impl Scale {
    /// All of it.
    pub(crate) const FULL: Self = Self(64);
    /// Nothing of it.
    pub(crate) const NONE: Self = Self(0);
}

/// Where a win is sure and only needs to be played: above all that the general evaluation says. With what progress
/// adds, known wins stay below twice this.
const KNOWN_WIN: i32 = 10_000;

/// What is certainly drawn. Whatever is not certain is worth more to the stronger side: a search without tables then
/// never takes stalemate for as good as a move that keeps the win.
const DRAWN: i32 = 0;

/// The most men an entry of the table is for.
const MOST_MEN: u32 = 5;

/// What is known of a position's material, if it is a known one.
#[inline]
pub(crate) fn look_up(position: &Position) -> Option<EndgameKnowledge> {
    known_side(position).then(|| find(position)).flatten().map(|found| found.says(position))
}

/// The name of what is known of a position's material, and its idea in a line.
pub(crate) fn describe(position: &Position) -> Option<(&'static str, &'static str)> {
    known_side(position).then(|| find(position)).flatten().map(|found| (found.name, found.idea))
}

/// Whether there is anything to look for: few men, or a lone king. All that a middlegame pays.
#[inline]
fn known_side(position: &Position) -> bool {
    let board = position.board();
    board.occupied().count() <= MOST_MEN || Color::ALL.iter().any(|&color| !board.color(color).many())
}

/// What fits a position: an entry or a family.
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
    if let Some((entry, strong)) = entries::find(Signature::of(position.board())) {
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
