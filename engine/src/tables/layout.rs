//! Maps positions to table slots, one slot for each position up to symmetry.
//!
//! [`Layout`] documents the numbering. Every legal position has one slot, which it shares with its images
//! only. Knows no values and no moves.

use arrayvec::ArrayVec;

use crate::tables::fold::{KingPair, KingPairs, PAWNLESS, Symmetry, WITH_PAWNS};
use crate::tables::{MAX_MEN, Material};
use crate::{Bitboard, Board, Color, Piece, Role, Square, attacks};

/// The squares of a material's men: White's king, Black's king, then in the order of [`Material::others`].
///
/// Packed into one register, one byte a man: it is copied millions of times, and an array would go through
/// memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placement {
    packed: u64,
    men: u32,
}

impl Placement {
    #[inline]
    pub(crate) fn new(men: usize) -> Self {
        Self { packed: 0, men: men as u32 }
    }

    #[inline]
    pub(crate) fn get(self, man: usize) -> Square {
        Square::from_index((self.packed >> (8 * man)) as usize)
    }

    /// The same placement with one man on another square.
    #[inline]
    pub(crate) fn with(mut self, man: usize, square: Square) -> Self {
        self.packed &= !(0xff << (8 * man));
        self.packed |= (square.index() as u64) << (8 * man);
        self
    }

    #[inline]
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..self.men).map(move |man| self.get(man as usize))
    }

    #[inline]
    pub(crate) fn occupied(self) -> Bitboard {
        self.occupied_and_shared().0
    }

    /// Whether no two men share a square.
    #[inline]
    pub(crate) fn are_apart(self) -> bool {
        self.occupied_and_shared().1.is_empty()
    }

    /// The occupied squares, and those on which there is more than one man.
    #[inline]
    fn occupied_and_shared(self) -> (Bitboard, Bitboard) {
        let (mut occupied, mut shared) = (Bitboard::EMPTY, Bitboard::EMPTY);
        // Men are shifted out one by one: of an index the compiler makes vectors, which take longer for few men.
        let mut left = self.packed;
        for _ in 0..self.men {
            let square = Bitboard::from_square(Square::from_index(left as usize));
            shared |= occupied & square;
            occupied |= square;
            left >>= 8;
        }
        (occupied, shared)
    }
}

/// Identical men; their order does not matter.
#[derive(Debug, Clone)]
struct Group {
    first: usize,
    len: usize,
    /// The first square that such a man may stand on: pawns start on the second rank.
    base: usize,
    /// The number of sets of squares.
    size: usize,
}

/// The slots of a material. Each side to move has the same number of slots.
///
/// # How slots are numbered
/// Squares are numbers: a1 is 0, b1 is 1, h1 is 7, a2 is 8, h8 is 63.
///
/// 1. **Sides.** White is the stronger side, whose men the material's name has first. If Black has those men,
///    all men change colour, the ranks are mirrored, and the other side is to move. If both have the same
///    men, nothing is changed.
/// 2. **Men** are ordered: White's king, Black's king, the others of White, those of Black, each side's as
///    queens, rooks, bishops, knights, pawns. Equal men of one side are one group.
/// 3. **Folding.** White's king on the files e to h: the files are mirrored. With pawns that is all. Without:
///    White's king on the ranks 5 to 8: the ranks are mirrored, too. Then, if White's king is above the
///    diagonal from a1 to h8 (its rank is more than its file), or on it with Black's king above it, the board
///    is mirrored in that diagonal. All men are moved along.
/// 4. **Kings.** Those pairs of kings that do not touch and that folding leaves as they are have numbers from
///    0 up, by the square of White's king, then by that of Black's: 462 without pawns, 1806 with. This is the
///    class of the pair.
/// 5. **Groups.** Each group of n men has a number: that of its set of squares s₁ < s₂ < … < sₙ, which is
///    C(s₁, 1) + C(s₂, 2) + … + C(sₙ, n), where C(s, k) is the number of ways to choose k of s. For one man
///    it is its square. There are C(64, n) such sets. Pawns count squares from a2 as 0, and there are C(48,
///    n).
/// 6. **Slot.** The class and the numbers of the groups, in the order of 2, are digits in mixed radix, the
///    class the most significant: start with the class; for each group multiply by its number of sets and add
///    its number.
/// 7. **Diagonal.** Without pawns, if both folded kings are on the diagonal, the men beside them are also
///    mirrored in it, and the smaller of the two slots counts.
///
/// Slots of men on one square, the larger of two mirrored slots, and those of positions that are not legal
/// stay unused.
///
/// | men | folded | class | groups | slot |
/// |---|---|---|---|---|
/// | Kf5 Rg1, kh5 | Kd3 Rh2, kd1 | 380 | 15 | 380 × 64 + 15 = 24335 |
/// | Ka1 Rb8, kc3 | Ka1 Rb8 or Rh2, kc3 | 12 | 57 or 15 | 12 × 64 + 15 = 783 |
/// | Kf1 Rb4 Pa2 Pc3, kh8 | Kc1 Rg4 Ph2 Pf3, ka8 | 168 | 30, 7 + 78 | (168 × 64 + 30) × 1128 + 85 = 12162181 |
#[derive(Debug, Clone)]
pub struct Layout {
    material: Material,
    men: ArrayVec<Piece, MAX_MEN>,
    groups: ArrayVec<Group, { MAX_MEN - 2 }>,
    kings: &'static KingPairs,
    /// The number of slots for each king pair.
    span: usize,
}

