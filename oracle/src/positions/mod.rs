//! All placements of the men of a table on shakmaty's board, and which of them are legal positions.
//!
//! The oracle enumerates placements square by square and asks shakmaty. It never uses the index of a table,
//! because positions that the table lacks would then go unnoticed.

use std::cmp::Ordering;
use std::str::FromStr;
use std::sync::LazyLock;

use arrayvec::ArrayVec;
use derive_more::Display;
use shakmaty::{Board, CastlingMode, Chess, Color, Piece, PositionErrorKinds, Role, Setup, Square};

use crate::board::{self, Accept};

#[cfg(test)]
mod tests;

/// The most men whose placements are enumerated: five have 64^5 a side, more than a thousand million.
pub const MAX_MEN: usize = 5;

/// The men of a table, White's first: `KPvK`.
#[derive(Debug, Clone, PartialEq, Eq, Display)]
#[display("{name}")]
pub struct Men {
    name: String,
    pieces: Vec<Piece>,
}

/// The text is not the name of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a table such as KPvK with at most {MAX_MEN} men, got \"{0}\"")]
pub struct ParseMenError(String);

impl FromStr for Men {
    type Err = ParseMenError;

    fn from_str(text: &str) -> Result<Self, ParseMenError> {
        let wrong = || ParseMenError(text.chars().take(24).collect());
        let (white, black) = text.split_once('v').ok_or_else(wrong)?;
        let mut pieces = Vec::new();
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            if !letters.starts_with('K') || letters.matches('K').count() != 1 || letters.len() > MAX_MEN {
                return Err(wrong());
            }
            for letter in letters.chars() {
                let role =
                    Role::from_char(letter).filter(|_| letter.is_ascii_uppercase()).ok_or_else(wrong)?;
                pieces.push(Piece { color, role });
            }
        }
        if pieces.len() > MAX_MEN {
            return Err(wrong());
        }
        Ok(Self { name: text.to_owned(), pieces })
    }
}

impl Men {
    /// The name of the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The men of a FEN under the name of their table, with the stronger side first. `None` if they are too
    /// many, or the text is not a FEN.
    pub fn of_fen(fen: &str) -> Option<Self> {
        let Setup { board, .. } = board::setup(fen).ok()?;
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let letters = NAMED
                .iter()
                .zip(strength(&board, color))
                .map(|(role, count)| role.upper_char().to_string().repeat(count));
            "K".repeat((board.by_color(color) & board.kings()).count()) + &letters.collect::<String>()
        });
        let is_turned = strength(&board, Color::Black) > strength(&board, Color::White);
        let name = if is_turned { format!("{black}v{white}") } else { format!("{white}v{black}") };
        name.parse().ok()
    }

    /// Whether there is a pawn. With pawns the only symmetry is the left-right mirror.
    pub fn has_pawns(&self) -> bool {
        self.pieces.iter().any(|piece| piece.role == Role::Pawn)
    }

    /// Whether both sides have the same men, so that exchanging colours leads to the same table.
    pub fn has_equal_sides(&self) -> bool {
        self.name.split_once('v').is_some_and(|(white, black)| white == black)
    }

    /// The number of placements for one side to move, including those with two men on one square.
    pub fn numbers(&self) -> u64 {
        1 << (6 * self.pieces.len())
    }

    /// The number of symmetries. Images of a placement may coincide.
    pub fn images(&self) -> u64 {
        self.symmetries().len() as u64
    }

    /// The placement with this number: its digits to base 64 are the squares. `None` if two men share a
    /// square.
    fn board(&self, number: u64) -> Option<Board> {
        let mut board = Board::empty();
        let mut digits = number;
        for &piece in self.pieces.iter().rev() {
            let square = Square::new((digits % 64) as u32);
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set_piece_at(square, piece);
            digits /= 64;
        }
        Some(board)
    }

    /// The number of a board with these men, each of them once.
    #[cfg(test)]
    pub(crate) fn number_of(&self, board: &Board) -> u64 {
        let square = |piece: Piece| u64::from(board.by_piece(piece).first().expect("a man of the table"));
        self.pieces.iter().fold(0, |number, &piece| number << 6 | square(piece))
    }

    /// The number of men.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// The size of the symmetry class of a placement, if this placement represents the class. The placement
    /// with the lowest number represents it.
    fn class_size(&self, number: u64) -> Option<u64> {
        let symmetries = self.symmetries();
        let mut itself = 0;
        for symmetry in symmetries {
            match self.compare_image(number, symmetry) {
                Ordering::Less => return None,
                Ordering::Equal => itself += 1,
                Ordering::Greater => {}
            }
        }
        Some(symmetries.len() as u64 / itself)
    }

    /// Whether this placement has the lowest number among those that differ from it only by an exchange of
    /// two identical men, and their images. Tables count each of these; a list of positions names one. The
    /// numbers are those of placements that represent their class.
    pub(crate) fn is_first_of_identical(&self, number: u64) -> bool {
        let digit = |man: usize| number >> (6 * man) & 63;
        let men = self.pieces.len();
        let pairs = (0..men).flat_map(|one| (one + 1..men).map(move |other| (one, other)));
        // The last man has the lowest digit.
        let identical =
            pairs.filter(|&(one, other)| self.pieces[men - 1 - one] == self.pieces[men - 1 - other]);
        identical.into_iter().all(|(one, other)| {
            let difference = digit(one) ^ digit(other);
            let exchanged = number ^ (difference << (6 * one) | difference << (6 * other));
            let image = |symmetry: &[u8; 64]| {
                (0..men)
                    .map(|man| u64::from(symmetry[(exchanged >> (6 * man) & 63) as usize]) << (6 * man))
                    .sum::<u64>()
            };
            self.symmetries().iter().all(|symmetry| number <= image(symmetry))
        })
    }

    /// Whether some of the placements that have all men but the last ones on the squares of this one may represent
    /// their symmetry classes.
    pub(crate) fn may_represent(&self, number: u64, last: usize) -> bool {
        let compare = |symmetry| self.compare_men(number, symmetry, last);
        !self.symmetries().iter().any(|symmetry| compare(symmetry) == Ordering::Less)
    }

    /// Compares the number of an image of a placement with that of the placement itself, man by man.
    fn compare_image(&self, number: u64, symmetry: &[u8; 64]) -> Ordering {
        self.compare_men(number, symmetry, 0)
    }

    /// The same without the last men.
    fn compare_men(&self, number: u64, symmetry: &[u8; 64], last: usize) -> Ordering {
        for man in (last..self.pieces.len()).rev() {
            let square = (number >> (6 * man) & 63) as u8;
            match symmetry[usize::from(square)].cmp(&square) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        }
        Ordering::Equal
    }

    fn symmetries(&self) -> &'static [[u8; 64]] {
        if self.has_pawns() { &IMAGES[..2] } else { &*IMAGES }
    }
}

