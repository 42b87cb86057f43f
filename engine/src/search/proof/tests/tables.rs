//! Tests against the tables, without and with probes.

use rayon::prelude::*;

use super::{brute, length, position, prove};
use crate::Ply;
use crate::search::proof::Prover;
use crate::search_api::Control;
use crate::tables::{Dtm, Material, Metric, TableSet, builders};
use crate::{Color, FIFTY_MOVES, Game, Move, Position, Setup};

fn set() -> TableSet {
    builders::production(&[Material::KQVK, Material::KRVK, Material::KPVK]).unwrap()
}

/// Without probes, every `step`th position of a material with a distance up to `most` is proven at exactly
/// that distance, and of the other positions every 50th is not proven.
fn agrees(set: &TableSet, material: Material, most: u16, step: usize) {
    let table = set.get(material, Metric::Dtm).unwrap();
    let positions: Vec<_> = table.positions().collect();
    let checked = positions.into_par_iter().enumerate().filter(|&(index, (board, color, truth))| {
        let Ok(position) = Position::from_board(board, color) else { return false };
        let plies = truth.map(|(_, Ply(plies))| plies);
        let game = Game::new(position);
        let fen = || position.to_fen();
        match plies {
            Some(plies) if plies <= most && index.is_multiple_of(step) => {
                assert_eq!(length(&game, plies), Some(plies), "{}", fen());
                assert_eq!(plies.checked_sub(2).and_then(|less| length(&game, less)), None, "{}", fen());
                true
            }
            Some(plies) if plies > most && index.is_multiple_of(50) => {
                assert_eq!(length(&game, 2 + plies % 2), None, "{}", fen());
                true
            }
            _ => false,
        }
    });
    let checked = checked.count();
    assert!(checked > 1_000, "{material}: {checked}");
}

fn short_mates(step: usize) {
    for (material, most) in [(Material::KQVK, 5), (Material::KRVK, 5), (Material::KPVK, 7)] {
        agrees(&set(), material, most, step);
    }
}

#[test]
fn a_sample_of_short_mates_is_proven() {
    short_mates(17);
}

#[test]
#[ignore = "nightly: all short mates of three tables"]
fn all_short_mates_are_proven() {
    short_mates(1);
}

/// A root in the tables is proven at once at any distance, for both sides, with a complete line.
#[test]
fn a_root_in_the_tables_is_proven_at_once() {
    let set = set();
    for (fen, plies) in [
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", 29),
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", 17),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", 18),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 24),
    ] {
        let game = Game::new(position(fen));
        let control = Control::default();
        let is_over = || control.is_stopped();
        let mut prover = Prover::new(&game, Some(&set), &|_| None, &is_over, 8);
        let claim = Ply(plies);
        let proof = if plies % 2 == 1 { prover.mates(claim, &[]) } else { prover.is_mated(claim, &[]) };
        assert_eq!(proof.map(|proof| proof.line.len()), Some(usize::from(plies)), "{fen}");
        assert_eq!(prove(&game, Some(&set), plies, &[]).unwrap().line.len(), usize::from(plies), "{fen}");
        assert_eq!(prove(&game, Some(&set), plies - 2, &[]), None, "{fen}");
    }
}

/// A defender that may not choose its best move is mated sooner than the tables say of its position.
#[test]
fn a_worse_move_is_mated_sooner() {
    let set = set();
    let game = Game::new(position("8/8/8/4k3/8/8/8/KQ6 b - - 0 1"));
    let mut sooner = 0;
    for mv in game.position().legal_moves() {
        let after = game.position().play(mv);
        let plies = set.dtm(after.board(), after.side_to_move()).unwrap().unwrap().plies() + 1;
        let control = Control::default();
        let is_over = || control.is_stopped();
        let mut prover = Prover::new(&game, Some(&set), &|_| None, &is_over, 100);
        let proof = prover.is_mated(Ply(plies), &[mv]);
        assert_eq!(proof.map(|proof| proof.line.len()), Some(usize::from(plies)), "{mv}");
        sooner += u32::from(plies < 18);
    }
    assert!(sooner > 0);
}

