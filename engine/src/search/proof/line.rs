//! The main line of a proof: the attacker's shortest mate against the defender's longest resistance.
//!
//! The length of the line is the distance proven so far. If a mate turns out to be shorter than proven, the
//! longest resistance is searched again.

use super::status::{ProofNumbers, ProofStatus};
use super::{Proof, Prover};
use crate::Ply;
use crate::{Move, Position};

/// How often the prover looks again for a line that is shorter than proven. A full hash table may not store a
/// new result, and an endgame table that gives a line too short gives it each time.
const MOST_ATTEMPTS: usize = 100;

impl Prover<'_> {
    /// The proof of a mate from the root, if its line is complete and legal.
    pub(super) fn whole_line(&mut self, root: &Position, moves: &[Move], height: Ply) -> Option<Proof> {
        let line = self.line(root, moves, height)?;
        self.is_whole(root, &line).then_some(Proof { line })
    }

    /// The line of a mate in at most this many plies, from a position with these moves.
    fn line(&mut self, position: &Position, moves: &[Move], height: Ply) -> Option<Vec<Move>> {
        let left = Ply(height.0.checked_sub(1)?);
        for _ in 0..MOST_ATTEMPTS {
            let (mv, after, rest) = self.main_move(position, moves, left)?;
            let line = if rest.0 == 0 { Vec::new() } else { self.line_after(&after, rest)? };
            let length = Ply(line.len() as u16);
            if length == rest {
                return Some([mv].into_iter().chain(line).collect());
            }
            if length > rest {
                return None;
            }
            // Shorter than proven: another move may resist longer. Each attempt costs a node.
            self.table.store(&after, length, ProofStatus::Mate(length));
            if !self.enter() {
                return None;
            }
        }
        None
    }

    fn line_after(&mut self, position: &Position, height: Ply) -> Option<Vec<Move>> {
        let in_tables = self.table_height(position) == Ok(Some(height));
        if in_tables && self.is_trusted(position, height) {
            return self.tables?.best_line(position).ok();
        }
        self.line(position, &position.legal_moves(), height)
    }

    /// The attacker's shortest mate or the defender's longest resistance, with the position after it and its
    /// distance.
    fn main_move(&mut self, position: &Position, moves: &[Move], left: Ply) -> Option<(Move, Position, Ply)> {
        let attacking = self.is_attacking(position);
        let mut main: Option<(Move, Position, Ply)> = None;
        for &mv in moves {
            let after = position.play_unchecked(mv);
            let height = match self.height(&after, left, attacking) {
                Some(height) => height,
                None if attacking => continue,
                None => return None,
            };
            let better = |&(_, _, best): &(_, _, Ply)| if attacking { height < best } else { height > best };
            if main.as_ref().is_none_or(better) {
                main = Some((mv, after, height));
            }
        }
        main
    }

    /// The distance of a mate from a position below the root. Defender's moves were all proven, so a missing
    /// entry is searched again. For attacker's moves only stored entries count.
    fn height(&mut self, position: &Position, plies: Ply, known_alone: bool) -> Option<Ply> {
        let verdict = match self.look(position, plies) {
            ProofStatus::Open(_) if !known_alone => self.search(position, plies, ProofNumbers::BOUNDLESS),
            verdict => verdict,
        };
        match verdict {
            ProofStatus::Mate(height) => Some(height),
            ProofStatus::NoMate | ProofStatus::Open(_) => None,
        }
    }

    /// Whether a line is legal, avoids draws and repetitions, and ends in mate.
    fn is_whole(&self, root: &Position, line: &[Move]) -> bool {
        let mut seen = vec![*root];
        let mut position = *root;
        for (index, &mv) in line.iter().enumerate() {
            let Ok(after) = position.try_play(mv) else { return false };
            let is_last = index + 1 == line.len();
            if is_last != after.is_checkmate()
                || (!is_last && self.is_drawn(&after))
                || seen.iter().any(|before| before.key() == after.key() && before.repeats(&after))
            {
                return false;
            }
            seen.push(after);
            position = after;
        }
        !line.is_empty()
    }
}
