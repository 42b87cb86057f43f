//! One answer to a position, and what is wrong with it, if anything is.

use shakmaty::Move;

use super::BestMoveVerdict;
use super::claim::Claim;
use super::known::{Kept, Known, san};
use super::reading::Reading;
use crate::player::NoAnswer;
use crate::runner::Reproduction;
use uci::Reply;

/// What was answered.
pub(super) struct Answer {
    /// In standard notation; as it was said if it is not legal; empty if nothing.
    pub(super) played: String,
    /// The move, if it is legal.
    pub(super) legal: Option<Move>,
    pub(super) fault: Option<Fault>,
}

/// What is wrong with it.
pub(super) struct Fault {
    pub(super) kind: BestMoveVerdict,
    pub(super) stored: String,
    pub(super) expected: String,
    pub(super) source: String,
    pub(super) explanation: String,
}

const RULES: &str = "shakmaty";

impl Answer {
    /// Hears an answer, or that there is none though it was asked for.
    pub(super) fn hear(case: &Reading, asked: &Result<Reply, NoAnswer>, known: &mut Known) -> Self {
        let reply = match asked {
            Ok(reply) => reply,
            Err(why) => return Self::unanswered(why),
        };
        let text = reply.best.clone().unwrap_or_else(|| "(none)".to_owned());
        let Some(mv) = reply.best.as_deref().and_then(|text| case.legal(text)) else {
            return Self::illegal(text);
        };
        let fault = match known.keeps(mv) {
            Kept::Unknown | Kept::Yes => None,
            Kept::No(told) => Some(Fault {
                kind: BestMoveVerdict::Thrown,
                stored: format!("the move {} ({text})", san(&case.position, mv)),
                expected: known.best().map(|best| known.best_in_words(best)).unwrap_or_default(),
                source: known.sources(told),
                explanation: known.words(mv, told),
            }),
        };
        Self { played: san(&case.position, mv), legal: Some(mv), fault }
    }

    fn unanswered(why: &NoAnswer) -> Self {
        let fault = Fault {
            kind: BestMoveVerdict::Unanswered,
            stored: format!("no answer: {why}"),
            expected: "an answer".to_owned(),
            source: RULES.to_owned(),
            explanation: "the position is legal".to_owned(),
        };
        Self { played: String::new(), legal: None, fault: Some(fault) }
    }

    fn illegal(text: String) -> Self {
        let fault = Fault {
            kind: BestMoveVerdict::BadMove,
            stored: format!("the move {text}"),
            expected: "a legal move".to_owned(),
            source: RULES.to_owned(),
            explanation: format!("{text} is not legal"),
        };
        Self { played: text, legal: None, fault: Some(fault) }
    }

    /// What is wrong, in one word.
    pub(super) fn kind(&self) -> Option<BestMoveVerdict> {
        self.fault.as_ref().map(|fault| fault.kind)
    }

    /// Tells whether what is wrong came again: what did not is no finding.
    pub(super) fn told(&mut self, again: &Reproduction) {
        let Some((fault, words)) = self.fault.as_mut().zip(again.words()) else { return };
        fault.explanation = format!("{}; {words}", fault.explanation);
        if *again == Reproduction::Never {
            fault.kind = BestMoveVerdict::Flaky;
        }
    }

    /// What is to be said of it in the report.
    pub(super) fn verdict(&self, case: &Reading, claim: &Claim) -> BestMoveVerdict {
        match &self.fault {
            Some(fault) => fault.kind,
            None if claim.overrules(case) => BestMoveVerdict::Overruled,
            None if self.legal.is_some_and(|mv| claim.is_best(case, mv)) => BestMoveVerdict::Solved,
            None => BestMoveVerdict::Missed,
        }
    }
}
