//! Judges the answer of a player to a case of the suite of stalemates.
//!
//! Below the depth at which a case is due, the player has to answer with a legal move only; a move that gives
//! a win away is a fault without gravity. From that depth on its last exact score and its move are compared
//! with the proof.

use oracle::board::{self, Accept, FenError, Spelling, legal_move};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use suites::stalemates::{ProvedMoves, ProvedValue, StalemateCase, StalemateClass};

use crate::answer::is_unsearched;
use crate::findings::DRAW_TOLERANCE;
use crate::move_text::is_move;
use crate::player::NoAnswer;
use crate::runner::Right;
use uci::{Reply, Score};

/// What is wrong where no score was printed.
pub(super) const NO_SCORE: &str = "it gives no score";
/// A score at least this far from 0, in centipawns, stands for a mate.
const MATED: i32 = 10_000;

/// A case with its position and moves.
#[derive(Debug, Clone)]
pub struct StalematePosition {
    /// The id in the file.
    pub id: String,
    /// The FEN in the file.
    pub fen: String,
    /// The class.
    pub class: StalemateClass,
    /// The position.
    pub position: Chess,
    /// The result for the side to move.
    pub worth: ProvedValue,
    /// The moves that give the result away.
    pub losing: Vec<Move>,
    /// The moves that the case calls best; none if it names only losing ones.
    pub best: Vec<Move>,
    /// The depth in plies from which on the result is demanded.
    pub due: u16,
    /// What is expected of the move, in words.
    pub moves: String,
}

/// A case with an illegal position or move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{id}: {fault}")]
pub struct UnreadableCase {
    /// The id of the case.
    pub id: String,
    /// What is wrong with it.
    pub fault: String,
}

impl StalematePosition {
    /// Reads a case.
    ///
    /// # Errors
    /// If the position or a move is not legal.
    pub fn read(case: &StalemateCase) -> Result<Self, UnreadableCase> {
        let unreadable = |fault: String| UnreadableCase { id: case.id.clone(), fault };
        let position = position(&case.fen).map_err(|error| unreadable(format!("{error} in {}", case.fen)))?;
        let read = |moves: &[String]| {
            let read = moves.iter().map(|san| {
                let parsed: Option<SanPlus> = san.parse().ok();
                let legal = parsed.and_then(|parsed| parsed.san.to_move(&position).ok());
                legal.ok_or_else(|| unreadable(format!("\"{san}\" is not a legal move of {}", case.fen)))
            });
            read.collect::<Result<Vec<Move>, _>>()
        };
        let (losing, best) = match &case.moves {
            ProvedMoves::Any => (Vec::new(), Vec::new()),
            ProvedMoves::Avoid(avoid) => (read(avoid)?, Vec::new()),
            ProvedMoves::Best(best) => {
                let best = read(best)?;
                let others = position.legal_moves().into_iter().filter(|mv| !best.contains(mv));
                (others.collect(), best)
            }
        };
        Ok(Self {
            id: case.id.clone(),
            fen: case.fen.clone(),
            class: case.class,
            position,
            worth: case.worth,
            losing,
            best,
            due: case.due,
            moves: match &case.moves {
                ProvedMoves::Any => String::new(),
                ProvedMoves::Best(best) => format!(", by {}", best.join(" or ")),
                ProvedMoves::Avoid(avoid) => format!(", not by {}", avoid.join(" or ")),
            },
        })
    }

    /// The best moves in UCI notation.
    pub(crate) fn best_moves(&self) -> Vec<String> {
        self.best.iter().map(|&mv| board::uci_text(mv, shakmaty::CastlingMode::Standard)).collect()
    }

    /// Whether the side to move is stalemated.
    pub fn is_stalemate(&self) -> bool {
        self.position.is_stalemate()
    }

    /// Whether a score of 0 and any move are right.
    pub(crate) fn right(&self) -> Right {
        match self.worth {
            ProvedValue::Win | ProvedValue::Loss => Right::Telling,
            ProvedValue::Draw | ProvedValue::DrawOrBetter | ProvedValue::DrawOrWorse => Right::Blank,
        }
    }
}

/// The position of a FEN. Checks that no last move can have given are accepted.
///
/// # Errors
/// If it is not a FEN, or the position is not legal.
pub fn position(fen: &str) -> Result<Chess, FenError> {
    board::position(fen, Accept::ImpossibleCheck)
}

/// What is wrong with an answer, the gravest last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum StalemateFault {
    /// The move gives the win away at this depth, which is below the one at which the case is due.
    Shallow(u16),
    /// The score is wrong.
    WrongScore,
    /// The move misses the stalemate that saves the game.
    Missed,
    /// The move allows a stalemate and gives the win away.
    Stalemated,
    /// There is a move though the side to move is stalemated.
    LeftOver,
    /// There is no answer, no legal move or no score; the text says which.
    Unanswered(String),
}

impl StalemateFault {
    /// Whether a deeper search or another process may get it right.
    pub fn retry_deeper(&self) -> bool {
        !matches!(self, Self::Unanswered(_) | Self::Shallow(_))
    }

