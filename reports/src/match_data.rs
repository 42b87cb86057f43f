//! A match as plain values: what its page shows. Judges nothing, and computes no statistics.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use suites::{Answer, Difference, EngineScore, catalogue};

use crate::causes::cause_or_check;
use crate::layout::decimals;

/// The most findings of one engine and cause that are kept.
const MOST_FINDINGS: usize = 100;

/// A match, or what has been played of it.
#[derive(Debug, Clone, Default)]
pub struct Match {
    /// The engines, the best first.
    pub engines: Vec<MatchEngine>,
    /// For each engine its score against each of the others, both in the order of `engines`; `None` if they do
    /// not play each other.
    pub cross: Vec<Vec<Option<MatchScore>>>,
    /// Games that count.
    pub games: u64,
    /// Games of the whole match.
    pub scheduled: u64,
    /// The name of the engine of which `walk` and `openings` tell: the first on the command line.
    pub first: String,
    /// The sequential test of the first engine against the second one.
    pub test: Option<MatchTest>,
    /// The first engine's Elo over games, in the order of games.
    pub walk: Vec<WalkPoint>,
    /// How games ended, and how many ended so.
    pub ends: Vec<(String, u64)>,
    /// What the first engine scored from each opening.
    pub openings: Vec<OpeningScore>,
    /// What was found in the games; `None` if they were not judged yet.
    pub findings: Option<MatchFindings>,
    /// How the match was played, as names and values.
    pub settings: Vec<(String, String)>,
}

/// An engine of a match.
#[derive(Debug, Clone, Default)]
pub struct MatchEngine {
    /// Its name.
    pub name: String,
    /// All its games.
    pub score: MatchScore,
    /// Complete pairs with 0, 0.5, 1, 1.5 and 2 points.
    pub pairs: [u64; 5],
    /// Its strength against all its opponents, if there is a complete pair.
    pub strength: Option<Strength>,
}

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchScore {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl MatchEngine {
    /// Complete pairs.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }
}

impl MatchScore {
    /// Games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win and half a point for a draw.
    pub fn points(self) -> f64 {
        (2 * self.wins + self.draws) as f64 / 2.0
    }
}

/// The strength of an engine by its pairs of games. Elo may be infinite.
#[derive(Debug, Clone, Copy)]
pub struct Strength {
    /// The difference in Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: f64,
    /// The difference in normalised Elo.
    pub normalized: f64,
    /// Half the width of its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

impl Strength {
    /// What is said in place of the numbers if they cannot be estimated from so many games.
    pub fn without_numbers(&self, games: u64) -> Option<String> {
        if self.elo.is_infinite() {
            let what = if self.elo > 0.0 { "won" } else { "lost" };
            Some(format!("{what} all {games} games, from which no Elo can be estimated"))
        } else if self.elo_error > 0.0 && self.elo_error.is_finite() {
            None
        } else {
            let why = if self.elo_error > 0.0 { "so one-sided that" } else { "all ended alike, from which" };
            Some(format!("Elo {}; {why} no error can be estimated", decimals(self.elo, 2)))
        }
    }
}

/// A sequential probability ratio test and its state.
#[derive(Debug, Clone)]
pub struct MatchTest {
    /// The log likelihood ratio.
    pub llr: f64,
    /// At this ratio or below the test accepts H0.
    pub lower: f64,
    /// At this ratio or above the test accepts H1.
    pub upper: f64,
    /// `H0`, `H1` or `continue`.
    pub result: String,
}

/// The state of a match after some of its games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkPoint {
    /// The games until then.
    pub games: u64,
    /// The first engine's Elo against its opponents. It may be infinite.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// The log likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// What was scored from an opening.
#[derive(Debug, Clone, Default)]
pub struct OpeningScore {
    /// The FEN, and the moves of the opening if it has any.
    pub opening: String,
    /// Games of White, by its result.
    pub white: MatchScore,
    /// Games of the first engine.
    pub first: MatchScore,
}

/// What was found in the games of a match: for each engine and cause the worst findings. Memory does not grow with the
/// match.
#[derive(Debug, Clone, Default)]
pub struct MatchFindings {
    /// By subject, and by cause or check.
    kinds: BTreeMap<[String; 2], KindOfFinding>,
}

/// The findings of one engine with one cause.
#[derive(Debug, Clone, Default)]
pub(crate) struct KindOfFinding {
    /// The worst ones, the worst first.
    pub(crate) worst: Vec<Difference>,
    /// How many others there are.
    pub(crate) others: u64,
}

impl MatchFindings {
    /// Adds a finding. Of findings that are equally bad the first ones are kept.
    pub fn add(&mut self, found: Difference) {
        let key = [found.subject.clone(), cause_or_check(&found).to_owned()];
        let KindOfFinding { worst, others } = self.kinds.entry(key).or_default();
        let place = worst.partition_point(|known| badness(known) <= badness(&found));
        worst.insert(place, found);
        if worst.len() > MOST_FINDINGS {
            worst.pop();
            *others += 1;
        }
    }

    /// The findings of each engine and cause, the gravest first.
    pub(crate) fn by_gravity(&self) -> Vec<&KindOfFinding> {
        let mut kinds: Vec<&KindOfFinding> = self.kinds.values().collect();
        kinds.sort_by_key(|kind| kind.worst.first().map(badness));
        kinds
    }
}

/// The sort key of a finding: the worst has the least value. A graver check comes first, then a win that was nearer, a
/// loss that is nearer, and a score that is further from a draw.
fn badness(found: &Difference) -> impl Ord + use<> {
    let plies = |answer: &Answer| match answer {
        Answer::Distance(Some(plies)) => *plies,
        _ => u16::MAX,
    };
    let score = match &found.stored {
        Answer::Score(told) => match told.score {
            EngineScore::Centipawns(centipawns) => centipawns.unsigned_abs(),
            EngineScore::Mate(_) => u32::MAX,
        },
        _ => 0,
    };
    let gravity = (Reverse(catalogue::severity(&found.check)), catalogue::rank(&found.check));
    (gravity, plies(&found.expected), plies(&found.stored), Reverse(score))
}
