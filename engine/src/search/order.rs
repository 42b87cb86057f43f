//! Move ordering: the hash move, winning captures, killers, quiet moves by history, losing captures.
//!
//! Moves are scored as they are generated. SEE is computed only when a capture's turn comes.

use arrayvec::ArrayVec;

use super::exchange;
use super::history::{Histories, PieceTo, QuietHistory};
use crate::movegen::{self, MoveSink};
use crate::side::{Black, White, back};
use crate::{Bitboard, Color, Move, Position, Role, Square, attacks};

const HASH: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 24);

/// Returns moves in order.
pub(super) struct Picker<'a> {
    position: &'a Position,
    moves: ArrayVec<ScoredMove, 256>,
    next: usize,
}

/// A move; of the moves that are left, the one with the highest score is next.
#[derive(Clone, Copy)]
struct ScoredMove {
    score: i32,
    mv: Move,
}

/// The data for move ordering.
pub(super) struct Hints<'a> {
    pub(super) hash: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
    pub(super) histories: &'a Histories,
    pub(super) quiet: QuietHistory<'a>,
}

/// The captured role, if the move is a capture. Castling is none.
#[inline]
pub(super) fn taken(position: &Position, mv: Move) -> Option<Role> {
    let board = position.board();
    if board.color(!position.side_to_move()).contains(mv.to) {
        return board.role_at(mv.to);
    }
    let en_passant = position.en_passant() == Some(mv.to)
        && mv.from.file() != mv.to.file()
        && board.role(Role::Pawn).contains(mv.from);
    en_passant.then_some(Role::Pawn)
}

/// Whether a move is a capture or a queen promotion.
#[inline]
pub(super) fn is_noisy(position: &Position, mv: Move) -> bool {
    mv.promotion == Some(Role::Queen) || taken(position, mv).is_some()
}

/// Whether the moved piece gives check from its destination. Discovered checks, and checks by castling or en
/// passant, are not detected.
#[inline]
pub(super) fn gives_check(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let us = position.side_to_move();
    let king = position.king(!us);
    let occupied = board.occupied().without(mv.from);
    let arrives = mv.promotion.or_else(|| board.role_at(mv.from)).filter(|&role| role != Role::King);
    arrives.is_some_and(|role| attacks::hits(role, us, mv.to, king, occupied))
}

impl<'a> Picker<'a> {
    /// A picker without moves. It is large, so that moves are added where it stands.
    #[inline]
    pub(super) fn new(position: &'a Position) -> Self {
        Self { position, moves: ArrayVec::new_const(), next: 0 }
    }

    /// Adds all legal moves.
    pub(super) fn add_legal(&mut self, hints: &Hints<'_>) {
        let state = self.position.state();
        let mut scorer = Scorer { position: self.position, hints, moves: &mut self.moves };
        match self.position.side_to_move() {
            Color::White => movegen::generate::<White>(state, &mut scorer),
            Color::Black => movegen::generate::<Black>(state, &mut scorer),
        }
    }

    /// Adds the legal captures and promotions of a side that is not in check.
    pub(super) fn add_noisy(&mut self, hints: &Hints<'_>) {
        let state = self.position.state();
        let mut scorer = Scorer { position: self.position, hints, moves: &mut self.moves };
        match self.position.side_to_move() {
            Color::White => movegen::generate_noisy::<White>(state, &mut scorer),
            Color::Black => movegen::generate_noisy::<Black>(state, &mut scorer),
        }
    }

    /// The index in these moves of the one with the best score; the first of equals.
    #[inline]
    fn most_promising(moves: &[ScoredMove]) -> Option<usize> {
        let mut best = 0;
        let mut highest = moves.first()?.score;
        for (index, scored) in moves.iter().enumerate() {
            if scored.score > highest {
                (best, highest) = (index, scored.score);
            }
        }
        Some(best)
    }

    /// The next move.
    pub(super) fn next(&mut self) -> Option<Move> {
        let left = &mut self.moves[self.next..];
        loop {
            let best = Self::most_promising(left)?;
            let ScoredMove { score, mv } = left[best];
            let doubtful = (GOOD_CAPTURE / 2..HASH).contains(&score);
            if doubtful && !exchange::gains(self.position, mv, 0) {
                left[best].score = score - GOOD_CAPTURE + BAD_CAPTURE;
                continue;
            }
            left.swap(0, best);
            self.next += 1;
            return Some(mv);
        }
    }
}

/// Scores moves as they are generated.
struct Scorer<'s> {
    position: &'s Position,
    hints: &'s Hints<'s>,
    moves: &'s mut ArrayVec<ScoredMove, 256>,
}

