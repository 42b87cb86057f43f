//! The suite `mates`: the mates that a player announces in positions with and without a mate.
//!
//! The suite judges each announcement that counts (`announcement`): whether the mate is forced (`truth`, by
//! the suite, tables or the prover), and whether its line is legal and mates (`line`). A mate that is longer
//! than the shortest is a difference if the suite demands the shortest one. Otherwise it is observed, like a
//! mate that the player does not find. `ask` asks the player, `faults` finds what is wrong with an answer,
//! `judge` gives one verdict for each case, `known` proves the mates of third-party files, and `claims`
//! judges these files. `warm_hash` asks programs for many positions in one process.

mod announcement;
mod ask;
mod claims;
mod faults;
mod judge;
mod keeps_mate;
mod known;
mod line;
#[cfg(test)]
mod tests;
mod truth;
mod verdict;
mod warm_hash;

use suites::epd_files::{FileMateCase, FileMateSuite};
use suites::mates::{MateCase, MateSuite};
use suites::{Evidence, Findings, SkipReason, Tally, Verdict};

use super::{Effort, Incident, SuiteContext, SuiteOutcome};
use crate::epd_lines::{position, read_lines};
use crate::findings::{FindingsByClass, observe_blanks};
use ask::MateRun;
use claims::{LONGER, PROVER};
use judge::{JudgedMate, MatePosition, malformed};
use known::KnownMate;
use oracle::board::Game;
use oracle::prover::ProverLimits;
use truth::Truth;
use verdict::CHECK;

pub use announcement::{Announcements, Demand};
pub use known::AnalysedFile;
pub use suites::rows::MateRow;
pub use verdict::MateVerdict;
pub use warm_hash::run_warm_hash;

/// The name of our suite in reports.
const SUITE: &str = "mates";
/// The file of our suite.
const FILE: &str = "mates.epd";
/// A quick run asks for one case in this many.
const QUICK_SHARE: usize = 4;

/// The limits of each proof.
fn limits_of(effort: Effort) -> ProverLimits {
    match effort {
        Effort::Quick => ProverLimits { nodes: 300_000, memory: 16 },
        Effort::Plain => ProverLimits { nodes: 5_000_000, memory: 128 },
        Effort::Thorough => ProverLimits::default(),
    }
}

/// The nodes of a search, and the limits of each proof. Both are smaller for players that search selectively:
/// programs may be slow, and their announcements take the prover longer.
fn efforts(context: &SuiteContext) -> (u64, ProverLimits) {
    let (nodes, limits) = match context.effort {
        Effort::Quick | Effort::Plain => (60_000, limits_of(context.effort)),
        Effort::Thorough => return (600_000, limits_of(context.effort)),
    };
    if context.players.searches_selectively() {
        (nodes / 3, ProverLimits { nodes: limits.nodes / 10, ..limits })
    } else {
        (nodes, limits)
    }
}

/// Asks a player for the positions of our suite. A thorough run also proves them again.
pub fn run(context: &SuiteContext, suite: &MateSuite, which: Announcements) -> SuiteOutcome<MateRow> {
    let seed = usize::try_from(context.seed % QUICK_SHARE as u64).unwrap_or_default();
    let is_asked =
        |index: usize| context.effort > Effort::Quick || (index + seed).is_multiple_of(QUICK_SHARE);
    let cases: Vec<&MateCase> =
        suite.cases.iter().enumerate().filter(|(index, _)| is_asked(*index)).map(|(_, case)| case).collect();
    let evidence = match context.effort {
        Effort::Quick => Evidence::Sample { seed: context.seed },
        Effort::Plain | Effort::Thorough => Evidence::Certificate,
    };
    let run = MateRun::new(context, efforts(context), which);
    let (judged, incidents) = run.pool.judge_all(
        &cases,
        |case| case.class(),
        context.progress,
        |case_context, case| {
            let game = game(case);
            let position = MatePosition {
                suite: SUITE,
                name: case.id.clone(),
                id: case.id.clone(),
                class: case.class().to_owned(),
                fen: &case.fen,
                moves: &case.moves,
                game: game.as_ref(),
                truth: Truth::from_claim(case.claim),
                proof: suite.proofs.get(&case.id).map(String::as_str),
                source: PROVER,
            };
            let judged = run.judge(case_context, &position);
            let claim = || match judged.not_asked() {
                Some(reason) => Verdict::Skip(reason),
                None => claims::judge_case(FILE, case, game.as_ref(), &run.limits),
            };
            let claim = (context.effort == Effort::Thorough).then(claim);
            JudgedCase { class: position.class, evidence, judged, claim, length: None }
        },
    );
    gather(context, FILE, judged, (Vec::new(), incidents))
}

