//! One verdict a case: what is known of the position, and what was found in the answer.

use suites::{Difference, Replay, SkipReason, Verdict};

use super::MateRow;
use super::announcement::Announcements;
use super::faults::{Hearing, LastDepth};
use super::kept::Keepers;
use super::truth::Truth;
use super::verdict::MateVerdict;
use crate::adjudicator::Adjudicator;
use crate::player::NoAnswer;
use crate::runner::Reproduction;
use crate::runner::Right;
use oracle::board::Game;
use oracle::prover::ProverLimits;
use uci::Reply;

/// A position, and what is known of it.
pub(super) struct Case<'a> {
    pub(super) suite: &'a str,
    /// In the report.
    pub(super) name: String,
    /// Among differences: begins with the class and a slash.
    pub(super) id: String,
    pub(super) class: String,
    pub(super) fen: &'a str,
    /// The moves of the game since.
    pub(super) moves: &'a [String],
    /// `None` if the FEN is no position.
    pub(super) game: Option<&'a Game>,
    /// Before anybody is asked.
    pub(super) truth: Truth,
    /// The proof of that which stands beside the suite.
    pub(super) proof: Option<&'a str>,
    /// Who says so, and who is asked for what is not known.
    pub(super) source: &'static str,
}

/// What came of a case.
pub(super) struct Judged {
    /// `None` if nobody was asked.
    pub(super) verdict: Option<Verdict>,
    pub(super) row: MateRow,
    /// What the right answer looks like; `None` if nobody knows it.
    pub(super) right: Option<Right>,
    /// Whether what is wrong stands in its last depth alone, which it may not have come to the end of.
    pub(super) in_doubt: bool,
}

impl Judged {
    /// Why nobody was asked, though there is a position.
    pub(super) fn not_asked(&self) -> Option<SkipReason> {
        match self.verdict {
            Some(Verdict::Skip(reason)) if self.row.verdict == MateVerdict::NotAsked => Some(reason),
            _ => None,
        }
    }

    /// What is wrong, if something is.
    pub(super) fn fault(&self) -> Option<&Difference> {
        match &self.verdict {
            Some(Verdict::Differ(fault)) => Some(fault),
            _ => None,
        }
    }

    /// The same where what is wrong stands in a depth that may not be finished, and it could not be found out for this reason.
    pub(super) fn undecided(mut self, reason: SkipReason) -> Self {
        self.verdict = Some(Verdict::Skip(reason));
        self.row.verdict = match reason {
            SkipReason::Undecided => MateVerdict::Undecided,
            _ => MateVerdict::NotAsked,
        };
        self
    }

    /// The same where what is wrong came again, and how.
    pub(super) fn again(mut self, again: Reproduction) -> Self {
        let Some(Verdict::Differ(fault)) = &mut self.verdict else { return self };
        match again.record_in(fault, MateVerdict::Flaky.check()) {
            Some(reason) => {
                (self.verdict, self.row.verdict) = (Some(Verdict::Skip(reason)), MateVerdict::NotAsked);
            }
            None if fault.check == MateVerdict::Flaky.check() => self.row.verdict = MateVerdict::Flaky,
            None => {}
        }
        self
    }
}

/// Judges the reply to a case, or that there is none. `replay` shows the reply again.
pub(super) fn judge(
    subject: &str,
    case: &Case<'_>,
    reply: Option<Result<Reply, NoAnswer>>,
    asked: (Announcements, LastDepth),
    (limits, tables): (&ProverLimits, &Adjudicator<'_>),
    replay: &dyn Fn() -> Replay,
) -> Judged {
    let mut row = MateRow {
        suite: case.suite.to_owned(),
        case: case.name.clone(),
        class: case.class.clone(),
        mate: case.truth.mate(),
        evidence: case.truth.evidence(),
        announced: None,
        verdict: MateVerdict::Malformed,
        nodes: None,
    };
    let (Some(game), Some(reply)) = (case.game, reply) else {
        return Judged { verdict: None, row, right: None, in_doubt: false };
    };
    if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) {
        row.verdict = match reply {
            Err(NoAnswer::Failed(_)) => MateVerdict::Unanswered,
            _ => MateVerdict::NotAsked,
        };
        return Judged { verdict: Some(Verdict::Skip(reason)), row, right: None, in_doubt: false };
    }
    let keepers = Keepers { tables, proof: case.proof, limits };
    let mut hearing = Hearing::new(game, (case.truth, case.source), asked, keepers);
    match &reply {
        Ok(reply) => hearing.hear(reply),
        Err(why) => hearing.unanswered(why),
    }
    let in_doubt = hearing.fault.is_none() && hearing.in_doubt.is_some();
    hearing.fault = hearing.fault.or(hearing.in_doubt.take());
    row.mate = hearing.truth.mate();
    row.evidence = hearing.truth.evidence();
    row.announced = hearing.announced;
    row.nodes = hearing.nodes;
    row.verdict = hearing.verdict();
    let verdict = match hearing.fault {
        Some(fault) => Verdict::Differ(Box::new(Difference {
            subject: subject.to_owned(),
            check: fault.kind.check().to_owned(),
            case: case.id.clone(),
            fen: case.fen.to_owned(),
            stored: fault.stored,
            expected: fault.expected,
            source: fault.source,
            explanation: fault.explanation,
            replay: replay(),
        })),
        None => match row.verdict {
            MateVerdict::Undecided => Verdict::Skip(SkipReason::Undecided),
            MateVerdict::NotFound | MateVerdict::Unknown => Verdict::Observed,
            _ => Verdict::Agree,
        },
    };
    Judged { verdict: Some(verdict), row, right: hearing.truth.right(), in_doubt }
}