/// The roles in the order in which names of tables list them, after the king.
const NAMED: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The same with the king: the order of the men in a name, and in the number of a placement.
const ORDER: [Role; 6] = [Role::King, NAMED[0], NAMED[1], NAMED[2], NAMED[3], NAMED[4]];

/// How many men a side has of each role, from queens to pawns. The side with the greater list is named first.
pub fn strength(board: &Board, color: Color) -> [usize; NAMED.len()] {
    NAMED.map(|role| (board.by_color(color) & board.by_role(role)).count())
}

/// The symmetries of the board. Only the first two keep the direction of pawns.
const SYMMETRIES: [fn(Square) -> Square; 8] = [
    |square| square,
    Square::flip_horizontal,
    Square::flip_vertical,
    |square| square.flip_horizontal().flip_vertical(),
    Square::flip_diagonal,
    |square| square.flip_horizontal().flip_diagonal(),
    |square| square.flip_vertical().flip_diagonal(),
    |square| square.flip_horizontal().flip_vertical().flip_diagonal(),
];

/// The image of each square under each symmetry.
static IMAGES: LazyLock<[[u8; 64]; 8]> = LazyLock::new(|| {
    SYMMETRIES.map(|symmetry| std::array::from_fn(|square| symmetry(Square::new(square as u32)) as u8))
});

/// The men of a placement with their squares.
pub(crate) type Standing = ArrayVec<(Square, Piece), MAX_MEN>;

/// One way to make another position of the same value: a symmetry of the board, and the colours exchanged or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image {
    /// The number of the symmetry, below [`Men::images`].
    pub(crate) symmetry: u64,
    /// Whether the men change colour, the ranks are mirrored too, and the other side is to move.
    pub(crate) exchanged: bool,
}

impl Image {
    /// The men of this image.
    #[inline]
    pub(crate) fn of(self, men: &[(Square, Piece)]) -> impl Iterator<Item = (Square, Piece)> {
        let images = &IMAGES[self.symmetry as usize];
        men.iter().map(move |&(square, piece)| {
            let square = Square::new(images[square.to_usize()].into());
            if self.exchanged {
                (square.flip_vertical(), Piece { color: !piece.color, ..piece })
            } else {
                (square, piece)
            }
        })
    }

    /// The board of this image, and the side to move on it.
    pub(crate) fn position(self, men: &[(Square, Piece)], turn: Color) -> (Board, Color) {
        (self.of(men).collect(), self.turn(turn))
    }

    /// The side to move in this image.
    #[inline]
    pub(crate) fn turn(self, turn: Color) -> Color {
        if self.exchanged { !turn } else { turn }
    }
}

