//! Proves the mates of a third-party file before a player is asked.
//!
//! The sources are, in turn, the tables (certified ones, then Syzygy tables), the stored proofs of our suite
//! and the prover. The prover works in rounds: each undecided line gets a few nodes before any line gets
//! many. The number of nodes depends on the effort alone, so that the result does not depend on the machine
//! or the number of threads.

use std::collections::BTreeMap;

use oracle::parallel;
use shakmaty::Chess;
use suites::epd_files::{FileMateCase, FileMateSuite};
use suites::mates::{MateClaim, MateSuite};
use suites::{SkipReason, Verdict};

use super::claims::{self, FilePosition, PROVER, STORED, TABLES};
use super::truth::Truth;
use super::{limits_of, position};
use crate::adjudicator::Adjudicator;
use crate::{Effort, ProgressObserver, by_effort};
use oracle::authorities::Authorities;
use oracle::board::{self, Game};
use oracle::prover::{self, Certificate, ProverLimits};

/// Nodes for an undecided line in the first round.
const FIRST: u64 = 20_000;
/// The factor of the nodes from round to round.
const GROWTH: u64 = 4;

/// The most nodes of the prover for a file, by effort.
const BUDGET: [u64; 3] = [5_000_000, 60_000_000, 4_000_000_000];

/// A third-party file and what is known of its mates.
pub struct AnalysedFile<'s> {
    pub(super) suite: &'s FileMateSuite,
    /// What is known of each case.
    pub(super) known: Vec<KnownMate>,
}

/// What is known of a position.
#[derive(Debug, Clone)]
pub(super) struct KnownMate {
    pub(super) truth: Truth,
    /// The authority for `truth`, or the one that is still to prove it.
    pub(super) source: &'static str,
    /// The verdict on the statement of the file.
    pub(super) claim: Option<Verdict>,
    /// The verdict on its length, if the shortest mate is known.
    pub(super) length: Option<Verdict>,
}

impl KnownMate {
    const NOTHING: Self = Self { truth: Truth::Unknown, source: PROVER, claim: None, length: None };
}

impl<'s> AnalysedFile<'s> {
    /// Looks the positions of a file up and proves the others within the budget of the effort.
    pub fn new(
        suite: &'s FileMateSuite,
        authorities: &Authorities<'_>,
        effort: Effort,
        progress: &dyn ProgressObserver,
    ) -> Self {
        let lines = Lines { suite, adjudicator: Adjudicator::new(authorities), stored: stored_proofs() };
        let known = parallel::map_each(&suite.cases, |case| lines.look_up(case));
        let mut analysed = Self { suite, known };
        analysed.prove(&lines, effort, progress);
        // The line of the mate only helps the reader. If its proof takes too many nodes, the verdict has the
        // mate alone.
        let limits = ProverLimits { nodes: FIRST, ..limits_of(effort) };
        let lengths = parallel::map(suite.cases.len(), |index| {
            lines.judge_length(&suite.cases[index], &analysed.known[index], &limits)
        });
        analysed.known.iter_mut().zip(lengths).for_each(|(known, length)| known.length = length);
        analysed
    }

    /// Proves the undecided lines in rounds.
    fn prove(&mut self, lines: &Lines, effort: Effort, progress: &dyn ProgressObserver) {
        let most = limits_of(effort);
        let (mut left, mut last, mut share) = (by_effort(effort, BUDGET), 0, FIRST);
        loop {
            let open: Vec<usize> = (0..self.known.len()).filter(|&index| self.is_open(index)).collect();
            let even = left / (open.len() as u64).max(1);
            let nodes = share.min(even).min(most.nodes);
            if open.is_empty() || nodes <= last {
                return;
            }
            progress.begin(open.len() as u64);
            let limits = ProverLimits { nodes, ..most };
            let proved = parallel::map_each(&open, |&index| {
                let proved = lines.prove(&self.suite.cases[index], &limits);
                progress.advance(1);
                proved
            });
            for (index, (known, spent)) in open.into_iter().zip(proved) {
                left = left.saturating_sub(spent);
                self.known[index] = known;
            }
            (last, share) = (nodes, nodes.saturating_mul(GROWTH));
        }
    }

