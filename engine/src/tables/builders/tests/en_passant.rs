//! Tests of tables with pawns on both sides, where double steps may allow en passant captures.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use rayon::prelude::*;

use super::{built, materials};
use crate::Ply;
use crate::tables::builders::successors::{Rules, Successors, TableMove};
use crate::tables::builders::{Builder, Retrograde, Setwise, dtm_set};
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, Material, Metric, Placement, Table, TableSet};
use crate::{Color, Position, Rank};

/// `KPvKP` with the distances to mate of all tables that it leads to.
pub(in crate::tables) static SET: LazyLock<TableSet> = LazyLock::new(|| {
    let material = materials("KPvKP");
    let mut set = dtm_set(&Setwise, &material).unwrap();
    set.add(built(&Setwise, material[0], &Metric::ALL, &set).swap_remove(1));
    set
});

/// One slot in this many is checked; `verify --tables KPvKP` certifies all of them, with the moves of
/// shakmaty.
const STEP: usize = 101;

/// The definition of values, evaluated on the moves of the move generator, without un-moves and depths.
struct Definition<'a>(&'a TableSet);

impl Definition<'_> {
    /// The value that follows from the positions after the legal moves.
    fn entailed(&self, position: &Position, before: fn(&Self, &Position) -> Value) -> Value {
        let moves = position.legal_moves();
        let values = moves.iter().map(|&mv| before(self, &position.play_unchecked(mv)));
        let without = if position.checkers().any() { Value::MATED } else { Value::Draw };
        values.reduce(Value::better).unwrap_or(without)
    }

    /// The distance to mate. A position with en passant rights has no slot: it follows from its moves.
    fn dtm(&self, position: &Position) -> Value {
        if position.en_passant().is_some() {
            return self.entailed(position, Self::dtm_before);
        }
        self.0.value(Metric::Dtm, position.board(), position.side_to_move()).unwrap()
    }

    /// The distance to mate of a move to this position, for the side that moved.
    fn dtm_before(&self, after: &Position) -> Value {
        self.dtm(after).before_move()
    }

    /// The same to zeroing.
    fn dtz_before(&self, after: &Position) -> Value {
        if after.halfmove_clock() == 0 {
            return self.dtm(after).before_zeroing_move();
        }
        self.0.value(Metric::Dtz, after.board(), after.side_to_move()).unwrap().before_move()
    }

    /// Compares the entries of `KPvKP` in these slots. Illegal positions have none.
    fn check_entries(&self, metric: Metric, is_checked: impl Fn(usize, &Placement) -> bool + Sync) {
        let table = self.0.get("KPvKP".parse().unwrap(), metric).unwrap();
        let layout = table.layout();
        let before = if metric == Metric::Dtm { Self::dtm_before } else { Self::dtz_before };
        (0..2 * layout.slots()).into_par_iter().for_each(|number| {
            let (slot, side) = (number / 2, Color::ALL[number % 2]);
            let squares = layout.placement(slot);
            if !is_checked(slot, &squares) {
                return;
            }
            let stored = table.cells()[side.index()][slot].value();
            let position = Position::from_board(layout.board(&squares), side).ok();
            let Some(position) = position.filter(|_| squares.are_apart()) else {
                return assert_eq!(stored, None, "{squares:?}");
            };
            let expected = self.entailed(&position, before);
            assert_eq!(stored, Some(expected), "{}", position.to_fen());
        });
    }
}

#[test]
fn entries_follow_from_their_moves() {
    for metric in Metric::ALL {
        Definition(&SET).check_entries(metric, |slot, _| slot % STEP == 0);
    }
}

