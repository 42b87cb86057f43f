//! Material: the men on the board, with the stronger side as White, such as `KPvK` or `KBNvK`.

use std::fmt;
use std::str::FromStr;

use crate::{Board, Color, Piece, Role};

/// The largest number of men of a table, kings included.
pub const MAX_MEN: usize = 5;

/// Strongest first: the order of the letters in a table's name.
const NAMED: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The men of both sides, with the stronger side as White.
///
/// As in Syzygy names, the side with more men is the stronger; with equal numbers, the side with the stronger
/// men, queens first.
///
/// ```
/// use engine::tables::Material;
/// let material: Material = "KBNvK".parse()?;
/// assert_eq!(material.men(), 4);
/// assert_eq!(material.to_string(), "KBNvK");
/// # Ok::<(), engine::tables::MaterialError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    white: SideMaterial,
    black: SideMaterial,
}

/// The number of men of each role in [`NAMED`] of one side: three bits each, queens in the highest bits, so
/// that sides compare by strength as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct SideMaterial(u16);

impl SideMaterial {
    const BARE: Self = Self(0);

    const fn shift(kind: usize) -> usize {
        3 * (NAMED.len() - 1 - kind)
    }

    fn count(self, kind: usize) -> usize {
        usize::from(self.0 >> Self::shift(kind) & 7)
    }

    /// The number of men beside the king.
    const fn men(self) -> usize {
        const { assert!(MAX_MEN <= 7) };
        // Bits 12 to 14 of this product are the sum of all counts, which is at most 7.
        ((self.0 as usize * 0o11111) >> Self::shift(QUEEN)) & 7
    }

    fn plus(self, kind: usize) -> Self {
        Self(self.0 + (1 << Self::shift(kind)))
    }

    fn minus(self, kind: usize) -> Self {
        Self(self.0 - (1 << Self::shift(kind)))
    }
}

const QUEEN: usize = 0;
const ROOK: usize = 1;
const PAWN: usize = 4;

impl Material {
    /// The bare kings.
    pub const KINGS: Self = Self { white: SideMaterial::BARE, black: SideMaterial::BARE };
    /// A queen against the king.
    pub const KQVK: Self = Self::lone(QUEEN);
    /// A rook against the king.
    pub const KRVK: Self = Self::lone(ROOK);
    /// A pawn against the king.
    pub const KPVK: Self = Self::lone(PAWN);

    const fn lone(kind: usize) -> Self {
        Self { white: SideMaterial(1 << SideMaterial::shift(kind)), black: SideMaterial::BARE }
    }

    /// The material of a board, and whether Black is the stronger side (then the board must be flipped for
    /// look-up). `None` unless each side has one king and there are at most [`MAX_MEN`] men.
    pub fn from_board(board: &Board) -> Option<(Self, bool)> {
        if board.occupied().count() as usize > MAX_MEN
            || Color::ALL.iter().any(|&color| !board.pieces(color, Role::King).is_single())
        {
            return None;
        }
        let mut sides = [SideMaterial::BARE; 2];
        for (kind, &role) in NAMED.iter().enumerate() {
            let men = board.role(role);
            // Most roles of a table have no man.
            if men.any() {
                for color in Color::ALL {
                    // Few men are counted one by one: without the instruction, counting bits takes longer.
                    let count = (men & board.color(color)).into_iter().count() as u16;
                    sides[color.index()].0 += count << SideMaterial::shift(kind);
                }
            }
        }
        Some(Self::normalized(sides[0], sides[1]))
    }

    /// The material of these men, kings included, and whether Black is the stronger side. `None` as for
    /// [`Material::from_board`].
    pub(crate) fn of_men(men: impl Iterator<Item = Piece>) -> Option<(Self, bool)> {
        let mut sides = [SideMaterial::BARE; 2];
        let (mut kings, mut count) = ([0; 2], 0);
        for Piece { color, role } in men {
            count += 1;
            match NAMED.iter().position(|&named| named == role) {
                Some(kind) if count <= MAX_MEN => {
                    sides[color.index()] = sides[color.index()].plus(kind);
                }
                Some(_) => return None,
                None => kings[color.index()] += 1,
            }
        }
        (kings == [1, 1]).then(|| Self::normalized(sides[0], sides[1]))
    }

