//! What the judge finds, as values.

use std::fmt;

use oracle::helpmate::NoMate;
use shakmaty::Color;
use suites::catalogue::{self, Severity};

use crate::game::{GameResult, TableResult, TableValue};

suites::words! {
    /// The kind of a finding: the id of its check.
    pub enum FindingId: "finding" {
        /// A won position became a drawn one.
        WinToDraw = "game/win-to-draw",
        /// A won position became a lost one.
        WinToLoss = "game/win-to-loss",
        /// A won position is drawn because the fifty-move rule comes first, and for no other reason.
        WinTooSlow = "game/win-too-slow",
        /// A drawn position became a lost one.
        DrawToLoss = "game/draw-to-loss",
        /// A mate was announced that is not there.
        MateUnsound = "game/mate-unsound",
        /// A mate was announced and did not come in time.
        MateNotKept = "game/mate-not-kept",
        /// A drawn position was scored as won or lost.
        ScoreOfDraw = "game/score-of-draw",
        /// The result is not that of the board.
        WrongResult = "game/wrong-result",
        /// A position was adjudicated that has another result.
        WrongAdjudication = "game/wrong-adjudication",
        /// A move is not legal.
        IllegalMove = "game/illegal-move",
        /// The end that the game names is not on the board.
        EndedEarly = "game/ended-early",
        /// A rule had ended the game before.
        EndedLate = "game/ended-late",
        /// A loss on time to a side that cannot mate.
        LossOnTime = "game/loss-on-time",
        /// No side could mate any more, and the game went on or was won.
        DeadPosition = "game/dead-position",
        /// The tag and the text after the moves give different results.
        TwoResults = "game/two-results",
        /// Without an adjudication, the result is not that of the tables.
        GivenAway = "game/given-away",
        /// A game is over on the board and has no result.
        NoResult = "game/no-result",
        /// A tag is not what the moves say.
        WrongTag = "game/wrong-tag",
        /// A clock does not add up.
        Clock = "game/clock",
    }
}

impl FindingId {
    /// The severity that the page of the check argues.
    pub fn severity(self) -> Severity {
        catalogue::severity(self.name())
    }
}

/// The result of a position with best play of both sides, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The result.
    pub result: GameResult,
    /// Why it is that.
    pub reason: Reason,
}

/// Why a position has its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The game is over by this rule.
    Rule(&'static str),
    /// A table says so.
    Table {
        /// Plies to mate (DTM), if the table knows.
        plies_to_mate: Option<u32>,
        /// Plies to the next capture, pawn move or mate (DTZ), if the table knows. `None` in a draw.
        plies_to_zero: Option<u32>,
    },
    /// A table says that a side wins, and the fifty-move rule comes first.
    FiftyMoves {
        /// Plies without a capture or pawn move so far.
        clock: u32,
        /// Plies until the next one, or mate, at the earliest; `None` if the table does not know.
        plies_to_zero: Option<u32>,
    },
    /// The side that would have to mate has not the men for it.
    Material,
}

