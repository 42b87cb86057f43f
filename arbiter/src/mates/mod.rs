//! The suite `mates`: what a subject announces in positions with a mate, and in positions without one.
//!
//! Every announcement is judged that is the subject's word (`word`): whether the mate is there (`truth`: by the suite,
//! whose proofs are replayed in the tests, or by the prover), and whether its line is legal and mates (`line`). A mate
//! that is longer than need be is a difference where the shortest one was promised or is asked for, else a figure; one that is
//! not found is observed. `ask` puts the questions, and again what is answered wrongly; `hearing` finds what is wrong
//! with an answer, `judge` joins all into one verdict a case, `claims` holds what files say of their own positions against the
//! prover.

mod announcement;
mod ask;
mod claims;
mod faults;
#[cfg(test)]
mod faulty;
#[cfg(test)]
mod faulty_unfinished;
mod judge;
mod kept;
mod known;
mod line;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod shortest;
mod truth;
mod verdict;

use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, Position};
use suites::epd_files::{FileMateCase, FileMateSuite};
use suites::mates::{MateCase, MateSuite};
use suites::{Evidence, Findings, SkipReason, Tally, Verdict};

use super::{Effort, Incident, Outcome, SuiteContext};
use crate::runner::{Right, is_told_apart};
use ask::Asker;
use claims::PROVER;
use judge::{Case, Judged};
use known::Known;
use oracle::board::{self, Accept, Game};
use oracle::prover::ProverLimits;
use truth::Truth;
use verdict::CHECK;

pub use announcement::{Announcements, Demand};
pub use known::Prepared;
pub use verdict::MateVerdict;

/// The name of our suite in reports.
const SUITE: &str = "mates";
/// The file that it stands in.
const FILE: &str = "mates.epd";
/// Of so many cases a quick run asks one.
const QUICK_SHARE: usize = 4;

/// What came of one position, for the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateRow {
    /// The suite: ours, or the name of a file.
    pub suite: String,
    /// Id of the position in it, or its line.
    pub case: String,
    /// What the position is there for.
    pub class: String,
    /// The true mate in moves, negative for the side to move that is mated; `None` if there is none, or none is known.
    pub mate: Option<i32>,
    /// Who says so.
    pub evidence: Option<Evidence>,
    /// The last mate that was announced, in the same way.
    pub announced: Option<i32>,
    /// What is to be said of it.
    pub verdict: MateVerdict,
    /// Nodes up to the first announcement that is true.
    pub nodes: Option<u64>,
}

/// How much the prover may look at for one question.
fn limits_of(effort: Effort) -> ProverLimits {
    match effort {
        Effort::Quick => ProverLimits { nodes: 300_000, memory: 16 },
        Effort::Plain => ProverLimits { nodes: 5_000_000, memory: 128 },
        Effort::Thorough => ProverLimits::default(),
    }
}

/// How much a subject may visit for each position, and how much the prover for each doubt. Programs are of any speed, and
/// those that search selectively announce mates that take the prover long.
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

/// Asks for the positions of our suite. A thorough run proves each of them again.
pub fn run(context: &SuiteContext, suite: &MateSuite, which: Announcements) -> Outcome<MateRow> {
    let seed = usize::try_from(context.seed % QUICK_SHARE as u64).unwrap_or_default();
    let drawn = |place: usize| context.effort > Effort::Quick || (place + seed).is_multiple_of(QUICK_SHARE);
    let cases: Vec<&MateCase> =
        suite.cases.iter().enumerate().filter(|(place, _)| drawn(*place)).map(|(_, case)| case).collect();
    let evidence = match context.effort {
        Effort::Quick => Evidence::Sample { seed: context.seed },
        Effort::Plain | Effort::Thorough => Evidence::Certificate,
    };
    context.progress.begin(cases.len() as u64);
    let (nodes, limits) = efforts(context);
    let asker = Asker::new(context, nodes, which);
    let (answered, incidents) = asker.pool.judge_all(&cases, context.progress, |turn, case| {
        let game = game(case);
        let read = Case {
            suite: SUITE,
            name: case.id.clone(),
            id: case.id.clone(),
            class: case.class().to_owned(),
            fen: &case.fen,
            moves: &case.moves,
            game: game.as_ref(),
            truth: Truth::of(case.claim),
            proof: suite.proofs.get(&case.id).map(String::as_str),
            source: PROVER,
        };
        let judged = asker.judge(turn, &read, &limits);
        let claim = || match judged.not_asked() {
            Some(reason) => Verdict::Skip(reason),
            None => claims::judge_case(FILE, case, game.as_ref(), &limits),
        };
        let claim = (context.effort == Effort::Thorough).then(claim);
        Answered { case_set: read.class, evidence, judged, claim }
    });
    gather(context, FILE, answered, (Vec::new(), incidents))
}