/// The image of a position that represents its symmetry class: the one that [`Placement::of_class`] has, with
/// White as the stronger side. Boards with more men than a table stay as they are.
pub fn representative(board: &Board, turn: Color) -> (Board, Color) {
    let mirrored = strength(board, Color::Black) > strength(board, Color::White);
    let (board, turn) = if mirrored { (board.clone().into_mirrored(), !turn) } else { (board.clone(), turn) };
    let men = || Color::ALL.into_iter().flat_map(|color| ORDER.map(|role| Piece { color, role }));
    let placed = men().flat_map(|piece| board.by_piece(piece).into_iter().map(move |square| (piece, square)));
    let placed: ArrayVec<(Piece, Square), MAX_MEN> = placed.take(MAX_MEN).collect();
    if placed.len() < board.occupied().count() {
        return (board, turn);
    }
    let images = if board.pawns().any() { &IMAGES[..2] } else { &IMAGES[..] };
    // The first man is White's king: it stands on its lowest square. No table has two of them.
    let king_on = |image: &[u8; 64]| placed.first().map_or(0, |&(_, square)| image[square.to_usize()]);
    let least = images.iter().map(king_on).min();
    let mut lowest = [u8::MAX; MAX_MEN];
    for image in images.iter().filter(|image| Some(king_on(image)) == least) {
        let mut squares = [u8::MAX; MAX_MEN];
        for man in 0..placed.len() {
            let (piece, square) = placed[man];
            squares[man] = image[square.to_usize()];
            // Of two identical men the one on the lower square is the first.
            for after in (1..=man).rev().take_while(|&after| placed[after - 1].0 == piece) {
                if squares[after] < squares[after - 1] {
                    squares.swap(after, after - 1);
                }
            }
        }
        lowest = lowest.min(squares);
    }
    let mut folded = Board::empty();
    for (&(piece, _), square) in placed.iter().zip(lowest) {
        folded.set_piece_at(Square::new(square.into()), piece);
    }
    (folded, turn)
}

/// The legal positions of a table that are counted or walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every position on 64 squares.
    Raw,
    /// One position of each symmetry class.
    Unique,
}

/// A placement with a side to move, and whether shakmaty finds it legal.
#[derive(Debug, Clone)]
pub struct Placement {
    /// Its number, or the number of the placement of which it is an image.
    pub number: u64,
    /// The men.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The position, if it is legal.
    pub legal: Option<Chess>,
    /// The size of its symmetry class, if it represents the class.
    pub class_size: Option<u64>,
}

impl Placement {
    /// The placement with this number and side to move. `None` if two men share a square.
    pub fn numbered(men: &Men, number: u64, turn: Color) -> Option<Self> {
        let board = men.board(number)?;
        let legal = position(board.clone(), turn).ok();
        Some(Self { number, board, turn, legal, class_size: men.class_size(number) })
    }

    /// The same, but `None` for placements that do not represent their symmetry class.
    pub fn of_class(men: &Men, number: u64, turn: Color) -> Option<Self> {
        let class_size = men.class_size(number)?;
        let board = men.board(number)?;
        let legal = position(board.clone(), turn).ok();
        Some(Self { number, board, turn, legal, class_size: Some(class_size) })
    }

    /// Whether it represents its symmetry class.
    pub fn is_representative(&self) -> bool {
        self.class_size.is_some()
    }

    /// Its men with their squares.
    pub(crate) fn men(&self) -> Standing {
        self.board.iter().collect()
    }

    /// The placement with colours exchanged: the ranks are mirrored, and the other side is to move. It is legal
    /// if this one is.
    pub fn with_colors_exchanged(&self) -> Self {
        self.image_of(Image { symmetry: 0, exchanged: true })
    }

    /// One of its [`Men::images`] images; 0 is the placement itself. It is legal if this one is.
    pub fn image(&self, symmetry: u64) -> Self {
        self.image_of(Image { symmetry, exchanged: false })
    }

    fn image_of(&self, image: Image) -> Self {
        let (board, turn) = image.position(&self.men(), self.turn);
        let legal = position(board.clone(), turn).ok();
        Self { number: self.number, legal, board, turn, class_size: None }
    }

    /// The FEN, with the counters of a new game.
    pub fn fen(&self) -> String {
        fen(&self.board, self.turn)
    }
}

/// The position with these men and nothing else: no castling rights, no en passant square.
///
/// Tables hold positions with impossible checks, so they are accepted.
///
/// # Errors
/// All reasons why the position is illegal.
pub fn position(board: Board, turn: Color) -> Result<Chess, PositionErrorKinds> {
    let setup = Setup { board, turn, ..Setup::empty() };
    board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck)
}

/// The FEN of a placement, with the counters of a new game.
pub fn fen(board: &Board, turn: Color) -> String {
    board::fen_of(Setup { board: board.clone(), turn, ..Setup::empty() })
}
