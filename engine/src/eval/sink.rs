//! Where the terms of the evaluation go: into a sum, a table for people, or the hands of the tuner.
//!
//! The terms are written once, over any [`TermSink`]. So what is explained and what is tuned is what is evaluated. Knows no
//! position.

use super::tapered::Tapered;
use crate::Color;

/// A part of the evaluation that has a line of its own when it is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// What the men are worth.
    Material,
    /// Where they stand.
    PieceSquares,
    /// How the pawns stand to each other.
    Pawns,
    /// Pawns before the king, and against it.
    Shelter,
    /// Pawns that no pawn can stop.
    Passed,
    /// Squares the pieces can go to.
    Mobility,
    /// Attacks on the squares near the king.
    KingSafety,
    /// The two bishops, outposts, bishops behind own pawns.
    Minors,
    /// Files and ranks of rooks.
    Rooks,
    /// Men attacked.
    Threats,
    /// Whose move it is.
    Tempo,
}

impl Term {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 11] = [
        Self::Material,
        Self::PieceSquares,
        Self::Pawns,
        Self::Shelter,
        Self::Passed,
        Self::Mobility,
        Self::KingSafety,
        Self::Minors,
        Self::Rooks,
        Self::Threats,
        Self::Tempo,
    ];

    /// Its name in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::PieceSquares => "piece squares",
            Self::Pawns => "pawns",
            Self::Shelter => "shelter",
            Self::Passed => "passed pawns",
            Self::Mobility => "mobility",
            Self::KingSafety => "king safety",
            Self::Minors => "minor pieces",
            Self::Rooks => "rooks",
            Self::Threats => "threats",
            Self::Tempo => "tempo",
        }
    }
}

/// Takes what the terms find.
pub(super) trait TermSink {
    /// `count` times this weight speaks for this side.
    fn add(&mut self, term: Term, color: Color, weight: &'static Tapered, count: u32);
}

/// The sum of all, White's less Black's: what evaluation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TermTotal(pub(super) Tapered);

impl TermSink for TermTotal {
    #[inline]
    fn add(&mut self, _term: Term, color: Color, weight: &'static Tapered, count: u32) {
        let worth = *weight * count.cast_signed();
        match color {
            Color::White => self.0 += worth,
            Color::Black => self.0 -= worth,
        }
    }
}
