//! Properties of all entries, and helpers for the tests of each.

use std::collections::BTreeSet;

use super::entries::ENTRIES;
use super::*;
use crate::tables::{Dtm, Material, Metric, builders};
use crate::zobrist::splitmix64;
use crate::{Board, Piece, Role, Square};

/// The value of a position for its stronger side.
pub(super) fn strong_value(fen: &str) -> i32 {
    let position = Position::from_fen(fen).unwrap();
    value_of(&position, find(&position).unwrap().strong)
}

/// The scale of a position.
pub(super) fn strong_scale(fen: &str) -> Scale {
    match look_up(&Position::from_fen(fen).unwrap()) {
        Some(EndgameKnowledge::Scale(scale)) => scale,
        other => panic!("{fen} has no scale: {other:?}"),
    }
}

fn value_of(position: &Position, strong: Color) -> i32 {
    let Some(EndgameKnowledge::Value(score)) = look_up(position) else {
        panic!("{} has no value", position.to_fen())
    };
    if position.side_to_move() == strong { score.raw() } else { -score.raw() }
}

/// Visits every legal position of a material with its distance to mate; White is the stronger side.
pub(super) fn every(material: Material, ask: impl FnMut(&Position, Option<Dtm>)) {
    one_of(1, material, ask);
}

/// Visits one legal position of so many, drawn at random with a fixed seed.
fn one_of(many: u64, material: Material, mut ask: impl FnMut(&Position, Option<Dtm>)) {
    let set = builders::production(&[material]).unwrap();
    let mut seed = 0;
    let mut drawn = || {
        seed += 1;
        splitmix64(seed).is_multiple_of(many)
    };
    for (board, side, value) in set.get(material, Metric::Dtm).unwrap().positions().filter(|_| drawn()) {
        let position = Position::from_board(board, side).unwrap();
        ask(&position, value.map(|(_, ply)| Dtm(ply)));
    }
}

/// A fixed sample of positions of a material.
fn some(name: &str) -> Vec<Position> {
    let mut state: u64 = 7;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut found = Vec::new();
    while found.len() < 200 {
        let mut board = Board::EMPTY;
        let mut color = Color::Black;
        for letter in name.chars() {
            match letter {
                'K' => color = if board == Board::EMPTY { Color::White } else { Color::Black },
                'v' => continue,
                _ => {}
            }
            let square = Square::from_index(draw(64) as usize);
            if board.piece_at(square).is_none() {
                board.put(square, Piece { color, role: Role::from_char(letter).unwrap() });
            }
        }
        let side = Color::ALL[draw(2) as usize];
        if board.occupied().count() as usize == name.len() - 1 {
            found.extend(Position::from_board(board, side));
        }
    }
    found
}

fn mirrored(position: &Position) -> Position {
    let mut board = Board::EMPTY;
    position.board().iter().for_each(|(square, piece)| board.put(square.flip_horizontal(), piece));
    Position::from_board(board, position.side_to_move()).unwrap()
}

fn flipped(position: &Position) -> Position {
    Position::from_board(position.board().flip_colors(), !position.side_to_move()).unwrap()
}

/// Positions of all entries, and an example of each family.
fn samples() -> Vec<Position> {
    let families = ["KQRvK", "KBBBvK", "KRPPvK", "KBPvK", "KPPvK", "KPPPvK", "KBvK", "KNNNvK"];
    ENTRIES.iter().map(|entry| entry.name).chain(families).flat_map(some).collect()
}

#[test]
fn colours_and_files_make_no_difference() {
    for position in samples() {
        let known = look_up(&position);
        assert_eq!(look_up(&flipped(&position)), known, "{}", position.to_fen());
        assert_eq!(look_up(&mirrored(&position)), known, "{}", position.to_fen());
        for strong in Color::ALL {
            let expected = scale(&position, strong);
            assert_eq!(scale(&flipped(&position), !strong), expected, "{}", position.to_fen());
            assert_eq!(scale(&mirrored(&position), strong), expected, "{}", position.to_fen());
        }
    }
}

#[test]
fn values_stay_within_bounds() {
    let heavy = Position::from_fen("k7/8/8/QQQQQQQQ/QRRBBNN1/8/8/7K b - - 0 1").unwrap();
    for position in samples().into_iter().chain([heavy]) {
        if let Some(EndgameKnowledge::Value(score)) = look_up(&position) {
            assert!(score.raw().abs() < 2 * KNOWN_WIN, "{}", position.to_fen());
        }
        let all = Color::ALL.map(|strong| scale(&position, strong));
        assert!(all.into_iter().all(|share| share <= Scale::FULL), "{}", position.to_fen());
    }
}

/// Each entry is found by its material for both colours, and has at most the number of men that the look-up
/// allows.
#[test]
fn every_entry_is_reached() {
    let names: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), ENTRIES.len());
    for entry in &ENTRIES {
        for position in some(entry.name) {
            assert_eq!(describe(&position), Some((entry.name, entry.idea)));
            assert!(look_up(&position).is_some());
            assert_eq!(find(&position).unwrap().strong, Color::White, "{}", entry.name);
        }
    }
}

