//! One Syzygy file: its header, its tables, and the value of a position in them.
//!
//! This module knows no moves. Where a capture decides the value, the stored value may be any one.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::FileError;
use super::bytes::Bytes;
use super::checksum;
use super::kind::Kind;
use super::numbering::{Numbering, NumberingError, Places, Squares, leading_side};
use super::pairs::Pairs;
use super::squares::FLAP;
use super::value::Wdl;
use crate::tables::{MAX_MEN, Material};
use crate::{Board, Color, Piece, Role};

/// The flags of a table.
pub(super) mod flag {
    /// DTZ: the table has Black to move.
    pub(in crate::tables::syzygy) const BLACK: u8 = 1;
    /// DTZ: values are numbers in maps.
    pub(in crate::tables::syzygy) const MAPPED: u8 = 2;
    /// Wins are stored in plies.
    pub(in crate::tables::syzygy) const WIN_PLIES: u8 = 4;
    /// Losses are stored in plies.
    pub(in crate::tables::syzygy) const LOSS_PLIES: u8 = 8;
    /// DTZ: the maps have two bytes a value. No table of up to five men needs it.
    pub(in crate::tables::syzygy) const WIDE: u8 = 16;
    /// All positions have one value.
    pub(in crate::tables::syzygy) const SINGLE: u8 = 128;
}

/// The values of a table.
#[derive(Debug, Clone)]
enum Values {
    Single(u16),
    Compressed(Pairs),
}

/// The positions of one side to move; with pawns, only those with the leading pawn on one file.
#[derive(Debug, Clone)]
struct Part {
    numbering: Numbering,
    flags: u8,
    values: Values,
    /// For wins, losses, cursed wins and blessed losses: the values of the stored numbers.
    maps: [Vec<u8>; 4],
}

/// A Syzygy file of one material.
#[derive(Debug, Clone)]
pub struct SyzygyFile {
    material: Material,
    kind: Kind,
    bytes: Arc<[u8]>,
    /// The parts by side to move, for each file of the leading pawn, or once without pawns. There is one part
    /// if the file has the values of one side.
    parts: Vec<ArrayVec<Part, 2>>,
    /// The pawn that leads.
    leading: Option<Piece>,
    /// Whether both sides have the same men: the file then has only the values with White to move.
    is_symmetric: bool,
}

/// The men of a material, kings included.
pub(super) fn men_of(material: Material) -> Vec<Piece> {
    let kings = Color::ALL.map(|color| Piece { color, role: Role::King });
    kings.into_iter().chain(material.others()).collect()
}

/// Whether both sides have the same men.
pub(super) fn is_symmetric(material: Material) -> bool {
    let side = |color| material.others().filter(move |man| man.color == color).map(|man| man.role);
    side(Color::White).eq(side(Color::Black))
}

impl SyzygyFile {
    /// Reads the header of a file. Keeps the bytes, and reads their blocks when a probe needs them.
    ///
    /// The checksum is not compared: see [`SyzygyFile::check`].
    ///
    /// # Errors
    /// The header is not that of such a table of this material, or the bytes are too few.
    pub fn read(material: Material, kind: Kind, bytes: impl Into<Arc<[u8]>>) -> Result<Self, FileError> {
        let bytes: Arc<[u8]> = bytes.into();
        let parts = read_parts(material, kind, &bytes)?;
        let men = men_of(material);
        let leading = Piece { color: leading_side(&men), role: Role::Pawn };
        let leading = material.has_pawns().then_some(leading);
        Ok(Self { material, kind, bytes, parts, leading, is_symmetric: is_symmetric(material) })
    }

