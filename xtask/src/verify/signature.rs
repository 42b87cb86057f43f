//! The signature of our search: its node count, which changes when the search changes.
//!
//! It is compared only with the baseline, so it is not a check and has no verdict. A search that panics is a
//! finding.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use arbiter::player::ENGINE;
use engine::bench;
use engine::search::AlphaBeta;
use engine::search_api::Settings;
use reports::SignatureRow;
use suites::{Difference, Evidence, Findings, Replay, Tally, Verdict};

use super::Collected;
use super::plan::Plan;
use crate::progress::Progress;

/// Computes the signature, if the plan has it.
pub(super) fn run(plan: &Plan, progress: &Progress, found: &mut Collected) {
    if !plan.signature {
        return;
    }
    progress.say("signature of the search");
    let started = Instant::now();
    let counted = catch_unwind(AssertUnwindSafe(|| {
        bench::signature(&mut AlphaBeta::new(&Settings::default()), bench::DEPTH)
    }));
    match counted {
        Ok(signature) => found.run.signatures.push(SignatureRow {
            subject: ENGINE.to_owned(),
            depth: bench::DEPTH.into(),
            positions: bench::POSITIONS.len() as u64,
            signature,
        }),
        Err(_) => found.add(panicked(), started.elapsed()),
    }
}

/// The finding of a search that panics.
fn panicked() -> Findings {
    const CHECK: &str = "process/crash";
    let mut findings = Findings::new(Tally::new(ENGINE, CHECK, Evidence::Specification, "signature"));
    let [subject, check, case] = [ENGINE, CHECK, "signature/bench"].map(str::to_owned);
    findings.record(Verdict::Differ(Box::new(Difference {
        subject,
        check,
        case,
        stored: "it panics".into(),
        expected: "a node count".into(),
        source: "definition".to_owned(),
        explanation: format!("it searches {} positions to depth {}", bench::POSITIONS.len(), bench::DEPTH),
        replay: Replay::engine("echo bench", ""),
        ..Difference::default()
    })));
    findings
}
