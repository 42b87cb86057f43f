//! Judges the answer to a case: one row and one verdict.

use oracle::board::Game;
use oracle::prover::ProverLimits;
use suites::{Difference, SkipReason, Verdict};
use uci::{Question, Reply};

use super::MateRow;
use super::announcement::Announcements;
use super::faults::{AnswerFaults, LastDepth};
use super::keeps_mate::MateSources;
use super::truth::Truth;
use super::verdict::{MateVerdict, check_of};
use crate::adjudicator::Adjudicator;
use crate::findings::FaultCase;
use crate::player::{NoAnswer, PlayerFactory, Setup};
use crate::runner::{Repeated, Right};

/// A position and what is known of it.
pub(super) struct MatePosition<'a> {
    pub(super) suite: &'a str,
    /// The id in the report.
    pub(super) name: String,
    /// The id in differences. It begins with the class and a slash.
    pub(super) id: String,
    pub(super) class: String,
    pub(super) fen: &'a str,
    /// The moves of the game since the FEN.
    pub(super) moves: &'a [String],
    /// `None` if the position or a move is not legal.
    pub(super) game: Option<&'a Game>,
    /// What is known before the player is asked.
    pub(super) truth: Truth,
    /// The proof of the mate, if the suite has one.
    pub(super) proof: Option<&'a str>,
    /// The authority for `truth`, or the one that is still to prove it.
    pub(super) source: &'static str,
}

/// A judged case.
pub(super) struct JudgedMate {
    /// `None` if the player was not asked since the case is malformed.
    pub(super) verdict: Option<Verdict>,
    pub(super) row: MateRow,
    /// What the right answer looks like; `None` if that is not known.
    pub(super) right: Option<Right>,
    /// Whether the only fault is in the last depth, which the search may not have finished.
    pub(super) in_doubt: bool,
}

impl JudgedMate {
    /// Why the player was not asked for a legal position.
    pub(super) fn not_asked(&self) -> Option<SkipReason> {
        match self.verdict {
            Some(Verdict::Skip(reason)) if self.row.verdict == MateVerdict::NotAsked => Some(reason),
            _ => None,
        }
    }

    /// What is wrong, if something is.
    pub(super) fn difference(&self) -> Option<&Difference> {
        match &self.verdict {
            Some(Verdict::Differ(found)) => Some(found),
            _ => None,
        }
    }

    /// The case if its fault is in doubt and could not be decided for this reason.
    pub(super) fn skipped(mut self, reason: SkipReason) -> Self {
        self.verdict = Some(Verdict::Skip(reason));
        self.row.verdict = match reason {
            SkipReason::Undecided => MateVerdict::Undecided,
            _ => MateVerdict::NotAsked,
        };
        self
    }

    /// The case with whether its fault came again.
    pub(super) fn reproduced(mut self, players: &dyn PlayerFactory, again: &Repeated) -> Self {
        let Some(Verdict::Differ(found)) = &mut self.verdict else { return self };
        found.replay = players.replay_series(Setup::ALL, &again.series);
        match again.how.record_in(found, check_of(MateVerdict::Flaky)) {
            Some(reason) => {
                (self.verdict, self.row.verdict) = (Some(Verdict::Skip(reason)), MateVerdict::NotAsked);
            }
            None if again.how.is_flaky() => self.row.verdict = MateVerdict::Flaky,
            None => {}
        }
        self
    }
}

/// The row of a case that is malformed.
pub(super) fn malformed(player: &str, suite: &str, case: &str, class: &str) -> MateRow {
    MateRow {
        subject: player.to_owned(),
        suite: suite.to_owned(),
        case: case.to_owned(),
        class: class.to_owned(),
        mate: None,
        evidence: None,
        announced: None,
        verdict: MateVerdict::Malformed,
        nodes: None,
    }
}

/// Judges the reply to a case, the answer to this question; `None` if the case is malformed.
pub(super) fn judge(
    players: &dyn PlayerFactory,
    case: &MatePosition<'_>,
    question: &Question,
    reply: Option<Result<Reply, NoAnswer>>,
    asked: (Announcements, LastDepth),
    (limits, adjudicator): (&ProverLimits, &Adjudicator<'_>),
) -> JudgedMate {
    let row = malformed(players.name(), case.suite, &case.name, &case.class);
    let mut row = MateRow { mate: case.truth.mate(), evidence: case.truth.evidence(), ..row };
    let (Some(game), Some(reply)) = (case.game, reply) else {
        return JudgedMate { verdict: None, row, right: None, in_doubt: false };
    };
    if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) {
        row.verdict = match reply {
            Err(NoAnswer::Failed(_)) => MateVerdict::Unanswered,
            _ => MateVerdict::NotAsked,
        };
        return JudgedMate { verdict: Some(Verdict::Skip(reason)), row, right: None, in_doubt: false };
    }
    let sources = MateSources { adjudicator, proof: case.proof, limits };
    let mut faults = AnswerFaults::new(game, (case.truth, case.source), asked, sources);
    match &reply {
        Ok(reply) => faults.read(reply),
        Err(why) => faults.unanswered(why),
    }
    let in_doubt = faults.fault.is_none() && faults.in_doubt.is_some();
    faults.fault = faults.fault.or(faults.in_doubt.take());
    row.mate = faults.truth.mate();
    row.evidence = faults.truth.evidence();
    row.announced = faults.announced;
    row.nodes = faults.nodes;
    row.verdict = faults.verdict();
    let right = faults.truth.right();
    let verdict = match faults.fault {
        Some(fault) => {
            let (check, id) = (check_of(row.verdict), case.id.clone());
            fault.verdict(FaultCase::asked(players, Setup::ALL, question, check, id))
        }
        None => match row.verdict {
            MateVerdict::Undecided => Verdict::Skip(SkipReason::Undecided),
            MateVerdict::NotFound | MateVerdict::Unknown => Verdict::Observed,
            _ => Verdict::Agree,
        },
    };
    JudgedMate { verdict: Some(verdict), row, right, in_doubt }
}
