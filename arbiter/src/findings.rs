//! Parts that the suites share once answers are judged: faults, findings by class, and the choice of
//! agreements that count as observed.

use suites::{Answer, Cause, Difference, Evidence, Findings, Played, Replay, SharedCause, Tally, Verdict};
use uci::Question;

use crate::asked;
use crate::player::{NoAnswer, PlayerFactory, Setup};
use crate::runner::{Right, is_told_apart};

/// Scores no further than this from 0, in centipawns, count as draws: engines add noise or contempt to draw
/// scores.
pub(crate) const DRAW_TOLERANCE: i32 = 50;
/// The authority for legal moves.
pub(crate) const RULES: &str = "shakmaty";

/// What is wrong with an answer, and of which kind it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault<K> {
    pub(crate) kind: K,
    /// The answer of the player.
    pub(crate) stored: Answer,
    /// The move in it, in UCI notation, if it is about one.
    pub(crate) given: Option<String>,
    /// The right answer.
    pub(crate) expected: Answer,
    /// The moves that are right, in UCI notation, as far as they are known.
    pub(crate) best: Vec<String>,
    /// The authority for `expected`.
    pub(crate) source: String,
    /// Why, in one sentence.
    pub(crate) explanation: String,
    /// How the answer is wrong, if other cases may be wrong in the same way.
    pub(crate) cause: Option<SharedCause>,
}

/// Where a fault was found.
pub(crate) struct FaultCase<'a> {
    /// The name of the player.
    pub(crate) player: &'a str,
    /// The id of the check.
    pub(crate) check: String,
    /// The id of the case.
    pub(crate) case: String,
    pub(crate) fen: &'a str,
    /// The moves that were played after it.
    pub(crate) played: Option<Played>,
    /// The limit of the search: the words after `go`.
    pub(crate) limit: Option<String>,
    /// The command that asks the same again.
    pub(crate) replay: Replay,
}

impl<'a> FaultCase<'a> {
    /// A case in which a player with this set-up gave a wrong answer to a question.
    pub(crate) fn asked(
        players: &'a dyn PlayerFactory,
        setup: Setup,
        question: &'a Question,
        check: impl Into<String>,
        case: String,
    ) -> Self {
        let replay = players.replay(setup, question);
        let played = asked::played(&question.fen, question.moves.iter().map(String::as_str));
        let limit = Some(question.limit.to_string());
        Self { player: players.name(), check: check.into(), case, fen: &question.fen, played, limit, replay }
    }
}

impl<K> Fault<K> {
    /// There is no answer to a legal position.
    pub(crate) fn unanswered(kind: K, why: &NoAnswer) -> Self {
        Self {
            kind,
            stored: format!("no answer: {why}").into(),
            given: None,
            expected: "an answer".into(),
            best: Vec::new(),
            source: RULES.to_owned(),
            explanation: "the position is legal".to_owned(),
            cause: None,
        }
    }

    /// The move of an answer is not legal.
    pub(crate) fn illegal_move(kind: K, text: &str) -> Self {
        Self {
            kind,
            stored: format!("the move {text}").into(),
            given: Some(text.to_owned()),
            expected: "a legal move".into(),
            best: Vec::new(),
            source: RULES.to_owned(),
            explanation: format!("{text} is not legal"),
            cause: None,
        }
    }

    /// The verdict that reports this fault.
    pub(crate) fn verdict(self, case: FaultCase) -> Verdict {
        Verdict::Differ(Box::new(self.difference(case)))
    }

    /// The difference that reports this fault.
    pub(crate) fn difference(
        self,
        FaultCase { player, check, case, fen, played, limit, replay }: FaultCase,
    ) -> Difference {
        let Self { stored, given, expected, best, source, explanation, cause, .. } = self;
        Difference {
            subject: player.to_owned(),
            check,
            case,
            fen: fen.to_owned(),
            played,
            limit,
            stored,
            given,
            expected,
            best,
            source,
            explanation,
            cause: cause.map(Cause::Shared),
            replay,
        }
    }
}

/// The findings of one player and check by class, in the order in which the classes come first.
pub(crate) struct FindingsByClass<'a> {
    player: &'a str,
    check: &'static str,
    all: Vec<Findings>,
}

impl<'a> FindingsByClass<'a> {
    pub(crate) fn new(player: &'a str, check: &'static str) -> Self {
        Self { player, check, all: Vec::new() }
    }

    /// Records a verdict in its class.
    pub(crate) fn record(&mut self, class: &str, evidence: Evidence, verdict: Verdict) {
        let known = self.all.iter().position(|findings| findings.tally.case_set == class);
        let index = known.unwrap_or_else(|| {
            self.all.push(Findings::new(Tally::new(self.player, self.check, evidence, class)));
            self.all.len() - 1
        });
        self.all[index].record(verdict);
    }

    pub(crate) fn into_findings(self) -> Vec<Findings> {
        self.all
    }
}

/// If the player does not tell the two kinds of cases apart, calls `observe` on each case that agrees and in
/// which a blank answer is right. `judged` returns `None` for cases that do not count.
pub(crate) fn observe_blanks<C>(
    cases: &mut [C],
    judged: impl Fn(&C) -> Option<(Right, &Verdict)>,
    observe: impl FnMut(&mut C),
) {
    if is_told_apart(cases.iter().filter_map(&judged)) {
        return;
    }
    let agrees = |case: &&mut C| judged(&**case) == Some((Right::Blank, &Verdict::Agree));
    cases.iter_mut().filter(agrees).for_each(observe);
}
