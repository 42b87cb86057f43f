//! The signature of our search: its node count, which changes when the search changes.
//!
//! It is compared only with the baseline, so it is not a check and has no verdict.

use engine::bench;
use engine::search::AlphaBeta;
use engine::search_api::Settings;
use reports::SignatureRow;

use super::Collected;
use super::plan::Plan;
use crate::progress::Progress;

/// Computes the signature, if the plan has it.
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