/// The binomial coefficient: the number of ways to choose `len` of `squares`.
const fn choose(squares: usize, len: usize) -> usize {
    let mut ways = 1;
    let mut taken = 0;
    while taken < len {
        ways = ways * squares.saturating_sub(taken) / (taken + 1);
        taken += 1;
    }
    ways
}

pub(super) static CHOOSE: [[usize; MAX_MEN]; 65] = {
    let mut table = [[0; MAX_MEN]; 65];
    let mut squares = 0;
    while squares < 65 {
        let mut len = 0;
        while len < MAX_MEN {
            table[squares][len] = choose(squares, len);
            len += 1;
        }
        squares += 1;
    }
    table
};

impl Layout {
    /// Computes the layout of a material.
    pub fn new(material: Material) -> Self {
        let kings = Color::ALL.map(|color| Piece { color, role: Role::King });
        let men: ArrayVec<Piece, MAX_MEN> = kings.into_iter().chain(material.others()).collect();
        let mut groups: ArrayVec<Group, { MAX_MEN - 2 }> = ArrayVec::new();
        for (man, &piece) in men.iter().enumerate().skip(2) {
            match groups.last_mut() {
                Some(group) if men[group.first] == piece => group.len += 1,
                _ => groups.push(Group { first: man, len: 1, base: 0, size: 0 }),
            }
        }
        for group in &mut groups {
            group.base = if men[group.first].role == Role::Pawn { 8 } else { 0 };
            group.size = choose(64 - 2 * group.base, group.len);
        }
        let kings = if material.has_pawns() { &WITH_PAWNS } else { &PAWNLESS };
        let span = groups.iter().map(|group| group.size).product();
        Self { material, men, groups, kings, span }
    }

    /// The material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The number of slots for each side to move.
    pub fn slots(&self) -> usize {
        self.kings.classes() * self.span
    }

    /// The men, in the order of [`Placement`].
    pub(crate) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The squares of the men on a board of this material; `mirrored` if Black is the stronger side.
    #[inline]
    pub(crate) fn squares(&self, board: &Board, mirrored: bool) -> Placement {
        let mut squares = Placement::new(self.men.len());
        let mut man = 0;
        while man < self.men.len() {
            let Piece { color, role } = self.men[man];
            let color = if mirrored { !color } else { color };
            for square in board.pieces(color, role) {
                squares = squares.with(man, if mirrored { square.flip_vertical() } else { square });
                man += 1;
            }
        }
        squares
    }

    /// The board with the men on these squares.
    pub(crate) fn board(&self, squares: &Placement) -> Board {
        let mut board = Board::EMPTY;
        for (&piece, square) in self.men.iter().zip(squares.iter()) {
            board.put(square, piece);
        }
        board
    }

    /// The placement whose squares are the base-64 digits of a number. `None` if two men share a square or
    /// identical men are not in ascending order.
    pub(crate) fn numbered(&self, number: u64) -> Option<Placement> {
        let mut squares = Placement::new(self.men.len());
        let mut digits = number;
        for man in (0..self.men.len()).rev() {
            squares = squares.with(man, Square::from_index(digits as usize));
            digits >>= 6;
        }
        let rising = self.groups.iter().all(|group| group.squares(squares).is_sorted());
        (squares.are_apart() && rising).then_some(squares)
    }