    /// Whether a line states a mate that is undecided.
    fn is_open(&self, index: usize) -> bool {
        matches!(self.known[index].claim, Some(Verdict::Skip(SkipReason::Undecided)))
    }
}

/// The lines of a file and the sources of what is known.
struct Lines<'a> {
    suite: &'a FileMateSuite,
    adjudicator: Adjudicator<'a>,
    stored: BTreeMap<String, (MateClaim, String)>,
}

impl Lines<'_> {
    /// What is known without the prover. Other mates are undecided.
    fn look_up(&self, case: &FileMateCase) -> KnownMate {
        let Ok(position) = position(&case.fen) else {
            return KnownMate { claim: Some(Verdict::Skip(SkipReason::Malformed)), ..KnownMate::NOTHING };
        };
        let tables = Truth::of_tables(&position, &self.adjudicator).map(|truth| (truth, TABLES));
        let decided = tables.or_else(|| Some((self.stored_mate(&position)?, STORED)));
        let judged = |mate| {
            let (truth, source) = decided?;
            claims::judge_known(&self.position(case), mate, truth, source)
        };
        let undecided = Verdict::Skip(SkipReason::Undecided);
        let claim = case.mate.map(|mate| judged(mate).unwrap_or(undecided));
        let stated = case.mate.map_or(Truth::Unknown, Truth::Stated);
        let (truth, source) = decided.unwrap_or((stated, PROVER));
        KnownMate { truth, source, claim, length: None }
    }

    fn position<'p>(&'p self, case: &'p FileMateCase) -> FilePosition<'p> {
        let id = format!("{}/{}", self.suite.name, case.line);
        FilePosition { file: &self.suite.name, id, fen: &case.fen, moves: &[] }
    }

    /// Whether the mate that a line states is the shortest.
    fn judge_length(&self, case: &FileMateCase, known: &KnownMate, limits: &ProverLimits) -> Option<Verdict> {
        let game = Game::at(position(&case.fen).ok()?);
        let line = |shortest| claims::shortest_line(&game, shortest, limits);
        self.position(case).judge_length(case.mate?, known.truth, known.source, line)
    }

    /// The mate of a position of our suite, if its stored proof holds.
    fn stored_mate(&self, position: &Chess) -> Option<Truth> {
        let (claim, proof) = self.stored.get(&key(position))?;
        let proven = Certificate(proof.clone()).replay(position).ok()?;
        Some(Truth::from_claim(*claim)).filter(|truth| truth.mate() == Some(proven.moves))
    }

    /// What the prover finds for a line, and how many nodes it visited.
    fn prove(&self, case: &FileMateCase, limits: &ProverLimits) -> (KnownMate, u64) {
        let Some((position, mate)) = position(&case.fen).ok().zip(case.mate) else {
            return (KnownMate::NOTHING, 0);
        };
        let outcome = prover::prove(&position, mate, limits);
        let (truth, claim) = claims::judge_mate(&self.position(case), mate, &outcome.verdict);
        // If the prover is undecided, the winner by the tables is kept.
        let tables = || Truth::of_tables(&position, &self.adjudicator).map(|truth| (truth, TABLES));
        let undecided = claim == Verdict::Skip(SkipReason::Undecided);
        let (truth, source) = tables().filter(|_| undecided).unwrap_or((truth, PROVER));
        (KnownMate { truth, source, claim: Some(claim), length: None }, outcome.nodes)
    }
}

/// The FEN of a position without the move number, on which no mate depends.
fn key(position: &Chess) -> String {
    let fen = board::fen(position);
    fen.rsplit_once(' ').map_or_else(String::new, |(key, _)| key.to_owned())
}

/// The positions of our suite with a stored proof.
fn stored_proofs() -> BTreeMap<String, (MateClaim, String)> {
    let Ok(MateSuite { cases, proofs }) = MateSuite::embedded() else { return BTreeMap::new() };
    let is_position = |case: &suites::mates::MateCase| case.moves.is_empty();
    let of = |case: suites::mates::MateCase| {
        Some((key(&position(&case.fen).ok()?), (case.claim, proofs.get(&case.id)?.clone())))
    };
    cases.into_iter().filter(is_position).filter_map(of).collect()
}
