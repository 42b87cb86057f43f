//! The simplest search that is expected of a player: all moves to a depth, with an evaluation by material and
//! the rules.
//!
//! A case is due at a depth only if this search answers it right there. With [`Stalemate::Mate`] the search
//! scores stalemate as mate, which is the fault that the suite looks for.

use oracle::board::{after, uci_text};
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::proof::lead;
use uci::{Bound, Line, Reply, Score};

/// How the search scores stalemate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stalemate {
    /// As a draw, which is right.
    Draw,
    /// As mate.
    Mate,
}

/// The score of mate at once, in pawns. Each ply to mate takes one off.
const MATE: i32 = 10_000;
/// A bound above all scores.
const INFINITE: i32 = 20_000;

/// The answer to a position at a depth in plies.
pub fn answer(position: &Chess, depth: u16, stalemate: Stalemate) -> Reply {
    let (mut best, mut score) = (None, without_moves(position, 0, stalemate));
    for mv in ordered(position) {
        let alpha = if best.is_some() { score } else { -INFINITE };
        let after = after(position, mv);
        let value = -search(&after, 1, depth.saturating_sub(1), -INFINITE, -alpha, stalemate);
        if value > alpha {
            (best, score) = (Some(mv), value);
        }
    }
    let best = best.map(|mv| uci_text(mv, CastlingMode::Standard));
    let pv = best.iter().cloned().collect();
    let line = Line { depth: depth.into(), score: uci_score(score), bound: Bound::Exact, nodes: None, pv };
    Reply { lines: vec![line], best, cut: false }
}

fn search(position: &Chess, ply: u16, depth: u16, mut alpha: i32, beta: i32, stalemate: Stalemate) -> i32 {
    if depth == 0 {
        return lead(position);
    }
    let moves = ordered(position);
    if moves.is_empty() {
        return without_moves(position, ply, stalemate);
    }
    for mv in moves {
        let value = -search(&after(position, mv), ply + 1, depth - 1, -beta, -alpha, stalemate);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The score of a position without legal moves.
fn without_moves(position: &Chess, ply: u16, stalemate: Stalemate) -> i32 {
    let mated = position.is_check() || stalemate == Stalemate::Mate;
    if mated { i32::from(ply) - MATE } else { 0 }
}

/// All moves, captures and promotions first.
fn ordered(position: &Chess) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_by_key(|mv| !mv.is_capture() && !mv.is_promotion());
    moves
}

/// A score in pawns as UCI gives it.
fn uci_score(score: i32) -> Score {
    let plies = MATE - score.abs();
    match score {
        _ if plies > MATE / 2 => Score::Centipawns(100 * score),
        1.. => Score::Mate((plies + 1) / 2),
        _ => Score::Mate(-plies / 2),
    }
}