    /// The slot of a placement; `None` if the kings are adjacent or a pawn stands on a back rank.
    #[inline]
    pub(crate) fn slot(&self, squares: &Placement) -> Option<usize> {
        let pair: KingPair = self.kings.pair(squares.get(0), squares.get(1));
        let first = pair.class()? * self.span;
        let rest = self.rest(squares, pair.symmetry)?;
        if pair.on_diagonal {
            let mirrored = self.rest(squares, pair.symmetry.then_diagonal())?;
            return Some(first + rest.min(mirrored));
        }
        Some(first + rest)
    }

    /// Whether no two men share a square and the side not to move is not in check. Adjacent kings and pawns
    /// on back ranks have no slot.
    pub(crate) fn is_legal(&self, squares: &Placement, side_to_move: Color) -> bool {
        let king = squares.get((!side_to_move).index());
        let (occupied, shared) = squares.occupied_and_shared();
        let gives_check = |(piece, square): (&Piece, Square)| {
            piece.color == side_to_move && attacks::hits(piece.role, piece.color, square, king, occupied)
        };
        shared.is_empty() && !self.men.iter().zip(squares.iter()).any(gives_check)
    }

    /// Whether a legal placement has this slot.
    pub(crate) fn is_used(&self, slot: usize, side_to_move: Color) -> bool {
        let squares = self.placement(slot);
        self.is_legal(&squares, side_to_move) && self.slot(&squares) == Some(slot)
    }

    /// Whether the placement has an image with the same kings: both are on the diagonal.
    pub(crate) fn has_two_images(&self, squares: &Placement) -> bool {
        self.kings.pair(squares.get(0), squares.get(1)).on_diagonal
    }

    /// The man that rises by one square from the slot of this placement to the next, and the number of slots,
    /// this one included, until it comes to the last square or to the next man of its group.
    pub(crate) fn rising(&self, squares: &Placement) -> (usize, usize) {
        let Some(group) = self.groups.last() else { return (1, 1) };
        let end = if group.len == 1 { group.base + group.size } else { squares.get(group.first + 1).index() };
        (group.first, end - squares.get(group.first).index())
    }

    /// The combined number of the men beside the kings, below `span`.
    #[inline]
    fn rest(&self, squares: &Placement, symmetry: Symmetry) -> Option<usize> {
        let mut rest = 0;
        for group in &self.groups {
            let number = if group.len == 1 {
                symmetry.image(squares.get(group.first)).index().checked_sub(group.base)?
            } else {
                group.number(squares, symmetry)?
            };
            if number >= group.size {
                return None;
            }
            rest = rest * group.size + number;
        }
        Some(rest)
    }

    /// The placement of a slot, whether or not the slot is used.
    #[inline]
    pub(crate) fn placement(&self, slot: usize) -> Placement {
        let mut squares = Placement::new(self.men.len());
        let (white, black) = self.kings.representative(slot / self.span);
        squares = squares.with(0, white).with(1, black);
        let mut rest = slot % self.span;
        for group in self.groups.iter().rev() {
            squares = group.place(rest % group.size, squares);
            rest /= group.size;
        }
        squares
    }
}

impl Group {
    fn squares(&self, squares: Placement) -> impl Iterator<Item = Square> {
        squares.iter().skip(self.first).take(self.len)
    }

    /// The number of a set of squares in the combinatorial number system.
    fn number(&self, squares: &Placement, symmetry: Symmetry) -> Option<usize> {
        let mut images = [0; MAX_MEN];
        let images = &mut images[..self.len];
        for (image, man) in images.iter_mut().zip(self.first..) {
            *image = symmetry.image(squares.get(man)).index().checked_sub(self.base)?;
        }
        images.sort_unstable();
        Some(images.iter().enumerate().map(|(place, &image)| CHOOSE[image][place + 1]).sum())
    }