/// Puts those lines of a file of others among the malformed that hold no legal position.
pub fn sifted(suite: FileMateSuite) -> FileMateSuite {
    let FileMateSuite { name, cases, mut malformed } = suite;
    let read = |case: FileMateCase| match position(&case.fen) {
        Ok(_) => Ok(case),
        Err(fault) => Err((case.line, fault)),
    };
    let mut legal = Vec::with_capacity(cases.len());
    for case in cases.into_par_iter().map(read).collect::<Vec<_>>() {
        match case {
            Ok(case) => legal.push(case),
            Err(fault) => malformed.push(fault),
        }
    }
    malformed.sort_unstable();
    FileMateSuite { name, cases: legal, malformed }
}

/// Asks for the positions of a file of others. What is known of them was found out before: it takes no time of the player.
pub fn run_outside(
    context: &SuiteContext,
    prepared: &Prepared<'_>,
    which: Announcements,
) -> Outcome<MateRow> {
    let suite = prepared.suite;
    context.progress.begin(suite.cases.len() as u64);
    let (nodes, limits) = efforts(context);
    let asker = Asker::new(context, nodes, which);
    let cases: Vec<(&FileMateCase, &Known)> = suite.cases.iter().zip(&prepared.known).collect();
    let (answered, incidents) = asker.pool.judge_all(&cases, context.progress, |turn, (case, known)| {
        let game = position(&case.fen).ok().map(Game::at);
        let read = Case {
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
        let judged = asker.judge(turn, &read, &limits);
        let on_word = judged.row.evidence == Some(Evidence::Word);
        let (evidence, case_set) = if on_word {
            (Evidence::Word, format!("{} (on its word)", suite.name))
        } else {
            (Evidence::Certificate, suite.name.clone())
        };
        Answered { case_set, evidence, judged, claim: known.claim.clone() }
    });
    let malformed = suite.malformed.iter().map(|(line, _)| malformed(&suite.name, *line)).collect();
    gather(context, &suite.name, answered, (malformed, incidents))
}

/// What came of one position.
struct Answered {
    case_set: String,
    evidence: Evidence,
    judged: Judged,
    /// What came of what the file says of it.
    claim: Option<Verdict>,
}

/// Where the subject announces too few of the mates that there are, that it announces none is observed.
fn observe_blanks(answered: &mut [Answered]) {
    let judged = answered.iter().map(|answered| &answered.judged);
    if is_told_apart(judged.filter_map(|judged| Some((judged.right?, judged.verdict.as_ref()?)))) {
        return;
    }
    let agrees =
        |judged: &&mut Judged| judged.right == Some(Right::Blank) && judged.verdict == Some(Verdict::Agree);
    for judged in answered.iter_mut().map(|answered| &mut answered.judged).filter(agrees) {
        (judged.verdict, judged.row.verdict) = (Some(Verdict::Observed), MateVerdict::NotToldApart);
    }
}

/// Joins the verdicts by case set, in the order in which these come first, then those on the file itself.
fn gather(
    context: &SuiteContext,
    file: &str,
    mut answered: Vec<Answered>,
    (malformed, incidents): (Vec<MateRow>, Vec<Incident>),
) -> Outcome<MateRow> {
    observe_blanks(&mut answered);
    let mut findings: Vec<Findings> = Vec::new();
    let mut claims = Findings::new(Tally::new(file, CHECK, Evidence::Certificate, file));
    let mut rows = Vec::with_capacity(answered.len());
    for Answered { case_set, evidence, judged, claim } in answered {
        if let Some(verdict) = judged.verdict {
            let known = findings.iter().position(|found| found.tally.case_set == case_set);
            let place = known.unwrap_or_else(|| {
                findings.push(Findings::new(Tally::new(context.players.name(), CHECK, evidence, &case_set)));
                findings.len() - 1
            });
            findings[place].record(verdict);
        }
        if let Some(claim) = claim {
            claims.record(claim);
        }
        rows.push(judged.row);
    }
    if !malformed.is_empty() {
        claims.tally.skip(SkipReason::Malformed, malformed.len() as u64);
        rows.extend(malformed);
    }
    findings.extend((claims.tally.total() > 0).then_some(claims));
    Outcome::new(context.players.name(), findings, rows, incidents)
}

fn malformed(suite: &str, line: u64) -> MateRow {
    MateRow {
        suite: suite.to_owned(),
        case: line.to_string(),
        class: suite.to_owned(),
        mate: None,
        evidence: None,
        announced: None,
        verdict: MateVerdict::Malformed,
        nodes: None,
    }
}

/// The game of a case; `None` if it is none.
fn game(case: &MateCase) -> Option<Game> {
    if case.moves.is_empty() {
        return position(&case.fen).ok().map(Game::at);
    }
    Game::new(&case.fen, &case.moves).ok()
}

/// The position of a FEN; the error is why it is none.
fn position(fen: &str) -> Result<Chess, String> {
    let position =
        board::position_of_any_mode(fen, Accept::Unreachable).map_err(|error| error.to_string())?;
    if position.castles().mode() == CastlingMode::Standard {
        Ok(position)
    } else {
        Err("the castling rights are of Chess960".to_owned())
    }
}
