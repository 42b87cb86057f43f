//! How fast two versions of an engine search: nodes per second, and searches per second to a fixed depth.
//!
//! The two engines search the same positions in turn, round after round, so that a slow moment of the machine
//! affects both. Before that, the measurement finds a depth at which a round of the first engine takes long
//! enough. The two never search at the same time. Seconds are those of the processor where the system gives
//! them, so that load of the machine counts little.

mod alike;
mod statistics;

use std::time::Duration;

use suites::Decimal3;
use suites::rows::SpeedVerdict;
use uci::{Engine, Failure, Program, Search, Timeouts};

use crate::ProgressObserver;
use crate::openings::OPENINGS;
use statistics::{Comparison, compare};

pub use alike::searched_alike;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measurement {
    /// The number of rounds, at most [`Measurement::MOST_ROUNDS`].
    pub rounds: usize,
    /// How long one engine's part of a round takes at least, if a depth below [`Measurement::DEEPEST`] does.
    pub round: Duration,
    /// The seed of the bootstrap.
    pub seed: u64,
}

impl Measurement {
    /// The most rounds: the permutation test tries all 2^rounds exchanges.
    pub const MOST_ROUNDS: usize = 16;
    /// The deepest search, in plies.
    pub const DEEPEST: u32 = 40;
}

/// How a measure of two engines differs. Ratios are the second divided by the first, so that above 1 the second is faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed {
    /// What was measured: `nodes per second`, or `searches per second` to a fixed depth.
    pub measure: &'static str,
    /// How many rounds were measured. A round asks both engines for the same positions.
    pub rounds: u64,
    /// The median of each engine over the rounds.
    pub medians: [Decimal3; 2],
    /// The median of the ratios of the rounds.
    pub ratio: Decimal3,
    /// The 95 % confidence interval of the ratio, by bootstrap over the rounds.
    pub interval: [Decimal3; 2],
    /// The chance that rounds of equally fast engines differ as much: a permutation test that exchanges the
    /// two within rounds.
    pub p: Decimal3,
    /// Slower or faster where the whole interval is farther than 0.02 from 1 and `p` is below 0.05.
    pub verdict: SpeedVerdict,
}

/// Why the speed was not measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpeedFailure {
    /// An engine failed.
    #[error("{0}: {1}")]
    Engine(String, Failure),
    /// A search did not end at its depth.
    #[error("{0} does not stop at `go depth {1}`")]
    NoDepth(String, u32),
    /// Its searches to every depth are over in no time.
    #[error("{0} searches to depth {1} in no time")]
    NoTime(String, u32),
}

/// How long a search of the measurement may take before `stop` is sent.
const PATIENCE: Duration = Duration::from_secs(20);
/// A difference counts if the p-value of the permutation test is below this.
const SIGNIFICANT: f64 = 0.05;
/// A difference counts if the whole interval is farther from 1 than this. The same code at other addresses
/// differs by as much.
const LAYOUT: f64 = 0.02;

/// Measures both programs. Nodes per second are left out if one of them does not print its nodes.
pub fn measure(
    [old, new]: [&Program; 2],
    timeouts: Timeouts,
    measurement: &Measurement,
    progress: &dyn ProgressObserver,
) -> Result<Vec<Speed>, SpeedFailure> {
    let rounds = measurement.rounds.clamp(1, Measurement::MOST_ROUNDS);
    progress.begin(rounds as u64);
    let mut engines = [Runner::start(old, timeouts)?, Runner::start(new, timeouts)?];
    let depth = depth(&mut engines[0], measurement.round)?;
    engines[1].round(depth)?;
    let mut measured = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        // The engines take turns at searching first.
        for which in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
            measured[which].push(engines[which].round(depth)?);
        }
        progress.advance(1);
    }
    for Runner { engine, .. } in engines {
        engine.quit();
    }
    let rates = |rate: fn(&Round) -> f64| {
        measured.each_ref().map(|rounds| rounds.iter().map(rate).collect::<Vec<_>>())
    };
    let mut speeds = Vec::new();
    if measured.iter().flatten().all(|round| round.nodes > 0) {
        speeds.extend(speed("nodes per second", &rates(Round::nodes_per_second), measurement.seed));
    }
    speeds.extend(speed("searches per second", &rates(Round::searches_per_second), measurement.seed));
    Ok(speeds)
}

