//! Move generators that can be checked.

use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{CastlingMode, Position};
use suites::perft::Castling;

/// Why a generator gives no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveSourceError {
    /// It refuses the position.
    #[error("refuses the position: {0}")]
    Position(String),
    /// It panicked.
    #[error("panics: {0}")]
    Panic(String),
    /// It is a program that crashed, hung or broke the protocol.
    #[error("breaks: {0}")]
    Broke(String),
    /// It counts its moves, but does not name them.
    #[error("does not name its moves")]
    Untold,
}

/// A move generator. Positions and moves are text, so that it can be of any kind.
pub trait MoveSource: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// The legal moves of a position in UCI notation, in any order.
    ///
    /// # Errors
    /// If it refuses the position.
    fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, MoveSourceError>;

    /// The number of sequences of `depth` legal moves.
    ///
    /// # Errors
    /// If it refuses the position.
    fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, MoveSourceError>;
}

/// The move generator of our engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct EngineMoves;

impl MoveSource for EngineMoves {
    fn name(&self) -> &'static str {
        "engine"
    }

    fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, MoveSourceError> {
        let mode = match castling {
            Castling::Standard => CastlingMode::Standard,
            Castling::Chess960 => CastlingMode::Chess960,
        };
        let position = read(fen)?;
        Ok(position.legal_moves().iter().map(|&mv| position.to_uci(mv, mode)).collect())
    }

    fn perft(&self, fen: &str, depth: u32, _: Castling) -> Result<u64, MoveSourceError> {
        Ok(engine::perft(&read(fen)?, depth))
    }
}

fn read(fen: &str) -> Result<Position, MoveSourceError> {
    Position::from_fen(fen).map_err(|error| MoveSourceError::Position(error.to_string()))
}

/// Asks a generator, and turns a panic into an error.
pub(super) fn ask<T>(question: impl FnOnce() -> Result<T, MoveSourceError>) -> Result<T, MoveSourceError> {
    catch_unwind(AssertUnwindSafe(question)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
        Err(MoveSourceError::Panic(message.unwrap_or("without a message").to_owned()))
    })
}
