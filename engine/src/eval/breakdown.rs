//! The breakdown of an evaluation, printed as a table.
//!
//! Knows no position.

use std::fmt;

use super::sink::{Term, TermSink};
use super::tapered::{Phase, Scales, Tapered};
use crate::{Color, Score};

/// The values of each term and the steps to the score. Printed as a table like that of Stockfish's `eval`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakdown {
    /// By term and side; all zero if the terms did not decide.
    pub(super) terms: [[Tapered; 2]; Term::ALL.len()],
    /// The phase that blended the halves.
    pub phase: Phase,
    /// The scale of each half.
    pub scales: Scales,
    /// The rule that decided instead of the terms, if one did.
    pub instead: Option<Instead>,
    /// The name and idea of the endgame rule for this material.
    pub(super) knowledge: Option<(&'static str, &'static str)>,
    /// From White's view.
    pub score: Score,
}

/// The rules that can decide instead of the terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instead {
    /// Dead material: mate is impossible.
    DeadMaterial,
    /// A known endgame.
    KnownEndgame,
}

impl Breakdown {
    /// The value of a term for a side.
    pub fn term(&self, term: Term, color: Color) -> Tapered {
        self.terms[term as usize][color.index()]
    }

    /// The sum of all terms, White's less Black's.
    pub fn total(&self) -> Tapered {
        Term::ALL.into_iter().fold(Tapered::ZERO, |sum, term| {
            sum + self.term(term, Color::White) - self.term(term, Color::Black)
        })
    }
}

impl TermSink for Breakdown {
    fn add(&mut self, term: Term, color: Color, weight: &'static Tapered, count: u32) {
        self.terms[term as usize][color.index()] += *weight * count.cast_signed();
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "---------------+-----------------+-----------------+-----------------";
        writeln!(f, "          term |      White      |      Black      |      total")?;
        writeln!(f, "               |     mg      eg  |     mg      eg  |     mg      eg")?;
        writeln!(f, "{RULE}")?;
        let pair = |value: Tapered| format!("{:>6}  {:>6}", value.middlegame(), value.endgame());
        for term in Term::ALL {
            let [white, black] = Color::ALL.map(|color| self.term(term, color));
            let row = [white, black, white - black].map(pair).join("  | ");
            writeln!(f, "{:>14} | {row}", term.name())?;
        }
        writeln!(f, "{RULE}")?;
        writeln!(f, "{:>14} | {:>14}  | {:>14}  | {}", "total", "", "", pair(self.total()))?;
        writeln!(f)?;
        writeln!(f, "phase: {} of {} (middlegame)", self.phase.get(), Phase::FULL.get())?;
        let Scales { middlegame, endgame } = self.scales;
        writeln!(f, "scale: {middlegame} of 64 (middlegame), {endgame} of 64 (endgame)")?;
        writeln!(f, "blend: {} centipawns", self.phase.blend(self.total(), self.scales))?;
        if let Some((name, idea)) = self.knowledge {
            writeln!(f, "known: {name}, {idea}")?;
        }
        match self.instead {
            Some(Instead::DeadMaterial) => writeln!(f, "in its place: no mate is possible")?,
            Some(Instead::KnownEndgame) => writeln!(f, "in its place: what is known")?,
            None => {}
        }
        write!(f, "score: {} (White's view)", self.score)
    }
}