    /// Compares the checksum at the end of the file with its contents.
    ///
    /// # Errors
    /// They differ, or the file is too short to have one.
    pub fn check(&self) -> Result<(), FileError> {
        let size = self.bytes.len();
        let cut = size.checked_sub(16).and_then(|end| self.bytes.split_at_checked(end));
        let truncated = FileError::Truncated { what: "the checksum", offset: 0, needed: 16, size };
        let (contents, stored) = cut.ok_or(truncated)?;
        let expected = u128::from_be_bytes(checksum::of(contents));
        let found = stored.iter().fold(0, |sum, &byte| sum << 8 | u128::from(byte));
        if expected == found { Ok(()) } else { Err(FileError::Checksum { expected, found }) }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The kind of its values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The stored result of a board of this material, `mirrored` if Black is the stronger side; `None` if the
    /// file is damaged. Where a capture is at least as good, it is any result that is not too good.
    #[inline]
    pub(super) fn wdl(&self, board: &Board, mirrored: bool, side_to_move: Color) -> Option<Wdl> {
        let (parts, turned, side) = self.parts_of(board, mirrored, side_to_move)?;
        let part = parts.get(side.index()).or(parts.first())?;
        Wdl::from_stored(part.stored(&self.bytes, board, turned)?)
    }

    /// The stored distance to zeroing of a board with this result, which is not a draw. `Ok(None)` if the
    /// file has only the values of the other side to move; `Err` if it is damaged.
    #[inline]
    pub(super) fn dtz(
        &self,
        board: &Board,
        mirrored: bool,
        side_to_move: Color,
        wdl: Wdl,
    ) -> Result<Option<i16>, ()> {
        let (parts, turned, side) = self.parts_of(board, mirrored, side_to_move).ok_or(())?;
        let part = parts.first().ok_or(())?;
        let stored_side = if part.flags & flag::BLACK == 0 { Color::White } else { Color::Black };
        if stored_side != side && !self.is_symmetric {
            return Ok(None);
        }
        let stored = part.stored(&self.bytes, board, turned).ok_or(())?;
        part.distance(stored, wdl).map(Some).ok_or(())
    }

    /// Whether a file of distances has those of a side to move. The first file of the leading pawn decides.
    #[cfg(test)]
    pub(super) fn has_distances_of(&self, side: Color) -> bool {
        let is_black = self.parts[0][0].flags & flag::BLACK != 0;
        self.is_symmetric || is_black == (side == Color::Black)
    }

    /// The parts of a board, whether it must be turned, and the side to move in these parts.
    #[inline]
    fn parts_of(&self, board: &Board, mirrored: bool, side_to_move: Color) -> Option<(&[Part], bool, Color)> {
        let turned = mirrored || self.is_symmetric && side_to_move == Color::Black;
        let side = if turned { !side_to_move } else { side_to_move };
        let file = match self.leading {
            None => 0,
            Some(Piece { color, role }) => {
                let pawns = board.pieces(if turned { !color } else { color }, role);
                let number = |square: crate::Square| {
                    FLAP[if turned { square.flip_vertical().index() } else { square.index() }]
                };
                usize::from(pawns.into_iter().map(number).min()? / 6)
            }
        };
        Some((self.parts.get(file)?, turned, side))
    }
}

impl Part {
    /// The stored number of a board, which is turned first if Black is the stronger side.
    #[inline]
    fn stored(&self, file: &[u8], board: &Board, turned: bool) -> Option<u16> {
        let pairs = match &self.values {
            Values::Single(value) => return Some(*value),
            Values::Compressed(pairs) => pairs,
        };
        let mut squares: Squares = [0; MAX_MEN];
        let men = self.numbering.men();
        let turn = if turned { 0x38 } else { 0 };
        let mut man = 0;
        while man < men.len() {
            let Piece { color, role } = men[man];
            let before = man;
            for square in board.pieces(if turned { !color } else { color }, role) {
                *squares.get_mut(man)? = square.index() as u8 ^ turn;
                man += 1;
            }
            if man == before {
                return None;
            }
        }
        pairs.value(file, self.numbering.number(squares))
    }

