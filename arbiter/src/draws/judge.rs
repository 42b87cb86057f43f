//! Judges one answer: the score and the move.

use oracle::board::{FIFTY_MOVES, Game};
use shakmaty::Position;
use suites::draws::DrawClass::{
    self, DeadMaterial, FiftyClock, FiftyMoves, Fortress, MateAt100, MateTooLate, NotDead, Perpetual,
    PromotionStalemate, Repetition, RepetitionAvoided, RepetitionCastling, RepetitionEnPassant, ZeroingSaves,
};
use suites::draws::{DrawCase, GameResult};
use suites::{Answer, Then};
use uci::{Reply, Score};

use super::DrawVerdict;
use super::prove::DrawProver;
use crate::answer::is_unsearched;
use crate::findings::{DRAW_TOLERANCE, Fault};
use crate::player::NoAnswer;
use suites::SharedCause;

/// Scores above this, in centipawns, count as wins, and those below its opposite as losses.
pub const DECISIVE: i32 = 100;
/// Plies after the move of the player within which it must show that the move gave the result away.
const AFTER: u32 = 2;

/// What is wrong with an answer.
pub(super) type DrawFault = Fault<DrawVerdict>;

/// A judged answer.
pub(super) struct JudgedDraw {
    /// The score in UCI notation; empty if there is none.
    pub(super) score: String,
    /// The verdict, or what is wrong.
    pub(super) result: Result<DrawVerdict, DrawFault>,
    /// Whether a search of more nodes may get it right.
    pub(super) retry_deeper: bool,
}

impl JudgedDraw {
    /// An answer without a fault.
    fn right(score: String, verdict: DrawVerdict) -> Self {
        Self { score, result: Ok(verdict), retry_deeper: false }
    }

    pub(super) fn verdict(&self) -> DrawVerdict {
        match &self.result {
            Ok(verdict) => *verdict,
            Err(fault) => fault.kind,
        }
    }

    /// The same answer where a wrong score is no finding.
    pub(super) fn observed(self) -> Self {
        match &self.result {
            Err(_) if self.retry_deeper => Self::right(self.score, DrawVerdict::Missed),
            Err(_) => self,
            Ok(_) => Self::right(self.score, DrawVerdict::Found),
        }
    }
}

/// Whether the last score of an answer counts as a draw.
pub(super) fn scores_draw(reply: &Reply) -> bool {
    reply.last().is_some_and(|line| result_of(line.score) == Some(GameResult::Draw))
}

/// The fault of an answer to a case.
fn fault_of(
    case: &DrawCase,
    kind: DrawVerdict,
    stored: Answer,
    given: Option<&String>,
    explanation: String,
) -> DrawFault {
    DrawFault {
        kind,
        stored,
        given: given.cloned(),
        expected: format!("{}: {}", case.result, in_words(case.result)).into(),
        best: Vec::new(),
        source: "proof".to_owned(),
        explanation,
        cause: None,
    }
}

