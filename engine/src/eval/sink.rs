//! Receivers of evaluation terms: a sum, a breakdown, or the tuner.
//!
//! The terms are written once, over any [`TermSink`], so that the breakdown and the tuner use the same terms
//! as the evaluation. This module knows no position.

use super::tapered::Tapered;
use crate::Color;

/// A term with a line of its own in the breakdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Term {
    /// Material.
    Material,
    /// Piece-square tables.
    PieceSquares,
    /// Pawn structure.
    Pawns,
    /// King shelter and pawn storm.
    Shelter,
    /// Passed pawns.
    Passed,
    /// Mobility.
    Mobility,
    /// King safety.
    KingSafety,
    /// Bishop pair, outposts, bad bishops.
    Minors,
    /// Rooks on open files and on the seventh rank.
    Rooks,
    /// Threats.
    Threats,
    /// Tempo.
    Tempo,
}

impl Term {
    /// All terms, in the order of the breakdown.
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

    /// The name in the breakdown.
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

/// Receives terms.
pub(super) trait TermSink {
    /// Adds `count` times this weight for this side.
    fn add(&mut self, term: Term, color: Color, weight: &'static Tapered, count: u32);
}

/// The sum of all terms, White's minus Black's.
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
