//! Which positions a dump has: a table that forgets some is complete in all that it says.

use std::collections::BTreeMap;
use std::fmt;

use shakmaty::{Chess, Color, Position, Role};
use suites::census::{CensusRow, SideToMove};

/// Men of the largest tables whose positions are ticked off, one bit each: 4 MB for a table of four men.
const MAX_MEN: usize = 4;

/// How much of a table a dump has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Name of the table.
    pub table: String,
    /// Different positions with rows that could be read.
    pub positions: u64,
    /// Rows for a position that had one already.
    pub repeated: u64,
    /// Legal positions of the table, where that is published.
    pub published: Option<u64>,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, positions, repeated, published } = self;
        match published {
            Some(published) => write!(f, "the dump has {positions} of the {published} positions of {table}")?,
            None => write!(f, "the dump has {positions} positions of {table}")?,
        }
        if *repeated > 0 {
            write!(f, ", {repeated} of its rows are for a position that it had already")?;
        }
        Ok(())
    }
}

/// The positions seen so far, by table.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<String, Ticks>);

struct Ticks {
    bits: Vec<u64>,
    positions: u64,
    repeated: u64,
}

impl Seen {
    pub(super) fn tick(&mut self, position: &Chess) {
        let Some((table, number)) = number(position) else { return };
        let men = table.len() - 1;
        let ticks = self.0.entry(table).or_insert_with(|| Ticks {
            bits: vec![0; (2 << (6 * men)) / 64],
            positions: 0,
            repeated: 0,
        });
        let (word, bit) = (&mut ticks.bits[number / 64], 1 << (number % 64));
        if *word & bit == 0 {
            *word |= bit;
            ticks.positions += 1;
        } else {
            ticks.repeated += 1;
        }
    }

    pub(super) fn coverage(&self, published: &[CensusRow]) -> Vec<Coverage> {
        let legal = |table: &str, side| {
            let row = published.iter().find(|row| row.table == table && row.side_to_move == side)?;
            Some(row.raw?.legal)
        };
        let both = |table: &str| Some(legal(table, SideToMove::White)? + legal(table, SideToMove::Black)?);
        let coverage = |(table, ticks): (&String, &Ticks)| Coverage {
            table: table.clone(),
            positions: ticks.positions,
            repeated: ticks.repeated,
            published: both(table),
        };
        self.0.iter().map(coverage).collect()
    }
}

/// The table of a position, and a number that no other position of it has; colours flipped where Black is the stronger.
fn number(position: &Chess) -> Option<(String, usize)> {
    const NAMED: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let board = position.board();
    if board.occupied().count() > MAX_MEN {
        return None;
    }
    let strength = |color: Color| {
        let counts = NAMED.map(|role| (board.by_color(color) & board.by_role(role)).count());
        (counts.iter().sum::<usize>(), counts)
    };
    let flipped = strength(Color::Black) > strength(Color::White);
    let board = if flipped { board.clone().into_mirrored() } else { board.clone() };
    let turn = if flipped { !position.turn() } else { position.turn() };
    let (mut names, mut number) = (Vec::new(), turn.fold_wb(0, 1));
    for color in [Color::White, Color::Black] {
        let mut name = String::new();
        for role in NAMED {
            for square in board.by_color(color) & board.by_role(role) {
                name.push(role.upper_char());
                number = number << 6 | square.to_usize();
            }
        }
        names.push(name);
    }
    Some((names.join("v"), number))
}
