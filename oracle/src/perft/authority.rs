//! Who is right: shakmaty, as far as perft needs it.
//!
//! Positions that no game can reach but that are otherwise sound are taken here: impossible checks, and more
//! material than promotions explain.

use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, PositionError, fen::Fen};
use suites::perft::Castling;

/// A position as shakmaty sees it.
#[derive(Debug, Clone)]
pub(super) struct Authority {
    position: Chess,
    mode: CastlingMode,
}

impl Authority {
    /// Reads a FEN; `None` if it is no position.
    pub(super) fn read(fen: &str, castling: Castling) -> Option<Self> {
        let mode = match castling {
            Castling::Standard => CastlingMode::Standard,
            Castling::Chess960 => CastlingMode::Chess960,
        };
        let position: Chess = fen
            .parse::<Fen>()
            .ok()?
            .into_position(mode)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .ok()?;
        Some(Self { position, mode })
    }

    pub(super) fn new(position: Chess, mode: CastlingMode) -> Self {
        Self { position, mode }
    }

    /// The position with its en passant square wherever a pawn has just stepped over one: a fault in judging
    /// that square shows only if the square is there.
    pub(super) fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Always).to_string()
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        shakmaty::perft(&self.position, depth)
    }

    /// The legal moves in the notation of UCI, sorted.
    pub(super) fn legal_moves(&self) -> Vec<String> {
        let mut moves: Vec<_> = self.position.legal_moves().into_iter().map(|m| self.uci(m)).collect();
        moves.sort_unstable();
        moves
    }

    /// Each legal move with the position after it.
    pub(super) fn successors(&self) -> impl Iterator<Item = (String, Self)> + '_ {
        self.position.legal_moves().into_iter().map(|m| {
            let mut position = self.position.clone();
            position.play_unchecked(m);
            (self.uci(m), Self { position, mode: self.mode })
        })
    }

    fn uci(&self, m: Move) -> String {
        m.to_uci(self.mode).to_string()
    }
}
