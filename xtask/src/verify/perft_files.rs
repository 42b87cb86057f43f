//! Perft files: checks their counts with shakmaty, and our generator or an engine against them.

use std::time::Instant;

use arbiter::Effort;
use oracle::perft::{CountFile, EngineMoves, MOST_NODES, PerftFindings, check_file};

use super::Collected;
use super::external::{self, EngineRun};
use super::plan::Plan;
use crate::progress::Progress;

/// The most nodes of a count in a quick run.
const QUICK_NODES: u64 = 500_000;

/// Checks the files of the plan with shakmaty, and our generator or the engine against them.
pub(super) fn run(plan: &Plan, session: Option<&mut EngineRun>, progress: &Progress, found: &mut Collected) {
    if !plan.counts_files() {
        return;
    }
    let most = match plan.job.effort {
        Effort::Quick => Some(QUICK_NODES),
        Effort::Plain => Some(MOST_NODES),
        Effort::Thorough => None,
    };
    let mut files: Vec<CountFile> = plan.epd.counts.clone();
    for file in &mut files {
        progress.say(&format!("perft of {} by shakmaty", file.name));
        let started = Instant::now();
        file.count(most);
        found.add(file.claims(), started.elapsed());
    }
    let left_out: u64 = files.iter().map(CountFile::left_out).sum();
    if left_out > 0 {
        let bound = most.map(|most| format!(" above {most} nodes")).unwrap_or_default();
        progress.note(&format!("note: counts{bound} that are skipped: {left_out}; --thorough counts them"));
    }
    match session {
        Some(session) => external::count_files(session, &files, most, progress, found),
        None => files.iter().for_each(|file| count(file, progress, found)),
    }
}

/// Checks our generator against a file.
fn count(file: &CountFile, progress: &Progress, found: &mut Collected) {
    progress.say(&format!("perft of {}", file.name));
    let started = Instant::now();
    let counted = check_file(&EngineMoves, file);
    take(counted, started, found);
}

/// Adds findings and rows to those of the run.
pub(super) fn take(counted: PerftFindings, started: Instant, found: &mut Collected) {
    let PerftFindings { findings, rows } = counted;
    found.add(findings, started.elapsed());
    found.run.perft.extend(rows);
}
