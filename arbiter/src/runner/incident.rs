//! How a program failed, and how many cases of a suite it answered.

use std::collections::BTreeSet;

use suites::{Findings, Played, Replay, SkipReason};
use uci::{Failure, Limit, ProbeFailure, Question};

use crate::asked;
use crate::player::{PlayerFactory, ProgramFactory, Setup};

/// The case of a failure at the start of a program or at a new game.
pub const AT_START: &str = "start";
/// The line between two transcripts of the same question.
const ASKED_AGAIN: &str = "\n# the same, asked again\n";

/// A program failed over a question, or at its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// The failure.
    pub failure: Failure,
    /// The question, or the case of a suite. [`AT_START`] at a start or a new game.
    pub case: String,
    /// The FEN of the last position. Empty at a start.
    pub fen: String,
    /// The moves that were played after it.
    pub played: Option<Played>,
    /// The limit of the search: the words after `go`.
    pub limit: Option<String>,
    /// The command that asks the same again.
    pub replay: Replay,
    /// The last lines of the session, and of a second one if it failed again. Empty if too many transcripts
    /// are kept.
    pub transcript: String,
    /// Whether it failed again when the same was asked.
    pub reproduced: bool,
    /// Whether the time was over before it was asked again.
    pub is_cut_off: bool,
}

impl Incident {
    /// The failure of a program over a question, or at a start or a new game if there is none.
    pub(crate) fn over(
        players: &dyn PlayerFactory,
        question: Option<&Question>,
        failure: Failure,
        transcript: String,
    ) -> Self {
        let start = Question::new("8/8/8/8/8/8/8/K1k5 w - - 0 1", Limit::Depth(1));
        Self {
            failure,
            case: question.map_or_else(|| AT_START.to_owned(), case_of),
            fen: question.map(|question| question.fen.clone()).unwrap_or_default(),
            played: question
                .and_then(|question| asked::played(&question.fen, question.moves.iter().map(String::as_str))),
            limit: question.map(|question| question.limit.to_string()),
            replay: players.replay(Setup::ALL, question.unwrap_or(&start)),
            transcript,
            reproduced: false,
            is_cut_off: false,
        }
    }

    /// Records that it failed again when the same was asked.
    pub fn reproduce(&mut self, transcript: &str) {
        if !self.reproduced {
            self.reproduced = true;
            self.transcript = format!("{}{ASKED_AGAIN}{transcript}", self.transcript);
        }
    }
}

/// How a program failed while its support of limits was detected.
pub fn at_limits(players: &ProgramFactory) -> Vec<Incident> {
    let incident = |ProbeFailure { failure, question, transcript }| {
        Incident::over(players, question.as_ref(), failure, transcript)
    };
    let mut incidents: Vec<Incident> = players.failures().into_iter().map(incident).collect();
    start_failed_again(&mut incidents);
    incidents
}

/// Records that the last two failures at a start or a new game are the same.
pub(crate) fn start_failed_again(incidents: &mut [Incident]) {
    let mut starts = incidents.iter_mut().rev().filter(|incident| incident.case == AT_START);
    if let (Some(last), Some(first)) = (starts.next(), starts.next()) {
        last.reproduced = true;
        last.transcript = format!("{}{ASKED_AGAIN}{}", first.transcript, last.transcript);
    }
}

/// The question in words. It gives the number of its moves and the last move.
fn case_of(question: &Question) -> String {
    let Question { fen, moves, limit, .. } = question;
    let moves = match moves.len() {
        0 => String::new(),
        count => format!(" {count} moves {}", moves.last().map(String::as_str).unwrap_or_default()),
    };
    format!("{fen}{moves} {limit}")
}

/// What a suite returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteOutcome<R> {
    /// The verdicts, by class of cases.
    pub findings: Vec<Findings>,
    /// The rows of its report.
    pub rows: Vec<R>,
    /// How the program failed over cases.
    pub incidents: Vec<Incident>,
    /// How many cases the player answered, and why it was not asked the others.
    pub coverage: Coverage,
}

/// How many cases a player answered, and why it was not asked the others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Cases that were answered.
    pub answered: u64,
    /// Why it was not asked some.
    pub not_asked: BTreeSet<SkipReason>,
}

impl<R> SuiteOutcome<R> {
    /// The outcome of a suite for the player of this name.
    pub(crate) fn new(player: &str, findings: Vec<Findings>, rows: Vec<R>, incidents: Vec<Incident>) -> Self {
        let mut coverage = Coverage::default();
        for Findings { tally, .. } in findings.iter().filter(|findings| findings.tally.subject == player) {
            coverage.answered += tally.answered();
            let reasons = [SkipReason::OutOfTime, SkipReason::GivenUp];
            coverage.not_asked.extend(reasons.iter().filter(|reason| tally.skipped.contains_key(reason)));
        }
        Self { findings, rows, incidents, coverage }
    }
}

impl Coverage {
    /// The coverage of two suites together.
    pub fn and(mut self, other: Self) -> Self {
        self.answered += other.answered;
        self.not_asked.extend(other.not_asked);
        self
    }
}
