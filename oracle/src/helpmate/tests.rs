//! Tests: known positions, and random ones against a plain search of all positions that can be reached.

use std::collections::{BTreeMap, HashSet, VecDeque};

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Piece, Position, Role, Setup, Square};

use super::*;
use crate::board::{Accept, after, fen, from_setup, position_of_any_mode};
use crate::perft::Draw;

/// Enough for each position of these tests.
const MOST: usize = 20_000;

fn word(can_mate: &CanMate) -> &'static str {
    match can_mate {
        CanMate::Yes(_) => "yes",
        CanMate::No(NoMate::Material) => "material",
        CanMate::No(NoMate::Blocked) => "blocked",
        CanMate::No(NoMate::Exhaustion) => "exhaustion",
        CanMate::Undecided => "undecided",
    }
}

/// Whether legal moves lead to a mate by this side.
fn leads_to_mate(position: &Chess, winner: Color, line: &[Move]) -> bool {
    let mut position = position.clone();
    line.iter().all(|&mv| {
        position.is_legal(mv) && {
            position.play_unchecked(mv);
            true
        }
    }) && position.is_checkmate()
        && position.turn() != winner
}

/// The same by visiting all positions breadth first, without any proof but that a king alone never mates. `None` if
/// they are more.
fn reaches_mate(position: &Chess, winner: Color, most: usize) -> Option<bool> {
    let mut seen = HashSet::from([position.clone()]);
    let mut open = VecDeque::from([position.clone()]);
    while let Some(position) = open.pop_front() {
        if position.is_checkmate() && position.turn() != winner {
            return Some(true);
        }
        if position.board().by_color(winner).count() == 1 {
            continue;
        }
        for mv in position.legal_moves() {
            let next = after(&position, mv);
            if seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

#[test]
fn known_positions_are_decided() {
    let mut kinds = BTreeMap::new();
    for line in include_str!("positions.txt").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let position = position_of_any_mode(&words[2..].join(" "), Accept::Legal).unwrap();
        for (side, expected) in Color::ALL.into_iter().zip(words) {
            let decision = can_mate(&position, side, MOST);
            assert_eq!(word(&decision.can_mate), expected, "{side}: {line}");
            if let CanMate::Yes(moves) = &decision.can_mate {
                assert!(leads_to_mate(&position, side, moves), "{side}: {line}");
            } else if let Some(reaches) = reaches_mate(&position, side, 2_000) {
                assert!(!reaches, "{side}: {line}");
            }
            *kinds.entry(expected.to_owned()).or_insert(0) += 1;
        }
    }
    let counts = [("blocked", 32), ("exhaustion", 12), ("material", 36), ("yes", 88)];
    assert_eq!(kinds, counts.map(|(kind, count)| (kind.to_owned(), count)).into());
}

#[test]
fn the_budget_bounds_the_search() {
    let start = Chess::default();
    for most in [0, 1, 2, 500] {
        let decision = can_mate(&start, Color::White, most);
        assert_eq!(decision.can_mate, CanMate::Undecided);
        assert!(decision.positions <= most.max(1), "{most}: {}", decision.positions);
    }
    assert_eq!(cannot_mate(&start, Color::White), None);
    assert_eq!(is_dead(&start, 2), None);
}

/// A random position with these men, not in check on the wrong side. `None` if the draw fails.
fn drawn(draw: &mut Draw, men: &[Piece]) -> Option<Chess> {
    let mut board = Board::empty();
    for &piece in men {
        let square = Square::new(draw.below(64) as u32);
        if board.piece_at(square).is_some()
            || piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(square)
        {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let turn = Color::from_white(draw.below(2) == 0);
    from_setup(Setup { board, turn, ..Setup::empty() }, CastlingMode::Standard, Accept::Legal).ok()
}

/// Random positions of three and four men: one in twenty at most is undecided, lines mate, and the plain search confirms
/// proofs. How many it confirms.
fn few_men(seed: u64, count: usize) -> usize {
    let mut draw = Draw::new(seed, 0);
    let (mut asked, mut dead, mut undecided) = (0, 0, 0);
    while asked < count {
        let king = |color| Piece { role: Role::King, color };
        let mut men = vec![king(Color::White), king(Color::Black)];
        for _ in 0..=draw.below(2) {
            let role = Role::ALL[draw.below(5)];
            men.push(Piece { role, color: Color::from_white(draw.below(2) == 0) });
        }
        let Some(position) = drawn(&mut draw, &men) else { continue };
        // Half of them have a forced move, which may leave too few men.
        if asked % 2 == 0 && position.legal_moves().len() != 1 {
            continue;
        }
        asked += 1;
        let side = Color::from_white(draw.below(2) == 0);
        match can_mate(&position, side, POSITIONS).can_mate {
            CanMate::Yes(line) => {
                assert!(leads_to_mate(&position, side, &line), "{side}: {}", fen(&position));
            }
            CanMate::No(NoMate::Material) => {}
            CanMate::No(_) => {
                assert_eq!(
                    reaches_mate(&position, side, 1_000_000),
                    Some(false),
                    "{side}: {}",
                    fen(&position)
                );
                dead += 1;
            }
            CanMate::Undecided => undecided += 1,
        }
    }
    assert!(undecided * 20 <= count, "{undecided} of {count}");
    dead
}

/// Random chains of pawns with kings and sometimes pieces. Where they are proved dead, the plain search agrees.
fn chains(seed: u64, count: usize, most: usize) -> usize {
    let mut draw = Draw::new(seed, 0);
    let mut confirmed = 0;
    for _ in 0..count {
        let mut board = Board::empty();
        let (base, shift) = (2 + draw.below(3) as u32, draw.below(2) as u32);
        for file in 0..8_u32 {
            let is_gap = (file + shift) % 2 == 1;
            if !is_gap || draw.below(2) == 0 {
                let rank = base + u32::from(is_gap) * draw.below(2) as u32;
                board.set_piece_at(Square::new(8 * rank + file), Color::White.pawn());
                board.set_piece_at(Square::new(8 * (rank + 1) + file), Color::Black.pawn());
            }
        }
        let mut men = vec![Color::White.king(), Color::Black.king()];
        men.extend([Color::White.bishop(), Color::Black.knight()].into_iter().filter(|_| draw.below(4) == 0));
        men.extend([Color::White.pawn(), Color::Black.pawn()].into_iter().filter(|_| draw.below(3) == 0));
        for man in men {
            let square = Square::new(draw.below(64) as u32);
            if board.piece_at(square).is_none()
                && (man.role != Role::Pawn || !Bitboard::BACKRANKS.contains(square))
            {
                board.set_piece_at(square, man);
            }
        }
        let setup = Setup { board, turn: Color::White, ..Setup::empty() };
        let Ok(position) = from_setup(setup, CastlingMode::Standard, Accept::Legal) else { continue };
        for side in Color::ALL {
            if cannot(&position, side) == Some(NoMate::Blocked)
                && let Some(reaches) = reaches_mate(&position, side, most)
            {
                assert!(!reaches, "{side}: {}", fen(&position));
                confirmed += 1;
            }
        }
    }
    confirmed
}

#[test]
fn few_men_are_decided() {
    assert!(few_men(8, 30) > 0);
}

#[test]
#[ignore = "nightly: 5,000 positions, and all that some of them reach"]
fn many_positions_of_few_men_are_decided() {
    assert!(few_men(2, 5_000) > 30);
}

#[test]
fn proofs_of_blocked_men_hold() {
    assert!(chains(7, 100, 2_000) > 1);
}

#[test]
#[ignore = "nightly: 5,000 random chains, and all positions that they reach"]
fn many_proofs_of_blocked_men_hold() {
    assert!(chains(2, 5_000, 50_000) > 150);
}
