//! Holds a finished game against the rules and against tables: results that were thrown, mates that were announced
//! and are none or were not kept, scores of drawn positions, and results that are wrong.
//!
//! Knows no file, no engine and no match: it gets the moves, the scores and the result, and a closure that looks
//! positions up. Positions that neither the rules nor the tables know are not judged.
//!
//! # What is certain
//! Tables know no game. A win of a table counts as a win only if it comes before the fifty moves are over, and if
//! its shortest way has no position that has stood on the board twice: then no repetition can draw it.
//! It counts as a draw if the fifty-move rule certainly draws it. In between the result is unknown. A draw of a
//! table is a draw in each game.
//!
//! # One cause, one finding
//! Of several moves in a row that say the same wrong thing the first is a finding. A result is thrown once, however
//! long the game goes on after that.

mod clocks;
mod difference;
mod disagreement;
mod endings;
mod ends;
mod finding;
mod mates;
mod of_pgn;
mod pgn_ends;
#[cfg(test)]
mod pgn_tests;
mod scores;
#[cfg(test)]
mod tests;
mod thrown;
pub(crate) mod told_end;
mod truth;

use shakmaty::{Chess, Color, Position};
use uci::Score;

use oracle::board::{Game, GameError, fen, uci_text};

use crate::game::{End, GameRecord, GameResult, TableValue};

pub use difference::{GameName, fault};
pub use disagreement::Disagreement;
pub use endings::Ending;
pub use finding::{Fault, Finding, FindingId, Reason, Standing};
pub use of_pgn::{JudgedPgn, PgnPolicy, judge_pgn};
use truth::Truth;

/// Looks a position up in tables, see [`TableValue`].
pub type Probe<'a> = &'a dyn Fn(&Chess) -> Option<TableValue>;

/// A game that is judged.
#[derive(Clone, Copy)]
pub struct FinishedGame<'a> {
    /// The game with all its moves.
    pub game: &'a Game,
    /// How many moves at its beginning the players did not choose.
    pub opening: usize,
    /// The score of each move after these from the view of the mover; `None` if it has no exact one.
    pub scores: &'a [Option<Score>],
    /// The result.
    pub result: GameResult,
    /// Whether the result is an opinion: adjudicated, but not by tables.
    pub is_adjudicated: bool,
}

/// What was found in a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgement {
    /// In the order of the plies.
    pub findings: Vec<Finding>,
    /// Positions about which the players disagree, in the order of the plies.
    pub disagreements: Vec<Disagreement>,
}

/// Judges a game.
pub fn judge(finished: &FinishedGame<'_>, probe: Probe<'_>) -> Judgement {
    let judged = Judged::new(finished, probe);
    Judgement { findings: findings(&judged), disagreements: disagreement::disagreements(&judged) }
}

/// The findings, in the order of the plies.
fn findings(judged: &Judged<'_>) -> Vec<Finding> {
    let thrown = thrown::findings(judged);
    let mates = mates::findings(judged, &thrown);
    let mut findings = thrown;
    findings.extend(mates);
    findings.extend(scores::findings(judged));
    findings.extend(ends::findings(judged));
    findings.sort_by_key(|finding| (finding.ply, finding.id()));
    findings
}

/// Judges a game of a match.
///
/// # Errors
/// If the first position or a move of the record is not legal.
pub fn judge_record(record: &GameRecord, probe: Probe<'_>) -> Result<Judgement, GameError> {
    let by_tables = matches!(record.end, End::TableWin { .. } | End::TableDraw);
    let scores: Vec<Option<Score>> = record.moves.iter().map(|played| played.score).collect();
    let finished = FinishedGame {
        game: &record.game()?,
        opening: record.opening.len(),
        scores: &scores,
        result: record.result(),
        is_adjudicated: record.end.is_adjudicated() && !by_tables,
    };
    Ok(judge(&finished, probe))
}

/// A game with what is known of its positions.
struct Judged<'a> {
    finished: &'a FinishedGame<'a>,
    probe: Probe<'a>,
    /// For each position; nothing is known of those of the opening.
    truths: Vec<Truth>,
}

impl<'a> Judged<'a> {
    fn new(finished: &'a FinishedGame<'a>, probe: Probe<'a>) -> Self {
        Self { finished, probe, truths: truth::of_game(finished, probe) }
    }
}

impl Judged<'_> {
    fn position(&self, ply: usize) -> &Chess {
        &self.finished.game.positions()[ply]
    }

    fn mover(&self, ply: usize) -> Color {
        self.position(ply).turn()
    }

    /// The result of a position with best play, if it is certain.
    fn standing(&self, ply: usize) -> Option<Standing> {
        self.truths[ply].standing
    }

    /// The index of the last position.
    fn last(&self) -> usize {
        self.finished.game.moves().len()
    }

    /// The plies that have an exact score, with the score.
    fn scored(&self) -> impl Iterator<Item = (usize, Score)> {
        let scores = self.finished.scores.iter().enumerate();
        let plies = scores.filter_map(|(index, score)| Some((self.finished.opening + index, (*score)?)));
        plies.take_while(|(ply, _)| *ply < self.last())
    }

    /// A finding about the move of a position, or about the last position.
    fn finding(&self, ply: usize, player: Option<Color>, fault: Fault) -> Finding {
        let position = self.position(ply);
        let mode = position.castles().mode();
        let played = self.finished.game.moves().get(ply).map(|&mv| uci_text(mv, mode));
        Finding { ply, player, fen: fen(position), played, fault }
    }
}
