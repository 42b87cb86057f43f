//! What was found in a game as differences, which all reports have: findings of the judge, and faults of engines.

use suites::answer::{Answer, EngineScore};
use suites::{Cause, Difference, Replay, SharedCause};

use oracle::board::{GameError, fen};

use super::finding::{Fault, Finding, Reason, Standing, plies};
use super::scores::DECISIVE;
use crate::findings::RULES;
use crate::game::{End, GameRecord, GameResult};

/// The subject of findings for which no player is at fault.
const MATCH: &str = "match";
/// The sources of what is right.
const TABLES: &str = "endgame tables";
const UCI: &str = "UCI";
const ENGINE: &str = "the engine's own score";
const GAME: &str = "the game itself";

/// The most moves that are named in a sentence.
const MOST_NAMED: usize = 4;

/// The game of a finding, for people.
#[derive(Debug, Clone, Copy)]
pub struct GameName<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// The name of the player of White.
    pub white: &'a str,
    /// The name of the player of Black.
    pub black: &'a str,
    /// How it ended, such as `1/2-1/2, Draw by stalemate`.
    pub end: &'a str,
}

impl GameName<'_> {
    /// The position after so many plies.
    fn case(&self, ply: usize) -> String {
        format!("game {} ply {ply} ({} - {})", self.number, self.white, self.black)
    }
}

impl Finding {
    /// It as a difference, with the command that repeats it.
    pub fn difference(&self, game: &GameName<'_>, replay: Replay) -> Difference {
        let (best, given) = match &self.fault {
            Fault::Thrown { keeps, .. } => (keeps.clone(), self.played.clone()),
            _ => (Vec::new(), None),
        };
        Difference {
            subject: self.player.map_or(MATCH, |side| side.fold_wb(game.white, game.black)).to_owned(),
            check: self.id().to_string(),
            case: game.case(self.ply),
            fen: self.fen.clone(),
            stored: self.answer(),
            given,
            expected: self.right(),
            best,
            source: self.source().to_owned(),
            explanation: format!("{}; the game ended {}", self.why(), game.end),
            cause: self.cause().map(Cause::Shared),
            replay,
            ..Difference::default()
        }
    }

    /// What happened, as a value where there is one.
    fn answer(&self) -> Answer {
        match &self.fault {
            Fault::Thrown { after, later, keeps, .. } if !keeps.is_empty() => value(after, *later as u32),
            Fault::MateUnsound { announced, .. } | Fault::MateNotKept { announced } => {
                Answer::score(EngineScore::Mate(*announced))
            }
            Fault::ScoreOfDraw { centipawns, .. } => Answer::score(EngineScore::Centipawns(*centipawns)),
            _ => self.got().into(),
        }
    }

    /// What would have been right, as a value where there is one. The distance of a thrown position is that of an
    /// earlier one if what is between is not certain.
    fn right(&self) -> Answer {
        match &self.fault {
            Fault::Thrown { before, certain: 0, .. } => value(before, 0),
            Fault::Thrown { before, .. } => before.to_string().into(),
            Fault::MateUnsound { truth, .. } | Fault::ScoreOfDraw { truth, .. } => value(truth, 0),
            _ => self.expected().into(),
        }
    }

