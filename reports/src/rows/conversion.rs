//! `conversion.csv`: how many won endings are won against a perfect defender.

use serde::{Deserialize, Serialize};

use crate::Decimal3;

/// One ending with one set of aids.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ConversionRow {
    /// Name of the engine.
    pub subject: String,
    /// The ending, such as `KBNvK`.
    pub ending: String,
    /// The aids that were on, joined by `+`; `none` if none was.
    pub aids: String,
    /// The search limit for each move, as `go` takes it.
    pub limit: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// How many games must be won; `None` if no number is required.
    pub demanded: Option<u64>,
    /// Games in which a move gave the win away.
    pub thrown: u64,
    /// Games drawn by the fifty-move rule in a won position.
    pub fifty_moves: u64,
    /// Games drawn by repetition in a won position.
    pub repetition: u64,
    /// Games that ended without an answer, or with an illegal move.
    pub unanswered: u64,
    /// Games won divided by games played.
    pub share: Option<Decimal3>,
    /// Lower end of the 95 % confidence interval of `share`.
    pub low: Option<Decimal3>,
    /// Upper end of that interval.
    pub high: Option<Decimal3>,
    /// Average number of plies that won games took beyond the distance to mate; `None` if no distance is known.
    pub plies_lost: Option<Decimal3>,
}
