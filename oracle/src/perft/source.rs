//! Who is checked: a source of moves and of counts. Knows no authority.

use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{CastlingMode, Position};
use suites::perft::Castling;

/// Why a source gives no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    /// It does not take the position.
    #[error("refuses the position: {0}")]
    Position(String),
    /// It broke.
    #[error("panics: {0}")]
    Panic(String),
    /// It is a program, and broke.
    #[error("breaks: {0}")]
    Broke(String),
    /// It counts its moves and does not name them.
    #[error("does not name its moves")]
    Untold,
}

/// A move generator under test. Positions and moves are text, so that any can be asked.
pub trait MoveSource: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// The legal moves of a position in the notation of UCI, in any order.
    ///
    /// # Errors
    /// If the source does not take the position.
    fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, ProbeError>;

    /// The number of sequences of `depth` legal moves.
    ///
    /// # Errors
    /// If the source does not take the position.
    fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, ProbeError>;
}

/// The workspace's own move generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct Engine;

impl MoveSource for Engine {
    fn name(&self) -> &'static str {
        "engine"
    }

    fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, ProbeError> {
        let mode = match castling {
            Castling::Standard => CastlingMode::Standard,
            Castling::Chess960 => CastlingMode::Chess960,
        };
        let position = read(fen)?;
        Ok(position.legal_moves().iter().map(|&mv| position.to_uci(mv, mode)).collect())
    }

    fn perft(&self, fen: &str, depth: u32, _: Castling) -> Result<u64, ProbeError> {
        Ok(engine::perft(&read(fen)?, depth))
    }
}

fn read(fen: &str) -> Result<Position, ProbeError> {
    Position::from_fen(fen).map_err(|error| ProbeError::Position(error.to_string()))
}

/// Asks a source; a panic is an answer too.
pub(super) fn ask<T>(question: impl FnOnce() -> Result<T, ProbeError>) -> Result<T, ProbeError> {
    catch_unwind(AssertUnwindSafe(question)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
        Err(ProbeError::Panic(message.unwrap_or("without a message").to_owned()))
    })
}
