//! What is wrong with a subject's answer to a case.
//!
//! Before the answer is due a subject has only to answer, with a legal move. From then on its score and its move are
//! held against what is proved. Only the last word counts: the last score that is no bound.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError};
use suites::stalemates::{ProvedMoves, ProvedValue, StalemateCase, StalemateClass};

use crate::player::NoAnswer;
use crate::runner::Right;
use uci::{Reply, Score};

/// Scores no farther than this from 0, in hundredths of a pawn, say draw.
pub const TOLERANCE: i32 = 25;

/// A case as the rules read it.
#[derive(Debug, Clone)]
pub struct Case {
    /// As it stands in the file.
    pub id: String,
    /// As it stands in the file.
    pub fen: String,
    /// What it is there for.
    pub class: StalemateClass,
    /// The position.
    pub position: Chess,
    /// What it is worth to the side to move.
    pub worth: ProvedValue,
    /// The moves that give it away.
    pub losing: Vec<Move>,
    /// From which depth on that is due.
    pub due: u16,
    /// What is said of the moves, in words.
    pub moves: String,
}

/// A case that the rules do not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{id}: {fault}")]
pub struct Unreadable {
    /// Which case.
    pub id: String,
    /// What is wrong with it.
    pub fault: String,
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    /// If its FEN is no position, or one of its moves none there.
    pub fn read(case: &StalemateCase) -> Result<Self, Unreadable> {
        let unreadable = |fault: String| Unreadable { id: case.id.clone(), fault };
        let position = position(&case.fen).map_err(|fault| unreadable(format!("{fault} in {}", case.fen)))?;
        let read = |moves: &[String]| {
            let read = moves.iter().map(|san| {
                let parsed: Option<SanPlus> = san.parse().ok();
                let legal = parsed.and_then(|parsed| parsed.san.to_move(&position).ok());
                legal.ok_or_else(|| unreadable(format!("\"{san}\" is no legal move of {}", case.fen)))
            });
            read.collect::<Result<Vec<Move>, _>>()
        };
        let losing = match &case.moves {
            ProvedMoves::Any => Vec::new(),
            ProvedMoves::Avoid(avoid) => read(avoid)?,
            ProvedMoves::Best(best) => {
                let best = read(best)?;
                position.legal_moves().into_iter().filter(|mv| !best.contains(mv)).collect()
            }
        };
        Ok(Self {
            id: case.id.clone(),
            fen: case.fen.clone(),
            class: case.class,
            position,
            worth: case.worth,
            losing,
            due: case.due,
            moves: match &case.moves {
                ProvedMoves::Any => String::new(),
                ProvedMoves::Best(best) => format!(", by {}", best.join(" or ")),
                ProvedMoves::Avoid(avoid) => format!(", not by {}", avoid.join(" or ")),
            },
        })
    }

    /// Whether the side to move is stalemated.
    pub fn is_stalemate(&self) -> bool {
        self.position.is_stalemate()
    }

    /// Whether a score of 0 and any move would be right.
    pub(crate) fn right(&self) -> Right {
        match self.worth {
            ProvedValue::Win | ProvedValue::Loss => Right::Telling,
            ProvedValue::Draw | ProvedValue::DrawOrBetter | ProvedValue::DrawOrWorse => Right::Blank,
        }
    }
}

/// The position of a FEN. An impossible check is forgiven.
pub fn position(fen: &str) -> Result<Chess, String> {
    let setup: Fen = fen.parse().map_err(|_| "no FEN".to_owned())?;
    setup
        .into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error: PositionError<Chess>| error.to_string())
}

/// What may be wrong with an answer, the worst last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The score is not true.
    WrongScore,
    /// The move misses the stalemate that saves.
    Missed,
    /// The move lets a win go by stalemate.
    Stalemated,
    /// A move is named where there is none: one that was left over.
    LeftOver,
    /// There is none, or it holds no legal move, or no score; why.
    Unanswered(String),
}

impl Fault {
    /// Whether a deeper search may see it, or one in another process.
    pub fn retry_deeper(&self) -> bool {
        !matches!(self, Self::Unanswered(_))
    }

    /// Id of the check that speaks of it.
    pub fn check(&self) -> &'static str {
        match self {
            Self::WrongScore => "stalemate/score",
            Self::Missed => "stalemate/missed",
            Self::Stalemated => "stalemate/thrown",
            Self::LeftOver => "stalemate/left-over",
            Self::Unanswered(_) => "stalemate/unanswered",
        }
    }

    /// Why it is one.
    pub fn explanation(&self, case: &Case) -> String {
        match self {
            Self::LeftOver => "it names a move, and there is none: the side to move is stalemated".to_owned(),
            Self::Unanswered(why) => why.clone(),
            Self::WrongScore if case.is_stalemate() => "the side to move is stalemated".to_owned(),
            Self::WrongScore => {
                format!("the score says something else than {}, proved within the depth", case.worth)
            }
            Self::Stalemated => "the move lets the other side have its stalemate".to_owned(),
            Self::Missed => "the move misses the stalemate that saves, and loses".to_owned(),
        }
    }
}

/// All that is wrong with an answer at a depth.
pub fn faults(case: &Case, depth: u16, asked: &Result<Reply, NoAnswer>) -> Vec<Fault> {
    let reply = match asked {
        Ok(reply) => reply,
        Err(why) if why.skip().is_some() => return Vec::new(),
        Err(why) => return vec![Fault::Unanswered(format!("no answer: {why}"))],
    };
    let mv = match chosen(case, reply) {
        Ok(mv) => mv,
        Err(fault) => return vec![fault],
    };
    if depth < case.due {
        return Vec::new();
    }
    let mut faults = Vec::new();
    match reply.last() {
        Some(line) if !is_true(line.score, case.worth) => faults.push(Fault::WrongScore),
        None if mv.is_some() => faults.push(Fault::Unanswered("it gives no score".to_owned())),
        _ => {}
    }
    if mv.is_some_and(|mv| case.losing.contains(&mv)) {
        faults.push(if case.worth == ProvedValue::Win { Fault::Stalemated } else { Fault::Missed });
    }
    faults
}

/// The legal move that was chosen; nothing where there is none.
fn chosen(case: &Case, reply: &Reply) -> Result<Option<Move>, Fault> {
    let has_moves = !case.position.legal_moves().is_empty();
    let unanswered = |why: &str| Err(Fault::Unanswered(why.to_owned()));
    match reply.best.as_deref() {
        None if has_moves => unanswered("it says that there is no move, and there is one"),
        None => Ok(None),
        Some(_) if !has_moves => Err(Fault::LeftOver),
        Some(text) => {
            let uci: Option<UciMove> = text.parse().ok();
            match uci.and_then(|uci| uci.to_move(&case.position).ok()) {
                Some(mv) => Ok(Some(mv)),
                None => unanswered("its move is not legal"),
            }
        }
    }
}

/// Whether a score says what is proved.
pub fn is_true(score: Score, worth: ProvedValue) -> bool {
    let (above, below) = match score {
        Score::Centipawns(hundredths) => (hundredths > TOLERANCE, hundredths < -TOLERANCE),
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
