//! Positions with results, each as a linear function of the weights.
//!
//! Knows the format of the lines, not the fitting.

use std::ops::Range;

use engine::Position;
use engine::eval::tuning::Extractor;
use engine::eval::{EvalOptions, Phase};

/// The most positions: with their coefficients they take about a gigabyte.
const MOST: usize = 2_000_000;
/// The last part of this many is held back for validation. It is one block, because positions of one game are
/// too similar.
const HELD_BACK: usize = 10;

/// The linear function and the result of a position.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// Its range among all coefficients.
    shares: Range<usize>,
    /// The blend factors of the middlegame and endgame value.
    pub(crate) blend: [f64; 2],
    /// 1, one half or 0, from White's view.
    pub(crate) result: f64,
}

/// All samples.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples {
    learnt: Vec<Sample>,
    held_back: Vec<Sample>,
    /// Index and count of each coefficient.
    shares: Vec<(u16, i16)>,
}

impl Samples {
    /// Parses lines `FEN;result`. Empty lines and positions without a linear function (dead material, known
    /// endgames) are skipped.
    ///
    /// # Errors
    ///
    /// The number of the line, what was expected, and what was found.
    pub(crate) fn read(text: &str, options: EvalOptions) -> Result<Self, String> {
        let mut samples = Self::default();
        let mut extractor = Extractor::new(options);
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let (position, result) = parse(line).map_err(|error| format!("{}: {error}", index + 1))?;
            samples.add(&mut extractor, &position, result);
            if samples.learnt.len() > MOST {
                return Err(format!("{}: more than {MOST} positions", index + 1));
            }
        }
        let count = samples.learnt.len();
        if count < HELD_BACK {
            return Err(format!(" expected at least {HELD_BACK} positions, got {count}"));
        }
        samples.held_back = samples.learnt.split_off(count - count / HELD_BACK);
        Ok(samples)
    }

    fn add(&mut self, extractor: &mut Extractor, position: &Position, result: f64) {
        let Some(linear) = extractor.linear(position) else { return };
        let first = self.shares.len();
        let shares = linear.shares.iter();
        // Counts are at most 64, and there are a few hundred weights.
        self.shares.extend(shares.map(|share| (share.weight as u16, share.count as i16)));
        let phase = f64::from(linear.phase.get()) / f64::from(Phase::FULL.get());
        let scales = [linear.scales.middlegame, linear.scales.endgame].map(|scale| f64::from(scale) / 64.0);
        let blend = [phase * scales[0], (1.0 - phase) * scales[1]];
        let shares = first..self.shares.len();
        self.learnt.push(Sample { shares, blend, result });
    }

    /// The training set.
    pub(crate) fn learnt(&self) -> &[Sample] {
        &self.learnt
    }

    /// The validation set.
    pub(crate) fn held_back(&self) -> &[Sample] {
        &self.held_back
    }

    /// The coefficients of a sample.
    pub(crate) fn shares(&self, sample: &Sample) -> impl Iterator<Item = (usize, f64)> {
        let shares = &self.shares[sample.shares.clone()];
        shares.iter().map(|&(weight, count)| (usize::from(weight), f64::from(count)))
    }
}

fn parse(line: &str) -> Result<(Position, f64), String> {
    let (fen, result) = line.split_once(';').ok_or_else(|| format!("expected FEN;result, got \"{line}\""))?;
    let position = Position::from_fen(fen.trim()).map_err(|error| error.to_string())?;
    match result.trim() {
        "1.0" => Ok((position, 1.0)),
        "0.5" => Ok((position, 0.5)),
        "0.0" => Ok((position, 0.0)),
        other => Err(format!("expected 1.0, 0.5 or 0.0, got \"{other}\"")),
    }
}