#[test]
fn every_family_is_reached_and_others_are_unknown() {
    let mut seen = BTreeSet::new();
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", Some("dead material")),
        ("4k3/8/8/8/8/8/3Q1R2/4K3 w - - 0 1", Some("KXvK")),
        ("4k1nn/6n1/8/8/8/8/8/4K3 w - - 0 1", Some("KXvK")),
        ("k7/8/8/8/P7/P7/8/2B1K3 w - - 0 1", Some("KBPsvK")),
        ("k7/8/8/8/P7/P7/8/3BK3 w - - 0 1", None),
        ("3k4/8/8/8/P7/P7/8/2B1K3 w - - 0 1", None),
        ("k7/8/8/8/P7/8/P7/4K3 w - - 0 1", Some("KPsvK")),
        ("k7/8/8/PPPPPPPP/8/8/8/4K3 w - - 0 1", Some("KPsvK")),
        ("k7/7p/8/P7/8/8/P7/4K3 w - - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let name = describe(&position).map(|(name, _)| name);
        assert_eq!(name, expected, "{fen}");
        assert_eq!(look_up(&position).is_some(), name.is_some(), "{fen}");
        seen.extend(name);
    }
    assert!(FAMILIES.iter().all(|family| seen.contains(family.name) && !family.idea.is_empty()));
}

/// Without tables a search of depth 1 must not stalemate in a won position: some move must score above the
/// draw.
fn some_move_scores_above_stalemate(many: u64) {
    for material in [Material::KPVK, Material::KQVK, Material::KRVK] {
        one_of(many, material, |position, distance| {
            if distance.is_none() || position.side_to_move() == Color::Black {
                return;
            }
            let worth = |after: &Position| match (after.has_legal_move(), after.checkers().any()) {
                (true, _) => value_of(after, Color::White),
                (false, true) => i32::MAX,
                (false, false) => DRAWN,
            };
            let moves = position.legal_moves();
            let best = moves.into_iter().map(|mv| worth(&position.play_unchecked(mv))).max();
            assert!(best > Some(DRAWN), "{}", position.to_fen());
        });
    }
}

#[test]
fn a_sample_of_won_positions_has_a_move_that_scores_above_stalemate() {
    some_move_scores_above_stalemate(20);
}

#[test]
#[ignore = "nightly: all positions of three tables"]
fn a_won_position_has_a_move_that_scores_above_stalemate() {
    some_move_scores_above_stalemate(1);
}

/// No position that a rule calls drawn is won, with either side to move.
#[test]
fn positions_called_drawn_are_drawn() {
    for material in [Material::KPVK, Material::KQVK, Material::KRVK] {
        every(material, |position, distance| {
            let worth = value_of(position, Color::White);
            assert!(worth > DRAWN || distance.is_none() && worth == DRAWN, "{}", position.to_fen());
        });
    }
}

/// The rank of each value; equal values share their mean rank.
fn ranks(values: &[i32]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&at| values[at]);
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let middle = first as f64 + (group.len() - 1) as f64 / 2.0;
        for &at in group {
            ranks[at] = middle;
        }
        first += group.len();
    }
    ranks
}

/// Rank correlation (Spearman, 1904).
fn spearman(xs: &[i32], ys: &[i32]) -> f64 {
    let mean = (xs.len() - 1) as f64 / 2.0;
    let [xs, ys] = [xs, ys].map(|values| ranks(values).iter().map(|rank| rank - mean).collect::<Vec<_>>());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(&xs, &ys) / (dot(&xs, &xs) * dot(&ys, &ys)).sqrt()
}

/// Requires that values decrease with the distance to mate, at least as strongly as measured.
fn correlates(many: u64, material: Material, floors: [f64; 2]) {
    let mut found = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
    one_of(many, material, |position, distance| {
        let Some(distance) = distance else { return };
        let (values, distances) = &mut found[position.side_to_move().index()];
        values.push(value_of(position, Color::White));
        distances.push(i32::from(distance.plies()));
    });
    for ((values, distances), floor) in found.iter().zip(floors) {
        let measured = -spearman(values, distances);
        assert!(measured >= floor, "{material}: {measured:.3}");
    }
}

#[test]
fn values_decrease_with_the_distance_to_mate() {
    correlates(1, Material::KQVK, [0.65, 0.65]);
    correlates(1, Material::KRVK, [0.84, 0.74]);
}

#[test]
fn values_decrease_with_the_distance_to_mate_of_four_men() {
    correlates(100, "KBBvK".parse().unwrap(), [0.65, 0.60]);
    correlates(100, "KBNvK".parse().unwrap(), [0.52, 0.36]);
}

#[test]
#[ignore = "nightly: all positions of two tables of four men"]
fn values_decrease_with_the_distance_to_mate_of_four_men_in_all_positions() {
    correlates(1, "KBBvK".parse().unwrap(), [0.66, 0.61]);
    correlates(1, "KBNvK".parse().unwrap(), [0.53, 0.37]);
}
