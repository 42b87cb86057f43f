//! Judges one answer to a position.

use shakmaty::Move;

use super::BestMoveVerdict;
use super::claim::FileClaim;
use super::known::{KnownMoves, MoveGrade, san};
use super::reading::BestMovePosition;
use crate::findings::Fault;
use crate::player::NoAnswer;
use crate::runner::Reproduction;
use uci::Reply;

/// What is wrong with an answer.
pub(super) type BestMoveFault = Fault<BestMoveVerdict>;

/// A judged answer.
pub(super) struct BestMoveAnswer {
    /// The move in standard notation; the text of the player if it is not legal; empty if there is no answer.
    pub(super) played: String,
    /// The move, if it is legal.
    pub(super) legal: Option<Move>,
    pub(super) fault: Option<BestMoveFault>,
}

impl BestMoveAnswer {
    /// Judges an answer, or that there is none.
    pub(super) fn judge(
        case: &BestMovePosition,
        reply: &Result<Reply, NoAnswer>,
        known: &mut KnownMoves,
    ) -> Self {
        let reply = match reply {
            Ok(reply) => reply,
            Err(why) => {
                let fault = Some(Fault::unanswered(BestMoveVerdict::Unanswered, why));
                return Self { played: String::new(), legal: None, fault };
            }
        };
        let text = reply.best.clone().unwrap_or_else(|| "(none)".to_owned());
        let Some(mv) = reply.best.as_deref().and_then(|text| case.legal(text)) else {
            let fault = Some(Fault::illegal_move(BestMoveVerdict::BadMove, &text));
            return Self { played: text, legal: None, fault };
        };
        let fault = match known.grade(mv) {
            MoveGrade::Unknown | MoveGrade::Best => None,
            MoveGrade::Worse(of_move) => Some(Fault {
                kind: BestMoveVerdict::Thrown,
                stored: format!("the move {} ({text})", san(&case.position, mv)).into(),
                given: Some(text),
                expected: known.best().map(|best| known.best_in_words(best)).unwrap_or_default().into(),
                best: known.best().and_then(|best| best.move_text()).into_iter().collect(),
                source: known.sources(of_move),
                explanation: known.in_words(mv, of_move),
                cause: None,
            }),
        };
        Self { played: san(&case.position, mv), legal: Some(mv), fault }
    }

    /// The verdict on what is wrong.
    pub(super) fn kind(&self) -> Option<BestMoveVerdict> {
        self.fault.as_ref().map(|fault| fault.kind)
    }

    /// Adds whether the fault came again. If it did not, it is flaky.
    pub(super) fn reproduced(&mut self, again: Reproduction) {
        let Some((fault, words)) = self.fault.as_mut().zip(again.words()) else { return };
        fault.explanation = format!("{}; {words}", fault.explanation);
        if again.is_flaky() {
            fault.kind = BestMoveVerdict::Flaky;
        }
    }

    /// The verdict in the report.
    pub(super) fn verdict(&self, case: &BestMovePosition, claim: &FileClaim) -> BestMoveVerdict {
        match &self.fault {
            Some(fault) => fault.kind,
            None if claim.overrules(case) => BestMoveVerdict::Overruled,
            None if self.legal.is_some_and(|mv| claim.is_best(case, mv)) => BestMoveVerdict::Solved,
            None => BestMoveVerdict::Missed,
        }
    }
}