/// Something that went wrong in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The plies that were played before the position.
    pub ply: usize,
    /// The player who is at fault; `None` if it is none of the two.
    pub player: Option<Color>,
    /// The position.
    pub fen: String,
    /// The move that was played in it, in UCI notation; `None` if it is the last position.
    pub played: Option<String>,
    /// What went wrong.
    pub fault: Fault,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A move worsened the result of the mover.
    Thrown {
        /// The result before it.
        before: Standing,
        /// How many plies before the move this was certain: 0 is the position of the move.
        certain: usize,
        /// The result after it.
        after: Standing,
        /// How many plies after the position of the move that is certain: 1 is the position after it.
        later: usize,
        /// The moves that kept the result, in UCI notation, as far as they are known; the shortest way to a win first.
        keeps: Vec<String>,
        /// Whether all others are known not to keep it.
        are_all: bool,
    },
    /// A mate was announced that is not there.
    MateUnsound {
        /// Moves; negative if the mover is mated.
        announced: i32,
        /// What is known of the position.
        truth: Standing,
    },
    /// A mate of the mover was announced and did not come in time.
    MateNotKept {
        /// Moves.
        announced: i32,
    },
    /// A drawn position was scored as won or lost.
    ScoreOfDraw {
        /// The score with the largest amount, from the view of the mover.
        centipawns: i32,
        /// Moves in a row.
        moves: u32,
        /// Why it is drawn.
        truth: Standing,
    },
    /// The result is not that of the board.
    WrongResult {
        /// The result of the game.
        result: GameResult,
        /// That of the board.
        truth: Standing,
    },
    /// A position was adjudicated that has another result.
    WrongAdjudication {
        /// The result of the game.
        result: GameResult,
        /// What is known of the position.
        truth: Standing,
    },
    /// A move is not legal.
    IllegalMove {
        /// The move as the game has it.
        text: String,
    },
    /// The end that the game names is not on the board.
    EndedEarly {
        /// That end.
        told: &'static str,
        /// If the end is that no side can mate: the side that can, and how, in UCI notation.
        mate: Option<(Color, Vec<String>)>,
    },
    /// A rule had ended the game before.
    EndedLate {
        /// The rule.
        rule: &'static str,
        /// The plies that were played after that.
        plies: usize,
    },
    /// A loss on time to a side that cannot mate.
    LossOnTime {
        /// The result of the game.
        result: GameResult,
        /// Why the other side cannot mate.
        why: NoMate,
    },
    /// No side could mate any more, and the game went on or was won.
    DeadPosition {
        /// The result of the game.
        result: GameResult,
        /// The plies that were played after that.
        plies: usize,
    },
    /// The tag and the text after the moves give different results.
    TwoResults {
        /// That of the tag.
        tag: GameResult,
        /// That after the moves.
        text: GameResult,
    },
    /// Without an adjudication, the result is not that of the tables.
    GivenAway {
        /// The result of the game.
        result: GameResult,
        /// What is known of the last position.
        truth: Standing,
    },
    /// A game is over on the board and has no result.
    NoResult {
        /// The result of the board.
        truth: Standing,
    },
    /// A tag is not what the moves say.
    WrongTag {
        /// The name of the tag.
        name: &'static str,
        /// Its value.
        value: String,
        /// What the moves say.
        counted: String,
    },
    /// A clock does not add up. All times are in milliseconds.
    Clock {
        /// What stood on it before the move.
        before: u64,
        /// The time of the move, if it is known.
        took: Option<u64>,
        /// What is added for each move.
        increment: u64,
        /// What stood on it after the move.
        after: u64,
    },
}

impl From<&TableValue> for Reason {
    fn from(value: &TableValue) -> Self {
        let plies_to_zero = value.plies_to_zero.filter(|_| value.result != TableResult::Draw);
        Self::Table { plies_to_mate: value.plies_to_mate, plies_to_zero }
    }
}

impl Finding {
    /// Its kind.
    pub fn id(&self) -> FindingId {
        match &self.fault {
            Fault::Thrown { before, after, .. } => match (before.result, after.result) {
                (GameResult::Draw, _) => FindingId::DrawToLoss,
                (_, GameResult::Draw) if matches!(after.reason, Reason::FiftyMoves { .. }) => {
                    FindingId::WinTooSlow
                }
                (_, GameResult::Draw) => FindingId::WinToDraw,
                _ => FindingId::WinToLoss,
            },
            Fault::MateUnsound { .. } => FindingId::MateUnsound,
            Fault::MateNotKept { .. } => FindingId::MateNotKept,
            Fault::ScoreOfDraw { .. } => FindingId::ScoreOfDraw,
            Fault::WrongResult { .. } => FindingId::WrongResult,
            Fault::WrongAdjudication { .. } => FindingId::WrongAdjudication,
            Fault::IllegalMove { .. } => FindingId::IllegalMove,
            Fault::EndedEarly { .. } => FindingId::EndedEarly,
            Fault::EndedLate { .. } => FindingId::EndedLate,
            Fault::LossOnTime { .. } => FindingId::LossOnTime,
            Fault::DeadPosition { .. } => FindingId::DeadPosition,
            Fault::TwoResults { .. } => FindingId::TwoResults,
            Fault::GivenAway { .. } => FindingId::GivenAway,
            Fault::NoResult { .. } => FindingId::NoResult,
            Fault::WrongTag { .. } => FindingId::WrongTag,
            Fault::Clock { .. } => FindingId::Clock,
        }
    }