    #[inline]
    fn normalized(white: SideMaterial, black: SideMaterial) -> (Self, bool) {
        let flipped = black != SideMaterial::BARE && (black.men(), black) > (white.men(), white);
        (if flipped { Self { white: black, black: white } } else { Self { white, black } }, flipped)
    }

    fn side(self, color: Color) -> SideMaterial {
        color.pick(self.white, self.black)
    }

    /// The number of men, kings included.
    pub fn men(self) -> usize {
        2 + self.white.men() + self.black.men()
    }

    /// The men beside the kings, White's first, strongest first; equal men stand together.
    pub fn others(self) -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(move |color| {
            let side = self.side(color);
            NAMED
                .into_iter()
                .enumerate()
                .flat_map(move |(kind, role)| std::iter::repeat_n(Piece { color, role }, side.count(kind)))
        })
    }

    /// Whether there is a pawn. Tables with pawns have two symmetries instead of eight.
    pub fn has_pawns(self) -> bool {
        self.white.count(PAWN) + self.black.count(PAWN) > 0
    }

    /// Whether both sides have a pawn, so that en passant is possible.
    pub fn has_opposing_pawns(self) -> bool {
        self.white.count(PAWN) > 0 && self.black.count(PAWN) > 0
    }

    /// Whether neither side can ever be mated: bare kings, or a single bishop or knight beside them.
    pub fn is_dead(self) -> bool {
        let minor = |piece: Piece| matches!(piece.role, Role::Bishop | Role::Knight);
        self.men() == 2 || self.men() == 3 && self.others().all(minor)
    }

    /// All materials reachable by captures and promotions, without this one, each after those that it leads
    /// to.
    pub fn smaller(self) -> Vec<Self> {
        let mut found = closure(self, Self::successors);
        found.retain(|&material| material != self);
        found
    }

    /// All materials of at most so many men, each after those that it leads to.
    ///
    /// ```
    /// use engine::tables::Material;
    /// let names: Vec<String> = Material::up_to(3).iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["KvK", "KNvK", "KBvK", "KRvK", "KQvK", "KPvK"]);
    /// ```
    pub fn up_to(men: usize) -> Vec<Self> {
        let larger = |material: Self| if material.men() < men { material.with_a_man() } else { Vec::new() };
        closure(Self::KINGS, larger)
    }

    /// The materials with one man more.
    fn with_a_man(self) -> Vec<Self> {
        let add = |kind| {
            let white = Self::normalized(self.white.plus(kind), self.black).0;
            [white, Self::normalized(self.white, self.black.plus(kind)).0]
        };
        (0..NAMED.len()).flat_map(add).collect()
    }

    /// The materials after one capture, or after one promotion that is not a capture. Some are listed twice.
    pub fn successors(self) -> Vec<Self> {
        let mut found = Vec::new();
        for kind in 0..NAMED.len() {
            found.extend(
                changed(self.white, kind).into_iter().map(|side| Self::normalized(side, self.black).0),
            );
            found.extend(
                changed(self.black, kind).into_iter().map(|side| Self::normalized(self.white, side).0),
            );
        }
        found
    }
}

/// A material and all materials that steps lead to from it. Those with fewer men come first, then those with
/// fewer pawns, so that each comes after those that captures and promotions lead to.
fn closure(from: Material, steps: impl Fn(Material) -> Vec<Material>) -> Vec<Material> {
    let mut found = vec![from];
    let mut next = 0;
    while next < found.len() {
        for step in steps(found[next]) {
            if !found.contains(&step) {
                found.push(step);
            }
        }
        next += 1;
    }
    found.sort_by_key(|material| {
        (material.men(), material.white.count(PAWN) + material.black.count(PAWN), *material)
    });
    found
}

/// The side after it loses a man of this kind, or after a promotion.
fn changed(side: SideMaterial, kind: usize) -> Vec<SideMaterial> {
    if side.count(kind) == 0 {
        return Vec::new();
    }
    let without = side.minus(kind);
    let promoted = (0..PAWN).filter(|_| kind == PAWN).map(|promoted| without.plus(promoted));
    [without].into_iter().chain(promoted).collect()
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = [self.white, self.black].map(|side| {
            let letters = NAMED.iter().enumerate().map(|(kind, role)| {
                String::from(role.to_char().to_ascii_uppercase()).repeat(side.count(kind))
            });
            format!("K{}", letters.collect::<String>())
        });
        write!(f, "{white}v{black}")
    }
}

