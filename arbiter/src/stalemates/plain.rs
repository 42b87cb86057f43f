//! The least that may be asked for: a search of all moves to a depth, which counts men and knows the rules.
//!
//! A case is due at a depth only if this search answers it rightly there; so whoever does not has no excuse. It is also
//! a liar at will: told that who cannot move has lost, it answers as a program does that takes stalemate for mate.

use shakmaty::{CastlingMode, Chess, Move, Position};

use super::proof::{lead, played};
use uci::{Bound, Line, Reply, Score};

/// What it takes a side for that is not in check and cannot move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stalemate {
    /// Drawn, as it is.
    Draw,
    /// Mated.
    Mate,
}

/// What mate is worth now, in pawns; a ply later it is worth one less.
const MATE: i32 = 10_000;
/// More than any score.
const INFINITE: i32 = 20_000;

/// The answer to a position at a depth.
pub fn answer(position: &Chess, depth: u16, stalemate: Stalemate) -> Reply {
    let (mut best, mut score) = (None, ended(position, 0, stalemate));
    for mv in ordered(position) {
        let alpha = if best.is_some() { score } else { -INFINITE };
        let after = played(position, mv);
        let value = -search(&after, 1, depth.saturating_sub(1), -INFINITE, -alpha, stalemate);
        if value > alpha {
            (best, score) = (Some(mv), value);
        }
    }
    let best = best.map(|mv: Move| mv.to_uci(CastlingMode::Standard).to_string());
    let pv = best.iter().cloned().collect();
    let line = Line { depth: depth.into(), score: told(score), bound: Bound::Exact, nodes: None, pv };
    Reply { lines: vec![line], best, cut: false }
}

fn search(position: &Chess, ply: u16, depth: u16, mut alpha: i32, beta: i32, stalemate: Stalemate) -> i32 {
    if depth == 0 {
        return lead(position);
    }
    let moves = ordered(position);
    if moves.is_empty() {
        return ended(position, ply, stalemate);
    }
    for mv in moves {
        let value = -search(&played(position, mv), ply + 1, depth - 1, -beta, -alpha, stalemate);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// What it is worth not to be able to move.
fn ended(position: &Chess, ply: u16, stalemate: Stalemate) -> i32 {
    let mated = position.is_check() || stalemate == Stalemate::Mate;
    if mated { i32::from(ply) - MATE } else { 0 }
}

/// All moves, captures and promotions first.
fn ordered(position: &Chess) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_by_key(|mv| !mv.is_capture() && !mv.is_promotion());
    moves
}

fn told(score: i32) -> Score {
    let plies = MATE - score.abs();
    match score {
        _ if plies > MATE / 2 => Score::Centipawns(100 * score),
        1.. => Score::Mate((plies + 1) / 2),
        _ => Score::Mate(-plies / 2),
    }
}