/// The line continues into the tables after a capture, after a promotion, and for each root move.
#[test]
fn lines_continue_into_the_tables() {
    let set = set();
    for fen in
        ["8/8/8/4k3/8/8/r7/KR6 w - - 0 1", "1n6/P7/8/4k3/8/8/8/K7 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1"]
    {
        let game = Game::new(position(fen));
        let mut proved = 0;
        for mv in game.position().legal_moves() {
            let after = game.position().play(mv);
            let Ok(Some(truth)) = set.dtm(after.board(), after.side_to_move()) else { continue };
            let plies = truth.plies() + 1;
            if plies % 2 == 1 {
                let length = |claim| prove(&game, Some(&set), claim, &[mv]).map(|proof| proof.line.len());
                assert_eq!(length(plies), Some(usize::from(plies)), "{fen} {mv}");
                assert_eq!(length(plies + 2), Some(usize::from(plies)), "{fen} {mv}");
                assert_eq!(length(plies - 2), None, "{fen} {mv}");
                proved += 1;
            }
        }
        assert!(proved > 0, "{fen}");
    }
}

/// Tables ignore castling rights.
#[test]
fn tables_are_not_probed_with_castling_rights() {
    let set = set();
    for (fen, expected) in
        [("8/8/8/3k4/8/8/8/4K2R b - - 0 1", true), ("8/8/8/3k4/8/8/8/4K2R b K - 0 1", false)]
    {
        let game = Game::new(position(fen));
        let control = Control::default();
        let is_over = || control.is_stopped();
        let prover = Prover::new(&game, Some(&set), &|_| None, &is_over, 0);
        assert_eq!(prover.table_height(game.position()).is_ok(), expected, "{fen}");
    }
}

/// Tables ignore the clock: a mate in 29 plies that starts at 71 ends on the hundredth ply; at 72 it is too
/// late. A pawn move gains time.
#[test]
fn table_mates_respect_the_clock() {
    let set = set();
    for (fen, plies, expected) in [
        ("8/8/8/4k3/8/8/8/KR6 w - - 71 100", 29, Some(29)),
        ("8/8/8/4k3/8/8/8/KR6 w - - 72 100", 29, None),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 82 100", 18, Some(18)),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 83 100", 18, None),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 95 100", 5, Some(5)),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 96 100", 5, None),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 96 100", 9, None),
        ("8/2P5/k1K5/8/8/8/8/8 w - - 99 100", 5, Some(5)),
    ] {
        let game = Game::new(position(fen));
        assert_eq!(prove(&game, Some(&set), plies, &[]).map(|proof| proof.line.len()), expected, "{fen}");
    }
}

/// Tables ignore history: the only move of a mate in two leads to a position that occurred twice, so there is
/// no mate.
#[test]
fn table_mates_respect_repetition() {
    let set = set();
    let table = set.get(Material::KRVK, Metric::Dtm).unwrap();
    let mut cases = 0;
    for (board, color, truth) in table.positions() {
        if color != Color::White || truth.is_none_or(|(_, plies)| plies != Ply(3)) {
            continue;
        }
        let Ok(root) = Position::from_board(board, color) else { continue };
        let Some(game) = twice_through_the_only_key(&root, &set) else { continue };
        for claim in [3, 5] {
            let expected = brute::shortest(&game, claim);
            assert_eq!(length(&game, claim), expected, "{}", root.to_fen());
            let helped = prove(&game, Some(&set), claim, &[]).map(|proof| proof.line.len() as u16);
            assert_eq!(helped, expected, "{}", root.to_fen());
            assert!(claim > 3 || expected.is_none(), "{}", root.to_fen());
        }
        cases += 1;
        if cases == 5 {
            break;
        }
    }
    assert!(cases > 0);
}

/// The root again, after its only key move was played twice and taken back.
fn twice_through_the_only_key(root: &Position, set: &TableSet) -> Option<Game> {
    let good = |&mv: &Move| {
        let after = root.play(mv);
        set.dtm(after.board(), after.side_to_move()).ok().flatten() == Some(Dtm(Ply(2)))
    };
    let keys: Vec<Move> = root.legal_moves().into_iter().filter(good).collect();
    let [key] = keys[..] else { return None };
    root.play(key).legal_moves().into_iter().find_map(|reply| {
        let mut game = Game::new(*root);
        let back = |mv: Move| Move::new(mv.to, mv.from);
        for mv in [key, reply, back(key), back(reply)].repeat(2) {
            game.play(mv).ok()?;
        }
        game.position().repeats(root).then_some(game)
    })
}