/// A text that is not the name of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// Not of the form of a table's name.
    #[error("expected a table such as KPvK or KBNvK, got \"{0}\"")]
    Shape(String),
    /// More men than a table can have.
    #[error("{0} has more than {MAX_MEN} men")]
    TooManyMen(String),
    /// The weaker side or the weaker piece comes first.
    #[error("{got} is called {name}: stronger side first, strongest piece first")]
    Order {
        /// The name as given.
        got: String,
        /// The correct name.
        name: Material,
    },
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let shown: String = text.chars().take(24).collect();
        let shape = || MaterialError::Shape(shown.clone());
        let (white, black) = text.split_once('v').ok_or_else(shape)?;
        let mut sides = [SideMaterial::BARE; 2];
        for (side, letters) in sides.iter_mut().zip([white, black]) {
            let letters = letters.strip_prefix('K').ok_or_else(shape)?;
            if letters.len() > MAX_MEN {
                return Err(MaterialError::TooManyMen(shown));
            }
            for letter in letters.chars() {
                let kind = NAMED.iter().position(|role| role.to_char().to_ascii_uppercase() == letter);
                *side = side.plus(kind.ok_or_else(shape)?);
            }
        }
        let (material, _) = Self::normalized(sides[0], sides[1]);
        if material.men() > MAX_MEN {
            return Err(MaterialError::TooManyMen(shown));
        }
        if material.to_string() != text {
            return Err(MaterialError::Order { got: shown, name: material });
        }
        Ok(material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let got = text.parse::<Material>();
        assert_eq!(got.map_or_else(|error| error.to_string(), |material| material.to_string()), expected);
    }

    #[test]
    fn names() {
        for name in ["KvK", "KPvK", "KQvK", "KBNvK", "KRvKP", "KPvKP", "KQvKR", "KRBvKR", "KPPPvK"] {
            check(name, name);
        }
        check("KvKP", "KvKP is called KPvK: stronger side first, strongest piece first");
        check("KNBvK", "KNBvK is called KBNvK: stronger side first, strongest piece first");
        check("KPvKQ", "KPvKQ is called KQvKP: stronger side first, strongest piece first");
        check("KQQQQvK", "KQQQQvK has more than 5 men");
        check("KXvK", "expected a table such as KPvK or KBNvK, got \"KXvK\"");
        check("KPK", "expected a table such as KPvK or KBNvK, got \"KPK\"");
        check("PvK", "expected a table such as KPvK or KBNvK, got \"PvK\"");
        check("", "expected a table such as KPvK or KBNvK, got \"\"");
    }

    #[test]
    fn constants_have_their_names() {
        let constants = [
            (Material::KQVK, "KQvK"),
            (Material::KRVK, "KRvK"),
            (Material::KPVK, "KPvK"),
            (Material::KINGS, "KvK"),
        ];
        for (material, name) in constants {
            assert_eq!(material.to_string(), name);
        }
    }

    /// The numbers of tables are those of Syzygy: 5 of three men, 30 of four, 110 of five, and the bare
    /// kings.
    #[test]
    fn tables_of_so_many_men() {
        for (men, tables) in [(2, 1), (3, 1 + 5), (4, 1 + 5 + 30), (5, 1 + 5 + 30 + 110)] {
            let all = Material::up_to(men);
            assert_eq!(all.len(), tables, "{men}");
            for (place, material) in all.iter().enumerate() {
                assert!(
                    material.smaller().iter().all(|smaller| all[..place].contains(smaller)),
                    "{material}"
                );
            }
        }
    }

    #[test]
    fn smaller_tables() {
        let names = |name: &str| {
            let material: Material = name.parse().unwrap();
            material.smaller().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("KQvK"), "KvK");
        assert_eq!(names("KPvK"), "KvK KNvK KBvK KRvK KQvK");
        assert_eq!(names("KQvKR"), "KvK KRvK KQvK");
    }

    #[test]
    fn dead_material() {
        for (name, dead) in [("KvK", true), ("KBvK", true), ("KNvK", true), ("KPvK", false), ("KNNvK", false)]
        {
            assert_eq!(name.parse::<Material>().unwrap().is_dead(), dead, "{name}");
        }
    }
}
