//! What is known of the mates that a file of others speaks of, before a player is asked.
//!
//! Asked in turn: the tables (certified ones, then Syzygy's), the stored proofs of our suite, the prover. The prover goes through
//! the file in rounds: every open line gets a few nodes before any line gets many. How many nodes there are depends on the
//! effort alone, so that the same file has the same answers on every machine and with any number of threads.

use std::collections::BTreeMap;

use rayon::prelude::*;
use shakmaty::fen::Epd;
use shakmaty::{Chess, EnPassantMode, Position, Setup};
use suites::epd_files::{FileMateCase, FileMateSuite};
use suites::mates::{MateClaim, MateSuite};
use suites::{SkipReason, Verdict};

use super::claims::{self, PROVER, Place, STORED, TABLES};
use super::truth::Truth;
use super::{limits_of, position};
use crate::adjudicator::Adjudicator;
use crate::{Effort, ProgressObserver};
use oracle::authorities::Authorities;
use oracle::prover::{self, Certificate, ProverLimits};

/// Nodes that an open line gets in the first round.
const FIRST: u64 = 20_000;
/// So many times as many in each round after it.
const GROWTH: u64 = 4;

/// Nodes that the prover may visit for a file.
const fn budget(effort: Effort) -> u64 {
    match effort {
        Effort::Quick => 5_000_000,
        Effort::Plain => 60_000_000,
        Effort::Thorough => 4_000_000_000,
    }
}

/// A file of others, and what is known of its mates.
pub struct Prepared<'s> {
    pub(super) suite: &'s FileMateSuite,
    /// Of each case.
    pub(super) known: Vec<Known>,
}

/// What is known of a position.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) truth: Truth,
    /// Who says so, and who is asked for what is not known.
    pub(super) source: &'static str,
    /// What came of what the file says of it.
    pub(super) claim: Option<Verdict>,
}

impl Known {
    const NOTHING: Self = Self { truth: Truth::Unknown, source: PROVER, claim: None };
}

impl<'s> Prepared<'s> {
    /// Asks those who know, and proves within the budget of the effort what they do not know.
    pub fn new(
        suite: &'s FileMateSuite,
        authorities: &Authorities<'_>,
        effort: Effort,
        progress: &dyn ProgressObserver,
    ) -> Self {
        let lines = Lines { suite, tables: Adjudicator::of(authorities), stored: stored() };
        let known: Vec<Known> = suite.cases.par_iter().map(|case| lines.look_up(case)).collect();
        let mut prepared = Self { suite, known };
        prepared.prove(&lines, effort, progress);
        prepared
    }

    /// Proves what is open in rounds.
    fn prove(&mut self, lines: &Lines, effort: Effort, progress: &dyn ProgressObserver) {
        let most = limits_of(effort);
        let (mut left, mut last, mut share) = (budget(effort), 0, FIRST);
        loop {
            let open: Vec<usize> = (0..self.known.len()).filter(|&place| self.is_open(place)).collect();
            let even = left / (open.len() as u64).max(1);
            let nodes = share.min(even).min(most.nodes);
            if open.is_empty() || nodes <= last {
                return;
            }
            progress.begin(open.len() as u64);
            let limits = ProverLimits { nodes, ..most };
            let proved: Vec<(usize, Known, u64)> = open
                .into_par_iter()
                .map(|place| {
                    let (known, spent) = lines.prove(&self.suite.cases[place], &limits);
                    progress.advance(1);
                    (place, known, spent)
                })
                .collect();
            for (place, known, spent) in proved {
                left = left.saturating_sub(spent);
                self.known[place] = known;
            }
            (last, share) = (nodes, nodes.saturating_mul(GROWTH));
        }
    }

    /// Whether a line speaks of a mate that nobody has decided.
    fn is_open(&self, place: usize) -> bool {
        matches!(self.known[place].claim, Some(Verdict::Skip(SkipReason::Undecided)))
    }
}

/// The lines of a file, and who knows of them without a search.
struct Lines<'a> {
    suite: &'a FileMateSuite,
    tables: Adjudicator<'a>,
    stored: BTreeMap<String, (MateClaim, String)>,
}

impl Lines<'_> {
    fn id(&self, case: &FileMateCase) -> String {
        format!("{}/{}", self.suite.name, case.line)
    }

    /// What is known without a search. A mate that nobody knows is open: undecided.
    fn look_up(&self, case: &FileMateCase) -> Known {
        let Ok(position) = position(&case.fen) else {
            return Known { claim: Some(Verdict::Skip(SkipReason::Malformed)), ..Known::NOTHING };
        };
        let tables = Truth::of_tables(&position, &self.tables).map(|truth| (truth, TABLES));
        let decided = tables.or_else(|| Some((self.proved_before(&position)?, STORED)));
        let open = || case.mate.map(|_| Verdict::Skip(SkipReason::Undecided));
        match decided {
            Some((truth, source)) => {
                let judged = |mate| {
                    let id = self.id(case);
                    claims::judge_known(self.place(case, &id), mate, truth, source)
                };
                let claim =
                    case.mate.map(|mate| judged(mate).unwrap_or(Verdict::Skip(SkipReason::Undecided)));
                Known { truth, source, claim }
            }
            None => Known {
                truth: case.mate.map_or(Truth::Unknown, Truth::Word),
                claim: open(),
                ..Known::NOTHING
            },
        }
    }

    fn place<'p>(&'p self, case: &'p FileMateCase, id: &'p str) -> Place<'p> {
        Place { file: &self.suite.name, id, fen: &case.fen, moves: &[] }
    }

    /// The mate of a position of our suite, if the proof that is stored of it holds.
    fn proved_before(&self, position: &Chess) -> Option<Truth> {
        let (claim, proof) = self.stored.get(&key(position))?;
        let proven = Certificate(proof.clone()).replay(position).ok()?;
        Some(Truth::of(*claim)).filter(|truth| truth.mate() == Some(proven.moves))
    }

    /// What the prover says of the mate of a line, and how many nodes it visited.
    fn prove(&self, case: &FileMateCase, limits: &ProverLimits) -> (Known, u64) {
        let Some((position, mate)) = position(&case.fen).ok().zip(case.mate) else {
            return (Known::NOTHING, 0);
        };
        let outcome = prover::prove(&position, mate, limits);
        let id = self.id(case);
        let (truth, claim) = claims::judge_mate(self.place(case, &id), mate, &outcome.verdict);
        // What tables know of the winner is not forgotten where the prover knows no more.
        let tables = || Truth::of_tables(&position, &self.tables).map(|truth| (truth, TABLES));
        let undecided = claim == Verdict::Skip(SkipReason::Undecided);
        let (truth, source) = tables().filter(|_| undecided).unwrap_or((truth, PROVER));
        (Known { truth, source, claim: Some(claim) }, outcome.nodes)
    }
}

/// A position by all that a mate depends on: the number of the move is left out.
fn key(position: &Chess) -> String {
    let Setup { halfmoves, .. } = position.to_setup(EnPassantMode::Legal);
    format!("{} {halfmoves}", Epd::from_position(position, EnPassantMode::Legal))
}

/// The positions of our suite of which a proof is stored.
fn stored() -> BTreeMap<String, (MateClaim, String)> {
    let Ok(MateSuite { cases, proofs }) = MateSuite::embedded() else { return BTreeMap::new() };
    let alone = |case: &suites::mates::MateCase| case.moves.is_empty();
    let of = |case: suites::mates::MateCase| {
        Some((key(&position(&case.fen).ok()?), (case.claim, proofs.get(&case.id)?.clone())))
    };
    cases.into_iter().filter(alone).filter_map(of).collect()
}