/// The file with the lines of illegal positions moved to the malformed ones.
pub fn with_legal_positions(suite: FileMateSuite) -> FileMateSuite {
    let FileMateSuite { name, cases, mut malformed } = suite;
    let cases = read_lines(&cases, &mut malformed, |case: &FileMateCase| match position(&case.fen) {
        Ok(_) => Ok(case.clone()),
        Err(fault) => Err((case.line, fault)),
    });
    FileMateSuite { name, cases, malformed }
}

/// Asks a player for the positions of a third-party file. The file was analysed before, so that the analysis
/// takes no time of the player.
pub fn run_outside(
    context: &SuiteContext,
    file: &AnalysedFile<'_>,
    which: Announcements,
) -> SuiteOutcome<MateRow> {
    let suite = file.suite;
    let run = MateRun::new(context, efforts(context), which);
    let cases: Vec<(&FileMateCase, &KnownMate)> = suite.cases.iter().zip(&file.known).collect();
    let (judged, incidents) = run.pool.judge_all(
        &cases,
        |_| "",
        context.progress,
        |case_context, (case, known)| {
            let game = position(&case.fen).ok().map(Game::at);
            let position = MatePosition {
                suite: &suite.name,
                name: case.line.to_string(),
                id: format!("{}/{}", suite.name, case.line),
                class: suite.name.clone(),
                fen: &case.fen,
                moves: &[],
                game: game.as_ref(),
                truth: known.truth,
                source: known.source,
                proof: None,
            };
            let judged = run.judge(case_context, &position);
            let is_stated = judged.row.evidence == Some(Evidence::Word);
            let (evidence, class) = if is_stated {
                (Evidence::Word, format!("{} (on its word)", suite.name))
            } else {
                (Evidence::Certificate, suite.name.clone())
            };
            JudgedCase { class, evidence, judged, claim: known.claim.clone(), length: known.length.clone() }
        },
    );
    let (player, name) = (context.players.name(), &suite.name);
    let malformed = suite.malformed.iter().map(|(line, _)| malformed(player, name, &line.to_string(), name));
    gather(context, name, judged, (malformed.collect(), incidents))
}

/// A judged case with the class under which it is counted.
struct JudgedCase {
    class: String,
    evidence: Evidence,
    judged: JudgedMate,
    /// The verdict on the statement of the file.
    claim: Option<Verdict>,
    /// The verdict on the length of the mate that a user's file states.
    length: Option<Verdict>,
}

/// Collects the verdicts by class, and then those on the file itself.
fn gather(
    context: &SuiteContext,
    file: &str,
    mut judged: Vec<JudgedCase>,
    (malformed, incidents): (Vec<MateRow>, Vec<Incident>),
) -> SuiteOutcome<MateRow> {
    observe_blanks(
        &mut judged,
        |case| Some((case.judged.right?, case.judged.verdict.as_ref()?)),
        |JudgedCase { judged, .. }| {
            (judged.verdict, judged.row.verdict) = (Some(Verdict::Observed), MateVerdict::NotToldApart);
        },
    );
    let mut findings = FindingsByClass::new(context.players.name(), CHECK);
    let mut claims = Findings::new(Tally::new(file, CHECK, Evidence::Certificate, file));
    let mut lengths = Findings::new(Tally::new(file, LONGER, Evidence::Certificate, file));
    let mut rows = Vec::with_capacity(judged.len());
    for JudgedCase { class, evidence, judged, claim, length } in judged {
        if let Some(verdict) = judged.verdict {
            findings.record(&class, evidence, verdict);
        }
        if let Some(claim) = claim {
            claims.record(claim);
        }
        if let Some(length) = length {
            lengths.record(length);
        }
        rows.push(judged.row);
    }
    if !malformed.is_empty() {
        claims.tally.skip(SkipReason::Malformed, malformed.len() as u64);
        rows.extend(malformed);
    }
    let mut findings = findings.into_findings();
    findings.extend([claims, lengths].into_iter().filter(|findings| findings.tally.total() > 0));
    SuiteOutcome::new(context.players.name(), findings, rows, incidents)
}

/// The game of a case; `None` if its position or a move is not legal.
fn game(case: &MateCase) -> Option<Game> {
    if case.moves.is_empty() {
        return position(&case.fen).ok().map(Game::at);
    }
    Game::new(&case.fen, &case.moves).ok()
}