/// The clock counts in side lines too: the longest resistance includes a pawn move that resets it, but
/// another defence may reach the draw.
fn side_lines_near_the_clock(step: usize, least: usize) {
    let set = set();
    let table = set.get(Material::KPVK, Metric::Dtm).unwrap();
    let positions: Vec<_> = table.positions().collect();
    let differ = positions.into_par_iter().step_by(step).filter(|&(board, color, truth)| {
        let Some((_, Ply(plies))) = truth else { return false };
        let Ok(position) = Position::from_board(board, color) else { return false };
        // Three plies are left, or four.
        let late = Setup { halfmove_clock: 97 - u16::from(color == Color::Black), ..position.to_setup() };
        let game = Game::new(Position::from_setup(&late).unwrap());
        let expected = shortest_by_clock(game.position(), plies, &set);
        if expected.is_none() {
            assert_eq!(prove(&game, Some(&set), plies, &[]), None, "{}", game.position().to_fen());
        }
        expected.is_none()
    });
    assert!(differ.count() > least);
}

#[test]
fn table_mates_respect_the_clock_in_side_lines() {
    side_lines_near_the_clock(71, 40);
}

#[test]
#[ignore = "nightly: ten times as many positions"]
fn table_mates_respect_the_clock_in_more_side_lines() {
    side_lines_near_the_clock(7, 500);
}

/// The distance of a forced mate at the given clock, by trying all moves until one resets the clock; from
/// there on the tables are right.
fn shortest_by_clock(position: &Position, most: u16, set: &TableSet) -> Option<u16> {
    let attacking = most % 2 == 1;
    let moves = position.legal_moves();
    if moves.is_empty() {
        return (!attacking && position.checkers().any()).then_some(0);
    }
    if most == 0 {
        return None;
    }
    let heights = moves.into_iter().map(|mv| {
        let after = position.play(mv);
        if after.is_checkmate() {
            return attacking.then_some(0);
        }
        match after.halfmove_clock() {
            0 => {
                let truth = set.dtm(after.board(), after.side_to_move()).ok().flatten().map(Dtm::plies);
                truth.filter(|&plies| plies < most && plies % 2 == u16::from(!attacking))
            }
            clock if clock >= FIFTY_MOVES => None,
            _ => shortest_by_clock(&after, most - 1, set),
        }
    });
    let height = if attacking {
        heights.flatten().min()
    } else {
        heights.collect::<Option<Vec<_>>>()?.into_iter().max()
    };
    height.map(|plies| plies + 1)
}

/// Repetition counts in side lines too: the key move meets one defence that leads to a position that occurred
/// twice, and another that resists longer and does not.
#[test]
fn table_mates_respect_repetition_in_side_lines() {
    let set = set();
    let table = set.get(Material::KRVK, Metric::Dtm).unwrap();
    let mut cases = 0;
    for (board, color, truth) in table.positions() {
        if color != Color::White || truth.is_none_or(|(_, plies)| plies != Ply(5)) {
            continue;
        }
        let Ok(root) = Position::from_board(board, color) else { continue };
        let Some(game) = twice_in_a_side_line(&root, &set) else { continue };
        let expected = brute::shortest(&game, 5);
        assert_eq!(prove(&game, Some(&set), 5, &[]).map(|proof| proof.line.len() as u16), expected);
        cases += usize::from(expected.is_none());
        if cases == 3 {
            return;
        }
    }
    panic!("{cases} cases");
}

/// The root, reached from a position that occurred twice: its only key move leads back there after the
/// shorter defence.
fn twice_in_a_side_line(root: &Position, set: &TableSet) -> Option<Game> {
    let distance = |position: &Position| {
        set.dtm(position.board(), position.side_to_move()).ok().flatten().map(Dtm::plies)
    };
    let mut keys = root.legal_moves().into_iter().filter(|&mv| distance(&root.play(mv)) == Some(4));
    let (key, None) = (keys.next()?, keys.next()) else { return None };
    let after = root.play(key);
    let lasts = |mv: Move| distance(&after.play(mv));
    let shorter = |&mv: &Move| lasts(mv) == Some(1);
    let defence = after.legal_moves().into_iter().find(shorter)?;
    let start = after.play(defence);
    let back = |mv: Move| Move::new(mv.to, mv.from);
    let mut game = Game::new(start);
    for mv in [back(key), back(defence), key, defence, back(key), back(defence)] {
        game.play(mv).ok()?;
    }
    game.position().repeats(root).then_some(game)
}
