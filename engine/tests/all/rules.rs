//! Properties of all positions, tested on random games with fixed seeds.

use crate::support::reference_rules::ReferencePosition;
use crate::support::{Rng, lines};
use engine::{CastlingMode, Move, Position, Role, Setup, Square};

/// Enough for each rule to occur many times; the reference rules take a millisecond a position.
const GAMES: usize = 150;

fn positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng(seed);
    (0..GAMES).flat_map(move |_| rng.game())
}

fn sorted(position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable();
    moves
}

/// The position with colours swapped.
fn flipped(position: &Position) -> Position {
    let setup = position.to_setup();
    Position::from_setup(&Setup {
        board: setup.board.flip_colors(),
        side_to_move: !setup.side_to_move,
        castling: setup.castling.flip_colors(),
        en_passant: setup.en_passant.map(Square::flip_vertical),
        ..setup
    })
    .expect("the mirror image of a sound position is sound")
}

/// Asserts that both have the same legal moves, and returns them.
fn compare(position: &Position, reference: &ReferencePosition) -> Vec<Move> {
    let (moves, fen) = (sorted(position), position.to_fen());
    assert!(reference.matches(position), "{fen} against {reference:?}");
    assert_eq!(moves, reference.legal_moves(), "{fen}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{fen}");
    assert_eq!(position.en_passant().is_some(), reference.can_take_en_passant(), "{fen}");
    moves
}

#[test]
fn hard_positions_and_their_successors_have_the_reference_moves() {
    let mut cases = 0;
    for fen in lines(include_str!("../data/hard.txt")) {
        let setup = Setup::from_fen(fen).unwrap();
        let (position, reference) = (Position::from_setup(&setup).unwrap(), ReferencePosition::new(&setup));
        for mv in compare(&position, &reference) {
            compare(&position.play(mv), &reference.after(mv));
        }
        cases += 1;
    }
    assert!(cases >= 40, "only {cases} cases");
}

#[test]
fn generated_moves_equal_the_reference_moves() {
    let mut rng = Rng(1);
    let (mut castled, mut en_passant, mut promoted, mut double_checks) = (0, 0, 0, 0);
    for _ in 0..GAMES {
        let mut position = rng.beginning();
        let mut reference = ReferencePosition::new(&position.to_setup());
        for _ in 0..120 {
            let moves = compare(&position, &reference);
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            castled += usize::from(position.board().color(position.side_to_move()).contains(mv.to));
            en_passant += usize::from(position.en_passant().is_some());
            promoted += usize::from(mv.promotion.is_some());
            double_checks += usize::from(position.checkers().many());
            (position, reference) = (position.play(mv), reference.after(mv));
        }
    }
    let seen = [castled, en_passant, promoted, double_checks];
    assert!(seen.iter().all(|&count| count >= 3), "too few rules came up: {seen:?}");
}

#[test]
fn illegal_moves_are_refused() {
    let mut rng = Rng(2);
    for position in positions(2).step_by(5) {
        let legal = position.legal_moves();
        for _ in 0..50 {
            let promotion = rng.pick(&[None, None, Some(Role::Queen), Some(Role::King)]);
            let mv = Move { from: rng.pick(&Square::ALL), to: rng.pick(&Square::ALL), promotion };
            assert_eq!(position.try_play(mv).is_ok(), legal.contains(&mv), "{} {mv}", position.to_fen());
        }
    }
}

#[test]
fn incremental_keys_equal_fresh_keys() {
    for position in positions(3) {
        let fresh = Position::from_setup(&position.to_setup()).unwrap();
        assert_eq!(fresh, position, "{}", position.to_fen());
        assert_eq!(fresh.key(), position.key(), "{}", position.to_fen());
    }
}

#[test]
fn keys_follow_promotions_that_capture() {
    let mut captures = 0;
    for taken in ['q', 'r', 'b', 'n'] {
        let position = Position::from_fen(&format!("1{taken}5k/P7/8/8/8/8/8/K7 w - - 0 1")).unwrap();
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let fresh = Position::from_setup(&after.to_setup()).unwrap();
            assert_eq!(fresh.key(), after.key(), "{taken} {mv}");
            captures += u32::from(mv.promotion.is_some() && mv.to == engine::Square::B8);
        }
    }
    assert_eq!(captures, 16);
}

#[test]
fn keys_are_equal_exactly_for_repetitions() {
    let mut seen: Vec<Position> = positions(4).collect();
    seen.sort_by_key(Position::key);
    let mut repeated = 0;
    for pair in seen.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        assert_eq!(a.key() == b.key(), a.repeats(&b), "{} and {}", a.to_fen(), b.to_fen());
        repeated += usize::from(a.repeats(&b));
    }
    assert!(repeated > 0, "no position came twice");
}

#[test]
fn fens_round_trip() {
    for position in positions(5) {
        for fen in [position.to_fen(), position.to_shredder_fen()] {
            assert_eq!(Position::from_fen(&fen), Ok(position), "{fen}");
        }
    }
}

#[test]
fn uci_moves_round_trip() {
    for position in positions(6).step_by(3) {
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            let mut texts = Vec::new();
            for &mv in &position.legal_moves() {
                let text = position.to_uci(mv, mode);
                assert_eq!(position.parse_uci(&text, mode), Ok(mv), "{} {text}", position.to_fen());
                texts.push(text);
            }
            let written = texts.len();
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), written, "two moves have one text in {}", position.to_fen());
        }
    }
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let flip = |mv: Move| Move { from: mv.from.flip_vertical(), to: mv.to.flip_vertical(), ..mv };
    for position in positions(7) {
        let mut expected: Vec<Move> = position.legal_moves().iter().map(|&mv| flip(mv)).collect();
        expected.sort_unstable();
        assert_eq!(sorted(&flipped(&position)), expected, "{}", position.to_fen());
    }
}

#[test]
fn random_texts_do_not_panic_the_fen_parser() {
    let mut rng = Rng(8);
    let letters: Vec<char> = "pnbrqkPNBRQK12345678/ w-KQkqacegh09é".chars().collect();
    for position in positions(8).step_by(10) {
        let mut fen: Vec<char> = position.to_fen().chars().collect();
        for _ in 0..20 {
            let at = rng.below(fen.len());
            match rng.below(3) {
                0 => fen[at] = rng.pick(&letters),
                1 => fen.insert(at, rng.pick(&letters)),
                _ => drop(fen.remove(at)),
            }
            let text: String = fen.iter().collect();
            match Position::from_fen(&text) {
                Ok(read) => drop(read.legal_moves()),
                Err(invalid) => assert!(!invalid.faults.is_empty(), "{text} is refused for no reason"),
            }
        }
    }
}

#[test]
fn positions_that_differ_in_one_feature_have_different_keys() {
    let mut keys: Vec<u64> = [
        "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
        "4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/3pP3/8/8/8/R3K2R b KQ - 0 1",
        "4k3/8/8/3pP3/8/8/8/R3K2R w K - 0 1",
        "4k3/8/8/3pP3/8/8/8/R3K2R w - - 0 1",
        "4k3/8/8/3PP3/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/3PP3/8/8/8/R3K1R1 w Q - 0 1",
    ]
    .map(|fen| Position::from_fen(fen).unwrap().key())
    .to_vec();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 7);
}