/// The tables that `KPvKP` leads to. Those that captures lead to have random values. Wins take long with the
/// pawn on the sixth rank, where it stands after an en passant capture. Three in four promotions win.
fn random() -> TableSet {
    let captures: Material = "KPvK".parse().unwrap();
    let mut set = TableSet::new();
    for material in materials("KPvKP")[0].smaller() {
        let layout = Layout::new(material);
        let value = |slot: usize| {
            let hash = (slot as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            let plies = 2 * (hash / 12 % 30) as u16;
            let late = if layout.placement(slot).get(2).rank() == Rank::Sixth { 100 } else { 0 };
            // With these numbers some losses wait for a late capture: without the recheck the test fails.
            Cell::from_value(match (hash % 12, material == captures) {
                (0..=2, _) | (3..=5, true) => Value::Draw,
                (6..=8, true) => Value::Win(Ply(plies + late + 1)),
                (_, true) => Value::Loss(Ply(plies + late + 2)),
                (_, false) => Value::Loss(Ply(plies + 2)),
            })
        };
        let cells = Color::ALL.map(|_| (0..layout.slots()).into_par_iter().map(value).collect());
        set.add(Table::new(layout.clone(), Metric::Dtm, cells));
    }
    set
}

/// Whether a pawn on its second rank can pass an enemy pawn.
fn has_double_step(squares: &Placement) -> bool {
    let [white, black] = [2, 3].map(|man| squares.get(man));
    let beside = white.file().index().abs_diff(black.file().index()) == 1;
    let ranks = (white.rank(), black.rank());
    beside && matches!(ranks, (Rank::Second, Rank::Fourth) | (Rank::Fifth, Rank::Seventh))
}

/// In chess no loss in `KPvKP` waits for a capture that wins late. With five men one may, so each capture
/// gets a random value.
#[test]
fn entries_follow_from_captures_of_any_value() {
    captures_of_any_value(&Setwise);
}

#[test]
#[ignore = "nightly: the production builder is tested by default"]
fn entries_of_the_reference_follow_from_captures_of_any_value() {
    captures_of_any_value(&Retrograde);
}

fn captures_of_any_value(builder: &dyn Builder) {
    let mut set = random();
    for table in built(builder, "KPvKP".parse().unwrap(), &[Metric::Dtm], &set) {
        set.add(table);
    }
    Definition(&set).check_entries(Metric::Dtm, |_, squares| has_double_step(squares));
    // The value of a position with en passant rights follows from its moves.
    for fen in [
        "8/8/8/8/Pp6/8/8/4K1k1 b - a3 0 1",
        "8/8/8/1K2k3/pP6/8/8/8 b - b3 0 1",
        "4k1K1/8/8/pP6/8/8/8/8 w - a6 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert!(position.en_passant().is_some());
        assert_eq!(set.value_of(Metric::Dtm, &position), Ok(Definition(&set).dtm(&position)), "{fen}");
    }
}

/// The published counts. The longest win, in 33 moves, is published too; the loser may have the move before
/// it.
#[test]
fn both_sides_have_the_published_counts() {
    for side in Color::ALL {
        super::check_counts(&SET, "KPvKP", side, (1_606_514, 1_242_545, 868_985, Some(66)));
    }
    let cells = SET.get("KPvKP".parse().unwrap(), Metric::Dtm).unwrap().cells().iter().flatten();
    let wins = cells.filter_map(|cell| cell.value()).filter_map(|value| match value {
        Value::Win(Ply(plies)) => Some(plies),
        _ => None,
    });
    assert_eq!(wins.max(), Some(65));
}

#[track_caller]
fn check(fen: &str, expected: &str) {
    let probe = SET.probe_of(&Position::from_fen(fen).unwrap()).unwrap();
    let dtm = probe.dtm.map_or("draw".to_owned(), |dtm| dtm.to_string());
    assert_eq!(format!("{dtm}, {}", probe.dtz.unwrap()), expected, "{fen}");
}

#[test]
fn en_passant_rights_are_resolved_by_one_ply() {
    // The capture wins, draws and wins sooner.
    check("8/8/8/8/Pp6/8/8/4K1k1 b - - 0 1", "mated in 16, -2");
    check("8/8/8/8/Pp6/8/8/4K1k1 b - a3 0 1", "mate in 11, 1");
    check("8/8/8/8/Pp6/8/8/K3k3 b - - 0 1", "mated in 15, -4");
    check("8/8/8/8/Pp6/8/8/K3k3 b - a3 0 1", "draw, 0");
    check("8/8/8/1K2k3/pP6/8/8/8 b - - 0 1", "mate in 11, 1");
    check("8/8/8/1K2k3/pP6/8/8/8 b - b3 0 1", "mate in 9, 1");
    // The pawn that the capture takes is Black's.
    check("4k1K1/8/8/pP6/8/8/8/8 w - a6 0 1", "mate in 11, 1");
}

/// A table in which every cell has one value.
fn constant(name: &str, value: Value) -> TableSet {
    let layout = Layout::new(name.parse().unwrap());
    let cells = Color::ALL.map(|_| vec![Cell::from_value(value); layout.slots()]);
    let mut set = TableSet::new();
    set.add(Table::new(layout, Metric::Dtm, cells));
    set
}

/// After d2-d4 the only legal move is the capture: without it Black would be stalemated. With four men there
/// is no such position.
#[test]
fn a_capture_that_is_the_only_move_is_the_value() {
    let position = Position::from_fen("8/8/8/8/2p5/2N5/2KP4/k7 w - - 0 1").unwrap();
    let layout = Layout::new("KNPvKP".parse().unwrap());
    let squares = layout.squares(position.board(), false);
    let (lost, won) = (Value::Loss(Ply(4)), Value::Win(Ply(5)));
    let smaller = constant("KNvKP", lost);
    let successors = Successors { layout: &layout, smaller: &smaller, rules: Rules::CHESS };
    let (mut exits, mut within) = (Vec::new(), 0);
    let _ = successors.visit(&squares, Color::White, |step| {
        match step {
            TableMove::Exit(value) => exits.push(value),
            TableMove::Within { en_passant, .. } => {
                assert_eq!(en_passant, None);
                within += 1;
            }
        }
        ControlFlow::<()>::Continue(())
    });
    assert_eq!((exits, within), (vec![won], position.legal_moves().len() - 1));
}
