//! The positions that a dump has. Without this count, a dump that lacks positions would pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use shakmaty::{Board, Chess, Color, Position, Rank, Role, Square};

use crate::authorities::Authorities;
use crate::positions::Scope;

/// The most men of tables whose positions are counted. One bit for each placement and side to move makes 4 MB
/// for a table of four men, 256 MB for one of five.
const MAX_MEN: usize = 5;
/// Tables of at least this many men are large.
const LARGE: usize = 5;
/// The most large tables whose positions are counted, so that memory is bounded.
const MAX_LARGE: usize = 4;

/// How much of a table a dump has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Name of the table.
    pub table: String,
    /// Different positions with readable rows, without those in which an en passant capture is legal.
    pub positions: u64,
    /// Different positions in which an en passant capture is legal. Tables and published counts do not
    /// include them.
    pub en_passant: u64,
    /// Rows with a position that an earlier row had.
    pub repeated: u64,
    /// Rows with a value that no source can decide.
    pub undecided: u64,
    /// The number of legal positions of the table, if it is published.
    pub published: Option<u64>,
    /// How many symmetry classes these positions belong to. Not counted in large tables, and where the sides
    /// have the same men.
    pub classes: Option<u64>,
    /// The number of these classes in the table, if it is published.
    pub published_classes: Option<u64>,
}

impl Coverage {
    /// How many positions are missing, as far as this is known. A dump needs all positions, or at least one
    /// of each class. How a table is folded is its author's affair, and a table that is folded for each side
    /// apart may have most positions; but one that has nearly all is meant to have all.
    pub(super) fn missing(&self) -> u64 {
        /// Nine in ten. White's king on four files, with the colours of half of the rows exchanged, leaves 78 in
        /// a hundred of `KPvK`; a fold at the diagonal alone leaves 56 of `KRvK`.
        const NEARLY_ALL: (u64, u64) = (9, 10);
        let classes = self.classes.unwrap_or(self.positions);
        let all = self.published.unwrap_or_default();
        let is_folded = NEARLY_ALL.1 * self.positions <= NEARLY_ALL.0 * all;
        if is_folded && self.published_classes.is_some_and(|published| classes == published) {
            return 0;
        }
        all.saturating_sub(self.positions)
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, positions, en_passant, repeated, undecided, published, .. } = self;
        match published {
            Some(published) => write!(f, "the dump has {positions} of the {published} positions of {table}")?,
            None => write!(f, "the dump has {positions} positions of {table}")?,
        }
        if *en_passant > 0 {
            write!(f, ", and {en_passant} more in which capturing en passant is legal")?;
        }
        if *repeated > 0 {
            write!(f, ", {repeated} of its rows repeat a position")?;
        }
        if *undecided > 0 {
            write!(f, ", no source decides {undecided} of its rows")?;
        }
        Ok(())
    }
}

/// The positions so far, by table.
#[derive(Default)]
pub(super) struct SeenPositions {
    counted: BTreeMap<String, Ticks>,
    not_counted: BTreeSet<String>,
}

struct Ticks {
    bits: Vec<u64>,
    /// The classes so far; empty if they are not counted.
    class_bits: Vec<u64>,
    classes: u64,
    positions: u64,
    en_passant: u64,
    repeated: u64,
    undecided: u64,
}

