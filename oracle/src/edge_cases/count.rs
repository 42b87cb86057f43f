//! Counts the edge cases of a table: the rows of `edge_cases.csv`.

use std::collections::BTreeMap;

use shakmaty::Chess;
use suites::census::SideToMove;
use suites::rows::{EdgeCase, EdgeCaseRow};

use super::en_passant;
use super::kinds::{self, Kinds};
use super::line::{best_line, uci_line};
use crate::board::{self, Accept};
use crate::checks::{HistogramCount, Placed, fold};
use crate::positions::{Men, Placement, Scope};
use crate::table_probe::{Dtm, TableProbe, Wdl};

/// The positions of one kind, and the first FEN.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct KindCount {
    positions: HistogramCount,
    fen: String,
}

impl KindCount {
    fn add(&mut self, other: Self) {
        self.positions.add(other.positions);
        if self.fen.is_empty() || !other.fen.is_empty() && other.fen < self.fen {
            self.fen = other.fen;
        }
    }
}

/// The counts with one side to move.
#[derive(Default)]
struct SideCount {
    kinds: BTreeMap<EdgeCase, KindCount>,
    /// The longest win, and the positions with it.
    longest: Option<(Dtm, KindCount)>,
}

impl SideCount {
    fn add(&mut self, found: Kinds, one: HistogramCount, position: &Chess) {
        if found.is_empty() {
            return;
        }
        let fen = board::fen(position);
        for kind in EdgeCase::ALL.into_iter().filter(|&kind| found.contains(kind)) {
            self.kinds.entry(kind).or_default().add(KindCount { positions: one, fen: fen.clone() });
        }
    }

    fn add_longest(&mut self, dtm: Dtm, count: KindCount) {
        match &mut self.longest {
            Some((longest, _)) if *longest > dtm => {}
            Some((longest, with)) if *longest == dtm => with.add(count),
            longest => *longest = Some((dtm, count)),
        }
    }

    fn join(mut self, other: Self) -> Self {
        for (kind, count) in other.kinds {
            self.kinds.entry(kind).or_default().add(count);
        }
        if let Some((dtm, count)) = other.longest {
            self.add_longest(dtm, count);
        }
        self
    }
}

/// Counts the edge cases of a table, with White and with Black to move: a row for each kind, also where the
/// count is 0. A position for which the table states no value is an edge case only as a checkmate or a
/// stalemate.
pub fn count(subject: &dyn TableProbe, men: &Men, progress: &(dyn Fn(u64) + Sync)) -> Vec<EdgeCaseRow> {
    let has_en_passant = en_passant::is_possible(men);
    let counts = fold(
        Placed::Classes,
        men,
        progress,
        <[SideCount; 2]>::default,
        |counts, placement| {
            visit(subject, has_en_passant, placement, &mut counts[placement.turn.fold_wb(0, 1)]);
        },
        |[white, black], [other_white, other_black]| [white.join(other_white), black.join(other_black)],
    );
    let sides = [SideToMove::White, SideToMove::Black].into_iter().zip(counts);
    sides.flat_map(|(side, count)| rows(subject, men, side, count)).collect()
}

fn visit(subject: &dyn TableProbe, has_en_passant: bool, placement: &Placement, count: &mut SideCount) {
    let Some(position) = &placement.legal else { return };
    let one = HistogramCount::new(placement, Scope::Unique);
    match subject.probe(&placement.board, placement.turn) {
        Ok(value) => {
            count.add(kinds::of_placement(subject, placement, position, &value), one, position);
            if let Some(dtm) = value.dtm.filter(|_| value.wdl == Wdl::Win)
                && count.longest.as_ref().is_none_or(|(longest, _)| *longest <= dtm)
            {
                count.add_longest(dtm, KindCount { positions: one, fen: board::fen(position) });
            }
        }
        Err(_) => count.add(kinds::without_value(position), one, position),
    }
    if has_en_passant {
        for position in en_passant::positions(placement) {
            count.add(kinds::of_en_passant(subject, &position), one, &position);
        }
    }
}

fn rows(
    subject: &dyn TableProbe,
    men: &Men,
    side_to_move: SideToMove,
    mut count: SideCount,
) -> Vec<EdgeCaseRow> {
    let row = |edge_case: EdgeCase, counted: KindCount, plies, line| EdgeCaseRow {
        table: men.name().to_owned(),
        side_to_move,
        edge_case,
        positions: counted.positions.positions,
        positions_unique: counted.positions.unique,
        fen: counted.fen,
        plies,
        line,
    };
    let kinds = EdgeCase::ALL.map(|kind| match count.longest.take_if(|_| kind == EdgeCase::LongestWin) {
        Some((dtm, counted)) => {
            let line = line_of(subject, &counted.fen);
            row(kind, counted, Some(u32::from(dtm.plies())), line)
        }
        None => row(kind, count.kinds.remove(&kind).unwrap_or_default(), None, String::new()),
    });
    kinds.into()
}

fn line_of(subject: &dyn TableProbe, fen: &str) -> String {
    let Ok(root) = board::position(fen, Accept::ImpossibleCheck) else { return String::new() };
    uci_line(&root, &best_line(subject, &root))
}
