//! `conversion.csv`: how many won endings a subject wins against a perfect defender.

use serde::{Deserialize, Serialize};

use crate::{Row, Thousandths};

/// One ending with one set of aids.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ConversionRow {
    /// Who was asked.
    pub subject: String,
    /// The ending.
    pub ending: String,
    /// The aids that were on, joined by `+`.
    pub aids: String,
    /// How long the subject thought about a move, as `go` takes it.
    pub limit: String,
    /// Games played.
    pub games: u64,
    /// Won.
    pub won: u64,
    /// How many had to be; `None` where the share is a figure and no verdict.
    pub demanded: Option<u64>,
    /// Given away by a move after which the position was no longer won.
    pub thrown: u64,
    /// Drawn by fifty moves while still won.
    pub fifty_moves: u64,
    /// Drawn by repetition while still won.
    pub repetition: u64,
    /// Not finished: no answer, or no legal move.
    pub unanswered: u64,
    /// Share of games won, as are the ends of its interval: 1.000 is all.
    pub share: Option<Thousandths>,
    /// Lower end of its confidence interval of 95 %.
    pub low: Option<Thousandths>,
    /// Upper end.
    pub high: Option<Thousandths>,
    /// Plies that the games won took longer than perfect play, on average; `None` where no distance to mate is known.
    pub plies_lost: Option<Thousandths>,
}

impl Row for ConversionRow {
    const FILE: &'static str = "conversion.csv";
}