/// One engine's searches of all positions.
struct Round {
    nodes: u64,
    time: Duration,
}

/// A process that uses a smaller share of the time than this does not search itself, but has started the
/// process that searches.
const LEAST_SHARE: f64 = 0.02;

impl Round {
    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }

    fn searches_per_second(&self) -> f64 {
        OPENINGS.len() as f64 / self.time.as_secs_f64()
    }
}

/// A running engine.
struct Runner {
    name: String,
    engine: Engine,
}

impl Runner {
    fn start(program: &Program, timeouts: Timeouts) -> Result<Self, SpeedFailure> {
        let name = program.name.clone();
        match Engine::start(program, timeouts) {
            Ok(engine) => Ok(Self { name, engine }),
            Err(failure) => Err(SpeedFailure::Engine(name, failure)),
        }
    }

    /// Searches all positions to a depth, each with an empty hash table.
    fn round(&mut self, depth: u32) -> Result<Round, SpeedFailure> {
        let mut round = Round { nodes: 0, time: Duration::ZERO };
        for fen in OPENINGS {
            let (search, time) = self.whole_search(fen, depth)?;
            round.time += time;
            round.nodes += search.infos.iter().rev().find_map(|(_, info)| info.nodes).unwrap_or_default();
        }
        if round.time.is_zero() {
            return Err(SpeedFailure::NoTime(self.name.clone(), depth));
        }
        Ok(round)
    }

    /// A search that ends at this depth, with the time that it took.
    fn whole_search(&mut self, fen: &str, depth: u32) -> Result<(Search, Duration), SpeedFailure> {
        let searched = self.search(fen, depth);
        let (search, time) = searched.map_err(|failure| SpeedFailure::Engine(self.name.clone(), failure))?;
        if search.stopped {
            return Err(SpeedFailure::NoDepth(self.name.clone(), depth));
        }
        Ok((search, time))
    }

    /// A search with an empty hash table, and the time that it took.
    fn search(&mut self, fen: &str, depth: u32) -> Result<(Search, Duration), Failure> {
        self.engine.send("ucinewgame");
        self.engine.ready()?;
        let before = self.engine.processor_time();
        let search = self.engine.go(&format!("fen {fen}"), &format!("depth {depth}"), PATIENCE)?;
        let time = search_time(before, self.engine.processor_time(), search.took);
        Ok((search, time))
    }
}

/// The processor time of a search, or else the time that passed.
fn search_time(before: Option<Duration>, after: Option<Duration>, took: Duration) -> Duration {
    let used = before.zip(after).map(|(before, after)| after.saturating_sub(before));
    used.filter(|used| used.as_secs_f64() >= LEAST_SHARE * took.as_secs_f64()).unwrap_or(took)
}

/// The least depth at which a round takes this long.
fn depth(runner: &mut Runner, long: Duration) -> Result<u32, SpeedFailure> {
    let mut depth = 1;
    while depth < Measurement::DEEPEST && runner.round(depth)?.time < long {
        depth += 1;
    }
    Ok(depth)
}

/// How a measure differs; `None` if a rate is no number of the report.
fn speed(measure: &'static str, [old, new]: &[Vec<f64>; 2], seed: u64) -> Option<Speed> {
    let Comparison { medians, ratio, interval, p } = compare(old, new, seed);
    let verdict = match interval {
        [_, high] if high < 1.0 - LAYOUT && p < SIGNIFICANT => SpeedVerdict::Slower,
        [low, _] if low > 1.0 + LAYOUT && p < SIGNIFICANT => SpeedVerdict::Faster,
        _ => SpeedVerdict::Noise,
    };
    let both = |[one, other]: [f64; 2]| Some([Decimal3::rounded(one)?, Decimal3::rounded(other)?]);
    Some(Speed {
        measure,
        rounds: old.len() as u64,
        medians: both(medians)?,
        ratio: Decimal3::rounded(ratio)?,
        interval: both(interval)?,
        p: Decimal3::rounded(p)?,
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_its_speeds_by_the_second() {
        let round = Round { nodes: 1_000, time: Duration::from_millis(500) };
        assert!((round.nodes_per_second() - 2_000.0).abs() < 1e-9);
        assert!((round.searches_per_second() - 2.0 * OPENINGS.len() as f64).abs() < 1e-9);
    }
}
