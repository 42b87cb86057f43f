//! Tests of the mate prover: it proves mates, and no false ones.

mod brute;
mod mates;
mod random;
mod rules;
mod tables;

use super::{Proof, Prover};
use crate::Ply;
use crate::search_api::Control;
use crate::tables::TableSet;
use crate::{CastlingMode, Game, Move, Position};

/// A budget that suffices for every case.
const PLENTY: u64 = 2_000_000;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|fault| panic!("{fen}: {fault}"))
}

/// The game after these moves.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        game.play(mv(game.position(), text)).unwrap();
    }
    game
}

fn mv(position: &Position, text: &str) -> Move {
    position.parse_uci(text, CastlingMode::Standard).unwrap()
}

fn text(game: &Game, line: &[Move]) -> String {
    let mut position = *game.position();
    let mut words = Vec::new();
    for &mv in line {
        words.push(position.to_uci(mv, CastlingMode::Standard));
        position = position.play(mv);
    }
    words.join(" ")
}

/// Proves a claim (odd: a mate; even: being mated) and plays its line to the end.
fn prove(game: &Game, tables: Option<&TableSet>, plies: u16, moves: &[Move]) -> Option<Proof> {
    let control = Control::default();
    let is_over = || control.is_stopped();
    let mut prover = Prover::new(game, tables, &|_| None, &is_over, PLENTY);
    let proof =
        if plies % 2 == 1 { prover.mates(Ply(plies), moves) } else { prover.is_mated(Ply(plies), moves) };
    if let Some(Proof { line }) = &proof {
        assert!(line.len() <= usize::from(plies), "{}", game.position().to_fen());
        let mut game = game.clone();
        for (index, &mv) in line.iter().enumerate() {
            assert!(index == 0 || game.claim().is_none(), "{}: draw", game.position().to_fen());
            game.play(mv).unwrap();
        }
        assert!(game.position().is_checkmate(), "{}", game.position().to_fen());
    }
    proof
}

/// The proven distance, without tables.
fn length(game: &Game, plies: u16) -> Option<u16> {
    prove(game, None, plies, &[]).map(|proof| proof.line.len() as u16)
}
