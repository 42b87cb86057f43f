//! The positions that a dump has. Without this count, a dump that lacks positions would pass.

use std::collections::BTreeMap;
use std::fmt;

use shakmaty::{Board, Chess, Color, Position, Role};

use crate::authorities::Authorities;
use crate::positions::Scope;

/// The most men of tables whose positions are counted. Two bits for each placement take 8 MB for a table of four men.
const MAX_MEN: usize = 4;

/// How much of a table a dump has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Name of the table.
    pub table: String,
    /// Different positions with readable rows, without those in which an en passant capture is legal.
    pub positions: u64,
    /// Different positions in which an en passant capture is legal. Tables and published counts do not include them.
    pub en_passant: u64,
    /// Rows with a position that an earlier row had.
    pub repeated: u64,
    /// Rows with a value that no source can decide.
    pub undecided: u64,
    /// The number of legal positions of the table, if it is published.
    pub published: Option<u64>,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, positions, en_passant, repeated, undecided, published } = self;
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
pub(super) struct SeenPositions(BTreeMap<String, Ticks>);

struct Ticks {
    bits: Vec<u64>,
    positions: u64,
    en_passant: u64,
    repeated: u64,
    undecided: u64,
}

impl SeenPositions {
    pub(super) fn tick(&mut self, position: &Chess, is_undecided: bool) {
        let Some((table, number)) = number(position) else { return };
        let men = table.len() - 1;
        let ticks = self.0.entry(table).or_insert_with(|| Ticks {
            bits: vec![0; (4 << (6 * men)) / 64],
            positions: 0,
            en_passant: 0,
            repeated: 0,
            undecided: 0,
        });
        // With so few men, the placement determines the en passant square. Only whether the capture is legal has to be
        // added.
        let is_en_passant = position.legal_ep_square().is_some();
        let number = number << 1 | usize::from(is_en_passant);
        let (word, bit) = (&mut ticks.bits[number / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        ticks.positions += u64::from(is_new && !is_en_passant);
        ticks.en_passant += u64::from(is_new && is_en_passant);
        ticks.repeated += u64::from(!is_new);
        ticks.undecided += u64::from(is_undecided);
    }

    pub(super) fn coverage(&self, authorities: &Authorities) -> Vec<Coverage> {
        let coverage = |(table, ticks): (&String, &Ticks)| Coverage {
            table: table.clone(),
            positions: ticks.positions,
            en_passant: ticks.en_passant,
            repeated: ticks.repeated,
            undecided: ticks.undecided,
            published: table.parse().ok().and_then(|men| authorities.published_positions(&men, Scope::Raw)),
        };
        self.0.iter().map(coverage).collect()
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

/// The table of a position, and a number that is unique in the table. Colours are exchanged if Black is the stronger side.
fn number(position: &Chess) -> Option<(String, usize)> {
    let board = position.board();
    if board.occupied().count() > MAX_MEN {
        return None;
    }
    let flipped = strength(board, Color::Black) > strength(board, Color::White);
    let board = if flipped { board.clone().into_mirrored() } else { board.clone() };
    let turn = if flipped { !position.turn() } else { position.turn() };
    let mut number = turn.fold_wb(0, 1);
    for color in [Color::White, Color::Black] {
        for role in NAMED {
            for square in board.by_color(color) & board.by_role(role) {
                number = number << 6 | square.to_usize();
            }
        }
    }
    Some((table(position), number))
}