    /// Puts the men of this group on the set of squares with this number.
    #[inline]
    fn place(&self, mut number: usize, mut squares: Placement) -> Placement {
        if self.len == 1 {
            return squares.with(self.first, Square::from_index(self.base + number));
        }
        for place in (0..self.len).rev() {
            let image = (place..64).rev().find(|&image| CHOOSE[image][place + 1] <= number).unwrap_or(place);
            number -= CHOOSE[image][place + 1];
            squares = squares.with(self.first + place, Square::from_index(self.base + image));
        }
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use std::collections::HashMap;

    /// All images of a placement, computed on the squares.
    fn images(squares: &Placement, pawns: bool) -> Vec<Placement> {
        let map = |squares: &Placement, image: fn(Square) -> Square| {
            (0..squares.iter().len()).fold(*squares, |mapped, man| mapped.with(man, image(squares.get(man))))
        };
        let mut all = vec![*squares, map(squares, Square::flip_horizontal)];
        if !pawns {
            all.extend(all.clone().iter().map(|one| map(one, Square::flip_vertical)));
            all.extend(all.clone().iter().map(|one| map(one, Square::flip_diagonal)));
        }
        all
    }

    /// Whether no two men share a square and no pawn is on a back rank.
    fn is_sound(layout: &Layout, squares: &Placement) -> bool {
        squares.are_apart()
            && layout
                .men()
                .iter()
                .zip(squares.iter())
                .all(|(piece, square)| piece.role != Role::Pawn || !Bitboard::BACK_RANKS.contains(square))
    }

    /// Checks that every used slot belongs to one placement and its images.
    fn check(name: &str) {
        let layout = Layout::new(name.parse().unwrap());
        let pawns = layout.material().has_pawns();
        let mut used = 0;
        let mut found: HashMap<Vec<Square>, usize> = HashMap::new();
        for slot in 0..layout.slots() {
            let squares = layout.placement(slot);
            if !is_sound(&layout, &squares) || layout.slot(&squares) != Some(slot) {
                continue;
            }
            used += 1;
            for image in images(&squares, pawns) {
                assert_eq!(layout.slot(&image), Some(slot), "{name} {image:?}");
            }
            let mut key = images(&squares, pawns)
                .iter()
                .map(|image| {
                    let mut at = image.iter().collect::<Vec<_>>();
                    for group in &layout.groups {
                        at[group.first..group.first + group.len].sort_unstable();
                    }
                    at
                })
                .collect::<Vec<_>>();
            key.sort_unstable();
            assert_eq!(found.insert(key.swap_remove(0), slot), None, "{name}: two slots for {squares:?}");
        }
        assert!(used > 0);
    }

    #[test]
    fn slots_and_positions_correspond_one_to_one() {
        for name in ["KvK", "KQvK", "KPvK"] {
            check(name);
        }
    }

    /// The examples at [`Layout`], and the first one with colours swapped.
    #[test]
    fn slots_are_numbered_as_documented() {
        for (placement, slot) in [
            ("8/8/8/5K1k/8/8/8/6R1", 380 * 64 + 15),
            ("6r1/8/8/8/5k1K/8/8/8", 380 * 64 + 15),
            ("1R6/8/8/8/8/2k5/8/K7", 12 * 64 + 15),
            ("7k/8/8/8/1R6/2P5/P7/5K2", (168 * 64 + 30) * 1128 + 7 + 78),
        ] {
            let position = Position::from_fen(&format!("{placement} w - - 0 1")).unwrap();
            let (material, mirrored) = Material::from_board(position.board()).unwrap();
            let layout = Layout::new(material);
            let squares = layout.squares(position.board(), mirrored);
            assert_eq!(layout.slot(&squares), Some(slot), "{placement}");
        }
    }

    #[test]
    fn equal_men_share_one_slot() {
        for (name, slots) in [("KBBvK", 462 * 2016), ("KPPvK", 1806 * 1128), ("KBBBvK", 462 * 41_664)] {
            assert_eq!(Layout::new(name.parse().unwrap()).slots(), slots, "{name}");
        }
    }

    #[test]
    fn larger_materials_round_trip() {
        for name in ["KBBvK", "KQvKR", "KPPvK", "KPvKP", "KNNvKP", "KPPPvK", "KRRvKB"] {
            let layout = Layout::new(name.parse().unwrap());
            let mut used = 0;
            for slot in (0..layout.slots()).step_by(97) {
                let squares = layout.placement(slot);
                if !is_sound(&layout, &squares) {
                    continue;
                }
                let entry = layout.slot(&squares).unwrap();
                assert!(entry <= slot);
                used += usize::from(entry == slot);
                for image in images(&squares, layout.material().has_pawns()) {
                    assert_eq!(layout.slot(&image), Some(entry), "{name} {image:?}");
                }
            }
            assert!(used > layout.slots() / 200, "{name}");
        }
    }
}