    /// The distance to zeroing of a stored number, with its sign. `None` if the number is in no map, or the
    /// distance is longer than any of a table of up to five men, whose values have one byte.
    fn distance(&self, stored: u16, wdl: Wdl) -> Option<i16> {
        let (map, plies_flag) = match wdl {
            Wdl::Win => (0, flag::WIN_PLIES),
            Wdl::Loss => (1, flag::LOSS_PLIES),
            Wdl::CursedWin => (2, 0),
            Wdl::BlessedLoss => (3, 0),
            Wdl::Draw => return Some(0),
        };
        let value = if self.flags & flag::MAPPED == 0 {
            u8::try_from(stored).ok()?
        } else {
            *self.maps[map].get(usize::from(stored))?
        };
        let plies = i16::from(value) * if self.flags & plies_flag == 0 { 2 } else { 1 };
        let base = wdl.before_zeroing();
        Some(base + plies * base.signum())
    }
}

/// Reads all fields before the blocks, and finds the places of the blocks.
fn read_parts(material: Material, kind: Kind, all: &[u8]) -> Result<Vec<ArrayVec<Part, 2>>, FileError> {
    let mut bytes = Bytes::new(all);
    let found = bytes.u32("the magic")?;
    if found != kind.magic() {
        return Err(FileError::Magic { expected: kind.magic(), found });
    }
    let men = men_of(material);
    let splits = !is_symmetric(material);
    let expected = (men.len() as u8) << 4 | u8::from(splits) | if material.has_pawns() { 2 } else { 0 };
    let found = bytes.u8("the shape")?;
    if found != expected {
        return Err(FileError::Shape { expected, found });
    }
    let sides = if splits && kind == Kind::Wdl { 2 } else { 1 };
    let files = if material.has_pawns() { 4 } else { 1 };
    let mut numberings = Vec::new();
    for leading_file in 0..files {
        numberings.push(read_numberings(&mut bytes, &men, material, sides, leading_file)?);
    }
    bytes.align(2)?;
    let mut parts = Vec::new();
    for numberings in numberings {
        let mut sides = ArrayVec::new();
        for numbering in numberings {
            sides.push(read_part(&mut bytes, kind, numbering)?);
        }
        parts.push(sides);
    }
    if kind == Kind::Dtz {
        for part in parts.iter_mut().flatten() {
            part.maps = read_maps(&mut bytes, part.flags)?;
        }
        bytes.align(2)?;
    }
    place(&mut parts, &mut bytes)?;
    Ok(parts)
}

/// Finds the places of indices, sizes and blocks.
fn place(parts: &mut [ArrayVec<Part, 2>], bytes: &mut Bytes<'_>) -> Result<(), FileError> {
    type Step = fn(&mut Pairs, &mut Bytes<'_>) -> Result<(), FileError>;
    let steps: [Step; 3] = [Pairs::place_index, Pairs::place_sizes, Pairs::place_blocks];
    for step in steps {
        for part in parts.iter_mut().flatten() {
            if let Values::Compressed(pairs) = &mut part.values {
                step(pairs, bytes)?;
            }
        }
    }
    Ok(())
}

/// Reads the orders and men of one file of the leading pawn: of one side to move in the low four bits, of the
/// other in the high ones.
fn read_numberings(
    bytes: &mut Bytes<'_>,
    men: &[Piece],
    material: Material,
    sides: usize,
    leading_file: usize,
) -> Result<ArrayVec<Numbering, 2>, FileError> {
    let offset = bytes.offset();
    let leading = bytes.u8("the order of the men")?;
    let pawns = if material.has_opposing_pawns() { Some(bytes.u8("the order of the men")?) } else { None };
    let first_man = bytes.offset();
    let codes = bytes.take(men.len(), "the men")?;
    let mut numberings = ArrayVec::new();
    for side in 0..sides {
        let half = |byte: u8| byte >> (4 * side) & 15;
        let man = |(place, &byte): (usize, &u8)| {
            let error = FileError::Man { offset: first_man + place, found: half(byte) };
            man_of(half(byte)).ok_or(error)
        };
        let sequence = codes.iter().enumerate().map(man).collect::<Result<Vec<Piece>, _>>()?;
        let count = |men: &[Piece], man: &Piece| men.iter().filter(|other| *other == man).count();
        let fault = if men.iter().all(|man| count(men, man) == count(&sequence, man)) {
            let places = Places { leading: half(leading), pawns: pawns.map(half) };
            Numbering::new(&sequence, places, leading_file)
        } else {
            Err(NumberingError::Men)
        };
        numberings.push(fault.map_err(|fault| FileError::Men { offset, fault })?);
    }
    Ok(numberings)
}

/// The man of a number: 1 to 6 White's pawn, knight, bishop, rook, queen and king; 8 more for Black's.
fn man_of(number: u8) -> Option<Piece> {
    let role = *Role::ALL.get(usize::from(number & 7).checked_sub(1)?)?;
    Some(Piece { color: if number & 8 == 0 { Color::White } else { Color::Black }, role })
}

/// The number of a man: the reverse of [`man_of`].
pub(super) fn number_of(man: Piece) -> u8 {
    man.role.index() as u8 + 1 + man.color.pick(0, 8)
}

fn read_part(bytes: &mut Bytes<'_>, kind: Kind, numbering: Numbering) -> Result<Part, FileError> {
    let offset = bytes.offset();
    let flags = bytes.u8("the flags")?;
    if kind == Kind::Dtz && flags & flag::WIDE != 0 {
        return Err(FileError::Wide { offset });
    }
    let values = if flags & flag::SINGLE != 0 {
        Values::Single(if kind == Kind::Wdl { bytes.u8("the value")?.into() } else { 0 })
    } else {
        Values::Compressed(Pairs::read(bytes, numbering.size())?)
    };
    bytes.align(2)?;
    Ok(Part { numbering, flags, values, maps: Default::default() })
}

fn read_maps(bytes: &mut Bytes<'_>, flags: u8) -> Result<[Vec<u8>; 4], FileError> {
    let mut maps: [Vec<u8>; 4] = Default::default();
    if flags & flag::MAPPED == 0 || flags & flag::SINGLE != 0 {
        return Ok(maps);
    }
    for map in &mut maps {
        let count = bytes.u8("the size of a map")?;
        map.extend(bytes.take(count.into(), "a map")?);
    }
    Ok(maps)
}
