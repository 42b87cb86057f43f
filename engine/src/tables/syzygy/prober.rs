//! A set of Syzygy files, probed by position. The move generator supplies captures, en passant and pawn
//! moves.
//!
//! A file leaves open the values that a capture decides, and has distances for one side to move only.

use super::ProbeError;
use super::file::SyzygyFile;
use super::kind::Kind;
use super::value::Wdl;
use crate::tables::{Dtz, MAX_MEN, Material};
use crate::{Move, Position, Role, attacks};

/// Syzygy files by material.
#[derive(Debug, Clone, Default)]
pub struct SyzygySet {
    /// Sorted by material.
    files: Vec<(Material, [Option<SyzygyFile>; 2])>,
}

/// How a position reaches its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// By a capture that wins, or by an en passant capture that is the only move.
    Capture,
    /// By the value in the file.
    File,
}

impl SyzygySet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; replaces one of the same material and kind.
    pub fn add(&mut self, file: SyzygyFile) {
        let (material, kind) = (file.material(), file.kind());
        let place = match self.files.binary_search_by_key(&material, |(material, _)| *material) {
            Ok(place) => place,
            Err(place) => {
                self.files.insert(place, (material, [None, None]));
                place
            }
        };
        self.files[place].1[kind as usize] = Some(file);
    }

    /// The file of a material and kind.
    pub fn get(&self, material: Material, kind: Kind) -> Option<&SyzygyFile> {
        let place = self.files.binary_search_by_key(&material, |(material, _)| *material).ok()?;
        self.files[place].1[kind as usize].as_ref()
    }

    /// The result right after a capture or a pawn move: the halfmove clock is ignored.
    ///
    /// # Errors
    /// A file is missing or damaged, or the position has castling rights or too many men.
    #[inline]
    pub fn wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        demand_plain(position)?;
        Ok(self.result(position)?.0)
    }

    /// The distance in plies to the next capture or pawn move under play that keeps the result. It ignores
    /// the halfmove clock. It is positive for a win, negative for a loss, above 100 where the fifty-move rule
    /// makes it a draw. Checkmate is -1. A file may store moves in place of plies; then the true distance may
    /// be one ply longer.
    ///
    /// # Errors
    /// As [`SyzygySet::wdl`].
    pub fn dtz(&self, position: &Position) -> Result<Dtz, ProbeError> {
        demand_plain(position)?;
        let (wdl, by) = self.result(position)?;
        self.distance(position, wdl, by).map(Dtz)
    }

    /// The result, and whether a capture reaches it.
    #[inline]
    fn result(&self, position: &Position) -> Result<(Wdl, By), ProbeError> {
        if position.en_passant().is_none() && !may_capture(position) {
            return Ok((self.stored_wdl(position)?, By::File));
        }
        self.result_with_captures(position)
    }

    fn result_with_captures(&self, position: &Position) -> Result<(Wdl, By), ProbeError> {
        let moves = position.legal_moves();
        let (mut best, mut en_passant) = (None, None);
        for &mv in moves.iter().filter(|mv| is_capture(position, **mv)) {
            let wdl = -self.result(&position.play_unchecked(mv))?.0;
            let kind = if is_en_passant(position, mv) { &mut en_passant } else { &mut best };
            *kind = (*kind).max(Some(wdl));
            if wdl == Wdl::Win {
                return Ok((wdl, By::Capture));
            }
        }
        let stored = self.stored_wdl(position)?;
        let only_en_passant = moves.iter().all(|&mv| is_en_passant(position, mv));
        match best.max(en_passant) {
            // Without en passant, the file has a stalemate there.
            Some(wdl) if en_passant.is_some() && only_en_passant => Ok((wdl, By::Capture)),
            // The losing side plays the longest line, which need not begin with a capture.
            Some(wdl) if wdl >= stored => Ok((wdl, if wdl > Wdl::Draw { By::Capture } else { By::File })),
            _ => Ok((stored, By::File)),
        }
    }

    #[inline]
    fn stored_wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        let board = position.board();
        let (material, mirrored) = Material::from_board(board).ok_or(ProbeError::Special)?;
        if material == Material::KINGS {
            return Ok(Wdl::Draw);
        }
        let file = self.get(material, Kind::Wdl).ok_or(ProbeError::NoTable(material, Kind::Wdl))?;
        let wdl = file.wdl(board, mirrored, position.side_to_move());
        wdl.ok_or(ProbeError::Damaged(material, Kind::Wdl))
    }

    /// The distance of a position with this result.
    fn distance(&self, position: &Position, wdl: Wdl, by: By) -> Result<i16, ProbeError> {
        if wdl == Wdl::Draw || by == By::Capture || self.wins_by_pawn(position, wdl)? {
            return Ok(wdl.before_zeroing());
        }
        let board = position.board();
        let (material, mirrored) = Material::from_board(board).ok_or(ProbeError::Special)?;
        let file = self.get(material, Kind::Dtz).ok_or(ProbeError::NoTable(material, Kind::Dtz))?;
        match file.dtz(board, mirrored, position.side_to_move(), wdl) {
            Err(()) => Err(ProbeError::Damaged(material, Kind::Dtz)),
            Ok(Some(distance)) => Ok(distance),
            Ok(None) => self.distance_by_moves(position, wdl),
        }
    }

    /// Whether a pawn move that is not a capture wins with this result.
    fn wins_by_pawn(&self, position: &Position, wdl: Wdl) -> Result<bool, ProbeError> {
        let pawns = position.board().pieces(position.side_to_move(), Role::Pawn);
        if wdl < Wdl::Draw || pawns.is_empty() {
            return Ok(false);
        }
        for &mv in position.legal_moves().iter().filter(|mv| pawns.contains(mv.from)) {
            if !is_capture(position, mv) && -self.result(&position.play_unchecked(mv))?.0 == wdl {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The distance from those of all moves: the file has the values of the other side to move.
    fn distance_by_moves(&self, position: &Position, wdl: Wdl) -> Result<i16, ProbeError> {
        let mut best = None;
        for &mv in &position.legal_moves() {
            let after = position.play_unchecked(mv);
            let (wdl_after, by) = self.result(&after)?;
            // A move to a draw or to the win of the other side does not count. A cursed win is longer than a win.
            if (-wdl_after).signum() != wdl.signum() {
                continue;
            }
            let is_zeroing = is_capture(position, mv)
                || position.board().pieces(position.side_to_move(), Role::Pawn).contains(mv.from);
            let distance = if is_zeroing {
                (-wdl_after).before_zeroing()
            } else if after.checkers().any() && !after.has_legal_move() {
                1
            } else {
                let rest = -self.distance(&after, wdl_after, by)?;
                rest + rest.signum()
            };
            best = Some(best.map_or(distance, |best: i16| best.min(distance)));
        }
        Ok(best.unwrap_or_else(|| wdl.before_zeroing()))
    }
}

/// Refuses positions that no table has.
#[inline]
fn demand_plain(position: &Position) -> Result<(), ProbeError> {
    let is_plain =
        position.castling().rooks().is_empty() && position.board().occupied().into_iter().count() <= MAX_MEN;
    if is_plain { Ok(()) } else { Err(ProbeError::Special) }
}

/// Whether a man of the side to move attacks one of the other side.
#[inline]
fn may_capture(position: &Position) -> bool {
    let (board, us) = (position.board(), position.side_to_move());
    let (theirs, occupied) = (board.color(!us), board.occupied());
    let targets = theirs & !board.role(Role::King);
    let attacks = |role: Role| {
        let mut men = board.pieces(us, role).into_iter();
        men.any(|square| (attacks::of(role, us, square, occupied) & targets).any())
    };
    targets.any() && Role::ALL.into_iter().any(attacks)
}

fn is_en_passant(position: &Position, mv: Move) -> bool {
    position.en_passant() == Some(mv.to) && position.board().role(Role::Pawn).contains(mv.from)
}

fn is_capture(position: &Position, mv: Move) -> bool {
    position.board().occupied().contains(mv.to) || is_en_passant(position, mv)
}