/// Judges an answer to a case.
pub(super) fn judge(case: &DrawCase, reply: Result<&Reply, &NoAnswer>) -> JudgedDraw {
    let fault = |kind, stored, given, explanation| fault_of(case, kind, stored, given, explanation);
    let unanswered = |stored: Answer| JudgedDraw {
        score: String::new(),
        result: Err(fault(DrawVerdict::Unanswered, stored, None, rule_of(case.class).to_owned())),
        retry_deeper: false,
    };
    let reply = match reply {
        Ok(reply) => reply,
        Err(why) if why.skip().is_none() => return unanswered(format!("no answer: {why}").into()),
        Err(NoAnswer::Failed(_)) => return JudgedDraw::right(String::new(), DrawVerdict::Unanswered),
        Err(_) => return JudgedDraw::right(String::new(), DrawVerdict::NotAsked),
    };
    let game = match Game::new(&case.fen, &case.moves) {
        Ok(game) => game,
        Err(error) => return unanswered(format!("the suite is wrong: {error}").into()),
    };
    let score = reply.last().map(|line| line.score);
    let score_text = score.map(|score| score.to_string()).unwrap_or_default();
    let wrong =
        |fault, retry_deeper| JudgedDraw { score: score_text.clone(), result: Err(fault), retry_deeper };
    if let Some(text) = reply.best.as_ref().filter(|best| game.legal(best).is_none()) {
        let why = "the move is not legal".to_owned();
        return wrong(fault(DrawVerdict::Move, format!("the move {text}").into(), Some(text), why), false);
    }
    let is_right = |score| result_of(score) == Some(case.result) && !is_too_late(&game, score);
    if is_unsearched(game.position(), reply) && !score.is_some_and(is_right) {
        return JudgedDraw::right(score_text, DrawVerdict::Unanswered);
    }
    let Some(score) = score else {
        // `protocol/info-exact` reports a program that gives only bounds.
        let has_bounds = !reply.lines.is_empty();
        let unknown = || JudgedDraw::right(String::new(), DrawVerdict::Unanswered);
        return if has_bounds { unknown() } else { unanswered(Answer::NoScore(Then::Nothing)) };
    };
    // `mate 0` is a count of moves that is off by one. Other checks report it.
    if score == Score::Mate(0) && case.result != GameResult::Draw {
        return JudgedDraw::right(score_text, DrawVerdict::Unanswered);
    }
    let is_right = is_right(score);
    if !is_right && !case.may_fail {
        let late = if is_too_late(&game, score) { "; this mate would come after it" } else { "" };
        let why = format!("{}{late}", rule_of(case.class));
        let mut fault = fault(DrawVerdict::Score, crate::answer::of_score(score), None, why);
        // A score between a draw and a win does not show what the engine overlooked.
        let is_other = result_of(score).is_some_and(|result| result != case.result);
        if is_other || is_too_late(&game, score) && case.class != MateAt100 {
            fault.cause = cause_of(case);
        }
        return wrong(fault, true);
    }
    if let Some((stored, why)) = wrong_move(case, &game, reply) {
        let mut fault = fault(DrawVerdict::Move, stored.into(), reply.best.as_ref(), why);
        fault.cause = match case.class {
            // It waits until the fifty moves are over.
            ZeroingSaves if case.moves.is_empty() => Some(SharedCause::FenClock),
            ZeroingSaves => Some(SharedCause::Clock),
            _ => cause_of(case).filter(|cause| OF_MOVES.contains(cause)),
        };
        return wrong(fault, reply.best.is_some());
    }
    let verdict = match (case.may_fail, is_right) {
        (true, true) => DrawVerdict::Found,
        (true, false) => DrawVerdict::Missed,
        (false, _) => DrawVerdict::Agree,
    };
    JudgedDraw::right(score_text, verdict)
}

/// The result that a score stands for; `None` between a draw and a win or loss.
fn result_of(score: Score) -> Option<GameResult> {
    match score {
        Score::Mate(moves) if moves > 0 => Some(GameResult::Win),
        Score::Mate(_) => Some(GameResult::Loss),
        Score::Centipawns(centipawns) if centipawns.abs() <= DRAW_TOLERANCE => Some(GameResult::Draw),
        Score::Centipawns(centipawns) if centipawns > DECISIVE => Some(GameResult::Win),
        Score::Centipawns(centipawns) if centipawns < -DECISIVE => Some(GameResult::Loss),
        Score::Centipawns(_) => None,
    }
}

/// Whether the score of a side that wins announces a mate after the hundredth ply, in a position where nothing
/// can reset the clock before it. The kings have one piece beside them, and without this piece there is no mate.
/// A side that is mated says with any number of moves that it is lost: another check judges the number.
fn is_too_late(game: &Game, score: Score) -> bool {
    let Score::Mate(moves @ 1..) = score else { return false };
    let plies = 2 * i64::from(moves) - 1;
    let board = game.position().board();
    board.pawns().is_empty()
        && board.occupied().count() == 3
        && plies + i64::from(game.clock()) > i64::from(FIFTY_MOVES)
}

