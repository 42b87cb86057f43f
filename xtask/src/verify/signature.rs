//! The part of a run that takes the signature of our search: a number that changes when the search does.
//!
//! There is nothing to hold it against but the baseline, so that it is no check, and no verdict comes of it.

use engine::bench;
use engine::search::AlphaBeta;
use engine::search_api::Settings;
use reports::SignatureRow;

use super::Collected;
use super::plan::Plan;
use crate::progress::Progress;

/// Takes the signature, if the plan has it.
pub(super) fn run(plan: &Plan, progress: &Progress, found: &mut Collected) {
    if !plan.signature {
        return;
    }
    progress.say("signature of the search");
    found.run.signatures.push(SignatureRow {
        subject: "engine".to_owned(),
        depth: bench::DEPTH.into(),
        positions: bench::POSITIONS.len() as u64,
        signature: bench::signature(&mut AlphaBeta::new(&Settings::default()), bench::DEPTH),
    });
}
