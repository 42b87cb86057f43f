//! Counts of positions by value, compared with published counts.

use std::collections::BTreeMap;

use suites::census::SideToMove;
use suites::rows::StalemateRow;
use suites::{Findings, Verdict};

use super::terminal::{Ending, stalemate_row};
use super::walk::{self, Placed};
use super::{Check, DifferenceText, TableJob};
use crate::positions::{Placement, Scope};
use crate::table_probe::{Dtm, Dtz, TableValue, Wdl};

const CHECK: Check = Check::Census;

/// The number of positions with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistogramCount {
    /// Positions on 64 squares.
    pub positions: u64,
    /// Symmetry classes.
    pub unique: u64,
}

impl HistogramCount {
    pub(crate) fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.unique += other.unique;
    }

    /// The count of one placement: itself, or its class if the walk visits only classes.
    pub(crate) fn new(placement: &Placement, scope: Scope) -> Self {
        let size = placement.class_size;
        let positions = if scope == Scope::Raw { 1 } else { size.unwrap_or_default() };
        Self { positions, unique: u64::from(size.is_some()) }
    }
}

/// The counts of a table with one side to move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CensusCount {
    /// Legal positions on 64 squares.
    pub legal: u64,
    /// Symmetry classes of legal positions.
    pub unique: u64,
    /// Checkmates as shakmaty finds them.
    pub checkmates: HistogramCount,
    /// Stalemates as shakmaty finds them, on 64 squares.
    pub stalemates: u64,
    /// One stalemate of each symmetry class, in order.
    pub stalemate_rows: Vec<StalemateRow>,
    /// Positions by stated value: result and distance to mate.
    pub values: BTreeMap<(Wdl, Option<Dtm>), HistogramCount>,
    /// Symmetry classes of wins, and of losses, that the stated DTZ makes draws under the fifty-move rule.
    pub cursed: [u64; 2],
}

impl CensusCount {
    /// The number of positions with a result.
    pub fn with_result(&self, wdl: Wdl) -> HistogramCount {
        let mut sum = HistogramCount::default();
        for (_, &count) in self.values.iter().filter(|((result, _), _)| *result == wdl) {
            sum.add(count);
        }
        sum
    }

    /// The longest distance to mate, and the number of positions on 64 squares with it.
    pub fn longest(&self) -> Option<(Dtm, u64)> {
        let longest = self.values.keys().filter_map(|&(_, dtm)| dtm).max()?;
        let with = self.values.iter().filter(|((_, dtm), _)| *dtm == Some(longest));
        Some((longest, with.map(|(_, count)| count.positions).sum()))
    }

    /// Adds a placement, how a game ends in it, and the value that the table states for it.
    pub(super) fn add(
        &mut self,
        job: &TableJob,
        placement: &Placement,
        ending: Option<Ending>,
        value: Option<&TableValue>,
    ) {
        let Some(position) = &placement.legal else { return };
        let one = HistogramCount::new(placement, job.scope);
        self.legal += one.positions;
        self.unique += one.unique;
        match ending {
            Some(Ending::Checkmate) => self.checkmates.add(one),
            Some(Ending::Stalemate) => {
                self.stalemates += one.positions;
                if placement.is_representative() {
                    self.stalemate_rows.push(stalemate_row(job, placement, position));
                }
            }
            None => {}
        }
        if let Some(value) = value {
            self.values.entry((value.wdl, value.dtm)).or_default().add(one);
            if value.dtz.is_some_and(Dtz::is_cursed) && value.wdl != Wdl::Draw {
                self.cursed[usize::from(value.wdl == Wdl::Loss)] += one.unique;
            }
        }
    }

    pub(super) fn join(mut self, mut other: Self) -> Self {
        self.stalemate_rows.append(&mut other.stalemate_rows);
        self.legal += other.legal;
        self.unique += other.unique;
        self.stalemates += other.stalemates;
        self.checkmates.add(other.checkmates);
        self.cursed = [0, 1].map(|result| self.cursed[result] + other.cursed[result]);
        for (key, count) in other.values {
            self.values.entry(key).or_default().add(count);
        }
        self
    }
}

/// Counts a table, with White to move and with Black to move. If the job's scope is the classes, each is
/// counted by its size.
pub fn count(job: &TableJob) -> [CensusCount; 2] {
    let placed = if job.scope == Scope::Raw { Placed::All } else { Placed::Classes };
    walk::fold(
        placed,
        job.men,
        job.progress,
        <[CensusCount; 2]>::default,
        |counts, placement| {
            let value = job.subject.probe(&placement.board, placement.turn);
            let ending = placement.legal.as_ref().and_then(Ending::of);
            counts[placement.turn.fold_wb(0, 1)].add(job, placement, ending, value.ok().as_ref());
        },
        |[white, black], [other_white, other_black]| [white.join(other_white), black.join(other_black)],
    )
}

/// Compares the counts of a table, with White and with Black to move, with each published figure. A case is
/// one figure.
pub fn compare(job: &TableJob, counts: &[CensusCount; 2]) -> Findings {
    let mut findings = job.findings(CHECK);
    for (side, count) in [SideToMove::White, SideToMove::Black].into_iter().zip(counts) {
        for (name, counted, published) in figures(job, side, count) {
            if counted == published {
                findings.record(Verdict::Agree);
                continue;
            }
            let text = DifferenceText {
                stored: counted.to_string().into(),
                expected: published.to_string().into(),
                best: None,
                source: "published counts",
                explanation: format!("{name} with {} to move", side.name()),
            };
            findings.record(job.differ_in(CHECK, &format!("{} {name}", side.name()), text));
        }
    }
    if findings.tally.total() == 0 {
        findings.tally.skip(suites::SkipReason::NoSource, 1);
    }
    findings
}

/// The name, our count and the published count of each published figure.
fn figures(job: &TableJob, side: SideToMove, count: &CensusCount) -> Vec<(&'static str, u64, u64)> {
    let Some(row) = job.authorities.published(job.men, side) else { return Vec::new() };
    let [wins, draws, losses] = [Wdl::Win, Wdl::Draw, Wdl::Loss].map(|wdl| count.with_result(wdl));
    let (longest, longest_count) = count.longest().map_or((0, 0), |(dtm, count)| (dtm.plies(), count));
    let mut figures = vec![
        ("legal unique", count.unique, Some(row.unique.legal)),
        ("wins unique", wins.unique, Some(row.unique.wins)),
        ("draws unique", draws.unique, Some(row.unique.draws)),
        ("losses unique", losses.unique, Some(row.unique.losses)),
        ("checkmates unique", count.checkmates.unique, row.checkmates_unique),
        ("checkmates", count.checkmates.positions, row.checkmates),
        ("longest plies", u64::from(longest), row.longest_plies.map(u64::from)),
        ("positions at longest", longest_count, row.longest_count),
    ];
    if job.subject.has_dtz() {
        let [wins, losses] = count.cursed;
        figures.push(("cursed wins unique", wins, row.cursed_wins_unique));
        figures.push(("cursed losses unique", losses, row.cursed_losses_unique));
    }
    if let Some(raw) = row.raw {
        figures.extend([
            ("legal", count.legal, Some(raw.legal)),
            ("wins", wins.positions, Some(raw.wins)),
            ("draws", draws.positions, Some(raw.draws)),
            ("losses", losses.positions, Some(raw.losses)),
        ]);
    }
    figures.into_iter().filter_map(|(name, counted, published)| Some((name, counted, published?))).collect()
}