/// The scores that stand for a result.
fn in_words(result: GameResult) -> String {
    match result {
        GameResult::Draw => format!("a score between cp -{DRAW_TOLERANCE} and cp {DRAW_TOLERANCE}"),
        GameResult::Win => format!("mate, or a score above cp {DECISIVE}"),
        GameResult::Loss => format!("being mated, or a score below cp -{DECISIVE}"),
    }
}

/// The stored answer and its explanation, if the move is missing, or if it is legal and gives the result
/// away.
fn wrong_move(case: &DrawCase, game: &Game, reply: &Reply) -> Option<(String, String)> {
    let Some(best) = &reply.best else {
        return Some(("no move".to_owned(), "there are legal moves".to_owned()));
    };
    let stored = format!("the move {best}");
    let mv = game.legal(best)?;
    let better = match case.result {
        GameResult::Win => GameResult::Draw,
        GameResult::Draw => GameResult::Win,
        GameResult::Loss => return None,
    };
    let opponent = !game.position().turn();
    let gives_away = DrawProver::default().forces_after(game, mv, opponent, better, AFTER);
    gives_away.then(|| (stored, format!("after it the other side forces a {better}")))
}

/// The possible causes of a wrong move.
const OF_MOVES: [SharedCause; 4] =
    [SharedCause::Clock, SharedCause::FenClock, SharedCause::Repetition, SharedCause::MateAt100];

/// The cause of a wrong score in this case: the rule that the engine overlooks.
fn cause_of(case: &DrawCase) -> Option<SharedCause> {
    Some(match case.class {
        FiftyClock | FiftyMoves | ZeroingSaves if case.result != GameResult::Draw => SharedCause::NoReset,
        FiftyClock | FiftyMoves | MateTooLate if case.moves.is_empty() => SharedCause::FenClock,
        FiftyClock | FiftyMoves | MateTooLate => SharedCause::Clock,
        MateAt100 => SharedCause::MateAt100,
        Repetition | RepetitionAvoided => SharedCause::Repetition,
        RepetitionCastling if case.result == GameResult::Draw => SharedCause::SameRights,
        RepetitionCastling => SharedCause::CastlingRights,
        RepetitionEnPassant => SharedCause::EnPassant,
        DeadMaterial => SharedCause::DeadMaterial,
        ZeroingSaves | NotDead | PromotionStalemate | Perpetual | Fortress => return None,
    })
}

/// The rule that the cases of a class are about.
fn rule_of(class: DrawClass) -> &'static str {
    match class {
        FiftyClock => {
            "the halfmove clock of the FEN counts: neither side mates or resets it before the hundredth ply"
        }
        FiftyMoves => {
            "the moves of the game count for the halfmove clock, and captures and pawn moves reset it"
        }
        MateAt100 => "checkmate on the hundredth ply goes before the fifty-move rule",
        MateTooLate => "the mate comes after the hundredth ply: the game is drawn before",
        ZeroingSaves => "a capture or pawn move resets the halfmove clock in time",
        Repetition => "the third occurrence of a position is a draw, and occurrences in the game count",
        RepetitionAvoided => "one move repeats the position for the third time, another one wins",
        RepetitionCastling => "positions with different castling rights are not the same",
        RepetitionEnPassant => {
            "positions are the same only if the same en passant captures are legal in them"
        }
        DeadMaterial => "no series of legal moves leads to mate with the material that is left",
        NotDead => "the side to move mates by force, or is mated, with little material",
        PromotionStalemate => "the pawn cannot be promoted without stalemate or loss",
        Perpetual => "the checks do not end, or leave a draw",
        Fortress => "neither side can make progress: no series of legal moves leads to mate",
    }
}