    /// What would have been right, in words.
    pub fn expected(&self) -> String {
        match &self.fault {
            Fault::Thrown { before, keeps, .. } => match keeps.first() {
                Some(move_text) => format!("{before}, kept by {move_text}"),
                None => before.to_string(),
            },
            Fault::MateUnsound { truth, .. }
            | Fault::ScoreOfDraw { truth, .. }
            | Fault::WrongResult { truth, .. }
            | Fault::WrongAdjudication { truth, .. }
            | Fault::GivenAway { truth, .. }
            | Fault::NoResult { truth } => truth.to_string(),
            Fault::IllegalMove { .. } => "a legal move".to_owned(),
            Fault::EndedEarly { .. } => "the game goes on".to_owned(),
            Fault::EndedLate { rule, .. } => format!("the game ends by {rule}"),
            Fault::LossOnTime { why, .. } => format!("drawn: the other side cannot mate ({why})"),
            Fault::DeadPosition { .. } => "drawn: no side can mate".to_owned(),
            Fault::TwoResults { text, .. } => text.to_string(),
            Fault::WrongTag { counted, .. } => counted.clone(),
            Fault::Clock { before, took, increment, .. } => {
                let took = took.map(|took| format!(" - {}", seconds(took))).unwrap_or_default();
                format!("at most {}{took} + {}", seconds(*before), seconds(*increment))
            }
            Fault::MateNotKept { announced } => format!("mate within {} plies", plies(*announced)),
        }
    }

    /// What happened, in words.
    pub fn got(&self) -> String {
        match &self.fault {
            Fault::Thrown { after, .. } => after.to_string(),
            Fault::MateUnsound { announced, .. } | Fault::MateNotKept { announced } => {
                format!("mate {announced}")
            }
            Fault::ScoreOfDraw { centipawns, moves: 1, .. } => format!("cp {centipawns}"),
            Fault::ScoreOfDraw { centipawns, moves, .. } => {
                format!("cp {centipawns}, {moves} moves in a row")
            }
            Fault::WrongResult { result, .. }
            | Fault::GivenAway { result, .. }
            | Fault::DeadPosition { result, plies: 0 } => result.to_string(),
            Fault::WrongAdjudication { result, .. } => format!("{result} by adjudication"),
            Fault::IllegalMove { text } => text.clone(),
            Fault::EndedEarly { told, .. } => (*told).to_owned(),
            Fault::EndedLate { plies, .. } => more(*plies),
            Fault::LossOnTime { result, .. } => format!("{result} on time"),
            Fault::DeadPosition { result, plies } => format!("{result} after {}", more(*plies)),
            Fault::TwoResults { tag, .. } => format!("{tag} in the tag"),
            Fault::NoResult { .. } => GameResult::Unfinished.to_string(),
            Fault::WrongTag { name, value, .. } => format!("{name} {value}"),
            Fault::Clock { after, .. } => seconds(*after),
        }
    }
}

/// So many more plies.
fn more(plies: usize) -> String {
    if plies == 1 { "1 more ply".to_owned() } else { format!("{plies} more plies") }
}

/// Milliseconds as seconds.
fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03} s", milliseconds / 1000, milliseconds % 1000)
}

/// The plies of a mate in so many moves; negative if the side to move is mated.
pub(super) fn plies(moves: i32) -> u64 {
    let double = 2 * u64::from(moves.unsigned_abs());
    if moves > 0 { double - 1 } else { double }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.result {
            GameResult::WhiteWins => "White wins",
            GameResult::BlackWins => "Black wins",
            GameResult::Draw => "drawn",
            GameResult::Unfinished => "unfinished",
        })?;
        match self.reason {
            Reason::Rule(rule) => write!(f, " by {rule}"),
            Reason::Table { plies_to_mate: Some(plies), .. } => write!(f, " in {plies} plies"),
            Reason::Table { plies_to_zero: Some(plies), .. } => write!(f, " (DTZ {plies})"),
            Reason::Table { .. } => Ok(()),
            Reason::FiftyMoves { clock, plies_to_zero } => {
                write!(f, " by the fifty-move rule (clock {clock}")?;
                match plies_to_zero {
                    Some(plies) => write!(f, ", {plies} plies to go)"),
                    None => f.write_str(")"),
                }
            }
            Reason::Material => f.write_str(" at best: too few men to mate"),
        }
    }
}