    /// The id of the check that reports it.
    pub fn check(&self) -> &'static str {
        match self {
            Self::Shallow(_) => "stalemate/shallow",
            Self::WrongScore => "stalemate/score",
            Self::Missed => "stalemate/missed",
            Self::Stalemated => "stalemate/thrown",
            Self::LeftOver => "stalemate/left-over",
            Self::Unanswered(_) => "stalemate/unanswered",
        }
    }

    /// Why it is a fault.
    pub fn explanation(&self, case: &StalematePosition) -> String {
        match self {
            Self::Shallow(depth) => format!(
                "observed, and no fault of a search of this depth: it stalemates a won ending at depth {depth}; a search sees that \
                 from depth {} on",
                case.due
            ),
            Self::LeftOver => {
                "it gives a move or the score of one, but the side to move is stalemated".to_owned()
            }
            Self::Unanswered(why) => why.clone(),
            Self::WrongScore if case.is_stalemate() => "the side to move is stalemated".to_owned(),
            Self::WrongScore => {
                format!(
                    "a search of {} plies proves {}, and the score says something else",
                    case.due, case.worth
                )
            }
            Self::Stalemated => "the move allows the other side to force stalemate".to_owned(),
            Self::Missed => "the move misses the stalemate that saves the game, and loses".to_owned(),
        }
    }
}

/// All faults of an answer at a depth.
pub fn faults(case: &StalematePosition, depth: u16, reply: &Result<Reply, NoAnswer>) -> Vec<StalemateFault> {
    let reply = match reply {
        Ok(reply) => reply,
        Err(why) if why.skip().is_some() => return Vec::new(),
        Err(why) => return vec![StalemateFault::Unanswered(format!("no answer: {why}"))],
    };
    let mv = match chosen(case, reply) {
        Ok(mv) => mv,
        Err(fault) => return vec![fault],
    };
    let is_lost = mv.is_some_and(|mv| case.losing.contains(&mv));
    let is_win = case.worth == ProvedValue::Win;
    if depth < case.due {
        return if is_lost && is_win { vec![StalemateFault::Shallow(depth)] } else { Vec::new() };
    }
    let mut faults = Vec::new();
    match reply.last() {
        _ if says_nothing(case, reply) => {}
        // In a stalemate, an evaluation is left over from an earlier search. A mate score shows that the
        // player takes the stalemate for mate.
        Some(line)
            if case.is_stalemate() && is_evaluation(line.score) && !is_true(line.score, case.worth) =>
        {
            faults.push(StalemateFault::LeftOver);
        }
        // `mate 0` is a count of moves that is off by one. Other checks report it.
        Some(line) if line.score == Score::Mate(0) && decided(case.worth) => {}
        Some(line) if !is_true(line.score, case.worth) => faults.push(StalemateFault::WrongScore),
        // `protocol/info-exact` reports a program that gives only bounds.
        None if mv.is_some() && reply.lines.is_empty() => {
            faults.push(StalemateFault::Unanswered(NO_SCORE.to_owned()));
        }
        _ => {}
    }
    if is_lost {
        faults.push(if is_win { StalemateFault::Stalemated } else { StalemateFault::Missed });
    }
    faults
}

/// Whether the only legal move was played without a search, with a wrong score or none.
pub(super) fn says_nothing(case: &StalematePosition, reply: &Reply) -> bool {
    let is_wrong = reply.last().is_none_or(|line| !is_true(line.score, case.worth));
    is_wrong && is_unsearched(&case.position, reply)
}

fn is_evaluation(score: Score) -> bool {
    matches!(score, Score::Centipawns(centipawns) if centipawns.abs() < MATED)
}

fn decided(worth: ProvedValue) -> bool {
    matches!(worth, ProvedValue::Win | ProvedValue::Loss)
}

/// The legal move that was chosen; `None` if there is no legal move.
fn chosen(case: &StalematePosition, reply: &Reply) -> Result<Option<Move>, StalemateFault> {
    let has_moves = !case.position.legal_moves().is_empty();
    let unanswered = |why: &str| StalemateFault::Unanswered(why.to_owned());
    match reply.best.as_deref() {
        None if has_moves => Err(unanswered("it gives no move, but there are legal moves")),
        None => Ok(None),
        // Any other text stands for no move.
        Some(text) if !has_moves => {
            if is_move(text) {
                Err(StalemateFault::LeftOver)
            } else {
                Ok(None)
            }
        }
        Some(text) => {
            let legal = legal_move(&case.position, text, Spelling::Tolerant);
            legal.map(Some).ok_or_else(|| unanswered("its move is not legal"))
        }
    }
}

/// Whether a score agrees with the proved result.
pub fn is_true(score: Score, worth: ProvedValue) -> bool {
    let (above, below) = match score {
        Score::Centipawns(centipawns) => (centipawns > DRAW_TOLERANCE, centipawns < -DRAW_TOLERANCE),
        Score::Mate(moves) => (moves > 0, moves <= 0),
    };
    match worth {
        ProvedValue::Win => above,
        ProvedValue::DrawOrBetter => !below,
        ProvedValue::Draw => !above && !below,
        ProvedValue::DrawOrWorse => !above,
        ProvedValue::Loss => below,
    }
}
