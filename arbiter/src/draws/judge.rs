//! Judges one answer: the score, and the move.

use shakmaty::Position;
use suites::draws::{DrawCase, GameResult};

use super::prove::Prover;
use crate::player::NoAnswer;
use oracle::board::{FIFTY_MOVES, Game};
use uci::{Reply, Score};

/// Hundredths of a pawn: a score no further than this from 0 says draw. Some engines add noise.
pub const DRAW_TOLERANCE: i32 = 50;
/// Hundredths of a pawn: a score above this says win, one below its opposite loss.
pub const DECISIVE: i32 = 100;
/// Plies after its move in which it shows that the move gave the result away.
const AFTER: u32 = 2;

/// What is said of an answer.
pub(super) struct Judged {
    /// The score as UCI writes it; empty if none.
    pub(super) score: String,
    /// In one word.
    pub(super) word: &'static str,
    /// What is wrong, if that is a difference.
    pub(super) fault: Option<Fault>,
    /// Whether a search of more positions may see it.
    pub(super) retry_deeper: bool,
}

/// What is wrong with an answer.
pub(super) struct Fault {
    pub(super) stored: String,
    pub(super) expected: String,
    pub(super) explanation: String,
}

impl Judged {
    /// The same fault under another word, for another reason.
    pub(super) fn explained(self, word: &'static str, explanation: &str) -> Self {
        let fault = self.fault.map(|fault| Fault { explanation: explanation.to_owned(), ..fault });
        Self { word, fault, ..self }
    }
}

/// Whether the score of an answer says draw.
pub(super) fn says_draw(reply: &Reply) -> bool {
    reply.last().is_some_and(|line| says(line.score) == Some(GameResult::Draw))
}

pub(super) fn judge(case: &DrawCase, reply: Result<&Reply, &NoAnswer>) -> Judged {
    let game = Game::new(&case.fen, &case.moves);
    let expected = || format!("{}: {}", case.result, words(case.result));
    let fault = |stored: String, explanation: String| Fault { stored, expected: expected(), explanation };
    let without = |stored: String| Judged {
        score: String::new(),
        word: "unanswered",
        fault: Some(fault(stored, explain(case.class()).to_owned())),
        retry_deeper: false,
    };
    let (reply, game) = match (reply, game) {
        (Err(why), _) if why.skip().is_some() => {
            let word = if matches!(why, NoAnswer::Failed(_)) { "unanswered" } else { "not asked" };
            return Judged { score: String::new(), word, fault: None, retry_deeper: false };
        }
        (Err(why), _) => return without(format!("no answer: {why}")),
        (Ok(_), Err(error)) => return without(format!("the suite is wrong: {error}")),
        (Ok(reply), Ok(game)) => (reply, game),
    };
    if let Some(text) = reply.best.as_ref().filter(|best| game.legal(best).is_none()) {
        let fault = fault(format!("the move {text}"), "the move is not legal".to_owned());
        let score = reply.last().map(|line| line.score.to_string()).unwrap_or_default();
        return Judged { score, word: "move", fault: Some(fault), retry_deeper: false };
    }
    let Some(line) = reply.last() else { return without("no score".to_owned()) };
    let (said, score) = (line.score, line.score.to_string());
    let is_true = says(said) == Some(case.result) && !is_too_long(&game, said);
    if !is_true && !case.may_fail {
        let fault = fault(score.clone(), explain(case.class()).to_owned());
        return Judged { score, word: "score", fault: Some(fault), retry_deeper: true };
    }
    if let Some((stored, explanation)) = wrong_move(case, &game, reply) {
        let retry_deeper = reply.best.is_some();
        return Judged { score, word: "move", fault: Some(fault(stored, explanation)), retry_deeper };
    }
    let word = match (case.may_fail, is_true) {
        (true, true) => "found",
        (true, false) => "missed",
        (false, _) => "agree",
    };
    Judged { score, word, fault: None, retry_deeper: false }
}

/// The result that a score says; `None` in between.
fn says(score: Score) -> Option<GameResult> {
    match score {
        Score::Mate(moves) if moves > 0 => Some(GameResult::Win),
        Score::Mate(_) => Some(GameResult::Loss),
        Score::Centipawns(hundredths) if hundredths.abs() <= DRAW_TOLERANCE => Some(GameResult::Draw),
        Score::Centipawns(hundredths) if hundredths > DECISIVE => Some(GameResult::Win),
        Score::Centipawns(hundredths) if hundredths < -DECISIVE => Some(GameResult::Loss),
        Score::Centipawns(_) => None,
    }
}

/// Whether a mate is announced that comes after the hundredth ply, where nothing sets the clock back on the way: there is
/// one piece beside the kings, and none to mate with if it is taken.
fn is_too_long(game: &Game, score: Score) -> bool {
    let Score::Mate(moves) = score else { return false };
    let plies = if moves > 0 { 2 * i64::from(moves) - 1 } else { -2 * i64::from(moves) };
    let board = game.position().board();
    board.pawns().is_empty()
        && board.occupied().count() == 3
        && plies + i64::from(game.clock()) > i64::from(FIFTY_MOVES)
}

fn words(result: GameResult) -> String {
    match result {
        GameResult::Draw => format!("a score between cp -{DRAW_TOLERANCE} and cp {DRAW_TOLERANCE}"),
        GameResult::Win => format!("mate, or a score above cp {DECISIVE}"),
        GameResult::Loss => format!("being mated, or a score below cp -{DECISIVE}"),
    }
}

/// What is wrong with the move, which is legal, and why.
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
    let gives = Prover::default().forces_after(game, mv, opponent, better, AFTER);
    gives.then(|| (stored, format!("after it the other side forces a {better}")))
}

/// What the cases of a class are about.
fn explain(class: &str) -> &'static str {
    match class {
        "fifty-clock" => "the clock of the FEN counts: nobody mates or sets it back before the hundredth ply",
        "fifty-moves" => {
            "the moves of the game count for the clock, and captures and moves of pawns set it back"
        }
        "mate-at-100" => "mate on the hundredth ply is mate: checkmate goes before the draw",
        "mate-too-late" => "the mate comes after the hundredth ply: the game is drawn before",
        "zeroing-saves" => "a capture or a move of a pawn sets the clock back in time",
        "repetition" => "the third occurrence of a position is a draw, those in the game counted",
        "repetition-avoided" => "one move repeats the position for the third time, another one wins",
        "repetition-castling" => "positions with other castling rights are not the same",
        "repetition-en-passant" => {
            "positions are the same if, and only if, the same en passant captures are legal in them"
        }
        "dead-material" => "no series of legal moves leads to mate with what is left",
        "not-dead" => "few as the men are, they mate here",
        "promotion-stalemate" => "the pawn cannot be promoted without stalemate or loss",
        "perpetual" => "the checks do not end, or leave a draw",
        "fortress" => "nobody gets through: no series of legal moves leads to mate",
        _ => "the rules of draws decide it",
    }
}