impl SeenPositions {
    pub(super) fn tick(&mut self, position: &Chess, is_undecided: bool) {
        let Some(Numbered { table, number, class }) = number(position) else { return };
        let men = table.len() - 1;
        if men >= LARGE && !self.counted.contains_key(&table) {
            let large = self.counted.keys().filter(|name| name.len() > LARGE).count();
            if large == MAX_LARGE {
                self.not_counted.insert(table);
                return;
            }
        }
        let ticks = self.counted.entry(table).or_insert_with(|| Ticks {
            bits: vec![0; (2 << (6 * men)) / 64],
            class_bits: if class.is_some() { vec![0; (2 << (6 * men)) / 64] } else { Vec::new() },
            classes: 0,
            positions: 0,
            en_passant: 0,
            repeated: 0,
            undecided: 0,
        });
        let is_en_passant = position.legal_ep_square().is_some();
        let (word, bit) = (&mut ticks.bits[number / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        ticks.positions += u64::from(is_new && !is_en_passant);
        if let Some(class) = class.filter(|_| is_new && !is_en_passant) {
            let (word, bit) = (&mut ticks.class_bits[class / 64], 1 << (class % 64));
            ticks.classes += u64::from(*word & bit == 0);
            *word |= bit;
        }
        ticks.en_passant += u64::from(is_new && is_en_passant);
        ticks.repeated += u64::from(!is_new);
        ticks.undecided += u64::from(is_undecided);
    }

    pub(super) fn coverage(&self, authorities: &Authorities) -> Vec<Coverage> {
        let published = |table: &str, scope| {
            table.parse().ok().and_then(|men| authorities.published_positions(&men, scope))
        };
        let coverage = |(table, ticks): (&String, &Ticks)| Coverage {
            table: table.clone(),
            positions: ticks.positions,
            en_passant: ticks.en_passant,
            repeated: ticks.repeated,
            undecided: ticks.undecided,
            classes: (!ticks.class_bits.is_empty()).then_some(ticks.classes),
            published: published(table, Scope::Raw),
            published_classes: published(table, Scope::Unique),
        };
        self.counted.iter().map(coverage).collect()
    }

    /// The tables of the dump whose positions were not counted.
    pub(super) fn not_counted(&self) -> Vec<String> {
        self.not_counted.iter().cloned().collect()
    }
}

/// The number of a side's men, then the number of each role, strongest first.
type Strength = (usize, [usize; NAMED.len()]);

const NAMED: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

fn strength(board: &Board, color: Color) -> Strength {
    let counts = NAMED.map(|role| (board.by_color(color) & board.by_role(role)).count());
    (counts.iter().sum(), counts)
}

/// The name of the table of a position, with the stronger side first.
pub(super) fn table(position: &Chess) -> String {
    let mut sides = Color::ALL.map(|color| strength(position.board(), color));
    sides.sort_by(|one, other| other.cmp(one));
    let name = |(_, counts): Strength| {
        let letters =
            NAMED.into_iter().zip(counts).map(|(role, count)| role.upper_char().to_string().repeat(count));
        letters.collect::<String>()
    };
    sides.map(name).join("v")
}

/// A position as numbers.
struct Numbered {
    table: String,
    number: usize,
    /// The least number of its images. `None` in large tables, and where the sides have the same men.
    class: Option<usize>,
}

/// The table of a position, and a number that is unique in the table. Colours are exchanged if Black is the
/// stronger side. A pawn that can be captured en passant counts as on its own first rank, where no pawn
/// stands.
fn number(position: &Chess) -> Option<Numbered> {
    let board = position.board();
    if board.occupied().count() > MAX_MEN {
        return None;
    }
    let flipped = strength(board, Color::Black) > strength(board, Color::White);
    let board = if flipped { board.clone().into_mirrored() } else { board.clone() };
    let turn = if flipped { !position.turn() } else { position.turn() };
    let upright = |square: Square| if flipped { square.flip_vertical() } else { square };
    let passed = position.legal_ep_square().map(upright);
    let stepped =
        passed.map(|passed| Square::from_coords(passed.file(), (!turn).fold_wb(Rank::Fourth, Rank::Fifth)));
    let number = |board: &Board| {
        let mut number = turn.fold_wb(0, 1);
        for color in [Color::White, Color::Black] {
            for role in NAMED {
                for square in board.by_color(color) & board.by_role(role) {
                    let is_stepped = Some(square) == stepped;
                    let first_rank = || Square::from_coords(square.file(), color.backrank());
                    let place = if is_stepped { first_rank() } else { square };
                    number = number << 6 | place.to_usize();
                }
            }
        }
        number
    };
    let is_counted = board.occupied().count() < LARGE
        && strength(&board, Color::White) != strength(&board, Color::Black)
        && stepped.is_none();
    let class = is_counted.then(|| images(&board).iter().map(&number).min()).flatten();
    Some(Numbered { table: table(position), number: number(&board), class })
}

/// The images of a board by reflections and rotations that keep the rules: with pawns only the exchange of
/// left and right.
fn images(board: &Board) -> Vec<Board> {
    let image = |change: &dyn Fn(&mut Board)| {
        let mut board = board.clone();
        change(&mut board);
        board
    };
    let mut images = vec![board.clone(), image(&Board::flip_horizontal)];
    if board.pawns().is_empty() {
        images.extend([
            image(&Board::flip_vertical),
            image(&Board::flip_diagonal),
            image(&Board::flip_anti_diagonal),
            image(&Board::rotate_90),
            image(&Board::rotate_180),
            image(&Board::rotate_270),
        ]);
    }
    images
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    fn seen(fens: &[&str]) -> SeenPositions {
        let mut seen = SeenPositions::default();
        for fen in fens {
            let fen: Fen = fen.parse().unwrap();
            seen.tick(&fen.into_position(CastlingMode::Standard).unwrap(), false);
        }
        seen
    }

    fn counts(fens: &[&str]) -> (u64, u64, u64) {
        let [coverage] = &seen(fens).coverage(&Authorities::default())[..] else { panic!("one table") };
        (coverage.positions, coverage.en_passant, coverage.repeated)
    }

    #[test]
    fn a_dump_with_nearly_all_positions_is_meant_to_have_all() {
        let coverage = |published, positions, classes| Coverage {
            table: "KRvK".to_owned(),
            positions,
            en_passant: 0,
            repeated: 0,
            undecided: 0,
            published: Some(published),
            classes: Some(classes),
            published_classes: Some(130),
        };
        for (published, positions, classes, missing) in [
            (1_000, 1_000, 130, 0),
            (1_000, 999, 130, 1),
            (1_000, 901, 130, 99),
            (1_000, 900, 130, 0),
            (1_000, 130, 130, 0),
            (1_000, 129, 129, 871),
            // Tables that are folded in odd ways.
            (331_352, 257_558, 130, 0),
            (399_112, 224_418, 130, 0),
        ] {
            assert_eq!(coverage(published, positions, classes).missing(), missing, "{positions} {classes}");
        }
    }

    /// Either of two pawns may have stepped last, of either colour.
    #[test]
    fn en_passant_squares_are_told_apart() {
        let white = ["d3", "f3", "-"].map(|square| format!("8/8/8/8/3PpP2/8/8/K1k5 b - {square} 0 1"));
        let black = ["d6", "f6", "-"].map(|square| format!("k1K5/8/8/3pPp2/8/8/8/8 w - {square} 0 1"));
        let all: Vec<&str> = white.iter().chain(&black).map(String::as_str).collect();
        assert_eq!(counts(&all[..3]), (1, 2, 0));
        assert_eq!(counts(&all[3..]), (1, 2, 0));
        // With colours exchanged they are the same positions.
        assert_eq!(counts(&all), (1, 2, 3));
    }

    #[test]
    fn memory_for_large_tables_is_bounded() {
        let boards =
            ["QQQ", "QQR", "QQB", "QQN", "QRR"].map(|men| format!("8/8/7k/8/8/K7/{men}5/8 w - - 0 1"));
        let fens: Vec<&str> = boards.iter().map(String::as_str).collect();
        let seen = seen(&fens);
        assert_eq!(seen.coverage(&Authorities::default()).len(), 4);
        assert_eq!(seen.not_counted(), ["KQRRvK"]);
    }
}
