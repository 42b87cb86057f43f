//! Turns the answers of engines into values of findings.

use oracle::board::{Spelling, legal_move};
use shakmaty::{Chess, Position};
use suites::{Answer, End, EngineScore, ScoreBound, Then, ToldScore};
use uci::{Bound, Exit, Failure, Line, Reply, Score};

/// A score.
pub(crate) fn of_score(score: Score) -> Answer {
    Answer::score(engine_score(score))
}

/// The score of a line with its depth, followed by `then`.
pub(crate) fn of_line(line: &Line, then: Then) -> Answer {
    let bound = match line.bound {
        Bound::Exact => ScoreBound::Exact,
        Bound::Lower => ScoreBound::Lower,
        Bound::Upper => ScoreBound::Upper,
    };
    let (score, depth) = (engine_score(line.score), Some(line.depth));
    Answer::Score(ToldScore { score, bound, depth, then, mate_in_one: None })
}

pub(crate) fn engine_score(score: Score) -> EngineScore {
    match score {
        Score::Centipawns(centipawns) => EngineScore::Centipawns(centipawns),
        Score::Mate(moves) => EngineScore::Mate(moves),
    }
}

/// The text after `bestmove`, followed by `more`.
pub(crate) fn best_move(text: &str, more: impl Into<String>) -> Answer {
    Answer::BestMove { text: text.to_owned(), more: more.into() }
}

/// Whether the only legal move was played without a search: no line has more than one ply. Many engines do so
/// to save time, and a score that such an answer has, or lacks, says nothing of what they know.
pub(crate) fn is_unsearched(position: &Chess, reply: &Reply) -> bool {
    reply.lines.iter().all(|line| line.depth <= 1)
        && position.legal_moves().len() == 1
        && reply.best.as_ref().is_some_and(|best| legal_move(position, best, Spelling::Tolerant).is_some())
}

/// How a session failed.
pub fn of_failure(failure: &Failure) -> Answer {
    match failure {
        Failure::Ended { exit, after, .. } => Answer::Ended { end: end(*exit), after: Some(after.clone()) },
        Failure::Silent { awaited, waited, after, .. } => {
            let within = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
            Answer::Silent { awaited: awaited.clone(), within: Some((within, after.clone())) }
        }
        Failure::NotStarted(_)
        | Failure::Mute { .. }
        | Failure::Flooded { .. }
        | Failure::Greedy { .. }
        | Failure::Deaf { .. } => failure.to_string().into(),
    }
}

/// How a process ended.
pub(crate) fn end(exit: Exit) -> End {
    match exit {
        Exit::Status(code) => End::Status(code),
        Exit::Signal(signal) => End::Signal(signal, exit.to_string()),
        Exit::Killed => End::Killed,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn failures_keep_their_words() {
        let after = || "go".to_owned();
        for failure in [
            Failure::Ended { exit: Exit::Status(3), after: after(), panic: None, last_error: None },
            Failure::Ended { exit: Exit::Signal(11), after: after(), panic: None, last_error: None },
            Failure::Silent { panic: None, awaited: after(), waited: Duration::from_secs(2), after: after() },
            Failure::Mute { after: after() },
        ] {
            assert_eq!(of_failure(&failure).to_string(), failure.to_string());
        }
    }
}
