//! Results that are not those of the last position.

use super::Judged;
use super::finding::{Fault, Finding, Reason};
use crate::game::GameResult;

/// A result against the board, or an adjudicated one against the tables. An unfinished game has no result.
pub(super) fn findings(judged: &Judged<'_>) -> Option<Finding> {
    let result = judged.finished.result;
    let truth = judged.standing(judged.last())?;
    if result == GameResult::Unfinished || truth.result == result {
        return None;
    }
    let fault = match truth.reason {
        Reason::Rule(_) => Fault::WrongResult { result, truth },
        _ if judged.finished.is_adjudicated => Fault::WrongAdjudication { result, truth },
        _ => return None,
    };
    Some(judged.finding(judged.last(), None, fault))
}
