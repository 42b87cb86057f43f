//! Perft on several threads with a shared hash table.

use rayon::prelude::*;

use super::count;
use super::hash::{CountCache, NoCache, PerftHash};
use crate::parallel::collected;
use crate::{Move, Position};

/// The options of [`perft_with`] and [`divide_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerftOptions {
    /// Number of threads; 0 for one per processor.
    pub threads: usize,
    /// Size of the hash table in MiB; 0 for none.
    pub hash_mb: usize,
}

/// Why a count could not start.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// The hash table cannot be allocated.
    #[error("no memory for a table of {0} MB")]
    Memory(usize),
    /// The threads could not be started.
    #[error("cannot start threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// [`crate::perft`] with threads and a hash table. Exact: the table compares whole positions, not keys.
///
/// # Errors
/// If the hash table cannot be allocated or the threads cannot be started.
pub fn perft_with(position: &Position, depth: u32, options: PerftOptions) -> Result<u64, PerftError> {
    Ok(counts(&[*position], depth, options)?.into_iter().sum())
}

/// [`crate::divide`] with threads and a hash table, shared by all moves.
///
/// # Errors
/// If the hash table cannot be allocated or the threads cannot be started.
pub fn divide_with(
    position: &Position,
    depth: u32,
    options: PerftOptions,
) -> Result<Vec<(Move, u64)>, PerftError> {
    let Some(rest) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let moves = position.legal_moves();
    let counts = counts(&next(position), rest, options)?;
    Ok(moves.iter().copied().zip(counts).collect())
}

/// The count of each position, with one pool of threads and one hash table.
fn counts(positions: &[Position], depth: u32, options: PerftOptions) -> Result<Vec<u64>, PerftError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    if options.hash_mb == 0 {
        return Ok(pool.install(|| split_each(positions, depth, &NoCache)));
    }
    let bytes = options.hash_mb.checked_mul(1 << 20);
    let table = bytes.and_then(PerftHash::of_bytes).ok_or(PerftError::Memory(options.hash_mb))?;
    Ok(pool.install(|| split_each(positions, depth, &table)))
}

fn split_each(positions: &[Position], depth: u32, cache: &impl CountCache) -> Vec<u64> {
    collected(positions.par_iter().map(|position| split(position, depth, cache)))
}

/// Splits the work by the positions two plies down.
fn split(position: &Position, depth: u32, cache: &impl CountCache) -> u64 {
    let Some(rest) = depth.checked_sub(2) else { return count(position.state(), depth, cache) };
    let positions: Vec<Position> = next(position).iter().flat_map(next).collect();
    positions.par_iter().map(|position| count(position.state(), rest, cache)).sum()
}

/// The position after each legal move.
fn next(position: &Position) -> Vec<Position> {
    position.legal_moves().iter().map(|&mv| position.play_unchecked(mv)).collect()
}