impl Scorer<'_> {
    /// Adds a move of this role that is neither castling nor en passant.
    #[inline]
    fn add(&mut self, role: Role, mv: Move) {
        let board = self.position.board();
        let is_capture = board.color(!self.position.side_to_move()).contains(mv.to);
        let taken = if is_capture { board.role_at(mv.to) } else { None };
        self.add_taking(role, mv, taken);
    }

    fn add_taking(&mut self, role: Role, mv: Move, taken: Option<Role>) {
        let score = self.promise(role, mv, taken);
        self.moves.push(ScoredMove { score, mv });
    }

    #[inline]
    fn promise(&self, role: Role, mv: Move, taken: Option<Role>) -> i32 {
        let hints = self.hints;
        if hints.hash == Some(mv) {
            return HASH;
        }
        match mv.promotion {
            None => {}
            Some(Role::Queen) => {
                return GOOD_CAPTURE + 16 * exchange::worth(Role::Queen) + taken.map_or(0, exchange::worth);
            }
            Some(_) => return BAD_CAPTURE - 100_000,
        }
        let step = PieceTo::new(self.position.side_to_move(), role, mv.to);
        if let Some(taken) = taken {
            return GOOD_CAPTURE + 16 * exchange::worth(taken) + hints.histories.capture(step, taken);
        }
        let [killer, other] = hints.killers;
        if killer == Some(mv) || other == Some(mv) {
            return KILLER;
        }
        hints.quiet.of(mv, step)
    }
}

impl MoveSink for Scorer<'_> {
    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            self.add(role, Move::new(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            self.add(Role::Pawn, Move::new(back(to, step), to));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.add(Role::Pawn, Move::promoting(back(to, step), to, role));
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.add_taking(Role::Pawn, Move::new(from, to), Some(Role::Pawn));
    }

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        self.add_taking(Role::King, Move::new(king, rook), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CastlingMode;

    fn order(fen: &str, hash: Option<&str>, killer: Option<&str>) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let read = |text: &str| position.parse_uci(text, CastlingMode::Standard).unwrap();
        let histories = Histories::new();
        let hints = Hints {
            hash: hash.map(read),
            killers: [killer.map(read), None],
            histories: &histories,
            quiet: histories.quiet(position.side_to_move(), &[None; 3]),
        };
        let mut picker = Picker::new(&position);
        picker.add_legal(&hints);
        std::iter::from_fn(|| picker.next()).map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn hash_move_then_good_captures_then_killers_then_the_rest_and_bad_captures_last() {
        let fen = "4k3/2p5/3p4/8/7r/5N2/3Q4/4K3 w - - 0 1";
        let moves = order(fen, Some("e1f2"), Some("d2a5"));
        assert_eq!(moves[..3], ["e1f2", "f3h4", "d2a5"]);
        assert_eq!(moves.last().map(String::as_str), Some("d2d6"));
        assert_eq!(moves.len(), Position::from_fen(fen).unwrap().legal_moves().len());
    }

    #[test]
    fn a_queen_first_and_other_promotions_last() {
        let moves = order("7k/P7/8/8/8/8/8/K7 w - - 0 1", None, None);
        assert_eq!(moves[0], "a7a8q");
        assert!(moves[moves.len() - 3..].iter().all(|mv| mv.starts_with("a7a8")));
    }
    /// Two quiet moves and two captures of equal value: the histories decide.
    #[test]
    fn histories_change_the_order() {
        let position = Position::from_fen("4k3/8/8/1p1p4/2P5/8/8/4K3 w - - 0 1").unwrap();
        let read = |text: &str| position.parse_uci(text, CastlingMode::Standard).unwrap();
        let before = PieceTo::new(crate::Color::Black, Role::King, crate::Square::E8);
        let ahead = |better: &str, worse: &str, learn: &dyn Fn(&mut Histories, Move)| {
            let mut histories = Histories::new();
            learn(&mut histories, read(better));
            let hints = Hints {
                hash: None,
                killers: [None; 2],
                histories: &histories,
                quiet: histories.quiet(position.side_to_move(), &[None, Some(before), None]),
            };
            let mut picker = Picker::new(&position);
            picker.add_legal(&hints);
            let order: Vec<Move> = std::iter::from_fn(|| picker.next()).collect();
            let place = |text| order.iter().position(|&mv| mv == read(text));
            place(better) < place(worse)
        };
        let white = crate::Color::White;
        for (one, other) in [("e1d1", "e1f1"), ("e1f1", "e1d1")] {
            assert!(ahead(one, other, &|histories, mv| {
                histories.nudge_quiet(white, mv, PieceTo::from_move(&position, mv), &[None; 3], 500);
            }));
            assert!(ahead(one, other, &|histories, mv| {
                let step = PieceTo::from_move(&position, mv);
                for bonus in [500, 500] {
                    histories.nudge_quiet(white, mv, step, &[None, Some(before), None], bonus);
                }
                histories.nudge_quiet(white, mv, step, &[None; 3], -1_200);
            }));
        }
        for (one, other) in [("c4b5", "c4d5"), ("c4d5", "c4b5")] {
            assert!(ahead(one, other, &|histories, mv| {
                histories.nudge_capture(PieceTo::from_move(&position, mv), Role::Pawn, 500);
            }));
        }
    }
}