    fn source(&self) -> &'static str {
        let of = |standing: &Standing| match standing.reason {
            Reason::Rule(_) | Reason::Material => RULES,
            Reason::Table { .. } | Reason::FiftyMoves { .. } => TABLES,
        };
        match &self.fault {
            Fault::Thrown { before: truth, .. }
            | Fault::MateUnsound { truth, .. }
            | Fault::ScoreOfDraw { truth, .. }
            | Fault::WrongResult { truth, .. }
            | Fault::WrongAdjudication { truth, .. }
            | Fault::GivenAway { truth, .. }
            | Fault::NoResult { truth } => of(truth),
            Fault::IllegalMove { .. }
            | Fault::EndedEarly { .. }
            | Fault::EndedLate { .. }
            | Fault::LossOnTime { .. }
            | Fault::DeadPosition { .. } => RULES,
            Fault::TwoResults { .. } | Fault::WrongTag { .. } | Fault::Clock { .. } => GAME,
            Fault::MateNotKept { .. } => ENGINE,
        }
    }

    /// Why it is right, without the end of the game.
    fn why(&self) -> String {
        match &self.fault {
            Fault::Thrown { keeps, certain, are_all, .. } => {
                let played = self.played.as_deref().unwrap_or_default();
                format!("{played} was played; {}", kept(keeps, *certain, *are_all))
            }
            Fault::MateUnsound { truth, .. } => match truth.reason {
                Reason::FiftyMoves { .. } => "the fifty-move rule ends the game before".to_owned(),
                Reason::Material => "that side has not the men to mate".to_owned(),
                Reason::Rule(_) | Reason::Table { .. } => "no such mate can be forced".to_owned(),
            },
            Fault::MateNotKept { .. } => {
                "a side that can force a mate can play it, whatever the other side does".to_owned()
            }
            Fault::ScoreOfDraw { moves: 1, .. } => {
                format!("a score of {DECISIVE} centipawns or more says that a side wins")
            }
            Fault::ScoreOfDraw { moves, .. } => format!("{moves} moves in a row had such scores"),
            Fault::WrongResult { .. } | Fault::NoResult { .. } => "the game was over on the board".to_owned(),
            Fault::WrongAdjudication { .. } => "the game was adjudicated".to_owned(),
            Fault::IllegalMove { .. } => "the move is not legal in this position".to_owned(),
            Fault::EndedEarly { mate: Some((side, moves)), .. } if !moves.is_empty() => {
                format!("{} can still mate: {}", side.fold_wb("White", "Black"), moves.join(" "))
            }
            Fault::EndedEarly { .. } => "the game names an end that is not on the board".to_owned(),
            Fault::EndedLate { .. } => "this rule ends a game without a claim".to_owned(),
            Fault::LossOnTime { .. } => "no series of legal moves mates".to_owned(),
            Fault::DeadPosition { .. } => {
                "a position in which no series of legal moves mates ends the game".to_owned()
            }
            Fault::TwoResults { .. } => {
                "the tag Result and the result after the moves contradict each other".to_owned()
            }
            Fault::GivenAway { .. } => "a draw was agreed, or the game was given up".to_owned(),
            Fault::WrongTag { .. } => "the moves of the game are counted".to_owned(),
            Fault::Clock { .. } => "a clock gains no more than the increment with a move".to_owned(),
        }
    }

    fn cause(&self) -> Option<SharedCause> {
        match &self.fault {
            Fault::Thrown { after: Standing { result: GameResult::Draw, reason }, before, .. }
                if before.result != GameResult::Draw =>
            {
                let by = |end: &End, rule: &str| rule == end.kind();
                match *reason {
                    Reason::FiftyMoves { .. } => Some(SharedCause::SlowWin),
                    Reason::Rule(rule) if by(&End::FiftyMoves, rule) => Some(SharedCause::SlowWin),
                    Reason::Rule(rule) if by(&End::Repetition, rule) => Some(SharedCause::RepeatedWin),
                    Reason::Rule(rule) if by(&End::Stalemate, rule) => Some(SharedCause::StalematedWin),
                    Reason::Rule(rule) if by(&End::DeadMaterial, rule) => Some(SharedCause::DeadWin),
                    _ => None,
                }
            }
            Fault::MateUnsound { announced, truth } => match truth.reason {
                Reason::FiftyMoves { .. } => Some(SharedCause::Clock),
                Reason::Table { plies_to_mate: Some(shortest), .. }
                    if u64::from(shortest) == plies(*announced) + 2 =>
                {
                    Some(SharedCause::OneMoveShort)
                }
                _ if truth.result == GameResult::Draw => Some(SharedCause::FalseMates),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The moves that kept a result that was certain so many plies before, in words; `are_all` if no other one did.
fn kept(moves: &[String], certain: usize, are_all: bool) -> String {
    match moves {
        [] if certain <= 1 => "tables and repetitions leave open which moves kept the result".to_owned(),
        [] => format!(
            "the result was certain {certain} plies before, and tables and repetitions leave open which move threw it"
        ),
        [one] if are_all => format!("only {one} kept the result"),
        [one] => format!("{one} kept the result"),
        [first @ .., last] if moves.len() <= MOST_NAMED => {
            format!("{} and {last} kept the result", first.join(", "))
        }
        _ => {
            let (first, others) = moves.split_at(MOST_NAMED);
            format!("{} and {} more moves kept the result", first.join(", "), others.len())
        }
    }
}

/// The result of a position as a value, seen from so many plies before it; in words if no table gives a distance.
fn value(standing: &Standing, before: u32) -> Answer {
    match (standing.result, standing.reason) {
        (GameResult::Draw, Reason::Table { .. }) => Answer::Distance(None),
        (GameResult::WhiteWins | GameResult::BlackWins, Reason::Table { plies_to_mate: Some(plies), .. }) => {
            match u16::try_from(plies.saturating_add(before)) {
                Ok(plies) => Answer::Distance(Some(plies)),
                Err(_) => standing.to_string().into(),
            }
        }
        _ => standing.to_string().into(),
    }
}

/// The crash, the hang, the illegal move or the answer without a move that ended a game; `None` if it ended
/// otherwise. A late answer is no such fault.
///
/// # Errors
/// If the first position or a move of the record is not legal.
pub fn fault(record: &GameRecord, number: u64, replay: Replay) -> Result<Option<Difference>, GameError> {
    let Some((player, fault)) = record.failed() else { return Ok(None) };
    let game = record.game()?;
    let words = || Answer::from(fault.reason.clone());
    let best_move = |text: &String| Answer::BestMove { text: text.clone(), more: String::new() };
    let (check, stored, expected, source) = match (&record.end, &fault.failure) {
        (_, Some(failure)) => (failure.as_str(), words(), "an answer", UCI),
        (End::IllegalMove { text, .. }, _) => ("game/illegal-move", best_move(text), "a legal move", RULES),
        (End::BadAnswer { text, .. }, _) => ("game/no-move", best_move(text), "a legal move", UCI),
        _ => ("game/no-bestmove", words(), "bestmove without stop", UCI),
    };
    let end = format!("{}, {}", record.result(), record.end);
    let name = GameName { number, white: &record.white.name, black: &record.black.name, end: &end };
    let given = match &record.end {
        End::IllegalMove { text, .. } => Some(text.clone()),
        _ => None,
    };
    Ok(Some(Difference {
        subject: player.name.clone(),
        check: check.to_owned(),
        case: name.case(game.moves().len()),
        fen: fen(game.position()),
        limit: fault.commands.iter().find_map(|line| line.strip_prefix("go ")).map(str::to_owned),
        stored,
        given,
        expected: expected.into(),
        source: source.to_owned(),
        explanation: format!("the game ended {end}"),
        replay,
        ..Difference::default()
    }))
}
